"""The loop as an uncompiled LangGraph state machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, Protocol

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from ..procedures.common.errors import MaclaError
from .context import MaclaContext
from .nodes.begin import begin
from .nodes.check_post import check_post
from .nodes.check_pre import check_pre
from .nodes.conclude import conclude
from .nodes.contrast import contrast
from .nodes.execute import execute
from .nodes.experiment import experiment
from .nodes.explore import explore
from .nodes.fallback import fallback
from .nodes.parse_task import parse_task
from .nodes.refine import refine
from .nodes.retrieve import MOST_TURNS, retrieve
from .nodes.score import score
from .nodes.update import update
from .state import EpisodeInput, MaclaState, Update


class _Node(Protocol):
    def __call__(self, state: MaclaState, runtime: Runtime[MaclaContext]) -> Update: ...


class _NodeFunction(Protocol):
    def __call__(self, state: MaclaState, runtime: Runtime[MaclaContext]) -> Command[str]: ...


STEPS: Final[Mapping[str, Mapping[str, _Node]]] = {
    "retrieve": {"begin": begin, "parse_task": parse_task, "retrieve": retrieve},
    "score": {"score": score},
    "check_pre": {"check_pre": check_pre},
    "execute": {
        "execute": execute,
        "experiment": experiment,
        "explore": explore,
        "fallback": fallback,
    },
    "check_post": {"check_post": check_post},
    "update": {"update": update},
    "refine": {"refine": refine, "contrast": contrast, "conclude": conclude},
}
"""The steps of the method, which are the nodes of the graph, and what is done in each.

The state's ``route`` names what is done next; an episode begins with ``begin``.
"""
STEP_OF: Final[Mapping[str, str]] = {name: step for step, parts in STEPS.items() for name in parts}
"""What is done → the step in which it is done."""
_TARGETS: Final[Mapping[str, Sequence[str]]] = {
    "retrieve": ("retrieve", "score", "execute", "update"),
    "score": ("check_pre", "execute", "retrieve"),
    "check_pre": ("execute", "check_post", "retrieve", "update"),
    "execute": ("execute", "check_post", "retrieve", "update"),
    "check_post": ("update",),
    "update": ("refine",),
    # Refinements are put forward one at a time.
    "refine": ("retrieve", "refine", END),
}
"""Step → those that may follow it."""

_NOTING: Final = frozenset({"begin", "refine"})
"""Parts that may be done again: they write to the state alone, and add nothing to what adds up."""

_BETWEEN_ACTIONS = 10 * MOST_TURNS
"""Supersteps allowed between two actions; a turn of the loop takes seven at most."""


def recursion_limit(horizon: int) -> int:
    """Return a LangGraph recursion limit for an episode of at most ``horizon`` actions."""
    return _BETWEEN_ACTIONS * (horizon + 1)


def create_macla_graph() -> StateGraph[MaclaState, MaclaContext, EpisodeInput, MaclaState]:
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
    graph = StateGraph(MaclaState, context_schema=MaclaContext, input_schema=EpisodeInput)
    for step, parts in STEPS.items():
        graph.add_node(step, _step(parts), destinations=tuple(_TARGETS[step]))
    graph.add_edge(START, "retrieve")
    return graph


@cache
def compiled_loop() -> CompiledStateGraph[MaclaState, MaclaContext, EpisodeInput, MaclaState]:
    """Return the loop compiled without a checkpointer, the same each time.

    It keeps nothing of an episode, so that all of them, in any thread, may share it.
    """
    return create_macla_graph().compile()


def run_part(name: str, state: MaclaState, runtime: Runtime[MaclaContext]) -> Update:
    """Do one of the parts of the steps.

    Args:
        name: A key of :data:`STEP_OF`.
        state: The state.
        runtime: With the loop's context.
    """
    return STEPS[STEP_OF[name]][name](state, _in_world(state, runtime))


def _in_world(state: MaclaState, runtime: Runtime[MaclaContext]) -> Runtime[MaclaContext]:
    """Return the runtime with what is known of the episode's world."""
    context = runtime.context.in_world(state)
    return runtime if context is runtime.context else runtime.override(context=context)


def _step(parts: Mapping[str, _Node]) -> _NodeFunction:
    """Return a node that does the part which the state asks for, else the step's first.

    Where that only noted something, or changed nothing but the route, the next part of the same
    step follows at once: a superstep costs more than most parts. The node names the next step
    itself, because a conditional edge copies the whole state to read the route.
    """
    first = next(iter(parts))

    def node(state: MaclaState, runtime: Runtime[MaclaContext]) -> Command[str]:
        runtime = _in_world(state, runtime)
        if "route" in state and "execution" not in state:
            raise MaclaError(
                f"the checkpoint of the episode {state.get('run')} is of an earlier macla, which "
                "kept another state; start the episode anew, under another thread_id"
            )
        name = state.get("route", "")
        name = name if name in parts else first
        update = change = parts[name](state, runtime)
        while (name in _NOTING or change.keys() == {"route"}) and change["route"] in parts:
            name = change["route"]
            change = parts[name]({**state, **update}, runtime)
            update = {**update, **change}
        return Command(update=update, goto=STEP_OF.get(update["route"], END))

    return node
