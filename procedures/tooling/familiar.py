"""What demonstrations had in places that may decide, and whether a run has the like.

A procedure is shown with a few values. Which others it is right for, nothing says: an amount above
some limit, another state, a price above the balance may all mean that something else is to be
done. The version space of such rules (Mitchell 1982) is bounded from below by what was shown:

* a figure or a date counts as familiar between the least and the greatest that were shown, one
  that grew with each of five demonstrations also beyond;
* of two figures, the order that they had in every demonstration;
* any other value, if it was shown, or if five demonstrations had five different ones;
* a value that was another's in every demonstration, if it is again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from itertools import combinations, pairwise
from typing import Any, TypeAlias

from ..condition_patterns import normalise
from ..model import Procedure
from ..model_parts import Shown
from .dates import dates_in
from .execution import Execution, batches
from .flow import Source, Sources, read_line
from .uses import Uses
from .values import (
    LONGEST_RESULT,
    canonical,
    invariant_pattern,
    kind_of,
    parse_result,
    place,
    select,
    text_of,
)
from .writing import holes_of

__all__ = ["shown_by", "unfamiliar"]

_ENOUGH = 5
"""Demonstrations that differ each time, after which a value is taken not to matter."""
_MOST_PLACES = 40
_MOST_VALUES = 32
_PLAIN = re.compile(r"[\w.:/+-]{1,24}")
_LINK = re.compile(r"\{(\w+)\}")
_NUMBER = r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d{1,30})(?:\.\d{1,30})?"
_QUANTITY = re.compile(rf"[^\w\s]?\s?({_NUMBER})\s?[^\W\d]{{0,12}}[^\w\s]?")
_FIGURE = re.compile(rf"(?<![\w.]){_NUMBER}(?!\w|\.\d)")
_IDENTIFIER = re.compile(r"(?:^|_)(?:id|ids|uuid|guid)$|[a-z](?:Id|ID|Ids|IDs)$", re.ASCII)
"""Keys whose figures name something and measure nothing, as data are usually written."""

_Mark: TypeAlias = "str | int | float | bool | None"


def shown_by(sources: Sources, uses: Uses) -> tuple[Shown, ...]:
    """Return what episodes had in the places that may decide.

    Args:
        sources: The episodes.
        uses: Where their procedure's parameters are read, all of them.
    """
    found = [each for name, source in uses.named() if (each := _of(name, source, sources, uses))]
    read = {(source.step, source.path): name for name, source in uses.named()}
    for index in range(len(sources.results[0])):
        found += _in_result(sources, uses, index, read)
    return tuple(found)


def unfamiliar(
    execution: Execution, *, answering: bool = False, changed: Collection[int] = ()
) -> str | None:
    """Say what is unlike all demonstrations in the task and the results so far, or None.

    Args:
        execution: The procedure with its results so far.
        answering: What comes next is the answer. What is passed on is passed on as it is; of
            a result from which something is passed on, the rest must be of a kind that was shown.
        changed: Steps, from 1, that are known to have changed something: what they answer
            acknowledges it, and is looked at in the same way.
    """
    figures: list[tuple[Shown, float, list[float]]] = []
    reported = {*_passed_on(execution.procedure), *changed} if answering else set()
    judged = _last_turn(execution.procedure) - reported if answering else set()
    watched = [each for each in execution.procedure.shown if each.step in judged]
    if sum(not _linked(each) for each in watched) > 1 or any(map(_whole, watched)):
        # It may say one thing for either of two reasons, and another where there is neither.
        return "the answer is a verdict on several values"
    for each in execution.procedure.shown:
        step = _step(each, execution.procedure)
        if step is not None and step - 1 not in execution.results:
            continue
        if answering and each.of:
            continue
        try:
            value = _value(each, execution)
        except LookupError:
            value = None
        like = _of_kind if step in reported else _familiar
        if _whole(each) and step not in reported:
            value = [value]  # it may hold anything: only what was shown itself will do
        if not like(value, each.values, execution):
            return f"{_name(each)} was never like {str(mark(value))[:40]} before"
        number, numbers = number_of(value), [number_of(v) for v in each.values]
        if number is not None and None not in numbers and step not in reported:
            figures.append((each, number, [n for n in numbers if n is not None]))
    for (one, a, before), (other, b, after) in combinations(figures, 2):
        if len(before) != len(after):
            continue
        pairs = list(zip(before, after, strict=True))
        if (a > b and all(x <= y for x, y in pairs)) or (a < b and all(x >= y for x, y in pairs)):
            return f"{_name(one)} and {_name(other)} were never in this order before"
    return None


def mark(value: Any) -> _Mark:
    """Return a value as it is written down: figures and plain words, otherwise a digest."""
    if value is None or isinstance(value, bool | int | float):
        return value
    text = value if isinstance(value, str) else canonical(value)
    if _PLAIN.fullmatch(text):
        return text
    digest = hashlib.sha256(" ".join(text.split()).casefold().encode("utf-8", "replace"))
    return "#" + digest.hexdigest()[:8]


def number_of(value: Any) -> float | None:
    """Return the figure that a value is: a number, a quantity in words, a date; or None."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if not isinstance(value, str):
        try:
            return float(value)
        except OverflowError:
            return None
    text = value.strip()[:60]
    if kind_of(text) == "date":
        try:
            return datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp()
        except ValueError:
            return None
    found = _QUANTITY.fullmatch(text)
    return None if found is None else float(found[1].replace(",", ""))


