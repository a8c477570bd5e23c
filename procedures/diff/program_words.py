"""What stands in a program's document, in words: entries with a heading, and what each says below.

An operator, a goal, a step or a parameter is an entry. Each thing that it says is a line of its
own, so that a reader sees what came and went, however long the whole is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from ..programs.documents import source_in_words
from .part_words import compact, in_words, listed, quoted

Sayings: TypeAlias = Iterator[tuple[str, str]]
"""Pairs of what is spoken of and what is said of it; in one entry many may speak of one."""

_ONE_LINE: Final = 80
"""Most characters of a list on one line; longer ones have a line for each item."""
_CALL: Final = frozenset(("id", "do", "tool", "with", "say"))
"""Keys of a step that its heading says."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list or mapping of a program's document.

    Attributes:
        name: What it is recognised by, though its details change.
        heading: Its first line.
        sayings: What it says below that: (of what, words).
        value: As it stands in the file.
    """

    name: str
    heading: str
    sayings: tuple[tuple[str, str], ...]
    value: Any

    @property
    def words(self) -> str:
        """The whole entry on one line."""
        told = "; ".join(f"{of}: {words}" if of else words for of, words in self.sayings)
        return ": ".join(filter(None, (self.heading, told)))


def entries_of(section: str, value: Any) -> list[Entry]:
    """Return the entries of a key of a program's document, in their order.

    Args:
        section: The key.
        value: What stands there; None where nothing does.
    """
    if isinstance(value, Mapping):
        make = _FIELDS.get(section, _field)
        return [make(str(name), each) for name, each in value.items()]
    if not isinstance(value, Sequence) or isinstance(value, str):
        return [] if value is None else [Entry("", in_words(value), (), value)]
    entry_of = _ITEMS.get(section, _item)
    entries: list[Entry] = []
    taken: dict[str, int] = {}
    for each in value:
        entry = entry_of(each)
        count = taken[entry.name] = taken.get(entry.name, 0) + 1
        name = entry.name if count == 1 else f"{entry.name} ({count})"
        entries.append(Entry(name, entry.heading, entry.sayings, entry.value))
    return entries


def _sayings(name: str, value: Any) -> Sayings:
    """Yield what stands at a key: short lists on one line, else a line for each item."""
    if isinstance(value, Mapping):
        yield from ((f"{name} {key}".strip(), in_words(each)) for key, each in value.items())
    elif isinstance(value, Sequence) and not isinstance(value, str):
        text = in_words(value)
        are_plain = all(isinstance(each, str) and ", " not in each for each in value)
        if are_plain and len(text) <= _ONE_LINE:
            yield name, text
        else:
            yield from ((name, in_words(each)) for each in value)
    else:
        yield name, in_words(value)


def _field(name: str, value: Any) -> Entry:
    """Return the entry of a key of a mapping."""
    sayings = tuple(_sayings("", value))
    if len(sayings) == 1 and not sayings[0][0]:
        return Entry(name, f"{name}: {sayings[0][1]}", (), value)
    return Entry(name, name, sayings, value)


def _item(value: Any) -> Entry:
    """Return the entry of an item of a list."""
    if not isinstance(value, Mapping) or not value:
        return Entry(compact(value), in_words(value), (), value)
    key = next((key for key in ("id", "line", "of", "do") if key in value), next(iter(value)))
    rest = (said for name, each in value.items() if name != key for said in _sayings(name, each))
    return Entry(compact(value[key]), in_words(value[key]), tuple(rest), value)


# ---------------------------------------------------------------------------- reading
def _line(value: Any) -> Entry:
    """Return the entry of a template of a line."""
    if isinstance(value, str):
        return Entry(value, quoted(value), (), value)
    rest = {key: each for key, each in value.items() if key not in ("line", "few", "lists")}
    few: Mapping[str, Any] = value.get("few", {})
    sayings = [
        *((f"{{{slot}}}", f"one of {listed(each, 'or')}") for slot, each in few.items()),
        *((f"{{{slot}}}", "a list") for slot in value.get("lists", ())),
        *(said for name, each in rest.items() for said in _sayings(name, each)),
    ]
    return Entry(value["line"], quoted(value["line"]), tuple(sayings), value)


def _mention(value: Any) -> Entry:
    """Return the entry of a reader of names in running text."""
    name = f"argument {value['number']} of {value['of']}"
    heading = f"{name}, {value['longest']} words at most"
    return Entry(name, heading, tuple(("where it says", each) for each in value["where"]), value)


def _place_field(name: str, value: Any) -> Entry:
    """Return the entry of a key of the places; names are taken from lines."""
    if name not in ("ways", "names"):
        return _field(name, value)
    sayings = tuple(("", f"{each['take']} of {quoted(each['line'])}") for each in value)
    return Entry(name, name, sayings, value)


# ---------------------------------------------------------------------------- planning
def _operator(value: Any) -> Entry:
    """Return the entry of an operator: what it needs of each argument, and what it does."""
    sayings = [
        said
        for number, argument in value.get("arguments", {}).items()
        for said in _argument(f"{{{number}}}", argument)
    ]
    if value.get("reveals"):
        sayings.append(("effect", "shows what was not to be seen"))
    if value.get("enables"):
        sayings.append(("effect", "opens ways"))
    if answers := value.get("answers"):
        sayings.append(
            ("effect", f"it worked where one reads {listed(map(quoted, answers), 'or')}")
        )
    return Entry(value["id"], f"{value['id']}: {value['do']}", tuple(sayings), value)


def _argument(name: str, value: Mapping[str, Any]) -> Sayings:
    if value.get("at"):
        yield name, "is the place where one is"
    if value.get("here"):
        yield name, "was last told of at the place where one is"
    if needs := value.get("needs"):
        yield name, f"needs {listed(needs, 'or')} before"
    if after := value.get("after"):
        yield name, f"may come after {listed(after, 'or')}, too"
    for state in value.get("told", ()):
        yield name, f"needs {_state(state)}"
    for state in value.get("unless", ()):
        yield name, f"where {_state(state)}, first {state['then']}"
    if kinds := value.get("kinds"):
        times = (f"{kind} ({count})" for kind, count in kinds.items())
        yield name, f"was of kind {listed(times, 'or')}"


def _state(value: Mapping[str, Any]) -> str:
    where = listed(f"{{{name}}} is {text}" for name, text in value["where"].items())
    return f"“{value['line']}”, in which {where}"


def _goal(value: Any) -> Entry:
    """Return the entry of a goal: its things and what is done with them, in order."""
    first, *others = map(quoted, value["asked"])
    sayings = [
        *(("also asked as", each) for each in others),
        *((f"{{{name}}}", _thing(each)) for name, each in value.get("things", {}).items()),
        *(("", f"{number}. {_want(each)}") for number, each in enumerate(value["do"], 1)),
    ]
    return Entry(value["asked"][0], first, tuple(sayings), value)


def _thing(value: str) -> str:
    if value == "any":
        return "any thing"
    return f"a {value}" if value.startswith("kind ") else f"what {value} names"


def _want(value: str | Mapping[str, str]) -> str:
    return value if isinstance(value, str) else f"{value['do']} at {value['at']}"


# ---------------------------------------------------------------------------- acting
def _step(value: Any) -> Entry:
    """Return the entry of a step: what is done or called, then its guards."""
    guards = {name: part for name, part in value.items() if name not in _CALL}
    sayings = tuple(said for name, part in guards.items() for said in _sayings(name, part))
    return Entry(value["id"], f"{value['id']}: {step_call(value)}", sayings, value)


def step_call(step: Mapping[str, Any]) -> str:
    """Return what a step of a program does: words, a call or an answer."""
    if "tool" in step:
        return f"{step['tool']}({', '.join(f'{k}={v}' for k, v in step.get('with', {}).items())})"
    return str(step["do"]) if "do" in step else f"say {quoted(str(step.get('say', '')))}"


def _parameter(name: str, value: Any) -> Entry:
    return Entry(name, f"{{{name}}}: {source_in_words(value)}", (), value)


_ITEMS: Final[Mapping[str, Callable[[Any], Entry]]] = {
    "lines": _line,
    "wordings": _line,
    "names": _mention,
    "operators": _operator,
    "goals": _goal,
    "steps": _step,
}
"""Key of a list → what makes an entry of its items, where it has words of its own."""
_FIELDS: Final[Mapping[str, Callable[[str, Any], Entry]]] = {
    "parameters": _parameter,
    "places": _place_field,
}
"""Key of a mapping → what makes an entry of its keys, where it has words of its own."""
