"""Versions that are learned again: the evidence that they start from, and when they stay out.

A new version starts from a part of the evidence in use of the version before
(:mod:`.inheritance`). It does not take the place of what is there if it was there before: learning
took another for better since, and only use brings it back (:mod:`.rollback`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias, TypeVar

from ..common.clock import now
from ..documents.plain_data import does_the_same
from ..evidence.ledger import Ledger, Outcome
from ..evidence.ledger_rows import INHERITED
from ..learning.learner import Learned
from ..learning.store_learned import Planned, planned, store
from ..learning.taught import learned_elsewhere
from ..library.document_kinds import kind_of
from ..library.library import Library
from ..model.procedure import MetaProcedure, Procedure
from .inheritance import counts_of, inherited, played_counts
from .proposal import digest
from .proposal_store import FileStore
from .standing import Item, changed_items, takes_as_much
from .version_history import Revision, from_records, keep_replaced

History: TypeAlias = Callable[[str], Sequence[Revision]]
"""Returns the revisions of a file by its id, oldest first."""

_T = TypeVar("_T", Procedure, MetaProcedure)


def plan_relearned(library: Library, ledger: Ledger, learned: Learned, history: History) -> Planned:
    """Return what the library would hold: what was there before stays out.

    A plan that worked in use, and did not fail more often, keeps its place beside another way.
    """
    elsewhere = learned_elsewhere(library)
    counts = played_counts(ledger)
    trials = {meta.id: counts_of(counts, meta) for meta in library.metas.values()}
    holding = {name for name, (good, bad) in trials.items() if 0.0 < good >= bad}
    plan = planned(library, learned, elsewhere=elsewhere, holding=holding)
    ids = {
        old.id
        for old, new in changed_items(library, plan)
        if takes_as_much(old, new) and _returns(old, new, history(old.id))
    }
    again = {
        new.id
        for new in plan.metas.values()
        if new.id not in library.metas
        and any(_returns(old, new, history(old.id)) for old in _for_goal_of(new, library))
    }
    if not (ids or again):
        return plan
    metas = {name: each for name, each in plan.learned.metas.items() if name not in again}
    others = replace(plan.learned, metas=metas)
    return planned(library, others, ids, elsewhere=elsewhere, holding=holding)


def store_relearned(library: Library, ledger: Ledger, learned: Learned) -> list[str]:
    """Write what was learned again, outside git; versions keep a part of their evidence.

    Returns:
        Names of the files that changed.

    Raises:
        LibraryError: The library cannot be written; it is unchanged then.
    """
    library.refresh()
    decided = FileStore(library.path).decided()

    def history(name: str) -> list[Revision]:
        return from_records(library, decided, name)

    plan = _with_parents(library, plan_relearned(library, ledger, learned, history))
    changed = list(changed_items(library, plan))
    rows = [row for old, new in changed for row in _start(library, ledger, old, new)]
    # First, since a version that is not there yet has no use for them; a crash loses nothing.
    keep_replaced(library, [old for old, _ in changed])
    ledger.record(rows)
    return store(library, ledger, learned, plan=plan)


def _for_goal_of(new: MetaProcedure, library: Library) -> Iterator[MetaProcedure]:
    """Yield the plans for the goal of another one."""
    key = new.world, new.goal
    return (each for each in library.metas.values() if (each.world, each.goal) == key)


def _returns(old: Item, new: Item, revisions: Sequence[Revision]) -> bool:
    """Whether a version, or a plan beside one, does what one before the present one did."""
    before, after = old.to_document(), {**new.to_document(), "id": old.id}
    if does_the_same(before, after):
        return False
    earlier = (each.document for each in revisions)
    return any(each is not None and does_the_same(after, each) for each in earlier)


def _start(library: Library, ledger: Ledger, old: Item, new: Item) -> Iterator[Outcome]:
    """Yield the evidence that a new version begins with."""
    follows = does_the_same(old.to_document(), new.to_document())
    kind = kind_of(new)
    good, bad = inherited(library, ledger, kind, (new.id, old.version), learned=True, whole=follows)
    if good or bad:
        run = f"{INHERITED}learned-{digest(new.to_document())[:12]}"
        context = {"parent": old.ref}
        key = (kind, new.id, new.version, "")
        yield Outcome.of_sums(run, key, (good, bad), now(), context=context)


def _with_parents(library: Library, plan: Planned) -> Planned:
    """Note of each version which one it comes after, so that it can be taken back."""
    current_by_id: dict[str, Item] = {**library.procedures, **library.metas}

    def with_parent(item: _T) -> _T:
        old = current_by_id.get(item.id)
        if old is None or old.version == item.version:
            return item
        return replace(item, provenance={**item.provenance, "parent": old.ref})

    return replace(
        plan,
        procedures={name: with_parent(item) for name, item in plan.procedures.items()},
        metas={name: with_parent(item) for name, item in plan.metas.items()},
    )
