"""The table of acceptance: read, run, resumed, compared."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import forking
import pytest
from command_line import json_of_module, run_module
from macla.evals.acceptance.__main__ import main
from macla.evals.acceptance.comparing import compared
from macla.evals.acceptance.running import (
    Ended,
    Workplace,
    code_digest,
    joined,
    missing,
    run_units,
)
from macla.evals.acceptance.sections import markdown, sections
from macla.evals.acceptance.table import ACCEPTED, Accepted, Table, read_table, write_table
from macla.evals.acceptance.units import Unit, units_of
from macla.evals.alfworld.expert import demonstrate
from macla.evals.alfworld.games import load_game
from macla.evals.alfworld.generator import write_games
from macla.procedures.common.errors import DataError, LockError
from macla.procedures.episodes.trajectories import write_trajectories

pytestmark = pytest.mark.usefixtures("forked_cells", "code_read_once")
_digest = cache(code_digest)


@pytest.fixture
def code_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the package's files for one run only: every run asks twice whether they changed."""
    monkeypatch.setattr("macla.evals.acceptance.running.code_digest", _digest)


def unit(name: str, document: Any, **more: Any) -> Unit:
    """Return a unit whose command prints a document."""
    code = f"print({json.dumps(json.dumps(document))})"

    def read(printed: Any) -> dict[str, Accepted]:
        return {key: Accepted(outcomes=value) for key, value in printed.items()}

    return Unit(name, ("-c", code), read, cases=name, **more)


def place(folder: Path, table: str = "") -> Workplace:
    return Workplace(folder / "run", table)


# -- the document ----------------------------------------------------------------------


def test_the_table_that_comes_with_macla_can_be_read() -> None:
    table = read_table(ACCEPTED)
    names = {each.cases for each in units_of(table, sealed=True) if each.cases}
    for case, result in table.accepted.items():
        assert case.startswith(tuple(names)), case
        assert result.outcomes
    assert {each.sealed for each in units_of(table, sealed=True)} == {True, False}
    assert not any(each.sealed for each in units_of(table))
    quick = units_of(table, quick=True)
    assert 0 < len(quick) < len(units_of(table))


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"format": 1}, "format"),
        ({"games": {"a": {"library": "lib"}}}, "games/a/eval"),
        ({"games": {"a": {"library": "other", "eval": "alfworld"}}}, "no library 'other'"),
        ({"games": {"a": {"library": "lib", "eval": ""}}}, "games/a/eval"),
        ({"libraries": {"../lib": "alfworld"}}, "not the name of a folder"),
        ({"accepted": {"a": {"outcomes": "102"}}}, "accepted/a/outcomes"),
        ({"accepted": {"a": {"outcomes": ""}}}, "accepted/a/outcomes"),
        ({"ladder": ["other"]}, "ladder/0"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_a_bad_table_is_refused_before_anything_is_run(
    tmp_path: Path, change: dict[str, Any], where: str
) -> None:
    file = tmp_path / "accepted.json"
    file.write_text(json.dumps({"format": 2, "libraries": {"lib": "alfworld"}} | change))
    result = run_module(main, "--accepted", file, "--run", tmp_path / "run")
    assert result.returncode == 2
    assert "is no table of acceptance" in result.stderr
    assert where in result.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("text", ["", "[]", "{", '{"format": 2}x'])
def test_what_is_no_document_is_no_table(tmp_path: Path, text: str) -> None:
    file = tmp_path / "accepted.json"
    file.write_text(text)
    with pytest.raises(DataError, match="no table"):
        read_table(file)
    with pytest.raises(DataError, match="cannot be read"):
        read_table(tmp_path / "nothing.json")


def test_a_table_is_written_as_it_is_read(tmp_path: Path) -> None:
    table = read_table(ACCEPTED)
    more = {"a": Accepted(outcomes="10x", figures={"steps": 2.5}, baselines={"random": 1})}
    for each in (table, table.model_copy(update={"accepted": more}), Table(format=2)):
        write_table(tmp_path / "a.json", each)
        assert read_table(tmp_path / "a.json") == each
    assert os.listdir(tmp_path) == ["a.json"]


# -- comparing -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "now", "margin", "verdict"),
    [
        ("1" * 140, "1" * 140, 0.01, "as good"),
        ("1" * 140, "1" * 139 + "0", 0.01, "as good"),
        ("1" * 140, "1" * 138 + "00", 0.01, "fell"),
        ("1" * 38 + "00", "1" * 40, 0.05, "as good"),
        ("1" * 37 + "000", "1" * 40, 0.05, "improved"),
        ("1" * 40, "1" * 37 + "000", 0.05, "fell"),
        ("0" * 40, "xxx" + "0" * 37, 0.05, "fell"),
        ("xxx" + "0" * 37, "0" * 40, 0.05, "improved"),
        ("0" * 40, "1" * 37 + "xxx", 0.05, "improved"),
        ("0" * 40, "1" * 5 + "x" * 8 + "0" * 27, 0.05, "fell"),
        ("1" * 10, "1" * 9 + "x", 0.0, "fell"),
        ("1" * 10, "1" * 11, 0.0, "other episodes"),
    ],
)
def test_verdicts(before: str, now: str, margin: float, verdict: str) -> None:
    comparison = compared(Accepted(outcomes=now), Accepted(outcomes=before), margin)
    assert comparison.verdict == verdict


