"""Reading proposals from branches: what is on them, and what is not decided yet."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...procedures.common.errors import LibraryError, ProposalError
from ...procedures.files.lazy_documents import NOT_IN_FILES
from ...procedures.proposals.apply import is_done
from ...procedures.proposals.proposal import Document, Proposal, digest, document_key
from ...procedures.proposals.records import FOLDER, read_record
from .layout import Layout
from .merging import document_of
from .repository import Contents

PREFIX = "refs/heads/macla/"
"""Where branches of proposals are."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch with proposals.

    Attributes:
        ref: Its ref; also one of a remote.
        tip: Its last commit.
        base: The commit that it has in common with what is checked out.
    """

    ref: str
    tip: str
    base: str

    @property
    def own(self) -> bool:
        """Whether it is a branch of this repository, not of a remote."""
        return self.ref.startswith(PREFIX)

    @property
    def name(self) -> str:
        """Its name, for people."""
        return self.ref.split("/", 2)[2]


def read_branches(
    layout: Layout, decided: Collection[str], faults: list[str]
) -> dict[str, tuple[Proposal, Branch]]:
    """Return the proposals on branches that are neither merged nor decided, by id.

    Of one change that several clones propose, each by its own evidence, this clone's counts. What
    the checked out commit does already is no proposal. What cannot be read goes to ``faults``.
    """
    repository = layout.repository
    head = repository.head()
    if head is None:
        return {}
    refs = [
        (ref, tip)
        for ref, tip in repository.refs(PREFIX, "refs/remotes/")
        if ref.startswith(PREFIX) or ref.split("/")[3:4] == ["macla"]
    ]
    bases = repository.bases(head, list(dict.fromkeys(tip for _, tip in refs)))
    branches: list[Branch] = []
    for ref, tip in sorted(refs, key=lambda pair: not pair[0].startswith(PREFIX)):
        base = bases[tip]
        if base is None:
            faults.append(f"{ref}: has no history in common with what is checked out")
        elif base != tip:
            branches.append(Branch(ref, tip, base))
    pairs = {branch.tip: branch.base for branch in branches}
    names = repository.changed([(base, tip) for tip, base in pairs.items()], layout.proposals)
    records = repository.read_all(
        (tip, name) for tip in pairs for name in names[tip] if name.endswith(".yaml")
    )
    stubs: list[tuple[Branch, Proposal]] = []
    for branch in branches:
        try:
            stubs += [(branch, stub) for stub in _stubs(branch, records)]
        except LibraryError as error:  # noqa: PERF203 - the others can be read
            faults.append(f"{branch.ref}: {error}")
    contents = repository.read_all(
        place for branch, stub in stubs for place in _places(layout, branch, stub, head)
    )
    waiting: dict[str, tuple[Proposal, Branch]] = {}
    effects: set[str] = set()
    for branch, stub in stubs:
        if stub.id in decided or stub.id in waiting:
            continue
        try:
            proposal = _with_documents(layout, branch, stub, contents)
        except (LibraryError, ProposalError) as error:
            place = getattr(error, "file", None)
            faults.append(str(error) if place else f"{branch.ref}: {error}")
            continue
        effect = digest([proposal.name, proposal.effect])
        if effect not in effects and not _is_done(layout, branch, proposal, contents, head):
            effects.add(effect)
            waiting[stub.id] = proposal, branch
    return waiting


def proposals_on(layout: Layout, tip: str) -> set[str]:
    """Return the ids of the proposals that a branch has and its base has not."""
    repository = layout.repository
    head = repository.head()
    base = repository.bases(head, [tip])[tip] if head is not None else None
    if base is None or base == tip:
        return set()
    names = repository.changed([(base, tip)], layout.proposals)[tip]
    return {Path(name).stem for name in names}


def proposal_at(layout: Layout, tip: str) -> Proposal | None:
    """Return the one proposal of a branch, its documents by name only; None if there is none."""
    names = proposals_on(layout, tip)
    if len(names) != 1:
        return None
    place = tip, layout.name(f"{FOLDER}/{names.pop()}.yaml")
    data = layout.repository.read(*place)
    try:
        return read_record(data, Path(place[1])) if data is not None else None
    except LibraryError:
        return None


def decided_branches(
    layout: Layout, decided: Collection[str], author: str
) -> list[tuple[str, str]]:
    """Return (ref, tip) of branches that a killed deciding left: the decision is committed.

    One to which somebody else than the author of branches added is left alone.
    """
    repository = layout.repository
    refs = repository.refs("--no-merged=HEAD", PREFIX) if decided else []
    leftovers: list[tuple[str, str]] = []
    for ref, tip in refs:
        names = proposals_on(layout, tip)
        if names and names <= set(decided) and repository.committers([tip])[tip] == author:
            leftovers.append((ref, tip))
    return leftovers


def _stubs(branch: Branch, records: Contents) -> Iterator[Proposal]:
    """Yield the proposals of a branch, their documents by name only."""
    for (tip, name), data in records.items():
        if tip == branch.tip and data is not None:
            yield read_record(data, Path(name))


def _places(layout: Layout, branch: Branch, stub: Proposal, head: str) -> Iterator[tuple[str, str]]:
    """Yield (commit, name) of the documents of a proposal, which the commits hold."""
    both = _documents(stub)
    for documents, commit in ((both, branch.base), (stub.new, branch.tip), (both, head)):
        yield from ((commit, layout.file(document_key(document))) for document in documents)


def _is_done(
    layout: Layout, branch: Branch, proposal: Proposal, contents: Contents, head: str
) -> bool:
    """Whether a commit since the branch began makes the files do what the proposal wants."""
    name_by_key = {document_key(d): layout.file(document_key(d)) for d in _documents(proposal)}
    if all(contents[branch.base, name] == contents[head, name] for name in name_by_key.values()):
        return False
    try:
        present = {
            key: document_of(data)
            for key, name in name_by_key.items()
            if (data := contents[head, name]) is not None
        }
        return is_done(proposal, present)
    except LibraryError:
        return False


def _documents(proposal: Proposal) -> tuple[Document, ...]:
    return (*proposal.old, *proposal.new)


def _with_documents(layout: Layout, branch: Branch, stub: Proposal, contents: Contents) -> Proposal:
    """Return a proposal with its documents.

    Raises:
        LibraryError: One of them cannot be read.
        ProposalError: One is missing.
    """

    def documents_at(
        documents: Sequence[Document], commit: str, where: str
    ) -> tuple[Document, ...]:
        read: list[Document] = []
        for each in documents:
            name = layout.file(document_key(each))
            if (data := contents[commit, name]) is not None:
                document = document_of(data, Path(f"{where}:{name}"))
            elif each["kind"] == "types":  # where none is listed, no file is
                document = {**each, "kinds": []}
            else:
                continue
            read.append(document | {key: each[key] for key in NOT_IN_FILES if key in each})
        return tuple(read)

    old = documents_at(stub.old, branch.base, branch.base[:12])
    new = documents_at(stub.new, branch.tip, branch.ref)
    if len(new) < len(stub.new):
        raise ProposalError("a file that it proposes is not on it")
    return dataclasses.replace(stub, status="pending", decided="", by="", old=old, new=new)
