"""Plans that follow instructions: a fixed skeleton with places where a text says what to do.

The core steps of a goal may differ from episode to episode. Its demonstrations still share a
skeleton: steps that nearly all of them have. The observation after one of those steps, or the task
itself, calls for the rest.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..words.lexicon import ParsedAction
from .actions import readings
from .analysis import Episode, SupportStatistics, close_core
from .effects import ACTS, MOVES
from .instructions import TASK, Instructions
from .provenance import OWN_PLAY

_SHARED = 0.85
"""Share of a goal's demonstrations that must have a step of the skeleton."""
_LEAST_EPISODES = 3
"""Episodes; fewer show no skeleton."""
_MANY_EPISODES = 10
"""Episodes; fewer share steps by chance, so a step outside the cores proves nothing."""


@dataclass(slots=True)
class GuidedPlan:
    """A skeleton with places where instructions are followed.

    Attributes:
        goal: Task template, or None for a plan that serves any task.
        items: In order: a frame with fixed arguments, or a source of instructions (as text).
        support: Demonstrations it was learned from.
        played: Episodes of own play it was learned from.
    """

    goal: str | None
    items: list[ParsedAction | str] = field(default_factory=list)
    support: int = 0
    played: int = 0

    def rename(self, same: Mapping[str, str]) -> None:
        """Replace frames of duplicates by the frame that stays."""
        self.items = [
            item if isinstance(item, str) else (same.get(item[0], item[0]), item[1])
            for item in self.items
        ]


def acting_share(episodes: Sequence[Episode], effects: Mapping[str, str]) -> float:
    """Return the share of acting steps that are in the episodes' cores, in [0, 1]."""
    acting_count = explained_count = 0
    for episode in episodes:
        for t, (frame, _) in enumerate(episode.actions):
            if effects.get(frame) == ACTS:
                acting_count += 1
                explained_count += t in episode.core
    return explained_count / acting_count if acting_count else 1.0


def misses_shared_steps(
    episodes: Sequence[Episode], effects: Mapping[str, str], scattered: Container[str]
) -> bool:
    """Tell whether the cores leave out an action that nearly all these episodes have.

    Then support links alone do not show what mattered. Few episodes prove nothing: they share
    steps by chance. A step that moves or reveals counts only without an argument: reading a notice
    is a step of its own, looking at a place serves another. A ``scattered`` frame (see
    :mod:`.idle`) does not count: nearly all long searches shut some door.
    """
    if len(episodes) < _MANY_EPISODES:
        return False
    for action in skeleton(episodes, effects):
        if (effects.get(action[0]) != ACTS and action[1]) or action[0] in scattered:
            continue
        episodes_with_action = [episode for episode in episodes if action in episode.actions]
        core_count = sum(any(e.actions[t] == action for t in e.core) for e in episodes_with_action)
        if core_count < 0.5 * len(episodes_with_action):
            return True
    return False


def skeleton(episodes: Sequence[Episode], effects: Mapping[str, str]) -> list[ParsedAction]:
    """Return the steps that nearly all episodes share, in their mean order."""
    total = len(episodes)
    if total < _LEAST_EPISODES:
        return []
    count_by_action: Counter[ParsedAction] = Counter()
    position_sum_by_action: dict[ParsedAction, float] = defaultdict(float)
    for episode in episodes:
        first_step_by_action: dict[ParsedAction, int] = {}
        for t, action in enumerate(episode.actions):
            first_step_by_action.setdefault(action, t)
        for action, t in first_step_by_action.items():
            count_by_action[action] += 1
            position_sum_by_action[action] += t / len(episode.actions)
    shared = [
        action
        for action, n in count_by_action.items()
        if n >= _SHARED * total and effects.get(action[0]) != MOVES
    ]
    return sorted(
        shared,
        key=lambda action: (position_sum_by_action[action] / count_by_action[action], action),
    )


def extend_core(
    episode: Episode,
    shared: Iterable[ParsedAction],
    instructions: Instructions,
    canonical: Mapping[str, str],
    support: SupportStatistics,
    effects: Mapping[str, str],
) -> None:
    """Add skeleton and instructed steps to an episode's core, with the steps they rest on."""
    shared_actions = set(shared)
    called_for = {rule.action for rule in instructions.rules}
    instructed_steps: set[int] = set()
    for t, action in enumerate(episode.actions):
        frame, arguments = action
        instructed = any(
            reading in called_for
            for p in range(len(arguments))
            for reading in readings(frame, arguments, p, canonical)
        )
        if action in shared_actions or instructed:
            instructed_steps.add(t)
            close_core(episode, t, support)
    # The explorer handles uninstructed moves and revealing steps.
    for t in [t for t in episode.core if effects.get(episode.actions[t][0]) != ACTS]:
        if t not in instructed_steps:
            del episode.core[t]


def leave_out_ways(episode: Episode, effects: Mapping[str, str]) -> None:
    """Remove moves from an episode's core: places differ between episodes, so ways do, too.

    The last step stays even if it moves, since it is the episode's purpose.
    """
    last = len(episode.actions) - 1
    for t in [t for t in episode.core if effects.get(episode.actions[t][0]) == MOVES]:
        if t != last:
            del episode.core[t]


def guided_plan(
    goal: str | None,
    episodes: Sequence[Episode],
    shared: Sequence[ParsedAction],
    instructions: Instructions,
    canonical: Mapping[str, str],
) -> GuidedPlan:
    """Put the skeleton and the sources of instructions into one order."""
    played_count = sum(episode.trajectory.source == OWN_PLAY for episode in episodes)
    plan = GuidedPlan(goal, support=len(episodes) - played_count, played=played_count)
    sources = list(dict.fromkeys(rule.source for rule in instructions.rules))
    if TASK in sources:
        plan.items.append(TASK)
    instructed = {rule.action.frame for rule in instructions.rules}
    for action in shared:
        frame = action[0]
        if canonical.get(frame, frame) in instructed and frame not in sources:
            continue  # an instructed action is not done twice
        plan.items.append(action)
        if frame in sources:
            plan.items.append(frame)
    return plan