def test_pairs_are_compared_and_other_tasks_are_not() -> None:
    comparison = compared(Accepted(outcomes="1100"), Accepted(outcomes="0111"), 0.5)
    assert (comparison.gained, comparison.lost) == (1, 2)
    assert comparison.p_value == 1.0
    other = compared(Accepted(outcomes="1", tasks="a"), Accepted(outcomes="1", tasks="b"), 0)
    assert other.verdict == "other episodes"
    assert compared(Accepted(outcomes="1"), None, 0).verdict == "new"


def test_more_calls_of_the_model_are_a_fall() -> None:
    before = Accepted(outcomes="1", figures={"model_calls": 10})
    for calls, verdict in ((9, "as good"), (10, "as good"), (11, "fell")):
        now = Accepted(outcomes="1", figures={"model_calls": calls})
        assert compared(now, before, 0).verdict == verdict
    wrong = Accepted(outcomes="x", figures={"model_calls": 10})
    safer = Accepted(outcomes="1", figures={"model_calls": 12})
    assert compared(safer, wrong, 0).verdict == "improved"


def test_what_a_library_itself_reproduces_must_not_fall() -> None:
    before = Accepted(outcomes="1" * 40, figures={"as_it_is": 40})
    for count, verdict in ((40, "as good"), (38, "as good"), (37, "fell")):
        now = Accepted(outcomes="1" * 40, figures={"as_it_is": count})
        assert compared(now, before, 0.05).verdict == verdict


def test_a_case_that_vanishes_is_told(tmp_path: Path) -> None:
    table = Table(format=2, accepted={"w, shown": Accepted(outcomes="1")})
    vanished = Ended(unit("w", {}), {"w, hidden": Accepted(outcomes="1")})
    assert missing({"w, hidden": Accepted(outcomes="1")}, [vanished], table).keys() == {"w, shown"}
    assert not missing({}, [Ended(unit("w", {}), skipped="no data")], table)
    assert not missing({}, [Ended(unit("other", {}))], table)


# -- running ---------------------------------------------------------------------------


def test_units_are_run_and_kept_until_the_run_is_complete(tmp_path: Path) -> None:
    units = [unit("a", {"a": "10"}), unit("b", {"b, one": "1", "b, two": "x"})]
    told: list[tuple[str, int, int]] = []
    where = place(tmp_path)
    with where.open() as resumed:
        assert not resumed
        ended = run_units(units, where, progress=lambda e, d, o: told.append((e.unit.name, d, o)))
    results, margins = joined(ended, {})
    assert {name: each.outcomes for name, each in results.items()} == {
        "a": "10",
        "b, one": "1",
        "b, two": "x",
    }
    assert set(margins) == set(results)
    assert [done for _, done, _ in told] == [1, 2]
    with place(tmp_path).open() as resumed:
        assert resumed
        again = run_units(units, where)
        assert [each.seconds for each in again] == [0, 0]
        assert joined(again, {}) == joined(ended, {})
        where.finish()
    with place(tmp_path).open() as resumed:
        assert not resumed
        assert all(each.seconds for each in run_units(units, where))


