"""Files say what is done: however a library is taught, nothing else in them changes."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from invented_worlds import burrow_demonstration, ruin_demonstration
from macla.procedures.errors import LibraryError
from macla.procedures.learning.learner import learn
from macla.procedures.learning.store import store
from macla.procedures.ledger import Ledger
from macla.procedures.library import Library, validate_library
from macla.procedures.model_documents import behaviour
from macla.procedures.trajectories import Trajectory

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
    )
    fetch = root / "meta" / "fetch.yaml"
    fetch.write_text(EARLIER)
    said = Library.open(root).content_hash
    (warning,) = validate_library(root)
    assert (warning.severity, warning.file, warning.line) == ("warning", fetch, 9)
    told = run("migrate", root).output
    assert "meta/fetch.yaml: 1 places name no version any more" in told
    assert "procedures/take.yaml: the kinds of 1 parameters are in order" in told
    assert fetch.read_text() == EARLIER.replace("take@1", "take")
    assert "    kinds:\n      - cup\n      - mug\n" in take.read_text()
    assert Library.open(root).content_hash == said
    assert validate_library(root) == []
    assert "is written so already" in run("migrate", root).output


def test_a_format_that_is_not_known_is_refused_with_file_line_and_key(tmp_path: Path) -> None:
    root = Library.create(tmp_path / "lib", domain="invented", embedding="static").path
    file = root / "library.yaml"
    file.write_text(file.read_text().replace("format: 1", "format: 3"))
    with pytest.raises(LibraryError, match="format 3") as told:
        Library.open(root)
    assert (told.value.file, told.value.line, told.value.path) == (file, 2, ("format",))
    before = file.read_bytes()
    assert run("migrate", root).exit_code == 2
    assert file.read_bytes() == before
