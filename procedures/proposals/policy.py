"""The way of a change into the library.

``auto`` writes it at once, in git as a commit; ``review`` keeps it for a person; ``interrupt`` asks
somebody who sits at the loop, for example through LangGraph's ``interrupt``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from ..common.errors import ProposalError
from ..evidence.ledger import Ledger
from ..library.library import Library
from ..model.procedure_parts import Evidence
from .apply import accept, is_applied, prepare
from .inheritance import parents_of, start_of
from .proposal import AUTOMATIC, Proposal, document_key
from .proposal_store import Placed, ProposalStore, rejections_of
from .proposal_words import described
from .support import is_harmful, occasions_of

Policy = Literal["auto", "review", "interrupt"]
POLICIES: tuple[Policy, ...] = ("auto", "review", "interrupt")

Ask: TypeAlias = Callable[[dict[str, Any]], Any]
"""Asks a person about a proposal: gets ``title``, ``text`` (why and what, in words) and
``proposal`` (its document); returns True, False or ``{"accept": bool, "why": str, "by": str}``."""

_EVIDENCE_FACTOR = 2.0
"""How many times the evidence is needed for what was rejected to be proposed again."""
_INHERITING_CHANGES = ("refine", "variant", "split", "rollback")
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
        says so then. A change that replayed episodes credibly speak against is neither written nor
        offered, whatever else speaks for it.

    Raises:
        ProposalError: It touches what is locked, or the answer is none.
        ConflictError: The library changed in the same place since it was made.
        ValueError: The policy needs a store, or somebody to ask.
    """
    if policy not in POLICIES:
        raise ValueError(f"no policy {policy!r}; there are {', '.join(POLICIES)}")
    if store is not None:
        rejections = rejections_of(store.decided(), proposal)
        result, remaining = _without_rejected(proposal, rejections)
        if remaining is None:
            return Placed(result, "", "rejected")
        proposal = remaining
    if is_applied(library, proposal):
        return Placed(proposal, "", "accepted")
    if is_harmful(proposal):
        return Placed(proposal, "", "contradicted")
    proposal = _with_start(library, ledger, proposal)
    if policy == "auto":
        return _accept(library, ledger, proposal, store, AUTOMATIC)
    prepare(library, proposal)  # what cannot be accepted is not proposed
    if policy == "interrupt":
        if ask is None:
            raise ValueError("the policy interrupt needs somebody to ask")
        return _ask_person(library, ledger, proposal, store, ask)
    if store is None:
        raise ValueError("the policy review needs a store")
    return store.put(library, proposal)


def _without_rejected(
    proposal: Proposal, rejections: Mapping[str, Proposal]
) -> tuple[Proposal, Proposal | None]:
    """Leave out of a change what was rejected and rests on no more than before.

    Returns:
        The last rejection, and what is left of the change, which says what was rejected; None if
        that is nothing.
    """
    last = proposal
    for name, before in rejections.items():
        grown = occasions_of(proposal, name) >= _EVIDENCE_FACTOR * occasions_of(before, name)
        if before.id != proposal.id and grown:
            rationale = f"{proposal.part(name).rationale} {_rejection_text(before, name)}"
            proposal = proposal.saying(name, rationale=rationale)
        elif (rest := proposal.without(name)) is None:
            return before, None
        else:
            last, proposal = before, rest
    return last, proposal


def _rejection_text(before: Proposal, name: str) -> str:
    """Say that a change was rejected, when and why."""
    return (
        f"It was rejected on {before.decided[:10]} ({before.why}), resting on "
        f"{occasions_of(before, name):g} occasions; its evidence has doubled since."
    )


def _accept(
    library: Library, ledger: Ledger, proposal: Proposal, store: ProposalStore | None, by: str
) -> Placed:
    keep = accept if store is None else store.accept
    return Placed(keep(library, ledger, proposal, by), "", "accepted")


def _ask_person(
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
    decision: Mapping[str, Any] = answer if isinstance(answer, Mapping) else {"accept": answer}
    if not isinstance(decision.get("accept"), bool):
        raise ProposalError(
            f"{proposal.id}: the answer {str(answer)[:100]!r} neither accepts nor rejects; answer "
            'true, false or {"accept": true or false, "why": "…", "by": "…"}'
        )
    by = str(decision.get("by", ""))
    if decision["accept"]:
        return _accept(library, ledger, proposal, store, by)
    why = str(decision.get("why", "")).strip() or "Refused when asked."
    if store is None:
        return Placed(replace(proposal, status="rejected", why=why, by=by), "", "rejected")
    return Placed(store.reject(library, ledger, proposal, why, by), "", "rejected")


def _with_start(library: Library, ledger: Ledger, proposal: Proposal) -> Proposal:
    """Say what the new versions would inherit, where that is not said yet."""
    if proposal.change not in _INHERITING_CHANGES:
        return proposal
    for name in proposal.changed:
        if proposal.part(name).inherited_evidence is None:
            start = _start(library, ledger, proposal, name)
            proposal = proposal.saying(name, inherited_evidence=start)
    return proposal


def _start(library: Library, ledger: Ledger, proposal: Proposal, name: str) -> Evidence | None:
    """Return the posterior that a new version would start from; None where it inherits nothing."""
    new = {document_key(d): d for d in proposal.new if d.get("id") == name}
    item = library.find(name)
    parent_by_key = (
        dict.fromkeys(new, (name, item.version)) if item is not None else parents_of(new)
    )
    for key, version in parent_by_key.items():
        learned = bool(proposal.run)
        _, (good, bad) = start_of(library, ledger, proposal, key, version, learned=learned)
        if good or bad:
            return Evidence(1.0 + good, 1.0 + bad)
    return None
