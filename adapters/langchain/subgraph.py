"""The loop as part of another graph: shares ``messages``, keeps everything else to itself."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, AnyMessage
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.config import get_config, get_store
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.store.base import BaseStore
from langgraph.types import Durability, interrupt

from ...graph.build import create_macla_graph, recursion_limit
from ...graph.context import MaclaContext
from ...graph.protocols import Environment
from ...graph.state import EpisodeInput, MaclaState, steps_of
from ...procedures.common.errors import MaclaError
from ..resuming import resuming
from .messages import latest_run, message_text, run_name

MakeContext = Callable[[str], MaclaContext]
"""From the task to what the loop needs for it: knowledge, a world of its own, a ledger."""
Tell = Callable[[MaclaState], str]
Asks = Callable[[str], bool]
"""Tells of an action whether a person has to allow it."""
_CHECKPOINTER = "__pregel_checkpointer"
"""Where LangGraph keeps the parent's checkpointer in a node's config."""
_MOST_WORLDS = 256
"""Lasting worlds that are kept; with one more the oldest is forgotten."""


class EpisodeMessages(TypedDict):
    """What is shared with a parent graph."""

    messages: Annotated[list[AnyMessage], add_messages]


class _Own(EpisodeMessages, total=False):
    """The subgraph's own state; its private part never leaves it."""

    macla_run: str
    macla_task: str
    macla_first: list[str]
    macla_end: dict[str, Any]


def _told(state: MaclaState) -> str:
    if state["won"]:
        return f"Done, in {steps_of(state)} steps. {state['observation']}"
    return f"Not done. The last thing seen: {state['observation']}"


def create_macla_subgraph(
    context: MakeContext,
    *,
    lasting: bool = False,
    tell: Tell = _told,
    confirm: Asks | None = None,
) -> StateGraph[_Own, None, EpisodeMessages, EpisodeMessages]:
    """Build a graph that carries out the latest message of the user in a world of actions.

    It takes and gives ``messages``; checkpointer, store, callbacks and streams are those of the
    graph that it is a node of. An episode that was cut off (a crash, an interrupt in the world)
    goes on with the next action: none is repeated, and every outcome counts once.

    Example::

        parent = StateGraph(MyState)
        parent.add_node("act", create_macla_subgraph(make_context).compile())

    Args:
        context: Makes what the loop needs for a task.
        lasting: Whether the world outlives this process: then it is reset once, and another
            process that takes the episode up acts in it as ``context`` gives it, without a reset.
            If not, that process does the recorded actions again in a fresh world.
        tell: Words the final message.
        confirm: Tells of an action whether a person has to allow it, each time: the run stops with
            LangGraph's ``interrupt``, whose value is ``{"action": …, "task": …}``;
            ``Command(resume=True)`` allows it, anything else ends the episode. None asks for none.
    """
    loop = create_macla_graph().compile()
    worlds = _Worlds()

    def read(state: _Own, config: RunnableConfig) -> dict[str, Any]:
        run = latest_run(state["messages"])
        task = message_text(run[0]).strip() if run else ""
        if not task:
            raise MaclaError("there is no message of the user whose text could be a task")
        thread = str(config.get("configurable", {}).get("thread_id", ""))
        # A parent may come back for the same message: that is another episode.
        earlier = sum("macla" in message.response_metadata for message in run)
        name = run_name(run, f"{thread}#{earlier}")
        return {"macla_run": name, "macla_task": task, "macla_end": {}}

    def start(state: _Own) -> dict[str, Any]:
        made = context(state["macla_task"])
        first = made.environment.reset(state["macla_task"])
        if lasting:
            worlds.keep(state["macla_run"], made.environment)
        return {"macla_first": list(first)}

    def prepared(state: _Own) -> tuple[EpisodeInput, MaclaContext, RunnableConfig]:
        made = context(state["macla_task"])
        task, first = state["macla_first"]
        run = state["macla_run"]
        made.environment = resuming(
            worlds.of(run) or made.environment,
            state["macla_task"],
            run,
            _store(),
            first,
            lasting=lasting,
            may=None if confirm is None else partial(_allowed, confirm, state["macla_task"]),
        )
        given: EpisodeInput = {"run": run, "task": task, "observation": first}
        limit = recursion_limit(made.settings.horizon)
        return given, made, {**get_config(), "recursion_limit": limit}

    def play(state: _Own) -> dict[str, Any]:
        given, made, config = prepared(state)
        end = loop.invoke(given, config, context=made, durability=_durability(config))
        return {"macla_end": _plain(end)}

    async def aplay(state: _Own) -> dict[str, Any]:
        given, made, config = prepared(state)
        end = await loop.ainvoke(given, config, context=made, durability=_durability(config))
        return {"macla_end": _plain(end)}

    def say(state: _Own) -> dict[str, Any]:
        worlds.drop(state["macla_run"])
        end: Any = state["macla_end"]
        metadata = {"macla": {"run": state["macla_run"], "won": bool(end.get("won"))}}
        return {"messages": [AIMessage(tell(end), response_metadata=metadata)]}

    graph = StateGraph(_Own, input_schema=EpisodeMessages, output_schema=EpisodeMessages)
    graph.add_node("read", read)
    graph.add_node("start", start)
    graph.add_node("play", RunnableLambda(play, aplay))
    graph.add_node("say", say)
    graph.add_edge(START, "read")
    graph.add_edge("read", "start")
    graph.add_edge("start", "play")
    graph.add_edge("play", "say")
    graph.add_edge("say", END)
    return graph


def _allowed(confirm: Asks, task: str, action: str) -> bool:
    return not confirm(action) or interrupt({"action": action, "task": task}) is True


class _Worlds:
    """Lasting worlds that were reset here, by run, until its end. Thread-safe."""

    def __init__(self) -> None:
        self._by_run: dict[str, Environment] = {}
        self._lock = threading.Lock()

    def keep(self, run: str, world: Environment) -> None:
        """Keep a world; of runs that never end, the oldest is forgotten."""
        with self._lock:
            self._by_run[run] = world
            while len(self._by_run) > _MOST_WORLDS:
                del self._by_run[next(iter(self._by_run))]

    def of(self, run: str) -> Environment | None:
        """Return the world of a run, if it was reset here."""
        with self._lock:
            return self._by_run.get(run)

    def drop(self, run: str) -> None:
        """Forget a run's world."""
        with self._lock:
            self._by_run.pop(run, None)


def _durability(config: RunnableConfig) -> Durability | None:
    """Wait for each checkpoint before the next action, where there are checkpoints.

    By default LangGraph writes them meanwhile: a process that dies would leave a world that has
    seen an action of which its checkpoint knows nothing.
    """
    return "sync" if config.get("configurable", {}).get(_CHECKPOINTER) else None


def _store() -> BaseStore | None:
    try:
        return get_store()
    except (RuntimeError, KeyError):
        return None


def _plain(state: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("won", "done", "reward", "history", "observation", "counters", "task", "run")
    return {key: state[key] for key in kept if key in state}
