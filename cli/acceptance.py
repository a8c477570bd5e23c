"""``macla eval all``: every suite, in one table against the accepted results."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import output

if TYPE_CHECKING:
    from ..evals.joint import CaseResult

__all__ = ["run"]


def run(
    ctx: click.Context,
    *,
    seed: int,
    data: Path | None,
    jobs: int,
    as_json: bool,
    library_root: Path | None,
    accepted: Path | None,
    accept: bool,
    only: str | None,
    **_: Any,
) -> None:
    """Run the joint regression; end with 1 if a case failed or is significantly worse."""
    from ..evals import joint
    from ..procedures.errors import DataError

    file = accepted or joint.ACCEPTED
    cases = [case for case in joint.read_cases(file) if only is None or only in case.name]
    if not cases:
        raise DataError(f"{file}: no case has {only!r} in its name")
    results: list[CaseResult] = []
    with _root(library_root) as root, output.bar("all suites", quiet=as_json) as bar:
        for case in cases:
            result = joint.run_case(
                case,
                root,
                data=None if data is None else str(data),
                seed=seed,
                jobs=jobs,
                stage=bar.stage,
                progress=bar,
            )
            results.append(result)
    if all(result.skipped for result in results):
        raise DataError("nothing could be played; the first reason: " + results[0].skipped)
    changed = joint.accept(file, results) if accept else None
    if as_json:
        output.emit_json(_document(results, changed))
    else:
        _print(results)
        if changed is not None:
            click.echo(f"\n{changed} accepted results changed in {file}")
    ctx.exit(1 if not accept and any(result.worse for result in results) else 0)


@contextmanager
def _root(library_root: Path | None) -> Iterator[Path]:
    if library_root is not None:
        library_root.mkdir(parents=True, exist_ok=True)
        yield library_root
        return
    with tempfile.TemporaryDirectory(prefix="macla-eval-", ignore_cleanup_errors=True) as name:
        yield Path(name)


def _print(results: Sequence[CaseResult]) -> None:
    rows = []
    for result in results:
        report, before = result.report, result.case.accepted
        accepted = f"{output.percent(before['success_rate'])} ({before['n']})" if before else "-"
        if report is None:
            rows.append([result.case.name, "-", "-", "-", accepted, "", _verdict(result)])
            continue
        interval = report.interval
        rows.append(
            [
                result.case.name,
                f"{report.successes}/{len(report.outcomes)}",
                output.percent(report.success_rate),
                f"{100 * interval.low:.1f} to {100 * interval.high:.1f}",
                accepted,
                "" if result.p_value is None else f"{result.p_value:.3f}",
                _verdict(result),
            ]
        )
    header = ["suite", "won", "success", "95 % interval", "accepted (n)", "p", "verdict"]
    output.table(header, rows, numbers=(1, 2, 3, 4, 5))
    for result in results:
        if result.skipped:
            click.echo(f"left out: {result.case.name}: {result.skipped}", err=True)
        if result.failed:
            click.echo(f"failed: {result.case.name}: {result.failed}", err=True)


def _verdict(result: CaseResult) -> str:
    if result.failed:
        return "FAILED"
    if result.report is None:
        return "left out"
    if result.p_value is None:
        return "new"
    if result.worse:
        return "WORSE"
    before = float(result.case.accepted["success_rate"])
    return "lower" if result.report.success_rate < before - 1e-6 else "as good"


def _document(results: Sequence[CaseResult], changed: int | None) -> dict[str, Any]:
    return {
        "worse": [result.case.name for result in results if result.worse],
        "accepted_changed": changed,
        "cases": [
            {
                "name": result.case.name,
                "verdict": _verdict(result),
                "p_value": result.p_value,
                "accepted": dict(result.case.accepted),
                "skipped": result.skipped or None,
                "failed": result.failed or None,
                "result": None
                if result.report is None
                else {k: v for k, v in result.report.to_document().items() if k != "episodes"},
            }
            for result in results
        ],
    }
