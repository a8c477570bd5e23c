"""What a selection benchmark comes to: regret with intervals, paired tests, calibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..index_recall import recall_table
from ..reports.calibration import Forecast, brier, reliability
from ..reports.figures import Figure, Line, Lines, Section, Table
from ..reports.statistics import (
    bootstrap_mean_interval,
    holm,
    paired_difference_interval,
    sign_test,
)
from .playing import Played

__all__ = ["Comparison", "compared", "sections_of"]

_POINTS = 10
"""Points of a regret curve."""
_MODEL = "Thompson"
"""The arm whose regret the first one's is told in."""

ByKind = Mapping[str, Mapping[str, Sequence[Played]]]
"""Kind of world → arm → what it did in each world of the kind."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first arm against another, world by world.

    Attributes:
        other: The other arm.
        difference: Mean regret of the other less the first's, in successes lost.
        low: Lower end of its 95 % interval.
        high: Upper end.
        better: Worlds in which the first regrets less.
        worse: Worlds in which it regrets more.
        p_value: Of the exact sign test, corrected by Holm over all comparisons of a kind.
    """

    other: str
    difference: float
    low: float
    high: float
    better: int
    worse: int
    p_value: float


def compared(first: Sequence[Played], others: Mapping[str, Sequence[Played]]) -> list[Comparison]:
    """Compare an arm with others on the same worlds."""
    own = [each.regret for each in first]
    found = []
    for name, played in others.items():
        theirs = [each.regret for each in played]
        interval, test = paired_difference_interval(theirs, own), sign_test(theirs, own)
        difference = sum(theirs) / len(theirs) - sum(own) / len(own)
        split = test.first_only, test.second_only
        found.append(
            Comparison(name, difference, interval.low, interval.high, *split, test.p_value)
        )
    corrected = holm([each.p_value for each in found])
    return [
        Comparison(c.other, c.difference, c.low, c.high, c.better, c.worse, p)
        for c, p in zip(found, corrected, strict=True)
    ]


def sections_of(played: ByKind, library: Mapping[str, Any]) -> list[Section]:
    """Return tables and plots of what all arms did.

    Args:
        played: Of each kind the same arms; all are compared with the first.
        library: What was found of the library: ``procedures`` and ``recall``.
    """
    kinds = list(played)
    worlds = [each for kind in kinds for each in played[kind][_first(played[kind])]]
    tasks = len(worlds[0].regrets)
    about = (
        f"One library of {library['procedures']} procedures on disk, rivals for the goals of "
        f"{len(worlds)} worlds; {tasks} tasks of each world, in turn, through the loop. Regret is "
        "what the best rival would have won more, in tasks of a world; in brackets p of the exact "
        "sign test against the first arm, worlds paired, corrected by Holm."
    )
    figures: list[Figure] = [_regrets(played), _differences(played)]
    figures += [_curves(kind, played[kind]) for kind in kinds]
    figures += [_calibration(played), _reliability(played), recall_table(library["recall"])]
    return [Section("Where choosing matters", about, tuple(figures))]


def _first(arms: Mapping[str, Sequence[Played]]) -> str:
    return next(iter(arms))


def _comparisons(arms: Mapping[str, Sequence[Played]]) -> dict[str, Comparison]:
    first, *others = arms
    return {c.other: c for c in compared(arms[first], {name: arms[name] for name in others})}


def _mean(played: Sequence[Played]) -> float:
    return sum(each.regret for each in played) / len(played)


def _regrets(played: ByKind) -> Table:
    kinds = list(played)
    against = {kind: _comparisons(played[kind]) for kind in kinds}
    first = _first(played[kinds[0]])
    rows = []
    for name in played[kinds[0]]:
        cells = []
        for kind in kinds:
            text = f"{_mean(played[kind][name]):.1f}"
            if name == first:
                interval = _interval([each.regret for each in played[kind][name]])
                cells.append(f"{text}, {interval[0]:.1f} to {interval[1]:.1f}")
            else:
                cells.append(f"{text} ({against[kind][name].p_value:.2g})")
        rows.append((name, *cells))
    if _MODEL in played[kinds[0]]:
        shares = [
            f"{_mean(played[kind][first]) / max(_mean(played[kind][_MODEL]), 1e-9):.2f}"
            for kind in kinds
        ]
        rows.append((f"{first}'s regret by {_MODEL}'s", *shares))
    return Table("Regret", ("arm", *kinds), tuple(rows))


def _differences(played: ByKind) -> Table:
    """Return how much more each arm regrets, over the worlds of all kinds."""
    arms = {
        name: [each for kind in played for each in played[kind][name]]
        for name in played[next(iter(played))]
    }
    rows = tuple(
        (
            each.other,
            f"{each.difference:+.1f} ({each.low:+.1f} to {each.high:+.1f})",
            f"{each.better} : {each.worse}",
            f"{each.p_value:.2g}",
        )
        for each in _comparisons(arms).values()
    )
    first = _first(arms)
    columns = ("arm", f"more regret than {first}, 95 %", f"{first} better : worse", "p, Holm")
    return Table("Over all kinds", columns, rows)


def _curves(kind: str, arms: Mapping[str, Sequence[Played]]) -> Lines:
    lines = tuple(Line(name, _curve(each)) for name, each in arms.items())
    return Lines(f"Regret by tasks, {kind}", "tasks of a world", "regret", lines)


def _curve(played: Sequence[Played]) -> tuple[tuple[float, ...], ...]:
    length = len(played[0].regrets)
    points = []
    for part in range(1, _POINTS + 1):
        upto = max(1, length * part // _POINTS)
        points.append((float(upto), sum(sum(each.regrets[:upto]) for each in played) / len(played)))
    return tuple(points)


def _calibration(played: ByKind) -> Table:
    kinds = list(played)
    rows = tuple(
        (name, *(_brier(_forecasts(played[kind][name])) for kind in kinds))
        for name in played[kinds[0]]
    )
    return Table("Brier score of what was expected", ("arm", *kinds), rows)


def _brier(forecasts: Sequence[Forecast]) -> str:
    return f"{brier(forecasts):.3f}" if forecasts else "-"


def _reliability(played: ByKind) -> Lines:
    lines = [
        Line(kind, tuple((b.expected, b.worked) for b in reliability(_forecasts(arms[first]))))
        for kind, arms in played.items()
        for first in (_first(arms),)
    ]
    lines.append(Line("as expected", ((0.0, 0.0), (1.0, 1.0)), grey=True))
    return Lines("Reliability of the first arm", "expected success", "share", tuple(lines))


def _forecasts(played: Sequence[Played]) -> list[Forecast]:
    return [
        (hope, worked)
        for each in played
        for hope, worked in zip(each.expected, each.worked, strict=True)
        if hope is not None
    ]


def _interval(values: Sequence[float]) -> tuple[float, float]:
    found = bootstrap_mean_interval(values, resamples=2000)
    return found.low, found.high
