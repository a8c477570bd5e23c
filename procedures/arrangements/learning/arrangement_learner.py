"""Learning an arrangement: forms, shapes, what tasks say, what has to hold, what it costs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...episodes.tokens import occurs
from ..arrangement import Arrangement, Enquiry, Form, Limit, Reading, Shape
from ..days import days_said
from ..said_values import Candidate, names_said, numbers_said, read_value
from .costs import learn_costs
from .requirements import learn_requirements
from .shapes import Traced, learn_shapes, trace
from .shown import Shown
from .slot_forms import learn_forms, rows_chosen
from .value_cues import learn_reading
from .wish_learning import Similarity, learn_wishes

__all__ = ["learn_arrangement"]

_RIGHT = 0.95
"""Share of demonstrations in which the days that are said have to be the records."""
_LIMIT = "limit"
_SIZE = "records"
_DAYS = "days"


def learn_arrangement(
    shown: Sequence[Shown], similarity: Similarity | None = None
) -> Arrangement | None:
    """Return what demonstrations have in common; None where they are no arrangements.

    Args:
        shown: See :func:`~.shown.read_shown`.
        similarity: Of two words, in [-1, 1]; see :func:`~.wish_learning.learn_wishes`.
    """
    if not shown:
        return None
    written = learn_forms(shown)
    if not written.forms:
        return None
    traced = [
        trace(each, tuple(rows_chosen(each, written.forms, written.nothing)), written)
        for each in shown
    ]
    shapes, texts, usual = learn_shapes(traced, written, {})
    if not shapes:
        return None
    names = _name_readings(usual, shapes, written.forms)
    numbers, extra = _number_readings(usual)
    size = _size(shown)
    if size != _DAYS:
        numbers.append(_learn_number(_SIZE, shown, [str(len(each.records)) for each in shown]))
    require = learn_requirements(usual, written.forms)
    limit = _limit(shown)
    if limit is not None:
        numbers.append(limit)
        require.append(Limit(limit.name))
    return Arrangement(
        readings=(*names, *numbers),
        size=size,
        shapes=tuple(shapes),
        forms=(*texts, *written.forms),
        require=tuple(require),
        wishes=tuple(learn_wishes(usual, written.forms, similarity)),
        costs=tuple(learn_costs(usual, dict(extra))),
        numbered=written.numbered,
        nothing=written.nothing,
        enquiry=_enquiry(shown, extra),
        keys=tuple(shown[0].records[0]),
    )


# ---------------------------------------------------------------------------- names
def _name_readings(
    traced: Sequence[Traced], shapes: Sequence[Shape], forms: Sequence[Form]
) -> list[Reading]:
    """Learn how the names are read from which the variables come, one after another."""
    by_size = {len(shape.records): shape for shape in shapes}
    columns = {(form.among, column) for form in forms for column in form.at}
    columns |= {
        (v.among, column)
        for s in shapes
        for v in s.variables
        if v.among
        for column in (v.take, v.where)
    }
    order = list(dict.fromkeys(v.said for shape in shapes for v in shape.variables))
    taken: list[set[str]] = [set() for _ in traced]
    readings = []
    for name in order:
        said: list[tuple[Candidate, ...]] = []
        targets = []
        for each, before in zip(traced, taken, strict=True):
            names = {v for t, c in columns for v in each.shown.tables.values(t, c)} - before
            said.append(names_said(each.shown.task, names))
            targets.append(_target(each, by_size[len(each.records)], name))
            before.add(targets[-1])
        readings.append(learn_reading(name, "name", said, targets, default=False))
    return readings


def _target(each: Traced, shape: Shape, name: str) -> str:
    """Return what a reading gives in a demonstration, by the variables that come from it."""
    for variable, value in zip(shape.variables, each.values, strict=True):
        if variable.said != name:
            continue
        if not variable.among:
            return value
        for row in each.shown.tables.where(variable.among, (variable.take,), (value,)):
            if occurs(row.fields[variable.where], each.shown.task):
                return row.fields[variable.where]
    return ""


# ---------------------------------------------------------------------------- numbers
def _number_readings(traced: Sequence[Traced]) -> tuple[list[Reading], list[tuple[str, str]]]:
    """Learn how the numbers are read that are added to enquiries: readings, and key → reading."""
    targets: dict[str, dict[int, str]] = {}
    for i, each in enumerate(traced):
        for told in each.shown.told:
            for key, value in told.extra.items():
                targets.setdefault(key, {})[i] = str(value)
    readings = []
    for key, values in targets.items():
        shown = [traced[i].shown for i in values]
        readings.append(_learn_number(key, shown, list(values.values()), default=True))
    return readings, [(reading.name, reading.name) for reading in readings]


def _learn_number(
    name: str, shown: Sequence[Shown], targets: Sequence[str], *, default: bool = False
) -> Reading:
    said = [numbers_said(each.task) for each in shown]
    return learn_reading(name, "number", said, targets, default=default)


def _size(shown: Sequence[Shown]) -> str:
    """Return the reading of the number of records."""
    good = 0
    for each in shown:
        days = days_said(each.task)
        good += bool(days) and (days[-1] - days[0]).days + 1 == len(each.records)
    return _DAYS if good >= _RIGHT * len(shown) else _SIZE


def _limit(shown: Sequence[Shown]) -> Reading | None:
    """Return the number that all told together never exceeds, the tightest; None without one."""
    totals = [(each, each.total) for each in shown]
    told = [(each, total) for each, total in totals if total is not None]
    if not told:
        return None
    words = {w for c in numbers_said(told[0][0].task) for w in c.words}
    best: tuple[float, str] | None = None
    for word in sorted(words):
        reading = Reading(_LIMIT, "number", ((word, 1.0),))
        slack = 0.0
        for each, total in told:
            said = [c for c in numbers_said(each.task) if word in c.words]
            value = float(read_value(reading, said)) if len(said) == 1 else -math.inf
            slack = slack + value / total if total and value >= total else math.inf
        if slack < math.inf and (best is None or slack < best[0]):
            best = slack, word
    return Reading(_LIMIT, "number", ((best[1], 1.0),)) if best else None


def _enquiry(shown: Sequence[Shown], extra: Sequence[tuple[str, str]]) -> Enquiry | None:
    tells = next((each.tells for each in shown if each.tells), "")
    return Enquiry(shown[0].enquiry, tells, tuple(extra)) if tells else None
