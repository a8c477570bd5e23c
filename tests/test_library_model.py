"""The immutable values behind the files."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest
from macla.procedures.common.errors import ConditionError, SchemaError
from macla.procedures.conditions.language import parse_condition
from macla.procedures.files.heads import Head
from macla.procedures.model.procedure import (
    Evidence,
    LibrarySettings,
    MetaProcedure,
    Ontology,
    Parameter,
    Place,
    Procedure,
    Step,
)

PROCEDURE: dict[str, Any] = {
    "kind": "procedure",
    "id": "cool-with",
    "version": 3,
    "status": "trusted",
    "goal": "cool {x} with {y}",
    "parameters": {
        "x": {"source": "given", "description": "what"},
        "y": {"source": "search", "via": "z", "kinds": ["cup", "mug"]},
        "z": {"source": "constant", "value": "oven"},
    },
    "preconditions": ['last({x}) in ["take {x} from *"]'],
    "steps": [
        {"do": "go to {y}", "when": False, "unless": "done"},
        {"tool": "find", "args": {"from": "{x}", "n": [1, {"a": None}]}, "expect": ["a *", "b"]},
    ],
    "postconditions": ['observed("*{x}*")'],
    "evidence": {"alpha": 11, "beta": 3.5, "as_of": "2026-11-20"},
    "provenance": {"parent": "cool-with@2"},
    "locked": ["goal"],
}
META: dict[str, Any] = {
    "kind": "meta",
    "id": "m",
    "version": 1,
    "goal": "cool {a}",
    "parameters": {"a": {"source": "task"}, "o": {"source": "entity", "of": "a"}},
    "plan": [
        {
            "run": "cool-with",
            "with": {"x": "o"},
            "prefer": ["done"],
            "continue": "post",
            "skip": "pre",
            "repeat": "not post",
            "abort": "exhausted",
        },
        {"follow": "task", "abort": True},
    ],
    "distinct": ["a", "o"],
    "locked": True,
}
ONTOLOGY: dict[str, Any] = {
    "kind": "ontology",
    "version": 2,
    "entities": {"shape": "word number", "kinds": ["mug"], "examples": ["mug 1"], "more": [1]},
    "operators": {"take": {"frames": ["take {0}"], "effect": "acts", "place": {"a": [1]}}},
    "instructions": [
        {
            "source": "task",
            "cue": "roast {0}",
            "do": "cook {0}",
            "unless": "done",
            "support": 20,
            "confidence": 0.95,
            "note": "n",
        }
    ],
    "clusters": [{"name": "cups", "words": ["cup", "mug"]}],
}
SETTINGS: dict[str, Any] = {
    "kind": "library",
    "format": 1,
    "domain": "home",
    "embedding": "static",
    "settings": {"capacity": {"procedures": 200}, "list": [1, [2]]},
}
ALL = [(Procedure, PROCEDURE), (MetaProcedure, META), (Ontology, ONTOLOGY)]
ALL_AND_SETTINGS = [*ALL, (LibrarySettings, SETTINGS)]


@pytest.mark.parametrize(("kind", "document"), ALL[:2])
def test_a_head_is_read_as_that_of_the_document(kind: Any, document: dict[str, Any]) -> None:
    assert Head.read(document["kind"], document) == Head.of(kind.from_document(document))


@pytest.mark.parametrize(("kind", "document"), ALL_AND_SETTINGS)
def test_round_trip_in_fixed_order(kind: Any, document: dict[str, Any]) -> None:
    value = kind.from_document(document)
    assert value.to_document() == document
    shuffled = dict(reversed(document.items()))
    assert list(kind.from_document(shuffled).to_document()) == list(document)
    assert kind.from_document(value.to_document()) == value
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.deepcopy(value) == value
    assert isinstance(hash(value), int)


@pytest.mark.parametrize(("kind", "document"), ALL_AND_SETTINGS)
def test_nothing_of_the_source_is_shared(kind: Any, document: dict[str, Any]) -> None:
    source = copy.deepcopy(document)
    value = kind.from_document(source)
    for inner in source.values():
        if isinstance(inner, dict | list):
            inner.clear()
    assert value.to_document() == document
    written = value.to_document()
    for inner in written.values():
        if isinstance(inner, dict | list):
            inner.clear()
    assert value.to_document() == document


def test_values_are_immutable() -> None:
    procedure = Procedure.from_document(PROCEDURE)
    with pytest.raises(dataclasses.FrozenInstanceError):
        procedure.version = 4  # type: ignore[misc]
    with pytest.raises(TypeError):
        procedure.parameters["x"] = Parameter("given")  # type: ignore[index]
    with pytest.raises(TypeError):
        procedure.steps[1].args["n"] = 1  # type: ignore[index]
    with pytest.raises(AttributeError):
        procedure.steps[1].args["n"].append(1)


def test_defaults_are_left_out() -> None:
    procedure = Procedure("p", 1, "g", (Step(do="look"),))
    assert procedure.to_document() == {
        "kind": "procedure",
        "id": "p",
        "version": 1,
        "goal": "g",
        "steps": [{"do": "look"}],
    }
    assert Procedure.from_document(procedure.to_document()) == procedure
    assert Ontology().to_document() == {"kind": "ontology", "version": 1}
    assert Ontology.from_document(Ontology().to_document()) == Ontology()


def test_references() -> None:
    assert Procedure.from_document(PROCEDURE).ref == "cool-with@3"
    run, follow = MetaProcedure.from_document(META).plan
    assert (run.run, run.follow) == ("cool-with", None)
    assert (follow.run, follow.follow) == (None, "task")
    assert run.proceed == parse_condition("post")
    # Plans of earlier libraries name a version.
    (earlier,) = MetaProcedure.from_document({**META, "plan": [{"run": "cool-with@3"}]}).plan
    assert earlier.to_document() == {"run": "cool-with"}


def test_spellings_that_people_use() -> None:
    step = Step.from_document({"do": "a", "expect": "b", "when": {"not": "done"}})
    assert step.expect == ("b",)
    assert step.to_document() == {"do": "a", "when": "not done", "expect": ["b"]}


def test_expectations_are_one_condition() -> None:
    assert Step(do="a").expected is None
    assert str(Step(do="a", expect=("x *",)).expected) == 'observed("x *")'
    assert str(Step(do="a", expect=("x", "y")).expected) == 'observed("x") or observed("y")'


def test_numbers_stay_as_people_write_them() -> None:
    assert Evidence(11.0, 3.5).to_document() == {"alpha": 11, "beta": 3.5}


@pytest.mark.parametrize(
    ("kind", "edit", "path"),
    [
        (Procedure, {"steps": [{"do": "a"}, {"do": "a", "when": "x("}]}, ("steps", 1, "when")),
        (Procedure, {"preconditions": ["done", {"not": "x("}]}, ("preconditions", 1)),
        (MetaProcedure, {"plan": [{"run": "a", "prefer": ["x("]}]}, ("plan", 0, "prefer", 0)),
        (MetaProcedure, {"plan": [{"run": "a", "continue": "x("}]}, ("plan", 0, "continue")),
        (
            Ontology,
            {"instructions": [{"source": "task", "cue": "a", "do": "b", "unless": "x("}]},
            ("instructions", 0, "unless"),
        ),
    ],
)
def test_conditions_carry_their_path(kind: Any, edit: dict[str, Any], path: Any) -> None:
    document = next(document for known, document in ALL if known is kind)
    with pytest.raises(ConditionError) as caught:
        kind.from_document({**document, **edit})
    assert caught.value.path == path
    assert (caught.value.text, caught.value.column) == ("x(", 1)


@pytest.mark.parametrize(
    ("kind", "document"),
    [
        (Procedure, {}),
        (Procedure, {**PROCEDURE, "steps": 5}),
        (Procedure, {**PROCEDURE, "steps": [5]}),
        (Procedure, {**PROCEDURE, "parameters": {"x": 5}}),
        (MetaProcedure, {**META, "plan": [{"run": 5}]}),
        (Ontology, {"operators": {"a": {}}}),
        (LibrarySettings, {"domain": "a"}),
    ],
)
def test_wrong_shapes_are_errors_of_ours(kind: Any, document: Any) -> None:
    with pytest.raises(SchemaError, match="not a"):
        kind.from_document(document)


def test_a_place_by_hand() -> None:
    place = Place(run="a", with_={"x": "o"})
    assert place.to_document() == {"run": "a", "with": {"x": "o"}}
