"""Where proposals wait: a file each in the library's ``proposals/`` folder.

A file holds the whole proposal, the documents as they were and as they should be. Outside git,
where there are no commits, it stays when it is decided: it is the history. In git the commit is the
record of what was accepted, beside which this machine keeps what it was made from, and
``library.lock`` names what was rejected, so that every clone remembers it. Files are written under
the library's lock, whole or not at all.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ...schemas.meant import meant
from ..common.clock import now
from ..common.errors import ConflictError, MaclaError, ProposalError
from ..documents.plain_data import behaviour, without_kinds
from ..evidence.ledger import Ledger
from ..library import library_commit as commits
from ..library.library import LOCK_TIMEOUT, Library
from .apply import accept, is_applied, rebased, record_evidence
from .proposal import CHANGES, LEARNED, Proposal, digest, document_key
from .proposal_documents import in_library, name_of
from .records import FOLDER, records, refuse_decided, write_record
from .support import AvailableProcedures, unfit_proposals


@dataclass(frozen=True, slots=True)
class Placed:
    """The result of putting a proposal into a store.

    Attributes:
        proposal: The proposal.
        where: Branch or file; empty if it was not kept.
        note: ``made``, ``waiting`` (the same one was there), ``replaced``, ``kept`` (a person
            edited the one that is there), ``rejected`` (now, or before on the same evidence),
            ``contradicted`` (replayed episodes credibly speak against it) or ``accepted``.
    """

    proposal: Proposal
    where: str
    note: str

    @property
    def is_turned_down(self) -> bool:
        """Whether people or replayed episodes decided against the proposal."""
        return self.note in ("rejected", "contradicted")


class ProposalStore(Protocol):
    """Keeps proposals until they are decided, and remembers the decisions."""

    @property
    def faults(self) -> Sequence[str]:
        """Faults of the last listing of proposals, for people."""
        ...

    @property
    def who(self) -> str:
        """Return who works here, for people; empty if that is not known."""
        ...

    def pending(self) -> list[Proposal]:
        """Return the proposals that wait, in the order in which to accept them."""
        ...

    def decided(self) -> list[Proposal]:
        """Return the proposals that were accepted or rejected, oldest first."""
        ...

    def where(self, proposal: Proposal) -> str:
        """Return the branch or file of a proposal, for people."""
        ...

    def put(self, library: Library, proposal: Proposal) -> Placed:
        """Keep a proposal."""
        ...

    def replace(self, library: Library, before: Proposal, after: Proposal) -> None:
        """Put an edited or rebased proposal in the place of another."""
        ...

    def accept(self, library: Library, ledger: Ledger, proposal: Proposal, by: str) -> Proposal:
        """Write a proposal into the library and remember that."""
        ...

    def reject(
        self, library: Library, ledger: Ledger, proposal: Proposal, why: str, by: str
    ) -> Proposal:
        """Remember that a proposal is not wanted."""
        ...

    def reopen(self, library: Library, ledger: Ledger, proposal: Proposal) -> Placed:
        """Let a proposal that was rejected wait again, unless one for the same version waits."""
        ...

    def withdraw(self, proposal: Proposal) -> None:
        """Let a proposal of this machine wait no more, unless a person edited it."""
        ...

    def settle(self, library: Library, ledger: Ledger) -> list[Proposal]:
        """Note what was accepted by other means, such as a merge; return it."""
        ...


_ORDER = tuple(CHANGES)


def in_order(proposals: Sequence[Proposal], decided: Iterable[Proposal] = ()) -> list[Proposal]:
    """Return proposals so that what others need comes first, and what goes last.

    One that needs what was replaced needs what took its place, under the same name with other
    evidence: a proposal names only what is there. What was decided may have been needed, too.
    """
    everything = [*decided, *proposals]  # of two of one name that which waits is meant
    known_ids = {p.id for p in everything}
    id_by_name = {_without_digest(p.id): p.id for p in everything}

    def now_called(name: str) -> str:
        return name if name in known_ids else id_by_name.get(_without_digest(name), name)

    ranked = sorted(
        (p.needing(now_called(n) for n in p.requires) for p in proposals),
        key=lambda p: (_ORDER.index(p.change), any(d["kind"] == "meta" for d in p.new), p.id),
    )
    result: list[Proposal] = []
    ids = {p.id for p in ranked}
    placed_ids: set[str] = set()
    while ranked:
        ready = next(
            (p for p in ranked if placed_ids.issuperset(ids.intersection(p.requires))), ranked[0]
        )
        ranked.remove(ready)
        result.append(ready)
        placed_ids.add(ready.id)
    return result


def _without_digest(name: str) -> str:
    return name.rpartition("-")[0]


def named(proposals: Sequence[Proposal], name: str) -> list[Proposal]:
    """Return the proposals that an id, or else the start of one, a branch or a target names."""
    plain = name.removeprefix("macla/")
    return [p for p in proposals if p.id == name] or [
        p for p in proposals if p.id.startswith(name) or plain in (p.name, *p.changed)
    ]


def find(proposals: Sequence[Proposal], name: str) -> Proposal:
    """Return the proposal that an id, the start of one, a branch or a target names.

    One that was decided on two clones stands here twice; the later decision counts.

    Raises:
        ProposalError: None, or several.
    """
    matches = named(proposals, name)
    if len({match.id for match in matches}) == 1:
        return max(matches, key=lambda match: match.decided)
    if not matches:
        names = {known for p in proposals for known in (p.id, p.name, *p.changed)}
        advice = meant(name, names, "`macla proposals list` shows them")
        raise ProposalError(f"no proposal {name[:200]!r} waits; {advice}")
    listed = ", ".join(p.id for p in matches[:5])
    raise ProposalError(f"{name[:200]!r} may be any of {len(matches)} proposals: {listed}")


def refuse_before_needed(
    library: Library, proposal: Proposal, waiting: Collection[Proposal]
) -> None:
    """Refuse to accept a proposal before those that it needs.

    Args:
        library: Refreshed.
        proposal: To be accepted.
        waiting: What waits.

    Raises:
        ConflictError: One that it needs waits.
        ProposalError: What it needs is neither in the library, nor does it wait.
    """
    ids = {each.id for each in waiting}
    if blocking := [name for name in proposal.requires if name in ids]:
        raise ConflictError(f"{proposal.id} needs {', '.join(blocking)}: accept that first")
    lacking = AvailableProcedures(library.procedures).missing_for(proposal)
    if lacking is not None and proposal.id in unfit_proposals(
        library.procedures, [*waiting, proposal]
    ):
        raise ProposalError(
            f"{proposal.id} does not fit the library: {lacking}, and no proposal that waits "
            "changes that; reject it, or reopen what it needs (`macla proposals list --decided`)"
        )
    for other in waiting if lacking is not None else ():
        available = AvailableProcedures(library.procedures)
        available.add_choice(other)
        if available.missing_for(proposal) != lacking:
            raise ConflictError(f"{proposal.id} needs {other.id}: accept that first")


def withdraw_unfit(library: Library, store: ProposalStore) -> dict[str, str]:
    """Withdraw what learning proposed and cannot be accepted any more, whatever else is.

    Returns:
        Id → why.
    """
    library.refresh()
    waiting = store.pending()
    unfit = unfit_proposals(library.procedures, waiting)
    withdrawn = [each for each in waiting if each.id in unfit and each.run and not each.edited]
    for proposal in withdrawn:
        store.withdraw(proposal)
    return {each.id: unfit[each.id] for each in withdrawn}


def rejections_of(decided: Sequence[Proposal], proposal: Proposal) -> dict[str, Proposal]:
    """Return the decisions against the same change, unless another one was made since.

    The same change does the same to the same file, whatever its evidence, whichever kinds of
    things it was met with, and whatever else was changed along with it. What was decided comes
    oldest first.

    Returns:
        By the id of what is changed.
    """
    rejection_by_name: dict[str, Proposal] = {}
    for name in proposal.changed:
        change = _change(proposal, name)
        decisions = [p for p in decided if name in p.changed and _change(p, name) == change]
        if decisions and decisions[-1].status == "rejected":
            rejection_by_name[name] = decisions[-1]
    return rejection_by_name


def is_rejected(decided: Sequence[Proposal], proposal: Proposal) -> bool:
    """Say whether the same change was rejected as a whole since a proposal was made."""
    rejections = rejections_of(decided, proposal)
    return all(
        name in rejections and proposal.created <= rejections[name].decided
        for name in proposal.changed
    )


def _change(proposal: Proposal, name: str) -> str:
    """Return what a proposal changes in one file, without its evidence."""
    documents = [d for d in proposal.new if not proposal.parts or name_of(d) == name]
    new = [[*document_key(d), d.get("status"), behaviour(without_kinds(d))] for d in documents]
    return digest([proposal.change, new])


def takes_place_of(newer: Proposal, older: Proposal) -> bool:
    """Say whether a proposal makes a version that an older one makes as well."""
    return newer.name == older.name or not newer.versions.isdisjoint(older.versions)


def namesake_of(proposal: Proposal, waiting: Iterable[Proposal]) -> Proposal | None:
    """Return what waits of a proposal's name: itself, or the same with other evidence."""
    return next((each for each in waiting if each.name == proposal.name), None)


