"""Read trajectories as steps with arguments, and find the steps that mattered.

The *core* of an episode is what its outcome rests on. It holds the last step and the last step on
each entity that the task names, closed backwards under support links. A support link leads from
an argument to the latest earlier step that used or revealed it. The rest was search.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field

from ..episodes.trajectories import Trajectory
from ..words.lexicon import Lexicon, ParsedAction

_NEARLY_ALL = 0.85
"""Share of the episodes with one last frame that must have a preparation."""
_LEAST_ALIKE = 5
"""Episodes; fewer share steps by chance."""


@dataclass(frozen=True, slots=True)
class Link:
    """The step that an argument was known from.

    Attributes:
        step: Index of the step that used or revealed it, -1 for the first observation or nowhere.
        how: ``argument``, ``mention``, ``start`` or ``nowhere``.
    """

    step: int
    how: str


@dataclass(slots=True)
class Episode:
    """One trajectory, read with a lexicon.

    Attributes:
        trajectory: The text it was read from.
        actions: Parsed actions, one a step.
        mentions: Entities mentioned by each observation; ``mentions[t + 1]`` follows step ``t``.
        goal: The task with the kinds it names replaced by ``{0}``, ``{1}``, ….
        fillers: Those kinds, in order.
        core: Steps that mattered, with a link for each of their arguments.
        links: (step, argument) → where the argument was known from.
    """

    trajectory: Trajectory
    actions: tuple[ParsedAction, ...]
    mentions: tuple[tuple[str, ...], ...]
    goal: str
    fillers: tuple[str, ...]
    core: dict[int, dict[str, Link]] = field(default_factory=dict)
    links: dict[tuple[int, str], Link] = field(default_factory=dict)

    @property
    def order(self) -> list[int]:
        """Core steps in the order they were done."""
        return sorted(self.core)


SupportStatistics = dict[tuple[str, int], tuple[int, int]]
"""(frame, argument position) → (times the argument had not been met since the start, uses)."""


def read(trajectory: Trajectory, lexicon: Lexicon) -> Episode:
    """Parse one trajectory; its core is still empty."""
    actions = tuple(lexicon.parse(action) for action in trajectory.acts)
    mentions = tuple(lexicon.entities(observation) for observation in trajectory.obs)
    kinds = {lexicon.kind(entity) for entities in mentions for entity in entities}
    kinds.update(lexicon.kind(entity) for _, arguments in actions for entity in arguments)
    goal, fillers = goal_template(lexicon.chunk(trajectory.task), kinds)
    return Episode(trajectory, actions, mentions, goal, fillers)


def goal_template(task: Sequence[str], kinds: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """Replace the kinds that a chunked task names by numbered slots.

    >>> goal_template(("put", "some", "mug", "on", "shelf"), {"mug", "shelf"})
    ('put some {0} on {1}', ('mug', 'shelf'))
    """
    known_kinds = set(kinds)
    fillers = tuple(dict.fromkeys(token for token in task if token in known_kinds))
    slots = {filler: f"{{{i}}}" for i, filler in enumerate(fillers)}
    return " ".join(slots.get(token, token) for token in task), fillers


def support_statistics(episodes: Iterable[Episode]) -> SupportStatistics:
    """Count, for each argument position, how often its argument came from the start alone."""
    counts: dict[tuple[str, int], list[int]] = defaultdict(lambda: [0, 0])
    for episode in episodes:
        mentioned: set[str] = set()
        for (frame, arguments), after in zip(episode.actions, episode.mentions[1:], strict=True):
            for position, argument in enumerate(arguments):
                count = counts[frame, position]
                count[0] += argument not in mentioned
                count[1] += 1
            mentioned.update(arguments)
            mentioned.update(after)
    return {key: (fresh, uses) for key, (fresh, uses) in counts.items()}


def analyse(episode: Episode, support: SupportStatistics, lexicon: Lexicon) -> Episode:
    """Fill in the episode's core, in place, and return it."""
    actions = episode.actions
    if not actions:
        return episode
    episode.links = _links(episode)
    close_core(episode, len(actions) - 1, support)
    last_use: dict[str, tuple[int, str, int]] = {}
    for t, (frame, arguments) in enumerate(actions):
        for position, argument in enumerate(arguments):
            last_use[argument] = (t, frame, position)
    entities_by_filler = [
        [entity for entity in last_use if lexicon.kind(entity) == filler]
        for filler in episode.fillers
    ]
    for entities in entities_by_filler:
        touched = any(e in actions[t][1] for t in episode.core for e in entities)
        if entities and not touched:
            close_core(episode, max(last_use[entity][0] for entity in entities), support)
    for entities in entities_by_filler:
        # Entities of one kind with the same last use matter equally.
        last_uses = {last_use[e][1:] for e in entities if last_use[e][0] in episode.core}
        for entity in entities:
            if last_use[entity][1:] in last_uses:
                close_core(episode, last_use[entity][0], support)
    return episode


