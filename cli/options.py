"""Options that several verbs share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ..graph.budget import Budget

__all__ = [
    "Grouped",
    "as_json",
    "budget",
    "budget_of",
    "check_reasoner",
    "data",
    "examples",
    "executor",
    "folder",
    "library",
    "library_argument",
    "preset",
    "reasoner",
    "ref_argument",
    "refuse_given",
    "replaced",
    "seed",
    "segmenter",
    "without",
]

_F = TypeVar("_F", bound=Callable[..., Any])

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
data = click.option(
    "--data",
    type=click.Path(path_type=Path),
    help="Folder of the benchmark data (default: $MACLA_DATA or ~/.cache/macla/bench).",
)
executor = click.option(
    "--executor",
    type=click.Choice(["processes", "ray"]),
    default="processes",
    show_default=True,
    help="Who works: processes of this machine, or Ray (the cluster of $RAY_ADDRESS, or one of "
    "--jobs processes here).",
)
seed = click.option("--seed", type=int, default=0, show_default=True, help="Seed of all choices.")


def folder(**options: Any) -> Callable[[_F], _F]:
    """Return the option ``--library DIR``."""
    text = options.pop("help", "Folder of the library.")
    kind = click.Path(path_type=Path, file_okay=False)
    return click.option("--library", type=kind, metavar="DIR", help=text, **options)


def replaced(name: str, by: str) -> Callable[[_F], _F]:
    """Return an option that was removed: it says what to write instead."""

    def tell(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        if value:
            raise click.UsageError(f"{name} is gone; write {by}", ctx)

    return click.option(name, is_flag=True, hidden=True, expose_value=False, callback=tell)


library = folder(required=True)
library_argument = click.argument("library", metavar="DIR", type=click.Path(path_type=Path))
ref_argument = click.argument("ref", metavar="ID")

reasoner = click.option(
    "--reasoner",
    default="symbolic",
    show_default=True,
    metavar="NAME",
    help="symbolic, ollama:MODEL (the model goes first) or hybrid:MODEL (only where symbols "
    "abstain).",
)

without = click.option(
    "--without",
    multiple=True,
    metavar="PART",
    help="Leave a part of the method out: posterior, risk, information, reading, search (bayes: "
    "these five), guards, preconditions, idle, contrast (contrastive: these four), meta, "
    "ontology, pruning, programs or floor; may be repeated.",
)
segmenter = click.option(
    "--segmenter",
    metavar="MODEL",
    help="Let a model cut demonstrations into procedures: ollama:MODEL or PROVIDER:MODEL.",
)
preset = click.option(
    "--preset",
    type=click.Choice(["default", "paper", "printed"]),
    help="The method as mended, as meant or as printed (default: what library.yaml says).",
)


def budget(command: _F) -> _F:
    """Add the options ``--model-calls N``, ``--model-tokens N`` and ``--model-timeout S``."""
    least = click.IntRange(min=0)
    tokens = click.option(
        "--model-tokens",
        type=least,
        metavar="N",
        help="Most tokens of prompts and answers for one episode (default: 16000; learn 96000).",
    )
    calls = click.option(
        "--model-calls",
        type=least,
        metavar="N",
        help="Most requests to a model for one episode (default: 8; learn 24).",
    )
    timeout = click.option(
        "--model-timeout",
        type=click.FloatRange(min=0, min_open=True),
        metavar="SECONDS",
        help="Longest that one request to the model may take (default: 60).",
    )
    return calls(tokens(timeout(command)))


def budget_of(
    reasoner: str, default: Budget, segmenter: str | None = None, **given: float | None
) -> Budget:
    """Return what the options of :func:`budget` say, or else the default.

    Args:
        reasoner: What ``--reasoner`` says.
        default: What holds where an option was not given.
        segmenter: What ``--segmenter`` says.
        given: Name of a field of the budget → what the option says, or None.

    Raises:
        click.UsageError: One was given although no model is asked.
    """
    from dataclasses import replace

    chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if chosen and reasoner == "symbolic" and segmenter is None:
        raise click.UsageError(f"--model-{next(iter(chosen))} needs a model as --reasoner")
    return replace(default, **chosen)


def check_reasoner(name: str) -> None:
    """Ask for a reasoner's model before long work begins.

    Raises:
        DataError: There is no such reasoner.
        ModelError: The server cannot be reached or has not the model.
    """
    if name != "symbolic":
        from ..adapters.reasoners.models import ReasonerName, check_model

        check_model(ReasonerName.parse(name).model)


def check_segmenter(name: str | None) -> str:
    """Ask for a segmenter's model before long work begins; return its full name, or nothing.

    Raises:
        DataError: It is no name of a model.
        ModelError: The server cannot be reached or has not the model.
    """
    if name is None:
        return ""
    from ..adapters.reasoners.models import ReasonerName, check_model
    from ..procedures.errors import DataError

    kind = name.partition(":")[0]
    if kind in ("symbolic", "hybrid"):
        raise DataError(f"no segmenter {name[:80]!r}; write ollama:MODEL or PROVIDER:MODEL")
    model = ReasonerName.parse(name).model
    check_model(model)
    return model


class Grouped(click.Command):
    """A command whose help lists options under headings; the others come first, under Options."""

    def __init__(
        self, *arguments: Any, headings: Mapping[str, Sequence[str]], **settings: Any
    ) -> None:
        super().__init__(*arguments, **settings)
        self.headings = headings

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options: a heading, then what belongs under it, in its order."""
        every = (each for each in self.get_params(ctx) if isinstance(each, click.Option))
        records = {each.name: each.get_help_record(ctx) for each in every}
        grouped = {name for names in self.headings.values() for name in names}
        others = [name for name in records if name not in grouped]
        for heading, names in {"Options": others, **self.headings}.items():
            rows = [record for name in names if (record := records[name]) is not None]
            with formatter.section(heading):
                formatter.write_dl(rows)


def examples(*lines: str) -> str:
    """Return an epilog with examples, a line each."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def refuse_given(ctx: click.Context, why: str, *names: str) -> None:
    """Refuse options that were given although they mean nothing here.

    Raises:
        click.UsageError: One of them was given.
    """
    default = click.core.ParameterSource.DEFAULT
    spelled = {each.name: each.opts[0] for each in ctx.command.params}
    for name in names:
        if ctx.get_parameter_source(name) not in (default, None):
            raise click.UsageError(f"{spelled[name]} {why}", ctx)
