"""The command line of ``macla learn``, and checks of its options."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

from . import options

Use = Literal["benchmark", "episodes"]
"""Sort of source: a suite's demonstrations, or a file of episodes."""


@dataclass(frozen=True, slots=True)
class LearnOptions:
    """The command line of ``macla learn``; its help says what each option means."""

    source: str
    library: Path
    as_json: bool
    # how much, of what
    episodes: int | None
    seed: int | None
    unused: Path | None
    keep_secrets: bool
    jobs: int | None
    executor: Literal["processes", "ray"]
    # the world
    scramble: int | None
    verb_last: bool
    domain: str | None
    data: Path | None
    goals: str | None
    noise: float | None
    agent_logs: bool
    game: str | None
    hold_out: str | None
    exclude_db: str | None
    protocol: str | None
    # how
    policy: Literal["auto", "review"] | None
    replace: bool
    without: tuple[str, ...]
    preset: str | None
    reasoner: str
    segmenter: str | None
    model_calls: int | None
    model_tokens: int | None
    model_timeout: float | None

    @property
    def file(self) -> Path:
        """The source, as a file."""
        return Path(self.source).expanduser()


def use_of(arguments: LearnOptions) -> Use:
    """Return the sort of source.

    Raises:
        click.UsageError: The source holds logs, which another command takes.
    """
    from ..evals.suites.suites import SUITES

    if arguments.source in SUITES or arguments.source.endswith((".yaml", ".yml")):
        return "benchmark"
    if arguments.file.exists() and arguments.file.stat().st_size:
        from ..procedures.common.errors import TrajectoryError
        from .observing import format_of_files

        try:
            form = format_of_files([arguments.file], "auto")
        except TrajectoryError:  # reading the lines reports the fault
            return "episodes"
        if form != "episodes":
            raise click.UsageError(
                f"{arguments.file} holds {form}: macla observe {arguments.file} --library "
                f"{arguments.library} learns from it"
            )
    return "episodes"  # reading reports a missing file


def check_options(ctx: click.Context, arguments: LearnOptions, use: Use) -> None:
    """Refuse options that contradict each other or have no meaning for this use.

    Raises:
        click.UsageError: There is one; the message names it and its purpose.
    """
    if arguments.source != "textworld":
        options.refuse_given(ctx, "is for textworld", "game")
        if arguments.executor != "ray":
            options.refuse_given(ctx, "is for textworld, or ray", "jobs")
    if arguments.source != "alfworld":
        options.refuse_given(ctx, "is for alfworld", "goals", "noise", "agent_logs")
    if arguments.source != "intercode-sql":
        options.refuse_given(ctx, "is for intercode-sql", "hold_out", "exclude_db", "protocol")
    else:
        purpose = "does not go with intercode-sql; see --world hold-out"
        options.refuse_given(ctx, purpose, "unused")
    if use == "episodes":
        options.refuse_given(ctx, "is for benchmarks", "unused", "data", "verb_last")
    else:
        options.refuse_given(ctx, "is for files", "keep_secrets")
    if arguments.unused is not None and not arguments.unused.absolute().parent.is_dir():
        folder = arguments.unused.absolute().parent
        raise click.UsageError(f"--unused {arguments.unused}: there is no folder {folder}", ctx)
