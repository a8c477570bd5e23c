"""Play everything that is measured, against the results that were last accepted.

python -m macla.evals.acceptance --quick --jobs 2
python -m macla.evals.acceptance --sealed --accept

Episode by episode; exit code 1 if a case failed or fell by more than its margin. The benchmark data
is looked for in $MACLA_DATA, or ~/.cache/macla/bench.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...procedures.common.errors import DataError, MaclaError
from ..studies.command_options import count, documented_parser, say, say_json, tell
from .comparing import Comparison, compared
from .running import Ended, Workplace, joined, missing, run_units
from .sections import aligned, sections
from .table import ACCEPTED, Accepted, Table, read_table, write_table
from .units import units_of


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and compare; 1 where a case fell, 2 where nothing was played, 130 if it was stopped."""
    given = _parser().parse_args(arguments)
    try:
        table = read_table(given.accepted)
        return _report(given, table, _play(given, table))
    except (MaclaError, OSError) as error:
        say(f"acceptance: error: {error}", sys.stderr)
        return 2
    except KeyboardInterrupt:
        say("stopped; the same command goes on where it was", sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = documented_parser("acceptance", __doc__)
    parser.add_argument(
        "--run",
        type=Path,
        default=_cache(),
        metavar="DIR",
        help="folder of the run; until all is done, what was done is kept, and the same command "
        "goes on (default: in the cache)",
    )
    parser.add_argument(
        "--accepted",
        type=Path,
        default=ACCEPTED,
        metavar="FILE",
        help="the accepted results (default: those that come with macla)",
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="cases with TEXT in their name")
    parser.add_argument("--quick", action="store_true", help="only the part that CI plays")
    parser.add_argument(
        "--sealed",
        action="store_true",
        help="also the halves that are kept apart; for the end of a change of the learner",
    )
    parser.add_argument("--accept", action="store_true", help="make the results the accepted ones")
    parser.add_argument("--jobs", type=count, default=1, help="processes (default: 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser


def _play(given: argparse.Namespace, table: Table) -> list[Ended]:
    """Play what was asked for, and return what came of it."""
    units = units_of(table, sealed=given.sealed, quick=given.quick, only=given.only)
    if not units:
        raise DataError(
            f"{given.accepted}: no case has {given.only!r} in its name"
            if given.only
            else f"{given.accepted}: is empty"
        )
    plan = table.model_dump_json(exclude={"accepted"})
    place = Workplace(given.run, plan, os.environ.get("MACLA_DATA", ""))
    with place.open() as resumed:
        if resumed:
            say(f"a run that did not end is resumed ({place.root})", sys.stderr)

        def progress(ended: Ended, done: int, of: int) -> None:
            tell(ended.unit.name, done, of)

        results = run_units(units, place, jobs=given.jobs, progress=progress)
        place.check()
        is_complete = not given.quick and not given.only
        if is_complete and not any(each.failed for each in results):
            place.finish()
    return list(results)


def _report(given: argparse.Namespace, table: Table, units: Sequence[Ended]) -> int:
    """Print what came of a run, accept it if asked, and return the exit code."""
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
    if given.accept:
        merged = {**table.accepted, **results}
        changed = sum(table.accepted.get(name) != result for name, result in results.items())
        write_table(given.accepted, table.model_copy(update={"accepted": merged}))
    if given.json:
        skipped = {each.unit.name: each.skipped for each in units if each.skipped}
        say_json(_document(results, comparisons, failures, skipped, changed))
    else:
        _print(results, comparisons, units)
        if changed is not None:
            say(f"\n{changed} accepted results changed in {given.accepted}")
    failing_verdicts = ("fell", "other episodes", "missing")
    has_fallen = any(each.verdict in failing_verdicts for each in comparisons.values())
    return 1 if failures or (has_fallen and not given.accept) else 0


def _cache() -> Path:
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "macla" / "acceptance"


def _print(
    results: Mapping[str, Accepted], comparisons: Mapping[str, Comparison], units: Sequence[Ended]
) -> None:
    for section in sections(results, comparisons):
        say(f"\n{aligned(section)}")
    verdicts = {
        "improved": "improved",
        "fell": "FELL",
        "other episodes": "OTHER EPISODES",
        "missing": "MISSING",
    }
    say("")
    for verdict, text in verdicts.items():
        for name, each in comparisons.items():
            if each.verdict == verdict:
                pairs = f"gained {each.gained}, lost {each.lost}, p {each.p_value:.2g}"
                say(f"{text}: {name} ({pairs})")
    counts = [each.verdict for each in comparisons.values()]
    verdicts_text = ", ".join(
        f"{counts.count(verdict)} {verdict}"
        for verdict in ("as good", "improved", "fell", "other episodes", "missing", "new")
        if verdict in counts
    )
    seconds = sum(each.seconds for each in units)
    low = sum(each.outcomes.count("1") < each.floor for each in results.values())
    say(f"{low} of {len(results)} results lie below the best baseline of the case")
    say(f"{len(counts)} cases: {verdicts_text} ({seconds:.0f} s of work)")
    for unit in units:
        if unit.skipped:
            say(f"left out: {unit.unit.name}: {unit.skipped}", sys.stderr)
        if unit.failed:
            say(f"failed: {unit.unit.name}: {unit.failed}", sys.stderr)


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


if __name__ == "__main__":
    sys.exit(main())
