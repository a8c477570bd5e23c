"""Learn from trajectories: text in, documents and evidence out.

Trajectories → lexicon → cores → segments → drafts (one per final frame) → merged duplicates →
plans → documents of procedures, metas and the ontology, and rows of evidence. The module is pure:
it touches no disk, and the same input gives the same output.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..common.errors import TrajectoryError
from ..episodes.trajectories import Trajectory
from ..words.lexicon import Lexicon
from ..words.word_clusters import K_VOCAB, THETA_SIM, word_clusters
from .abstraction import FrameOutcomes, frame_outcomes, procedure_document, slug
from .analysis import (
    Episode,
    SupportStatistics,
    add_preparations,
    analyse,
    read,
    support_statistics,
)
from .cuts import Cut, Mark, recut
from .draft_merging import (
    THETA_DUP,
    Similarity,
    duplicate_frames,
    merge_duplicates,
)
from .drafts import Draft, draft_procedure
from .effects import ACTS, MOVES, frame_effects, showing_frames
from .enabling import closed_positions, enabling_links, usual_places
from .entities import learn_lexicon
from .exploration_cues import (
    explored_things,
    heading_pattern,
    reverse_moves,
)
from .failed_steps import failure_signatures, without_failed_steps
from .goal_templates import merge_goals
from .goal_words import learn_goal_words
from .guards import variable_name
from .guided import (
    GuidedPlan,
    acting_share,
    extend_core,
    guided_plan,
    leave_out_ways,
    misses_shared_steps,
    skeleton,
)
from .idle import idle_frames, scattered_frames, without_frames
from .instructions import canonical_frames, learn_instructions
from .meta_documents import guided_document, meta_document
from .name_contexts import learn_names
from .needs import deed, learn_needs
from .ontology_document import WorldModel, ontology_document, operator_names, word_counts
from .plans import Plan, learn_plans
from .provenance import OWN_PLAY
from .search_counts import SearchCount, search_counts
from .segments import SEGMENTED_BY, Segment, closing_frames, group_by_key, segment

_OWN_WAY = 0.6
"""Share of acting steps that a goal's cores must explain, or its plan follows instructions."""
_NEW_GOALS = 0.5
"""Share of episodes with rare goals from which these goals share one plan that follows a text:
whole sentences teach no plan then. Episodes whose plans follow a text are not counted."""
_MANY_GOALS = 10
"""Least number of episodes with rare goals for that rule; fewer may be rare by chance."""
_LONGEST_GOAL = 2000
"""Characters; the most that a file holds."""
_LEAST_CLUSTER = 3
"""Episodes; goals with fewer are rare and are examined together."""


@dataclass(slots=True)
class Learned:
    """The result of learning: documents and evidence.

    Attributes:
        procedures: Documents of procedure files by id.
        metas: Documents of meta-procedure files by id.
        ontology: Document of ``ontology.yaml``.
        procedure_counts: Procedure id → (successes, failures) seen in the trajectories.
        meta_counts: Meta id → (successes, failures).
        kind_counts: (procedure id, parameter, kind) → times it was used so.
        search: Search statistics.
        likeness: Words that were put together → the least similarity of two of them.
        lexicon: Entities and frames.
        episodes: How many episodes were learned from.
        demonstrations: Goal → its episodes that were cut into segments, for a chat model that may
            cut one instead; episodes that follow instructions are not among them.
    """

    procedures: dict[str, dict[str, Any]] = field(default_factory=dict)
    metas: dict[str, dict[str, Any]] = field(default_factory=dict)
    ontology: dict[str, Any] = field(default_factory=dict)
    procedure_counts: dict[str, tuple[float, float]] = field(default_factory=dict)
    meta_counts: dict[str, tuple[float, float]] = field(default_factory=dict)
    kind_counts: dict[tuple[str, str, str], float] = field(default_factory=dict)
    search: list[SearchCount] = field(default_factory=list)
    likeness: dict[tuple[str, ...], float] = field(default_factory=dict)
    lexicon: Lexicon | None = None
    episodes: int = 0
    demonstrations: dict[str, list[Trajectory]] = field(default_factory=dict)


