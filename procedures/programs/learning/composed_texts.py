"""Texts that nobody said, composed of what was said: constants and values, each written anew.

All texts that fit are searched for at once. A state says how far each of the shown texts is
composed; a constant or a value, which has to stand there in all of them, leads to the next. The
shortest description is meant. What fits as well is kept, so that the program can ask.
"""

from __future__ import annotations

import heapq
import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...episodes.history import History
from ..sources import Base, Line, Piece, Written, candidates
from ..value_notation import Writing, writings_of
from .occurrences import Occurrence

__all__ = ["learn_text", "written_texts"]

_MOST = 40
"""Occurrences on which a text is looked for."""
_LEAST = 3
"""Different texts from which it is no chance that all are composed in one way."""
_FEWEST = 2
"""The same of what a table writes."""
_EVIDENCE = 16.0
"""Bits that what a piece writes has to say, so that none of some thousand others fits by chance."""
_LETTER = 3.3
"""Bits of a letter or figure, at least."""
_TABLE_EVIDENCE = 10.0
"""The same of a table, of which there are some hundred: bits of what its keys say once more."""
_PIECE_BITS = 4.0
"""Of a piece: which of some sixteen sources it is of."""
_LINE_BITS = 2.0
"""What a whole line costs more: a field of it says more clearly what is meant."""
_CONSTANT_BITS = 3.0
"""Of a constant, apart from its letters: less than a piece, which has to be explained."""
_LETTER_BITS = 0.5
"""What a letter of a constant costs: little, as an operator's words cost nothing."""
_AS_GOOD = 4.0
"""Bits by which a rival may be longer: a step more to write a value, and no table."""
_MOST_RIVALS = 4
"""Pieces that are kept, the first with its rivals: more nobody reads."""
_MOST_STATES = 300
"""States that are looked at."""
_MOST_WAYS = 3
"""Ways to a state that are followed."""
_MOST_TABLE_WORDS = 3
"""Words that a table writes."""
_LOOKED_AHEAD = 200
"""Characters in which these are looked for."""
_TOKEN = re.compile(r"\w+|\W")


@dataclass(frozen=True, slots=True)
class _Column:
    """What a piece writes in each text, and the pieces that do so, the shortest first."""

    texts: tuple[str, ...]
    pieces: tuple[tuple[float, Piece], ...]

    @property
    def bits(self) -> float:
        return self.pieces[0][0]


