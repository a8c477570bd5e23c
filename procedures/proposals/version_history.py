"""The versions of a procedure or plan: which there were, and why."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..common.errors import ProposalError
from ..common.text import fold_space
from ..documents.plain_data import behaves_alike, is_reference, thaw
from ..documents.yaml_io import atomic_write
from ..learning.store_learned import CONTRAST, LEARNED_FROM
from ..library.document_kinds import Versioned
from ..library.library import LOCK_TIMEOUT, Library
from ..library.library_commit import locked
from ..model.procedure_parts import Evidence
from .proposal import Document, Proposal, make_proposal

_REPLACED = "replaced.jsonl"
"""Versions that learning replaced outside git, where neither a commit nor a record has them."""
_KEPT_PER_ID = 10
"""Versions of one procedure or plan that are kept."""
_KEPT_IN_ALL = 500
"""Versions that are kept in all."""


@dataclass(frozen=True, slots=True)
class Revision:
    """One state of a file.

    Attributes:
        document: What it says; None where it was removed.
        at: When, ISO 8601.
        author: Who made the change.
        by: Who took it into the library; ``auto`` where nobody decided.
        reason: Why, in one line.
        commit: The commit, where there is one.
        proposal: Id of the proposal that it came from, if it came from one.
        episodes: Ids of the episodes that it was learned from, as far as the proposal names them.
        edited: Who changed the proposal before it was accepted.
        start: Posterior that it started from, as far as that was told.
    """

    document: Document | None
    at: str
    author: str
    by: str
    reason: str
    commit: str = ""
    proposal: str = ""
    episodes: tuple[str, ...] = ()
    edited: str = ""
    start: Evidence | None = None

    @property
    def version(self) -> int | None:
        """The version; None where the file was removed."""
        return None if self.document is None else int(self.document["version"])

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data, without the document."""
        plain = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        plain.pop("document")
        start = plain.pop("start")
        plain["episodes"] = list(self.episodes)
        evidence = None if start is None else start.to_document()
        return {"version": self.version, **plain, "evidence": evidence}


def from_records(library: Library, decided: Sequence[Proposal], name: str) -> list[Revision]:
    """Return the revisions of a file as the records of proposals tell them, oldest first.

    The last one is what the library says now, if a person changed it since.
    """
    revisions: list[Revision] = []
    for proposal in decided:
        if proposal.status != "accepted":
            continue
        for old in proposal.old:
            if old.get("id") == name and not revisions and not is_reference(old):
                reason = old.get("provenance", {}).get("reason", "before the first proposal")
                revisions.append(Revision(old, "", "", "", reason))
        for new in proposal.new:
            if new.get("id") == name and not is_reference(new):
                part = proposal.part(name)
                why = fold_space(part.rationale)
                at = proposal.decided or proposal.created
                revisions.append(
                    Revision(
                        new,
                        at,
                        "macla",
                        proposal.by,
                        why,
                        proposal=proposal.id,
                        episodes=episodes_of(proposal),
                        edited=proposal.edited,
                        start=part.inherited_evidence,
                    )
                )
        if proposal.removes and proposal.target.id == name and revisions:
            revisions.append(_removal(proposal))
    _add_replaced(revisions, replaced(library, name))
    item = library.find(name)
    if item is not None:
        current = item.to_document()
        if not revisions or json.dumps(thaw(revisions[-1].document)) != json.dumps(current):
            reason = current.get("provenance", {}).get("reason", "as it stands")
            revisions.append(Revision(current, "", "", "", reason))
    return revisions


def _add_replaced(revisions: list[Revision], documents: Sequence[Document]) -> None:
    """Add versions that no proposal has, each before the next higher one."""
    versions = {revision.version for revision in revisions}
    for document in documents:
        version = int(document["version"])
        if version in versions:
            continue
        later = (i for i, each in enumerate(revisions) if (each.version or 0) > version)
        reason = document.get("provenance", {}).get("reason", "learned again since")
        revisions.insert(next(later, len(revisions)), Revision(document, "", "", "", reason))


def _removal(proposal: Proposal) -> Revision:
    why = fold_space(proposal.rationale)
    at = proposal.decided or proposal.created
    return Revision(None, at, "macla", proposal.by, why, proposal=proposal.id)


