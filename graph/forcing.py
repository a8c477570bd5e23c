"""The loop by hand, part by part, up to the next action: what would it do now?

The parts of the steps are the loop's own, and so is their order. The environment is a recorded
one, which stops the part that wants to act; the state before is kept, so that the part can be run
again when it is known what was done and what followed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from langgraph.runtime import Runtime

from ..procedures.common.errors import MaclaError
from ..procedures.planning.episode_memory import EpisodeMemory
from .acting import act
from .build import run_part
from .context import LoopSettings, MaclaContext
from .knowledge import Knowledge
from .nodes.retrieve import MOST_TURNS
from .protocols import Reasoner
from .state import EpisodeInput, Event, MaclaState, Update, merged

_ENDS: Final = ("contrast", "end")
_MOST = 10 * MOST_TURNS
"""Nodes between two actions; the loop itself acts before that."""


class Untrusted(MaclaError):  # noqa: N818 (no error: the proof goes on)
    """The reasoner is to act, since no procedure is trusted; never leaves a proof."""


class _Wanted(MaclaError):  # noqa: N818 (never leaves this module)
    """An action that the loop is about to do."""

    def __init__(self, action: str) -> None:
        super().__init__(action)
        self.action = action


@dataclass(frozen=True, slots=True)
class Moment:
    """The state before a node."""

    state: MaclaState
    node: str

    def after(self, update: Update) -> Moment:
        """Return the moment after the node made this update."""
        return Moment(merged(self.state, update), update["route"])

    @property
    def over(self) -> bool:
        """Whether the loop would end the episode."""
        return self.node in _ENDS


class _Recorded:
    """An environment that answers what was recorded, and stops who wants to act before."""

    def __init__(self) -> None:
        self.answer: tuple[str, float, bool, Mapping[str, Any]] | None = None

    def reset(self, task: Any) -> tuple[str, str]:
        return str(task), ""

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        answer, self.answer = self.answer, None
        if answer is None:
            raise _Wanted(action)
        return answer


class Forced:
    """One episode of the loop, in which what was recorded happens, whatever the loop would do.

    Args:
        knowledge: What the library holds.
        reasoner: As in play; it should raise :class:`Untrusted` instead of acting.
        settings: Of the loop.
        task: The task's text.
        observation: The first one.
        actions: How many actions were recorded.

    Attributes:
        events: What the nodes told since the episode began; the caller may clear it.
        start: The moment before the first node.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        reasoner: Reasoner,
        settings: LoopSettings,
        task: str,
        observation: str,
        actions: int,
    ) -> None:
        self.events: list[Event] = []
        self._world = _Recorded()
        self._context = MaclaContext(knowledge, self._world, reasoner, settings=settings)
        self._runtime = Runtime(context=self._context, stream_writer=self.events.append)
        given: EpisodeInput = {
            "task": task,
            "observation": observation,
            "run": "proof",
            "horizon": settings.horizon + actions,  # what was recorded may be longer than play
        }
        self.start = Moment(cast(MaclaState, given), "begin")

    def wanted(
        self, moment: Moment, stop: Callable[[Moment], bool] = lambda _: False
    ) -> tuple[Moment, str | None]:
        """Go on to the next action; the state before it, and the action.

        Args:
            moment: Where to begin.
            stop: Tells where to give up.

        Returns:
            None as the action where the reasoner is to act, the loop ends or ``stop`` says so.
        """
        for _ in range(_MOST):
            if moment.over or stop(moment):
                break
            try:
                update = self._run(moment)
            except _Wanted as wanted:
                return moment, wanted.action
            except Untrusted:
                break
            moment = moment.after(update)
        return moment, None

    def done(
        self, moment: Moment, observation: str, reward: float, *, over: bool, won: bool
    ) -> Moment:
        """Do what the node at a moment wants, and observe what was recorded."""
        self._world.answer = (observation, reward, over, {"won": won})
        update = self._run(moment)
        self._world.answer = None  # who does nothing leaves no answer for a later action
        return moment.after(update)

    def forced(
        self, moment: Moment, action: str, observation: str, reward: float, *, over: bool, won: bool
    ) -> Moment:
        """Do another action than is wanted; plan and attempt stay as they are."""
        self._world.answer = (observation, reward, over, {"won": won})
        update = act(moment.state, self._context, action)
        self._world.answer = None
        node = moment.node
        if node not in ("execute", "experiment", "explore"):
            node, update = "retrieve", {**update, "done": over, "pending": []}
        return Moment(merged(moment.state, update), node)

    def memory(self, moment: Moment) -> EpisodeMemory:
        """Return what the episode told until then."""
        return self._context.memory(moment.state)

    def event(self, moment: Moment) -> Event:
        """Return what the node at a moment would stream of the action that it wants."""
        before = len(self.events)
        self._world.answer = ("", 0.0, False, {})
        self._run(moment)
        events = self.events[before:]
        del self.events[before:]
        return events[-1] if events else {}

    def _run(self, moment: Moment) -> Update:
        return run_part(moment.node, moment.state, self._runtime)
