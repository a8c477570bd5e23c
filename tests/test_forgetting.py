"""A full library forgets: at once outside git, as a commit in git, as a branch under review."""

from __future__ import annotations

import subprocess
from dataclasses import replace

import pytest
from command_line import run
from macla.adapters.git.stores import open_store
from macla.adapters.session import LibrarySession
from macla.adapters.teaching.practice_changes import Changes
from macla.adapters.teaching.reviewed_learning import teach_by_review
from macla.adapters.teaching.teaching import teach
from macla.evals.practice.practice_loop import practise
from macla.procedures.episodes.trajectories import write_trajectories
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.learning.online import OnlineLearner
from macla.procedures.learning.store_learned import store
from macla.procedures.library.library import Library, validate_library
from macla.procedures.proposals.proposal import make_proposal
from macla.procedures.proposals.removal import propose_removals, with_room
from review_library import make_git
from test_learning_pruning import row
from test_learning_store import learned, meta, procedure
from test_practice import SHOWN, TASKS, WORLD, setting

pytestmark = pytest.mark.usefixtures("plans_only")


@pytest.fixture
def folder(tmp_path):
    """A library with room for one plan and one procedure, and two of each in it."""
    path = tmp_path / "work" / "lib"
    settings = {"capacity": {"procedures": 1, "metas": 1}}
    library = Library.create(path, domain="lids", embedding="static", settings=settings)
    told = learned(
        [procedure("pry"), procedure("zip")], [meta("often", "pry"), meta("rare", "zip")]
    )
    with Ledger.open(path / ".macla" / "evidence.db") as ledger:
        store(library, ledger, told)
        ledger.record(row(f"e{i}", "often") for i in range(9))
    return path


def git(folder, *words):
    out = subprocess.run(["git", "-C", str(folder.parent), *words], check=True, capture_output=True)
    return out.stdout.decode()


@pytest.fixture
def tracked(folder):
    make_git(folder.parent, "lib")
    return folder


def relearned(folder, policy):
    """Let the library forget as a practice does, without learning anew."""
    with LibrarySession.open(folder) as session:
        changes = Changes(session, policy)
        learner = OnlineLearner(session.library, session.ledger, forget=changes.forget)
        assert learner.lacking
        return learner.relearn(), changes.refused


def fuller(path, **changes):
    """Add three plans to a library of a mill, and leave room for one."""
    kept = Library.open(path)
    changed = {**kept.settings.settings, "capacity": {"procedures": 200, "metas": 1}}
    known = next(iter(kept.metas.values()))
    more = [replace(known, id=f"more-{i}", goal=f"more {i} {known.goal}") for i in range(3)]
    more[0] = replace(more[0], **changes)
    kept.write_all(metas=more, settings=replace(kept.settings, settings=changed))


def mill(tmp_path):
    path = tmp_path / "mill"
    teach(path, SHOWN, domain=WORLD)
    return path


@pytest.mark.parametrize("changes", [{"provenance": {}}, {"locked": True}, {"status": "trusted"}])
def test_capacity_holds_when_a_practice_begins_though_nothing_else_changes(tmp_path, changes):
    path = mill(tmp_path)
    fuller(path, **changes)
    done = practise(setting(path), TASKS, episodes=0)
    assert list(Library.open(path).metas) == ["more-0"]
    assert len(done.removed) >= 3
    assert practise(setting(path), TASKS, episodes=0).removed == ()


def test_the_command_names_what_went_for_want_of_room(tmp_path):
    path = mill(tmp_path)
    fuller(path)
    tasks = tmp_path / "tasks.txt"
    tasks.write_text("now0\nnow1\n")
    done = run(*f"practice {WORLD} --library {path} --episodes 1 --split {tasks}".split())
    assert done.exit_code == 0, done.stderr
    assert "removed for want of room (capacity in library.yaml): more-" in done.stdout
    assert len(Library.open(path).metas) == 1


def test_capacity_holds_after_learning_from_episodes(tmp_path):
    path = mill(tmp_path)
    plans = sorted(Library.open(path).metas)
    fuller(path, locked=True)
    file = tmp_path / "shown.jsonl"
    write_trajectories(file, SHOWN)
    done = run("learn", file, "--library", path, "--world", f"domain={WORLD}")
    assert done.exit_code == 0, done.stderr
    assert list(Library.open(path).metas) == ["more-0"]
    told = done.stdout.partition("removed for want of room (capacity in library.yaml): ")[2]
    assert {*plans, "more-1"} <= {*told.splitlines()[0].split(", ")}


