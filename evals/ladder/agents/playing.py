"""Plays a half of the ladder: with memory, without, and with the nearest re-bound."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

from ....procedures.tooling.call_trust import Trust
from . import (
    development,
    eighth,
    eighth_held,
    fifth,
    fifth_held,
    fourth,
    ninth,
    ninth_held,
    sealed,
    seventh_held,
    sixth_held,
    third,
    third_held,
)
from .exchanges import AgentPlayer, Exchange
from .judge import differences
from .kinds import Kind
from .office import Office, State
from .rebinding import RunRebound
from .results import AgentsResult, Arm, Half, PassResult, TaskOutcome
from .second import shown, unseen
from .tasks import Task, tasks_of

__all__ = ["EACH", "Progress", "kinds_of", "play_agents"]

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how many tasks of how many were played."""

EACH = 4
"""How many tasks of a kind a pass has."""


def kinds_of(half: Half) -> tuple[Kind, ...]:
    """Return the kinds of task of one half."""
    halves: dict[Half, tuple[Kind, ...]] = {
        "development": development.KINDS,
        "sealed": sealed.KINDS,
        "second": shown.KINDS,
        "fourth": fourth.KINDS,
        "second-unseen": unseen.KINDS,
        "third": third.KINDS,
        "third-held": third_held.KINDS,
        "fifth": fifth.KINDS,
        "fifth-held": fifth_held.KINDS,
        "sixth-held": sixth_held.KINDS,
        "seventh-held": seventh_held.KINDS,
        "eighth": eighth.KINDS,
        "eighth-held": eighth_held.KINDS,
        "ninth": ninth.KINDS,
        "ninth-held": ninth_held.KINDS,
    }
    return halves[half]


def play_agents(
    half: Half,
    *,
    seed: int = 0,
    passes: int = 6,
    reworded: bool = True,
    look_alikes: bool = True,
    each: int = EACH,
    trust: Trust = "demonstrations",
    accepted: int = 0,
    progress: Progress | None = None,
) -> AgentsResult:
    """Play one half of the ladder on a library that is empty at first.

    Args:
        half: Which half.
        seed: Of the tasks.
        passes: How many.
        reworded: Ask each task in one of several wordings.
        look_alikes: Whether a quarter of the tasks are look-alikes.
        each: How many tasks of a kind in a pass.
        trust: What lets memory make calls that may change something.
        accepted: After which pass a person accepts all that was learned so far; 0 for never.
        progress: Is told after each task.
    """
    kinds = kinds_of(half)
    with tempfile.TemporaryDirectory(prefix="macla-agents-") as folder, ExitStack() as stack:
        run = _Run(Path(folder), kinds, stack, trust)
        for number in range(passes):
            tasks = tasks_of(
                kinds, number, seed=seed, each=each, reworded=reworded, look_alikes=look_alikes
            )
            run.begin()
            for index, task in enumerate(tasks, start=1):
                run.play(task)
                if progress is not None:
                    progress(number * len(tasks) + index, passes * len(tasks))
            if number + 1 == accepted:
                run.accept()
        told = f"{trust}, accepted after pass {accepted}" if accepted else trust
        return AgentsResult(half, told, seed, *run.arms())


class _Run:
    """Three offices in which the same tasks are done, the second of them without memory."""

    def __init__(self, folder: Path, kinds: Sequence[Kind], stack: ExitStack, trust: Trust) -> None:
        # Audits ask the model although memory knows: what that costs, tool_caution tells.
        options = {"trust": trust, "audit": 0}
        self._player = stack.enter_context(AgentPlayer(folder / "memory", kinds, memory=options))
        self._twin = stack.enter_context(AgentPlayer(folder / "without", kinds, memory=None))
        self._office = stack.enter_context(Office(folder / "rebound"))
        self._rebound = RunRebound(self._office, kinds)
        self._outcomes: list[tuple[list[TaskOutcome], list[TaskOutcome], list[TaskOutcome]]] = []

    def begin(self) -> None:
        """Begin a pass."""
        self._outcomes.append(([], [], []))

    def accept(self) -> None:
        """Accept what was learned so far, as a person does."""
        if self._player.memory is not None:
            self._player.memory.accept()

    def play(self, task: Task) -> None:
        """Play a task in all three offices, the twin's first."""
        shown = self._twin.play(task)
        state = self._twin.office.snapshot()
        memory, without, rebound = self._outcomes[-1]
        without.append(_outcome(task, shown, ()))
        memory.append(_judged(task, self._player.office, self._player.play(task), state, shown))
        self._office.plant(task.planted)
        rebound.append(_judged(task, self._office, self._rebound.play(shown), state, shown))
        self._rebound.learn(shown)

    def arms(self) -> tuple[Arm, Arm, Arm]:
        """Return what came of all passes."""
        names = ("memory", "without memory", "nearest re-bound")
        without = [sum(each.model_calls for each in outcomes[1]) for outcomes in self._outcomes]
        memory, alone, rebound = (
            Arm(
                name,
                tuple(
                    PassResult(tuple(outcomes[i]), calls)
                    for outcomes, calls in zip(self._outcomes, without, strict=True)
                ),
            )
            for i, name in enumerate(names)
        )
        return memory, alone, rebound


def _judged(
    task: Task,
    office: Office,
    exchanges: Sequence[Exchange],
    twin: State,
    shown: Sequence[Exchange],
) -> TaskOutcome:
    """Compare with the twin; after a wrong task its state is taken over."""
    texts = differences(office.snapshot(), twin, exchanges, shown)
    if texts:
        office.restore(twin)
    return _outcome(task, exchanges, texts)


def _outcome(task: Task, exchanges: Sequence[Exchange], texts: tuple[str, ...]) -> TaskOutcome:
    calls = sum(each.model_calls for each in exchanges)
    return TaskOutcome(task.id, task.kind, " / ".join(task.turns), task.look_alike, calls, texts)