def close_core(episode: Episode, step: int, support: SupportStatistics) -> None:
    """Add a step to the core, with all steps that it rests on by support links."""
    pending = [step]
    while pending:
        t = pending.pop()
        if t < 0 or t in episode.core:
            continue
        frame, arguments = episode.actions[t]
        episode.core[t] = {argument: episode.links[t, argument] for argument in arguments}
        for position, argument in enumerate(arguments):
            fresh, uses = support[frame, position]
            # Half, not a tenth: a low bar drops supporting steps on some samples.
            if fresh < 0.5 * uses:
                pending.append(episode.links[t, argument].step)


def add_preparations(
    episodes: Sequence[Episode], support: SupportStatistics, acting: Container[str]
) -> None:
    """Add to the cores what nearly all episodes with one last frame did to the core's entities.

    Support links stop at the latest mention: a kettle that boils has been filled and set on the
    stove before. A step without arguments counts where nearly all have it.

    Args:
        episodes: Analysed episodes; their cores are extended in place.
        support: Tells which arguments rest on earlier steps.
        acting: Frames that act, rather than move or reveal.
    """
    groups: dict[str, list[Episode]] = defaultdict(list)
    for episode in episodes:
        if episode.actions:
            groups[episode.actions[-1][0]].append(episode)
    for group in groups.values():
        if len(group) < _LEAST_ALIKE:
            continue
        roles_by_episode = [_preparations(episode, acting) for episode in group]
        count = Counter(role for roles in roles_by_episode for role in roles)
        usual = {role for role, n in count.items() if n >= _NEARLY_ALL * len(group)}
        for episode, roles in zip(group, roles_by_episode, strict=True):
            for role in sorted(usual & roles.keys()):
                close_core(episode, roles[role], support)


def _preparations(episode: Episode, acting: Container[str]) -> dict[tuple[str, ...], int]:
    """Map each role of a step outside the core to the last step in that role.

    A role is the frame, the position of the shared argument, and the frame and position of its
    next use in the core. A frame that also acts on other entities is search, not preparation.
    """
    elsewhere: set[str] = set()
    uses: dict[str, tuple[str, str]] = {}
    roles: dict[tuple[str, ...], int] = {}
    for t in range(len(episode.actions) - 1, -1, -1):
        frame, arguments = episode.actions[t]
        if t in episode.core:
            uses.update({a: (frame, str(p)) for p, a in enumerate(arguments)})
        elif frame in acting:
            if not arguments:
                roles.setdefault((frame,), t)
            elif uses.keys().isdisjoint(arguments):
                elsewhere.add(frame)
            for position, argument in enumerate(arguments):
                if argument in uses:
                    roles.setdefault((frame, str(position), *uses[argument]), t)
    return {role: t for role, t in roles.items() if role[0] not in elsewhere}


def _links(episode: Episode) -> dict[tuple[int, str], Link]:
    """Map each step and argument to the latest earlier step that used or revealed the argument."""
    latest: dict[str, Link] = {entity: Link(-1, "start") for entity in episode.mentions[0]}
    links: dict[tuple[int, str], Link] = {}
    nowhere = Link(-1, "nowhere")
    for t, (_, arguments) in enumerate(episode.actions):
        for argument in arguments:
            links[t, argument] = latest.get(argument, nowhere)
        mention = Link(t, "mention")
        for entity in episode.mentions[t + 1]:
            latest[entity] = mention
        use = Link(t, "argument")
        for argument in arguments:
            latest[argument] = use
    return links
