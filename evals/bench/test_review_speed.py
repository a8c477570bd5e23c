"""Speed of what a review waits for: a diff of two libraries, a validation of a large one.

Run with ``pytest evals/bench/test_review_speed.py --benchmark-only``. Caches are emptied before
each round, so that every file is read.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from macla.evals.bench.documents import procedure_document
from macla.procedures.diff import diff_libraries, library_lines
from macla.procedures.files import scanning
from macla.procedures.library.library import Library, validate_library
from macla.procedures.model.procedure import MetaProcedure, Procedure


def make(folder: Path, procedures: int, metas: int, changed: int = 0) -> Path:
    """Make a library whose first procedures are changed."""

    def procedure(number: int) -> Procedure:
        document = {
            **procedure_document(number),
            "provenance": {"learned_from": f"{number} segments"},
        }
        if number < changed:
            document["version"] = 2
            document["steps"].insert(1, {"do": "wait"})
            document["steps"][2]["when"] = 'observed("Shut.")'
        return Procedure.from_document(document)

    items = [procedure(number) for number in range(procedures)]
    plans = [
        MetaProcedure.from_document(
            {
                "kind": "meta",
                "id": f"plan-{number}",
                "version": 1,
                "goal": f"do {number} with {{a}}",
                "parameters": {"a": {"source": "task"}},
                "plan": [{"run": items[number].ref, "with": {"x": "a"}, "abort": "exhausted"}],
            }
        )
        for number in range(metas)
    ]
    Library.create(folder, domain="bench", embedding="static").write_all(items, plans)
    return folder


def forget() -> None:
    scanning._scans.clear()


@pytest.mark.parametrize("changed", [0, 60, 200])
def test_diff_of_two_libraries_of_200(benchmark: Any, tmp_path: Path, changed: int) -> None:
    old = make(tmp_path / "old", 200, 50)
    new = make(tmp_path / "new", 200, 50, changed)

    def run() -> int:
        contents = scanning.load(old), scanning.load(new)
        assert contents[0] is not None
        assert contents[1] is not None
        diff = diff_libraries(contents[0], contents[1])
        list(library_lines(diff))
        return len(diff.documents)

    found = benchmark.pedantic(run, setup=forget, rounds=5)
    assert found >= changed


def test_validation_of_1000(benchmark: Any, tmp_path: Path) -> None:
    library = make(tmp_path / "lib", 1000, 50)
    findings = benchmark.pedantic(lambda: validate_library(library), setup=forget, rounds=3)
    assert findings == []
