"""The search index over a library's knowledge: Chroma, as a cache that may be lost.

Nothing is known to the index alone. :meth:`ProcedureIndex.sync` makes it agree with the
entries it is given, whatever state it was in: missing, older, of other embeddings,
truncated or garbled. One process at a time writes; see :mod:`.index_snapshot` for how
readers are kept apart from it. Vectors always come from the given embeddings, never
from Chroma, so nothing is downloaded, and Chroma's telemetry is off.
"""

from __future__ import annotations

import hashlib
import math
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from .closing import Closing
from .errors import IndexFailure
from .index_entries import Embedder, Hit, IndexEntry, digest_of, keyed, name_of

if TYPE_CHECKING:
    from .index_chroma import OpenCollection
    from .index_snapshot import SnapshotStore

__all__ = ["Embedder", "Hit", "IndexEntry", "ProcedureIndex"]


class ProcedureIndex(Closing):
    """A Chroma collection that follows a library. Thread-safe; a context manager.

    Args:
        folder: Where the index is kept between processes; None keeps nothing.
        embeddings: Where vectors come from.
        collection: Name of the collection; with a server, one a library.
        url: ``http://host:port`` of a Chroma server, by default ``$MACLA_CHROMA_URL``.
            With a server, ``folder`` holds the lock only.
        embedding_name: Identifies the embeddings: vectors of other ones are replaced.
            By default their ``name`` or their class and model.
    """

    def __init__(
        self,
        folder: Path | None,
        embeddings: Embedder,
        *,
        collection: str = "macla",
        url: str | None = None,
        embedding_name: str | None = None,
    ) -> None:
        self._embeddings = embeddings
        self._embedding_name = embedding_name or name_of(embeddings)
        self._name = collection
        self._url = url or os.environ.get("MACLA_CHROMA_URL") or None
        self._folder = folder
        self._store: SnapshotStore | None = None
        if folder is not None and self._url is None:
            from .index_snapshot import SnapshotStore

            self._store = SnapshotStore(folder)
        self._lock = threading.RLock()
        self._opened: OpenCollection | None = None
        self._stamp: tuple[int, int, int] | None = None
        self._entries: dict[str, IndexEntry] | None = None
        self._closed = False

    def close(self) -> None:
        """Let go of Chroma and remove temporary files; closing twice does no harm."""
        with self._lock:
            self._closed = True
            self._drop()

    def sync(self, entries: Sequence[IndexEntry]) -> int:
        """Make the index hold exactly these entries; return how many changed.

        Changed are entries added, replaced and removed, or all of them after a rebuild.

        Raises:
            IndexFailure: Two entries have the same kind, id and version, another process
                kept the lock, the server or the embedding model does not answer, or a
                rebuild failed too.
        """
        wanted = keyed(entries)
        with self._lock, self._writing() as writable:
            try:
                changed = self._update(wanted)
            except IndexFailure:
                raise
            except Exception:
                # Whatever is wrong with what was there: without it there is no fault.
                changed = self._rebuild(wanted)
            self._entries = wanted
            if writable:
                self._seal(changed=changed > 0)
        return changed

    def search(self, text: str, k: int, *, kind: str | None = None) -> list[Hit]:
        """Return the ``k`` entries most similar to ``text``, best first.

        Entries of equal similarity stand in the order of their ids, then kind and version.

        Raises:
            IndexFailure: There is no usable index and this object was never given entries
                to build one from, or the server or the embedding model does not answer.
        """
        if k < 1:
            return []
        vector = self._embed([text], query=True)[0]
        with self._lock:
            try:
                return self._current().query(vector, k, kind)
            except IndexFailure:
                raise
            except Exception:
                # Perhaps another process has replaced the collection: what is there now?
                self._drop()
            try:
                return self._current().query(vector, k, kind)
            except IndexFailure:
                raise
            except Exception as error:
                from .index_chroma import brief

                if self._entries is None:
                    raise IndexFailure(
                        f"the index cannot be searched ({brief(error)}); build it again from "
                        "the library's files with `macla index`"
                    ) from error
            # Not sealed: the process that wrote last may know more than this one.
            self._rebuild(self._entries)
            return self._current().query(vector, k, kind)

    def _update(self, wanted: Mapping[str, IndexEntry]) -> int:
        opened = self._current(create=True)
        found = opened.digests()
        gone = [key for key in found if key not in wanted]
        changed = {
            key: entry for key, entry in wanted.items() if found.get(key) != digest_of(entry)
        }
        operations = opened.operations + len(gone) + len(changed)
        if opened.folder is not None and operations > 4 * len(wanted) + 1000:
            # Chroma replays every change on opening; start afresh before that is slow.
            return self._rebuild(wanted)
        vectors = self._embed([entry.text for entry in changed.values()])
        # In this order: whoever searches a server meanwhile never finds less than there was.
        opened.upsert(changed, vectors)
        opened.delete(gone)
        opened.operations = operations
        return len(gone) + len(changed)

    def _rebuild(self, wanted: Mapping[str, IndexEntry]) -> int:
        # First, so that a model that does not answer leaves the index as it was.
        vectors = self._embed([entry.text for entry in wanted.values()])
        try:
            self._drop()
            self._opened = self._open_fresh()
            self._opened.upsert(wanted, vectors)
            self._opened.operations = len(wanted)
        except IndexFailure:
            raise
        except Exception as error:
            from .index_chroma import brief

            raise IndexFailure(
                f"the index cannot be built ({brief(error)}); check the space on the disk and "
                "the installation of chromadb"
            ) from error
        return len(wanted)

    def _embed(self, texts: list[str], *, query: bool = False) -> list[list[float]]:
        if not texts:
            return []
        model = self._embeddings
        try:
            found = [model.embed_query(texts[0])] if query else model.embed_documents(texts)
            vectors = [list(vector) for vector in found]
        except Exception as error:
            raise IndexFailure(
                f"the embedding model {self._embedding_name} failed: "
                f"{type(error).__name__}: {error}"
            ) from error
        if len(vectors) != len(texts) or not all(
            vector and math.isfinite(math.fsum(vector)) for vector in vectors
        ):
            raise IndexFailure(
                f"the embedding model {self._embedding_name} gave vectors that are missing, "
                "empty or not finite"
            )
        return vectors

    @contextmanager
    def _writing(self) -> Iterator[bool]:
        """Hold the lock of writers; yields whether the index can be sealed."""
        if self._url is None and self._store is None:
            yield False
            return
        store = self._store
        if store is None:
            # Writers on this machine take turns. Elsewhere the last one wins, and syncing
            # once more does no harm.
            from .index_snapshot import SnapshotStore

            name = hashlib.sha256(f"{self._url} {self._name}".encode()).hexdigest()[:16]
            store = SnapshotStore(self._folder or Path(gettempdir()) / f"macla-chroma-{name}")
        with store.writer() as writable:
            yield writable and self._store is not None

    def _seal(self, *, changed: bool) -> None:
        from .index_snapshot import DATABASE

        opened, store = self._opened, self._store
        if store is None or opened is None or opened.folder is None:
            return
        if changed or not store.intact():
            store.publish(opened.folder.path / DATABASE, opened.operations)
            self._stamp = store.stamp()

    def _current(self, *, create: bool = False) -> OpenCollection:
        """Return the collection, opened again if another process has sealed a newer one."""
        if self._closed:
            raise IndexFailure("the index is closed")
        stamp = self._store.stamp() if self._store is not None else None
        if self._opened is not None and (stamp is None or stamp == self._stamp):
            return self._opened
        there = self._open_existing()
        # Remembered although the file may be bad: it is not read again for every search.
        self._stamp = stamp
        if there is not None:
            self._drop()
            self._opened = there
        if self._opened is None:
            if not create:
                if self._entries is None:
                    raise IndexFailure(
                        f"there is no usable index in {self._url or self._folder}; build it "
                        "from the library's files with `macla index`"
                    )
                self._rebuild(self._entries)
            else:
                self._opened = self._open_fresh()
        assert self._opened is not None  # noqa: S101 (both branches above open one)
        return self._opened

    def _open_existing(self) -> OpenCollection | None:
        from .index_chroma import open_folder, open_server
        from .index_snapshot import DATABASE, private_folder

        if self._url is not None:
            return open_server(self._url, self._name, self._embedding_name, fresh=False)
        if self._store is None:
            return None
        folder, opened = private_folder(), None
        try:
            seal = self._store.fetch(folder.path / DATABASE)
            if seal is not None:
                opened = open_folder(folder, self._name, self._embedding_name, fresh=False)
                if opened is not None:
                    opened.operations = seal.operations
        finally:
            if opened is None:
                folder.remove()
        return opened

    def _open_fresh(self) -> OpenCollection:
        from .index_chroma import open_folder, open_server
        from .index_snapshot import private_folder

        opened = None
        if self._url is not None:
            opened = open_server(self._url, self._name, self._embedding_name, fresh=True)
        else:
            folder = private_folder()
            try:
                opened = open_folder(folder, self._name, self._embedding_name, fresh=True)
            finally:
                if opened is None:
                    folder.remove()
        if opened is None:
            raise IndexFailure(f"Chroma made no collection {self._name!r}")
        return opened

    def _drop(self) -> None:
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()
