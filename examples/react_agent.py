"""A ReAct agent that needs its model less every day."""

from pathlib import Path
from tempfile import mkdtemp

from clerk import TOOLS, Clerk
from langchain.agents import create_agent
from macla.adapters.langchain.middleware import MaclaMiddleware

model = Clerk()
macla = MaclaMiddleware(Path(mkdtemp()) / "library")
agent = create_agent(model, TOOLS, middleware=[macla])


def close(name):
    """Close an account, and tell how often the model was asked."""
    before = model.calls
    end = agent.invoke({"messages": [("user", f"Close the account of {name}.")]})
    print(end["messages"][-1].text, f"({model.calls - before} model calls)")


for name in ("Ada", "Ben", "Cleo", "Dan"):
    close(name)  # the fourth time memory looks up and answers; the model alone closes

print("accepted:", *macla.accept())  # as `macla accept --all` does: a person looked at it
for name in ("Eva", "Finn"):
    close(name)

for program in macla.memory.programs.files.values():
    print(program.ref, "-", program.goal)
macla.memory.close()
