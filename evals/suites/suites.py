"""Suites: which tasks there are, where they are played, and what can be learned from."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from ...graph.protocols import Environment
from ...procedures.common.errors import DataError
from ...procedures.episodes.trajectories import Trajectory
from .suite_files import SUITES, FiledSuite, SuiteFile, suite_of

if TYPE_CHECKING:
    from ..players.baselines import Player

__all__ = ["SUITES", "Copied", "EvalTask", "Progress", "Solved", "Suite", "make_suite", "sampled"]

Progress = Callable[[int, int], None]
"""Called as ``progress(done, of)``."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class EvalTask:
    """One episode to play.

    Attributes:
        id: Name within the suite.
        reference: What the environment's ``reset`` takes; can be pickled.
        group: Kind of the task, for breakdowns; may be empty.
    """

    id: str
    reference: Any = field(repr=False)
    group: str = ""


class Suite(Protocol):
    """A benchmark, or a user's own environment. Instances can be pickled.

    What its file says, :class:`.suite_files.FiledSuite` has.
    """

    @property
    def file(self) -> SuiteFile:
        """Its file."""
        ...

    @property
    def domain(self) -> str:
        """Name of the domain, as a library learned from it records it."""
        ...

    @property
    def name(self) -> str:
        """Name of the suite in results."""
        ...

    @property
    def max_steps(self) -> int:
        """The horizon of its protocol."""
        ...

    @property
    def guarded(self) -> bool:
        """Whether its environment may raise anything, answer anything, or hang."""
        ...

    def tasks(
        self,
        split: str,
        *,
        limit: int | None = None,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> list[EvalTask]:
        """Return the tasks of a split.

        Raises:
            DataError: There is no such split, or something in it is not a task.
        """
        ...

    def environment(self, *, show_admissible: bool) -> Environment:
        """Make an environment; where it lists its actions unasked, the caller hides them."""
        ...

    def demonstrations(
        self, episodes: int | None, seed: int | None, progress: Progress | None = None
    ) -> tuple[list[Trajectory], list[str]]:
        """Return demonstrations, and the games, a line each, that were left out.

        Args:
            episodes: How many; None for all.
            seed: Of the choice.
            progress: Told about games that have to be made first.

        Raises:
            DataError: There are not so many, or none at all.
        """
        ...

    def facts(self) -> Mapping[str, str]:
        """Return what else belongs into a result: engine, dialect, goals."""
        ...


@runtime_checkable
class Solved(Protocol):
    """A suite that knows how its tasks are solved."""

    def solution(self, task: EvalTask) -> Sequence[str] | None:
        """Return actions that solve a task, which no agent may see; None where there are none."""
        ...


@runtime_checkable
class Copied(Protocol):
    """A suite that has a copy of demonstrations' choices of its own, to be better than."""

    def copier(self, shown: Sequence[Trajectory]) -> Player:
        """Return a player that does what the nearest of these demonstrations chose."""
        ...


def make_suite(name: str, *, data: str | Path | None = None, **options: Any) -> Suite:
    """Make a suite by name.

    Args:
        name: One of :data:`SUITES`, a suite's file ``*.yaml``, or ``module:Class``.
        data: The data root.
        options: What the suite's reader takes: ``engine``, ``dialect``, ``goals`` for alfworld;
            ``game``, ``jobs`` for textworld; ``backend``, ``protocol``, ``hold_out``,
            ``exclude_db`` for intercode-sql; ``source`` for travelplanner. What is None is left
            at its default.

    Raises:
        DataError: There is no such suite, or it has no such option.
        SchemaError: Its file is wrong.
    """
    file = suite_of(name)
    given = {key: value for key, value in options.items() if value is not None}
    if data is not None:
        given["data"] = str(data)
    kind = _reader(file)
    if unknown := sorted(given.keys() - set(getattr(kind, "__dataclass_fields__", ()))):
        wrong = ", ".join(f"--{key.replace('_', '-')}" for key in unknown)
        raise DataError(f"the suite {name} has no option {wrong}; leave it out")
    for option in given.keys() & file.options.keys():
        file.check(option, str(given[option]))
    suite: Suite = kind(file=file, **given)
    return suite


def _reader(file: SuiteFile) -> Callable[..., Any]:
    """Return the class that reads the suite's tasks."""
    if file.own:
        from .suite_module import ModuleSuite

        return ModuleSuite
    module, _, name = file.made_by.partition(":")
    try:
        kind = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise DataError(
            f"{file.path}: 'reader' names {file.made_by}, which cannot be imported ({error}); for "
            "a class with reset and step, write 'environment' instead"
        ) from None
    if not (isinstance(kind, type) and issubclass(kind, FiledSuite)):
        raise DataError(f"{file.path}: 'reader' {file.made_by} is no class made of FiledSuite")
    return kind


def sampled(items: Sequence[_T], count: int | None, seed: int, what: str) -> list[_T]:
    """Return a random sample, in the order in which it was drawn; all in order for None.

    Raises:
        DataError: There are fewer items, or ``count`` is not positive.
    """
    if count is None:
        return list(items)
    if count < 1:
        raise DataError(f"the number of {what} must be at least 1, not {count}")
    if count > len(items):
        raise DataError(f"{count} {what} are asked for and there are {len(items)}")
    return Random(seed).sample(list(items), count)  # noqa: S311 (not cryptography)
