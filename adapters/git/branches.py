"""Reading proposals from branches: what is on them, and what is not decided yet."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...procedures.errors import LibraryError, ProposalError
from ...procedures.proposals.model import Document, Proposal, document_key
from ...procedures.proposals.store import read_record
from .layout import Layout
from .merging import document_of
from .repository import Repository

__all__ = ["PREFIX", "Branch", "proposals_on", "read_branches"]

PREFIX = "refs/heads/macla/"
"""Where branches of proposals are."""

_Contents = Mapping[tuple[str, str], bytes | None]


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
    repository: Repository, layout: Layout, decided: Collection[str], faults: list[str]
) -> dict[str, tuple[Proposal, Branch]]:
    """Return the proposals on branches that are neither merged nor decided, by id.

    Args:
        repository: Where.
        layout: Of the library.
        decided: Ids to leave out.
        faults: Gets what cannot be read, for people.
    """
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
    found: dict[str, tuple[Proposal, Branch]] = {}
    for branch in branches:
        try:
            on_it = list(_stubs(branch, records))
            for proposal in _completed(repository, layout, branch, on_it):
                if proposal.id not in decided and proposal.id not in found:
                    found[proposal.id] = proposal, branch
        except (LibraryError, ProposalError) as error:  # noqa: PERF203 - the others can be read
            faults.append(f"{branch.ref}: {error}")
    return found


def proposals_on(repository: Repository, layout: Layout, tip: str) -> set[str]:
    """Return the ids of the proposals that a branch has and its base has not."""
    head = repository.head()
    base = repository.bases(head, [tip])[tip] if head is not None else None
    if base is None or base == tip:
        return set()
    names = repository.changed([(base, tip)], layout.proposals)[tip]
    return {Path(name).stem for name in names}


def _stubs(branch: Branch, records: _Contents) -> Iterator[Proposal]:
    """Yield the proposals of a branch, their documents by name only."""
    for (tip, name), data in records.items():
        if tip == branch.tip and data is not None:
            yield read_record(data, Path(name))


def _completed(
    repository: Repository, layout: Layout, branch: Branch, stubs: Sequence[Proposal]
) -> Iterator[Proposal]:
    """Yield proposals with their documents, which the commits hold."""

    def places(documents: Sequence[Document], commit: str) -> list[tuple[str, str]]:
        return [(commit, layout.file(document_key(document))) for document in documents]

    wanted = [
        place
        for stub in stubs
        for place in (*places(stub.old, branch.base), *places(stub.new, branch.tip))
    ]
    contents = repository.read_all(wanted)

    def read(documents: Sequence[Document], commit: str) -> tuple[Document, ...]:
        there = (contents[place] for place in places(documents, commit))
        return tuple(document_of(data) for data in there if data is not None)

    for stub in stubs:
        old, new = read(stub.old, branch.base), read(stub.new, branch.tip)
        if len(new) < len(stub.new):
            raise ProposalError("a file that it proposes is not on it")
        yield dataclasses.replace(stub, status="pending", decided="", by="", old=old, new=new)
