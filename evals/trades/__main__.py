"""Play trades by an agent with memory: ``python -m macla.evals.trades TRADE``.

Prints for each trade and pass how many tasks there were, how often the model was called without
memory and with it, and how many tasks came out wrong: other changes, or another answer, than
without memory. From the third pass on some tasks are traps. Without a name the first stranger's
ten trades are played, or with ``--second`` the second's, with ``--third`` the third's, with
``--fourth`` the fourth's eight, with ``--fifth`` the fifth's six.

Example:
  python -m macla.evals.trades clinic dns --trust acceptance --seed 1 --show
  python -m macla.evals.trades --undeclared
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from ...procedures.tooling.call_trust import TRUSTS
from ..studies.command_options import count, documented_parser
from .playing import (
    FIFTH_TRADES,
    FOURTH_TRADES,
    SECOND_TRADES,
    THIRD_TRADES,
    TRADES,
    PassResult,
    play_trade,
)

_ALL = {**TRADES, **SECOND_TRADES, **THIRD_TRADES, **FOURTH_TRADES, **FIFTH_TRADES}


def main(arguments: Sequence[str] | None = None) -> int:
    """Play what is asked for."""
    options = _options(arguments)
    every: list[PassResult] = []
    stranger = TRADES
    for asked, trades in (
        (options.second, SECOND_TRADES),
        (options.third, THIRD_TRADES),
        (options.fourth, FOURTH_TRADES),
        (options.fifth, FIFTH_TRADES),
    ):
        stranger = trades if asked else stranger
    for name in options.trade or stranger:
        results = play_trade(
            _ALL[name],
            trust=options.trust,
            seed=options.seed,
            passes=options.passes,
            declared=not options.undeclared,
            keep=options.keep,
        )
        for number, result in enumerate(results, 1):
            print(_line(name, f"pass {number}", [result]), flush=True)
            for each in result.wrong if options.show else ():
                trap = f" ({each.trap})" if each.trap else ""
                print(
                    f"  {each.text}{trap}\n    without {each.expected}\n    with    {each.actual}"
                )
        every += results
    print(_line("all", "", every))
    return 0


def _line(name: str, which: str, results: Iterable[PassResult]) -> str:
    rows = [(each.tasks, each.without, each.model_calls, len(each.wrong)) for each in results]
    tasks, without, calls, wrong = (sum(column) for column in zip(*rows, strict=True))
    said = f"{tasks:>4} tasks, {without:>5} model calls without memory, {calls:>5} with"
    return f"{name:<9} {which:<7} {said}, {wrong} wrong"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = documented_parser("trades", __doc__)
    parser.add_argument(
        "trade", nargs="*", metavar="TRADE", help=f"one of {', '.join(_ALL)} (the first ten)"
    )
    parser.add_argument("--second", action="store_true", help="all of the second stranger")
    parser.add_argument("--third", action="store_true", help="all of the third stranger")
    parser.add_argument("--fourth", action="store_true", help="all of the fourth stranger")
    parser.add_argument("--fifth", action="store_true", help="all of the fifth stranger")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keeps the libraries there")
    parser.add_argument(
        "--trust",
        choices=TRUSTS,
        default="demonstrations",
        help="what lets memory make calls that may change something (demonstrations)",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the tasks (0)")
    parser.add_argument("--passes", type=count, default=4, help="how many (4)")
    parser.add_argument(
        "--undeclared", action="store_true", help="tools do not say whether they change something"
    )
    parser.add_argument("--show", action="store_true", help="print each wrong task")
    options = parser.parse_args(arguments)
    for name in options.trade:
        if name not in _ALL:
            parser.error(f"there is no trade {name!r}; choose from {', '.join(_ALL)}")
    return options


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
