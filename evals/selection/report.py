"""What a selection benchmark comes to: regret with intervals, paired tests, calibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..calibration import Forecast, brier, reliability
from ..statistics import bootstrap_mean_interval, holm, paired_difference_interval, sign_test
from .playing import Played

__all__ = ["POINTS", "Comparison", "compared", "document", "table"]

POINTS = 10
"""Points of a regret curve."""


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


def _forecasts(played: Sequence[Played]) -> list[Forecast]:
    return [pair for each in played for pair in zip(each.expected, each.worked, strict=True)]


def curve(played: Sequence[Played]) -> list[dict[str, float]]:
    """Return the mean regret up to ten points of the course, with 95 % intervals."""
    length = len(played[0].regrets)
    points = []
    for part in range(1, POINTS + 1):
        upto = max(1, length * part // POINTS)
        sums = [sum(each.regrets[:upto]) for each in played]
        low, high = _interval(sums)
        points.append({"episodes": upto, "regret": sum(sums) / len(sums), "low": low, "high": high})
    return points


def document(kind: str, played: Mapping[str, Sequence[Played]]) -> dict[str, Any]:
    """Return all of one kind of library as plain data; the first arm is compared with the rest."""
    first, *rest = played
    against = compared(played[first], {name: played[name] for name in rest})
    return {
        "kind": kind,
        "worlds": len(played[first]),
        "arms": [
            {
                "name": name,
                "curve": curve(each),
                "brier": brier(_forecasts(each)),
                "reliability": [asdict(b) for b in reliability(_forecasts(each))],
            }
            for name, each in played.items()
        ],
        "compared": [asdict(each) for each in against],
    }


def table(told: Mapping[str, Any]) -> str:
    """Return one kind of library as a Markdown table."""
    against = {each["other"]: each for each in told["compared"]}
    lines = [
        f"{told['kind']}, {told['worlds']} libraries",
        "",
        "| arm | regret, 95 % | more than EU, 95 % | EU better : worse | p, Holm | Brier |",
        "|---|---|---|---|---|---|",
    ]
    for arm in told["arms"]:
        last, other = arm["curve"][-1], against.get(arm["name"])
        beside = " | | "
        if other is not None:
            beside = (
                f"{other['difference']:+.1f} ({other['low']:+.1f} to {other['high']:+.1f}) | "
                f"{other['better']} : {other['worse']} | {other['p_value']:.2g}"
            )
        regret = f"{last['regret']:.1f} ({last['low']:.1f} to {last['high']:.1f})"
        lines.append(f"| {arm['name']} | {regret} | {beside} | {arm['brier']:.3f} |")
    return "\n".join(lines)


def _interval(values: Sequence[float]) -> tuple[float, float]:
    found = bootstrap_mean_interval(values, resamples=2000)
    return found.low, found.high
