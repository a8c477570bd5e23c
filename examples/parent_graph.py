"""The loop as a node of a parent graph that has its own state, checkpointer and store."""

import operator
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.store.memory import InMemoryStore
from macla import Library, LibrarySession, MaclaContext, Trajectory, learn, store
from macla.adapters.langchain.subgraph import create_macla_subgraph


class Lamp:
    """A world with one lamp: switch it on."""

    def reset(self, task):
        self.on = False
        return task, "You see a lamp 1 and a switch 1."

    def step(self, action):
        self.on = self.on or action == "press switch 1"
        text = "The lamp 1 glows." if self.on else "Nothing happens."
        return text, float(self.on), self.on, {"won": self.on}


shown = Trajectory(
    task="light the lamp",
    obs=("You see a lamp 1 and a switch 1.", "The lamp 1 glows."),
    acts=("press switch 1",),
    success=True,
)
folder = Path(mkdtemp()) / "library"
Library.create(folder, domain="lamps", embedding="static")


class State(MessagesState):
    """The parent's own state."""

    log: Annotated[list[str], operator.add]


with LibrarySession.open(folder) as session:
    store(session.library, session.ledger, learn([shown] * 3))
    knowledge = session.knowledge()

    def context(task: str) -> MaclaContext:
        """Give each task a world of its own."""
        return MaclaContext(knowledge, Lamp(), session.reasoner(knowledge), session.ledger)

    parent = StateGraph(State)
    parent.add_node("greet", lambda state: {"log": ["greeted"]})
    parent.add_node("act", create_macla_subgraph(context).compile())
    parent.add_edge(START, "greet")
    parent.add_edge("greet", "act")
    parent.add_edge("act", END)
    graph = parent.compile(checkpointer=InMemorySaver(), store=InMemoryStore())
    end = graph.invoke(
        {"messages": [HumanMessage("light the lamp")], "log": []},
        {"configurable": {"thread_id": "1"}},
    )
    print(sorted(end), "-", end["messages"][-1].text)
