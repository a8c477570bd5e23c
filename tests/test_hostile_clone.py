"""What a clone of a stranger brings along is not acted upon, and nothing leads out of a library."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import forking
import pytest
from command_line import run
from macla.procedures.common.errors import LibraryError
from macla.procedures.library.library import Library, validate_library
from macla.procedures.local.machine_folder import adopt, local_folder, require_own
from macla.procedures.model.procedure import Procedure, Step
from review_library import make_library

PLANTED = "kind: procedure\nid: {}\nversion: 1\ngoal: g\nsteps: [{{do: {}}}]\n"
LOCKED = "kind: procedure\nid: fetch\nversion: 1\nlocked: true\ngoal: g\nsteps: [{do: look}]\n"


def git(folder: Path, *arguments: str) -> str:
    name = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    done = subprocess.run(
        ["git", *name, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


def plant(local: Path, name: str, text: str) -> None:
    (local / "commit" / "procedures").mkdir(parents=True, exist_ok=True)
    (local / "commit" / "procedures" / name).write_text(text)
    (local / "commit" / "deletions.json").write_text('["procedures/kept.yaml"]')
    (local / "lock").touch()
    (local / "staging-x").mkdir(exist_ok=True)
    (local / "staging-x" / "a").touch()


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    """A repository with a library as its author made it, without machine-local files."""
    top = tmp_path / "upstream"
    library = Library.create(top / "lib", domain="d", embedding="static")
    library.write_procedure(Procedure("kept", 1, "g", (Step(do="look"),)))
    (library.path / "procedures" / "fetch.yaml").write_text(LOCKED)
    shutil.rmtree(library.path / ".macla")
    git(top, "init", "-q", "-b", "main")
    git(top, "add", ".")
    git(top, "commit", "-qm", "a library")
    return top


def hostile(upstream: Path) -> None:
    """Let the author commit half a change."""
    plant(upstream / "lib" / ".macla", "fetch.yaml", PLANTED.format("fetch", "steal"))
    git(upstream, "add", "-f", ".")
    git(upstream, "commit", "-qm", "more")


def everything(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else b""
        for path in sorted(root.rglob("*"))
        if ".git" not in path.parts
    }


READING = [
    *(("list",), ("show", "fetch"), ("check", "--files"), ("check",)),
    *(("proposals", "list"), ("evidence", "export")),
]


@pytest.mark.parametrize("arguments", READING)
def test_half_a_change_in_a_clone_is_not_finished(
    upstream: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    hostile(upstream)
    git(tmp_path, "clone", "-q", "upstream", "clone")
    library = tmp_path / "clone" / "lib"
    before = everything(library)
    verb, *rest = arguments
    words = {
        "show": ["show", library, *rest],
        "proposals": ["proposals", "list", library],
        "evidence": ["evidence", "export", "--library", library, tmp_path / "out.jsonl"],
    }.get(verb, [verb, library])
    done = run(*words)
    assert done.exit_code, done.stdout
    said = done.stdout + done.stderr
    assert "is tracked by git" in said
    assert everything(library) == before
    with pytest.raises(LibraryError, match="git rm"):
        adopt(library)
    # The way that the message names leads on.
    git(library, "rm", "-rq", "--cached", ".macla")
    shutil.rmtree(library / ".macla")
    opened = Library.open(library)
    assert list(opened.procedures) == ["fetch", "kept"]
    assert opened.procedures["fetch"].steps[0].do == "look"


def test_half_a_change_that_a_pull_brings_is_not_finished(upstream: Path, tmp_path: Path) -> None:
    """The machine-local folder is our own; what is pulled into it is not."""
    git(tmp_path, "clone", "-q", "upstream", "clone")
    library = Library.open(tmp_path / "clone" / "lib")
    library.write_procedure(Procedure("own", 1, "g", (Step(do="look"),)))
    assert require_own(library.path)
    hostile(upstream)
    git(tmp_path / "clone", "pull", "-q")
    before = everything(library.path)
    for act in (library.refresh, lambda: Library.open(library.path)):
        with pytest.raises(LibraryError, match="tracked by git"):
            act()
    with pytest.raises(LibraryError, match="tracked by git"):
        library.write_procedure(Procedure("more", 1, "g", (Step(do="look"),)))
    assert everything(library.path) == before


def test_a_work_tree_beside_the_first_is_looked_at_too(upstream: Path, tmp_path: Path) -> None:
    git(upstream, "worktree", "add", "-q", str(tmp_path / "beside"), "-b", "other")
    library = tmp_path / "beside" / "lib"
    local_folder(library)
    plant(library / ".macla", "new.yaml", PLANTED.format("new", "look"))
    git(library, "add", "-f", ".macla")
    with pytest.raises(LibraryError, match="tracked by git"):
        Library.open(library)


def test_half_a_change_in_an_archive_is_not_finished(upstream: Path) -> None:
    library = upstream / "lib"
    plant(library / ".macla", "fetch.yaml", PLANTED.format("fetch", "steal"))
    shutil.rmtree(upstream / ".git")
    before = everything(library)
    with pytest.raises(LibraryError, match="not made by this machine for this library"):
        Library.open(library)
    assert [found.file for found in validate_library(library)] == [library / ".macla"]
    assert everything(library) == before
    with pytest.raises(LibraryError, match="half a change"):
        adopt(library)


def test_what_was_made_for_another_library_is_not_believed(upstream: Path, tmp_path: Path) -> None:
    mine = Library.create(tmp_path / "mine", domain="d", embedding="static").path
    shutil.copytree(mine / ".macla", upstream / "lib" / ".macla")
    with pytest.raises(LibraryError, match="not made by this machine for this library"):
        Library.open(upstream / "lib")
    (upstream / "lib" / ".macla" / "machine").unlink()
    (upstream / "lib" / ".macla" / "machine").symlink_to(mine / ".macla" / "machine")
    with pytest.raises(LibraryError, match="not made by this machine for this library"):
        Library.open(upstream / "lib")


def test_half_a_change_is_not_moved_through_a_linked_folder(tmp_path: Path) -> None:
    """Links are looked at before anything is recovered, even in what this machine made."""
    library = Library.create(tmp_path / "lib", domain="d", embedding="static").path
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "fetch.yaml").write_text("precious")
    (elsewhere / ".x.0123456789ab.tmp").write_text("precious")
    shutil.rmtree(library / "procedures")
    (library / "procedures").symlink_to(elsewhere)
    plant(library / ".macla", "fetch.yaml", PLANTED.format("fetch", "steal"))
    before = everything(elsewhere)
    with pytest.raises(LibraryError, match="is a link"):
        Library.open(library)
    assert validate_library(library)
    assert everything(elsewhere) == before
    assert (library / ".macla" / "commit").is_dir()


def test_a_folder_of_the_author_is_not_taken_for_one_half_made(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "lib", domain="d", embedding="static")
    own, left = (library.path / f".macla-{digit * 12}.tmp" for digit in "0a")
    own.mkdir()
    (own / "notes.txt").write_text("precious")
    left.mkdir()
    (left / ".gitignore").write_text("*")
    library.write_procedure(Procedure("own", 1, "g", (Step(do="look"),)))
    assert (own / "notes.txt").read_text() == "precious"
    assert not left.exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have names on POSIX only")
def test_a_pipe_where_a_change_is_counted_is_not_waited_for(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "lib", domain="d", embedding="static")
    count = library.path / ".macla" / "generation"
    count.unlink(missing_ok=True)
    os.mkfifo(count)
    assert run("list", library.path).exit_code == 0


@pytest.mark.parametrize("name", ["procedures", "meta", "programs", "proposals"])
def test_links_inside_are_refused_as_well(tmp_path: Path, name: str) -> None:
    library = Library.create(tmp_path / "lib", domain="d", embedding="static")
    (library.path / ".git" / "hooks").mkdir(parents=True)
    (library.path / name).rmdir()
    (library.path / name).symlink_to(library.path / ".git" / "hooks")
    with pytest.raises(LibraryError, match="is a link"):
        library.write_procedure(Procedure("own", 1, "g", (Step(do="look"),)))
    assert not list((library.path / ".git" / "hooks").iterdir())


@pytest.mark.parametrize("name", ["library.lock", ".gitattributes"])
@pytest.mark.parametrize("command", ["list", "migrate", "check"])
def test_a_linked_lock_file_is_refused(command: str, name: str, tmp_path: Path) -> None:
    """Nor is a linked file of attributes added to, which would bring what it leads to along."""
    library = Library.create(tmp_path / "lib", domain="d", embedding="static")
    (tmp_path / "secret").write_text("[]")
    (library.path / name).unlink(missing_ok=True)
    (library.path / name).symlink_to(tmp_path / "secret")
    result = run(command, library.path)
    assert result.exit_code != 0
    told = result.stdout + result.stderr
    assert name in told
    assert "is a link" in told
    assert (tmp_path / "secret").read_text() == "[]"
    with pytest.raises(LibraryError, match="is a link"):
        Library.open(library.path)


@pytest.mark.parametrize("command", ["list", "check", "check --proof", "migrate"])
@pytest.mark.parametrize(
    "name",
    [
        *("library.lock", "library.yaml", "ontology.yaml", "meta/p.yaml", "procedures/p.yaml"),
        *("programs/p.yaml", "proposals/p.yaml", ".macla/machine", ".gitattributes"),
    ],
)
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(
    command: str, name: str, tmp_path: Path
) -> None:
    library = Library.create(tmp_path / "lib", domain="d", embedding="static")
    file = library.path / name
    for put in (os.mkfifo, lambda own: own.symlink_to(own)):  # a pipe, a link to itself
        file.unlink(missing_ok=True)
        put(file)
        ended = run(*command.split(), library.path)  # where it waits, the test does not end
        assert ended.exit_code in (0, 1, 2)
        assert "fault in macla" not in ended.output


def test_a_bad_document_stops_the_list_of_no_other(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "lib", domain="d", embedding="static")
    for name in ("one", "two"):
        library.write_procedure(Procedure(name, 1, "g", (Step(do="look"),)))
    (library.path / "procedures" / "two.yaml").write_text("kind: procedure\nid: [")
    for options in ((), ("--json",)):
        result = run("list", library.path, *options)
        assert result.exit_code == 1
        *_, listed = result.stdout.rpartition('"items"')
        assert "one" in listed
        assert "two" not in listed
        assert "left out:" in result.stderr
        assert "two.yaml" in result.stderr


def test_a_linked_local_folder_is_left_alone(upstream: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    plant(elsewhere, "fetch.yaml", PLANTED.format("fetch", "steal"))
    (upstream / "lib" / ".macla").symlink_to(elsewhere)
    before = everything(elsewhere)
    with pytest.raises(LibraryError, match="is a link"):
        Library.open(upstream / "lib")
    with pytest.raises(LibraryError, match="is a link"):
        adopt(upstream / "lib")
    assert everything(elsewhere) == before


def test_our_own_is_believed_after_moving_and_mounting_anew(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "lib", domain="d", embedding="static").path
    moved = library.rename(tmp_path / "moved")
    assert require_own(moved)
    copy = shutil.copytree(moved / ".macla", tmp_path / "copy")  # another number, the same place
    shutil.rmtree(moved / ".macla")
    copy.rename(library.parent / "kept")
    moved.rename(library)
    (library.parent / "kept").rename(library / ".macla")
    assert require_own(library)


def test_a_copy_is_adopted_by_a_person(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "lib", domain="d", embedding="static").path
    copy = shutil.copytree(library, tmp_path / "copy")
    done = run("list", copy)
    assert done.exit_code == 2
    assert f"macla migrate {copy} --adopt" in done.stderr
    assert run("migrate", copy, "--adopt").exit_code == 0
    assert run("list", copy).exit_code == 0
    assert "already" in run("migrate", copy, "--adopt").stdout
    assert run("migrate", tmp_path, "--adopt").exit_code == 2


@pytest.mark.parametrize("command", [("check",), ("check", "--files")])
@pytest.mark.parametrize("damage", ["broken", "gone"])
def test_of_a_copy_that_is_not_believed_all_damage_is_told(
    damage: str, command: tuple[str, ...], tmp_path: Path
) -> None:
    library = make_library(tmp_path / "lib").path
    copy = shutil.copytree(library, tmp_path / "copy")
    file = copy / "procedures" / "lodge.yaml"
    if damage == "broken":
        file.write_text("kind: [")
    else:
        file.unlink()
    done = run(*command, copy)
    assert done.exit_code == 1
    assert f"macla migrate {copy} --adopt" in done.stdout
    assert ("lodge.yaml:2" if damage == "broken" else "no procedure 'lodge'") in done.stdout
    assert "2 errors" in done.stderr


@pytest.mark.parametrize("half", ["commit", "deciding.json"])
def test_a_copy_with_half_a_change_is_not_adopted(half: str, tmp_path: Path) -> None:
    library = Library.create(tmp_path / "lib", domain="d", embedding="static").path
    copy = shutil.copytree(library, tmp_path / "copy")
    plant(copy / ".macla", "fetch.yaml", PLANTED.format("fetch", "steal"))
    if half != "commit":
        shutil.rmtree(copy / ".macla" / "commit")
        (copy / ".macla" / half).write_text("{}")
    before = everything(copy)
    done = run("migrate", copy, "--adopt")
    assert done.exit_code == 2
    assert "is half a change from elsewhere" in done.stderr
    assert everything(copy) == before


@pytest.mark.parametrize("name", ["notes.jsonl", "tool-episodes.jsonl", "undo"])
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_copy_with_links_inside_is_not_adopted(kind: str, name: str, tmp_path: Path) -> None:
    """What a learner adds to a file of it would be added to whatever the link leads to."""
    library = Library.create(tmp_path / "lib", domain="d", embedding="static").path
    copy = shutil.copytree(library, tmp_path / "copy")
    (tmp_path / "mine").write_text("mine")
    if kind == "link":
        (copy / ".macla" / name).symlink_to(tmp_path / "mine")
    elif hasattr(os, "mkfifo"):
        os.mkfifo(copy / ".macla" / name)
    else:
        pytest.skip("no pipes there")
    done = run("migrate", copy, "--adopt")
    assert done.exit_code == 2
    assert name in done.stderr
    assert run("list", copy).exit_code == 2
    assert (tmp_path / "mine").read_text() == "mine"


@pytest.mark.parametrize(
    "command", [("check", "--files"), ("check",), ("proposals", "list"), ("proposals", "html")]
)
def test_a_linked_folder_of_proposals_is_not_read(command: tuple[str, ...], tmp_path: Path) -> None:
    library = Library.create(tmp_path / "lib", domain="d", embedding="static").path
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "p.yaml").write_text("very-private")
    (library / "proposals").rmdir()
    (library / "proposals").symlink_to(tmp_path / "mine")
    done = run(*command, library, *(("-o", tmp_path / "p.html") if "html" in command else ()))
    told = done.stdout + done.stderr
    assert "is a link" in told
    assert "very-private" not in told


def test_two_that_make_it_at_once(upstream: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from macla.procedures.local.machine_folder import *;"
        "input(); local_folder(Path(sys.argv[1]))"
    )
    arguments = [sys.executable, "-c", code, str(upstream / "lib")]
    makers = [
        forking.popen(arguments, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    for maker in makers:
        assert maker.stdin is not None
        maker.stdin.write("\n")
        maker.stdin.flush()
    assert [maker.communicate()[1] for maker in makers] == [""] * 4
    assert sorted(path.name for path in (upstream / "lib").glob(".macla*")) == [".macla"]


def test_the_key_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACLA_STATE", str(tmp_path / "state"))
    library = Library.create(tmp_path / "lib", domain="d", embedding="static").path
    key = tmp_path / "state" / "machine.key"
    assert key.stat().st_mode & 0o077 == 0
    key.write_bytes(os.urandom(32))  # another machine
    local_folder(library).touch()
    (library / ".macla" / "machine").touch()
    with pytest.raises(LibraryError, match="not made by this machine"):
        Library.open(library)
    key.write_bytes(b"")
    with pytest.raises(LibraryError, match="is damaged"):
        Library.open(library)
    (tmp_path / "file").touch()
    monkeypatch.setenv("MACLA_STATE", str(tmp_path / "file"))
    with pytest.raises(LibraryError, match="set MACLA_STATE"):
        Library.open(library)
