"""One episode with everything that the loop's nodes decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig

from ...adapters.session import LibrarySession
from ...graph.build import compiled_loop, create_macla_graph, recursion_limit
from ...graph.context import LoopSettings, MaclaContext
from ...graph.finished_episode import trajectory_of
from ...graph.knowledge import Knowledge
from ...graph.state import EpisodeInput, MaclaState
from ...procedures.method.ablation import Part
from ...procedures.refinement.forming import FormationRule
from ..players.arms import Setting, make_environment, run_id
from ..suites.suites import EvalTask
from .trace_evidence import EvidenceChange, Tally, belief
from .trace_formation import formation, played_before

__all__ = ["Event", "EvidenceChange", "Traced", "decide", "trace_task"]

Event = Mapping[str, Any]
"""What one node streamed; ``node`` and ``step`` (actions done before it) are always there."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A traced episode.

    Attributes:
        id: Name of the task within its suite.
        task: The task text.
        observation: The first observation.
        won: Whether the task was solved.
        steps: Actions done.
        reward: Sum of the rewards.
        events: What the nodes streamed, in order.
        evidence: What the episode's outcomes change, in order of first use.
        formation: The plan that the episode speaks for; see :mod:`.trace_formation`.
        settings: How candidates were valued: see ``trace.schema.json``.
    """

    id: str
    task: str
    observation: str
    won: bool
    steps: int
    reward: float
    events: tuple[Event, ...]
    evidence: tuple[EvidenceChange, ...]
    formation: Mapping[str, Any]
    settings: Mapping[str, Any]

    def to_document(self) -> dict[str, Any]:
        """Return it as ``trace.schema.json`` has it."""
        return {
            "kind": "trace",
            "format": 1,
            "id": self.id,
            "task": self.task,
            "observation": self.observation,
            "won": self.won,
            "steps": self.steps,
            "reward": self.reward,
            "settings": dict(self.settings),
            "events": [dict(event) for event in self.events],
            "evidence": [
                {
                    "kind": change.kind,
                    "ref": change.ref,
                    **({"binding": change.binding} if change.binding else {}),
                    "before": belief(change.before),
                    "after": belief(change.after),
                }
                for change in self.evidence
            ],
            "formation": dict(self.formation),
        }


def trace_task(
    setting: Setting,
    task: EvalTask,
    *,
    on_start: Callable[[str, str], None] = lambda task, observation: None,
    on_event: Callable[[Event], None] = lambda event: None,
) -> Traced:
    """Play one task with the library; nothing is recorded.

    Args:
        setting: Who plays, where and how; the arm is the library.
        task: What to play.
        on_start: Told task text and first observation.
        on_event: Told each event as it happens.

    Raises:
        MaclaError: The library, the task or the environment cannot be used.
    """
    environment = make_environment(setting)
    events: list[Event] = []
    finished: list[MaclaState] = []
    with LibrarySession.open(setting.library or "", read_only=True) as session:
        knowledge = session.knowledge(ablated=setting.ablated, preset=setting.preset)
        text, observation = environment.reset(task.reference)
        on_start(text, observation)
        loop = session.loop_settings(
            horizon=setting.max_steps,
            seed=setting.seed,
            preset=setting.preset,
            ablated=setting.ablated,
        )
        reasoner, ended = session.reasoner(knowledge), finished.append
        context = MaclaContext(
            knowledge,
            environment,
            reasoner,
            settings=loop,
            after_episode=ended,
            floor=session.floor(setting.ablated, setting.preset),
        )
        start: EpisodeInput = {
            "task": text,
            "observation": observation,
            "run": run_id(setting, task.id),
            "horizon": setting.max_steps,
        }
        tally = Tally(knowledge)
        graph = compiled_loop()
        config: RunnableConfig = {"recursion_limit": recursion_limit(setting.max_steps)}
        for event in graph.stream(start, context=context, config=config, stream_mode="custom"):
            events.append(tally.completed(event))
            on_event(events[-1])
        rule = FormationRule.paper() if loop.preset.strict else FormationRule()
        before = played_before(session.library.path)
        return Traced(
            id=task.id,
            task=text,
            observation=observation,
            won=environment.won,
            steps=len(environment.actions),
            reward=environment.reward,
            events=tuple(events),
            evidence=tally.evidence(),
            formation=formation(trajectory_of(finished[-1]), before, knowledge, rule),
            settings=_settings(setting, loop, knowledge),
        )


def _settings(setting: Setting, loop: LoopSettings, knowledge: Knowledge) -> dict[str, Any]:
    """Return all that the numbers of a trace depend on, so that they can be computed again."""
    return {
        "preset": loop.preset.name,
        "information": loop.preset.information.value,
        "relevance": loop.preset.relevance.value,
        "confidence": loop.preset.confidence.value,
        "rule": loop.rule.value,
        "weights": asdict(loop.preset.weights),
        "prior": {"alpha": knowledge.prior[0], "beta": knowledge.prior[1]},
        "without": sorted(setting.ablated),
        "suite": {"name": setting.suite.name, **setting.suite.facts()},
        "max_steps": setting.max_steps,
        "admissible": setting.admissible,
        "scramble": setting.scramble,
        "seed": setting.seed,
        "library_hash": knowledge.library_hash,
    }


def decide(
    library: str,
    task: str,
    observation: str,
    seed: int = 0,
    *,
    preset: str | None = None,
    ablated: frozenset[Part] = frozenset(),
) -> list[dict[str, Any]]:
    """Return the events of the loop's first decision about a task, without acting.

    Args:
        library: Folder of the library.
        task: The task text.
        observation: The first observation; may be empty.
        seed: Seed of the loop.
        preset: Preset of the method; None stands for the library's own.
        ablated: Parts of the method to leave out.
    """
    with LibrarySession.open(library, read_only=True) as session:
        knowledge = session.knowledge(ablated=ablated, preset=preset)
        context = MaclaContext(
            knowledge,
            _Nowhere(),
            session.reasoner(knowledge),
            settings=session.loop_settings(seed=seed, preset=preset, ablated=ablated),
        )
        start: EpisodeInput = {"task": task, "observation": observation, "run": "decision"}
        graph = create_macla_graph().compile(interrupt_before=["check_pre", "execute"])
        found = graph.stream(start, context=context, stream_mode="custom")
        return [dict(event) for event in found]


class _Nowhere:
    """No world: a decision is explained before anything is done."""

    def reset(self, task: Any) -> tuple[str, str]:
        raise NotImplementedError

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        raise NotImplementedError
