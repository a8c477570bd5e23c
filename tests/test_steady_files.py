"""Files say what is done: however a library is taught, nothing else in them changes."""

from __future__ import annotations

import random
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from invented_worlds import burrow_demonstration, ruin_demonstration
from macla.procedures.common.errors import LibraryError
from macla.procedures.documents.plain_data import behaviour
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.files import notes, scanning
from macla.procedures.files.parsed import read_parsed, write_parsed
from macla.procedures.learning.learner import learn
from macla.procedures.learning.store_learned import store
from macla.procedures.library.library import Library, validate_library
from macla.procedures.model.parameter_types import resolved
from macla.procedures.model.procedure import Procedure
from macla.procedures.sharing.exchange import open_evidence, write_lock

WORLDS = {
    "burrow": [burrow_demonstration(seed) for seed in range(24)],
    "ruin": [ruin_demonstration(seed) for seed in range(18)],
}
REVIEWED = ("procedures/*.yaml", "meta/*.yaml", "ontology.yaml")


class Stream:
    """A library that is taught again and again, and what its files said each time."""

    def __init__(self, folder: Path) -> None:
        self.library = Library.create(folder, domain="invented", embedding="static")
        self.ledger = Ledger.memory()

    def teach(self, shown: Sequence[Trajectory]) -> dict[str, bytes]:
        store(self.library, self.ledger, learn(shown))
        root = self.library.path
        files = (path for pattern in REVIEWED for path in root.glob(pattern))
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}

    def documents(self) -> dict[str, Mapping[str, Any]]:
        return {item.id: item.to_document() for _, item in self.library.items()}


@pytest.mark.parametrize("world", WORLDS)
def test_the_order_of_episodes_changes_no_file(tmp_path: Path, world: str) -> None:
    stream = Stream(tmp_path / "lib")
    first = stream.teach(WORLDS[world])
    for seed in range(3):
        again = random.Random(seed).sample(WORLDS[world], len(WORLDS[world]))
        assert stream.teach(again) == first


@pytest.mark.parametrize("world", WORLDS)
def test_a_version_is_a_change_of_what_is_done(tmp_path: Path, world: str) -> None:
    shown = WORLDS[world]
    third = len(shown) // 3
    stream = Stream(tmp_path / "lib")
    known: dict[str, Mapping[str, Any]] = {}
    before: dict[str, bytes] = {}
    for end in (third, 2 * third, len(shown)):
        files = stream.teach(shown[:end])
        for name, document in stream.documents().items():
            if name not in known:
                continue
            same = behaviour(document) == behaviour(known[name])
            assert (document["version"] == known[name]["version"]) is same, name
            file = f"{'meta' if document['kind'] == 'meta' else 'procedures'}/{name}.yaml"
            assert (files[file] == before[file]) is same, name
        known, before = stream.documents(), files
    whole = Stream(tmp_path / "whole")
    whole.teach(shown)
    assert stream.documents().keys() == whole.documents().keys()


def made(root: Path) -> Library:
    """A library with a procedure that was learned, under a note of where it comes from."""
    library = Library.create(root, domain="invented", embedding="static")
    document = {
        "kind": "procedure",
        "id": "take",
        "version": 1,
        "goal": "take {x}",
        "parameters": {"x": {"source": "given"}},
        "steps": [{"do": "take {x}"}],
        "provenance": {"learned_from": "3 demonstrations"},
    }
    library.write_procedure(Procedure.from_document(document))
    return library


def origin(root: Path) -> Mapping[str, str]:
    return Library.open(root).procedures["take"].provenance


def restarted() -> None:
    """Forget what this process read, as another one would not know it."""
    scanning._scans.clear()
    notes._notes_by_library.clear()


def test_a_file_says_what_is_done_and_its_note_stands_elsewhere(tmp_path: Path) -> None:
    root = made(tmp_path / "lib").path
    file = root / "procedures" / "take.yaml"
    assert "provenance" not in file.read_text()
    restarted()
    assert origin(root) == {"learned_from": "3 demonstrations"}
    library = Library.open(root)
    said, before = library.content_hash, file.read_bytes()
    library.delete("take")
    (root / ".macla" / "notes.jsonl").unlink()
    file.write_bytes(before)
    assert origin(root) == {}
    library.refresh()
    assert library.content_hash == said
    learned = replace(library.procedures["take"], provenance={"note": "later"})
    assert library.write_all([learned]) == []
    assert origin(root) == {"note": "later"}


