"""Programs in a library: written, read, checked, shown, compared, merged."""

from __future__ import annotations

import copy
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import as_json, run
from macla.adapters.git.merging import merge_files
from macla.procedures.common.errors import ConditionError, DanglingReferenceError, LibraryError
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.files.parsing import parse
from macla.procedures.library.library import Library, validate_library
from macla.procedures.local.safe_git import Git
from macla.procedures.model.procedure import Procedure
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.program_checks import check_programs
from macla.schemas import load_schema

LINE = "bike {1} - {2} gears, basket {3}, frame {4}"
LEND: dict[str, Any] = {
    "kind": "program",
    "id": "lend-bike",
    "version": 1,
    "goal": "{1} asks for a bike whose frame is {2}.",
    "lines": [LINE, {"line": "In the shed: {1}.", "lists": ["1"]}],
    "parameters": {
        "person": {"source": "task", "slot": 1},
        "bike": {"source": "choice", "take": "{1}", "among": LINE, "where": ["said({4})"]},
    },
    "steps": [
        {"id": "look", "do": "walk through the shed"},
        {"id": "lend", "do": "lend {person} bike {bike}", "commit": True, "needs": ["look"]},
    ],
}


def lend(**changes: Any) -> ProgramFile:
    return ProgramFile.from_document({**copy.deepcopy(LEND), **changes})


@pytest.fixture
def library(tmp_path: Path) -> Library:
    library = Library.create(tmp_path / "lib", domain="town", embedding="static")
    library.write_programs([lend()])
    return library


def file_in(library: Library) -> Path:
    return library.path / "programs" / "lend-bike.yaml"


# ---------------------------------------------------------------------------- writing, reading
def test_what_was_written_is_read(library: Library) -> None:
    again = Library.open(library.path)
    assert again.programs == {"lend-bike": lend()}
    assert again.programs["lend-bike"].to_document() == LEND
    assert again.get("lend-bike@1") == lend()
    assert again.content_hash == library.content_hash


def test_the_hash_covers_programs(library: Library) -> None:
    before = library.content_hash
    library.write_programs([lend(steps=LEND["steps"][:1], parameters={})])
    assert library.content_hash != before


def test_a_version_is_a_change_of_what_is_done(library: Library) -> None:
    named = replace(lend(), names={})
    other_order = lend(lines=LEND["lines"][::-1])
    assert library.write_programs([named]) == []
    assert library.write_programs([other_order]) == []
    bike = {**LEND["parameters"]["bike"], "order": ["least {2}"]}
    changed = lend(parameters={**LEND["parameters"], "bike": bike})
    assert library.write_programs([replace(changed, names={})]) == ["programs/lend-bike.yaml"]
    stored = library.programs["lend-bike"]
    assert stored.version == 2
    assert "person" in stored.to_document()["parameters"]


def test_names_stay_where_the_program_changes(library: Library) -> None:
    taken = {"among": LINE, "source": "choice", "take": "{3}"}
    steps = [*LEND["steps"][:1], {"id": "lend", "do": "lend {bike} bike {person}"}]
    other = lend(parameters={"bike": taken, "person": LEND["parameters"]["bike"]}, steps=steps)
    library.write_programs([replace(other, names={})])
    first = library.programs["lend-bike"].to_document()["parameters"]
    assert first["bike"] == LEND["parameters"]["bike"]
    library.write_programs([other])
    swapped = library.programs["lend-bike"].to_document()["parameters"]
    assert swapped == {"bike": taken, "person": LEND["parameters"]["bike"]}


def test_a_locked_program_is_not_learned_anew(library: Library) -> None:
    library.write_all(programs=[lend(locked=True)])
    assert library.write_programs([lend(steps=LEND["steps"][:1], parameters={})]) == []
    assert library.programs["lend-bike"].version == 1


def test_comments_of_people_stay(library: Library) -> None:
    file = file_in(library)
    text = file.read_text().replace("steps:\n", "# first look, then lend\nsteps:\n")
    file.write_text(text)
    library.refresh()
    steps = copy.deepcopy(LEND["steps"])
    steps[0]["do"] = "walk around the shed"
    library.write_programs([lend(steps=steps)])
    text = file.read_text()
    assert "# first look, then lend\n" in text
    assert "walk around the shed" in text
    assert "version: 2" in text


def test_a_program_is_removed(library: Library) -> None:
    library.delete("lend-bike")
    assert not file_in(library).exists()
    assert Library.open(library.path).programs == {}


def test_learning_procedures_leaves_programs(library: Library) -> None:
    library.write_all([], [], replace=True)
    assert "lend-bike" in library.programs


