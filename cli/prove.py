"""``macla prove``: what a library reproduces of its own demonstrations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import options, output
from .validate import require_library

if TYPE_CHECKING:
    from ..adapters.proving.proving_report import LibraryProof
    from ..procedures.episodes.trajectories import Trajectory
    from ..procedures.proof.proof import Proof
    from ..procedures.tooling.tool_episodes import ToolEpisode

_KINDS = 10
"""Most kinds of divergences that are printed."""
_TASK = 60
"""Most characters of a task in a line."""


@click.command(
    "prove",
    epilog=options.examples(
        "macla prove lib",
        "macla prove lib --limit 200 --no-folds",
        "macla prove lib episodes.jsonl --folds 10 --seed 1",
        "macla prove agent chats.jsonl more.json --json",
    ),
)
@options.library_argument
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--folds",
    type=click.IntRange(min=2),
    default=5,
    show_default=True,
    metavar="K",
    help="Hold demonstrations out in K folds.",
)
@click.option("--no-folds", is_flag=True, help="Prove the library as it is, and nothing held out.")
@click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help="Prove a random sample of N."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["auto", "episodes", "messages", "langsmith"]),
    default="auto",
    show_default=True,
    help="What files hold.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of sample and folds.")
@options.as_json
@click.pass_context
def command(
    ctx: click.Context,
    library: Path,
    files: tuple[Path, ...],
    folds: int,
    no_folds: bool,
    limit: int | None,
    form: str,
    seed: int,
    as_json: bool,
) -> None:
    """Prove the library DIR: at each step of a demonstration, would it do what was shown?

    What was really observed is given, so one wrong step does not hide the next. Where the library
    searches, it is enough that what was shown is among what it holds possible. A demonstration is
    reproduced if no step diverges. Without FILE the demonstrations are those that the library
    keeps; else episodes (JSON Lines) or logs of agents, as macla learn takes them.

    Held out by folds, a library is learned from the other demonstrations, with the same options,
    in a temporary folder. The floor is the nearest of these with the new task's names. Bits an
    action say how well the steps are predicted: fewer are better.

    Nothing changes but a summary beside the library, which macla list and macla check show.
    """
    from ..adapters.proving.proving import prove_library

    if no_folds:
        options.refuse_given(ctx, "does not go with --no-folds", "folds")
    require_library(library)
    with output.bar("reading", quiet=as_json) as bar:
        episodes = _read(files, form) if files else None
        proof = prove_library(
            library,
            episodes,
            folds=0 if no_folds else folds,
            limit=limit,
            seed=seed,
            progress=bar,
        )
    if as_json:
        output.emit_json(proof.to_document())
    else:
        _print(proof)


def _read(files: Sequence[Path], form: str) -> Sequence[Trajectory] | Sequence[ToolEpisode]:
    """Read demonstrations as ``macla learn`` does."""
    from ..procedures.common.errors import DataError
    from ..procedures.episodes.trajectories import read_trajectories
    from .observing import format_of_files

    missing = next((file for file in files if not file.is_file()), None)
    if missing is not None:
        raise DataError(f"{missing}: there is no such file")
    form = format_of_files(files, form)
    if form == "episodes":
        return [each for file in files for each in read_trajectories(file)]
    from ..adapters.langchain.logs import episodes_from_chat_log, episodes_from_langsmith

    read_runs = episodes_from_langsmith if form == "langsmith" else episodes_from_chat_log
    runs = [each for file in files for each in read_runs(file)]
    if not runs:
        raise DataError(f"{', '.join(map(str, files))}: no run of an agent that calls tools")
    return runs


def _print(proof: LibraryProof) -> None:
    here = proof.here
    if here.of < proof.demonstrations:
        output.say(f"a sample of {here.of} of {proof.demonstrations:,} demonstrations")
    if proof.left_out:
        output.say(f"{proof.left_out} episodes that failed are no demonstrations")
    output.say(f"{_rate(here)}, {_bits(here)}  [the library as it is]")
    if proof.held_out is not None and proof.floor is not None:
        held_out, floor = proof.held_out, proof.floor
        folds_text = f" held out in {proof.folds} folds"
        output.say(f"{_rate(held_out, folds_text)}, {_bits(held_out)}")
        floor_text = "by the nearest demonstration re-bound, held out"
        output.say(f"{floor.reproduced} of {floor.of} {floor_text}  [the floor]")
    _print_kinds(here)


def _rate(proof: Proof, where: str = "") -> str:
    interval = proof.interval
    bounds = f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"
    count = output.strong(f"{proof.reproduced} of {proof.of}")
    searched = f", {proof.searched} of them only by searching" if proof.searched else ""
    return f"{count} reproduced{where} ({output.percent(proof.share)}, {bounds}){searched}"


def _bits(proof: Proof) -> str:
    return f"{proof.bits_an_action:.2f} bits an action"


def _print_kinds(proof: Proof) -> None:
    from ..procedures.learning.proved import in_words

    if not proof.kinds:
        return
    output.say("first divergences (library as it is):")
    for kind in proof.kinds[:_KINDS]:
        task = " ".join(kind.example.task.split())
        task = task if len(task) <= _TASK else task[: _TASK - 1] + "…"
        output.say(f'  {kind.count:>3}  {in_words(kind.example)}; e.g. task "{task}"')
    if (kinds_left := len(proof.kinds) - _KINDS) > 0:
        count_left = sum(kind.count for kind in proof.kinds[_KINDS:])
        output.say(f"       and {count_left} of {kinds_left} more kinds (--json has all)")
