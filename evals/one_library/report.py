"""What one library of many domains comes to, beside each domain's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..index_recall import recall_table
from ..reports.calibration import brier, reliability
from ..reports.figures import Figure, Line, Lines, Section, Table
from ..reports.statistics import paired_difference_interval, sign_test, wilson_interval
from .sources import GROUPS

__all__ = ["capacity_section", "sections_of"]

Episodes = Sequence[Mapping[str, Any]]


def sections_of(answers: Mapping[str, Sequence[Any]]) -> list[Section]:
    """Return what is told of the cells' answers; see ``cells_of`` of the command."""
    (holds, crowd, found, together) = answers["together"]
    alone: dict[str, Episodes] = {}
    for cell, answer in answers.items():
        if cell != "together":
            alone |= answer[0]
    figures: list[Figure] = [_compared(alone, together)]
    if worse := _worse(alone, together):
        figures.append(worse)
    figures += [recall_table(found), *_calibration(alone, together)]
    about = (
        f"{len(together)} domains, {holds['demonstrations']} demonstrations, learned together: "
        f"{holds['programs']} programs, {holds['procedures']} procedures and {holds['plans']} "
        f"plans; {crowd['procedures']} procedures with those for goals that no domain has. "
        "Each domain's tasks are played with this library and with one of its own."
    )
    return [Section("One library of many domains", about, tuple(figures))]


def capacity_section(answers: Mapping[str, Sequence[Any]]) -> Section:
    """Return what is told of the library pruned to each capacity, and of what went."""
    rows, points = [], []
    smallest: Sequence[Sequence[Any]] = []
    for name, (told, played) in answers.items():
        capacity = name.removeprefix("capacity-").replace("-", "/")
        episodes = [each for part in played.values() for each in part]
        won = _won(episodes)
        held = wilson_interval(won, len(episodes))
        kept = sum(told["had"].values()) - told["gone"]
        share = f"{100 * held.low:.1f} to {100 * held.high:.1f} %"
        rows.append((capacity, str(kept), str(told["gone"]), f"{won} of {len(episodes)} ({share})"))
        points.append((float(capacity.partition("/")[0]), won / len(episodes), held.low, held.high))
        smallest = smallest or told["items"]
    lines = tuple(
        Line(name, tuple((s, rho) for _, rho, s, stays in smallest if stays == kept), joined=False)
        for name, kept in (("kept", True), ("gone", False))
    )
    figures: tuple[Figure, ...] = (
        Lines("Won by capacity", "procedures", "share won", (Line("won", tuple(points)),)),
        Lines("What goes with the smallest", "share of all runs", "posterior mean", lines),
        Table("Capacity", ("procedures/plans", "kept", "gone", "won"), tuple(rows)),
    )
    return Section("Capacity", "The library pruned to each capacity, every domain played.", figures)


def _compared(alone: Mapping[str, Episodes], together: Mapping[str, Episodes]) -> Table:
    rows = []
    for group, belongs in GROUPS.items():
        names = [name for name in together if belongs(name)]
        if not names:
            continue
        own = [each for name in names for each in alone[name]]
        one = [each for name in names for each in together[name]]
        before, after = ([float(each["reward"]) for each in part] for part in (own, one))
        gap = paired_difference_interval(after, before)
        test = sign_test(after, before)
        mean = [sum(part) / len(part) for part in (before, after)]
        rows.append(
            (
                group,
                str(len(names)),
                *(f"{_won(p)} of {len(p)}, {m:.3f}" for p, m in zip((own, one), mean, strict=True)),
                f"{100 * (mean[1] - mean[0]):+.1f} ({100 * gap.low:+.1f} to {100 * gap.high:+.1f})",
                f"{test.first_only} : {test.second_only}",
                f"{test.p_value:.2g}",
            )
        )
    columns = ("domains", "how many", "own library: won, reward", "one library: won, reward")
    more = ("difference in points, 95 %", "better : worse", "p (sign test)")
    return Table("Played with one library and with its own", (*columns, *more), tuple(rows))


def _worse(alone: Mapping[str, Episodes], together: Mapping[str, Episodes]) -> Table | None:
    """Return the domains that lose more than a point in one library; None where there are none."""
    rows = []
    for name, one in together.items():
        before, after = (sum(e["reward"] for e in part) / len(part) for part in (alone[name], one))
        if after < before - 0.01:
            rows.append((name, f"{before:.3f}", f"{after:.3f}"))
    columns = ("domain", "own library", "one library")
    return Table("Domains that lose more than a point", columns, tuple(rows)) if rows else None


def _calibration(
    alone: Mapping[str, Episodes], together: Mapping[str, Episodes]
) -> tuple[Figure, ...]:
    """Return the Brier scores of what was expected at first, and how it came true."""
    forecasts = {
        name: [
            (float(each["expected"]), bool(each["won"]))
            for episodes in played.values()
            for each in episodes
            if each["expected"] is not None
        ]
        for name, played in (("own libraries", alone), ("one library", together))
    }
    told = {name: each for name, each in forecasts.items() if each}
    rows = tuple((name, str(len(each)), f"{brier(each):.3f}") for name, each in told.items())
    lines = [
        Line(name, tuple((b.expected, b.worked) for b in reliability(each)))
        for name, each in told.items()
    ]
    lines.append(Line("as expected", ((0.0, 0.0), (1.0, 1.0)), grey=True))
    return (
        Table("What was expected of the first choice", ("library", "choices", "Brier"), rows),
        Lines("Reliability", "expected success", "share won", tuple(lines)),
    )


def _won(episodes: Episodes) -> int:
    return sum(bool(each["won"]) for each in episodes)
