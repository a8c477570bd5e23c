"""Learn many domains into one library, and play each beside a library of its own.

python -m macla.evals.one_library --jobs 2 --out one                    # everything, 20 minutes
python -m macla.evals.one_library --jobs 2 --out plans --without programs,floor
python -m macla.evals.one_library --only ladder/ --limit 10 --out try

Writes ``NAME.json``, ``.md`` and ``.html``; the library stays in ``OUT/library``. What was done is
not done again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from ...procedures.common.errors import MaclaError
from ...procedures.method.ablation import parse_parts
from ..reports.figures import markdown
from ..studies.cells import FOLDER, Cell, play_cells
from ..studies.command_options import count, documented_parser, tell
from ..studies.studies import CAPACITIES
from ..studies.writing import write_study
from .report import capacity_section, sections_of
from .sources import SOURCES

_STEPS = ("python", "-m", "macla.evals.one_library.steps")
_HELPING = ("python", "-m", "macla.evals.studies.helping")
_CROWD = 10
"""Worlds of each kind whose rivals are in the library too, some 950 procedures."""
_WORLDS = 10
"""Small worlds that one process plays with their own libraries; opening one takes longer."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn, play and report; 0 where it was done, 2 where it could not be."""
    given = _parser().parse_args(arguments)
    if given.list:
        print(*SOURCES, sep="\n")
        return 0
    folder = Path(given.out)
    try:
        without = tuple(filter(None, given.without.split(",")))
        parse_parts(without)
        names = _chosen(given.only.split(","), given.leave_out.split(","))
        cells = cells_of(names, without, given.limit, folder.resolve() / "library")
        answers = play_cells(cells, folder, jobs=given.jobs, progress=tell)
        sections = sections_of(answers)
        if given.capacities:
            pruned = capacity_cells(names, without, given.limit, folder.resolve() / "library")
            answers = play_cells(pruned, folder, jobs=given.jobs, progress=tell)
            sections.append(capacity_section(answers))
    except MaclaError as error:
        print(f"one_library: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; the same command goes on where it was", file=sys.stderr)
        return 130
    words = sys.argv[1:] if arguments is None else arguments
    command = ["python", "-m", "macla.evals.one_library", *words]
    write_study(folder, given.name, sections, command, {"suite": "one-library", "split": ""})
    print("\n".join(map(markdown, sections)))
    return 0


def cells_of(names: Sequence[str], without: Sequence[str], limit: int, library: Path) -> list[Cell]:
    """Return the cells: ``together``, which makes the library, and those of own libraries."""
    off, most, every = json.dumps(list(without)), str(limit), json.dumps(list(names))
    together = (
        (*_STEPS, "learn", str(library), every, off),
        (*_STEPS, "crowd", str(library), str(_CROWD)),
        (*_STEPS, "recall", str(library), every, most),
        (*_STEPS, "play", str(library), every, off, most),
    )
    cells = [Cell("together", together)]
    for part in _parts(names):
        words = (*_STEPS, "alone", FOLDER, json.dumps(part), off, most)
        cells.append(Cell(part[0].replace("/", "-"), (words,)))
    return cells


def capacity_cells(
    names: Sequence[str], without: Sequence[str], limit: int, library: Path
) -> list[Cell]:
    """Return a cell for each capacity: the library pruned to it, and every domain played."""
    played = (json.dumps(list(names)), json.dumps(list(without)), str(limit))
    lib = f"{FOLDER}/lib"
    return [
        Cell(
            f"capacity-{p}-{m}",
            (
                (*_HELPING, "prune", str(library), lib, str(p), str(m)),
                (*_STEPS, "play", lib, *played),
            ),
        )
        for p, m in CAPACITIES
    ]


def _parts(names: Sequence[str]) -> list[list[str]]:
    """Return the domains by what one process plays: a benchmark, or several small worlds."""
    worlds = [name for name in names if "/" in name]
    parts = [[name] for name in names if "/" not in name]
    return parts + [worlds[at : at + _WORLDS] for at in range(0, len(worlds), _WORLDS)]


def _chosen(only: Sequence[str], leave_out: Sequence[str]) -> list[str]:
    """Return the domains whose names begin with one of these, and with none of those.

    Raises:
        MaclaError: None does.
    """
    wanted = tuple(only)
    out = tuple(filter(None, leave_out))
    found = [name for name in SOURCES if name.startswith(wanted) and not name.startswith(out)]
    if not found:
        raise MaclaError("no domain is left; --list names them")
    return found


def _parser() -> argparse.ArgumentParser:
    parser = documented_parser("one_library", __doc__)
    parser.add_argument("--list", action="store_true", help="list the domains")
    parser.add_argument("--only", default="", help="names, or what they begin with, by commas")
    parser.add_argument("--leave-out", default="", help="likewise, domains that are left out")
    parser.add_argument("--without", default="", help="parts of the method to leave out")
    parser.add_argument("--limit", type=count, default=40, help="tasks of each (default: 40)")
    parser.add_argument("--jobs", type=count, default=1, help="cells at a time (default: 1)")
    parser.add_argument(
        "--capacities", action="store_true", help="also prune it to 25/5 ... 300/75 and play that"
    )
    parser.add_argument(
        "--name", default="one-library", help="of what is written (default: one-library)"
    )
    parser.add_argument("--out", default="one-library", help="folder; what is done there is kept")
    return parser


if __name__ == "__main__":
    sys.exit(main())
