"""The shortest computation that gives all values of an argument: what was said, put together.

Computations of one operation are taken as they are. All others have to tell more than it costs to
pick one of so many that were looked at: few values fit some computation by chance.
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
"""Computations that are kept where several fit."""
_MOST_LEAVES = 10
"""Quantities of which something is made, the first that were said."""
_OPERATIONS = 2
"""Operations of what is made; two such are put together once more."""
_MOST_GROWN = 2000
"""Expressions of so many operations from which on none of more are made: it would take long."""
_SURE_BITS = 8.0
"""By so much a computation has to tell more than it costs: chance gives one in 256 less."""
_LEAST_VALUES = 3
"""Different values from which a constant is one."""
_DIGITS = 4
"""Digits that a constant may have: people choose round ones."""
_CLOSE = 1e-6
"""What floats may err by."""
_SAME = 7
"""Decimals of shares that are the same, however they are written."""
_Computed: TypeAlias = Arithmetic | Rounded | Size
_Explained: TypeAlias = Iterator[_Computed]


@dataclass(frozen=True, slots=True)
class _Target:
    """What has to come out.

    Attributes:
        type: Of the quantities.
        sizes: One for each value.
        written: Says how it is written.
    """

    type: str
    sizes: Floats
    written: Computed

    def near(self, sizes: Floats) -> bool:
        """Whether sizes are these, as far as floats tell."""
        return bool(np.allclose(sizes, self.sizes, rtol=1e-12, atol=_CLOSE))

    @property
    def bits(self) -> float:
        """What the values tell: so many bits a guess at them would need."""
        return len(self.sizes) * math.log2(len(set(self.sizes.tolist())))


def explain(
    index: int, occurrences: Sequence[Occurrence], terms: Mapping[Term, Sequence[str]]
) -> Computed | None:
    """Return the shortest computations that give all values exactly, or None.

    Args:
        index: Of the argument whose values were demonstrated.
        occurrences: The calls.
        terms: What was said → what it was each time.
    """
    values = [each.arguments[index] for each in occurrences]
    leaves = [each for term, texts in terms.items() if (each := leaf(term, texts)) is not None]
    targets = list(_targets(values))
    if not leaves or not targets:
        return None
    for found in _searched(targets, leaves[:_MOST_LEAVES]):
        for target, proposals in found:
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


def _searched(
    targets: Sequence[_Target], leaves: Sequence[Expression]
) -> Iterator[list[tuple[_Target, _Explained]]]:
    """Yield what may give the values, the shortest first."""
    made: list[Expression] = []
    tried = 1
    for level in expressions(leaves, _OPERATIONS, _MOST_GROWN):
        made += level
        tried += len(level)
        sure = [target for target in targets if target.bits > math.log2(tried) + _SURE_BITS]
        if level and level[0].operations:
            known = targets if level[0].operations == 1 else sure
            yield [(target, _equal(target, level)) for target in known]
            yield [(target, _rounded(target, level)) for target in sure]
        if not level or level[0].operations < _OPERATIONS:
            yield [(target, _with_constant(target, level)) for target in sure]
    pairs = 2 * math.log2(tried) + _SURE_BITS
    sure = [target for target in targets if target.bits > pairs]
    yield [(target, _of_two(target, made)) for target in sure]
    yield [(target, _shares(target, made, leaves)) for target in sure]


def _equal(target: _Target, level: Iterable[Expression]) -> _Explained:
    for each in level:
        right = each.type == target.type and target.near(each.sizes)
        if right and isinstance(each.term, Arithmetic | Rounded | Size):
            yield each.term


def _roundings(target: _Target, sizes: Floats) -> Iterator[tuple[str, int]]:
    """Yield the ways to round sizes, none of them that of another type, to what is wanted."""
    decimals = target.written.decimals or 0
    scale = 10.0**decimals
    scaled, wanted = sizes * scale, target.sizes * scale
    if not (np.abs(scaled - wanted) <= 1).all():
        return
    for how, values in (
        ("nearest", np.floor(scaled + 0.5 + _CLOSE)),
        ("up", np.ceil(scaled - _CLOSE)),
        ("down", np.floor(scaled + _CLOSE)),
    ):
        if np.allclose(values, wanted, atol=_CLOSE):
            yield how, decimals


def _rounded(target: _Target, level: Iterable[Expression]) -> _Explained:
    if target.type != "number" or target.written.duration:
        return
    for each in level:
        if each.type == "number" and isinstance(each.term, Arithmetic) and each.term.sign in "*/":
            for how, decimals in _roundings(target, each.sizes):
                yield Rounded(each.term, how, decimals)


def _with_constant(target: _Target, level: Iterable[Expression]) -> _Explained:
    """A constant is added, taken away, or multiplied with: the same each time."""
    for each in level:
        if len(set(each.sizes.tolist())) < _LEAST_VALUES:
            continue
        if each.type == target.type:
            step = target.sizes - each.sizes
            text = _round_text(float(np.median(step)))
            if text and np.allclose(step, float(text), atol=_CLOSE):
                yield Arithmetic(
                    each.term, "-" if text[0] == "-" else "+", Literal(text.lstrip("-"))
                )
        if each.type == target.type == "number":
            yield from _scaled(target, each)


def _scaled(target: _Target, each: Expression) -> _Explained:
    some = each.sizes != 0  # nothing of anything is nothing, and tells no factor
    if not some.any():
        return
    factor = float(np.median(target.sizes[some] / each.sizes[some]))
    for digits in range(1, _DIGITS + 1):
        for sign, of in (("*", factor), ("/", 1 / factor if factor else 0.0)):
            text = _round_text(float(f"{of:.{digits}g}"))
            if not text or text[0] == "-" or text == "1":
                continue
            by = float(text)
            sizes = each.sizes * by if sign == "*" else each.sizes / by
            term = Arithmetic(each.term, sign, Literal(text))
            if target.near(sizes):
                yield term
            elif not target.written.duration:
                yield from (Rounded(term, *how) for how in _roundings(target, sizes))


def _round_text(number: float) -> str:
    """Return a number of few digits in plain digits; empty for nothing, and where it has more."""
    text = f"{number:.{_DIGITS}g}"
    if not math.isfinite(number) or abs(float(text) - number) > _CLOSE * max(1.0, abs(number)):
        return ""
    return written_number(Decimal(text)) or "" if float(text) else ""


def _of_two(target: _Target, made: Sequence[Expression]) -> _Explained:
    """What is made of two expressions: one of them is looked up by what it has to be."""
    by_key = {each.key: each for each in made}
    for left in made:
        for sign in OPERATIONS:
            for type_, wanted in _wanted(target, left, sign):
                right = by_key.get(Expression(left.term, type_, wanted).key)
                if right is not None and right.operations + left.operations >= _OPERATIONS:
                    yield Arithmetic(left.term, sign, right.term)


def _wanted(target: _Target, left: Expression, sign: str) -> Iterator[tuple[str, Floats]]:
    """Yield type and sizes of what makes a target of an expression."""
    numbers = left.type == target.type == "number"
    if sign == "-" and target.type == "number":
        yield left.type, left.sizes - target.sizes
    elif sign == "-" and left.type == target.type:
        yield "number", left.sizes - target.sizes
    elif sign == "+" and left.type == target.type:
        yield "number", target.sizes - left.sizes
    elif numbers and sign == "*" and (left.sizes != 0).all():
        yield "number", target.sizes / left.sizes
    elif numbers and sign == "/" and (target.sizes != 0).all():
        yield "number", left.sizes / target.sizes


def _shares(
    target: _Target, made: Sequence[Expression], leaves: Sequence[Expression]
) -> _Explained:
    """How often a quantity goes into what is left of another: rounded to a whole number."""
    if target.type != "number" or target.written.decimals != 0 or target.written.duration:
        return
    numbers = [each for each in leaves if each.type == "number"]
    parts = [each for each in numbers if (each.sizes > 0).all()]
    seen: set[bytes] = set()
    for sign, swapped in (("-", False), ("-", True), ("+", False)):
        for each, other in itertools.product(made, numbers):
            if each.type != "number":
                continue
            left, right = (each, other) if swapped else (other, each)
            sizes = left.sizes - right.sizes if sign == "-" else left.sizes + right.sizes
            for part in parts:
                share = sizes / part.sizes
                for how, _ in _roundings(target, share):
                    key = np.round(share, _SAME).tobytes()
                    if key not in seen:
                        seen.add(key)
                        rest = Arithmetic(left.term, sign, right.term)
                        yield Rounded(Arithmetic(rest, "/", part.term), how)
