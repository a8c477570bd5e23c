"""Texts composed of constants and of values in a new notation.

One search composes all demonstrated texts at once. A state says how far each text is composed. A
constant or a value that stands next in all texts leads to the next state. The shortest description
wins. Rivals that fit as well are kept, so that the program can ask.
"""

from __future__ import annotations

import heapq
import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...common.sampling import sample
from ...episodes.history import History
from ...episodes.tokens import occurs
from ..sources import Base, Line, Piece, Written, candidates
from ..value_notation import Writing, writings_of
from .occurrences import Occurrence

_MOST = 40
"""Most occurrences that a text is learned from; more take time."""
_LEAST = 3
"""Least different texts from which on it is no chance that one composition fits all."""
_FEWEST = 2
"""Least different texts where a table writes a part."""
_EVIDENCE = 16.0
"""Least bits of a piece's texts, so that none of some thousand pieces fits by chance."""
_LETTER = 3.3
"""Least bits of a letter or figure."""
_TABLE_EVIDENCE = 10.0
"""Least bits that the keys of a table confirm, so that none of some hundred fits by chance."""
_PIECE_BITS = 4.0
"""Bits of a piece: one of some sixteen sources."""
_LINE_BITS = 2.0
"""Extra bits of a whole line: a field of it is the clearer source."""
_CONSTANT_BITS = 3.0
"""Bits of a constant, besides its letters: less than a piece's."""
_LETTER_BITS = 0.5
"""Bits of a letter of a constant: few, as an operator's words cost nothing."""
_AS_GOOD = 4.0
"""Most bits by which a rival may be longer: one more step of notation, and no table."""
_MOST_RIVALS = 4
"""Most pieces that are kept, the first with its rivals; nobody reads more."""
_MOST_STATES = 300
"""Most states that the search visits; it bounds the time."""
_MOST_WAYS = 3
"""Most ways to one state that the search follows."""
_MOST_TABLE_WORDS = 3
"""Most words that a table writes."""
_LOOKED_AHEAD = 200
"""Characters that are searched for the words of a table."""
_TOKEN = re.compile(r"\w+|\W")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _Column:
    """The text that pieces write in each example, and these pieces, the shortest first."""

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
        index: Place of the argument.
        occurrences: Calls whose argument nothing says before.
        bases: Sources of possible parts.
    """
    examples = sample(occurrences, _MOST)
    texts = [occurrence.arguments[index] for occurrence in examples]
    if len(set(texts)) < _FEWEST:
        return
    histories = [occurrence.history for occurrence in examples]
    values: dict[Base, tuple[str, ...]] = {}
    for base in bases:
        column = _values(base, texts, histories)
        if column is not None:
            values[base] = column
    composition = learn_text(values, texts)
    if composition is not None:
        yield composition


def _values(
    base: Base, texts: Sequence[str], histories: Sequence[History]
) -> tuple[str, ...] | None:
    """Return the value of a source for each text; of several, the one in the text. Else None."""
    chosen_values: list[str] = []
    for text, history in zip(texts, histories, strict=True):
        candidate_values = candidates(base, history)
        candidate_values = (
            candidate_values
            if len(candidate_values) == 1
            else [each for each in candidate_values if each in text]
        )
        if len(candidate_values) != 1:
            return None
        chosen_values += candidate_values
    return tuple(chosen_values)


def learn_text(values: Mapping[Base, Sequence[str]], texts: Sequence[str]) -> Written | None:
    """Return the shortest composition of all texts, with its rivals; None if there is none.

    Args:
        values: Source → its value for each text.
        texts: The texts.
    """
    if len(set(texts)) < _FEWEST:
        return None
    varied = {base: column for base, column in values.items() if len(set(column)) > 1}
    columns = _columns(varied, texts) if len(set(texts)) >= _LEAST else []
    tables = {base: column for base, column in varied.items() if _may_be_keys(column)}
    parts = _Search(texts, columns, tables).shortest()
    if not parts or all(isinstance(part, str) for part in parts):
        return None
    return Written(tuple(p if isinstance(p, str) else _with_rivals(p, varied) for p in parts))


def _with_rivals(column: _Column, values: Mapping[Base, Sequence[str]]) -> tuple[Piece, ...]:
    """Return the shortest piece of a column, and those that fit as well and may differ from it.

    Sources that always gave the same values are one. A value in its own notation has no rival, and
    neither has a table, which the program asks about for each new value.
    """
    first = column.pieces[0][1]
    if first.writing == Writing() or first.writing.table:
        return (first,)
    piece_by_values: dict[tuple[tuple[str, ...], Writing], Piece] = {}
    for bits, piece in column.pieces:
        if bits <= column.bits + _AS_GOOD and not piece.writing.table:
            piece_by_values.setdefault((tuple(values[piece.base]), piece.writing), piece)
    return tuple(piece_by_values.values())[:_MOST_RIVALS]


def _columns(values: Mapping[Base, Sequence[str]], texts: Sequence[str]) -> list[_Column]:
    """Return the columns that may stand in all texts, each with the pieces that write it."""
    pieces: dict[tuple[str, ...], dict[Piece, float]] = defaultdict(dict)
    ways_by_values: dict[tuple[str, ...], list[tuple[Writing, tuple[str, ...]]]] = {}
    for base, values_of_base in values.items():
        column_key = tuple(values_of_base)
        if column_key not in ways_by_values:  # many sources give the same
            ways_by_values[column_key] = list(_notations(column_key, texts))
        for writing, column in ways_by_values[column_key]:
            piece = Piece(base, writing)
            bits = _PIECE_BITS + writing.bits + _LINE_BITS * isinstance(base, Line)
            pieces[column].setdefault(piece, bits)
    return [
        _Column(column, tuple((bits, piece) for piece, bits in _ranked(each)))
        for column, each in pieces.items()
    ]


def _notations(
    values: Sequence[str], texts: Sequence[str]
) -> Iterator[tuple[Writing, tuple[str, ...]]]:
    """Yield the notations of values that stand in all texts, each with the column it writes."""
    telling = max(range(len(values)), key=lambda n: _shows(values[n], texts[n]))
    for writing, _ in writings_of(values[telling], texts[telling]):
        column: list[str] = []
        for value, text in zip(values, texts, strict=True):
            text_of_value = writing.write(value)
            if not text_of_value or text_of_value not in text:
                break
            column.append(text_of_value)
        if len(column) == len(texts) and _says_enough(column):
            yield writing, tuple(column)


def _shows(value: str, text: str) -> tuple[int, int]:
    """Return how much of a notation a value shows: by its signs, then by what it changes."""
    kept = sum(occurs(word, text) for word in _WORD.findall(value))
    return sum(not c.isalnum() for c in value), -kept


def _ranked(pieces: Mapping[Piece, float]) -> list[tuple[Piece, float]]:
    """Return pieces, the shortest first, except where the same source has a simpler one."""
    ranked = sorted(pieces.items(), key=lambda each: each[1])
    simplest: list[tuple[Piece, float]] = []
    for piece, bits in ranked:
        simpler_writings = [other.writing for other, _ in simplest if other.base == piece.base]
        if not any(_is_simpler(other, piece.writing) for other in simpler_writings):
            simplest.append((piece, bits))
    return simplest


def _is_simpler(one: Writing, other: Writing) -> bool:
    """Whether a notation is another one, or the other without some of its steps."""
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
    """Whether a column has different texts, of so many letters that it fits by no chance."""
    different = set(column)
    return len(different) > 1 and _LETTER * sum(map(len, different)) >= _EVIDENCE


def _may_be_keys(values: Sequence[str]) -> bool:
    """Whether values may be keys of a table: on average each was shown at least twice."""
    return 1 < len(set(values)) <= len(values) / 2


_Way = tuple["str | _Column", ...]


class _Search:
    """Searches the shortest way to compose some texts.

    Args:
        texts: The texts.
        columns: Texts that may stand in all of them.
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
        """Return the parts of the shortest composition; an empty tuple if there is none."""
        ends = tuple(map(len, self.texts))
        numbers = itertools.count()
        start = (0,) * len(self.texts)
        queue: list[tuple[float, int, tuple[int, ...], _Way]] = [(0.0, next(numbers), start, ())]
        visits: Counter[tuple[int, ...]] = Counter()
        for _ in range(_MOST_STATES):
            if not queue:
                break
            bits, _, places, way = heapq.heappop(queue)
            if places == ends:
                return way
            visits[places] += 1
            if visits[places] > _MOST_WAYS:
                continue
            for cost, next_places, next_parts in self._steps(places):
                heapq.heappush(
                    queue, (bits + cost, next(numbers), next_places, (*way, *next_parts))
                )
        return ()

    def _steps(self, places: tuple[int, ...]) -> Iterator[tuple[float, tuple[int, ...], _Way]]:
        """Yield cost, next places and parts: a value, perhaps after a constant, or a constant."""
        yield from self._pieces(places, "")
        rests = [text[begin:] for text, begin in zip(self.texts, places, strict=True)]
        constant = _common(rests)
        for length in range(1, len(constant) + 1):
            prefix = constant[:length]
            next_places = tuple(begin + length for begin in places)
            if all(end == len(text) for end, text in zip(next_places, self.texts, strict=True)):
                yield _cost(prefix), next_places, (prefix,)
            else:
                yield from self._pieces(next_places, prefix)

    def _pieces(
        self, places: tuple[int, ...], prefix: str
    ) -> Iterator[tuple[float, tuple[int, ...], _Way]]:
        cost = _cost(prefix) if prefix else 0.0
        before = (prefix,) if prefix else ()
        for column in self.columns:
            if all(map(str.startswith, self.texts, column.texts, places)):
                next_places = tuple(b + len(w) for b, w in zip(places, column.texts, strict=True))
                yield cost + column.bits, next_places, (*before, column)
        if not prefix or not prefix[-1].isalnum():
            for column in self._tables(places):
                next_places = tuple(b + len(w) for b, w in zip(places, column.texts, strict=True))
                yield cost + column.bits, next_places, (*before, column)

    def _tables(self, places: tuple[int, ...]) -> Iterator[_Column]:
        """Yield tables of the next words, where the value of a source decides them."""
        rests = [
            tuple(_TOKEN.findall(text[begin : begin + _LOOKED_AHEAD]))
            for text, begin in zip(self.texts, places, strict=True)
        ]
        if len({rest[:1] for rest in rests}) < 2:
            return
        pieces_by_column: dict[tuple[str, ...], list[tuple[float, Piece]]] = defaultdict(list)
        for base, keys in self.tables.items():
            for word_count in range(1, _MOST_TABLE_WORDS + 1):
                table: dict[str, str] = {}
                beginnings = ["".join(rest[: 2 * word_count - 1]) for rest in rests]
                pairs = zip(keys, beginnings, strict=True)
                if any(table.setdefault(key, text) != text for key, text in pairs):
                    break
                if not all(beginnings) or not _is_no_chance(len(table), beginnings):
                    continue
                writing = Writing(table=tuple(sorted(table.items())))
                pieces_by_column[tuple(beginnings)].append(
                    (_PIECE_BITS + writing.bits, Piece(base, writing))
                )
        for column, pieces in pieces_by_column.items():
            yield _Column(column, tuple(sorted(pieces, key=lambda x: x[0])))


def _is_no_chance(keys: int, texts: Sequence[str]) -> bool:
    """Whether it is no chance that equal keys always have the same text beside them."""
    number = len(texts)
    chance_equal = sum((count / number) ** 2 for count in Counter(texts).values())
    return -math.log2(chance_equal) * (number - keys) >= _TABLE_EVIDENCE


def _cost(constant: str) -> float:
    return _CONSTANT_BITS + _LETTER_BITS * len(constant)


def _common(texts: Sequence[str]) -> str:
    """Return the common beginning of all texts."""
    one, other = min(texts), max(texts)
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    return one[:at] if at is not None else one[: min(len(one), len(other))]
