"""Conditions of programs read from texts: the reverse of :mod:`~.notation`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from json.decoder import JSONDecodeError, scanstring  # type: ignore[attr-defined]  # not in typeshed
from typing import TypeVar, cast

from ..common.errors import ConditionError
from .exact_numbers import FIGURE
from .notation import GAP, NAME, RANKS, SPELLED, TELLINGS
from .program_conditions import (
    After,
    Argument,
    Arithmetic,
    Comparison,
    Condition,
    DoneStep,
    EverySaid,
    Field,
    Known,
    Literal,
    OneOf,
    Only,
    Own,
    Period,
    Rounded,
    Row,
    Said,
    Shown,
    Size,
    TaskSlot,
    Term,
    Times,
    Together,
    ToldField,
    Total,
    Unused,
)
from .quantities import OPERATIONS, PERIODS, ROUNDINGS
from .sources import Best, Choice, Offered, Order, Source
from .terms import parts_of

_T = TypeVar("_T")
_MAX_LENGTH = 100_000
"""Most characters of a condition; it bounds the time of reading a file."""
_MOST_DEPTH = 20
"""Most nested parentheses: fewer than Python's limit of nested calls."""
_SPACE = re.compile(r"[ \t\r\n]*")
_WORD = re.compile(r"[a-z]+")
_INTEGER = re.compile(r"[1-9][0-9]{0,5}(?!\w)")
_RELATIONS = ("<=", ">=", "!=", "!>", "!<", "≠", "~", "=", "<", ">")
_READ = {"!=": "≠", "~": "≈"}
_WORDED = {
    tuple(text.split(" ")): relation for relation, text in SPELLED.items() if text[0].isalpha()
}
_ORDERS = {"least": False, "greatest": True}
_KNOWN = (
    "said, every said, known, unused, shown, only, ever shown, ever only, "
    "done, after, at first, offered, several, best, told, before, first, task, row, argument, "
    "value, count, sum, ever count, ever sum, up, down, nearest, size"
)


def read_condition(
    text: object, parameters: Mapping[str, Source] | None = None
) -> Condition | Offered:
    """Read a condition.

    Args:
        text: A text of :func:`~.notation.condition_text`; ``≠`` may stand for ``!=``.
        parameters: Name → source, for ``offered(…)``.

    Raises:
        ConditionError: It is none; carries the text and the column.
    """
    reader = _Reader(text, parameters or {})
    return reader.finished(reader.condition())


def read_field(text: object) -> str:
    """Read a field of the candidate, such as ``{1}``, or a figure of two, such as ``{2} * {3}``.

    Raises:
        ConditionError: It is none.
    """
    if isinstance(text, str) and FIGURE.fullmatch(text):
        return text
    reader = _Reader(text, {})
    return reader.finished(reader.field())


def read_term(text: object) -> Term:
    """Read a value that is no field of a candidate, such as ``told("Total {1}", 1)``.

    Raises:
        ConditionError: It is none.
    """
    reader = _Reader(text, {})
    term = reader.finished(reader.term())
    if any(isinstance(each, Field) for each in parts_of(term)):
        raise reader.error("expected task(…), told(…) or argument(…): there is no candidate", 0)
    return term


def read_order(text: object) -> Order:
    """Read an order of preference, such as ``least {3}``.

    Raises:
        ConditionError: It is none.
    """
    reader = _Reader(text, {})
    word = reader.word()
    behind = word == "behind"
    word = reader.word() if behind else word
    rank = 1 + RANKS.index(word) if word in RANKS[1:] else 1
    word = reader.word() if rank > 1 else word
    place = reader.word() if word == "first" and rank == 1 and not behind else ""
    by_place = place in ("said", "listed")
    if word not in _ORDERS and not by_place:
        raise reader.error(
            "expected 'least', 'greatest', 'first said' or 'first listed' and a field, such as "
            "least {3}",
            0,
        )
    start = reader.at
    by = reader.term()
    fields = (by.left, by.right) if isinstance(by, Arithmetic) else (by,)
    if not all(isinstance(each, Field) for each in fields) or (by_place and len(fields) > 1):
        raise reader.error("expected a field, or for sizes two and a sign: {2} - {3}", start)
    order = Order(cast("Field | Arithmetic", by), _ORDERS.get(word, False), place == "said", rank)
    return reader.finished(replace(order, behind=behind, listed=place == "listed"))


