"""``python -m macla.evals.bench.noise``: which commits of a library tell a reviewer nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from macla.evals.bench.noise import main
from macla.procedures.documents.yaml_dump import dump_yaml
from review_library import FETCH, git, make_git


@pytest.fixture
def top(tmp_path: Path) -> Path:
    return make_git(tmp_path / "repository")


def commit(top: Path, **text_by_name: str) -> None:
    """Commit files of procedures, each under its library and its id, as ``lib_fetch``."""
    for name, text in text_by_name.items():
        library, _, file = name.partition("_")
        path = top / library / "procedures" / f"{file}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(top, "add", "-A")
    git(top, "commit", "-qm", "Change")


def fetch(goal: str, name: str = "fetch", version: int = 1) -> str:
    return dump_yaml({**FETCH, "id": name, "goal": goal, "version": version})


def told(capsys: pytest.CaptureFixture[str], *repositories: Path) -> tuple[int, str, str]:
    code = main([str(each) for each in repositories])
    out, err = capsys.readouterr()
    return code, out.splitlines()[-1] if out else "", err


def test_returns_moves_and_idle_commits(top: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = FETCH["goal"], f"{FETCH['goal']} again"
    commit(top, lib_fetch=fetch(one))
    commit(top, lib_fetch=fetch(other, version=2))
    commit(top, lib_fetch=fetch(other, version=3))
    commit(top, lib_fetch=fetch(one, version=4))
    commit(top, lib_bring=fetch(one, "bring"))
    code, line, _ = told(capsys, top)
    assert (code, line) == (0, f"{top}: 1 returns, 1 moves, 1 idle in 5 commits")


def test_libraries_of_one_repository_are_apart(
    top: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = fetch(FETCH["goal"])
    commit(top, lib_fetch=text)
    commit(top, other_fetch=text)
    assert told(capsys, top)[1] == f"{top}: 0 returns, 0 moves, 0 idle in 2 commits"


def test_what_cannot_be_read_behaves_as_no_other(
    top: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit(top, lib_fetch=fetch(FETCH["goal"]))
    commit(top, lib_fetch="kind: procedure\nid: [")
    (top / "lib" / "procedures" / "README.md").write_text("Nothing that is carried out.")
    commit(top)
    assert told(capsys, top)[:2] == (0, f"{top}: 0 returns, 0 moves, 0 idle in 3 commits")


@pytest.mark.parametrize("kind", ["folder", "empty repository", "file", "nothing"])
def test_what_is_no_repository_with_commits_is_an_error(
    kind: str, top: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = top if kind == "empty repository" else tmp_path / "other"
    if kind == "folder":
        place.mkdir()
    if kind == "file":
        place.write_text("")
    code, out, err = told(capsys, place)
    assert (code, out) == (2, "")
    assert err.startswith("noise: error: git ")
    assert place.name in err
