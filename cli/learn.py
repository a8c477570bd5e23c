"""``macla learn``: from a suite's demonstrations or a file of episodes to a library."""

from __future__ import annotations

import sys
from contextlib import nullcontext, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import click

from ..procedures.method.ablation import parse_parts
from . import options, output
from .keyed import Key, Keyed
from .learn_options import LearnOptions, check_options, use_of


@click.command(
    "learn",
    cls=Keyed,
    epilog=options.examples(
        "macla learn alfworld --library lib",
        "macla learn alfworld --library lib --episodes 2851 --seed 0 --unused rest.txt",
        "macla learn alfworld --library noisy --world noise=0.6 --seed 1",
        "macla learn alfworld --library meant --method paper",
        "macla learn alfworld --library logs --world agent-logs",
        "macla learn webshop --library shop --episodes 20",
        "macla learn webshop --library shop --practice 1606",
        "macla learn textworld --world game=cooking --episodes 200 --library cooking",
        "macla learn intercode-sql --library sql --hold-out gold",
        "macla learn intercode-sql --library sql --exclude-db world_1,car_1",
        "macla learn intercode-sql --library sql --protocol intercode",
        "macla learn travelplanner --library trips",
        "macla learn episodes.jsonl --library mine",
        "macla learn episodes.jsonl --library mine --jobs ray:8",
        "macla learn episodes.jsonl --library mine --policy review",
        "macla learn episodes.jsonl --library mine --model hybrid:llama2:7b",
        "macla learn episodes.jsonl --library mine --model segmenter=ollama:llama2:7b",
    ),
)
@click.argument("source", metavar="SOURCE")
@options.library
@click.option("--episodes", type=click.IntRange(min=1), metavar="N", help="Learn from N episodes.")
@click.option("--seed", type=int, metavar="S", help="Seed of which N episodes are taken.")
@click.option(
    "--unused",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the games that were not learned from to FILE: a split for macla eval.",
)
@click.option("--keep-secrets", is_flag=True, help="Do not redact a file.")
@options.policy
@click.option(
    "--replace",
    is_flag=True,
    help="Let what was learned from episodes that are not here go, where it is not learned again.",
)
@options.world(
    verb_last=Key("The first word of every action at its end.", click.BOOL, False),
    noise=Key(
        "alfworld: before each action of the expert, a useless one with this probability.",
        click.FloatRange(0, 1),
    ),
    agent_logs=Key("alfworld: the runs of a language model instead.", click.BOOL, False),
    exclude_db=Key("intercode-sql: learn nothing from these databases.", form="A,B"),
    hold_out=Key(
        "intercode-sql: learn nothing from the tasks of this split or file, or from other wordings "
        "of them.",
        form="NAME_OR_FILE",
    ),
    protocol=Key(
        "intercode-sql: by which rules demonstrations are played: submit, or best.",
        click.Choice(["ipr", "intercode"]),
    ),
    domain=Key("Name of the domain (default: the source's)."),
)
@options.method(
    practice=Key(
        "Then play until N train tasks were played for rewards, as macla practice --rewards does, "
        "if a program leaves a choice open.",
        click.IntRange(min=1),
    )
)
@options.model(segmenter=options.SEGMENTER)
@options.jobs
@options.as_json
@click.pass_context
def command(ctx: click.Context, /, **option_values: Any) -> int:
    """Learn procedures from SOURCE into a library.

    \b
    SOURCE is
      alfworld      the expert's episodes of the benchmark data
      travelplanner  plans that people made
      textworld     walkthroughs of generated games, made and kept below the data root
      webshop       an expert model's purchases of the benchmark data
      intercode-sql the shortest logged ways to a right answer
      FILE.yaml     a suite of your own (docs/domains.md)
      FILE          episodes: JSON Lines with task, obs (one more than acts), acts, success

    A new library appears complete or not at all. One that is there grows: episodes are learned
    from together with those that it was taught from before (.macla/demonstrations.jsonl). What was
    learned from episodes that are not here stays (--replace lets it go), and so does what people
    wrote or locked. Where git tracks the library, episodes change nothing by default: each
    difference is a proposal, a branch, that waits for macla proposals accept.

    macla practice plays, macla observe learns from logs of agents.

    --episodes N takes a random sample (--seed, by default 0); from textworld the first N games,
    with --seed a sample. noise really does useless and impossible actions in between. agent-logs
    are in the dialect 2.1.1: evaluate with --world dialect=2.1.1.

    Keys, passwords and e-mail addresses in files are taken out; an episode that cannot be read,
    and a learned document that does not fit, is named and skipped: the rest is learned, and the
    exit code is 1.

    With a model, symbols learn first; the model is asked about solved tasks that they found no
    plan for (20 at most), and its answer is kept only if it gives the recorded actions again.

    With --model segmenter=MODEL it cuts one demonstration of each goal (20 at most) into
    procedures, and says what each achieves, needs and shows. The others of the goal are cut
    likewise. It is kept where it reproduces these demonstrations no less often than symbols do,
    who else stand. What a program explains is not cut.
    """  # noqa: D301 (click wants the character itself)
    executor, jobs = option_values.pop("jobs")
    practice = option_values.pop("practice")
    learn_options = LearnOptions(**option_values, executor=executor, jobs=jobs)
    use = use_of(learn_options)
    check_options(ctx, learn_options, use)
    parse_parts(learn_options.without)
    from ..procedures.library.undo import undoable
    from .learn_lesson import learn_lesson
    from .learn_sources import read_benchmark, read_episodes

    if practice is not None and use == "episodes":
        raise click.UsageError("practice is for suites, which have tasks to play", ctx)
    # One document is printed: that of what was done last.
    printed = StringIO()
    quiet = practice is not None and learn_options.as_json
    with undoable(learn_options.library, f"learning from {learn_options.source}"):
        with redirect_stdout(printed) if quiet else nullcontext():
            code = learn_lesson(
                ctx, learn_options, read_episodes if use == "episodes" else read_benchmark
            )
        if practice is not None and code == 0:
            from ..evals.practice.rewarding import has_open_choice
            from ..procedures.library.library import Library
            from .practice import PracticeOptions
            from .rewarded import practise_rewarded

            if has_open_choice(Library.open(learn_options.library)):
                practise_rewarded(PracticeOptions.after_learning(learn_options, practice))
                return code
            output.warn(
                "nothing was practised: no program leaves a choice open, so that rewards have "
                "nothing to tell"
            )
        sys.stdout.write(printed.getvalue())
    return code
