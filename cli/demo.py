"""``macla demo``: the whole of it in a minute, with nothing but this package."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import options, output

if TYPE_CHECKING:
    from ..evals.reports.report import EvalReport
    from ..evals.suites.suites import Suite
    from ..procedures.episodes.trajectories import Trajectory
    from ..procedures.library.library import Library
    from ..procedures.model.procedure import MetaProcedure, Procedure

_LEARN_FROM = 28
"""Household games that are demonstrated."""
_PLAY = 12
"""Tasks that are played."""
_PURCHASES = 24
"""Purchases that are demonstrated."""
_WIDTH = 96
"""Columns of a line that the demo prints of a program's file."""
_ITEM = re.compile(r" {6,}- (.*)")
"""An item of a list that belongs to a parameter or a step."""


@dataclass(frozen=True, slots=True)
class _World:
    """A made world: its demonstrations, and the tasks to play.

    Attributes:
        suite: Suite of the world.
        shown: Demonstrations.
        split: Split of the tasks that were not demonstrated.
        made: Description of the world, in words.
    """

    suite: Suite
    shown: list[Trajectory]
    split: str
    made: str


@click.command(
    "demo",
    epilog=options.examples("macla demo", "macla demo webshop", "macla demo --keep my-demo"),
)
@click.argument("world", type=click.Choice(["alfworld", "webshop"]), default="alfworld")
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep tasks, demonstrations and library in DIR.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the tasks.")
@options.as_json
def command(world: str, keep: Path | None, seed: int, as_json: bool) -> None:
    """Learn from a few demonstrations and play tasks never seen.

    It invents tasks of WORLD, demonstrates some of them, learns a library of YAML files from the
    demonstrations, and plays the other tasks from it. No network, no model and no data are needed.

    \b
    WORLD is
      alfworld  household games, demonstrated by searching as a person would (default)
      webshop   purchases in a small shop of text pages; needs the extra webshop
    """  # noqa: D301 (click wants the character itself)
    started = time.perf_counter()
    with _folder(keep) as folder:
        document = _run(world, folder, keep, seed, as_json)
    if as_json:
        output.emit_json({**document, "wall_seconds": round(time.perf_counter() - started, 3)})
        return
    output.say(f"\n{time.perf_counter() - started:.0f} seconds in all.")
    _next_steps(world, keep)


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    from ..procedures.common.errors import DataError

    if keep is None:
        # Removing must not fail where the system still holds a file.
        with tempfile.TemporaryDirectory(prefix="macla-demo-", ignore_cleanup_errors=True) as name:
            yield Path(name)
        return
    if keep.exists() and any(keep.iterdir()):
        raise DataError(f"{keep} is not empty; name a new folder for --keep")
    keep.mkdir(parents=True, exist_ok=True)
    yield keep


def _run(name: str, folder: Path, keep: Path | None, seed: int, as_json: bool) -> dict[str, Any]:
    from ..adapters.teaching.teaching import teach
    from ..evals.players.arms import Setting
    from ..evals.running.runner import evaluate
    from ..procedures.episodes.trajectories import write_trajectories
    from ..procedures.library.library import Library

    def say(text: str = "") -> None:
        if not as_json:
            output.say(text)

    say(output.strong("1. Tasks and demonstrations"))
    with output.bar("making tasks", quiet=as_json) as bar:
        world = _WORLDS[name](folder, seed, bar)
    demonstrations = world.shown
    write_trajectories(folder / "demonstrations.jsonl", demonstrations)
    say(
        f"   {world.made}, and {len(demonstrations)} of them demonstrated in "
        f"{sum(len(each.acts) for each in demonstrations)} actions. One begins:"
    )
    say(output.dim(f"   task: {demonstrations[0].task}"))
    for action in demonstrations[0].acts[:6]:
        say(output.dim(f"   > {action}"))

    say("\n" + output.strong("2. Learning"))
    with output.bar("learning", quiet=as_json) as bar:
        source = {"from": "demo", "seed": seed}
        domain = world.suite.domain
        taught = teach(
            folder / "library", demonstrations, domain=domain, source=source, stage=bar.stage
        )
    library = Library.open(folder / "library")
    say(
        f"   {_counted(library)} in {taught.seconds:.1f} s, as files that people can read. "
        "From them:"
    )
    if not as_json:
        _show_files(library)

    say("\n" + output.strong(f"3. Playing {_PLAY} tasks never seen, live"))
    setting = Setting(
        suite=world.suite, library=str(library.path), seed=seed, max_steps=world.suite.max_steps
    )
    with output.bar("playing", quiet=as_json) as bar:
        report = evaluate(setting, world.split, progress=bar)
    if not as_json:
        _summary(report)
        output.say("\n" + output.strong("4. One of these episodes, step by step"))
        _timeline(report, setting, world.split)
    kept_folder = None if keep is None else str(keep)
    return {
        "demonstrations": len(demonstrations),
        "procedures": taught.procedures,
        "metas": taught.metas,
        "programs": len(library.programs),
        "kept": kept_folder,
        "eval": report.to_document(),
    }


def _household(folder: Path, seed: int, bar: output.Bar) -> _World:
    from ..evals.alfworld.expert import demonstrate
    from ..evals.alfworld.games import load_game
    from ..evals.alfworld.generator import write_games
    from ..evals.suites.suites import make_suite

    learn_from: list[Path] = []
    for number in range(_LEARN_FROM + _PLAY):
        is_demonstrated = number < _LEARN_FROM
        place = "learn" if is_demonstrated else "play"
        files = write_games(folder / "games" / place, 1, seed=seed, start=number)
        learn_from += files if is_demonstrated else []
        bar(number + 1, _LEARN_FROM + _PLAY)
    return _World(
        make_suite("alfworld"),
        [demonstrate(load_game(file), seed=seed) for file in learn_from],
        str(folder / "games" / "play"),
        f"{_LEARN_FROM + _PLAY} household games were invented",
    )


