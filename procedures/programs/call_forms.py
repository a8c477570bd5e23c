"""Forms of tool calls: a tool, and the texts of its arguments with slots."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from ..episodes.facts import Scalar, scalar_text
from ..episodes.field_words import Place
from ..episodes.templates import literal_text
from .fingerprints import UNKNOWN, Fingerprint

ANSWER = ""
"""The tool that gives the final answer; its only argument is the text."""
ANSWER_PATH = "text"
Template: TypeAlias = tuple[str, ...]
"""A text with slots: the parts before the first, between them, and behind the last."""
SLOT: Template = ("", "")
UNCLEAR = "unclear"
"""In the place of types: a text was shown that another type would write just so."""
_MEANT = re.compile(r"[\\.]|^[\[{]")
"""Signs of a key that have a meaning in a path."""
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_KEY = re.compile(r"(?:^|\.)((?:\\.|[^\\.])*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class FlatCall:
    """A call with its arguments by path.

    Attributes:
        tool: Name of the tool; :data:`ANSWER` for the final answer.
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
            return "answer: " + "".join(_operator_text(text) for _, text in self.texts)
        inner = ", ".join(
            f"{literal_text(path)}={_operator_text(text)}" for path, text in self.texts
        )
        return f"{literal_text(self.tool)}({inner})"

    @cached_property
    def place(self) -> str:
        """The tool with those of its texts that are longer than a value."""
        inner = ", ".join(
            f"{p}={_operator_text(t)}" for p, t in self.texts if len(t) > 1 and t != SLOT
        )
        return f"{self.tool}({inner})" if inner and self.tool else self.tool

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The tool's arguments: the first keys of the paths, each once."""
        first = (_KEY.match(path) for path, _ in self.texts)
        return tuple(dict.fromkeys(_ESCAPED.sub(r"\1", key[1]) for key in first if key))

    @cached_property
    def composed(self) -> bool:
        """Whether a value is put into a longer text."""
        return any(len(text) > 1 and text != SLOT for _, text in self.texts)

    @cached_property
    def slot_paths(self) -> tuple[str, ...]:
        """The path of each slot."""
        return tuple(path for path, text in self.texts for _ in text[1:])

    @cached_property
    def slots(self) -> int:
        """Number of slots."""
        return sum(len(text) - 1 for _, text in self.texts)

    def read(self, call: FlatCall) -> tuple[str, ...] | None:
        """Return the values of the slots, or None if the call is of another form."""
        if call.tool != self.tool or call.paths != tuple(path for path, _ in self.texts):
            return None
        out: list[str] = []
        for (_, value), pattern in zip(call.values, self._patterns, strict=True):
            match = pattern.fullmatch(scalar_text(value))
            if match is None:
                return None
            out += match.groups()
        return tuple(out)

    def write(self, arguments: Sequence[str]) -> dict[str, str]:
        """Return path → text."""
        remaining = iter(arguments)
        return {
            path: text[0] + "".join(next(remaining) + part for part in text[1:])
            for path, text in self.texts
        }

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(pattern(text) for _, text in self.texts)


@dataclass(frozen=True, slots=True)
class ToolUse:
    """Use of the tools of a program.

    Attributes:
        types: Tool and path → types of its values, where some are no texts.
        lists: Fields of results whose texts are lists, separated by commas.
        shared: Fields and lists that several tools tell: a kind of their own for all tools.
        prose: Fields of results whose texts are read line by line.
        classes: Kind of rows and field → values whose rows are kinds of their own, such as all
            rows that are free.
        words: Kind of facts and field → places of words in its texts that are classes.
        keyed: Paths, each with its tool, of objects whose keys are values: they are lists of rows.
        unfinished: Calls, by operator, that a demonstration continued with another one.
        beside: Tools that more than a few demonstrations called where no step does.
        idle: Tools that demonstrations called anywhere between the steps, and no step calls.
        under: Fingerprint of the agent in the demonstrations.
    """

    types: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict, hash=False)
    lists: frozenset[str] = frozenset()
    shared: frozenset[str] = frozenset()
    prose: frozenset[str] = frozenset()
    classes: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict, hash=False)
    words: Mapping[str, Mapping[str, tuple[Place, ...]]] = field(default_factory=dict, hash=False)
    unfinished: frozenset[tuple[str, ...]] = frozenset()
    beside: frozenset[str] = frozenset()
    idle: frozenset[str] = frozenset()
    under: Fingerprint = UNKNOWN
    keyed: frozenset[str] = frozenset()


# ---------------------------------------------------------------------------- nested arguments
def argument_leaves(arguments: Mapping[str, Any]) -> tuple[tuple[str, Scalar], ...]:
    """Return path → value of nested arguments, sorted.

    ``[0]`` is an item of a list. An empty list ends its path with ``[]``, an empty object with
    ``{}``. A backslash escapes a dot or backslash in a key, and a bracket that begins it.
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


def argument_tree(values: Iterable[tuple[str, Scalar]]) -> dict[str, Any]:
    """Return nested arguments; the inverse of :func:`argument_leaves`."""
    tree: dict[str, Any] = {}
    for path, value in values:
        *branch_keys, last_key = (match[1] for match in _KEY.finditer(path))
        branch = tree
        for part in branch_keys:
            branch = branch.setdefault(part, {})
        branch[last_key] = value
    return {_ESCAPED.sub(r"\1", key): _branch(value) for key, value in tree.items()}


def _branch(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if value.keys() <= {"[]", "{}"}:
        return [] if "[]" in value else {}
    items = [_branch(each) for each in value.values()]
    if all(key == f"[{index}]" for index, key in enumerate(value)):
        return items
    return {_ESCAPED.sub(r"\1", key): each for key, each in zip(value, items, strict=True)}


def typed_value(text: str, types: frozenset[str]) -> Scalar:
    """Return a text as a value of the demonstrated types; it stays a text where none reads it.

    Raises:
        ValueError: The text is of none of the types.
    """
    if not types or "str" in types:
        others = types - {"str"}
        return typed_value(text, others) if reads_as(text, others) else text
    if text in ("true", "false", "null"):
        if ("NoneType" if text == "null" else "bool") in types:
            return {"true": True, "false": False, "null": None}[text]
        raise ValueError(text)
    if "int" in types and re.fullmatch(r"[-+]?\d+", text):
        return int(text)
    if "float" in types:
        return float(text)
    raise ValueError(text)


def reads_as(text: str, types: frozenset[str]) -> bool:
    """Whether a text may be a value of one of some types that are no texts."""
    try:
        return bool(types) and not isinstance(typed_value(text, types), str)
    except ValueError:
        return False


@lru_cache(10_000)
def pattern(template: Template) -> re.Pattern[str]:
    """Return the pattern that reads the texts of a template."""
    slot = "(.*)" if template == SLOT else "(.+?)"
    return re.compile(slot.join(map(re.escape, template)), re.DOTALL)


def _operator_text(template: Template) -> str:
    return "{}".join(map(literal_text, template))
