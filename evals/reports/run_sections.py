"""Results of evaluations as sections of a report: what was won, and what differs, in pairs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...procedures.common.errors import DataError
from ...schemas import first_misfit
from ..suites.suite_files import SUITES, Published, suite_of
from .figures import Figure, Intervals, Line, Lines, Row, Section, Table
from .statistics import PairedDifference, holm, paired_difference

__all__ = ["read_sections", "section_of", "told_pair"]

Run = Mapping[str, Any]
_RULES = ("protocol", "source", "goals")
"""What a suite says of its rules in a result."""
_MOST = 64_000_000
"""Bytes of a file that is read: a result of 100,000 episodes."""


def read_sections(paths: Sequence[Path]) -> list[Section]:
    """Return a section for each suite and split that was played, and those that studies wrote.

    Args:
        paths: What ``macla eval --json`` printed, or studies wrote.

    Raises:
        DataError: A file is something else, or the same task was played under several rules.
    """
    runs: dict[tuple[str, str, str], list[tuple[str, Run]]] = {}
    studies: list[Section] = []
    for path in paths:
        document = _read(path)
        if document.get("kind") == "study":
            try:
                studies += [Section.from_document(each) for each in document["sections"]]
            except (DataError, KeyError, TypeError) as error:
                raise DataError(f"{path}: {error}") from None
            continue
        misfit = first_misfit("eval_result", document)
        if misfit is not None:
            where = ".".join(map(str, misfit.path)) or "the document"
            raise DataError(
                f"{path}: {where}: {misfit.problem}; give what macla eval --json prints"
            )
        key = (document["suite"], document["split"], _rules(document))
        runs.setdefault(key, []).append((path.stem, document))
    return [*(_played(key, each) for key, each in runs.items()), *studies]


def _played(key: tuple[str, str, str], named: Sequence[tuple[str, Run]]) -> Section:
    suite, split, rules = key
    about = f"At most {rules}."
    return section_of(f"{suite}, {split}", about, named, suite)


def _rules(run: Run) -> str:
    """Return the rules under which tasks were played; other rules, other numbers."""
    shown = "shown" if run.get("admissible") else "hidden"
    rules = [f"{run.get('max_steps')} steps", f"possible actions {shown}"]
    return ", ".join(rules + [f"{name} {run[name]}" for name in _RULES if name in run])


def _read(path: Path) -> Any:
    try:
        if path.stat().st_size > _MOST:
            raise DataError(f"{path}: larger than {_MOST:,} bytes")
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not a file of JSON ({str(error)[:100]})") from None
    if not isinstance(document, dict):
        raise DataError(f"{path}: no JSON object; give what macla eval --json prints")
    return document


def section_of(title: str, about: str, named: Sequence[tuple[str, Run]], suite: str) -> Section:
    """Compare runs of the same tasks with the first of them.

    Args:
        title: Heading.
        about: What was done, in words.
        named: Name and result of each run, at least one.
        suite: Name of the suite, or its file.
    """
    names, runs = _names(named), [run for _, run in named]
    primary = "success"
    published: tuple[Published, ...] = ()
    if suite in SUITES or suite.endswith((".yaml", ".yml")):
        file = suite_of(suite)
        primary, published = file.primary, file.published
    figures: list[Figure] = [_intervals(names, runs, primary, published)]
    if reliability := _reliability(names, runs):
        figures.append(reliability)
    figures.append(_table(names, runs))
    if len(runs) > 1:
        figures.append(_differences(names, runs, primary))
    if kinds := _kinds(names, runs):
        figures.append(kinds)
    about += " Intervals are at 95 %."
    if published:
        about += " Grey: what others published, from other conditions ("
        about += "; ".join(dict.fromkeys(each.about for each in published if each.about)) + ")."
    return Section(title, about, tuple(figures))


def _names(named: Sequence[tuple[str, Run]]) -> list[str]:
    """Return a name for each run: its arm, and the file's name where arms are alike."""
    arms = [str(run.get("extra", {}).get("arm", stem)) for stem, run in named]
    seen: set[str] = set()
    names = []
    for (stem, run), arm in zip(named, arms, strict=True):
        preset = run.get("extra", {}).get("preset")
        name = arm if arms.count(arm) == 1 and not preset else f"{arm} ({stem})"
        while name in seen:
            name += "'"
        seen.add(name)
        names.append(name)
    return names


def _tasks(run: Run, primary: str) -> dict[str, float]:
    return {str(episode["id"]): float(episode[primary]) for episode in run["episodes"]}


