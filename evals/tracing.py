"""One episode with everything that the loop's nodes decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..adapters.session import LibrarySession
from ..graph.build import create_macla_graph, recursion_limit
from ..graph.context import MaclaContext
from ..graph.knowledge import Knowledge
from ..graph.state import MaclaState
from .arms import Setting, make_environment, run_id
from .suites import EvalTask

__all__ = ["Event", "EvidenceChange", "Traced", "decide", "evidence_changes", "trace_task"]

Event = Mapping[str, Any]
"""What one node streamed; ``node`` and ``step`` (actions done before it) are always there."""


@dataclass(frozen=True, slots=True)
class EvidenceChange:
    """Evidence of a procedure or meta-procedure before and after an episode.

    Attributes:
        kind: ``procedure`` or ``meta``.
        ref: ``id@version``.
        before: (α, β), prior included.
        after: (α, β) with the episode's outcomes counted.
    """

    kind: str
    ref: str
    before: tuple[float, float]
    after: tuple[float, float]


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
    """

    id: str
    task: str
    observation: str
    won: bool
    steps: int
    reward: float
    events: tuple[Event, ...]
    evidence: tuple[EvidenceChange, ...]


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
    with LibrarySession.open(setting.library or "", read_only=True) as session:
        knowledge = session.knowledge(ablated=setting.ablated)
        text, observation = environment.reset(task.reference)
        on_start(text, observation)
        context = MaclaContext(
            knowledge,
            environment,
            session.reasoner(knowledge),
            settings=session.loop_settings(
                horizon=setting.max_steps,
                seed=setting.seed,
                preset=setting.preset,
                ablated=setting.ablated,
            ),
        )
        start: MaclaState = {
            "task": text,
            "observation": observation,
            "run": run_id(setting, task.id),
            "horizon": setting.max_steps,
        }
        for event in (
            create_macla_graph()
            .compile()
            .stream(
                start,
                context=context,
                config={"recursion_limit": recursion_limit(setting.max_steps)},
                stream_mode="custom",
            )
        ):
            events.append(event)
            on_event(event)
        evidence = evidence_changes(events, knowledge)
    return Traced(
        id=task.id,
        task=text,
        observation=observation,
        won=environment.won,
        steps=len(environment.actions),
        reward=environment.reward,
        events=tuple(events),
        evidence=evidence,
    )


def evidence_changes(events: list[Event], knowledge: Knowledge) -> tuple[EvidenceChange, ...]:
    """Add up what an episode's outcomes say about procedures and meta-procedures."""
    sums: dict[tuple[str, str, int], tuple[float, float]] = {}
    for event in events:
        for row in event.get("outcomes", ()) if event.get("node") == "update" else ():
            if row["subject_kind"] in ("procedure", "meta") and not row.get("binding"):
                key = (row["subject_kind"], row["subject"], row["version"])
                good, bad = sums.get(key, (0.0, 0.0))
                sums[key] = (good + row["successes"], bad + row["failures"])
    changes = []
    for (kind, subject, version), (good, bad) in sums.items():
        alpha, beta = knowledge.posterior(kind, subject, version)
        after = (alpha + good, beta + bad)
        changes.append(EvidenceChange(kind, f"{subject}@{version}", (alpha, beta), after))
    return tuple(changes)


def decide(library: str, task: str, observation: str, seed: int = 0) -> list[dict[str, Any]]:
    """Return the events of the loop's first decision about a task, without acting.

    Args:
        library: Folder of the library.
        task: The task text.
        observation: The first observation; may be empty.
        seed: Seed of the loop.
    """
    with LibrarySession.open(library, read_only=True) as session:
        knowledge = session.knowledge()
        context = MaclaContext(
            knowledge,
            _Nowhere(),
            session.reasoner(knowledge),
            settings=session.loop_settings(seed=seed),
        )
        start: MaclaState = {"task": task, "observation": observation, "run": "explain"}
        graph = create_macla_graph().compile(interrupt_before=["check_pre", "fallback"])
        found = graph.stream(start, context=context, stream_mode="custom")
        return [dict(event) for event in found]


class _Nowhere:
    """No world: a decision is explained before anything is done."""

    def reset(self, task: Any) -> tuple[str, str]:
        raise NotImplementedError

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        raise NotImplementedError