def learn(
    trajectories: Sequence[Trajectory],
    similarity: Similarity | None = None,
    theta_dup: float = THETA_DUP,
    theta_sim: float = THETA_SIM,
    k_vocab: int = K_VOCAB,
    without: Container[str] = (),
    cuts: Mapping[str, Cut | tuple[Mark, ...]] | None = None,
) -> Learned:
    """Learn procedures, plans and evidence from trajectories.

    Args:
        trajectories: Episodes of one world. Procedures come from the successful ones; failed
            ones add search counts.
        similarity: Similarity of two texts in [-1, 1]; without it duplicates are not merged and
            no clusters of words are found.
        theta_dup: Similarity from which two procedures with the same effect are one.
        theta_sim: Similarity that all words of a cluster have to each other.
        k_vocab: Most frequent words that are looked at for clusters.
        without: Parts left out, for ablation: ``guards`` (steps have none), ``idle`` (neither
            failed nor idle steps are removed), ``meta`` (no plans).
        cuts: Goal → another's cut of its episodes; see :mod:`.cuts`.

    Returns:
        Documents and evidence; see :class:`Learned`.

    Raises:
        TrajectoryError: If there is no successful trajectory with at least one action.
    """
    lexicon, episodes, failed, failures = _read_all(trajectories, tell_idle="idle" not in without)
    support = _analyse_all(episodes, lexicon)
    names = learn_names([episode.trajectory for episode in episodes], lexicon)
    world = WorldModel(effects=frame_effects(episodes), names=names, failures=failures)
    guided, plans = _guide(episodes, support, lexicon, world)
    segmented = _segment_all(episodes, guided, support, world, plans)
    demonstrations = _demonstrations(episodes, guided)
    if cuts:
        segmented = recut(segmented, guided, cuts, lexicon)
    groups = group_by_key(s for _, segments in segmented for s in segments)
    outcomes = frame_outcomes(episodes, lexicon)
    revealing = showing_frames(episodes)
    guarded = "guards" not in without
    drafts = {
        key: draft_procedure(group[0].final, group, lexicon, revealing=revealing, guarded=guarded)
        for key, group in groups.items()
    }
    if similarity is not None:
        same = duplicate_frames(groups, outcomes, similarity, theta_dup)
        drafts = merge_duplicates(drafts, same)
        _rename(segmented, plans, same)
        world.clusters = word_clusters(
            word_counts(episodes, lexicon), similarity, most=k_vocab, threshold=theta_sim
        )
    unguided = [item for item in segmented if id(item[0]) not in guided]
    plans = [*learn_plans(unguided, drafts, lexicon), *plans]
    drafts = _without_idle(drafts, plans)
    if "meta" in without:
        plans = []
    learned = _documents(lexicon, episodes, failed, drafts, plans, world, outcomes)
    learned.demonstrations = demonstrations
    if similarity is not None:
        for words in world.clusters:
            pairs = itertools.combinations(words, 2)
            learned.likeness[words] = min(similarity(*pair) for pair in pairs)
    return learned


def _without_idle(drafts: dict[str, Draft], plans: Sequence[Plan | GuidedPlan]) -> dict[str, Draft]:
    """Leave out what own play alone shows and no plan runs: it was done in vain.

    What was last done to a thing before another act is then nothing that the act needs.
    """
    if any(isinstance(plan, GuidedPlan) for plan in plans):
        return drafts  # a text may call for it
    run = {key for plan in plans if isinstance(plan, Plan) for key in plan.shape}
    idle = {key for key in drafts.keys() - run if drafts[key].is_played}
    deeds = {deed(drafts[key], v) for key in idle for v in range(drafts[key].arity)}
    kept = {key: draft for key, draft in drafts.items() if key not in idle}
    for draft in kept.values():
        for counts in draft.earlier.values():
            for text in deeds.intersection(counts):
                del counts[text]
    return kept


def _demonstrations(
    episodes: Sequence[Episode], guided: Container[int]
) -> dict[str, list[Trajectory]]:
    """Return the demonstrations of each goal, without those that follow instructions."""
    trajectories_by_goal: dict[str, list[Trajectory]] = defaultdict(list)
    for episode in episodes:
        if id(episode) not in guided and episode.trajectory.source != OWN_PLAY:
            trajectories_by_goal[episode.goal].append(episode.trajectory)
    return dict(trajectories_by_goal)


def _analyse_all(episodes: list[Episode], lexicon: Lexicon) -> SupportStatistics:
    """Find the core of each episode; return the support statistics."""
    merge_goals(episodes)
    support = support_statistics(episodes)
    for episode in episodes:
        analyse(episode, support, lexicon)
    return support


