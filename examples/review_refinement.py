"""A person is asked before a learned procedure may act, and again when it has changed."""

from pathlib import Path
from tempfile import mkdtemp
from typing import TypedDict

from clerk import TOOLS, Clerk
from langchain.agents import create_agent
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from macla.adapters.langchain.middleware import MaclaMiddleware
from macla.adapters.langchain.review import review
from macla.procedures.yaml_dump import dump_yaml

macla = MaclaMiddleware(Path(mkdtemp()) / "library")
agent = create_agent(Clerk(), TOOLS, middleware=[macla])
for name in ("Ada", "Ben"):
    agent.invoke({"messages": [("user", f"Close the account of {name}.")]})


class State(TypedDict, total=False):
    """What was decided, by procedure."""

    decided: dict[str, str]


def ask(state: State) -> State:
    """Show each procedure that nobody has judged yet."""
    decided: dict[str, str] = {}
    for procedure in macla.memory.tools.procedures.values():
        if procedure.status != "trusted":
            shown = dump_yaml(procedure.to_document())
            decided[procedure.ref] = interrupt({"may this act?": procedure.ref, "file": shown})
    for ref, answer in decided.items():
        review(macla.memory, ref, approve=answer == "yes")
    return {"decided": decided}


graph = StateGraph(State)
graph.add_node("ask", ask)
graph.add_edge(START, "ask")
graph.add_edge("ask", END)
compiled = graph.compile(checkpointer=InMemorySaver())
config = {"configurable": {"thread_id": "1"}}
stopped = compiled.invoke({}, config)
print(stopped["__interrupt__"][0].value["file"])
print(compiled.invoke(Command(resume="yes"), config)["decided"])
print([p.status for p in macla.memory.tools.procedures.values()])
macla.memory.close()
