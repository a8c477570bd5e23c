"""The comments of YAML files: their places, and the merge of two sides' changes.

A comment belongs to the entry (a key or a list's item) that begins on its line or next
below it. Entries have the same paths in files of the same content, whatever their layout.
So comments are merged by their entries and not by the lines around them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import yaml

from .yaml_io import Loader, decode, load_yaml

_Path = tuple[str | int, ...]
_END: _Path = ()
"""Place of comments that no entry follows."""


def compose(text: str) -> yaml.Node:
    """Return the nodes of a YAML text that holds a document."""
    loader = Loader(text)
    try:
        root: yaml.Node = loader.get_single_node()
        return root
    finally:
        loader.dispose()


def comment_spans(text: str, root: yaml.Node) -> Iterator[tuple[int, int]]:
    """Yield the spans of all comments: a ``#`` after a space, outside every scalar."""
    at = 0
    for start, end in [*sorted(_scalars(text, root)), (len(text), len(text))]:
        while (mark := text.find("#", at, start)) >= 0:
            stop = _line_end(text, mark)
            if mark == 0 or text[mark - 1].isspace():
                yield mark, mark + len(text[mark:stop].rstrip())
            at = stop
        at = max(at, end)


def merge_comments(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Return ``ours`` with the changes of ``theirs`` to the comments of ``base``.

    A new comment goes on a line of its own above its entry, below the comments there. All
    three files have the same content; ``base`` may be empty.
    """
    our_page, their_page = _Page(decode(ours)), _Page(decode(theirs))
    base_count = Counter(_Page(decode(base)).comments() if base else ())
    our_count, their_count = Counter(our_page.comments()), Counter(their_page.comments())
    additions = our_page.additions(
        _counted_comments(
            their_page.comments(), (their_count - base_count) - (our_count - base_count)
        )
    )
    removals = our_page.removals(base_count - their_count)
    result = our_page.edited([*additions, *removals]).encode()
    if load_yaml(result) == load_yaml(ours):
        return result
    # Without a comment, blank lines below it may join the text above; then the comment stays.
    return our_page.edited(additions).encode()


@dataclass(frozen=True, slots=True)
class _Comment:
    """A comment's text, and the path of its entry."""

    place: _Path
    text: str


_Edit = tuple[int, int, str]
"""A span, and its new text."""


class _Page:
    """One text, with the starts of its entries and its comments."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        root = compose(text)
        self.entries = list(_entries(root, ()))
        self.starts = {path: start for start, path in self.entries}
        self.spans = list(comment_spans(text, root))

    def comments(self) -> list[_Comment]:
        """Return the comments in the order of the text."""
        return [_Comment(self._place(start), self.text[start:end]) for start, end in self.spans]

    def _place(self, at: int) -> _Path:
        line = _line_start(self.text, at)
        index = bisect_left(self.entries, line, key=lambda entry: entry[0])
        return self.entries[index][1] if index < len(self.entries) else _END

    def additions(self, comments: Iterable[_Comment]) -> list[_Edit]:
        """Return the edits that put comments above their entries."""
        edits = []
        for comment in comments:
            at, indent = self._above(comment.place)
            edits.append((at, at, f"{indent}{comment.text}{self.newline}"))
        return edits

    def _above(self, path: _Path) -> tuple[int, str]:
        """Return the start of the line above an entry (or its outer one), and its indent."""
        while path:
            if (start := self.starts.get(path)) is not None:
                line = _line_start(self.text, start)
                lead = self.text[line:start]
                if not lead.strip(" -"):
                    return line, lead[: len(lead) - len(lead.lstrip())]
            path = path[:-1]
        # Without a final line break, the comment would join the last text.
        return (len(self.text) if self.text.endswith("\n") else 0), ""

    def removals(self, comments: Counter[_Comment]) -> list[_Edit]:
        """Return the edits that remove comments, with their lines where nothing else is there."""
        remaining = comments.copy()
        edits = []
        for (start, end), comment in zip(self.spans, self.comments(), strict=True):
            if remaining[comment] > 0:
                remaining[comment] -= 1
                line = _line_start(self.text, start)
                lead = self.text[line:start].rstrip()
                edits.append(
                    (line + len(lead), end, "") if lead else (line, _line_end(self.text, end), "")
                )
        return edits

    def edited(self, edits: Iterable[_Edit]) -> str:
        """Return the text with edits that do not overlap."""
        parts: list[str] = []
        at = 0
        for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
            parts += [self.text[at:start], new]
            at = end
        return "".join([*parts, self.text[at:]])


def _counted_comments(
    comments: Iterable[_Comment], counts: Counter[_Comment]
) -> Iterator[_Comment]:
    """Yield each comment as often as counted, in order."""
    remaining = counts.copy()
    for comment in comments:
        if remaining[comment] > 0:
            remaining[comment] -= 1
            yield comment


def _entries(node: yaml.Node, path: _Path) -> Iterator[tuple[int, _Path]]:
    """Yield the start and path of each entry in the order of the text, outer ones first."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield key.start_mark.index, (*path, key.value)
            yield from _entries(value, (*path, key.value))
    elif isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield item.start_mark.index, (*path, number)
            yield from _entries(item, (*path, number))


def _scalars(text: str, node: yaml.Node) -> Iterator[tuple[int, int]]:
    """Yield the spans of scalars, in which a ``#`` is part of a text."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _scalars(text, key)
            yield from _scalars(text, value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _scalars(text, item)
    elif isinstance(node, yaml.ScalarNode):
        start, end = node.start_mark.index, node.end_mark.index
        end = start + len(text[start:end].rstrip())
        if node.style in ("|", ">"):  # a comment may stand behind the sign
            start = min(_line_end(text, start), end)
        yield start, end


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_end(text: str, at: int) -> int:
    """Return the index after the line break that ends the line of ``at``."""
    index = text.find("\n", at)
    return len(text) if index < 0 else index + 1
