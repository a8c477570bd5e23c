"""``macla trace``: one episode, every decision, or the first decision alone."""

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
        'macla trace --task "put a clean mug in coffeemachine." --library lib',
        'macla trace --task "look at book under the desklamp." --library lib --json',
    ),
)
@click.argument("suite", required=False)
@options.library
@click.option("--game-path", metavar="PATH", help="The game to play.")
@click.option("--split", metavar="NAME_OR_PATH", help="Or: the split to take it from.")
@click.option(
    "--index", type=click.IntRange(min=0), default=0, show_default=True, help="Which, from 0."
)
@click.option("--task", "text", metavar="TEXT", help="Instead of SUITE: only decide on this task.")
@click.option("--observation", default="", metavar="TEXT", help="--task: the first observation.")
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=8,
    show_default=True,
    help="--task: how many candidates.",
)
@options.world(**options.playing_keys, engine=options.ENGINE, dialect=options.DIALECT)
@options.method()
@options.seed
@options.as_json
@click.pass_context
def command(
    ctx: click.Context,
    /,
    suite: str | None,
    library: Path,
    game_path: str | None,
    split: str | None,
    index: int,
    text: str | None,
    observation: str,
    top: int,
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
    """Play one episode of SUITE live and print it as a timeline, or --task TEXT: decide on it.

    The timeline shows how the task was read, what was chosen and its expected utility (EU), the
    conditions that were checked with the text that decided them, the actions and what the world
    answered, and at the end the evidence of what was used, before and after, with its entropy in
    nats, and the plan that the episode speaks for. Nothing is recorded.

    --json prints one document with all candidates and every number; its schema is
    trace.schema.json. With --world goals=human each game counts three times, once for each
    sentence.

    With --task nothing is played. It says what the loop would choose first, and why not something
    else, in numbers:

    \b
    similarity  cosine of task and goal in the index: what retrieval goes by
    reading     cost of reading the task's words as the goal's slots; lower is better
                (a program says itself which tasks it reads)
    rel         relevance: how probable this reading is among all (candidates that would do the
                same share it)
    rate        success rate assumed: mean of Beta(alpha, beta)
    EU          expected utility = gain - loss + bonus for what is uncertain

    The candidate with the highest EU is chosen if it reaches the threshold; below it, the
    fallback acts.
    """  # noqa: D301 (click wants the character itself)
    if text is not None:
        if suite is not None:
            raise click.UsageError("--task stands in the place of SUITE", ctx)
        of_episode = ("game_path", "split", "index", "max_steps", "admissible", "scramble", "data")
        options.refuse_given(ctx, "does not go with --task", *of_episode, *suite_options)
        from .trace_decision import print_decision

        print_decision(
            library,
            text,
            observation,
            preset=preset,
            without=without,
            seed=seed,
            top=top,
            as_json=as_json,
        )
        return
    if suite is None:
        raise click.UsageError("Name a SUITE, or --task TEXT.", ctx)
    options.refuse_given(ctx, "goes with --task", "observation", "top")
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
