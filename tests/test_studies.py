"""Studies: their cells are kept, and what is told of them."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import _base
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import forking
import pytest
from command_line import run
from conftest import Small
from macla.evals.studies.__main__ import main
from macla.evals.studies.cells import FOLDER, Cell, play_cells
from macla.evals.studies.helping import evidence, make, pruned
from macla.evals.studies.studies import STUDIES, Options
from macla.procedures.common.errors import DataError
from macla.procedures.library.library import Library
from test_report import result
from test_suite_files import lamp_suite

OPTIONS = Options("alfworld", "valid_seen", library="lib", limit=8)


def counting(folder: Path, name: str, code: str = "") -> Cell:
    """Return a cell that says how often it was done, and uses its own folder."""
    log = folder / f"{name}.log"
    program = (
        f"import json, pathlib\nopen({str(log)!r}, 'a').write('x')\n"
        f"pathlib.Path('{FOLDER}/made').mkdir()\n{code}\nprint(json.dumps([1]))"
    )
    return Cell(name, (("python", "-c", program),))


def test_what_was_done_is_not_done_again(tmp_path: Path) -> None:
    bad = counting(tmp_path, "bad", "raise SystemExit('on purpose')")
    cells = [counting(tmp_path, "a"), bad, counting(tmp_path, "b")]
    with pytest.raises(DataError, match="on purpose"):
        play_cells(cells, tmp_path / "study")
    again = [cells[0], counting(tmp_path, "bad"), cells[2]]  # mended: other commands
    told: list[str] = []
    answers = play_cells(again, tmp_path / "study", jobs=2, progress=lambda n, *_: told.append(n))
    assert answers == {"a": [[1]], "bad": [[1]], "b": [[1]]}
    assert list(answers) == ["a", "bad", "b"]  # in order, whoever came first
    assert (tmp_path / "a.log").read_text() == "x"
    assert (tmp_path / "bad.log").read_text() == "xx"
    assert "a" not in told
    # A file that is only half there is done again.
    (tmp_path / "study" / "cells" / "a.json").write_text('{"digest":')
    assert play_cells(again, tmp_path / "study") == answers
    assert (tmp_path / "a.log").read_text() == "xx"


@pytest.mark.parametrize("behind", range(3))
def test_ctrl_c_ends_it_wherever_it_waits(behind: int, tmp_path: Path) -> None:
    """An interrupt may come behind each return of a function of the standard library."""
    cells = [counting(tmp_path, "a"), counting(tmp_path, "b", "import time\ntime.sleep(0.5)")]
    left = itertools.count(behind, -1)

    def interrupt(frame: FrameType, event: str, _: object) -> Any:
        if event == "return" and frame.f_code.co_filename == _base.__file__ and not next(left):
            raise KeyboardInterrupt
        return interrupt

    def play() -> None:
        with contextlib.suppress(KeyboardInterrupt):
            play_cells(cells, tmp_path / "study", progress=lambda *_: sys.settrace(interrupt))

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    thread.join(120)  # stops only what hangs
    assert not thread.is_alive()


def test_a_pruned_copy_and_the_course_of_evidence(burrow: Small, tmp_path: Path) -> None:
    told = pruned(str(burrow.path), str(tmp_path / "copy"), 1, 1)
    kept = Library.open(tmp_path / "copy")
    assert told["had"] == {
        "procedure": len(Library.open(burrow.path).procedures),
        "meta": len(Library.open(burrow.path).metas),
    }
    assert len(kept.metas) == 1 < told["had"]["meta"]
    assert sum(not item[-1] for item in told["items"]) == told["gone"] > 0
    assert all(0.0 < rho < 1.0 and 0.0 <= share <= 1.0 for _, rho, share, _ in told["items"])
    found = evidence(str(burrow.path))
    courses = found["courses"]
    assert courses
    assert found["changes"] == {}
    assert all(0.0 < rho < 1.0 for course in courses.values() for _, rho in course)
    make(str(tmp_path / "new"), "d", '{"thresholds": {"theta_dup": 0.7}}')
    assert Library.open(tmp_path / "new").settings.settings["thresholds"] == {"theta_dup": 0.7}


def answer_of(study: str, cell: Cell) -> list[Any]:
    """Return what a cell's commands would print."""
    played = result("macla", "11110000")
    played["metrics"] |= {"library_bytes": 1, "decision_ms": None, "peak_memory_bytes": 1}
    if study == "capacity":
        items = [["meta a", 0.9, 0.5, True], ["meta b", 0.2, 0.1, False]]
        return [{"had": {"meta": 2}, "gone": 1, "items": items}, played]
    if study == "practice":
        window = {
            "first": 1,
            "steps": 7.0,
            "sd": 0.1,
            "last": 10,
            "success": 0.5,
            "low": 0.2,
            "high": 0.8,
            "mean": 0.7,
        }
        window |= {"fallback": 0.1, "procedures": 3, "metas": 1}
        curve = {"windows": [window, {**window, "last": 20}], "episodes": 20, "successes": 10}
        changes = {"refine": {"accepted": 2, "rejected": 1}}
        course = [[float(n), 0.5 + n / 100] for n in range(40)]
        return [curve, {"courses": {"a@1": course}, "changes": changes}, played]
    return [{}, played]


