"""Learn and play fresh worlds: ``python -m macla.evals.fresh_worlds WORLD``.

``--PART`` plays all worlds of a part (:mod:`.parts`). Of a held part it prints totals only: nobody
who works on the learner reads those worlds or their episodes.

Example:
  python -m macla.evals.fresh_worlds --list
  python -m macla.evals.fresh_worlds sql-orders --show 0
  python -m macla.evals.fresh_worlds sql-orders --form hidden --demos 10
  python -m macla.evals.fresh_worlds --third
  python -m macla.evals.fresh_worlds --fifth-held
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from ...procedures.common.errors import MaclaError
from ..ladder.forms import demonstration
from ..ladder.world import LadderTask, World
from ..studies.command_options import documented_parser
from .parts import HELD, OPEN
from .playing import EVERY, FORMS, marks

_KINDS = tuple(kind for worlds in OPEN.values() for kind in worlds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play what is asked for."""
    options = _options(arguments)
    if options.list:
        print(*(f"{kind.name:<20} {kind.difficulty}" for kind in _KINDS), sep="\n")
        return 0
    hidden = HELD.get(options.part, ())
    if hidden and options.show is not None:
        return _refused("the worlds of a held half are not looked at")
    if hidden and options.marks is not None:
        return _refused("--marks would name the worlds of a held half; leave it out for totals")
    if bool(options.part) == bool(options.world):
        parts = ", ".join(f"--{each}" for each in (*OPEN, *HELD))
        return _refused(f"name worlds, or say one of {parts}; --list names the worlds")
    if options.demos < 1 or (options.show or 0) < 0:
        return _refused("--demos is 1 or more, a seed 0 or more")
    kinds = {kind.name: kind for kind in _KINDS}
    for name in options.world:
        if name not in kinds:
            return _refused(f"there is no world {name!r} that may be looked at; --list names them")
    chosen = [kinds[name] for name in options.world] or OPEN.get(options.part, ())
    if options.show is not None:
        for kind in chosen:
            _show(kind, options.show)
        return 0
    forms = options.form or FORMS
    try:
        if hidden:
            _totals(hidden, forms, options.demos)
        else:
            _each(chosen, forms, options.demos, options.marks)
    except MaclaError as error:
        return _refused(str(error))
    return 0


def _show(kind: type[World], seed: int) -> None:
    """Print a demonstration, and how a test begins."""
    shown = demonstration(kind(), LadderTask(seed, "train"))
    print(f"task: {shown.task}\n{shown.obs[0]}")
    for action, observation in zip(shown.acts, shown.obs[1:], strict=True):
        print(f"> {action}\n{observation}")
    print(f"\na test's task: {kind().reset(LadderTask(seed))[0]}")


def _each(kinds: Iterable[type[World]], forms: Iterable[str], demos: int, to: Path | None) -> None:
    for kind in kinds:
        for form in forms:
            line = _kept(kind, form, demos, to)
            won, spoiled, faults = (line.count(each) for each in "1xe")
            tail = f", {faults} faults" if faults else ""
            said = f"{won:>2} of {len(line)}, {spoiled} spoiled{tail}"
            print(f"{kind.name:<20} {form:<9} {said}", flush=True)


def _totals(kinds: Sequence[type[World]], forms: Iterable[str], demos: int) -> None:
    for form in forms:
        lines = [marks(kind, form, demos) for kind in kinds]
        won, spoiled, faults = (sum(line.count(each) for line in lines) for each in "1xe")
        low = sum(line.count("1") < 0.9 * len(line) for line in lines)
        tests = sum(len(line) for line in lines)
        said = f"{won} of {tests} won, {spoiled} spoiled, {faults} faults; "
        print(f"{form:<9} {said}{low} of {len(lines)} worlds below 36 of 40", flush=True)


def _kept(kind: type[World], form: str, demos: int, to: Path | None) -> str:
    """Play, and append what came of it to a file where one is named."""
    line = marks(kind, form, demos)
    if to is not None:
        with to.open("a", encoding="utf-8") as file:
            row = {"world": kind.name, "form": form, "demos": demos, "marks": line}
            file.write(json.dumps(row) + "\n")
    return line


def _refused(why: str) -> int:
    print(f"macla.evals.fresh_worlds: error: {why}", file=sys.stderr)
    return 2


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = documented_parser("fresh_worlds", __doc__)
    parser.add_argument("world", nargs="*", help="names of worlds that may be looked at")
    parser.add_argument(
        "--form", action="append", choices=EVERY, help="only this form; several may be named"
    )
    parser.add_argument(
        "--demos", type=int, default=40, help="demonstrations to learn from (default 40; few: 10)"
    )
    parser.add_argument("--show", type=int, metavar="SEED", help="print a demonstration")
    parser.add_argument("--list", action="store_true", help="list the worlds that may be looked at")
    half = parser.add_mutually_exclusive_group()
    for part in OPEN:
        half.add_argument(
            f"--{part}", dest="part", action="store_const", const=part, help="all of these worlds"
        )
    for part in HELD:
        half.add_argument(
            f"--{part}",
            dest="part",
            action="store_const",
            const=part,
            help="worlds that are not looked at; totals only",
        )
    parser.add_argument(
        "--marks",
        type=Path,
        help="append a JSON line for each world and form to this file; not of a held half",
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
