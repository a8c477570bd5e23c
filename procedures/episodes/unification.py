"""Anti-unification: what texts have in common, and slots for the rest.

A word is never looked up in a dictionary.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .templates import Template, literal_text
from .tokens import Tokens, has_digit, letters_of, spans, tokens

__all__ = ["Words", "common", "gaps_of", "template_around", "unification"]

_PHRASES = 4
"""One of so many values of a slot has to be an argument, or some, so that all are whole."""
_LEAST_PHRASES = 3
"""That many are some."""
_LEAST_VALUES = 6
"""Values of a slot from which on one can tell that they are few."""
_MOST_FEW = 6
_OFTEN = 3
"""How often each of few values stands there, on average."""
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Words:
    """Phrases that fill slots as a whole, and words that may stand for each other.

    Attributes:
        phrases: The phrases.
        fillers: The words.
        letters: Letters and figures of the phrases: some are typed with other signs or capitals.
    """

    phrases: frozenset[str]
    fillers: frozenset[str]
    letters: frozenset[str] = frozenset()

    @classmethod
    def of(cls, phrases: Iterable[str], fillers: frozenset[str] = frozenset()) -> Words:
        """Return phrases as their tokens are joined: signs in them may stand close."""
        joined = frozenset(" ".join(tokens(phrase)) for phrase in phrases)
        return cls(joined, fillers, frozenset(map(letters_of, joined)))


def unification(texts: Sequence[str]) -> Template | None:
    """Return what all texts have in common, with slots for the rest; None if they differ in form.

    Numbers and identifiers are never in common.
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

    Rows of lengths are bits of integers (Hyyrö 2004), so that long lines take no longer than
    they have to.
    """
    width = len(other)
    places: dict[str, int] = defaultdict(int)
    for at, token in enumerate(reversed(other)):
        places[token] |= 1 << at
    full = (1 << width) - 1
    row = full
    rows = [0]  # a bit is set where one more token of ``other``, from its end, is common
    for token in reversed(one):
        both = row & places.get(token, 0)
        row = ((row + both) | (row - both)) & full
        rows.append(full ^ row)
    rows.reverse()
    out: list[str] = []
    i = j = 0
    left = rows[0].bit_count()
    while left:
        if one[i] == other[j]:
            out.append(one[i])
            i, j, left = i + 1, j + 1, left - 1
        elif (rows[i + 1] & ((1 << (width - j)) - 1)).bit_count() == left:
            i += 1
        else:
            j += 1
    return tuple(out)


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
    out: list[str] = []
    few: dict[str, tuple[str, ...]] = {}
    end = at = slot = 0
    for i in range(len(constant) + 1):
        width = len(gaps[0][i])
        if width:
            values = [[each[b:e] for b, e in gap[i]] for each, gap in zip(texts, gaps, strict=True)]
            for first, last, closed in _parts(values, words):
                if len(closed) == 1 and closed[0] not in words.fillers:
                    out.append(literal_text(text[end : places[at + last][1]]))
                    end = places[at + last][1]
                    continue
                slot += 1
                begin, stop = places[at + first][0], places[at + last][1]
                out.append(literal_text(text[end:begin]) + f"{{{slot}}}")
                end = stop
                if closed:
                    few[str(slot)] = closed
            at += width
        if i < len(constant):
            out.append(literal_text(text[end : places[at][1]]))
            end = places[at][1]
            at += 1
    return Template("".join(out) + literal_text(text[end:]), few)


def _parts(values: Sequence[Sequence[str]], words: Words) -> list[tuple[int, int, tuple[str, ...]]]:
    """Cut a gap into slots: first and last token in the first example, values if few.

    Numbers, and words of a small set, are slots of their own at either end of a gap, unless what
    stands there is used as one argument.
    """
    front: list[tuple[int, int, tuple[str, ...]]] = []
    back: list[tuple[int, int, tuple[str, ...]]] = []
    left = [list(each) for each in values]
    while all(len(each) > 1 for each in left) and not _whole(left, words):
        for ends, index, signs in (
            *((front, 0, True), (back, -1, True)),  # a sign around a value is no part of it
            *((front, 0, False), (back, -1, False)),
        ):
            closed = _few([each[index] for each in left])
            if closed is not None and (not signs or (len(closed) == 1 and not closed[0].isalnum())):
                at = len(front) if index == 0 else len(values[0]) - 1 - len(back)
                ends.append((at, at, closed))
                for each in left:
                    each.pop(index)
                break
        else:
            break
    whole = _few([" ".join(each) for each in left]) if all(len(e) == 1 for e in left) else None
    middle = (len(front), len(values[0]) - 1 - len(back), whole or ())
    return [*front, middle, *reversed(back)]


def _whole(values: Sequence[Sequence[str]], words: Words) -> bool:
    distinct = {" ".join(each) for each in values}
    used = max(len(distinct & words.phrases), _typed(distinct, words))
    return used >= _LEAST_PHRASES or used * _PHRASES >= len(distinct)


def _typed(phrases: Iterable[str], words: Words) -> int:
    """Return how many phrases are used as arguments, some in other capitals or with other signs."""
    inner = (phrase for phrase in phrases if phrase[0].isalnum() and phrase[-1].isalnum())
    return sum(letters_of(phrase) in words.letters for phrase in inner)


def _few(words: Sequence[str]) -> tuple[str, ...] | None:
    """Return the values of a token that is a slot of its own; empty for numbers; else None."""
    if all(map(has_digit, words)):
        return ()
    distinct = Counter(words)
    most = min(_MOST_FEW, len(words) // _OFTEN)
    if len(words) >= _LEAST_VALUES and len(distinct) <= most and min(distinct.values()) > 1:
        return tuple(sorted(distinct))
    return None
