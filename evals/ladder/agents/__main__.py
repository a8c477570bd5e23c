"""``python -m macla.evals.ladder.agents`` prints what memory saves and what it does wrong."""

from __future__ import annotations

import argparse
import json
import sys
from typing import get_args

from ....procedures.tooling.call_trust import TRUSTS
from .playing import EACH, kinds_of, play_agents
from .report import document, lines
from .results import SHOWN, Half

_EXAMPLE = """\
example:
  python -m macla.evals.ladder.agents --passes 3 --seed 7 --show

A task is wrong if database, files, requests to the service or the answer differ from those of the
same agent without memory. The sealed half is for the end of big changes: look at its numbers only.
"""


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m macla.evals.ladder.agents",
        description=(
            "Tool-calling tasks with look-alikes: the model calls that memory saves, and the tasks "
            "that it does wrong."
        ),
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--half", choices=get_args(Half), default="development")
    parser.add_argument("--passes", type=_at_least_one, default=6, help="how many (6)")
    parser.add_argument("--seed", type=int, default=0, help="of the tasks (0)")
    parser.add_argument(
        "--each",
        type=int,
        choices=range(1, 33),
        default=EACH,
        metavar="N",
        help=f"tasks of a kind in a pass, at most 32 ({EACH})",
    )
    parser.add_argument(
        "--trust",
        choices=TRUSTS,
        default="demonstrations",
        help="what lets memory make calls that may change something (demonstrations)",
    )
    parser.add_argument(
        "--accepted-after",
        type=_at_least_one,
        default=0,
        metavar="PASS",
        help="after which pass a person accepts what was learned (never)",
    )
    parser.add_argument("--one-wording", action="store_true", help="ask all tasks in one wording")
    parser.add_argument("--no-look-alikes", action="store_true", help="ordinary tasks only")
    parser.add_argument("--json", action="store_true", help="print a document")
    parser.add_argument("--show", action="store_true", help="print each wrong task")
    return parser.parse_args()


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {total} tasks", end="\n" if done == total else "", file=sys.stderr)


def main() -> int:
    """Play one half and print the figures."""
    options = _options()
    if options.show and options.half not in SHOWN:
        print("the tasks of the sealed half are not looked at", file=sys.stderr)
        return 2
    try:
        result = play_agents(
            options.half,
            seed=options.seed,
            passes=options.passes,
            reworded=not options.one_wording,
            look_alikes=not options.no_look_alikes,
            each=options.each,
            trust=options.trust,
            accepted=options.accepted_after,
            progress=_progress,
        )
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130
    if options.json:
        print(json.dumps(document(result), indent=1))
    else:
        print("\n".join(lines(result, kinds_of(options.half), show=options.show)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