def _segment_all(
    episodes: list[Episode],
    guided: Container[int],
    support: SupportStatistics,
    world: WorldModel,
    plans: Sequence[Plan | GuidedPlan],
) -> list[tuple[Episode, list[Segment]]]:
    """Cut the episodes into segments; those of unguided episodes hold their preparations."""
    unguided = [episode for episode in episodes if id(episode) not in guided]
    acting = {frame for frame, effect in world.effects.items() if effect == ACTS}
    add_preparations(unguided, support, acting)
    closing = _closing(episodes, world, plans)
    return [(episode, segment(episode, closing)) for episode in episodes]


def _rename(
    segmented: list[tuple[Episode, list[Segment]]],
    plans: Sequence[Plan | GuidedPlan],
    same: Mapping[str, str],
) -> None:
    """Rename duplicates in segments and plans to the procedures they were merged into."""
    for _, segments in segmented:
        for each in segments:
            if each.told is None:
                each.final = same.get(each.final, each.final)
    for plan in plans:
        if isinstance(plan, GuidedPlan):
            plan.rename(same)


def successes(trajectories: Sequence[Trajectory]) -> list[Trajectory]:
    """Return the trajectories that something can be learned from.

    Raises:
        TrajectoryError: There is none.
    """
    useful = [each for each in trajectories if each.success and each.acts]
    if not useful:
        raise TrajectoryError(
            f"nothing to learn from: none of {len(trajectories)} trajectories is a success "
            "with at least one action (check the field 'success')"
        )
    return useful


def _read_all(
    trajectories: Sequence[Trajectory], *, tell_idle: bool
) -> tuple[Lexicon, list[Episode], list[Episode], tuple[str, ...]]:
    """Return lexicon, successes, failures and failure signatures.

    Failed and idle steps are left out of the episodes.
    """
    useful = successes(trajectories)
    signatures = failure_signatures(useful) if tell_idle else ()
    useful = [t for t in (without_failed_steps(each, signatures) for each in useful) if t.acts]
    lexicon = learn_lexicon(useful)
    episodes = [read(trajectory, lexicon) for trajectory in useful]
    failed = [
        read(without_failed_steps(t, signatures), lexicon)
        for t in trajectories
        if t.acts and not t.success
    ]
    idle = idle_frames(episodes) if tell_idle else frozenset()
    if idle:
        episodes = [read(without_frames(episode, idle), lexicon) for episode in episodes]
        failed = [read(without_frames(episode, idle), lexicon) for episode in failed]
    return lexicon, episodes, failed, signatures


def _closing(
    episodes: Sequence[Episode], world: WorldModel, plans: Sequence[Plan | GuidedPlan]
) -> set[str]:
    """Return the frames that end a segment."""
    closing = closing_frames(episodes)
    guided = [plan for plan in plans if isinstance(plan, GuidedPlan)]
    if guided or MOVES in world.effects.values():
        # Instructions call for single actions, and in a world of places moves come between any
        # two. So each acting frame is a procedure of its own.
        closing.update(frame for frame, effect in world.effects.items() if effect == ACTS)
    if guided:
        closing.update(item[0] for plan in guided for item in plan.items if isinstance(item, tuple))
        closing.update(world.instructions.frames)
    return closing


