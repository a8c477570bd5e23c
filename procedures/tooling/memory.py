"""What a tool-calling agent can recall: procedures that fit a task, valued by their evidence."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ..ledger import Ledger, Outcome
from ..library import Library
from ..library_commit import generation
from ..model import Procedure
from ..utility import PRESETS, Candidate, Preset, Score, best_first, score
from .execution import Execution, is_tool_procedure, needed_words
from .values import tokenise

__all__ = ["Charged", "Recall", "Retriever", "ToolMemory"]

_PRIOR = (1.0, 1.0)
_LONGEST_TASK = 4_000
_MOST_NEAR = 512


class Retriever(Protocol):
    """Finds procedures by meaning; the index of a library is one."""

    def search(self, text: str, k: int, *, kind: str | None = None) -> Iterable[object]:
        """Return hits with an ``id``, best first."""
        ...


@dataclass(frozen=True, slots=True)
class Recall:
    """One procedure that reads a task in full.

    Attributes:
        execution: The procedure with the task's values.
        score: Its expected utility and parts.
        alpha: Pseudo-count of successes.
        beta: Pseudo-count of failures.
        ambiguous: Another one reads the task as well as this one and does something else.
    """

    execution: Execution
    score: Score
    alpha: float
    beta: float
    ambiguous: bool = False

    @property
    def procedure(self) -> Procedure:
        """The procedure."""
        return self.execution.procedure


@dataclass(frozen=True, slots=True)
class Charged:
    """What outcomes are recorded for.

    Attributes:
        id: Name of a procedure or a program.
        version: Its version.
    """

    id: str
    version: int = 1

    @property
    def ref(self) -> str:
        """``id@version``."""
        return f"{self.id}@{self.version}"


@dataclass(frozen=True, slots=True)
class _Known:
    procedure: Procedure
    words: tuple[frozenset[str], ...]
    alpha: float
    beta: float


class ToolMemory:
    """A library's tool procedures and their evidence, ready for recall. Thread-safe.

    Args:
        library: The procedures.
        ledger: The evidence.
        retriever: Finds procedures that are near a task; without one, there is no guidance.
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
        self._known: tuple[_Known, ...] = ()
        self._by_id: Mapping[str, Procedure] = {}
        self._near: dict[tuple[str, int], tuple[Procedure, ...]] = {}
        self._mark: object = None
        self.refresh()

    def refresh(self) -> bool:
        """Take in what changed in library and ledger; returns whether procedures changed."""
        with self._lock:
            mark = (_written(self._library.path), self._ledger.revision())
            if mark == self._mark:
                return False
            if self._mark is not None:
                self._library.refresh()
            before = self._by_id
            counts = self._ledger.counts("procedure")
            known: list[_Known] = []
            for procedure in self._library.procedures.values():
                if procedure.status == "retired" or not is_tool_procedure(procedure):
                    continue
                good, bad = counts.get(("procedure", procedure.id, procedure.version, ""), (0, 0))
                known.append(
                    _Known(
                        procedure,
                        tuple(map(needed_words, (procedure.goal, *procedure.wordings))),
                        _PRIOR[0] + good,
                        _PRIOR[1] + bad,
                    )
                )
            self._known = tuple(known)
            self._by_id = {each.procedure.id: each.procedure for each in known}
            self._near = {}
            self._mark = mark
            return before != self._by_id

    @property
    def procedures(self) -> Mapping[str, Procedure]:
        """Tool procedures that are in use, by id."""
        return self._by_id

    def recall(self, task: str, context: str | None = None) -> list[Recall]:
        """Return the procedures that read the whole task, best expected utility first.

        Of procedures that fit, only those with the most words in common with the task count.

        Args:
            task: The task.
            context: The agent's instructions; None where they are not known.
        """
        if len(task) > _LONGEST_TASK:
            return []
        words = [token.text for token in tokenise(task)]
        there = {word.casefold() for word in words}
        fitting: list[tuple[_Known, Execution]] = []
        for each in self._known:
            if any(wording <= there for wording in each.words):
                execution = Execution.start(each.procedure, task, words, context)
                if execution is not None:
                    fitting.append((each, execution))
        if not fitting:
            return []
        most = max(execution.words for _, execution in fitting)
        fitting = [pair for pair in fitting if pair[1].words == most]
        ready = [pair for pair in fitting if pair[0].procedure.status != "draft"]
        rated = score(
            [
                Candidate(each.procedure.id, 1.0, each.alpha, each.beta, _risk(each))
                for each, _ in fitting
            ],
            preset=self.preset,
        )
        by_id = {each.procedure.id: (each, execution) for each, execution in fitting}
        result: list[Recall] = []
        for value in best_first(rated):
            each, execution = by_id[value.id]
            result.append(Recall(execution, value, each.alpha, each.beta, len(ready) > 1))
        return sorted(result, key=lambda item: item.procedure.status == "draft")

    def trusted(self, task: str, context: str | None = None) -> Recall | None:
        """Return the procedure that may act on a task, or None; see :meth:`recall`."""
        found = self.recall(task, context)
        if not found:
            return None
        best = found[0]
        if best.procedure.status == "draft" or best.ambiguous:
            return None
        return best if best.score.value >= self.preset.weights.theta_conf else None

    def charged(self, name: str, task: str, context: str | None = None) -> Charged | None:
        """Return what a program's outcomes are recorded for.

        That is the procedure that reads the task as well, where there is one, else the program.
        None where that procedure has failed: how it is refined, and by whom, is decided there.

        Raises:
            LookupError: The program failed too often to act.
        """
        found = self.recall(task, context)
        if found:
            best = found[0]
            if best.beta > _PRIOR[1]:
                return None
            return Charged(best.procedure.id, best.procedure.version)
        counts = self._ledger.counts("procedure")
        good, bad = counts.get(("procedure", name, 1, ""), (0, 0))
        risk = bad / max(1.0, good + bad)
        candidate = Candidate(name, 1.0, _PRIOR[0] + good, _PRIOR[1] + bad, risk)
        (value,) = score([candidate], preset=self.preset)
        if bad and value.value < self.preset.weights.theta_conf:
            raise LookupError(f"{name} failed too often")
        return Charged(name)

    def near(self, task: str, k: int) -> Sequence[Procedure]:
        """Return procedures whose goals are most like a task, for guidance."""
        text = task[:_LONGEST_TASK]
        key = (text, k)
        found = self._near.get(key)
        if found is None:
            if self._retriever is None or not self._by_id:
                return ()
            by_id = self._by_id
            hits = self._retriever.search(text, 4 * k, kind="procedure")
            names = [str(getattr(hit, "id", "")) for hit in hits]
            found = tuple(by_id[name] for name in names if name in by_id)
            if len(self._near) >= _MOST_NEAR:
                self._near = {}
            self._near[key] = found
        return found[:k]

    def posterior(self, procedure: Procedure) -> tuple[float, float]:
        """Return (α, β) of a procedure; the prior where nothing is known of it."""
        for each in self._known:
            if each.procedure.ref == procedure.ref:
                return each.alpha, each.beta
        return _PRIOR

    def record(self, outcomes: Sequence[Outcome]) -> int:
        """Write outcomes to the ledger; return how many were new."""
        return self._ledger.record(outcomes)

    def refinements_due(self, need: tuple[int, int] = (3, 3)) -> list[str]:
        """Return ``id@version`` of procedures that should be refined.

        They have so many successes and failures (n_min), or failed so that they may not act any
        more: without acting they will never gather more evidence.
        """
        with self._lock:
            return [
                each.procedure.ref
                for each in self._known
                if (each.alpha - _PRIOR[0] >= need[0] and each.beta - _PRIOR[1] >= need[1])
                or (each.beta > _PRIOR[1] and self._fallen(each))
            ]

    def _fallen(self, known: _Known) -> bool:
        if known.procedure.status == "draft":
            return False
        (value,) = score(
            [Candidate(known.procedure.id, 1.0, known.alpha, known.beta, _risk(known))],
            preset=self.preset,
        )
        return value.value < self.preset.weights.theta_conf


def _written(root: Path) -> tuple[bytes, int]:
    """Return a mark of the files that differs after every change by macla."""
    try:
        return generation(root), (root / "procedures").stat().st_mtime_ns
    except OSError:
        return generation(root), 0


def _risk(known: _Known) -> float:
    """Share of past runs that failed; none yet is no known risk."""
    trials = known.alpha + known.beta - sum(_PRIOR)
    return (known.beta - _PRIOR[1]) / trials if trials > 0 else 0.0
