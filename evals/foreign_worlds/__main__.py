"""Learn and play the foreign worlds: ``python -m macla.evals.foreign_worlds [WORLD]``.

They were made together with the rules that win them: what is reached here is development, not a
test.

example:
  python -m macla.evals.foreign_worlds
  python -m macla.evals.foreign_worlds House --demonstrations 100
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from ..cells import Libraries, played, proof_of
from ..studies.command_options import documented_parser
from . import WORLDS
from .cells import foreign_cell

_CELLS = (
    *((count, form) for count in (10, 30) for form in ("shown", "hidden")),
    (30, "verb-last"),
)
"""Numbers of demonstrations, and the forms; verb last with the possible actions hidden."""


def main() -> int:
    """Print what is won of each world."""
    options = _options()
    kinds = {world.__name__: world for world in WORLDS}
    if options.world is not None and options.world not in kinds:
        names = ", ".join(kinds)
        print(f"there is no world {options.world!r}; choose one of {names}", file=sys.stderr)
        return 2
    counts = options.demonstrations
    if counts is not None and counts < 1:
        print(f"--demonstrations must be at least 1, not {counts}", file=sys.stderr)
        return 2
    chosen = _CELLS if counts is None else ((counts, "shown"), (counts, "hidden"))
    for world in [kinds[options.world]] if options.world else WORLDS:
        with Libraries() as libraries:
            results = [
                played(*foreign_cell(world, count, form), libraries) for count, form in chosen
            ]
            if counts is None:
                cell, _ = foreign_cell(world, 30, "hidden")
                results.append(proof_of(cell, "30, proof", libraries))
        if options.json:
            cells = [asdict(each) for each in results]
            print(json.dumps({"world": world.__name__, "cells": cells}))
        else:
            print(*(f"{world.__name__:<14} {each}" for each in results), sep="\n", flush=True)
    return 0


def _options() -> argparse.Namespace:
    parser = documented_parser("foreign_worlds", __doc__)
    parser.add_argument("world", nargs="?", help="only this world")
    parser.add_argument(
        "--demonstrations", type=int, metavar="N", help="learn from N (default: 10, 30)"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON document a world")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
