"""What killed commands leave behind goes with the next one; nothing of a living one does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import run
from macla.evals.soak.world import DOMAIN, write_demonstrations
from macla.procedures.documents.yaml_io import atomic_write
from macla.procedures.library.library import Library
from macla.procedures.local.private import PrivateFolder

OWNER = """
import sys, time
from pathlib import Path
from macla.procedures.local.private import PrivateFolder
folder = PrivateFolder(Path(sys.argv[1]), "work-")
(folder.path / "half").write_text("x")
print("ready", flush=True)
time.sleep(60)
"""


def test_a_folder_lives_as_long_as_its_owner(tmp_path: Path) -> None:
    arguments = [sys.executable, "-c", OWNER, str(tmp_path)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == "ready\n"
        with PrivateFolder(tmp_path, "work-") as mine:
            assert len([each for each in tmp_path.iterdir() if each.is_dir()]) == 2
        assert not mine.path.exists()
        assert len(list(tmp_path.glob("work-*/half"))) == 1
        os.kill(owner.pid, signal.SIGKILL)
    with PrivateFolder(tmp_path, "work-"):
        assert list(tmp_path.glob("work-*/half")) == []
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_was_put_elsewhere_stays(tmp_path: Path) -> None:
    with PrivateFolder(tmp_path, "[odd]*-") as folder:
        folder.path.rename(tmp_path / "final")
    with PrivateFolder(tmp_path, "[odd]*-"):
        assert (tmp_path / "final").is_dir()
    assert [each.name for each in tmp_path.iterdir()] == ["final"]


@pytest.mark.parametrize(
    "name",
    [
        "proposals/.refine-a.yaml.0123456789ab.tmp",
        "programs/.a.yaml.0123456789ab.tmp",
        ".macla-0123456789ab.tmp/machine",
        ".macla/undo-0123456789ab/undo/demonstrations.jsonl",
        ".macla/undo-0123456789ab.alive",
        ".macla/staging-0123456789ab/library.yaml",
        ".macla/.undo.json.0123456789ab.tmp",
        ".macla/decided/.refine-a.yaml.0123456789ab.tmp",
    ],
)
def test_what_a_killed_writer_left_goes_with_the_next(tmp_path: Path, name: str) -> None:
    library = Library.create(tmp_path / "lib", domain="d", embedding="static")
    left = library.path / name
    left.parent.mkdir(exist_ok=True, parents=True)
    left.write_text("half")
    if "undo-" in name:
        (library.path / ".macla" / "undo-0123456789ab.alive").touch()
    library.write_all(settings=library.settings)
    gone = [left, *(each for each in left.parents if "0123456789ab" in each.name)]
    assert not any(each.exists() for each in gone)


REPLACING = """
import resource, signal, sys
from pathlib import Path
from macla.procedures.common.errors import LibraryError
from macla.procedures.documents.yaml_io import atomic_write
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    atomic_write(Path(sys.argv[1]), b"new" * 1000)
except LibraryError:
    print("told")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of POSIX")
def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    reader = file.open()
    done = subprocess.run(
        [sys.executable, "-c", REPLACING, str(file)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "told\n"
    assert [each.read_text() for each in tmp_path.iterdir()] == ["old"]
    atomic_write(file, b"new")
    with reader:
        assert reader.read() == "old"  # who was reading reads on


def test_a_library_that_was_half_made_goes_when_it_is_made(tmp_path: Path) -> None:
    write_demonstrations(tmp_path / "shown.jsonl", 0, 3)
    half = tmp_path / ".lib.new-0123456789ab"
    Library.create(half, domain=DOMAIN, embedding="static")
    half.with_name(f"{half.name}.alive").touch()
    library = tmp_path / "lib"
    call = ("learn", tmp_path / "shown.jsonl", "--library", library, "--world", f"domain={DOMAIN}")
    assert run(*call).exit_code == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["lib", "shown.jsonl"]
