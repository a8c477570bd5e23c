"""Proposals as branches and commits, and all that can be wrong with a repository."""

from __future__ import annotations

import os
import shutil
import sys
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import forking
import pytest
import review_library
from macla.adapters.git import proposal_branches
from macla.adapters.git.commit_history import revisions_of
from macla.adapters.git.proposal_branches import GitStore
from macla.adapters.git.repository import Person, Repository
from macla.adapters.git.stores import open_store, start_library
from macla.procedures.common.errors import (
    ConflictError,
    GitError,
    LibraryError,
    LockError,
    MaclaError,
    ProposalError,
)
from macla.procedures.evidence.ledger import Ledger, Outcome, OutcomeKind
from macla.procedures.library.library import Library, validate_library
from macla.procedures.local.safe_git import Git
from macla.procedures.model.procedure import Procedure
from macla.procedures.proposals.apply import accept
from macla.procedures.proposals.policy import submit
from macla.procedures.proposals.proposal import Proposal, make_proposal
from macla.procedures.proposals.proposal_store import FileStore, rebase_in
from macla.procedures.proposals.version_history import reverting
from review_library import (
    FETCH,
    git,
    make_library,
    make_repository,
    open_ledger,
    refined,
    refinement,
)

nobodys_settings = review_library.nobodys_settings
library = review_library.library
ledger = review_library.ledger


def store_of(library: Library) -> GitStore:
    store = open_store(library.path)
    assert isinstance(store, GitStore)
    return store


def propose(library: Library, ledger: Ledger, proposal: Proposal | None = None) -> GitStore:
    store = store_of(library)
    placed = submit(library, ledger, proposal or refinement(library), "review", store)
    assert placed.note == "made"
    return store


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {".git", ".macla"} & set(path.parts)
    }


def test_a_branch_with_one_commit_beside_the_work_tree(library: Library, ledger: Ledger) -> None:
    top = library.path.parent
    (top / "mine.txt").write_text("not added")
    (top / "staged.txt").write_text("added")
    git(top, "add", "staged.txt")
    before, status = snapshot(top), git(top, "status", "--porcelain")
    index = (top / ".git" / "index").read_bytes()
    propose(library, ledger)
    assert snapshot(top) == before
    assert git(top, "status", "--porcelain") == status
    assert (top / ".git" / "index").read_bytes() == index
    assert git(top, "log", "--format=%s|%an <%ae>", "main..macla/refine/fetch-v2") == (
        "Refine fetch to version 2|macla <macla@localhost>"
    )
    body = git(top, "log", "-1", "--format=%b", "macla/refine/fetch-v2")
    assert "It failed where the place was shut." in body
    assert "worked 3 times, failed 4 times" in body
    changed = git(top, "diff", "--name-only", "main", "macla/refine/fetch-v2").splitlines()
    assert [name.rpartition("-")[0] or name for name in changed] == [
        "lib/procedures/fetch.yaml",
        "lib/proposals/refine-fetch-v2",
    ]


def test_what_is_read_back_is_what_was_proposed(library: Library, ledger: Ledger) -> None:
    proposal = refinement(library)
    store = propose(library, ledger, proposal)
    (waiting,) = store.pending()
    assert waiting.status == "pending"
    assert waiting.id == proposal.id
    assert waiting.old[0] == proposal.old[0]
    assert waiting.new[0]["steps"] == tuple(refined()["steps"]) or (
        [step["do"] for step in waiting.new[0]["steps"]]
        == [step["do"] for step in refined()["steps"]]
    )
    assert store.where(waiting) == "macla/refine/fetch-v2"
    assert submit(library, ledger, proposal, "review", store).note == "waiting"


def test_accept_commits_the_files_of_the_proposal_only(library: Library, ledger: Ledger) -> None:
    top = library.path.parent
    store = propose(library, ledger)
    (top / "mine.txt").write_text("not added")
    (top / "staged.txt").write_text("added")
    git(top, "add", "staged.txt")
    lodge = library.path / "procedures" / "lodge.yaml"
    lodge.write_text(f"# Ada is at work here\n{lodge.read_text()}")
    (waiting,) = store.pending()
    done = store.accept(library, ledger, waiting, "")
    assert done.by == "Ada <ada@example.org>"
    assert git(top, "log", "-1", "--format=%s|%an|%cn") == "Refine fetch to version 2|macla|Ada"
    assert git(top, "status", "--porcelain").splitlines() == [
        " M lib/procedures/lodge.yaml",
        "A  staged.txt",
        "?? mine.txt",
    ]
    assert git(top, "branch", "--format=%(refname:short)") == "main"
    assert Library.open(library.path).procedures["fetch"].version == 2
    assert validate_library(library.path) == []
    assert store.pending() == []
    assert [p.status for p in store.decided()] == ["accepted"]
    git(top, "fsck", "--strict")


