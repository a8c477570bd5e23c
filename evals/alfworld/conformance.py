"""Compares the native engine with the official one, game by game and command by command.

Run it as ``python -m macla.evals.alfworld.conformance``; it needs the extra
``[alfworld]`` and the official games.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Protocol

from ...procedures.common.errors import MaclaError
from .dialects import DIALECTS
from .games import find_games
from .lockstep import Difference, GameReport, Report, compare_game

__all__ = ["Difference", "Report", "compare_files", "main", "sample_games"]

_ALL_GAMES = "alfworld/json_2.1.1"
_SHOWN = 20


class _Told(Protocol):
    def __call__(self, done: int, total: int, differences: int) -> None: ...


def sample_games(
    count: int | None, *, seed: int = 0, split: str = _ALL_GAMES, root: str | None = None
) -> list[Path]:
    """Draw games from a split, by default from all of the official data.

    Args:
        count: How many; ``None`` means all of them.
        seed: Seed of the draw.
        split: As for :func:`~.games.find_games`.
        root: The data root.

    Raises:
        DataError: There is no such split.

    """
    games = find_games(split, root)
    if count is None or count >= len(games):
        return games
    chosen = Random(f"sample {seed}").sample(range(len(games)), count)  # noqa: S311
    return [games[index] for index in sorted(chosen)]


def compare_files(
    files: Sequence[Path],
    *,
    seed: int = 0,
    steps: int = 60,
    dialect: str = "2.1.3",
    jobs: int = 1,
    tell: _Told | None = None,
) -> Report:
    """Compare both engines on game files.

    Args:
        files: The games.
        seed: Seed of the commands.
        steps: About how many commands a game.
        dialect: ``2.1.3`` or ``2.1.1``.
        jobs: How many processes play.
        tell: Called after each game with games done, games in all, differences so far.

    Raises:
        MissingExtraError: The official engine is not installed.
        DataError: A file is not a game.

    """
    started = time.perf_counter()
    reports: list[GameReport] = []
    differences = 0
    for report in _play(files, seed, steps, dialect, jobs):
        reports.append(report)
        differences += len(report.differences)
        if tell is not None:
            tell(len(reports), len(files), differences)
    reports.sort(key=lambda report: report.game)
    return Report(
        dialect=dialect,
        seed=seed,
        games=len(reports),
        steps=sum(report.steps for report in reports),
        wins=sum(report.wins for report in reports),
        differences=tuple(each for report in reports for each in report.differences),
        seconds=time.perf_counter() - started,
    )


def _play(
    files: Sequence[Path], seed: int, steps: int, dialect: str, jobs: int
) -> Iterator[GameReport]:
    if jobs <= 1:
        for file in files:
            yield compare_game(file, seed=seed, steps=steps, dialect=dialect)
        return
    # Not forked: Fast Downward is a C++ library with state of its own.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        futures = [
            pool.submit(compare_game, file, seed=seed, steps=steps, dialect=dialect)
            for file in files
        ]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; return 0 if nothing differs, 1 if something does, 2 on bad input."""
    options = _parser().parse_args(arguments)
    try:
        files = sample_games(
            None if options.all else options.games,
            seed=options.seed,
            split=options.split,
            root=options.data,
        )
        with _progress(len(files)) as tell:
            report = compare_files(
                files,
                seed=options.seed,
                steps=options.steps,
                dialect=options.dialect,
                jobs=options.jobs,
                tell=tell,
            )
    except MaclaError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(json.dumps(report.document(), indent=2) if options.json else _summary(report))
    return 1 if report.differences else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m macla.evals.alfworld.conformance",
        description="Play the native and the official ALFWorld engine in lockstep and compare "
        "text, won flag and admissible commands after every command.",
        epilog="example: python -m macla.evals.alfworld.conformance --games 30 --jobs 2",
    )
    parser.add_argument("--games", type=_positive, default=30, help="games to draw (default 30)")
    parser.add_argument("--all", action="store_true", help="all games of the split")
    parser.add_argument(
        "--split", default=_ALL_GAMES, help="split to draw from (default: all official games)"
    )
    parser.add_argument("--data", help="data root (default: $MACLA_DATA or ~/.cache/macla/bench)")
    parser.add_argument("--dialect", choices=sorted(DIALECTS), default="2.1.3")
    parser.add_argument("--steps", type=_positive, default=60, help="commands a game (default 60)")
    parser.add_argument("--seed", type=int, default=0, help="seed of games and commands")
    parser.add_argument("--jobs", type=_positive, default=1, help="processes (default 1)")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


@contextmanager
def _progress(total: int) -> Iterator[_Told | None]:
    """Show a progress bar on standard error if it is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # slow to import, and only needed here
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("comparing engines", total=total)

        def tell(done: int, total: int, differences: int) -> None:
            words = f"comparing engines, {differences} differences"
            bar.update(task, completed=done, total=total, description=words)

        yield tell


def _summary(report: Report) -> str:
    lines = [
        f"{report.games} games, {report.steps} commands, dialect {report.dialect}, seed "
        f"{report.seed}: {len(report.differences)} differences ({report.wins} wins, "
        f"{report.seconds:.0f} s)"
    ]
    for each in report.differences[:_SHOWN]:
        lines.append(f"{each.game} step {each.step} {each.command!r}, {each.what}:")
        lines.append(f"  native:   {each.native!r}")
        lines.append(f"  official: {each.official!r}")
    if len(report.differences) > _SHOWN:
        lines.append(f"… and {len(report.differences) - _SHOWN} more; --json shows all")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
