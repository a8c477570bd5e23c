"""Cut episodes as another does, such as a chat model that cuts one episode of a goal.

The other episodes of that goal are cut at the same actions. An episode that goes another way is cut
by the learner. Goal, preconditions and postconditions are in the cutter's words, as far as they
hold for every segment. All else is learned from all episodes as usual.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..common.text import fold_space, sentences
from ..conditions.text_patterns import Pattern, escape, normalise, quoted
from ..episodes.trajectories import Trajectory
from ..words.lexicon import Lexicon
from .analysis import Episode
from .guards import variable_name
from .segments import Segment, Wording, cut_segment


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of an episode, described in the episode's own words.

    Attributes:
        goal: What it achieves.
        start: Index of its first action.
        stop: Index after its last action.
        preconditions: Sentences observed before its first action that it needs.
        postconditions: Sentences observed after its last action that show that it worked.
    """

    goal: str
    start: int
    stop: int
    preconditions: tuple[str, ...] = ()
    postconditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cut:
    """Another's cut of one episode of a goal.

    Attributes:
        trajectory: The episode.
        stretches: Stretches in order, without overlap.
        by: Name of the cutter, for the provenance.
    """

    trajectory: Trajectory
    stretches: tuple[Stretch, ...]
    by: str


@dataclass(frozen=True, slots=True)
class Mark:
    """The end of a segment: so many actions of a frame after the end of the one before.

    Attributes:
        frame: The frame.
        count: Number of its actions.
        wording: Goal and conditions of the segment, in the cutter's words.
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
    """Cut episodes as the cuts say, where that is possible; the others stay as they are.

    An episode stays if it goes another way than the one that was cut. All episodes of a goal stay
    if its cut leaves out core steps.

    Args:
        segmented: Analysed episodes, with their segments.
        guided: Identities of episodes that follow instructions; they stay.
        cuts: Goal → cut of one of its episodes, or the ends of all their segments.
        lexicon: Tells kinds.
    """
    episodes_by_goal: dict[str, list[Episode]] = defaultdict(list)
    for episode, _ in segmented:
        if id(episode) not in guided and episode.goal in cuts:
            episodes_by_goal[episode.goal].append(episode)
    marks_by_goal: dict[str, Sequence[Mark]] = {}
    for goal, episodes in episodes_by_goal.items():
        cut = cuts[goal]
        if isinstance(cut, tuple):
            marks_by_goal[goal] = cut
        elif matches := [each for each in episodes if each.trajectory == cut.trajectory]:
            marks_by_goal[goal] = list(_marks(matches[0], cut, lexicon))
    result = []
    for episode, segments in segmented:
        cut_segments = (
            None
            if id(episode) in guided
            else _segments_by_marks(episode, marks_by_goal.get(episode.goal, ()))
        )
        result.append((episode, cut_segments or segments))
    return result


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


def _segments_by_marks(episode: Episode, marks: Sequence[Mark]) -> list[Segment] | None:
    segments: list[Segment] = []
    current: list[int] = []
    count = 0
    for step in episode.order:
        if len(segments) == len(marks):
            return None
        mark = marks[len(segments)]
        current.append(step)
        count += episode.actions[step][0] == mark.frame
        if count == mark.count:
            segments.append(cut_segment(episode, current, mark.wording))
            current, count = [], 0
    return segments if len(segments) == len(marks) and not current else None


def _wording(stretch: Stretch, segment: Segment, lexicon: Lexicon, by: str) -> Wording:
    names = {entity: variable_name(i) for i, entity in enumerate(segment.variables)}
    kinds = Counter(map(lexicon.kind, names))
    name_by_kind = {
        lexicon.kind(e): name for e, name in names.items() if kinds[lexicon.kind(e)] == 1
    }
    return Wording(
        _as_template(fold_space(stretch.goal), {**name_by_kind, **names}),
        tuple(_as_template(text, names) for text in stretch.preconditions),
        tuple(_as_template(text, names) for text in stretch.postconditions),
        by,
    )


def _as_template(text: str, names: dict[str, str]) -> str:
    """Replace entities by parameters and escape the rest."""
    longest = sorted(filter(None, names), key=lambda each: (-len(each), each))
    if not longest:
        return escape(text)
    alternatives = "|".join(re.escape(each) for each in longest)
    parts = re.split(rf"(?<!\w)({alternatives})(?!\w)", text, flags=re.IGNORECASE)
    name_by_text = {each.casefold(): name for each, name in names.items()}
    return "".join(
        "{" + name_by_text[part.casefold()] + "}" if i % 2 else escape(part)
        for i, part in enumerate(parts)
    )


def told_conditions(
    segments: Sequence[Segment], variables: Sequence[int]
) -> tuple[list[str], list[str]]:
    """Return the worded preconditions and postconditions that hold for all segments.

    A condition without a variable of the procedure is left out: it is true of anything.

    Args:
        segments: Segments that a procedure is learned from.
        variables: Indices of its variables.
    """
    variable_names = {variable_name(variable) for variable in variables}
    preconditions = [text for each in segments if each.told for text in each.told.preconditions]
    postconditions = [text for each in segments if each.told for text in each.told.postconditions]
    before = [(each, each.episode.trajectory.obs[each.steps[0]]) for each in segments]
    after = [(each, each.episode.trajectory.obs[each.steps[-1] + 1]) for each in segments]
    return _holding_everywhere(preconditions, before, variable_names), _holding_everywhere(
        postconditions, after, variable_names
    )


def _holding_everywhere(
    texts: Sequence[str], moments: Sequence[tuple[Segment, str]], variable_names: set[str]
) -> list[str]:
    conditions = []
    for text in dict.fromkeys(texts):
        pattern = Pattern.parse(text)
        names = set(pattern.names)
        if (
            names
            and names <= variable_names
            and all(_observed_in(pattern, *moment) for moment in moments)
        ):
            conditions.append(f"observed({quoted(text)})")
    return conditions


def _observed_in(pattern: Pattern, segment: Segment, observation: str) -> bool:
    values = {variable_name(i): entity for i, entity in enumerate(segment.variables)}
    if not set(pattern.names) <= values.keys():
        return False
    matcher = pattern.bind(values)
    return any(matcher.matches(normalise(sentence)) for sentence in sentences(observation))
