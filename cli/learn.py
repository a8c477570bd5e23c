"""``macla learn``: from episodes, logs or practice to a library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..procedures.ablation import parse_parts
from . import options, output
from .learn_options import LearnOptions, check_options, use_of
from .learn_practice import begun, learn_practice

__all__ = ["command"]

_HEADINGS = {
    "What is learned from": ("episodes", "seed", "scramble", "verb_last", "data", "unused"),
    "Only for alfworld": ("goals", "noise", "agent_logs"),
    "Only for textworld": ("game",),
    "Only for intercode-sql": ("exclude_db", "hold_out"),
    "Only for files": ("form", "keep_secrets"),
    "What becomes of it": ("policy", "replace", "domain"),
    "Who learns": (
        *("preset", "without", "reasoner", "segmenter", "executor", "jobs"),
        *("model_calls", "model_tokens", "model_timeout"),
    ),
    "Practice": (
        *("online", "demonstrations", "leave_out", "split", "max_steps", "hidden"),
        *("experiments", "curve", "compare", "practice"),
    ),
}


@click.command(
    "learn",
    cls=options.Grouped,
    headings=_HEADINGS,
    epilog=options.examples(
        "macla learn alfworld --library lib",
        "macla learn alfworld --library lib --episodes 2851 --seed 0 --unused rest.txt",
        "macla learn alfworld --library noisy --noise 0.6 --seed 1",
        "macla learn alfworld --library meant --preset paper",
        "macla learn alfworld --library logs --agent-logs",
        "macla learn webshop --library shop --episodes 20",
        "macla learn webshop --library shop --practice 1606",
        "macla learn textworld --game cooking --episodes 200 --library cooking",
        "macla learn intercode-sql --library sql --hold-out gold",
        "macla learn intercode-sql --library sql --exclude-db world_1,car_1",
        "macla learn travelplanner --library trips",
        "macla learn episodes.jsonl --library mine",
        "macla learn episodes.jsonl --library mine --executor ray --jobs 8",
        "macla learn episodes.jsonl --library mine --policy review",
        "macla learn episodes.jsonl --library mine --reasoner hybrid:llama2:7b",
        "macla learn episodes.jsonl --library mine --segmenter ollama:llama2:7b",
        "macla learn chats.jsonl more.json --library agent",
        "macla learn runs.json --format langsmith --library agent",
        "macla learn alfworld --library lib --online --episodes 570 --demonstrations 10",
        "macla learn my_game:MyGame --library lib --online --episodes 100 --split tasks.txt",
        "macla learn my_shop:MyShop --library lib --practice 500 --split tasks.txt",
    ),
)
@click.argument("source", metavar="SOURCE")
@click.argument("more", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@options.library
@click.option(
    "--episodes",
    type=click.IntRange(min=1),
    metavar="N",
    help="Learn from N episodes; with --online play until N were played in all.",
)
@click.option("--seed", type=int, metavar="S", help="Seed of which N episodes are taken.")
@click.option("--scramble", type=int, metavar="SEED", help="Replace all words by invented ones.")
@click.option("--verb-last", is_flag=True, help="The first word of every action at its end.")
@click.option(
    "--noise",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Before each action of the expert, a useless one with probability P.",
)
@click.option("--agent-logs", is_flag=True, help="The runs of a language model instead.")
@click.option("--game", type=click.Choice(["cooking", "treasure", "hunt"]), help="Which games.")
@click.option(
    "--goals",
    type=click.Choice(["templated", "human"]),
    help="human: also learn how people put these tasks into words.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Games of textworld made at the same time; processes of --executor ray.",
)
@click.option("--exclude-db", metavar="A,B", help="Learn nothing from these databases.")
@click.option(
    "--hold-out",
    metavar="NAME_OR_FILE",
    help="Learn nothing from the tasks of this split, or from other wordings of them.",
)
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
@click.option("--keep-secrets", is_flag=True, help="Do not redact.")
@click.option(
    "--policy",
    type=click.Choice(["auto", "review"]),
    help="auto writes what is learned at once, review proposes each difference (default: the "
    "library's own; review where git tracks it, else auto).",
)
@options.replaced("--review", "--policy review")
@click.option(
    "--replace",
    is_flag=True,
    help="Let what was learned from episodes that are not here go, where it is not learned again.",
)
@click.option("--domain", metavar="NAME", help="Name of the domain (default: the source's).")
@click.option("--online", is_flag=True, help="Play, and learn after each episode.")
@click.option(
    "--demonstrations",
    metavar="K",
    help="Learn from K demonstrations first, or from all (default: 0).",
)
@click.option(
    "--leave-out",
    multiple=True,
    metavar="TEXT",
    help="Leave out demonstrations with an action that begins with TEXT.",
)
@click.option(
    "--split", metavar="NAME_OR_PATH", default="train", show_default=True, help="What to play."
)
@click.option("--max-steps", type=click.IntRange(min=1), help="Most actions of an episode.")
@click.option("--hidden", is_flag=True, help="Do not show which actions are possible.")
@click.option(
    "--experiments",
    type=click.IntRange(min=0),
    default=15,
    show_default=True,
    help="Actions that an episode may spend on experiments.",
)
@click.option(
    "--curve",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where the learning curve goes (default: .macla/curve.json in the library).",
)
@click.option(
    "--compare",
    is_flag=True,
    help="Play the games without learning as well, and test the difference.",
)
@click.option(
    "--practice",
    type=click.IntRange(min=1),
    metavar="N",
    help="Play for graded rewards until N episodes were played in all, and learn what candidates "
    "are worth.",
)
@options.executor
@options.without
@options.preset
@options.reasoner
@options.segmenter
@options.budget
@options.data
@options.as_json
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> int:
    """Learn procedures from SOURCE into a library.

    \b
    SOURCE is
      alfworld      the expert's episodes of the benchmark data
      travelplanner  plans that people made
      textworld     walkthroughs of generated games, made and kept below the data root
      webshop       an expert model's purchases of the benchmark data
      intercode-sql the shortest logged ways to a right answer
      FILE          episodes: JSON Lines with task, obs (one more than acts), acts, success
      FILE [FILE]…  logs of agents that call tools: conversations (messages of LangChain or
                    OpenAI, one a line or a JSON list) or runs exported from LangSmith
      module:Class  with --online or --practice: an environment of your own; --split is a file of
                    its tasks

    A new library appears complete or not at all. One that is there grows: episodes are learned
    from together with those that it was taught from before (.macla/demonstrations.jsonl). What was
    learned from episodes that are not here stays (--replace lets it go), and so does what people
    wrote or locked. Where git tracks the library, episodes change nothing by default: each
    difference is a proposal, a branch, that waits for macla proposals accept.

    --episodes N takes a random sample (--seed, by default 0); from textworld the first N games,
    with --seed a sample. --noise P really does useless and impossible actions in between.
    --agent-logs are in the dialect 2.1.1: evaluate with --dialect 2.1.1.

    Keys, passwords and e-mail addresses in files are taken out; an episode or a
    conversation that cannot be read, and a learned document that does not fit, is named and
    skipped: the rest is learned, and the exit code is 1.

    With a model as --reasoner, symbols learn first; the model is asked about solved tasks that
    they found no plan for (20 at most), and its answer is kept only if it gives the recorded
    actions again.

    With --segmenter the model cuts one demonstration of each goal (20 at most) into procedures, and
    says what each achieves, needs and shows. The others of the goal are cut likewise. It is kept
    where it reproduces these demonstrations no less often than symbols do, who else stand. What a
    program explains is not cut.

    --online plays N games that were not demonstrations, and learns from each; what fails often is
    refined. What is possible is shown. Ctrl-C ends it and keeps everything; the same command goes
    on. N counts what was played with the library before: 75 after 60 plays 15 more. With
    --policy auto in a git work tree each change is a commit.

    --practice N plays tasks of the split train after the demonstrations were learned, where a
    program leaves a choice open and episodes are paid by degrees: what was taken and what it
    brought tells what candidates are worth (worth: in the program). What pages told is kept for
    macla eval --fact-memory. Ctrl-C ends it and keeps everything; the same command goes on.
    """  # noqa: D301 (click wants the character itself)
    wanted = LearnOptions(**given)
    use = use_of(wanted)
    check_options(ctx, wanted, use)
    parse_parts(wanted.without)
    from ..procedures.undo import undoable

    with undoable(wanted.library, f"learning from {wanted.source}"):
        return _learned(ctx, wanted, use)


def _learned(ctx: click.Context, wanted: LearnOptions, use: str) -> int:
    if use == "online":
        from ..evals.suites import make_suite
        from .learn_online import OnlineRequest, learn_online

        request = OnlineRequest.of(wanted)
        suite = make_suite(
            wanted.source,
            data=wanted.data,
            game=wanted.game,
            jobs=wanted.jobs,
            hold_out=wanted.hold_out,
            exclude_db=wanted.exclude_db,
        )
        learn_online(request, suite, as_json=wanted.as_json)
        return 0
    if use == "practice" or (wanted.practice is not None and begun(wanted)):
        practised = learn_practice(wanted)
        if wanted.as_json:
            output.emit_json(practised)
        return 0
    if use == "logs":
        from .learn_logs import learn_logs

        return learn_logs(wanted)
    from .learn_benchmark import read_benchmark
    from .learn_episodes import read_episodes
    from .learn_lesson import learn_lesson

    return learn_lesson(ctx, wanted, read_episodes if use == "episodes" else read_benchmark)
