"""The graph that ``langgraph dev`` serves (see langgraph.json): an agent with memory.

Without ``MACLA_MODEL`` a scripted stand-in answers, so that it runs where no model is.
"""

import os
from pathlib import Path

from clerk import TOOLS, Clerk
from langchain.agents import create_agent
from langchain.chat_models import init_chat_model
from macla.adapters.langchain.middleware import MaclaMiddleware
from macla.adapters.langchain.tools import macla_tools

folder = Path(os.environ.get("MACLA_LIBRARY", "macla-library"))
name = os.environ.get("MACLA_MODEL")
macla = MaclaMiddleware(folder)
graph = create_agent(
    init_chat_model(name) if name else Clerk(),
    [*TOOLS, *macla_tools(macla.memory)],
    middleware=[macla],
)
