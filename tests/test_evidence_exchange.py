"""Evidence of several machines: any order, any repetition, the same sums; nothing half there."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from command_line import run
from hypothesis import given, settings
from hypothesis import strategies as st
from macla.procedures.common.errors import LedgerError
from macla.procedures.evidence.ledger import Ledger, Outcome
from macla.procedures.library.library import Library


def outcome(run: str, step: int, subject: str = "p", version: int = 1) -> Outcome:
    """The outcome of a key is a function of it: one episode has one course."""
    worked = (len(run) + step + version) % 3 > 0
    return Outcome.of_sums(
        run,
        ("procedure", subject, version, ""),
        (float(worked), float(not worked)),
        "2026-11-20T10:00:00Z",
        step=step,
    )


OUTCOMES = st.builds(
    outcome,
    st.sampled_from(["a", "bb", "ü-run", "run with space"]),
    st.integers(0, 4),
    st.sampled_from(["p", "q"]),
    st.integers(1, 2),
)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_order_and_any_repetition_gives_the_same_sums(data: st.DataObject) -> None:
    machines = data.draw(st.lists(st.lists(OUTCOMES, max_size=8), min_size=1, max_size=4))
    order = data.draw(st.permutations([*range(len(machines))] * 2))
    with TemporaryDirectory() as folder:
        files = []
        for number, rows in enumerate(machines):
            with Ledger.memory() as ledger:
                ledger.record(rows)
                files.append(Path(folder) / f"{number}.jsonl")
                ledger.export_jsonl(files[-1])
        with Ledger.memory() as once, Ledger.memory() as mixed:
            once.record(row for rows in machines for row in rows)
            for number in order:
                mixed.import_jsonl(files[number])
            assert mixed.counts() == once.counts()
            assert mixed.total() == once.total()


@settings(max_examples=40, deadline=None)
@given(st.lists(OUTCOMES, max_size=10), st.lists(OUTCOMES, max_size=10))
def test_merging_commutes_and_is_idempotent(first: list[Outcome], second: list[Outcome]) -> None:
    with Ledger.memory() as a, Ledger.memory() as b:
        a.record(first)
        b.record(second)
        new = a.merge(("b", row) for row in b.rows())
        b.merge(("a", row) for row in list(a.rows()))
        assert a.counts() == b.counts()
        assert new == a.total() - len({(r.run, r.step, r.subject, r.version) for r in first})
        assert a.merge(("b", row) for row in b.rows()) == 0


@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"run": "x", "step": 0', "not an exported outcome"),
        ("[]", "not an object"),
        ("{}", "without 'at', 'failures', 'outcome', 'run'"),
        ('{"run": "x", "unknown": 1}', r"not an exported outcome \(unknown 'unknown'\)"),
        ("\x00\x01", "not an exported outcome"),
        ("[" * 100_000, "not an exported outcome"),
    ],
)
def test_a_broken_line_is_named_and_nothing_is_kept(
    position: int, line: str, expected: str, tmp_path: Path
) -> None:
    lines = [json.dumps(outcome("good", step).to_json()) for step in range(3)]
    lines.insert(position, line)
    file = tmp_path / "theirs.jsonl"
    file.write_text("\n".join(lines))
    with Ledger.memory() as ledger:
        ledger.record([outcome("mine", 0)])
        with pytest.raises(LedgerError, match=rf"theirs\.jsonl:{position + 1}: .*{expected}"):
            ledger.import_jsonl(file)
        assert ledger.total() == 1


@pytest.mark.parametrize("field", ["successes", "failures", "outcome"])
def test_a_row_that_contradicts_another_is_refused_in_either_order(
    field: str, tmp_path: Path
) -> None:
    mine = outcome("same", 0).to_json()
    changed: dict[str, Any] = {"successes": 7.0, "failures": 7.0, "outcome": "aborted"}
    theirs = mine | {field: changed[field]}
    files = []
    for number, row in enumerate((mine, theirs)):
        files.append(tmp_path / f"{number}.jsonl")
        files[-1].write_text(f"{json.dumps(outcome('other', number).to_json())}\n{json.dumps(row)}")
    for first, second in (files, files[::-1]):
        with Ledger.memory() as ledger:
            assert ledger.import_jsonl(first) == 2
            with pytest.raises(LedgerError, match=rf"{second.name}:2: .*'same', step 0"):
                ledger.import_jsonl(second)
            assert ledger.total() == 2


def test_the_time_at_which_a_row_was_written_is_no_contradiction(tmp_path: Path) -> None:
    later = outcome("same", 0).to_json() | {"at": "2027-01-01T00:00:00Z"}
    file = tmp_path / "later.jsonl"
    file.write_text(json.dumps(later))
    with Ledger.memory() as ledger:
        ledger.record([outcome("same", 0)])
        assert ledger.import_jsonl(file) == 0


@pytest.fixture
def libraries(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "one", tmp_path / "two"
    for number, path in enumerate(paths):
        Library.create(path, domain="test", embedding="static")
        with Ledger.open(path / ".macla" / "evidence.db") as ledger:
            ledger.record(outcome(f"machine-{number}", step) for step in range(3 + number))
    return paths


def test_export_and_import_by_command(libraries: tuple[Path, Path], tmp_path: Path) -> None:
    one, two = libraries
    file = tmp_path / "one.jsonl"
    assert "3 rows" in run("evidence", "export", file, "--library", one).output
    assert "3 rows new" in run("evidence", "import", file, "--library", two).output
    done = run("evidence", "import", file, file, "--library", two, "--json")
    assert json.loads(done.stdout) == {"library": str(two), "new": {str(file): 0}, "rows": 7}


def test_merge_by_command(libraries: tuple[Path, Path]) -> None:
    one, two = libraries
    done = json.loads(run("evidence", "merge", one, two, "--json").stdout)
    assert (done["new"], done["rows"]) == (4, 7)
    done = json.loads(
        run("evidence", "merge", two / ".macla" / "evidence.db", one, "--json").stdout
    )
    assert (done["new"], done["rows"]) == (3, 7)


def test_a_library_without_evidence_exports_nothing_and_gets_no_ledger(tmp_path: Path) -> None:
    Library.create(tmp_path / "lib", domain="test", embedding="static")
    file = tmp_path / "none.jsonl"
    assert run("evidence", "export", file, "--library", tmp_path / "lib").exit_code == 0
    assert file.read_text() == ""
    assert not (tmp_path / "lib" / ".macla" / "evidence.db").exists()


def test_what_is_no_evidence_is_refused(libraries: tuple[Path, Path], tmp_path: Path) -> None:
    one, _ = libraries
    broken = tmp_path / "broken.jsonl"
    broken.write_text("no\n")
    picture = tmp_path / "evidence.db"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" * 100)
    for arguments in (
        ("import", broken, "--library", one),
        ("import", tmp_path / "none.jsonl", "--library", one),
        ("import", broken, "--library", tmp_path),
        ("export", tmp_path / "none" / "x.jsonl", "--library", one),
        ("merge", one, picture),
        ("merge", one, tmp_path / "none"),
        ("merge", tmp_path, one),
    ):
        done = run("evidence", *arguments)
        assert done.exit_code == 2, (arguments, done.output)
        assert "Traceback" not in done.output
    with Ledger.open(one / ".macla" / "evidence.db") as ledger:
        assert ledger.total() == 3
