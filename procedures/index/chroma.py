"""Opening a Chroma collection, in a private folder or on a server.

Imported by :mod:`.procedure_index` when an index is first used: importing chromadb takes about
half a second.
"""

from __future__ import annotations

import math
import os
import uuid
import weakref
from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..common.errors import IndexFailure
from .index_entries import Hit, hit_of
from .snapshot import CHANGES

if TYPE_CHECKING:
    import numpy as np
    from chromadb.api.models.Collection import Collection
    from numpy.typing import NDArray

    from ..local.private import PrivateFolder

URL_VARIABLE = "MACLA_CHROMA_URL"

# What these find of the exactly nearest, and what building and a search cost, stands in
# docs/records.md; more neighbours or a larger ef_construction double the time of a build.
# sync_threshold: below it Chroma reads its log again at each change and on opening.
_HNSW: Mapping[str, Any] = {
    "space": "cosine",
    "ef_construction": 80,
    "ef_search": 600,
    "max_neighbors": 32,
    "sync_threshold": CHANGES,
}
_PAGE = 10_000
"""Entries that are listed at once."""
_MARGIN = 8
"""Entries that are asked for beyond those wanted, so that equals at the end are seen."""
_FEW = 256
"""Entries of a kind that are all compared: among many others its nearest take a long search."""
_TURN = "turn"