# ---------------------------------------------------------------------------- faults
@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        ("said({4})", "sad({4})", "- sad", "parameters.bike.where.0"),
        ("bike {bike}", "bike {bicycle}", "do: lend", "there is no parameter 'bicycle'"),
        ("needs: [look]", "needs: [lok]", "needs", "there is no step 'lok'"),
        ("source: task", "source: luck", "person", "parameters.person.source"),
        ("source: task", "source: taks", "person", "unknown source 'taks'; did you mean 'task'?"),
        ("source: choice", "source: chioce", "chioce", "did you mean 'choice'?"),
        ("slot: 1", "slto: 1", "person", "unknown key 'slto'; did you mean 'slot'?"),
        ("commit: true", "comit: true", "- id: lend", "did you mean 'commit'"),
        ("slot: 1", "slot: 1, value: a", "person", "must be 'constant' where there is a 'value'"),
    ],
)
def test_check_names_the_place(library: Library, old: str, new: str, at: str, message: str) -> None:
    file = file_in(library)
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    with pytest.raises(LibraryError, match=r"lend-bike\.yaml"):
        Library.open(library.path)
    (finding,) = validate_library(library.path)
    assert finding.file == file
    assert message in str(finding)
    assert at in file.read_text().splitlines()[(finding.line or 0) - 1]


@pytest.mark.parametrize(
    ("key", "value", "place", "message"),
    [
        ("met", 5, (), "is not of type 'array'"),
        ("met", ["told("], (0,), "expected"),
        ("met", ["task(1) has task(2)"], (0,), "should be told(…, …), =, and told(…, …)"),
        ("some", ["task(1) = task(2)"], (0,), "should be told(…, …), >= or <=, and told(…, …)"),
        ("equal", ['task(1) = "a"'], (0,), "should be"),
        ("never", [["known(task(1))", "said({1})"]], (0, 1), "should be told(…, …) = …"),
        ("limits", {"task(1)": 5}, ("task(1)",), "is not of type 'object'"),
        ("limits", {"task(1)": {}}, ("task(1)",), "should be non-empty"),
        ("limits", {"task(1)": {"values": ["a"]}}, ("task(1)",), "unknown key 'values'"),
        ("limits", {"tusk(1)": {"to": {"number": 5}}}, ("tusk(1)",), "expected"),
        ("computed", {"task(1)": ["5"]}, ("task(1)",), "should be a number of rows"),
        ("by_class", {"known(task(1))": {}}, ("known(task(1))",), "should be told(…, …) = …"),
        (
            "by_class",
            {'task(1) = "a"': {"tusk(2)": {"to": {"number": 5}}}},
            ('task(1) = "a"', "tusk(2)"),
            "expected",
        ),
        ("mett", ["task(1) = task(2)"], None, "did you mean 'met'"),
    ],
)
def test_check_names_the_place_in_a_box(
    library: Library, key: str, value: Any, place: tuple[str | int, ...] | None, message: str
) -> None:
    file = file_in(library)
    file.write_text(dump_yaml({**LEND, "boxes": {"lend": {"runs": 3, key: value}}}))
    (finding,) = validate_library(library.path)
    assert finding.file == file
    assert finding.path == ("boxes", "lend", *(() if place is None else (key, *place)))
    assert message in finding.message


def test_something_stands_between_the_items_of_a_list(library: Library) -> None:
    line = {"line": "Bikes: {1}", "lists": ["1"], "between": ""}
    file_in(library).write_text(dump_yaml({**LEND, "lines": [*LEND["lines"], line]}))
    (finding,) = validate_library(library.path)
    assert finding.path[-1] == "between"
    assert "should be non-empty" in finding.message


def test_errors_are_of_their_kind(library: Library) -> None:
    file = file_in(library)
    text = file.read_text()
    file.write_text(text.replace("said({4})", "said({4}"))
    with pytest.raises(ConditionError, match="column"):
        Library.open(library.path)
    file.write_text(text.replace("{bike}", "{bicycle}"))
    with pytest.raises(DanglingReferenceError):
        Library.open(library.path)


def test_a_line_that_nothing_reads_is_a_warning(library: Library) -> None:
    file = file_in(library)
    file.write_text(file.read_text().replace(f"among: {LINE}", f"among: {LINE}!"))
    (finding,) = validate_library(library.path)
    assert finding.severity == "warning"
    assert finding.path == ("parameters", "bike")
    assert "no line reads" in finding.message


def test_an_id_is_taken_once(library: Library) -> None:
    twin = {
        "kind": "procedure",
        "id": "lend-bike",
        "version": 1,
        "goal": "lend",
        "steps": [{"do": "lend"}],
    }
    with pytest.raises(LibraryError, match="also that of a procedure"):
        library.write_procedure(Procedure.from_document(twin))


def test_the_page_shows_a_program_that_is_valid() -> None:
    page = Path(__file__).parent.parent / "docs" / "programs.md"
    text = page.read_text(encoding="utf-8").partition("```yaml\n")[2].partition("```")[0]
    item = parse(text.encode(), "program", Path("hotel-rooms.yaml"))
    assert isinstance(item, ProgramFile)
    assert list(check_programs({item.id: item}, ())) == []
    assert dump_yaml(item.to_document()) == text


