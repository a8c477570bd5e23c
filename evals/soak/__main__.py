"""``python -m macla.evals.soak``: one library under fire for some minutes."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from .children import preload
from .killing import KillFigures, kill_commands
from .soaking import Figures, soak

_EXAMPLES = """examples:
  python -m macla.evals.soak --minutes 30
  python -m macla.evals.soak --minutes 0.3 --seed 7 --json
  python -m macla.evals.soak --kills 1000

Exit code 0: all holds; 1: something does not, and the library stays where it is for a look;
130: stopped with Ctrl-C. Needs a system that forks (Linux, macOS).
"""


def main() -> int:
    """Run and report."""
    options = _parser().parse_args()
    if not hasattr(os, "fork"):
        print("macla: error: a soak needs a system that forks", file=sys.stderr)
        return 2
    folder = Path(tempfile.mkdtemp(prefix="macla-soak-"))
    # What commands leave in the temporary folder is looked at, and their key is not the user's.
    for name, variable in (("tmp", "TMPDIR"), ("state", "MACLA_STATE")):
        (folder / name).mkdir()
        os.environ[variable] = str(folder / name)
    tempfile.tempdir = None
    os.environ["PYTHONWARNINGS"] = "ignore"
    figures: Figures | KillFigures = Figures()
    stopped = False

    def progress(found: Figures | KillFigures) -> None:
        nonlocal figures
        figures = found
        if not options.json:
            print(_line(found), file=sys.stderr, end="\r" if sys.stderr.isatty() else "\n")

    try:
        preload()
        if options.kills is None:
            soak(folder, 60 * options.minutes, options.seed, progress, rounds=options.rounds)
        else:
            kill_commands(folder, options.kills, options.seed, progress=progress)
    except KeyboardInterrupt:
        stopped = True
    if figures.broken:
        print(f"the library stays in {folder}", file=sys.stderr)
    else:
        shutil.rmtree(folder, ignore_errors=True)
    if options.json:
        print(json.dumps({"seed": options.seed, **figures.to_document()}, indent=2))
    else:
        _report(figures)
    return 130 if stopped else int(bool(figures.broken))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m macla.evals.soak",
        description="Work on libraries with several commands at once: kills, full disks, clocks "
        "that go backwards, two learners, an editor, losses of the index. Between rounds, check "
        "that nothing is lost that was reported as done, and nothing is there twice.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=5.0, help="how long (default: 5)")
    parser.add_argument(
        "--rounds", type=int, default=1, metavar="N", help="at least so many rounds (default: 1)"
    )
    parser.add_argument(
        "--kills",
        type=int,
        metavar="N",
        help="instead, kill each command that writes at random moments, N kills in all, and run "
        "it again: it has to come to the same state",
    )
    parser.add_argument("--seed", type=int, default=0, help="what is drawn (default: 0)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser


def _line(figures: Figures | KillFigures) -> str:
    if isinstance(figures, KillFigures):
        return f"{figures.seconds:6.0f} s: {figures.kills} killed, {figures.missed} were faster"
    commands = sum(sum(counts.values()) for counts in figures.commands.values())
    kills = sum(counts.get("killed", 0) for counts in figures.commands.values())
    return (
        f"{figures.seconds:6.0f} s: {figures.rounds} rounds, {figures.libraries} libraries, "
        f"{commands} commands, {kills} killed"
    )


def _report(figures: Figures | KillFigures) -> None:
    print(_line(figures))
    if isinstance(figures, KillFigures):
        for name, number in figures.scenes.items():
            print(f"  {name}: {number} killed")
    else:
        for verb, counts in sorted(figures.commands.items()):
            told = ", ".join(f"{number} {_how(how)}" for how, number in sorted(counts.items()))
            print(f"  {verb}: {told}")
        for title, numbers in (("met", figures.faults), ("refused for", figures.refusals)):
            for name, number in numbers.most_common():
                print(f"  {title}: {name}, {number} times")
    for each in figures.broken:
        print(f"BROKEN: {each}")
    if not figures.broken:
        print("all holds: nothing is lost, nothing is there twice, nothing is left behind")


def _how(code: str) -> str:
    said = {"0": "done", "1": "with findings", "2": "refused", "killed": "killed"}
    return said.get(code, f"ended with {code}")


if __name__ == "__main__":
    sys.exit(main())
