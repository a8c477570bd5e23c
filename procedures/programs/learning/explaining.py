"""The shortest computation that gives all values of an argument from earlier values.

A computation of one operation that fits is taken. A longer one has to explain more bits than it
costs to pick it among all that were tried, since few values fit some computation by chance.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...episodes.history import History
from ..exact_numbers import POINTS, decimals_of, written_number
from ..program_conditions import Arithmetic, Literal, Rounded, Size, Term, Total, value_of
from ..quantities import OPERATIONS, quantity_of
from ..sources import Computed, computed_text
from ..terms import bound_term, parts_of
from .calendar_days import periods_between
from .expressions import Expression, Expressions, Floats, expressions, keys_of, leaf, size
from .occurrences import Occurrence

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
_WHOLE = 100
"""Hundredths of a whole."""
_CLOSE = 1e-6
"""Tolerance of floats."""
_FIRST = 6
"""Values that shares are compared with at first; most combinations miss one of them."""
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

    @property
    def unit(self) -> float:
        """The last decimal that is written."""
        return float(10.0 ** -(self.written.decimals or 0) + _CLOSE)

    def near(self, sizes: Floats) -> bool:
        """Whether sizes equal the target's within the tolerance of floats."""
        return bool(np.allclose(sizes, self.sizes, rtol=1e-12, atol=_CLOSE))

    @property
    def plain(self) -> bool:
        """Whether the values are numbers, and no durations."""
        return self.type == "number" and not self.written.duration

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
    targets = list(_targets([each.arguments[index] for each in occurrences]))
    quantities = (each for term, texts in terms.items() if (each := leaf(term, texts)) is not None)
    leaves = list(itertools.islice(quantities, _MOST_LEAVES if targets else 0))
    if not leaves:
        return None
    for candidates in _candidates_by_length(targets, leaves):
        for target, proposals in candidates:
            if (source := _exact(index, occurrences, target, proposals)) is not None:
                return source
    return None


def explain_shares(
    index: int,
    occurrences: Sequence[Occurrence],
    parts: Mapping[Term, Sequence[str]],
    amounts: Mapping[Term, Sequence[str]],
    sums: Collection[Total],
) -> Computed | None:
    """Return the shares of an amount, as a part is of a sum, that give all values exactly, or None.

    Args:
        index: Place of the argument whose values were demonstrated.
        occurrences: The calls.
        parts: Term of a row → its value at each call.
        amounts: Term that is shared out → its value at each call.
        sums: Sums of rows.
    """
    part_leaves, amount_leaves = (
        [each for t, texts in columns.items() if (each := leaf(t, texts)) and each.type == "number"]
        for columns in (parts, amounts)
    )
    pairs = list(itertools.product(part_leaves, amount_leaves))
    histories = [each.history for each in occurrences]
    for target in _targets([each.arguments[index] for each in occurrences]):
        if not pairs or not target.plain or target.bits <= math.log2(len(pairs)) + _SURE_BITS:
            continue
        wholes = np.array([amount.sizes * part.sizes for part, amount in pairs])
        if not any(_may_share(target, wholes, each, histories) for each in sums):
            continue  # as is usual: so not all sums have to be added up at all calls
        columns = ((total, sums_of(total, histories)) for total in sums)
        sum_leaves = [each for t, texts in columns if texts and (each := leaf(t, texts))]
        count = len(pairs) * len(sum_leaves)
        if not count or target.bits <= math.log2(count) + _SURE_BITS:
            continue
        shares = _shares_of_sums(target, pairs, sum_leaves)
        if (source := _exact(index, occurrences, target, shares)) is not None:
            return source
    return None


def sums_of(total: Total, histories: Iterable[History]) -> list[str] | None:
    """Return the value of a sum in each history; None where one has none."""
    texts: list[str] = []
    for history in histories:
        if (text := _sum_of(total, history)) is None:
            return None
        texts.append(text)
    return texts


def _sum_of(total: Total, history: History) -> str | None:
    text: str | None = history.memo.get(total, "")  # no number is written so
    if text == "":
        text = history.memo[total] = value_of(total, history)
    return text