def test_another_table_begins_another_run(tmp_path: Path) -> None:
    with place(tmp_path, "one").open():
        run_units([unit("a", {"a": "1"})], place(tmp_path))
    with place(tmp_path, "two").open() as resumed:
        assert not resumed
        assert not (tmp_path / "run" / "answers").exists()


def test_two_runs_do_not_share_a_folder_nor_take_one_that_holds_something_else(
    tmp_path: Path,
) -> None:
    with (
        place(tmp_path).open(),
        pytest.raises(LockError, match="under way"),
        place(tmp_path).open(),
    ):
        pass
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").write_text("mine")
    with pytest.raises(DataError, match="holds no run"), Workplace(tmp_path / "other", "").open():
        pass
    assert (tmp_path / "other" / "file").read_text() == "mine"


def test_what_fails_spoils_nothing_else(tmp_path: Path) -> None:
    broken = replace(unit("broken", {}), command=("-c", "raise SystemExit('it broke')"))
    silent = replace(unit("silent", {}), command=("-c", ""))
    needy = unit("needy", {"needy": "1"}, library="lib")
    lesson = replace(unit("learning lib", {}, makes="lib"), command=broken.command)
    lacking = replace(
        unit("lacking", {}), command=("-c", "raise SystemExit('no ALFWorld data below x')")
    )
    units = [lesson, broken, silent, needy, lacking, unit("good", {"good": "1"})]
    with place(tmp_path).open():
        ended = {each.unit.name: each for each in run_units(units, place(tmp_path))}
    assert ended["broken"].failed == "it broke"
    assert "no result" in ended["silent"].failed
    assert ended["needy"].failed == "it broke"
    assert ended["lacking"].skipped == "no ALFWorld data below x"
    assert ended["good"].cases["good"].outcomes == "1"


def test_a_change_of_the_code_during_a_run_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = place(tmp_path)
    with where.open():
        where.check()
        monkeypatch.setattr("macla.evals.acceptance.running.code_digest", lambda: "other")
        with pytest.raises(DataError, match="changed during the run"):
            where.check()


