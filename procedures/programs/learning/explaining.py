"""The shortest computation that gives all values of an argument from earlier values.

A computation of one operation that fits is taken. A longer one has to explain more bits than it
costs to pick it among all that were tried, since few values fit some computation by chance.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

import numpy as np

from ..exact_numbers import decimals_of, written_number
from ..program_conditions import Arithmetic, Literal, Rounded, Size, Term
from ..quantities import OPERATIONS, quantity_of
from ..sources import Computed, computed_text
from ..terms import bound_term
from .expressions import Expression, Floats, expressions, leaf, size
from .occurrences import Occurrence

__all__ = ["explain"]

_MOST = 4
"""Most computations that are kept where several fit."""
_MOST_LEAVES = 10
"""Most quantities that computations combine, the first ones."""
_OPERATIONS = 2
"""Most operations of an expression; pairs of expressions have one more."""
_MOST_GROWN = 2000
"""Expressions above which no longer ones are built, as that would take long."""
_SURE_BITS = 8.0
"""Bits that a computation has to explain beyond its cost: by chance one in 256 does."""
_LEAST_VALUES = 3
"""Least different values from which on a constant is learned."""
_DIGITS = 4
"""Most digits of a constant: people choose round ones."""
_CLOSE = 1e-6
"""Tolerance of floats."""
_SAME = 7
"""Decimals at which equal shares are recognized."""
_Computed: TypeAlias = Arithmetic | Rounded | Size
_Explained: TypeAlias = Iterator[_Computed]


@dataclass(frozen=True, slots=True)
class _Target:
    """The values that a computation has to give.

    Attributes:
        type: Type of the quantities.
        sizes: One size for each value.
        written: Notation of the values.
    """

    type: str
    sizes: Floats
    written: Computed

    def near(self, sizes: Floats) -> bool:
        """Whether sizes equal the target's within the tolerance of floats."""
        return bool(np.allclose(sizes, self.sizes, rtol=1e-12, atol=_CLOSE))

    @property
    def bits(self) -> float:
        """Bits of a guess at the values."""
        return len(self.sizes) * math.log2(len(set(self.sizes.tolist())))


def explain(
    index: int, occurrences: Sequence[Occurrence], terms: Mapping[Term, Sequence[str]]
) -> Computed | None:
    """Return the shortest computations that give all values exactly, or None.

    Args:
        index: Place of the argument whose values were demonstrated.
        occurrences: The calls.
        terms: Term → its value at each call.
    """
    values = [each.arguments[index] for each in occurrences]
    leaves = [each for term, texts in terms.items() if (each := leaf(term, texts)) is not None]
    targets = list(_targets(values))
    if not leaves or not targets:
        return None
    for candidates in _candidates_by_length(targets, leaves[:_MOST_LEAVES]):
        for target, proposals in candidates:
            exact = (
                each
                for each in proposals
                if all(
                    computed_text(bound_term(each, call.arguments), target.written, call.history)
                    == call.arguments[index]
                    for call in occurrences
                )
            )
            right = tuple(itertools.islice(exact, _MOST))
            if right:
                return Computed(right, target.written.decimals, target.written.duration)
    return None


def _targets(values: Sequence[str]) -> Iterator[_Target]:
    quantities = [quantity_of(value) for value in values]
    if None in quantities:
        return
    sizes = np.array([size(each) for each in quantities])
    kinds = {(each.type, each.notation) for each in quantities if each}
    precisions = {decimals_of(value) for value in values}
    if len({type_ for type_, _ in kinds}) != 1 or len(set(sizes.tolist())) < 2:
        return
    type_, notation = kinds.pop()
    if type_ == "number" and None not in precisions:
        yield _Target(
            type_, sizes, Computed((), precisions.pop() if len(precisions) == 1 else None)
        )
    elif type_ in ("date", "time"):
        yield _Target(type_, sizes, Computed(()))
        if type_ == "time" and not kinds:
            yield _Target("number", sizes, Computed((), duration=notation))


def _candidates_by_length(
    targets: Sequence[_Target], leaves: Sequence[Expression]
) -> Iterator[list[tuple[_Target, _Explained]]]:
    """Yield computations that may give the values, the shortest first."""
    grown: list[Expression] = []
    expression_count = 1
    for level in expressions(leaves, _OPERATIONS, _MOST_GROWN):
        grown += level
        expression_count += len(level)
        sure = [
            target for target in targets if target.bits > math.log2(expression_count) + _SURE_BITS
        ]
        if level and level[0].operations:
            matched = targets if level[0].operations == 1 else sure
            yield [(target, _equal_expressions(target, level)) for target in matched]
            yield [(target, _rounded_expressions(target, level)) for target in sure]
        if not level or level[0].operations < _OPERATIONS:
            yield [(target, _with_constant(target, level)) for target in sure]
    least_bits = 2 * math.log2(expression_count) + _SURE_BITS
    sure = [target for target in targets if target.bits > least_bits]
    yield [(target, _pairs_of_expressions(target, grown)) for target in sure]
    yield [(target, _shares(target, grown, leaves)) for target in sure]


def _equal_expressions(target: _Target, level: Iterable[Expression]) -> _Explained:
    for each in level:
        right = each.type == target.type and target.near(each.sizes)
        if right and isinstance(each.term, Arithmetic | Rounded | Size):
            yield each.term


