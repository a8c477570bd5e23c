"""What a table tells of the answers: each row with its interval, and what differs in pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...procedures.common.errors import DataError
from ...procedures.evidence.intervals import wilson_interval
from ..reports.figures import Section, Table
from ..reports.run_sections import told_pair
from ..reports.statistics import bootstrap_mean_interval, paired_difference
from .files import Row, TableFile

__all__ = ["section_of_table"]

Run = Mapping[str, Any]


def section_of_table(table: TableFile, answers: Mapping[str, list[Any]]) -> Section:
    """Return a table as a section of a report.

    Args:
        table: The table.
        answers: Name of a cell → what its commands printed.

    Raises:
        DataError: A command printed no result of an evaluation, or two rows have no task in common.
    """
    runs: dict[str, Run] = {}
    for name, row in table.rows.items():
        run = answers[row.cell.name][-1]
        if not isinstance(run, dict) or not run.get("episodes"):
            raise DataError(f"{table.name}: {name}: {row.cell.name} printed no result of tasks")
        runs[name] = run
    figures = [_reached(table, runs)]
    if any(row.against for row in table.rows.values()):
        figures.append(_pairs(table, runs))
    return Section(table.title, table.about, tuple(figures))


def _reached(table: TableFile, runs: Mapping[str, Run]) -> Table:
    wanted = any(row.wanted is not None for row in table.rows.values())
    rows = []
    for name, row in table.rows.items():
        run = runs[name]
        value, text = _value(row, run)
        missed = row.wanted is not None and value < row.wanted
        steps = run.get("mean_steps")
        cells = [row.what, str(len(run["episodes"]))]
        if wanted:
            cells.append("" if row.wanted is None else _figure(row, row.wanted))
        cells += [f"**{text}**" if missed else text, "" if steps is None else f"{steps:.2f}"]
        rows.append(tuple(cells))
    columns = ("what", "n", *(("wanted",) if wanted else ()), "reached, 95 %", "mean steps")
    return Table(table.title, columns, tuple(rows))


def _value(row: Row, run: Run) -> tuple[float, str]:
    """Return a row's figure, and how it is shown with its interval."""
    episodes, n = run["episodes"], len(run["episodes"])
    if row.metric == "reward":
        rewards = [float(each["reward"]) for each in episodes]
        interval, value = bootstrap_mean_interval(rewards), sum(rewards) / n
        return value, f"{value:.3f} ({interval.low:.3f} to {interval.high:.3f})"
    if row.metric == "first-plan":
        won = round(run["extra"]["at_first"]["rate"] * n)
    else:
        won = sum(bool(each["success"]) for each in episodes)
    interval = wilson_interval(won, n)
    share = f"{100 * won / n:.1f} % ({100 * interval.low:.1f} to {100 * interval.high:.1f})"
    return won / n, f"{won}, {share}"


def _figure(row: Row, value: float) -> str:
    return f"{value:.3f}" if row.metric == "reward" else f"{100 * value:.1f} %"


def _pairs(table: TableFile, runs: Mapping[str, Run]) -> Table:
    rows = []
    for name, row in table.rows.items():
        for other in row.against:
            pair = paired_difference(_tasks(row, runs[name]), _tasks(row, runs[other]))
            if pair is None:
                raise DataError(f"{table.name}: {name} and {other} have no task in common")
            rows.append((row.what, table.rows[other].what, *told_pair(pair)))
    columns = ("what", "against", "n", "difference, 95 %", "better : worse", "p, exact")
    return Table("In pairs", columns, tuple(rows))


def _tasks(row: Row, run: Run) -> dict[str, float]:
    return {str(each["id"]): float(each[row.metric]) for each in run["episodes"]}
