"""``python -m macla.evals.tool_caution`` prints what memory did wrong, and what it saved."""

from __future__ import annotations

import argparse
import sys

from .arms import ARMS
from .playing import ArmResult, play_caution

_EXAMPLE = """\
example:
  python -m macla.evals.tool_caution --seeds 2 --attempts 1000 --show

A task is wrong if database, files, requests to the service or the answer differ from those of the
same agent without memory.
"""


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m macla.evals.tool_caution",
        description="Nine kinds of task with traps: what memory does wrong, and what it saves.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--arm", choices=[arm.name for arm in ARMS], action="append")
    parser.add_argument("--passes", type=int, default=7, help="how many (7)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed of the tasks (0)")
    parser.add_argument("--seeds", type=int, default=1, help="how many seeds (1)")
    parser.add_argument("--attempts", type=int, default=50, help="planted values (50)")
    parser.add_argument("--one-wording", action="store_true", help="ask all tasks in one wording")
    parser.add_argument("--no-look-alikes", action="store_true", help="ordinary tasks only")
    parser.add_argument("--no-changes", action="store_true", help="the policy stays as it is")
    parser.add_argument("--show", action="store_true", help="print each wrong task")
    return parser.parse_args()


def _lines(result: ArmResult, *, show: bool) -> list[str]:
    lines = [f"{result.name}: {result.files} procedures after the passes"]
    for stage in (*result.passes, *result.changes):
        lines.append(
            f"  {stage.name:<27} {stage.tasks:>4} tasks  {stage.model_calls:>4} calls of "
            f"{stage.model_calls_without:>4} ({100 * stage.saved:>3.0f} % saved)  "
            f"{len(stage.wrong)} wrong"
        )
        if show:
            lines += [f"    {text}" for text in stage.wrong]
            each = (f"{kind}: {a}/{b}" for kind, (a, b) in stage.by_kind.items())
            lines.append(f"    calls by kind: {', '.join(each)}")
    return [
        *lines,
        f"  planted values that reached a call: {result.reached} of {result.planted}",
        f"  procedures that acted after “wrong!”: {result.undaunted} of {result.corrected}",
    ]


def main() -> int:
    """Play and print the figures."""
    options = _options()
    arms = [arm for arm in ARMS if not options.arm or arm.name in options.arm]
    for seed in range(options.seed, options.seed + options.seeds):
        result = play_caution(
            arms,
            seed=seed,
            passes=options.passes,
            reworded=not options.one_wording,
            look_alikes=not options.no_look_alikes,
            attempts=options.attempts,
            changes=not options.no_changes,
            progress=lambda what: print(what, file=sys.stderr) if sys.stderr.isatty() else None,
        )
        print(f"seed {seed}")
        for arm in result.arms:
            print("\n".join(_lines(arm, show=options.show)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