class _Reader:
    """Recursive descent over one text; ``at`` is the index of the next character."""

    def __init__(self, text: object, parameters: Mapping[str, Source]) -> None:
        if not isinstance(text, str):
            raise ConditionError(
                f"a condition is a text, not {type(text).__name__}",
                hint="put the whole condition in quotes",
            )
        if len(text) > _MAX_LENGTH:
            raise ConditionError(f"a condition is longer than {_MAX_LENGTH} characters")
        self.text = text
        self.parameters = parameters
        self.at = 0
        self.depth = 0
        self._space()

    def error(self, problem: str, at: int | None = None, hint: str | None = None) -> ConditionError:
        """Return the error for a place."""
        excerpt = self.text if len(self.text) <= 300 else f"{self.text[:300]}..."
        column = (self.at if at is None else at) + 1
        return ConditionError(problem, text=excerpt, column=column, hint=hint)

    def finished(self, value: _T) -> _T:
        """Return the value if the text ends here."""
        if self.at != len(self.text):
            raise self.error("expected the end", hint="one condition a text; list several")
        return value

    def condition(self) -> Condition | Offered:
        start = self.at
        negated = self._accept_word("not")
        negatable = self._negatable(negated)
        if negatable is not None:
            return negatable
        if negated:
            raise self.error(
                "'not' stands before shown, ever shown, every said, known, unused, done, after, at "
                "first, offered, several or best",
                start,
                hint="of values write !=",
            )
        if self._accept_call("said"):
            before, behind = self._between() if self.text.startswith('"', self.at) else ("", "")
            term = self.term()
            self._expect(")")
            return Said(term, before, behind)
        for ever in (True, False):
            if self._accept_call("ever only" if ever else "only"):
                return self._only(ever=ever)
        return self._relation(self.term())

    def _between(self) -> tuple[str, str]:
        at = self.at
        before, gap, behind = self.quoted().partition(GAP)
        if not gap or not before:
            raise self.error(f'expected signs around {GAP}, such as ": {GAP},"', at)
        self._expect(",")
        return before, behind

    def _terms_before_text(self) -> Iterator[Term]:
        """Yield terms between commas, up to a text."""
        yield self.term()
        self._expect(",")
        while not self.text.startswith('"', self.at):
            yield self.term()
            self._expect(",")

    def _only(self, *, ever: bool) -> Only:
        kinds = [self.quoted()]
        while self._accept(","):
            kinds.append(self.quoted())
        self._expect(")")
        return Only(tuple(kinds), ever)

    def _negatable(self, negated: bool) -> Condition | Offered | None:
        for now in (True, False):
            if self._accept_call("shown" if now else "ever shown"):
                kind = self.quoted()
                self._expect(")")
                return Shown(kind, now, negated)
        if self._accept_word("every"):
            if not self._accept_call("said"):
                raise self.error("expected said(…) behind 'every'")
            before, behind = self._between()
            kind = self.quoted()
            self._expect(",")
            return EverySaid(kind, self._closed_name(), before, behind, negated)
        if self._accept_word("at"):
            if not self._accept_word("first"):
                raise self.error("expected 'first' behind 'at'")
            return After("", negated)
        if self._accept_call("unused"):
            term, *beside = self._terms_before_text()
            operator = self.quoted()
            self._expect(")")
            return Unused(term, operator, negated, tuple(beside))
        if self._accept_call("done"):
            return self._done(negated)
        if self._accept_call("after"):
            return After(self._closed_name(), negated)
        if self._accept_call("known"):
            term = self.term()
            self._expect(")")
            return Known(term, negated)
        for several, word in enumerate(("offered", "several")):
            if self._accept_call(word):
                source = self._choice()
                return Offered(source, negated, bool(several), self._conditions_of_row())
        if self._accept_call("best"):
            at = self.at
            source = self._choice()
            if source.worth is None:
                raise self.error("nothing says what the candidates are worth", at, "add worth")
            self._expect(",")
            return Best(source, negated, step=self._closed_name())
        return None

    def _choice(self) -> Choice:
        at = self.at
        name = self._name()
        source = self.parameters.get(name)
        if not isinstance(source, Choice):
            raise self.error(f"{name!r} is no parameter that is a choice", at)
        return source

    def _done(self, negated: bool) -> DoneStep:
        step = self._name()
        if self._accept(")"):
            return DoneStep(step, negated)
        self._expect(",")
        at = self.at
        number = _INTEGER.match(self.text, at)
        if number is None or int(number[0]) < 2:
            raise self.error("expected a number of times, at least 2", at)
        self.at = number.end()
        self._space()
        if not self._accept_word("times"):
            raise self.error("expected 'times' behind the number")
        self._expect(")")
        return DoneStep(step, negated, int(number[0]))

    def _relation(self, left: Term) -> Condition:
        if self._accept_word("in"):
            self._expect("[")
            values: list[str] = []
            while not self._accept("]"):
                if values:
                    self._expect(",")
                values.append(self.quoted())
            return OneOf(left, tuple(values))
        if self._accept_word("with"):
            return self._together(left)
        for word in ("has", "lacks"):
            if self._accept_word(word):
                return Comparison(left, word, self.term())
        for words, relation in _WORDED.items():
            if self._accept_words(words):
                return Comparison(left, relation, self.term())
        for mark in _RELATIONS:
            if self._accept(mark):
                if mark == "=" and self.text.startswith('"', self.at):
                    return OneOf(left, (self.quoted(),))
                if mark in ("!=", "≠") and self.text.startswith('"', self.at):
                    return Comparison(left, "≠", Literal(self.quoted()))
                return Comparison(left, _READ.get(mark, mark), self.term())
        raise self.error(
            "expected =, !=, <=, >=, <, >, has, begins with, ends with, contains, with or in"
        )

    def _together(self, left: Term) -> Together:
        right = self.term()
        if not self._accept_word("in"):
            raise self.error("expected in [[…, …], …]")
        self._expect("[")
        pairs: list[tuple[str, str]] = []
        while not self._accept("]"):
            if pairs:
                self._expect(",")
            self._expect("[")
            one = self.quoted()
            self._expect(",")
            pairs.append((one, self.quoted()))
            self._expect("]")
        return Together(left, right, tuple(pairs))

    def term(self, *, rows: bool = True) -> Term:
        left = self._plain_term(rows=rows)
        for sign in OPERATIONS:
            if self._accept(sign):
                return Arithmetic(left, sign, self._plain_term(rows=rows))
        return left

    def _plain_term(self, *, rows: bool) -> Term:
        if self.text.startswith("{", self.at):
            return Field(self.field())
        for word in ("count", "sum", "ever count", "ever sum"):
            if self._accept_call(word):
                return self._total(word)
        for word in (*TELLINGS.values(), "row"):
            if self._accept_call(word):
                return self._of_a_result(word, rows=rows)
        if self._accept("("):
            inner = self._deeper()
            self._expect(")")
            return inner
        if self._accept_call("size"):
            inner = self._deeper()
            self._expect(")")
            return Size(inner)
        for unit in PERIODS:
            if self._accept_call(unit):
                inner = self._deeper()
                self._expect(")")
                return Period(inner, unit)
        for how in ROUNDINGS:
            if self._accept_call(how):
                return self._rounded(how)
        if self._accept_call("task"):
            return TaskSlot(self._closed_name())
        if self._accept_call("times"):
            return Times(self._closed_name())
        if self._accept_call("value"):
            literal = self.quoted()
            self._expect(")")
            return Literal(literal)
        if self._accept_call("argument"):
            if not self.text.startswith('"', self.at):
                number = self._number(
                    "a text in double quotes, or the number of an argument, from 1"
                )
                self._expect(")")
                return Own(number - 1)
            operator = self.quoted()
            self._expect(",")
            number = self._number("the argument's number, from 1")
            self._expect(")")
            return Argument(operator, number - 1)
        raise self.error("expected a condition", hint=f"known: {_KNOWN}, and fields such as {{1}}")

    def _total(self, word: str) -> Total:
        self._enter()
        kind, field = self.quoted(), None
        if word.endswith("sum"):
            self._expect(",")
            field = self.field()
        where = self._conditions_of_row()
        self.depth -= 1
        return Total(kind, field, where, word.startswith("ever "))

    def _conditions_of_row(self) -> tuple[Condition, ...]:
        """Read conditions, a comma before each, and the closing parenthesis."""
        where: list[Condition] = []
        while self._accept(","):
            at = self.at
            condition = self.condition()
            if isinstance(condition, Offered):
                raise self.error("expected a condition over a row", at)
            where.append(condition)
        self._expect(")")
        return tuple(where)

    def _enter(self) -> None:
        self.depth += 1
        if self.depth > _MOST_DEPTH:
            raise self.error(f"more than {_MOST_DEPTH} parentheses, one in the other")

    def _deeper(self) -> Term:
        self._enter()
        term = self.term()
        self.depth -= 1
        return term

    def _rounded(self, how: str) -> Rounded:
        inner = self._deeper()
        decimals = 0
        if self._accept(","):
            decimals = self._number("how many decimals are left, 1 to 9", most=9)
        self._expect(")")
        return Rounded(inner, how, decimals)

    def _number(self, what: str, most: int = 999_999) -> int:
        number = _INTEGER.match(self.text, self.at)
        if number is None or not 1 <= int(number[0]) <= most:
            raise self.error(f"expected {what}")
        self.at = number.end()
        self._space()
        return int(number[0])

    def _of_a_result(self, word: str, *, rows: bool) -> Term:
        kind = self.quoted()
        self._expect(",")
        if word != "row" and (word != "before" or not self.text.startswith("{", self.at)):
            at = next(at for at, spelling in TELLINGS.items() if spelling == word)
            return ToldField(kind, self._closed_name(), at)
        if not rows:
            raise self.error("a row is looked up by what is no row itself")
        key = self.field()
        self._expect("=")
        by = self.term(rows=False)
        self._expect(",")
        name = self.field()
        self._expect(")")
        return Row(kind, key, by, name, word == "before")

    def field(self) -> str:
        self._expect("{")
        name = self._name()
        self._expect("}")
        return name

    def word(self) -> str:
        match = _WORD.match(self.text, self.at)
        if match is None:
            return ""
        self.at = match.end()
        self._space()
        return match[0]

    def quoted(self) -> str:
        if not self.text.startswith('"', self.at):
            raise self.error('expected a text in double quotes, such as "Done."')
        try:
            value, self.at = scanstring(self.text, self.at + 1, True)
        except JSONDecodeError as error:
            raise self.error(f"not a JSON string: {error.msg}", error.pos) from None
        self._space()
        return str(value)

    def _closed_name(self) -> str:
        name = self._name()
        self._expect(")")
        return name

    def _name(self) -> str:
        if self.text.startswith('"', self.at):
            return self.quoted()
        match = NAME.match(self.text, self.at)
        if match is None:
            raise self.error("expected a name, or a text in double quotes")
        self.at = match.end()
        self._space()
        return match[0]

    def _space(self) -> None:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def _accept(self, mark: str) -> bool:
        if not self.text.startswith(mark, self.at):
            return False
        self.at += len(mark)
        self._space()
        return True

    def _accept_word(self, word: str) -> bool:
        match = _WORD.match(self.text, self.at)
        return match is not None and match[0] == word and self._accept(word)

    def _accept_words(self, words: tuple[str, ...]) -> bool:
        at = self.at
        if all(self._accept_word(word) for word in words):
            return True
        self.at = at
        return False

    def _accept_call(self, words: str) -> bool:
        at = self.at
        if self._accept_words(tuple(words.split())) and self._accept("("):
            return True
        self.at = at
        return False

    def _expect(self, mark: str) -> None:
        if not self._accept(mark):
            raise self.error(f"expected {mark!r}")
