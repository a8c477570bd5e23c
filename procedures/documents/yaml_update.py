"""Change a YAML file that people edited, touching only the lines that must change.

Only nodes whose value changes are written anew. Everything else (comments, order, quoting,
blank lines) stays byte for byte. A comment inside a removed part moves to its own line at
that place. The result is read back and compared; if it differs from the document, the
whole file is written anew below its comments.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import yaml

from ..common.errors import SchemaError
from .yaml_comments import comment_spans, compose
from .yaml_dump import block_lines, dump_yaml, flow, scalar
from .yaml_io import decode, load_yaml

Canonical = Callable[[Any], Any]


def updated(
    data: bytes,
    document: Mapping[str, Any],
    canonical: Canonical | None = None,
    *,
    file: Path | None = None,
) -> bytes:
    """Return a file's bytes changed so that they hold ``document``.

    Args:
        data: The file.
        document: The new content, with keys in the order for new ones.
        canonical: Converts a file's content to the spelling of ``document``, where there are
            several spellings.
        file: Its path, for errors.

    Raises:
        SchemaError: The file cannot be read.
    """
    spell = canonical or (lambda value: value)
    old = spell(load_yaml(data, file))
    if old == document:
        return data
    text = decode(data, file)
    editor = _Editor(text)
    try:
        editor.change(editor.root, old, document, _Place(0, 0, 0))
        result = editor.result().encode()
        if spell(load_yaml(result)) == document:
            return result
    except (SchemaError, _CannotEdit):
        pass
    comments = "".join(f"{text[start:end]}\n" for start, end in editor.comments)
    return (comments + dump_yaml(document)).encode()


class _CannotEdit(Exception):  # noqa: N818  # never leaves this module
    """The text has a layout that cannot be edited in place."""


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a node: the start of its entry, and the indentation around and inside."""

    entry: int
    around: int
    inside: int


def _end(node: yaml.Node) -> int:
    """Return the index after a node's last character; libyaml's own mark runs on too far."""
    if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        return _end(node.value[-1][1])
    if isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value:
        return _end(node.value[-1])
    return int(node.end_mark.index)


def _start(node: yaml.Node) -> int:
    return int(node.start_mark.index)


def _is_flow(node: yaml.Node) -> bool:
    return isinstance(node, yaml.CollectionNode) and bool(node.flow_style)


