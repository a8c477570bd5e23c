"""``macla trace``: one episode, every decision."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import options, output
from .keyed import Keyed

if TYPE_CHECKING:
    from ..evals.players.arms import Setting
    from ..evals.suites.suites import EvalTask, Suite
    from ..evals.traces.episode_trace import Event


@click.command(
    "trace",
    cls=Keyed,
    epilog=options.examples(
        "macla trace alfworld --library lib --split valid_seen --index 7",
        "macla trace alfworld --library lib --game-path games/some_task/trial_1",
        "macla trace alfworld --library lib --split valid_seen --world goals=human --index 257",
        "macla trace alfworld --library lib --split valid_seen --method paper --json",
        "macla trace textworld --world game=cooking --library cooking --split dev",
    ),
)
@click.argument("suite")
@options.library
@click.option("--game-path", metavar="PATH", help="The game to play.")
@click.option("--split", metavar="NAME_OR_PATH", help="Or: the split to take it from.")
@click.option(
    "--index", type=click.IntRange(min=0), default=0, show_default=True, help="Which, from 0."
)
@options.world(**options.playing_keys, engine=options.ENGINE, dialect=options.DIALECT)
@options.method()
@options.seed
@options.as_json
@click.pass_context
def command(
    ctx: click.Context,
    /,
    suite: str,
    library: Path,
    game_path: str | None,
    split: str | None,
    index: int,
    max_steps: int | None,
    admissible: bool | None,
    scramble: int | None,
    without: tuple[str, ...],
    preset: str | None,
    seed: int,
    data: Path | None,
    as_json: bool,
    **suite_options: Any,
) -> None:
    """Play one episode live and print it as a timeline.

    It shows how the task was read, what was chosen and its expected utility (EU), the conditions
    that were checked with the text that decided them, the actions and what the world answered, and
    at the end the evidence of what was used, before and after, with its entropy in nats, and the
    plan that the episode speaks for. Nothing is recorded.

    --json prints one document with all candidates and every number; its schema is
    trace.schema.json. With --world goals=human each game counts three times, once for each
    sentence.
    """
    if (game_path is None) == (split is None):
        raise click.UsageError("Give either --game-path or --split (with --index).", ctx)
    if game_path is not None:
        options.refuse_given(ctx, "goes with --split", "index")
    from ..evals.players.arms import Setting
    from ..evals.suites.suites import make_suite
    from ..evals.traces.episode_trace import trace_task
    from .evaluate import check_words

    played_in = make_suite(suite, data=data, **suite_options)
    setting = Setting(
        suite=played_in,
        library=str(library),
        max_steps=max_steps or played_in.max_steps,
        admissible=bool(admissible),
        scramble=scramble,
        seed=seed,
        without=without,
        preset=preset,
    )
    check_words(setting)
    task = _task(played_in, game_path or split or "", index, seed, chosen_by_path=bool(game_path))
    if as_json:
        output.emit_json(trace_task(setting, task).to_document())
        return
    _show(setting, task)


def _show(setting: Setting, task: EvalTask) -> None:
    """Play a task and print it as it goes."""
    from ..evals.traces.episode_trace import trace_task
    from .timeline import Timeline, begin, end

    timeline = Timeline()

    def show(event: Event) -> None:
        for line in timeline.lines(event):
            output.say(line)

    def start(text: str, observation: str) -> None:
        output.say(output.dim(task.id))
        for line in begin(text, observation):
            output.say(line)
        output.say()

    traced = trace_task(setting, task, on_start=start, on_event=show)
    output.say()
    for line in end(traced):
        output.say(line)


def _task(suite: Suite, where: str, index: int, seed: int, *, chosen_by_path: bool) -> EvalTask:
    from ..procedures.common.errors import DataError

    tasks = suite.tasks(where, seed=seed)
    if chosen_by_path and len(tasks) != 1:
        raise DataError(f"{where} holds {len(tasks)} games; name one, or use --split with --index")
    if index >= len(tasks):
        raise DataError(f"{where} has {len(tasks)} tasks, numbered from 0; there is no {index}")
    return tasks[index]
