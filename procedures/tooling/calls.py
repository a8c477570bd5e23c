"""Operators of tool runs: a tool with the texts of its arguments, and slots for what varies.

``get("/trains/{}/seats")`` is found by replacing what was said before, by task or results, in all
texts that were given for one argument; a text that is always said whole is a slot on its own.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from ..episodes.facts import Scalar, spelled
from ..episodes.history import History
from ..episodes.templates import escaped
from ..episodes.tokens import magnitude, spans

__all__ = [
    "ANSWER",
    "Calls",
    "Form",
    "Given",
    "Said",
    "flattened",
    "known_values",
    "learn_calls",
    "nested",
]

ANSWER = ""
"""The tool that gives the final answer; its only argument is the text."""
Template: TypeAlias = tuple[str, ...]
"""A text with slots: what stands before the first, between them, and behind the last."""
_SLOT: Template = ("", "")
_MEANT = re.compile(r"[\\.]|^[\[{]")
"""Signs of a key that mean something in a path."""
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_KEY = re.compile(r"(?:^|\.)((?:\\.|[^\\.])*)", re.DOTALL)
_MOST_WORDS = 8
"""Longest phrase of a task that may be put into a text, in words."""
_LONGEST = 4_000
_SHORTEST = 2
"""Fewest characters of a text that is taken out of a longer one, unless it is a number."""


@dataclass(frozen=True, slots=True)
class Given:
    """A call as it was made: the tool, and its arguments by path.

    Attributes:
        tool: Its name; :data:`ANSWER` for the final answer.
        values: Path → value, sorted.
    """

    tool: str
    values: tuple[tuple[str, Scalar], ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths."""
        return tuple(path for path, _ in self.values)


@dataclass(frozen=True)
class Form:
    """One way to call a tool: for each path a text with slots."""

    tool: str
    texts: tuple[tuple[str, Template], ...]

    @cached_property
    def operator(self) -> str:
        """The operator's name, with ``{}`` for each argument."""
        if not self.tool:
            return "answer: " + "".join(_written(text) for _, text in self.texts)
        inner = ", ".join(f"{escaped(path)}={_written(text)}" for path, text in self.texts)
        return f"{escaped(self.tool)}({inner})"

    @cached_property
    def place(self) -> str:
        """The tool, with those texts that say more than a value: what is asked of it."""
        inner = ", ".join(f"{p}={_written(t)}" for p, t in self.texts if len(t) > 1 and t != _SLOT)
        return f"{self.tool}({inner})" if inner and self.tool else self.tool

    @cached_property
    def composed(self) -> bool:
        """Whether a value is put into a longer text."""
        return any(len(text) > 1 and text != _SLOT for _, text in self.texts)

    @cached_property
    def slots(self) -> int:
        """How many slots there are."""
        return sum(len(text) - 1 for _, text in self.texts)

    def read(self, call: Given) -> tuple[str, ...] | None:
        """Return the values of the slots, or None if the call is of another form."""
        if call.tool != self.tool or call.paths != tuple(path for path, _ in self.texts):
            return None
        out: list[str] = []
        for (_, value), pattern in zip(call.values, self._patterns, strict=True):
            match = pattern.fullmatch(spelled(value))
            if match is None:
                return None
            out += match.groups()
        return tuple(out)

    def write(self, arguments: Sequence[str]) -> dict[str, str]:
        """Return path → text."""
        left = iter(arguments)
        return {
            path: text[0] + "".join(next(left) + part for part in text[1:])
            for path, text in self.texts
        }

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(_pattern(text) for _, text in self.texts)


class Calls:
    """All forms in which tools are called, the most frequent first, and the types of values."""

    def __init__(
        self, forms: Sequence[Form], types: Mapping[tuple[str, str], frozenset[str]]
    ) -> None:
        self.forms = tuple(forms)
        self.types = types
        self._by_operator = {form.operator: form for form in forms}

    def parse(self, call: Given, said: Said) -> tuple[Form, tuple[str, ...]]:
        """Return a call's form and arguments; a form whose slots hold what was said is preferred.

        Numbers are spelled as they were said: ``30.5`` is the ``30.50`` of a text.
        """
        call = Given(call.tool, tuple((path, said.spelling(v)) for path, v in call.values))
        first: tuple[Form, tuple[str, ...]] | None = None
        for form in self.forms:
            values = form.read(call)
            if values is not None:
                if all(value in said for value in values):
                    return form, values
                first = first or (form, values)
        if first is not None:
            return first
        plain = Form(call.tool, tuple((path, _SLOT) for path in call.paths))
        return plain, tuple(spelled(value) for _, value in call.values)

    def form(self, operator: str) -> Form:
        """Return the form of an operator."""
        return self._by_operator.get(operator) or Form(operator, ())

    def call(self, operator: str, arguments: Sequence[str]) -> Given | None:
        """Return the call of an operator, its values typed as they were in demonstrations.

        None where a value cannot be of the type.
        """
        form = self._by_operator.get(operator)
        if form is None:
            return None
        texts = form.write(arguments).items()
        types = self.types
        try:
            values = [(p, _typed(t, types.get((form.tool, p), frozenset()))) for p, t in texts]
        except ValueError:
            return None
        return Given(form.tool, tuple(values))