def _intervals(
    names: Sequence[str], runs: Sequence[Run], primary: str, published: Sequence[Published]
) -> Intervals:
    rows = []
    for name, run in zip(names, runs, strict=True):
        if primary == "reward":
            value, (low, high) = run.get("mean_reward", 0.0), run.get("reward_ci95", (0.0, 0.0))
            text = f"{value:.3f} ({low:.3f} to {high:.3f})"
        else:
            value, (low, high) = run["success_rate"], run["ci95"]
            text = f"{100 * value:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        arm = str(run.get("extra", {}).get("arm"))
        of_arm = next((each.value for each in published if each.arm == arm), None)
        rows.append(Row(name, value, low, high, text, of_arm))
    others = tuple((each.who, each.value) for each in published if each.arm is None)
    low = min(0.0, *(row.low for row in rows), 0.0)
    return Intervals(primary.capitalize(), tuple(rows), low=low, published=others)


_COLUMNS = (
    ("arm", None),
    ("won", None),
    ("reward", "{:.3f}"),
    ("steps", "{:.2f}"),
    ("by procedures", "{:.1%}"),
    ("meta hits", "{:.1%}"),
    ("unique procedures", "{:d}"),
    ("mean posterior", "{:.3f}"),
    ("Brier", "{:.3f}"),
    ("model calls", "{:.2f}"),
    ("tokens", "{:.0f}"),
    ("ms a decision", "{:.1f}"),
    ("memory, MB", "{:.0f}"),
)


def _table(names: Sequence[str], runs: Sequence[Run]) -> Table:
    rows = []
    for name, run in zip(names, runs, strict=True):
        told = run.get("metrics", {})
        won = sum(bool(each["success"]) for each in run["episodes"])
        peak = told.get("peak_memory_bytes")
        values = (
            run.get("mean_reward"),
            run["mean_steps"],
            run["reuse_rate"],
            run["meta_hit_rate"],
            told.get("unique_procedures"),
            told.get("mean_posterior"),
            told.get("brier"),
            run["llm_calls_per_episode"],
            run.get("llm_tokens_per_episode"),
            told.get("decision_ms"),
            None if peak is None else peak / 1e6,
        )
        cells = [
            "" if value is None else str(form).format(value)
            for (_, form), value in zip(_COLUMNS[2:], values, strict=True)
        ]
        rows.append((name, f"{won} of {run['n']}", *cells))
    return Table("What was measured", tuple(name for name, _ in _COLUMNS), tuple(rows))


def _differences(names: Sequence[str], runs: Sequence[Run], primary: str) -> Table:
    """Compare each run with the first, on the tasks that both played."""
    first = _tasks(runs[0], primary)
    compared = [
        (name, paired_difference(_tasks(run, primary), first))
        for name, run in zip(names[1:], runs[1:], strict=True)
    ]
    found = [(name, pair) for name, pair in compared if pair is not None]
    corrected = holm([pair.test.p_value for _, pair in found])
    rows = [
        (name, *told_pair(pair)[:-1], f"{p:.2g}")
        for (name, pair), p in zip(found, corrected, strict=True)
    ]
    title = f"Difference from {names[0]}, in pairs ({primary})"
    columns = ("arm", "tasks", "difference, 95 %", "better : worse", "p, exact, Holm")
    return Table(title, columns, tuple(rows))


def told_pair(pair: PairedDifference) -> tuple[str, str, str, str]:
    """Return tasks, difference, better : worse and p as they are shown."""
    low, high = pair.interval.low, pair.interval.high
    return (
        str(pair.n),
        f"{pair.mean:+.3f} ({low:+.3f} to {high:+.3f})",
        f"{pair.test.first_only} : {pair.test.second_only}",
        f"{pair.test.p_value:.2g}",
    )


def _kinds(names: Sequence[str], runs: Sequence[Run]) -> Table | None:
    groups = [run.get("extra", {}).get("groups", {}) for run in runs]
    kinds = list(dict.fromkeys(kind for each in groups for kind in each))
    if len(kinds) < 2:
        return None
    rows = [
        (
            kind,
            *(
                f"{each[kind]['won']} of {each[kind]['n']}" if kind in each else ""
                for each in groups
            ),
        )
        for kind in kinds
    ]
    return Table("Won by kind of task", ("kind", *names), tuple(rows))


def _reliability(names: Sequence[str], runs: Sequence[Run]) -> Lines | None:
    lines = [
        Line(name, tuple((b["expected"], b["worked"]) for b in bins), joined=False)
        for name, run in zip(names, runs, strict=True)
        if (bins := run.get("metrics", {}).get("reliability"))
    ]
    if not lines:
        return None
    even = Line("as expected", ((0.0, 0.0), (1.0, 1.0)), grey=True)
    return Lines("Reliability", "success expected of the first choice", "share won", (*lines, even))
