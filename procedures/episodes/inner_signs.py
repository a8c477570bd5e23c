"""Split slots at signs and blanks within values, where an argument stands beside one."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from .templates import Template, filled, pieces, renumbered
from .tokens import has_digit, magnitude

_SIGNS = "@/-."
_LEAST_USED = 3
"""Values that end with an argument; fewer may be chance."""
_LEAST_USED_SHARE = 0.1
"""Least share of the values that end with an argument."""
_MOST_WORDS = 8
"""Most words of a value that is a row of columns and no sentence."""
_PART = re.compile(r"[^\W_]+")


def with_arguments(templates: Iterable[Template], phrases: frozenset[str]) -> tuple[Template, ...]:
    """Return templates; those that differ only in an argument within a word become one.

    ``pump-api.service`` and ``belt-sync.service`` become ``{1}.service`` where calls use
    ``pump-api`` and ``belt-sync``.

    Args:
        templates: Templates, the most frequent first.
        phrases: Argument values.
    """
    templates_by_form: dict[str, list[Template]] = defaultdict(list)
    template_by_text = {template.text: template for template in templates}
    for template in template_by_text.values():
        if form := "" if pieces(template.text)[1] else _around_argument(template.text, phrases):
            templates_by_form[form].append(template)
    recurring = {form: each for form, each in templates_by_form.items() if len(each) >= _LEAST_USED}
    for template in itertools.chain.from_iterable(recurring.values()):
        del template_by_text[template.text]
    for form in recurring:
        template_by_text.setdefault(form, Template(form))
    return tuple(template_by_text.values())


def _around_argument(text: str, phrases: frozenset[str]) -> str:
    """Return a line with a slot for the longest argument within a word; empty without one."""
    spans: list[tuple[int, int]] = []
    for word in re.finditer(r"\S+", text):
        parts = [match.span() for match in _PART.finditer(text, *word.span())]
        for (begin, _), (_, end) in itertools.combinations_with_replacement(parts, 2):
            if (begin, end) != word.span() and text[begin:end] in phrases:
                spans.append((begin, end))
    if not spans or "{" in text or "}" in text:
        return ""
    begin, end = max(spans, key=lambda span: span[1] - span[0])
    return f"{text[:begin]}{{1}}{text[end:]}"


def parted_at_signs(
    template: Template, readings: Sequence[Sequence[str]], phrases: frozenset[str]
) -> Template:
    """Return a template with slots split at a sign beside an argument.

    ``{1} deploy {2} ok`` becomes ``{1} deploy {2}@{3} ok`` where calls use the release alone.

    Args:
        template: The template.
        readings: Values of its slots, for each line that it reads.
        phrases: Argument values.
    """
    for index, slot in reversed(list(enumerate(template.slots))):
        values = {values[index] for values in readings}
        if slot in template.few or slot in template.lists or values & phrases:
            continue
        if sign := _separating_sign(values, phrases):
            template = _split_slot(template, slot, sign, 2)
        elif words := _words(values, phrases):
            template = _split_slot(template, slot, " ", words)
    return renumbered(template)


def parted_as_told(
    template: Template, readings: Sequence[tuple[Sequence[str], Collection[str]]]
) -> Template:
    """Return a template with slots split at a sign between two values of results.

    ``Mute {1}`` becomes ``Mute {1}@{2}`` where results hold alarm and host separately.

    Args:
        template: The template.
        readings: Values of its slots, for each line that it reads, and the results' values there.
    """
    if len(readings) < _LEAST_USED:
        return template
    for index, slot in reversed(list(enumerate(template.slots))):
        if slot in template.few or slot in template.lists:
            continue
        column = [(values[index], result_values) for values, result_values in readings]
        if any(value in result_values or " " in value for value, result_values in column):
            continue
        signs = {s for s in column[0][0] if not s.isalnum()}
        for sign in sorted(signs):
            parts = [(value.split(sign), result_values) for value, result_values in column]
            told_count = sum(
                all(each in result_values for each in part) for part, result_values in parts
            )
            if all(len(part) == 2 and all(part) for part, _ in parts) and told_count * 2 > len(
                parts
            ):
                template = _split_slot(template, slot, sign, 2)
                break
    return renumbered(template)


def _separating_sign(values: Collection[str], phrases: frozenset[str]) -> str:
    """Return the sign that splits each value in two, of which one is often an argument.

    Sizes have no parts, though a number like a price's cents may be an argument.
    """
    if all(magnitude(value) is not None for value in values):
        return ""
    for sign in _SIGNS:
        # A template's slot ends at the first sign behind it.
        parts = [value.partition(sign)[::2] for value in values]
        use_count = sum(not phrases.isdisjoint(each) for each in parts)
        if all(head and tail for head, tail in parts) and use_count * 2 > len(parts) > 2:
            return sign
    return ""


def _words(values: Collection[str], phrases: frozenset[str]) -> int:
    """Return the number of slots for values of several words whose last is an argument, or 0.

    Values with the same number of words get a slot for each word, others two. Columns hold
    figures; words without any are a name or a phrase.
    """
    if not all(map(has_digit, values)):
        return 0
    ends = [value.rpartition(" ")[2] for value in values]
    numbers = {value.count(" ") + 1 for value in values}
    if not numbers or 1 in numbers or max(numbers) > _MOST_WORDS or not _are_used(ends, phrases):
        return 0
    return numbers.pop() if len(numbers) == 1 else 2


def _are_used(words: Sequence[str], phrases: frozenset[str]) -> bool:
    """Tell whether enough words are arguments; of a listing's rows only few are."""
    use_count = sum(word in phrases for word in words)
    return use_count >= max(_LEAST_USED, _LEAST_USED_SHARE * len(words))


def with_single_words(
    template: Template, lines: Iterable[str], phrases: frozenset[str]
) -> Template:
    """Return a template with its slots of one word, where an adjacent slot holds more.

    A row of columns that only blanks separate is read from its end: figures and arguments are
    words of their own.
    """
    plain, slots = pieces(template.text)
    readings = [values for line in lines if (values := template.read(line)) is not None]
    single: set[str] = set()
    few = dict(template.few)
    end = len(slots)
    while end > 1:
        begin = end - 1
        while begin and plain[begin] == " " and slots[begin] not in template.lists:
            begin -= 1
        rows = [" ".join(values[begin:end]).split(" ") for values in readings]
        right, width = end, end - begin
        if any(len(row) != width for row in rows):
            while width > 1:
                column = [values[right - 1] for values in readings]
                last_words = [row.pop() for row in rows]
                if _are_used([each for each in column if " " in each], phrases):
                    break
                if not all(map(has_digit, last_words)) and not _are_used(last_words, phrases):
                    break
                right, width = right - 1, width - 1
                single.add(slots[right])
            if right < end:  # their values were read with words of what stands behind, or without
                few = {slot: each for slot, each in few.items() if slot not in slots[begin:right]}
        end = begin if begin < end - 1 else end - 1
    return replace(template, few=few, words=frozenset(single)) if single else template


def _split_slot(template: Template, slot: str, sign: str, number: int) -> Template:
    """Return a template with several slots, separated by a sign, in place of one."""
    free = (n for n in map(str, itertools.count(1)) if n not in template.slots)
    names = [slot, *itertools.islice(free, number - 1)]
    text = sign.join(f"{{{each}}}" for each in range(1, number + 1))
    return filled(template, slot, Template(text), names)
