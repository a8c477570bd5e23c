"""Proposals as branches: ``macla/<change>/<id>-v<n>``, one commit each, made beside the work tree.

A branch's commit changes the library's files as accepting would, and adds the proposal's record,
``proposals/<id>.yaml``, which says why. Merging the branch by hand is therefore accepting it.
The documents themselves stand in the record only by name: the commits hold them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from ...procedures import library_commit as commits
from ...procedures.clock import now
from ...procedures.errors import GitError, ProposalError
from ...procedures.ledger import Ledger
from ...procedures.library import LOCK_TIMEOUT, Library
from ...procedures.proposals.apply import accept, is_applied, prepare, record_evidence
from ...procedures.proposals.inheritance import INHERITED
from ...procedures.proposals.model import Proposal, document_key
from ...procedures.proposals.render import message
from ...procedures.proposals.store import (
    Placed,
    in_order,
    records,
    refuse_decided,
    undecided,
    write_record,
)
from ...procedures.yaml_io import atomic_write
from .branches import PREFIX, Branch, proposals_on, read_branches
from .committing import commit_here
from .drafting import draft, removed, with_comments
from .layout import Layout, without_documents
from .merging import document_of
from .repository import Person, Repository
from .staging import index_locked, stage
from .unfinished import is_noted, noted, unfinished

__all__ = ["GitStore"]

AUTHOR = "macla <macla@localhost>"
_ATTEMPTS = 20


class GitStore:
    """Proposals as branches of the repository around a library.

    Args:
        root: The library's folder.
        repository: The repository around it.

    Attributes:
        repository: The repository around it.
        layout: Where its files are there.
        faults: Branches and records that could not be read when proposals were last listed.
    """

    def __init__(self, root: Path, repository: Repository) -> None:
        self._root = root
        self.repository = repository
        self.layout = Layout(root, repository.top)
        self.faults: list[str] = []
        self._branches: dict[str, Branch] = {}
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
        ids = {p.id for p in decided}
        found = read_branches(self.repository, self.layout, ids, self.faults)
        self._branches = {name: branch for name, (_, branch) in found.items()}
        made = self.repository.committers([branch.tip for branch in self._branches.values()])
        proposals = []
        for proposal, branch in found.values():
            last = made[branch.tip]
            by_hand = not proposal.edited and last != str(self.author)
            proposals.append(proposal.edited_by(last) if by_hand else proposal)
        return in_order(proposals, decided)

    def decided(self) -> list[Proposal]:
        """Return the decisions recorded in the library, oldest first."""
        found = [p for p in records(self._root, []) if p.status != "pending"]
        return sorted(found, key=lambda p: (p.decided or p.created, p.id))

    def where(self, proposal: Proposal) -> str:
        """Return a proposal's branch."""
        known = self._branches.get(proposal.id)
        return known.name if known else f"macla/{proposal.name}"

    # ------------------------------------------------------------------ proposing
    def put(self, library: Library, ledger: Ledger, proposal: Proposal) -> Placed:
        """Make a proposal's branch, unless the same one waits or was rejected.

        A branch of an older proposal for the same version is moved, but not if a person added
        commits to it.

        Raises:
            GitError: Files that it changes are not committed.
        """
        for known in self.decided():
            if known.id == proposal.id and known.status == "rejected":
                return Placed(known, "", "rejected")
        ref = PREFIX + proposal.name
        for _ in range(_ATTEMPTS):
            before = dict(self.repository.refs(ref)).get(ref)
            if before is not None:
                where = ref.removeprefix("refs/heads/")
                if proposal.id in proposals_on(self.repository, self.layout, before):
                    return Placed(proposal, where, "waiting")
                if self._edited(before):
                    return Placed(proposal, where, "kept")
            commit, base = self._draft(library, ledger, proposal)
            if self.repository.move(ref, commit, before, f"macla: {proposal.title}"):
                self._branches[proposal.id] = Branch(ref, commit, base)
                note = "made" if before is None else "replaced"
                return Placed(proposal, self.where(proposal), note)
        raise GitError(f"the branch {ref} moves all the time; try again later")

    def replace(self, library: Library, ledger: Ledger, before: Proposal, after: Proposal) -> None:
        """Put an edited or rebased proposal in the place of another.

        Raises:
            GitError: The branch moved meanwhile.
        """
        old = self._branch(before)
        commit, base = self._draft(library, ledger, after, comments=old)
        ref = PREFIX + after.name
        same = ref == old.ref
        if not self.repository.move(ref, commit, old.tip if same else None, "macla: rebase"):
            raise _moved(ref)
        if not same and old.own:
            self.repository.move(old.ref, None, old.tip, "macla: rebase")
        self._branches[after.id] = Branch(ref, commit, base)

    def _draft(
        self,
        library: Library,
        ledger: Ledger,
        proposal: Proposal,
        comments: Branch | None = None,
    ) -> tuple[str, str]:
        who = self.repository.person() if proposal.edited else None
        people = self.author, who or self.author
        return draft(self.repository, self.layout, people, library, ledger, proposal, comments)

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
        repository.ready()
        branch = self._branches.get(proposal.id)
        who = repository.person() or self.author
        with index_locked(repository) as index:
            if branch is not None:
                self._still(branch, proposal)
            library.refresh()
            names, coming = self._touched(library, proposal)
            with noted(self._root, coming, names, by or str(who)):
                done = accept(library, ledger, proposal, by or str(who))
                if branch is not None:
                    self._keep_comments(branch, names)
                self._commit(index, done, names, proposal, who)
        if branch is not None and branch.own:
            repository.move(branch.ref, None, branch.tip, "macla: accepted")
        return done

    def _commit(
        self, index: Path, done: Proposal, names: Sequence[str], proposal: Proposal, who: Person
    ) -> None:
        """Write the record of what was accepted, and commit it with its files."""
        text = message(dataclasses.replace(done, old=proposal.old))
        write_record(self._root, without_documents(done))
        names = sorted({*names, self.layout.record(done)})
        commit_here(self.repository, index, names, text, self.author, who)

    def finish(self, library: Library, ledger: Ledger) -> Proposal | None:
        """Commit what an accepting that was killed had written; return it, if there was any.

        Where it had written nothing, or a person changed it since, nothing is done.

        Raises:
            GitError: As :meth:`accept` does.
        """
        if not is_noted(self._root):
            return None
        # Only who holds the index can tell an interrupted accepting from one that is under way.
        with index_locked(self.repository) as index, unfinished(self._root) as left:
            if left is None:
                return None
            proposal, names, by = left
            head, _ = self.repository.ready()
            committed = head and self.repository.read(head, self.layout.record(proposal))
            if committed:
                # Killed between the branch and the index: these are as the branch has them.
                files = self.repository.read_all((head or "", name) for name in names)
                known = {name: content for (_, name), content in files.items()}
                known[self.layout.record(proposal)] = committed
                stage(self.repository, index, self.repository.tree(head, known))
                return None
            library.refresh()
            if not is_applied(library, proposal):
                return None
            who = self.repository.person() or self.author
            done = accept(library, ledger, proposal, by)
            self._commit(index, done, names, proposal, who)
        return done

    def reject(self, library: Library, proposal: Proposal, why: str, by: str) -> Proposal:
        """Commit the decision against a proposal, with all of it, and remove its branch.

        Raises:
            GitError: As :meth:`accept` does.
        """
        repository = self.repository
        repository.ready()
        branch = self._branches.get(proposal.id)
        who = repository.person() or self.author
        done = dataclasses.replace(
            proposal, status="rejected", why=why, by=by or str(who), decided=now()
        )
        text = f"Reject: {proposal.title[:1].lower()}{proposal.title[1:]}\n\n{why}\n\nProposal: "
        with index_locked(repository) as index:
            if branch is not None:
                self._still(branch, proposal)
            write_record(self._root, done)
            names = [self.layout.record(done)]
            commit_here(repository, index, names, f"{text}{proposal.id}\n", who, who)
        if branch is not None and branch.own:
            repository.move(branch.ref, None, branch.tip, "macla: rejected")
        return done

    def reopen(self, library: Library, ledger: Ledger, proposal: Proposal) -> Placed:
        """Commit that a decision is taken back, and make the proposal's branch again.

        Raises:
            GitError: As :meth:`accept` does.
        """
        again = undecided(proposal)
        repository = self.repository
        repository.ready()
        who = repository.person() or self.author
        text = f"Reopen: {proposal.title[:1].lower()}{proposal.title[1:]}\n\nProposal: "
        with index_locked(repository) as index:
            names = [self.layout.record(proposal)]
            (repository.top / names[0]).unlink(missing_ok=True)
            commit_here(repository, index, names, f"{text}{proposal.id}\n", who, who)
        return self.put(library, ledger, again)

    def settle(self, library: Library, ledger: Ledger) -> list[Proposal]:
        """Give evidence to what was merged by hand, and remove branches that are merged."""
        finished = self.finish(library, ledger)
        settled = [finished] if finished is not None else []
        given = set(ledger.run_ids())
        for proposal in self.decided():
            if proposal.status != "accepted" or f"{INHERITED}{proposal.id}" in given:
                continue
            keys = [document_key(document) for document in proposal.new]
            items = [library.find(n) for _, n in keys]
            current = [i for i in items if i and i.provenance.get("proposal") == proposal.id]
            if current and record_evidence(library, ledger, proposal):
                settled.append(proposal)
        merged = self.repository.refs("--merged=HEAD", PREFIX)
        here = self.repository.branch() if merged else None
        for ref, tip in merged:
            if ref != here:
                self.repository.move(ref, None, tip, "macla: merged")
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
            commit_here(self.repository, index, names, text, author, who)

    def _touched(self, library: Library, proposal: Proposal) -> tuple[list[str], Proposal]:
        """Return the files that accepting changes, and the change as it will stand there.

        Raises:
            GitError: People's changes of these files are open.
        """
        file = self.layout.file
        if is_applied(library, proposal):
            keys = [document_key(d) for d in (*proposal.new, *proposal.old)]
            return [file(key) for key in dict.fromkeys(keys)], proposal
        prepared = prepare(library, proposal)
        names = [file(key) for key in prepared.documents] + removed(self.layout, prepared)
        if prepared.proposal.run and not library.settings.settings.get("evidence_from"):
            names.append(self.layout.name("library.yaml"))
        if dirty := self.repository.dirty(names):
            listed = ", ".join(dirty[:5])
            raise GitError(
                f"{listed} in {self.repository.top} has changes that are not committed, and the "
                "proposal changes it too; commit or stash them, then accept"
            )
        return names, prepared.proposal

    def _keep_comments(self, branch: Branch, names: Sequence[str]) -> None:
        """Take the comments that people wrote on a branch into the files of the work tree."""
        plain = [name for name in names if not name.endswith("library.yaml")]
        contents = self.repository.read_all(
            (commit, name) for commit in (branch.base, branch.tip) for name in plain
        )
        with commits.locked(self._root, LOCK_TIMEOUT):
            for name in plain:
                file = self.repository.top / name
                if not file.is_file():
                    continue
                here = file.read_bytes()
                document = document_of(here)
                text = with_comments(self.repository, branch, contents, name, here, document)
                if text != here:
                    atomic_write(file, text)

    def _branch(self, proposal: Proposal) -> Branch:
        known = self._branches.get(proposal.id)
        if known is None:
            raise ProposalError(f"{proposal.id!r} waits on no branch; list the proposals again")
        return known

    def _still(self, branch: Branch, proposal: Proposal) -> None:
        """Raise if somebody else decided meanwhile; the index is held, so that nobody does now."""
        refuse_decided(self._root, proposal)
        if dict(self.repository.refs(branch.ref)).get(branch.ref) != branch.tip:
            raise _moved(branch.ref)


def _moved(ref: str) -> GitError:
    return GitError(f"the branch {ref} moved meanwhile; look at the proposal again")
