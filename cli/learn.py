"""``macla learn``: from episodes to a library."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import options, output

if TYPE_CHECKING:
    from ..adapters.reasoners.gaps import Filled
    from ..evals.teaching import Taught
    from ..procedures.trajectories import Trajectory

__all__ = ["command", "print_filled"]


@click.command(
    "learn",
    epilog=options.examples(
        "macla learn alfworld --library lib",
        "macla learn alfworld --library lib --episodes 2851 --seed 0 --unused rest.txt",
        "macla learn textworld --game cooking --episodes 200 --library cooking",
        "macla learn episodes.jsonl --library mine",
        "macla learn episodes.jsonl --library mine --review",
        "macla learn episodes.jsonl --library mine --reasoner hybrid:llama2:7b",
        "macla learn chats.jsonl more.json --library agent",
        "macla learn runs.json --format langsmith --library agent",
    ),
)
@click.argument("source", metavar="SOURCE")
@click.argument("more", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@options.library
@click.option("--episodes", type=click.IntRange(min=1), metavar="N", help="Learn from N episodes.")
@click.option("--seed", type=int, metavar="S", help="Seed of which N episodes are taken.")
@click.option("--scramble", type=int, metavar="SEED", help="Replace all words by invented ones.")
@click.option("--game", type=click.Choice(["cooking", "treasure", "hunt"]), help="For textworld.")
@click.option("--jobs", type=click.IntRange(min=1), help="TextWorld games made at the same time.")
@click.option(
    "--unused",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the games that were not learned from to FILE: a split for macla eval.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["auto", "episodes", "messages", "langsmith"]),
    default="auto",
    show_default=True,
    help="What files hold.",
)
@click.option("--keep-secrets", is_flag=True, help="messages, langsmith: do not redact.")
@click.option("--review", is_flag=True, help="Change nothing: propose each difference.")
@options.reasoner
@options.budget
@options.data
@options.as_json
@click.pass_context
def command(
    ctx: click.Context,
    source: str,
    more: tuple[Path, ...],
    library: Path,
    form: str,
    keep_secrets: bool,
    episodes: int | None,
    seed: int | None,
    scramble: int | None,
    game: str | None,
    jobs: int | None,
    unused: Path | None,
    review: bool,
    reasoner: str,
    model_calls: int | None,
    model_tokens: int | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Learn procedures from SOURCE into a library.

    SOURCE is alfworld (the expert's episodes of the benchmark data), textworld (walkthroughs of
    generated games, which are made and kept below the data root), or a file of episodes: JSON
    Lines with task, obs (one more than acts), acts and success.

    Logs of agents that call tools are learned from too, any number of files: conversations
    (messages as LangChain or OpenAI write them, one a line or a JSON list) and runs exported from
    LangSmith. Keys, passwords and e-mail addresses are taken out; a conversation that cannot be
    read is skipped with a warning. What was learned before stays, and grows.

    With --episodes N, alfworld and files give a random sample of N (--seed, by default 0). From
    textworld the first N games are taken, or, with --seed, a random sample of the train split.

    With a model as --reasoner, symbols learn first; the model is then asked about solved tasks that
    they found no plan for (20 at most), and what it answers is kept only if it gives the recorded
    actions again. What symbols learned stays as it is.

    A new library appears complete or not at all. Learning into a library that is there replaces
    what was learned before; what people locked stays. With --review nothing is replaced: each
    difference is a proposal, in git a branch, that waits for macla proposals accept.
    """
    if source != "textworld":
        options.refuse_given(ctx, "is for textworld", "game", "jobs")
    if source not in ("alfworld", "textworld"):
        options.refuse_given(ctx, "is for alfworld and textworld", "unused", "data")
    if source not in ("alfworld", "textworld"):
        files = [Path(source).expanduser(), *more]
        form = _form(files, form)
        if form != "episodes":
            what = "is not for logs"
            options.refuse_given(ctx, what, "episodes", "seed", "scramble", "review", "reasoner")
            options.refuse_given(ctx, what, "model_calls", "model_tokens")
            from .learn_logs import learn_logs

            learn_logs(library, files, form, redact=not keep_secrets, as_json=as_json)
            return
    if more:
        raise click.UsageError("several files are for logs; learn episodes one file at a time", ctx)
    options.refuse_given(ctx, "is for logs", "keep_secrets")
    if unused is not None and not unused.absolute().parent.is_dir():
        raise click.UsageError(f"--unused {unused}: there is no folder {unused.absolute().parent}")
    from ..adapters.reasoners.gaps import LEARNING

    budget = options.budget_of(reasoner, model_calls, model_tokens, LEARNING)
    options.check_reasoner(reasoner)
    with output.bar("reading", quiet=as_json) as bar, _uncollected():
        from ..adapters.reasoners.models import ReasonerName

        if source in ("alfworld", "textworld"):
            from ..evals.suites import make_suite

            suite = make_suite(source, data=data, game=game, jobs=jobs)
            found, left = suite.demonstrations(episodes, seed, bar)
            domain, facts = suite.domain, {"from": source}
        else:
            found, left = _read(source, episodes, seed or 0), []
            domain, facts = _domain(source), {"from": Path(source).name}
        record: dict[str, Any] = {**facts, "seed": seed} if seed is not None else dict(facts)
        asked = ReasonerName.parse(reasoner)
        if review:
            from .reviewing import review_learned

            review_learned(library, found, domain, record, scramble, asked, budget, bar, as_json)
            if unused is not None:
                _write_list(unused, left, source)
            return
        from ..evals.teaching import teach

        taught = teach(
            library,
            found,
            domain=domain,
            source=record,
            scramble=scramble,
            reasoner=asked,
            budget=budget,
            stage=bar.stage,
        )
    if unused is not None:
        _write_list(unused, left, source)
    if as_json:
        output.emit_json(_document(taught, seed, scramble, unused, len(left)))
        return
    _print(taught, source, library, unused, len(left), game, scramble)


