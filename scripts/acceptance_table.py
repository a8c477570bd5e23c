"""Write the accepted results into docs/results.md, between the marks that stand there.

python scripts/acceptance_table.py           # after macla measure --accept
python scripts/acceptance_table.py --check   # exit code 1 where the page is not up to date
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from macla.evals.acceptance.sections import markdown, sections
from macla.evals.acceptance.table import ACCEPTED, read_table
from macla.evals.acceptance.units import units_of

PAGE = Path(__file__).resolve().parent.parent / "docs" / "results.md"
BEGIN, END = "<!-- accepted results -->", "<!-- end of accepted results -->"


def main() -> int:
    """Write the page, or say whether it is up to date."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    page = PAGE.read_text(encoding="utf-8")
    text = updated(page)
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


if __name__ == "__main__":
    sys.exit(main())
