"""A short soak, and kills of commands that write; ``python -m macla.evals.soak`` does long ones."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import forking
import pytest
from effort import MANY
from macla.cli.main import cli
from macla.evals.soak.promises import Promises
from macla.evals.soak.scenes import SCENES
from macla.evals.soak.world import DOMAIN, write_demonstrations

pytestmark = [
    pytest.mark.fault,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
]
SECONDS = 60 if MANY else 0
ROUNDS = 5
"""Least rounds of the short soak, so that a busy machine tries as much as an idle one."""

FEW = """
import json, os, sys
from pathlib import Path
from macla.evals.soak.children import preload
from macla.evals.soak.killing import kill_commands
from macla.evals.soak.scenes import SCENES

folder, kills, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
for name, variable in (("tmp", "TMPDIR"), ("state", "MACLA_STATE")):
    (folder / name).mkdir()
    os.environ[variable] = str(folder / name)
preload()
names = tuple(SCENES) if kills > len(SCENES) else sys.argv[4].split(";")
figures = kill_commands(folder, kills, seed, names=names)
print(json.dumps(figures.to_document()))
"""
QUICK = (
    *("observe, new", "observe", "eval --record", "accept", "undo", "undo of a version"),
    *("proposals accept", "migrate", "evidence fit", "evidence import", "skills import"),
)
"""Scenes whose work takes a few tenths of a second."""
KILLS = 200 if MANY else len(QUICK)
"""Each scene is killed once at least, where none ends before its kill."""


@pytest.mark.parametrize("name", [name for name, each in SCENES.items() if each.work is None])
def test_a_scene_calls_a_command_as_it_is_now(name: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = list(SCENES[name].arguments)
    for word in words:
        if word.endswith((".json", ".jsonl", ".yaml", ".txt")):
            Path(word).touch()
    command, context = cli, click.Context(cli, info_name="macla")
    while words and isinstance(command, click.Group):
        verb, command, words = command.resolve_command(context, words)
        context = click.Context(command, parent=context, info_name=verb)
    command.parse_args(context, words)


def test_a_short_soak(tmp_path: Path) -> None:
    done = forking.run(
        [
            *(sys.executable, "-W", "ignore", "-m", "macla.evals.soak"),
            *("--minutes", str(SECONDS / 60), "--rounds", str(ROUNDS), "--seed", "3", "--json"),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    told = json.loads(done.stdout)
    assert told["broken"] == []
    assert done.returncode == 0, done.stderr
    assert told["rounds"] >= ROUNDS
    assert told["commands"]["learn"].get("0", 0) >= 1
    assert list(tmp_path.iterdir()) == []


def test_killed_commands_are_redone(tmp_path: Path) -> None:
    done = forking.run(
        [
            *(sys.executable, "-W", "ignore", "-c", FEW, str(tmp_path), str(KILLS)),
            *(str(time.monotonic_ns() % 1_000), ";".join(QUICK)),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=1_200,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    told = json.loads(done.stdout)
    assert told["broken"] == []
    assert told["kills"] == KILLS


def test_ctrl_c_ends_it_and_leaves_nothing(tmp_path: Path) -> None:
    arguments = [sys.executable, "-W", "ignore", "-m", "macla.evals.soak"]
    arguments += ["--minutes", "1", "--json"]
    with forking.popen(
        arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as process:
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob("macla-soak-*/work1")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=40)
    assert process.returncode == 130, err
    assert json.loads(out)["broken"] == []
    assert list(tmp_path.iterdir()) == []


def test_what_is_lost_or_twice_is_found(tmp_path: Path) -> None:
    from command_line import run

    names = write_demonstrations(tmp_path / "shown.jsonl", 0, 3)
    library = tmp_path / "lib"
    call = ("learn", tmp_path / "shown.jsonl", "--library", library, "--world", f"domain={DOMAIN}")
    assert run(*call).exit_code == 0
    promises = Promises(shown=set(names))
    assert promises.broken(library) == []
    file = library / ".macla" / "demonstrations.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([*lines[1:], lines[1]]))
    told = promises.broken(library)
    assert any("is gone" in each for each in told)
    assert any("stands 2 times" in each for each in told)
    promises.rows.add(("run", 0, "procedure", "p", 1, "", 1.0, 0.0))
    assert any("evidence that was seen before is gone" in each for each in promises.broken(library))
    shutil.rmtree(library / "programs")
    (library / "library.yaml").write_text("domain: [")
    assert any("is not valid" in each for each in promises.broken(library))
