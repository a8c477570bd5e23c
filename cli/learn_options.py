"""What ``macla learn`` was asked for, and which of its options go together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

from . import options

__all__ = ["LearnOptions", "Use", "check_options", "use_of"]

Use = Literal["benchmark", "episodes", "logs", "online", "practice"]
"""What is learned from: a benchmark, a file of episodes, logs of agents, playing, or rewards."""

_FOR_ONLINE = (
    *("demonstrations", "leave_out", "split", "max_steps", "hidden", "experiments"),
    *("curve", "compare"),
)
_FOR_ONLINE_ALONE = tuple(name for name in _FOR_ONLINE if name not in ("split", "max_steps"))
_NOT_FOR_PRACTICE = (
    "executor",
    *("episodes", "unused", "reasoner", "segmenter"),
    *("model_calls", "model_tokens", "model_timeout"),
    *("form", "keep_secrets", "replace", "preset", "domain"),
)
_NOT_FOR_ONLINE = (
    *("unused", "executor", "segmenter"),
    *("form", "keep_secrets", "replace", "goals", "noise", "agent_logs", "verb_last"),
)
_NOT_FOR_LOGS = (
    "executor",
    *("episodes", "seed", "scramble", "policy", "replace", "domain"),
    *("without", "preset"),
    *("reasoner", "segmenter", "model_calls", "model_tokens", "model_timeout"),
)


@dataclass(frozen=True, slots=True)
class LearnOptions:
    """The command line of ``macla learn``; its help says what each option means."""

    source: str
    more: tuple[Path, ...]
    library: Path
    as_json: bool
    # how much, of what
    episodes: int | None
    seed: int | None
    scramble: int | None
    verb_last: bool
    domain: str | None
    data: Path | None
    unused: Path | None
    goals: str | None
    noise: float | None
    agent_logs: bool
    game: str | None
    hold_out: str | None
    exclude_db: str | None
    jobs: int | None
    executor: Literal["processes", "ray"]
    # files
    form: str
    keep_secrets: bool
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
    # playing
    online: bool
    demonstrations: str | None
    leave_out: tuple[str, ...]
    split: str
    max_steps: int | None
    hidden: bool
    experiments: int
    curve: Path | None
    compare: bool
    practice: int | None

    @property
    def files(self) -> tuple[Path, ...]:
        """All sources, as files."""
        return (Path(self.source).expanduser(), *self.more)


def use_of(wanted: LearnOptions) -> Use:
    """Return what is learned from.

    Raises:
        click.UsageError: Several files hold different things.
        TrajectoryError: A file cannot be read, or what it holds is not known.
    """
    if wanted.online:
        return "online"
    from ..evals.suites import SUITES

    if wanted.practice is not None and wanted.source not in SUITES and ":" in wanted.source:
        return "practice"
    if wanted.source in SUITES or wanted.source.endswith((".yaml", ".yml")):
        return "benchmark"
    first = wanted.files[0]
    if wanted.form == "auto" and not (first.exists() and first.stat().st_size):
        return "episodes"  # whoever reads them says what is missing
    from .learn_logs import format_of_files

    return "episodes" if format_of_files(wanted.files, wanted.form) == "episodes" else "logs"


def check_options(ctx: click.Context, wanted: LearnOptions, use: Use) -> None:
    """Refuse options that contradict each other or mean nothing for this use.

    Raises:
        click.UsageError: There is one; it says which, and what it is for.
    """
    if use == "practice":
        options.refuse_given(ctx, "needs --online", *_FOR_ONLINE_ALONE)
        options.refuse_given(ctx, "does not go with --practice", *_NOT_FOR_PRACTICE)
    elif use != "online":
        also = {"max_steps"} if wanted.practice is not None else set[str]()
        options.refuse_given(ctx, "needs --online", *(n for n in _FOR_ONLINE if n not in also))
    if wanted.practice is not None and use == "online":
        raise click.UsageError("--practice and --online exclude each other", ctx)
    if wanted.practice is not None and use in ("episodes", "logs"):
        what = "--practice plays: name a benchmark, or module:Class and --split with its tasks"
        raise click.UsageError(what, ctx)
    if wanted.source != "textworld":
        options.refuse_given(ctx, "is for textworld", "game")
        if wanted.executor != "ray":
            options.refuse_given(ctx, "is for textworld and --executor ray", "jobs")
    if wanted.source != "alfworld":
        options.refuse_given(ctx, "is for alfworld", "goals", "noise", "agent_logs")
    if wanted.source != "intercode-sql":
        options.refuse_given(ctx, "is for intercode-sql", "hold_out", "exclude_db")
    else:
        options.refuse_given(ctx, "does not go with intercode-sql; see --hold-out", "unused")
    if use == "online":
        options.refuse_given(ctx, "does not go with --online", *_NOT_FOR_ONLINE)
        if wanted.episodes is None:
            raise click.UsageError("--online needs --episodes N: how many to play", ctx)
        if wanted.leave_out and wanted.demonstrations is None:
            raise click.UsageError("--leave-out needs --demonstrations K, or all", ctx)
    if use == "benchmark":
        options.refuse_given(ctx, "is for files", "form")
    if use in ("episodes", "logs"):
        what = "is for benchmarks"
        options.refuse_given(ctx, what, "unused", "data", "verb_last")
    if use == "logs":
        options.refuse_given(ctx, "is not for logs", *_NOT_FOR_LOGS)
    else:
        if use != "episodes":
            options.refuse_given(ctx, "is for files", "keep_secrets")
        if wanted.more:
            what = "several files are for logs; learn episodes one file at a time"
            raise click.UsageError(what, ctx)
    if wanted.unused is not None and not wanted.unused.absolute().parent.is_dir():
        folder = wanted.unused.absolute().parent
        raise click.UsageError(f"--unused {wanted.unused}: there is no folder {folder}", ctx)
