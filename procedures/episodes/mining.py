"""Mine the templates of the lines of demonstrations."""

from __future__ import annotations

import itertools
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
from .units import with_units

_MOST_FILLERS = 3
"""Most interchangeable words of a slot; more are values."""
_MOST_TOKENS = 400
"""Most tokens of a line; longer lines are data without a form."""
_LEAST_WORDS = 3
"""Least words of a row in which a wide gap may be mere alignment: two are a name and a value."""
_LONGEST = 2000
"""Characters of a template; the most that a file holds."""


def mine_templates(
    lines: Iterable[Line],
    phrases: frozenset[str] = frozenset(),
    *,
    special: bool = True,
    apart: bool = False,
) -> tuple[Template, ...]:
    """Find the templates of lines, the most frequent first.

    Args:
        lines: All lines; adjacent lines of an observation count as similar.
        phrases: Argument values: their words are no part of a template, and each fills a slot as
            a whole.
        special: Whether to find recurring values in slots.
        apart: Whether only lines that hardly differ share a template, adjacent or not.
    """
    aligned_lines = _align_rows([line for line in lines if len(tokens(line.text)) <= _MOST_TOKENS])
    templates = Clusters(aligned_lines, phrases, apart=apart).templates()
    fillers = _fillers(templates, aligned_lines)
    if fillers:
        templates = Clusters(aligned_lines, phrases, fillers, apart=apart).templates()
    templates = with_arguments(templates, phrases)
    short = [
        with_single_words(
            parted_at_signs(template, [values for _, values in readings], phrases),
            [line.text for line, _ in readings],
            phrases,
        )
        for template, readings in readings_of(templates, aligned_lines).items()
        if len(template.text) <= _LONGEST
    ]
    headed = with_headings(short, aligned_lines, phrases)
    final = tuple(with_units(headed, aligned_lines, phrases))
    if not special:
        return _without_frozen_values(final, aligned_lines)
    return with_special_forms(final, aligned_lines, phrases)


def _without_frozen_values(
    templates: Sequence[Template], lines: Sequence[Line]
) -> tuple[Template, ...]:
    """Return templates without those that have a value of another's slot as a constant word.

    The word is a value if the other template reads at least as many lines.
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
    """Tell whether a template is another one with a word in place of one slot."""
    if len(one.slots) + 1 != len(other.slots):
        return False
    values = other.read(one.text)
    if values is None:
        return False
    words = [value for value in values if value[:1] != "{"]
    return len(words) == 1 and len(tokens(words[0])) == 1 and words[0][0].isalnum()


def _align_rows(lines: Sequence[Line]) -> list[Line]:
    """Return lines; rows lose their bars if wide gaps only align them.

    Then a row beside them has no wide gap, and as many words: figures in the same ones, and a word
    that is the same.
    """
    plain = [without_bars(line.text) for line in lines]
    aligned_shapes = {
        _shape(plain[at])
        for at, (one, other) in enumerate(itertools.pairwise(lines))
        if (one.episode, one.at) == (other.episode, other.at)
        and (one.text == plain[at]) != (other.text == plain[at + 1])
        and _are_rows_of_one_table(plain[at], plain[at + 1])
    }
    return [
        replace(line, text=text) if text != line.text and _shape(text) in aligned_shapes else line
        for line, text in zip(lines, plain, strict=True)
    ]


def _are_rows_of_one_table(one: str, other: str) -> bool:
    if _shape(one) != _shape(other) or len(_shape(one)) < _LEAST_WORDS:
        return False
    pairs = zip(one.split(), other.split(), strict=True)
    return any(a == b and not has_digit(a) for a, b in pairs)


def _shape(text: str) -> tuple[bool, ...]:
    """Return which words of a line have figures."""
    return tuple(map(has_digit, text.split()))


def _fillers(templates: Sequence[Template], lines: Sequence[Line]) -> frozenset[str]:
    """Return interchangeable words before a slot, such as articles, one of them frequent.

    Where a line shows only one of them, the others may stand, too.
    """
    episodes_by_token: dict[str, set[int]] = defaultdict(set)
    for line in lines:
        for token in set(tokens(line.text)):
            episodes_by_token[token].add(line.episode)
    least_count = len({line.episode for line in lines}) / 2
    return frozenset(
        word
        for template in templates
        for slot, words in template.few.items()
        if 1 < len(words) <= _MOST_FILLERS
        and any(len(episodes_by_token[word]) >= least_count for word in words)
        and f"{{{slot}}} {{" in template.text
        for word in words
    )
