"""Write the generated tables of docs/results.md, each between the marks that stand there.

python scripts/results_page.py                          # after evals.acceptance --accept
python scripts/results_page.py --check                  # exit code 1 where it is not up to date
python scripts/results_page.py --play                   # play all studies and tables again, hours
python scripts/results_page.py --play webshop --jobs 2  # one of them
python scripts/results_page.py --accepted               # print every accepted case

Accepted results are those of evals/accepted.json. A study's tables are from its document in
evals/studies/accepted; its command stands above. The page leaves rows and columns out, joins a
table with the one that compares its rows, writes rows that are alike and seeds of one case as one,
and counts the small worlds that lost an episode. :mod:`macla.evals.reports` shows all of a
document. A mark may name several studies of the same arms. ``--play`` runs the command that the
document names, from nothing, and puts what it writes in the document's place; if it was stopped,
the same command goes on where it was, as long as the code is the same.
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
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from macla.evals.acceptance.running import code_digest
from macla.evals.acceptance.sections import Section as WorldSection
from macla.evals.acceptance.sections import markdown, sections
from macla.evals.acceptance.table import ACCEPTED, Accepted, read_table
from macla.evals.acceptance.units import units_of
from macla.evals.reports.figures import Section, Table
from macla.evals.reports.figures import tables as markdown_tables
from macla.evals.reports.statistics import wilson_interval

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "results.md"
STUDIES = ROOT / "evals" / "studies" / "accepted"
KEPT = Path(tempfile.gettempdir()) / "macla-results"
"""What was done by plays that were stopped; those that ended leave nothing."""
BEGIN, END = "<!-- accepted results -->", "<!-- end of accepted results -->"
PAIRS, REACHED = "In pairs", "reached, 95 %"
OPPONENTS = {"the copy"}
"""Whose paired differences the page shows."""
MACHINE = "2 cores, x86_64, Python 3.11.7"
"""What the page says of all documents; another machine stands beside the command."""
COUNTS = {"one-library"}
"""Studies whose first sentence counts what was learned."""
LEFT_OUT = {
    "Won by kind of task",
    "Brier score of what was expected",
    "The index against exact search, 450 tasks",
    "The index against exact search, 205 tasks",
    "The index against exact search, 2000 tasks",
    "What was expected of the first choice",
    "Course of practice",
    "Domains that lose more than a point",
}
"""Tables, and rows and columns below, that stand in the documents and not on the page."""
ROWS_OUT = {
    "ALFWorld": "the same library, shown",
    "InterCode-SQL": "own tasks again",
    "Goals in people's own words": "every word|the games' own",
    "Regret": "EU without|EU with |EU, |EU's",
    "What was measured": "no-memory$|random$|paper$|printed$",
    "TextWorld's own games": "(cooking|treasure|hunt) from .*invented",
    "WebShop": ".*invented|.*re-bound|.*, and practice",
}
"""Title of a table → rows, by what they begin with; what is *the same* goes with them."""
CASES_OUT = re.compile(
    "cooking|treasure|hunt|alfworld (from (2,851|50|10|300|agent)|in invented|verb)"
    "|alfworld, people"
)
"""Accepted cases of which a study on the page plays the same or a like one."""
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
    "WebShop": {"mean steps", "n"},
    **{name: {"mean steps"} for name in ("InterCode-SQL", "TravelPlanner")},
    "TextWorld's own games": {"mean steps", "n"},
}
SHORTER = {
    "every word replaced by an invented one": "invented words",
    "every word invented": "invented words",
    "nearest of 2,851 demonstrations replayed": "nearest of 2,851",
    "nearest demonstration replayed": "nearest",
    "random possible actions": "random",
    "demonstrations in which nothing is ever opened": "nothing ever opened",
    "the same, then practice on 300 train games": "nothing ever opened, then 300 own episodes",
    "10 demonstrations, then": "from 10, then",
    "no demonstration, 570": "from none, 570",
    "2,851 demonstrations, as": "from 2,851, as",
    "2,851 demonstrations, to": "from 2,851, to",
    "50 demonstrations, as": "from 50, as",
    "50 demonstrations, to": "from 50, to",
    "2,851 demonstrations": "2,851",
    "50 demonstrations": "50",
    "10 demonstrations": "10",
}
"""Words of tables that the page says shorter; longer ones stand first."""
SHARE = re.compile(r"\b(\d+) of (\d+)\b")
COUNTED = re.compile(r"(\d+), [\d.]+ % \(([\d.]+ to [\d.]+)\)")
UNSIGNED = re.compile(r"(?<![-+\d.])(\d[\d.]*) to (\d[\d.]*)")
SIGNED = re.compile(r"\(([-+][\d.]+) to ([-+][\d.]+)\)")
NOTHING = re.compile(r"\+0\.0+ \[\+0\.0+, \+0\.0+\]")
TESTED = re.compile(r"(?<=\d\.\d) \((0\.\d+|1)\)$")
STUDY = re.compile(r"<!-- study: (?P<names>[\w, -]+?) -->\n.*?<!-- end -->", re.S)


def main() -> int:
    """Write the page, or say whether it is up to date."""
    options = _options()
    if options.accepted:
        print(markdown(sections(read_table(ACCEPTED).accepted)))
        return 0
    if options.play is not None:
        names = options.play or sorted(path.stem for path in STUDIES.glob("*.json"))
        kept = KEPT / code_digest()
        for name in names:
            if failed := play(name, options.jobs, kept / name):
                print(f"{name}: its command ended with {failed}", file=sys.stderr)
                return failed
        shutil.rmtree(kept)
    page = PAGE.read_text(encoding="utf-8")
    marked = {name for found in STUDY.finditer(page) for name in found["names"].split(", ")}
    if missing := sorted(name for name in marked if not (STUDIES / f"{name}.json").is_file()):
        print(f"{PAGE}: no document of {', '.join(missing)} in {STUDIES}", file=sys.stderr)
        if options.check:
            return 1
    text = STUDY.sub(
        lambda found: (
            found[0] if set(found["names"].split(", ")) & {*missing} else studied(found["names"])
        ),
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
    proofs = {name: result for name, result in whole.items() if name.startswith("proof")}
    games = {n: r for n, r in whole.items() if n not in proofs and not CASES_OUT.match(n)}
    agents = {name: result for name, result in results.items() if name.startswith("agents")}
    worlds = {n: r for n, r in results.items() if n not in whole and n not in agents}
    told = [_sentence(_games(games)), _sentence(_proofs(proofs))] if whole else []
    shown = [_worlds(each) for each in sections(worlds)]
    shown += [_agents(agents)] if agents else []
    blocks = "\n".join((*told, _tables(*shown)))
    return f"{before}{BEGIN}\n\n{blocks}\n{END}{after}"


def _games(results: Mapping[str, Accepted]) -> Table:
    rows = (
        (name, _won(result), f"{result.figures['steps']:.2f}") for name, result in results.items()
    )
    return _seeds(Table("Further benchmarks", ("case", "won", "steps"), tuple(rows)))


def _proofs(results: Mapping[str, Accepted]) -> Table:
    rows = (
        (name.removeprefix("proof, "), _won(result), f"{result.figures['bits_an_action']:.3g}")
        for name, result in results.items()
    )
    columns = ("case", "reproduced, held out", "bits an action")
    return Table("Proofs", columns, tuple(rows))


def _worlds(section: WorldSection) -> Table:
    """Write a form a row; count the worlds that lost an episode, and where the floor wins more."""
    *worlds, sums, intervals = section.rows
    forms: dict[tuple[str, str], list[str]] = {}
    for column, form in enumerate(section.header[1:], start=1):
        won, n, spoiled = re.findall(r"\d+", sums[column])
        total = f"{won}/{n} ({_figure(intervals[column])})"
        total += f", {spoiled} spoiled" if int(spoiled) else ""
        every = str(int(n) // len(worlds))
        fewer = [row[column] for row in worlds if row[column] not in (every, "")]
        floor = sum("<" in each for each in fewer)
        lost = f"{len(fewer)} ({floor})" if floor else str(len(fewer))
        forms.setdefault((total, lost), []).append(form)
    rows = tuple(("; ".join(names), *cells) for cells, names in forms.items())
    return Table(section.title, ("form", "won", f"of {len(worlds)} worlds below {every}"), rows)


def _agents(results: Mapping[str, Accepted]) -> Table:
    rows = []
    for name, result in results.items():
        n = len(result.outcomes)
        wrong = _of(result.outcomes.count("x"), n)
        calls = (f"{result.figures[each]:g}" for each in ("model_calls", "without_memory"))
        floor = str(n - result.baselines.get("rebound", n))
        rows.append((name.removeprefix("agents, "), wrong, *calls, floor))
    columns = ("half", "wrong", "model calls", "without memory", "wrong, rebound")
    return _seeds(Table("Ladder for agents", columns, tuple(rows)))


def _won(result: Accepted) -> str:
    return _of(result.outcomes.count("1"), len(result.outcomes))


def _of(count: int, n: int) -> str:
    interval = wilson_interval(count, n)
    return f"{count}/{n} ({100 * interval.low:.1f}\u2013{100 * interval.high:.1f})"


def studied(names: str) -> str:
    """Return what the page shows of studies, with its marks; all of it is in their documents."""
    made = []
    documents = {name: json.loads(_document(name)) for name in names.split(", ")}
    for document in documents.values():
        machine = "" if document["machine"] in ("", MACHINE) else f" ({document['machine']})"
        made.append(f"`{document['command']}`{machine}")
    commands = ", ".join(made)
    found = {
        name: [Section.from_document(each) for each in document["sections"]]
        for name, document in documents.items()
    }
    if len(found) > 1:
        shown = _tables(_joined(found)).partition("\n\n")[2]
    else:
        ((name, parts),) = found.items()
        blocks = [block for each in parts for block in _blocks(each)]
        if name in COUNTS:
            blocks.insert(0, f"{parts[0].about.partition('. ')[0]}.\n")
        shown = "\n".join(blocks)
        title, _, rest = shown.partition("\n\n")
        if title.endswith("**") and "\n**" not in rest:
            shown = rest  # the heading of the page says it
    return f"<!-- study: {names} -->\n\n{commands}\n\n{shown}\n<!-- end -->"


def _document(name: str) -> str:
    return (STUDIES / f"{name}.json").read_text(encoding="utf-8")


def _joined(found: Mapping[str, list[Section]]) -> Table:
    """Write studies of the same arms as one table, a column each."""
    columns: list[dict[str, str]] = []
    for parts in found.values():
        measured, compared, *_ = (f for f in parts[0].figures if isinstance(f, Table))
        (_, *whole), *others = _short(_with(measured, compared)).rows
        cells = {"whole": whole[0]}
        for arm, won, _, difference, p in others:
            cell = "p = 1" if p == "1" else f"{won}: {difference}, {p}"
            cells[arm.removeprefix("without-")] = cell
        columns.append(cells)
    rows = tuple((arm, *(each.get(arm, "") for each in columns)) for arm in columns[0])
    return _alike(Table("", ("without", *found), rows))


def _blocks(section: Section) -> list[str]:
    """Return what the page shows of a section: tables, and small ones as sentences."""
    made: list[Table] = []
    for table in (each for each in section.figures if isinstance(each, Table)):
        if table.title in LEFT_OUT:
            continue
        if made and (table.title == PAIRS or table.columns[0] == made[-1].columns[0] == "arm"):
            made[-1] = _with(made[-1], table)
        else:
            made.append(table)
    blocks = []
    for table in made:
        short = _alike(_tested(_seeds(_short(table))))
        small = len(short.rows) <= 4 and len(short.columns) <= 3 and short.columns[0] != "what"
        bare = not any(short.columns)
        blocks.append(_sentence(short) if small or bare else _tables(short))
    return blocks


def _tables(*told: Table) -> str:
    """Write tables whose cells stand close to their bars, so that a bar is no word of the page."""
    return re.sub(r"(?<=\|) | (?=\|$)", "", markdown_tables(Section("", "", told)), flags=re.M)


def _named(what: str) -> str:
    """Write the name of a row as short as the page has it."""
    for long, short in SHORTER.items():
        what = what.replace(long, short)
    return what


def _sentence(table: Table) -> str:
    head = ", ".join(filter(None, table.columns))
    about = f"**{table.title}**" + (f" ({head})" if head and head != table.title else "")
    told = "; ".join(f"{row[0]}: {', '.join(row[1:])}" for row in table.rows)
    return f"{about}: {told}.\n"


def _with(table: Table, other: Table) -> Table:
    """Join to each row what another table says of it: of pairs, a column for each opponent."""
    if other.title != PAIRS:
        columns, said = other.columns[1:], {row[0]: row[1:] for row in other.rows}
    else:
        pairs: dict[str, dict[str, str]] = {}
        for what, against, _, difference, _, p in other.rows:
            opponent = against.removeprefix(f"{what.partition(', ')[0]}, ")
            if opponent not in OPPONENTS:
                continue
            pairs.setdefault(opponent, {})[what] = f"{difference}, {p}"
        columns = tuple(f"against {each}" for each in pairs)
        said = {
            row[0]: tuple(of.get(row[0], "") for of in pairs.values())
            for row in table.rows
            if any(row[0] in of for of in pairs.values())
        }
    rows = tuple((*row, *said.get(row[0], ("",) * len(columns))) for row in table.rows)
    return replace(table, columns=(*table.columns, *columns), rows=rows)


def _short(table: Table) -> Table:
    """Leave out what the page does not show; write what was won as a count."""
    beginning, subject = ROWS_OUT.get(table.title, "(?!)"), ""
    on_page: list[tuple[str, ...]] = []
    for cells_of in table.rows:
        subject = subject if cells_of[0].startswith("the same, by") else cells_of[0]
        on_page += [] if re.match(beginning, subject) else [cells_of]
    table = replace(table, rows=tuple(on_page))
    at = {column: i for i, column in enumerate(table.columns)}
    rows = [list(row) for row in table.rows]
    out = HIDDEN_OF.get(table.title, HIDDEN)
    hidden = {i for i, column in enumerate(table.columns) if column in out}
    if "n" in at and REACHED in at:
        for row in rows:
            counted = rf"\1 of {row[at['n']]} (\2)"
            row[at[REACHED]] = COUNTED.sub(counted, row[at[REACHED]])
        if all(" of " in row[at[REACHED]] for row in rows):
            hidden.add(at["n"])
    for row in rows if table.columns[0] == "what" else ():
        row[0] = _named(row[0])
    kept = [i for i in range(len(table.columns)) if i not in hidden]
    cells = tuple(tuple(_figure(row[i]) for i in kept) for row in rows)
    return Table(table.title, tuple(table.columns[i] for i in kept), cells)


def _figure(cell: str) -> str:
    """Write figures short, and a star where an arm differs from the first one (p < 0.05)."""
    short = SIGNED.sub(r"[\1, \2]", UNSIGNED.sub("\\1\u2013\\2", cell))
    short = SHARE.sub(r"\1/\2", short).replace(" %)", ")")
    return TESTED.sub(lambda p: "*" if float(p[1]) < 0.05 else "", NOTHING.sub("0", short))


def _tested(table: Table) -> Table:
    """Write p behind the difference that it is of, as paired differences have it."""
    at = next((i for i, name in enumerate(table.columns) if name.startswith("p, ")), 0)
    if not at:
        return table
    rows = ((*row[: at - 1], ", ".join(filter(None, row[at - 1 : at + 1]))) for row in table.rows)
    columns = (*table.columns[: at - 1], f"{table.columns[at - 1]}, p")
    return replace(table, columns=columns, rows=tuple(rows))


def _seeds(table: Table) -> Table:
    """Write the seeds of one case as one row."""
    cases: dict[str, list[tuple[str, ...]]] = {}
    for name, *cells in table.rows:
        case, seeded, seed = name.partition(", seed ")
        cases.setdefault(case if seeded else f"{len(cases)}\n{name}", []).append((seed, *cells))
    rows = []
    for case, found in cases.items():
        seeds, *columns = zip(*found, strict=True)
        name = f"{case}, seeds {', '.join(seeds)}" if seeds[0] else case.partition("\n")[2]
        same = ("; ".join(each if len(set(each)) > 1 else each[:1]) for each in columns)
        rows.append((name, *same))
    return replace(table, rows=tuple(rows))


def _alike(table: Table) -> Table:
    """Write rows that differ in their first cell alone as one row."""
    if len(table.columns) == 2 and not table.columns[0]:
        return table
    rows: dict[tuple[str, ...], list[str]] = {}
    for name, *cells in table.rows:
        rows.setdefault(tuple(cells), []).append(name)
    names = {
        c: ("; " if any(", " in each for each in n) else ", ").join(n) for c, n in rows.items()
    }
    return replace(table, rows=tuple((name, *cells) for cells, name in names.items()))


def _options() -> argparse.Namespace:
    about, _, more = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=about, epilog=more, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--accepted", action="store_true", help="print every accepted case")
    parser.add_argument(
        "--play", nargs="*", metavar="NAME", help="play studies again first (default: all)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="cells at a time (default: 1)")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
