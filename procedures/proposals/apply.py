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

_ATTEMPTS = 20
"""Tries to write a proposal while other processes write the same files."""

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Prepared:
    """The documents that accepting a proposal would write.

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
    return is_done(proposal, in_library(library, {**by_key(proposal.new), **by_key(proposal.old)}))


def is_done(proposal: Proposal, present: Mapping[Key, Document]) -> bool:
    """Say whether documents, by (kind, id), do already what a proposal wants."""
    new, old = by_key(proposal.new), by_key(proposal.old)
    for key, document in new.items():
        current = present.get(key)
        if current is None or not behaves_alike(current, document):
            return False
        if proposal.change in ("retire", "status") and current.get("status") != document.get(
            "status"
        ):
            return False
    return all(
        key not in present or not present[key].get("kinds", True) for key in old.keys() - new
    )


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
    current_by_key = in_library(library, [*old, *new])
    documents: dict[Key, Document] = {}
    for key, wanted_document in new.items():
        documents[key] = _merged_document(
            proposal, old.get(key), wanted_document, current_by_key.get(key)
        )
        if (current := current_by_key.get(key)) is not None:
            _refuse_locked(current, documents[key])
    removed = tuple(key for key in old if key not in new and key in current_by_key)
    for key in removed:
        if not behaves_alike(current_by_key[key], old[key]):
            raise ConflictError(
                f"{key[1]!r} was changed since it was proposed to remove it; look at it, and "
                "reject the proposal or rebase it"
            )
        _refuse_locked(current_by_key[key], None)
    _refuse_change_under_locked_plans(library, documents)
    if removed:
        documents = {**_words_without(library, removed, new.values()), **documents}
    changed = dataclasses.replace(proposal, new=tuple(documents[key] for key in new))
    return Prepared(changed, documents, tuple(name for _, name in removed))


def _words_without(
    library: Library, removed: Sequence[Key], new: Iterable[Document]
) -> dict[Key, Document]:
    """Return the documents of words that change when types are left out with what is removed."""
    items: list[Procedure | MetaProcedure] = [*library.procedures.values()]
    items += library.metas.values()
    names = {name for _, name in removed}
    words = ontology_after(library.contents, new)
    after = without_unnamed(words, [item for item in items if item.id not in names])
    return {} if after == words else changed_words(library.contents, after)


def rebased(library: Library, proposal: Proposal) -> Proposal:
    """Return the proposal as a change of what stands in the library now.

    Raises:
        ConflictError: Both changed the same place; carries the places in its message.
    """
    prepared = prepare(library, proposal)
    current_by_key = in_library(
        library, [document_key(d) for d in (*proposal.old, *prepared.proposal.new)]
    )
    return dataclasses.replace(prepared.proposal, old=tuple(current_by_key.values()))


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
                raise _with_requirements(error, proposal) from error
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
    document_by_key = in_library(library, [document_key(document) for document in proposal.new])
    stored = {key: each["version"] for key, each in document_by_key.items() if key[0] not in WORDS}
    return ledger.record(rows_of(library, ledger, proposal, stored, parents_of(document_by_key)))


def _merged_document(
    proposal: Proposal, base: Document | None, new: Document, current: Document | None
) -> Document:
    """Merge one document, and write where it comes from into it."""
    if current is None:
        if base is not None:
            raise ConflictError(
                f"{name_of(new)!r} is no longer in the library; reject the proposal "
                f"({proposal.id}), or make the file again"
            )
        return _with_origin(new, None)
    if base is None:
        if not behaves_alike(new, current) and new["kind"] not in WORDS:
            raise ConflictError(
                f"{name_of(new)!r} is in the library already and does something else; reject "
                f"the proposal ({proposal.id}) or edit it under another id"
            )
        base = current
    merged = merge_documents(base, new, current)
    if merged.conflicts:
        raise ConflictError(_conflict_message(proposal, name_of(new), merged.conflicts))
    document = canonical(merged.document)
    if new["kind"] in WORDS or behaves_alike(document, current):
        return document
    return _with_origin(document, f"{current['id']}@{current['version']}")


def _conflict_message(proposal: Proposal, name: str, conflicts: tuple[Conflict, ...]) -> str:
    places = "\n".join(f"  {conflict}" for conflict in conflicts)
    return (
        f"{name!r} was changed in the same place since {proposal.id} was made:\n{places}\n"
        "nothing was written; `macla proposals edit` it, or reject it"
    )


def _with_origin(document: Document, parent: str | None) -> dict[str, Any]:
    if document["kind"] in WORDS:
        return dict(document)
    # Why, from what and with which evidence stands in the commit and the ledger: two people who
    # accept the same change from other episodes write the same file.
    notes = without_numbers(document.get("provenance", {})) | ({"parent": parent} if parent else {})
    plain = without_notes(document)
    return canonical({**plain, "provenance": notes} if notes else plain)


def _refuse_locked(current: Document, new: Document | None) -> None:
    if touched := lock_violations(current, new):
        raise ProposalError(
            f"{name_of(current)!r} is locked ({', '.join(touched)}); a person may change its "
            "'locked' key, no proposal does"
        )


def _refuse_change_under_locked_plans(library: Library, documents: Mapping[Key, Document]) -> None:
    """Refuse to change a procedure that a locked plan runs: the plan would change with it.

    Raises:
        ProposalError: A locked plan runs a procedure that changes.
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
    settings_before = library.settings
    if prepared.proposal.run and not settings_before.settings.get("evidence_from"):
        settings = dataclasses.replace(
            settings_before, settings={**settings_before.settings, "evidence_from": REVIEWED}
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


def _with_requirements(error: LibraryError, proposal: Proposal) -> MaclaError:
    if not proposal.requires:
        return error
    names = ", ".join(proposal.requires)
    return ProposalError(
        f"{error}; {proposal.id} needs {names}: accept that first, or rebase it if that is not "
        "wanted (`macla proposals rebase`)"
    )