def _may_share(target: _Target, wholes: Floats, total: Total, histories: Iterable[History]) -> bool:
    """Whether some whole, divided by a sum, is near the target at each call.

    Args:
        target: The target.
        wholes: Amounts times parts; shape (wholes, calls).
        total: The sum.
        histories: Of the calls. None is looked at behind the first one at which no whole is near.
    """
    for call, history in enumerate(histories):
        divisor = size(quantity_of(_sum_of(total, history)))
        if not divisor:
            return False
        near = np.abs(wholes[:, call] / divisor - target.sizes[call]) <= target.unit
        wholes = wholes[near]
        if not len(wholes):
            return False
    return True


def _exact(
    index: int, occurrences: Sequence[Occurrence], target: _Target, proposals: _Explained
) -> Computed | None:
    """Return the first computations that write each value just as it was demonstrated, or None."""
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
    differs = any(isinstance(part, Arithmetic) and part.sign == "-" for part in _parts(right))
    positive = differs and target.type == "number" and bool((target.sizes > 0).all())
    return replace(target.written, computations=right, positive=positive) if right else None


def _parts(computations: Iterable[_Computed]) -> Iterator[Term]:
    return (part for each in computations for part in parts_of(each))


def _shares_of_sums(
    target: _Target,
    pairs: Sequence[tuple[Expression, Expression]],
    sums: Sequence[Expression],
) -> _Explained:
    """Yield amounts times a part, divided by a sum."""
    for (part, amount), total in itertools.product(pairs, sums):
        if (total.sizes == 0).any():
            continue
        sizes = amount.sizes * part.sizes / total.sizes
        if (np.abs(sizes - target.sizes) <= target.unit).all():
            term = Arithmetic(Arithmetic(amount.term, "*", part.term), "/", total.term)
            yield from _as_written(target, term, sizes)


def _as_written(target: _Target, term: Arithmetic, sizes: Floats) -> _Explained:
    """Yield a computation that is near a target as it is, or rounded."""
    if target.near(sizes):
        yield term
    else:
        yield from (Rounded(term, *how) for how in _roundings(target, sizes))


def notation_of(values: Sequence[str]) -> Computed | None:
    """Return how numbers are written, as a source that lacks its computations; None: otherwise."""
    for point in POINTS:
        precisions = {decimals_of(value, point) for value in values}
        if None not in precisions:
            decimals = precisions.pop() if len(precisions) == 1 else None
            return Computed((), decimals, point=point)
    return None


def _targets(values: Sequence[str]) -> Iterator[_Target]:
    quantities = [quantity_of(value) for value in values]
    if None in quantities:
        return
    sizes = np.array([size(each) for each in quantities])
    kinds = {(each.type, each.notation) for each in quantities if each}
    if len({type_ for type_, _ in kinds}) != 1 or len(set(sizes.tolist())) < 2:
        return
    type_, notation = kinds.pop()
    if type_ == "number" and (written := notation_of(values)) is not None:
        yield _Target(type_, sizes, written)
    elif type_ in ("date", "time"):
        yield _Target(type_, sizes, Computed(()))
        if type_ == "time" and not kinds:
            yield _Target("number", sizes, Computed((), duration=notation))


def _candidates_by_length(
    targets: Sequence[_Target], leaves: Sequence[Expression]
) -> Iterator[list[tuple[_Target, _Explained]]]:
    """Yield computations that may give the values, the shortest first."""
    levels: list[Expressions] = []
    expression_count = 1
    for number, level in enumerate(expressions(leaves, _OPERATIONS, _MOST_GROWN)):
        levels.append(level)
        expression_count += len(level)
        sure = [
            target for target in targets if target.bits > math.log2(expression_count) + _SURE_BITS
        ]
        if level and number:
            matched = targets if number == 1 else sure
            yield [(target, _equal_expressions(target, level)) for target in matched]
            yield [(target, _rounded_expressions(target, level)) for target in sure]
        if number == 1:
            days = [target for target in sure if target.type == "date"]
            yield [(target, periods_between(target.sizes, leaves)) for target in days]
        if not sure and number:
            return  # nor is any with more expressions
        if number < _OPERATIONS:
            yield [(target, _with_constant(target, level)) for target in sure]
            yield [(target, _percentages(target, level, leaves)) for target in sure]
    least_bits = 2 * math.log2(expression_count) + _SURE_BITS
    sure = [target for target in targets if target.bits > least_bits]
    grown = Expressions.joined(levels) if sure else levels[0]
    yield [(target, _pairs_of_expressions(target, grown)) for target in sure]
    yield [(target, _shares(target, grown, leaves)) for target in sure]