class OpenCollection:
    """An open collection, with what must be let go of afterwards.

    Attributes:
        collection: Chroma's own object.
        folder: The private folder that it lives in; None on a server.
        operations: Entries ever added to it: Chroma keeps those that were removed.
        batch: The most entries that Chroma takes at once.
    """

    def __init__(self, client: Any, collection: Collection, folder: PrivateFolder | None) -> None:
        self.collection = collection
        self.folder = folder
        self.operations = 0
        self.batch = max(1, int(client.get_max_batch_size()))
        self._client = client
        # The same task is searched for at each decision of an episode.
        self._answers: dict[tuple[bytes, int, str | None, bool], list[Hit]] = {}
        # Also runs when the owner forgets, at the latest when the interpreter ends.
        self.close = weakref.finalize(self, _let_go, client, folder)

    def turn(self) -> str:
        """Return the mark of who wrote last to a server; in a folder there is nobody else."""
        if self.folder is not None:
            return ""
        collection = self._client.get_collection(self.collection.name, embedding_function=None)
        return str((collection.metadata or {}).get(_TURN, ""))

    def claim(self) -> str:
        """Set a new mark and return it: what others remember of the server does not hold."""
        if self.folder is not None:
            return ""
        turn = uuid.uuid4().hex
        self.collection.modify(metadata={**(self.collection.metadata or {}), _TURN: turn})
        return turn

    def query(
        self,
        vector: NDArray[np.float32],
        k: int,
        kind: str | None,
        own: list[str] | None = None,
    ) -> list[Hit]:
        """Return the ``k`` entries (of one kind) nearest to a vector, in a fixed order.

        Args:
            vector: What is searched for, of shape (dimensions,).
            k: At least 1.
            kind: Of the entries; all where it is None.
            own: The keys of that kind, if they are known: of few all are compared.
        """
        if self.folder is None:
            return self._ranked(vector, k, kind, own)  # others may write to the server
        asked = vector.tobytes(), k, kind, own is None
        if asked not in self._answers:
            if len(self._answers) >= 1_000:
                self._answers.clear()
            self._answers[asked] = self._ranked(vector, k, kind, own)
        return list(self._answers[asked])

    def _ranked(
        self, vector: NDArray[np.float32], k: int, kind: str | None, own: list[str] | None
    ) -> list[Hit]:
        few = own is not None and len(own) <= _FEW
        keys = own if few else None
        # More than k are asked for, until the last is worse than the k-th of the right
        # kind: only then is the order among equals ours and not Chroma's.
        ask = (k if kind is None or few else 4 * k) + _MARGIN
        while True:
            hits = self._nearest(vector, ask, keys)
            worst = hits[-1].similarity if hits else -1.0
            all_there = len(hits) < ask
            hits = [hit for hit in hits if kind in (None, hit.kind)]
            if all_there or (len(hits) >= k and hits[k - 1].similarity > worst):
                return hits[:k]
            ask *= 4

    def _nearest(
        self, vector: NDArray[np.float32], k: int, keys: list[str] | None = None
    ) -> list[Hit]:
        answer = self.collection.query(
            query_embeddings=vector.reshape(1, -1), ids=keys, n_results=k, include=["distances"]
        )
        hits = map(hit_of, answer["ids"][0], (answer["distances"] or [[]])[0])
        return sorted(hits, key=lambda hit: (-hit.similarity, hit.id, hit.kind, hit.version))

    def keys(self) -> set[str]:
        """Return the keys of all entries."""
        keys: set[str] = set()
        # In pages: of more than 32,766 entries at once Chroma 1.5 can tell nothing.
        for start in count(step=_PAGE):
            page = self.collection.get(include=[], limit=_PAGE, offset=start)["ids"]
            keys.update(page)
            if len(page) < _PAGE:
                break
        return keys

    def remove(self, keys: Sequence[str]) -> None:
        """Remove entries."""
        self._answers.clear()
        for start in range(0, len(keys), self.batch):
            self.collection.delete(ids=list(keys[start : start + self.batch]))

    def add(self, keys: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Add entries; ``vectors`` has a row for each."""
        self._answers.clear()
        # In equal parts: what is less than a sync_threshold at the end stays in the log.
        size = math.ceil(len(keys) / math.ceil(len(keys) / self.batch)) if keys else 1
        for start in range(0, len(keys), size):
            self.collection.add(
                ids=list(keys[start : start + size]), embeddings=vectors[start : start + size]
            )
        self.operations += len(keys)


def open_folder(
    folder: PrivateFolder, name: str, embedding: str, *, fresh: bool
) -> OpenCollection | None:
    """Open a collection in a folder of this process's own.

    Args:
        folder: Removed again when the collection is closed, but not by a failure here.
        name: Of the collection.
        embedding: What its vectors were made with.
        fresh: Make an empty one, rather than open what is there.

    Returns:
        None if there is no such collection, or its vectors are of other embeddings.
    """
    chromadb, settings = _chroma()
    client = chromadb.PersistentClient(str(folder.path), settings=settings)
    return _open_collection(client, name, embedding, folder, fresh=fresh)


def open_server(url: str, name: str, embedding: str, *, fresh: bool) -> OpenCollection | None:
    """Open a collection on a Chroma server; arguments and result as for a folder.

    Raises:
        IndexFailure: The address is not one, or nothing answers there.
    """
    parts = urlsplit(url)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 8000)
    except ValueError:
        port = 0
    if parts.scheme not in ("http", "https") or not parts.hostname or not port:
        raise IndexFailure(f"{url!r} is no address of a Chroma server; write http://host:port")
    chromadb, settings = _chroma()
    try:
        client = chromadb.HttpClient(
            parts.hostname, port, ssl=parts.scheme == "https", settings=settings
        )
    except Exception as error:
        raise IndexFailure(
            f"the Chroma server at {url} does not answer ({brief(error)}); start it with "
            f"`chroma run --host {parts.hostname} --port {port}`, or unset {URL_VARIABLE} to use "
            "an index in the library's folder"
        ) from error
    return _open_collection(client, name, embedding, None, fresh=fresh)


def brief(error: BaseException) -> str:
    """Return an error as one short line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def _open_collection(
    client: Any, name: str, embedding: str, folder: PrivateFolder | None, *, fresh: bool
) -> OpenCollection | None:
    try:
        collection = _collection(client, name, embedding, fresh=fresh)
        if collection is not None:
            return OpenCollection(client, collection, folder)
    except BaseException:
        _let_go(client, None)
        raise
    _let_go(client, None)
    return None


def _collection(client: Any, name: str, embedding: str, *, fresh: bool) -> Collection | None:
    metadata_by_name = {each.name: each.metadata or {} for each in client.list_collections()}
    if not fresh:
        if metadata_by_name.get(name, {}).get("embedding") != embedding:
            return None
        existing: Collection = client.get_collection(name, embedding_function=None)
        return existing
    if name in metadata_by_name:
        client.delete_collection(name)
    # No embedding function: vectors are always given, and the default one would download.
    created: Collection = client.get_or_create_collection(
        name,
        metadata={"embedding": embedding},
        configuration={"hnsw": dict(_HNSW)},
        embedding_function=None,
    )
    return created


def _let_go(client: Any, folder: PrivateFolder | None) -> None:
    # Chroma 1.5 leaves the connections to a server open, of which it makes two.
    owners = (client, getattr(client, "_admin_client", None))
    sessions = [getattr(getattr(owner, "_server", None), "_session", None) for owner in owners]
    try:
        client.close()
        for session in filter(None, sessions):
            session.close()
    finally:
        if folder is not None:
            folder.remove()


def _chroma() -> tuple[Any, Any]:
    """Return Chroma, and settings of one client, which writes its folder into them."""
    chromadb, settings = _with_settings()
    return chromadb, copy(settings)


@cache  # to make them takes a third as long as to open an index
def _with_settings() -> tuple[Any, Any]:
    # Some versions of Chroma look here, whatever the settings say.
    os.environ.setdefault("ANONYMIZED_TELEMETRY", "False")
    import chromadb
    from chromadb.config import Settings

    make: Any = Settings
    # No .env file of whatever folder the process happens to run in.
    return chromadb, make(_env_file=None, anonymized_telemetry=False)