@pytest.mark.parametrize("name", STUDIES)
def test_each_study_tells_tables_and_plots(name: str, monkeypatch: Any, tmp_path: Path) -> None:
    study = STUDIES[name]
    cells = study.cells(OPTIONS)
    assert len({cell.name for cell in cells}) == len(cells)
    assert all("--json" in c or c[0] == "python" for cell in cells for c in cell.commands)
    answers = {cell.name: answer_of(name, cell) for cell in cells}
    monkeypatch.setattr("macla.evals.studies.__main__.play_cells", lambda *_, **__: answers)
    library = ["--library", "lib"] if study.library else []
    assert main([name, "--out", str(tmp_path), "--limit", "8", *library]) == 0
    written = json.loads((tmp_path / f"{name}.json").read_text())
    kinds = {figure["kind"] for section in written["sections"] for figure in section["figures"]}
    assert "table" in kinds
    assert kinds & {"lines", "intervals"}
    markdown = (tmp_path / f"{name}.md").read_text()
    assert "4 of 8" in markdown
    if name == "practice":
        assert "| changes: refine | 2 accepted, 1 rejected |" in markdown
        assert markdown.count("| a@1 |") == 12  # the JSON has all forty
    assert "<svg" in (tmp_path / f"{name}.html").read_text()


@pytest.mark.parametrize("name", [name for name in STUDIES if STUDIES[name].library])
def test_a_study_learns_the_library_that_is_not_given(name: str) -> None:
    given = STUDIES[name].cells(OPTIONS)
    assert not any(cell.needs for cell in given)
    own = STUDIES[name].cells(replace(OPTIONS, library=""))
    (need,) = {need for cell in own for need in cell.needs}
    assert need.commands[0][:4] == ("learn", "alfworld", "--library", FOLDER)
    assert all(any("{lib}" in word for word in cell.commands[0]) for cell in own)


def test_what_cannot_be_studied(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ablations", "--library", "lib"]) == 2
    assert "learns libraries of its own" in capsys.readouterr().err
    assert main(["ablations", "--suite", "nothing"]) == 2
    assert "no suite 'nothing'" in capsys.readouterr().err
    done = forking.run(
        [sys.executable, "-m", "macla.evals.studies", "--help"], capture_output=True, text=True
    )
    assert all(name in done.stdout for name in STUDIES)


def without_times(document: Any) -> Any:
    """Return a document without what a clock or the system's memory says."""
    if isinstance(document, dict):
        timed = ("seconds", "wall_seconds", "decision_ms", "peak_memory_bytes")
        return {k: without_times(v) for k, v in document.items() if k not in timed}
    if isinstance(document, list):
        return [without_times(each) for each in document]
    return document


def results(out: Path) -> dict[str, Any]:
    """Return what a study's cells answered."""
    kept = sorted((out / "cells").glob("*.json"))
    return {each.name: without_times(json.loads(each.read_text())) for each in kept}


GATED = """
import time
from pathlib import Path

GATE = Path(__file__).with_name("gate")


class Gated(Lamp):
    def reset(self, task):
        for _ in range(3000):
            if not GATE.exists() or not list(Path(GATE.read_text()).glob("*.json")):
                break
            time.sleep(0.02)
        else:
            GATE.unlink()
        return super().reset(task)
"""  # a cell after the first waits until it is interrupted, however slow the test is: it goes on
# after thousands of its own turns, and then the study was not interrupted


@pytest.mark.usefixtures("forked_cells")
def test_two_runs_are_equal_but_for_times_and_so_is_one_that_was_interrupted(
    tmp_path: Path,
) -> None:
    """Whole, with other jobs, and interrupted after its first cell and resumed."""
    suite = lamp_suite(tmp_path / "mine") / "suite.yaml"
    text = suite.read_text().replace("random, without-meta", "random")
    suite.write_text(text.replace("lamp_of_a_suite:Lamp", "lamp_of_a_suite:Gated"))
    with suite.with_name("lamp_of_a_suite.py").open("a") as code:
        code.write(GATED)
    gate = suite.with_name("gate")
    learned = run("learn", str(suite), "--library", tmp_path / "lib")
    assert learned.exit_code == 0
    assert f"macla eval {suite} --library {tmp_path / 'lib'} --split " in learned.output
    words = ["arms", "--suite", str(suite), "--split", "dev", "--library", str(tmp_path / "lib")]
    first, second, broken = tmp_path / "first", tmp_path / "second", tmp_path / "broken"
    assert main([*words, "--out", str(first)]) == 0
    assert main([*words, "--out", str(second), "--jobs", "2"]) == 0
    command = [sys.executable, "-m", "macla.evals.studies", *words, "--out", str(broken)]
    gate.write_text(str(broken / "cells"))
    process = forking.popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stderr is not None
    assert process.stderr.readline().startswith("1 of 3")
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    process.communicate()
    assert process.returncode == 130
    assert len(results(broken)) == 1
    gate.unlink()
    assert main([*words, "--out", str(broken)]) == 0
    assert results(first) == results(second) == results(broken)
    assert len(results(first)) == 3
    written = [(out / "arms.json").read_text() for out in (first, second, broken)]
    tables = [
        [
            figure
            for section in json.loads(text)["sections"]
            for figure in section["figures"]
            if figure["title"] != "What was measured"  # has times and memory
        ]
        for text in written
    ]
    assert tables[0] == tables[1] == tables[2]
