"""What ``macla learn`` was asked for, and which of its options go together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

from . import options

__all__ = ["LearnOptions", "Use", "check_options", "use_of"]

Use = Literal["benchmark", "episodes"]
"""What is learned from: a suite's demonstrations, or a file of episodes."""


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


def use_of(wanted: LearnOptions) -> Use:
    """Return what is learned from.

    Raises:
        click.UsageError: It holds logs, which another command takes.
    """
    from ..evals.suites import SUITES

    if wanted.source in SUITES or wanted.source.endswith((".yaml", ".yml")):
        return "benchmark"
    if wanted.file.exists() and wanted.file.stat().st_size:
        from ..procedures.common.errors import TrajectoryError
        from .observing import format_of_files

        try:
            form = format_of_files([wanted.file], "auto")
        except TrajectoryError:  # whoever reads its lines says which of them is wrong, and how
            return "episodes"
        if form != "episodes":
            raise click.UsageError(
                f"{wanted.file} holds {form}: macla observe {wanted.file} --library "
                f"{wanted.library} learns from it"
            )
    return "episodes"  # whoever reads them says what is missing


def check_options(ctx: click.Context, wanted: LearnOptions, use: Use) -> None:
    """Refuse options that contradict each other or mean nothing for this use.

    Raises:
        click.UsageError: There is one; it says which, and what it is for.
    """
    if wanted.source != "textworld":
        options.refuse_given(ctx, "is for textworld", "game")
        if wanted.executor != "ray":
            options.refuse_given(ctx, "is for textworld, or ray", "jobs")
    if wanted.source != "alfworld":
        options.refuse_given(ctx, "is for alfworld", "goals", "noise", "agent_logs")
    if wanted.source != "intercode-sql":
        options.refuse_given(ctx, "is for intercode-sql", "hold_out", "exclude_db", "protocol")
    else:
        what = "does not go with intercode-sql; see --world hold-out"
        options.refuse_given(ctx, what, "unused")
    if use == "episodes":
        options.refuse_given(ctx, "is for benchmarks", "unused", "data", "verb_last")
    else:
        options.refuse_given(ctx, "is for files", "keep_secrets")
    if wanted.unused is not None and not wanted.unused.absolute().parent.is_dir():
        folder = wanted.unused.absolute().parent
        raise click.UsageError(f"--unused {wanted.unused}: there is no folder {folder}", ctx)
