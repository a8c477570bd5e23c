"""The index on a real Chroma server on loopback."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from macla.adapters.embeddings.static import StaticEmbeddings
from macla.procedures.common.errors import IndexFailure
from macla.procedures.index.chroma import OpenCollection
from macla.procedures.index.procedure_index import IndexEntry, ProcedureIndex
from servers import Server, chroma_server

STATIC = StaticEmbeddings()
ENTRIES = [
    IndexEntry(f"p{i}", "meta" if i % 2 else "procedure", 1, f"take the {thing} {i}", str(i))
    for i, thing in enumerate(("mug", "egg", "book", "plate", "apple") * 8)
]


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lock files of servers that soon are no more go with the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.fixture
def server(tmp_path: Path, socket_enabled: None) -> Iterator[Server]:
    """The address of a fresh, empty server."""
    with chroma_server(tmp_path) as address:
        yield address


def assert_same(remote: ProcedureIndex, local: ProcedureIndex) -> None:
    for kind in (None, "meta"):
        there, here = (each.search("egg", 50, kind=kind) for each in (remote, local))
        assert [(hit.id, hit.kind, hit.version) for hit in there] == [
            (hit.id, hit.kind, hit.version) for hit in here
        ]
        # The server's numbers travel as text; the last digit may differ.
        assert [hit.similarity for hit in there] == pytest.approx(
            [hit.similarity for hit in here], abs=3e-6
        )


def test_same_answers_as_in_a_folder(server: Server, tmp_path: Path) -> None:
    with (
        ProcedureIndex(None, STATIC) as local,
        ProcedureIndex(tmp_path, STATIC, url=server) as remote,
    ):
        assert local.sync(ENTRIES) == remote.sync(ENTRIES) == 40
        assert remote.sync(ENTRIES) == 0
        assert_same(remote, local)
        assert local.sync(ENTRIES[3:]) == remote.sync(ENTRIES[3:]) == 3
        assert_same(remote, local)
        # Another process that only searches.
        with ProcedureIndex(None, STATIC, url=server) as reader:
            assert_same(reader, local)
    assert not list(tmp_path.glob("*.sqlite3"))


def test_one_change_asks_for_no_other_entry(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = [*ENTRIES[:-1], IndexEntry("new", "meta", 1, "sing a song", "")]
    with (
        ProcedureIndex(None, STATIC, url=server) as one,
        ProcedureIndex(None, STATIC, url=server) as two,
    ):
        one.sync(ENTRIES)
        with monkeypatch.context() as patched:
            patched.delattr(OpenCollection, "keys")
            assert one.sync(changed) == 2
            assert one.sync(ENTRIES) == 2
        # One that only looks disturbs nobody; what another process wrote meanwhile is seen.
        assert two.sync(ENTRIES) == 0
        with monkeypatch.context() as patched:
            patched.delattr(OpenCollection, "keys")
            assert one.sync(ENTRIES) == two.sync(ENTRIES) == 0
        assert two.sync(ENTRIES[3:]) == 3
        assert one.sync(changed) == 5
        assert one.search("sing a song", 1)[0].id == "new"
        assert len(two.search("egg", 50)) == 40


def test_collections_are_apart_and_embeddings_told_apart(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MACLA_CHROMA_URL", server)
    with (
        ProcedureIndex(None, STATIC, collection="one") as one,
        ProcedureIndex(None, STATIC, collection="two") as two,
    ):
        one.sync(ENTRIES)
        with pytest.raises(IndexFailure, match="no usable index"):
            two.search("mug", 1)
        two.sync(ENTRIES[:2])
        assert len(two.search("mug", 50)) == 2
        with ProcedureIndex(None, STATIC, collection="one", embedding_name="other") as other:
            with pytest.raises(IndexFailure, match="no usable index"):
                other.search("mug", 1)
            assert other.sync(ENTRIES) == 40
        # The collection that it had open is gone; what it was given is not.
        assert len(one.search("mug", 50)) == 40


def test_a_server_that_is_not_there(socket_enabled: None) -> None:
    with ProcedureIndex(None, STATIC, url="http://127.0.0.1:9") as index:
        for call in (lambda: index.sync(ENTRIES), lambda: index.search("mug", 1)):
            with pytest.raises(IndexFailure, match=r"does not answer.*chroma run"):
                call()


def test_a_server_that_goes_away(server: Server) -> None:
    with ProcedureIndex(None, STATIC, url=server) as index:
        index.sync(ENTRIES)
        server.process.kill()
        server.process.wait()
        for call in (lambda: index.search("mug", 1), lambda: index.sync(ENTRIES)):
            with pytest.raises(IndexFailure, match="does not answer"):
                call()


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://x", "http://", "http://x:99999"])
def test_addresses_that_are_none(url: str) -> None:
    with (
        ProcedureIndex(None, STATIC, url=url) as index,
        pytest.raises(IndexFailure, match="http://host:port"),
    ):
        index.sync(ENTRIES)
