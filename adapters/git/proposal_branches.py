"""Proposals as branches: ``macla/<change>/<id>-v<n>``, one commit each, made beside the work tree.

A branch's commit changes the library's files as accepting would, and adds the proposal's record,
``proposals/<id>.yaml``, which says why. Merging the branch by hand is therefore accepting it.
The documents themselves stand in the record only by name: the commits hold them. A proposal that
is decided leaves no file: the commit is the record.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from ...procedures.common.clock import now
from ...procedures.common.errors import GitError, ProposalError
from ...procedures.evidence.ledger import Ledger
from ...procedures.evidence.ledger_rows import INHERITED
from ...procedures.library import library_commit as commits
from ...procedures.library.library import LOCK_TIMEOUT, Library
from ...procedures.proposals.apply import accept, is_applied, note_origins, prepare, record_evidence
from ...procedures.proposals.proposal import Proposal, document_key
from ...procedures.proposals.proposal_store import (
    Placed,
    in_order,
    is_rejected,
    namesake_of,
    takes_place_of,
    undecided,
)
from ...procedures.proposals.proposal_words import message
from ...procedures.proposals.records import (
    keep_accepted,
    records,
    records_in_folder,
    refuse_decided,
)
from ...procedures.sharing.lock_file import GENERATED
from .branches import (
    PREFIX,
    Branch,
    decided_branches,
    proposal_at,
    proposals_on,
    read_branches,
)
from .committing import commit_here, tells_of, told_since
from .drafting import draft, keep_comments, removed
from .generated import generated, merged_records, rejected_at, rejected_in, starts_of
from .layout import Layout, without_documents
from .repository import Contents, Person, Repository
from .staging import index_locked, stage
from .unfinished import is_noted, noted, unfinished

AUTHOR = "macla <macla@localhost>"
_ATTEMPTS = 20
"""Tries to make a branch while others move it."""


class GitStore:
    """Proposals as branches of the repository around a library.

    Attributes:
        repository: The repository around it.
        layout: Where its files are there.
        faults: Branches and records that could not be read when proposals were last listed.
    """

    def __init__(self, root: Path, repository: Repository) -> None:
        self._root = root
        self.repository = repository
        self.layout = Layout(root, repository)
        self.faults: list[str] = []
        self._branches: dict[str, Branch] = {}
        self._made: dict[str, Proposal | None] = {}
        self._author: Person | None = None

    @property
    def author(self) -> Person:
        """Who the commits of proposals are by: ``proposals.author`` of the library's settings."""
        if self._author is None:
            settings = Library.open(self._root).settings.settings.get("proposals", {})
            self._author = Person.parse(str(settings.get("author", AUTHOR)))
        return self._author

    @property
    def who(self) -> str:
        """Who commits here, as git knows; empty if it does not."""
        person = self.repository.person()
        return str(person) if person is not None else ""

    def is_committed(self) -> bool:
        """Say whether the commit that is checked out has this library."""
        name = self.layout.name("library.yaml")
        head = self.repository.head()
        return head is not None and self.repository.read(head, name) is not None

    # ------------------------------------------------------------------ listing
    def pending(self) -> list[Proposal]:
        """Return the proposals on branches that are neither merged nor decided, in order."""
        self.faults = []
        decided = [p for p in records(self._root, self.faults) if p.status != "pending"]
        # What was accepted here and taken back may wait again: the commits say what holds.
        decided_in_folder = {
            p.id for p in records_in_folder(self._root, []) if p.status != "pending"
        }
        ids = decided_in_folder | {p.id for p in decided if p.status == "rejected"}
        waiting = read_branches(self.layout, ids, self.faults)
        self._branches = {name: branch for name, (_, branch) in waiting.items()}
        bases = {name: branch.base for name, branch in self._branches.items()}
        for name in told_since(self.repository, bases):
            del waiting[name], self._branches[name]
        rejected = sorted((p for p in decided if p.status == "rejected"), key=lambda p: p.decided)
        for name, (proposal, _) in [*waiting.items()] if rejected else ():
            if is_rejected(rejected, proposal):  # by another clone's evidence
                del waiting[name], self._branches[name]
        committer_by_tip = self.repository.committers(
            [branch.tip for branch in self._branches.values()]
        )
        proposals = []
        for proposal, branch in waiting.values():
            last = committer_by_tip[branch.tip]
            by_hand = not proposal.edited and last != str(self.author)
            proposals.append(proposal.edited_by(last) if by_hand else proposal)
        return in_order(proposals, decided)

    def decided(self) -> list[Proposal]:
        """Return the decisions that are known here, oldest first.

        What another clone accepted is in its commit alone.
        """
        proposals = [p for p in records(self._root, []) if p.status != "pending"]
        return sorted(proposals, key=lambda p: (p.decided or p.created, p.id))

    def where(self, proposal: Proposal) -> str:
        """Return a proposal's branch."""
        branch = self._branches.get(proposal.id)
        return branch.name if branch else f"macla/{proposal.name}"

    # ------------------------------------------------------------------ proposing
    def put(self, library: Library, proposal: Proposal) -> Placed:
        """Make a proposal's branch, unless the same one waits or was rejected.

        A branch of an older proposal for the same version is moved, but not if a person added
        commits to it.

        Raises:
            GitError: Files that it changes are not committed.
        """
        for decision in self.decided():
            if decision.id == proposal.id and decision.status == "rejected":
                return Placed(decision, "", "rejected")
        return self._put(library, proposal)

    def _put(self, library: Library, proposal: Proposal) -> Placed:
        ref = PREFIX + proposal.name
        for _ in range(_ATTEMPTS):
            before = dict(self.repository.refs(ref)).get(ref)
            if before is not None:
                where = ref.removeprefix("refs/heads/")
                if proposal.id in proposals_on(self.layout, before):
                    return Placed(proposal, where, "waiting")
                if self._edited(before):
                    return Placed(proposal, where, "kept")
            commit, base = self._draft(library, proposal)
            if self.repository.move(ref, commit, before, f"macla: {proposal.title}"):
                self._branches[proposal.id] = Branch(ref, commit, base)
                self._made[commit] = proposal
                replaced = self._replace_others(proposal, ref) or before is not None
                note = "replaced" if replaced else "made"
                return Placed(proposal, self.where(proposal), note)
        raise GitError(f"the branch {ref} moves all the time; try again later")

    def _replace_others(self, proposal: Proposal, ref: str) -> bool:
        """Remove the branches of older proposals that make one of the same versions."""
        others = self.repository.refs(f"{PREFIX}{proposal.change}/")
        obsolete = [
            (other, tip)
            for other, tip in others
            if other != ref and self._is_older(proposal, tip) and not self._edited(tip)
        ]
        for other, tip in obsolete:
            self.repository.move(other, None, tip, "macla: replaced")
        return bool(obsolete)

    def _is_older(self, proposal: Proposal, tip: str) -> bool:
        """Say whether a branch makes a version that a proposal makes anew."""
        if tip not in self._made:
            self._made[tip] = proposal_at(self.layout, tip)
        earlier = self._made[tip]
        return earlier is not None and takes_place_of(proposal, earlier)

    def replace(self, library: Library, before: Proposal, after: Proposal) -> None:
        """Put an edited or rebased proposal in the place of another.

        Raises:
            GitError: The branch moved meanwhile.
        """
        old = self._branch(before)
        commit, base = self._draft(library, after, comments=old)
        ref = PREFIX + after.name
        same = ref == old.ref
        if not self.repository.move(ref, commit, old.tip if same else None, "macla: rebase"):
            raise _moved_error(ref)
        if not same and old.own:
            self.repository.move(old.ref, None, old.tip, "macla: rebase")
        self._branches[after.id] = Branch(ref, commit, base)

    def _draft(
        self,
        library: Library,
        proposal: Proposal,
        comments: Branch | None = None,
    ) -> tuple[str, str]:
        who = self.repository.person() if proposal.edited else None
        people = self.author, who or self.author
        return draft(self.layout, people, library, proposal, comments)

    def _edited(self, tip: str) -> bool:
        """Say whether somebody else than macla made the last commit of a branch."""
        return self.repository.committers([tip])[tip] != str(self.author)

    # ------------------------------------------------------------------ deciding
    def accept(self, library: Library, ledger: Ledger, proposal: Proposal, by: str) -> Proposal:
        """Write a proposal into the work tree and commit it on the branch that is checked out.

        Only the files of the proposal are committed; whatever else is changed or staged stays.

        Raises:
            GitError: HEAD is detached, a merge is under way, the proposal's branch moved, or files
                that it changes have changes that are not committed; nothing is written then.
            ConflictError: What is checked out changed in the same places.
        """
        repository = self.repository
        branch = self._branches.get(proposal.id)
        who = repository.person() or self.author
        with index_locked(repository) as index:
            head, checked_out_branch, tip = repository.checked_out(
                PREFIX if branch is None else branch.ref
            )
            if branch is not None:
                self._still(branch, proposal, tip)
            library.refresh()
            names, coming, contents = self._touched(library, proposal, head, branch)
            with noted(self._root, coming, names, by or str(who)):
                accepted = accept(library, ledger, proposal, by or str(who))
                if branch is not None:
                    with commits.locked(self._root, LOCK_TIMEOUT):
                        keep_comments(repository, branch, names, contents)
                self._commit(
                    index,
                    library,
                    ledger,
                    accepted,
                    names,
                    proposal,
                    who,
                    (head, checked_out_branch),
                )
        if branch is not None and branch.own:
            repository.move(branch.ref, None, branch.tip, "macla: accepted")
        return accepted

    def _commit(
        self,
        index: Path,
        library: Library,
        ledger: Ledger,
        accepted: Proposal,
        names: Sequence[str],
        proposal: Proposal,
        who: Person,
        at: tuple[str | None, str] | None = None,
    ) -> None:
        """Commit what was accepted, which is its record, with what is generated."""
        starts = starts_of(library, ledger, accepted)
        text = message(dataclasses.replace(accepted, old=proposal.old), starts)
        keep_accepted(self._root, without_documents(accepted))
        generated_names = generated(self.layout, library, ledger)
        names = sorted({*names, *generated_names, *merged_records(self._root, self.layout)})
        commit_here(self.repository, index, names, text, (self.author, who), at)

    def finish(self, library: Library, ledger: Ledger) -> Proposal | None:
        """Commit what a deciding that was killed had begun; return what was accepted, if any was.

        Where it had written nothing, or a person changed it since, nothing is done.

        Raises:
            GitError: As :meth:`accept` does.
        """
        if not is_noted(self._root):
            return None
        # Only who holds the index can tell an interrupted accepting from one that is under way.
        with index_locked(self.repository) as index, unfinished(self._root) as note:
            if note is None:
                return None
            proposal, names, by = note
            head, _ = self.repository.ready()
            who = self.repository.person() or self.author
            if head and self._is_decided_at(head, proposal):
                # Killed between the branch and the index: these are as the branch has them.
                names += [self.layout.name(name) for name in GENERATED]
                files = self.repository.read_all((head, name) for name in names)
                content_by_name = {name: content for (_, name), content in files.items()}
                stage(self.repository, index, content_by_name)
                return None
            if proposal.status == "rejected":
                self._commit_rejection(index, library, ledger, proposal, who)
                return None
            library.refresh()
            if not is_applied(library, proposal):
                return None
            accepted = accept(library, ledger, proposal, by)
            self._commit(index, library, ledger, accepted, names, proposal, who)
        return accepted

    def _is_decided_at(self, commit: str, proposal: Proposal) -> bool:
        """Whether a commit, or one before it, says what was decided about a proposal."""
        if proposal.status == "rejected":
            return proposal.id in rejected_at(self.layout, commit)
        return tells_of(self.repository, commit, proposal.id)

    def reject(
        self, library: Library, ledger: Ledger, proposal: Proposal, why: str, by: str
    ) -> Proposal:
        """Commit the decision against a proposal, and remove its branch.

        The lock file says all of it, so that every clone remembers it and can reopen it.

        Raises:
            GitError: As :meth:`accept` does.
        """
        repository = self.repository
        repository.ready()
        branch = self._branches.get(proposal.id)
        who = repository.person() or self.author
        decision = dataclasses.replace(
            proposal, status="rejected", why=why, by=by or str(who), decided=now()
        )
        with index_locked(repository) as index:
            if branch is not None:
                self._still(branch, proposal, dict(repository.refs(branch.ref)).get(branch.ref))
            with noted(self._root, decision, [], decision.by):
                self._commit_rejection(index, library, ledger, decision, who)
        if branch is not None and branch.own:
            repository.move(branch.ref, None, branch.tip, "macla: rejected")
        return decision

    def _commit_rejection(
        self, index: Path, library: Library, ledger: Ledger, decision: Proposal, who: Person
    ) -> None:
        rejected = {**rejected_in(self._root), decision.id: decision.to_document()}
        names = generated(self.layout, library, ledger, rejected)
        title = f"{decision.title[:1].lower()}{decision.title[1:]}"
        text = f"Reject: {title}\n\n{decision.why}\n\nProposal: {decision.id}\n"
        commit_here(self.repository, index, names, text, (who, who))

    def reopen(self, library: Library, ledger: Ledger, proposal: Proposal) -> Placed:
        """Commit that a decision is taken back, and make the proposal's branch again.

        Where one for the same version waits, nothing is done.

        Raises:
            GitError: As :meth:`accept` does.
        """
        if (namesake := namesake_of(proposal, self.pending())) is not None:
            return Placed(namesake, self.where(namesake), "waiting")
        pending = undecided(library, proposal)
        repository = self.repository
        repository.ready()
        who = repository.person() or self.author
        text = f"Reopen: {proposal.title[:1].lower()}{proposal.title[1:]}\n\nProposal: "
        # The branch first: killed after it, the proposal is where it was or waits.
        placed = self._put(library, pending)
        with index_locked(repository) as index:
            rejected = {k: v for k, v in rejected_in(self._root).items() if k != proposal.id}
            names = [
                self.layout.record(proposal),
                *generated(self.layout, library, ledger, rejected),
            ]
            (repository.top / names[0]).unlink(missing_ok=True)  # an earlier macla's
            commit_here(repository, index, names, f"{text}{proposal.id}\n", (who, who))
        # Its branch may be there still, where another clone rejected it.
        return dataclasses.replace(placed, note="made") if placed.note == "waiting" else placed

    def withdraw(self, proposal: Proposal) -> None:
        """Remove the branch of a proposal that nobody edited, if it is this repository's."""
        branch = self._branches.get(proposal.id)
        if branch is not None and branch.own and not proposal.edited:
            self.repository.move(branch.ref, None, branch.tip, "macla: withdrawn")

    def settle(self, library: Library, ledger: Ledger) -> list[Proposal]:
        """Give evidence to what was merged by hand, and remove branches that are merged."""
        finished = self.finish(library, ledger)
        settled = [finished] if finished is not None else []
        for proposal in self.decided():
            if proposal.status != "accepted" or ledger.has_run(f"{INHERITED}{proposal.id}"):
                continue
            if _is_in_library(library, proposal):
                note_origins(library, proposal)
                if record_evidence(library, ledger, proposal):
                    settled.append(proposal)
        merged = self.repository.refs("--merged=HEAD", PREFIX)
        ids = {p.id for p in self.decided() if p.status == "rejected" or _is_in_library(library, p)}
        obsolete = [*merged, *decided_branches(self.layout, ids, str(self.author))]
        checked_out_branch = self.repository.stand()[1] if obsolete else None
        for ref, tip in obsolete:
            if ref != checked_out_branch:
                self.repository.move(ref, None, tip, "macla: merged or decided")
        return settled

    def commit_files(self, inside: Sequence[str], text: str, author: Person) -> None:
        """Commit files of the library as they are, and nothing else.

        Raises:
            GitError: HEAD is detached, or a merge is under way.
        """
        self.repository.ready()
        who = self.repository.person() or self.author
        names = [self.layout.name(name) for name in inside]
        with index_locked(self.repository) as index:
            commit_here(self.repository, index, names, text, (author, who))

    def _touched(
        self, library: Library, proposal: Proposal, head: str | None, branch: Branch | None
    ) -> tuple[list[str], Proposal, Contents]:
        """Return the files that accepting changes, the change as it will stand there, and contents.

        The contents are those of the files where the proposal's branch began and ends, by (commit,
        name).

        Raises:
            GitError: People's changes of these files are open.
        """
        file = self.layout.file
        applied = is_applied(library, proposal)
        if applied:
            keys = [document_key(d) for d in (*proposal.new, *proposal.old)]
            names, coming = [file(key) for key in dict.fromkeys(keys)], proposal
        else:
            prepared = prepare(library, proposal)
            names = [file(key) for key in prepared.documents] + removed(self.layout, prepared)
            if prepared.proposal.run and not library.settings.settings.get("evidence_from"):
                names.append(self.layout.name("library.yaml"))
            coming = prepared.proposal
        ends = [branch.base, branch.tip] if branch is not None else []
        places = [(commit, name) for commit in ends for name in names]
        standing = self.repository.standing(names, head)
        contents = self.repository.read_all([*places, *standing])
        dirty = self.repository.changed_here(names, head, contents)
        if dirty and not applied:
            listed = ", ".join(dirty[:5])
            raise GitError(
                f"{listed} in {self.repository.top} has changes that are not committed, and the "
                "proposal changes it too; commit or stash them, then accept"
            )
        return names, coming, contents

    def _branch(self, proposal: Proposal) -> Branch:
        branch = self._branches.get(proposal.id)
        if branch is None:
            raise ProposalError(f"{proposal.id!r} waits on no branch; list the proposals again")
        return branch

    def _still(self, branch: Branch, proposal: Proposal, tip: str | None) -> None:
        """Raise if somebody else decided meanwhile; the index is held, so that nobody does now."""
        if tip != branch.tip:
            refuse_decided(self._root, proposal)
            raise _moved_error(branch.ref)


def _is_in_library(library: Library, proposal: Proposal) -> bool:
    """Whether a version that a proposal made is the library's; its record may name it only."""
    versions = {(item.id, item.version) for _, item in library.items()}
    return any((each.get("id"), each.get("version")) in versions for each in proposal.new)


def _moved_error(ref: str) -> GitError:
    return GitError(f"the branch {ref} moved meanwhile; look at the proposal again")
