"""What was learned or accepted last is taken back as a whole, or refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import review_library
from command_line import run
from invented_worlds import burrow_demonstration
from macla.adapters.submitting import submitter
from macla.procedures.common.clock import now
from macla.procedures.episodes.trajectories import Trajectory, write_trajectories
from macla.procedures.evidence.ledger import Ledger, Outcome, OutcomeKind
from macla.procedures.library import library_commit as commits
from macla.procedures.library.library import Library, validate_library
from macla.procedures.library.undo import undo, undoing
from review_library import git, make_library, make_repository, open_ledger, refinement

nobodys_settings = review_library.nobodys_settings


def used(run: str, version: int, good: float, bad: float) -> Outcome:
    worked = OutcomeKind.SUCCESS
    return Outcome(run, 0, "procedure", "fetch", version, worked, good, bad, at=now())


def tree(root: Path) -> dict[str, bytes]:
    files = [root / ".macla" / "demonstrations.jsonl", *root.rglob("*.yaml")]
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in files if file.exists()}


def learn(lib: Path, shown: list[Trajectory]) -> None:
    episodes = lib.parent / "shown.jsonl"
    write_trajectories(episodes, shown)
    assert run("learn", episodes, "--library", lib).exit_code == 0
    episodes.unlink()


def test_learning_is_taken_back_with_the_episodes(tmp_path: Path) -> None:
    lib = tmp_path / "lib"
    learn(lib, [burrow_demonstration(seed, ("lodge",)) for seed in range(8)])
    none = run("undo", lib)
    assert (none.exit_code, "nothing to take back" in none.output) == (2, True)
    before = tree(lib)
    learn(lib, [burrow_demonstration(seed) for seed in range(8, 20)])
    after = tree(lib)
    assert after != before
    looked = run("undo", lib, "--look").output
    assert "would take back: learning from" in looked
    assert tree(lib) == after
    told = run("undo", lib).output
    assert "procedures/rinse-by.yaml: removed" in told
    assert tree(lib) == before
    assert validate_library(lib) == []
    assert run("undo", lib).exit_code == 2


@pytest.mark.parametrize("in_git", [False, True])
def test_accepting_is_taken_back(tmp_path: Path, in_git: bool) -> None:
    library = (make_repository if in_git else make_library)(tmp_path / "repo")
    lib = library.path
    before = tree(lib)
    with open_ledger(library) as ledger:
        ledger.record([used("r1", 1, 9.0, 3.0)])
        waiting = submitter(library, ledger, "review")(refinement(library))
    assert run("proposals", "accept", lib, waiting.proposal.id).exit_code == 0
    assert Library.open(lib).procedures["fetch"].version == 2
    done = json.loads(run("undo", lib, "--json").output)
    assert done["files"] == ["procedures/fetch.yaml"]
    assert done["what"] == f"accepting {waiting.proposal.id}"
    assert {n: d for n, d in tree(lib).items() if not n.startswith("proposals/")} == before
    if in_git:
        assert git(lib, "log", "-1", "--format=%s") == f"Undo: accepting {waiting.proposal.id}"
        assert git(lib, "status", "--porcelain") == ""


def test_what_was_used_since_gets_a_version_of_its_own(tmp_path: Path) -> None:
    library = make_library(tmp_path / "repo")
    with open_ledger(library) as ledger:
        ledger.record([used("r1", 1, 9.0, 3.0)])
        waiting = submitter(library, ledger, "review")(refinement(library))
    run("proposals", "accept", library.path, waiting.proposal.id)
    with open_ledger(library) as ledger:
        ledger.record([used("r2", 2, 0.0, 5.0)])
    assert run("undo", library.path).exit_code == 0
    fetch = Library.open(library.path).procedures["fetch"]
    assert (fetch.version, len(fetch.steps)) == (3, 2)
    with Ledger.open(library.path / ".macla" / "evidence.db") as ledger:
        assert ledger.counts()["procedure", "fetch", 3, ""] == (9.0, 3.0)


def test_an_undoing_that_was_killed_counts_no_evidence_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """Nothing on the way out sees it as an error."""

    def killed(*_: object) -> None:
        raise Killed

    library = make_library(tmp_path / "repo")
    with open_ledger(library) as ledger:
        ledger.record([used("r1", 1, 9.0, 3.0)])
        waiting = submitter(library, ledger, "review")(refinement(library))
    run("proposals", "accept", library.path, waiting.proposal.id)
    with open_ledger(library) as ledger:
        ledger.record([used("r2", 2, 0.0, 5.0)])
        last = undoing(library.path)
        assert last is not None
        with monkeypatch.context() as patched:
            patched.setattr(commits, "commit", killed)
            with pytest.raises(Killed):
                undo(library, ledger, last)
    assert run("undo", library.path).exit_code == 0
    assert Library.open(library.path).procedures["fetch"].version == 3
    with open_ledger(library) as ledger:
        assert ledger.counts()["procedure", "fetch", 3, ""] == (9.0, 3.0)


def test_what_people_changed_since_is_not_overwritten(tmp_path: Path) -> None:
    library = make_library(tmp_path / "repo")
    with open_ledger(library) as ledger:
        waiting = submitter(library, ledger, "review")(refinement(library))
    run("proposals", "accept", library.path, waiting.proposal.id)
    file = library.path / "procedures" / "fetch.yaml"
    file.write_text(f"# Ada\n{file.read_text()}")
    before = tree(library.path)
    told = run("undo", library.path)
    assert (told.exit_code, "was changed since accepting" in told.output) == (2, True)
    assert tree(library.path) == before
    note = library.path / ".macla" / "undo.json"
    note.write_text("{")
    assert "cannot be read" in run("undo", library.path).output