def _roundings(target: _Target, sizes: Floats) -> Iterator[tuple[str, int]]:
    """Yield the manners of rounding that turn sizes into the target, with decimals."""
    decimals = target.written.decimals or 0
    scale = 10.0**decimals
    scaled, scaled_target = sizes * scale, target.sizes * scale
    if not (np.abs(scaled - scaled_target) <= 1).all():
        return
    for manner, values in (
        ("nearest", np.floor(scaled + 0.5 + _CLOSE)),
        ("up", np.ceil(scaled - _CLOSE)),
        ("down", np.floor(scaled + _CLOSE)),
    ):
        if np.allclose(values, scaled_target, atol=_CLOSE):
            yield manner, decimals


def _rounded_expressions(target: _Target, level: Iterable[Expression]) -> _Explained:
    if target.type != "number" or target.written.duration:
        return
    for each in level:
        if each.type == "number" and isinstance(each.term, Arithmetic) and each.term.sign in "*/":
            for how, decimals in _roundings(target, each.sizes):
                yield Rounded(each.term, how, decimals)


def _with_constant(target: _Target, level: Iterable[Expression]) -> _Explained:
    """Yield sums, differences, products and quotients with one constant."""
    for expression in level:
        if len(set(expression.sizes.tolist())) < _LEAST_VALUES:
            continue
        if expression.type == target.type:
            step = target.sizes - expression.sizes
            text = _round_text(float(np.median(step)))
            if text and np.allclose(step, float(text), atol=_CLOSE):
                yield Arithmetic(
                    expression.term, "-" if text[0] == "-" else "+", Literal(text.lstrip("-"))
                )
        if expression.type == target.type == "number":
            yield from _scaled(target, expression)


def _scaled(target: _Target, expression: Expression) -> _Explained:
    nonzero = expression.sizes != 0  # zero times any factor is zero
    if not nonzero.any():
        return
    factor = float(np.median(target.sizes[nonzero] / expression.sizes[nonzero]))
    for digits in range(1, _DIGITS + 1):
        for sign, number in (("*", factor), ("/", 1 / factor if factor else 0.0)):
            text = _round_text(float(f"{number:.{digits}g}"))
            if not text or text[0] == "-" or text == "1":
                continue
            scale = float(text)
            sizes = expression.sizes * scale if sign == "*" else expression.sizes / scale
            term = Arithmetic(expression.term, sign, Literal(text))
            if target.near(sizes):
                yield term
            elif not target.written.duration:
                yield from (Rounded(term, *how) for how in _roundings(target, sizes))


def _round_text(number: float) -> str:
    """Return a number in plain digits; empty for zero, and where it has more digits."""
    text = f"{number:.{_DIGITS}g}"
    if not math.isfinite(number) or abs(float(text) - number) > _CLOSE * max(1.0, abs(number)):
        return ""
    return written_number(Decimal(text)) or "" if float(text) else ""


def _pairs_of_expressions(target: _Target, grown: Sequence[Expression]) -> _Explained:
    """Yield computations of two expressions: the second is looked up by its sizes."""
    expression_by_key = {each.key: each for each in grown}
    for first in grown:
        for sign in OPERATIONS:
            for type_, sizes in _second_operands(target, first, sign):
                second = expression_by_key.get(Expression(first.term, type_, sizes).key)
                if second is not None and second.operations + first.operations >= _OPERATIONS:
                    yield Arithmetic(first.term, sign, second.term)


def _second_operands(target: _Target, first: Expression, sign: str) -> Iterator[tuple[str, Floats]]:
    """Yield type and sizes of a second operand that turns an expression into the target."""
    numbers = first.type == target.type == "number"
    if sign == "-" and target.type == "number":
        yield first.type, first.sizes - target.sizes
    elif sign == "-" and first.type == target.type:
        yield "number", first.sizes - target.sizes
    elif sign == "+" and first.type == target.type:
        yield "number", target.sizes - first.sizes
    elif numbers and sign == "*" and (first.sizes != 0).all():
        yield "number", target.sizes / first.sizes
    elif numbers and sign == "/" and (target.sizes != 0).all():
        yield "number", first.sizes / target.sizes


def _shares(
    target: _Target, grown: Sequence[Expression], leaves: Sequence[Expression]
) -> _Explained:
    """Yield how often a quantity goes into a sum or difference, rounded to a whole number."""
    if target.type != "number" or target.written.decimals != 0 or target.written.duration:
        return
    numbers = [expression for expression in leaves if expression.type == "number"]
    parts = [expression for expression in numbers if (expression.sizes > 0).all()]
    seen_shares: set[bytes] = set()
    for sign, swapped in (("-", False), ("-", True), ("+", False)):
        for expression, number in itertools.product(grown, numbers):
            if expression.type != "number":
                continue
            minuend, subtrahend = (expression, number) if swapped else (number, expression)
            sizes = (
                minuend.sizes - subtrahend.sizes
                if sign == "-"
                else minuend.sizes + subtrahend.sizes
            )
            for part in parts:
                share = sizes / part.sizes
                for how, _ in _roundings(target, share):
                    key = np.round(share, _SAME).tobytes()
                    if key not in seen_shares:
                        seen_shares.add(key)
                        numerator = Arithmetic(minuend.term, sign, subtrahend.term)
                        yield Rounded(Arithmetic(numerator, "/", part.term), how)
