"""Removals for want of room, as proposals: what a full library would forget first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..evidence.ledger import Ledger
from ..learning.pruning import surplus_worth
from ..library.library import Library
from ..method.settings import Method
from ..model.procedure import MetaProcedure, Procedure
from .inheritance import counts_of, live_counts
from .proposal import Proposal, make_proposal


def propose_removals(
    library: Library, ledger: Ledger, pending: Callable[[], Sequence[Proposal]]
) -> Iterator[Proposal]:
    """Yield a removal of each plan and procedure that there is no room for, plans first.

    What waits to be removed counts as gone: accepting all that waits never removes more than the
    capacity asks for. A procedure goes after the plans that run it.

    Args:
        library: What is looked at; refreshed first.
        ledger: Its evidence.
        pending: Returns the proposals that wait; asked only where there are too many.
    """
    library.refresh()
    method = Method.from_settings(library.settings.settings)
    if len(library.metas) <= method.metas and len(library.procedures) <= method.procedures:
        return
    going = {each.target.id: each.id for each in pending() if each.removes}
    surplus = surplus_worth(library, ledger, method, going)
    counts = live_counts(library, ledger)
    items: dict[str, Procedure | MetaProcedure] = {**library.procedures, **library.metas}
    for name, worth in surplus.items():
        item = items[name]
        good, bad = counts_of(counts, item)
        proposal = make_proposal(
            "retire",
            _rationale(library, method, item, worth),
            target=name,
            old=[item.to_document()],
            counts={"successes": good, "failures": bad},
            requires=tuple(going[meta] for meta in _run_by(library, name) if meta in going),
        )
        going[name] = proposal.id
        yield proposal


def with_room(
    library: Library, proposals: Sequence[Proposal], decided: Sequence[Proposal]
) -> list[Proposal]:
    """Leave out what was removed for want of room and would only have to go again.

    It may come back once there is room, or when it was shown more often than it had worked when it
    went; else each lesson would add it and remove it.
    """
    method = Method.from_settings(library.settings.settings)
    full = {
        "meta": len(library.metas) >= method.metas,
        "procedure": len(library.procedures) >= method.procedures,
    }
    removed = {p.target.id: p for p in decided if p.removes and p.status == "accepted"}
    removed_again = {
        proposal.id
        for proposal in proposals
        if not proposal.old and (before := removed.get(proposal.target.id)) is not None
        if full.get(proposal.new[0]["kind"])
        if proposal.counts.get("successes", 0.0) <= before.counts.get("successes", 0.0)
    }
    # What needs one of these cannot come either.
    return [
        p for p in proposals if p.id not in removed_again and removed_again.isdisjoint(p.requires)
    ]


def _run_by(library: Library, name: str) -> list[str]:
    """Return the plans that run a procedure."""
    return [meta.id for meta in library.metas.values() if any(p.run == name for p in meta.plan)]


def _rationale(
    library: Library, method: Method, item: Procedure | MetaProcedure, worth: float
) -> str:
    plan = isinstance(item, MetaProcedure)
    noun = "plans" if plan else "procedures"
    count = len(library.metas) if plan else len(library.procedures)
    room = method.metas if plan else method.procedures
    return (
        f"The library holds {count} {noun} and has room for {room} (capacity in library.yaml). By "
        f"its retention {method.retention!r} keeping {item.id} is worth {worth:.3g}; what stays is "
        "worth more, serves a goal that nothing else serves, is run by a plan, or is held by "
        "people. To keep it, lock it or raise the capacity."
    )
