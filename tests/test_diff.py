"""The semantic diff: what it finds, what it leaves alone, and how it says it."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from macla.procedures.common.errors import LibraryError
from macla.procedures.conditions.language import parse_condition
from macla.procedures.diff import (
    Change,
    DocumentDiff,
    condition_words,
    diff_documents,
    diff_libraries,
    document_lines,
    library_lines,
)
from macla.procedures.diff.align import align
from macla.procedures.files.contents import Contents
from macla.procedures.model.procedure import (
    LibrarySettings,
    MetaProcedure,
    Ontology,
    Parameter,
    Procedure,
    Step,
)
from macla.schemas import fits

BASE: dict[str, Any] = {
    "kind": "procedure",
    "id": "fetch",
    "version": 1,
    "goal": "fetch {x} from {y}",
    "parameters": {
        "x": {"source": "search", "via": "y", "kinds": ["ring", "coin"]},
        "y": {"source": "place"},
    },
    "preconditions": ['observed("You are here.")', 'last({x}) in ["drop {x}"]'],
    "steps": [
        {"do": "go to {y}", "unless": "done"},
        {"do": "open {y}", "when": 'observed("The {y} is closed.")'},
        {"do": "take {x} from {y}", "expect": ["You take it."]},
        {"do": "close {y}"},
    ],
    "postconditions": ['observed("You take it.")'],
}
META: dict[str, Any] = {
    "kind": "meta",
    "id": "plan",
    "version": 1,
    "goal": "do it with {a}",
    "parameters": {"a": {"source": "task"}, "b": {"source": "search"}},
    "plan": [
        {"run": "fetch", "with": {"x": "a", "y": "b"}, "skip": "post", "abort": "exhausted"},
        {"follow": "task"},
    ],
}


def changed(**keys: Any) -> Procedure:
    return Procedure.from_document({**copy.deepcopy(BASE), **keys})


def difference(**keys: Any) -> DocumentDiff:
    return diff_documents(changed(), changed(**keys))


def only(diff: DocumentDiff) -> Change:
    (change,) = diff.changes
    return change


def steps(order: str, **edits: Any) -> list[dict[str, Any]]:
    """Steps of the base by letter; another letter is a new one."""
    known = dict(zip("abcd", copy.deepcopy(BASE["steps"]), strict=True))
    result = [known.get(letter, {"do": f"wait {letter} turns"}) for letter in order]
    for place, edit in edits.items():
        result["abcd".index(place)] |= edit
    return result


def test_the_same_is_no_difference() -> None:
    assert not difference()
    assert difference().changes == ()
    assert not difference().behaviour


@pytest.mark.parametrize(
    ("part", "other"),
    [
        (Parameter("given"), {"kinds": ("ring",)}),
        (Parameter("given"), {"step": 2}),
        *((Parameter("given"), {f.name: "x"}) for f in fields(Parameter) if "str" in str(f.type)),
        (Step(do="look"), {"args": {"x": 1}}),
        (Step(do="look"), {"parallel": True}),
        (Step(do="look"), {"expect": ("A hall.",)}),
        (Step(do="look"), {"do": "look around"}),
        (Step(tool="look"), {"tool": "see"}),
        *(
            (Step(do="look"), {guard: parse_condition("done")})
            for guard in ("when", "unless", "until")
        ),
        (Step(do="look"), {"at_most": 3}),
    ],
)
def test_no_key_is_forgotten(part: Parameter | Step, other: dict[str, Any]) -> None:
    def procedure(value: Parameter | Step) -> Procedure:
        if isinstance(value, Parameter):
            return replace(changed(), parameters={"x": value})
        return replace(changed(), steps=(value,))

    diff = diff_documents(procedure(part), procedure(replace(part, **other)))
    assert diff.behaviour
    assert len(list(document_lines(diff))) > 3
    assert not diff_documents(procedure(part), procedure(part))


def test_every_key_has_a_sample() -> None:
    tried = {"source", "kinds", "type", "via", "value", "of", "by", "step", "path", "pattern"}
    assert {f.name for f in fields(Parameter)} == {*tried, "description"}
    guards = {"when", "unless", "until", "at_most"}
    assert {f.name for f in fields(Step)} == {"do", "tool", "args", "expect", "parallel", *guards}


def test_goal_and_version() -> None:
    diff = difference(goal="get {x} from {y}", version=2)
    assert [c.section for c in diff.changes] == ["version", "goal"]
    assert (diff.old_version, diff.new_version) == (1, 2)
    assert diff.behaviour
    assert not diff.version_forgotten


def test_a_change_of_behaviour_without_a_higher_version_is_noted() -> None:
    assert difference(goal="get {x} from {y}").version_forgotten
    assert not difference(status="trusted").version_forgotten
    assert not difference(status="trusted").behaviour


def test_conditions_are_sets() -> None:
    assert not difference(preconditions=BASE["preconditions"][::-1])
    assert not difference(preconditions=[*BASE["preconditions"], BASE["preconditions"][0]])
    more = [*BASE["preconditions"], {"not": 'ever("*locked*")'}]
    change = only(difference(preconditions=more))
    assert (change.section, change.action) == ("preconditions", "added")
    assert change.after is not None
    assert change.after.text == 'not ever("*locked*")'
    assert change.after.words == "“*locked*” was never seen"


def test_a_condition_with_other_choices_changed() -> None:
    wider = [BASE["preconditions"][0], 'last({x}) in ["drop {x}", "throw {x}"]']
    change = only(difference(preconditions=wider))
    assert change.action == "changed"
    assert change.before is not None
    assert "“drop {x}”" in change.before.words


def test_spelling_of_a_condition_does_not_matter() -> None:
    assert not difference(preconditions=['observed( "You are here." )', *BASE["preconditions"][1:]])


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("abcde", [("added", None, 5)]),
        ("eabcd", [("added", None, 1)]),
        ("abd", [("removed", 3, None)]),
        ("bcd", [("removed", 1, None)]),
        ("abdc", [("moved", 3, 4)]),
        ("bcda", [("moved", 1, 4)]),
        ("dabc", [("moved", 4, 1)]),
        ("abed", [("removed", 3, None), ("added", None, 3)]),
        ("bcdeaf", [("added", None, 4), ("moved", 1, 5), ("added", None, 6)]),
    ],
)
def test_steps(order: str, expected: list[tuple[str, int | None, int | None]]) -> None:
    diff = difference(steps=steps(order))
    found = [(c.action, c.old_place, c.new_place) for c in diff.changes]
    assert sorted(found, key=str) == sorted(expected, key=str)


def test_a_changed_guard_is_a_changed_step() -> None:
    change = only(difference(steps=steps("abcd", b={"when": 'observed("Shut.")'})))
    assert (change.action, change.subject, change.new_place) == ("changed", "open {y}", 2)
    (guard,) = change.details
    assert (guard.section, guard.action) == ("when", "changed")
    assert guard.after is not None
    assert guard.after.said == "the latest observation says “Shut.”"


def test_a_guard_that_came_or_went() -> None:
    (detail,) = only(difference(steps=steps("abcd", d={"unless": "done"}))).details
    assert (detail.section, detail.action) == ("unless", "added")
    bare = steps("abcd")
    del bare[0]["unless"]
    (detail,) = only(difference(steps=bare)).details
    assert (detail.section, detail.action) == ("unless", "removed")


def test_expectations_are_named() -> None:
    (detail,) = only(difference(steps=steps("abcd", c={"expect": ["You have it."]}))).details[:1]
    assert (detail.section, detail.action) == ("expect", "removed")


def test_a_step_that_moved_and_changed() -> None:
    wanted = steps("bcda")
    wanted[3]["unless"] = 'observed("Near.")'
    change = only(difference(steps=wanted))
    assert (change.action, change.old_place, change.new_place) == ("moved", 1, 4)
    assert [d.section for d in change.details] == ["unless"]


def test_tool_calls() -> None:
    tool = {"tool": "search", "args": {"query": "{x}", "limit": 3}}
    old = changed(steps=[tool])
    new = changed(steps=[{**tool, "args": {"query": "{y}", "limit": 3, "page": 1}}])
    change = only(diff_documents(old, new))
    assert change.action == "changed"
    assert [(d.section, d.subject, d.action) for d in change.details] == [
        ("args", "query", "changed"),
        ("args", "page", "added"),
    ]


def test_parameters() -> None:
    parameters = {
        "x": {"source": "search", "via": "y", "kinds": ["coin", "gem"]},
        "z": {"source": "given"},
    }
    diff = difference(parameters=parameters)
    found = {(c.subject, c.action) for c in diff.changes}
    assert found == {("{x}", "changed"), ("{y}", "removed"), ("{z}", "added")}
    kinds = next(c for c in diff.changes if c.subject == "{x}").details
    assert [(d.action, (d.before or d.after).said) for d in kinds if d.before or d.after] == [  # type: ignore[union-attr]
        ("removed", "ring"),
        ("added", "gem"),
    ]


def test_the_order_of_kinds_is_no_difference() -> None:
    parameters = copy.deepcopy(BASE["parameters"])
    parameters["x"]["kinds"].reverse()
    assert not difference(parameters=parameters).changes


def test_a_lock_is_told_and_what_no_file_holds_is_not() -> None:
    diff = difference(
        evidence={"alpha": 11, "beta": 3}, provenance={"parent": "fetch@0"}, locked=["goal"]
    )
    assert [(c.section, c.action) for c in diff.changes] == [("locked", "added")]
    assert not diff.behaviour


def test_plans_and_their_four_decisions() -> None:
    new = copy.deepcopy(META)
    place = new["plan"][0]
    place |= {"repeat": "not post", "abort": "attempts >= 3"}
    del place["skip"]
    place["with"]["y"] = "a"
    new["plan"].append({"run": "drop"})
    diff = diff_documents(MetaProcedure.from_document(META), MetaProcedure.from_document(new))
    first, second = diff.changes
    assert (first.section, first.action, first.subject) == ("plan", "changed", "fetch")
    assert [(d.section, d.action) for d in first.details] == [
        ("with", "changed"),
        ("skip", "removed"),
        ("repeat", "added"),
        ("abort", "changed"),
    ]
    assert (second.action, second.new_place) == ("added", 3)


def test_wishes_in_another_order() -> None:
    wishes = ['observed("A.")', 'observed("B.")']
    old, new = copy.deepcopy(META), copy.deepcopy(META)
    old["plan"][0]["prefer"] = wishes
    new["plan"][0]["prefer"] = wishes[::-1]
    diff = diff_documents(MetaProcedure.from_document(old), MetaProcedure.from_document(new))
    (detail,) = only(diff).details
    assert (detail.section, detail.action) == ("prefer", "moved")


def test_ontologies() -> None:
    old = {
        "kind": "ontology",
        "version": 1,
        "entities": {"shape": "word", "kinds": ["ring"], "seen": 3},
        "operators": {
            "take": {"frames": ["take {0}"], "effect": "acts"},
            "gone": {"frames": ["x"]},
        },
        "instructions": [
            {"source": "task", "cue": "find the {0}", "do": "take {0}", "support": 3},
            {"source": "task", "cue": "old {0}", "do": "x {0}"},
        ],
        "clusters": [{"name": "c", "words": ["a", "b"]}],
    }
    new = copy.deepcopy(old)
    new["entities"] |= {"kinds": ["ring", "gem"], "seen": 4}  # type: ignore[operator]
    new["operators"] = {
        "take": {"frames": ["take {0}", "grab {0}"], "effect": "reveals"},
        "new": {"frames": ["y"]},
    }
    new["instructions"][0]["do"] = "grab {0}"  # type: ignore[index]
    new["instructions"][1]["cue"] = "new {0}"  # type: ignore[index]
    new["clusters"] = [{"name": "c", "words": ["a", "d"]}]
    diff = diff_documents(Ontology.from_document(old), Ontology.from_document(new))
    assert [(c.section, c.action, c.subject) for c in diff.changes] == [
        ("entities", "added", "kinds"),
        ("entities", "changed", "seen"),
        ("operators", "removed", "gone"),
        ("operators", "changed", "take"),
        ("operators", "added", "new"),
        ("instructions", "changed", "find the {0}"),
        ("instructions", "added", "new {0}"),
        ("instructions", "removed", "old {0}"),
        ("clusters", "removed", "c"),
        ("clusters", "added", "c"),
    ]


def test_a_new_operator_is_said_in_words() -> None:
    words = {
        "take": {
            "frames": ["take {0}", "grab {0}"],
            "effect": "acts",
            "outcomes": {"take {0}": ["You take the {0}."], "grab {0}": ["Taken."]},
            "final": 3,
        }
    }
    old = Ontology.from_document({"kind": "ontology", "version": 1})
    new = Ontology.from_document({"kind": "ontology", "version": 2, "operators": words})
    change = next(c for c in diff_documents(old, new).changes if c.section == "operators")
    assert change.after is not None
    assert change.after.said == (
        "take {0} or grab {0}: acts on things; it worked where one reads “You take the {0}.” or "
        "“Taken.”; also noted: final"
    )
    assert change.after.text.startswith("{")


def test_libraries() -> None:
    def contents(*procedures: Procedure, **settings: Any) -> Contents:
        found = {p.id: p for p in procedures}
        return Contents(
            LibrarySettings("d", "static", settings),
            MappingProxyType(found),
            MappingProxyType({}),
            Ontology(),
        )

    other = changed(id="other")
    old = contents(changed(), other, depth={"a": 1})
    new = contents(changed(version=2, goal="g {x} {y}"), changed(id="third"), depth={"a": 2})
    diff = diff_libraries(old, new)
    assert [(d.kind, d.id, d.action) for d in diff] == [
        ("library", "", "changed"),
        ("procedure", "fetch", "changed"),
        ("procedure", "other", "removed"),
        ("procedure", "third", "added"),
    ]
    assert diff.same == 1  # the ontology
    assert only(diff.documents[0]).subject == "depth.a"
    assert not diff_libraries(old, old)
    text = [str(line) for line in library_lines(diff)]
    assert "procedure fetch: version 1 → 2" in text
    assert "procedure other: removed" in text


def test_kinds_are_not_mixed() -> None:
    with pytest.raises(LibraryError, match="cannot be compared"):
        diff_documents(changed(), Ontology())
    with pytest.raises(LibraryError, match="nothing to compare"):
        diff_documents(None, None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("true", "always"),
        ("not true", "never"),
        ("unknown", "it is unknown"),
        ('observed("A.")', "the latest observation says “A.”"),
        ('not observed("A.")', "the latest observation does not say “A.”"),
        ('ever("A")', "“A” was seen at some time"),
        ("done", "it was last done with these same things"),
        ('not done("go")', "“go” was never done"),
        ('kind({x}) in ["a", "b", "c"]', "{x} is of kind “a”, “b” or “c”"),
        ('not last({x}) in ["a"]', "what was last done with {x} was not “a”"),
        ('asked("two *")', "the task mentions “two *”"),
        ("not post and not exhausted", "its postconditions do not hold and a candidate is left"),
        ("attempts >= 1 or pre", "it was tried at least 1 time or its preconditions hold"),
        ("not attempts >= 4", "it was tried fewer than 4 times"),
        ("post and (pre or true)", "its postconditions hold and (its preconditions hold or always)"),  # noqa: E501
        ("not (post and pre)", "not all of (its postconditions hold; its preconditions hold)"),
    ],
)  # fmt: skip
def test_conditions_in_words(text: str, words: str) -> None:
    assert condition_words(parse_condition(text)) == words


def test_words_of_a_whole_change() -> None:
    diff = difference(version=2, steps=steps("bcda", b={"when": 'observed("Shut.")'}))
    assert next(str(line) for line in document_lines(diff)) == "procedure fetch: version 1 → 2"
    text = "\n".join(str(line) for line in document_lines(diff))
    assert "moved here from 1." in text
    json.dumps(diff.to_document(), allow_nan=False)


def test_what_steers_a_terminal_or_hides_is_shown() -> None:
    diff = difference(goal="fetch {x} from {y} \x1b]0;title\x07")
    assert not any("\x1b" in str(line) or "\x07" in str(line) for line in document_lines(diff))


LETTERS = st.text("abcdef", max_size=9)


@settings(max_examples=200, deadline=None)
@given(LETTERS, LETTERS)
def test_alignment_uses_every_entry_once(before: str, after: str) -> None:
    pairs = align(before, after, lambda a, b: 0.0 if a == b else 2.0, str)
    assert sorted(p.old for p in pairs if p.old is not None) == list(range(len(before)))
    assert [p.new for p in pairs if p.new is not None] == list(range(len(after)))
    kept = [p.old for p in pairs if p.new is not None and p.old is not None and not p.moved]
    assert kept == sorted(kept)
    for pair in pairs:
        if pair.old is not None and pair.new is not None:
            assert before[pair.old] == after[pair.new]
    left_old = [before[p.old] for p in pairs if p.old is not None and p.new is None]
    left_new = [after[p.new] for p in pairs if p.new is not None and p.old is None]
    assert not set(left_old) & set(left_new), "what is on both sides moved"


@settings(max_examples=100, deadline=None)
@given(st.randoms(use_true_random=False))
def test_a_diff_is_empty_only_for_equal_documents(rng: random.Random) -> None:
    document = edited(copy.deepcopy(BASE), rng)
    assert fits("procedure", document)
    old, new = changed(), Procedure.from_document(document)
    forward, backward = diff_documents(old, new), diff_documents(new, old)
    same = set(old.preconditions) == set(new.preconditions) and (
        old.steps == new.steps and old.goal == new.goal and old.parameters == new.parameters
    )
    assert bool(forward) is not same
    assert len(forward.changes) == len(backward.changes)
    list(document_lines(forward))
    json.dumps(forward.to_document(), allow_nan=False)


def edited(document: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    for _ in range(rng.randrange(4)):
        match rng.randrange(6):
            case 0:
                rng.shuffle(document["steps"])
            case 1:
                document["steps"].insert(rng.randrange(3), {"do": f"wait {rng.randrange(3)}"})
            case 2:
                document["steps"].pop(rng.randrange(len(document["steps"]))) if len(
                    document["steps"]
                ) > 1 else None
            case 3:
                rng.choice(document["steps"])["when"] = f'observed("{rng.randrange(3)}")'
            case 4:
                document["goal"] = rng.choice(["a {x}", "b {x} {y}"])
            case _:
                document["preconditions"] = rng.sample(document["preconditions"], 1)
    return document


def test_thousands_of_steps_of_a_stranger_are_compared_at_all() -> None:
    many = [{"do": f"wait {n}"} for n in range(3_000)]
    other = [{"do": f"wait {n}"} for n in reversed(range(3_000))]
    diff = diff_documents(changed(steps=many), changed(steps=other))
    assert len(diff.changes) == 3_000
    assert {c.action for c in diff.changes} == {"moved"}


def test_the_core_of_the_diff_reads_no_files() -> None:
    folder = Path(diff_documents.__code__.co_filename).parent
    text = "".join(file.read_text() for file in folder.glob("*.py"))
    assert "import os" not in text
    assert "subprocess" not in text