# ---------------------------------------------------------------------------- nested arguments
def flattened(arguments: Mapping[str, Any]) -> tuple[tuple[str, Scalar], ...]:
    """Return path → value of nested arguments, sorted.

    ``[0]`` is an item of a list; an empty list ends its path with ``[]``, an empty object with
    ``{}``. A dot or backslash of a key, or a bracket that begins it, stands behind a backslash.
    """
    return tuple(sorted(_leaves("", arguments))) if arguments else ()


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Scalar]]:
    begin = f"{path}." if path else ""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _leaves(begin + _MEANT.sub(r"\\\g<0>", str(key)), inner)
    elif isinstance(value, list | tuple) and value:
        for index, inner in enumerate(value):
            yield from _leaves(f"{begin}[{index}]", inner)
    elif isinstance(value, Mapping | list | tuple):
        yield f"{begin}{{}}" if isinstance(value, Mapping) else f"{begin}[]", ""
    else:
        yield path, value


def nested(values: Iterable[tuple[str, Scalar]]) -> dict[str, Any]:
    """Put arguments together again; the reverse of :func:`flattened`."""
    tree: dict[str, Any] = {}
    for path, value in values:
        *before, last = (match[1] for match in _KEY.finditer(path))
        at = tree
        for part in before:
            at = at.setdefault(part, {})
        at[last] = value
    return {_ESCAPED.sub(r"\1", key): _listed(value) for key, value in tree.items()}