def test_the_author_can_be_chosen(tmp_path: Path) -> None:
    author = "Robin <robin@example.org>"
    library = make_repository(tmp_path / "repo", proposals={"author": author})
    with open_ledger(library) as ledger:
        propose(library, ledger)
    made = git(library.path, "log", "-1", "--format=%an <%ae>", "macla/refine/fetch-v2")
    assert made == author


@pytest.mark.parametrize("text", ["Robin", "<x@y>", "a\nb <c@d>", "Robin <x@y> z"])
def test_no_author(text: str) -> None:
    with pytest.raises(GitError, match="no author"):
        Person.parse(text)


def test_reject_is_committed_and_remembered(library: Library, ledger: Ledger) -> None:
    top = library.path.parent
    store = propose(library, ledger)
    store.reject(library, ledger, store.pending()[0], "Too rare.", "")
    assert git(top, "branch", "--format=%(refname:short)") == "main"
    assert git(top, "status", "--porcelain") == ""
    assert "Too rare." in git(top, "log", "-1", "--format=%B")
    assert submit(library, ledger, refinement(library), "review", store).note == "rejected"
    (kept,) = store.decided()
    assert kept.new[0]["steps"], "what was proposed is kept, whole"
    placed = store.reopen(library, ledger, kept)
    assert [p.id for p in store.pending()] == [placed.proposal.id] == [kept.id]
    assert store.decided() == []
    assert git(top, "status", "--porcelain") == ""
    commits = git(top, "rev-list", "--all")
    assert store.reopen(library, ledger, kept).note == "waiting", "it is open already"
    assert git(top, "rev-list", "--all") == commits


def test_what_another_clone_rejected_is_reopened_where_its_branch_stands(
    library: Library, ledger: Ledger
) -> None:
    top = library.path.parent
    store = propose(library, ledger)
    (waiting,) = store.pending()
    tip = git(top, "rev-parse", "macla/refine/fetch-v2")
    rejected = store.reject(library, ledger, waiting, "Too rare.", "")
    git(top, "branch", "macla/refine/fetch-v2", tip)  # as it was in that clone
    assert store.pending() == []
    assert store.reopen(library, ledger, rejected).note == "made"
    assert [p.id for p in store.pending()] == [waiting.id]
    assert store.accept(library, ledger, store.pending()[0], "").status == "accepted"
    assert store.pending() == []


def test_what_is_there_by_now_is_not_reopened(library: Library, ledger: Ledger) -> None:
    store = propose(library, ledger)
    (waiting,) = store.pending()
    rejected = store.reject(library, ledger, waiting, "Too rare.", "")
    library.write_all([Procedure.from_document(refined())])
    commits = git(library.path.parent, "rev-list", "--all")
    with pytest.raises(ProposalError, match="the library does so by now"):
        store.reopen(library, ledger, rejected)
    assert git(library.path.parent, "rev-list", "--all") == commits


def test_a_merge_by_hand_is_accepting(library: Library, ledger: Ledger) -> None:
    top = library.path.parent
    ledger.record([_used("fetch", 1, 8.0, 2.0)])
    store = propose(library, ledger)
    git(top, "commit", "-q", "--allow-empty", "-m", "Something else")
    git(top, "merge", "-q", "--no-ff", "-m", "Merge", "macla/refine/fetch-v2")
    library.refresh()
    assert library.procedures["fetch"].version == 2
    assert store.pending() == []
    assert [p.id for p in store.settle(library, ledger)] == [refinement_id(store)]
    assert ledger.counts()["procedure", "fetch", 2, ""] == (4.0, 1.0)
    assert store.settle(library, ledger) == []
    assert git(top, "branch", "--format=%(refname:short)") == "main"


def refinement_id(store: GitStore) -> str:
    return store.decided()[0].id


