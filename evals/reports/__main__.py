"""Write one self-contained page about results: tables with intervals, tests in pairs, plots.

python -m macla.evals.reports full.json nearest.json --out report.html
python -m macla.evals.reports runs/*.json --title 'Our shop' --out report.html

The files are what ``macla eval --json`` printed, or what studies wrote. Runs of one suite, split
and protocol are compared with the first of them, on the tasks that both played. Figures that others
published are grey. The page needs no network and prints well. What stands on it is printed as
Markdown; --json prints it as plain values.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ...procedures.common.errors import DataError, MaclaError, reason
from ...procedures.documents.yaml_io import atomic_write
from ..studies.command_options import documented_parser, say, say_json
from .figures import markdown
from .report import versions
from .report_page import render_report
from .run_sections import read_sections


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page; 0 where it was written, 2 where it could not be."""
    given = _parser().parse_args(arguments)
    out: Path = given.out
    runs: list[Path] = given.runs
    try:
        if out.resolve() in {run.resolve() for run in runs}:
            raise DataError(f"{out}: is one of the results; give --out a name of its own")
        sections = read_sections(runs)
        about = ", ".join(f"{name} {version}" for name, version in versions().items())
        atomic_write(out, render_report(given.title, sections, about).encode())
    except MaclaError as error:
        say(f"reports: error: {error}", sys.stderr)
        return 2
    except OSError as error:
        say(f"reports: error: {out}: {reason(error)}", sys.stderr)
        return 2
    if given.json:
        say_json({"page": str(out), "sections": [each.to_document() for each in sections]})
    else:
        say("\n".join(map(markdown, sections)))
        say(f"{out}: {len(sections)} sections from {len(runs)} files")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = documented_parser("reports", __doc__)
    parser.add_argument("runs", metavar="FILE", nargs="+", type=Path, help="a result")
    parser.add_argument("--out", "-o", required=True, type=Path, help="the page to write")
    parser.add_argument("--title", default="Results", help="heading of the page")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser


if __name__ == "__main__":
    sys.exit(main())
