"""What each part of the method is worth: the same games with and without it, one at a time.

    python scripts/ablations.py                      # all settings, about two hours on 2 cores
    python scripts/ablations.py --only few --jobs 2

Each cell learns a library and plays valid_seen, hidden, once with everything and once without the
part, in learning and in playing. All but the last settings do without programs and the floor, which
win these games alone. The difference is paired by game; its interval is a bootstrap's, and p is
McNemar's, corrected by Holm for the parts of a setting.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from macla.evals.statistics import holm, mcnemar_exact, paired_difference_interval
from macla.procedures.ablation import PARTS

PLANS = ("programs", "floor")
"""Parts that are left out so that procedures and plans play."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Where the parts are left out.

    Attributes:
        name: What it is called.
        learn: Options of macla learn.
        play: Options of macla eval.
        base: Parts that are left out of every cell.
    """

    name: str
    learn: str
    play: str = ""
    base: tuple[str, ...] = PLANS


SETTINGS = (
    Setting("few: 10 demonstrations", "--episodes 10 --seed 0"),
    Setting("noisy: 100 demonstrations at 60 %", "--episodes 100 --seed 0 --noise 0.6"),
    Setting(
        "human goals: 500 demonstrations", "--episodes 500 --seed 0 --goals human", "--goals human"
    ),
    Setting(
        "practice: nothing opened, then 100 own games",
        "--online --episodes 100 --seed 0 --demonstrations all --leave-out open",
    ),
    Setting("everything: 50 demonstrations", "--episodes 50 --seed 0", base=()),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """The games of one part left out: id → whether it was won, and the steps of each."""

    part: str
    won: dict[str, bool]
    steps: float


def main() -> None:
    options = _options()
    for setting in SETTINGS:
        if options.only and options.only not in setting.name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            whole = _cell("", setting, Path(folder), options)
            parts = options.part or [part for part in PARTS if part not in setting.base]
            cells = [_cell(part, setting, Path(folder), options) for part in parts]
        print(f"{setting.name}\n\n| without | won | difference, 95 % | p, Holm | mean steps |")
        print("|---|---|---|---|---|")
        print(f"| nothing | {_share(whole)} | | | {whole.steps:.2f} |")
        tests = [mcnemar_exact(list(whole.won.values()), _paired(c, whole)) for c in cells]
        corrected = holm([test.p_value for test in tests])
        for cell, p in zip(cells, corrected, strict=True):
            print(_row(cell, whole, p))
        print(flush=True)


def _cell(part: str, setting: Setting, folder: Path, options: argparse.Namespace) -> Cell:
    """Learn a library without a part, and play with it."""
    library = str(folder / (part or "whole"))
    off = (*setting.base, part) if part else setting.base
    without = ["--without", ",".join(off)] if off else []
    _macla("learn", "alfworld", "--library", library, *setting.learn.split(), *without)
    answer = _macla(
        *("eval", "alfworld", "--library", library, "--split", options.split),
        *("--jobs", str(options.jobs), *setting.play.split(), *without),
    )
    episodes: list[dict[str, Any]] = answer["episodes"]
    won = {each["id"]: bool(each["success"]) for each in episodes}
    return Cell(part, won, sum(each["steps"] for each in episodes) / len(episodes))


def _paired(cell: Cell, whole: Cell) -> list[bool]:
    return [cell.won[name] for name in whole.won]


def _share(cell: Cell) -> str:
    return f"{sum(cell.won.values())} of {len(cell.won)}"


def _row(cell: Cell, whole: Cell, p: float) -> str:
    first, second = ([float(won) for won in x] for x in (_paired(cell, whole), whole.won.values()))
    interval = paired_difference_interval(first, second)
    difference = (
        f"{100 * (sum(first) - sum(second)) / len(first):+.1f} points "
        f"({100 * interval.low:+.1f} to {100 * interval.high:+.1f})"
    )
    return f"| {cell.part} | {_share(cell)} | {difference} | {p:.2g} | {cell.steps:.2f} |"


def _macla(*arguments: str) -> Any:
    run = "import sys; from macla.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", run, *arguments, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"macla {' '.join(arguments)}\n{done.stderr}")
    return json.loads(done.stdout)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--split", default="valid_seen", help="games to play")
    parser.add_argument("--only", default="", help="only settings whose name contains this")
    parser.add_argument("--part", action="append", choices=PARTS, help="only this; repeatable")
    parser.add_argument("--jobs", type=int, default=1, help="processes of macla eval")
    return parser.parse_args()


if __name__ == "__main__":
    main()
