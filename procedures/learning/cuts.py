"""Segments as somebody else cuts them, such as a chat model: told of one episode of a goal.

The other episodes of that goal are cut where the same is done; where one of them goes another way,
it is cut as the learner cuts. Goal, preconditions and postconditions are the teller's words, as far
as every segment bears them out; all else is learned from all episodes as ever.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..common.text import sentences
from ..conditions.text_patterns import Pattern, escape, normalise, quoted
from ..episodes.trajectories import Trajectory
from ..words.lexicon import Lexicon
from .analysis import Episode
from .guards import variable_name
from .segments import Segment, Wording, cut_segment

__all__ = ["Cut", "Mark", "Stretch", "recut", "told_conditions"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """What somebody says of one stretch of an episode, in the episode's own words.

    Attributes:
        goal: What it achieves.
        start: Index of its first action.
        stop: Index after its last action.
        preconditions: Sentences seen before its first action that it needs.
        postconditions: Sentences seen after its last action that show that it worked.
    """

    goal: str
    start: int
    stop: int
    preconditions: tuple[str, ...] = ()
    postconditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cut:
    """How somebody cuts one episode of a goal.

    Attributes:
        trajectory: The episode.
        stretches: In order, without overlap.
        by: Who says so; stands in the provenance.
    """

    trajectory: Trajectory
    stretches: tuple[Stretch, ...]
    by: str


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a segment ends: when so many actions of a frame were done since the one before.

    Attributes:
        frame: The frame.
        count: How many.
        wording: What is said of the segment.
    """

    frame: str
    count: int
    wording: Wording


def recut(
    segmented: Sequence[tuple[Episode, list[Segment]]],
    guided: Container[int],
    cuts: Mapping[str, Cut | tuple[Mark, ...]],
    lexicon: Lexicon,
) -> list[tuple[Episode, list[Segment]]]:
    """Cut episodes as somebody else does, where that can be done; the others stay as they are.

    One stays that goes another way than the episode which was cut, and so do all of a goal where
    the cut leaves out what the episode's end rests on.

    Args:
        segmented: Analysed episodes, with their segments.
        guided: Identities of episodes that follow instructions; they stay.
        cuts: Goal → how one of its episodes is cut, or where segments of all of them end.
        lexicon: Tells kinds.
    """
    members: dict[str, list[Episode]] = defaultdict(list)
    for episode, _ in segmented:
        if id(episode) not in guided and episode.goal in cuts:
            members[episode.goal].append(episode)
    marks: dict[str, Sequence[Mark]] = {}
    for goal, own in members.items():
        cut = cuts[goal]
        if isinstance(cut, tuple):
            marks[goal] = cut
        elif shown := [each for each in own if each.trajectory == cut.trajectory]:
            marks[goal] = list(_marks(shown[0], cut, lexicon))
    out = []
    for episode, segments in segmented:
        told = None if id(episode) in guided else _cut(episode, marks.get(episode.goal, ()))
        out.append((episode, told or segments))
    return out


def _marks(episode: Episode, cut: Cut, lexicon: Lexicon) -> Iterator[Mark]:
    end = -1
    for stretch in cut.stretches:
        steps = [step for step in episode.order if end < step < stretch.stop]
        if not any(step >= stretch.start for step in steps):
            continue  # mere search
        end = steps[-1]
        frame = episode.actions[end][0]
        count = sum(episode.actions[step][0] == frame for step in steps)
        yield Mark(frame, count, _wording(stretch, cut_segment(episode, steps), lexicon, cut.by))


def _cut(episode: Episode, marks: Sequence[Mark]) -> list[Segment] | None:
    out: list[Segment] = []
    current: list[int] = []
    done = 0
    for step in episode.order:
        if len(out) == len(marks):
            return None
        mark = marks[len(out)]
        current.append(step)
        done += episode.actions[step][0] == mark.frame
        if done == mark.count:
            out.append(cut_segment(episode, current, mark.wording))
            current, done = [], 0
    return out if len(out) == len(marks) and not current else None


def _wording(stretch: Stretch, segment: Segment, lexicon: Lexicon, by: str) -> Wording:
    names = {entity: variable_name(i) for i, entity in enumerate(segment.variables)}
    kinds = Counter(map(lexicon.kind, names))
    spoken = {lexicon.kind(e): name for e, name in names.items() if kinds[lexicon.kind(e)] == 1}
    return Wording(
        _templated(" ".join(stretch.goal.split()), {**spoken, **names}),
        tuple(_templated(text, names) for text in stretch.preconditions),
        tuple(_templated(text, names) for text in stretch.postconditions),
        by,
    )


def _templated(text: str, names: dict[str, str]) -> str:
    """Write parameters in the places of things; all else stands for itself."""
    longest = sorted(filter(None, names), key=lambda each: (-len(each), each))
    if not longest:
        return escape(text)
    either = "|".join(re.escape(each) for each in longest)
    parts = re.split(rf"(?<!\w)({either})(?!\w)", text, flags=re.IGNORECASE)
    named = {each.casefold(): name for each, name in names.items()}
    return "".join(
        "{" + named[part.casefold()] + "}" if i % 2 else escape(part)
        for i, part in enumerate(parts)
    )


def told_conditions(
    segments: Sequence[Segment], variables: Sequence[int]
) -> tuple[list[str], list[str]]:
    """Return the preconditions and postconditions told of segments that all of them bear out.

    One that speaks of none of the procedure's things would be true of anything, and is left out.

    Args:
        segments: What a procedure is learned from.
        variables: Its variables.
    """
    known = {variable_name(variable) for variable in variables}
    needs = [text for each in segments if each.told for text in each.told.preconditions]
    shows = [text for each in segments if each.told for text in each.told.postconditions]
    before = [(each, each.episode.trajectory.obs[each.steps[0]]) for each in segments]
    after = [(each, each.episode.trajectory.obs[each.steps[-1] + 1]) for each in segments]
    return _borne_out(needs, before, known), _borne_out(shows, after, known)


def _borne_out(
    texts: Sequence[str], moments: Sequence[tuple[Segment, str]], known: set[str]
) -> list[str]:
    out = []
    for text in dict.fromkeys(texts):
        pattern = Pattern.parse(text)
        names = set(pattern.names)
        if names and names <= known and all(_seen(pattern, *moment) for moment in moments):
            out.append(f"observed({quoted(text)})")
    return out


def _seen(pattern: Pattern, segment: Segment, observation: str) -> bool:
    values = {variable_name(i): entity for i, entity in enumerate(segment.variables)}
    if not set(pattern.names) <= values.keys():
        return False
    matcher = pattern.bind(values)
    return any(matcher.matches(normalise(sentence)) for sentence in sentences(observation))
