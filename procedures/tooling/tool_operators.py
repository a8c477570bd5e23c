"""Operators of tool runs: a tool with the texts of its arguments, and slots for what varies.

``get("/trains/{}/seats")`` is found by replacing what was said before, by task or results, in all
texts that were given for one argument; a text that is always said whole is a slot on its own.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..episodes.facts import Scalar, scalar_text
from ..episodes.history import History
from ..episodes.tokens import magnitude, spans
from ..programs.call_forms import (
    SLOT,
    UNCLEAR,
    FlatCall,
    Form,
    Template,
    pattern,
    reads_as,
    typed_value,
)

_MOST_WORDS = 8
"""Longest phrase of a task that may be put into a text, in words."""
_LONGEST_TEXT = 4_000
"""Characters of the longest argument that is taken apart; bounds the time."""
_MANY_VALUES = 3
"""Fewest different values that are data; fewer may be choices of a policy."""
_LEAST_TEXTS = 2
"""Fewest texts of a template: what only one text has is a value."""
_SHORTEST = 2
"""Fewest characters of a text that is taken out of a longer one, unless it is a number."""


class Calls:
    """All forms in which tools are called, the most frequent first, and the types of values."""

    def __init__(
        self, forms: Iterable[Form], types: Mapping[tuple[str, str], frozenset[str]]
    ) -> None:
        self.forms = tuple(dict.fromkeys(forms))
        self.types = types
        self._by_operator = {form.operator: form for form in self.forms}

    def parse(self, call: FlatCall, quotable: Said) -> tuple[Form, tuple[str, ...]]:
        """Return a call's form and arguments; a form whose slots hold what was said is preferred.

        Numbers are spelled as they were said: ``30.5`` is the ``30.50`` of a text.
        """
        call = FlatCall(call.tool, tuple((path, quotable.spelling(v)) for path, v in call.values))
        first: tuple[Form, tuple[str, ...]] | None = None
        for form in self.forms:
            values = form.read(call)
            if values is not None:
                if all(value in quotable for value in values):
                    return form, values
                first = first or (form, values)
        if first is not None:
            return first
        plain = Form(call.tool, tuple((path, SLOT) for path in call.paths))
        return plain, tuple(scalar_text(value) for _, value in call.values)

    def form(self, operator: str) -> Form:
        """Return the form of an operator."""
        return self._by_operator.get(operator) or Form(operator, ())

    def call(self, operator: str, arguments: Sequence[str]) -> FlatCall | None:
        """Return the call of an operator, its values typed as they were in demonstrations.

        None where a value cannot be of the type.
        """
        form = self._by_operator.get(operator)
        if form is None:
            return None
        texts = form.write(arguments).items()
        types = self.types
        try:
            values = [(p, typed_value(t, types.get((form.tool, p), frozenset()))) for p, t in texts]
        except ValueError:
            return None
        return FlatCall(form.tool, tuple(values))


# ---------------------------------------------------------------------------- learning
def known_values(history: History) -> frozenset[str]:
    """Return what results told before, and what calls were given."""
    facts = (fact for result in history.results for fact in result)
    told_values = (value for fact in facts for value in fact.fields.values())
    given_values = (value for call in history.calls for value in call.arguments)
    return frozenset(filter(None, itertools.chain(told_values, given_values)))


def learn_calls(calls: Sequence[tuple[FlatCall, Said]]) -> Calls:
    """Learn the forms of calls, each given with what was said before it."""
    texts: dict[tuple[str, str], list[tuple[str, Said]]] = defaultdict(list)
    shown: dict[tuple[str, str], list[Scalar]] = defaultdict(list)
    for call, quotable in calls:
        for path, value in call.values:
            shown[call.tool, path].append(value)
            texts[call.tool, path].append((scalar_text(quotable.spelling(value)), quotable))
    templates = {
        place: [SLOT] if _is_computed(each) else _templates(each) for place, each in texts.items()
    }
    forms: Counter[Form] = Counter()
    for call, quotable in calls:
        template_by_path = [
            (
                path,
                _first_reading(
                    templates[call.tool, path], scalar_text(quotable.spelling(value)), quotable
                ),
            )
            for path, value in call.values
        ]
        forms[Form(call.tool, tuple(template_by_path))] += 1
    ranked = sorted(forms, key=lambda f: (-forms[f], f.slots, f.operator))
    types = {place: _types_of(values) for place, values in shown.items()}
    return Calls(ranked, {p: each for p, each in types.items() if each != {"str"}})


def _types_of(values: Iterable[Scalar]) -> frozenset[str]:
    """Return the types of an argument's values, or that they are unclear.

    Sources are texts: ``null`` is nothing, unless a demonstration gave it as a text as well.
    """
    values = list(values)
    types = frozenset(type(value).__name__ for value in values)
    others = types - {"str"}
    unclear = any(isinstance(value, str) and reads_as(value, others) for value in values)
    return frozenset({UNCLEAR}) if unclear else types


class Said:
    """The values of results, and the phrases of a task, that arguments may repeat.

    Args:
        task: The task.
        told: Values that were told before; see :func:`known_values`.
    """

    def __init__(self, task: str, told: frozenset[str]) -> None:
        self.task = task
        self.told = told
        self.words = spans(task)

    def __contains__(self, value: str) -> bool:
        return value in self.told or (bool(value) and _occurs(value, self.task))

    def spelling(self, value: Scalar) -> Scalar:
        """Return a number as it was told, if it was told in another spelling."""
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or scalar_text(value) in self
        ):
            return value
        spellings = (each for each in self.told if magnitude(each) == ("number", float(value)))
        return min(spellings, default=value, key=str)

    def found_in(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where something that was said stands in a text, the longest first, apart."""
        places: set[tuple[int, int]] = set()
        for value in self.told:
            if len(value) >= _SHORTEST or value.isdigit():
                places.update(_occurrences(value, text))
        for i, (begin, _) in enumerate(self.words):
            for _, end in self.words[i : i + _MOST_WORDS]:
                phrase = self.task[begin:end]
                if not (phrase[0].isalnum() and phrase[-1].isalnum()):
                    continue
                occurrences = list(_occurrences(phrase, text))
                if not occurrences:
                    break
                if len(phrase) >= _SHORTEST or phrase.isdigit():
                    places.update(occurrences)
        disjoint: list[tuple[int, int]] = []
        for begin, end in sorted(places, key=lambda p: (p[0] - p[1], p[0])):
            if all(end <= b or begin >= e for b, e in disjoint):
                disjoint.append((begin, end))
        yield from sorted(disjoint)