def _of(name: str, source: Source, sources: Sources, uses: Uses) -> Shown | None:
    """Return what a parameter was shown with; words and identifiers are passed on as they are."""
    last = (source.path or "").rpartition("/")[2] or re.sub(r"_\d+$", "", name)
    if _IDENTIFIER.search(last):
        return None
    values = [uses.value(name, episode) for episode in range(len(sources.episodes))]
    figures = [number_of(each) is not None for each in values]
    worded = [isinstance(each, str) and _measures(each) for each in values]
    whole = source.step is not None and not source.path and source.pattern is None
    if not (any(figures) or (any(worded) and not whole)):
        return None
    return Shown(tuple(map(mark, values)), of=name)


def _measures(text: str) -> bool:
    return bool(_FIGURE.search(text) or dates_in(text))


def _in_result(
    sources: Sources, uses: Uses, index: int, read: Mapping[tuple[int | None, str | None], str]
) -> list[Shown]:
    """Return what the episodes had in one result, where no parameter reads it."""
    values = [each[index] for each in sources.results]
    step = index + 1
    if (step, "") in read:
        return []
    whole = [Shown(tuple(map(mark, values)), step=step, path="")]
    if all(isinstance(each, str) for each in values):
        holes = holes_of(values) if all(len(v) <= LONGEST_RESULT for v in values) else None
        if holes is None:
            return [] if len(set(values)) == 1 and len(values[0]) < LONGEST_RESULT else whole
        places: list[tuple[str | None, str | None, list[Any]]] = [
            (None, pattern, list(column)) for pattern, column in holes
        ]
    else:
        places = [(path, None, column) for path, column in _places(values, "")]
    if len(places) > _MOST_PLACES:
        return whole
    regular = places and _regular(values)
    found: list[Shown] = []
    for path, pattern, column in places:
        if (step, path) in read and path is not None:
            continue
        if regular and path is not None and all(each == column[0] for each in column):
            continue  # the step's guards say so
        told = _place_shown(column, step, path, sources, uses)
        if told is not None:
            found.append(Shown(told, step=step, path=path, pattern=pattern))
    return found


def _place_shown(
    column: Sequence[Any], step: int, path: str | None, sources: Sources, uses: Uses
) -> tuple[_Mark, ...] | None:
    named = path is not None and _IDENTIFIER.search(path.rpartition("/")[2])
    if any(isinstance(each, list) for each in column):
        if named:
            return None
        flat = [e for each in column for e in (each if isinstance(each, list) else [each])]
        told = tuple(dict.fromkeys(map(mark, flat)))
        return told if 0 < len(told) <= _MOST_VALUES else None
    texts = [normalise(text_of(each)) for each in column]
    for name, source in uses.named():
        if (source.step or 0) > step or not all(texts) or len(set(texts)) == 1:
            continue
        own = [uses.value(name, episode) for episode in range(len(sources.episodes))]
        if [normalise(text_of(each)) for each in own] == texts:
            return (f"{{{name}}}",)
    return None if named else tuple(map(mark, column))


