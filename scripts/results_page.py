"""Write the generated tables of docs/results.md, each between the marks that stand there.

python scripts/results_page.py           # after macla measure --accept, or with a new study
python scripts/results_page.py --check   # exit code 1 where the page is not up to date

Accepted results are those of evals/accepted.json. A study's tables are those of its document
in evals/studies/accepted, which ``--out`` of the study wrote; its commands and machine stand below.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import replace
from pathlib import Path

from macla.evals.acceptance.sections import markdown, sections
from macla.evals.acceptance.table import ACCEPTED, read_table
from macla.evals.acceptance.units import units_of
from macla.evals.figures import Section, Table, tables

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "results.md"
STUDIES = ROOT / "evals" / "studies" / "accepted"
BEGIN, END = "<!-- accepted results -->", "<!-- end of accepted results -->"
STUDY = re.compile(r"<!-- study: (?P<name>[\w-]+) -->\n.*?<!-- end of study -->", re.S)


def main() -> int:
    """Write the page, or say whether it is up to date."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    page = PAGE.read_text(encoding="utf-8")
    text = STUDY.sub(lambda found: studied(found["name"]), updated(page))
    if options.check:
        if text != page:
            print(f"{PAGE}: not up to date; run python {Path(__file__).name}", file=sys.stderr)
        return int(text != page)
    PAGE.write_text(text, encoding="utf-8")
    return 0


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


if __name__ == "__main__":
    sys.exit(main())
