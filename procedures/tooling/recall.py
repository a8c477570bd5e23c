"""Recall for an agent: the programs of a library that call tools, valued by their evidence."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Protocol

from ..evidence.ledger import CountKey, Ledger, Outcome
from ..evidence.running_counts import RunningCounts
from ..files.heads import Head
from ..library.library import Library
from ..library.library_commit import generation
from ..method.settings import Method
from ..method.utility import Candidate, Score, score, trusted_value
from ..programs.documents import DEFAULT_STATUS, ProgramFile
from .program_run import ToolProgram
from .register import InUse, Register
from .stops import stopped_in
from .tool_episodes import MAX_TASK

_MOST_SEARCHES = 512
"""Searches whose hits are kept; with one more all are let go."""


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

    Attributes:
        method: How programs are valued, as ``library.yaml`` says.
        revision: Of the ledger, as far as it was taken in.
        stopped: Id → why, of programs that may not act until a person clears them.
    """

    def __init__(
        self,
        library: Library,
        ledger: Ledger,
        retriever: Retriever | None = None,
    ) -> None:
        self._library = library
        self._ledger = ledger
        self._retriever = retriever
        self.method = Method()
        self.stopped: Mapping[str, str] = {}
        self._prior: tuple[float, float] | None = None
        self._lock = threading.RLock()
        self._register = Register()
        self._evidence = RunningCounts(ledger, subject_kind="program")
        self._counts: Mapping[CountKey, tuple[float, float]] = {}
        self._near: dict[tuple[str, int], tuple[ProgramFile, ...]] = {}
        self._mark: object = None
        self.revision = 0
        self._take_in()

    def refresh(self) -> bool:
        """Take in what changed in library and ledger; returns whether programs changed."""
        with self._lock:
            mark = (_library_mark(self._library.path), self._ledger.revision())
            if mark == self._mark:
                return False
            self._library.refresh()
            changed = self._take_in()
            self._mark = mark
            return changed

    def _take_in(self) -> bool:
        """Take in what the library says as it was read last, which may be some time ago."""
        self.revision = self._ledger.revision()
        self._counts = dict(self._evidence.counts())  # read by other threads meanwhile
        changed = self._register.follow(self._library.programs)
        self.method = Method.from_settings(self._library.settings.settings)
        self._prior = None
        self.stopped = stopped_in(self._ledger)
        self._near = {}
        return bool(changed)

    @property
    def programs(self) -> InUse:
        """The programs that are in use, by id."""
        return self._register.programs

    @property
    def files(self) -> Mapping[str, ProgramFile]:
        """Their files, by id; this makes all of them."""
        return {name: program.file for name, program in self.programs.items()}

    def file(self, name: str) -> ProgramFile | None:
        """Return the file of a program that is in use."""
        program = self.programs.get(name)
        return None if program is None else program.file

    def reading(self, task: str) -> list[ToolProgram]:
        """Return the programs that read a task, drafts as well, best expected utility first."""
        if len(task) > MAX_TASK:
            return []
        programs = self._register.reading(task)
        if len(programs) < 2:
            return programs
        return sorted(programs, key=lambda each: (-self.score(each.file).value, each.file.id))

    def program_for(self, task: str) -> ToolProgram | None:
        """Return the program that acts on a task; None where none that may act reads it.

        Raises:
            LookupError: There are several, it was stopped, or evidence speaks against it.
        """
        active = [each for each in self.reading(task) if each.file.status == DEFAULT_STATUS]
        if not active:
            return None
        if len(active) > 1:
            raise LookupError(f"{len(active)} programs read the task")
        if active[0].file.id in self.stopped:
            raise LookupError(f"{active[0].file.id} was stopped: {self.stopped[active[0].file.id]}")
        if self._fallen(active[0].file):
            raise LookupError(f"{active[0].file.id} failed too often")
        return active[0]

    def borne_out(self, file: ProgramFile) -> float:
        """Return how often others, a model or a person, bore out what it did in any version."""
        return sum(good for (_, name, *_), (good, _) in self._counts.items() if name == file.id)

    def posterior(self, file: ProgramFile) -> tuple[float, float]:
        """Return (α, β) of a program: what was shown and what came of it, on top of the prior."""
        prior = self._prior
        if prior is None:
            heads = self.programs.heads.items()
            trials = (self._trials(name, head) for name, head in heads)
            prior = self._prior = self.method.prior_from(trials)
        good, bad = self._trials(file.id, file)
        return prior[0] + good, prior[1] + bad

    def _trials(self, name: str, file: Head | ProgramFile) -> tuple[float, float]:
        """Return successes, demonstrations among them, and failures of a program."""
        good, bad = self._counts.get(("program", name, file.version, ""), (0.0, 0.0))
        return file.runs + good, bad

    def score(self, file: ProgramFile) -> Score:
        """Return what a program that reads a task is worth, by the library's rule."""
        good, bad = self._trials(file.id, file)
        risk = bad / (good + bad) if bad else 0.0
        candidate = Candidate(file.id, 1.0, *self.posterior(file), risk)
        chance = Random(file.ref)  # noqa: S311 (rules that draw: the same each time)
        (value,) = score([candidate], self.method.rule, self.method.preset, chance)
        return value

    def near(self, task: str, k: int) -> Sequence[ProgramFile]:
        """Return programs whose goals are most like a task, for guidance."""
        text = task[:MAX_TASK]
        nearest = self._near.get((text, k))
        if nearest is None:
            if self._retriever is None or not self.programs:
                return ()
            hits = self._retriever.search(text, 4 * k, kind="program")
            names = [str(getattr(hit, "id", "")) for hit in hits]
            files = (self.file(name) for name in names if name not in self.stopped)
            nearest = tuple(file for file in files if file is not None)
            if len(self._near) >= _MOST_SEARCHES:
                self._near = {}
            self._near[text, k] = nearest
        return nearest[:k]

    def record(self, outcomes: Sequence[Outcome]) -> int:
        """Write outcomes to the ledger; return how many were new."""
        return self._ledger.record(outcomes)

    def refinements_due(self, need: tuple[int, int] = (3, 3)) -> list[str]:
        """Return ``id@version`` of programs that need more demonstrations.

        These have enough successes and failures (n_min) to be refined. Or they failed so often that
        they may not act any more, and so gather no more evidence.
        """
        with self._lock:
            due: list[str] = []
            for name, head in self.programs.heads.items():
                good, bad = self._trials(name, head)
                enough = good >= need[0] and bad >= need[1]
                if enough or (bad and self._fallen(self.programs[name].file)):
                    due.append(f"{name}@{head.version}")
            return due

    def _fallen(self, file: ProgramFile) -> bool:
        if file.status != DEFAULT_STATUS or not self._trials(file.id, file)[1]:
            return False
        scored, preset = self.score(file), self.method.preset
        return (
            trusted_value(scored.value, scored.rate, scored.bonus, preset)
            < preset.weights.theta_conf
        )


def _library_mark(root: Path) -> tuple[bytes, int, int]:
    """Return a mark of the files that differs after every change by macla, and of the settings."""
    programs, settings = root / "programs", root / "library.yaml"
    first, second = (
        each.stat().st_mtime_ns if each.exists() else 0 for each in (programs, settings)
    )
    return generation(root), first, second