def _listed(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if value.keys() <= {"[]", "{}"}:
        return [] if "[]" in value else {}
    inner = [_listed(each) for each in value.values()]
    if all(key == f"[{index}]" for index, key in enumerate(value)):
        return inner
    return {_ESCAPED.sub(r"\1", key): each for key, each in zip(value, inner, strict=True)}


def _typed(text: str, types: frozenset[str]) -> Scalar:
    """Return a value of the types that were demonstrated; texts stay texts.

    Raises:
        ValueError: It is of none of them.
    """
    if not types or "str" in types:
        return text
    if text in ("true", "false", "null"):
        if ("NoneType" if text == "null" else "bool") in types:
            return {"true": True, "false": False, "null": None}[text]
        raise ValueError(text)
    if "int" in types and re.fullmatch(r"[-+]?\d+", text):
        return int(text)
    if "float" in types:
        return float(text)
    raise ValueError(text)


# ---------------------------------------------------------------------------- learning
def known_values(history: History) -> frozenset[str]:
    """Return what was told before by results."""
    facts = (fact for result in history.results for fact in result)
    return frozenset(value for fact in facts for value in fact.fields.values() if value)


def learn_calls(calls: Sequence[tuple[Given, Said]]) -> Calls:
    """Learn the forms of calls, each given with what was said before it."""
    texts: dict[tuple[str, str], list[tuple[str, Said]]] = defaultdict(list)
    types: dict[tuple[str, str], set[str]] = defaultdict(set)
    for given, said in calls:
        for path, value in given.values:
            types[given.tool, path].add(type(value).__name__)
            texts[given.tool, path].append((spelled(said.spelling(value)), said))
    templates = {place: _templates(each) for place, each in texts.items()}
    forms: Counter[Form] = Counter()
    for given, said in calls:
        inner = [
            (path, _best(templates[given.tool, path], spelled(said.spelling(value)), said))
            for path, value in given.values
        ]
        forms[Form(given.tool, tuple(inner))] += 1
    ranked = sorted(forms, key=lambda f: (-forms[f], f.slots, f.operator))
    return Calls(ranked, {place: frozenset(each) for place, each in types.items()})


class Said:
    """What may be put into a text: told values, and phrases of the task.

    Args:
        task: The task.
        told: Values that were told before; see :func:`known_values`.
    """

    def __init__(self, task: str, told: frozenset[str]) -> None:
        self.task = task
        self.told = told
        self.words = spans(task)

    def __contains__(self, value: str) -> bool:
        return value in self.told or (bool(value) and _stands(value, self.task))

    def spelling(self, value: Scalar) -> Scalar:
        """Return a number as it was told, if it was told in another spelling."""
        if isinstance(value, bool) or not isinstance(value, int | float) or spelled(value) in self:
            return value
        alike = (each for each in self.told if magnitude(each) == ("number", float(value)))
        return min(alike, default=value, key=str)

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
                found = list(_occurrences(phrase, text))
                if not found:
                    break
                if len(phrase) >= _SHORTEST or phrase.isdigit():
                    places.update(found)
        taken: list[tuple[int, int]] = []
        for begin, end in sorted(places, key=lambda p: (p[0] - p[1], p[0])):
            if all(end <= b or begin >= e for b, e in taken):
                taken.append((begin, end))
        yield from sorted(taken)


def _templates(texts: Sequence[tuple[str, Said]]) -> list[Template]:
    """Return templates of which each text has one, the one that most have first."""
    candidates: dict[Template, None] = {_SLOT: None}
    made: dict[Template, list[tuple[str, ...]]] = defaultdict(list)
    for text, said in texts:
        if len(text) <= _LONGEST and text not in said:
            template, values = _abstracted(text, said)
            made[template].append(values)
    for template, each in made.items():
        candidates[template] = None
        candidates[_folded(template, each)] = None
    covers = {
        template: {
            i for i, (text, said) in enumerate(texts) if _reads(_pattern(template), text, said)
        }
        for template in candidates
    }
    chosen: list[Template] = []
    left = set(range(len(texts)))
    while left:
        best = max(
            covers,
            key=lambda t: (len(covers[t] & left), t == _SLOT, len("".join(t)), t),
        )
        if not covers[best] & left:
            break
        chosen.append(best)
        left -= covers.pop(best)
    return chosen


def _abstracted(text: str, said: Said) -> tuple[Template, tuple[str, ...]]:
    parts: list[str] = []
    values: list[str] = []
    at = 0
    for begin, end in said.found_in(text):
        parts.append(text[at:begin])
        values.append(text[begin:end])
        at = end
    return (*parts, text[at:]), tuple(values)


def _folded(template: Template, values: Sequence[tuple[str, ...]]) -> Template:
    """Give a template what the values of a slot begin or end with in all texts, and constants."""
    if len(set(values)) < 2:
        return template
    out = [template[0]]
    for column, part in zip(zip(*values, strict=True), template[1:], strict=True):
        if len(set(column)) == 1 and not any(c.isdigit() for c in column[0]):
            out[-1] += column[0] + part
            continue
        words = [value.split(" ") for value in column]
        most = min(map(len, words)) - 1
        front = back = 0
        while front < most and len({each[front] for each in words}) == 1:
            front += 1
        while front + back < most and len({each[-1 - back] for each in words}) == 1:
            back += 1
        first = words[0]
        out[-1] += "".join(word + " " for word in first[:front])
        out.append("".join(" " + word for word in first[len(first) - back :]) + part)
    return tuple(out)


def _best(templates: Sequence[Template], text: str, said: Said) -> Template:
    for template in templates:
        if _reads(_pattern(template), text, said):
            return template
    return _SLOT


def _reads(pattern: re.Pattern[str], text: str, said: Said) -> bool:
    match = pattern.fullmatch(text)
    return match is not None and all(value in said for value in match.groups())


@lru_cache(10_000)
def _pattern(template: Template) -> re.Pattern[str]:
    slot = "(.*)" if template == _SLOT else "(.+?)"
    return re.compile(slot.join(map(re.escape, template)), re.DOTALL)


def _written(template: Template) -> str:
    return "{}".join(map(escaped, template))


def _occurrences(phrase: str, text: str) -> Iterator[tuple[int, int]]:
    at = text.find(phrase)
    while at >= 0:
        end = at + len(phrase)
        if not (text[at - 1 : at].isalnum() and phrase[0].isalnum()) and not (
            text[end : end + 1].isalnum() and phrase[-1].isalnum()
        ):
            yield at, end
        at = text.find(phrase, at + 1)


def _stands(phrase: str, text: str) -> bool:
    return next(_occurrences(phrase, text), None) is not None
