"""Arrangements: learned from demonstrations of an invented world, written, and played."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

import pytest
from macla.procedures.arrangements.arrangement import (
    Arrangement,
    AtMostUses,
    Cost,
    Distinct,
    Limit,
    Same,
    Wish,
    WishedValue,
)
from macla.procedures.arrangements.arrangement_document import (
    arrangement_document,
    arrangement_from_document,
)
from macla.procedures.arrangements.arrangement_json import json_text, records_of
from macla.procedures.arrangements.arrangement_search import arranged, solve
from macla.procedures.arrangements.days import days_said
from macla.procedures.arrangements.decision_problem import Problem, Unknown
from macla.procedures.arrangements.learning.arrangement_learner import learn_arrangement
from macla.procedures.arrangements.learning.arrangement_proof import divergence_of
from macla.procedures.arrangements.learning.shown import action_with_json, read_shown
from macla.procedures.arrangements.learning.value_cues import learn_reading
from macla.procedures.arrangements.said_values import names_said, numbers_said, read_value
from macla.procedures.arrangements.table_rows import Tables
from macla.procedures.arrangements.wishes import Mention, mentions_of, stem, wished
from macla.procedures.common.errors import SchemaError
from macla.procedures.episodes.facts import Reader
from macla.procedures.episodes.history import Done
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.learning.arranging import propose_arranging
from macla.procedures.programs.learning.proposing import propose_for_kinds
from macla.procedures.programs.program import Act, Ask, decide
from shelf_world import Errand, cost_of, demonstration, errand, faults

_SHOWN = [demonstration(seed) for seed in range(60)]
_JARS, _LAMPS = "result.jars[]", "result.lamps[]"


@pytest.fixture(scope="module")
def file() -> ProgramFile:
    arranging = propose_arranging(_SHOWN)
    assert arranging is not None
    assert arranging.proposal is not None
    return arranging.proposal.file


@pytest.fixture(scope="module")
def arrangement(file: ProgramFile) -> Arrangement:
    return file.program.steps[0].sources[0].arrangement  # type: ignore[union-attr]


def _play(file: ProgramFile, one: Errand, refused: tuple[str, ...] = ()) -> list[str]:
    """Return what is done; a record with something that is refused is not told of."""
    history = file.begin(one.task, one.observation)
    actions = []
    reader = file.readers()[0]
    while isinstance(decision := decide(file.program, history), Act) and len(actions) < 30:
        action = decision.step.operator.format(*decision.arguments)
        actions.append(action)
        value = action_with_json(action)
        assert value is not None
        if action.startswith("Deliver"):
            break
        known = not any(text in action for text in refused)
        told = f"That makes {cost_of(one, value.value)} coins." if known else "What is that?"
        done = Done(decision.step.id, decision.step.operator, decision.arguments)
        history.add(done, reader.read(told))
    return actions


def _delivered(actions: list[str]) -> list[dict[str, Any]]:
    assert actions[-1].startswith("Deliver[")
    value: list[dict[str, Any]] = json.loads(actions[-1][len("Deliver[") : -1])
    return value


def test_what_held_in_all_demonstrations_is_required(arrangement: Arrangement) -> None:
    assert set(arrangement.require) == {
        Distinct(_JARS),
        Same(_LAMPS),
        AtMostUses(_LAMPS, "least"),
        Limit("limit"),
    }
    assert set(arrangement.costs) == {Cost(_JARS, "price"), Cost(_LAMPS, "price")}
    assert [len(shape.records) for shape in arrangement.shapes] == [2, 3]
    (wish,) = arrangement.wishes
    assert (wish.among, wish.column, wish.said, wish.denied) == (_JARS, "material", "all", "none")
    assert {value.value: value.words for value in wish.values} == {
        **{material: (material,) for material in ("clay", "glass", "tin")},
        "wax": ("wax",),
    }


def test_a_counterexample_refutes(arrangement: Arrangement) -> None:
    twice = _SHOWN[0]
    records = json.loads(twice.acts[-1][len("Deliver[") : -1])
    records[1]["left"] = records[0]["left"]
    asked = tuple(f"Ask[{json.dumps(record)}]" for record in records)
    twice = replace(twice, acts=(*asked, f"Deliver[{json.dumps(records)}]"))
    shown = [each for each in read_shown([twice, *_SHOWN[1:]]) if each is not None]
    learned = learn_arrangement(shown)
    assert learned is not None
    assert Distinct(_JARS) not in learned.require
    assert divergence_of(arrangement, shown[0]) == f"a row of {_JARS} is chosen twice"


def test_new_tasks_are_arranged(file: ProgramFile) -> None:
    assert file.status == "active"
    for seed in range(1000, 1060):
        one = errand(seed)
        actions = _play(file, one)
        assert [act.partition("[")[0] for act in actions[:-1]] == ["Ask"] * one.shelves
        assert faults(one, _delivered(actions)) == [], one.task


def test_the_cheapest_is_found(arrangement: Arrangement) -> None:
    one = errand(7)
    tables = Tables.of(Reader().read(one.observation))
    problem, solution = arranged(arrangement, one.task, tables)
    prices = sorted(
        jar["price"]
        for jar in one.tables["jars"]
        if jar["town"] == one.town
        and (not one.only or jar["material"].startswith(one.only))
        and (not one.without or not jar["material"].startswith(one.without))
    )[: 2 * one.shelves]
    lamp = min(
        lamp["price"]
        for lamp in one.tables["lamps"]
        if lamp["town"] == one.town and lamp["least"] <= one.shelves
    )
    assert solution.cost == sum(prices) + one.shelves * lamp
    assert solution.cost <= problem.limit == one.limit


def test_a_refused_record_is_arranged_anew(file: ProgramFile) -> None:
    one = errand(1001)
    lamp = _delivered(_play(file, one))[0]["lamp"]
    actions = _play(file, one, refused=(lamp,))
    assert lamp not in actions[-1]
    assert faults(one, _delivered(actions)) == []


def test_where_nothing_else_can_be_done_the_first_stands(file: ProgramFile) -> None:
    one = errand(1001)
    everything = tuple(lamp["name"] for lamp in one.tables["lamps"])
    actions = _play(file, one, refused=everything)
    assert faults(one, _delivered(actions)) == []
    assert len(actions) <= 30


@pytest.fixture(scope="module")
def never_refused() -> ProgramFile:
    """Learned where no demonstration was refused anything."""
    arranging = propose_arranging([each for i, each in enumerate(_SHOWN) if i % 10])
    assert arranging is not None
    assert arranging.proposal is not None
    return arranging.proposal.file


def test_a_refusal_that_was_never_shown_is_a_reason_to_hand_over(
    never_refused: ProgramFile,
) -> None:
    one = errand(1001)
    everything = tuple(lamp["name"] for lamp in one.tables["lamps"])
    assert not _play(never_refused, one, refused=everything)[-1].startswith("Deliver")


def test_a_refusal_that_was_never_shown_is_answered_by_what_is_accepted(
    never_refused: ProgramFile,
) -> None:
    one = errand(1001)
    lamp = _delivered(_play(never_refused, one))[0]["lamp"]
    actions = _play(never_refused, one, refused=(lamp,))
    assert lamp not in actions[-1]
    assert faults(one, _delivered(actions)) == []


@pytest.mark.parametrize(
    "change",
    [
        {"task": "Fill 9 shelves in Arl for at most 900 coins."},
        {"task": "Fill the shelves."},
        {"task": ""},
        {"tables": {}},
        {"tables": {"jars": []}},
        {"tables": {"jars": [{"label": None}], "lamps": [7]}},
    ],
)
def test_what_was_never_shown_is_handed_over(file: ProgramFile, change: dict[str, Any]) -> None:
    one = replace(errand(1), **change)
    history = file.begin(one.task, one.observation)
    assert isinstance(decide(file.program, history), Ask)


def test_too_little_is_handed_over(arrangement: Arrangement) -> None:
    one = errand(2)
    few = one.tables | {"jars": one.tables["jars"][:1]}
    with pytest.raises(Unknown, match="nothing that was told fits"):
        arranged(arrangement, one.task, Tables.of(Reader().read(json.dumps(few))))


def test_over_the_limit_the_cheapest_is_what_is_left(arrangement: Arrangement) -> None:
    one = errand(3)
    task = one.task.replace(str(one.limit), "1")
    tables = Tables.of(Reader().read(one.observation))
    problem = Problem(arrangement, task, tables)
    assert problem.limit == 1
    assert solve(problem).cost == solve(Problem(arrangement, one.task, tables)).cost


def test_a_document_comes_back_exactly(file: ProgramFile, arrangement: Arrangement) -> None:
    document = json.loads(json.dumps(arrangement_document(arrangement)))
    assert arrangement_from_document(document) == arrangement
    again = ProgramFile.from_document(json.loads(json.dumps(file.to_document())))
    assert again.does_the_same(file)
    assert again.to_document() == file.to_document()


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (("keys",), None, "not an arrangement"),
        (("shapes", 0, "records", 0, "left"), ["nowhere"], "no 'nowhere' among variables"),
        (("require", 0), {"sum_at_most": "nothing"}, "no 'nothing' below read"),
        (("shapes", 0, "variables"), {"place 1": {"said": "who"}}, "no 'who' below read"),
        (("costs",), [{"among": "x"}], "'column' is missing"),
        (("records",), "many", "no 'many' below read"),
    ],
)
def test_a_document_that_is_none_says_so(
    arrangement: Arrangement, path: tuple[Any, ...], value: object, problem: str
) -> None:
    document = json.loads(json.dumps(arrangement_document(arrangement)))
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(SchemaError, match=problem):
        arrangement_from_document(document)


def test_other_demonstrations_are_left_to_other_programs() -> None:
    other = replace(
        _SHOWN[0], acts=("look", "wait"), obs=("{}", "Nothing.", "Nothing."), task="Wait."
    )
    arranging = propose_arranging([other, *_SHOWN])
    assert arranging is not None
    assert other not in arranging.demonstrations
    assert propose_arranging([other] * 5) is None
    assert propose_arranging([]) is None
    kinds = propose_for_kinds([*_SHOWN, other])
    assert kinds[0].trusted
    assert len(kinds[0].demonstrations) == len(_SHOWN)


@pytest.mark.speed
def test_an_errand_is_done_in_two_seconds(file: ProgramFile) -> None:
    one = errand(5)
    began = time.process_time()
    _play(file, one)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("action", "operator", "value"),
    [
        ("Finish[[{}]]", "Finish[{}]", [{}]),
        ('Ask[{"a": 1}]', "Ask[{}]", {"a": 1}),
        ('say [1 with {"a": [2]} now', "say [1 with {} now", {"a": [2]}),
        ("look", None, None),
        ("Ask[" * 3, None, None),
        ("[" * 10_000, None, None),
        ("{" * 500 + "}" * 500, None, None),
    ],
)
def test_actions_with_json(action: str, operator: str | None, value: object) -> None:
    found = action_with_json(action)
    if operator is None:
        assert found is None
    else:
        assert found is not None
        assert (found.operator, found.value) == (operator, value)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("from March 12th to 14th, 2022", ["2022-03-12", "2022-03-14"]),
        ("the 23rd of March to the 2nd of April, 2022", ["2022-03-23", "2022-04-02"]),
        ("between 2021-05-01 and 2021-05-09", ["2021-05-01", "2021-05-09"]),
        ("on June 31st, 2022", []),
        ("March 3rd", []),
        ("the 3rd of 5 in 2022", []),
        ("2 to 4 March 2022", ["2022-03-02", "2022-03-04"]),
        ("March 3-5, 2022", ["2022-03-03", "2022-03-05"]),
        ("from March 3 to 5, 2022", ["2022-03-03", "2022-03-05"]),
        ("March 13 to March 15 2022", ["2022-03-13", "2022-03-15"]),
        ("28 February until 2nd of March 2022", ["2022-02-28", "2022-03-02"]),
        ("in March 1,500 people came, in 2022 too", []),
        ("May 2, 2020 for 12 people", ["2020-05-02"]),
    ],
)
def test_days_that_are_said(text: str, days: list[str]) -> None:
    assert [str(day) for day in days_said(text)] == days


def test_values_that_are_said() -> None:
    assert [each.value for each in numbers_said("a pair, 2,300 coins and 7 or seven")] == [
        *("2", "2300", "7", "7")
    ]
    said = names_said("from New York to York", ["York", "New York", "Yor"])
    assert sorted(each.value for each in said) == ["New York", "York"]


def test_a_number_beside_the_unit_of_another_quantity_is_not_meant() -> None:
    texts, meant = [], []
    for people, days in ((1, 3), (2, 2), (4, 5), (1, 7), (3, 3), (2, 3), (5, 7), (1, 5)):
        group = f"a group of {people} people" if people > 1 else "me"
        texts.append(f"Plan a {days}-day stay for {group}, at most ${700 * days}.")
        meant.append(str(people))
    reading = learn_reading("people", "number", [*map(numbers_said, texts)], meant, default=True)
    assert {"_ day", "$ _"} <= reading.units
    assert "_ people" not in reading.units
    for text, value in (
        ("I want a plan for a 3-day stay, for at most $900.", "1"),
        ("Plan for a group of 6-day hikers.", "1"),
        ("A 3-day stay for a group of 4, at most $900.", "4"),
        ("A stay for six people.", "6"),
    ):
        assert read_value(reading, numbers_said(text)) == value


def test_days_and_money_are_told_apart() -> None:
    text = "from March 3rd to March 5th, 2022, for 4 people and $2000"
    assert [each.value for each in numbers_said(text)] == ["4", "2000"]
    assert [str(day) for day in days_said(f"At most $2000 {text}")] == ["2022-03-03", "2022-03-05"]


@pytest.mark.parametrize(
    ("text", "denied", "meant"),
    [
        ("no pets, but smoking", {"pets"}, {"smoking"}),
        ("non-shared rooms for pets", {"non", "shared"}, {"rooms", "for", "pets"}),
        ("we won't fly and drive", {"fly"}, {"we", "drive"}),
    ],
)
def test_what_is_denied(text: str, denied: set[str], meant: set[str]) -> None:
    said = mentions_of(text)
    assert {m.word for m in said if m.denied} == denied
    assert {m.word for m in said if not m.denied} == meant
    assert Mention("pets", denied=True) in mentions_of("no pets")


def test_a_word_before_another_one_than_was_shown_is_in_doubt() -> None:
    wish = Wish("", "rooms", "kind", "all", "", (WishedValue("Whole", ("whole rooms",)),))
    assert [each.firm for each in wished(wish, "We want whole rooms.")] == [True]
    assert [each.firm for each in wished(wish, "For the whole stay we have 90 coins.")] == [False]


def test_forms_of_a_word_have_one_stem() -> None:
    assert len({stem(word) for word in ("drive", "driving", "drives")}) == 1
    assert stem("parties") == stem("party")
    assert stem("visitors") != stem("visiting")


def test_records_are_written_as_they_were_shown(arrangement: Arrangement) -> None:
    one = errand(11)
    problem, solution = arranged(arrangement, one.task, Tables.of(Reader().read(one.observation)))
    (first, *_) = records_of(problem, solution)
    assert list(first) == ["shelf", "left", "right", "lamp"]
    assert first["lamp"].endswith(f", {one.town}")
    assert json_text(first).startswith('{"shelf": 1, "left": "')
