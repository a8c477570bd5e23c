"""Conditions that held each time before a step that commits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

from ...episodes.facts import UNREAD, Fact
from ...episodes.history import History
from ...episodes.tokens import magnitude
from ..box import Box
from ..chance import is_no_chance
from ..program import ProgramStep
from ..program_conditions import Comparison, Condition, Literal, OneOf, Only, Row, Said, ToldField
from ..sources import Constant, candidates
from ..terms import kinds_of, terms_of
from .features import Features
from .joins import repeats_row
from .moments import Moment
from .truths import mask_of

_LEAST = 5
"""Least times of a step from which on a condition that always held is no chance."""


def learn_provisions(
    step: ProgramStep,
    features: Features,
    positives: int,
    tables: Collection[str],
) -> Box:
    """Return the conditions that always held before a step; none where it was seldom done.

    Args:
        step: The step.
        features: The conditions, and the moments at which they hold.
        positives: Moments at which it was done, as bits.
        tables: Kinds of facts among which the program chooses.
    """
    if positives.bit_count() < _LEAST:
        return Box()
    histories = [m.history for i, m in enumerate(features.moments) if positives >> i & 1]
    return Box(
        provided=_provisions(features, positives, histories, tables),
        sizes=_sizes(step, histories),
    )


def learn_needs(
    step: ProgramStep, steps: Sequence[ProgramStep], moments: Sequence[Moment]
) -> tuple[str, ...]:
    """Return the steps that always came before a step; none where it was seldom done.

    Of guarded steps of one operator one stands for all.
    """
    histories = [moment.history for moment in moments if moment.step == step.id]
    if len(histories) < _LEAST:
        return ()
    done_ids = set.intersection(*({call.step for call in each.calls} for each in histories))
    needs = {each.id: each.operator for each in steps if each.id in done_ids and not each.guards}
    unexplained = set.intersection(*({call.operator for call in each.calls} for each in histories))
    unexplained -= {step.operator, *needs.values()}
    for each in sorted(steps, key=lambda each: each.id):
        if each.guards and each.operator in unexplained:
            needs[each.id] = each.operator
            unexplained.remove(each.operator)
    return tuple(sorted(needs))


def _sizes(step: ProgramStep, histories: Sequence[History]) -> tuple[str, ...]:
    """Return the type of size of each argument; empty where it has no single one."""
    types: list[str] = []
    for source in step.sources:
        values = {value for history in histories for value in candidates(source, history)}
        value_types = {size[0] if (size := magnitude(value)) else "" for value in values}
        types.append(
            value_types.pop() if len(value_types) == 1 and not isinstance(source, Constant) else ""
        )
    return tuple(types) if any(types) else ()


def _provisions(
    features: Features, positives: int, histories: Sequence[History], tables: Collection[str]
) -> tuple[Condition, ...]:
    """Return the conditions that always held: kinds and values of the last result, relations."""
    kinds = sorted({fact.kind for history in histories for fact in history.last} - {UNREAD})
    kinds_of_alike = sorted(
        {fact.kind for history in histories for fact in history.last_alike} - {UNREAD}
    )
    conditions: list[Condition] = [Only(tuple(kinds))] if kinds else []
    if any(len(history.last_alike) > len(history.last) for history in histories):
        conditions.append(Only(tuple(kinds_of_alike), ever=True))
    conditions += _constants([history.last for history in histories])
    rows = _repeating_kinds(histories, tables)
    for condition, truth in features.truth.items():
        if not isinstance(condition, Said | Comparison) or positives & ~truth:
            continue
        is_equality = isinstance(condition, Said) or condition.relation == "="
        is_lookup = any(isinstance(each, Row) for each in terms_of(condition))
        if not is_equality or is_lookup or not kinds_of(condition).isdisjoint(rows):
            continue
        if _is_wording(condition) and not is_no_chance([_share(features, truth)] * len(histories)):
            continue
        conditions.append(condition)
    conditions += (each for each in _certain_values(features, positives) if each not in conditions)
    return tuple(conditions)


def _certain_values(features: Features, positives: int) -> Iterator[Condition]:
    """Yield the values that always held, and by no chance.

    A step that follows from ruling out others has no guard that says so.
    """
    for term, values in features.values.items():
        for value, truth in values.items():
            if positives & ~truth:
                continue
            if is_no_chance([_share(features, truth)] * positives.bit_count()):
                yield OneOf(term, (value,))


def _is_wording(condition: Condition) -> bool:
    """Whether a condition is about a word of the task that is no value."""
    return isinstance(condition, Said) and isinstance(condition.term, Literal)


def _share(features: Features, truth: int) -> float:
    """Return the share of the demonstrations at whose ends a condition holds."""
    ends = mask_of(moment.step is None for moment in features.moments)
    return (truth & ends).bit_count() / max(1, ends.bit_count())


def _repeating_kinds(histories: Sequence[History], tables: Collection[str]) -> frozenset[str]:
    """Return the kinds whose facts repeat a row of a table: any row may stand there."""
    return frozenset(
        kind
        for history in histories
        for kind in history.kinds
        if any(kind != table and repeats_row(kind, table, history) for table in tables)
    )


def _constants(results: Sequence[Sequence[Fact]]) -> Iterator[Condition]:
    """Yield the values of fields that were the same in all results before a step."""
    values: dict[tuple[str, str], set[str]] = defaultdict(set)
    times: Counter[tuple[str, str]] = Counter()
    for result in results:
        kinds = Counter(fact.kind for fact in result)
        for fact in result:
            for name, value in fact.fields.items() if kinds[fact.kind] == 1 else ():
                values[fact.kind, name].add(value)
                times[fact.kind, name] += 1
    for (kind, name), each in sorted(values.items()):
        if len(each) == 1 and times[kind, name] == len(results) and kind != UNREAD:
            yield OneOf(ToldField(kind, name), tuple(each))
