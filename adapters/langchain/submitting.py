"""The way of a refinement into an agent's library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from langgraph.types import interrupt

from ...procedures.ledger import Ledger
from ...procedures.library import Library
from ...procedures.proposals.model import Proposal
from ...procedures.proposals.policy import submit
from ...procedures.proposals.render import message
from ...procedures.proposals.store import FileStore, Placed
from ..git.proposals import open_store

__all__ = ["RefinementPolicy", "submitter"]

RefinementPolicy = Literal["auto", "review", "interrupt"]


def submitter(
    library: Library, ledger: Ledger, policy: RefinementPolicy | None = None
) -> Callable[[Proposal], Placed]:
    """Return what sends a refinement on its way.

    Args:
        library: What it changes.
        ledger: Its evidence.
        policy: ``auto`` writes it at once; ``review`` keeps it for a person, in git as a branch;
            ``interrupt`` asks through LangGraph's ``interrupt``, to be resumed with True or
            False. By default ``review`` where git tracks the library, ``auto`` elsewhere.
    """
    store = open_store(library.path)
    chosen = policy or ("auto" if isinstance(store, FileStore) else "review")

    def send(proposal: Proposal) -> Placed:
        if chosen != "interrupt":
            return submit(library, ledger, proposal, chosen, store)
        if any(each.id == proposal.id for each in store.decided()):
            return Placed(proposal, "", "rejected")
        question = {
            "title": proposal.title,
            "text": message(proposal),
            "proposal": proposal.to_document(),
        }
        if interrupt(question) is True:
            return submit(library, ledger, proposal, "auto", store)
        return Placed(store.reject(library, proposal, "Refused when asked.", ""), "", "rejected")

    return send
