"""Real servers for tests, on loopback: a Chroma server of its own, and PostgreSQL."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

POSTGRES = os.environ.get("MACLA_TEST_POSTGRES")


class Server(str):
    """The address of a server, with its process."""

    process: subprocess.Popen[bytes]


@contextmanager
def chroma_server(folder: Path) -> Iterator[Server]:
    """Run a fresh, empty Chroma server that keeps its data in a folder."""
    program = Path(sys.executable).with_name("chroma")
    if not program.exists():
        pytest.skip(f"no Chroma server to start: {program} is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = (folder / "server.log").open("wb")
    process = subprocess.Popen(
        [program, "run", "--host", "127.0.0.1", "--port", str(port), "--path", folder / "data"],
        stdout=log,
        stderr=subprocess.STDOUT,
        env={**os.environ, "ANONYMIZED_TELEMETRY": "False"},
        cwd=folder,
    )
    try:
        deadline = time.monotonic() + 30
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if process.poll() is not None or time.monotonic() > deadline:
                text = (folder / "server.log").read_text(errors="replace")[-300:]
                pytest.skip(f"the Chroma server did not start on 127.0.0.1:{port}: {text}")
            time.sleep(0.05)
        address = Server(f"http://127.0.0.1:{port}")
        address.process = process
        yield address
    finally:
        process.kill()
        process.wait()
        log.close()


@contextmanager
def postgres_schema() -> Iterator[str]:
    """Yield the URL of a fresh, empty schema of the PostgreSQL server that is named for tests."""
    if not POSTGRES:
        pytest.skip("MACLA_TEST_POSTGRES names no PostgreSQL server")
    import sqlalchemy as sa
    from macla.procedures.evidence import ledger_sql

    schema = f"macla_test_{uuid.uuid4().hex[:12]}"
    base = ledger_sql.url_of(POSTGRES)
    engine = sa.create_engine(base, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"CREATE SCHEMA {schema}"))
    try:
        here = base.update_query_dict({"options": f"-csearch_path={schema}"})
        yield here.render_as_string(hide_password=False)
    finally:
        with engine.connect() as connection:
            connection.execute(sa.text(f"DROP SCHEMA {schema} CASCADE"))
        engine.dispose()


# A test module takes this over by name: ``url = servers.url``.


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A fresh, empty database, removed afterwards."""
    if request.param == "sqlite":
        yield str(tmp_path / "evidence.db")
        return
    request.getfixturevalue("socket_enabled")
    with postgres_schema() as address:
        yield address
