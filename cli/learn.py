"""``macla learn``: from episodes to a library."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from ..procedures.ablation import parse_parts
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
        "macla learn alfworld --library noisy --noise 0.6 --seed 1",
        "macla learn alfworld --library logs --agent-logs",
        "macla learn textworld --game cooking --episodes 200 --library cooking",
        "macla learn episodes.jsonl --library mine",
        "macla learn episodes.jsonl --library mine --policy review",
        "macla learn alfworld --library lib --online --episodes 570 --demonstrations 10",
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
@click.option(
    "--noise",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="For alfworld: before each action of the expert, a useless one with probability P.",
)
@click.option("--agent-logs", is_flag=True, help="For alfworld: learn from an agent's logs.")
@click.option("--game", type=click.Choice(["cooking", "treasure", "hunt"]), help="For textworld.")
@click.option(
    "--goals",
    type=click.Choice(["templated", "human"]),
    help="alfworld: also learn how people put these tasks into words.",
)
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
@click.option(
    "--policy",
    type=click.Choice(["auto", "review"]),
    help="auto writes what is learned at once, review proposes each difference (default: the "
    "library's own; review where git tracks it, else auto).",
)
@click.option("--review", is_flag=True, help="The same as --policy review.")
@click.option("--domain", metavar="NAME", help="Name of the domain (default: the source's).")
@click.option("--online", is_flag=True, help="Play, and learn after each episode.")
@click.option(
    "--demonstrations",
    metavar="K",
    help="With --online: learn from K demonstrations first, or from all (default: 0).",
)
@click.option(
    "--leave-out",
    multiple=True,
    metavar="TEXT",
    help="With --online: leave out demonstrations with an action that begins with TEXT.",
)
@click.option("--split", default="train", show_default=True, help="With --online: what to play.")
@click.option("--max-steps", type=click.IntRange(min=1), help="With --online: the horizon.")
@click.option("--hidden", is_flag=True, help="With --online: do not show what is possible.")
@click.option(
    "--experiments",
    type=click.IntRange(min=0),
    default=15,
    show_default=True,
    help="With --online: actions that an episode may spend on experiments.",
)
@click.option(
    "--curve",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="With --online: where the curve goes (default: .macla/curve.json in the library).",
)
@click.option(
    "--compare",
    is_flag=True,
    help="With --online: play the games without learning as well, and test the difference.",
)
@options.without
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
    noise: float | None,
    agent_logs: bool,
    game: str | None,
    goals: str | None,
    jobs: int | None,
    unused: Path | None,
    policy: Literal["auto", "review"] | None,
    review: bool,
    domain: str | None,
    without: tuple[str, ...],
    reasoner: str,
    model_calls: int | None,
    model_tokens: int | None,
    data: Path | None,
    as_json: bool,
    online: bool,
    demonstrations: str | None,
    leave_out: tuple[str, ...],
    split: str,
    max_steps: int | None,
    hidden: bool,
    experiments: int,
    curve: Path | None,
    compare: bool,
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

    ALFWorld's demonstrations can be worse than the expert's. With --noise P, looking around,
    examining, useless and impossible actions are really done in between. With --agent-logs, the
    runs of a language model are learned from, two thirds of which failed; they are in the dialect
    2.1.1, so evaluate with --dialect 2.1.1.

    With a model as --reasoner, symbols learn first; the model is then asked about solved tasks that
    they found no plan for (20 at most), and what it answers is kept only if it gives the recorded
    actions again. What symbols learned stays as it is.

    A new library appears complete or not at all. Learning into a library that is there replaces
    what was learned before; what people locked stays. Where git tracks the library nothing is
    replaced by default: each difference is a proposal, a branch, that waits for macla proposals
    accept. With --policy auto, or proposals: {policy: auto} among the settings in library.yaml,
    each difference is written at once, in git as a commit of its own.

    With --online, N episodes are played, of games that were not demonstrations, and learned from
    one by one; SOURCE may also be module:Class, an environment of your own, with a file of tasks
    as --split. What is possible is shown while practising. Where a step cannot be done, something
    is tried; what helps becomes a rule. What failed often enough is refined. Ctrl-C ends it and
    keeps everything; the same command goes on. With --policy auto in a git work tree each change
    is a commit.
    """
    if review and policy == "auto":
        raise click.UsageError("--review and --policy auto exclude each other")
    parse_parts(without)
    if online:
        options.refuse_given(ctx, "does not go with --online", "unused", "reasoner")
        if episodes is None:
            raise click.UsageError("--online needs --episodes N: how many to play")
        from ..evals.suites import make_suite
        from .learn_online import OnlineRequest, learn_online

        request = OnlineRequest(
            source,
            library,
            episodes,
            _count(demonstrations),
            leave_out,
            split,
            seed or 0,
            max_steps,
            scramble,
            hidden,
            experiments,
            curve,
            compare,
            without,
            "review" if review else policy,
        )
        learn_online(request, make_suite(source, data=data, game=game, jobs=jobs), as_json=as_json)
        return
    options.refuse_given(
        ctx,
        "needs --online",
        "demonstrations",
        "leave_out",
        "split",
        "max_steps",
        "hidden",
        "experiments",
        "curve",
        "compare",
    )
    if source != "textworld":
        options.refuse_given(ctx, "is for textworld", "game", "jobs")
    if source != "alfworld":
        options.refuse_given(ctx, "is for alfworld", "goals", "noise", "agent_logs")
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
    from .reviewing import domain_under_review, review_learned, way_of

    way = way_of(library, "review" if review else policy)
    if way is not None:
        options.refuse_given(ctx, "is for experiments; it does not go with proposals", "without")
    with output.bar("reading", quiet=as_json) as bar, _uncollected():
        from ..adapters.reasoners.models import ReasonerName

        if source in ("alfworld", "textworld"):
            from ..evals.suites import make_suite

            chosen = {"game": game, "jobs": jobs, "noise": noise, "agent_logs": agent_logs or None}
            suite = make_suite(source, data=data, goals=goals, **chosen)
            found, left = suite.demonstrations(episodes, seed, bar)
            domain, facts = domain or suite.domain, _facts(source, noise, agent_logs)
        else:
            found, left = _read(source, episodes, seed or 0), []
            if way is not None:
                domain = domain or domain_under_review(library)
            domain, facts = domain or _domain(source), {"from": Path(source).name}
        if goals is not None:
            facts["goals"] = goals
        record: dict[str, Any] = {**facts, "seed": seed} if seed is not None else dict(facts)
        asked = ReasonerName.parse(reasoner)
        if way is not None:
            review_learned(
                library, found, domain, record, scramble, asked, budget, way, bar, as_json
            )
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
            without=without,
            stage=bar.stage,
        )
    if unused is not None:
        _write_list(unused, left, source)
    if as_json:
        output.emit_json(_document(taught, seed, scramble, unused, len(left)))
        return
    _print(taught, source, library, unused, len(left), game, scramble, agent_logs)


def _facts(source: str, noise: float | None, agent_logs: bool) -> dict[str, Any]:
    """Return what the library records about where it was learned from."""
    facts: dict[str, Any] = {"from": source}
    if noise:
        facts["noise"] = noise
    if agent_logs:
        facts["agent_logs"] = True
    return facts


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


def _count(demonstrations: str | None) -> int | None:
    """Read ``--demonstrations``: a number, or all, which is None."""
    if demonstrations == "all":
        return None
    if demonstrations is None:
        return 0
    if not demonstrations.isdecimal():
        raise click.UsageError(f"--demonstrations takes a number or all, not {demonstrations!r}")
    return int(demonstrations)


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
    agent_logs: bool,
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
        older = " --dialect 2.1.1" if agent_logs else ""
        click.echo(f"  macla eval alfworld --library {library} --split {split}{older}{words}")
    elif source == "textworld":
        chosen = f" --game {game}" if game else ""
        call = f"macla eval textworld{chosen} --library {library} --split dev --admissible{words}"
        click.echo(f"  {call}")
    else:
        click.echo(f"  macla eval module:Class --library {library} --split TASKS.txt{words}")
