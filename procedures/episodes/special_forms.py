"""What recurs in the slots of lines: keys of a list of attributes, units, and forms of values."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from .line_clusters import Clusters
from .templates import Line, Template, filled, literal_text, pieces, readings_of
from .tokens import has_digit, magnitude, tokens
from .unification import unification

__all__ = ["recurring_forms", "with_special_forms"]

_MOST_SPECIAL = 12
"""Special forms of a line; more are values, not kinds of lines."""
_KEYED = 0.8
"""Share of the lines of lists that keys have to name."""
_KEY_SHARE = 0.6
"""Share of the episodes in which a key among the rows of a table has to be met."""
_LEAST_FORMS = 6
"""Episodes that have a value in the slot."""
_LEAST_FORM = 3
"""Those of them in which a form has to be met, at least."""
_FORM_SHARE = 0.1
"""Share of the episodes in which a form has to be met."""
_SIZED = 0.5
"""Share of the lines in which there is a size, so that a word there is none that is missing."""
_LEAST_VARIANTS = 3
"""Forms that differ in one word, so that it is a value and no word of a form."""
_IN_QUOTES = ('"', '"')
_VALUE_SHARE = 0.2
"""The same of a value: names that are drawn from a pool recur by chance."""


def with_special_forms(
    templates: Sequence[Template], lines: Sequence[Line], phrases: frozenset[str]
) -> tuple[Template, ...]:
    """Find what recurs in the slots: keys of a list of attributes, and forms of values."""
    out = []
    for template, readings in readings_of(templates, lines).items():
        special: list[Template] = []
        for index, slot in enumerate(template.slots):
            column = [(line, values[index]) for line, values in readings]
            out += [filled(template, slot, fill) for fill in _recurring_keys(column)]
            fills: Sequence[Template] = _keys(column) or recurring_forms(
                column, slot, template, phrases
            )
            fills = fills or _keys_among_rows(column)
            fills = _with_places_of_values(fills, phrases)
            special += [_with_units(filled(template, slot, fill), lines) for fill in fills]
        own = [line for line, _ in readings]
        for form in tuple(special) or (template,):  # each key has sizes, or words, of its own
            special += _without_sizes(form, own)
        texts = {each.text: each for each in special}
        chosen = tuple(texts[text] for text in sorted(texts))[:_MOST_SPECIAL]
        out.append(replace(template, special=chosen))
    return tuple(out)


def _with_units(template: Template, lines: Sequence[Line]) -> Template:
    """Return a template with what the values of a slot always say, such as a unit."""
    readings = [values for line in lines if (values := template.read(line.text)) is not None]
    for index, slot in reversed(list(enumerate(template.slots))):
        form = unification([values[index] for values in readings]) if readings else None
        if form is not None and form.slots and form.weight:
            template = filled(template, slot, form)
    return template


def _keys(column: Sequence[tuple[Line, str]]) -> list[Template]:
    """Return the values of a slot that name each line of a list, the same in all lists."""
    lists: dict[tuple[int, int], list[str]] = defaultdict(list)
    for line, value in column:
        lists[line.episode, line.at].append(value)
    if max(map(len, lists.values()), default=0) < 2:
        return []
    if any(len(set(values)) < len(values) for values in lists.values()):
        return []
    counts = Counter(value for values in lists.values() for value in values)
    seen = Counter(value for _, value in {(line.episode, value) for line, value in column})
    number = len({line.episode for line, _ in column})
    keys = sorted(v for v, count in seen.items() if count * 2 >= number and not has_digit(v))
    if not keys or sum(counts[key] for key in keys) < _KEYED * counts.total():
        return []
    # Where nearly all lines are named so, what else recurs is a key that only some lists have.
    least = max(_LEAST_FORM, _VALUE_SHARE * number)
    keys = sorted(v for v, count in seen.items() if count >= least and not has_digit(v))
    return [Template(literal_text(key)) for key in keys]


def _keys_among_rows(column: Sequence[tuple[Line, str]]) -> list[Template]:
    """Return the values of a slot that most episodes have, once a result, where others are rows.

    Of the rows that are left, what all of them say is a form as well.
    """
    if len({(line.episode, line.at) for line, _ in column}) == len(column):
        return []
    results = Counter((line.episode, line.at, value) for line, value in column)
    episodes: dict[str, set[int]] = defaultdict(set)
    for (episode, _, value), count in results.items():
        if count == 1 and not has_digit(value):
            episodes[value].add(episode)
    least = max(_LEAST_FORMS, _KEY_SHARE * len({line.episode for line, _ in column}))
    keys = sorted(value for value, own in episodes.items() if len(own) >= least)
    fills = [Template(literal_text(key)) for key in keys]
    rest = sorted({value for _, value in column}.difference(keys))
    rows = unification(rest) if keys and len(rest) >= _LEAST_VARIANTS else None
    return [*fills, rows] if rows is not None and rows.slots and rows.weight else fills


def _without_sizes(form: Template, lines: Sequence[Line]) -> list[Template]:
    """Return a form with what recurs where sizes stand and is none: it says why there is none."""
    readings = [(line, values) for line in lines if (values := form.read(line.text)) is not None]
    return [
        filled(form, slot, fill)
        for index, slot in enumerate(form.slots)
        if slot not in form.few
        for fill in _words_among_sizes([(line, values[index]) for line, values in readings])
    ]


def _words_among_sizes(column: Sequence[tuple[Line, str]]) -> list[Template]:
    sizes = sum(magnitude(value) is not None for _, value in column)
    if sizes < _SIZED * len(column):
        return []
    episodes: dict[str, set[int]] = defaultdict(set)
    for line, value in column:
        if magnitude(value) is None:
            episodes[value].add(line.episode)
    least = max(_LEAST_FORM, _FORM_SHARE * len({line.episode for line, _ in column}))
    words = sorted(value for value, own in episodes.items() if len(own) >= least)
    return [Template(literal_text(word)) for word in words]


def _recurring_keys(column: Sequence[tuple[Line, str]]) -> list[Template]:
    """Return the values of a slot that name each line of a record, where records follow another.

    Most records have each of the keys; two lines with the same key do not follow each other.
    """
    lists: dict[tuple[int, int], list[str]] = defaultdict(list)
    for line, value in column:
        lists[line.episode, line.at].append(value)
    every = list(lists.values())
    keys = Counter(value for _, value in {(line.episode, value) for line, value in column})
    number = len({line.episode for line, _ in column})
    if has_digit("".join(keys)) or not 1 < len(keys) <= _MOST_SPECIAL:
        return []
    if min(keys.values()) * 2 < number:
        return []
    if sum(len(set(values)) < len(values) for values in every) * 2 < len(every):
        return []
    if any(one == other for values in every for one, other in itertools.pairwise(values)):
        return []
    return [Template(literal_text(key)) for key in sorted(keys)]


def recurring_forms(
    column: Sequence[tuple[Line, str]], slot: str, template: Template, phrases: frozenset[str]
) -> list[Template]:
    """Return the forms that the values of a slot have, where words recur in them.

    Args:
        column: Lines that the template reads, and what the slot holds.
        slot: The slot.
        template: Where it stands.
        phrases: What is used as an argument.
    """
    if slot in template.few or slot in template.lists:
        return []
    places = {(line.episode, line.at) for line, _ in column}
    if len(places) < len(column):
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
    """Return what fills a slot; of what differs in one word, often an argument, there is one.

    ``zone A``, ``zone B`` and ``zone C`` become ``zone {1}`` where a zone is typed: that says more
    in fewer words, and also reads what was not met.
    """
    places: dict[tuple[tuple[str, ...], int], dict[str, str]] = defaultdict(dict)
    for fill in fills:
        words = () if fill.slots else tokens(fill.text)
        for at, word in enumerate(words):
            rest = (*words[:at], *words[at + 1 :])
            if any(other[0].isalpha() for other in rest):
                places[rest, at][fill.text] = word
    out = {fill.text: fill for fill in fills}
    for _, variants in sorted(places.items(), key=lambda each: (-len(each[1]), each[0])):
        used = [word in phrases for text, word in variants.items() if text in out]
        if len(used) < _LEAST_VARIANTS or sum(used) * 2 <= len(used):
            continue
        texts = [text for text in variants if text in out]
        whole = unification(texts)
        if whole is not None and len(whole.slots) == 1:
            out = {text: fill for text, fill in out.items() if text not in texts}
            out[whole.text] = whole
    return list(out.values())