class _Editor:
    """One text, its nodes and comments, and the edits to make."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.root = compose(text)
        self.comments = list(comment_spans(text, self.root))
        self.edits: list[tuple[int, int, int, str]] = []  # start, end, order of making, new text

    def _span(self, node: yaml.Node) -> tuple[int, int]:
        """Return a node's first index and the one after its last, without trailing space."""
        start, end = _start(node), _end(node)
        return start, start + len(self.text[start:end].rstrip())

    def _line_start(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def _line_end(self, at: int) -> int:
        """Return the index after the line break that ends the line of ``at``."""
        index = self.text.find("\n", at)
        return len(self.text) if index < 0 else index + 1

    def _edit(self, start: int, end: int, new: str) -> None:
        self.edits.append((start, end, len(self.edits), new))

    def _keep_comments(self, start: int, end: int, at: int, indent: int) -> None:
        """Put the comments of a removed span on lines of their own at ``at``."""
        for first, last in self.comments:
            if start <= first < end:
                self._edit(at, at, f"{' ' * indent}{self.text[first:last]}{self.newline}")

    def change(self, node: yaml.Node, old: Any, new: Any, place: _Place) -> None:
        """Note the edits that change ``node`` from the value ``old`` to ``new``."""
        if _same(old, new):
            return
        mark = len(self.edits)
        try:
            if isinstance(node, yaml.MappingNode) and _are(dict, old, new):
                self._change_mapping(node, old, new)
                return
            if isinstance(node, yaml.SequenceNode) and _are(list, old, new):
                self._change_sequence(node, old, new)
                return
        except _CannotEdit:
            del self.edits[mark:]
        self._replace(node, new, place)

    def _change_mapping(
        self, node: yaml.MappingNode, old: dict[str, Any], new: dict[str, Any]
    ) -> None:
        entries = {key.value: (key, value) for key, value in node.value}
        removed_names = [name for name in entries if name in old and name not in new]
        new_names = [name for name in new if name not in entries]
        if not new or old.keys() - entries.keys():
            raise _CannotEdit
        if _is_flow(node) and (removed_names or new_names):
            raise _CannotEdit
        first, _ = node.value[0]
        indent = int(first.start_mark.column)
        own_line = self.text[self._line_start(_start(first)) : _start(first)].isspace()
        if not own_line and indent and node.value and first.value in removed_names:
            raise _CannotEdit  # the first key shares its line with a dash
        for name, (key, value) in entries.items():
            if name in removed_names:
                start = self._line_start(_start(key))
                end = self._line_end(self._span(value)[1])
                self._keep_comments(start, end, start, indent)
                self._edit(start, end, "")
            elif name in new and (name not in old or not _same(old[name], new[name])):
                place = _Place(_start(key), indent, indent + 2)
                self.change(value, old.get(name), new[name], place)
        order = list(new)
        for name in new_names:
            earlier_names = [other for other in order[: order.index(name)] if other in entries]
            anchor = entries[earlier_names[-1]][1] if earlier_names else None
            lines = block_lines({name: new[name]})
            text = "".join(f"{' ' * indent}{line}{self.newline}" for line in lines)
            if anchor is None and (own_line or not indent):
                at = self._line_start(_start(first))
            else:
                at = self._line_end(self._span(anchor or node.value[0][1])[1])
            self._insert_lines(at, text)

    def _insert_lines(self, at: int, text: str) -> None:
        if at == len(self.text) and self.text and not self.text.endswith("\n"):
            text = self.newline + text.removesuffix(self.newline)
        self._edit(at, at, text)

    def _change_sequence(self, node: yaml.SequenceNode, old: list[Any], new: list[Any]) -> None:
        items = node.value
        if not new or len(items) != len(old):
            raise _CannotEdit
        if _is_flow(node):
            if len(old) != len(new):
                raise _CannotEdit
            for item, before, after in zip(items, old, new, strict=True):
                self.change(item, before, after, _Place(_start(item), 0, 0))
            return
        indent = int(node.start_mark.column)
        matcher = SequenceMatcher(None, [_key(v) for v in old], [_key(v) for v in new], False)
        for _, old_from, old_to, new_from, new_to in matcher.get_opcodes():
            shared = min(old_to - old_from, new_to - new_from)
            for step in range(shared):
                item = items[old_from + step]
                place = _Place(_start(item), indent, indent + 2)
                self.change(item, old[old_from + step], new[new_from + step], place)
            for item in items[old_from + shared : old_to]:
                start = self._dash_line(item)
                end = self._line_end(self._span(item)[1])
                self._keep_comments(start, end, start, indent)
                self._edit(start, end, "")
            new_items = new[new_from + shared : new_to]
            if new_items:
                text = "".join(
                    f"{' ' * indent}{line}{self.newline}" for line in block_lines(new_items)
                )
                follower = old_from + shared
                if follower == 0:
                    self._edit(self._dash_line(items[0]), self._dash_line(items[0]), text)
                else:
                    at = self._line_end(self._span(items[follower - 1])[1])
                    self._insert_lines(at, text)

    def _dash_line(self, item: yaml.Node) -> int:
        """Return the start of the line on which an item and its own dash stand alone."""
        start = self._line_start(_start(item))
        lead = self.text[start : _start(item)]
        if lead.strip() != "-":
            raise _CannotEdit
        return start

    def _replace(self, node: yaml.Node, new: Any, place: _Place) -> None:
        start, end = self._span(node)
        entry_line = self._line_start(place.entry)
        lead = self.text[entry_line : place.entry]
        self._keep_comments(start, end, entry_line, len(lead) - len(lead.lstrip()))
        before = self.text[start - 1 : start]
        gap = "" if not before or before.isspace() or before in "[{" else " "
        within_flow = place.inside == 0 and node is not self.root
        if not isinstance(new, dict | list) or not new:
            text = gap + (flow(new) if within_flow else _on_one_line(new))
        elif within_flow or _is_flow(node):
            text = gap + flow(new)
        else:
            same_line = self.text[self._line_start(start) : start].strip() not in ("", "-")
            indent = place.inside if same_line else int(node.start_mark.column)
            lines = list(block_lines(new))
            if isinstance(new, dict) and indent <= place.around and node is not self.root:
                raise _CannotEdit
            joint = self.newline + " " * indent
            text = (joint if same_line else "") + joint.join(lines)
            if same_line and before == " ":
                start -= 1
        self._edit(start, end, text)

    def result(self) -> str:
        """Return the text with all edits made."""
        parts: list[str] = []
        at = 0
        for start, end, _, new in sorted(self.edits):
            if start < at:
                raise _CannotEdit  # two edits overlap
            parts += [self.text[at:start], new]
            at = end
        return "".join([*parts, self.text[at:]])


def _on_one_line(value: Any) -> str:
    """Return the text of a value that fits one line: a scalar, ``[]`` or ``{}``."""
    return flow(value) if isinstance(value, dict | list) else scalar(value)


def _are(kind: type[Any], *values: Any) -> bool:
    return all(isinstance(value, kind) for value in values)


def _same(left: Any, right: Any) -> bool:
    return _key(left) == _key(right)


def _key(value: Any) -> str:
    """Return a text that is equal for equal values and distinguishes true from 1."""
    return json.dumps(value)
