"""The protocols that adapters implement so that the loop can use them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeGuard, runtime_checkable

from ..procedures.episodes.trajectories import Trajectory
from ..procedures.evidence.ledger import Outcome
from ..procedures.model.procedure import MetaProcedure, Procedure
from ..procedures.proposals.proposal import Proposal
from ..procedures.refinement.refinery import Abstained
from .budget import Meter
from .reasoning import KnownGoal, PlacePolicy, Segment, Situation, Suggestion, TaskReading

BLANK = "{}"
"""What stands in a listed action for any text."""


@runtime_checkable
class Environment(Protocol):
    """A text world: one episode at a time, nothing but text in and out."""

    def reset(self, task: Any) -> tuple[str, str]:
        """Start an episode; return ``(task text, first observation)``."""
        ...

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        """Do one action; return ``(observation, reward, done, info)``.

        ``info["won"]`` says whether the task is solved. Where it is missing,
        ``reward >= 1`` at the end of the episode counts as solved.
        """
        ...


@runtime_checkable
class AdmissibleEnvironment(Environment, Protocol):
    """An environment that can also list the actions that are possible now."""

    def admissible(self) -> Sequence[str]:
        """Return the actions that are possible now, in a stable order.

        Where any text may stand, an action is a form with :data:`BLANK` there: ``say {}``.
        """
        ...


@runtime_checkable
class ResumableEnvironment(Environment, Protocol):
    """An environment that goes on where an episode was cut off, without repeating an action."""

    def step_after(
        self, history: Sequence[Sequence[Any]], action: str
    ) -> tuple[str, float, bool, Mapping[str, Any]]:
        """Do the action that follows a history of ``[action, observation, worked]``.

        What was done already, by this call in an attempt that was cut off, is not done again.
        """
        ...


def lists_actions(world: Environment) -> TypeGuard[AdmissibleEnvironment]:
    """Tell whether an environment lists its actions; ``isinstance`` looks at each member."""
    return callable(getattr(world, "admissible", None))


def resumes(world: Environment) -> TypeGuard[ResumableEnvironment]:
    """Tell whether an environment goes on where an episode was cut off."""
    return callable(getattr(world, "step_after", None))


class OutcomeSink(Protocol):
    """Where outcomes are kept; the ledger is one."""

    def record(self, outcomes: Iterable[Outcome]) -> int:
        """Store outcomes for good; return how many were new."""
        ...


class EpisodeRefiner(Protocol):
    """Finds what evidence says should change, and puts it forward; a ``Refinery`` is one."""

    @property
    def abstained(self) -> Mapping[str, Abstained]:
        """What the last call of :meth:`propose` found no change for."""
        ...

    def suggested(
        self, item: Procedure | MetaProcedure, document: Mapping[str, Any], why: str
    ) -> Proposal | None:
        """Return a change that somebody else suggests as a proposal; None if it would do harm."""
        ...

    def propose(self, refs: Sequence[str]) -> list[Proposal]:
        """Return changes of these procedures and plans (``id@version``) that are credible."""
        ...

    def submit(self, proposal: Proposal) -> str:
        """Send a change on its way; return what became of it (``accepted``, ``made``, …)."""
        ...


class Actor(Protocol):
    """Chooses an action where no procedure is trusted."""

    def confidence(self, meter: Meter) -> float:
        """Return the expected utility of letting it act now, in [0, 1].

        A procedure below it is not better, and one below θ_conf is not taken either unless this
        is lower still.
        """
        ...

    def act(self, situation: Situation, meter: Meter) -> str | None:
        """Return the next action, or None where nothing is worth trying."""
        ...


class TaskReader(Protocol):
    """Says which known goal a task means."""

    @property
    def asks_model(self) -> bool:
        """Whether a model chooses actions; else they are guessed."""
        ...

    @property
    def reads_first(self) -> bool:
        """Whether it is asked before the library's own reading; else only where that fails."""
        ...

    def parse_task(
        self,
        task: str,
        observation: str,
        goals: Sequence[KnownGoal],
        meter: Meter,
        refuted: Sequence[str] = (),
    ) -> TaskReading | None:
        """Return what the task means, or None where none of the goals or where it cannot tell.

        Args:
            task: The task.
            observation: The first one.
            goals: What the library knows how to reach.
            meter: Counts what is asked of a model.
            refuted: Readings that came to nothing in this episode.
        """
        ...


class Abstracter(Protocol):
    """Makes procedures out of trajectories that symbolic learning has no plan for."""

    def segment(self, trajectory: Trajectory, meter: Meter) -> tuple[Segment, ...] | None:
        """Cut a trajectory into stretches in order, without overlap; None to abstain."""
        ...

    def abstract(self, segment: Segment, meter: Meter) -> Mapping[str, Any] | None:
        """Return a draft for a segment, or None to abstain.

        The draft has ``goal`` and ``steps`` (templates), ``parameters`` (name → the text in the
        segment that it stands for) and ``effect`` (pattern of what shows that it worked).
        """
        ...


class Refiner(Protocol):
    """Suggests how a procedure or a plan should change."""

    @property
    def model(self) -> str:
        """Name of the model that is asked, for people; empty where none is."""
        ...

    def contrast(
        self,
        procedure: Procedure,
        successes: Sequence[Segment],
        failures: Sequence[Segment],
        meter: Meter,
    ) -> Suggestion | None:
        """Return what tells successes from failures, or None to abstain."""
        ...

    def distil_policy(
        self, meta: MetaProcedure, trajectories: Sequence[Trajectory], meter: Meter
    ) -> tuple[PlacePolicy, ...] | None:
        """Return Θ for each place of a plan, or None to abstain."""
        ...


class Reasoner(Actor, TaskReader, Abstracter, Refiner, Protocol):
    """All that may be left to a language model; each method may abstain."""