def keep_replaced(library: Library, items: Iterable[Versioned]) -> None:
    """Keep versions that are about to be replaced; the oldest go where there are too many."""
    new = [item.to_document() for item in items]
    if not new:
        return
    with locked(library.path, LOCK_TIMEOUT):
        new_keys = {(d["id"], d["version"]) for d in new}
        earlier = [d for d in _all_replaced(library) if (d["id"], d["version"]) not in new_keys]
        latest: list[Document] = []
        count_by_id: dict[str, int] = {}
        for document in reversed([*earlier, *new]):
            count_by_id[document["id"]] = count_by_id.get(document["id"], 0) + 1
            if count_by_id[document["id"]] <= _KEPT_PER_ID and len(latest) < _KEPT_IN_ALL:
                latest.append(document)
        lines = (json.dumps(each, ensure_ascii=False) + "\n" for each in reversed(latest))
        atomic_write(library.path / ".macla" / _REPLACED, "".join(lines).encode())


def replaced(library: Library, name: str) -> list[Document]:
    """Return the versions of a procedure or plan that learning replaced, oldest first."""
    return [document for document in _all_replaced(library) if document["id"] == name]


def _all_replaced(library: Library) -> Sequence[Document]:
    file = library.path / ".macla" / _REPLACED
    if not file.exists():
        return []
    try:
        documents = [json.loads(line) for line in file.read_bytes().splitlines()]
        return [each for each in documents if each["id"] and each["version"]]
    except (ValueError, TypeError, KeyError):
        return []  # nothing but a way back is lost


def episodes_of(proposal: Proposal) -> tuple[str, ...]:
    """Return the ids of the episodes that a proposal rests on."""
    contrast = proposal.contrast
    return () if contrast is None else (*contrast.successes, *contrast.failures)


def last_made(revisions: Sequence[Revision]) -> Document | None:
    """Return the last content that came from a proposal, without what people changed since.

    What was taken back (``macla undo``, ``git revert``) is as if it had not been made: else what
    stands now would seem to be a person's wish against it.
    """
    latest = revisions[-1] if revisions else None
    if latest is not None and latest.document is not None and not latest.proposal:
        same_content = [
            index
            for index, each in enumerate(revisions[:-1])
            if each.document is not None and behaves_alike(each.document, latest.document)
        ]
        revisions = revisions[: same_content[-1] + 1] if same_content else revisions
    for revision in reversed(revisions):
        if revision.proposal and revision.document is not None:
            return revision.document
    return None


def content_of(revisions: Sequence[Revision], name: str, version: int) -> Document:
    """Return what a version said, the last time that it stood.

    Raises:
        ProposalError: There was no such version; the message names those that there were.
    """
    for revision in reversed(revisions):
        if revision.document is not None and revision.version == version:
            return revision.document
    versions = sorted({r.version for r in revisions if r.version is not None})
    listed = ", ".join(map(str, versions)) or "none"
    raise ProposalError(f"{name!r} has no version {version}; there are {listed}")


def version_before(library: Library, revisions: Sequence[Revision], name: str) -> int:
    """Return the last version that did something else than the present one, if one is known.

    Raises:
        ProposalError: None is.
    """
    item = library.find(name)
    current = None if item is None else item.to_document()
    for revision in reversed(revisions):
        document = revision.document
        if document is not None and (
            current is None
            or (document["version"] < current["version"] and not behaves_alike(current, document))
        ):
            return int(document["version"])
    raise ProposalError(
        f"no earlier version of {name!r} is known that did something else: they are in git's "
        "history, or in the records of what was accepted"
    )


def reverting(
    library: Library,
    revisions: Sequence[Revision],
    name: str,
    version: int,
    why: str,
    evidence_key: str = "",
) -> Proposal:
    """Return the change that lets a file do again what an earlier version did.

    It is a new version with the old content: nothing is lost.

    Raises:
        ProposalError: There was no such version, or the present one does what it did.
    """
    old = content_of(revisions, name, version)
    item = library.find(name)
    current = item.to_document() if item is not None else None
    if current is not None and current["version"] == version:
        raise ProposalError(f"{name}@{version} is what the library has")
    if current is not None and behaves_alike(current, thaw(old)):
        raise ProposalError(f"{name}@{current['version']} does already what {name}@{version} did")
    latest = max((r.version for r in revisions if r.version is not None), default=version)
    content = {
        key: value
        for key, value in thaw(old).items()
        if key not in ("evidence", "provenance", "locked", "status")
    }
    # What was learned stays so: it may be learned otherwise later.
    if LEARNED_FROM in (notes := old.get("provenance", {})):
        content["provenance"] = {k: notes[k] for k in (LEARNED_FROM, CONTRAST) if k in notes}
    if current is not None:
        content |= {key: current[key] for key in ("locked", "status") if key in current}
    new = {**content, "version": max(latest, current["version"] if current else 0) + 1}
    return make_proposal(
        "rollback",
        why or f"Back to what version {version} did.",
        target=name,
        old=[current] if current is not None else [],
        new=[new],
        counts={"to": float(version)},
        evidence_key=evidence_key,
    )