SECTIONS = {
    "template": "Templates",
    "mention": "Templates",
    "step": "Steps",
    "source": "Sources",
    "rule": "Sources",
    "case": "Sources",
    "line_field": "Planning",
    "written-part": "Sources",
    "written-rivals": "Sources",
    "writing-numbers": "Sources",
    "computation": "Sources",
    "worth": "What candidates are worth",
    "box": "Programs of tool calls",
    "range": "Programs of tool calls",
    "sizes": "Programs of tool calls",
    "operator": "Planning",
    "state": "Planning",
    "goal": "Planning",
    "places": "Planning",
    "arrangement": "Arrangements",
    "composition": "Composed texts",
}
"""Definition of the schema → the section of the page that lists its keys."""


def keys_in(node: Any) -> set[str]:
    """Keys that a part of a schema allows in documents, those of other definitions aside."""
    if isinstance(node, list):
        return set().union(*map(keys_in, node))
    if not isinstance(node, dict):
        return set()
    inner = (value for key, value in node.items() if key not in ("properties", "$defs"))
    below = node.get("properties", {})
    return {*below, *keys_in([*inner, *below.values()])}


def test_the_page_lists_every_key() -> None:
    page = (Path(__file__).parent.parent / "docs" / "programs.md").read_text(encoding="utf-8")
    schema = load_schema("program")
    parts = {name: part for name, part in schema["$defs"].items() if keys_in(part)}
    assert set(parts) == set(SECTIONS)
    expected = [("Keys of the file", schema), *((SECTIONS[n], part) for n, part in parts.items())]
    for section, part in expected:
        text = re.split(r"^#{2,3} ", page, flags=re.M)
        (here,) = (each for each in text if each.partition("\n")[0] == section)
        prose = re.sub(r"```.*?```", "", here, flags=re.S)
        shown = set(re.findall(r"`([a-z_]+)`", prose))
        assert keys_in(part) <= shown, (section, keys_in(part) - shown)


# ---------------------------------------------------------------------------- command line
def test_the_command_line_knows_programs(library: Library) -> None:
    assert "lend-bike" in run("list", library.path).stdout
    (item,) = as_json("list", library.path)["items"]
    assert (item["kind"], item["goal"]) == ("program", LEND["goal"])
    shown = run("show", library.path, "lend-bike")
    assert "do: lend {person} bike {bike}" in shown.stdout
    assert as_json("show", library.path, "lend-bike")["document"] == LEND
    assert run("check", library.path, "--files").exit_code == 0
    assert run("check", library.path).exit_code == 0


def test_a_diff_says_what_changed(library: Library, tmp_path: Path) -> None:
    other = Library.create(tmp_path / "other", domain="town", embedding="static")
    steps = [LEND["steps"][1] | {"when": ["done(look)"]}, LEND["steps"][0]]
    other.write_programs([lend(version=2, steps=steps, lines=[LINE])])
    text = run("diff", library.path, other.path).stdout
    assert text.splitlines()[0] == "program lend-bike: version 1 → 2"
    lines = text.splitlines()
    at = lines.index("    - “In the shed: {1}.”")
    assert lines[at + 1] == "        {1}: a list"
    assert "lend" in text
    assert "done(look)" in text
    assert run("diff", library.path, library.path).stdout == ""


def test_git_has_its_history(library: Library) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=library.path, check=True, capture_output=True)

    git("init", "-q")
    git("config", "user.email", "a@example.org")
    git("config", "user.name", "A")
    git("add", ".")
    git("commit", "-qm", "Start")
    library.write_programs([lend(steps=LEND["steps"][:1], parameters={})])
    git("commit", "-qam", "Only look")
    log = as_json("show", library.path, "lend-bike", "--versions")
    assert "Only look" in str(log)
    assert "Start" in str(log)
    text = run("diff", "lend-bike@1", "lend-bike@2", "--library", library.path).stdout
    assert "version 1 → 2" in text
    assert run("undo", library.path, "lend-bike", "--to", "1").exit_code == 0
    library.refresh()
    assert library.programs["lend-bike"].program == lend().program
    assert library.programs["lend-bike"].version == 3


def test_changes_of_two_people_are_merged(tmp_path: Path) -> None:
    base = dump_yaml(LEND).encode()
    ours = base.replace(b"walk through the shed", b"walk around the shed")
    ours = ours.replace(b"version: 1", b"version: 2")
    more = {**copy.deepcopy(LEND), "version": 2, "lines": [*LEND["lines"], "{1} rides away."]}
    theirs = b"# seen by Ada\n" + dump_yaml(more).encode()
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    merged, problems = merge_files(Git(tmp_path), base, ours, theirs, ("base", "ours", "theirs"))
    assert problems == []
    text = merged.decode()
    assert "walk around the shed" in text
    assert "{1} rides away." in text
    assert "# seen by Ada" in text
