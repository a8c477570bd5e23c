"""A full disk, which a limit of file sizes stands for: told with place and advice, nothing lost."""

from __future__ import annotations

import os
import sqlite3
import sys
from pathlib import Path

import forking
import pytest
from command_line import run
from library_copies import copy_library
from macla.evals.soak.world import DOMAIN, WORLD, write_demonstrations
from macla.procedures.common.errors import reason
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.evidence.ledger_sql import advice
from macla.procedures.library.library import validate_library

resource = pytest.importorskip("resource")

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
from macla.cli.main import main
main()
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a library and episodes to learn from."""
    place = tmp_path_factory.mktemp("full")
    write_demonstrations(place / "shown.jsonl", 0, 3)
    write_demonstrations(place / "more.jsonl", 3, 8)
    (place / "tasks.txt").write_text("now1\nnow2\nnow3")
    call = (
        "learn",
        place / "shown.jsonl",
        "--library",
        place / "lib",
        "--world",
        f"domain={DOMAIN}",
    )
    assert run(*call).exit_code == 0
    return place


def test_commands_tell_and_lose_nothing(place: Path, tmp_path: Path) -> None:
    learn = ("learn", place / "more.jsonl", "--world", f"domain={DOMAIN}")
    play = ("eval", WORLD, "--split", place / "tasks.txt", "--record")
    for limit, call in [(0, learn), (1_000, learn), (1_000, play), (30_000, play)]:
        library = copy_library(place / "lib", tmp_path / f"{call[0]}{limit}")
        done = forking.run(
            [
                *(sys.executable, "-W", "ignore", "-c", LIMITED, str(limit)),
                *map(str, (*call, "--library", library)),
            ],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "TMPDIR": str(tmp_path)},
        )
        assert done.returncode == 2, done
        assert "Traceback" not in done.stderr
        assert str(library) in done.stderr
        assert any(each in done.stderr for each in ("ulimit -f", "free some")), done.stderr
        assert validate_library(library) == []
        with Ledger.open(library / ".macla" / "evidence.db") as ledger:
            assert ledger.verify() == ledger.total()
        assert run(*call, "--library", library).exit_code == 0


def test_advice_is_given_for_what_a_disk_says() -> None:
    assert "free some" in reason(OSError(28, "No space left on device"))
    assert reason(OSError(2, "No such file or directory")) == "No such file or directory"
    told = advice("evidence.db", sqlite3.OperationalError("disk I/O error"))
    assert "evidence.db" in told
    assert "free some space" in told
