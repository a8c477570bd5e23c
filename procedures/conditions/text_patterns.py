r"""Patterns inside conditions: text, ``*``, and ``{parameter}``.

A pattern is plain text in which ``*`` stands for any run of text and ``{name}`` for
a parameter's value. ``\*``, ``\{`` and ``\\`` are the characters themselves; a
backslash before anything else is only a backslash. A *template* (the ``do`` of a
step) is the same without the wildcard.

Matching ignores case and differences of whitespace, and compares whole sentences.
Where a parameter stands beside a ``*``, its value must be a whole phrase:
``*{x}*`` with ``mug 1`` does not match ``You see a mug 10.``.

Text of a game is data: nothing here builds a regular expression or a format string
from it. A pattern is matched by searching its literal segments from left to right,
which cannot backtrack.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from ..common.errors import ConditionError
from ..common.text import REMEMBERED, fold_space

_NAME = re.compile(r"\{([A-Za-z0-9_]{1,40})\}")
_SPECIAL = re.compile(r"[\\*{]")
_ESCAPED = re.compile(r"\\([\\*{])")
_ESCAPED_OR_NAME = re.compile(r"\\[\\*{]|\{([A-Za-z0-9_]{1,40})\}")
_CACHEABLE = 400
"""Longest text (characters) whose normal form is cached; it bounds memory."""


@dataclass(frozen=True, slots=True)
class _Hole:
    """A parameter, or, without a name, the wildcard."""

    name: str | None


_STAR = _Hole(None)
_Piece: TypeAlias = str | _Hole


def _normalise(text: str) -> str:
    return fold_space(text).casefold()


_normalise_short = lru_cache(maxsize=REMEMBERED)(_normalise)


def normalise(text: str) -> str:
    """Return the normal form of a text for matching: case-folded, with single spaces."""
    return _normalise_short(text) if len(text) <= _CACHEABLE else _normalise(text)


def escape(text: str) -> str:
    """Return the pattern (or template) that matches exactly this text."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def unescape(text: str) -> str:
    """Return the text that a pattern without parameters and wildcards matches."""
    return _ESCAPED.sub(r"\1", text)


def quoted(pattern: str) -> str:
    """Return a pattern as a condition writes it: a literal of JSON."""
    return json.dumps(pattern, ensure_ascii=False)


def renamed(pattern: str, names: Mapping[str, str]) -> str:
    """Replace parameters by other patterns; escapes stay.

    >>> renamed("put {x} on {y}", {"x": "{thing}", "y": "*"})
    'put {thing} on *'
    """
    return _ESCAPED_OR_NAME.sub(
        lambda match: match[0] if match[1] is None else names.get(match[1], match[0]), pattern
    )


def _pieces(text: str, *, wildcard: bool) -> tuple[_Piece, ...]:
    """Cut a pattern into literals, parameters and wildcards; neighbours are merged."""
    pieces: list[_Piece] = []
    literal: list[str] = []
    position = 0
    while (special := _SPECIAL.search(text, position)) is not None:
        start = special.start()
        literal.append(text[position:start])
        character = text[start]
        position = start + 1
        if character == "\\":
            if text[position : position + 1] in ("*", "{", "\\"):
                literal.append(text[position])
                position += 1
            else:
                literal.append("\\")
            continue
        if character == "*" and not wildcard:
            literal.append("*")
            continue
        hole = _STAR
        if character == "{":
            name = _NAME.match(text, start)
            if name is None:
                raise ConditionError(
                    "'{' does not begin a parameter such as {x}",
                    text=text if len(text) <= 300 else f"{text[:300]}...",
                    column=start + 1,
                    hint=r"write \{ for a brace that is only text",
                )
            hole = _Hole(name[1])
            position = name.end()
        if joined := "".join(literal):
            pieces.append(joined)
        literal.clear()
        if not (hole == _STAR and pieces and pieces[-1] == _STAR):
            pieces.append(hole)
    literal.append(text[position:])
    if joined := "".join(literal):
        pieces.append(joined)
    return tuple(pieces)


def _canonical(pieces: tuple[_Piece, ...]) -> str:
    return "".join(
        escape(piece) if isinstance(piece, str) else f"{{{piece.name}}}" if piece.name else "*"
        for piece in pieces
    )


def _names(pieces: tuple[_Piece, ...]) -> tuple[str, ...]:
    names = (piece.name for piece in pieces if isinstance(piece, _Hole))
    return tuple(dict.fromkeys(name for name in names if name is not None))


@dataclass(frozen=True, slots=True)
class Pattern:
    """A parsed pattern.

    Attributes:
        text: The pattern in its canonical spelling; two patterns are equal when these are.
        names: Its parameters, in order of first use, each once.
    """

    text: str
    names: tuple[str, ...] = field(compare=False, repr=False)

    @staticmethod
    def parse(text: str) -> Pattern:
        """Parse a pattern; raises ConditionError for a stray ``{``."""
        return _parsed(text, True)

    @staticmethod
    def from_template(template: str) -> Pattern:
        """Return the pattern of an action template, in which ``*`` is only a character."""
        return _parsed(template, False)

    def bind(self, bindings: Mapping[str, str], *, contains: bool = False) -> Matcher:
        """Return the matcher under these bindings; an unbound parameter is a wildcard.

        With ``contains`` it matches anywhere in a text, from word edge to word edge.
        """
        names = self.names
        if not names:
            return _matcher(self.text, (), contains)
        if len(names) == 1:
            return _matcher(self.text, (bindings.get(names[0]),), contains)
        return _matcher(self.text, tuple([bindings.get(name) for name in names]), contains)

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=16_384)
def _parsed(text: str, wildcard: bool) -> Pattern:
    pieces = _pieces(text, wildcard=wildcard)
    return Pattern(_canonical(pieces), _names(pieces))


