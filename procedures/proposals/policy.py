"""The way of a change into the library.

``auto`` writes it at once; ``review`` keeps it for a person; where a person sits at the loop, the
policy ``interrupt`` belongs to the graph: a node raises LangGraph's ``interrupt`` with
``proposal.to_document()`` and calls :func:`submit` with ``auto`` when the answer is yes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from ..ledger import Ledger
from ..library import Library
from ..model import Procedure
from ..model_parts import Evidence
from .apply import accept, is_applied, prepare
from .inheritance import inherited, inherits_from
from .model import Proposal
from .store import Placed, ProposalStore, was_rejected

__all__ = ["Policy", "submit"]

Policy = Literal["auto", "review"]


def submit(
    library: Library,
    ledger: Ledger,
    proposal: Proposal,
    policy: Policy = "review",
    store: ProposalStore | None = None,
) -> Placed:
    """Send a change on its way.

    Args:
        library: What it changes.
        ledger: Its evidence.
        proposal: The change.
        policy: ``auto`` or ``review``.
        store: Where proposals wait; needed for ``review``, and with ``auto`` keeps the record.

    Returns:
        Where it is now. One that was rejected on the same evidence is not made again.

    Raises:
        ProposalError: It touches what is locked.
        ConflictError: The library changed in the same place since it was made.
    """
    if store is not None and (before := was_rejected(store.decided(), proposal)) is not None:
        return Placed(before, "", "rejected")
    if is_applied(library, proposal):
        return Placed(proposal, "", "accepted")
    if policy == "auto":
        if store is None:
            return Placed(accept(library, ledger, proposal, "auto"), "", "accepted")
        return Placed(store.accept(library, ledger, proposal, "auto"), "", "accepted")
    if store is None:
        raise ValueError("the policy review needs a store")
    prepare(library, proposal)  # what cannot be accepted is not proposed
    return store.put(library, ledger, _with_start(library, ledger, proposal))


def _with_start(library: Library, ledger: Ledger, proposal: Proposal) -> Proposal:
    """Say what the new version would inherit, if that is not said yet."""
    if proposal.inherited_evidence is not None or proposal.change not in ("refine", "rollback"):
        return proposal
    name = proposal.target.id
    item = library.procedures.get(name) or library.metas.get(name)
    if item is None:
        return proposal
    kind = "procedure" if isinstance(item, Procedure) else "meta"
    parent = (name, inherits_from(proposal, name, item.version))
    good, bad = inherited(library, ledger, kind, parent, learned=bool(proposal.run))
    if not good and not bad:
        return proposal
    return replace(proposal, inherited_evidence=Evidence(1.0 + good, 1.0 + bad))
