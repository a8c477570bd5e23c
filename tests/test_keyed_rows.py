"""Objects whose keys are values: a record for each identifier, a figure for each name."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.tooling.keyed_rows import as_rows, keyed_paths
from macla.procedures.tooling.program_run import Call, HandOver, Next, ToolProgram
from macla.procedures.tooling.task_kinds import Kinds
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode

UNSAID = ["Do it."] * 30
"""Tasks that name no key."""
EFFECTS = {"offers": False, "order": True}


def test_objects_with_other_keys_each_time_are_rows() -> None:
    results = [{"prices": {f"A{n}": n, f"B{n}": 2 * n}, "desk": 4} for n in range(9)]
    paths = keyed_paths([(n, "offers", each) for n, each in enumerate(results)], UNSAID)
    assert paths == {"offers.prices"}
    rows = [{"value": 1, "key": "A1"}, {"value": 2, "key": "B1"}]
    assert as_rows(results[1], "offers", paths) == {"prices": rows, "desk": 4}


def test_such_objects_may_stand_in_each_other() -> None:
    results = [(n, "who", {f"u{n}": {"rooms": {f"r{n}": 1, f"s{n}": 2}}}) for n in range(9)]
    assert keyed_paths(results, UNSAID) == {"who", "who[].rooms"}


@pytest.mark.parametrize(
    "objects",
    [
        [{"USD": n, "EUR": 2 * n} for n in range(9)],
        [{f"A{n}": 1, f"B{n}": "two"} for n in range(9)],
        [{f"A{n}": [n]} for n in range(9)],
        [{f"A{n}": {"key": n}} for n in range(9)],
        [{"A1": 1, "B1": 2}, {"A2": 2, "B2": 4}],
        [{"street": "Elm", "town": "Faro", "code": "8"}, *({} for _ in range(8))],
        [{}] * 9,
    ],
)
def test_other_objects_are_records(objects: list[Any]) -> None:
    assert not keyed_paths([(n, "offers", each) for n, each in enumerate(objects)], UNSAID)


def test_a_run_may_tell_an_object_again() -> None:
    results = [(n // 3, "offers", {f"A{n // 3}": n, f"B{n // 3}": 1}) for n in range(27)]
    assert keyed_paths(results, UNSAID) == {"offers"}


TOPICS = ("bills", "repairs", "moves", "loans", "cards")


def test_keys_that_tasks_name_are_values_where_objects_have_other_ones() -> None:
    results = [(n, "menu", {TOPICS[n % 5]: "1", TOPICS[(n + 1) % 5]: "2"}) for n in range(20)]
    tasks = [f"Ask about {TOPICS[(n + n % 2) % 5]}." for n in range(20)]
    assert keyed_paths(results, tasks) == {"menu"}
    assert not keyed_paths(results, ["Ask."] * 20)


@pytest.mark.parametrize(
    "results",
    [
        [(n, "who", dict.fromkeys(TOPICS[: 3 + n % 3], "Elm")) for n in range(20)],
        [(n, "who", {TOPICS[n % 2]: "Elm"}) for n in range(20)],
    ],
)
def test_optional_fields_that_tasks_name_make_no_rows(results: list[Any]) -> None:
    assert not keyed_paths(results, [f"Change the {TOPICS[n % 5]}." for n in range(20)])


def offers(draw: Random) -> dict[str, Any]:
    return {
        f"S{draw.randint(1000, 9999)}": {"price": price, "state": "open"}
        for price in draw.sample(range(10, 90), 4)
    }


def ordered(item: str, draw: Random) -> ToolEpisode:
    """Return a run that orders from whoever is the cheapest."""
    told = {"offers": offers(draw)}
    cheapest = min(told["offers"], key=lambda each: told["offers"][each]["price"])
    calls = (
        ToolCall("offers", {"item": item}, json.dumps(told), True, 0),
        ToolCall("order", {"item": item, "shop": cheapest}, '{"done": true}', True, 1),
    )
    return ToolEpisode(f"Order {item}.", calls, f"{item} is ordered.", True, item)


def next_call(told: dict[str, Any]) -> Next:
    runs = [ordered(f"P{n}7", Random(n)) for n in range(12)]
    (file,) = Kinds(runs).news((), 200).files
    document = load_yaml(dump_yaml(file.to_document()).encode())
    program = ToolProgram(ProgramFile.from_document(document))
    history = program.reading.begin("Order P77.")
    program.take(history, ToolCall("offers", {"item": "P77"}, json.dumps(told)))
    return program.next(history, EFFECTS)


def test_a_key_is_chosen_by_what_stands_under_it() -> None:
    told = offers(Random(77))
    cheapest = min(told, key=lambda each: told[each]["price"])
    assert next_call({"offers": told}) == Call(
        "order", {"item": "P77", "shop": cheapest}, "order-item-shop"
    )


def test_a_field_that_no_row_had_is_for_the_model() -> None:
    told = offers(Random(77))
    blocked = {key: {**each, "blocked": True} for key, each in told.items()}
    assert isinstance(next_call({"offers": blocked}), HandOver)
    assert isinstance(next_call({"offers": told, "frozen": True}), HandOver)


def test_a_row_that_has_a_key_of_its_own_is_for_the_model() -> None:
    told = offers(Random(77))
    own = {key: {**each, "key": "blocked"} for key, each in told.items()}
    assert isinstance(next_call({"offers": own}), HandOver)


def test_numbers_of_any_type_are_of_one_form() -> None:
    results = [(n, "offers", {f"A{n}": n, f"B{n}": n / 3, f"C{n}": None}) for n in range(9)]
    assert keyed_paths(results, UNSAID) == {"offers"}


def test_deep_results_are_read_as_they_are() -> None:
    deep: Any = 1
    for _ in range(400):
        deep = {"a": [deep]}
    assert not keyed_paths([(n, "offers", deep) for n in range(3)], UNSAID)
    assert isinstance(next_call({"offers": offers(Random(77)), "deep": deep}), HandOver)
