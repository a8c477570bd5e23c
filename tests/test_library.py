"""Library folders: open, write, refuse, keep what people wrote."""

from __future__ import annotations

import dataclasses
import os
import shutil
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from macla.procedures.common.errors import (
    ConditionError,
    DanglingReferenceError,
    LibraryError,
    LockError,
    SchemaError,
)
from macla.procedures.files import scanning
from macla.procedures.library import library as library_module
from macla.procedures.library.library import Library, validate_library
from macla.procedures.library.library_commit import locked
from macla.procedures.model.procedure import (
    Evidence,
    MetaProcedure,
    Ontology,
    Place,
    Procedure,
    Step,
)


def procedure(name: str = "take", version: int = 1, do: str = "take {x}", **more: Any) -> Procedure:
    document = {
        "kind": "procedure",
        "id": name,
        "version": version,
        "goal": "take {x}",
        "parameters": {"x": {"source": "given"}},
        "steps": [{"do": do}],
        **more,
    }
    return Procedure.from_document(document)


def meta(name: str = "fetch", version: int = 1, run: str = "take", **more: Any) -> MetaProcedure:
    document = {
        "kind": "meta",
        "id": name,
        "version": version,
        "goal": "fetch {a}",
        "parameters": {"a": {"source": "task"}},
        "plan": [{"run": run, "with": {"x": "a"}, "abort": "exhausted"}],
        **more,
    }
    return MetaProcedure.from_document(document)


@pytest.fixture
def empty(tmp_path: Path) -> Library:
    return Library.create(tmp_path / "lib", domain="home", embedding="static")


@pytest.fixture
def library(empty: Library) -> Library:
    empty.write_all([procedure(), procedure("put")], [meta()])
    return empty


def tree(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".macla" not in path.parts
    }


def test_create_and_open(tmp_path: Path) -> None:
    made = Library.create(
        tmp_path / "a" / "lib",
        domain="home",
        embedding="static",
        settings={"capacity": {"procedures": 10}},
    )
    assert (made.settings.domain, made.settings.embedding) == ("home", "static")
    assert made.settings.settings["capacity"]["procedures"] == 10
    assert (made.path / ".macla" / ".gitignore").read_text() == "*\n"
    assert sorted(path.name for path in made.path.iterdir()) == [
        ".macla", "library.yaml", "meta", "ontology.yaml", "procedures", "programs", "proposals",
            "types",
    ]  # fmt: skip
    again = Library.open(str(made.path))
    assert again.content_hash == made.content_hash
    assert dict(again.procedures) == dict(again.metas) == {}
    assert validate_library(again.path) == []
    with pytest.raises(LibraryError, match="holds a library already"):
        Library.create(made.path, domain="b", embedding="c")
    with pytest.raises(SchemaError, match="capacity"):
        Library.create(tmp_path / "b", domain="x", embedding="y", settings={"capacity": 5})
    assert not (tmp_path / "b").exists()


