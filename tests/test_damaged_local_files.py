"""Machine-local files that are emptied, cut, garbled, or no files at all: told, no traceback."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import run
from library_copies import copy_library
from macla.evals.soak.world import DOMAIN, WORLD, write_demonstrations, write_log


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a library that was taught, practised with and told of an agent's runs."""
    place = tmp_path_factory.mktemp("damaged")
    write_demonstrations(place / "shown.jsonl", 0, 4)
    write_log(place / "log.jsonl", 0)
    (place / "tasks.txt").write_text("\n".join(f"now{number}" for number in range(9)))
    for call in (_learn, _logs, _practise, _play):
        result = call(place, place / "whole")
        assert result.exit_code == 0, result.output
    return place


def _learn(place: Path, library: Path):
    return run("learn", place / "shown.jsonl", "--library", library, "--world", f"domain={DOMAIN}")


def _logs(place: Path, library: Path):
    return run("observe", place / "log.jsonl", "--library", library)


def _practise(place: Path, library: Path, episodes: int = 2):
    call = ("practice", WORLD, "--world", f"domain={DOMAIN}", "--library", library)
    return run(*call, "--split", place / "tasks.txt", "--episodes", episodes)


def _play(place: Path, library: Path):
    call = ("eval", WORLD, "--library", library, "--split", place / "tasks.txt", "--limit", 1)
    return run(*call, "--record")


COMMANDS: dict[str, Callable[[Path, Path], object]] = {
    "learn": _learn,
    "logs": _logs,
    "practise": lambda place, library: _practise(place, library, 3),
    "eval": _play,
    "list": lambda _, library: run("list", library),
    "files": lambda _, library: run("check", library, "--files"),
    "undo": lambda _, library: run("undo", library),
    "accept": lambda _, library: run("accept", library, "--all"),
    "proof": lambda _, library: run("check", library, "--proof"),
}
DAMAGE: dict[str, Callable[[Path, bytes], object]] = {
    "gone": lambda _, __: None,
    "emptied": lambda file, _: file.write_bytes(b""),
    "cut": lambda file, data: file.write_bytes(data[: len(data) // 2]),
    "binary": lambda file, _: file.write_bytes(bytes(range(256)) * 20),
    "other": lambda file, _: file.write_text("[1, 2]\n"),
    "folder": lambda file, _: file.mkdir(),
    "lost": lambda file, _: file.symlink_to("nowhere"),
    "endless": lambda file, _: file.symlink_to(file.name),
}
FILES = (
    *(".gitignore", "chroma", "commit", "curve.json", "decided", "deciding.json"),
    *("demonstrations.json", "demonstrations.jsonl", "episodes.jsonl", "evidence.db"),
    *("evidence.db-wal", "generation", "learned.json", "learning.lock", "lock", "lock-taken"),
    *("machine", "notes.jsonl", "parsed", "practice.jsonl", "practice.lock", "proof.json"),
    *("replaced.jsonl", "rewards.jsonl", "seen.jsonl", "tool-episodes.jsonl", "turnstile"),
    *("undo", "undo.json"),
)


def test_all_that_is_there_is_damaged(place: Path) -> None:
    names = {each.name for each in (place / "whole" / ".macla").iterdir()}
    assert {"undo" if each.startswith("kept-") else each for each in names} <= {*FILES}


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_told(place: Path, tmp_path: Path, name: str) -> None:
    for number, (damage, harm) in enumerate(DAMAGE.items()):
        # Each file is met by nearly each command, in one way; all commands meet all ways.
        command = list(COMMANDS)[(FILES.index(name) + number) % len(COMMANDS)]
        library = copy_library(place / "whole", tmp_path / f"{damage}-{command}")
        file = library / ".macla" / name
        if name == "undo":  # has another name each time
            (file,) = file.parent.glob("kept-*")
        data = file.read_bytes() if file.is_file() else b""
        if file.is_dir():
            shutil.rmtree(file)
        file.unlink(missing_ok=True)
        harm(file, data)
        result = COMMANDS[command](place, library)
        told = f"{command}, {name} {damage}: {result.output}"  # type: ignore[attr-defined]
        assert result.exit_code in (0, 1, 2), told  # type: ignore[attr-defined]
        assert "Traceback" not in told, told
        assert "fault in macla" not in told, told
        shutil.rmtree(library)


@pytest.mark.parametrize(("name", "reserved"), [("con", True), ("aux.1", True), ("cone", False)])
def test_names_that_not_every_system_can_have(tmp_path: Path, name: str, reserved: bool) -> None:
    from macla.procedures.learning.abstraction import slug
    from macla.procedures.library.library import Library, validate_library
    from macla.procedures.model.procedure import Procedure, Step

    library = Library.create(tmp_path / "lib", domain="d", embedding="static")
    library.write_procedure(Procedure(name, 1, "g", (Step(do="look"),)))
    told = [str(each) for each in validate_library(library.path)]
    assert any("Windows" in each for each in told) == reserved
    assert slug("con") == "con-2"
    assert slug("Con {x}", {"con-2"}) == "con-3"


@pytest.mark.parametrize("name", ["cafe\u0301", "caf\u00e9", "Take", "take ", "take\n"])
def test_ids_that_some_systems_take_for_another_are_refused(tmp_path: Path, name: str) -> None:
    from macla.procedures.library.library import Library, validate_library

    library = Library.create(tmp_path / "lib", domain="d", embedding="static")
    text = f"kind: procedure\nid: {name!r}\nversion: 1\ngoal: g\nsteps: [{{do: look}}]\n"
    (library.path / "procedures" / f"{name}.yaml").write_text(text, encoding="utf-8")
    assert [each.severity for each in validate_library(library.path)] == ["error"]
