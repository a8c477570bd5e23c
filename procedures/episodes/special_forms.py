"""Find recurring values in the slots of lines: keys of attribute lists, units, forms of values."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from .line_clusters import Clusters
from .templates import Line, Template, filled, literal_text, pieces, readings_of
from .tokens import has_digit, magnitude, tokens
from .unification import unification

_MOST_SPECIAL = 12
"""Most special forms of a line; more are values, not kinds of lines."""
_KEYED = 0.8
"""Least share of the lines of lists that keys name."""
_KEY_SHARE = 0.6
"""Least share of the episodes with a key among the rows of a table."""
_LEAST_FORMS = 6
"""Episodes with a value in the slot; fewer show no forms."""
_LEAST_FORM = 3
"""Episodes with a form; fewer may be chance."""
_FORM_SHARE = 0.1
"""Least share of the episodes with a form."""
_SIZED = 0.5
"""Least share of the lines with a size in a slot, where a word then means a missing size."""
_LEAST_VARIANTS = 3
"""Forms that differ in one word; with fewer, the word belongs to the form and is no value."""
_IN_QUOTES = ('"', '"')
_VALUE_SHARE = 0.2
"""Least share of the episodes with a recurring value: names drawn from a pool recur by chance."""


def with_special_forms(
    templates: Sequence[Template], lines: Sequence[Line], phrases: frozenset[str]
) -> tuple[Template, ...]:
    """Return templates with special forms for recurring keys and forms of values in slots."""
    result = []
    for template, readings in readings_of(templates, lines).items():
        special: list[Template] = []
        for index, slot in enumerate(template.slots):
            column = [(line, values[index]) for line, values in readings]
            if not _is_crossed(index, readings):
                result += [filled(template, slot, fill) for fill in _recurring_keys(column)]
            fills: Sequence[Template] = _keys(column) or recurring_forms(
                column, slot, template, phrases
            )
            fills = fills or _keys_among_rows(column)
            fills = _with_places_of_values(fills, phrases)
            special += [_with_units(filled(template, slot, fill), lines) for fill in fills]
        template_lines = [line for line, _ in readings]
        for form in tuple(special) or (template,):  # each key has its own sizes or words
            special += _without_sizes(form, template_lines)
        texts = {each.text: each for each in special}
        selected = tuple(texts[text] for text in sorted(texts))[:_MOST_SPECIAL]
        result.append(replace(template, special=selected))
    return tuple(result)


def _is_crossed(index: int, readings: Sequence[tuple[Line, Sequence[str]]]) -> bool:
    """Tell whether a slot is a key of a table with two keys, and so names no lines of records.

    Then each of its values stands once beside each value of another slot.
    """
    rows_by_result: dict[tuple[int, int], list[Sequence[str]]] = defaultdict(list)
    for line, values in readings:
        rows_by_result[line.episode, line.at].append(values)
    tables = [rows for rows in rows_by_result.values() if len(rows) > 1]
    others = range(len(tables[0][0])) if tables else ()
    return any(
        all(_is_grid([(row[index], row[other]) for row in rows]) for rows in tables)
        for other in others
        if other != index
    )


def _is_grid(pairs: Sequence[tuple[str, str]]) -> bool:
    """Tell whether pairs are all those of several values and several others, each once."""
    ones, others = ({pair[at] for pair in pairs} for at in (0, 1))
    return min(len(ones), len(others)) > 1 and len(pairs) == len({*pairs}) == len(ones) * len(
        others
    )


def _with_units(template: Template, lines: Sequence[Line]) -> Template:
    """Return a template with the common text of each slot's values, such as a unit."""
    readings = [values for line in lines if (values := template.read(line.text)) is not None]
    for index, slot in reversed(list(enumerate(template.slots))):
        form = unification([values[index] for values in readings]) if readings else None
        if form is not None and form.slots and form.weight:
            template = filled(template, slot, form)
    return template


def _keys(column: Sequence[tuple[Line, str]]) -> list[Template]:
    """Return the values of a slot that name each line of a list, the same in all lists."""
    values_by_result: dict[tuple[int, int], list[str]] = defaultdict(list)
    for line, value in column:
        values_by_result[line.episode, line.at].append(value)
    if max(map(len, values_by_result.values()), default=0) < 2:
        return []
    if any(len(set(values)) < len(values) for values in values_by_result.values()):
        return []
    line_count = Counter(value for values in values_by_result.values() for value in values)
    episode_count = Counter(value for _, value in {(line.episode, value) for line, value in column})
    number = len({line.episode for line, _ in column})
    keys = sorted(
        v for v, count in episode_count.items() if count * 2 >= number and not has_digit(v)
    )
    if not keys or sum(line_count[key] for key in keys) < _KEYED * line_count.total():
        return []
    # Where keys name nearly all lines, other recurring values are keys of some lists.
    least = max(_LEAST_FORM, _VALUE_SHARE * number)
    keys = sorted(v for v, count in episode_count.items() if count >= least and not has_digit(v))
    return [Template(literal_text(key)) for key in keys]


