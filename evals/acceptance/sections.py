"""Results as tables: games a row each, small worlds a row each with their forms as columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..ladder.cells import CELLS
from ..reports.statistics import wilson_interval
from .comparing import Comparison
from .table import Accepted

__all__ = ["Section", "aligned", "markdown", "sections"]

_PLAYERS = ("random", "nearest", "rebound")
_SIGNS = {"fell": " ↓", "improved": " ↑", "other episodes": " ?"}


@dataclass(frozen=True, slots=True)
class Section:
    """One table.

    Attributes:
        title: Over it.
        header: Names of its columns.
        rows: Its rows.
    """

    title: str
    header: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)


def sections(
    results: Mapping[str, Accepted], comparisons: Mapping[str, Comparison] | None = None
) -> list[Section]:
    """Return results as tables; ``↑`` and ``↓`` mark what improved and what fell.

    Args:
        results: Name of a case → its result.
        comparisons: Name of a case → how it compares with what was accepted.
    """
    signs = {name: _SIGNS.get(each.verdict, "") for name, each in (comparisons or {}).items()}
    whole = {n: r for n, r in results.items() if not n.startswith(("ladder", "foreign", "agents"))}
    made = [
        _cases("Benchmarks and proofs", whole, signs),
        _worlds("Ladder, development half", "ladder, development: ", results, signs),
        _worlds("Ladder, sealed half", "ladder, sealed: ", results, signs),
        _worlds("Foreign worlds (development)", "foreign: ", results, signs),
        _agents({n: r for n, r in results.items() if n.startswith("agents")}, signs),
    ]
    return [section for section in made if section.rows]


def _cases(title: str, cases: Mapping[str, Accepted], signs: Mapping[str, str]) -> Section:
    section = Section(title, ("case", "of", "reached", "95 %", "figures", *_PLAYERS))
    for name, result in cases.items():
        count, n = result.outcomes.count("1"), len(result.outcomes)
        figures = ", ".join(f"{key} {value:g}" for key, value in sorted(result.figures.items()))
        others = (str(result.baselines.get(player, "")) for player in _PLAYERS)
        row = (name, str(n), f"{count}{signs.get(name, '')}", _interval(count, n), figures, *others)
        section.rows.append(row)
    return section


def _worlds(
    title: str, start: str, results: Mapping[str, Accepted], signs: Mapping[str, str]
) -> Section:
    """One row a world, one column a form: solved, spoiled for good in brackets, a higher floor."""
    cells: dict[str, dict[str, str]] = {}
    sums: dict[str, list[int]] = {}
    forms: list[str] = []
    for name, result in results.items():
        if not name.startswith(start):
            continue
        world, _, form = name.removeprefix(start).partition(", ")
        forms += [form] if form not in forms else []
        count, spoiled = result.outcomes.count("1"), result.outcomes.count("x")
        wrong = f" ({spoiled})" if spoiled else ""
        below = f" <{result.floor}" if count < result.floor else ""
        cells.setdefault(world, {})[form] = f"{count}{wrong}{below}{signs.get(name, '')}"
        total = sums.setdefault(form, [0, 0, 0])
        for i, more in enumerate((count, spoiled, len(result.outcomes))):
            total[i] += more
    forms.sort(key=lambda form: CELLS.index(form) if form in CELLS else len(CELLS))
    section = Section(title, ("world", *forms))
    for world, row in cells.items():
        section.rows.append((world, *(row.get(column, "") for column in forms)))
    if cells:
        totals = [sums[form] for form in forms]
        section.rows.append(("all", *(f"{c} of {n} ({x})" for c, x, n in totals)))
        section.rows.append(("95 %", *(_interval(c, n) for c, _, n in totals)))
    return section


def _agents(cases: Mapping[str, Accepted], signs: Mapping[str, str]) -> Section:
    section = Section(
        "Ladder for agents", ("half", "tasks", "wrong", "95 %", "figures", "wrong, rebound")
    )
    for name, result in cases.items():
        wrong, n = result.outcomes.count("x"), len(result.outcomes)
        figures = ", ".join(f"{key} {value:g}" for key, value in sorted(result.figures.items()))
        floor = str(n - result.baselines.get("rebound", n))
        told = f"{wrong}{signs.get(name, '')}"
        section.rows.append((name, str(n), told, _interval(wrong, n), figures, floor))
    return section


def _interval(count: int, n: int) -> str:
    interval = wilson_interval(count, n)
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"


def aligned(section: Section) -> str:
    """Write a table as plain text: the first column to the left, the others to the right."""
    rows = [section.header, *section.rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(section.header))]
    lines = [section.title]
    for first, *others in rows:
        cells = (text.rjust(width) for text, width in zip(others, widths[1:], strict=True))
        lines.append("  ".join((first.ljust(widths[0]), *cells)).rstrip())
    return "\n".join(lines)


def markdown(tables: Iterable[Section]) -> str:
    """Write tables as Markdown."""
    lines: list[str] = []
    for section in tables:
        lines += [f"### {section.title}", "", f"| {' | '.join(section.header)} |"]
        lines.append("|---" * len(section.header) + "|")
        lines += [f"| {' | '.join(row)} |" for row in section.rows]
        lines.append("")
    return "\n".join(lines)
