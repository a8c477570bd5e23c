"""The parser of conditions: text or YAML in, an immutable condition out.

The parser is safe for hostile input: a text has at most :data:`MAX_LENGTH` characters and nests
at most :data:`MAX_DEPTH` deep, so that time and stack are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from json.decoder import JSONDecodeError, scanstring  # type: ignore[attr-defined]  # not in typeshed

from ..common.errors import ConditionError
from .base import Condition
from .nodes import (
    AllOf,
    AnyOf,
    Asked,
    Attempts,
    Constant,
    Done,
    Ever,
    Fact,
    KindIn,
    Last,
    Not,
    Observed,
)
from .text_patterns import Pattern

MAX_LENGTH = 10_000
"""Longest condition, in characters of its canonical text."""
MAX_DEPTH = 32
"""Deepest nesting of parentheses, negations and YAML mappings."""

_SPACE = re.compile(r"[ \t\r\n]*")
_WORD = re.compile(r"[A-Za-z_]+")
_INTEGER = re.compile(r"[0-9]{1,9}(?![0-9])")
_TERM = re.compile(r"\{([A-Za-z0-9_]{1,40})\}")
_CONSTANTS: Mapping[str, bool | None] = {"true": True, "false": False, "unknown": None}
_PATTERN_ATOMS: Mapping[str, Callable[[Pattern], Condition]] = {
    "observed": Observed,
    "ever": Ever,
    "asked": Asked,
}
_MEMBERSHIPS: Mapping[str, Callable[[str, tuple[Pattern, ...]], Condition]] = {
    "last": Last,
    "kind": KindIn,
}
_FACTS = frozenset({"post", "pre", "exhausted"})
_KNOWN = (
    "true, false, unknown, observed, ever, done, last, kind, asked, post, pre, exhausted, attempts"
)


def parse_condition(value: object) -> Condition:
    """Parse a condition: text, a boolean, or a mapping ``not``/``all``/``any``.

    Raises:
        ConditionError: It does not parse; carries the text and the column.
    """
    if isinstance(value, str):
        return _parse_text(value)
    if isinstance(value, bool):
        return Constant(value)
    # Parsing the printed text again applies the limits to it.
    return _parse_text(_from_mapping(value, 0).to_text())


def _from_mapping(value: object, depth: int) -> Condition:
    if isinstance(value, str):
        return _parse_text(value)
    if isinstance(value, bool):
        return Constant(value)
    if depth > MAX_DEPTH:
        raise ConditionError(f"a condition nests deeper than {MAX_DEPTH}")
    if not isinstance(value, Mapping) or len(value) != 1:
        raise ConditionError(
            f"a condition is a text, or a mapping with one key, not {_describe(value)}",
            hint="write for example {not: done} or {all: [done, post]}",
        )
    ((key, inner),) = value.items()
    if key == "not":
        return Not(_from_mapping(inner, depth + 1))
    if key not in ("all", "any"):
        raise ConditionError(f"a condition's key is one of not, all, any, not {_describe(key)}")
    if not isinstance(inner, list | tuple) or not inner:
        raise ConditionError(f"{key!r} needs a list of one or more conditions")
    parts = tuple(_from_mapping(part, depth + 1) for part in inner)
    if len(parts) == 1:
        return parts[0]
    return AllOf(parts) if key == "all" else AnyOf(parts)


def _describe(value: object) -> str:
    """Name a value in a message without quoting all of it: it may be huge or nested."""
    if value is None or isinstance(value, str | int | float):
        return repr(value)[:40]
    if isinstance(value, Mapping):
        return f"a mapping with {len(value)} keys"
    return "a list" if isinstance(value, list | tuple) else type(value).__name__


@lru_cache(maxsize=16_384)
def _parse_text(text: str) -> Condition:
    if len(text) > MAX_LENGTH:
        raise ConditionError(
            f"a condition of {len(text)} characters is longer than {MAX_LENGTH}",
            hint="split it into several conditions",
        )
    parser = _Parser(text)
    condition = parser.disjunction(0)
    parser.space()
    if parser.at != len(text):
        raise parser.error("expected the end, 'and' or 'or'")
    if len(condition.to_text()) > MAX_LENGTH:
        raise ConditionError(f"a condition is longer than {MAX_LENGTH} characters when printed")
    return condition


class _Parser:
    """Recursive descent over one text; ``at`` is the index of the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def error(self, problem: str, at: int | None = None, hint: str | None = None) -> ConditionError:
        """Return the error for the current place, with the text near it if it is long."""
        column = (self.at if at is None else at) + 1
        excerpt = self.text if len(self.text) <= 300 else f"{self.text[:300]}..."
        return ConditionError(problem, text=excerpt, column=column, hint=hint)

    def space(self) -> None:
        """Skip white space."""
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # always matches

    def peek_word(self) -> str:
        """Return the word that begins here, or an empty text."""
        self.space()
        word = _WORD.match(self.text, self.at)
        return word[0] if word else ""

    def accept_word(self, word: str) -> bool:
        """Skip a word if it stands here."""
        if self.peek_word() != word:
            return False
        self.at += len(word)
        return True

    def accept(self, mark: str) -> bool:
        """Skip a mark if it stands here."""
        self.space()
        if not self.text.startswith(mark, self.at):
            return False
        self.at += len(mark)
        return True

    def expect(self, mark: str) -> None:
        """Skip a mark, which must stand here."""
        if not self.accept(mark):
            raise self.error(f"expected {mark!r}")

    def disjunction(self, depth: int) -> Condition:
        """Parse ``A or B``."""
        parts = [self.conjunction(depth)]
        while self.accept_word("or"):
            parts.append(self.conjunction(depth))
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def conjunction(self, depth: int) -> Condition:
        """Parse ``A and B``."""
        parts = [self.negation(depth)]
        while self.accept_word("and"):
            parts.append(self.negation(depth))
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

    def negation(self, depth: int) -> Condition:
        """Parse ``not A``, ``(A)`` or an atom."""
        if depth > MAX_DEPTH:
            raise self.error(f"a condition nests deeper than {MAX_DEPTH}")
        if self.accept_word("not"):
            return Not(self.negation(depth + 1))
        if self.accept("("):
            inner = self.disjunction(depth + 1)
            self.expect(")")
            return inner
        return self.atom()

    def atom(self) -> Condition:
        """Parse an atom."""
        word = self.peek_word()
        start = self.at
        self.at += len(word)
        if word in _CONSTANTS:
            return Constant(_CONSTANTS[word])
        if word in _PATTERN_ATOMS:
            self.expect("(")
            pattern = self.pattern()
            self.expect(")")
            return _PATTERN_ATOMS[word](pattern)
        if word == "done":
            if not self.accept("("):
                return Done()
            pattern = self.pattern()
            self.expect(")")
            return Done(pattern)
        if word in _MEMBERSHIPS:
            return self.membership(word)
        if word in _FACTS:
            return Fact(word)
        if word == "attempts":
            self.expect(">=")
            self.space()
            number = _INTEGER.match(self.text, self.at)
            if number is None:
                raise self.error("expected a whole number below 10^9")
            self.at = number.end()
            return Attempts(int(number[0]))
        problem = f"unknown word {word[:40]!r}" if word else "expected a condition"
        raise self.error(problem, start, hint=f"known words: {_KNOWN}")

    def membership(self, word: str) -> Condition:
        """Parse the text after ``last`` or ``kind``."""
        self.expect("(")
        self.space()
        term = _TERM.match(self.text, self.at)
        if term is None:
            raise self.error("expected a parameter such as {x}")
        self.at = term.end()
        self.expect(")")
        if not self.accept_word("in"):
            raise self.error("expected 'in'")
        self.expect("[")
        choices = [self.pattern()]
        while self.accept(","):
            choices.append(self.pattern())
        self.expect("]")
        return _MEMBERSHIPS[word](term[1], tuple(choices))

    def pattern(self) -> Pattern:
        """Parse a JSON string that holds a pattern."""
        self.space()
        start = self.at
        if not self.text.startswith('"', start):
            raise self.error('expected a pattern in double quotes, such as "You open the {x}."')
        try:
            raw, self.at = scanstring(self.text, start + 1, True)
        except JSONDecodeError as error:
            raise self.error(f"not a JSON string: {error.msg}", error.pos) from None
        if any("\ud800" <= character <= "\udfff" for character in raw):
            raise self.error("a pattern holds half a surrogate pair", start)
        try:
            return Pattern.parse(raw)
        except ConditionError as error:
            # Escapes shift the column inside the pattern, so the error names its start.
            inner = f"{error.args[0].split(' (column')[0]} in the pattern"
            raise self.error(inner, start, hint=error.hint) from None
