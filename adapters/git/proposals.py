"""Proposals as branches: ``macla/<change>/<id>-v<n>``, one commit each, made beside the work tree.

A branch's commit changes the library's files as accepting would, and adds the proposal's record,
``proposals/<id>.yaml``, which says why. Merging the branch by hand is therefore accepting it.
The documents themselves stand in the record only by name: the commits hold them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...procedures import library_commit as commits
from ...procedures.clock import now
from ...procedures.errors import GitError, LibraryError, ProposalError
from ...procedures.ledger import Ledger
from ...procedures.library import LOCK_TIMEOUT, Library
from ...procedures.library_files import file_of
from ...procedures.model_documents import behaves_alike, thaw
from ...procedures.proposals.apply import (
    Prepared,
    accept,
    is_applied,
    prepare,
    record_evidence,
    with_snapshots,
)
from ...procedures.proposals.model import Document, Proposal, document_key
from ...procedures.proposals.render import message
from ...procedures.proposals.store import (
    FOLDER,
    FileStore,
    Placed,
    in_order,
    read_record,
    records,
    write_record,
)
from ...procedures.yaml_dump import dump_yaml
from ...procedures.yaml_io import atomic_write
from .merging import combined, document_of, rendered
from .repository import Person, Repository

__all__ = ["GitStore", "open_store", "start_library"]

AUTHOR = "macla <macla@localhost>"
_PREFIX = "refs/heads/macla/"
_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class _Branch:
    """Where a proposal was read from."""

    ref: str
    tip: str
    base: str


def open_store(path: Path | str) -> FileStore | GitStore:
    """Return where the proposals of a library wait: on branches in a git work tree, else in files.

    Raises:
        GitError: The library is in a repository that git does not open, or not committed there.
    """
    root = Path(path).resolve()
    repository = Repository.around(root)
    if repository is None:
        return FileStore(root)
    store = GitStore(root, repository)
    if repository.is_ignored(store.name("library.yaml")):
        return FileStore(root)  # people told git to leave this folder alone
    if repository.head() is None or not store.is_committed():
        raise GitError(
            f"{root / 'library.yaml'} is not committed, so there is nothing to propose changes "
            f"to; run: git add {root} && git commit"
        )
    return store


def start_library(path: Path | str) -> bool:
    """Commit a library that was just made, if it is in a work tree; say whether it was done."""
    root = Path(path).resolve()
    repository = Repository.around(root)
    if repository is None:
        return False
    store = GitStore(root, repository)
    if repository.is_ignored(store.name("library.yaml")):
        return False
    names = ["library.yaml", "ontology.yaml"]
    store.commit_files(names, f"Start the library {root.name}\n", store.author)
    return True


class GitStore:
    """Proposals as branches of the repository around a library.

    Args:
        root: The library's folder.
        repository: The repository around it.

    Attributes:
        faults: Branches and records that could not be read when proposals were last listed.
    """

    def __init__(self, root: Path, repository: Repository) -> None:
        self._root = root
        self.repository = repository
        self._prefix = root.relative_to(repository.top).as_posix()
        self.faults: list[str] = []
        self._branches: dict[str, _Branch] = {}

    @property
    def author(self) -> Person:
        """Who the commits of proposals are by: ``proposals.author`` of the library's settings."""
        settings = Library.open(self._root).settings.settings.get("proposals", {})
        return Person.parse(str(settings.get("author", AUTHOR)))

    def is_committed(self) -> bool:
        """Say whether the commit that is checked out has this library."""
        return self.repository.read("HEAD", self.name("library.yaml")) is not None

    def name(self, inside: str) -> str:
        """Return the name of a library's file from the top of the repository."""
        return inside if self._prefix == "." else f"{self._prefix}/{inside}"

    # ------------------------------------------------------------------ listing
    def pending(self) -> list[Proposal]:
        """Return the proposals on branches that are neither merged nor decided, in order."""
        self.faults = []
        self._branches = {}
        head = self.repository.head()
        if head is None:
            return []
        decided = {p.id for p in records(self._root, self.faults) if p.status != "pending"}
        merged = {tip for _, tip in self._refs("--merged=HEAD")}
        found: dict[str, Proposal] = {}
        for ref, tip in self._refs():
            if tip in merged:
                continue
            try:
                base = self.repository.merge_base(head, tip)
                if base is None:
                    raise ProposalError("has no history in common with what is checked out")
                for proposal in self._read(base, tip):
                    if proposal.id not in decided and proposal.id not in found:
                        found[proposal.id] = proposal
                        self._branches[proposal.id] = _Branch(ref, tip, base)
            except (LibraryError, ProposalError) as error:
                self.faults.append(f"{ref}: {error}")
        return in_order(list(found.values()))

    def _refs(self, *more: str) -> list[tuple[str, str]]:
        local = self.repository.refs(*more, _PREFIX)
        remote = [
            (ref, tip)
            for ref, tip in self.repository.refs(*more, "refs/remotes/")
            if ref.split("/")[3:4] == ["macla"]
        ]
        return [*local, *remote]

    def _read(self, base: str, tip: str) -> list[Proposal]:
        found = []
        for name in self.repository.changed(base, tip, self.name(FOLDER)):
            data = self.repository.read(tip, name)
            if data is None or not name.endswith(".yaml"):
                continue
            record = read_record(data, Path(name))
            old = self._documents(record.old, base)
            new = self._documents(record.new, tip)
            if len(new) < len(record.new):
                raise ProposalError("a file that it proposes is not on it")
            found.append(
                dataclasses.replace(record, status="pending", decided="", by="", old=old, new=new)
            )
        return found

    def _documents(self, stubs: Sequence[Document], commit: str) -> tuple[Document, ...]:
        found = []
        for stub in stubs:
            data = self.repository.read(commit, self._file(document_key(stub)))
            if data is not None:
                found.append(document_of(data))
        return tuple(found)

    def _file(self, key: tuple[str, str]) -> str:
        return self.name(file_of(Path(), *key).as_posix())

    def decided(self) -> list[Proposal]:
        """Return the decisions recorded in the library, oldest first."""
        found = [p for p in records(self._root, []) if p.status != "pending"]
        return sorted(found, key=lambda p: (p.decided or p.created, p.id))

    def where(self, proposal: Proposal) -> str:
        """Return a proposal's branch."""
        known = self._branches.get(proposal.id)
        return known.ref.partition("/")[2].partition("/")[2] if known else f"macla/{proposal.name}"

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
        ref = _PREFIX + proposal.name
        for _ in range(_ATTEMPTS):
            before = dict(self.repository.refs(ref)).get(ref)
            if before is not None:
                where = ref.removeprefix("refs/heads/")
                if proposal.id in self._ids(before):
                    return Placed(proposal, where, "waiting")
                if self._edited(before):
                    return Placed(proposal, where, "kept")
            commit, base = self._commit(library, ledger, proposal)
            if self.repository.move(ref, commit, before, f"macla: {proposal.title}"):
                self._branches[proposal.id] = _Branch(ref, commit, base)
                note = "made" if before is None else "replaced"
                return Placed(proposal, self.where(proposal), note)
        raise GitError(f"the branch {ref} moves all the time; try again later")

    def replace(self, library: Library, ledger: Ledger, before: Proposal, after: Proposal) -> None:
        """Put an edited or rebased proposal in the place of another.

        Raises:
            GitError: The branch moved meanwhile.
        """
        old = self._branch(before)
        commit, base = self._commit(library, ledger, after, comments=old)
        ref = _PREFIX + after.name
        same = ref == old.ref
        if not self.repository.move(ref, commit, old.tip if same else None, "macla: rebase"):
            raise self._moved(ref)
        if not same and old.ref.startswith(_PREFIX):
            self.repository.move(old.ref, None, old.tip, "macla: rebase")
        self._branches[after.id] = _Branch(ref, commit, base)

    def _ids(self, tip: str) -> set[str]:
        """Return the ids of the proposals that a branch has and its base has not."""
        head = self.repository.head()
        base = self.repository.merge_base(head, tip) if head is not None else None
        if base is None or base == tip:
            return set()
        names = self.repository.changed(base, tip, self.name(FOLDER))
        return {Path(name).stem for name in names}

    def _edited(self, tip: str) -> bool:
        """Say whether somebody else than macla made the last commit of a branch."""
        made = self.repository.git.text("log", "-1", "--format=%cn <%ce>", tip)
        return made != str(self.author)

    def _commit(
        self,
        library: Library,
        ledger: Ledger,
        proposal: Proposal,
        comments: _Branch | None = None,
    ) -> tuple[str, str]:
        """Make the commit of a proposal on what is checked out; returns it and its parent."""
        head = self.repository.head()
        if head is None:
            raise GitError(f"{self.repository.top} has no commit yet; make the first one")
        library.refresh()
        prepared = prepare(library, proposal)
        documents = with_snapshots(library, ledger, prepared)
        files: dict[str, bytes | None] = {}
        for key, document in documents.items():
            name = self._file(key)
            here = self.repository.read(head, name)
            self._same_as_committed(library, key, here)
            content = rendered(here, dict(document))
            if comments is not None:
                content = self._with_comments(comments, name, content, document)
            files[name] = content
        for gone in self._removed(prepared):
            files[gone] = None
        done = dataclasses.replace(proposal, new=prepared.proposal.new)
        files[self._record(done)] = self._as_record(done)
        tree = self.repository.tree(head, files)
        author = self.author
        return self.repository.commit(tree, head, message(done), author, author), head

    def _with_comments(
        self, branch: _Branch, name: str, content: bytes, document: Document
    ) -> bytes:
        """Take the comments that people wrote on a branch into a file."""
        theirs = self.repository.read(branch.tip, name)
        if theirs is None or b"#" not in theirs:
            return content
        base = self.repository.read(branch.base, name)
        return combined(self.repository.git, base, content, theirs, thaw(document))

    def _same_as_committed(
        self, library: Library, key: tuple[str, str], committed: bytes | None
    ) -> None:
        kind, name = key
        known = library.ontology if kind == "ontology" else None
        item = known or library.procedures.get(name) or library.metas.get(name)
        if item is None and committed is None:
            return
        here = item.to_document() if item is not None else None
        there = document_of(committed) if committed is not None else None
        if here is None or there is None or not behaves_alike(here, there):
            raise GitError(
                f"{self._file(key)} in the work tree is not what is committed; commit it first, "
                "so that the proposal is a change of what people see"
            )

    def _removed(self, prepared: Prepared) -> list[str]:
        kinds = {d.get("id"): d["kind"] for d in prepared.proposal.old}
        return [self._file((kinds[name], name)) for name in prepared.remove]

    def _record(self, proposal: Proposal) -> str:
        return self.name(f"{FOLDER}/{proposal.id}.yaml")

    @staticmethod
    def _as_record(proposal: Proposal) -> bytes:
        """Return a record as a branch has it: accepted, as it is where the branch is merged."""
        done = dataclasses.replace(
            proposal, status="accepted", old=_stubs(proposal.old), new=_stubs(proposal.new)
        )
        return dump_yaml(done.to_document()).encode()

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
        if branch is not None:
            self._still(branch)
        who = repository.person() or self.author
        with repository.index_locked() as index:
            library.refresh()
            names = self._touched(library, proposal)
            done = accept(library, ledger, proposal, by or str(who))
            if branch is not None:
                self._keep_comments(branch, names)
            done = dataclasses.replace(done, old=_stubs(done.old), new=_stubs(done.new))
            write_record(self._root, done)
            names.append(self._record(done))
            text = message(dataclasses.replace(done, old=proposal.old))
            self._commit_here(index, sorted(set(names)), text, self.author, who)
        if branch is not None and branch.ref.startswith(_PREFIX):
            repository.move(branch.ref, None, branch.tip, "macla: accepted")
        return done

    def reject(self, library: Library, proposal: Proposal, why: str, by: str) -> Proposal:
        """Commit the decision against a proposal, with all of it, and remove its branch.

        Raises:
            GitError: As :meth:`accept` does.
        """
        self.repository.ready()
        branch = self._branches.get(proposal.id)
        if branch is not None:
            self._still(branch)
        who = self.repository.person() or self.author
        done = dataclasses.replace(
            proposal, status="rejected", why=why, by=by or str(who), decided=now()
        )
        text = f"Reject: {proposal.title[:1].lower()}{proposal.title[1:]}\n\n{why}\n\nProposal: "
        with self.repository.index_locked() as index:
            write_record(self._root, done)
            self._commit_here(index, [self._record(done)], f"{text}{proposal.id}\n", who, who)
        if branch is not None and branch.ref.startswith(_PREFIX):
            self.repository.move(branch.ref, None, branch.tip, "macla: rejected")
        return done

    def settle(self, library: Library, ledger: Ledger) -> list[Proposal]:
        """Give evidence to what was merged by hand, and remove branches that are merged."""
        settled = []
        for proposal in self.decided():
            if proposal.status != "accepted":
                continue
            keys = [document_key(document) for document in proposal.new]
            items = [library.procedures.get(n) or library.metas.get(n) for _, n in keys]
            current = [i for i in items if i and i.provenance.get("proposal") == proposal.id]
            if current and record_evidence(library, ledger, proposal):
                settled.append(proposal)
        for ref, tip in self.repository.refs("--merged=HEAD", _PREFIX):
            if ref != self.repository.branch():
                self.repository.move(ref, None, tip, "macla: merged")
        return settled

    def commit_files(self, inside: Sequence[str], text: str, author: Person) -> None:
        """Commit files of the library as they are, and nothing else.

        Raises:
            GitError: HEAD is detached, or a merge is under way.
        """
        self.repository.ready()
        who = self.repository.person() or self.author
        with self.repository.index_locked() as index:
            self._commit_here(index, [self.name(n) for n in inside], text, author, who)

    def _touched(self, library: Library, proposal: Proposal) -> list[str]:
        """Return the files that accepting changes; refuse where people's changes are open."""
        top = self.repository.top
        if is_applied(library, proposal):
            keys = [document_key(d) for d in (*proposal.new, *proposal.old)]
            keys += [
                ("meta", meta.id)
                for meta in library.metas.values()
                if meta.provenance.get("proposal") == proposal.id
            ]
            return [self._file(key) for key in dict.fromkeys(keys)]
        prepared = prepare(library, proposal)
        names = [self._file(key) for key in prepared.documents] + self._removed(prepared)
        if prepared.proposal.run and not library.settings.settings.get("evidence_from"):
            names.append(self.name("library.yaml"))
        if dirty := self.repository.dirty(names):
            listed = ", ".join(dirty[:5])
            raise GitError(
                f"{listed} in {top} has changes that are not committed, and the proposal changes "
                "it too; commit or stash them, then accept"
            )
        return names

    def _keep_comments(self, branch: _Branch, names: Sequence[str]) -> None:
        with commits.locked(self._root, LOCK_TIMEOUT):
            for name in names:
                file = self.repository.top / name
                here = _content(file)
                if here is None or name.endswith("library.yaml"):
                    continue
                document = document_of(here)
                text = self._with_comments(branch, name, here, document)
                if text != here:
                    atomic_write(file, text)

    def _commit_here(
        self, index: Path, names: list[str], text: str, author: Person, committer: Person
    ) -> None:
        """Commit files as the work tree has them; the index is held."""
        repository = self.repository
        branch = repository.ready()
        for _ in range(_ATTEMPTS):
            head = repository.head()
            files = {name: _content(repository.top / name) for name in names}
            if head is None:
                files = {n: c for n, c in files.items() if c is not None}
            else:
                files = {
                    n: c for n, c in files.items() if c is not None or repository.read(head, n)
                }
            tree = repository.tree(head, files)
            commit = repository.commit(tree, head, text, author, committer)
            repository.stage(index, tree, list(files))
            if repository.move(branch, commit, head, f"macla: {text.splitlines()[0]}"):
                return
        raise GitError(
            f"the branch {branch} moves all the time; the change is in the work tree, commit it"
        )

    def _branch(self, proposal: Proposal) -> _Branch:
        known = self._branches.get(proposal.id)
        if known is None:
            raise ProposalError(f"{proposal.id!r} waits on no branch; list the proposals again")
        return known

    def _still(self, branch: _Branch) -> None:
        if dict(self.repository.refs(branch.ref)).get(branch.ref) != branch.tip:
            raise self._moved(branch.ref)

    @staticmethod
    def _moved(ref: str) -> GitError:
        return GitError(f"the branch {ref} moved meanwhile; look at the proposal again")


def _stubs(documents: Sequence[Document]) -> tuple[dict[str, Any], ...]:
    return tuple(
        {key: document[key] for key in ("kind", "id", "version") if key in document}
        for document in documents
    )


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
