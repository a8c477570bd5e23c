"""What each part of the method is worth: the same games with and without it.

    python scripts/ablations.py                      # all settings, about 20 minutes on 2 cores
    python scripts/ablations.py --only few --jobs 2

Each cell learns a library and plays valid_seen, hidden, once with everything and once without the
part, in learning and in playing. The difference is paired by game; its interval is a bootstrap's.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from macla.evals.statistics import mcnemar_exact, paired_difference_interval
from macla.procedures.ablation import PARTS

SETTINGS: dict[str, tuple[list[str], list[str]]] = {
    "few: 10 demonstrations": (["--episodes", "10", "--seed", "0"], []),
    "noisy: 100 demonstrations at 60 %": (
        ["--episodes", "100", "--seed", "0", "--noise", "0.6"],
        [],
    ),
    "human goals: 500 demonstrations": (
        ["--episodes", "500", "--seed", "0", "--goals", "human"],
        ["--goals", "human"],
    ),
    "practice: nothing opened, then 100 own games": (
        [
            *("--online", "--episodes", "100", "--seed", "0"),
            *("--demonstrations", "all", "--leave-out", "open"),
        ],
        [],
    ),
}
"""Name → (options of learn, options of eval)."""


def main() -> None:
    options = _options()
    settings = {k: v for k, v in SETTINGS.items() if not options.only or options.only in k}
    print("| setting | without | won | difference, 95 % | McNemar p | mean steps |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, (learn, play)) in enumerate(settings.items()):
            full = _played(Path(folder) / f"{number}", learn, play, [], options)
            print(_row(name, "nothing", full, None), flush=True)
            for part in PARTS:
                less = _played(Path(folder) / f"{number}-{part}", learn, play, [part], options)
                print(_row(name, part, less, full), flush=True)


def _played(
    library: Path, learn: list[str], play: list[str], parts: list[str], options: argparse.Namespace
) -> list[dict[str, Any]]:
    """Learn a library and return the episodes that it plays."""
    without = [word for part in parts for word in ("--without", part)]
    _macla("learn", "alfworld", "--library", str(library), *learn, *without)
    answer = _macla(
        *("eval", "alfworld", "--library", str(library), "--split", options.split),
        *("--jobs", str(options.jobs), *play, *without),
    )
    episodes: list[dict[str, Any]] = answer["episodes"]
    return episodes


def _row(
    name: str, part: str, played: list[dict[str, Any]], full: list[dict[str, Any]] | None
) -> str:
    won = [bool(episode["success"]) for episode in played]
    steps = sum(episode["steps"] for episode in played) / len(played)
    difference = p = ""
    if full is not None:
        before = {episode["id"]: bool(episode["success"]) for episode in full}
        pairs = [(before[episode["id"]], now) for episode, now in zip(played, won, strict=True)]
        first, second = ([float(pair[i]) for pair in pairs] for i in (1, 0))
        interval = paired_difference_interval(first, second)
        difference = (
            f"{100 * (sum(first) - sum(second)) / len(pairs):+.1f} points "
            f"({100 * interval.low:+.1f} to {100 * interval.high:+.1f})"
        )
        test = mcnemar_exact([bool(x) for x in first], [bool(x) for x in second])
        p = f"{test.p_value:.2g}"
    return f"| {name} | {part} | {sum(won)} of {len(won)} | {difference} | {p} | {steps:.2f} |"


def _macla(*arguments: str) -> Any:
    command = [str(Path(sys.executable).with_name("macla")), *arguments, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--split", default="valid_seen", help="games to play")
    parser.add_argument("--only", default="", help="only settings whose name contains this")
    parser.add_argument("--jobs", type=int, default=1, help="processes of macla eval")
    return parser.parse_args()


if __name__ == "__main__":
    main()
