"""Read results as facts with fields, from lines of text or from JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from .clause_lists import learn_clause_lists
from .fact import UNREAD, Fact, Scalar, scalar_text
from .lines import without_bars
from .mentions import Mention, sentences_of
from .mining import mine_templates
from .named_items import item_form
from .nesting import learn_nesting, nested_lines, with_nested_facts
from .outlines import facts_of_outline, learn_outline
from .templates import COMMA, Line, Template

__all__ = [
    "KEYS_OF",
    "LISTING",
    "OBJECT",
    "OF_LIST",
    "UNREAD",
    "Fact",
    "Reader",
    "Scalar",
    "each_of",
    "facts_of_data",
    "is_asked",
    "learn_reader",
    "list_field",
    "scalar_text",
]

LISTING = "several names"
"""Kind of a sentence that lists several names."""
_LONGEST_KEPT = 100_000
"""Characters; longer results are not cached: they seldom recur, and 20,000 take too much memory."""
_SEVERAL = 2
"""Names of one kind that make a sentence a listing."""
KEYS_OF = "keys of "
"""Prefix of the kind of facts that hold the keys of a result."""
OF_LIST = "[]"
"""End of the kind of facts that are elements of a list."""
_MOST_OUTER = 20
"""Most values of outer rows that inner ones have, too; bounds time and memory."""
OBJECT = "result"
"""Kind of a JSON object without a tool."""
_MOST_KEYS = 20
"""Keys of an object that name its kind; more are data."""
ENTRY = f"entry of {OBJECT}"
"""Kind of a key and its value, in an object of numbers only."""


class Reader:
    """Reads results as facts.

    Args:
        templates: Templates of lines; JSON needs none.
        mentions: Mentions of names in running text.

    Attributes:
        templates: Templates of lines, the heaviest first.
        mentions: Mentions of names in running text.
        line: Returns the facts of one line, verbatim, its own fact first.
        over: Heading → kinds of the lines under it.
    """

    def __init__(
        self, templates: Sequence[Template] = (), mentions: Sequence[Mention] = ()
    ) -> None:
        self.templates = tuple(sorted(templates, key=lambda t: (-t.weight, t.text)))
        self._plain = [each for each in self.templates if not each.nested]
        self._nested = [each for each in self.templates if each.nested]
        self.over = {each.text: each.over for each in self.templates if each.over}
        self.mentions = tuple(mentions)
        self.line = lru_cache(50_000)(self._read_line)
        self._text = lru_cache(20_000)(self._read_text)

    def read(self, result: str, operator: str = "") -> tuple[Fact, ...]:
        """Return the facts of a result, in order.

        Args:
            result: Text, or an object or list of JSON.
            operator: The tool that gave the result; kinds of JSON facts begin with it.
        """
        if len(result) > _LONGEST_KEPT:
            return self._read_text(result, operator)
        return self._text(result, operator)

    def __reduce__(
        self,
    ) -> tuple[type[Reader], tuple[tuple[Template, ...], tuple[Mention, ...]]]:
        """Pickle a reader without its caches."""
        return Reader, (self.templates, self.mentions)

    def _read_text(self, result: str, operator: str) -> tuple[Fact, ...]:
        if result.lstrip()[:1] in ("{", "["):
            facts = _json_facts(result, operator)
            if facts is not None:
                return facts
        if self.mentions:
            return tuple(self._read_prose(result))
        lines = nested_lines(result)
        facts_by_line = [self.line(line) for line, _ in lines]
        if self._nested:
            facts_by_line = with_nested_facts(self._nested, lines, facts_by_line)
        return facts_of_outline(facts_by_line, self.over)

    def _read_prose(self, text: str) -> Iterator[Fact]:
        """Yield the facts of each sentence; a listing of several names yields the names only."""
        names_told: set[tuple[str, str]] = set()
        for sentence in sentences_of(text):
            names_by_kind = [(mention.kind, mention.read(sentence)) for mention in self.mentions]
            if all(len(each) < _SEVERAL for _, each in names_by_kind):
                yield from self.line(sentence)
            else:
                yield Fact(LISTING, {"1": sentence})
            for kind, name in ((kind, name) for kind, each in names_by_kind for name in each):
                if (kind, name) not in names_told:
                    names_told.add((kind, name))
                    yield Fact(kind, {"name": name})

    def _read_line(self, line: str) -> tuple[Fact, ...]:
        """Return the facts of one line, verbatim."""
        if line[:1] == "{" and (facts := _json_facts(line)):
            return facts
        if part_templates := [t for t in self.templates if t.within and t.within in line]:
            readings = ((t, values) for t in part_templates for values in t.parts(line))
            return tuple(Fact(t.text, dict(zip(t.slots, v, strict=True))) for t, v in readings)
        folded = line.casefold()
        plain = without_bars(line)
        candidates = [t for t in self._plain if not t.within and t.sign in folded]
        attempts = (
            (template, with_capitals) for with_capitals in (True, False) for template in candidates
        )
        for template, capitals in attempts:  # a line in other capitals means the same
            values = template.read(line, capitals=capitals)
            if values is None and plain != line:
                values = template.read(plain, capitals=capitals)
            if values is not None:
                fields = dict(zip(template.slots, values, strict=True))
                items = (
                    Fact(each_of(slot, template.text), thing)
                    for slot in sorted(template.lists)
                    for thing in template.things(fields[slot])
                )
                special = (
                    Fact(form.text, dict(zip(form.slots, inner, strict=True)))
                    for form in template.special
                    if (inner := form.read(line)) is not None
                )
                for slot in template.lists if template.lists_anew else ():
                    fields[list_field(slot)] = COMMA.join(template.items(fields[slot]))
                shared = [Fact(template.means, fields)] if template.means else []
                return (Fact(template.text, fields), *shared, *special, *items)
        return (Fact(UNREAD, {"1": line}),)


def each_of(slot: str, line: str = "task") -> str:
    """Return the kind of the items of a list in a slot of a line, or of the task."""
    return f"each {{{slot}}} of {line}"


def is_asked(fact: Fact) -> bool:
    """Tell whether a fact is an item that the task lists, not a result."""
    return fact.kind.startswith("each ") and fact.kind.endswith(" of task")


def list_field(slot: str) -> str:
    """Return the name of the field that holds a slot's items, all separated by commas."""
    return f"{slot} listed"


