"""The parts of a semantic diff: changes of a document, and documents of a library."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from ..documents.plain_data import NOT_BEHAVIOUR

Action: TypeAlias = Literal["added", "removed", "changed", "moved"]

_SAME: Final = frozenset({"id", *NOT_BEHAVIOUR})
"""Sections of a document that may change without a change of behaviour."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a change.

    Attributes:
        text: As it stands in the file.
        words: As one says it; the same as ``text`` where that is plain enough.
    """

    text: str
    words: str = ""

    @property
    def said(self) -> str:
        """The words, or the text where there are none."""
        return self.words or self.text

    def to_document(self) -> dict[str, str]:
        """Return the side for JSON."""
        return {"text": self.text, "words": self.said}


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is different.

    Attributes:
        section: The key of the document below which it stands: goal, steps, plan, ...
        action: ``added``, ``removed``, ``changed`` or ``moved``.
        subject: What it is about: a parameter's name, a step's action; empty for the
            section itself.
        before: What stood there, or None.
        after: What stands there now, or None.
        old_place: Place in the old list, from 1, where order matters.
        new_place: Place in the new list, from 1.
        details: What is different inside it.
    """

    section: str
    action: Action
    subject: str = ""
    before: Side | None = None
    after: Side | None = None
    old_place: int | None = None
    new_place: int | None = None
    details: tuple[Change, ...] = ()

    def to_document(self) -> dict[str, Any]:
        """Return the change for JSON; keys without a value are left out."""
        document: dict[str, Any] = {"section": self.section, "action": self.action}
        if self.subject:
            document["subject"] = self.subject
        for name in ("before", "after"):
            side: Side | None = getattr(self, name)
            if side is not None:
                document[name] = side.to_document()
        for name in ("old_place", "new_place"):
            place: int | None = getattr(self, name)
            if place is not None:
                document[name] = place
        if self.details:
            document["details"] = [detail.to_document() for detail in self.details]
        return document


@dataclass(frozen=True, slots=True)
class DocumentDiff:
    """How two versions of one document differ.

    Attributes:
        kind: procedure, meta, program, ontology or library.
        id: Its id; empty for the two documents that have none.
        action: ``added`` (there is no old one), ``removed`` or ``changed``.
        changes: What is different, in the order of the document's keys.
        old_version: Version of the old one, or None.
        new_version: Version of the new one, or None.
    """

    kind: str
    id: str
    action: Literal["added", "removed", "changed"]
    changes: tuple[Change, ...]
    old_version: int | None = None
    new_version: int | None = None

    def __bool__(self) -> bool:
        return self.action != "changed" or bool(self.changes)

    @property
    def behaviour(self) -> bool:
        """Whether an agent would act differently."""
        return any(change.section not in _SAME for change in self.changes)

    @property
    def version_forgotten(self) -> bool:
        """Whether the behaviour of a versioned document changed and its version did not rise."""
        if self.action != "changed" or self.kind not in ("procedure", "meta", "program"):
            return False
        return self.behaviour and (self.new_version or 0) <= (self.old_version or 0)

    def to_document(self) -> dict[str, Any]:
        """Return the diff for JSON."""
        return {
            "kind": self.kind,
            "id": self.id,
            "action": self.action,
            "old_version": self.old_version,
            "new_version": self.new_version,
            "behaviour": self.behaviour,
            "version_forgotten": self.version_forgotten,
            "changes": [change.to_document() for change in self.changes],
        }


@dataclass(frozen=True, slots=True)
class LibraryDiff:
    """How two libraries differ.

    Attributes:
        documents: The documents that differ: settings, ontology, procedures, plans, programs.
        same: How many do not differ.
    """

    documents: tuple[DocumentDiff, ...]
    same: int = 0

    def __bool__(self) -> bool:
        return bool(self.documents)

    def __iter__(self) -> Iterator[DocumentDiff]:
        return iter(self.documents)

    def to_document(self) -> dict[str, Any]:
        """Return the diff for JSON."""
        return {
            "same": self.same,
            "documents": [document.to_document() for document in self.documents],
        }
