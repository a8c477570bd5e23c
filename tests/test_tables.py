"""Tables of results as files: reading, cells that share libraries, and what is told."""

from __future__ import annotations

import importlib
import importlib.util
import json
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from macla.cli.main import cli
from macla.evals.studies.cells import FOLDER, Cell, play_cells
from macla.evals.tables.__main__ import main
from macla.evals.tables.files import read_table_file, table_file
from macla.evals.tables.row_statistics import section_of_table
from macla.procedures.common.errors import DataError, SchemaError
from test_report import result
from test_suite_files import lamp_suite

ROOT = Path(__file__).parent.parent
TABLES = sorted(path.stem for path in (ROOT / "evals" / "tables").glob("*.yaml"))
DOCUMENTS = sorted((ROOT / "evals" / "studies" / "accepted").glob("*.json"))
LAMPS = """kind: table
title: Lamps
about: What a lamp shows.
libraries:
  lib:
    - macla learn SUITE --library {folder}
rows:
  ours:
    what: from one demonstration
    play: macla eval SUITE --library {lib} --split dev
    wanted: 0.5
    against: [waiting]
  again:
    what: the same, its reward
    play: macla eval SUITE --library {lib} --split dev
    metric: reward
  waiting:
    what: without a library
    play: macla eval SUITE --split dev --arm random --seed 1
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "lamps.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("kind: table", "kind: chair", 1, "kind"),
        ("title: Lamps\n", "", 1, "'title' is missing"),
        ("wanted: 0.5", "wanted: 5", 11, "maximum"),
        ("wanted: 0.5", "wished: 0.5", 8, "unknown key 'wished'"),
        ("play: macla eval SUITE --library {lib}", "play: rm -r {lib}", 10, "Expected: "),
        ("{lib} --split dev\n    w", "{lob}\n    w", 10, "no library 'lob'"),
        ("    - macla learn", "    - macla learn {lib}", 6, "no library 'lib'"),
        ("--split dev\n    wanted", "--split 'dev\n    wanted", 10, "No closing quotation"),
        ("[waiting]", "[nobody]", 12, "no other row 'nobody'"),
        ("[waiting]", "[ours]", 12, "no other row 'ours'"),
        ("[waiting]", "[again]", 12, "another metric"),
        ("metric: reward", "metric: luck", 16, "one of"),
        ("  again:", "  lib:", 13, "a library has this name"),
        ("rows:", "rows: [", 9, "not readable as YAML"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    assert old in LAMPS
    path = written(tmp_path, LAMPS.replace(old, new))
    with pytest.raises(SchemaError, match=message) as caught:
        read_table_file(path)
    assert f"lamps.yaml:{line}" in str(caught.value)


def test_rows_that_are_played_alike_share_a_cell(tmp_path: Path) -> None:
    table = read_table_file(written(tmp_path, LAMPS))
    assert [cell.name for cell in table.cells] == ["ours", "waiting"]
    ours, waiting = table.cells
    assert [need.name for need in ours.needs] == ["lib"]
    assert ours.needs[0].commands == (("learn", "SUITE", "--library", FOLDER, "--json"),)
    assert not waiting.needs
    other = read_table_file(written(tmp_path, LAMPS.replace("{folder}", "{folder} --seed 1")))
    assert other.cells[0].digest != ours.digest  # another library is another result
    assert other.cells[1].digest == waiting.digest


@pytest.mark.parametrize("name", TABLES)
def test_the_tables_that_come_with_macla(name: str, tmp_path: Path) -> None:
    table = table_file(name)
    needs = dict.fromkeys(need for cell in table.cells for need in cell.needs)
    for words in (words for cell in (*table.cells, *needs) for words in cell.commands):
        if words[0] == "python":
            assert words[1] == "-m"
            assert importlib.util.find_spec(words[2]), words
            continue
        command = cli.get_command(click.Context(cli), words[0])
        assert command is not None
        if command.name == "learn":  # a file of episodes has to be there
            words = tuple(str(tmp_path) if word == "{folder}.jsonl" else word for word in words)
        command.make_context(words[0], list(words[1:]), parent=click.Context(cli))


def test_a_table_is_told_with_intervals_and_pairs(tmp_path: Path) -> None:
    table = read_table_file(written(tmp_path, LAMPS))
    answers = {"ours": [result("macla", "11110111")], "waiting": [result("random", "00110000")]}
    reached, pairs = section_of_table(table, answers).figures
    assert reached.columns == ("what", "n", "wanted", "reached, 95 %", "mean steps")
    assert reached.rows == (
        ("from one demonstration", "8", "50.0 %", "7, 87.5 % (52.9 to 97.8)", "7.00"),
        ("the same, its reward", "8", "", "0.875 (0.625 to 1.000)", "7.00"),
        ("without a library", "8", "", "2, 25.0 % (7.1 to 59.1)", "7.00"),
    )
    what, against, n, difference, split, p = pairs.rows[0]
    assert (what, against, n) == ("from one demonstration", "without a library", "8")
    assert difference.startswith("+0.625 (")
    assert (split, p) == ("5 : 0", "0.062")
    missed = {**answers, "ours": [result("macla", "10000000")]}
    assert section_of_table(table, missed).figures[0].rows[0][3].startswith("**1, 12.5 %")
    with pytest.raises(DataError, match="printed no result"):
        section_of_table(table, {**answers, "waiting": [{}]})


def test_what_the_first_plan_won_is_told(tmp_path: Path) -> None:
    text = LAMPS.replace("metric: reward", "metric: first-plan")
    answer = result("macla", "1111")
    answer["extra"]["at_first"] = {"rate": 0.75, "ci95": [0.1, 0.9]}
    answers = {"ours": [answer], "waiting": [answer]}
    told = section_of_table(read_table_file(written(tmp_path, text)), answers)
    assert told.figures[0].rows[1][3].startswith("3, 75.0 %")


@pytest.mark.usefixtures("forked_cells")
def test_a_needed_cell_is_done_once_and_its_folder_stays(tmp_path: Path) -> None:
    log = tmp_path / "log"
    make = f"open({str(log)!r}, 'a').write('x'); open('{FOLDER}/made', 'w').write('7'); print(1)"
    need = Cell("need", (("python", "-c", make),))
    read = "print(open('{need}/made').read())"
    cells = [Cell(name, (("python", "-c", read),), (need,)) for name in ("a", "b")]
    out = tmp_path / "out"
    assert play_cells(cells[:1], out) == {"a": [7]}
    assert play_cells(cells, out, jobs=2) == {"a": [7], "b": [7]}
    assert log.read_text() == "x"
    (out / "cells" / "b.json").unlink()
    (out / "work" / "need" / "made").unlink()
    (out / "work" / "need").rmdir()
    assert play_cells(cells, out) == {"a": [7], "b": [7]}
    assert log.read_text() == "xx"  # the folder was gone, and a cell needed it


@pytest.mark.usefixtures("forked_cells")
def test_a_table_is_made_by_its_command(tmp_path: Path) -> None:
    suite = lamp_suite(tmp_path / "mine") / "suite.yaml"
    path = written(tmp_path, LAMPS.replace("SUITE", str(suite)))
    assert main([str(path), "--jobs", "2", "--out", str(tmp_path / "out")]) == 0
    document = json.loads((tmp_path / "out" / "lamps.json").read_text())
    assert document["command"] == f"python -m macla.evals.tables {path}"
    assert document["sections"][0]["figures"][0]["rows"][0][3].startswith("2, 100.0 %")


def test_a_table_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing"]) == 2
    assert "no table 'nothing'; choose alfworld" in capsys.readouterr().err


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_the_command_of_an_accepted_document_can_be_given_again(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    python, option, module, *words = shlex.split(document["command"])
    assert (python, option) == ("python", "-m")
    assert not {"--out", "--library"} & set(words)  # it begins from nothing
    parser = importlib.import_module(f"{module}.__main__")._parser()
    given = parser.parse_args([*words, "--jobs", "1", "--out", "x"])
    name = {
        "macla.evals.tables": lambda: table_file(given.table).name,
        "macla.evals.studies": lambda: given.name or given.study,
    }.get(module, lambda: path.stem)()
    assert name == document["study"] == path.stem


def test_accepted_documents_are_small() -> None:
    assert sum(path.stat().st_size for path in DOCUMENTS) < 300_000


def results_page() -> Any:
    spec = importlib.util.spec_from_file_location("results_page", ROOT / "scripts/results_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.usefixtures("forked_cells")
def test_a_study_is_played_again_by_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = lamp_suite(tmp_path / "mine") / "suite.yaml"
    path = written(tmp_path, LAMPS.replace("SUITE", str(suite)))
    script = results_page()

    def played(command: list[str], **_: Any) -> SimpleNamespace:
        python, option, module, *words = command
        assert (python, option) == (sys.executable, "-m")
        return SimpleNamespace(returncode=importlib.import_module(f"{module}.__main__").main(words))

    monkeypatch.setattr(script, "subprocess", SimpleNamespace(run=played, DEVNULL=None))
    accepted = tmp_path / "accepted"
    accepted.mkdir()
    document = {"command": f"python -m macla.evals.tables {path}", "machine": "", "sections": []}
    (accepted / "lamps.json").write_text(json.dumps(document))
    page = tmp_path / "results.md"
    page.write_text(
        "<!-- accepted results -->\n<!-- end of accepted results -->\n"
        "<!-- study: lamps -->\nold\n<!-- end -->\n"
    )
    for name, value in {"STUDIES": accepted, "PAGE": page, "KEPT": tmp_path / "kept"}.items():
        monkeypatch.setattr(script, name, value)
    monkeypatch.setattr(sys, "argv", ["results_page.py", "--play", "lamps"])
    assert script.main() == 0
    assert "|from one demonstration |2 |50.0 % |2/2 (" in page.read_text()
    monkeypatch.setattr(sys, "argv", ["results_page.py", "--check"])
    assert script.main() == 0
    page.write_text(page.read_text() + "<!-- study: other -->\nby hand\n<!-- end -->\n")
    assert script.main() == 1
    assert "no document of other" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["results_page.py"])
    assert script.main() == 0
    assert "by hand" in page.read_text()
