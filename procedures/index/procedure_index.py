"""The search index over a library's knowledge: Chroma, as a cache that may be lost.

Nothing is known to the index alone. :meth:`ProcedureIndex.sync` makes it agree with the
entries it is given, whatever state it was in: missing, older, of other embeddings,
truncated or garbled. One process at a time writes; see :mod:`.snapshot` for how
readers are kept apart from it. Vectors always come from the given embeddings, never
from Chroma, so nothing is downloaded, and Chroma's telemetry is off.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from ..common.closable import Closing
from ..common.errors import IndexFailure
from .index_changes import Change, joined
from .index_entries import Embedder, Given, Hit, IndexEntry, name_in, name_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .chroma import OpenCollection
    from .snapshot import Seal, SnapshotStore, Stamp

__all__ = ["Embedder", "Hit", "IndexEntry", "ProcedureIndex"]

_BATCH_SIZE = 4096
"""Texts that are embedded at once."""


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
            from .snapshot import SnapshotStore

            self._store = SnapshotStore(folder)
        self._lock = threading.RLock()
        self._opened: OpenCollection | None = None
        # What the files held when they were last looked at, and their state if it is good.
        self._stamp: Stamp | None = None
        self._seal: Seal | None = None
        self._given: Given | None = None
        # Whose turn it was when the collection held what was given; None: it may not hold it.
        self._agreed: str | None = None
        self._closed = False

    def close(self) -> None:
        """Let go of Chroma and remove temporary files; closing twice does no harm."""
        with self._lock:
            self._closed = True
            self._drop()

    def sync(self, entries: Sequence[IndexEntry]) -> int:
        """Make the index hold exactly these entries; return how many changed.

        Changed are entries added, replaced and removed, or all of them after a rebuild.
        Entries that did not change since the last call had better be the same objects in the
        same order: then one change among 100,000 takes 15 ms, and half a second otherwise.

        Raises:
            IndexFailure: Two entries have the same kind, id and version, another process
                kept the lock, the server or the embedding model does not answer, or a
                rebuild failed too.
        """
        with self._lock:
            removed, added = self._take(entries)
            with self._writing() as writable:
                try:
                    change = self._update(removed, added)
                except IndexFailure:
                    raise
                except Exception:
                    # Whatever is wrong with what was there: without it there is no fault.
                    change = self._rebuild()
                if writable:
                    self._keep(change)
            return len({name_in(key) for key in (*change.gone, *change.come)})

    def search(self, text: str, k: int, *, kind: str | None = None) -> list[Hit]:
        """Return the ``k`` entries most similar to ``text``, best first.

        Entries of equal similarity stand in the order of their ids, then kind and version.

        Raises:
            IndexFailure: There is no usable index and this object was never given entries
                to build one from, or the server or the embedding model does not answer.
        """
        if kind is not None and self._given is not None:
            k = min(k, len(self._given.of(kind)))  # all others would be looked through for more
        if k < 1:
            return []
        vector = self._embed([text], query=True)[0]
        with self._lock:
            try:
                return self._nearest(vector, k, kind)
            except IndexFailure:
                raise
            except Exception:
                # Perhaps another process has replaced the collection: what is there now?
                self._drop()
            try:
                return self._nearest(vector, k, kind)
            except IndexFailure:
                raise
            except Exception as error:
                from .chroma import brief

                if self._given is None:
                    raise IndexFailure(
                        f"the index cannot be searched ({brief(error)}); `sync` builds it "
                        "again from the library's files"
                    ) from error
            # Not sealed: the process that wrote last may know more than this one.
            self._rebuild()
            return self._nearest(vector, k, kind)

    def _nearest(self, vector: NDArray[np.float32], k: int, kind: str | None) -> list[Hit]:
        opened = self._current()
        if kind is None or self._given is None or self._agreed is None:
            return opened.query(vector, k, kind)
        keys_of_kind = self._given.of(kind)
        if len(keys_of_kind) == len(self._given.entries):
            return opened.query(vector, k, None)  # nothing else is there
        return opened.query(vector, k, kind, list(keys_of_kind))

    def _take(self, entries: Sequence[IndexEntry]) -> tuple[list[str], list[str]]:
        """Remember entries; return what went and came since those of the last call."""
        previous, self._given = self._given, None
        if previous is None:
            self._agreed = None
            self._given = Given(entries)
            return [], []
        difference = previous.after(entries)
        self._given = previous
        return difference

    def _update(self, removed: list[str], added: list[str]) -> Change:
        opened, entry_by_key = self._current(create=True), self._wanted
        turn = opened.turn()
        if self._agreed != turn:
            present = opened.keys()
            removed = [key for key in present if key not in entry_by_key]
            added = [key for key in entry_by_key if key not in present]
        # Until all of it is done, nothing is known of what the collection holds.
        self._agreed = None
        if (
            opened.folder is not None
            and opened.operations + len(added) > 2 * len(entry_by_key) + 1000
        ):
            # Chroma keeps what was removed among its neighbours; start afresh before that tells.
            return self._rebuild()
        change = Change(removed, added, self._vectors(added))
        self._write(opened, change, turn)
        return change

    def _rebuild(self) -> Change:
        added = list(self._wanted)
        # First, so that a model that does not answer leaves the index as it was.
        change = Change([], added, self._vectors(added))
        try:
            self._drop()
            self._seal = None
            self._opened = self._open_fresh(change.vectors.nbytes)
            self._write(self._opened, change, "")
        except IndexFailure:
            raise
        except Exception as error:
            from .chroma import brief

            raise IndexFailure(
                f"the index cannot be built ({brief(error)}); check the space on the disk and "
                "the installation of chromadb"
            ) from error
        return change

    def _write(self, opened: OpenCollection, change: Change, turn: str) -> None:
        undisturbed = True
        if change.size:
            own_turn = opened.claim()
            opened.add(change.come, change.vectors)
            opened.remove(change.gone)
            undisturbed = opened.turn() == own_turn
            turn = opened.claim()  # whoever saw half of it looks again
        self._agreed = turn if undisturbed else None

    @property
    def _wanted(self) -> dict[str, IndexEntry]:
        return {} if self._given is None else self._given.entries

    def _vectors(self, keys: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        texts = [self._wanted[key].text for key in keys]
        # In parts: as lists of numbers vectors take eight times the memory.
        parts = [self._embed(texts[n : n + _BATCH_SIZE]) for n in range(0, len(texts), _BATCH_SIZE)]
        return np.concatenate(parts) if parts else np.empty((0, 0), dtype=np.float32)

    def _embed(self, texts: list[str], *, query: bool = False) -> NDArray[np.float32]:
        import numpy as np

        model = self._embeddings
        try:
            raw_vectors = [model.embed_query(texts[0])] if query else model.embed_documents(texts)
        except Exception as error:
            raise IndexFailure(
                f"the embedding model {self._embedding_name} failed: "
                f"{type(error).__name__}: {error}"
            ) from error
        try:
            vectors = np.asarray(raw_vectors, dtype=np.float32)
            well_formed = (
                vectors.shape[0] == len(texts) and vectors.ndim == 2 and vectors.shape[1] > 0
            )
        except (TypeError, ValueError):
            well_formed = False
        if not well_formed or not np.isfinite(vectors).all():
            raise IndexFailure(
                f"the embedding model {self._embedding_name} gave vectors that are missing, "
                "empty, of different lengths or not finite"
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
            from .snapshot import SnapshotStore

            name = hashlib.sha256(f"{self._url} {self._name}".encode()).hexdigest()[:16]
            store = SnapshotStore(self._folder or Path(gettempdir()) / f"macla-chroma-{name}")
        with store.writer() as writable:
            yield writable and self._store is not None

    def _keep(self, change: Change) -> None:
        opened, store, seal = self._opened, self._store, self._seal
        if store is None or opened is None or opened.folder is None:
            return
        if seal is not None and change.size:
            seal = store.append(seal, change)
        if seal is None:
            seal = store.publish(opened.folder.path, opened.operations)
        self._seal, self._stamp = seal, store.stamp()

    def _current(self, *, create: bool = False) -> OpenCollection:
        """Return the collection, with what other processes have sealed since."""
        if self._closed:
            raise IndexFailure("the index is closed")
        if self._opened is not None and not self._moved():
            return self._opened
        existing = self._open_existing()
        if existing is not None:
            self._drop()
            self._opened = existing
        if self._opened is None:
            if create:
                self._opened = self._open_fresh()
            elif self._given is None:
                raise IndexFailure(
                    f"there is no usable index in {self._url or self._folder}; `sync` "
                    "builds it from the library's files"
                )
            else:
                self._rebuild()
        assert self._opened is not None  # noqa: S101 (both branches above open one)
        return self._opened

    def _moved(self) -> bool:
        """Take in what was sealed since; return whether all has to be opened again."""
        if self._store is None or self._opened is None:
            return False
        stamp = self._store.stamp()
        if stamp is None:
            self._seal = None
        if stamp is None or stamp == self._stamp:
            return False
        since = None if self._seal is None else self._store.since(self._seal)
        if since is None:
            return True
        self._seal, changes = since
        self._stamp = stamp
        self._take_in(self._opened, changes)
        return False

    def _take_in(self, opened: OpenCollection, changes: Sequence[Change]) -> None:
        if changes:
            self._agreed = None
            merged = joined(changes)
            opened.add(merged.come, merged.vectors)
            opened.remove(merged.gone)

    def _open_existing(self) -> OpenCollection | None:
        from .chroma import open_server

        if self._url is not None:
            return open_server(self._url, self._name, self._embedding_name, fresh=False)
        store = self._store
        while store is not None:
            # Remembered although the file may be bad: it is not read again for every search.
            self._stamp, self._seal = store.stamp(), None
            opened = self._unpacked(store)
            if opened is not None or store.stamp() == self._stamp:
                return opened
        return None

    def _unpacked(self, store: SnapshotStore) -> OpenCollection | None:
        """Open what is sealed; None if it is missing, damaged, or replaced meanwhile."""
        from .chroma import open_folder
        from .snapshot import private_folder

        if self._stamp is None:
            return None
        folder, opened, good = private_folder(store.size()), None, False
        try:
            seal = store.fetch(folder.path)
            since = None if seal is None else store.since(seal)
            if seal is not None and since is not None:
                opened = open_folder(folder, self._name, self._embedding_name, fresh=False)
                if opened is not None:
                    opened.operations = seal.operations
                    self._seal = since[0]
                    self._take_in(opened, since[1])
                    good = True
        finally:
            if opened is not None and not good:
                opened.close()
            elif opened is None:
                folder.remove()
        return opened

    def _open_fresh(self, need: int = 0) -> OpenCollection:
        from .chroma import open_folder, open_server
        from .snapshot import private_folder

        opened = None
        if self._url is not None:
            opened = open_server(self._url, self._name, self._embedding_name, fresh=True)
        else:
            folder = private_folder(3 * need)
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
        self._agreed = None
        if opened is not None:
            opened.close()
