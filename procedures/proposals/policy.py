"""The way of a change into the library.

``auto`` writes it at once, in git as a commit; ``review`` keeps it for a person; ``interrupt`` asks
somebody who sits at the loop, for example through LangGraph's ``interrupt``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from ..errors import ProposalError
from ..ledger import Ledger
from ..library import Library
from ..model_parts import Evidence
from .apply import accept, is_applied, prepare
from .inheritance import contrasted, inherited, inherits_from, parents_of
from .model import AUTOMATIC, Proposal, document_key
from .render import described
from .store import Placed, ProposalStore, rejection_of
from .support import occasions_of

__all__ = ["POLICIES", "Ask", "Policy", "submit"]

Policy = Literal["auto", "review", "interrupt"]
POLICIES: tuple[Policy, ...] = ("auto", "review", "interrupt")

Ask: TypeAlias = Callable[[dict[str, Any]], Any]
"""Asks a person about a proposal: gets ``title``, ``text`` (why and what, in words) and
``proposal`` (its document); returns True, False or ``{"accept": bool, "why": str, "by": str}``."""

_AGAIN = 2.0
"""How many times the evidence is needed for what was rejected to be proposed again."""
_STARTING = ("refine", "variant", "split", "rollback")
"""Changes whose new version starts from a part of another one's evidence."""


def submit(
    library: Library,
    ledger: Ledger,
    proposal: Proposal,
    policy: Policy = "review",
    store: ProposalStore | None = None,
    *,
    ask: Ask | None = None,
) -> Placed:
    """Send a change on its way.

    Args:
        library: What it changes.
        ledger: Its evidence.
        proposal: The change.
        policy: ``auto``, ``review`` or ``interrupt``.
        store: Where proposals wait; needed for ``review``, and else keeps the record.
        ask: Asks a person; needed for ``interrupt``. LangGraph's ``interrupt`` is one: the node
            runs again with the answer, and makes the same proposal again.

    Returns:
        Where it is now. What was rejected is made again only when its evidence has doubled, and
        says so then.

    Raises:
        ProposalError: It touches what is locked, or the answer is none.
        ConflictError: The library changed in the same place since it was made.
        ValueError: The policy needs a store, or somebody to ask.
    """
    if policy not in POLICIES:
        raise ValueError(f"no policy {policy!r}; there are {', '.join(POLICIES)}")
    if store is not None and (before := rejection_of(store.decided(), proposal)) is not None:
        if before.id == proposal.id or occasions_of(proposal) < _AGAIN * occasions_of(before):
            return Placed(before, "", "rejected")
        proposal = replace(proposal, rationale=f"{proposal.rationale} {_rejected(before)}")
    if is_applied(library, proposal):
        return Placed(proposal, "", "accepted")
    proposal = _with_start(library, ledger, proposal)
    if policy == "auto":
        return _accepted(library, ledger, proposal, store, AUTOMATIC)
    prepare(library, proposal)  # what cannot be accepted is not proposed
    if policy == "interrupt":
        if ask is None:
            raise ValueError("the policy interrupt needs somebody to ask")
        return _asked(library, ledger, proposal, store, ask)
    if store is None:
        raise ValueError("the policy review needs a store")
    return store.put(library, ledger, proposal)


def _rejected(before: Proposal) -> str:
    """Say that a change was rejected, when and why."""
    return (
        f"It was rejected on {before.decided[:10]} ({before.why}), resting on "
        f"{occasions_of(before):g} occasions; its evidence has doubled since."
    )


def _accepted(
    library: Library, ledger: Ledger, proposal: Proposal, store: ProposalStore | None, by: str
) -> Placed:
    keep = accept if store is None else store.accept
    return Placed(keep(library, ledger, proposal, by), "", "accepted")


def _asked(
    library: Library, ledger: Ledger, proposal: Proposal, store: ProposalStore | None, ask: Ask
) -> Placed:
    """Ask a person and do what they say."""
    answer = ask(
        {
            "title": proposal.title,
            "text": described(proposal),
            "proposal": proposal.to_document(),
        }
    )
    told: Mapping[str, Any] = answer if isinstance(answer, Mapping) else {"accept": answer}
    if not isinstance(told.get("accept"), bool):
        raise ProposalError(
            f"{proposal.id}: the answer {str(answer)[:100]!r} neither accepts nor rejects; answer "
            'true, false or {"accept": true or false, "why": "…", "by": "…"}'
        )
    by = str(told.get("by", ""))
    if told["accept"]:
        return _accepted(library, ledger, proposal, store, by)
    why = str(told.get("why", "")).strip() or "Refused when asked."
    if store is None:
        return Placed(replace(proposal, status="rejected", why=why, by=by), "", "rejected")
    return Placed(store.reject(library, ledger, proposal, why, by), "", "rejected")


def _with_start(library: Library, ledger: Ledger, proposal: Proposal) -> Proposal:
    """Say what the new version would inherit, if that is not said yet."""
    if proposal.inherited_evidence is not None or proposal.change not in _STARTING:
        return proposal
    name = proposal.target.id
    new = {document_key(d): d for d in proposal.new if d.get("id") == name}
    item = library.find(name)
    here = dict.fromkeys(new, (name, item.version)) if item is not None else parents_of(new)
    for key, version in here.items():
        parent = inherits_from(proposal, name, version)
        good, bad = inherited(
            library,
            ledger,
            key[0],
            parent,
            learned=bool(proposal.run),
            contrast=contrasted(proposal, name),
        )
        if good or bad:
            return replace(proposal, inherited_evidence=Evidence(1.0 + good, 1.0 + bad))
    return proposal
