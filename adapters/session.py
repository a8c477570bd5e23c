"""Everything a library needs to be used, opened together: files, ledger, embeddings, index."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from ..graph.knowledge import Knowledge, lexicon_from, outcomes_from
from ..procedures.closing import Closing
from ..procedures.index import IndexEntry, ProcedureIndex
from ..procedures.learning.store import DEMONSTRATIONS
from ..procedures.ledger import Ledger
from ..procedures.library import Library
from ..procedures.model import MetaProcedure, Procedure
from ..procedures.similarity import TextSimilarity
from ..procedures.world import World
from .embeddings import load_embeddings
from .reasoners.symbolic import SymbolicReasoner

__all__ = ["LibrarySession"]


class LibrarySession(Closing):
    """An open library with its evidence and index; a context manager.

    Example::

        with LibrarySession.open("library") as session:
            knowledge = session.knowledge()

    Attributes:
        library: The files.
        ledger: The evidence.
        index: The search index; made to agree with the files whenever knowledge is loaded.
    """

    def __init__(self, library: Library, ledger: Ledger) -> None:
        self.library = library
        self.ledger = ledger
        self.embeddings = load_embeddings(library.settings.embedding)
        self.similarity = TextSimilarity(self.embeddings)
        self.index = ProcedureIndex(library.path / ".macla" / "chroma", self.embeddings)

    @classmethod
    def open(
        cls, path: Path | str, *, ledger: str | Path | None = None, read_only: bool = False
    ) -> LibrarySession:
        """Open a library folder.

        Args:
            path: The folder.
            ledger: Path or URL of the evidence; by default ``.macla/evidence.db`` in the folder.
            read_only: Do not write evidence.

        Raises:
            LibraryError: The folder is not a valid library.
            LedgerError: The evidence cannot be opened.
        """
        library = Library.open(path)
        place = ledger or library.path / ".macla" / "evidence.db"
        if read_only and isinstance(place, Path) and not place.exists():
            return cls(library, Ledger.memory())
        return cls(library, Ledger.open(place, read_only=read_only))

    def knowledge(self, *, without: str | None = None) -> Knowledge:
        """Load what the loop needs; builds or repairs the index first.

        Args:
            without: Leave out evidence of runs whose id starts with this, so that what an
                evaluation recorded does not change the evaluation.
        """
        library = self.library
        self.index.sync(list(index_entries(library)))
        lexicon = lexicon_from(library.ontology)
        run = library.settings.settings.get("evidence_from", "")
        return Knowledge(
            procedures=library.procedures,
            metas=library.metas,
            lexicon=lexicon,
            counts=self.ledger.counts(superseded=(DEMONSTRATIONS, str(run)), without=without),
            retriever=self.index,
            similarity=self.similarity,
            outcomes=outcomes_from(library.ontology),
            world=World.from_ontology(library.ontology, lexicon),
            library_hash=library.content_hash,
            goals=library.ontology.goals,
        )

    def reasoner(self, knowledge: Knowledge) -> SymbolicReasoner:
        """Return the reasoner that needs no model."""
        return SymbolicReasoner(knowledge.lexicon, self.similarity)

    def close(self) -> None:
        """Close the index and the ledger."""
        self.index.close()
        self.ledger.close()


def index_entries(library: Library) -> Iterable[IndexEntry]:
    """Describe each procedure and meta-procedure for the index: its goal is what is embedded."""
    items: list[tuple[str, Procedure | MetaProcedure]] = [
        *(("procedure", item) for item in library.procedures.values()),
        *(("meta", item) for item in library.metas.values()),
    ]
    for kind, item in items:
        text = json.dumps([kind, item.id, item.version, item.goal], ensure_ascii=False)
        digest = hashlib.sha256(text.encode()).hexdigest()
        yield IndexEntry(item.id, kind, item.version, item.goal, digest)