def _used(name: str, version: int, good: float, bad: float) -> Outcome:
    return Outcome("r", 0, "procedure", name, version, OutcomeKind.SUCCESS, good, bad, "2026")


def test_a_person_edits_on_the_branch(library: Library, ledger: Ledger) -> None:
    top = library.path.parent
    store = propose(library, ledger)
    git(top, "checkout", "-q", "macla/refine/fetch-v2")
    file = library.path / "procedures" / "fetch.yaml"
    text = file.read_text().replace("open {y}", "unlatch {y}")
    file.write_text(text.replace("steps:", "# Ada: the latch\nsteps:"))
    git(top, "commit", "-q", "-am", "Unlatch")
    git(top, "checkout", "-q", "main")
    newer = refinement(library, counts={"successes": 30})
    assert submit(library, ledger, newer, "review", store).note == "kept"
    (waiting,) = store.pending()
    assert waiting.new[0]["steps"][1]["do"] == "unlatch {y}"
    store.accept(library, ledger, waiting, "")
    assert "# Ada: the latch" in file.read_text()
    assert library.procedures["fetch"].steps[1].do == "unlatch {y}"


def test_main_moves_on_and_the_proposal_is_rebased(library: Library, ledger: Ledger) -> None:
    top = library.path.parent
    store = propose(library, ledger)
    file = library.path / "procedures" / "fetch.yaml"
    file.write_text(f"# Ada: mine\n{file.read_text().replace('- zib', '- trell')}")
    git(top, "commit", "-q", "-am", "More kinds")
    (waiting,) = store.pending()
    library.refresh()
    rebase_in(store, library, waiting)
    assert git(top, "merge-base", "main", "macla/refine/fetch-v2") == git(top, "rev-parse", "main")
    on_branch = git(top, "show", "macla/refine/fetch-v2:lib/procedures/fetch.yaml")
    assert on_branch.startswith("# Ada: mine\n")
    assert "trell" in on_branch
    (waiting,) = store.pending()
    store.accept(library, ledger, waiting, "")
    assert file.read_text().startswith("# Ada: mine\n")
    assert "trell" in library.procedures["fetch"].parameters["x"].kinds


# -- what can be wrong ----------------------------------------------------------------------


def test_open_changes_of_people_are_in_the_way(library: Library, ledger: Ledger) -> None:
    store = propose(library, ledger)
    file = library.path / "procedures" / "fetch.yaml"
    file.write_text(f"# Ada, not committed\n{file.read_text()}")
    before = snapshot(library.path.parent)
    (waiting,) = store.pending()
    with pytest.raises(GitError, match=r"fetch\.yaml .* not committed"):
        store.accept(library, ledger, waiting, "")
    assert snapshot(library.path.parent) == before
    assert not (library.path.parent / ".git" / "index.lock").exists()
    assert [p.id for p in store.pending()] == [waiting.id]


def test_staged_changes_are_in_the_way(library: Library, ledger: Ledger) -> None:
    store = propose(library, ledger)
    file = library.path / "procedures" / "fetch.yaml"
    text = file.read_text()
    file.write_text(f"# staged\n{text}")
    git(library.path, "add", str(file))
    file.write_text(text)
    with pytest.raises(GitError, match="not committed"):
        store.accept(library, ledger, store.pending()[0], "")


def test_what_is_not_committed_is_no_ground_for_a_proposal(
    library: Library, ledger: Ledger
) -> None:
    file = library.path / "procedures" / "fetch.yaml"
    file.write_text(file.read_text().replace("zib", "zib, trell"))
    library.refresh()
    with pytest.raises(GitError, match="commit it first"):
        submit(library, ledger, refinement(library), "review", store_of(library))
    assert git(library.path, "branch", "--format=%(refname:short)") == "main"


def test_a_detached_head(library: Library, ledger: Ledger) -> None:
    store = propose(library, ledger)
    git(library.path, "checkout", "-q", "--detach")
    (waiting,) = store.pending()
    for decide in (
        lambda: store.accept(library, ledger, waiting, ""),
        lambda: store.reject(library, ledger, waiting, "no", ""),
    ):
        with pytest.raises(GitError, match="detached"):
            decide()
    assert Library.open(library.path).procedures["fetch"].version == 1


