"""The loop as an uncompiled LangGraph state machine."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Final, Protocol

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from .context import MaclaContext
from .nodes.begin import begin
from .nodes.check_post import check_post
from .nodes.check_pre import check_pre
from .nodes.conclude import conclude
from .nodes.execute import execute
from .nodes.experiment import experiment
from .nodes.explore import explore
from .nodes.fallback import fallback
from .nodes.parse_task import parse_task
from .nodes.refine import refine
from .nodes.retrieve import MOST_TURNS, retrieve
from .nodes.score import score
from .nodes.update import update
from .state import MaclaState

__all__ = ["NEXT", "NODES", "create_macla_graph", "recursion_limit"]


class _Node(Protocol):
    def __call__(self, state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]: ...


NODES: Final[Mapping[str, _Node]] = {
    "begin": begin,
    "parse_task": parse_task,
    "retrieve": retrieve,
    "score": score,
    "check_pre": check_pre,
    "execute": execute,
    "experiment": experiment,
    "explore": explore,
    "check_post": check_post,
    "update": update,
    "refine": refine,
    "fallback": fallback,
    "conclude": conclude,
}
"""Name → what is done there."""
NEXT: Final[Mapping[str, str]] = {
    "parse_task": "retrieve",
    "check_post": "update",
    "update": "refine",
    "fallback": "update",
    "explore": "update",
}
"""Node → the one that always follows; after the others the state's ``route`` says which."""

_BETWEEN_ACTIONS = 10 * MOST_TURNS
"""Supersteps allowed between two actions; a turn of the loop takes seven at most."""


def recursion_limit(horizon: int) -> int:
    """Return a LangGraph recursion limit for an episode of at most ``horizon`` actions."""
    return _BETWEEN_ACTIONS * (horizon + 1)


def create_macla_graph() -> StateGraph[MaclaState, MaclaContext]:
    """Build the loop; compile it with or without a checkpointer.

    Example::

        graph = create_macla_graph().compile()
        task, observation = context.environment.reset(game)
        state = graph.invoke(
            {"task": task, "observation": observation},
            context=context,
            config={"recursion_limit": recursion_limit(50)},
        )
        print(state["won"], len(state["history"]))
    """
    graph = StateGraph(MaclaState, context_schema=MaclaContext)
    for name, function in NODES.items():
        graph.add_node(name, function)
    graph.add_edge(START, "begin")
    # A new episode, and one that goes on, may first be read by the reasoner.
    begun: dict[Hashable, str] = {
        "retrieve": "parse_task",
        "execute": "execute",
        "conclude": "conclude",
    }
    graph.add_conditional_edges("begin", _route, begun)
    routes = {
        "retrieve": ["score", "explore", "update"],
        "score": ["check_pre", "fallback", "retrieve", "parse_task"],
        "check_pre": ["execute", "check_post", "retrieve", "update", "fallback"],
        "execute": ["execute", "experiment", "check_post", "retrieve"],
        "experiment": ["experiment", "execute", "check_post"],
        "refine": ["retrieve", "conclude"],
    }
    for node, targets in routes.items():
        graph.add_conditional_edges(node, _route, targets)
    for before, after in NEXT.items():
        graph.add_edge(before, after)
    # Refinements are put forward one at a time.
    graph.add_conditional_edges("conclude", _route, {"conclude": "conclude", "end": END})
    return graph


def _route(state: MaclaState) -> str:
    return state["route"]
