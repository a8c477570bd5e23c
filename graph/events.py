"""What the nodes stream: one JSON object an event, in the format of ``trace.schema.json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime

from ..procedures.conditions.language import Condition
from ..procedures.planning.episode_memory import EpisodeMemory
from .context import MaclaContext
from .phases import Candidate, Item
from .state import Event, MaclaState, steps_of


def emit(runtime: Runtime[MaclaContext], node: str, state: MaclaState, **facts: Any) -> None:
    """Stream what a node did, with the number of the next action."""
    runtime.stream_writer({"node": node, "step": steps_of(state), **facts})


def candidate_event(candidate: Candidate) -> Event:
    """Return a candidate with its reading beside its other keys."""
    event: Event = {each: candidate[each] for each in ("kind", "ref", "similarity")}
    if (reading := candidate["reading"]) is not None:
        event |= {"reading_cost": reading["cost"], "nothing": reading["nothing"]}
        event |= {"fillers": reading["fillers"], "reading": reading["key"], "goal": reading["goal"]}
        if reading["said"] is not None:
            event |= {each: reading[each] for each in ("said", "template", "refuted")}
    return event


def item_event(item: Item) -> Event:
    """Return a place of a plan with what it runs, reads or explores."""
    kind: Event = {"ref": item["ref"]} if item["ref"] else {"follow": item["follow"]}
    kind = {"explore": True} if item["explore"] else kind
    return {**kind, "place": item["place"], "with_": item["with_"]}


def checks_of(
    conditions: Sequence[Condition], memory: EpisodeMemory, bindings: Mapping[str, str]
) -> list[Event]:
    """Evaluate conditions for a binding.

    Returns:
        For each its ``condition`` as text, its ``value`` (True, False, or None for unknown) and
        ``because``, the text that decided.
    """
    verdicts = [(each, each.evaluate(memory, bindings)) for each in conditions]
    return [
        {"condition": each.to_text(), "value": verdict.value, "because": verdict.because}
        for each, verdict in verdicts
    ]
