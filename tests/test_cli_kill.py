"""kill -9 at random moments of learning and of playing: the library still opens and validates."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from effort import MANY

KILLS = 90 if MANY else 24

DRIVER = """
import json, os, random, signal, sys, time
from pathlib import Path

# Imported once: the kills are to hit the work, not the start of Python.
import macla.cli.learn, macla.cli.evaluate, macla.evals.runner, macla.evals.teaching
import macla.evals.suite_alfworld, macla.graph.build, macla.adapters.session
from macla.cli.main import cli
from macla.procedures.ledger import Ledger
from macla.procedures.library import Library, validate_library

home, kills = Path(sys.argv[1]), int(sys.argv[2])
library, new, chance = home / "lib", home / "new", random.Random(4)
LEARN = ("learn", str(home / "alfworld.jsonl"), "--json", "--library")
PLAY = ("eval", "alfworld", "--library", str(library), "--split", str(home / "play"), "--record")
done = {"killed": 0, "finished": 0}


def outcomes():
    with Ledger.open(library / ".macla" / "evidence.db", read_only=True) as ledger:
        assert ledger.verify() == ledger.total()
        return {(o.run, o.step, o.subject_kind, o.subject, o.version, o.binding, o.successes)
                for o in ledger.rows()}


before = outcomes()
for number in range(kills):
    arguments = (
        [*LEARN, str(library), "--episodes", str(6 + number % 7), "--seed", str(number)],
        [*PLAY, "--seed", str(number), "--json"],
        [*LEARN, str(new)],
    )[number % 3]
    child = os.fork()
    if child == 0:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        try:
            cli.main(args=arguments)
        except SystemExit as end:
            os._exit(end.code or 0)
        os._exit(3)
    time.sleep(chance.uniform(0.02, 1.0))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    killed = os.WIFSIGNALED(status)
    assert killed or os.WEXITSTATUS(status) == 0, (arguments, status)
    done["killed" if killed else "finished"] += 1
    assert validate_library(library) == [], number
    Library.open(library)
    after = outcomes()
    assert before <= after, number
    before = after
    if new.exists():
        assert validate_library(new) == []
        assert Library.open(new).procedures
        os.rename(new, home / f"new-{number}")
print(json.dumps(done))
"""


@pytest.mark.fault
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_kill_9(tmp_path: Path) -> None:
    from click.testing import CliRunner
    from macla.adapters.alfworld.expert import demonstrate
    from macla.adapters.alfworld.games import load_game
    from macla.adapters.alfworld.generator import write_games
    from macla.cli.main import cli
    from macla.procedures.trajectories import write_trajectories

    files = write_games(tmp_path / "learn", 18, seed=5)
    write_games(tmp_path / "play", 8, seed=5, start=18)
    write_trajectories(tmp_path / "alfworld.jsonl", [demonstrate(load_game(f)) for f in files])
    call = ["learn", str(tmp_path / "alfworld.jsonl"), "--library", str(tmp_path / "lib")]
    assert CliRunner().invoke(cli, call).exit_code == 0
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", DRIVER, str(tmp_path), str(KILLS)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    counts = json.loads(done.stdout)
    assert counts["killed"] >= KILLS // 2, counts
    assert CliRunner().invoke(cli, call).exit_code == 0
    assert CliRunner().invoke(cli, ["validate", str(tmp_path / "lib")]).exit_code == 0
