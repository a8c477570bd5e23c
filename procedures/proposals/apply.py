"""Put a proposal into the library: merged with what people changed meanwhile, checked, recorded."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..common.clock import now
from ..common.errors import ConflictError, LibraryError, MaclaError, ProposalError
from ..documents.plain_data import behaves_alike
from ..evidence.ledger import Ledger
from ..files.lazy_documents import without_notes
from ..learning.provenance import without_numbers
from ..library.document_kinds import WORDS, Item
from ..library.library import Library
from ..model.parameter_types import without_unnamed
from ..model.procedure import LibrarySettings, MetaProcedure, Procedure
from ..model.types_files import TypesFile
from ..programs.documents import ProgramFile
from .inheritance import (
    REVIEWED,
    parents_of,
    rows_of,
    was_given,
)
from .locks import lock_violations
from .proposal import Document, Proposal, document_key
from .proposal_documents import (
    by_key,
    canonical,
    in_library,
    item_of,
    name_of,
)
from .rebase import Conflict, merge_documents
from .word_documents import changed_words, ontology_after

__all__ = [
    "Prepared",
    "accept",
    "is_applied",
    "note_origins",
    "prepare",
    "rebased",
    "record_evidence",
]

_ATTEMPTS = 20

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Prepared:
    """What accepting a proposal would write.

    Attributes:
        proposal: The proposal, with the documents as they would be written.
        documents: (kind, id) → document to write.
        remove: Ids that go.
    """

    proposal: Proposal
    documents: Mapping[Key, Document]
    remove: tuple[str, ...]


def is_applied(library: Library, proposal: Proposal) -> bool:
    """Say whether the library does already what a proposal wants."""
    wanted, old = by_key(proposal.new), by_key(proposal.old)
    here = in_library(library, {**wanted, **old})
    for key, document in wanted.items():
        known = here.get(key)
        if known is None or not behaves_alike(known, document):
            return False
        if proposal.change in ("retire", "status") and known.get("status") != document.get(
            "status"
        ):
            return False
    return all(key not in here or not here[key].get("kinds", True) for key in old.keys() - wanted)


def prepare(library: Library, proposal: Proposal) -> Prepared:
    """Merge a proposal with the library as it is, and check locks; nothing is written.

    Raises:
        ConflictError: Both changed the same place, or the target is gone.
        ProposalError: It touches what is locked.
        LibraryError: A document does not fit its schema.
    """
    old, new = by_key(proposal.old), by_key(proposal.new)
    for kind, name in old.keys() - new:
        if kind == "types":
            new[kind, name] = TypesFile(name).to_document()
    here = in_library(library, [*old, *new])
    documents: dict[Key, Document] = {}
    for key, wanted in new.items():
        documents[key] = _settled(proposal, old.get(key), wanted, here.get(key))
        if (known := here.get(key)) is not None:
            _unlocked(known, documents[key])
    gone = tuple(key for key in old if key not in new and key in here)
    for key in gone:
        if not behaves_alike(here[key], old[key]):
            raise ConflictError(
                f"{key[1]!r} was changed since it was proposed to remove it; look at it, and "
                "reject the proposal or rebase it"
            )
        _unlocked(here[key], None)
    _run_by_locked(library, documents)
    if gone:
        documents = {**_words_left(library, gone, new.values()), **documents}
    changed = dataclasses.replace(proposal, new=tuple(documents[key] for key in new))
    return Prepared(changed, documents, tuple(name for _, name in gone))


def _words_left(
    library: Library, gone: Sequence[Key], new: Iterable[Document]
) -> dict[Key, Document]:
    """Return the documents of words that change where the types of what goes are left out."""
    items: list[Procedure | MetaProcedure] = [*library.procedures.values()]
    items += library.metas.values()
    names = {name for _, name in gone}
    words = ontology_after(library.contents, new)
    after = without_unnamed(words, [item for item in items if item.id not in names])
    return {} if after == words else changed_words(library.contents, after)


def rebased(library: Library, proposal: Proposal) -> Proposal:
    """Return the proposal as a change of what stands in the library now.

    Raises:
        ConflictError: Both changed the same place; carries the places in its message.
    """
    prepared = prepare(library, proposal)
    here = in_library(library, [document_key(d) for d in (*proposal.old, *prepared.proposal.new)])
    return dataclasses.replace(prepared.proposal, old=tuple(here.values()))


def accept(library: Library, ledger: Ledger, proposal: Proposal, by: str = "") -> Proposal:
    """Write a proposal into the library and give the new versions their first evidence.

    Doing it twice is doing it once: a process that dies on the way may be started again.

    Args:
        library: Where to; refreshed first.
        ledger: Where inherited evidence is recorded.
        proposal: What to write.
        by: Who accepts.

    Returns:
        The proposal as it was accepted, its ``old`` and ``new`` as they were and are on disk.

    Raises:
        ConflictError: The library changed in the same places.
        ProposalError: It touches what is locked.
        LibraryError: The result would not be a valid library; nothing is written then.
    """
    for attempt in range(_ATTEMPTS):
        library.refresh()
        if is_applied(library, proposal):
            break
        prepared = prepare(library, proposal)
        try:
            _write(library, prepared)
        except LibraryError as error:
            # Another writer may have been faster with a version of the same file.
            if attempt == _ATTEMPTS - 1 or not _is_stale(library, prepared):
                raise _explained(error, proposal) from error
            continue
        proposal = dataclasses.replace(
            prepared.proposal,
            old=tuple(canonical(d) for d in proposal.old),
            new=tuple(in_library(library, map(document_key, prepared.proposal.new)).values()),
        )
        break
    record_evidence(library, ledger, proposal)
    return dataclasses.replace(proposal, status="accepted", decided=now(), by=by)


def record_evidence(library: Library, ledger: Ledger, proposal: Proposal) -> int:
    """Record what the new versions inherit and were learned from; return how many rows were new.

    This is done once: what happens later with the parent is not inherited.
    """
    if was_given(ledger, proposal):
        return 0
    here = in_library(library, [document_key(document) for document in proposal.new])
    stored = {key: each["version"] for key, each in here.items() if key[0] not in WORDS}
    return ledger.record(rows_of(library, ledger, proposal, stored, parents_of(here)))


def _settled(
    proposal: Proposal, base: Document | None, wanted: Document, here: Document | None
) -> Document:
    """Merge one document, and write where it comes from into it."""
    if here is None:
        if base is not None:
            raise ConflictError(
                f"{name_of(wanted)!r} is no longer in the library; reject the proposal "
                f"({proposal.id}), or make the file again"
            )
        return _noted(wanted, None)
    if base is None:
        if not behaves_alike(wanted, here) and wanted["kind"] not in WORDS:
            raise ConflictError(
                f"{name_of(wanted)!r} is in the library already and does something else; reject "
                f"the proposal ({proposal.id}) or edit it under another id"
            )
        base = here
    merged = merge_documents(base, wanted, here)
    if merged.conflicts:
        raise ConflictError(_told(proposal, name_of(wanted), merged.conflicts))
    document = canonical(merged.document)
    if wanted["kind"] in WORDS or behaves_alike(document, here):
        return document
    return _noted(document, f"{here['id']}@{here['version']}")


def _told(proposal: Proposal, name: str, conflicts: tuple[Conflict, ...]) -> str:
    places = "\n".join(f"  {conflict}" for conflict in conflicts)
    return (
        f"{name!r} was changed in the same place since {proposal.id} was made:\n{places}\n"
        "nothing was written; `macla proposals edit` it, or reject it"
    )


def _noted(document: Document, parent: str | None) -> dict[str, Any]:
    if document["kind"] in WORDS:
        return dict(document)
    # Why, from what and with which evidence stands in the commit and the ledger: two people who
    # accept the same change from other episodes write the same file.
    notes = without_numbers(document.get("provenance", {})) | ({"parent": parent} if parent else {})
    plain = without_notes(document)
    return canonical({**plain, "provenance": notes} if notes else plain)


def _unlocked(here: Document, wanted: Document | None) -> None:
    if touched := lock_violations(here, wanted):
        raise ProposalError(
            f"{name_of(here)!r} is locked ({', '.join(touched)}); a person may change its "
            "'locked' key, no proposal does"
        )


def _run_by_locked(library: Library, documents: Mapping[Key, Document]) -> None:
    """Raise where a locked plan runs what would do something else: then it would, too.

    Raises:
        ProposalError: Such a plan is there.
    """
    changed = {
        name
        for (kind, name), document in documents.items()
        if kind == "procedure"
        and name in library.procedures
        and library.procedures[name].version != document["version"]
    }
    for meta in library.metas.values():
        runs = next((p.run for p in meta.plan if p.run in changed), None)
        if runs is not None and lock_violations(
            meta.to_document(), {**meta.to_document(), "plan": []}
        ):
            raise ProposalError(
                f"{runs!r} is run by {meta.id!r}, whose plan is locked; a person may change the "
                "'locked' key of that plan, no proposal does"
            )


def _write(library: Library, prepared: Prepared) -> None:
    settings: LibrarySettings | None = None
    known = library.settings
    if prepared.proposal.run and not known.settings.get("evidence_from"):
        settings = dataclasses.replace(
            known, settings={**known.settings, "evidence_from": REVIEWED}
        )
    words = [each for each in prepared.documents.values() if each["kind"] in WORDS]
    items = [item_of(each) for each in prepared.documents.values() if each["kind"] not in WORDS]
    library.write_all(
        *_by_kind(items),
        programs=[item for item in items if isinstance(item, ProgramFile)],
        ontology=ontology_after(library.contents, words) if words else None,
        settings=settings,
        remove=prepared.remove,
    )


def note_origins(library: Library, proposal: Proposal) -> None:
    """Note where versions come from that were merged by hand, as their record says."""
    items: list[Item] = []
    for document in proposal.new:
        item = library.find(name_of(document))
        notes = document.get("provenance")
        if item is not None and notes and item.version == document["version"]:
            items.append(dataclasses.replace(item, provenance=notes))
    programs = [item for item in items if isinstance(item, ProgramFile)]
    library.write_all(*_by_kind(items), programs=programs)


def _by_kind(items: Sequence[Item]) -> tuple[list[Procedure], list[MetaProcedure]]:
    return (
        [item for item in items if isinstance(item, Procedure)],
        [item for item in items if isinstance(item, MetaProcedure)],
    )


def _is_stale(library: Library, prepared: Prepared) -> bool:
    """Say whether the library moved on since a change was prepared."""
    before = in_library(library, prepared.documents)
    library.refresh()
    return in_library(library, prepared.documents) != before


def _explained(error: LibraryError, proposal: Proposal) -> MaclaError:
    if not proposal.requires:
        return error
    needed = ", ".join(proposal.requires)
    return ProposalError(
        f"{error}; {proposal.id} needs {needed}: accept that first, or rebase it if that is not "
        "wanted (`macla proposals rebase`)"
    )
