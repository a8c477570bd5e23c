"""``macla demo``: the whole of it in a minute, with nothing but this package."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import options, output

if TYPE_CHECKING:
    from ..evals.report import EvalReport
    from ..procedures.library import Library
    from ..procedures.model import MetaProcedure, Procedure

__all__ = ["command"]

_LEARN_FROM = 28
_PLAY = 12


@click.command("demo", epilog=options.examples("macla demo", "macla demo --keep my-demo"))
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep games, demonstrations and library in DIR.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the games.")
@options.as_json
def command(keep: Path | None, seed: int, as_json: bool) -> None:
    """Learn household procedures from a few demonstrations and play games never seen.

    It invents household games, demonstrates some of them by searching as a person would, learns
    a library of YAML procedures from the demonstrations, and plays the other games from it. No
    network, no model and no data are needed.
    """
    started = time.perf_counter()
    with _folder(keep) as folder:
        document = _run(folder, keep, seed, as_json)
    if as_json:
        output.emit_json({**document, "wall_seconds": round(time.perf_counter() - started, 3)})
        return
    click.echo(f"\n{time.perf_counter() - started:.0f} seconds in all.")
    _next_steps(keep)


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    from ..procedures.errors import DataError

    if keep is None:
        # Removing must not fail where the system still holds a file.
        with tempfile.TemporaryDirectory(prefix="macla-demo-", ignore_cleanup_errors=True) as name:
            yield Path(name)
        return
    if keep.exists() and any(keep.iterdir()):
        raise DataError(f"{keep} is not empty; name a new folder for --keep")
    keep.mkdir(parents=True, exist_ok=True)
    yield keep


def _run(folder: Path, keep: Path | None, seed: int, as_json: bool) -> dict[str, Any]:
    from ..adapters.alfworld.expert import demonstrate
    from ..adapters.alfworld.games import load_game
    from ..adapters.alfworld.generator import write_games
    from ..evals.arms import Setting
    from ..evals.runner import evaluate
    from ..evals.suite_alfworld import AlfworldSuite
    from ..evals.teaching import teach
    from ..procedures.library import Library
    from ..procedures.trajectories import write_trajectories

    def say(text: str = "") -> None:
        if not as_json:
            click.echo(text)

    say(output.strong("1. Games and demonstrations"))
    with output.bar("making games", quiet=as_json) as bar:
        learn_from: list[Path] = []
        played: list[Path] = []
        for number in range(_LEARN_FROM + _PLAY):
            place = "learn" if number < _LEARN_FROM else "play"
            files = learn_from if number < _LEARN_FROM else played
            files += write_games(folder / "games" / place, 1, seed=seed, start=number)
            bar(number + 1, _LEARN_FROM + _PLAY)
        shown = [demonstrate(load_game(file), seed=seed) for file in learn_from]
    write_trajectories(folder / "demonstrations.jsonl", shown)
    say(
        f"   {len(learn_from) + len(played)} household games were invented, and {len(shown)} of "
        f"them demonstrated in {sum(len(each.acts) for each in shown)} actions. One begins:"
    )
    say(output.dim(f"   task: {shown[0].task}"))
    for action in shown[0].acts[:6]:
        say(output.dim(f"   > {action}"))

    say("\n" + output.strong("2. Learning"))
    with output.bar("learning", quiet=as_json) as bar:
        source = {"from": "demo", "seed": seed}
        taught = teach(folder / "library", shown, domain="alfworld", source=source, stage=bar.stage)
    say(
        f"   {taught.procedures} procedures and {taught.metas} meta-procedures in "
        f"{taught.seconds:.1f} s, as files that people can read. Two of them:"
    )
    library = Library.open(folder / "library")
    if not as_json:
        _show_files(library)

    say("\n" + output.strong(f"3. Playing {_PLAY} games never seen, live"))
    setting = Setting(suite=AlfworldSuite(), library=str(library.path), seed=seed)
    with output.bar("playing", quiet=as_json) as bar:
        report = evaluate(setting, str(folder / "games" / "play"), progress=bar)
    if not as_json:
        _summary(report)
        click.echo("\n" + output.strong("4. One of these episodes, step by step"))
        _timeline(report, setting, folder)
    kept = None if keep is None else str(keep)
    return {
        "demonstrations": len(shown),
        "procedures": taught.procedures,
        "metas": taught.metas,
        "kept": kept,
        "eval": report.to_document(),
    }


def _show_files(library: Library) -> None:
    """Show the longest plan and the longest procedure that it runs."""
    from ..procedures.library_files import file_of
    from .show import print_yaml

    shown: list[tuple[str, Procedure | MetaProcedure]] = []
    if library.metas:
        meta = max(library.metas.values(), key=lambda each: (len(each.plan), each.id))
        runs = [library.procedures[place.run] for place in meta.plan if place.run is not None]
        shown = [("meta", meta)]
    else:
        runs = list(library.procedures.values())
    if runs:
        shown.insert(0, ("procedure", max(runs, key=lambda each: (len(each.steps), each.id))))
    for kind, item in shown:
        file = file_of(library.path, kind, item.id)
        click.echo(output.dim(f"\n# {file.relative_to(library.path.parent).as_posix()}"))
        print_yaml(file.read_text(encoding="utf-8"))


def _summary(report: EvalReport) -> None:
    low, high = report.interval.low, report.interval.high
    click.echo(
        f"   solved {output.strong(f'{report.successes} of {len(report.outcomes)}')}"
        f" ({output.percent(report.success_rate)}; 95 % interval {output.percent(low)} to "
        f"{output.percent(high)})"
    )
    click.echo(
        f"   {report.mean_steps:.1f} actions an episode, {output.percent(report.reuse_rate)} of "
        "them chosen by procedures; no language model was called"
    )
    click.echo(f"   {output.percent(report.meta_hit_rate)} solved by a meta-procedure")


def _timeline(report: EvalReport, setting: Any, folder: Path) -> None:
    from ..evals.tracing import Event, trace_task
    from .timeline import Timeline, begin, end

    # Long enough to show something, short enough to be read.
    won = [each for each in report.outcomes if each.success] or list(report.outcomes)
    chosen = min(won, key=lambda each: (len(each.procedures) < 3, each.steps))
    tasks = setting.suite.tasks(str(folder / "games" / "play"))
    task = next(each for each in tasks if each.id == chosen.id)
    timeline = Timeline()

    def start(text: str, observation: str) -> None:
        for line in begin(text, observation):
            click.echo(line)
        click.echo()

    def show(event: Event) -> None:
        for line in timeline.lines(event):
            click.echo(line)

    traced = trace_task(setting, task, on_start=start, on_event=show)
    click.echo()
    for line in end(traced):
        click.echo(line)


def _next_steps(keep: Path | None) -> None:
    click.echo(output.strong("\nTry next:"))
    if keep is None:
        click.echo("  macla demo --keep my-demo\n      keep games and library, then:")
        keep = Path("my-demo")
    lines = (
        (f"macla list {keep}/library", "what was learned, with its evidence"),
        (
            f'macla explain "put a hot mug in desk." --library {keep}/library',
            "why one plan and not another",
        ),
        (
            f"macla eval alfworld --library {keep}/library --split {keep}/games/play",
            "the same games again",
        ),
        (
            f"macla learn {keep}/demonstrations.jsonl --library mine",
            "learn from a file; yours works too",
        ),
    )
    for call, about in lines:
        click.echo(f"  {call}\n      {about}")
