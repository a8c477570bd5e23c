"""From drafts to the documents that stand in procedure files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import Any

from ..common.reserved_names import is_reserved
from ..conditions.text_patterns import quoted, renamed, template_parameters
from ..words.lexicon import Lexicon, fill_frame, slots
from ..words.sentence_patterns import observation_patterns
from .analysis import Episode
from .cuts import told_conditions
from .drafts import Draft, DraftStep
from .generalising import open_values
from .guards import Guard, variable_name
from .provenance import OWN_PLAY, sources
from .segments import SEGMENTED_BY, Wording

__all__ = ["FrameOutcomes", "frame_outcomes", "procedure_document", "slug"]

_KINDS = 20
"""Most kinds listed for one parameter; all of them are counted in the evidence."""
_PRECONDITION_SHARE = 0.95
"""Share of segments that a precondition must have held in."""
_PRECONDITION_OPTIONS = 6
_MOST_OUTCOMES = 12
_LONGEST_OUTCOME = 500
"""Characters; so that as many as may stand beside each other fit one condition."""

FrameOutcomes = dict[str, tuple[str, ...]]
"""Frame → patterns over ``{0}``, ``{1}``, … of which one follows whenever the action works."""


def slug(text: str, taken: Container[str] = ()) -> str:
    """Make a file name of any system out of a frame or goal; unlike any in ``taken``."""
    base = re.sub(r"[^a-z0-9]+", "-", re.sub(r"\{\w+\}", " ", text.lower())).strip("-")[:60]
    base = base.strip("-") or "procedure"
    name, n = base, 2
    while name in taken or is_reserved(name):
        name, n = f"{base}-{n}", n + 1
    return name


def frame_outcomes(episodes: Iterable[Episode], lexicon: Lexicon) -> FrameOutcomes:
    """Learn, for each frame, the fewest sentences that tell that it worked.

    What answers a frame (``take {0} from {1}``) also tells that its beginning (``take {0}``)
    worked, for the world may complete it. A sentence that follows many different frames and names
    none of the action's arguments ("nothing happens") tells nothing of this one, so it is never
    expected.
    """
    episodes = list(episodes)
    beginnings = _beginnings({frame for episode in episodes for frame, _ in episode.actions})
    after: dict[str, Counter[tuple[str, ...]]] = {}
    spread: dict[str, set[str]] = {}
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
            for told in (frame, *beginnings.get(frame, ())):
                unsaid = {str(i): "*" for i in range(slots(told), len(arguments))}
                answer = tuple(renamed(each, unsaid) for each in patterns)
                after.setdefault(told, Counter())[answer] += 1
    after = {frame: _opened(counts) for frame, counts in after.items()}
    for frame, counts in after.items():
        for patterns in counts:
            for pattern in patterns:
                spread.setdefault(pattern, set()).add(frame)
    many = max(3, len(after) // 3)
    common = {p for p, frames in spread.items() if len(frames) >= many and not slots(p)}
    return {frame: _cover(counts, common) for frame, counts in sorted(after.items())}


def _beginnings(frames: Collection[str]) -> dict[str, list[str]]:
    """Frame → frames with a word and a slot that it begins with, where there are some.

    >>> _beginnings(["take {0} from {1}", "take {0}", "look", "look at {0}"])
    {'take {0} from {1}': ['take {0}']}
    """
    out: dict[str, list[str]] = {}
    for frame in sorted(frames):
        words = frame.split(" ")
        begins = (" ".join(words[:number]) for number in range(2, len(words)))
        if less := [each for each in begins if each in frames and slots(each)]:
            out[frame] = less
    return out


def _opened(counts: Counter[tuple[str, ...]]) -> Counter[tuple[str, ...]]:
    """Write sentences that differ in a value as one pattern with ``*``."""
    opened = open_values({pattern for patterns in counts for pattern in patterns})
    if not opened:
        return counts
    out: Counter[tuple[str, ...]] = Counter()
    for patterns, count in counts.items():
        out[tuple(dict.fromkeys(opened.get(p, p) for p in patterns))] += count
    return out


def _cover(counts: Counter[tuple[str, ...]], ignored: set[str]) -> tuple[str, ...]:
    """Greedy set cover of the observations by single patterns, most frequent first.

    A pattern with a wildcard also covers the sentences that are instances of it.
    """
    left = dict(counts)
    total = sum(left.values())
    chosen: list[str] = []
    while left and sum(left.values()) > 0.005 * total and len(chosen) < _MOST_OUTCOMES:
        gain: Counter[str] = Counter()
        for patterns, count in left.items():
            for pattern in patterns:
                if pattern not in ignored:
                    gain[pattern] += count
        if not gain:
            break
        best = min(gain, key=lambda p: (-gain[p], not slots(p), p))
        chosen.append(best)
        covers = re.compile(re.escape(best).replace(r"\*", ".+"))
        left = {
            patterns: n
            for patterns, n in left.items()
            if not any(covers.fullmatch(pattern) for pattern in patterns)
        }
    return tuple(sorted(chosen))  # any one of them will do


def procedure_document(
    draft: Draft,
    identifier: str,
    outcomes: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """Write a draft as the content of a procedure file, version 1."""
    names = {v: variable_name(v) for v in draft.variables}
    shown = ["{" + names[v] + "}" for v in range(draft.arity)]
    final_outcomes = [_renamed(p, draft.steps[-1], names) for p in outcomes.get(draft.final, ())]
    own = sum(each.episode.trajectory.source == OWN_PLAY for each in draft.segments)
    document: dict[str, Any] = {
        "kind": "procedure",
        "id": identifier,
        "version": 1,
        "status": "provisional",
        "goal": _goal(draft.final, shown),
        "parameters": {names[v]: _parameter(draft, v, names) for v in draft.variables},
        "preconditions": _preconditions(draft, names),
        "steps": [_step(step, draft, names, outcomes) for step in draft.steps],
        "postconditions": [_any_observed(final_outcomes)] if final_outcomes else [],
        "provenance": {"learned_from": sources(len(draft.segments) - own, own, "segments of ")},
    }
    if draft.told is not None:
        _add_told(document, draft, draft.told)
    return document


def _add_told(document: dict[str, Any], draft: Draft, told: Wording) -> None:
    """Let the words of who cut the segments stand, as far as the segments bear them out."""
    if set(template_parameters(told.goal)) <= document["parameters"].keys():
        document["goal"] = told.goal
    needs, shows = told_conditions(draft.segments, draft.variables)
    document["preconditions"] = list(dict.fromkeys([*document["preconditions"], *needs]))
    document["postconditions"] = shows or document["postconditions"]
    document["provenance"][SEGMENTED_BY] = told.by


def _goal(final: str, shown: Sequence[str]) -> str:
    """Write a goal from a frame; slots are words of their own, whatever they stand beside."""
    return " ".join(fill_frame(final, [f" {name} " for name in shown]).split())


def _parameter(draft: Draft, variable: int, names: Mapping[int, str]) -> dict[str, Any]:
    kinds = draft.kinds[variable]
    usual = sorted(kinds, key=lambda kind: (-kinds[kind], kind))[:_KINDS]
    listed = sorted(usual)
    if variable in draft.found_via:
        via = names[draft.found_via[variable]]
        return {"source": "search", "via": via, "kinds": listed}
    if variable in draft.found_via.values():
        return {"source": "place", "kinds": listed}
    sources = draft.sources.get(variable, Counter())
    if sources and sources["given"] > 0.5 * sum(sources.values()):
        return {"source": "given", "kinds": listed}
    if sources and sources["nowhere"] > 0.5 * sum(sources.values()):
        return {"source": "text", "kinds": listed}
    return {"source": "choice", "kinds": listed}


def _preconditions(draft: Draft, names: Mapping[int, str]) -> list[str]:
    """What had last been done to each given argument, where that was nearly always known."""
    out = []
    for variable in range(draft.arity):
        if variable in draft.found_via or variable in draft.found_via.values():
            continue
        earlier = draft.earlier.get(variable, Counter())
        total = sum(earlier.values())
        ranked = sorted(((n, text) for text, n in earlier.items() if text), reverse=True)
        chosen: list[str] = []
        covered = 0
        for count, text in ranked[:_PRECONDITION_OPTIONS]:
            if count < 0.01 * total:
                break
            chosen.append(text)
            covered += count
        if chosen and covered >= _PRECONDITION_SHARE * total:
            name = "{" + names[variable] + "}"
            listed = ", ".join(quoted(renamed(text, {"v": name})) for text in sorted(chosen))
            out.append(f"last({name}) in [{listed}]")
    return out


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
    expect = [_renamed(pattern, step, names) for pattern in outcomes.get(frame, ())]
    if expect:
        document["expect"] = expect[0] if len(expect) == 1 else expect
    return document


def _add_guard(document: dict[str, Any], guard: Guard) -> None:
    if guard.when:
        document["when"] = guard.when
    if guard.unless:
        document["unless"] = guard.unless


def _renamed(pattern: str, step: DraftStep, names: Mapping[int, str]) -> str:
    """Rename ``{0}``, ``{1}``, … of a frame's outcome to the procedure's variables."""
    used = step.signature[1]
    return renamed(pattern, {str(i): "{" + names[v] + "}" for i, v in enumerate(used)})


def _any_observed(patterns: Sequence[str]) -> str:
    return " or ".join(f"observed({quoted(pattern)})" for pattern in patterns)
