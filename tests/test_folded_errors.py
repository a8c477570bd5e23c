"""Of errors that follow from a file that cannot be read only their number is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run
from macla.procedures.documents.yaml_dump import dump_yaml
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


def test_what_another_file_lacks_is_told_by_itself(broken: Path) -> None:
    meta = next((broken / "meta").iterdir())
    assert PLAN["id"] in meta.name
    text = meta.read_text()
    assert "fetch" in text
    meta.write_text(text.replace("run: fetch", "run: fetsh"))
    told = run("check", str(broken), "--files").stdout
    assert "there is no procedure 'fetsh'" in told
    assert "more follow" not in told
