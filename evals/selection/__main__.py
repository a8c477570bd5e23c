"""Play libraries of rivals with every rule of choice.

python -m macla.evals.selection                     # 60 libraries of each kind, three minutes
python -m macla.evals.selection --kind drift --json
"""

from __future__ import annotations

import argparse
import json

from .arms import ARMS
from .playing import play
from .report import document, table
from .worlds import KINDS, make_world


def main() -> None:
    """Play and print."""
    options = _options()
    told = []
    for kind in options.kind or KINDS:
        worlds = [
            make_world(kind, options.seed + i, options.episodes) for i in range(options.worlds)
        ]
        played = {
            arm.name: [play(world, arm, options.seed + i) for i, world in enumerate(worlds)]
            for arm in ARMS
        }
        told.append(document(kind, played))
        if not options.json:
            print(table(told[-1]), end="\n\n", flush=True)
    if options.json:
        print(json.dumps({"seed": options.seed, "episodes": options.episodes, "kinds": told}))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m macla.evals.selection", description=__doc__)
    parser.add_argument("--kind", action="append", choices=KINDS, help="only this; repeatable")
    parser.add_argument("--worlds", type=int, default=60, help="libraries of each kind")
    parser.add_argument("--episodes", type=int, default=300, help="tasks of each library")
    parser.add_argument("--seed", type=int, default=0, help="of all chance")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser.parse_args()


if __name__ == "__main__":
    main()