def test_a_clone_has_the_notes_of_its_lock_file(tmp_path: Path) -> None:
    library = made(tmp_path / "lib")
    with open_evidence(library.path) as ledger:
        write_lock(library, ledger)
    clone = tmp_path / "clone"
    shutil.copytree(library.path, clone, ignore=shutil.ignore_patterns(".macla"))
    assert origin(clone) == {"learned_from": "3 demonstrations"}
    with open_evidence(clone) as ledger:
        write_lock(Library.open(clone), ledger)
    assert (clone / "library.lock").read_bytes() == (library.path / "library.lock").read_bytes()
    # A merge that kept lines of both sides, and a person who edited one: nothing else is lost.
    lock = clone / "library.lock"
    lock.write_text(lock.read_text().replace("3 demonstrations", "4 demonstrations"))
    restarted()
    assert origin(clone) == {}
    lock.unlink()
    restarted()
    assert origin(clone) == {}
    assert Library.open(clone).procedures.keys() == {"take"}


def test_notes_outlive_a_killed_writer_an_edit_and_the_cache_of_files(tmp_path: Path) -> None:
    library = made(tmp_path / "lib")
    root, file = library.path, library.path / "procedures" / "take.yaml"
    with (root / ".macla" / "notes.jsonl").open("ab") as stream:
        stream.write(b'["procedure","take",1,"dr')
    restarted()
    library = Library.open(root)
    learned = replace(
        library.procedures["take"], version=2, goal="get {x}", provenance={"learned_from": "5 runs"}
    )
    library.write_all([learned])
    restarted()
    assert origin(root) == {"learned_from": "5 runs"}
    write_parsed(root, dict(scanning._scan_of(root).entries))
    scanning._scans.clear()
    (kept,) = (e for key, e in read_parsed(root).items() if key[1] == "take")
    assert kept.document.provenance == {"learned_from": "5 runs"}  # type: ignore[union-attr]
    # A person makes the next version of it by hand; what is new under an id is theirs.
    file.write_text(file.read_text().replace("version: 2", "version: 3"))
    assert origin(root) == {"learned_from": "5 runs"}


EARLIER = """\
kind: meta
id: fetch
version: 1
goal: fetch {a}
parameters:
  a: {source: task}
plan:
  # first of all
  - run: take@1  # why
    with: {x: a}
    abort: exhausted
"""


def test_earlier_notation_is_read_and_brought_over(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "lib", domain="invented", embedding="static")
    root = library.path
    take = root / "procedures" / "take.yaml"
    take.write_text(
        "kind: procedure\nid: take\nversion: 3\ngoal: take {x}\n"
        "parameters:\n  x: {source: given, kinds: [mug, cup]}\nsteps:\n  - do: take {x}\n"
        "evidence: {alpha: 2, beta: 1}\nprovenance: {learned_from: 3 demonstrations}\n"
    )
    settings = root / "library.yaml"
    settings.write_text(settings.read_text().replace("format: 2", "format: 1  # still"))
    fetch = root / "meta" / "fetch.yaml"
    fetch.write_text(EARLIER)
    does = behaviour(Library.open(root).procedures["take"].to_document())
    format_, warning = validate_library(root)
    assert (format_.severity, format_.file, format_.line) == ("warning", settings, 2)
    assert (warning.severity, warning.file, warning.line) == ("warning", fetch, 9)
    assert origin(root) == {"learned_from": "3 demonstrations"}
    told = run("migrate", root).output
    assert "meta/fetch.yaml: 1 places name no version any more" in told
    assert "procedures/take.yaml: the kinds of 1 parameters are types" in told
    assert fetch.read_text() == EARLIER.replace("take@1", "take")
    assert "  x: {source: given, type: take.x}\n" in take.read_text()
    kinds = "kind: types\nof: take\nkinds:\n  - x: cup\n  - x: mug\n"
    assert (root / "types" / "take.yaml").read_text() == kinds
    assert "evidence and provenance stand in library.lock" in told
    assert not {"evidence", "provenance"} & load_yaml(take.read_bytes(), take).keys()
    assert "library.yaml: format 1 is 2 now" in told
    assert "format: 2  # still" in settings.read_text()
    after = Library.open(root)
    now = resolved(after.procedures["take"], after.ontology.types)
    listed = {name: replace(each, type=None) for name, each in now.parameters.items()}
    assert behaviour(replace(now, parameters=listed).to_document()) == does
    assert origin(root) == {"learned_from": "3 demonstrations"}
    assert "3 demonstrations" in (root / "library.lock").read_text()
    assert validate_library(root) == []
    assert "is written so already" in run("migrate", root).output


def test_a_format_that_is_not_known_is_refused_with_file_line_and_key(tmp_path: Path) -> None:
    root = Library.create(tmp_path / "lib", domain="invented", embedding="static").path
    file = root / "library.yaml"
    file.write_text(file.read_text().replace("format: 2", "format: 3"))
    with pytest.raises(LibraryError, match="format 3") as told:
        Library.open(root)
    assert (told.value.file, told.value.line, told.value.path) == (file, 2, ("format",))
    before = file.read_bytes()
    assert run("migrate", root).exit_code == 2
    assert file.read_bytes() == before