def _equal_expressions(target: _Target, level: Expressions) -> _Explained:
    tolerance = _CLOSE + 1e-12 * np.abs(target.sizes)
    for each in _selected(level, lambda sizes: np.abs(sizes - target.sizes) <= tolerance):
        if each.type == target.type and isinstance(each.term, Arithmetic | Rounded | Size):
            yield each.term


def _selected(
    level: Expressions, fits: Callable[[Floats], NDArray[np.bool_]]
) -> Iterator[Expression]:
    """Yield the expressions whose sizes fit at all moments.

    All are compared at once, as there are thousands and hardly any fits.

    Args:
        level: The expressions.
        fits: Says of sizes, of shape (expressions, moments), which fit.
    """
    for number in np.flatnonzero(fits(level.sizes).all(axis=1)).tolist():
        yield level[number]


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


def _rounded_expressions(target: _Target, level: Expressions) -> _Explained:
    if not target.plain:
        return
    for each in _selected(level, lambda sizes: np.abs(sizes - target.sizes) <= target.unit):
        if each.type == "number" and isinstance(each.term, Arithmetic) and each.term.sign in "*/":
            for how, decimals in _roundings(target, each.sizes):
                yield Rounded(each.term, how, decimals)


def _with_constant(target: _Target, level: Expressions) -> _Explained:
    """Yield sums, differences, products and quotients with one constant."""
    for expression in _selected(level, lambda sizes: _may_have_constant(target, sizes)):
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


