"""Anti-unification: the common part of texts, with slots for the rest.

It uses no dictionary.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .templates import Template, literal_text
from .tokens import Tokens, has_digit, letters_of, spans, tokens

_PHRASE_RATIO = 4
"""Values of a slot per argument among them; with more values per argument, a slot may be cut."""
_LEAST_PHRASES = 3
"""Arguments among the values of a slot that suffice to keep it whole."""
_LEAST_VALUES = 6
"""Occurrences of a slot; fewer do not show that its values are few."""
_MOST_FEW_VALUES = 6
"""Most different values of a slot with few values."""
_OFTEN = 3
"""Least mean number of occurrences of each of few values."""
_LEAST_SIZES = 3
"""Least different numbers with the same letters behind them that show a unit, and no name."""
_SIZE = re.compile(r"-?\d+(?:[.,]\d+)*([^\W\d_]+)")
"""A number with a unit, such as 512Mi."""
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Words:
    """Phrases that fill slots as a whole, and interchangeable words.

    Attributes:
        phrases: The phrases.
        fillers: The interchangeable words.
        letters: Letters and figures of the phrases, for other signs or capitals.
    """

    phrases: frozenset[str]
    fillers: frozenset[str]
    letters: frozenset[str] = frozenset()

    @classmethod
    def of(cls, phrases: Iterable[str], fillers: frozenset[str] = frozenset()) -> Words:
        """Return the words of these phrases, with a blank between all tokens."""
        joined = frozenset(" ".join(tokens(phrase)) for phrase in phrases)
        return cls(joined, fillers, frozenset(map(letters_of, joined)))


def unification(texts: Sequence[str]) -> Template | None:
    """Return the common template of texts; None if they differ in form.

    Numbers and identifiers are never common.
    """
    distinct = sorted(set(texts))
    constant: Sequence[str] = [t for t in tokens(distinct[0]) if not has_digit(t)]
    for text in distinct[1:]:
        constant = common(constant, [t for t in tokens(text) if not has_digit(t)])
    gaps = [gaps_of(text, constant) for text in distinct]
    if len({tuple(map(bool, each)) for each in gaps}) > 1:
        return None
    return template_around(distinct, constant, gaps, Words.of(distinct))


def common(one: Sequence[str], other: Sequence[str]) -> Tokens:
    """Return a longest common subsequence.

    Rows of lengths are bits of integers (Hyyrö 2004), which is fast for long lines.
    """
    width = len(other)
    bits_by_token: dict[str, int] = defaultdict(int)
    for at, token in enumerate(reversed(other)):
        bits_by_token[token] |= 1 << at
    full = (1 << width) - 1
    row = full
    rows = [0]  # a bit is set where one more token of ``other``, from its end, is common
    for token in reversed(one):
        matches = row & bits_by_token.get(token, 0)
        row = ((row + matches) | (row - matches)) & full
        rows.append(full ^ row)
    rows.reverse()
    subsequence: list[str] = []
    i = j = 0
    remaining = rows[0].bit_count()
    while remaining:
        if one[i] == other[j]:
            subsequence.append(one[i])
            i, j, remaining = i + 1, j + 1, remaining - 1
        elif (rows[i + 1] & ((1 << (width - j)) - 1)).bit_count() == remaining:
            i += 1
        else:
            j += 1
    return tuple(subsequence)


def gaps_of(text: str, constant: Sequence[str]) -> list[list[_Span]]:
    """Return the spans of the tokens before, between and behind the constant ones."""
    gaps: list[list[_Span]] = [[]]
    at = 0
    for begin, end in spans(text):
        if at < len(constant) and text[begin:end] == constant[at]:
            at += 1
            gaps.append([])
        else:
            gaps[-1].append((begin, end))
    return gaps


def template_around(
    texts: Sequence[str],
    constant: Sequence[str],
    gaps: Sequence[Sequence[Sequence[_Span]]],
    words: Words,
) -> Template:
    """Write the template after the first example, with slots for each gap."""
    text, places = texts[0], spans(texts[0])
    text_parts: list[str] = []
    few: dict[str, tuple[str, ...]] = {}
    end = at = slot = 0
    for i in range(len(constant) + 1):
        width = len(gaps[0][i])
        if width:
            values = [[each[b:e] for b, e in gap[i]] for each, gap in zip(texts, gaps, strict=True)]
            for first, last, slot_values in _parts(values, words):
                if len(slot_values) == 1 and slot_values[0] not in words.fillers:
                    text_parts.append(literal_text(text[end : places[at + last][1]]))
                    end = places[at + last][1]
                    continue
                slot += 1
                begin, stop = places[at + first][0], places[at + last][1]
                text_parts.append(literal_text(text[end:begin]) + f"{{{slot}}}")
                end = stop - len(_unit(values, first, last, texts, words))
                if slot_values:
                    few[str(slot)] = slot_values
            at += width
        if i < len(constant):
            text_parts.append(literal_text(text[end : places[at][1]]))
            end = places[at][1]
            at += 1
    return Template("".join(text_parts) + literal_text(text[end:]), few)


def _parts(values: Sequence[Sequence[str]], words: Words) -> list[tuple[int, int, tuple[str, ...]]]:
    """Cut a gap into slots: (first token, last token, values if few), by the first example.

    Numbers and words of a small set are slots of their own at either end of a gap, unless the gap
    is one argument.
    """
    front: list[tuple[int, int, tuple[str, ...]]] = []
    back: list[tuple[int, int, tuple[str, ...]]] = []
    middle_tokens = [list(each) for each in values]
    while all(len(each) > 1 for each in middle_tokens) and not _is_argument(middle_tokens, words):
        for side, index, signs in (
            *((front, 0, True), (back, -1, True)),  # a sign around a value is no part of it
            *((front, 0, False), (back, -1, False)),
        ):
            values_of_end = _closed_values([each[index] for each in middle_tokens])
            if values_of_end is not None and (
                not signs or (len(values_of_end) == 1 and not values_of_end[0].isalnum())
            ):
                at = len(front) if index == 0 else len(values[0]) - 1 - len(back)
                side.append((at, at, values_of_end))
                for each in middle_tokens:
                    each.pop(index)
                break
        else:
            break
    middle_values = (
        _closed_values([" ".join(each) for each in middle_tokens])
        if all(len(e) == 1 for e in middle_tokens)
        else None
    )
    middle = (len(front), len(values[0]) - 1 - len(back), middle_values or ())
    return [*front, middle, *reversed(back)]


def _unit(
    values: Sequence[Sequence[str]], first: int, last: int, texts: Sequence[str], words: Words
) -> str:
    """Return the letters behind the numbers of a slot of one token, such as Mi in 512Mi.

    What calls use as a whole is not cut.
    """
    if first != last or len({len(each) for each in values}) > 1:
        return ""
    column = [each[first] for each in values]
    if column != [*texts] and not words.phrases.isdisjoint(column):
        return ""
    sizes = [_SIZE.fullmatch(each) for each in set(column)]
    units = {size and size[1] for size in sizes}
    unit = units.pop() if len(units) == 1 else None
    return unit if unit and len(sizes) >= _LEAST_SIZES else ""


def _is_argument(values: Sequence[Sequence[str]], words: Words) -> bool:
    distinct = {" ".join(each) for each in values}
    use_count = max(len(distinct & words.phrases), _argument_count(distinct, words))
    return use_count >= _LEAST_PHRASES or use_count * _PHRASE_RATIO >= len(distinct)


def _argument_count(phrases: Iterable[str], words: Words) -> int:
    """Return how many phrases are arguments, other capitals and signs included."""
    inner = (phrase for phrase in phrases if phrase[0].isalnum() and phrase[-1].isalnum())
    return sum(letters_of(phrase) in words.letters for phrase in inner)


def _closed_values(words: Sequence[str]) -> tuple[str, ...] | None:
    """Return the few values of a token that is a slot of its own, () for numbers, else None."""
    if all(map(has_digit, words)):
        return ()
    distinct = Counter(words)
    most = min(_MOST_FEW_VALUES, len(words) // _OFTEN)
    if len(words) >= _LEAST_VALUES and len(distinct) <= most and min(distinct.values()) > 1:
        return tuple(sorted(distinct))
    return None