def _form(files: list[Path], wanted: str) -> str:
    """Return what files hold; a name that is no file is left for reading to complain about."""
    from .learn_logs import format_of_files

    if wanted == "auto" and not files[0].exists():
        return "episodes"
    return format_of_files(files, wanted)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Leave garbage: a short run keeps what it makes, and collecting costs it a tenth more."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def _read(source: str, episodes: int | None, seed: int) -> list[Trajectory]:
    from ..evals.suites import sampled
    from ..procedures.errors import DataError
    from ..procedures.trajectories import read_trajectories

    file = Path(source).expanduser()
    if not file.suffix and not file.exists():
        raise DataError(
            f"no source {source[:200]!r}; write alfworld, textworld or the path of a file of "
            "episodes (JSON Lines)"
        )
    return sampled(list(read_trajectories(file)), episodes, seed, f"episodes of {file.name}")


def _domain(source: str) -> str:
    stem = Path(source).stem
    return "".join(letter if letter.isprintable() else "_" for letter in stem)[:200] or "file"


def _write_list(unused: Path, games: list[str], source: str) -> None:
    import os
    import secrets

    text = f"# games of {source} that were not learned from\n" + "".join(f"{g}\n" for g in games)
    temporary = unused.with_name(f".{unused.name}.{secrets.token_hex(6)}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, unused)
    finally:
        temporary.unlink(missing_ok=True)


def _document(
    taught: Taught, seed: int | None, scramble: int | None, unused: Path | None, left: int
) -> dict[str, Any]:
    document: dict[str, Any] = {
        "library": str(taught.library),
        "domain": taught.domain,
        "created": taught.created,
        "episodes": taught.episodes,
        "successes": taught.successes,
        "procedures": taught.procedures,
        "metas": taught.metas,
        "seconds": round(taught.seconds, 3),
        "seed": seed,
        "scramble": scramble,
        "library_hash": taught.library_hash,
        "changed": list(taught.changed),
    }
    if taught.filled is not None:
        document["model"] = asdict(taught.filled)
    if unused is not None:
        document |= {"unused": str(unused), "unused_games": left}
    return document


def print_filled(filled: Filled) -> None:
    """Say what a model added to what was learned."""
    click.echo(
        f"  without a plan {filled.gaps:>3} tasks; the model was asked about {filled.asked} "
        f"and added {filled.plans} plans, {filled.procedures} procedures "
        f"({filled.calls} calls, {filled.tokens} tokens)"
    )
    for why in filled.refused[:5]:
        click.echo(output.dim(f"    not taken: {why}"))


def _print(
    taught: Taught,
    source: str,
    library: Path,
    unused: Path | None,
    left: int,
    game: str | None,
    scramble: int | None,
) -> None:
    verb = "made" if taught.created else "updated"
    click.echo(f"{output.strong(str(library))} {verb} ({taught.domain})")
    click.echo(f"  episodes    {taught.episodes:>6} ({taught.successes} successes)")
    click.echo(f"  procedures  {taught.procedures:>6}")
    click.echo(f"  metas       {taught.metas:>6}")
    click.echo(f"  seconds     {taught.seconds:>6.2f}")
    if taught.filled is not None:
        print_filled(taught.filled)
    if unused is not None:
        click.echo(f"  {left} games were not learned from: {unused}")
    words = f" --scramble {scramble}" if scramble is not None else ""
    click.echo("\nTry next:")
    click.echo(f"  macla list {library}")
    if source == "alfworld":
        split = str(unused) if unused is not None else "valid_seen"
        click.echo(f"  macla eval alfworld --library {library} --split {split}{words}")
    elif source == "textworld":
        chosen = f" --game {game}" if game else ""
        call = f"macla eval textworld{chosen} --library {library} --split dev --admissible{words}"
        click.echo(f"  {call}")
    else:
        click.echo(f"  macla eval module:Class --library {library} --split TASKS.txt{words}")