@lru_cache(maxsize=4_096)
def _template(text: str) -> tuple[tuple[_Piece, ...], tuple[str, ...]]:
    pieces = _pieces(text, wildcard=False)
    return pieces, _names(pieces)


def template_parameters(template: str) -> tuple[str, ...]:
    """Return the parameters of an action template, in order of first use, each once.

    Raises:
        ConditionError: A ``{`` begins no parameter.
    """
    return _template(template)[1]


def frame_of(template: str) -> tuple[str, tuple[str, ...]]:
    """Return an action template's frame, as actions have it, and the parameters in its slots.

    >>> frame_of("Put {x} on {y}")
    ('put {0} on {1}', ('x', 'y'))
    """
    names = template_parameters(template)
    order = {name: f"{{{index}}}" for index, name in enumerate(names)}
    return normalise(renamed(template, order)), names


def instantiate(template: str, bindings: Mapping[str, str]) -> str | None:
    """Fill an action template in one pass, or return None where a parameter is unbound.

    Values are inserted as they are: braces in them are never read again.

    Raises:
        ConditionError: A ``{`` begins no parameter.
    """
    parts: list[str] = []
    for piece in _template(template)[0]:
        if isinstance(piece, str):
            parts.append(piece)
            continue
        value = bindings.get(piece.name or "")
        if value is None:
            return None
        parts.append(value)
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class _Segment:
    """Literal text between wildcards; ``left`` and ``right`` require a word edge there."""

    text: str
    left: bool = False
    right: bool = False


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _find(text: str, segment: _Segment, start: int, end: int) -> int:
    """Return the leftmost place of a segment in text[start:end] that keeps its edges, or -1."""
    size = len(segment.text)
    while (at := text.find(segment.text, start, end)) >= 0:
        after = at + size
        left_free = not segment.left or at == 0 or not _is_word(text[at - 1])
        if left_free and (not segment.right or after >= len(text) or not _is_word(text[after])):
            return at
        start = at + 1
    return -1


class Matcher:
    """A pattern under bindings, ready to be compared with normalised texts.

    Attributes:
        shown: The pattern with its values, for messages.
        open: Whether a parameter was unbound, so that a match proves nothing.
    """

    __slots__ = ("_exact", "_middle", "_prefix", "_suffix", "open", "shown")

    def __init__(
        self, segments: list[_Segment], display: str, *, is_open: bool, contains: bool
    ) -> None:
        self.shown = display
        self.open = is_open
        self._exact: str | None = None
        self._prefix = self._suffix = _Segment("")
        middle = segments
        if not contains:
            if len(segments) == 1:
                self._exact = segments[0].text
            else:
                self._prefix, *middle, self._suffix = segments
        self._middle = tuple(segment for segment in middle if segment.text)

    def matches(self, text: str) -> bool:
        """Tell whether a text, already in the form of :func:`normalise`, matches."""
        if self._exact is not None:
            return text == self._exact
        prefix, suffix = self._prefix, self._suffix
        if not text.startswith(prefix.text) or not text.endswith(suffix.text):
            return False
        start, end = len(prefix.text), len(text) - len(suffix.text)
        if end < start:
            return False
        if prefix.right and start < len(text) and _is_word(text[start]):
            return False
        if suffix.left and end > 0 and _is_word(text[end - 1]):
            return False
        for segment in self._middle:
            at = _find(text, segment, start, end)
            if at < 0:
                return False
            start = at + len(segment.text)
        return True


@lru_cache(maxsize=REMEMBERED)
def _matcher(text: str, values: tuple[str | None, ...], contains: bool) -> Matcher:
    """Compile a canonical pattern under the values of its names."""
    pieces = _pieces(text, wildcard=True)
    value_by_name = dict(zip(_names(pieces), values, strict=True))
    groups: list[list[tuple[str, bool]]] = [[]]
    shown_parts: list[str] = []
    is_open = False
    for piece in pieces:
        if isinstance(piece, str):
            groups[-1].append((piece, False))
            shown_parts.append(piece)
            continue
        value = value_by_name[piece.name] if piece.name else None
        if value is None:
            is_open = is_open or piece.name is not None
            groups.append([])
            shown_parts.append(f"{{{piece.name}}}" if piece.name else "*")
        elif joined := fold_space(value):
            groups[-1].append((joined, True))
            shown_parts.append(joined)
    last = len(groups) - 1
    segments = [
        _segment(group, first=index == 0, last=index == last, contains=contains)
        for index, group in enumerate(groups)
    ]
    return Matcher(segments, "".join(shown_parts), is_open=is_open, contains=contains)


def _segment(group: list[tuple[str, bool]], *, first: bool, last: bool, contains: bool) -> _Segment:
    """Join the literals and values between two wildcards, spaces collapsed."""
    raw = "".join(text for text, _ in group)
    joined = fold_space(raw)
    if not joined:
        return _Segment(" " if raw and not first and not last else "")
    # A space beside a wildcard counts; one at the very start or end of a pattern does not.
    if raw[0].isspace() and not first:
        joined = f" {joined}"
    if raw[-1].isspace() and not last:
        joined = f"{joined} "
    joined = joined.casefold()
    left = _is_word(joined[0]) and (group[0][1] or (contains and first))
    right = _is_word(joined[-1]) and (group[-1][1] or (contains and last))
    return _Segment(joined, left, right)