def _places(values: Sequence[Any], path: str) -> Iterator[tuple[str, list[Any]]]:
    """Yield each place of several results, with what each result has there."""
    if all(isinstance(each, Mapping) for each in values):
        for key in dict.fromkeys(key for each in values for key in each):
            column = [each.get(key) for each in values]
            yield from _places(column, f"{path}/{place(str(key))}")
    elif all(isinstance(each, list) for each in values):
        if all(len(each) == 1 for each in values):
            yield from _places([each[0] for each in values], f"{path}/!")
            return
        yield f"{path}/#", [len(each) for each in values]
        pool = [inner for each in values for inner in each]
        if pool and all(isinstance(each, Mapping) for each in pool):
            for key in dict.fromkeys(key for each in pool for key in each):
                column = [[inner.get(key) for inner in each] for each in values]
                yield f"{path}/*/{place(str(key))}", column
        elif pool:
            yield path, list(values)
    else:
        yield path, list(values)


def _regular(values: Sequence[Any]) -> bool:
    """Whether a pattern of what results share holds all that is constant in them."""

    def alike(column: Sequence[Any]) -> bool:
        if all(isinstance(each, Mapping) for each in column):
            return all(each.keys() == column[0].keys() for each in column) and all(
                alike([each[key] for each in column]) for key in column[0]
            )
        if all(isinstance(each, list) for each in column):
            same = all(len(each) == len(column[0]) for each in column)
            return same and all(alike(inner) for inner in zip(*column, strict=True))
        return not any(isinstance(each, Mapping | list) for each in column)

    return alike(values) and invariant_pattern(values) is not None


def _value(each: Shown, execution: Execution) -> Any:
    if each.of is not None:
        return execution.value(each.of)
    text = execution.results[(each.step or 1) - 1]
    if len(text) > LONGEST_RESULT:
        return text
    result = parse_result(text)
    if each.pattern is not None:
        return read_line(result, each.pattern, whole=True)
    return select(result, each.path or "") if each.path else result


def _step(each: Shown, procedure: Procedure) -> int | None:
    """Return the step whose result holds a value; None for the task."""
    return each.step if each.of is None else procedure.parameters[each.of].step


def _passed_on(procedure: Procedure) -> frozenset[int | None]:
    """Return the steps of whose results later calls or the answer pass something on."""
    return frozenset(each.step for each in procedure.parameters.values())


def _last_turn(procedure: Procedure) -> set[int | None]:
    """Return the steps, from 1, of the last calls."""
    return {index + 1 for index in batches(procedure)[-1]}


def _whole(each: Shown) -> bool:
    """Whether it is all of a result, which has no places of its own."""
    return each.path == "" and any(isinstance(value, str) for value in each.values)


def _linked(each: Shown) -> bool:
    return len(each.values) == 1 and _LINK.fullmatch(str(each.values[0])) is not None


def _of_kind(value: Any, shown: Sequence[_Mark], execution: Execution) -> bool:
    """Whether a value is one of several as they were shown, or nothing as they were nothing."""
    if isinstance(value, list) or (len(shown) == 1 and _LINK.fullmatch(str(shown[0]))):
        return _familiar(value, shown, execution) or isinstance(value, list)
    return _sort(value) in {_sort(each) for each in shown}


def _sort(value: Any) -> str:
    number = number_of(value)
    if number is not None:
        return "nothing" if number == 0 else "less" if number < 0 else "more"
    if isinstance(value, bool):
        return str(value)
    return "nothing" if value is None or value == "" else "text"


def _familiar(value: Any, shown: Sequence[_Mark], execution: Execution) -> bool:
    if len(shown) == 1 and (link := _LINK.fullmatch(str(shown[0]))):
        try:
            other = execution.value(link[1])
        except LookupError:
            return False
        return normalise(text_of(value)) == normalise(text_of(other))
    if isinstance(value, list):
        return all(_one_of(each, shown, spread=False) for each in value)
    return _one_of(value, shown, spread=True)


def _one_of(value: Any, shown: Sequence[_Mark], *, spread: bool) -> bool:
    """Whether a value is like those that were shown.

    Args:
        value: What there is now.
        shown: What there was.
        spread: There is one of each demonstration, in their order.
    """
    number, numbers = number_of(value), [number_of(each) for each in shown]
    if number is not None and None not in numbers:
        told = [each for each in numbers if each is not None]
        if min(told) <= number <= max(told):
            return True
        steps = [b - a for a, b in pairwise(told)]
        return spread and len(told) >= _ENOUGH and number > told[-1] and min(steps) > 0
    wanted = mark(value)
    if any(type(each) is type(wanted) and each == wanted for each in shown):
        return True
    texts = all(isinstance(each, str) for each in (*shown, value))
    return spread and texts and len(set(shown)) == len(shown) >= _ENOUGH


def _name(each: Shown) -> str:
    return each.of or f"{each.path or 'a value'} of step {each.step}"
