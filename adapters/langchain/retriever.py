"""A library as a LangChain retriever."""

from __future__ import annotations

from pathlib import Path

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field

from ...procedures.documents.yaml_dump import dump_yaml
from ...procedures.programs.documents import ProgramFile
from ..session import LibrarySession
from .guidance import is_harmless, shown
from .store import AgentMemory


class MaclaRetriever(BaseRetriever):
    """Finds a library's procedures, programs and plans by meaning.

    A document's content is the YAML of the procedure, of a program that calls tools its goal and
    calls only: what tools answered may hold anything, instructions too, and does not belong into a
    prompt. What tries to instruct a model is not found, nor what is stopped. Its metadata are
    ``id``, ``version``, ``kind``, ``goal``, ``status``, ``similarity``.

    Example::

        retriever = MaclaRetriever.of("library", k=2)
        retriever.invoke("close a ticket")
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    memory: AgentMemory = Field(exclude=True)
    k: int = 4

    @classmethod
    def of(
        cls, library: AgentMemory | LibrarySession | Path | str, *, k: int = 4
    ) -> MaclaRetriever:
        """Make a retriever over a library's folder, an open session or an agent's memory."""
        return cls(memory=AgentMemory.open(library, partly=True), k=k)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        self.memory.refresh()
        library, stopped = self.memory.session.library, self.memory.programs.stopped
        documents: list[Document] = []
        for hit in self.memory.search(query, 2 * self.k):
            item = (
                library.procedures.get(hit.id)
                or library.metas.get(hit.id)
                or library.programs.get(hit.id)
            )
            if item is None or item.status == "retired" or item.id in stopped:
                continue
            metadata = {
                "id": item.id,
                "version": item.version,
                "kind": hit.kind,
                "goal": item.goal,
                "status": item.status,
                "similarity": hit.similarity,
            }
            content = shown(item) if isinstance(item, ProgramFile) else item.to_document()
            if is_harmless(content, item.ref):
                documents.append(Document(dump_yaml(content), id=item.ref, metadata=metadata))
        return documents[: self.k]
