"""A person is asked before a refinement goes into the library.

A procedure was learned; then its tool wants a reason too. The procedure fails, the model does the
tasks with a reason, and the refinement that follows from it is shown to a person.
"""

import json
from pathlib import Path
from tempfile import mkdtemp

from clerk import Clerk, close_account, find_customer
from langchain.agents import create_agent
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from macla.adapters.langchain.middleware import MaclaMiddleware


@tool("close_account")
def close_with_reason(account_id: int, reason: str) -> str:
    """Close the account of a customer. Now wants a reason."""
    return json.dumps({"closed": account_id})


macla = MaclaMiddleware(Path(mkdtemp()) / "library", policy="interrupt")
model = Clerk()


def agent(close):
    """Return an agent with this way of closing accounts."""
    tools = [find_customer, close]
    return create_agent(model, tools, middleware=[macla], checkpointer=InMemorySaver())


def ask(agent, name, thread="1"):
    """Ask for one account; return the end of the run, and the calls of the model."""
    before = model.calls
    config = {"configurable": {"thread_id": thread}}
    messages = [("user", f"Close the account of {name}.")]
    end = agent.invoke({"messages": messages}, config)
    print(end["messages"][-1].text, f"({model.calls - before} model calls)")
    return end


today = agent(close_account)
for thread, name in enumerate(("Ada", "Ben", "Cleo", "Dan")):
    ask(today, name, str(thread))

tomorrow = agent(close_with_reason)
for thread, name in enumerate(("Dan", "Eva")):
    stopped = ask(tomorrow, name, str(thread))

question = stopped["__interrupt__"][0].value
print(question["title"])
print(question["text"])
tomorrow.invoke(Command(resume=True), {"configurable": {"thread_id": "1"}})
ask(tomorrow, "Finn", "2")
macla.memory.close()
