"""A ReAct agent that needs its model less every day."""

from pathlib import Path
from tempfile import mkdtemp

from clerk import TOOLS, Clerk
from langchain.agents import create_agent
from macla.adapters.langchain.middleware import MaclaMiddleware

model = Clerk()
macla = MaclaMiddleware(Path(mkdtemp()) / "library")
agent = create_agent(model, TOOLS, middleware=[macla])

for name in ("Ada", "Ben", "Cleo", "Dan", "Eva"):
    before = model.calls
    end = agent.invoke({"messages": [("user", f"Close the account of {name}.")]})
    print(end["messages"][-1].text, f"({model.calls - before} model calls)")

for program in macla.memory.programs.files.values():
    print(program.ref, "-", program.goal)
macla.memory.close()
