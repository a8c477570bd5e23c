"""Write the generated tables of docs/results.md, each between the marks that stand there.

python scripts/results_page.py                          # after macla measure --accept
python scripts/results_page.py --check                  # exit code 1 where it is not up to date
python scripts/results_page.py --play                   # play all studies and tables again, hours
python scripts/results_page.py --play webshop --jobs 2  # one of them

Accepted results are those of evals/accepted.json. A study's tables are from its document in
evals/studies/accepted; its command stands above. The page leaves some columns out, joins a table
with the one that compares its rows, and writes rows that are alike as one. ``--play`` runs the
command that the document names, from nothing, and puts what it writes in the document's place; if
it was stopped, the same command goes on where it was, as long as the code is the same.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from macla.evals.acceptance.running import code_digest
from macla.evals.acceptance.sections import Section as WorldSection
from macla.evals.acceptance.sections import sections
from macla.evals.acceptance.table import ACCEPTED, Accepted, read_table
from macla.evals.acceptance.units import units_of
from macla.evals.figures import Section, Table, tables
from macla.evals.statistics import wilson_interval

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "results.md"
STUDIES = ROOT / "evals" / "studies" / "accepted"
KEPT = Path(tempfile.gettempdir()) / "macla-results"
"""What was done by plays that were stopped; those that ended leave nothing."""
BEGIN, END = "<!-- accepted results -->", "<!-- end of accepted results -->"
PAIRS, REACHED = "In pairs", "reached, 95 %"
PLAYERS = ("random", "nearest", "rebound")
MACHINE = "2 cores, x86_64, Python 3.11.7"
"""What the page says of all documents; another machine stands beside the command."""
COUNTS = {"one-library", "capacity"}
"""Studies whose first sentence counts what was learned."""
LEFT_OUT = {
    "Won by kind of task",
    "Brier score of what was expected",
    "The index against exact search, 450 tasks",
    "The index against exact search, 205 tasks",
}
"""Tables, and columns below, that stand in the documents and not on the page."""
HIDDEN = frozenset(
    (
        *("tasks", "better : worse", "EU better : worse", "p (sign test)"),
        *("entries", "recall at 4", "fallback"),
    )
)
ARMS = HIDDEN | {
    *("reward", "by procedures", "meta hits", "unique procedures", "mean posterior"),
    *("Brier", "model calls", "tokens", "ms a decision", "memory, MB"),
}
HIDDEN_OF = {
    "What was measured": ARMS,
    "Capacity": {"kept", "gone"},
    "θ_dup": {"bytes of the library"},
    "Efficiency": {"model calls"},
    **{name: {"mean steps"} for name in ("WebShop", "InterCode-SQL", "TravelPlanner")},
}
COUNTED = re.compile(r"(\d+), [\d.]+ % \(([\d.]+ to [\d.]+)\)")
UNSIGNED = re.compile(r"(?<![-+\d.])(\d[\d.]*) to (\d[\d.]*)")
SIGNED = re.compile(r"\(([-+][\d.]+) to ([-+][\d.]+)\)")
NOTHING = re.compile(r"\+0\.0+ \[\+0\.0+, \+0\.0+\]")
TESTED = re.compile(r"(?<=\d\.\d) \((0\.\d+|1)\)$")
STUDY = re.compile(r"<!-- study: (?P<name>[\w-]+) -->\n.*?<!-- end of study -->", re.S)


def main() -> int:
    """Write the page, or say whether it is up to date."""
    options = _options()
    if options.play is not None:
        names = options.play or sorted(path.stem for path in STUDIES.glob("*.json"))
        kept = KEPT / code_digest()
        for name in names:
            if failed := play(name, options.jobs, kept / name):
                print(f"{name}: its command ended with {failed}", file=sys.stderr)
                return failed
        shutil.rmtree(kept)
    page = PAGE.read_text(encoding="utf-8")
    marked = {found["name"] for found in STUDY.finditer(page)}
    if missing := sorted(name for name in marked if not (STUDIES / f"{name}.json").is_file()):
        print(f"{PAGE}: no document of {', '.join(missing)} in {STUDIES}", file=sys.stderr)
        if options.check:
            return 1
    text = STUDY.sub(
        lambda found: found[0] if found["name"] in missing else studied(found["name"]),
        updated(page),
    )
    if options.check:
        if text != page:
            print(f"{PAGE}: not up to date; run python {Path(__file__).name}", file=sys.stderr)
        return int(text != page)
    PAGE.write_text(text, encoding="utf-8")
    return 0


def play(name: str, jobs: int, out: Path) -> int:
    """Run the command of an accepted document, and accept what it writes; return its exit code."""
    accepted = STUDIES / f"{name}.json"
    if accepted.is_file():
        _, *words = shlex.split(json.loads(accepted.read_text(encoding="utf-8"))["command"])
    else:
        words = ["-m", "macla.evals.tables", name]  # a table that was not played yet
    command = [sys.executable, *words, "--jobs", str(jobs), "--out", str(out)]
    print(f"{name}: {shlex.join(words)}", file=sys.stderr, flush=True)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    if not done.returncode:
        shutil.copyfile(out / f"{name}.json", accepted)
    return done.returncode


def updated(page: str) -> str:
    """Return the page with the accepted results between the marks."""
    table = read_table(ACCEPTED)
    order = [unit.cases for unit in units_of(table, sealed=True) if unit.cases]
    results = dict(
        sorted(
            table.accepted.items(),
            key=lambda case: next(i for i, start in enumerate(order) if case[0].startswith(start)),
        )
    )
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    whole = {n: r for n, r in results.items() if not n.startswith(("ladder", "foreign", "agents"))}
    games = {name: result for name, result in whole.items() if not name.startswith("proof")}
    proofs = {name: result for name, result in whole.items() if name.startswith("proof")}
    agents = {name: result for name, result in results.items() if name.startswith("agents")}
    worlds = {n: r for n, r in results.items() if n not in whole and n not in agents}
    shown = [_games(games), _proofs(proofs)] if whole else []
    shown += [_worlds(each) for each in sections(worlds)]
    shown += [_agents(agents)] if agents else []
    return f"{before}{BEGIN}\n\n{_written(shown)}\n{END}{after}"


def _games(results: Mapping[str, Accepted]) -> Table:
    rows = (
        (name, _won(result), f"{result.figures['steps']:.2f}", _others(result))
        for name, result in results.items()
    )
    return Table("Benchmarks", ("case", "won", "steps", ", ".join(PLAYERS)), tuple(rows))


def _proofs(results: Mapping[str, Accepted]) -> Table:
    figures = ("as_it_is", "bits_an_action")
    rows = (
        (
            name.removeprefix("proof, "),
            _won(result),
            *(f"{result.figures[each]:.3g}" for each in figures),
            _others(result),
        )
        for name, result in results.items()
    )
    columns = ("case", "reproduced, held out", "as it is", "bits an action", "rebound")
    return Table("Proofs", columns, tuple(rows))


def _worlds(section: WorldSection) -> Table:
    """Write worlds that are alike as one row, and forms that are alike as one column."""
    rows = (tuple(_figure(cell).removesuffix(" (0)") for cell in row) for row in section.rows)
    return _columns_alike(_alike(Table(section.title, section.header, tuple(rows))))


def _agents(results: Mapping[str, Accepted]) -> Table:
    rows = []
    for name, result in results.items():
        n = len(result.outcomes)
        wrong = f"{_of(result.outcomes.count('x'), n)}"
        calls = (f"{result.figures[each]:g}" for each in ("model_calls", "without_memory"))
        floor = str(n - result.baselines.get("rebound", n))
        rows.append((name.removeprefix("agents, "), wrong, *calls, floor))
    columns = ("half", "wrong", "model calls", "without memory", "wrong, rebound")
    return Table("Ladder for agents", columns, tuple(rows))


def _won(result: Accepted) -> str:
    return _of(result.outcomes.count("1"), len(result.outcomes))


def _of(count: int, n: int) -> str:
    interval = wilson_interval(count, n)
    return f"{count} of {n} ({100 * interval.low:.1f}\u2013{100 * interval.high:.1f} %)"


def _others(result: Accepted) -> str:
    return ", ".join(str(result.baselines[each]) for each in PLAYERS if each in result.baselines)


def studied(name: str) -> str:
    """Return what the page shows of a study, with its marks; all of it is in its document."""
    document = json.loads((STUDIES / f"{name}.json").read_text(encoding="utf-8"))
    found = [Section.from_document(each) for each in document["sections"]]
    counts = f"{found[0].about.partition('. ')[0]}.\n\n" if name in COUNTS else ""
    machine = "" if document["machine"] in ("", MACHINE) else f" ({document['machine']})"
    shown = "\n".join(_written(_tables(each)) for each in found)
    made = f"Command: `{document['command']}`{machine}\n\n{counts}{shown}"
    return f"<!-- study: {name} -->\n\n{made}\n<!-- end of study -->"


def _tables(section: Section) -> list[Table]:
    """Return the tables that the page shows, each joined with the one that compares its rows."""
    made: list[Table] = []
    for table in (each for each in section.figures if isinstance(each, Table)):
        if table.title in LEFT_OUT:
            continue
        if made and (table.title == PAIRS or table.columns[0] == made[-1].columns[0] == "arm"):
            made[-1] = _with(made[-1], table)
        else:
            made.append(table)
    return [_alike(_short(each)) for each in made]


def _with(table: Table, other: Table) -> Table:
    """Join to each row what another table says of it."""
    if table.title == PAIRS or other.title != PAIRS:
        columns, said = other.columns[1:], {row[0]: row[1:] for row in other.rows}
    else:
        columns, said = ("against: difference, p",), {}
        for what, against, _, difference, _, p in other.rows:
            before = f"{said[what][0]}; " if what in said else ""
            against = against.removeprefix(f"{what.partition(', ')[0]}, ")
            said[what] = (f"{before}{against}: {difference}, {p}",)
    rows = tuple((*row, *said.get(row[0], ("",) * len(columns))) for row in table.rows)
    return replace(table, columns=(*table.columns, *columns), rows=rows)


def _short(table: Table) -> Table:
    """Leave out columns that the page does not show; write what was won as a count."""
    at = {column: i for i, column in enumerate(table.columns)}
    rows = [list(row) for row in table.rows]
    out = HIDDEN_OF.get(table.title, HIDDEN)
    hidden = {i for i, column in enumerate(table.columns) if column in out}
    if "n" in at and REACHED in at:
        for row in rows:
            counted = rf"\1 of {row[at['n']]} (\2 %)"
            row[at[REACHED]] = COUNTED.sub(counted, row[at[REACHED]])
        if all(" of " in row[at[REACHED]] for row in rows):
            hidden.add(at["n"])
    kept = [i for i in range(len(table.columns)) if i not in hidden]
    cells = tuple(tuple(_figure(row[i]) for i in kept) for row in rows)
    return Table(table.title, tuple(table.columns[i] for i in kept), cells)


def _figure(cell: str) -> str:
    """Write intervals short, and a star where an arm differs from the first one (p < 0.05)."""
    short = SIGNED.sub(r"[\1, \2]", UNSIGNED.sub("\\1\u2013\\2", cell))
    return TESTED.sub(lambda p: "*" if float(p[1]) < 0.05 else "", NOTHING.sub("0", short))


def _alike(table: Table) -> Table:
    """Write rows that differ in their first cell alone as one row."""
    if len(table.columns) == 2 and not table.columns[0]:
        return table
    rows: dict[tuple[str, ...], list[str]] = {}
    for name, *cells in table.rows:
        rows.setdefault(tuple(cells), []).append(name)
    return replace(table, rows=tuple((", ".join(n), *cells) for cells, n in rows.items()))


def _columns_alike(table: Table) -> Table:
    """Write columns that differ in their heading alone as one column."""
    columns: dict[tuple[str, ...], list[str]] = {}
    for heading, *cells in zip(table.columns, *table.rows, strict=True):
        columns.setdefault(tuple(cells), []).append(heading)
    headings = tuple(", ".join(each) for each in columns.values())
    return replace(table, columns=headings, rows=tuple(zip(*columns, strict=True)))


def _written(shown: Iterable[Table]) -> str:
    return tables(Section("", "", tuple(shown)))


def _options() -> argparse.Namespace:
    about, _, more = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=about, epilog=more, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument(
        "--play", nargs="*", metavar="NAME", help="play studies again first (default: all)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="cells at a time (default: 1)")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
