"""Learn and play worlds of the ladder: ``python -m macla.evals.ladder WORLD``.

Example:
  python -m macla.evals.ladder --list
  python -m macla.evals.ladder contact-form
  python -m macla.evals.ladder contact-form --form hidden --show 3
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from ...procedures.common.errors import MaclaError
from ..cells import Libraries
from ..studies.command_options import documented_parser
from .cells import CELLS, play_cell, world_cell
from .forms import demonstration
from .world import LadderTask, World
from .worlds import DEVELOPMENT, SEALED, world_of


def main() -> int:
    """Print what came of the cells of a world."""
    options = _options()
    if options.list:
        for half, worlds in (("development", DEVELOPMENT), ("sealed", SEALED)):
            for world in worlds:
                about = world.difficulty if half == "development" else "(sealed)"
                print(f"{half:<12} {world.name:<28} {about}")
        return 0
    if options.world is None:
        return _refused("name a world; --list names them")
    if options.show is not None and options.show < 0:
        return _refused(f"a seed is 0 or more, not {options.show}")
    try:
        kind = world_of(options.world)
    except KeyError:
        return _refused(f"there is no world {options.world!r}; --list names them")
    if options.show is not None:
        return _show(kind, options.form or "hidden", options.show)
    try:
        with Libraries() as libraries:
            forms = (options.form,) if options.form else CELLS
            results = [play_cell(kind, form, libraries) for form in forms]
    except MaclaError as error:
        return _refused(str(error))
    if options.json:
        print(json.dumps({"world": kind.name, "cells": [asdict(each) for each in results]}))
    else:
        print(*results, sep="\n")
    return 0


def _show(kind: type[World], form: str, seed: int) -> int:
    """Print a demonstration and a test's beginning, of a world that may be looked at."""
    if kind in SEALED:
        return _refused("the worlds of the sealed half are not looked at")
    cell = world_cell(kind, form)
    shown = cell.lesson[seed % len(cell.lesson)] if form != "tools" else None
    if shown is None:
        shown = demonstration(kind(), LadderTask(seed, "train"))
    print(f"task: {shown.task}\n{shown.obs[0]}")
    for action, observation in zip(shown.acts, shown.obs[1:], strict=True):
        print(f"> {action}\n{observation}")
    asked, observation = cell.environment.reset(cell.tasks[seed % len(cell.tasks)])
    print(f"\na test's task: {asked}\n{observation}")
    return 0


def _refused(why: str) -> int:
    print(f"macla.evals.ladder: error: {why}", file=sys.stderr)
    return 2


def _options() -> argparse.Namespace:
    parser = documented_parser("ladder", __doc__)
    parser.add_argument("world", nargs="?", help="name of a world")
    parser.add_argument("--form", choices=CELLS, help="only this form")
    parser.add_argument("--list", action="store_true", help="list the worlds")
    parser.add_argument(
        "--show", type=int, metavar="SEED", help="print a demonstration and a test's beginning"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
