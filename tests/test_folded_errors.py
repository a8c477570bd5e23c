"""Of errors that follow from a file that cannot be read only their number is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run
from macla.procedures.common.errors import LibraryError, LockError
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.library.library import Library
from macla.procedures.library.library_commit import locked
from macla.procedures.proposals.proposal import make_proposal
from review_library import PLAN, make_library
from review_samples import fetch


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A library whose one procedure cannot be read; a plan runs it, and a proposal changes it."""
    lib = make_library(tmp_path / "lib").path
    change = make_proposal("refine", "Why.", target="fetch", old=[fetch()], new=[fetch(version=2)])
    (lib / "proposals" / f"{change.id}.yaml").write_text(dump_yaml(change.to_document()))
    (lib / "procedures" / "fetch.yaml").write_text("goal: [unclosed\n")
    return lib


def test_one_broken_file_is_one_error(broken: Path) -> None:
    told = run("check", str(broken), "--files")
    assert told.exit_code == 1
    (line,) = told.stdout.splitlines()
    assert line.startswith(f"{broken}/procedures/fetch.yaml:")
    assert line.endswith("; 1 more follows from it")
    (found,) = json.loads(run("check", str(broken), "--files", "--json").stdout)["findings"]
    assert found["following"] == 1
    assert run("check", str(broken)).stdout.splitlines() == [line]


def test_opening_names_the_cause(broken: Path) -> None:
    assert "procedures/fetch.yaml" in run("list", str(broken)).stderr


def test_what_fits_together_is_listed_without_the_rest(broken: Path) -> None:
    (broken / "ontology.yaml").write_text(
        "kind: ontology\nversion: 1\ninstructions:\n"
        "  - {cue: 'go {x}', do: 'go {x}', source: nowhere}\n"
    )
    left_out: list[LibraryError] = []
    library = Library.open(broken, left_out.append)
    assert [str(each.file).removeprefix(f"{broken}/") for each in left_out] == [
        "procedures/fetch.yaml",
        f"meta/{PLAN['id']}.yaml",
        "ontology.yaml",
    ]
    assert not library.is_whole
    listed = run("list", str(broken), "--json")
    assert (listed.exit_code, len(json.loads(listed.stdout)["left_out"])) == (1, 3)


def test_who_has_to_wait_too_long_is_told_so(broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("macla.procedures.library.library.LOCK_TIMEOUT", 0.01)
    left_out: list[LibraryError] = []
    with locked(broken.resolve(), 1.0), pytest.raises(LockError):
        Library.open(broken, left_out.append)
    assert left_out == []


def test_what_another_file_lacks_is_told_by_itself(broken: Path) -> None:
    meta = next((broken / "meta").iterdir())
    assert PLAN["id"] in meta.name
    text = meta.read_text()
    assert "fetch" in text
    meta.write_text(text.replace("run: fetch", "run: fetsh"))
    told = run("check", str(broken), "--files").stdout
    assert "there is no procedure 'fetsh'" in told
    assert "more follow" not in told
