"""``macla diff`` on files, folders, versions and git revisions, and as git's own diff."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import forking
import pytest
from click.testing import Result
from command_line import run
from macla.adapters.git.revisions import RevisionReader
from macla.procedures.common.errors import LibraryError
from macla.procedures.documents.yaml_io import MAX_BYTES
from macla.procedures.library.library import Library
from macla.procedures.model.procedure import Procedure
from review_samples import fetch

MACLA = [sys.executable, "-c", "import sys; from macla.cli.main import main; sys.exit(main())"]


def as_json(*arguments: object) -> Any:
    done = run("diff", *arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def make(folder: Path, **changes: Any) -> Path:
    Library.create(folder, domain="test", embedding="static").write_procedure(
        Procedure.from_document(fetch(**changes))
    )
    return folder


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    old = make(tmp_path / "old")
    return old, make(tmp_path / "new", version=2, goal="get {x} from {y}")


def test_two_libraries(pair: tuple[Path, Path]) -> None:
    old, new = pair
    document = as_json(old, new)
    assert (document["from"], document["to"], document["same"]) == (str(old), str(new), 2)
    (found,) = document["documents"]
    assert (found["id"], found["old_version"], found["new_version"]) == ("fetch", 1, 2)
    text = run("diff", old, new).stdout
    assert text.splitlines() == [
        "procedure fetch: version 1 → 2",
        "  goal",
        "    ~ fetch {x} from {y} → get {x} from {y}",
    ]


def test_exit_codes(pair: tuple[Path, Path]) -> None:
    old, new = pair
    assert run("diff", old, new).exit_code == 0
    assert run("diff", old, new, "--exit-code").exit_code == 1
    assert run("diff", old, old, "--exit-code").exit_code == 0
    assert run("diff").exit_code == 2
    assert run("diff", old, new, old).exit_code == 2


def test_two_files_under_any_name(pair: tuple[Path, Path], tmp_path: Path) -> None:
    copy = tmp_path / "copy of it.txt"
    shutil.copy(pair[0] / "procedures" / "fetch.yaml", copy)
    document = as_json(copy, pair[1] / "procedures" / "fetch.yaml")
    assert [c["section"] for c in document["documents"][0]["changes"]] == ["version", "goal"]


def test_what_cannot_be_compared(pair: tuple[Path, Path], tmp_path: Path) -> None:
    old, _ = pair
    broken = tmp_path / "broken.yaml"
    broken.write_text("kind: procedure\nid: [\n")
    binary = tmp_path / "picture.png"
    binary.write_bytes(b"\x89PNG\x00\xff")
    procedure = old / "procedures" / "fetch.yaml"
    for first, second, expected in (
        (old, procedure, "is a library"),
        (procedure, old / "ontology.yaml", "cannot be compared"),
        (broken, procedure, "broken.yaml:3"),
        (binary, procedure, "picture.png"),
        (tmp_path, old, "library.yaml"),
        ("no\x00thing", old, "no"),
        ("-x", old, "-x"),
        (tmp_path / "none", old, "none"),
        ("fetch@9", old, "no accepted proposal made version 9"),
        ("nobody@1", old, "nobody"),
    ):
        done = run("diff", "--library", old, "--", first, second)
        assert done.exit_code == 2, (first, second, done.output)
        assert expected in done.output
        assert "Traceback" not in done.output


def test_the_version_on_disk_needs_no_git(pair: tuple[Path, Path]) -> None:
    old, new = pair
    document = as_json("fetch@1", new / "procedures" / "fetch.yaml", "--library", old)
    assert document["documents"][0]["new_version"] == 2


# Git.


def git(folder: Path, *arguments: str, **environment: str) -> str:
    names = ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL")
    done = subprocess.run(
        ["git", "-c", "commit.gpgsign=false", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            **dict.fromkeys(names, "a@b.example"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            **environment,
        },
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A library two folders deep, in two commits, with a branch and a tag."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    top = tmp_path / "repo with space"
    library = make(top / "deep" / "lib ü")
    git(top, "init", "-q", "-b", "main")
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "one")
    git(top, "tag", "first")
    Library.open(library).write_procedure(
        Procedure.from_document(fetch(version=2, goal="get {x} from {y}"))
    )
    git(top, "commit", "-q", "-a", "-m", "two")
    return library


def goals(document: Any) -> list[tuple[str, str]]:
    return [
        (change["before"]["text"], change["after"]["text"])
        for found in document["documents"]
        for change in found["changes"]
        if change["section"] == "goal"
    ]


CHANGE = [("fetch {x} from {y}", "get {x} from {y}")]


def test_revisions(repository: Path) -> None:
    assert goals(as_json("first", "main", "--library", repository)) == CHANGE
    assert goals(as_json("HEAD~1", repository)) == CHANGE
    assert goals(as_json("HEAD~1", "--library", repository)) == CHANGE
    assert as_json("HEAD", "--library", repository)["documents"] == []


def test_paths_at_revisions(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "deep/lib ü/procedures/fetch.yaml"
    assert goals(as_json(f"HEAD~1:{name}", f"HEAD:{name}", "--library", repository)) == CHANGE
    assert (
        goals(as_json("HEAD~1:deep/lib ü", "HEAD:deep/lib ü/", "--library", repository)) == CHANGE
    )
    monkeypatch.chdir(repository)
    assert goals(as_json("HEAD~1:./procedures/fetch.yaml", "procedures/fetch.yaml")) == CHANGE


def test_versions_from_history(repository: Path) -> None:
    assert goals(as_json("fetch@1", "fetch@2", "--library", repository)) == CHANGE
    (repository / "procedures" / "fetch.yaml").unlink()
    assert goals(as_json("fetch@1", "fetch@2", "--library", repository)) == CHANGE


@pytest.mark.parametrize(
    "name",
    [
        "HEAD~7",
        "nothing",
        "--output=stolen",
        "HEAD:none.yaml",
        "HEAD:../../../etc/passwd",
        "HEAD:deep",
        "HEAD:/etc/passwd",
        ":",
        "first:",
        "a\nb",
        "@{-1}",
        "HEAD:deep/lib ü/procedures/fetch.yaml:x",
    ],
)
def test_revisions_that_are_none(repository: Path, name: str) -> None:
    done = run("diff", "--library", repository, "--", name, repository)
    assert done.exit_code == 2, done.output
    assert "Traceback" not in done.output
    assert not (repository / "stolen").exists()
    assert not Path("stolen").exists()


def test_a_bare_repository_a_detached_head_and_none_at_all(
    repository: Path, tmp_path: Path
) -> None:
    top = repository.parent.parent
    git(top, "checkout", "-q", "--detach", "first")
    assert as_json("HEAD", "--library", repository)["documents"] == []
    git(tmp_path, "clone", "-q", "--bare", str(top), "bare.git")
    alone = make(tmp_path / "alone")
    for place in (tmp_path / "bare.git", alone):
        done = run("diff", "--library", place, "HEAD", alone)
        assert done.exit_code == 2
        assert "Traceback" not in done.output


def test_without_git(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    done = run("diff", "HEAD", "--library", repository)
    assert done.exit_code == 2
    assert "Traceback" not in done.output
    assert as_json(repository, repository)["documents"] == []


def test_nothing_of_a_repository_is_executed(repository: Path, tmp_path: Path) -> None:
    """Hooks, text conversions, filters, external diffs, monitors: none of them runs."""
    trap = tmp_path / "sprung"
    command = f"touch '{trap}'; cat"
    top = repository.parent.parent
    for key in (
        "core.fsmonitor",
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.smudge",
        "filter.evil.clean",
        "diff.external",
        "core.pager",
        "pager.log",
        "core.sshCommand",
        "core.alternateRefsCommand",
    ):
        git(top, "config", key, command)
    git(top, "config", "core.hooksPath", str(tmp_path))
    for hook in ("post-checkout", "reference-transaction"):
        (tmp_path / hook).write_text(f"#!/bin/sh\n{command}\n")
        (tmp_path / hook).chmod(0o755)
    (top / ".git" / "info" / "attributes").write_text("* diff=evil filter=evil\n")
    assert goals(as_json("first", "main", "--library", repository)) == CHANGE
    assert goals(
        as_json("fetch@1", "HEAD:deep/lib ü/procedures/fetch.yaml", "--library", repository)
    )
    assert not trap.exists()


def test_links_and_large_files_of_a_tree(repository: Path) -> None:
    top = repository.parent.parent
    (repository / "procedures" / "link.yaml").symlink_to("/etc/passwd")
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "link")
    found = RevisionReader.around(repository)
    assert found is not None
    head = found.resolve("HEAD")
    assert head is not None
    assert not any("link" in name for name in found.files(head, [""]))
    (repository / "procedures" / "big.yaml").write_bytes(b"#" * (MAX_BYTES + 1))
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "big")
    head = found.resolve("HEAD")
    assert head is not None
    with pytest.raises(LibraryError, match="larger"):
        found.files(head, [""])


# Git's own diff.


@pytest.fixture
def driven(repository: Path) -> Path:
    top = repository.parent.parent
    (top / "driver").write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -c '
        '"import sys; from macla.cli.main import main; sys.exit(main())" diff --git-driver "$@"\n'
    )
    (top / "driver").chmod(0o755)
    git(top, "config", "diff.macla.command", f"'{top / 'driver'}'")
    (top / ".git" / "info" / "attributes").write_text("*.yaml diff=macla\n")
    return repository


def test_git_shows_the_words(driven: Path) -> None:
    top = driven.parent.parent
    shown = git(top, "diff", "--ext-diff", "first", "HEAD")
    assert "procedure fetch: version 1 → 2" in shown
    assert "~ fetch {x} from {y} → get {x} from {y}" in shown
    assert "@@" not in shown


def test_new_removed_renamed_and_broken_files(driven: Path) -> None:
    top = driven.parent.parent
    file = driven / "procedures" / "fetch.yaml"
    (driven / "procedures" / "other.yaml").write_text(
        file.read_text().replace("id: fetch", "id: other")
    )
    git(top, "add", "-A")
    assert "procedure other: added" in git(top, "diff", "--ext-diff", "--cached")
    git(top, "commit", "-q", "-m", "three")
    git(top, "mv", str(driven / "procedures" / "other.yaml"), str(driven / "procedures" / "b.yaml"))
    moved = git(top, "diff", "--ext-diff", "--cached", "-M")
    assert "renamed to" in moved
    (driven / "procedures" / "b.yaml").unlink()
    git(top, "add", "-A")
    assert "procedure other: removed" in git(top, "diff", "--ext-diff", "--cached")
    file.write_text(file.read_text() + "# only a comment\n")
    assert "comments or layout changed" in git(top, "diff", "--ext-diff")
    file.write_text("kind: procedure\nsteps: [\n\x1b[31m\n")
    shown = git(top, "diff", "--ext-diff")
    assert "a diff of lines" in shown
    assert "+steps: [" in shown
    assert "\x1b" not in shown


def drive(*arguments: str) -> Result:
    return run("diff", "--git-driver", "--", *arguments)


def test_the_driver_never_fails_for_what_files_hold(
    tmp_path: Path, pair: tuple[Path, Path]
) -> None:
    good = str(pair[0] / "procedures" / "fetch.yaml")
    odd = tmp_path / "odd.yaml"
    for content in (
        b"",
        b"\x00\x01",
        b"\xff\xfe\xfa",
        b"a: &a [*a]",
        b"#" * 2_000_000,
        b"[" * 5000,
    ):
        odd.write_bytes(content)
        for old, new in ((good, str(odd)), (str(odd), good), (str(odd), "/dev/null")):
            done = drive("name.yaml", old, "0" * 40, "100644", new, "1" * 40, "100644")
            assert done.exit_code == 0, (content[:20], done.output)
            assert done.stdout
    assert drive("unmerged.yaml").exit_code == 0
    assert drive("a", "b").exit_code == 2


def test_names_with_odd_characters(tmp_path: Path, pair: tuple[Path, Path]) -> None:
    good = str(pair[0] / "procedures" / "fetch.yaml")
    done = drive("a\x1b[2Jb\n.yaml", good, "0", "100644", good, "0", "100755")
    assert done.exit_code == 0
    assert "\x1b" not in done.stdout
    assert "mode 100644 → 100755" in done.stdout


def test_a_link_is_shown_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret content")
    (tmp_path / "link.yaml").symlink_to(secret)
    done = drive("l.yaml", "/dev/null", ".", ".", str(tmp_path / "link.yaml"), "0", "120000")
    assert done.exit_code == 0
    assert "secret content" not in done.stdout
    assert str(secret) in done.stdout


def test_colours_are_for_terminals_and_pagers(
    pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def shown() -> str:
        done = forking.run([*MACLA, "diff", *map(str, pair)], capture_output=True, text=True)
        return done.stdout

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" not in shown()
    monkeypatch.setenv("GIT_PAGER_IN_USE", "1")
    assert "\x1b[33m" in shown()
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in shown()
