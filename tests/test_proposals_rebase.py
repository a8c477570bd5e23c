"""Three-way merging of documents by keys and steps."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from macla.procedures.model.procedure import Procedure
from macla.procedures.proposals.rebase import merge_documents
from review_library import FETCH, OPENING, PLAN, refined


def behaviour(document: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in document.items() if k != "version"}


def test_one_side_alone_wins() -> None:
    edited = {**FETCH, "version": 2, "goal": "bring {x} from {y}"}
    assert merge_documents(FETCH, edited, FETCH).document == edited
    merged = merge_documents(FETCH, FETCH, edited)
    assert merged.document == edited
    assert merged.conflicts == ()


def test_a_step_and_a_guard_beside_it_do_not_collide() -> None:
    theirs = copy.deepcopy(FETCH)
    theirs["version"] = 2
    theirs["steps"][0]["unless"] = 'observed("You are at {y}.")'
    theirs["parameters"]["x"]["description"] = "the thing"
    merged = merge_documents(FETCH, refined(), theirs)
    assert merged.conflicts == ()
    assert merged.document["version"] == 3
    assert [step["do"] for step in merged.document["steps"]] == [
        "go to {y}",
        "open {y}",
        "fetch {x} from {y}",
    ]
    assert merged.document["steps"][0]["unless"] == 'observed("You are at {y}.")'
    assert merged.document["parameters"]["x"]["description"] == "the thing"


def test_the_same_guard_changed_twice_is_handed_back() -> None:
    ours, theirs = copy.deepcopy(FETCH), copy.deepcopy(FETCH)
    ours["steps"][0]["unless"] = 'ever("a")'
    theirs["steps"][0]["unless"] = 'ever("b")'
    merged = merge_documents(FETCH, {**ours, "version": 2}, {**theirs, "version": 2})
    (conflict,) = merged.conflicts
    assert conflict.path == ("steps", 0, "unless")
    assert (conflict.ours, conflict.theirs) == ('ever("a")', 'ever("b")')
    assert behaviour(merged.document) == behaviour(theirs)
    assert "steps.0.unless" in str(conflict)


def test_two_steps_at_one_place_are_handed_back() -> None:
    theirs = copy.deepcopy(FETCH)
    theirs["steps"].insert(1, {"do": "look at {y}"})
    merged = merge_documents(FETCH, refined(), {**theirs, "version": 2})
    assert [conflict.path for conflict in merged.conflicts] == [("steps", 1)]


def test_kinds_and_conditions_join() -> None:
    ours, theirs = copy.deepcopy(FETCH), copy.deepcopy(FETCH)
    ours["parameters"]["x"]["kinds"] = ["trell", "zib", "mokka"]
    theirs["parameters"]["x"]["kinds"] = ["pliv", "mokka"]
    ours["preconditions"] = ['ever("a")']
    theirs["preconditions"] = ['ever("b")']
    merged = merge_documents(FETCH, {**ours, "version": 2}, {**theirs, "version": 2})
    assert merged.conflicts == ()
    assert merged.document["preconditions"] == ['ever("b")', 'ever("a")']
    ours["preconditions"] = theirs["preconditions"] = ['ever("c")']
    base = {**FETCH, "preconditions": ['ever("c")']}
    ours["preconditions"] = ['ever("c")', 'ever("a")']
    theirs["preconditions"] = ['ever("c")', 'ever("b")']
    merged = merge_documents(base, {**ours, "version": 2}, {**theirs, "version": 2})
    assert merged.conflicts == ()
    assert set(merged.document["preconditions"]) == {'ever("a")', 'ever("b")', 'ever("c")'}
    assert set(merged.document["parameters"]["x"]["kinds"]) == {"trell", "pliv", "mokka"}


def test_places_of_a_plan_are_known_by_what_they_run() -> None:
    ours, theirs = copy.deepcopy(PLAN), copy.deepcopy(PLAN)
    ours["plan"][0]["abort"] = "exhausted"
    theirs["plan"][0]["skip"] = "post"
    merged = merge_documents(PLAN, {**ours, "version": 2}, {**theirs, "version": 2})
    assert merged.conflicts == ()
    assert merged.document["plan"][0]["abort"] == "exhausted"
    assert merged.document["plan"][0]["skip"] == "post"
    assert merged.document["version"] == 3


def test_locks_and_notes_of_people_stay() -> None:
    theirs = {**FETCH, "locked": ["goal"], "provenance": {"note": "mine"}, "status": "trusted"}
    ours = refined(provenance={"reason": "shut"})
    merged = merge_documents(FETCH, ours, theirs).document
    assert merged["locked"] == ["goal"]
    assert merged["provenance"] == {"note": "mine", "reason": "shut"}
    assert merged["status"] == "trusted"
    assert merged["version"] == 2


def _mutated(document: dict[str, Any], rng: random.Random, mark: str) -> dict[str, Any]:
    """One random edit whose trace carries ``mark``."""
    new = copy.deepcopy(document)
    choice = rng.randrange(6)
    if choice == 0:
        new["steps"].insert(rng.randint(0, len(new["steps"])), {"do": f"{mark} {{y}}"})
    elif choice == 1:
        rng.choice(new["steps"])["when"] = f'ever("{mark}")'
    elif choice == 2:
        new.setdefault("preconditions", []).append(f'ever("{mark}")')
    elif choice == 3:
        new["parameters"][rng.choice("xy")]["description"] = mark
    elif choice == 4:
        new["parameters"][rng.choice("xy")]["kinds"].append(mark)
    else:
        new["goal"] += f" {mark}"
    new["version"] += 1
    return new


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_no_edit_is_lost(seed: int) -> None:
    """Every edit of both sides is in the result, or its place is handed back."""
    rng = random.Random(seed)
    base = refined(version=1)
    ours, theirs = base, base
    for number in range(rng.randint(1, 4)):
        ours = _mutated(ours, rng, f"ours{number}")
    for number in range(rng.randint(1, 4)):
        theirs = _mutated(theirs, rng, f"theirs{number}")
    merged = merge_documents(base, ours, theirs)
    text = json.dumps(merged.document)
    told = json.dumps([[c.ours, c.theirs] for c in merged.conflicts])
    for side in (ours, theirs):
        for mark in (f"{who}{n}" for who in ("ours", "theirs") for n in range(4)):
            if f"{mark}" in json.dumps(side):
                assert mark in text or mark in told
    for mark in (f"theirs{n}" for n in range(4)):
        if mark in json.dumps(theirs):
            assert mark in text, "what stands in the library is never replaced unasked"
    assert merged.document["version"] > max(base["version"], theirs["version"] - 1)
    Procedure.from_document(merged.document)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32))
def test_merging_is_symmetric_in_what_it_keeps(seed: int) -> None:
    rng = random.Random(seed)
    base = refined(version=1)
    ours, theirs = _mutated(base, rng, "ours"), _mutated(base, rng, "theirs")
    one, other = merge_documents(base, ours, theirs), merge_documents(base, theirs, ours)
    assert bool(one.conflicts) == bool(other.conflicts)
    if not one.conflicts:
        assert sorted(json.dumps(one.document)) == sorted(json.dumps(other.document))


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_a_removed_step_stays_removed(side: str) -> None:
    base = refined(version=1)
    shorter = {**base, "version": 2, "steps": [s for s in base["steps"] if s != OPENING]}
    other = {**base, "version": 2, "goal": "bring {x} out of {y}"}
    pair = (shorter, other) if side == "ours" else (other, shorter)
    merged = merge_documents(base, *pair)
    assert merged.conflicts == ()
    assert OPENING not in merged.document["steps"]
    assert merged.document["goal"] == "bring {x} out of {y}"
