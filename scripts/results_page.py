"""Write the generated tables of docs/results.md, each between the marks that stand there.

python scripts/results_page.py                          # after macla measure --accept
python scripts/results_page.py --check                  # exit code 1 where it is not up to date
python scripts/results_page.py --play                   # play all studies and tables again, hours
python scripts/results_page.py --play webshop --jobs 2  # one of them

Accepted results are those of evals/accepted.json. A study's tables are those of its document
in evals/studies/accepted; its command and machine stand above. ``--play`` runs the command that the
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
from dataclasses import replace
from pathlib import Path

from macla.evals.acceptance.running import code_digest
from macla.evals.acceptance.sections import markdown, sections
from macla.evals.acceptance.table import ACCEPTED, read_table
from macla.evals.acceptance.units import units_of
from macla.evals.figures import Section, Table, tables

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "results.md"
STUDIES = ROOT / "evals" / "studies" / "accepted"
KEPT = Path(tempfile.gettempdir()) / "macla-results"
"""What was done by plays that were stopped; those that ended leave nothing."""
BEGIN, END = "<!-- accepted results -->", "<!-- end of accepted results -->"
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
    return f"{before}{BEGIN}\n\n{markdown(sections(results))}\n{END}{after}"


def studied(name: str) -> str:
    """Return a study's tables, with its marks; plots are in its page."""
    document = json.loads((STUDIES / f"{name}.json").read_text(encoding="utf-8"))
    found = [_without_plots(Section.from_document(each)) for each in document["sections"]]
    told = "\n".join(f"{each.about}\n\n{tables(each)}" for each in found)
    made = f"`{document['command']}` ({document['machine']})"
    return f"<!-- study: {name} -->\n\n{made}\n\n{told}\n<!-- end of study -->"


def _without_plots(section: Section) -> Section:
    told = tuple(figure for figure in section.figures if isinstance(figure, Table))
    return replace(section, figures=told)


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
