"""Suites: which tasks there are, where they are played, and what can be learned from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Protocol, TypeVar

from ..graph.protocols import Environment
from ..procedures.errors import DataError
from ..procedures.trajectories import Trajectory

__all__ = ["SUITES", "EvalTask", "Progress", "Suite", "make_suite", "sampled"]

Progress = Callable[[int, int], None]
"""Called as ``progress(done, of)``."""

SUITES = ("alfworld", "textworld", "webshop", "intercode-sql", "travelplanner")
"""Names of the suites that come with macla; ``module:Class`` names any other environment."""

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
    """A benchmark, or a user's own environment. Instances can be pickled."""

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


def make_suite(name: str, *, data: str | Path | None = None, **options: Any) -> Suite:
    """Make a suite by name.

    Args:
        name: ``alfworld``, ``textworld``, ``webshop``, ``intercode-sql``, ``travelplanner`` or
            ``module:Class``.
        data: The data root.
        options: ``engine``, ``dialect``, ``goals`` for alfworld; ``game``, ``jobs`` for
            textworld; ``backend``, ``protocol``, ``hold_out``, ``exclude_db`` for intercode-sql;
            ``source`` for travelplanner. What is None is left at its default.

    Raises:
        DataError: There is no such suite, or it has no such option.
    """
    given = {key: value for key, value in options.items() if value is not None}
    if data is not None:
        given["data"] = str(data)
    if name == "alfworld":
        from .suite_alfworld import AlfworldSuite as Kind
    elif name == "textworld":
        from .suite_textworld import TextworldSuite as Kind  # type: ignore[assignment]
    elif name == "webshop":
        from .webshop.suite import WebshopSuite as Kind  # type: ignore[assignment]
    elif name == "intercode-sql":
        from .intercode_sql.suite import InterCodeSqlSuite as Kind  # type: ignore[assignment]
    elif name == "travelplanner":
        from .travelplanner.suite import TravelPlannerSuite as Kind  # type: ignore[assignment]
    elif ":" in name:
        from .suite_module import ModuleSuite as Kind  # type: ignore[assignment]

        given["module"] = name
    else:
        raise DataError(
            f"no suite {name[:80]!r}; choose {', '.join(SUITES)}, or write module:Class for an "
            "environment of your own"
        )
    allowed = set(Kind.__dataclass_fields__)
    if unknown := sorted(given.keys() - allowed):
        wrong = ", ".join(f"--{key.replace('_', '-')}" for key in unknown)
        raise DataError(f"the suite {name} has no option {wrong}; leave it out")
    return Kind(**given)


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
