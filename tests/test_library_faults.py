"""A library survives its writers: killed, crashed at every single step, or two at once."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import forking
import pytest
from macla.procedures.common.errors import LibraryError
from macla.procedures.library import library_commit
from macla.procedures.library.library import Library, validate_library
from macla.procedures.model.procedure import MetaProcedure, Place, Procedure, Step

pytestmark = pytest.mark.fault

WRITER = """
import itertools, sys
from macla.procedures.library.library import Library
from macla.procedures.model.procedure import MetaProcedure, Place, Procedure, Step

root, size, name = sys.argv[1], int(sys.argv[2]), sys.argv[3]
library = Library.open(root)
start = max([p.version for p in library.procedures.values()], default=0) + 1
print("ready", flush=True)
for version in itertools.count(start):
    ids = [f"{name}{n}" for n in range(version % 3, size)]
    mine = [i for i in [*library.procedures, *library.metas] if i.startswith(("m-" + name, name))]
    keep = {*ids, *(f"m-{i}" for i in ids)}
    library.write_all(
        [Procedure(i, version, "g", (Step(do=f"look {version}"),)) for i in ids],
        [MetaProcedure(f"m-{i}", version, f"g {version}", (Place(run=i),))
         for i in ids],
        remove=[i for i in mine if i not in keep],
    )
    print(version, flush=True)
"""


def start_writer(root: Path, size: int, name: str = "p") -> Any:
    arguments = [sys.executable, "-c", WRITER, str(root), str(size), name]
    process = forking.popen(arguments, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_kill_9_at_random_moments(tmp_path: Path) -> None:
    root = Library.create(tmp_path / "lib", domain="d", embedding="e").path
    rng = random.Random(0)
    acknowledged = 0
    recovered = 0
    for _ in range(10):
        process = start_writer(root, 12)
        assert process.stdout is not None
        first = process.stdout.readline()  # acknowledged: must be there afterwards
        time.sleep(rng.uniform(0.0, 0.1))
        os.kill(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        versions = [int(line) for line in (first + output).split()]
        acknowledged = max([acknowledged, *versions])
        recovered += library_commit.interrupted(root)
        library = Library.open(root)
        assert validate_library(library.path) == []
        # All files of one change, and never fewer changes than were acknowledged.
        found = {p.version for p in library.procedures.values()}
        assert len(found) <= 1
        assert max(found, default=0) >= acknowledged
        assert len(library.procedures) == len(library.metas)
        assert not library_commit.interrupted(root)
    assert acknowledged >= 10


def test_two_processes_writing_at_once(tmp_path: Path) -> None:
    root = Library.create(tmp_path / "lib", domain="d", embedding="e").path
    writers = [start_writer(root, 6, name) for name in ("a", "b")]
    until = time.monotonic() + 20
    reached = {"a": 0, "b": 0}
    try:
        # Both get their turn, though each asks for the lock again as soon as it gave it back.
        while time.monotonic() < until and min(reached.values()) < 5:
            library = Library.open(root)  # a reader never sees half of a change
            for name in reached:
                mine = {p.version for i, p in library.procedures.items() if i.startswith(name)}
                assert len(mine) <= 1
                reached[name] = max(mine, default=0)
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    assert min(reached.values()) >= 5
    assert validate_library(root) == []


class Crash(BaseException):
    """The process ends here."""


STEPS = ("replace", "rename", "fsync", "mkdir", "unlink", "rmdir", "open", "scandir")


def crashing(patch: pytest.MonkeyPatch, after: int) -> None:
    """Let the process 'end' at the n-th call that touches the disk, and at all later ones."""
    calls = 0

    def wrap(real: object) -> object:
        def step(*args: object, **more: object) -> object:
            nonlocal calls
            calls += 1
            if calls > after:
                raise Crash
            return real(*args, **more)  # type: ignore[operator]

        return step

    for name in STEPS:
        patch.setattr(os, name, wrap(getattr(os, name)))


def test_crash_at_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)  # no power fails here, and disks are slow

    def procedures(version: int, names: str) -> list[Procedure]:
        return [Procedure(n, version, "g", (Step(do=f"look {version}"),)) for n in names]

    def metas(version: int, names: str) -> list[MetaProcedure]:
        return [MetaProcedure(f"m-{n}", version, f"g {version}", (Place(run=n),)) for n in names]

    finished = False
    outcomes = set()
    for after in range(400):
        root = Library.create(tmp_path / f"lib{after}", domain="d", embedding="e").path
        library = Library.open(root)
        library.write_all(procedures(1, "abc"), metas(1, "abc"))
        old = library.content_hash
        with pytest.MonkeyPatch.context() as patch:
            crashing(patch, after)
            try:
                library.write_all(procedures(2, "bcd"), metas(2, "bcd"), replace=True)
                finished = True
            except Crash:
                pass
        again = Library.open(root)
        assert validate_library(again.path) == []
        versions = {p.version for p in again.procedures.values()}
        assert len(versions) == 1
        outcomes |= versions
        assert "".join(again.procedures) == ("abc" if versions == {1} else "bcd")
        assert (again.content_hash == old) == (versions == {1})
        again.write_all(procedures(3, "x"), metas(3, "x"), replace=True)
        left = [p.name for p in root.rglob("*") if p.name.startswith(("staging", "commit"))]
        assert left == []
        assert not list(root.rglob("*.tmp"))
        if finished:
            break
    assert finished
    assert after > 30
    assert outcomes == {1, 2}


def test_an_interrupted_change_is_finished_by_a_writer_too(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "lib", domain="d", embedding="e")
    root = library.path
    files = {
        f"procedures/{n}.yaml": (
            f"kind: procedure\nid: {n}\nversion: 1\ngoal: g\nsteps: [{{do: look}}]\n".encode()
        )
        for n in "ab"
    }
    library_commit._stage(root, files, [])
    assert library_commit.interrupted(root)
    library.write_procedure(Procedure("c", 1, "g", (Step(do="look"),)))
    assert list(library.procedures) == ["a", "b", "c"]


def test_what_a_crash_leaves_is_never_a_way_out(tmp_path: Path) -> None:
    """Names in a left-over change come from a file, and may lead nowhere but into the library."""
    library = Library.create(tmp_path / "lib", domain="d", embedding="e")
    victim = tmp_path / "victim.yaml"
    victim.write_text("x")
    local = library.path / ".macla"
    (local / "commit").mkdir()
    (local / "commit" / "deletions.json").write_text('["../../victim.yaml", "procedures/../x", 5]')
    Library.open(library.path)
    assert victim.exists()
    (local / "commit").mkdir()
    (local / "commit" / "deletions.json").write_text("[")
    with pytest.raises(LibraryError):
        Library.open(library.path)