def learn_reader(lines: Sequence[Line], phrases: frozenset[str] = frozenset()) -> Reader:
    """Learn to read the lines of results.

    Args:
        lines: All lines, those of an observation in order.
        phrases: Argument values; see :func:`~.mining.mine_templates`.
    """
    listing = learn_clause_lists(lines)
    mined = map(listing.unmarked, mine_templates(listing.marked(lines), phrases))
    plain = Reader([_with_item_form(template, lines, phrases) for template in mined])
    kinds: dict[tuple[int, int], list[str]] = {}
    for line in lines:
        kinds.setdefault((line.episode, line.at), []).append(plain.line(line.text)[0].kind)
    by_text = {template.text: template for template in plain.templates}
    nesting = learn_nesting(lines, [by_text.get(plain.line(each.text)[0].kind) for each in lines])
    # Where lines are indented, indentation groups them.
    outline = {} if nesting else learn_outline(kinds.values())
    nothing = frozenset[str]()
    templates = [replace(t, over=outline.get(t.text, nothing)) for t in plain.templates]
    return Reader([*templates, *nesting])


def _with_item_form(template: Template, lines: Sequence[Line], phrases: frozenset[str]) -> Template:
    """Return a template whose list tells names and what is said of each."""
    if len(template.lists) != 1 or template.item:
        return template
    return replace(template, item=item_form(template, lines, phrases))


def _json_facts(text: str, operator: str = "") -> tuple[Fact, ...] | None:
    """Return the facts of JSON, of a tool or in a text; None where the text is not JSON."""
    try:
        facts = facts_of_data(json.loads(text), operator or OBJECT)
        return tuple(facts if operator else _with_their_keys(facts))
    except (ValueError, RecursionError):
        return None


def _with_their_keys(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Yield facts of objects, each with one of a kind that its keys name.

    Texts do not tell which call gave an object, so its keys tell objects of two kinds apart. An
    object of numbers only may be a table, whose keys other results name.
    """
    for fact in facts:
        yield fact
        is_object = fact.kind in (OBJECT, OBJECT + OF_LIST) and "" not in fact.fields
        if is_object and 0 < len(fact.fields) <= _MOST_KEYS:
            yield Fact(f"{OBJECT} with {', '.join(sorted(fact.fields))}", fact.fields, fact.raw)
            numbers = [value for value in fact.raw.values() if not isinstance(value, bool)]
            if len(numbers) == len(fact.fields) > 1:
                yield from (Fact(ENTRY, {"key": k, "value": v}) for k, v in fact.fields.items())


def facts_of_data(
    data: Any, root: str, path: str = "", outer: Mapping[str, Scalar] | None = None
) -> Iterator[Fact]:
    """Yield an object's own values as one fact, then the facts of its lists.

    A row of a list inside of a row has the values of the outer one, too, if these are few.

    Args:
        data: Of JSON.
        root: Kind of the facts of the whole; the kind of others is the root and their path.
        path: Where the data stands in the whole.
        outer: Values of the rows that the data lies in; None outside of lists.
    """
    if isinstance(data, list):
        for element in data:
            if isinstance(element, dict | list):
                yield from facts_of_data(element, root, path + OF_LIST, outer or {})
            else:
                yield _fact(root + path + OF_LIST, {"": element})
        return
    if not isinstance(data, dict):
        yield _fact(root + path, {"": data})
        return
    inner: list[tuple[str, Any]] = []
    values: dict[str, Scalar] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            flat = dict(_flat(key, value, inner))
            values |= flat
        elif isinstance(value, list):
            inner.append((key, value))
        else:
            values[key] = value
    yield _fact(root + path, {**(outer or {}), **values})
    if outer is not None:
        row = path.rpartition(".")[2]
        passed_on = {**outer, **{f"{row}.{name}": value for name, value in values.items()}}
        outer = passed_on if len(passed_on) <= _MOST_OUTER else {}
    for key, value in inner:
        yield from facts_of_data(value, root, f"{path}.{key}", outer)


def _flat(path: str, data: Mapping[str, Any], inner: list[tuple[str, Any]]) -> Iterator[Any]:
    for key, value in data.items():
        name = f"{path}.{key}"
        if isinstance(value, dict):
            yield from _flat(name, value, inner)
        elif isinstance(value, list):
            inner.append((name, value))
        else:
            yield name, value


def _fact(kind: str, values: Mapping[str, Scalar]) -> Fact:
    present = {key: value for key, value in values.items() if value is not None}
    raw = {key: value for key, value in present.items() if not isinstance(value, str)}
    return Fact(kind, {key: scalar_text(value) for key, value in present.items()}, raw)
