"""Procedures as context of a chain."""

from pathlib import Path
from tempfile import mkdtemp

from clerk import TOOLS, Clerk
from langchain.agents import create_agent
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough
from macla.adapters.langchain.middleware import MaclaMiddleware
from macla.adapters.langchain.retriever import MaclaRetriever

macla = MaclaMiddleware(Path(mkdtemp()) / "library")
agent = create_agent(Clerk(), TOOLS, middleware=[macla])
for name in ("Ada", "Ben", "Dan"):
    agent.invoke({"messages": [("user", f"Close the account of {name}.")]})

retriever = MaclaRetriever.of(macla.memory, k=1)
prompt = ChatPromptTemplate.from_template(
    "How was this done before? Records:\n{records}\n\nTask: {task}"
)
chain = {
    "records": retriever | (lambda found: "\n".join(each.page_content for each in found)),
    "task": RunnablePassthrough(),
} | prompt
print(chain.invoke("close somebody's account").to_string())
macla.memory.close()
