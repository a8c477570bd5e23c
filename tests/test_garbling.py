"""No agent reads what only the reward may read: garbled, it changes the pay and no action."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlglot", reason="needs the extra intercode-sql")

from command_line import run
from macla.evals.garbling import compare
from macla.evals.players.arms import Setting
from macla.evals.suites.suites import make_suite
from macla.evals.webshop.made import write_made_shop
from small_sql import make_data
from travel_world import good_plan, task, write_world


def _webshop(root: Path) -> dict[str, object]:
    write_made_shop(root / "webshop", shown=16, played=4, seed=1)
    return {"split": "dev"}


def _sql(root: Path) -> dict[str, object]:
    make_data(root)
    return {"split": "own"}


def _travelplanner(root: Path) -> dict[str, object]:
    human = task(annotated_plan=[{}, good_plan()])
    write_world(root, human)
    return {"split": "train", "source": "database"}


@pytest.mark.parametrize(
    ("name", "write"),
    [("webshop", _webshop), ("intercode-sql", _sql), ("travelplanner", _travelplanner)],
)
def test_garbled_fields_change_what_is_paid_and_no_action(name, write, tmp_path) -> None:
    options = write(tmp_path)
    split = options.pop("split")
    learned = run("learn", name, "--library", tmp_path / "lib", "--data", tmp_path)
    assert learned.exit_code == 0, learned.output
    suite = make_suite(name, data=tmp_path, **options)
    setting = Setting(suite, library=str(tmp_path / "lib"), max_steps=suite.max_steps)
    found = compare(setting, suite.tasks(split))
    assert found.paid > found.paid_garbled + 0.1  # else nothing was garbled
    assert found.same == found.episodes > 0
