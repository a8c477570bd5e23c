"""Cut the core of an episode into segments, one for each thing that was achieved.

A segment ends where the next core step shares no entity with its last step, and after frames that
usually precede such a break.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from .analysis import Episode

SEGMENTED_BY = "segmented_by"
"""Key of the provenance that names who cut the segments, where the learner did not."""


@dataclass(frozen=True, slots=True)
class Wording:
    """Another's wording of a segment: patterns over its variables ``{x}``, ``{y}``, ….

    Attributes:
        goal: What it achieves.
        preconditions: Sentences observed before it.
        postconditions: Sentences observed after it.
        by: Name of the cutter.
    """

    goal: str
    preconditions: tuple[str, ...]
    postconditions: tuple[str, ...]
    by: str


@dataclass(slots=True)
class Segment:
    """Consecutive core steps that achieve one thing.

    Attributes:
        episode: Episode that it was cut from.
        steps: Indices into the episode's actions, ascending.
        variables: Its entities: arguments of the last step first.
        final: Frame of the last step: what the segment achieves.
        told: Another's wording of it; None where the learner cut it.
        signatures: Filled while abstracting: (frame, variable indices) → step index.
    """

    episode: Episode
    steps: tuple[int, ...]
    variables: list[str]
    final: str
    told: Wording | None = None
    signatures: dict[tuple[str, tuple[int, ...]], int] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Key of the segments of one procedure: the final frame, and the worded goal if any."""
        return self.final if self.told is None else f"{self.final}\n{self.told.goal}"

    @property
    def end(self) -> int:
        """Index of the step that any step that was left out would have come before."""
        return self.steps[-1]

    def __post_init__(self) -> None:
        """Note which variables each step uses."""
        index = {entity: i for i, entity in enumerate(self.variables)}
        for step in self.steps:
            frame, arguments = self.episode.actions[step]
            self.signatures.setdefault((frame, tuple(index[a] for a in arguments)), step)


@dataclass(slots=True)
class Look(Segment):
    """A look in vain: steps on one place, its last variable, that showed nothing of use."""

    @property
    def carrier(self) -> int:
        """Index of the variable that is the place."""
        return len(self.variables) - 1

    @property
    def end(self) -> int:
        """Index of the step after the look."""
        return self.steps[-1] + 1


def _shares_entity(episode: Episode, earlier: int, later: int) -> bool:
    if episode.actions[earlier] == episode.actions[later]:
        return True  # a repetition
    near_entities = set(episode.actions[earlier][1]).union(episode.mentions[earlier + 1])
    return not near_entities.isdisjoint(episode.actions[later][1])


def closing_frames(episodes: Iterable[Episode]) -> set[str]:
    """Return the frames followed by a break in at least half of their uses."""
    counts_by_frame: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for episode in episodes:
        order = episode.order
        for i, j in pairwise(order):
            count = counts_by_frame[episode.actions[i][0]]
            count[0] += not _shares_entity(episode, i, j)
            count[1] += 1
        if order:
            count = counts_by_frame[episode.actions[order[-1]][0]]
            count[0] += 1
            count[1] += 1
    return {frame for frame, (breaks, uses) in counts_by_frame.items() if breaks >= 0.5 * uses}


def segment(episode: Episode, closing: set[str]) -> list[Segment]:
    """Cut one analysed episode into segments, in order."""
    segments: list[Segment] = []
    current: list[int] = []
    order = episode.order
    for i, step in enumerate(order):
        current.append(step)
        following = order[i + 1] if i + 1 < len(order) else None
        if (
            following is None
            or (
                episode.actions[step][0] in closing
                and episode.actions[step] != episode.actions[following]
            )
            or not _shares_entity(episode, step, following)
        ):
            segments.append(cut_segment(episode, current))
            current = []
    return segments


def cut_segment(episode: Episode, steps: Sequence[int], wording: Wording | None = None) -> Segment:
    """Return some core steps of an episode as a segment."""
    final = steps[-1]
    entities = [*episode.actions[final][1]]
    for step in reversed(steps):
        entities.extend(episode.actions[step][1])
    variables = list(dict.fromkeys(entities))
    return Segment(episode, tuple(steps), variables, episode.actions[final][0], wording)


def last_look(
    segment: Segment, carrier: int, frames: Container[str], revealing: Container[str]
) -> Look | None:
    """Return the last look in vain at another place before a segment that found a thing at one.

    The looks of one search are alike, so that one is enough.

    Args:
        segment: The segment.
        carrier: Index of the variable that is the place.
        frames: Frames that looks at such places begin with.
        revealing: Frames that show something. A look ends with the last of these.
    """
    actions = segment.episode.actions
    before = range(segment.steps[0] - 1, -1, -1)
    for arguments, run in groupby(before, key=lambda step: actions[step][1]):
        steps = tuple(run)[::-1]
        shows = [step for step in steps if actions[step][0] in revealing]
        if len(arguments) != 1 or arguments[0] in segment.variables or not shows:
            continue
        if actions[steps[0]][0] in frames:
            unbound = [f"{{{variable}}}" for variable in range(carrier)]
            steps = steps[: steps.index(shows[-1]) + 1]
            return Look(segment.episode, steps, [*unbound, *arguments], actions[shows[-1]][0])
    return None


def group_by_key(segments: Iterable[Segment]) -> dict[str, list[Segment]]:
    """Group segments by what they achieve, most frequent first, ties by name."""
    groups: dict[str, list[Segment]] = defaultdict(list)
    for item in segments:
        groups[item.key].append(item)
    size_by_key = Counter({key: len(items) for key, items in groups.items()})
    return {key: groups[key] for key, _ in sorted(size_by_key.items(), key=lambda x: (-x[1], x[0]))}
