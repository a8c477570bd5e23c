"""Play a library of rivals with every rule of choice.

python -m macla.evals.selection --jobs 2 --out selection      # 50 worlds, a quarter of an hour
python -m macla.evals.selection --kind drift --worlds 2 --episodes 60 --out try

Writes ``selection.json``, ``.md`` and ``.html``. What was done is not done again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ...procedures.common.errors import MaclaError
from ..reports.figures import markdown
from ..studies.cells import Cell, play_cells
from ..studies.command_options import count, documented_parser, tell
from ..studies.writing import write_study
from .arms import ARMS
from .playing import Played
from .report import sections_of
from .worlds import KINDS

_STEPS = ("python", "-m", "macla.evals.selection.steps")


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and report; 0 where it was done, 2 where it could not be, 130 if it was stopped."""
    given = _parser().parse_args(arguments)
    kinds = given.kind or list(KINDS)
    facts = (",".join(kinds), str(given.worlds), str(given.episodes), str(given.seed))
    cells = [Cell("library", ((*_STEPS, "library", *facts),))]
    cells += [Cell(arm.name, ((*_STEPS, "play", *facts, arm.name),)) for arm in ARMS]
    folder = Path(given.out)
    try:
        answers = play_cells(cells, folder, jobs=given.jobs, progress=tell)
    except MaclaError as error:
        print(f"selection: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; the same command goes on where it was", file=sys.stderr)
        return 130
    played = {
        kind: {
            arm.name: [Played(*map(tuple, each)) for each in answers[arm.name][0][kind]]
            for arm in ARMS
        }
        for kind in kinds
    }
    sections = sections_of(played, answers["library"][0])
    words = sys.argv[1:] if arguments is None else arguments
    command = ["python", "-m", "macla.evals.selection", *words]
    write_study(folder, "selection", sections, command, {"suite": "selection", "split": ""})
    print("\n".join(map(markdown, sections)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = documented_parser("selection", __doc__)
    parser.add_argument("--kind", action="append", choices=KINDS, help="only this; repeatable")
    parser.add_argument("--worlds", type=count, default=10, help="of each kind (default: 10)")
    parser.add_argument("--episodes", type=count, default=120, help="tasks of each (default: 120)")
    parser.add_argument("--seed", type=int, default=0, help="of all chance (default: 0)")
    parser.add_argument("--jobs", type=count, default=1, help="arms at a time (default: 1)")
    parser.add_argument("--out", default="selection", help="folder; what is done there is kept")
    return parser


if __name__ == "__main__":
    sys.exit(main())
