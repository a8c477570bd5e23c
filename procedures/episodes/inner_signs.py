"""Signs and blanks within values: what stands beside one may be an argument: a slot of its own."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from .templates import Template, filled, pieces, template_text
from .tokens import has_digit, magnitude

__all__ = ["parted_as_told", "parted_at_signs", "with_arguments", "with_single_words"]

_SIGNS = "@/-."
_LEAST_USED = 3
"""Values that have to end with an argument, so that it is no chance."""
_USED = 0.1
"""Share of the values that have to."""
_MOST_WORDS = 8
"""Words of a value, so that it is a row of columns and no sentence."""
_PART = re.compile(r"[^\W_]+")


def with_arguments(templates: Iterable[Template], phrases: frozenset[str]) -> tuple[Template, ...]:
    """Return templates; those that differ in an argument within a word alone are one with a slot.

    ``pump-api.service`` and ``belt-sync.service`` become ``{1}.service`` where these are called
    ``pump-api`` and ``belt-sync``.

    Args:
        templates: Templates, the most frequent first.
        phrases: What is used as an argument.
    """
    forms: dict[str, list[Template]] = defaultdict(list)
    out = {template.text: template for template in templates}
    for template in out.values():
        if form := "" if pieces(template.text)[1] else _around_argument(template.text, phrases):
            forms[form].append(template)
    alike = {form: each for form, each in forms.items() if len(each) >= _LEAST_USED}
    for template in itertools.chain.from_iterable(alike.values()):
        del out[template.text]
    for form in alike:
        out.setdefault(form, Template(form))
    return tuple(out.values())


def _around_argument(text: str, phrases: frozenset[str]) -> str:
    """Return a line with a slot for the longest argument within a word; empty if there is none."""
    within: list[tuple[int, int]] = []
    for word in re.finditer(r"\S+", text):
        parts = [match.span() for match in _PART.finditer(text, *word.span())]
        for (begin, _), (_, end) in itertools.combinations_with_replacement(parts, 2):
            if (begin, end) != word.span() and text[begin:end] in phrases:
                within.append((begin, end))
    if not within or "{" in text or "}" in text:
        return ""
    begin, end = max(within, key=lambda span: span[1] - span[0])
    return f"{text[:begin]}{{1}}{text[end:]}"


def parted_at_signs(
    template: Template, readings: Sequence[Sequence[str]], phrases: frozenset[str]
) -> Template:
    """Return a template whose slots are parted at a sign beside which an argument stands.

    ``{1} deploy {2} ok`` becomes ``{1} deploy {2}@{3} ok`` where the release is used alone.

    Args:
        template: The template.
        readings: Values of its slots, for each line that it reads.
        phrases: What is used as an argument.
    """
    for index, slot in reversed(list(enumerate(template.slots))):
        values = {values[index] for values in readings}
        if slot in template.few or slot in template.lists or values & phrases:
            continue
        if sign := _sign(values, phrases):
            template = _parted(template, slot, sign, 2)
        elif words := _words(values, phrases):
            template = _parted(template, slot, " ", words)
    return _numbered(template)


def parted_as_told(
    template: Template, readings: Sequence[tuple[Sequence[str], Collection[str]]]
) -> Template:
    """Return a template whose slots are parted at a sign on both sides of which is what is told.

    ``Mute {1}`` becomes ``Mute {1}@{2}`` where results tell alarm and host each by itself.

    Args:
        template: The template.
        readings: Values of its slots, for each line that it reads, and what results tell there.
    """
    if len(readings) < _LEAST_USED:
        return template
    for index, slot in reversed(list(enumerate(template.slots))):
        if slot in template.few or slot in template.lists:
            continue
        column = [(values[index], told) for values, told in readings]
        if any(value in told or " " in value for value, told in column):
            continue
        signs = {s for s in column[0][0] if not s.isalnum()}
        for sign in sorted(signs):
            parts = [(value.split(sign), told) for value, told in column]
            own = sum(all(each in told for each in part) for part, told in parts)
            if all(len(part) == 2 and all(part) for part, _ in parts) and own * 2 > len(parts):
                template = _parted(template, slot, sign, 2)
                break
    return _numbered(template)


def _sign(values: Collection[str], phrases: frozenset[str]) -> str:
    """Return the sign that parts each value in two, of which one is often an argument.

    A price has no parts, though a number like its cents may be typed.
    """
    if all(magnitude(value) is not None for value in values):
        return ""
    for sign in _SIGNS:
        parts = [value.split(sign) for value in values]
        used = sum(not phrases.isdisjoint(each) for each in parts)
        if all(len(each) == 2 and all(each) for each in parts) and used * 2 > len(parts) > 2:
            return sign
    return ""


def _words(values: Collection[str], phrases: frozenset[str]) -> int:
    """Return into how many slots values of several words are parted, the last an argument; else 0.

    Values of as many words each are parted into these, others before the last one. Columns have
    figures among them; several words without any are a name or a phrase.
    """
    if not all(map(has_digit, values)):
        return 0
    ends = [value.rpartition(" ")[2] for value in values]
    numbers = {value.count(" ") + 1 for value in values}
    if not numbers or 1 in numbers or max(numbers) > _MOST_WORDS or not _used(ends, phrases):
        return 0
    return numbers.pop() if len(numbers) == 1 else 2


def _used(words: Sequence[str], phrases: frozenset[str]) -> bool:
    """Whether words are used as arguments; of the rows of a listing few are, so few tell."""
    used = sum(word in phrases for word in words)
    return used >= max(_LEAST_USED, _USED * len(words))


def with_single_words(
    template: Template, lines: Iterable[str], phrases: frozenset[str]
) -> Template:
    """Return a template that knows which slots hold one word, where one beside them holds more.

    A row of columns that only blanks part is read from both ends: figures, and what is used as an
    argument, are words of their own.
    """
    plain, slots = pieces(template.text)
    readings = [values for line in lines if (values := template.read(line)) is not None]
    single: set[str] = set()
    end = len(slots)
    while end > 1:
        begin = end - 1
        while begin and plain[begin] == " " and slots[begin] not in template.lists:
            begin -= 1
        rows = [" ".join(values[begin:end]).split(" ") for values in readings]
        right, left = end, end - begin
        if any(len(row) != left for row in rows):
            while left > 1:
                whole = [values[right - 1] for values in readings]
                last = [row.pop() for row in rows]
                if _used([each for each in whole if " " in each], phrases):
                    break
                if not all(map(has_digit, last)) and not _used(last, phrases):
                    break
                right, left = right - 1, left - 1
                single.add(slots[right])
        end = begin if begin < end - 1 else end - 1
    return replace(template, words=frozenset(single)) if single else template


def _parted(template: Template, slot: str, sign: str, number: int) -> Template:
    """Return a template with so many slots, a sign between them, in the place of one."""
    free = (n for n in map(str, itertools.count(1)) if n not in template.slots)
    names = [slot, *itertools.islice(free, number - 1)]
    text = sign.join(f"{{{each}}}" for each in range(1, number + 1))
    return filled(template, slot, Template(text), names)


def _numbered(template: Template) -> Template:
    """Return a template whose slots are numbered as they stand."""
    plain, slots = pieces(template.text)
    names = {slot: str(number) for number, slot in enumerate(slots, 1)}
    if all(slot == name for slot, name in names.items()):
        return template
    few = {names[slot]: values for slot, values in template.few.items()}
    lists = frozenset(names[slot] for slot in template.lists)
    words = frozenset(names[slot] for slot in template.words)
    text = template_text(plain, names.values())
    return replace(template, text=text, few=few, lists=lists, words=words)
