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
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

from ..cells import BASELINES, WorldCell, play_baseline, play_learned, prove_cell
from ..forms import form_named
from ..statistics import wilson_interval
from . import WORLDS, ForeignWorld, demonstrations, held_out_tasks, horizon

_TASKS = 30
_CELLS = (
    *((count, form) for count in (10, 30) for form in ("shown", "hidden")),
    (30, "verb-last"),
)
"""Numbers of demonstrations, and the forms; verb last with the possible actions hidden."""


@dataclass(frozen=True, slots=True)
class _Result:
    form: str
    outcomes: str
    baselines: Mapping[str, int]
    figures: Mapping[str, float] = field(default_factory=dict)


def main() -> int:
    """Print what is won of each world."""
    options = _options()
    kinds = {world.__name__: world for world in WORLDS}
    if options.world is not None and options.world not in kinds:
        names = ", ".join(kinds)
        print(f"there is no world {options.world!r}; choose one of {names}", file=sys.stderr)
        return 2
    counts = None if options.demonstrations is None else int(options.demonstrations)
    chosen = _CELLS if counts is None else ((counts, "shown"), (counts, "hidden"))
    for world in [kinds[options.world]] if options.world else WORLDS:
        results = [_result(world, count, form) for count, form in chosen]
        results += [_result(world, 30, "hidden", prove=True)] if counts is None else []
        if options.json:
            cells = [{**asdict(each), "tasks": f"test0-{_TASKS - 1}"} for each in results]
            print(json.dumps({"world": world.__name__, "cells": cells}))
            continue
        for each in results:
            won = each.outcomes.count("1")
            interval = wilson_interval(won, _TASKS)
            ends = f"{100 * interval.low:.0f} to {100 * interval.high:.0f} %"
            others = ", ".join(f"{name} {count}" for name, count in each.baselines.items())
            print(f"{world.__name__:<14} {each.form:<14} {won:>2} of {_TASKS} ({ends}); {others}")
    return 0


def _result(kind: type[ForeignWorld], count: int, form: str, *, prove: bool = False) -> _Result:
    """Return what comes of one cell, or of the proof of its demonstrations."""
    offered = form_named(form)
    world = kind()
    cell = WorldCell(
        name=f"{kind.__name__}/{count}/{form}",
        lesson=offered.told(demonstrations(kind, count)),
        tasks=held_out_tasks(_TASKS),
        environment=offered.offered(world),
        open_environment=replace(offered, shown=True).offered(world),
        horizon=horizon(kind),
        mark=lambda: "1" if world.is_won() else "x" if world.done else "0",
    )
    if prove:
        proof = prove_cell(cell)
        return _Result("30, proof", proof.outcomes, {"rebound": proof.rebound}, proof.figures)
    baselines = {name: play_baseline(name, cell).count("1") for name in BASELINES}
    return _Result(f"{count}, {form}", play_learned(cell), baselines)


def _options() -> argparse.Namespace:
    about, _, rest = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="python -m macla.evals.foreign_worlds",
        description=about,
        epilog=rest,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
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