def _may_have_constant(target: _Target, sizes: Floats) -> NDArray[np.bool_]:
    """Say of which sizes a constant distance or a constant factor may give the target."""
    steps = target.sizes - sizes
    spread = steps.max(axis=1) - steps.min(axis=1)
    shifted = spread <= 4 * _CLOSE + 4e-5 * np.abs(steps).max(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        bounds = np.stack(
            [(target.sizes - target.unit) / sizes, (target.sizes + target.unit) / sizes]
        )
    least = np.where(sizes == 0, -np.inf, bounds.min(axis=0)).max(axis=1)
    most = np.where(sizes == 0, np.inf, bounds.max(axis=0)).min(axis=1)
    fitting = shifted | (least <= most + _CLOSE * np.abs(most))
    return np.asarray(fitting, dtype=np.bool_)[:, np.newaxis]


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
                yield term  # other digits, or the inverse, say the same
                return
            if not target.written.duration:
                yield from (Rounded(term, *how) for how in _roundings(target, sizes))


def _round_text(number: float) -> str:
    """Return a number in plain digits; empty for zero, and where it has more digits."""
    text = f"{number:.{_DIGITS}g}"
    if not math.isfinite(number) or abs(float(text) - number) > _CLOSE * max(1.0, abs(number)):
        return ""
    return written_number(Decimal(text)) or "" if float(text) else ""


def _percentages(target: _Target, level: Expressions, leaves: Sequence[Expression]) -> _Explained:
    """Yield amounts less, or plus, so many hundredths of them as another number says."""
    if not target.plain:
        return
    for share in leaves:
        if share.type != "number" or not ((share.sizes >= 0) & (share.sizes <= _WHOLE)).all():
            continue
        for sign, left in (("-", _WHOLE - share.sizes), ("+", _WHOLE + share.sizes)):
            sizes = level.sizes * left / _WHOLE
            near = (np.abs(sizes - target.sizes) <= target.unit).all(axis=1)
            for number in np.flatnonzero(near & (level.types == "number")).tolist():
                hundred = Literal(str(_WHOLE))
                part = Arithmetic(hundred, sign, share.term)
                term = Arithmetic(Arithmetic(level[number].term, "*", part), "/", hundred)
                yield from _as_written(target, term, sizes[number])


def _pairs_of_expressions(target: _Target, grown: Expressions) -> _Explained:
    """Yield computations of two expressions: the second is looked up by its sizes."""
    types = grown.types.tolist()
    number_by_key = {key: number for number, key in enumerate(grown.keys)}
    pairs = [
        (number, place, second)
        for place, sign in enumerate(OPERATIONS)
        if (operands := _second_operands(target, types, grown.sizes, sign)) is not None
        for number, key in enumerate(keys_of(*operands))
        if (second := number_by_key.get(key)) is not None
    ]
    for number, place, second in sorted(pairs):
        if grown.operations[second] + grown.operations[number] >= _OPERATIONS:
            yield Arithmetic(grown[number].term, OPERATIONS[place], grown[second].term)


def _second_operands(
    target: _Target, types: Sequence[str], sizes: Floats, sign: str
) -> tuple[list[str], Floats] | None:
    """Return types and sizes of the second operands that turn expressions into the target.

    The type is empty where there is none; None where the sign has none at all.
    """
    alike = ["number" if type_ == target.type else "" for type_ in types]
    numbers = alike if target.type == "number" else [""] * len(types)
    if sign == "-":
        return (list(types) if target.type == "number" else alike), sizes - target.sizes
    if sign == "+":
        return alike, target.sizes - sizes
    if sign == "*" and target.type == "number":
        filled = (sizes != 0).all(axis=1)
        divisors = np.where(filled[:, np.newaxis], sizes, np.nan)
        return [
            n if f else "" for n, f in zip(numbers, filled, strict=True)
        ], target.sizes / divisors
    if sign == "/" and (target.sizes != 0).all():
        return numbers, sizes / target.sizes
    return None


def _shares(target: _Target, grown: Expressions, leaves: Sequence[Expression]) -> _Explained:
    """Yield how often a quantity goes into a sum or difference, rounded to a whole number."""
    if not target.plain or target.written.decimals != 0:
        return
    numbers = [expression for expression in leaves if expression.type == "number"]
    parts = [expression for expression in numbers if (expression.sizes > 0).all()]
    operands = grown.selected(np.flatnonzero(grown.types == "number"))
    seen_shares: set[bytes] = set()
    for sign, swapped in (("-", False), ("-", True), ("+", False)):
        for i, number, part in _near_shares(target, operands, numbers, parts, sign, swapped):
            pair = (operands[i], number) if swapped else (number, operands[i])
            share = _difference_or_sum(pair[0].sizes, sign, pair[1].sizes) / part.sizes
            for how, _ in _roundings(target, share):
                key = np.round(share, _SAME).tobytes()
                if key not in seen_shares:
                    seen_shares.add(key)
                    numerator = Arithmetic(pair[0].term, sign, pair[1].term)
                    yield Rounded(Arithmetic(numerator, "/", part.term), how)


def _near_shares(
    target: _Target,
    operands: Expressions,
    numbers: Sequence[Expression],
    parts: Sequence[Expression],
    sign: str,
    swapped: bool,
) -> Iterator[tuple[int, Expression, Expression]]:
    """Yield index of an operand, number and part whose shares are near the first values.

    All are compared at once, as there are hundreds of thousands of combinations.
    """
    if not operands or not parts:
        return
    sizes = operands.sizes[:, :_FIRST]
    others, divisors = (np.array([each.sizes for each in some]) for some in (numbers, parts))

    def numerators(i: NDArray[np.intp], n: NDArray[np.intp], at: int) -> Floats:
        pair = (sizes[i, at], others[n, at]) if swapped else (others[n, at], sizes[i, at])
        return _difference_or_sum(pair[0], sign, pair[1])

    # A combination drops out at the first value that it misses: hardly any is left after two.
    first = numerators(np.arange(len(sizes))[:, np.newaxis], np.arange(len(others)), 0)
    shares = first[:, :, np.newaxis] / divisors[:, 0]
    near = np.argwhere(np.abs(shares - target.sizes[0]) <= 1)
    for at in range(1, sizes.shape[1]):
        i, n, p = near.T
        near = near[np.abs(numerators(i, n, at) / divisors[p, at] - target.sizes[at]) <= 1]
    for i, n, p in near.tolist():
        yield i, numbers[n], parts[p]


def _difference_or_sum(one: Floats, sign: str, other: Floats) -> Floats:
    return one - other if sign == "-" else one + other