def undecided(library: Library, proposal: Proposal) -> Proposal:
    """Return a proposal as it was before it was decided.

    Raises:
        ProposalError: It was not rejected, or the library does by now what it wants.
    """
    if proposal.status != "rejected":
        raise ProposalError(
            f"{proposal.id} is {proposal.status}; only what was rejected is reopened"
        )
    if is_applied(library, proposal):
        raise ProposalError(f"{proposal.id}: the library does so by now, so there is no change")
    return dataclasses.replace(proposal, status="pending", decided="", by="", why="")


class FileStore:
    """Proposals as files; for libraries outside git."""

    def __init__(self, root: Path | str) -> None:
        self._root = Path(root).resolve()
        self.faults: list[str] = []

    @property
    def who(self) -> str:
        """Nobody says outside git."""
        return ""

    def _records(self) -> list[Proposal]:
        self.faults = []
        return list(records(self._root, self.faults))

    def pending(self) -> list[Proposal]:
        """Return the proposals that wait, in the order in which to accept them."""
        proposals = self._records()
        waiting = [p for p in proposals if p.status == "pending"]
        return in_order(waiting, [p for p in proposals if p.status != "pending"])

    def decided(self) -> list[Proposal]:
        """Return the proposals that were decided, oldest decision first."""
        proposals = [p for p in self._records() if p.status != "pending"]
        return sorted(proposals, key=lambda p: (p.decided, p.id))

    def where(self, proposal: Proposal) -> str:
        """Return the name of a proposal's file."""
        return f"{FOLDER}/{proposal.id}.yaml"

    def put(self, library: Library, proposal: Proposal) -> Placed:
        """Keep a proposal, unless the same one waits or was rejected.

        Of two that make the same version of a file the newer takes the place.
        """
        proposals = self._records()
        for other in proposals:
            if other.id == proposal.id and other.status != "accepted":
                note = "waiting" if other.status == "pending" else "rejected"
                return Placed(other, self.where(other) if note == "waiting" else "", note)
        older = [p for p in proposals if p.status == "pending" and takes_place_of(proposal, p)]
        write_record(self._root, proposal)
        self._remove(older)
        return Placed(proposal, self.where(proposal), "replaced" if older else "made")

    def replace(self, library: Library, before: Proposal, after: Proposal) -> None:
        """Put an edited or rebased proposal in the place of another."""
        write_record(self._root, after)
        if before.id != after.id:
            self._remove([before])

    def accept(self, library: Library, ledger: Ledger, proposal: Proposal, by: str) -> Proposal:
        """Write a proposal into the library and remember that."""
        refuse_decided(self._root, proposal)
        new = not (self._root / self.where(proposal)).exists()
        if new:
            write_record(self._root, proposal)  # killed from here on, it waits or is settled
        try:
            accepted = accept(library, ledger, proposal, by)
        except MaclaError:
            self._remove([proposal] if new else [])
            raise
        write_record(self._root, accepted)
        return accepted

    def reject(
        self, library: Library, ledger: Ledger, proposal: Proposal, why: str, by: str
    ) -> Proposal:
        """Remember that a proposal is not wanted."""
        refuse_decided(self._root, proposal)
        rejected = dataclasses.replace(proposal, status="rejected", why=why, by=by, decided=now())
        write_record(self._root, rejected)
        return rejected

    def reopen(self, library: Library, ledger: Ledger, proposal: Proposal) -> Placed:
        """Let a proposal that was rejected wait again, unless one for the same version waits."""
        if (namesake := namesake_of(proposal, self.pending())) is not None:
            return Placed(namesake, self.where(namesake), "waiting")
        pending = undecided(library, proposal)
        write_record(self._root, pending)
        return Placed(pending, self.where(pending), "made")

    def withdraw(self, proposal: Proposal) -> None:
        """Let a proposal wait no more."""
        self._remove([] if proposal.edited else [proposal])

    def settle(self, library: Library, ledger: Ledger) -> list[Proposal]:
        """Finish what was accepted when a process died between library and record."""
        settled = []
        for proposal in self.pending():
            if is_applied(library, proposal) and proposal.change != "status":
                record_evidence(library, ledger, proposal)
                document_by_key = in_library(library, map(document_key, proposal.new))
                accepted = dataclasses.replace(
                    proposal, new=tuple(document_by_key.values()), status="accepted", decided=now()
                )
                write_record(self._root, accepted)
                settled.append(accepted)
        return settled

    def _remove(self, proposals: Sequence[Proposal]) -> None:
        with commits.locked(self._root, LOCK_TIMEOUT):
            for proposal in proposals:
                (self._root / FOLDER / f"{proposal.id}.yaml").unlink(missing_ok=True)


def withdraw_unlearned(store: ProposalStore, learned: Iterable[Proposal]) -> None:
    """Withdraw what learning proposed and more episodes do not teach any more.

    Words stay: what waits needs them.
    """
    taught = {name for proposal in learned for name in proposal.changed}
    for proposal in store.pending():
        if proposal.run and proposal.change in LEARNED and taught.isdisjoint(proposal.changed):
            store.withdraw(proposal)


def rebase_in(store: ProposalStore, library: Library, proposal: Proposal) -> Proposal:
    """Rebase a proposal on the library as it is, and keep the result.

    Raises:
        ConflictError: A person has to choose; the proposal stays as it was.
    """
    waiting = {each.id for each in store.pending()}
    after = rebased(library, proposal.needing(n for n in proposal.requires if n in waiting))
    store.replace(library, proposal, after)
    return after
