"""What an agent can recall: the programs of a library that call tools, valued by their evidence."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from ..ledger import Ledger, Outcome
from ..library import Library
from ..library_commit import generation
from ..programs.documents import DEFAULT_STATUS, ProgramFile
from ..utility import PRESETS, Candidate, Preset, Score, score
from .running import ToolProgram

__all__ = ["ProgramRecall", "Retriever"]

_PRIOR = (1.0, 1.0)
_LONGEST_TASK = 4_000
_MOST_NEAR = 512


class Retriever(Protocol):
    """Finds documents by meaning; the index of a library is one."""

    def search(self, text: str, k: int, *, kind: str | None = None) -> Iterable[object]:
        """Return hits with an ``id``, best first."""
        ...


class ProgramRecall:
    """A library's programs that call tools, and their evidence, ready for recall. Thread-safe.

    Args:
        library: The programs.
        ledger: The evidence.
        retriever: Finds programs that are near a task; without one, there is no guidance.
        preset: Constants of the expected utility.
    """

    def __init__(
        self,
        library: Library,
        ledger: Ledger,
        retriever: Retriever | None = None,
        preset: Preset = PRESETS["default"],
    ) -> None:
        self._library = library
        self._ledger = ledger
        self._retriever = retriever
        self.preset = preset
        self._lock = threading.RLock()
        self._programs: Mapping[str, ToolProgram] = {}
        self._counts: Mapping[tuple[str, int], tuple[float, float]] = {}
        self._near: dict[tuple[str, int], tuple[ProgramFile, ...]] = {}
        self._mark: object = None
        self.refresh()

    def refresh(self) -> bool:
        """Take in what changed in library and ledger; returns whether programs changed."""
        with self._lock:
            mark = (_written(self._library.path), self._ledger.revision())
            if mark == self._mark:
                return False
            if self._mark is not None:
                self._library.refresh()
            counts = self._ledger.counts("program")
            self._counts = {(name, version): both for (_, name, version, _), both in counts.items()}
            before = self._programs
            self._programs = {
                name: before[name]
                if name in before and before[name].file == file
                else ToolProgram(file)
                for name, file in self._library.programs.items()
                if file.tools is not None and file.status != "retired"
            }
            self._near = {}
            self._mark = mark
            return before != self._programs

    @property
    def programs(self) -> Mapping[str, ToolProgram]:
        """The programs that are in use, by id."""
        return self._programs

    @property
    def files(self) -> Mapping[str, ProgramFile]:
        """Their files, by id."""
        return {name: program.file for name, program in self._programs.items()}

    def reading(self, task: str) -> list[ToolProgram]:
        """Return the programs that read a task, drafts as well, best expected utility first."""
        if len(task) > _LONGEST_TASK:
            return []
        programs = [each for each in self._programs.values() if each.reads(task)]
        return sorted(programs, key=lambda each: (-self.score(each.file).value, each.file.id))

    def program_for(self, task: str) -> ToolProgram | None:
        """Return the program that acts on a task; None where none that may act reads it.

        Raises:
            LookupError: There are several, or evidence speaks against it.
        """
        active = [each for each in self.reading(task) if each.file.status == DEFAULT_STATUS]
        if not active:
            return None
        if len(active) > 1:
            raise LookupError(f"{len(active)} programs read the task")
        if self._fallen(active[0].file):
            raise LookupError(f"{active[0].file.id} failed too often")
        return active[0]

    def posterior(self, file: ProgramFile) -> tuple[float, float]:
        """Return (α, β) of a program: what was shown and what came of it, on top of the prior."""
        good, bad = self._counts.get((file.id, file.version), (0.0, 0.0))
        return _PRIOR[0] + runs_of(file) + good, _PRIOR[1] + bad

    def score(self, file: ProgramFile) -> Score:
        """Return the expected utility of a program that reads a task."""
        alpha, beta = self.posterior(file)
        trials = alpha + beta - sum(_PRIOR)
        risk = (beta - _PRIOR[1]) / trials if trials else 0.0
        (value,) = score([Candidate(file.id, 1.0, alpha, beta, risk)], preset=self.preset)
        return value

    def near(self, task: str, k: int) -> Sequence[ProgramFile]:
        """Return programs whose goals are most like a task, for guidance."""
        text = task[:_LONGEST_TASK]
        known = self._near.get((text, k))
        if known is None:
            if self._retriever is None or not self._programs:
                return ()
            files = self.files
            hits = self._retriever.search(text, 4 * k, kind="program")
            names = [str(getattr(hit, "id", "")) for hit in hits]
            known = tuple(files[name] for name in names if name in files)
            if len(self._near) >= _MOST_NEAR:
                self._near = {}
            self._near[text, k] = known
        return known[:k]

    def record(self, outcomes: Sequence[Outcome]) -> int:
        """Write outcomes to the ledger; return how many were new."""
        return self._ledger.record(outcomes)

    def refinements_due(self, need: tuple[int, int] = (3, 3)) -> list[str]:
        """Return ``id@version`` of programs of which other runs should be shown.

        They have so many successes and failures (n_min), or failed so that they may not act any
        more: without acting they will never gather more evidence.
        """
        with self._lock:
            due: list[str] = []
            for file in self.files.values():
                alpha, beta = self.posterior(file)
                both = alpha - _PRIOR[0] >= need[0] and beta - _PRIOR[1] >= need[1]
                if both or self._fallen(file):
                    due.append(file.ref)
            return due

    def _fallen(self, file: ProgramFile) -> bool:
        if file.status != DEFAULT_STATUS or self.posterior(file)[1] <= _PRIOR[1]:
            return False
        return self.score(file).value < self.preset.weights.theta_conf


def runs_of(file: ProgramFile) -> int:
    """Return in how many demonstrations a program was shown."""
    return max((step.box.runs for step in file.program.steps), default=0)


def _written(root: Path) -> tuple[bytes, int]:
    """Return a mark of the files that differs after every change by macla."""
    try:
        return generation(root), (root / "programs").stat().st_mtime_ns
    except OSError:
        return generation(root), 0
