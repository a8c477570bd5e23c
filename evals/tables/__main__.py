"""Make a table: ``python -m macla.evals.tables alfworld --jobs 2 --out tables``.

It is one that comes with macla (evals/tables/NAME.yaml), or FILE.yaml. Writes ``NAME.json``,
``.md`` and ``.html``. What was done is not done again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ...procedures.common.errors import MaclaError
from ..reports.figures import markdown
from ..studies.cells import play_cells
from ..studies.command_options import count, documented_parser, tell
from ..studies.writing import write_study
from .files import table_file
from .row_statistics import section_of_table


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn, play and tell; 0 where it was done, 2 where it could not be, 130 if it was stopped."""
    given = _parser().parse_args(arguments)
    folder = Path(given.out)
    try:
        table = table_file(given.table)
        answers = play_cells(table.cells, folder, jobs=given.jobs, progress=tell)
        section = section_of_table(table, answers)
    except MaclaError as error:
        print(f"tables: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; the same command goes on where it was", file=sys.stderr)
        return 130
    words = sys.argv[1:] if arguments is None else arguments
    command = ["python", "-m", "macla.evals.tables", *words]
    write_study(folder, table.name, [section], command, {"suite": "table", "split": ""})
    print(markdown(section))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = documented_parser("tables", __doc__)
    parser.add_argument("table", metavar="NAME", help="a table that comes with macla, or FILE.yaml")
    parser.add_argument("--jobs", type=count, default=1, help="cells at a time (default: 1)")
    parser.add_argument("--out", default="tables", help="folder; what is done there is kept")
    return parser


if __name__ == "__main__":
    sys.exit(main())