def _is_computed(texts: Sequence[tuple[str, Said]]) -> bool:
    """Whether an argument is worked out: numbers, dates or times, some of them said by nobody."""
    types = {size[0] if size is not None else "" for size in map(magnitude, (t for t, _ in texts))}
    unsaid = {text for text, quotable in texts if text not in quotable}
    several = len({text for text, _ in texts}) >= _MANY_VALUES
    return len(types) == 1 and "" not in types and len(unsaid) > 1 and several


def _templates(texts: Sequence[tuple[str, Said]]) -> list[Template]:
    """Return the templates of an argument's texts, the most frequent first."""
    candidates: dict[Template, None] = {SLOT: None}
    values_by_template: dict[Template, list[tuple[str, ...]]] = {}
    abstractions = [
        (text, *_abstract(text, quotable))
        for text, quotable in texts
        if len(text) <= _LONGEST_TEXT and text not in quotable
    ]
    # What is given just so where nobody said a part of it is not made of what was said; nor is it
    # made of words that always are the same, and name nothing.
    verbatim = {text for text, template, _ in abstractions if len(template) == 1}
    distinct_values: dict[Template, set[tuple[str, ...]]] = defaultdict(set)
    for _, template, values in abstractions:
        distinct_values[template].add(values)
    for text, template, values in abstractions:
        if text in verbatim or (
            len(distinct_values[template]) == 1 and not any(map(_is_name, values))
        ):
            template, values = (text,), ()
        values_by_template.setdefault(template, []).append(values)
    if sum(len(template) == 1 for template in values_by_template) >= _MANY_VALUES:
        values_by_template = {
            template: rows for template, rows in values_by_template.items() if len(template) > 1
        }
    for template, rows in values_by_template.items():
        candidates[template] = None
        candidates[_with_common_words(template, rows)] = None
    indices_by_template = {
        template: {
            i for i, (text, quotable) in enumerate(texts) if _reads(template, text, quotable)
        }
        for template in candidates
    }
    templates: list[Template] = []
    uncovered = set(range(len(texts)))
    while uncovered and indices_by_template:
        best = max(
            indices_by_template,
            key=lambda t: (len(indices_by_template[t] & uncovered), t == SLOT, len("".join(t)), t),
        )
        covered = indices_by_template.pop(best) & uncovered
        if len(covered) < _LEAST_TEXTS:  # what is said once is a value, however it is made
            break
        templates.append(best)
        uncovered -= covered
    return templates


