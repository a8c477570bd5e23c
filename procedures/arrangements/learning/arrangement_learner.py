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

_DAYS_SHARE = 0.95
"""Share of demonstrations with as many records as the task says days: size is then ``days``."""
_LIMIT = "limit"
_SIZE = "records"
_DAYS = "days"


def learn_arrangement(
    demonstrations: Sequence[Shown], similarity: Similarity | None = None
) -> Arrangement | None:
    """Return what demonstrations have in common; None where they are no arrangements.

    Args:
        demonstrations: See :func:`~.shown.read_shown`.
        similarity: Of two words, in [-1, 1]; see :func:`~.wish_learning.learn_wishes`.
    """
    if not demonstrations:
        return None
    writing = learn_forms(demonstrations)
    if not writing.forms:
        return None
    traced = [
        trace(
            demonstration,
            tuple(rows_chosen(demonstration, writing.forms, writing.nothing)),
            writing,
        )
        for demonstration in demonstrations
    ]
    shapes, texts, usual = learn_shapes(traced, writing)
    if not shapes:
        return None
    names = _name_readings(usual, shapes, writing.forms)
    numbers, extra = _number_readings(usual)
    size = _size(demonstrations)
    if size != _DAYS:
        numbers.append(
            _learn_number(
                _SIZE,
                demonstrations,
                [str(len(demonstration.records)) for demonstration in demonstrations],
            )
        )
    require = learn_requirements(usual, writing.forms)
    limit = _limit(demonstrations)
    if limit is not None:
        numbers.append(limit)
        require.append(Limit(limit.name))
    return Arrangement(
        readings=(*names, *numbers),
        size=size,
        shapes=tuple(shapes),
        forms=(*texts, *writing.forms),
        require=tuple(require),
        wishes=tuple(learn_wishes(usual, writing.forms, similarity)),
        costs=tuple(learn_costs(usual, dict(extra))),
        numbered=writing.numbered,
        nothing=writing.nothing,
        enquiry=_enquiry(demonstrations, extra),
        keys=tuple(demonstrations[0].records[0]),
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
    used_names: list[set[str]] = [set() for _ in traced]
    readings = []
    for name in order:
        candidates: list[tuple[Candidate, ...]] = []
        targets = []
        for demonstration, before in zip(traced, used_names, strict=True):
            names = {
                v for t, c in columns for v in demonstration.shown.tables.values(t, c)
            } - before
            candidates.append(names_said(demonstration.shown.task, names))
            targets.append(_target(demonstration, by_size[len(demonstration.records)], name))
            before.add(targets[-1])
        readings.append(learn_reading(name, "name", candidates, targets, default=False))
    return readings


def _target(demonstration: Traced, shape: Shape, name: str) -> str:
    """Return what a reading gives in a demonstration, by the variables that come from it."""
    for variable, value in zip(shape.variables, demonstration.values, strict=True):
        if variable.said != name:
            continue
        if not variable.among:
            return value
        for row in demonstration.shown.tables.where(variable.among, (variable.take,), (value,)):
            if occurs(row.fields[variable.where], demonstration.shown.task):
                return row.fields[variable.where]
    return ""


# ---------------------------------------------------------------------------- numbers
def _number_readings(traced: Sequence[Traced]) -> tuple[list[Reading], list[tuple[str, str]]]:
    """Learn how the numbers are read that are added to enquiries: readings, and key → reading."""
    targets: dict[str, dict[int, str]] = {}
    for i, demonstration in enumerate(traced):
        for answer in demonstration.shown.told:
            for key, value in answer.extra.items():
                targets.setdefault(key, {})[i] = str(value)
    readings = []
    for key, values in targets.items():
        demonstrations = [traced[i].shown for i in values]
        readings.append(_learn_number(key, demonstrations, list(values.values()), default=True))
    return readings, [(reading.name, reading.name) for reading in readings]


def _learn_number(
    name: str, demonstrations: Sequence[Shown], targets: Sequence[str], *, default: bool = False
) -> Reading:
    candidates = [numbers_said(each.task) for each in demonstrations]
    return learn_reading(name, "number", candidates, targets, default=default)


def _size(demonstrations: Sequence[Shown]) -> str:
    """Return the reading of the number of records."""
    count = 0
    for demonstration in demonstrations:
        days = days_said(demonstration.task)
        count += bool(days) and (days[-1] - days[0]).days + 1 == len(demonstration.records)
    return _DAYS if count >= _DAYS_SHARE * len(demonstrations) else _SIZE


def _limit(demonstrations: Sequence[Shown]) -> Reading | None:
    """Return the reading of the tightest number that no total exceeds; None without one."""
    all_totals = [(demonstration, demonstration.total) for demonstration in demonstrations]
    known_totals = [
        (demonstration, total) for demonstration, total in all_totals if total is not None
    ]
    if not known_totals:
        return None
    words = {w for c in numbers_said(known_totals[0][0].task) for w in c.words}
    best: tuple[float, str] | None = None
    for word in sorted(words):
        reading = Reading(_LIMIT, "number", ((word, 1.0),))
        slack = 0.0
        for demonstration, total in known_totals:
            candidates = [c for c in numbers_said(demonstration.task) if word in c.words]
            value = float(read_value(reading, candidates)) if len(candidates) == 1 else -math.inf
            slack = slack + value / total if total and value >= total else math.inf
        if slack < math.inf and (best is None or slack < best[0]):
            best = slack, word
    return Reading(_LIMIT, "number", ((best[1], 1.0),)) if best else None


def _enquiry(demonstrations: Sequence[Shown], extra: Sequence[tuple[str, str]]) -> Enquiry | None:
    tells = next((each.tells for each in demonstrations if each.tells), "")
    return Enquiry(demonstrations[0].enquiry, tells, tuple(extra)) if tells else None