def test_a_killed_first_start_leaves_a_folder_that_can_be_used(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.lock").touch()
    with place(tmp_path).open() as resumed:
        assert not resumed


def test_a_baseline_belongs_to_its_case(tmp_path: Path) -> None:
    def read(document: Any) -> dict[str, Accepted]:
        return {"a": Accepted(outcomes="0", baselines={"random": 3})}

    units = [unit("a", {"a": "11"}), replace(unit("a: random", {}, baseline=True), read=read)]
    with place(tmp_path).open():
        results, _ = joined(run_units(units, place(tmp_path)), {})
    assert results == {"a": Accepted(outcomes="11", baselines={"random": 3})}
    before = {"a": Accepted(outcomes="0", baselines={"nearest": 5})}
    assert joined([Ended(unit("a", {}), results)], before)[0]["a"].baselines == {
        "nearest": 5,
        "random": 3,
    }


def test_baselines_are_played_until_they_are_known() -> None:
    table = Table.model_validate(
        {
            "format": 2,
            "libraries": {"lib": "alfworld"},
            "games": {"a": {"library": "lib", "eval": "alfworld --split s"}},
        }
    )
    assert [each.name for each in units_of(table)] == [
        "learning lib",
        "a",
        "a: random",
        "a: nearest",
        "a: rebound",
    ]
    accepted = {"a": Accepted(outcomes="1", baselines={"random": 0, "nearest": 0})}
    known = table.model_copy(update={"accepted": accepted})
    assert [each.name for each in units_of(known)] == ["learning lib", "a", "a: rebound"]


# -- as a command ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with demonstrations, games never seen, and a table."""
    folder = tmp_path_factory.mktemp("home")
    learned = write_games(folder / "learn", 5, seed=5)
    write_games(folder / "play", 8, seed=5, start=5)
    shown = [demonstrate(load_game(file)) for file in learned]
    write_trajectories(folder / "alfworld.jsonl", shown)
    document = {
        "format": 2,
        "libraries": {
            "lib": f"learn {folder / 'alfworld.jsonl'} --world domain=alfworld",
            "none": "learn alfworld --episodes 9",
        },
        "games": {
            "household": {"library": "lib", "eval": f"alfworld --split {folder / 'play'}"},
            "mistyped": {"library": "lib", "eval": "alfworld --split x --world max-steps=0"},
            "absent": {"library": "none", "eval": "alfworld --split valid_seen"},
        },
    }
    (folder / "accepted.json").write_text(json.dumps(document))
    return folder


def test_the_command(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACLA_DATA", str(tmp_path))
    file = tmp_path / "accepted.json"
    file.write_bytes((home / "accepted.json").read_bytes())
    call = ("--accepted", file, "--run", tmp_path / "run")
    first = run_module(main, *call, "--accept")
    assert first.returncode == 1, first.stderr  # one case fails, whatever is accepted
    assert "failed: mistyped" in first.stderr
    assert "left out: absent: " in first.stderr, first.stderr
    accepted = read_table(file).accepted["household"]
    assert len(accepted.outcomes) == 8
    assert set(accepted.baselines) == {"nearest", "random", "rebound"}
    document = json_of_module(main, *call, "--only", "household")
    assert document["cases"]["household"]["verdict"] == "as good"
    assert document["cases"]["household"]["outcomes"] == accepted.outcomes
    table = read_table(file)
    better = accepted.model_copy(update={"outcomes": "1" * 8})
    worse = accepted.model_copy(update={"outcomes": "0" * 8})
    for result, code, text in ((worse, 0, "improved: household"), (better, 1, "FELL: household")):
        write_table(file, table.model_copy(update={"accepted": {"household": result}}))
        told = run_module(main, *call, "--only", "household")
        if result != better or "0" in accepted.outcomes:
            assert told.returncode == code
            assert text in told.stdout
    assert run_module(main, *call, "--only", "nothing").returncode == 2


def test_an_interrupted_run_is_resumed(home: Path, tmp_path: Path) -> None:
    table = json.loads((home / "accepted.json").read_text())
    table["games"]["household again"] = table["games"]["household"]  # one alone may end before
    (tmp_path / "table.json").write_text(json.dumps(table))
    folder = tmp_path / "run"
    words = ["--accepted", tmp_path / "table.json", "--run", folder, "--jobs", "1"]
    command = [sys.executable, "-m", "macla.evals.acceptance", *map(str, words)]
    command += ["--only", "household"]
    process = forking.popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    until = time.monotonic() + 120
    while not list(folder.glob("answers/*.json")) and time.monotonic() < until:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    assert "Traceback" not in error
    resumed = run_module(main, *words, "--only", "household")
    assert resumed.returncode == 0, resumed.stderr
    assert "resumed" in resumed.stderr


# -- showing ---------------------------------------------------------------------------


def test_results_are_shown_as_tables() -> None:
    results = {
        "games": Accepted(outcomes="110", figures={"steps": 3.0}, baselines={"rebound": 2}),
        "ladder, development: w, shown": Accepted(outcomes="10x", baselines={"random": 1}),
        "ladder, development: v, shown": Accepted(outcomes="000", baselines={"rebound": 2}),
        "ladder, development: w, hidden": Accepted(outcomes="111"),
        "foreign: House, 10, shown": Accepted(outcomes="11"),
        "agents, development": Accepted(outcomes="1x", figures={"model_calls": 4}),
    }
    comparison = compared(results["games"], Accepted(outcomes="111"), 0.0)
    text = markdown(sections(results, {"games": comparison}))
    assert "| games | 3 | 2 ↓ | 20.8 to 93.9 | steps 3 |  |  | 2 |" in text
    assert "| w | 1 (1) | 3 |" in text
    assert "| v | 0 <2 |  |" in text
    assert "| all | 1 of 6 (1) | 3 of 3 (0) |" in text
    assert "### Foreign worlds (development)" in text
    assert "| agents, development | 2 | 1 |" in text
