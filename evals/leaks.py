"""Are tasks of a split among what a library was taught from?

python -m macla.evals.leaks LIBRARY alfworld --split valid_seen
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..procedures.common.errors import MaclaError
from ..procedures.common.text import tokens
from ..procedures.episodes.trajectories import Trajectory
from ..procedures.learning.taught import lacking_taught, read_taught
from ..procedures.library.library import Library
from .suites.suites import EvalTask, make_suite

__all__ = ["ALIKE", "Beginning", "Leak", "beginnings", "leaks", "main"]

ALIKE = 0.95
"""Share of words in common from which two beginnings of an episode are one."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """How an episode begins: its id, its task and the first observation."""

    id: str
    task: str
    observation: str


@dataclass(frozen=True, slots=True)
class Leak:
    """A task that was taught.

    Attributes:
        task: Its id.
        taught: The id of the demonstration.
        why: ``id`` or ``text``.
    """

    task: str
    taught: str
    why: str


def beginnings(suite_name: str, tasks: Iterable[EvalTask]) -> list[Beginning]:
    """Return how tasks of a suite begin; each is reset once."""
    environment = make_suite(suite_name).environment(show_admissible=False)
    return [Beginning(task.id, *environment.reset(task.reference)) for task in tasks]


def leaks(taught: Sequence[Trajectory], tasks: Iterable[Beginning]) -> list[Leak]:
    """Return the tasks that are among demonstrations: by id, or nearly word by word.

    Words are compared without their order: the task's and the first observation's have to be
    alike both.
    """
    ids = {each.id for each in taught if each.id}
    words = [
        (each.id, _words(each.task), _words(each.obs[0] if each.obs else "")) for each in taught
    ]
    found = []
    for task in tasks:
        if task.id in ids:
            found.append(Leak(task.id, task.id, "id"))
            continue
        asked, seen = _words(task.task), _words(task.observation)
        same = next((n for n, t, o in words if _alike(asked, t) >= ALIKE <= _alike(seen, o)), None)
        if same is not None:
            found.append(Leak(task.id, same, "text"))
    return found


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in tokens(text) if word.isalnum())


def _alike(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first & second) / len(first | second) if first | second else 1.0


def main() -> int:
    """Print the leaks of a split; the exit code is 1 if there is any, 2 if it cannot be said."""
    parser = argparse.ArgumentParser(prog="python -m macla.evals.leaks", description=__doc__)
    parser.add_argument("library", type=Path)
    parser.add_argument("suite")
    parser.add_argument("--split", required=True)
    options = parser.parse_args()
    try:
        library = Library.open(options.library)
        taught = read_taught(library)
        if taught is None:
            parser.error(f"{options.library}: {lacking_taught(library)}")
        tasks = make_suite(options.suite).tasks(options.split)
        found = leaks(taught, beginnings(options.suite, tasks))
    except MaclaError as error:
        parser.error(str(error))
    for each in found:
        print(f"{each.task}: taught as {each.taught or 'an episode without an id'} ({each.why})")
    print(f"{len(found)} of {len(tasks)} tasks are among {len(taught)} demonstrations")
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())
