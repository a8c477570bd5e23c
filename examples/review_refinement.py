"""A person is asked before a refinement goes into the library.

From three runs a program is learned, and shown to a person before it acts.
"""

from pathlib import Path
from tempfile import mkdtemp

from clerk import Clerk, close_account, find_customer
from langchain.agents import create_agent
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from macla.adapters.langchain.middleware import MaclaMiddleware

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


clerk = agent(close_account)
for thread, name in enumerate(("Ada", "Ben", "Cleo")):
    stopped = ask(clerk, name, str(thread))

question = stopped["__interrupt__"][0].value  # from three runs a program is learned
print(question["title"])
print(question["text"])
clerk.invoke(Command(resume=True), {"configurable": {"thread_id": "2"}})
ask(clerk, "Finn", "3")
macla.memory.close()
