"""``macla practice``: its command line, and checks of its options."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from ..graph.budget import Budget
from ..procedures.method.ablation import parse_parts
from . import options
from .keyed import Key, Keyed

if TYPE_CHECKING:
    from .learn_options import LearnOptions

_NOT_FOR_REWARDS = (
    *("demonstrations", "leave_out", "admissible", "experiments", "compare", "preset", "domain"),
    *("reasoner", "model_calls", "model_tokens", "model_timeout", "hold_out", "exclude_db"),
)


@dataclass(frozen=True, slots=True)
class PracticeOptions:
    """The command line of ``macla practice``; its help says what each option means."""

    source: str
    library: Path
    as_json: bool
    episodes: int
    split: str
    seed: int
    demonstrations: str | None
    compare: bool
    rewards: bool
    policy: Literal["auto", "review"] | None
    # the world
    scramble: int | None
    domain: str | None
    data: Path | None
    game: str | None
    hold_out: str | None
    exclude_db: str | None
    leave_out: tuple[str, ...]
    max_steps: int | None
    admissible: bool | None
    # how
    experiments: int
    without: tuple[str, ...]
    preset: str | None
    reasoner: str
    model_calls: int | None
    model_tokens: int | None
    model_timeout: float | None

    @property
    def hidden(self) -> bool:
        """Whether possible actions are hidden."""
        return self.admissible is False

    @property
    def taught(self) -> int | None:
        """Number of demonstrations to learn from first; None for all.

        Raises:
            click.UsageError: ``--demonstrations`` is no number.
        """
        if self.demonstrations is None:
            return 0
        if self.demonstrations == "all":
            return None
        if not self.demonstrations.isdecimal():
            text = repr(self.demonstrations)
            raise click.UsageError(f"--demonstrations takes a number or all, not {text}")
        return int(self.demonstrations)

    @property
    def budget(self) -> Budget:
        """Budget of the model for one episode.

        Raises:
            click.UsageError: An option limits a model, and there is none.
        """
        return options.budget_of(
            self.reasoner,
            Budget(),
            calls=self.model_calls,
            tokens=self.model_tokens,
            timeout=self.model_timeout,
        )

    @classmethod
    def after_learning(cls, learn_options: LearnOptions, episodes: int) -> PracticeOptions:
        """Return the options that play for rewards with a library that was just learned."""
        playing = {"split": "train", "seed": learn_options.seed or 0, "episodes": episodes}
        unused: dict[str, Any] = {
            "demonstrations": None,
            "compare": False,
            "leave_out": (),
            "max_steps": None,
            "admissible": None,
            "experiments": 0,
        }
        shared_values = {each.name: getattr(learn_options, each.name, None) for each in fields(cls)}
        return cls(**{**shared_values, **unused, **playing, "rewards": True})


@click.command(
    "practice",
    cls=Keyed,
    epilog=options.examples(
        "macla practice alfworld --library lib --episodes 570 --demonstrations 10",
        "macla practice my_game:MyGame --library lib --episodes 100 --split tasks.txt",
        "macla practice webshop --library shop --episodes 1606 --rewards",
        "macla practice my_shop:MyShop --library lib --episodes 500 --split tasks.txt --rewards",
    ),
)
@click.argument("source", metavar="SOURCE")
@options.library
@click.option(
    "--episodes",
    type=click.IntRange(min=1),
    required=True,
    metavar="N",
    help="Play until N episodes were played in all.",
)
@click.option(
    "--split", metavar="NAME_OR_PATH", default="train", show_default=True, help="What to play."
)
@options.seed
@click.option(
    "--demonstrations",
    metavar="K",
    help="Learn from K demonstrations first, or from all (default: 0).",
)
@click.option(
    "--compare",
    is_flag=True,
    help="Play the games without learning as well, and test the difference.",
)
@click.option(
    "--rewards",
    is_flag=True,
    help="Play for graded rewards, and learn what candidates are worth.",
)
@options.policy
@options.world(
    goals=None,
    max_steps=options.playing_keys["max-steps"],
    admissible=Key("admissible=no: do not show which actions are possible.", click.BOOL),
    leave_out=Key(
        "Leave out demonstrations with an action that begins so; may be given again.", many=True
    ),
    exclude_db=Key("intercode-sql: not these databases.", form="A,B"),
    hold_out=Key("intercode-sql: not the tasks of this split or file."),
    domain=Key("Name of the domain (default: the source's)."),
)
@options.method(
    experiments=Key(
        "Actions that an episode may spend on experiments (default: 15).",
        click.IntRange(min=0),
        15,
    )
)
@options.model()
@options.as_json
@click.pass_context
def command(ctx: click.Context, /, **option_values: Any) -> None:
    """Play the tasks of SOURCE, and learn from each.

    SOURCE is a suite (alfworld, textworld, …), the file of one of your own, or module:Class, an
    environment of your own, for which --split is a file of its tasks.

    N games are played that were not demonstrations, and learned from one by one; what fails often
    is refined. What is possible is shown. The learning curve goes to .macla/curve.json of the
    library, and --json prints it. Ctrl-C ends it and keeps everything; the same command goes on. N
    counts what was played with the library before: 75 after 60 plays 15 more. With --policy auto
    in a git work tree each change is a commit.

    With --rewards, tasks are played with the library that macla learn made, where a program leaves
    a choice open and episodes are paid by degrees: what was taken and what it brought tells what
    candidates are worth (worth: in the program). What pages told is kept for macla eval --method
    fact-memory.
    """
    arguments = PracticeOptions(**option_values)
    parse_parts(arguments.without)
    if arguments.source != "textworld":
        options.refuse_given(ctx, "is for textworld", "game")
    if arguments.source != "intercode-sql":
        options.refuse_given(ctx, "is for intercode-sql", "hold_out", "exclude_db")
    if arguments.rewards:
        options.refuse_given(ctx, "does not go with --rewards", *_NOT_FOR_REWARDS)
    if arguments.leave_out and arguments.demonstrations is None:
        raise click.UsageError("--world leave-out needs --demonstrations K, or all", ctx)
    from ..procedures.library.undo import undoable

    with undoable(arguments.library, f"practising on {arguments.source}"):
        _practise(arguments)


def _practise(arguments: PracticeOptions) -> None:
    if arguments.rewards:
        from .rewarded import practise_rewarded

        practise_rewarded(arguments)
        return
    from ..evals.suites.suites import make_suite
    from .practising import learn_online

    suite = make_suite(
        arguments.source,
        data=arguments.data,
        game=arguments.game,
        hold_out=arguments.hold_out,
        exclude_db=arguments.exclude_db,
    )
    learn_online(arguments, suite, as_json=arguments.as_json)
