"""Opening a Chroma collection, in a private folder or on a server.

Imported by :mod:`.index` when an index is first used: importing chromadb takes about
half a second.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from .errors import IndexFailure
from .index_entries import Hit, IndexEntry, digest_of, hit_of

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

    from .local.private import PrivateFolder

__all__ = ["URL_VARIABLE", "OpenCollection", "brief", "open_folder", "open_server"]

URL_VARIABLE = "MACLA_CHROMA_URL"

# ef_search: exact for a thousand entries and more. sync_threshold: HNSW's own files are
# never written, so that Chroma's SQLite database alone holds everything.
_HNSW: Mapping[str, Any] = {
    "space": "cosine",
    "ef_construction": 200,
    "ef_search": 1000,
    "max_neighbors": 32,
    "sync_threshold": 1_000_000_000,
}
_MARGIN = 8


class OpenCollection:
    """An open collection, with what must be let go of afterwards.

    Attributes:
        collection: Chroma's own object.
        folder: The private folder that it lives in; None on a server.
        operations: Changes ever written to it; Chroma replays them all on opening.
        batch: The most entries that Chroma takes at once.
    """

    def __init__(self, client: Any, collection: Collection, folder: PrivateFolder | None) -> None:
        self.collection = collection
        self.folder = folder
        self.operations = 0
        self.batch = max(1, int(client.get_max_batch_size()))
        # Also runs when the owner forgets, at the latest when the interpreter ends.
        self.close = weakref.finalize(self, _let_go, client, folder)

    def query(self, vector: list[float], k: int, kind: str | None) -> list[Hit]:
        """Return the ``k`` entries (of one kind) nearest to a vector, in a fixed order."""
        # More than k are asked for, until the last is worse than the k-th of the right
        # kind: only then is the order among equals ours and not Chroma's.
        ask = (k if kind is None else 4 * k) + _MARGIN
        while True:
            answer = self.collection.query(
                query_embeddings=[vector],  # type: ignore[arg-type]  # list is invariant
                n_results=ask,
                include=["distances"],
            )
            keys, distances = answer["ids"][0], (answer["distances"] or [[]])[0]
            hits = [hit_of(key, distance) for key, distance in zip(keys, distances, strict=True)]
            worst = hits[-1].similarity if hits else -1.0
            found = [hit for hit in hits if kind is None or hit.kind == kind]
            found.sort(key=lambda hit: (-hit.similarity, hit.id, hit.kind, hit.version))
            if len(keys) < ask or (len(found) >= k and found[k - 1].similarity > worst):
                return found[:k]
            ask *= 4

    def digests(self) -> dict[str, Any]:
        """Return the digest of every entry by its key."""
        state = self.collection.get(include=["metadatas"])
        return {
            key: (data or {}).get("digest")
            for key, data in zip(state["ids"], state["metadatas"] or [], strict=True)
        }

    def delete(self, keys: list[str]) -> None:
        """Remove entries."""
        for start in range(0, len(keys), self.batch):
            self.collection.delete(ids=keys[start : start + self.batch])

    def upsert(self, entries: Mapping[str, IndexEntry], vectors: list[list[float]]) -> None:
        """Add or replace entries; ``vectors`` stand in the same order."""
        keys = list(entries)
        for start in range(0, len(keys), self.batch):
            part = keys[start : start + self.batch]
            self.collection.upsert(
                ids=part,
                embeddings=vectors[start : start + self.batch],  # type: ignore[arg-type]  # as above
                metadatas=[{"digest": digest_of(entries[key])} for key in part],
            )


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
    return _opened(client, name, embedding, folder, fresh=fresh)


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
    return _opened(client, name, embedding, None, fresh=fresh)


def brief(error: BaseException) -> str:
    """Return an error as one short line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def _opened(
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
    there = {each.name: each.metadata or {} for each in client.list_collections()}
    if not fresh:
        if there.get(name, {}).get("embedding") != embedding:
            return None
        found: Collection = client.get_collection(name, embedding_function=None)
        return found
    if name in there:
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
    # Some versions of Chroma look here, whatever the settings say.
    os.environ.setdefault("ANONYMIZED_TELEMETRY", "False")
    import chromadb
    from chromadb.config import Settings

    make: Any = Settings
    # No .env file of whatever folder the process happens to run in.
    return chromadb, make(_env_file=None, anonymized_telemetry=False)
