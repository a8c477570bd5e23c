"""The whole of learning from trajectories: text in, documents and evidence out.

Trajectories → lexicon → cores → segments → drafts (one a final frame) → merged duplicates →
plans → documents of procedures, metas and the ontology, and rows of evidence. Pure: nothing is
read from or written to disk here, and the same input gives the same output.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import TrajectoryError
from ..lexicon import Lexicon
from ..trajectories import Trajectory
from .abstraction import FrameOutcomes, frame_outcomes, procedure_document, slug
from .analysis import Episode, analyse, read, support_statistics
from .drafts import Draft, draft_procedure
from .entities import learn_lexicon
from .guards import variable_name
from .meta_documents import meta_document
from .ontology_document import ontology_document
from .plans import Plan, learn_plans
from .search import SearchCount, search_counts
from .segments import closing_frames, group_by_final, segment

__all__ = ["Learned", "learn"]


@dataclass(slots=True)
class Learned:
    """What a set of trajectories taught.

    Attributes:
        procedures: Documents of procedure files by id.
        metas: Documents of meta-procedure files by id.
        ontology: Document of ``ontology.yaml``.
        procedure_counts: Procedure id → (successes, failures) seen in the trajectories.
        meta_counts: Meta id → (successes, failures).
        kind_counts: (procedure id, parameter, kind) → times it was used so.
        search: Search statistics.
        lexicon: Entities and frames.
        episodes: How many episodes were learned from.
    """

    procedures: dict[str, dict[str, Any]] = field(default_factory=dict)
    metas: dict[str, dict[str, Any]] = field(default_factory=dict)
    ontology: dict[str, Any] = field(default_factory=dict)
    procedure_counts: dict[str, tuple[float, float]] = field(default_factory=dict)
    meta_counts: dict[str, tuple[float, float]] = field(default_factory=dict)
    kind_counts: dict[tuple[str, str, str], float] = field(default_factory=dict)
    search: list[SearchCount] = field(default_factory=list)
    lexicon: Lexicon | None = None
    episodes: int = 0


def learn(trajectories: Sequence[Trajectory]) -> Learned:
    """Learn procedures, plans and evidence from trajectories.

    Args:
        trajectories: Episodes of one world. Procedures come from the successful ones.

    Returns:
        Documents and evidence; see :class:`Learned`.

    Raises:
        TrajectoryError: If there is no successful trajectory with at least one action.
    """
    useful = [t for t in trajectories if t.success and t.acts]
    if not useful:
        raise TrajectoryError(
            f"nothing to learn from: none of {len(trajectories)} trajectories is a success "
            "with at least one action (check the field 'success')"
        )
    lexicon = learn_lexicon(useful)
    episodes = [read(trajectory, lexicon) for trajectory in useful]
    support = support_statistics(episodes)
    for episode in episodes:
        analyse(episode, support, lexicon)
    closing = closing_frames(episodes)
    segmented = [(episode, segment(episode, closing)) for episode in episodes]
    groups = group_by_final(s for _, segments in segmented for s in segments)
    drafts = {final: draft_procedure(final, group, lexicon) for final, group in groups.items()}
    outcomes = frame_outcomes(episodes, lexicon)
    plans = learn_plans(segmented, drafts, lexicon)
    return _documents(lexicon, episodes, drafts, plans, outcomes)


def _documents(
    lexicon: Lexicon,
    episodes: Sequence[Episode],
    drafts: dict[str, Draft],
    plans: Sequence[Plan],
    outcomes: FrameOutcomes,
) -> Learned:
    learned = Learned(lexicon=lexicon, episodes=len(episodes))
    identifiers: dict[str, str] = {}
    for final, draft in drafts.items():
        identifier = slug(final, identifiers.values())
        identifiers[final] = identifier
        learned.procedures[identifier] = procedure_document(draft, identifier, outcomes)
        learned.procedure_counts[identifier] = (float(len(draft.segments)), 0.0)
        for variable in draft.variables:
            for kind, count in sorted(draft.kinds[variable].items()):
                learned.kind_counts[identifier, variable_name(variable), kind] = float(count)
    for plan in plans:
        taken = {*learned.procedures, *learned.metas}
        identifier = slug(plan.goal, taken)
        learned.metas[identifier] = meta_document(plan, identifier, drafts, identifiers)
        learned.meta_counts[identifier] = (float(plan.support), float(plan.others))
    learned.ontology = ontology_document(lexicon, episodes, outcomes)
    learned.search = search_counts(episodes, drafts, lexicon)
    return learned
