"""The graph that ``langgraph dev`` serves (see langgraph.json): an agent with memory."""

import os
from pathlib import Path

from langchain.agents import create_agent
from langchain.chat_models import init_chat_model
from macla.adapters.langchain.middleware import MaclaMiddleware
from macla.adapters.langchain.tools import macla_tools

folder = Path(os.environ.get("MACLA_LIBRARY", "macla-library"))
model = init_chat_model(os.environ.get("MACLA_MODEL", "ollama:llama3.1"))
macla = MaclaMiddleware(folder)
graph = create_agent(model, macla_tools(macla.memory), middleware=[macla])
