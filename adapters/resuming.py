"""A world that survives the process that acts in it: no action is done twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langgraph.store.base import BaseStore

from ..graph.answers import checked_reset, checked_step
from ..graph.protocols import AdmissibleEnvironment, Environment
from ..procedures.common.errors import EnvironmentFailure
from ..procedures.episodes.trajectories import cleaned

Told = tuple[str, float, bool, Mapping[str, Any]]
_FORBIDDEN: Told = ("That was not allowed.", 0.0, True, {"won": False})


class Resuming:
    """Wraps an environment so that an interrupted episode goes on where it was.

    An action whose answer is known already (the node that did it is run again) is answered from
    what is known. A world that lives in this process is built again after a crash by doing the
    recorded actions in a fresh one; a world that outlives the process is left as it is.

    Args:
        environment: The world.
        task: What it is reset with, if it has to be built again.
        first: What it then shows first; None where it is not known yet.
        run: Name of the episode.
        store: Keeps answers for other processes; LangGraph's store.
        lasting: Whether the world outlives this process.
        may: Asked before an action is done for the first time; what it forbids ends the episode.
    """

    def __init__(
        self,
        environment: Environment,
        task: Any,
        run: str,
        store: BaseStore | None = None,
        first: str | None = None,
        *,
        lasting: bool = False,
        may: Callable[[str], bool] | None = None,
    ) -> None:
        self._environment = environment
        self._task = task
        self._first = first
        self._space = ("macla", "answers", run)
        self._store = store
        self._lasting = lasting
        self._may = may
        self._answers: list[tuple[str, Told]] = []
        self._ready = False

    def reset(self, task: Any) -> tuple[str, str]:
        """Start the episode."""
        self._task, self._answers, self._ready = task, [], True
        return self._environment.reset(task)

    def step(self, action: str) -> Told:
        """Do one action.

        Raises:
            EnvironmentFailure: The world answered with something other than a step's answer.
        """
        return checked_step(type(self._environment).__name__, self._environment.step(action))

    def step_after(self, history: Sequence[Sequence[Any]], action: str) -> Told:
        """Do the action after a history, unless it was done already.

        Raises:
            EnvironmentFailure: The world cannot be built again, or another action than this was
                done in a lasting one after just this history.
        """
        number = len(history)
        if number < len(self._answers) and self._answers[number][0] == action:
            return self._answers[number][1]
        self._catch_up(history)
        key = str(number)
        stored = self._store.get(self._space, key) if self._store is not None else None
        if stored is not None and stored.value["action"] != action and self._lasting:
            # The checkpoint is older than the world: another action would come on top of it.
            raise EnvironmentFailure(
                f"action {number + 1} was {str(stored.value['action'])[:200]!r}, and it is done in "
                f"the world, but the checkpoint does not know of it, and now {action[:200]!r} was "
                'chosen; run the graph with durability="sync", so that checkpoints do not lag '
                "behind, and start this episode anew"
            )
        if stored is not None and stored.value["action"] == action:
            observation, reward, done, info = stored.value["told"]
            result: Told = (str(observation), float(reward), bool(done), dict(info))
            if not self._lasting:
                self.step(action)
        elif self._may is not None and not self._may(action):
            return _FORBIDDEN
        else:
            result = self.step(action)
            if self._store is not None:
                observation, reward, done, info = result
                plain = {k: v for k, v in info.items() if isinstance(v, str | int | float | bool)}
                value = {"action": action, "told": [observation, reward, done, plain]}
                self._store.put(self._space, key, value, index=False)
        self._answers = [*self._answers[:number], (action, result)]
        return result

    def _catch_up(self, history: Sequence[Sequence[Any]]) -> None:
        """Bring a fresh world to where the history ends."""
        if self._lasting:
            self._answers = [(str(e[0]), (str(e[1]), 0.0, False, {})) for e in history]
            return
        if not self._ready:
            answer = self._environment.reset(self._task)
            _, first = checked_reset(type(self._environment).__name__, answer)
            self._same("the start", first, self._first or first)
            self._ready = True
        for entry in history[len(self._answers) :]:
            action = str(entry[0])
            result = self.step(action)
            self._same(action, result[0], str(entry[1]))
            self._answers.append((action, result))

    def _same(self, what: str, now: str, before: str) -> None:
        if now != cleaned(before):
            raise EnvironmentFailure(
                f"the world cannot be built again: {what!r} shows {now[:200]!r}, before it was "
                f"{before[:200]!r}; start the episode anew, or say that the world is lasting"
            )


class ResumingListed(Resuming):
    """The same for a world that lists the possible actions."""

    _environment: AdmissibleEnvironment

    def admissible(self) -> Sequence[str]:
        """Return the possible actions."""
        return self._environment.admissible()


def resuming(
    environment: Environment,
    task: Any,
    run: str,
    store: BaseStore | None = None,
    first: str | None = None,
    *,
    lasting: bool = False,
    may: Callable[[str], bool] | None = None,
) -> Resuming:
    """Wrap an environment; see :class:`Resuming`."""
    listed = isinstance(environment, AdmissibleEnvironment)
    kind = ResumingListed if listed else Resuming
    return kind(environment, task, run, store, first, lasting=lasting, may=may)
