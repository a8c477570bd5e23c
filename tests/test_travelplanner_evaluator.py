"""The official evaluator: its own verdicts, and the edges of each check on an invented world."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from macla.evals.travelplanner.database import open_database
from macla.evals.travelplanner.evaluator import aggregate, evaluate_plan
from macla.evals.travelplanner.plan import read_plan
from macla.evals.travelplanner.tasks import data_root, trips_of_split
from macla.procedures.common.errors import DataError

_GOLDEN = data_root() / "evaluator_golden.json"
live = pytest.mark.live
needs_data = pytest.mark.skipif(not _GOLDEN.exists(), reason=f"no TravelPlanner data: {_GOLDEN}")


@needs_data
@live
def test_every_golden_verdict_is_reproduced() -> None:
    database = open_database()
    golden = json.loads(_GOLDEN.read_bytes())["gpt4_direct_even_half"]
    trips = {trip.id: trip for trip in trips_of_split("dev")}
    evaluations = []
    for plan in golden["plans"]:
        trip = trips[str(plan["idx"])]
        evaluation = evaluate_plan(trip, read_plan(plan["plan"]), database)
        evaluations.append(evaluation)
        expected = plan["expected"]
        assert evaluation.delivered == expected["delivered"]
        told = {name: verdict.passed for name, verdict in evaluation.commonsense.items()}
        assert told == expected["commonsense"], plan["idx"]
        asked = {k: v for k, v in (expected["hard"] or {}).items() if v is not None}
        assert (evaluation.hard is None) == (expected["hard"] is None)
        told = {name: verdict.passed for name, verdict in (evaluation.hard or {}).items()}
        assert told == asked, plan["idx"]
    order = [trips[str(plan["idx"])] for plan in golden["plans"]]
    figures = asdict(aggregate(order, evaluations))
    assert figures == pytest.approx(golden["aggregate"])
    shown = [round(100 * figures[key], 2) for key in figures if key not in ("n", "hard_total")]
    assert shown == [100.0, 80.14, 16.67, 24.76, 11.11, 3.33]


@needs_data
@live
def test_human_plans_pass_everything() -> None:
    database = open_database()
    trips = trips_of_split("train")
    evaluations = [evaluate_plan(t, read_plan(list(t.human_plan)), database) for t in trips]
    figures = asdict(aggregate(trips, evaluations))
    assert figures == pytest.approx(json.loads(_GOLDEN.read_bytes())["gold_train"]["aggregate"])
    assert all(evaluation.passed for evaluation in evaluations)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "{}",
        "7",
        "null",
        '"a text"',
        "[1]",
        "[[]]",
        '[{"lunch": 7}]',
        '[{"current_city": ["A"]}]',
        "[" * 10_000,
        "[" * 10_000 + "]" * 10_000,
        "[" + ",".join(["{}"] * 2_000) + "]",
    ],
)
def test_what_is_no_plan_is_a_clear_error(text: str) -> None:
    with pytest.raises(DataError, match=r"plan|day|must be a text"):
        read_plan(text)