def test_open_what_is_no_library(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(LibraryError, match=r"has no library\.yaml"):
            Library.open(path)
        assert [finding.severity for finding in validate_library(path)] == ["error"]
    assert list(tmp_path.iterdir()) == []


def test_a_clone_without_local_files_opens(library: Library) -> None:
    shutil.rmtree(library.path / ".macla")
    shutil.rmtree(library.path / "proposals")
    again = Library.open(library.path)
    assert again.content_hash == library.content_hash
    assert not (library.path / ".macla").exists()
    again.write_procedure(procedure("new"))
    assert (library.path / ".macla" / ".gitignore").exists()


def test_write_and_read(library: Library) -> None:
    again = Library.open(library.path)
    assert list(again.procedures) == ["put", "take"]
    assert again.procedures["take"] == procedure()
    assert again.metas == library.metas
    assert again.get("take") == again.get("take@1") == procedure()
    assert again.get("fetch") == meta()
    with pytest.raises(DanglingReferenceError, match="did you mean 'take'"):
        again.get("tkae")
    with pytest.raises(DanglingReferenceError, match="version on disk is 1"):
        again.get("take@2")


def test_unchanged_things_are_not_written(library: Library) -> None:
    stamps = {path: path.stat().st_mtime_ns for path in library.path.rglob("*.yaml")}
    assert library.write_all([procedure()], [meta()], ontology=Ontology()) == []
    assert stamps == {path: path.stat().st_mtime_ns for path in library.path.rglob("*.yaml")}


def test_versions(library: Library) -> None:
    before = tree(library.path)
    with pytest.raises(LibraryError, match="give it version 2"):
        library.write_procedure(procedure("put", do="drop {x}"))
    assert tree(library.path) == before
    stored = library.write_procedure(procedure("put", 7, do="drop {x}"))
    assert stored.version == Library.open(library.path).get("put").version == 7
    # The same behaviour keeps its version, whatever number it comes with.
    assert library.write_procedure(procedure("put", 1, do="drop {x}")).version == 7
    assert library.write_procedure(procedure("put", 9, do="drop {x}")).version == 7


def test_what_is_not_behaviour_needs_no_version(library: Library) -> None:
    stored = library.write_procedure(procedure("put", status="trusted", locked=True))
    assert (stored.version, stored.status, stored.locked) == (1, "trusted", True)
    first = library.write_procedure(dataclasses.replace(stored, evidence=Evidence(2, 1, "2026")))
    later = library.write_procedure(dataclasses.replace(stored, evidence=Evidence(9, 1, "2027")))
    assert first.evidence == later.evidence == Evidence(2, 1, "2026")


def test_plans_run_the_version_that_is_there(library: Library) -> None:
    library.write_all([procedure(version=2, do="grab {x}")], [meta(version=2)])
    # Plans of earlier libraries name a version: they run what is there, and are read as they are.
    file = library.path / "meta" / "fetch.yaml"
    file.write_text(file.read_text().replace("run: take\n", "run: take@1\n"))
    library.refresh()
    assert library.metas["fetch"].plan[0].run == "take"
    assert [found.severity for found in validate_library(library.path)] == ["warning"]
    library.write_all([procedure(version=3, do="seize {x}")])
    assert (library.metas["fetch"].version, library.procedures["take"].version) == (1, 3)
    assert library.write_all(metas=[meta(version=2)]) == []


def test_references_are_checked_before_writing(library: Library) -> None:
    before = tree(library.path)
    cases: list[Any] = [
        lambda: library.delete("take"),
        lambda: library.write_all(metas=[meta("other", run="gone")]),
        lambda: library.write_all(metas=[meta("put", run="put")]),
        lambda: library.write_procedure(procedure("bad", do="take {q}")),
        lambda: library.write_all(replace=True, metas=[meta()]),
        lambda: library.delete("nothing"),
        lambda: library.delete("../../etc/passwd"),
        lambda: library.write_all([procedure("a"), procedure("a")]),
    ]
    for case in cases:
        with pytest.raises(LibraryError):
            case()
        assert tree(library.path) == before
        assert library.content_hash == Library.open(library.path).content_hash


@pytest.mark.parametrize("name", ["../x", "a/b", "..", "A", "", "x" * 81, "a\n", ".hidden", "a..b"])
def test_ids_never_become_paths(library: Library, name: str) -> None:
    before = tree(library.path.parent)
    bad = Procedure(name, 1, "g", (Step(do="look"),))
    with pytest.raises(SchemaError, match="cannot be written"):
        library.write_procedure(bad)
    bad_meta = MetaProcedure(name, 1, "g", (Place(follow="task"),))
    with pytest.raises(SchemaError, match="cannot be written"):
        library.write_all(metas=[bad_meta])
    assert tree(library.path.parent) == before


def test_what_cannot_be_read_back_is_not_written(library: Library) -> None:
    for text in ("a\x00b", "\ud800", "", "x" * 5_000):
        with pytest.raises(SchemaError):
            library.write_procedure(procedure("new", do=text))
    assert "new" not in Library.open(library.path).procedures


def test_delete_and_replace(library: Library) -> None:
    library.delete("put")
    assert not (library.path / "procedures" / "put.yaml").exists()
    changed = library.write_all([procedure("only")], replace=True)
    assert changed == ["meta/fetch.yaml", "procedures/only.yaml", "procedures/take.yaml"]
    again = Library.open(library.path)
    assert (list(again.procedures), list(again.metas)) == (["only"], [])
    library.write_all(replace=True)
    assert validate_library(library.path) == []


def test_content_hash(library: Library) -> None:
    first = library.content_hash
    assert len(first) == 64
    path = library.path / "procedures" / "take.yaml"
    path.write_text("# a comment\n" + path.read_text().replace("take {x}", '"take {x}"', 1))
    assert Library.open(library.path).content_hash == first
    for change in (
        lambda: library.write_procedure(procedure("put", status="trusted")),
        lambda: library.write_all(ontology=Ontology(version=2)),
        lambda: library.write_all(settings=dataclasses.replace(library.settings, domain="b")),
        lambda: library.delete("put"),
    ):
        before = library.content_hash
        change()
        assert library.content_hash == Library.open(library.path).content_hash != before


def test_comments_survive_writing(library: Library) -> None:
    path = library.path / "procedures" / "put.yaml"
    path.write_text(
        "# mine\nkind: procedure\nversion: 1   # v\nid: put\ngoal: 'take {x}'\n"
        "parameters:\n    x: {source: given}\nsteps:\n- do: take {x}  # do it\n"
    )
    library.write_procedure(procedure("put", 2, do="drop {x}"))
    assert path.read_text() == (
        "# mine\nkind: procedure\nversion: 2   # v\nid: put\ngoal: 'take {x}'\n"
        "parameters:\n    x: {source: given}\nsteps:\n- do: drop {x}  # do it\n"
    )


def test_refresh(library: Library) -> None:
    other = Library.open(library.path)
    other.write_procedure(procedure("new"))
    assert "new" not in library.procedures
    library.refresh()
    assert "new" in library.procedures
    # A writer takes in what others wrote, too.
    other.write_procedure(procedure("newer"))
    library.write_procedure(procedure("newest"))
    assert list(Library.open(library.path).procedures) == ["new", "newer", "newest", "put", "take"]


GOOD = "kind: procedure\nid: bad\nversion: 1\ngoal: look\nsteps:\n  - do: look\n"


@pytest.mark.parametrize(
    ("content", "error", "line", "message"),
    [
        ("", SchemaError, 1, "is empty"),
        (GOOD[:60] + ' "', SchemaError, None, "not readable as YAML"),
        ("\x00\x01", SchemaError, 1, "U+0000"),
        ("[" * 100_000, SchemaError, 1, "nests deeper"),
        ("a: &a [1]\nb: [*a, *a]\n", SchemaError, 1, "anchor"),
        (GOOD + "<<<<<<< ours\na: 1\n=======\n>>>>>>> b\n", SchemaError, 7, "a merge that is"),
        ("- a\n", SchemaError, 1, "object"),
        (GOOD + "stpes: []\n", SchemaError, 1, "unknown key 'stpes'; did you mean 'steps'?"),
        (GOOD.replace("version: 1", "version: one"), SchemaError, 3, "integer"),
        (GOOD.replace("- do: look", "- dou: look"), SchemaError, 6, "unknown key 'dou'"),
        (GOOD + "version: 2\n", SchemaError, 7, "stands here twice"),
        (GOOD.replace("id: bad", "id: ../bad"), SchemaError, 2, "slug"),
        (GOOD.replace("id: bad", "id: other"), LibraryError, 2, "the file is called bad.yaml"),
        (GOOD + "    when: observed(x)\n", ConditionError, 7, "column 10"),
        (GOOD + "    when: post\n", LibraryError, 7, "means something only"),
        (GOOD.replace("do: look", "do: go {x}"), DanglingReferenceError, 6, "parameter {x}"),
        (GOOD.replace("goal: look", "goal: 'a {'"), ConditionError, 4, "does not begin"),
    ],
)
def test_bad_files(
    library: Library, content: str, error: type[LibraryError], line: int | None, message: str
) -> None:
    path = library.path / "procedures" / "bad.yaml"
    path.write_text(content)
    before = tree(library.path)
    with pytest.raises(error) as caught:
        Library.open(library.path)
    assert type(caught.value) is error
    assert caught.value.file == path
    assert message in str(caught.value)
    if line is not None:
        assert caught.value.line == line
        assert str(caught.value).startswith(f"{path}:{line}")
    (finding,) = [f for f in validate_library(library.path) if f.severity == "error"]
    assert (finding.file, finding.line) == (path, caught.value.line)
    assert message in str(finding)
    with pytest.raises(LibraryError):
        library.write_procedure(procedure("new"))
    assert tree(library.path) == before


def test_all_findings_at_once(library: Library) -> None:
    (library.path / "procedures" / "a.yaml").write_text("nonsense")
    (library.path / "procedures" / "b.yaml").write_text(GOOD.replace("bad", "b") + "x: 1\n")
    (library.path / "meta" / "c.yaml").write_text(GOOD.replace("bad", "c"))
    (library.path / "procedures" / "d.yml").write_text(GOOD)
    (library.path / "procedures" / "e.yaml").mkdir()
    unused = procedure("f").to_document()
    unused["parameters"]["unused"] = {"source": "given"}
    (library.path / "procedures" / "f.yaml").write_text(
        library_module.dump_yaml(unused), encoding="utf-8"
    )
    findings = validate_library(library.path)
    assert [(f.severity, f.file.name) for f in findings if f.file] == [
        ("error", "a.yaml"),
        ("error", "b.yaml"),
        ("error", "e.yaml"),
        ("error", "c.yaml"),
        ("warning", "f.yaml"),
        ("warning", "d.yml"),
    ]
    assert str(findings[4]) == (
        f"{library.path}/procedures/f.yaml:7: warning: parameters.unused: "
        "parameter {unused} is never used"
    )


def test_a_newer_format(library: Library) -> None:
    path = library.path / "library.yaml"
    path.write_text(path.read_text().replace("format: 2", "format: 3"))
    with pytest.raises(LibraryError, match="update macla") as caught:
        Library.open(library.path)
    assert caught.value.line == 2


def test_duplicate_ids(library: Library) -> None:
    text = library_module.dump_yaml(meta("put", run="take@1").to_document())
    (library.path / "meta" / "put.yaml").write_text(text)
    with pytest.raises(LibraryError, match="is also that of a procedure"):
        Library.open(library.path)


def test_links_that_lead_out_are_refused(library: Library, tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text(GOOD.replace("bad", "linked"))
    link = library.path / "procedures" / "linked.yaml"
    link.symlink_to(outside)
    with pytest.raises(LibraryError, match="leads out of the library"):
        Library.open(library.path)
    link.unlink()
    os.mkfifo(link)
    with pytest.raises(LibraryError, match="not a regular file"):
        Library.open(library.path)
    link.unlink()
    shutil.move(library.path / "procedures", tmp_path / "elsewhere")
    (library.path / "procedures").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LibraryError, match="leads out of the library"):
        Library.open(library.path)
    with pytest.raises(LibraryError, match="leads out of the library"):
        library.write_procedure(procedure("new"))
    assert not (tmp_path / "elsewhere" / "new.yaml").exists()


def test_the_lock(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_module, "LOCK_TIMEOUT", 0.1)
    with locked(library.path, 1), pytest.raises(LockError, match="wait for it to end"):
        library.write_procedure(procedure("new"))
    library.write_procedure(procedure("new"))
    # A lock file that is only left over holds nobody up, and readers need no lock.
    assert (library.path / ".macla" / "lock").exists()
    with locked(library.path, 1):
        Library.open(library.path)


def test_a_folder_that_cannot_be_written(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tree(library.path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(LibraryError, match="No space left"):
        library.write_procedure(procedure("new"))
    with pytest.raises(LibraryError, match="No space left"):
        library.write_all([procedure("new"), procedure("newer")])
    monkeypatch.undo()
    assert tree(library.path) == before
    assert "new" not in library.procedures
    library.write_procedure(procedure("new"))
    assert not list((library.path / ".macla").glob("staging-*"))


def test_threads(library: Library) -> None:
    def work(number: int) -> None:
        mine = Library.open(library.path)
        for step in range(5):
            mine.write_procedure(procedure(f"t{number}-{step}"))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(Library.open(library.path).procedures) == 22


def test_cache_sees_every_change(library: Library) -> None:
    path = library.path / "procedures" / "put.yaml"
    text = path.read_text()
    for number in range(1, 10):
        path.write_text(text.replace("take {x}", f"tak{number} {{x}}"))  # the same size
        assert Library.open(library.path).get("put").goal == f"tak{number} {{x}}"


@pytest.mark.speed
def test_speed(empty: Library) -> None:
    procedures = [
        procedure(f"p{n}", preconditions=['last({x}) in ["take {x} from *"]'] * 2)
        for n in range(200)
    ]
    metas = [meta(f"m{n}", run=f"p{n}@1") for n in range(50)]
    begin = time.perf_counter()
    assert len(empty.write_all(procedures, metas)) == 250
    written = time.perf_counter() - begin
    scanning._scans.clear()
    begin = time.perf_counter()
    Library.open(empty.path)
    cold = time.perf_counter() - begin
    time.sleep(0.06)
    Library.open(empty.path)
    begin = time.perf_counter()
    Library.open(empty.path)
    warm = time.perf_counter() - begin
    # 0.14, 0.05 and 0.007 seconds here; the limits allow for a busy machine.
    assert written < 1.5
    assert cold < 1
    assert warm < 0.1


def test_a_large_library_is_not_read_again_for_one_more_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []
    whole = scanning.read_bytes

    def counted(path: Path) -> bytes:
        read.append(path)
        return whole(path)

    library = Library.create(tmp_path / "large", domain="test", embedding="static:test")
    library.write_all([procedure(f"take-{number}") for number in range(40)])
    monkeypatch.setattr(scanning, "read_bytes", counted)
    for number in range(40, 60):
        library.write_procedure(procedure(f"take-{number}"))
    assert len([path for path in read if path.parent.name == "procedures"]) == 0
    assert len(library.procedures) == 60


def test_other_libraries_are_forgotten_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning, "_LIBRARIES", 3)
    scanning._scans.clear()
    for name in "abcdef":
        library = Library.create(tmp_path / name, domain="test", embedding="static:test")
        library.write_all([procedure(f"take-{number}") for number in range(10)])
        Library.open(library.path)
    assert [path.name for path in scanning._scans] == ["d", "e", "f"]
