"""A local cluster of Ray: the same results as one process, also where a worker is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from macla.evals.soak.promises import row_of
from macla.evals.soak.world import DOMAIN, write_demonstrations
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.library.library import Library

pytest.importorskip("ray", reason="Ray is not installed: pip install 'macla[ray]'")

COMMAND = "import sys; from macla.cli.main import main; main()"
DEADLY = """
import os, signal
from pathlib import Path
from macla.evals.soak.world import Cellar

DIED = Path(__file__).with_suffix(".died")


class Deadly(Cellar):
    def reset(self, task):
        if task == "now3":
            try:
                DIED.touch(exist_ok=False)
            except FileExistsError:
                return super().reset(task)
            if {deadly}:
                os.kill(os.getpid(), signal.SIGKILL)
        return super().reset(task)
"""


def macla(folder: Path, *arguments: object) -> Any:
    """Call the command in a process of its own, which starts a cluster and stops it."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", COMMAND, *map(str, arguments), "--json"],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with demonstrations and two libraries that were taught from them."""
    place = tmp_path_factory.mktemp("ray")
    write_demonstrations(place / "shown.jsonl", 0, 8)
    (place / "tasks.txt").write_text("\n".join(f"now{number}" for number in range(8)))
    for name, more in (("here", ()), ("there", ("--jobs", "ray:2"))):
        call = ("learn", "shown.jsonl", "--library", name, "--world", f"domain={DOMAIN}")
        macla(place, *call, *more)
    return place


def test_learning_makes_the_same_library(place: Path) -> None:
    here, there = Library.open(place / "here"), Library.open(place / "there")
    assert here.content_hash == there.content_hash
    assert here.programs


def test_a_killed_worker_costs_nothing_and_counts_once(place: Path) -> None:
    results, rows = [], []
    for name, executor in (("here", "processes"), ("there", "ray")):
        deadly = executor == "ray"
        (place / f"deadly_{name}.py").write_text(DEADLY.format(deadly=deadly))
        call = ("eval", f"deadly_{name}:Deadly", "--library", name, "--split", "tasks.txt")
        more = ("--record", "--seed", 3, "--jobs", "ray:2" if deadly else 1)
        told = macla(place, *call, *more)
        results.append([{**each, "seconds": 0} for each in told["episodes"]])
        with Ledger.open(place / name / ".macla" / "evidence.db", read_only=True) as ledger:
            assert ledger.verify() == ledger.total()
            rows.append(sorted(row_of(each)[1:] for each in ledger.rows()))
        assert (place / f"deadly_{name}.died").exists()
    assert results[0] == results[1]
    assert rows[0] == rows[1]
    assert len(rows[0]) >= len(results[0]) == 8
