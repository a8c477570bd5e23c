"""Any environment that ``module:Class`` names, as a suite."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...adapters.environments import load_environment
from ...adapters.missing_split import no_file
from ...graph.protocols import AdmissibleEnvironment, Environment
from ...procedures.common.errors import DataError
from ...procedures.episodes.trajectories import Trajectory, read_trajectories
from .suite_files import FiledSuite
from .suites import EvalTask, Progress, sampled

__all__ = ["ModuleSuite"]

_MAX_BYTES = 64 * 1_048_576


@dataclass(frozen=True, slots=True)
class ModuleSuite(FiledSuite):
    """A user's environment.

    Attributes:
        data: Folder that relative splits may be found in.
    """

    data: str | None = None

    def tasks(
        self,
        split: str,
        *,
        limit: int | None = None,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> list[EvalTask]:
        """Read a file with one task a line.

        In a ``.jsonl`` file a line is any JSON value, and an object may name itself with ``id``;
        in any other file it is text, and lines that are empty or start with ``#`` are skipped.
        ``reset`` gets the value. With ``limit``, a random sample in the file's order.

        Raises:
            DataError: There is no such file, it names no task, or a line is not JSON.
        """
        named = self.file.splits.get(split)
        file = named.file if named is not None else None
        file = file or _found(split, self.data, self.file.splits)
        references = list(_references(file))
        if not references:
            raise DataError(f"{file}: names no task; write one a line")
        order = range(len(references))
        if limit is not None and limit < len(references):
            order = sorted(sampled(order, limit, seed, "tasks"))  # type: ignore[assignment]
        names = _names(references)
        return [EvalTask(names[index], references[index]) for index in order]

    def environment(self, *, show_admissible: bool) -> Environment:
        """Make an environment.

        Raises:
            EnvironmentFailure: It cannot be made.
            DataError: It does not list its actions and should.
        """
        if self.file.path is not None and str(self.file.path.parent) not in sys.path:
            sys.path.insert(0, str(self.file.path.parent.resolve()))
        environment = load_environment(self.file.made_by, **self.file.arguments)
        if show_admissible and not isinstance(environment, AdmissibleEnvironment):
            raise DataError(
                f"{self.file.made_by} has no method admissible(), so its actions cannot be shown; "
                "add it, or play without: --world admissible=no"
            )
        return environment

    def demonstrations(
        self, episodes: int | None, seed: int | None, progress: Progress | None = None
    ) -> tuple[list[Trajectory], list[str]]:
        """Return the episodes of the suite's file of demonstrations (a random sample).

        Raises:
            DataError: It names none.
        """
        if self.file.demonstrations is None:
            raise DataError(
                f"{self.name} brings no demonstrations; give them as a file: macla learn "
                "FILE.jsonl, --demos FILE.jsonl for the arms that copy them, or in the suite's "
                "file as 'demonstrations' below 'data'"
            )
        shown = list(read_trajectories(self.file.demonstrations))
        return sampled(shown, episodes, seed or 0, "demonstrations"), []

    def facts(self) -> Mapping[str, str]:
        """Return nothing."""
        return {}


def _found(split: str, data: str | None, named: Collection[str]) -> Path:
    for place in (os.path.expanduser(split), os.path.join(data or ".", split)):
        if os.path.isfile(place):  # unlike pathlib's, false also for what cannot be a path
            return Path(place)
    beside = f" beside {', '.join(named)}" if named else ""
    raise DataError(
        f"no split {split[:200]!r}{beside}; for an environment of your own, --split is a file with "
        f"one task a line (.jsonl: JSON values; else text){no_file(split)}"
    )


def _references(file: Path) -> Iterator[Any]:
    try:
        if file.stat().st_size > _MAX_BYTES:
            raise DataError(f"{file}: larger than {_MAX_BYTES:,} bytes; split it")
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except (UnicodeDecodeError, OSError) as error:
        raise DataError(f"{file}: not a text file with one task a line ({error})") from None
    as_json = file.suffix == ".jsonl"
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or (not as_json and text.startswith("#")):
            continue
        if not as_json:
            yield text
            continue
        try:
            yield json.loads(text)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{file}:{number}: not a line of JSON ({str(error)[:100]})") from None


def _names(references: list[Any]) -> list[str]:
    """Name every task, each name once."""
    names: list[str] = []
    seen: set[str] = set()
    for number, reference in enumerate(references, 1):
        name = reference.get("id") if isinstance(reference, dict) else reference
        if not isinstance(name, str) or not name.strip() or len(name) > 200:
            name = f"task-{number}"
        if name in seen:
            name = f"{name}#{number}"
        seen.add(name)
        names.append(name)
    return names