def _keys_among_rows(column: Sequence[tuple[Line, str]]) -> list[Template]:
    """Return the values of a slot that most episodes have once per result, beside other rows.

    The common template of the other rows is a form, too.
    """
    if len({(line.episode, line.at) for line, _ in column}) == len(column):
        return []
    count_by_result = Counter((line.episode, line.at, value) for line, value in column)
    episodes_by_value: dict[str, set[int]] = defaultdict(set)
    for (episode, _, value), count in count_by_result.items():
        if count == 1 and not has_digit(value):
            episodes_by_value[value].add(episode)
    least = max(_LEAST_FORMS, _KEY_SHARE * len({line.episode for line, _ in column}))
    keys = sorted(value for value, numbers in episodes_by_value.items() if len(numbers) >= least)
    fills = [Template(literal_text(key)) for key in keys]
    other_values = sorted({value for _, value in column}.difference(keys))
    rows = unification(other_values) if keys and len(other_values) >= _LEAST_VARIANTS else None
    return [*fills, rows] if rows is not None and rows.slots and rows.weight else fills


def _without_sizes(form: Template, lines: Sequence[Line]) -> list[Template]:
    """Return a form with recurring words in place of sizes, such as the reason for none."""
    readings = [(line, values) for line in lines if (values := form.read(line.text)) is not None]
    return [
        filled(form, slot, fill)
        for index, slot in enumerate(form.slots)
        if slot not in form.few
        for word in words_among_sizes([(line.episode, values[index]) for line, values in readings])
        for fill in (Template(literal_text(word)),)
    ]


def words_among_sizes(column: Sequence[tuple[int, str]]) -> list[str]:
    """Return the words that recur in the place of sizes, such as the reason for none.

    Args:
        column: Number of an episode, and a value that it told in this place.
    """
    sizes = sum(magnitude(value) is not None for _, value in column)
    if sizes < _SIZED * len(column):
        return []
    episodes_by_value: dict[str, set[int]] = defaultdict(set)
    for episode, value in column:
        if magnitude(value) is None:
            episodes_by_value[value].add(episode)
    least = max(_LEAST_FORM, _FORM_SHARE * len({episode for episode, _ in column}))
    return sorted(value for value, numbers in episodes_by_value.items() if len(numbers) >= least)


def _recurring_keys(column: Sequence[tuple[Line, str]]) -> list[Template]:
    """Return the values of a slot that name the lines of consecutive records.

    Most records have each of the keys, and no two adjacent lines have the same key.
    """
    values_by_result: dict[tuple[int, int], list[str]] = defaultdict(list)
    for line, value in column:
        values_by_result[line.episode, line.at].append(value)
    records = list(values_by_result.values())
    episode_count = Counter(value for _, value in {(line.episode, value) for line, value in column})
    number = len({line.episode for line, _ in column})
    if has_digit("".join(episode_count)) or not 1 < len(episode_count) <= _MOST_SPECIAL:
        return []
    if min(episode_count.values()) * 2 < number:
        return []
    if sum(len(set(values)) < len(values) for values in records) * 2 < len(records):
        return []
    if any(one == other for values in records for one, other in itertools.pairwise(values)):
        return []
    return [Template(literal_text(key)) for key in sorted(episode_count)]


def recurring_forms(
    column: Sequence[tuple[Line, str]], slot: str, template: Template, phrases: frozenset[str]
) -> list[Template]:
    """Return the forms that the values of a slot have, where words recur in them.

    Args:
        column: Lines that the template reads, each with the slot's value.
        slot: The slot.
        template: Its template.
        phrases: Argument values.
    """
    if slot in template.few or slot in template.lists:
        return []
    results = {(line.episode, line.at) for line, _ in column}
    if len(results) < len(column):
        return []  # rows of a table
    values = [Line(value, line.episode, line.at) for line, value in column]
    number = len({line.episode for line in values})
    if number < _LEAST_FORMS:
        return []
    miner = Clusters(values, phrases)
    forms: list[Template] = []
    for form in miner.templates():
        if form.slots == ("1",) and form.weight == 0:
            continue
        support = {line.episode for line in values if form.read(line.text) is not None}
        plain = pieces(form.text)[0]
        words = [word for part in plain for word in tokens(part) if word[0].isalpha()]
        share = _FORM_SHARE if form.slots else _VALUE_SHARE
        least = max(_LEAST_FORM, share * number)
        if (words or plain == _IN_QUOTES) and len(support) >= least < number:
            forms.append(form)
    return forms if len(forms) <= _MOST_SPECIAL else []


def _with_places_of_values(
    fills: Sequence[Template], phrases: frozenset[str]
) -> Sequence[Template]:
    """Return the fills of a slot; fills that differ in one word, often an argument, are merged.

    ``zone A``, ``zone B`` and ``zone C`` become ``zone {1}`` where calls use a zone: the general
    form is shorter and reads new values, too.
    """
    word_by_text: dict[tuple[tuple[str, ...], int], dict[str, str]] = defaultdict(dict)
    for fill in fills:
        words = () if fill.slots else tokens(fill.text)
        for at, word in enumerate(words):
            other_words = (*words[:at], *words[at + 1 :])
            if any(other[0].isalpha() for other in other_words):
                word_by_text[other_words, at][fill.text] = word
    fill_by_text = {fill.text: fill for fill in fills}
    for _, variants in sorted(word_by_text.items(), key=lambda each: (-len(each[1]), each[0])):
        uses = [word in phrases for text, word in variants.items() if text in fill_by_text]
        if len(uses) < _LEAST_VARIANTS or sum(uses) * 2 <= len(uses):
            continue
        texts = [text for text in variants if text in fill_by_text]
        general = unification(texts)
        if general is not None and len(general.slots) == 1:
            fill_by_text = {text: fill for text, fill in fill_by_text.items() if text not in texts}
            fill_by_text[general.text] = general
    return list(fill_by_text.values())
