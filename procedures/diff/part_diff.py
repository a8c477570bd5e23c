"""How the parts that documents share differ: conditions, parameters, lists, plain values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Final, TypeVar

from ..conditions.language import Condition, KindIn, Last
from ..model.procedure import Parameter, Place, Step
from .align import align
from .changes import Change, Side
from .part_words import (
    action_text,
    compact,
    condition_words,
    in_words,
    listed,
    parameter_words,
    place_words,
    quoted,
)

_T = TypeVar("_T")


def single_change(
    section: str, before: _T | None, after: _T | None, side: Callable[[_T], Side], subject: str = ""
) -> Iterator[Change]:
    """Yield the change of one value, if it changed; None stands for no value."""
    if before == after:
        return
    old = None if before is None else side(before)
    new = None if after is None else side(after)
    action = "added" if old is None else "removed" if new is None else "changed"
    yield Change(section, action, subject, old, new)  # type: ignore[arg-type]  # one of the three


def _condition_side(condition: Condition) -> Side:
    return Side(condition.to_text(), condition_words(condition))


def condition_changes(
    section: str, before: Sequence[Condition], after: Sequence[Condition]
) -> Iterator[Change]:
    """Compare two sets of conditions; their order does not matter.

    A condition that only has other choices is one that changed.
    """
    removed = [item for item in dict.fromkeys(before) if item not in set(after)]
    added = [item for item in dict.fromkeys(after) if item not in set(before)]
    for old in list(removed):
        new = next((item for item in added if _same_question(old, item)), None)
        if new is not None:
            removed.remove(old)
            added.remove(new)
            yield Change(section, "changed", "", _condition_side(old), _condition_side(new))
    for old in removed:
        yield Change(section, "removed", "", _condition_side(old), None)
    for new in added:
        yield Change(section, "added", "", None, _condition_side(new))


def _same_question(first: Condition, second: Condition) -> bool:
    if isinstance(first, Last | KindIn) and type(first) is type(second):
        return first.name == getattr(second, "name", None)
    return False


def word_changes(
    section: str, subject: str, before: Iterable[str], after: Iterable[str]
) -> Iterator[Change]:
    """Compare two lists of words: what was added, what was removed, or only the order."""
    old, new = tuple(before), tuple(after)
    if old == new:
        return
    removed = [word for word in old if word not in set(new)]
    added = [word for word in new if word not in set(old)]
    if not removed and not added:
        first = Side(compact(list(old)), listed(old, "then"))
        yield Change(
            section, "moved", subject, first, Side(compact(list(new)), listed(new, "then"))
        )
        return
    if removed:
        yield Change(section, "removed", subject, Side(compact(removed), listed(removed)), None)
    if added:
        yield Change(section, "added", subject, None, Side(compact(added), listed(added)))


_PARAMETER_KEYS: Final = (
    "source",
    "via",
    "value",
    "of",
    "by",
    "step",
    "path",
    "pattern",
    "type",
    "description",
)


def parameter_changes(
    before: Mapping[str, Parameter], after: Mapping[str, Parameter]
) -> Iterator[Change]:
    """Compare two sets of parameters by name."""
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name), after.get(name)
        subject = f"{{{name}}}"
        if old is None or new is None:
            yield from single_change("parameters", old, new, _parameter_side, subject)
            continue
        details: list[Change] = []
        for key in _PARAMETER_KEYS:
            first, second = (value or None for value in (getattr(old, key), getattr(new, key)))
            details += single_change(key, first, second, lambda v: Side(str(v)))
        if not (old.type or new.type):  # else the ontology says what is different about its kinds
            details += word_changes("kinds", "", old.kinds, new.kinds)
        if details:
            sides = _parameter_side(old), _parameter_side(new)
            yield Change("parameters", "changed", subject, *sides, details=tuple(details))


def _parameter_side(parameter: Parameter) -> Side:
    return Side(compact(parameter.to_document()), parameter_words(parameter))


def _likeness(first: str, second: str) -> float:
    """Return how alike two texts are, in [0, 1], by their words."""
    if first == second:
        return 1.0
    return SequenceMatcher(None, first.split(), second.split(), autojunk=False).ratio()


def list_changes(
    section: str,
    before: Sequence[_T],
    after: Sequence[_T],
    *,
    cost: Callable[[_T, _T], float],
    name: Callable[[_T], str],
    side: Callable[[_T], Side],
    details: Callable[[_T, _T], Iterable[Change]],
    parts: Callable[[_T | None, _T | None], tuple[Change, ...]] = lambda *_: (),
) -> Iterator[Change]:
    """Compare two lists in which order matters.

    Args:
        section: The key of the lists.
        before: The old list.
        after: The new list.
        cost: Cost of one entry becoming another, as :func:`align` has it.
        name: What is said of an entry.
        side: The entry as a side of a change.
        details: What is different inside an entry.
        parts: What stands inside an entry that came or went.
    """
    for pair in align(before, after, cost, name):
        old = None if pair.old is None else before[pair.old]
        new = None if pair.new is None else after[pair.new]
        places = (
            None if pair.old is None else pair.old + 1,
            None if pair.new is None else pair.new + 1,
        )
        if old is None and new is not None:
            yield Change(section, "added", name(new), None, side(new), *places, parts(None, new))
        elif new is None and old is not None:
            yield Change(section, "removed", name(old), side(old), None, *places, parts(old, None))
        elif old is not None and new is not None and (pair.moved or old != new):
            inner = tuple(details(old, new))
            action = "moved" if pair.moved else "changed"
            yield Change(section, action, name(new), side(old), side(new), *places, inner)  # type: ignore[arg-type]


def step_changes(before: Sequence[Step], after: Sequence[Step]) -> Iterator[Change]:
    """Compare the steps of two procedures: added, removed, moved, changed."""
    return list_changes(
        "steps",
        before,
        after,
        cost=_step_cost,
        name=action_text,
        side=_step_side,
        details=_step_details,
    )


def _step_cost(first: Step, second: Step) -> float:
    if first == second:
        return 0.0
    if first.tool is not None and first.tool == second.tool:
        distance = 0.25
    elif first.do is not None and second.do is not None:
        distance = 1.0 - _likeness(first.do, second.do)
    else:
        return 2.0
    # From half of the words on it is another step; a changed guard is a changed step.
    return 0.3 + 3.4 * distance


def _step_side(step: Step) -> Side:
    words = action_text(step)
    if step.parallel:
        words += ", together with the step before"
    if step.when is not None:
        words += f", when {condition_words(step.when)}"
    if step.unless is not None:
        words += f", unless {condition_words(step.unless)}"
    if step.until is not None:
        words += f", until {condition_words(step.until)}, {step.at_most} times at most"
    return Side(compact(step.to_document()), words)


def _parallel_side(parallel: bool) -> Side:
    return Side(compact(parallel), "together with the step before")


def _step_details(old: Step, new: Step) -> Iterator[Change]:
    yield from single_change("do", old.do, new.do, Side)
    yield from single_change("tool", old.tool, new.tool, Side)
    yield from plain_changes("args", old.args, new.args)
    yield from single_change("parallel", old.parallel or None, new.parallel or None, _parallel_side)
    yield from single_change("when", old.when, new.when, _condition_side)
    yield from single_change("unless", old.unless, new.unless, _condition_side)
    yield from single_change("until", old.until, new.until, _condition_side)
    yield from single_change("at_most", old.at_most, new.at_most, lambda v: Side(str(v)))
    yield from word_changes("expect", "", map(quoted, old.expect), map(quoted, new.expect))


def place_changes(before: Sequence[Place], after: Sequence[Place]) -> Iterator[Change]:
    """Compare the places of two plans, with the four decisions of each (Θ)."""
    return list_changes(
        "plan",
        before,
        after,
        cost=_place_cost,
        name=_place_name,
        side=_place_side,
        details=_place_details,
    )


def _place_name(place: Place) -> str:
    return place.run or f"follow {place.follow}"


def _place_cost(first: Place, second: Place) -> float:
    if first == second:
        return 0.0
    return 0.5 if _place_name(first) == _place_name(second) else 1.9


def _place_side(place: Place) -> Side:
    return Side(compact(place.to_document()), place_words(place))


def _place_details(old: Place, new: Place) -> Iterator[Change]:
    yield from single_change("run", old.run, new.run, Side)
    yield from single_change("follow", old.follow, new.follow, Side)
    yield from plain_changes("with", old.with_, new.with_)
    if old.prefer != new.prefer:
        preference_changes = list(condition_changes("prefer", old.prefer, new.prefer))
        if not preference_changes:  # the same wishes, another first
            first, second = (
                Side(listed(map(condition_words, p.prefer), "then")) for p in (old, new)
            )
            preference_changes = [Change("prefer", "moved", "", first, second)]
        yield from preference_changes
    for key, attribute in (
        ("continue", "proceed"),
        ("skip", "skip"),
        ("repeat", "repeat"),
        ("abort", "abort"),
    ):
        decisions = getattr(old, attribute), getattr(new, attribute)
        yield from single_change(key, decisions[0], decisions[1], _condition_side)


def plain_changes(section: str, before: Any, after: Any, subject: str = "") -> Iterator[Change]:
    """Compare plain values: mappings key by key, lists of words as sets, the rest as a whole."""
    if before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys((*before, *after)):
            inner = f"{subject}.{key}" if subject else str(key)
            yield from plain_changes(section, before.get(key), after.get(key), inner)
        return
    if _are_words(before) and _are_words(after):
        yield from word_changes(section, subject, before, after)
        return
    yield from single_change(section, before, after, plain_side, subject)


def _are_words(value: Any) -> bool:
    if not isinstance(value, list | tuple):
        return False
    return all(isinstance(item, str) for item in value) and len(set(value)) == len(value)


def plain_side(value: Any) -> Side:
    """Return what a change tells of a plain value."""
    return Side(compact(value), in_words(value))
