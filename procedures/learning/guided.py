"""Plans that follow instructions: a fixed skeleton, and in it what some text says to do.

Where the steps that matter differ from episode to episode, a goal's demonstrations still share a
skeleton (steps that nearly all of them have), and the rest is called for by text that one of those
steps shows, or by the task itself.
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

__all__ = [
    "GuidedPlan",
    "acting_share",
    "extend_core",
    "guided_plan",
    "leave_out_ways",
    "misses_shared_steps",
    "skeleton",
]

_SHARED = 0.85
"""Share of a goal's demonstrations that must have a step of the skeleton."""
_LEAST_EPISODES = 3
_MANY_EPISODES = 10


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
        """Name frames that were found to be duplicates by the frame that stays."""
        self.items = [
            item if isinstance(item, str) else (same.get(item[0], item[0]), item[1])
            for item in self.items
        ]


def acting_share(episodes: Sequence[Episode], effects: Mapping[str, str]) -> float:
    """Share of acting steps that the cores of these episodes explain, in [0, 1]."""
    acting = explained = 0
    for episode in episodes:
        for t, (frame, _) in enumerate(episode.actions):
            if effects.get(frame) == ACTS:
                acting += 1
                explained += t in episode.core
    return explained / acting if acting else 1.0


def misses_shared_steps(
    episodes: Sequence[Episode], effects: Mapping[str, str], scattered: Container[str] = ()
) -> bool:
    """Tell whether the cores leave out an action that nearly all these episodes have.

    Then support links alone do not show what mattered. Few episodes prove nothing: they share
    steps by chance. What moves or reveals counts only where it takes no argument: reading a
    notice is a step of its own, looking at a place serves another. Nor does what is done as often
    as chance has it (``scattered``, see :mod:`.idle`): a door that is shut behind one while
    searching is shut in nearly all long searches.
    """
    if len(episodes) < _MANY_EPISODES:
        return False
    for action in skeleton(episodes, effects):
        if (effects.get(action[0]) != ACTS and action[1]) or action[0] in scattered:
            continue
        having = [episode for episode in episodes if action in episode.actions]
        inside = sum(any(e.actions[t] == action for t in e.core) for e in having)
        if inside < 0.5 * len(having):
            return True
    return False


def skeleton(episodes: Sequence[Episode], effects: Mapping[str, str]) -> list[ParsedAction]:
    """Return the steps that nearly all episodes share, in their mean order."""
    total = len(episodes)
    if total < _LEAST_EPISODES:
        return []
    count: Counter[ParsedAction] = Counter()
    position: dict[ParsedAction, float] = defaultdict(float)
    for episode in episodes:
        first: dict[ParsedAction, int] = {}
        for t, action in enumerate(episode.actions):
            first.setdefault(action, t)
        for action, t in first.items():
            count[action] += 1
            position[action] += t / len(episode.actions)
    shared = [
        action
        for action, n in count.items()
        if n >= _SHARED * total and effects.get(action[0]) != MOVES
    ]
    return sorted(shared, key=lambda action: (position[action] / count[action], action))


def extend_core(
    episode: Episode,
    shared: Iterable[ParsedAction],
    instructions: Instructions,
    canonical: Mapping[str, str],
    support: SupportStatistics,
    effects: Mapping[str, str],
) -> None:
    """Add the skeleton's and the instructed steps to an episode's core, with what they rest on."""
    wanted = set(shared)
    called_for = {rule.action for rule in instructions.rules}
    told: set[int] = set()
    for t, action in enumerate(episode.actions):
        frame, arguments = action
        instructed = any(
            reading in called_for
            for p in range(len(arguments))
            for reading in readings(frame, arguments, p, canonical)
        )
        if action in wanted or instructed:
            told.add(t)
            close_core(episode, t, support)
    # Getting somewhere and uncovering things untold is the explorer's business.
    for t in [t for t in episode.core if effects.get(episode.actions[t][0]) != ACTS]:
        if t not in told:
            del episode.core[t]


def leave_out_ways(episode: Episode, effects: Mapping[str, str]) -> None:
    """Leave what only moves out of an episode's core: where things are differs, so must the way.

    What an episode ends with is what it was for, even if it moves.
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
    own = sum(episode.trajectory.source == OWN_PLAY for episode in episodes)
    plan = GuidedPlan(goal, support=len(episodes) - own, played=own)
    sources = list(dict.fromkeys(rule.source for rule in instructions.rules))
    if TASK in sources:
        plan.items.append(TASK)
    instructed = {rule.action.frame for rule in instructions.rules}
    for action in shared:
        frame = action[0]
        if canonical.get(frame, frame) in instructed and frame not in sources:
            continue  # what the instructions call for is not done twice
        plan.items.append(action)
        if frame in sources:
            plan.items.append(frame)
    return plan