def written_texts(
    index: int, occurrences: Sequence[Occurrence], bases: Iterable[Base]
) -> Iterator[Written]:
    """Yield the source that composes an argument, if one does.

    Args:
        index: Of the argument.
        occurrences: Calls; what is composed is not said before them.
        bases: Sources of what it may be made of.
    """
    shown = occurrences[:: max(1, -(-len(occurrences) // _MOST))]
    texts = [occurrence.arguments[index] for occurrence in shown]
    if len(set(texts)) < _FEWEST:
        return
    histories = [occurrence.history for occurrence in shown]
    values: dict[Base, tuple[str, ...]] = {}
    for base in bases:
        column = _values(base, texts, histories)
        if column is not None:
            values[base] = column
    found = learn_text(values, texts)
    if found is not None:
        yield found


def _values(
    base: Base, texts: Sequence[str], histories: Sequence[History]
) -> tuple[str, ...] | None:
    """Return what a source gives each time; of several values, the one that the text holds."""
    out: list[str] = []
    for text, history in zip(texts, histories, strict=True):
        given = candidates(base, history)
        given = given if len(given) == 1 else [each for each in given if each in text]
        if len(given) != 1:
            return None
        out += given
    return tuple(out)


def learn_text(values: Mapping[Base, Sequence[str]], texts: Sequence[str]) -> Written | None:
    """Return the shortest way to compose all texts, and what fits as well; None if none does.

    Args:
        values: Source → what it gives for each text.
        texts: What was written.
    """
    if len(set(texts)) < _FEWEST:
        return None
    varied = {base: given for base, given in values.items() if len(set(given)) > 1}
    columns = _columns(varied, texts) if len(set(texts)) >= _LEAST else []
    tables = {base: given for base, given in varied.items() if _may_be_keys(given)}
    way = _Search(texts, columns, tables).shortest()
    if not way or all(isinstance(part, str) for part in way):
        return None
    return Written(tuple(p if isinstance(p, str) else _as_good(p, varied) for p in way))


def _as_good(column: _Column, values: Mapping[Base, Sequence[str]]) -> tuple[Piece, ...]:
    """Return the shortest piece of a column, and those that fit as well and may differ from it.

    Sources that gave the same each time are one. What is written just as it is said has no rival,
    as no source has one elsewhere; nor has a table, which is asked for each value that is new.
    """
    first = column.pieces[0][1]
    if first.writing == Writing() or first.writing.table:
        return (first,)
    given: dict[tuple[tuple[str, ...], Writing], Piece] = {}
    for bits, piece in column.pieces:
        if bits <= column.bits + _AS_GOOD and not piece.writing.table:
            given.setdefault((tuple(values[piece.base]), piece.writing), piece)
    return tuple(given.values())[:_MOST_RIVALS]


def _columns(values: Mapping[Base, Sequence[str]], texts: Sequence[str]) -> list[_Column]:
    """Return what may stand in all texts, each with the pieces that write it."""
    pieces: dict[tuple[str, ...], dict[Piece, float]] = defaultdict(dict)
    written: dict[tuple[str, ...], list[tuple[Writing, tuple[str, ...]]]] = {}
    for base, given in values.items():
        values_given = tuple(given)
        if values_given not in written:  # many sources give the same
            written[values_given] = list(_ways(values_given, texts))
        for writing, column in written[values_given]:
            piece = Piece(base, writing)
            bits = _PIECE_BITS + writing.bits + _LINE_BITS * isinstance(base, Line)
            pieces[column].setdefault(piece, bits)
    return [
        _Column(column, tuple((bits, piece) for piece, bits in _ranked(each)))
        for column, each in pieces.items()
    ]


def _ways(given: Sequence[str], texts: Sequence[str]) -> Iterator[tuple[Writing, tuple[str, ...]]]:
    """Yield the ways to write values that stand in all texts and say enough, and what they say."""
    # A value with many signs shows what becomes of them.
    signs = [sum(not c.isalnum() for c in value) for value in given]
    most = signs.index(max(signs))
    for writing, _ in writings_of(given[most], texts[most]):
        column: list[str] = []
        for value, text in zip(given, texts, strict=True):
            written = writing.write(value)
            if not written or written not in text:
                break
            column.append(written)
        if len(column) == len(texts) and _says_enough(column):
            yield writing, tuple(column)


def _ranked(pieces: Mapping[Piece, float]) -> list[tuple[Piece, float]]:
    """Return pieces, the shortest first; none that only says more than another of its source."""
    ranked = sorted(pieces.items(), key=lambda each: each[1])
    kept: list[tuple[Piece, float]] = []
    for piece, bits in ranked:
        mine = [other.writing for other, _ in kept if other.base == piece.base]
        if not any(_is_simpler(other, piece.writing) for other in mine):
            kept.append((piece, bits))
    return kept


def _is_simpler(one: Writing, other: Writing) -> bool:
    """Whether a writing is another one without a step, so that this one needs no reason."""
    if one == other:
        return True
    if one.parts != other.parts:
        return not one.parts and bool(other.parts)
    same = (
        not a or a == b
        for a, b in (
            *((one.dates, other.dates), (one.clock, other.clock), (one.keep, other.keep)),
            *((one.numbers, other.numbers), (one.case, other.case), (one.width, other.width)),
            (one.add, other.add),
        )
    )
    joined = one.joint is None or one.joint == other.joint
    return all(same) and joined and (not one.swap or one.swap == other.swap)


def _says_enough(column: Sequence[str]) -> bool:
    """Whether a piece writes different things, and so much that it fits by no chance."""
    different = set(column)
    return len(different) > 1 and _LETTER * sum(map(len, different)) >= _EVIDENCE


def _may_be_keys(given: Sequence[str]) -> bool:
    """Whether values may be the keys of a table: as a rule each was shown more than once."""
    return 1 < len(set(given)) <= len(given) / 2


_Way = tuple["str | _Column", ...]


class _Search:
    """Searches the shortest way to compose some texts.

    Args:
        texts: The texts.
        columns: What may stand in all of them.
        tables: Sources whose values may be the keys of a table.
    """

    def __init__(
        self,
        texts: Sequence[str],
        columns: Sequence[_Column],
        tables: Mapping[Base, Sequence[str]],
    ) -> None:
        self.texts = texts
        self.columns = columns
        self.tables = tables

    def shortest(self) -> _Way:
        """Return the parts of the shortest way; nothing if there is none."""
        ends = tuple(map(len, self.texts))
        numbers = itertools.count()
        start = (0,) * len(self.texts)
        queue: list[tuple[float, int, tuple[int, ...], _Way]] = [(0.0, next(numbers), start, ())]
        seen: Counter[tuple[int, ...]] = Counter()
        for _ in range(_MOST_STATES):
            if not queue:
                break
            bits, _, at, way = heapq.heappop(queue)
            if at == ends:
                return way
            seen[at] += 1
            if seen[at] > _MOST_WAYS:
                continue
            for cost, then, parts in self._steps(at):
                heapq.heappush(queue, (bits + cost, next(numbers), then, (*way, *parts)))
        return ()

    def _steps(self, at: tuple[int, ...]) -> Iterator[tuple[float, tuple[int, ...], _Way]]:
        """Yield what may stand next: a value, behind a constant or not; or a constant, at an end.

        A constant reaches to the next value.
        """
        yield from self._pieces(at, "")
        rests = [text[begin:] for text, begin in zip(self.texts, at, strict=True)]
        constant = _common(rests)
        for length in range(1, len(constant) + 1):
            prefix = constant[:length]
            then = tuple(begin + length for begin in at)
            if all(end == len(text) for end, text in zip(then, self.texts, strict=True)):
                yield _cost(prefix), then, (prefix,)
            else:
                yield from self._pieces(then, prefix)

    def _pieces(
        self, at: tuple[int, ...], prefix: str
    ) -> Iterator[tuple[float, tuple[int, ...], _Way]]:
        cost = _cost(prefix) if prefix else 0.0
        before = (prefix,) if prefix else ()
        for column in self.columns:
            if all(map(str.startswith, self.texts, column.texts, at)):
                then = tuple(b + len(w) for b, w in zip(at, column.texts, strict=True))
                yield cost + column.bits, then, (*before, column)
        if not prefix or not prefix[-1].isalnum():
            for column in self._tables(at):
                then = tuple(b + len(w) for b, w in zip(at, column.texts, strict=True))
                yield cost + column.bits, then, (*before, column)

    def _tables(self, at: tuple[int, ...]) -> Iterator[_Column]:
        """Yield the tables of what stands next, if a source's value decides that."""
        rests = [
            tuple(_TOKEN.findall(text[begin : begin + _LOOKED_AHEAD]))
            for text, begin in zip(self.texts, at, strict=True)
        ]
        if len({rest[:1] for rest in rests}) < 2:
            return
        found: dict[tuple[str, ...], list[tuple[float, Piece]]] = defaultdict(list)
        for base, given in self.tables.items():
            for words in range(1, _MOST_TABLE_WORDS + 1):
                table: dict[str, str] = {}
                each = ["".join(rest[: 2 * words - 1]) for rest in rests]
                pairs = zip(given, each, strict=True)
                if any(table.setdefault(key, text) != text for key, text in pairs):
                    break
                if not all(each) or not _tells(len(table), each):
                    continue
                writing = Writing(table=tuple(sorted(table.items())))
                found[tuple(each)].append((_PIECE_BITS + writing.bits, Piece(base, writing)))
        for column, pieces in found.items():
            yield _Column(column, tuple(sorted(pieces, key=lambda x: x[0])))


def _tells(keys: int, written: Sequence[str]) -> bool:
    """Whether it is no chance that equal keys always have the same text beside them."""
    number = len(written)
    alike = sum((count / number) ** 2 for count in Counter(written).values())
    return -math.log2(alike) * (number - keys) >= _TABLE_EVIDENCE


def _cost(constant: str) -> float:
    return _CONSTANT_BITS + _LETTER_BITS * len(constant)


def _common(texts: Sequence[str]) -> str:
    """Return what all texts begin with."""
    one, other = min(texts), max(texts)
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    return one[:at] if at is not None else one[: min(len(one), len(other))]
