"""``macla evidence fit``: what it says, what it writes, and that nothing changes unasked."""

from __future__ import annotations

from pathlib import Path

import pytest
from macla.procedures.evidence.ledger import Ledger, Outcome
from macla.procedures.library.library import Library
from macla.procedures.method.settings import Method

from .command_line import as_json, run
from .review_library import make_library


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A library whose procedures have been used."""
    root = tmp_path / "lib"
    make_library(root)
    (root / ".macla").mkdir(exist_ok=True)
    with Ledger.open(root / ".macla" / "evidence.db") as ledger:
        ledger.record(
            Outcome.of_sums(
                f"r{i}",
                ("procedure", subject, 1, ""),
                (float(worked), float(not worked)),
                "2026-01-01T00:00:00Z",
                step=step,
            )
            for i in range(40)
            for step, (subject, worked) in enumerate([("fetch", i % 10 > 0), ("lodge", True)])
        )
    return root


def test_nothing_changes_without_write(library: Path) -> None:
    before = (library / "library.yaml").read_bytes()
    document = as_json("evidence", "fit", library)
    assert set(document["fitted"]) == {"prior", "theta_conf", "theta_dup", "weights"}
    assert document["written"] is False
    assert document["fitted"]["prior"]["fitted"] == [1.0, 1.0]  # two subjects say nothing
    assert (library / "library.yaml").read_bytes() == before


def test_written_settings_are_those_that_were_shown(library: Path) -> None:
    fitted = as_json("evidence", "fit", library, "--fallback-value", "0.3", "--write")["fitted"]
    opened = Library.open(library)
    method = Method.from_settings(opened.settings.settings)
    assert method.preset.weights.theta_conf == fitted["theta_conf"]["fitted"]
    assert method.theta_dup == fitted["theta_dup"]["fitted"]
    assert list(method.prior or ()) == fitted["prior"]["fitted"]
    assert run("check", library, "--files").exit_code == 0


def test_a_wrong_setting_stops_every_use_of_the_library(library: Path) -> None:
    file = library / "library.yaml"
    file.write_text(file.read_text().rstrip() + "\nsettings:\n  prior: [0, 1]\n")
    result = run("evidence", "fit", library)
    assert result.exit_code == 2
    assert "prior" in result.stderr