def test_a_merge_under_way(library: Library, ledger: Ledger) -> None:
    top = library.path.parent
    store = propose(library, ledger)
    git(top, "checkout", "-q", "-b", "other")
    (top / "a.txt").write_text("other")
    git(top, "add", "a.txt")
    git(top, "commit", "-q", "-m", "other")
    git(top, "checkout", "-q", "main")
    git(top, "merge", "-q", "--no-commit", "--no-ff", "other")
    with pytest.raises(GitError, match="a merge is under way"):
        store.accept(library, ledger, store.pending()[0], "")
    git(top, "merge", "--abort")
    store.accept(library, ledger, store.pending()[0], "")


def test_the_branch_moved(library: Library, ledger: Ledger) -> None:
    store = propose(library, ledger)
    (waiting,) = store.pending()
    git(library.path, "branch", "-f", "macla/refine/fetch-v2", "main")
    for decide in (
        lambda: store.accept(library, ledger, waiting, ""),
        lambda: store.reject(library, ledger, waiting, "no", ""),
        lambda: rebase_in(store, library, waiting),
    ):
        with pytest.raises(MaclaError, match=r"moved|waits on no branch"):
            decide()
    assert Library.open(library.path).procedures["fetch"].version == 1


def test_the_target_was_deleted(library: Library, ledger: Ledger) -> None:
    top = library.path.parent
    store = propose(library, ledger)
    git(top, "rm", "-q", "lib/procedures/fetch.yaml", "lib/meta/tidy.yaml")
    git(top, "commit", "-q", "-m", "Away")
    library.refresh()
    (waiting,) = store.pending()
    with pytest.raises(ConflictError, match="no longer"):
        store.accept(library, ledger, waiting, "")
    assert git(top, "status", "--porcelain") == ""


def test_broken_yaml_in_the_tree_and_on_branches(library: Library, ledger: Ledger) -> None:
    top = library.path.parent
    store = propose(library, ledger)
    git(top, "checkout", "-q", "macla/refine/fetch-v2")
    (library.path / "procedures" / "fetch.yaml").write_text("kind: [")
    git(top, "commit", "-q", "-am", "Oops")
    git(top, "checkout", "-q", "main")
    assert store.pending() == []
    assert "refs/heads/macla/refine/fetch-v2" in store.faults[0]
    git(top, "branch", "macla/odd/branch")
    git(top, "commit", "-q", "--allow-empty", "-m", "x")
    assert store.pending() == []
    (library.path / "procedures" / "lodge.yaml").write_text("kind: [")
    with pytest.raises(MaclaError, match=r"lodge\.yaml"):
        store.accept(library, ledger, refinement(library), "")


def test_a_file_on_a_branch_is_named_with_its_line(library: Library, ledger: Ledger) -> None:
    top = library.path.parent
    store = propose(library, ledger)
    git(top, "checkout", "-q", "macla/refine/fetch-v2")
    file = library.path / "procedures" / "fetch.yaml"
    file.write_text(file.read_text().replace("source: search", "source: serach"))
    git(top, "commit", "-q", "-am", "Oops")
    git(top, "checkout", "-q", "main")
    assert store.pending() == []
    (fault,) = store.faults
    place = "refs/heads/macla/refine/fetch-v2:lib/procedures/fetch.yaml:7 at parameters.x.source"
    assert fault == f"{place}: unknown source 'serach'; did you mean 'search'?"