def _is_name(value: str) -> bool:
    """Whether a value has a word that is a name or a figure, or tells no capitals."""
    return any(sign.isdigit() or (sign.isalpha() and not sign.islower()) for sign in value)


def _abstract(text: str, quotable: Said) -> tuple[Template, tuple[str, ...]]:
    parts: list[str] = []
    values: list[str] = []
    at = 0
    for begin, end in quotable.found_in(text):
        parts.append(text[at:begin])
        values.append(text[begin:end])
        at = end
    return (*parts, text[at:]), tuple(values)


def _with_common_words(template: Template, values: Sequence[tuple[str, ...]]) -> Template:
    """Give a template what the values of a slot have in common in all texts, and constants.

    A phrase of the task may reach over several of its values: ``K1 to K2`` are two.
    """
    if len(set(values)) < 2:
        return template
    parts = [template[0]]
    for column, part in zip(zip(*values, strict=True), template[1:], strict=True):
        if len(set(column)) == 1 and not any(c.isdigit() for c in column[0]):
            parts[-1] += column[0] + part
            continue
        words = [value.split(" ") for value in column]
        most = min(map(len, words)) - 1
        leading = trailing = 0
        while leading < most and len({each[leading] for each in words}) == 1:
            leading += 1
        while leading + trailing < most and len({each[-1 - trailing] for each in words}) == 1:
            trailing += 1
        first = words[0]
        parts[-1] += "".join(word + " " for word in first[:leading])
        parts += _separators([each[leading : len(each) - trailing] for each in words])
        parts.append("".join(" " + word for word in first[len(first) - trailing :]) + part)
    return tuple(parts)


def _separators(values: Sequence[Sequence[str]]) -> list[str]:
    """Return the words that divide all values in the same way: each has them once, inside."""
    common = {
        word
        for word in values[0]
        if not any(sign.isdigit() for sign in word)
        and all(each.count(word) == 1 and each[0] != word != each[-1] for each in values)
    }
    shapes = {
        tuple(
            " ".join(run) if literal else ""
            for literal, run in itertools.groupby(each, common.__contains__)
        )
        for each in values
    }
    if len(shapes) > 1:
        return []
    (shape,) = shapes
    return [f" {text} " for text in shape if text]


def _first_reading(templates: Sequence[Template], text: str, quotable: Said) -> Template:
    for template in templates:
        if _reads(template, text, quotable):
            return template
    return SLOT


def _reads(template: Template, text: str, quotable: Said) -> bool:
    match = pattern(template).fullmatch(text)
    return match is not None and all(value in quotable for value in match.groups())


def _occurrences(phrase: str, text: str) -> Iterator[tuple[int, int]]:
    at = text.find(phrase)
    while at >= 0:
        end = at + len(phrase)
        if not (text[at - 1 : at].isalnum() and phrase[0].isalnum()) and not (
            text[end : end + 1].isalnum() and phrase[-1].isalnum()
        ):
            yield at, end
        at = text.find(phrase, at + 1)


def _occurs(phrase: str, text: str) -> bool:
    return next(_occurrences(phrase, text), None) is not None
