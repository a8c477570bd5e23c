"""A semantic diff as lines of words, to be coloured by whoever prints them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from ..common.invisible_characters import visible
from .changes import Change, DocumentDiff, LibraryDiff, Side

Style: TypeAlias = Literal["heading", "added", "removed", "changed", "moved", "note"]

_MARKS: Final = {"added": "+", "removed": "-", "changed": "~", "moved": ">"}
_ONE_AT_MOST: Final = {"when", "unless", "until", "at_most", "continue", "skip", "repeat", "abort"}
"""Sections of a step or place that say one thing or nothing."""
_LONGEST: Final = 400
"""Longest side (characters) that is shown whole."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line.

    Attributes:
        text: What to print, without colour.
        style: What it says: a heading, an addition, ...
        indent: How deep it stands, from 0.
    """

    text: str
    style: Style
    indent: int = 0

    def __str__(self) -> str:
        return "  " * self.indent + self.text


def library_lines(diff: LibraryDiff) -> Iterator[Line]:
    """Say how two libraries differ."""
    for index, document in enumerate(diff):
        if index:
            yield Line("", "note")
        yield from document_lines(document)


def document_lines(diff: DocumentDiff) -> Iterator[Line]:
    """Say how two versions of a document differ."""
    yield Line(_heading(diff), "heading")
    if diff.version_forgotten:
        yield Line("the behaviour changed, but the version did not rise", "note", 1)
    section = ""
    for change in diff.changes:
        if change.section == "version":
            continue
        if change.section == "types":
            section = ""
            mark, side = _MARKS[change.action], change.after or change.before
            words = f"type {visible(change.subject)}: {mark} {_side_text(side)}"
            yield Line(words, change.action, 1)
            continue
        if change.section != section:
            section = change.section
            yield Line(section, "heading", 1)
        yield Line(f"{_MARKS[change.action]} {_change_text(change)}", change.action, 2)
        lines = _part_lines if change.action in ("added", "removed") else _detail_lines
        for detail in change.details:
            yield from lines(detail, 4)


def _heading(diff: DocumentDiff) -> str:
    name = f"{diff.kind} {diff.id}".strip()
    if diff.action != "changed":
        return f"{visible(name)}: {diff.action}"
    if diff.old_version != diff.new_version:
        return f"{visible(name)}: version {diff.old_version} → {diff.new_version}"
    return f"{visible(name)}: changed"


def _change_text(change: Change) -> str:
    subject = visible(change.subject)
    if change.section in ("steps", "plan"):
        return _place_text(change)
    lead = f"{subject}: " if subject else ""
    if change.details:
        return subject
    if change.action == "moved":
        return f"{lead}order is now {_side_text(change.after)}"
    if change.before is not None and change.after is not None:
        return f"{lead}{_side_text(change.before)} → {_side_text(change.after)}"
    return lead + _side_text(change.before or change.after)


def _place_text(change: Change) -> str:
    if change.action == "moved":
        return (
            f"{change.new_place}. {visible(change.subject)} (moved here from {change.old_place}.)"
        )
    if change.action == "changed":
        place = f"{change.new_place}."
        if change.old_place != change.new_place:
            place += f" (was {change.old_place}.)"
        return f"{place} {visible(change.subject)}"
    place_number = change.new_place if change.action == "added" else change.old_place
    if change.details:
        return f"{place_number}. {visible(change.subject)}"
    return f"{place_number}. {_side_text(change.after or change.before)}"


def _part_lines(change: Change, indent: int) -> Iterator[Line]:
    """Say one thing that stands in what came or went as a whole."""
    lead = f"{visible(change.section)}: " if change.section else ""
    yield Line(f"{lead}{_side_text(change.after or change.before)}", change.action, indent)


def _detail_lines(change: Change, indent: int) -> Iterator[Line]:
    name = " ".join(visible(part) for part in (change.section, change.subject) if part)
    lead = f"{name}: " if name else ""
    both = change.before is not None and change.after is not None
    if both and change.action == "changed":
        yield Line(f"{lead}- {_side_text(change.before)}", "removed", indent)
        yield Line(f"{' ' * len(lead)}+ {_side_text(change.after)}", "added", indent)
        return
    verb = {"added": "now also", "removed": "no longer", "moved": "order is now"}[change.action]
    if change.section in _ONE_AT_MOST:
        verb = {"added": "now", "removed": "no longer"}[change.action]
    side = change.before if change.action == "removed" else change.after
    yield Line(f"{lead}{verb} {_side_text(side)}", change.action, indent)


def _side_text(side: Side | None) -> str:
    text = visible("" if side is None else side.said).replace("\n", " ")
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}"
