"""What remains of a played episode, whoever played it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

__all__ = ["EpisodeOutcome", "printable"]

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class EpisodeOutcome:
    """The outcome of one episode.

    Attributes:
        id: Name of the game or task within its suite.
        task: The task text that the agent was given.
        success: Whether the environment says that the task is solved.
        steps: How many actions were done, at least 0.
        reward: Sum of the rewards.
        actions: The actions, in order.
        fallback_steps: Actions that no procedure chose, 0 ... ``steps``.
        llm_calls: Calls of a language model.
        llm_tokens: Tokens of their prompts and answers.
        llm_failures: Questions to it that had no usable answer in the end.
        metas: Meta-procedures (``id@version``) that were carried through to their end or to the
            end of a won episode, in order.
        procedures: Procedures (``id@version``) that did what they are for, in order.
        seconds: Wall time.
        error: Why the episode broke off; empty if it did not.
        group: Kind of the task, for breakdowns; may be empty.
        refuted: Readings of the task that were taken up and did not solve it.
        choices: Of each plan, procedure or program that was chosen for the task, in order: its
            id@version, the success that was expected of it (Rel·ρ̂) and ρ̂, both in [0, 1].
        deciding: Seconds of processor time that were not the environment's.
    """

    id: str
    task: str
    success: bool
    steps: int
    reward: float
    actions: tuple[str, ...]
    fallback_steps: int = 0
    llm_calls: int = 0
    llm_tokens: int = 0
    llm_failures: int = 0
    metas: tuple[str, ...] = ()
    procedures: tuple[str, ...] = ()
    seconds: float = 0.0
    error: str = ""
    group: str = ""
    refuted: int = 0
    choices: tuple[tuple[str, float, float], ...] = ()
    deciding: float = field(default=0.0, compare=False)

    @property
    def at_first(self) -> bool:
        """Whether the first plan that was taken up won: nothing was refuted, no fallback acted."""
        return self.success and not self.refuted and not self.fallback_steps

    def to_document(self) -> dict[str, Any]:
        """Return it as ``eval_result.schema.json`` has it."""
        document: dict[str, Any] = {
            "id": printable(self.id)[:2_000],
            "task": printable(self.task) or "(no task text)",
            "success": self.success,
            "steps": self.steps,
            "reward": self.reward,
            "llm_calls": self.llm_calls,
            "llm_tokens": self.llm_tokens,
            "metas": list(self.metas),
            "procedures": list(self.procedures),
            "fallback_steps": self.fallback_steps,
            "seconds": round(self.seconds, 6),
        }
        extra: dict[str, Any] = {}
        if self.refuted:
            extra["refuted"] = self.refuted
        if self.choices:
            extra["choices"] = [list(choice) for choice in self.choices]
        if extra:
            document["extra"] = extra
        if self.error:
            document["error"] = printable(self.error)[:20_000]
        return document


def printable(text: str) -> str:
    """Replace control characters and lone surrogates, which no result file may hold."""
    return _CONTROL.sub("\ufffd", text)