def test_another_git_at_work(
    library: Library, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("macla.adapters.git.staging._WAIT", 0.05)
    store = propose(library, ledger)
    lock = library.path.parent / ".git" / "index.lock"
    lock.touch()
    with pytest.raises(LockError, match="another git is at work"):
        store.accept(library, ledger, store.pending()[0], "")
    assert lock.exists(), "it is not ours"
    lock.unlink()
    store.accept(library, ledger, store.pending()[0], "")
    assert not lock.exists()


def test_no_repository_is_files(tmp_path: Path) -> None:
    library = make_library(tmp_path / "lib")
    assert isinstance(open_store(library.path), FileStore)


def test_an_ignored_library_is_files(library: Library) -> None:
    top = library.path.parent
    (top / ".gitignore").write_text("scratch/\n")
    other = make_library(top / "scratch" / "lib")
    assert isinstance(open_store(other.path), FileStore)


def test_accepting_takes_six_processes(
    library: Library, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(library.path)
    store.put(library, refinement(library))
    (waiting,) = store.pending()
    attempt, calls = Git.attempt, []

    def counted(self: Git, *arguments: str, **more: Any) -> tuple[int, bytes, bytes]:
        calls.append(arguments[0])
        return attempt(self, *arguments, **more)

    monkeypatch.setattr(Git, "attempt", counted)
    store.accept(library, ledger, waiting, "")
    assert len(calls) <= 6, calls


def test_names_of_objects_may_be_longer(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "--object-format=sha256")
    library = make_repository(tmp_path)
    with open_ledger(library) as ledger:
        store = open_store(library.path)
        store.put(library, refinement(library))
        (waiting,) = store.pending()
        store.accept(library, ledger, waiting, "")
    assert git(tmp_path, "log", "-1", "--format=%s") == "Refine fetch to version 2"
    assert git(tmp_path, "status", "--porcelain") == ""


def test_a_bare_repository_is_no_work_tree(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "bare.git")
    for folder in (tmp_path / "bare.git", tmp_path / "bare.git" / "lib"):
        with pytest.raises(GitError, match=r"bare\.git is a bare repository"):
            Repository.around(folder)


def test_no_commit_yet_and_not_added(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    library = make_library(tmp_path / "lib")
    with pytest.raises(GitError, match="is not committed"):
        open_store(library.path)
    git(tmp_path, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--allow-empty",
        "-m", "x")  # fmt: skip
    with pytest.raises(GitError, match="run: git add"):
        open_store(library.path)
    assert start_library(library.path)
    assert git(tmp_path, "show", "--name-only", "--format=%s").splitlines() == [
        "Start the library lib", "", "lib/library.yaml", "lib/meta/tidy.yaml", "lib/ontology.yaml",
        "lib/procedures/fetch.yaml", "lib/procedures/lodge.yaml",
    ]  # fmt: skip
    assert isinstance(open_store(library.path), GitStore)


def test_no_identity_is_macla(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = make_repository(tmp_path / "repo")
    git(library.path, "config", "--unset", "user.name")
    git(library.path, "config", "--unset", "user.email")
    git(library.path, "config", "user.useConfigOnly", "true")
    with open_ledger(library) as ledger:
        store = propose(library, ledger)
        store.accept(library, ledger, store.pending()[0], "")
    assert git(library.path, "log", "-1", "--format=%cn") == "macla"


def test_git_is_absent(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(GitError, match="git is not installed"):
        open_store(library.path)


def test_a_git_file_that_leads_nowhere(tmp_path: Path) -> None:
    library = make_library(tmp_path / "lib")
    (tmp_path / ".git").write_text("gitdir: /nonexistent\n")
    with pytest.raises(GitError, match="does not open"):
        open_store(library.path)


@pytest.mark.parametrize("linked", [False, True], ids=["repository", "linked work tree"])
@pytest.mark.parametrize("kind", ["file", "link"])
def test_a_git_file_that_leads_to_another_work_tree(
    library: Library, tmp_path: Path, kind: str, linked: bool
) -> None:
    top = library.path.parent
    git(top, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    led = top / ".git" / "worktrees" / "side" if linked else top / ".git"
    before = git(top, "rev-parse", "--all")
    mine = make_library(tmp_path / "mine" / "lib")
    if kind == "file":
        (tmp_path / "mine" / ".git").write_text(f"gitdir: {led}\n")
    else:
        (tmp_path / "mine" / ".git").symlink_to(led)
    with pytest.raises(GitError, match="another work tree"):
        open_store(mine.path)
    assert git(top, "rev-parse", "--all") == before


def test_a_repository_that_was_put_elsewhere(tmp_path: Path) -> None:
    library = make_repository(tmp_path / "work")
    git(tmp_path / "work", "init", "-q", "--separate-git-dir", str(tmp_path / "kept"))
    assert (tmp_path / "work" / ".git").is_file()
    with open_ledger(library) as ledger:
        store = propose(library, ledger)
        store.accept(library, ledger, store.pending()[0], "")
    assert git(library.path, "status", "--porcelain") == ""


@pytest.mark.parametrize("folder", ["a b", "ü", "-x", "$(touch pwned)", "q\"uo'te", ":(top)", "*"])
def test_odd_names(tmp_path: Path, folder: str) -> None:
    library = make_repository(tmp_path / "repo", inside=folder)
    with open_ledger(library) as ledger:
        store = propose(library, ledger)
        assert store.faults == []
        store.accept(library, ledger, store.pending()[0], "")
    assert git(library.path, "status", "--porcelain") == ""
    assert not list(tmp_path.rglob("pwned"))


def test_the_library_is_the_top(tmp_path: Path) -> None:
    library = make_repository(tmp_path / "repo", inside=".")
    with open_ledger(library) as ledger:
        store = propose(library, ledger)
        store.accept(library, ledger, store.pending()[0], "")
    assert git(library.path, "status", "--porcelain") == ""


def test_a_linked_work_tree(library: Library, tmp_path: Path) -> None:
    git(library.path, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Library.open(tmp_path / "side" / "lib")
    with open_ledger(side) as ledger:
        store = propose(side, ledger)
        store.accept(side, ledger, store.pending()[0], "")
    assert git(tmp_path / "side", "status", "--porcelain") == ""
    assert Library.open(library.path).procedures["fetch"].version == 1


def test_a_clone_sees_what_waits_at_its_origin(
    library: Library, ledger: Ledger, tmp_path: Path
) -> None:
    propose(library, ledger)
    git(tmp_path, "clone", "-q", str(library.path.parent), "clone")
    clone = Library.open(tmp_path / "clone" / "lib")
    store = store_of(clone)
    (waiting,) = store.pending()
    assert store.where(waiting).endswith("origin/macla/refine/fetch-v2")
    with open_ledger(clone) as other:
        store.accept(clone, other, waiting, "Ben")
    assert store.pending() == []


def test_nothing_of_a_hostile_repository_runs(library: Library, ledger: Ledger) -> None:
    top = library.path.parent
    pwned = top.parent / "pwned"
    evil = top / "evil.sh"
    evil.write_text(f"#!/bin/sh\necho \"$0 $@\" >> '{pwned}'\ncat\n")
    evil.chmod(0o755)
    hooks = top / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    names = ("pre-commit", "post-commit", "reference-transaction", "post-index-change",
             "prepare-commit-msg", "post-checkout", "fsmonitor-watchman")  # fmt: skip
    for name in names:
        shutil.copy(evil, hooks / name)
    for key in ("diff.external", "core.fsmonitor", "diff.macla.command", "merge.macla.driver",
                "diff.macla.textconv", "filter.macla.clean", "filter.macla.smudge",
                "core.pager", "gpg.program", "core.editor", "core.sshCommand"):  # fmt: skip
        git(top, "config", key, str(evil))
    for key in ("commit.gpgSign", "log.showSignature"):
        git(top, "config", key, "true")
    git(top, "config", "core.hooksPath", str(hooks))
    (top / ".gitattributes").write_text("* filter=macla diff=macla merge=macla\n")
    store = propose(library, ledger)
    (waiting,) = store.pending()
    rebase_in(store, library, waiting)
    # Files as young as the index: git reads them, through filters, when it writes an index.
    os.utime(top / ".git" / "index", (1, 1))
    store.accept(library, ledger, store.pending()[0], "")
    revisions_of(library, "fetch")
    store.settle(library, ledger)
    assert not pwned.exists(), pwned.read_text()


# -- history -----------------------------------------------------------------------------


def test_log_and_revert(library: Library, ledger: Ledger) -> None:
    top = library.path.parent
    store = propose(library, ledger)
    store.accept(library, ledger, store.pending()[0], "")
    library.refresh()
    file = library.path / "procedures" / "fetch.yaml"
    text = file.read_text().replace("- zib\n", "- zib\n      - trell\n")
    file.write_text(f"# Ada\n{text}")
    git(top, "commit", "-q", "-am", "More kinds")
    found = revisions_of(Library.open(library.path), "fetch")
    assert [(r.version, r.reason) for r in found] == [
        (1, "A library"),
        (2, "It failed where the place was shut."),
        (2, "More kinds"),
    ]
    assert found[1].author.startswith("macla")
    assert found[1].by.startswith("Ada")
    assert found[1].proposal == store.decided()[0].id
    library.refresh()
    back = reverting(library, found, "fetch", 1, "Too slow.")
    store.accept(library, ledger, back, "")
    assert library.procedures["fetch"].version == 3
    assert len(library.procedures["fetch"].steps) == 2
    assert file.read_text().startswith("# Ada\n")
    after = revisions_of(library, "fetch")
    assert [r.version for r in after] == [1, 2, 2, 3]
    assert after[-1].reason == "Too slow."
    with pytest.raises(MaclaError, match="no version 7; there are 1, 2, 3"):
        reverting(library, after, "fetch", 7, "")
    with pytest.raises(MaclaError, match="is what the library has"):
        reverting(library, after, "fetch", 3, "")


def test_history_passes_over_what_was_broken(library: Library) -> None:
    top = library.path.parent
    file = library.path / "procedures" / "fetch.yaml"
    good = file.read_text()
    file.write_text("kind: [")
    git(top, "commit", "-q", "-am", "Broken")
    file.write_text(good.replace("zib", "zib, trell"))
    git(top, "commit", "-q", "-am", "Mended")
    file.write_text(file.read_text() + "# open\n")
    found = revisions_of(Library.open(library.path), "fetch")
    assert [r.reason for r in found] == ["A library", "Mended"]
    file.write_text(good.replace("zib", "zib, pliv"))
    found = revisions_of(Library.open(library.path), "fetch")
    assert found[-1].reason == "in the work tree, not committed"


def test_history_outside_git(tmp_path: Path) -> None:
    library = make_library(tmp_path / "lib")
    store = FileStore(library.path)
    with open_ledger(library) as ledger:
        submit(library, ledger, refinement(library), "review", store)
        store.accept(library, ledger, store.pending()[0], "Ada")
        found = revisions_of(library, "fetch")
        assert [r.version for r in found] == [1, 2]
        assert found[1].by == "Ada"
        back = reverting(library, found, "fetch", 1, "")
        store.accept(library, ledger, back, "Ada")
    assert library.procedures["fetch"].version == 3
    assert len(library.procedures["fetch"].steps) == len(FETCH["steps"])
    with pytest.raises(MaclaError, match="did you mean 'fetch'"):
        revisions_of(library, "fetsh")


def test_two_who_accept_at_the_same_moment(library: Library, ledger: Ledger) -> None:
    store, other = propose(library, ledger), store_of(library)
    (mine,), (theirs,) = store.pending(), other.pending()
    store.accept(library, ledger, mine, "")
    count = git(library.path.parent, "rev-list", "--count", "HEAD")
    with pytest.raises(ProposalError, match="was accepted meanwhile by Ada"):
        other.accept(Library.open(library.path), ledger, theirs, "")
    with pytest.raises(ProposalError, match="was accepted meanwhile"):
        other.reject(library, ledger, theirs, "no", "")
    assert git(library.path.parent, "rev-list", "--count", "HEAD") == count
    assert git(library.path.parent, "status", "--porcelain") == ""


@pytest.mark.parametrize("written", [False, True])
def test_who_looks_while_another_accepts_finishes_nothing(
    library: Library, ledger: Ledger, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    top, store, note = library.path.parent, propose(library, ledger), library.path / ".macla"
    count = int(git(top, "rev-list", "--count", "HEAD"))
    found = []

    def slow(*arguments: Any) -> Proposal:
        monkeypatch.setattr(proposal_branches, "accept", accept)
        done = accept(*arguments) if written else None
        looking.append(others.submit(look))
        found.extend(wait(looking, timeout=1).done)
        assert (note / "deciding.json").exists()
        return done or accept(*arguments)

    def look() -> list[Proposal]:
        theirs = Library.open(library.path)
        with open_ledger(theirs) as evidence:
            return store_of(theirs).settle(theirs, evidence)

    looking: list[Future[list[Proposal]]] = []
    monkeypatch.setattr(proposal_branches, "accept", slow)
    with ThreadPoolExecutor(1) as others:
        store.accept(library, ledger, store.pending()[0], "")
        assert looking[0].result() == []
    assert found == []
    assert int(git(top, "rev-list", "--count", "HEAD")) == count + 1
    assert git(top, "status", "--porcelain") == ""
    assert not (note / "deciding.json").exists()


@pytest.mark.parametrize("moment", ["before", "written", "committed"])
def test_a_killed_rejecting_is_finished_by_whoever_looks_next(
    library: Library, ledger: Ledger, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    top, store = library.path.parent, propose(library, ledger)
    commit_here = proposal_branches.commit_here

    class Killed(BaseException):
        """Nothing on the way out sees it as an error."""

    def killed(*arguments: Any) -> None:
        if moment == "committed":  # and the index is not written yet
            commit_here(*arguments)
        raise Killed

    (waiting,) = store.pending()
    with monkeypatch.context() as patched:
        patched.setattr(
            proposal_branches, "generated" if moment == "before" else "commit_here", killed
        )
        with pytest.raises(Killed):
            store.reject(library, ledger, waiting, "Too rare.", "")
    after = store_of(library)
    after.settle(library, ledger)
    assert after.pending() == []
    assert [each.why for each in after.decided()] == ["Too rare."]
    assert "Too rare." in git(top, "log", "-1", "--format=%B")
    assert git(top, "branch", "--format=%(refname:short)") == "main"
    assert git(top, "status", "--porcelain") == ""


def test_a_decision_that_came_along_uncommitted_is_not_committed(
    library: Library, ledger: Ledger
) -> None:
    top, store = library.path.parent, propose(library, ledger)
    store.reject(library, ledger, store.pending()[0], "Too rare.", "")
    git(top, "reset", "-q", "--soft", "HEAD~1")  # as an archive may bring it
    head, status = git(top, "rev-parse", "HEAD"), git(top, "status", "--porcelain")
    store_of(library).settle(library, ledger)
    assert (git(top, "rev-parse", "HEAD"), git(top, "status", "--porcelain")) == (head, status)


def test_a_note_that_goes_while_it_is_looked_for(
    library: Library, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proposal_branches, "is_noted", lambda _: True)
    assert store_of(library).finish(library, ledger) is None


def test_two_who_accept_outside_git(tmp_path: Path) -> None:
    library = make_library(tmp_path / "lib")
    with open_ledger(library) as ledger:
        store = FileStore(library.path)
        submit(library, ledger, refinement(library), "review", store)
        (waiting,) = store.pending()
        store.accept(library, ledger, waiting, "Ada")
        with pytest.raises(ProposalError, match="was accepted meanwhile by Ada"):
            store.accept(library, ledger, waiting, "Ben")


@pytest.mark.parametrize("at", ["held", "open", "write", "write_bytes", "link"])
def test_a_lock_that_a_killed_macla_left(library: Library, ledger: Ledger, at: str) -> None:
    """Killed while it is held, or at a step of making it."""
    store = propose(library, ledger)
    folder = library.path.parent / ".git"
    killed = (
        "import os, sys; from pathlib import Path\n"
        "def dies(path, *args, **more):\n"
        "    if 'index.lock' in str(path) or isinstance(path, int): os._exit(9)\n"
        "    return real(path, *args, **more)\n"
        f"at, place = {at!r}, Path if {at!r} == 'write_bytes' else os\n"
        "from macla.adapters.git.repository import Repository\n"
        "from macla.adapters.git.staging import index_locked\n"
        "repository = Repository.around(Path(sys.argv[1]))\n"
        "if at != 'held': real = getattr(place, at); setattr(place, at, dies)\n"
        "with index_locked(repository): os._exit(9)\n"
    )
    done = forking.run([sys.executable, "-c", killed, library.path])
    assert done.returncode == 9
    assert (folder / "index.lock").exists() == (at not in ("write_bytes", "link"))
    store.accept(library, ledger, store.pending()[0], "")
    assert not (folder / "index.lock").exists()
    assert git(library.path.parent, "status", "--porcelain") == ""


@pytest.mark.parametrize("note", [b"", b'{"proposal": {', b"[]", b'{"proposal": {"id": "x"}}'])
def test_a_damaged_note_of_what_was_being_accepted(
    library: Library, ledger: Ledger, note: bytes
) -> None:
    file = library.path / ".macla" / "deciding.json"
    file.write_bytes(note)
    with pytest.raises(LibraryError, match=r"deciding\.json: the note .* is damaged"):
        store_of(library).finish(library, ledger)
    assert file.read_bytes() == note


def test_the_status_that_was_accepted_is_told(library: Library, ledger: Ledger) -> None:
    document = library.procedures["fetch"].to_document()
    change = make_proposal(
        "status",
        "It works.",
        target="fetch",
        old=[document],
        new=[{**document, "status": "trusted"}],
    )
    store = store_of(library)
    submit(library, ledger, change, "review", store)
    done = store.accept(library, ledger, store.pending()[0], "")
    title = "Change the status of fetch to trusted"
    assert done.title == title
    assert git(library.path.parent, "log", "-1", "--format=%s") == title
    (decided,) = store.decided()
    assert decided.title == title
    assert validate_library(library.path) == []
