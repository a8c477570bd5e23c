"""``macla eval``: play a benchmark's tasks and report."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import options, output
from .keyed import Key, Keyed

if TYPE_CHECKING:
    from ..evals.players.arms import Setting
    from ..evals.reports.report import EvalReport
    from ..evals.running.executors import ExecutorName

_MEASURED = (
    ("mean_posterior", "mean posterior of choices", "{:.3f}"),
    ("brier", "Brier score of expectations", "{:.4f}"),
    ("decision_ms", "decision, ms of processor", "{:.2f}"),
)


@click.command(
    "eval",
    cls=Keyed,
    epilog=options.examples(
        "macla eval alfworld --library lib --split valid_seen",
        "macla eval alfworld --library lib --split rest.txt --jobs 2 --json > result.json",
        "macla eval textworld --world game=cooking --library cooking --split test",
        "macla eval alfworld --library lib --split valid_seen --model hybrid:llama2:7b",
        "macla eval alfworld --library lib --split valid_seen --method without=meta,ontology",
        "macla eval webshop --library shop --split dev",
        "macla eval webshop --library shop --split unseen --fact-memory --json",
        "macla eval intercode-sql --library sql --split gold --protocol ipr",
        "macla eval intercode-sql --library sql --split db --backend mysql://root@127.0.0.1:3306",
        "macla eval travelplanner --library trips --split dev --source database",
        "macla eval my_game:MyGame --library mine --split tasks.txt",
        "macla eval alfworld --library lib --split valid_seen --jobs ray:8",
        "macla eval my-suite.yaml --library mine --split dev --arm workflows",
    ),
)
@click.argument("suite")
@options.folder()
@click.option(
    "--split", required=True, metavar="NAME_OR_PATH", help="Tasks: a split, a folder or a list."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Play only N tasks.")
@options.seed
@click.option(
    "--arm",
    metavar="NAME",
    default="macla",
    show_default=True,
    help="Who plays: macla (the library), paper, printed, similarity, frozen, without-PART, "
    "no-memory, random, nearest, rebound, workflows, trajectories, copy or oracle; see below.",
)
@click.option(
    "--demos",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Demonstrations for nearest, rebound, workflows, trajectories and copy (default: those "
    "the library was learned from).",
)
@options.world(
    **options.playing_keys,
    verb_last=Key("The first word of every action at its end.", click.BOOL, False),
    engine=options.ENGINE,
    dialect=options.DIALECT,
    backend=Key("intercode-sql: which engine; mysql://… is a server.", form="sqlite|URL"),
    protocol=Key("intercode-sql: submit, or best.", click.Choice(["ipr", "intercode"])),
    source=Key(
        "travelplanner: what is told of the world: the cities of one route, or all.",
        click.Choice(["reference", "database"]),
    ),
    timeout=Key(
        "module:Class: how long one call of the environment may take (default: 60 seconds).",
        click.FloatRange(min=0.1),
        60.0,
    ),
)
@options.method(
    fact_memory=Key(
        "Know what was told of candidates when they were opened in practice and in the episodes "
        "played so far (default: only in this episode).",
        click.BOOL,
        False,
    )
)
@options.model()
@click.option("--record", is_flag=True, help="Write outcomes to the library's evidence.")
@options.jobs
@options.as_json
@click.pass_context
def command(
    ctx: click.Context,
    /,
    suite: str,
    seed: int,
    data: Path | None,
    jobs: tuple[ExecutorName, int | None],
    as_json: bool,
    **option_values: Any,
) -> None:
    """Play the tasks of SUITE live and report how many were solved, with a 95 % interval.

    SUITE is alfworld, textworld, webshop, intercode-sql, travelplanner; for an environment of your
    own a file FILE.yaml (docs/domains.md) or just module:Class. python -m macla.evals.acceptance
    plays all that is measured.

    \b
    --split is
      alfworld      a folder of games below the data root (valid_seen), a path to such a
                    folder, or a text file with one game path a line
      textworld     train, dev or test, a folder of games, or a list of them
      webshop       train, dev, unseen (targets that training never asks for), or a file with a
                    JSON list of task numbers
      intercode-sql own (tasks that demonstrations show), gold (right queries that are in no
                    other part of the data), db (whole databases), or a JSON file of tasks
      travelplanner train, dev, a fold of train (fold0), or a JSON file in the format of
                    train.json
      FILE.yaml     a split that the file names, or as below
      module:Class  a file with one task a line; .jsonl: JSON values, else text

    \b
    --arm is
      macla         the library; paper or printed: with that preset; similarity: chosen by likeness
                    alone; frozen: no evidence moves within an episode; without-PART: see --method
      no-memory     the reasoner, with an empty library
      random        random possible actions
      nearest       the nearest demonstration replayed; rebound: with the new task's names and
                    values in the places of the old
      workflows     the common steps of demonstrations of like tasks, followed by a script
      trajectories  what was done in the most similar situation of the nearest demonstrations
      oracle        the suite's own solutions (alfworld, intercode-sql, travelplanner's train)

    --limit N takes a random sample of the split, chosen by --seed and played in the split's
    order; of textworld's named splits, the first N games.

    With --world goals=human each game of alfworld is played three times, once for each sentence
    that a person wrote for it; won by the first plan taken up means that no reading of it was
    refuted on the way.

    The library does not change, and no evidence is written unless --record is given. The same
    episode with the same seed is recorded once.
    """  # noqa: D301 (click wants the character itself)
    executor, count = jobs
    workers = count or ((os.cpu_count() or 1) if executor == "ray" else 1)
    _check_one_suite(ctx, suite, option_values)
    if option_values["fact_memory"] and (workers > 1 or executor == "ray"):
        raise click.UsageError(
            "--method fact-memory plays in order: it does not go with --jobs", ctx
        )
    from ..evals.running.runner import evaluate

    setting = _setting(suite, seed, data, workers, option_values)
    check_words(setting)
    options.check_reasoner(setting.reasoner)
    with output.bar(suite, quiet=as_json) as bar:
        report = evaluate(
            setting,
            option_values["split"],
            limit=option_values["limit"],
            jobs=workers,
            executor=executor,
            progress=bar,
        )
    if report.errors:
        first = report.errors[0]
        output.warn(
            f"{len(report.errors)} of {len(report.outcomes)} episodes ended by an error and count "
            f"as lost; the first is {first.id}: {first.error}"
        )
    if as_json:
        output.emit_json(report.to_document())
    else:
        print_report(report)


def _check_one_suite(ctx: click.Context, suite: str, option_values: dict[str, Any]) -> None:
    """Refuse options that have no meaning for this suite and arm, and missing ones."""
    from ..evals.players.arm_kinds import arm_kind

    by_library = arm_kind(option_values["arm"]).player == "library"
    if option_values["library"] is None and by_library:
        raise click.UsageError("Missing option '--library'.", ctx)
    if option_values["record"] and option_values["arm"] != "macla":
        raise click.UsageError("--record is for the arm macla.", ctx)
    if not by_library:
        purpose = "is for arms that play the library"
        # To play without fact memory is no setting.
        remembers = ("fact_memory",) if option_values["fact_memory"] else ()
        options.refuse_given(ctx, purpose, "reasoner", "without", "preset", *remembers)
        options.refuse_given(ctx, purpose, "model_calls", "model_tokens", "model_timeout")
    if ":" not in suite and not suite.endswith((".yaml", ".yml")):
        options.refuse_given(ctx, "is for environments of your own", "timeout")


def _setting(
    name: str, seed: int, data: Path | None, jobs: int, option_values: dict[str, Any]
) -> Setting:
    from ..evals.players.arms import Setting
    from ..evals.suites.suites import make_suite
    from ..graph.budget import Budget

    of_suites = ("engine", "dialect", "goals", "game", "backend", "protocol", "source")
    suite_options = {key: option_values[key] for key in of_suites}
    # A player without a library must not copy what it is asked.
    suite_options["hold_out"] = option_values["split"] if name == "intercode-sql" else None
    suite = make_suite(name, data=data, **suite_options, jobs=jobs if name == "textworld" else None)
    library, demos = option_values["library"], option_values["demos"]
    return Setting(
        suite=suite,
        arm=option_values["arm"],
        library=str(library) if library is not None else None,
        max_steps=option_values["max_steps"] or suite.max_steps,
        admissible=suite.file.shown
        if option_values["admissible"] is None
        else option_values["admissible"],
        scramble=option_values["scramble"],
        verb_last=option_values["verb_last"],
        seed=seed,
        record=option_values["record"],
        demonstrations=str(demos) if demos is not None else None,
        timeout=option_values["timeout"],
        reasoner=option_values["reasoner"],
        without=option_values["without"],
        preset=option_values["preset"],
        fact_memory=option_values["fact_memory"],
        budget=options.budget_of(
            option_values["reasoner"],
            Budget(),
            calls=option_values["model_calls"],
            tokens=option_values["model_tokens"],
            timeout=option_values["model_timeout"],
        ),
    )


def check_words(setting: Setting) -> None:
    """Warn where a library lacks its words, or is asked in others or about another domain."""
    if setting.library is None or not setting.by_library:
        return
    from ..evals.suites.suites import SUITES
    from ..procedures.library.consistency import missing_words
    from ..procedures.library.library import Library

    library = Library.open(setting.library)
    for finding in missing_words(library.path):
        output.warn(f"{finding.file} {finding.message}")
    settings = library.settings
    source = settings.settings.get("learned", {})
    learned_scramble = source.get("scramble")
    if learned_scramble != setting.scramble:
        learned_words, advice = (
            ("plain words", "leave scramble out")
            if learned_scramble is None
            else (
                f"invented words (scramble {learned_scramble})",
                f"add --world scramble={learned_scramble}",
            )
        )
        output.warn(
            f"{setting.library} was learned in {learned_words}; {advice} to play in the same words"
        )
    dialect = dict(setting.suite.facts()).get("dialect", "2.1.3")
    spoken = "2.1.1" if source.get("agent_logs") else "2.1.3"
    if source.get("from") == "alfworld" and dialect != spoken:
        output.warn(
            f"{setting.library} was learned in the dialect {spoken}, whose verbs differ; play with "
            f"eval or trace and --world dialect={spoken}, or learn from episodes in {dialect}"
        )
    if source.get("from") in SUITES and settings.domain != setting.suite.domain:
        output.warn(f"{setting.library} holds {settings.domain!r}, not {setting.suite.domain!r}")


def print_report(report: EvalReport) -> None:
    """Print a report for people."""
    setting = report.setting
    n, facts = len(report.outcomes), dict(report.setting.suite.facts())
    words = f", scrambled ({setting.scramble})" if setting.scramble is not None else ""
    words += f", without {', '.join(sorted(setting.ablated))}" if setting.without else ""
    words += f", preset {setting.preset}" if setting.preset is not None else ""
    words += ", with fact memory" if setting.fact_memory else ""
    visibility = "shown" if setting.admissible else "hidden"
    output.say(output.strong(f"{setting.suite.name} {report.split}: {setting.arm}"))
    output.say(
        f"  {n} episodes of at most {setting.max_steps} steps, possible actions {visibility}"
        + "".join(f", {key} {value}" for key, value in facts.items())
        + f"{words}, seed {setting.seed}"
    )
    for name, value in _rows(report):
        output.say(f"  {name:<29} {value}")
    groups = report.groups()
    if len(groups) > 1:
        output.say()
        rated = [
            [name, f"{won}/{total}", output.percent(won / total)]
            for name, (won, total) in groups.items()
        ]
        output.table(["kind of task", "won", "success"], rated, numbers=(1, 2))
    _print_lost(report)


def _rows(report: EvalReport) -> list[tuple[str, str]]:
    """Return the rows of a report: names and values."""
    from ..evals.reports.metrics import metrics

    setting, interval, n = report.setting, report.interval, len(report.outcomes)
    calls = sum(outcome.llm_calls for outcome in report.outcomes)
    rows = [
        ("success", f"{output.percent(report.success_rate)}  ({report.successes} of {n})"),
        ("95 % interval", f"{output.percent(interval.low)} to {output.percent(interval.high)}"),
        ("mean steps", f"{report.mean_steps:.2f}"),
    ]
    if report.graded:
        low, high = report.reward_interval.low, report.reward_interval.high
        rows[:0] = [
            ("mean reward", f"{report.mean_reward:.3f}"),
            ("95 % interval", f"{low:.3f} to {high:.3f} (bootstrap)"),
        ]
    if dict(setting.suite.facts()).get("goals") == "human":
        first = report.at_first_interval
        share = f"{output.percent(report.at_first / n)}  ({report.at_first} of {n})"
        between = f"{output.percent(first.low)} to {output.percent(first.high)}"
        rows[-1:-1] = [("won by the first plan taken up", share), ("95 % interval", between)]
    if setting.by_library:
        rows += [
            ("actions chosen by procedures", output.percent(report.reuse_rate)),
            ("episodes solved by a meta", output.percent(report.meta_hit_rate)),
            ("model calls an episode", f"{calls / n:.2f}"),
        ]
        measured = metrics(report.outcomes, None)
        rows += [
            (name, form.format(measured[key]))
            for key, name, form in _MEASURED
            if measured[key] is not None
        ]
    if setting.reasoner != "symbolic":
        spent = sum(outcome.llm_tokens for outcome in report.outcomes)
        most = max(outcome.llm_calls for outcome in report.outcomes)
        failed = sum(outcome.llm_failures for outcome in report.outcomes)
        rows += [
            ("model calls, most", str(most)),
            ("model tokens an episode", f"{spent / n:.0f}"),
            ("questions without an answer", str(failed)),
        ]
    rows.append(("wall seconds", f"{report.seconds:.1f}"))
    return rows


def _print_lost(report: EvalReport) -> None:
    setting = report.setting
    lost_outcomes = [outcome for outcome in report.outcomes if not outcome.success]
    for outcome in lost_outcomes[:10]:
        why = outcome.error or f"{outcome.steps} steps"
        output.say(output.dim(f"  lost: {outcome.id} ({why})"))
    if len(lost_outcomes) > 10:
        output.say(output.dim(f"  … and {len(lost_outcomes) - 10} more"))
    if lost_outcomes and setting.arm == "macla" and _traceable(setting):
        output.say(
            f"\nTry next:\n  macla trace alfworld --library {setting.library} "
            f"--game-path {lost_outcomes[0].id}"
        )


def _traceable(setting: Setting) -> bool:
    """Whether ``macla trace`` without options would play a lost game the same way."""
    facts = dict(setting.suite.facts())
    plain = {"engine": "native", "dialect": "2.1.3", "goals": "templated"}
    return (
        setting.suite.name == "alfworld"
        and facts == plain
        and setting.scramble is None
        and not setting.admissible
        and setting.max_steps == setting.suite.max_steps
    )
