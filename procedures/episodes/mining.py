"""Templates of the lines of demonstrations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from .inner_signs import parted_at_signs, with_arguments, with_single_words
from .line_clusters import Clusters
from .lines import without_bars
from .special_forms import with_special_forms
from .table_headings import with_headings
from .templates import Line, Template, readings_of
from .tokens import has_digit, tokens

__all__ = ["mine_templates"]

_MOST_FILLERS = 3
"""Words of a slot that may stand for each other; more are values."""
_MOST_TOKENS = 400
"""Tokens of a line that is read; a longer one is data that no form describes."""
_LEAST_WORDS = 4
"""Words of a row of which a wide gap may be one that only aligns it."""
_LONGEST = 2000
"""Characters of a template: so many a file holds."""


def mine_templates(
    lines: Iterable[Line],
    phrases: frozenset[str] = frozenset(),
    *,
    special: bool = True,
    apart: bool = False,
) -> tuple[Template, ...]:
    """Find the templates of lines, the most frequent first.

    Args:
        lines: All lines; what stands next to each other in an observation counts as like.
        phrases: What is used as an argument: its words are no part of a template, and it fills a
            slot as a whole.
        special: Whether to look for what recurs in slots.
        apart: Whether lines are of one template only if they hardly differ, wherever they stand.
    """
    every = _aligned([line for line in lines if len(tokens(line.text)) <= _MOST_TOKENS])
    templates = Clusters(every, phrases, apart=apart).templates()
    fillers = _fillers(templates, every)
    if fillers:
        templates = Clusters(every, phrases, fillers, apart=apart).templates()
    templates = with_arguments(templates, phrases)
    short = [
        with_single_words(
            parted_at_signs(template, [values for _, values in readings], phrases),
            [line.text for line, _ in readings],
            phrases,
        )
        for template, readings in readings_of(templates, every).items()
        if len(template.text) <= _LONGEST
    ]
    short = with_headings(short, every, phrases)
    if not special:
        return _without_frozen_values(short, every)
    return with_special_forms(short, every, phrases)


def _without_frozen_values(
    templates: Sequence[Template], lines: Sequence[Line]
) -> tuple[Template, ...]:
    """Return templates but those that only have a value of another one's slot as a word.

    The word is a value if other values stand there at least as often.
    """
    number = {template: len(each) for template, each in readings_of(templates, lines).items()}
    return tuple(
        one
        for one in templates
        if not any(
            number[one] <= number[other] and _has_one_slot_filled(one, other)
            for other in templates
            if other is not one
        )
    )


def _has_one_slot_filled(one: Template, other: Template) -> bool:
    """Whether a template is another one with one word in place of one of its slots."""
    if len(one.slots) + 1 != len(other.slots):
        return False
    values = other.read(one.text)
    if values is None:
        return False
    words = [value for value in values if value[:1] != "{"]
    return len(words) == 1 and len(tokens(words[0])) == 1 and words[0][0].isalnum()


def _aligned(lines: Sequence[Line]) -> list[Line]:
    """Return rows without bars where others begin alike, with as many words and fewer bars."""
    close = {_beginning(line.text) for line in lines if without_bars(line.text) == line.text}
    out: list[Line] = []
    for line in lines:
        plain = without_bars(line.text)
        words = plain.count(" ") + 1
        aligned = words >= _LEAST_WORDS and plain != line.text and _beginning(plain) in close
        out.append(replace(line, text=plain) if aligned else line)
    return out


def _beginning(text: str) -> tuple[int, tuple[str, ...]]:
    """Return how many words a line has, and the first two; all figures are alike."""
    words = text.split()
    return len(words), tuple("0" if has_digit(word) else word for word in words[:2])


def _fillers(templates: Sequence[Template], lines: Sequence[Line]) -> frozenset[str]:
    """Return words that stand for each other before a slot, one of them often, as articles do.

    Where only one of them was seen, the others may stand as well.
    """
    episodes: dict[str, set[int]] = defaultdict(set)
    for line in lines:
        for token in set(tokens(line.text)):
            episodes[token].add(line.episode)
    often = len({line.episode for line in lines}) / 2
    return frozenset(
        word
        for template in templates
        for slot, words in template.few.items()
        if 1 < len(words) <= _MOST_FILLERS
        and any(len(episodes[word]) >= often for word in words)
        and f"{{{slot}}} {{" in template.text
        for word in words
    )
