"""What the nodes need besides the state: knowledge, the world, the ledger, the settings."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from langgraph.errors import GraphBubbleUp

from ..procedures.common.clock import now
from ..procedures.common.errors import EnvironmentFailure, MaclaError
from ..procedures.episodes.history import Experience
from ..procedures.episodes.trajectories import cleaned
from ..procedures.evidence.ledger import Outcome
from ..procedures.method.presets import PRESETS, Preset
from ..procedures.method.utility import Rule
from ..procedures.planning.episode_memory import EpisodeMemory
from ..procedures.proof.floor import Floor
from .answers import checked_actions, short
from .budget import Budget, Meter
from .knowledge import Knowledge
from .phases import Counters, PendingOutcome
from .protocols import (
    Environment,
    EpisodeRefiner,
    OutcomeSink,
    Reasoner,
    lists_actions,
)
from .state import MaclaState, history_of, steps_of


@dataclass(frozen=True, slots=True)
class LoopSettings:
    """Settings of the loop; the defaults are the paper's, save where DESIGN.md mends them.

    Attributes:
        preset: Constants and information term of the expected utility.
        rule: How candidates are valued.
        horizon: Most actions an episode may take.
        candidates: How many candidates are retrieved from the index.
        seed: Seed of every random choice.
        budget: Most that an episode may ask of a language model.
        experiments: Most actions an episode spends on experiments; 0 makes none.
    """

    preset: Preset = PRESETS["default"]
    rule: Rule = Rule.EXPECTED_UTILITY
    horizon: int = 50
    candidates: int = 16
    seed: int = 0
    budget: Budget = field(default_factory=Budget)
    experiments: int = 0


@dataclass(slots=True)
class MaclaContext:
    """Runtime context of the loop; never part of the state.

    Attributes:
        knowledge: What the library holds.
        environment: The world; its ``admissible`` is used where it has one.
        reasoner: Chooses actions where no procedure is trusted.
        ledger: Takes outcomes; None plays without recording.
        settings: Constants of the loop.
        after_episode: Called once with the final state, to learn from it; for example
            ``lambda state: learner.add(trajectory_of(state))`` with an ``OnlineLearner``.
        refinery: Asked at the end of each episode what it changes; None refines nothing.
        clock: Time stamp of outcomes.
        floor: Demonstrations to do again, in the very same situation or re-bound.
        experience: What earlier episodes told of candidates; None where that does not count.
    """

    knowledge: Knowledge
    environment: Environment
    reasoner: Reasoner
    ledger: OutcomeSink | None = None
    settings: LoopSettings = field(default_factory=LoopSettings)
    after_episode: Callable[[MaclaState], None] | None = None
    refinery: EpisodeRefiner | None = None
    clock: Callable[[], str] = now
    floor: Floor = field(default_factory=Floor)
    experience: Experience | None = None
    _memory: tuple[str, int, EpisodeMemory] | None = None
    _inner: MaclaContext | None = None

    def in_world(self, state: MaclaState) -> MaclaContext:
        """Return the context with what is known of the episode's world; itself where that is all.

        Args:
            state: Of the episode, or what it begins with.
        """
        observation = state.get("first_observation") or state.get("observation", "")
        knowledge = self.knowledge.of(state.get("task", ""), observation)
        if knowledge is self.knowledge:
            return self
        inner = self._inner
        if (
            inner is None
            or inner.knowledge is not knowledge
            or inner.environment is not self.environment
        ):
            inner = replace(self, knowledge=knowledge, _memory=None, _inner=None)
            self._inner = inner
        return inner

    def memory(self, state: MaclaState) -> EpisodeMemory:
        """Return the episode's memory, rebuilt from the history where it is not at hand."""
        run, history = state["run"], history_of(state)
        cached = self._memory
        if cached is not None and cached[0] == run and cached[1] <= len(history):
            memory = cached[2]
            for action, observation, worked in history[cached[1] :]:
                memory.add(action, observation, worked=worked)
        else:
            memory = EpisodeMemory.replay(
                self.knowledge.lexicon,
                state["task"],
                cleaned(state["first_observation"]),
                history,
                self.knowledge.world,
            )
        if memory.places is not None:
            memory.places.broken.update((p, a) for p, a in state["world"]["broken"])
        self._memory = (run, len(history), memory)
        return memory

    def admissible(self) -> list[str] | None:
        """Return the possible actions, or None where the world hides them.

        Raises:
            EnvironmentFailure: The environment raised, or answered with something else.
        """
        world = self.environment
        if not lists_actions(world):
            return None
        try:
            answer = world.admissible()
        except (MaclaError, GraphBubbleUp):
            raise
        except Exception as error:
            raise EnvironmentFailure(
                "the environment failed to list its actions "
                f"({type(error).__name__}: {short(str(error))})"
            ) from error
        return checked_actions(type(world).__name__, answer)

    def rng(self, state: MaclaState) -> random.Random:
        """Return a random source that depends only on seed, run and step."""
        name = f"{self.settings.seed}/{state['run']}/{steps_of(state)}"
        return random.Random(name)  # noqa: S311

    def meter(self, state: MaclaState) -> Meter:
        """Return a meter that has counted what the episode asked of a model so far."""
        spent = state["counters"]
        return Meter(
            self.settings.budget,
            calls=spent["llm_calls"],
            tokens=spent["llm_tokens"],
            failures=spent["llm_failures"],
            refused=spent["llm_refused"],
        )

    @staticmethod
    def counted(state: MaclaState, meter: Meter) -> Counters:
        """Return the episode's counters with what the meter has counted."""
        counters = state["counters"].copy()
        counters["llm_calls"] = meter.calls
        counters["llm_tokens"] = meter.tokens
        counters["llm_failures"] = meter.failures
        counters["llm_refused"] = meter.refused
        return counters

    def record(self, state: MaclaState, rows: Sequence[PendingOutcome]) -> None:
        """Write pending outcomes to the ledger, if there is one."""
        if self.ledger is None or not rows:
            return
        at = self.clock()
        # An outcome takes the name of its kind, too.
        named = [Outcome(run=state["run"], at=at, **row) for row in rows]  # type: ignore[arg-type]
        self.ledger.record(named)