def _guide(
    episodes: Sequence[Episode],
    support: SupportStatistics,
    lexicon: Lexicon,
    world: WorldModel,
) -> tuple[set[int], list[Plan | GuidedPlan]]:
    """Find the goals whose episodes follow instructions; learn to read those.

    Return the identities of their episodes, and their plans. Extend their cores in place.
    """
    canonical = canonical_frames(episodes)
    moving = MOVES in world.effects.values()
    if moving:
        _survey(episodes, canonical, world)
    episodes_by_goal: dict[str, list[Episode]] = defaultdict(list)
    for episode in episodes:
        episodes_by_goal[episode.goal].append(episode)
    scattered = scattered_frames(episodes, world.effects)
    rare: list[Episode] = []
    following: dict[str | None, list[Episode]] = {}
    for goal, members in episodes_by_goal.items():
        if misses_shared_steps(members, world.effects, scattered):
            following[goal] = members
        elif len(members) < _LEAST_CLUSTER and not lexicon.numbered:
            rare.extend(members)
    others = len(episodes) - sum(map(len, following.values()))
    seldom_told_twice = len(rare) >= max(_MANY_GOALS, _NEW_GOALS * others)
    if acting_share(rare, world.effects) >= _OWN_WAY and not seldom_told_twice:
        rare = []
    if rare:
        following[None] = rare
    instructed = [episode for members in following.values() for episode in members]
    if instructed:
        world.instructions = learn_instructions(instructed, lexicon)
    if not world.instructions.rules:
        for episode in episodes:
            leave_out_ways(episode, world.effects)
        return set(), []
    if not moving:
        _survey(episodes, canonical, world)
    plans: list[Plan | GuidedPlan] = []
    for name, members in following.items():
        shared = skeleton(members, world.effects)
        for episode in members:
            extend_core(episode, shared, world.instructions, canonical, support, world.effects)
        # A plan follows the sources that its own demonstrations followed.
        instructions = (
            world.instructions if len(following) == 1 else learn_instructions(members, lexicon)
        )
        sources = {rule.source for rule in instructions.rules}
        rules = [rule for rule in world.instructions.rules if rule.source in sources or not sources]
        followed = replace(world.instructions, rules=rules)
        plans.append(guided_plan(name, members, shared, followed, canonical))
    guided = {id(episode) for episode in instructed}
    for episode in episodes:
        if id(episode) not in guided:
            leave_out_ways(episode, world.effects)
    return guided, plans


def _survey(episodes: Sequence[Episode], canonical: Mapping[str, str], world: WorldModel) -> None:
    """Learn what moves and exploring need: links, places, things, reverse moves, headings."""
    world.needs = enabling_links(episodes, canonical)
    world.places = usual_places(episodes, world.effects)
    world.things = explored_things(episodes, world.effects)
    world.heading = heading_pattern(episodes, world.effects)
    world.reverse = reverse_moves(episodes, world.effects)
    world.closed = closed_positions(episodes, world.effects)


def _documents(
    lexicon: Lexicon,
    episodes: Sequence[Episode],
    failed: Sequence[Episode],
    drafts: dict[str, Draft],
    plans: Sequence[Plan | GuidedPlan],
    world: WorldModel,
    outcomes: FrameOutcomes,
) -> Learned:
    learned = Learned(lexicon=lexicon, episodes=len(episodes))
    identifiers: dict[str, str] = {}
    needs = learn_needs(drafts)
    planned = {slug(plan.goal or "any task") for plan in plans}  # a plan keeps its name
    for key, draft in drafts.items():
        if draft.told is None:
            identifier = slug(draft.final, identifiers.values())
        else:
            identifier = slug(draft.told.goal, {*identifiers.values(), *planned})
        identifiers[key] = identifier
        learned.procedures[identifier] = procedure_document(draft, identifier, outcomes, needs[key])
        demonstrated_segments = [
            s for s in draft.segments if s.episode.trajectory.source != OWN_PLAY
        ]
        learned.procedure_counts[identifier] = (float(len(demonstrated_segments)), 0.0)
        for variable in draft.variables:
            for kind, count in sorted(draft.kinds[variable].items()):
                learned.kind_counts[identifier, variable_name(variable), kind] = float(count)
    operators = operator_names(lexicon, episodes)
    for plan in plans:
        if len(plan.goal or "") > _LONGEST_GOAL:
            continue
        identifier = slug(plan.goal or "any task", {*learned.procedures, *learned.metas})
        if isinstance(plan, GuidedPlan):
            document = guided_document(plan, identifier, drafts, identifiers, operators)
            counts = (float(plan.support), 0.0)
        else:
            document = meta_document(plan, identifier, drafts, identifiers)
            wordings = [drafts[key].told for key in plan.shape]
            if makers := {each.by for each in wordings if each is not None}:
                document["provenance"][SEGMENTED_BY] = ", ".join(sorted(makers))
            counts = (float(plan.support), float(plan.others))
        if document["plan"]:
            learned.metas[identifier] = document
            learned.meta_counts[identifier] = counts
    learned.ontology = ontology_document(lexicon, episodes, outcomes, world)
    if goals := learn_goal_words(episodes, learned.metas, lexicon).to_document():
        learned.ontology["goals"] = goals
    # Search counts are as true in a failure.
    demonstrated_episodes = [e for e in (*episodes, *failed) if e.trajectory.source != OWN_PLAY]
    learned.search = search_counts(demonstrated_episodes, drafts, lexicon)
    return learned
