"""Each official scorer on golden inputs, worked out by hand, and scorers that are off by one.

What the official programs themselves say of real inputs is in the tests ``…_golden``, ``…_real``
and ``…_evaluator``, which need the benchmarks' data; these need none.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from macla.evals.intercode_sql import reward as sql
from macla.evals.travelplanner import cost, evaluator
from macla.evals.travelplanner.database import open_database
from macla.evals.travelplanner.plan import read_plan
from macla.evals.travelplanner.tasks import trips_of_split
from macla.evals.webshop import reward as webshop
from small_shop import small_shop
from travel_world import good_plan, task, write_world


def golden_sql(folder: Path) -> list[tuple[float, float]]:
    """Return (scored, golden) of answers."""
    rows = [(1,), (2,), (3,)]
    return [
        (sql.graded(rows, rows), 1.0),
        (sql.graded(None, []), 0.0),
        (sql.graded([], []), 1.0),
        (sql.graded([(1,), (1,)], [(1,)]), 0.5),
        (sql.graded([(2,), (1,), (4,)], rows), -0.5),
        (sql.graded([(1,), (3,), (2,)], rows), 0.33),  # τ 1/3 of all rows, to two places
    ]


def golden_webshop(folder: Path) -> list[tuple[float, float]]:
    """Return (scored, golden) of purchases: one of price, options and attributes each."""
    shop = small_shop()
    lantern = next(goal for goal in shop.goals if goal.product.id == "B000000001")
    bought = lantern.product
    price = shop.scorer.prices[bought.id]
    wanted = replace(lantern, options={"size": "large", "color": "blue"}, limit=price)
    most = len(bought.wanted) + 3
    reward = shop.scorer.reward
    return [
        (reward(wanted, bought, wanted.options), 1.0),  # a price at the limit is within it
        (reward(replace(wanted, limit=price - 0.01), bought, wanted.options), (most - 1) / most),
        (reward(wanted, bought, {"size": "large"}), (most - 1) / most),
        (reward(wanted, replace(bought, title="zzz"), wanted.options), 0.0),
    ]


def golden_travelplanner(folder: Path) -> list[tuple[float, float]]:
    """Return (scored, golden) of a plan: 440 dollars of flights, 160 of rooms, 120 of meals."""
    found = []
    for people, budget, passed in ((2, 720, 1.0), (2, 719, 0.0), (3, 1160, 1.0), (3, 1159, 0.0)):
        write_world(folder, task(people_number=people, budget=budget))
        (trip,) = trips_of_split("train", folder)
        plan = evaluator.evaluate_plan(trip, read_plan(good_plan()), open_database(folder))
        assert plan.hard is not None
        found.append((float(plan.hard["valid_cost"].passed), passed))
    plan_days = read_plan(
        [{**good_plan()[0], "transportation": "Self-driving, from Arden to Brill"}]
    )
    # 190 km: 9 dollars a car of five; a room of 80 for two each, a meal of 10 each.
    for people, dollars in ((5, 9 + 240 + 50), (6, 18 + 240 + 60)):
        day = cost.cost_of_day(plan_days[0], people, open_database(folder))
        found.append((day.dollars, float(dollars)))
    return found


def right(found: list[tuple[float, float]]) -> bool:
    return all(scored == pytest.approx(golden) for scored, golden in found)


GOLDEN = (golden_sql, golden_webshop, golden_travelplanner)
OVERLAP, ATTRIBUTES, OPTIONS = sql._overlap, webshop._attributes_met, webshop._options_met
CENT = 0.01
MUTANTS: list[tuple[Callable[[Path], Any], Any, str, Any]] = [
    (golden_sql, sql, "_overlap", lambda a, b: OVERLAP(a, [*b, "more"])),
    (golden_sql, sql, "_overlap", lambda a, b: OVERLAP(list(set(a)), list(set(b)))),
    (golden_sql, sql, "rank_correlation", lambda a, b: None),
    (golden_sql, sql, "round", lambda value, places: round(value, places - 1)),
    (golden_webshop, webshop, "_attributes_met", lambda g, b: ATTRIBUTES(g, b) - 1),
    (golden_webshop, webshop, "_options_met", lambda g, c: OPTIONS(g, c) + 1),
    (golden_webshop, webshop, "_options_met", lambda g, c: len(g.options)),
    (golden_webshop, webshop.Scorer, "_same_kind", lambda *_: 1.0),
    (golden_travelplanner, cost, "_IN_A_CAR", 6),
    (golden_travelplanner, cost, "math", SimpleNamespace(ceil=math.floor)),
]


@pytest.mark.parametrize("golden", GOLDEN)
def test_golden_inputs(golden: Callable[[Path], Any], tmp_path: Path) -> None:
    pytest.importorskip("thefuzz")
    assert right(golden(tmp_path))


@pytest.mark.parametrize(("golden", "place", "name", "lie"), MUTANTS)
def test_a_scorer_that_is_off_is_caught(
    golden: Callable[[Path], Any],
    place: Any,
    name: str,
    lie: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("thefuzz")
    monkeypatch.setattr(place, name, lie, raising=False)
    assert not right(golden(tmp_path))


@pytest.mark.parametrize("cents", [-1, 1])
def test_a_price_that_is_off_by_a_cent_is_caught(
    cents: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("thefuzz")
    honest = webshop.Scorer.reward

    def lying(scorer: webshop.Scorer, goal: Any, *bought: Any) -> float:
        return honest(scorer, replace(goal, limit=goal.limit + cents * CENT), *bought)

    monkeypatch.setattr(webshop.Scorer, "reward", lying)
    assert not right(golden_webshop(tmp_path))
