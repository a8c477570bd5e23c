"""Options that several verbs share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .keyed import PATH, Key, keyed, spelled

if TYPE_CHECKING:
    from ..graph.budget import Budget

_F = TypeVar("_F", bound=Callable[..., Any])


class Jobs(click.ParamType):  # type: ignore[type-arg]  # generic in newer versions only
    """Number and sort of workers: processes of this machine, or Ray's."""

    name = "jobs"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return sort and number of workers; None: one for each processor."""
        if not isinstance(value, str):
            return value
        who, _, count = ("processes", "", value) if value.isdecimal() else value.partition(":")
        if who not in ("processes", "ray") or (count and not (count.isdecimal() and int(count))):
            self.fail(f"{value!r} is no number from 1, ray or ray:N", param, ctx)
        return who, int(count) if count else None


as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
jobs = click.option(
    "--jobs",
    type=Jobs(),
    default=("processes", None),
    metavar="N",
    help="Processes (default: 1); ray or ray:N: workers of Ray (the cluster of $RAY_ADDRESS, or N "
    "of this machine).",
)
seed = click.option("--seed", type=int, default=0, show_default=True, help="Seed of all choices.")


def folder(**options: Any) -> Callable[[_F], _F]:
    """Return the option ``--library DIR``."""
    text = options.pop("help", "Folder of the library.")
    kind = click.Path(path_type=Path, file_okay=False)
    return click.option("--library", type=kind, metavar="DIR", help=text, **options)


library = folder(required=True)
policy = click.option(
    "--policy",
    type=click.Choice(["auto", "review"]),
    help="auto writes what is learned at once, review proposes each difference (default: the "
    "library's own; review where git tracks it, else auto).",
)
library_argument = click.argument("library", metavar="DIR", type=click.Path(path_type=Path))

world_keys: Mapping[str, Key] = {
    "game": Key("textworld: which games.", click.Choice(["cooking", "treasure", "hunt"])),
    "goals": Key(
        "alfworld: whose words; human: how people put these tasks.",
        click.Choice(["templated", "human"]),
    ),
    "scramble": Key("Seed: replace all words by invented ones.", click.INT),
    "data": Key(
        "Folder of the benchmark data (default: $MACLA_DATA or ~/.cache/macla/bench).", PATH
    ),
}
"""Settings of every world."""
playing_keys: Mapping[str, Key] = {
    "max-steps": Key(
        "Most actions of an episode (default: 50; textworld 100; travelplanner 30; webshop and "
        "intercode-sql 10).",
        click.IntRange(min=1, max=10_000),
    ),
    "admissible": Key(
        "Show the player which actions are possible; admissible=no: hide them (default: what the "
        "suite says, hidden in those that come with macla).",
        click.BOOL,
    ),
}
"""Settings of a world for commands that play."""
method_keys: Mapping[str, Key] = {
    "preset": Key(
        "The method as mended, as meant or as printed (default: what library.yaml says). The name "
        "alone will do: --method paper.",
        click.Choice(["default", "paper", "printed"]),
    ),
    "without": Key(
        "Leave a part of the method out: posterior, risk, information, reading, search (bayes: "
        "these five), guards, preconditions, idle, contrast (contrastive: these four), meta, "
        "ontology, pruning, programs or floor; may be given again.",
        many=True,
    ),
}
"""Settings of the method."""
model_keys: Mapping[str, Key] = {
    "reasoner": Key(
        "ollama:MODEL (the model goes first) or hybrid:MODEL (only where symbols abstain); the "
        "name alone will do: --model hybrid:llama2:7b.",
        default="symbolic",
    ),
    "calls": Key(
        "Most requests to a model for one episode (default: 8; learn 24).",
        click.IntRange(min=0),
        name="model_calls",
    ),
    "tokens": Key(
        "Most tokens of prompts and answers for one episode (default: 16000; learn 96000).",
        click.IntRange(min=0),
        name="model_tokens",
    ),
    "timeout": Key(
        "Longest that one request to the model may take, in seconds (default: 60).",
        click.FloatRange(min=0, min_open=True),
        name="model_timeout",
    ),
}
"""Settings of the model, and limits of its use."""


ENGINE = Key("alfworld: engine.", click.Choice(["native", "textworld"]))
DIALECT = Key("alfworld: wording.", click.Choice(["2.1.3", "2.1.1"]))
SEGMENTER = Key("Let a model cut demonstrations into procedures: ollama:MODEL or PROVIDER:MODEL.")
"""Setting of the segmenter, for commands that learn from demonstrations."""


def world(**more: Key | None) -> Callable[[_F], _F]:
    """Return the option ``--world``, which says which world and how it is played.

    Args:
        more: Further settings; None removes a key.
    """
    keys = {**world_keys, **{name.replace("_", "-"): key for name, key in more.items()}}
    present_keys = {name: key for name, key in keys.items() if key is not None}
    return keyed("--world", "Which world, and how it is played; see below.", present_keys)


def method(**more: Key) -> Callable[[_F], _F]:
    """Return the option ``--method``."""
    keys = {**method_keys, **{name.replace("_", "-"): key for name, key in more.items()}}
    return keyed("--method", "Which method: a preset, or less of it; see below.", keys, "preset")


def model(**more: Key) -> Callable[[_F], _F]:
    """Return the option ``--model``."""
    about = "The model that is asked, and how much of it (default: none); see below."
    return keyed("--model", about, {**model_keys, **more}, "reasoner")


def budget_of(
    reasoner: str, default: Budget, segmenter: str | None = None, **limit_by_field: float | None
) -> Budget:
    """Return the budget of the option of :func:`model`.

    Args:
        reasoner: Name of the reasoner.
        default: Budget without options.
        segmenter: Name of the segmenter.
        limit_by_field: Field of the budget → value of the option, or None.

    Raises:
        click.UsageError: One was given although no model is asked.
    """
    from dataclasses import replace

    limits: dict[str, Any] = {
        name: value for name, value in limit_by_field.items() if value is not None
    }
    if limits and reasoner == "symbolic" and segmenter is None:
        raise click.UsageError(f"--model {next(iter(limits))} needs a model: --model NAME")
    return replace(default, **limits)


def check_reasoner(name: str) -> None:
    """Check that a reasoner's model is there before long work begins.

    Raises:
        DataError: There is no such reasoner.
        ModelError: The server cannot be reached or has not the model.
    """
    if name != "symbolic":
        from ..adapters.reasoners.models import ReasonerName, check_model

        check_model(ReasonerName.parse(name).model)


def check_segmenter(name: str | None) -> str:
    """Check that a segmenter's model is there before long work begins.

    Returns:
        Full name of the model; empty without a segmenter.

    Raises:
        DataError: The name is no name of a model.
        ModelError: The server cannot be reached or has not the model.
    """
    if name is None:
        return ""
    from ..adapters.reasoners.models import ReasonerName, check_model
    from ..procedures.common.errors import DataError

    kind = name.partition(":")[0]
    if kind in ("symbolic", "hybrid"):
        raise DataError(f"no segmenter {name[:80]!r}; write ollama:MODEL or PROVIDER:MODEL")
    model = ReasonerName.parse(name).model
    check_model(model)
    return model


def require_library(path: Path) -> None:
    """Refuse what is no folder of a library.

    Raises:
        LibraryError: It is none.
    """
    from ..procedures.common.errors import LibraryError

    if not path.is_dir():
        hint = "give the folder that holds library.yaml"
        raise LibraryError("is no folder", file=path, hint=hint)
    if not (path / "library.yaml").exists():
        raise LibraryError(
            "is no library: it has no library.yaml", file=path, hint="macla learn makes one"
        )


def examples(*lines: str) -> str:
    """Return an epilog with examples, a line each."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def refuse_given(ctx: click.Context, why: str, *names: str) -> None:
    """Refuse options that were given although they have no meaning here.

    Raises:
        click.UsageError: One of them was given.
    """
    default = click.core.ParameterSource.DEFAULT
    spelling_by_name = spelled(ctx.command)
    for name in names:
        if ctx.get_parameter_source(name) not in (default, None):
            raise click.UsageError(f"{spelling_by_name[name]} {why}", ctx)
