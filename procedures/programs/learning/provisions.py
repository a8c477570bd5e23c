"""What held each time before a step that commits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

from ...episodes.facts import UNREAD, Fact
from ...episodes.history import History
from ...episodes.tokens import magnitude
from ..box import Box
from ..chance import is_no_chance
from ..program import Step
from ..program_conditions import Comparison, Condition, Literal, OneOf, Only, Row, Said, ToldField
from ..sources import Constant, candidates
from ..terms import kinds_of, terms_of
from .features import Features
from .joins import repeats_row
from .moments import Moment

__all__ = ["learn_needs", "learn_provisions"]

_LEAST = 5
"""Times that a step was done from which it is no chance what held each time."""


def learn_provisions(
    step: Step,
    features: Features,
    positives: int,
    tables: Collection[str],
) -> Box:
    """Return what held each time before a step; nothing where it was seldom done.

    Args:
        step: The step.
        features: What held at all moments.
        positives: Moments at which it was done, as bits.
        tables: Kinds of facts among which the program chooses.
    """
    if positives.bit_count() < _LEAST:
        return Box()
    shown = [m.history for i, m in enumerate(features.moments) if positives >> i & 1]
    return Box(
        provided=_provisions(features, positives, shown, tables),
        sizes=_sizes(step, shown),
    )


def learn_needs(step: Step, steps: Sequence[Step], moments: Sequence[Moment]) -> tuple[str, ...]:
    """Return the steps that were done before a step each time; few times say nothing.

    Where guards tell which of several it is, one of them stands for their operator.
    """
    histories = [moment.history for moment in moments if moment.step == step.id]
    if len(histories) < _LEAST:
        return ()
    done = set.intersection(*({call.step for call in each.calls} for each in histories))
    needs = {each.id: each.operator for each in steps if each.id in done and not each.guards}
    left = set.intersection(*({call.operator for call in each.calls} for each in histories))
    left -= {step.operator, *needs.values()}
    for each in sorted(steps, key=lambda each: each.id):
        if each.guards and each.operator in left:
            needs[each.id] = each.operator
            left.remove(each.operator)
    return tuple(sorted(needs))


def _sizes(step: Step, shown: Sequence[History]) -> tuple[str, ...]:
    """Return for each argument the type of size that it had each time, if there is one."""
    types: list[str] = []
    for source in step.sources:
        values = {value for history in shown for value in candidates(source, history)}
        each = {size[0] if (size := magnitude(value)) else "" for value in values}
        types.append(each.pop() if len(each) == 1 and not isinstance(source, Constant) else "")
    return tuple(types) if any(types) else ()


def _provisions(
    features: Features, positives: int, shown: Sequence[History], tables: Collection[str]
) -> tuple[Condition, ...]:
    """Return what always held before a step: what was told last, and relations to the task."""
    kinds = sorted({fact.kind for history in shown for fact in history.last} - {UNREAD})
    every = sorted({fact.kind for history in shown for fact in history.last_alike} - {UNREAD})
    out: list[Condition] = [Only(tuple(kinds))] if kinds else []
    if any(len(history.last_alike) > len(history.last) for history in shown):
        out.append(Only(tuple(every), ever=True))
    out += _constants([history.last for history in shown])
    rows = _rows_told_twice(shown, tables)
    for condition, truth in features.truth.items():
        if not isinstance(condition, Said | Comparison) or positives & ~truth:
            continue
        equal = isinstance(condition, Said) or condition.relation == "="
        looked_up = any(isinstance(each, Row) for each in terms_of(condition))
        if not equal or looked_up or not kinds_of(condition).isdisjoint(rows):
            continue
        if _is_wording(condition) and not is_no_chance([_share(features, truth)] * len(shown)):
            continue
        out.append(condition)
    out += (each for each in _by_no_chance(features, positives) if each not in out)
    return tuple(out)


def _by_no_chance(features: Features, positives: int) -> Iterator[Condition]:
    """Yield the values of anything known that no chance explains: a guard may say nothing of them.

    The step that is left when others are ruled out has no guard of its own.
    """
    for term, values in features.values.items():
        for value, truth in values.items():
            if positives & ~truth:
                continue
            if is_no_chance([_share(features, truth)] * positives.bit_count()):
                yield OneOf(term, (value,))


def _is_wording(condition: Condition) -> bool:
    """Whether it asks for a word by which tasks are worded."""
    return isinstance(condition, Said) and isinstance(condition.term, Literal)


def _share(features: Features, truth: int) -> float:
    """Return the share of the demonstrations at whose ends something holds."""
    ends = sum(1 << i for i, moment in enumerate(features.moments) if moment.step is None)
    return (truth & ends).bit_count() / max(1, ends.bit_count())


def _rows_told_twice(shown: Sequence[History], tables: Collection[str]) -> frozenset[str]:
    """Return the kinds that say again what a row of a table says: any row may stand there."""
    return frozenset(
        kind
        for history in shown
        for kind in history.kinds
        if any(kind != table and repeats_row(kind, table, history) for table in tables)
    )


def _constants(results: Sequence[Sequence[Fact]]) -> Iterator[Condition]:
    """Yield what the results before a step always said alike, where it might have been else."""
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
