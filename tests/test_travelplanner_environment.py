"""Sole planning as an environment, on an invented country."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from macla.evals.suites.suites import make_suite
from macla.evals.travelplanner.database import open_database
from macla.evals.travelplanner.demonstrations import demonstration
from macla.evals.travelplanner.environment import MAX_STEPS, TravelPlannerEnvironment
from macla.evals.travelplanner.evaluator import COMMONSENSE, evaluate_plan
from macla.evals.travelplanner.plan import read_plan
from macla.evals.travelplanner.reference import reference_information
from macla.evals.travelplanner.tasks import Trip, data_root, read_trips, trips_of_split
from macla.procedures.common.errors import DataError, EnvironmentFailure, MissingDataError
from macla.procedures.episodes.trajectories import find_problem
from travel_world import good_plan, task, write_world

_DATA = data_root()
needs_data = pytest.mark.skipif(
    not (_DATA / "train.json").exists(), reason=f"no TravelPlanner data: {_DATA}"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_world(tmp_path)


def _trip(root: Path, **changes: Any) -> Trip:
    write_world(root, task(**changes))
    return trips_of_split("train", root)[0]


def _changed(day: int, **fields: Any) -> list[dict[str, Any]]:
    plan = good_plan()
    plan[day] |= fields
    return plan


def _failed(root: Path, plan: list[dict[str, Any]], **changes: Any) -> set[str]:
    evaluation = evaluate_plan(_trip(root, **changes), read_plan(plan), open_database(root))
    verdicts = {**evaluation.commonsense, **(evaluation.hard or {})}
    failed = {name for name, verdict in verdicts.items() if not verdict.passed}
    return failed | (set() if evaluation.hard is not None else {"skipped"})


def test_a_good_plan_passes(root: Path) -> None:
    assert _failed(root, good_plan()) == set()


@pytest.mark.parametrize(
    ("plan", "failed"),
    [
        (_changed(0, current_city="from Crome to Brill"), {"is_reasonable_visiting_city"}),
        (_changed(2, current_city="from Brill to Crome"), {"is_reasonable_visiting_city"}),
        (_changed(2, breakfast="Brill diner 0, Brill"), {"is_valid_restaurants"}),
        (
            _changed(1, attraction="Brill museum 0, Brill;Brill museum 0, Brill;"),
            {"is_valid_attractions"},
        ),
        (_changed(1, attraction="Brill museum 0, Brill;Brill museum 0, Brill"), set()),
        (_changed(1, attraction="No such, Brill;"), {"is_valid_information_in_sandbox", "skipped"}),
        (_changed(1, attraction="No such, Brill"), set()),  # what follows the last ; is not read
        (_changed(0, accommodation="Villa, Brill"), {"is_valid_accommodation"}),
        (_changed(0, transportation="Self-driving, from Arden to Brill"), {"is_valid_transp"}),
        (_changed(0, transportation="Taxi, from Arden to Brill"), set()),
        (_changed(0, dinner="Crome diner 0, Crome"), {"is_valid_information_in_current_city"}),
        (_changed(1, lunch="-"), {"is_not_absent", "skipped"}),
        (_changed(1, accommodation="-"), {"is_not_absent", "skipped"}),
        (_changed(2, transportation="-"), {"is_not_absent", "skipped"}),
        (_changed(0, transportation="Flight Number: F2, from Arden to Brill"), {"is_valid_infor"}),
        (good_plan()[:2], {"is_not_absent", "skipped"}),
        ([{} for _ in range(3)], {"is_not_absent", "skipped"}),
        ([*good_plan(), {"lunch": "No such, Nowhere"}], set()),
    ],
)
def test_each_check_fails_alone(root: Path, plan: list[dict[str, Any]], failed: set[str]) -> None:
    told = _failed(root, plan)
    if not failed:
        assert told == set()
    assert all(any(name.startswith(part) for name in told) for part in failed)


@pytest.mark.parametrize(
    ("changes", "failed"),
    [
        ({"budget": 720}, set()),  # flights 440, rooms 160, meals 120
        ({"budget": 719}, {"valid_cost"}),
        ({"people_number": 3, "budget": 1159}, {"valid_cost"}),
        ({"wishes": {"house rule": "pets"}}, {"valid_room_rule"}),
        ({"wishes": {"house rule": "smoking"}}, set()),
        ({"wishes": {"cuisine": ["French", "Indian"]}}, set()),
        ({"wishes": {"cuisine": ["French", "Greek"]}}, {"valid_cuisine"}),
        ({"wishes": {"room type": "entire room"}}, {"valid_room_type"}),
        ({"wishes": {"room type": "not shared room"}}, set()),
        ({"wishes": {"transportation": "no flight"}}, {"valid_transportation"}),
        ({"wishes": {"transportation": "no self-driving"}}, set()),
    ],
)
def test_hard_checks(root: Path, changes: dict[str, Any], failed: set[str]) -> None:
    assert _failed(root, good_plan(), **changes) == failed


def test_an_episode(root: Path) -> None:
    environment = TravelPlannerEnvironment(root=root)
    trip = _trip(root)
    said, told = environment.reset(trip)
    assert said == trip.query
    tables = json.loads(told)
    assert [row["city"] for row in tables["cities"]] == ["Brill"]
    assert {row["Flight Number"] for row in tables["flights"]} == {"F1", "F2"}
    day = good_plan()[0] | {"people_number": 2}
    answer = environment.step(f"CostEnquiry[{json.dumps(day)}]")
    assert answer[:3] == ("The cost of your plan is 300.0 dollars.", 0.0, False)
    answer = environment.step(f"Finish[{json.dumps(good_plan())}]")
    assert answer[1:] == (1.0, True, {"won": True})
    assert environment.step("Finish[[]]")[2]


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("", "Invalid Action"),
        ("dance", "Invalid Action"),
        ("Fly[away]", "Invalid Action"),
        ("CostEnquiry[]", "Sorry"),
        ("CostEnquiry[{}]", "people_number"),
        ('CostEnquiry[{"people_number": -1}]', "people_number"),
        ('CostEnquiry[{"people_number": "two"}]', "people_number"),
        ('CostEnquiry[{"people_number": true}]', "people_number"),
        ('CostEnquiry[{"people_number": 1, "lunch": 5}]', "must be a text"),
        ('CostEnquiry[{"people_number": 1, "dinner": "No such, Nowhere"}]', "dinner information"),
        ('CostEnquiry[{"people_number": 1, "transportation": "Flight Number"}]', "not valid"),
        ('CostEnquiry[{"people_number": 1, "transportation": "Taxi from Q to R"}]', "not valid"),
        ("CostEnquiry[" + "[" * 10_000 + "]", "no JSON"),
        ("CostEnquiry[" + "[" * 10_000 + "]" * 10_000 + "]", "Sorry"),
        ("Finish[" + "[" * 10_000 + "]" * 10_000 + "]", "no plan"),
        ("Finish[no JSON]", "no plan"),
        ('Finish[{"days": 1}]', "no plan"),
        ("Finish[" + "9" * 5_000 + "]", "no plan"),
    ],
)
def test_bad_input_gets_an_answer_and_the_episode_goes_on(
    root: Path, action: str, told: str
) -> None:
    environment = TravelPlannerEnvironment(root=root)
    environment.reset(_trip(root))
    observation, reward, done, info = environment.step(action)
    assert told in observation
    assert (reward, done, info) == (0.0, False, {"won": False})


@pytest.mark.parametrize("action", [None, 5, b"Finish[[]]", [], {}])
def test_what_is_no_text_is_an_error_and_the_episode_goes_on(root: Path, action: Any) -> None:
    environment = TravelPlannerEnvironment(root=root)
    environment.reset(_trip(root))
    with pytest.raises(EnvironmentFailure, match="takes an action as text, not"):
        environment.step(action)
    assert not environment.step("Finish[no JSON]")[2]


def test_days_beyond_the_trip_are_not_looked_at(root: Path) -> None:
    environment = TravelPlannerEnvironment(root=root)
    environment.reset(_trip(root))
    extra = {"days": 4, "current_city": "Nowhere", "transportation": "Taxi from Q to R"}
    answer = environment.step(f"Finish[{json.dumps([*good_plan(), extra])}]")
    assert answer[1:] == (1.0, True, {"won": True})


def test_a_cost_that_a_plan_states_counts_nothing(root: Path) -> None:
    environment = TravelPlannerEnvironment(root=root)
    environment.reset(_trip(root, budget=5))
    plan = [{**day, "cost": -1_000} for day in good_plan()]
    told, reward, done, _ = environment.step(f"Finish[{json.dumps(plan)}]")
    assert done
    assert reward < 1.0
    assert "valid_cost" in told


def test_plans_of_unknown_places_fail_without_a_crash(root: Path) -> None:
    environment = TravelPlannerEnvironment(root=root)
    plan = [
        dict.fromkeys(("current_city", "transportation", "lunch"), "from Nowhere, Q"),
        {"transportation": "Flight Number: ", "current_city": "from to"},
        {"days": 3, "accommodation": ", ", "attraction": ";;;", "current_city": "from"},
        *good_plan() * 50,
    ]
    environment.reset(_trip(root))
    _, reward, done, info = environment.step(f"Finish[{json.dumps(plan)}]")
    assert done
    assert not info["won"]
    assert 0 <= reward < 1


def test_thirty_actions_are_all(root: Path) -> None:
    environment = TravelPlannerEnvironment(root=root)
    environment.reset(_trip(root))
    ends = [environment.step("dance")[2] for _ in range(MAX_STEPS)]
    assert ends == [False] * (MAX_STEPS - 1) + [True]


def test_only_the_sentence_and_the_tables_reach_the_agent(root: Path) -> None:
    plain = _trip(root)
    other = _trip(root, budget=5, people_number=9, wishes={"house rule": "pets"})
    for source in ("reference", "database"):
        environment = TravelPlannerEnvironment(source, root)
        assert environment.reset(plain) == environment.reset(other)


def test_the_database_tells_of_all_cities_of_a_state(root: Path) -> None:
    trip = _trip(root, dest="Eastmark", days=5, date=[f"2022-03-0{i}" for i in range(1, 6)])
    database = open_database(root)
    told = {
        s: json.loads(reference_information(trip, database, s)) for s in ("reference", "database")
    }
    assert [row["city"] for row in told["database"]["cities"]] == ["Brill", "Crome"]
    assert [row["city"] for row in told["reference"]["cities"]] == ["Brill"]
    with pytest.raises(DataError, match="reference and database, not"):
        reference_information(trip, database, "memory")


def test_a_human_plan_becomes_an_episode(root: Path) -> None:
    human = [{}, [*_changed(1, current_city="Brill(Eastmark)"), {}, {}]]
    shown = demonstration(_trip(root, annotated_plan=human), "reference", root)
    assert shown.success
    assert [act.partition("[")[0] for act in shown.acts] == ["CostEnquiry"] * 3 + ["Finish"]
    assert "Eastmark" not in "".join(shown.acts)
    assert find_problem(shown.to_document()) is None


def test_the_suite(root: Path) -> None:
    suite = make_suite("travelplanner", data=root, source="database")
    assert [each.id for each in suite.tasks("train")] == ["0"]
    pickle.loads(pickle.dumps(suite.tasks("train")))
    assert dict(suite.facts()) == {"source": "database"}
    with pytest.raises(DataError, match="no list of possible actions"):
        suite.environment(show_admissible=True)
    with pytest.raises(DataError, match="reference, database, not"):
        make_suite("travelplanner", source="memory")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no JSON"),
        ("{}", "no list"),
        ("[]", "no list"),
        ("[1]", "task 0"),
        ("[" * 10_000, "no JSON"),
        (json.dumps([task(days=-3)]), "days must be a whole number from 1"),
        (json.dumps([task(people_number=10**9)]), "people_number must be"),
        (json.dumps([task(org=7)]), "org must be the name of a place"),
        (json.dumps([task(budget="inf")]), "budget must be a sum of money"),
        (json.dumps([task(date="2022-03-16")]), "date must be a list of"),
        (json.dumps([task(query=" ")]), "query is no text"),
        (json.dumps([task(), task()]), "one idx"),
        (json.dumps([{"idx": 1}]), "'local_constraint' is missing"),
    ],
)
def test_a_file_that_holds_no_tasks_says_so(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "tasks.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=problem):
        read_trips(file)


def test_missing_data_and_splits_say_so(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="MACLA_DATA"):
        trips_of_split("train", tmp_path)
    with pytest.raises(MissingDataError, match="MACLA_DATA"):
        open_database(tmp_path)
    with pytest.raises(DataError, match="there are train, dev, fold0 to fold2"):
        trips_of_split("test", tmp_path)


@needs_data
@pytest.mark.live
def test_folds_and_demonstrations_of_the_data() -> None:
    train = trips_of_split("train")
    folds = [trips_of_split(f"fold{i}") for i in range(3)]
    assert sorted(t.id for fold in folds for t in fold) == sorted(t.id for t in train)
    assert {t.id for t in folds[0]}.isdisjoint(t.id for t in trips_of_split("notfold0"))
    for source in ("reference", "database"):
        shown = [demonstration(trip, source) for trip in train]
        assert all(each.success for each in shown)
    assert len(COMMONSENSE) == 8