def _shop(folder: Path, seed: int, bar: output.Bar) -> _World:
    from ..evals.suites.suites import make_suite
    from ..evals.webshop.made import write_made_shop

    write_made_shop(folder / "webshop", shown=_PURCHASES, played=_PLAY, seed=seed)
    suite = make_suite("webshop", data=folder)
    demonstrations, _ = suite.demonstrations(None, None, bar)
    return _World(suite, demonstrations, "dev", f"{_PURCHASES + _PLAY} purchases were invented")


_WORLDS = {"alfworld": _household, "webshop": _shop}


def _counted(library: Library) -> str:
    """Return the number of documents of each kind, in words."""
    kinds = (
        ("procedure", library.procedures),
        ("meta-procedure", library.metas),
        ("program", library.programs),
    )
    words = [f"{len(all_)} {kind}{'s' * (len(all_) != 1)}" for kind, all_ in kinds if all_]
    return " and ".join(words) or "nothing"


def _show_files(library: Library) -> None:
    """Show the longest plan and the longest procedure that it runs, or else a program."""
    from ..procedures.files.parsing import file_of
    from .show import print_yaml

    documents: list[tuple[str, Procedure | MetaProcedure]] = []
    if library.metas:
        meta = max(library.metas.values(), key=lambda each: (len(each.plan), each.id))
        runs = [library.procedures[place.run] for place in meta.plan if place.run is not None]
        documents = [("meta", meta)]
    else:
        runs = list(library.procedures.values())
    if runs:
        documents.insert(0, ("procedure", max(runs, key=lambda each: (len(each.steps), each.id))))
    for program in sorted(library.programs)[: not documents]:
        file = file_of(library.path, "program", program)
        output.say(output.dim(f"\n# {file.relative_to(library.path.parent).as_posix()} (from it)"))
        output.say(_steps_of(file.read_text(encoding="utf-8")))
    for kind, item in documents:
        file = file_of(library.path, kind, item.id)
        output.say(output.dim(f"\n# {file.relative_to(library.path.parent).as_posix()}"))
        print_yaml(file.read_text(encoding="utf-8"))


def _steps_of(text: str) -> str:
    """Return the parameters and steps of a program's file, each list on one line."""
    body = text.partition("\nparameters:\n")[2].partition("\nprovenance:")[0]
    lines: list[str] = []
    for line in body.split("\n"):
        if item := _ITEM.fullmatch(line):
            list_ = lines.pop()
            lines.append(
                f"{list_} [{item[1]}]" if list_[-1] == ":" else f"{list_[:-1]}, {item[1]}]"
            )
        elif not line.startswith("    provided:"):
            lines.append(line)
    cut = (f"{line[:_WIDTH]} …" if len(line) > _WIDTH else line for line in lines)
    return "\n".join(("parameters:", *cut)).rstrip()


def _summary(report: EvalReport) -> None:
    low, high = report.interval.low, report.interval.high
    output.say(
        f"   solved {output.strong(f'{report.successes} of {len(report.outcomes)}')}"
        f" ({output.percent(report.success_rate)}; 95 % interval {output.percent(low)} to "
        f"{output.percent(high)})"
    )
    output.say(
        f"   {report.mean_steps:.1f} actions an episode, {output.percent(report.reuse_rate)} of "
        "them chosen by procedures; no language model was called"
    )
    if report.meta_hit_rate:
        output.say(f"   {output.percent(report.meta_hit_rate)} solved by a meta-procedure")


def _timeline(report: EvalReport, setting: Any, split: str) -> None:
    from ..evals.traces.episode_trace import Event, trace_task
    from .timeline import Timeline, begin, end

    # Long enough to show something, short enough to be read.
    successes = [each for each in report.outcomes if each.success] or list(report.outcomes)
    outcome = min(successes, key=lambda each: (len(each.procedures) < 3, each.steps))
    tasks = setting.suite.tasks(split)
    task = next(each for each in tasks if each.id == outcome.id)
    timeline = Timeline()

    def start(text: str, observation: str) -> None:
        for line in begin(text, observation):
            output.say(line)
        output.say()

    def show(event: Event) -> None:
        for line in timeline.lines(event):
            output.say(line)

    traced = trace_task(setting, task, on_start=start, on_event=show)
    output.say()
    for line in end(traced):
        output.say(line)


def _next_steps(world: str, keep: Path | None) -> None:
    output.say(output.strong("\nTry next:"))
    if keep is None:
        world_argument = "" if world == "alfworld" else f" {world}"
        output.say(
            f"  macla demo{world_argument} --keep my-demo\n      keep tasks and library, then:"
        )
        keep = Path("my-demo")
    library = f"--library {keep}/library"
    alfworld = (
        (
            f'macla trace --task "put a hot mug in desk." {library}',
            "why one plan and not another",
        ),
        (f"macla eval alfworld {library} --split {keep}/games/play", "the same games again"),
    )
    webshop = (
        (
            f"macla trace webshop {library} --world data={keep} --split dev --index 3",
            "another purchase, step by step",
        ),
        (f"macla eval webshop {library} --world data={keep} --split dev", "the same tasks again"),
    )
    lines = (
        (f"macla list {keep}/library", "what was learned, with its evidence"),
        *(alfworld if world == "alfworld" else webshop),
        (
            f"macla learn {keep}/demonstrations.jsonl --library mine",
            "learn from a file; yours works too",
        ),
    )
    for call, about in lines:
        output.say(f"  {call}\n      {about}")
