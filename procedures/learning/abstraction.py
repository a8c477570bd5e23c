"""Write drafts as the documents of procedure files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import Any

from ..common.reserved_names import is_reserved
from ..common.text import fold_space
from ..conditions.text_patterns import quoted, renamed, template_parameters
from ..words.lexicon import Lexicon, fill_frame, slots
from ..words.sentence_patterns import observation_patterns
from .analysis import Episode
from .cuts import told_conditions
from .drafts import Draft, DraftStep
from .generalising import open_values
from .guards import StepGuard, variable_name
from .provenance import OWN_PLAY, sources
from .segments import SEGMENTED_BY, Wording

_KINDS = 20
"""Most kinds listed for one parameter; all of them are counted in the evidence."""
_MOST_OUTCOMES = 12
"""Most patterns expected after one frame; it bounds the length of a postcondition."""
_LONGEST_OUTCOME = 500
"""Characters; so all outcomes of a frame fit one condition."""

FrameOutcomes = dict[str, tuple[str, ...]]
"""Frame → patterns over ``{0}``, ``{1}``, … of which one follows whenever the action works."""


def slug(text: str, taken: Container[str] = ()) -> str:
    """Make a file name, valid on any system, from a frame or goal; none of ``taken``."""
    base = re.sub(r"[^a-z0-9]+", "-", re.sub(r"\{\w+\}", " ", text.lower())).strip("-")[:60]
    base = base.strip("-") or "procedure"
    name, n = base, 2
    while name in taken or is_reserved(name):
        name, n = f"{base}-{n}", n + 1
    return name


def frame_outcomes(episodes: Iterable[Episode], lexicon: Lexicon) -> FrameOutcomes:
    """Learn, for each frame, the fewest sentences that show that it worked.

    The answer to a frame (``take {0} from {1}``) also counts for its beginning (``take {0}``),
    which the world may complete. A sentence that follows many frames and names no argument
    ("nothing happens") shows nothing, so it is never expected.
    """
    episodes = list(episodes)
    beginnings = _beginnings({frame for episode in episodes for frame, _ in episode.actions})
    answer_counts: dict[str, Counter[tuple[str, ...]]] = {}
    frames_by_pattern: dict[str, set[str]] = {}
    for episode in episodes:
        for (frame, arguments), observation in zip(
            episode.actions, episode.trajectory.obs[1:], strict=True
        ):
            names = {argument: str(i) for i, argument in enumerate(arguments)}
            patterns = tuple(
                pattern
                for pattern in observation_patterns(lexicon, observation, names)
                if len(pattern) <= _LONGEST_OUTCOME
            )
            for answered_frame in (frame, *beginnings.get(frame, ())):
                wildcard_by_slot = {
                    str(i): "*" for i in range(slots(answered_frame), len(arguments))
                }
                answer = tuple(renamed(each, wildcard_by_slot) for each in patterns)
                answer_counts.setdefault(answered_frame, Counter())[answer] += 1
    answer_counts = {frame: _with_wildcards(counts) for frame, counts in answer_counts.items()}
    for frame, counts in answer_counts.items():
        for patterns in counts:
            for pattern in patterns:
                frames_by_pattern.setdefault(pattern, set()).add(frame)
    many = max(3, len(answer_counts) // 3)
    common = {p for p, frames in frames_by_pattern.items() if len(frames) >= many and not slots(p)}
    return {frame: _cover(counts, common) for frame, counts in sorted(answer_counts.items())}


def _beginnings(frames: Collection[str]) -> dict[str, list[str]]:
    """Map a frame to the frames with a word and a slot that it begins with, if any.

    >>> _beginnings(["take {0} from {1}", "take {0}", "look", "look at {0}"])
    {'take {0} from {1}': ['take {0}']}
    """
    beginnings_by_frame: dict[str, list[str]] = {}
    for frame in sorted(frames):
        words = frame.split(" ")
        begins = (" ".join(words[:number]) for number in range(2, len(words)))
        if shorter := [each for each in begins if each in frames and slots(each)]:
            beginnings_by_frame[frame] = shorter
    return beginnings_by_frame


def _with_wildcards(counts: Counter[tuple[str, ...]]) -> Counter[tuple[str, ...]]:
    """Write sentences that differ in a value as one pattern with ``*``."""
    pattern_by_sentence = open_values({pattern for patterns in counts for pattern in patterns})
    if not pattern_by_sentence:
        return counts
    open_counts: Counter[tuple[str, ...]] = Counter()
    for patterns, count in counts.items():
        open_counts[tuple(dict.fromkeys(pattern_by_sentence.get(p, p) for p in patterns))] += count
    return open_counts


def _cover(counts: Counter[tuple[str, ...]], ignored: set[str]) -> tuple[str, ...]:
    """Return a greedy set cover of the observations by single patterns, most frequent first.

    A pattern with a wildcard also covers the sentences that are instances of it.
    """
    uncovered = dict(counts)
    total = sum(uncovered.values())
    cover: list[str] = []
    while uncovered and sum(uncovered.values()) > 0.005 * total and len(cover) < _MOST_OUTCOMES:
        gain: Counter[str] = Counter()
        for patterns, count in uncovered.items():
            for pattern in patterns:
                if pattern not in ignored:
                    gain[pattern] += count
        if not gain:
            break
        best = min(gain, key=lambda p: (-gain[p], not slots(p), p))
        cover.append(best)
        covers = re.compile(re.escape(best).replace(r"\*", ".+"))
        uncovered = {
            patterns: n
            for patterns, n in uncovered.items()
            if not any(covers.fullmatch(pattern) for pattern in patterns)
        }
    return tuple(sorted(cover))  # any one of them will do


def procedure_document(
    draft: Draft,
    identifier: str,
    outcomes: Mapping[str, Sequence[str]],
    needs: Mapping[int, Collection[str]],
) -> dict[str, Any]:
    """Write a draft as the content of a procedure file, version 1.

    Args:
        draft: The draft.
        identifier: Its id.
        outcomes: Frame → patterns of which one follows when it works.
        needs: Variable → deeds of which one was the last on its thing.
    """
    names = {v: variable_name(v) for v in draft.variables}
    placeholders = ["{" + names[v] + "}" for v in range(draft.arity)]
    final_outcomes = [
        _with_parameter_names(p, draft.steps[-1], names) for p in outcomes.get(draft.final, ())
    ]
    played_count = sum(each.episode.trajectory.source == OWN_PLAY for each in draft.segments)
    document: dict[str, Any] = {
        "kind": "procedure",
        "id": identifier,
        "version": 1,
        "status": "provisional",
        "goal": _goal(draft.final, placeholders),
        "parameters": {names[v]: _parameter(draft, v, names) for v in draft.variables},
        "preconditions": _preconditions(draft, names, needs),
        "steps": [_step(step, draft, names, outcomes) for step in draft.steps],
        "postconditions": [any_observed(final_outcomes)] if final_outcomes else [],
        "provenance": {
            "learned_from": sources(
                len(draft.segments) - played_count, played_count, "segments of "
            )
        },
    }
    if draft.told is not None:
        _add_wording(document, draft, draft.told)
    return document


def _add_wording(document: dict[str, Any], draft: Draft, wording: Wording) -> None:
    """Replace goal and conditions by the wording of whoever cut the segments, where they hold."""
    if set(template_parameters(wording.goal)) <= document["parameters"].keys():
        document["goal"] = wording.goal
    needs, shows = told_conditions(draft.segments, draft.variables)
    document["preconditions"] = list(dict.fromkeys([*document["preconditions"], *needs]))
    document["postconditions"] = shows or document["postconditions"]
    document["provenance"][SEGMENTED_BY] = wording.by


def _goal(final: str, placeholders: Sequence[str]) -> str:
    """Write a goal from a frame; slots are words of their own, whatever they stand beside."""
    return fold_space(fill_frame(final, [f" {name} " for name in placeholders]))


def _parameter(draft: Draft, variable: int, names: Mapping[int, str]) -> dict[str, Any]:
    kinds = draft.kinds[variable]
    usual_kinds = sorted(kinds, key=lambda kind: (-kinds[kind], kind))[:_KINDS]
    listed = sorted(usual_kinds)
    if variable in draft.found_via:
        via = names[draft.found_via[variable]]
        return {"source": "search", "via": via, "kinds": listed}
    if variable in draft.found_via.values():
        return {"source": "place", "kinds": listed}
    if draft.is_given(variable):
        return {"source": "given", "kinds": listed}
    sources = draft.sources.get(variable, Counter())
    if sources and sources["nowhere"] > 0.5 * sum(sources.values()):
        return {"source": "text", "kinds": listed}
    return {"source": "choice", "kinds": listed}


def _preconditions(
    draft: Draft, names: Mapping[int, str], needs: Mapping[int, Collection[str]]
) -> list[str]:
    """Return what was last done to each given argument."""
    conditions = []
    for variable in range(draft.arity):
        if texts := needs.get(variable):
            name = "{" + names[variable] + "}"
            listed = ", ".join(quoted(renamed(text, {"v": name})) for text in sorted(texts))
            conditions.append(f"last({name}) in [{listed}]")
    return conditions


def _step(
    step: DraftStep,
    draft: Draft,
    names: Mapping[int, str],
    outcomes: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    frame, variables = step.signature
    document: dict[str, Any] = {"do": fill_frame(frame, ["{" + names[v] + "}" for v in variables])}
    is_final = step is draft.steps[-1]
    if step.guard is not None:
        _add_guard(document, step.guard)
    elif not is_final:
        # Repeating the latest action of its kind on the same things changes nothing.
        document["unless"] = "done"
    expect = [_with_parameter_names(pattern, step, names) for pattern in outcomes.get(frame, ())]
    if expect:
        document["expect"] = expect[0] if len(expect) == 1 else expect
    return document


def _add_guard(document: dict[str, Any], guard: StepGuard) -> None:
    if guard.when:
        document["when"] = guard.when
    if guard.unless:
        document["unless"] = guard.unless


def _with_parameter_names(pattern: str, step: DraftStep, names: Mapping[int, str]) -> str:
    """Rename ``{0}``, ``{1}``, … of a frame's outcome to the procedure's variables."""
    variables = step.signature[1]
    return renamed(pattern, {str(i): "{" + names[v] + "}" for i, v in enumerate(variables)})


def any_observed(patterns: Sequence[str]) -> str:
    """Return the condition that one of some patterns was observed."""
    return " or ".join(f"observed({quoted(pattern)})" for pattern in patterns)
