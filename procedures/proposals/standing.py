"""What was learned again, beside what stands: nothing goes for less than evidence of its own.

A version takes the place of what stands if no replayed episode favours what stands, so that nothing
is lost, or if it does credibly more of them right, by the anytime Bayes factor that refinement asks
(:mod:`.refinement.bayes_factors`). Else both stay: what was learned gets an id of its own, and so
does each plan that runs it. What the episodes do not teach any more goes only where each episode
that shows it shows something that was learned.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..common.errors import LibraryError, Skip
from ..episodes.trajectories import Trajectory
from ..learning.abstraction import slug
from ..learning.id_renaming import renamed
from ..learning.learner import Learned
from ..learning.quarantine import log_skipped
from ..learning.store_learned import Planned, by_people, planned
from ..library.library import Library
from ..library.library_changes import settled
from ..model.procedure import MetaProcedure, Procedure
from .proposal import Replay, make_proposal
from .replay import Replayer
from .support import credibly_better

Item: TypeAlias = Procedure | MetaProcedure


@dataclass(frozen=True, slots=True)
class Standing:
    """The contents that a library would have, and what stays although learning found another.

    Attributes:
        plan: What it would hold.
        beside: Id of what stays → id of what was learned, which stands beside it; the same id where
            what was learned does nothing that what stands does not, and is left out.
        replays: Of the same ids, what the episodes say; of plans that only run something else
            nothing.
        shown_before: Ids of what stays because nothing that was learned does it.
    """

    plan: Planned
    beside: Mapping[str, str]
    replays: Mapping[str, Replay]
    shown_before: frozenset[str] = frozenset()

    @property
    def staying(self) -> frozenset[str]:
        """Ids of all that stays."""
        return self.shown_before.union(self.beside)

    def told(self) -> Iterator[str]:
        """Yield what stays and why, for people."""
        for old, new in sorted(self.beside.items()):
            name = f"; what is learned now is {new}" if new != old else ""
            replay = self.replays.get(old)
            why = "what runs it would do something else"
            if replay is not None and replay.losses:
                why = (
                    f"of {replay.trials} episodes {replay.losses} favour it and {replay.wins} what "
                    "is learned now, which is too little to tell"
                )
            yield f"{old} stays as it is{name}: {why}"
        if self.shown_before:
            names = ", ".join(sorted(self.shown_before))
            yield f"nothing that is learned now does what these do, so they stay: {names}"


def plan_beside(
    library: Library,
    learned: Learned,
    episodes: Sequence[Trajectory],
    *,
    elsewhere: frozenset[str] = frozenset(),
    skip: Skip = log_skipped,
) -> Standing:
    """Return what the library would hold: what stands goes only for what is no worse.

    Args:
        library: What is there.
        learned: What was learned.
        episodes: What it was learned from, all that taught what stands among them.
        elsewhere: As :func:`~macla.procedures.learning.store_learned.planned` has it.
        skip: So too.
    """
    faults: list[LibraryError] = []
    plan = planned(library, learned, elsewhere=elsewhere, skip=faults.append)  # type: ignore[arg-type]
    changed = {old.id: (old, new) for old, new in changed_items(library, plan)}
    absent = _absent_items(library, plan)
    if changed or absent:
        replayer = Replayer(episodes, plan.ontology, {**library.procedures, **plan.procedures})
        replays = {name: _replay(replayer, *pair) for name, pair in changed.items()}
        weight = 1.0 / max(1, len(changed))
        shortfall_by_id = {
            n: r for n, r in replays.items() if r is not None and _falls_short(r, weight)
        }
        retained = {name for name in absent if not _is_covered(absent[name], plan, replayer)}
        beside, retained = _with_dependents(
            {n for n in shortfall_by_id if shortfall_by_id[n].wins}, retained, plan, absent, library
        )
        names = _ids_beside(beside, absent, plan, library, replayer)
        retained -= {*names.values()}
        if shortfall_by_id or retained or beside:
            stay = {*shortfall_by_id, *beside, *retained}
            learned = renamed(plan.learned, names)
            revised_plan = planned(library, learned, stay, elsewhere=elsewhere, skip=skip)
            id_beside_by_id = {name: names.get(name, name) for name in {*shortfall_by_id, *beside}}
            return Standing(revised_plan, id_beside_by_id, shortfall_by_id, frozenset(retained))
    for fault in faults:
        skip(fault)
    return Standing(plan, {}, {})


def changed_items(library: Library, plan: Planned) -> Iterator[tuple[Item, Item]]:
    """Yield old and new of what gets another version."""
    for name, item in plan.procedures.items():
        old = library.procedures.get(name)
        if old is not None and old.version != settled(item, library.procedures).version:
            yield old, item
    for name, meta in plan.metas.items():
        old_meta = library.metas.get(name)
        if old_meta is not None:
            after = settled(meta, library.metas)
            if old_meta.version != after.version:
                yield old_meta, after


def takes_as_much(old: Item, new: Item) -> bool:
    """Whether plans that give the new one what it asks for could run the old one as well."""
    return isinstance(old, MetaProcedure) or old.parameters.keys() == new.parameters.keys()


def _falls_short(replay: Replay, weight: float) -> bool:
    """Whether an episode favours what stands, and the others are no reason to give it up."""
    return replay.losses > 0 and not credibly_better(replay, weight)


def _replay(replayer: Replayer, old: Item, new: Item) -> Replay | None:
    """Replay two versions, whatever id the old one has."""
    before = {**old.to_document(), "id": new.id}
    change = make_proposal("refine", "", target=new.id, old=[before], new=[new.to_document()])
    return replayer.replay(change)


def _absent_items(library: Library, plan: Planned) -> dict[str, Item]:
    """Return what was learned here, and is not learned again."""
    items: dict[str, Item] = {**library.procedures, **library.metas}
    planned_ids = {*plan.procedures, *plan.metas}
    return {
        name: item
        for name, item in items.items()
        if name not in planned_ids and item.status != "retired" and not by_people(item)
    }


def _is_covered(item: Item, plan: Planned, replayer: Replayer) -> bool:
    """Whether each episode that shows something shows what was learned of the same kind, too."""
    uncovered = {*replayer.shown(item.to_document()).successes}
    others: Mapping[str, Any] = plan.metas if isinstance(item, MetaProcedure) else plan.procedures
    for other in others.values():
        if not uncovered:
            break
        if other.id in plan.here:
            uncovered.difference_update(replayer.shown(other.to_document()).successes)
    return not uncovered


def _with_dependents(
    beside: set[str],
    retained: set[str],
    plan: Planned,
    absent: Collection[str],
    library: Library,
) -> tuple[set[str], set[str]]:
    """Add what has to stay with what stays: what a plan runs, and plans that would run another."""
    beside, retained = set(beside), set(retained)
    while True:
        staying = [library.metas[name] for name in (*beside, *retained) if name in library.metas]
        run = {place.run for meta in staying for place in meta.plan if place.run is not None}
        beside_too = {
            name
            for name in run & plan.here & library.procedures.keys() & plan.procedures.keys()
            if not takes_as_much(library.procedures[name], plan.procedures[name])
        }
        beside_too |= {
            name
            for name in plan.here & library.metas.keys() & plan.metas.keys()
            if any(place.run in beside for place in plan.metas[name].plan)
        }
        retained_too = run.intersection(absent)
        if beside_too <= beside and retained_too <= retained:
            return beside, retained
        beside |= beside_too
        retained |= retained_too


def _ids_beside(
    beside: Collection[str],
    absent: Mapping[str, Item],
    plan: Planned,
    library: Library,
    replayer: Replayer,
) -> dict[str, str]:
    """Return the ids of what stands beside: those that it got before, where it may have them."""
    taken_ids = {
        *library.procedures,
        *library.metas,
        *library.programs,
        *plan.procedures,
        *plan.metas,
    }
    names: dict[str, str] = {}
    for name in sorted(beside):
        new: Item = plan.procedures[name] if name in plan.procedures else plan.metas[name]
        before = [
            other
            for id_, other in sorted(absent.items())
            if type(other) is type(new) and re.fullmatch(rf"{re.escape(name)}-\d+", id_)
            if id_ not in names.values() and takes_as_much(other, new)
        ]
        fits = (o.id for o in before if not _is_worse(_replay(replayer, o, new)))
        names[name] = next(fits, "") or slug(name, taken_ids)
        taken_ids.add(names[name])
    return names


def _is_worse(replay: Replay | None) -> bool:
    return replay is not None and _falls_short(replay, 1.0)