def test_capacity_holds_after_learning_in_git(tmp_path):
    path = mill(tmp_path)
    fuller(path)
    make_git(path.parent, "mill")
    done = teach_by_review(path, SHOWN, domain=WORLD, policy="auto")
    assert len(Library.open(path).metas) == 1
    assert "Remove " in git(path, "log", "--format=%s")
    assert not done.refused


def names(folder):
    library = Library.open(folder)
    return sorted([*library.metas, *library.procedures])


def test_outside_git_it_goes_at_once(folder):
    assert relearned(folder, None) == (True, [])
    assert names(folder) == ["often", "pry"]
    assert not [*(folder / "proposals").glob("*.yaml")]


def test_in_git_each_removal_is_a_commit_that_says_why(tracked):
    assert relearned(tracked, "auto") == (True, [])
    assert names(tracked) == ["often", "pry"]
    assert git(tracked, "status", "--porcelain") == ""
    assert git(tracked, "log", "--format=%s").splitlines() == ["Remove zip", "Remove rare", "start"]
    told = git(tracked, "log", "-1", "--format=%b", "HEAD~1")
    assert "holds 2 plans and has room for 1" in told
    assert "keeping rare is worth" in told
    assert relearned(tracked, "auto") == (False, [])


def test_under_review_each_removal_is_a_branch_and_nothing_goes(tracked):
    assert relearned(tracked, "review") == (False, [])
    assert names(tracked) == ["often", "pry", "rare", "zip"]
    assert git(tracked, "status", "--porcelain") == ""
    tips = git(tracked, "branch", "--list", "macla/*", "--format=%(objectname)")
    assert len(tips.splitlines()) == 2
    changed = git(tracked, "diff", "--name-status", "HEAD", "macla/retire/rare-v1")
    assert "D\tlib/meta/rare.yaml" in changed
    # What waits counts as gone: the next lesson asks for nothing more.
    with Ledger.open(tracked / ".macla" / "evidence.db") as ledger:
        ledger.record(row(f"f{i}", "rare") for i in range(90))
    assert relearned(tracked, "review") == (False, [])
    assert git(tracked, "branch", "--list", "macla/*", "--format=%(objectname)") == tips


def test_a_removal_that_is_accepted_removes_the_file(tracked):
    relearned(tracked, "review")
    early = run("proposals", "accept", tracked, "retire/zip-v1")
    assert early.exit_code != 0
    assert "accept that first" in early.stderr
    assert run("proposals", "accept", tracked, "retire/rare-v1").exit_code == 0
    done = run("proposals", "accept", tracked, "retire/zip-v1")
    assert done.exit_code == 0, done.stderr
    assert not (tracked / "meta" / "rare.yaml").exists()
    assert names(tracked) == ["often", "pry"]
    assert not validate_library(tracked)
    assert relearned(tracked, "review") == (False, [])


def test_a_removal_that_is_rejected_is_not_asked_for_again(tracked):
    relearned(tracked, "review")
    assert run("proposals", "reject", tracked, "retire/rare-v1", "--why", "Keep it").exit_code == 0
    relearned(tracked, "review")
    assert "rare" not in git(tracked, "branch", "--list", "macla/*")
    assert "rare" in names(tracked)


def test_outside_git_a_review_is_a_file(folder):
    assert relearned(folder, "review") == (False, [])
    waiting = open_store(folder).pending()
    assert [each.title for each in waiting] == ["Remove rare", "Remove zip"]
    assert "rare" in names(folder)


def test_what_went_for_want_of_room_is_not_added_again_on_the_same_evidence(folder):
    library = Library.open(folder)
    library.refresh()
    with Ledger.open(folder / ".macla" / "evidence.db") as ledger:
        gone = [
            replace(each, status="accepted") for each in propose_removals(library, ledger, list)
        ]
    document = library.metas["rare"].to_document()
    assert [each.target.id for each in gone] == ["rare", "zip"]

    def added(successes):
        counts = {"successes": successes}
        return make_proposal("meta", "Shown.", target="rare", new=[document], counts=counts)

    again, more = added(1.0), added(50.0)
    assert with_room(library, [again, more], []) == [again, more]
    assert with_room(library, [again, more], gone) == [more]
    library.delete("rare", "often")
    assert with_room(library, [again], gone) == [again]
