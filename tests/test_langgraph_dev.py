"""``langgraph dev`` serves the agent, and a client takes threads to their end."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parent.parent
CLI = Path(sys.executable).with_name("langgraph")
PATIENCE = 180.0
"""Seconds that a busy machine may take; usually it is 10."""

pytestmark = pytest.mark.skipif(
    not CLI.exists(), reason="langgraph dev is not installed: pip install 'langgraph-cli[inmem]'"
)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_up(address: str, server: subprocess.Popen[bytes]) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        with suppress(httpx.HTTPError):
            if httpx.get(f"{address}/ok", timeout=5).status_code == 200:
                return True
        time.sleep(0.3)
    return False


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Start the server on a free port; on another one if somebody took it meanwhile."""
    shutil.copy(ROOT / "langgraph.json", folder)
    shutil.copytree(ROOT / "examples", folder / "examples")
    # Neither keys nor tracing of the machine: it is to work for whoever has neither.
    settings = {k: v for k, v in os.environ.items() if not k.startswith(("LANGSMITH", "LANGCHAIN"))}
    settings |= {"MACLA_LIBRARY": str(folder / "library"), "LANGGRAPH_CLI_NO_ANALYTICS": "1"}
    settings.pop("MACLA_MODEL", None)
    log = folder / "log"
    for _ in range(3):
        port = free_port()
        options = ["--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", str(port)]
        with log.open("wb") as stream:
            server = subprocess.Popen(
                [CLI, "dev", *options], cwd=folder, env=settings,
                stdout=stream, stderr=subprocess.STDOUT,
            )  # fmt: skip
        try:
            if is_up(f"http://127.0.0.1:{port}", server):
                yield f"http://127.0.0.1:{port}"
                return
            if "in use" not in log.read_text(errors="replace"):
                break
        finally:
            server.terminate()
            with suppress(subprocess.TimeoutExpired):
                server.wait(20)
            server.kill()
            server.wait()
    pytest.fail(f"the server did not start:\n{log.read_text(errors='replace')[-3000:]}")


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_the_fourth_task_is_helped_by_memory(tmp_path: Path, socket_enabled: None) -> None:
    with served(tmp_path) as address:
        done = subprocess.run(
            [sys.executable, ROOT / "examples" / "studio_client.py", address],
            capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
        schemas = httpx.post(f"{address}/assistants/search", json={}, timeout=30).json()
        graph = httpx.get(
            f"{address}/assistants/{schemas[0]['assistant_id']}/schemas", timeout=30
        ).json()
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == [
        "The account 362 of Ada is closed. (0 of 3 from memory)",
        "The account 377 of Ben is closed. (0 of 3 from memory)",
        "The account 487 of Cleo is closed. (0 of 3 from memory)",
        "The account 375 of Dan is closed. (2 of 3 from memory)",
    ]
    # What is private to the middleware is no input of the agent.
    assert [each["graph_id"] for each in schemas] == ["agent"]
    assert "macla" not in graph["input_schema"].get("properties", {})
    assert list((tmp_path / "library" / "procedures").glob("*.yaml"))
