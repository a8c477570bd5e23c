"""``macla measure``: everything that is measured, in one table against the accepted results."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import options, output

if TYPE_CHECKING:
    from ..evals.acceptance.comparing import Comparison
    from ..evals.acceptance.running import Ended
    from ..evals.acceptance.table import Accepted, Table


@click.command(
    "measure",
    epilog=options.examples("macla measure --quick --jobs 2", "macla measure --sealed --accept"),
)
@click.option(
    "--run",
    "run_folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the run; until all is done, what was done is kept, and the same command goes "
    "on (default: in the cache).",
)
@click.option(
    "--accepted",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The accepted results (default: those that come with macla).",
)
@click.option("--only", metavar="TEXT", help="Only cases whose name contains TEXT.")
@click.option("--quick", is_flag=True, help="Only the part that CI plays.")
@click.option(
    "--sealed",
    is_flag=True,
    help="Also the halves that are kept apart; for the end of a change of the learner.",
)
@click.option("--accept", is_flag=True, help="Make the results the accepted ones.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
@options.as_json
@click.pass_context
def command(
    ctx: click.Context,
    /,
    run_folder: Path | None,
    accepted: Path | None,
    only: str | None,
    quick: bool,
    sealed: bool,
    accept: bool,
    jobs: int,
    as_json: bool,
) -> None:
    """Play everything that is measured, against the results that were last accepted.

    Episode by episode; exit code 1 if a case failed or fell by more than its margin. The benchmark
    data is looked for in $MACLA_DATA, or ~/.cache/macla/bench.
    """
    from ..evals.acceptance.running import Workplace, run_units
    from ..evals.acceptance.table import ACCEPTED, read_table
    from ..evals.acceptance.units import units_of
    from ..procedures.common.errors import DataError

    file = accepted or ACCEPTED
    table = read_table(file)
    units = units_of(table, sealed=sealed, quick=quick, only=only or "")
    if not units:
        raise DataError(
            f"{file}: no case has {only!r} in its name" if only else f"{file}: is empty"
        )
    plan = table.model_dump_json(exclude={"accepted"})
    place = Workplace(run_folder or _cache(), plan, os.environ.get("MACLA_DATA", ""))
    with place.open() as resumed, output.bar("all that is measured", quiet=as_json) as bar:
        if resumed:
            output.note(f"a run that did not end is resumed ({place.root})")

        def progress(ended: Ended, done: int, of: int) -> None:
            bar.stage(ended.unit.name)
            bar(done, of)

        results = run_units(units, place, jobs=jobs, progress=progress)
        place.check()
        is_complete = not quick and not only
        if is_complete and not any(each.failed for each in results):
            place.finish()
    _report(ctx, file, table, results, accept=accept, as_json=as_json)


def _report(
    ctx: click.Context,
    file: Path,
    table: Table,
    units: Sequence[Ended],
    *,
    accept: bool,
    as_json: bool,
) -> None:
    from ..evals.acceptance.comparing import compared
    from ..evals.acceptance.running import joined, missing
    from ..evals.acceptance.table import write_table
    from ..procedures.common.errors import DataError

    results, margins = joined(units, table.accepted)
    if not results and all(each.skipped for each in units):
        raise DataError("nothing could be played; the first reason: " + units[0].skipped)
    comparisons = {
        name: compared(result, table.accepted.get(name), margins[name])
        for name, result in results.items()
    }
    comparisons |= missing(results, units, table)
    failures = {each.unit.name: each.failed for each in units if each.failed}
    changed = None
    if accept:
        merged = {**table.accepted, **results}
        changed = sum(table.accepted.get(name) != result for name, result in results.items())
        write_table(file, table.model_copy(update={"accepted": merged}))
    if as_json:
        skipped = {each.unit.name: each.skipped for each in units if each.skipped}
        output.emit_json(_document(results, comparisons, failures, skipped, changed))
    else:
        _print(results, comparisons, units)
        if changed is not None:
            output.say(f"\n{changed} accepted results changed in {file}")
    failing_verdicts = ("fell", "other episodes", "missing")
    has_fallen = any(each.verdict in failing_verdicts for each in comparisons.values())
    ctx.exit(1 if failures or (has_fallen and not accept) else 0)


def _cache() -> Path:
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "macla" / "acceptance"


def _print(
    results: Mapping[str, Accepted], comparisons: Mapping[str, Comparison], units: Sequence[Ended]
) -> None:
    from ..evals.acceptance.sections import sections

    for section in sections(results, comparisons):
        output.say(f"\n{output.strong(section.title)}")
        output.table(section.header, section.rows, numbers=range(1, len(section.header)))
    verdicts = {
        "improved": "improved",
        "fell": "FELL",
        "other episodes": "OTHER EPISODES",
        "missing": "MISSING",
    }
    output.say()
    for verdict, text in verdicts.items():
        for name, each in comparisons.items():
            if each.verdict == verdict:
                pairs = f"gained {each.gained}, lost {each.lost}, p {each.p_value:.2g}"
                output.say(f"{text}: {name} ({pairs})")
    counts = [each.verdict for each in comparisons.values()]
    verdicts_text = ", ".join(
        f"{counts.count(verdict)} {verdict}"
        for verdict in ("as good", "improved", "fell", "other episodes", "missing", "new")
        if verdict in counts
    )
    seconds = sum(each.seconds for each in units)
    low = sum(each.outcomes.count("1") < each.floor for each in results.values())
    output.say(f"{low} of {len(results)} results lie below the best baseline of the case")
    output.say(f"{len(counts)} cases: {verdicts_text} ({seconds:.0f} s of work)")
    for unit in units:
        if unit.skipped:
            output.say(f"left out: {unit.unit.name}: {unit.skipped}", err=True)
        if unit.failed:
            output.say(f"failed: {unit.unit.name}: {unit.failed}", err=True)


def _document(
    results: Mapping[str, Accepted],
    comparisons: Mapping[str, Comparison],
    failures: Mapping[str, str],
    skipped: Mapping[str, str],
    changed: int | None,
) -> dict[str, Any]:
    return {
        "fell": [name for name, each in comparisons.items() if each.verdict == "fell"],
        "missing": [name for name, each in comparisons.items() if each.verdict == "missing"],
        "improved": [name for name, each in comparisons.items() if each.verdict == "improved"],
        "failed": dict(failures),
        "skipped": dict(skipped),
        "accepted_changed": changed,
        "cases": {
            name: {
                **result.model_dump(),
                "n": len(result.outcomes),
                "successes": result.outcomes.count("1"),
                "verdict": comparisons[name].verdict,
                "gained": comparisons[name].gained,
                "lost": comparisons[name].lost,
                "p_value": comparisons[name].p_value,
            }
            for name, result in results.items()
        },
    }
