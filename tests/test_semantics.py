"""What schemas cannot say: names, references, reachability."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from macla.procedures.common.errors import ConditionError, DanglingReferenceError, LibraryError
from macla.procedures.conditions.language import parse_condition
from macla.procedures.model.procedure import MetaProcedure, Ontology, Procedure
from macla.procedures.model.semantics import always, check_library, check_ontology, check_procedure

PROCEDURE: dict[str, Any] = {
    "kind": "procedure",
    "id": "take",
    "version": 2,
    "goal": "take {x} from {y}",
    "parameters": {
        "x": {"source": "given"},
        "y": {"source": "search", "via": "z"},
        "z": {"source": "place"},
    },
    "steps": [{"do": "go to {y}", "unless": "done"}, {"do": "take {x} from {y}"}],
}
META: dict[str, Any] = {
    "kind": "meta",
    "id": "fetch",
    "version": 1,
    "goal": "fetch {a}",
    "parameters": {
        "a": {"source": "task"},
        "o": {"source": "entity", "of": "a"},
        "p": {"source": "search"},
    },
    "plan": [{"run": "take", "with": {"x": "o", "y": "p"}}, {"follow": "task"}],
}
ONTOLOGY: dict[str, Any] = {
    "kind": "ontology",
    "version": 1,
    "operators": {"read": {"frames": ["read {0}"]}},
    "instructions": [{"source": "read", "cue": "roast the {0}", "do": "cook {0}"}],
}


def edited(document: dict[str, Any], edits: dict[str, Any]) -> dict[str, Any]:
    document = copy.deepcopy(document)
    for path, value in edits.items():
        inner: Any = document
        *keys, last = (int(key) if key.isdigit() else key for key in path.split("."))
        for key in keys:
            inner = inner[key]
        inner[last] = value
    return document


def issues(
    procedure: dict[str, Any] | None = None,
    meta: dict[str, Any] | None = None,
    ontology: dict[str, Any] | None = None,
    **more: dict[str, Any],
) -> list[tuple[str, str, str]]:
    one = Procedure.from_document(edited(PROCEDURE, procedure or {}))
    two = MetaProcedure.from_document(edited(META, meta or {}))
    words = Ontology.from_document(edited(ONTOLOGY, ontology or {}))
    found = check_library({one.id: one}, {two.id: two}, words)
    return [(i.severity, ".".join(map(str, i.path)), i.message) for i in found]


def test_a_sound_library_has_no_issues() -> None:
    assert issues() == []


@pytest.mark.parametrize(
    ("edits", "severity", "path", "message"),
    [
        ({"goal": "take {q}"}, "error", "goal", "unknown parameter {q}; declared: x, y, z"),
        ({"goal": "take {"}, "error", "goal", "'{' does not begin"),
        ({"steps.0.do": "go to {q}"}, "error", "steps.0.do", "unknown parameter {q}"),
        ({"steps.0.expect": ["at {q}"]}, "error", "steps.0.expect.0", "unknown parameter {q}"),
        ({"steps.0.expect": ["{"]}, "error", "steps.0.expect.0", "'{' does not begin"),
        ({"steps.0.when": 'kind({q}) in ["a"]'}, "error", "steps.0.when", "unknown parameter {q}"),
        ({"preconditions": ["post"]}, "error", "preconditions.0", "'post' means something only"),
        ({"steps.0.unless": "attempts >= 2"}, "error", "steps.0.unless", "'attempts' means"),
        ({"postconditions": ['ever("{q}")']}, "error", "postconditions.0", "unknown parameter"),
        (
            {"steps.1": {"tool": "t", "args": {"a": ["{x}{y}", {"b": "{q}"}]}}},
            "error",
            "steps.1.args.a.1.b",
            "unknown parameter {q}",
        ),
        ({"parameters.y.via": "q"}, "error", "parameters.y.via", "unknown parameter {q}"),
        ({"parameters.y.via": "y"}, "error", "parameters.y", "in a circle: y -> y"),
        (
            {"parameters.z": {"source": "search", "via": "y"}},
            "error",
            "parameters.y",
            "in a circle: y -> z -> y",
        ),
        ({"parameters.w": {"source": "choice"}}, "warning", "parameters.w", "{w} is never used"),
        ({"steps.0.when": False}, "warning", "steps.0.when", "never reached: always false"),
        ({"steps.0.when": "done and (false or not true)"}, "warning", "steps.0.when", "never"),
        ({"steps.0.unless": "done or true"}, "warning", "steps.0.unless", "always true"),
        ({"preconditions": [False]}, "warning", "preconditions.0", "it can never start"),
        ({"postconditions": ["not true"]}, "warning", "postconditions.0", "never succeed"),
    ],
)
def test_procedures(edits: dict[str, Any], severity: str, path: str, message: str) -> None:
    procedure = Procedure.from_document(edited(PROCEDURE, edits))
    found = [
        (i.severity, ".".join(map(str, i.path)))
        for i in check_procedure(procedure)
        if message in i.message
    ]
    assert found == [(severity, path)]


@pytest.mark.parametrize(
    ("edits", "severity", "path", "message"),
    [
        ({"plan.0.run": "gone@1"}, "error", "plan.0.run", "there is no procedure 'gone'"),
        ({"plan.0.run": "fetch@1"}, "error", "plan.0.run", "is a meta-procedure"),
        ({"plan.0.with": {"x": "o", "q": "p"}}, "error", "plan.0.with.q", "no parameter 'q'"),
        ({"plan.0.with": {"x": "q", "y": "p"}}, "error", "plan.0.with", "unknown parameter {q}"),
        ({"plan.0.with": {"y": "p"}}, "warning", "plan.0.run", "{x} of take@2 is given, but"),
        ({"plan.0.prefer": ["post"]}, "error", "plan.0.prefer.0", "'post' means something only"),
        ({"plan.0.skip": 'done("{q}")'}, "error", "plan.0.skip", "unknown parameter {q}"),
        ({"plan.1.follow": "gone"}, "error", "plan.1.follow", "unknown operator 'gone'"),
        ({"distinct": ["o", "q"]}, "error", "distinct", "unknown parameter {q}"),
        ({"parameters.o.of": "q"}, "error", "parameters.o.of", "unknown parameter {q}"),
        ({"parameters.o.of": "o"}, "error", "parameters.o", "in a circle"),
        ({"plan.0.skip": True}, "warning", "plan.0.skip", "never reached"),
        ({"plan.0.repeat": True}, "warning", "plan.0.repeat", "repeats for ever"),
        ({"plan.0.abort": True}, "warning", "plan.0.abort", "after this one are never reached"),
        ({"plan.0.continue": False}, "warning", "plan.0.continue", "are never reached"),
        ({"id": "take"}, "error", "id", "is also that of a procedure"),
    ],
)
def test_metas(edits: dict[str, Any], severity: str, path: str, message: str) -> None:
    found = [(s, p) for s, p, text in issues(meta=edits) if message in text]
    assert found == [(severity, path)]


def test_what_is_fine_in_a_plan() -> None:
    assert issues(meta={"plan.1.follow": "read"}) == []
    assert issues(meta={"plan.0.repeat": True, "plan.0.abort": "exhausted"}) == []
    assert issues(meta={"plan.1.continue": "post", "plan.1.abort": "attempts >= 3"}) == []


def test_retired_procedures() -> None:
    assert [m for *_, m in issues(procedure={"status": "retired"})] == ["take@2 is retired"]
    assert issues(procedure={"status": "retired"}, meta={"status": "retired"}) == []


@pytest.mark.parametrize(
    ("edits", "severity", "path"),
    [
        ({"instructions.0.source": "gone"}, "error", "instructions.0.source"),
        ({"instructions.0.do": "cook {1}"}, "warning", "instructions.0.do"),
        ({"instructions.0.cue": "{"}, "error", "instructions.0.cue"),
        ({"instructions.0.unless": "exhausted"}, "error", "instructions.0.unless"),
        ({"instructions.0.knwon": True}, "warning", "instructions.0.knwon"),
        ({"operators.read.need": {}}, "warning", "operators.read.need"),
        ({"operators.read.heading": "{"}, "error", "operators.read.heading"),
        ({"operators.read.at": {"gone": "x"}}, "warning", "operators.read.at.gone"),
        (
            {"operators.read.outcomes": {"gone": ["a", "{"]}},
            "error",
            "operators.read.outcomes.gone.1",
        ),
        (
            {"operators.read.needs": {"gone": {"0": ["lost"]}}},
            "warning",
            "operators.read.needs.gone.0",
        ),
    ],
)
def test_ontology(edits: dict[str, Any], severity: str, path: str) -> None:
    found = check_ontology(Ontology.from_document(edited(ONTOLOGY, edits)))
    assert (severity, path) in [(i.severity, ".".join(map(str, i.path))) for i in found]


def test_errors_say_what_they_become() -> None:
    kinds = {
        issue.path: issue.raises
        for issue in check_procedure(
            Procedure.from_document(
                edited(PROCEDURE, {"goal": "{", "preconditions": ["post"], "steps.0.do": "{q}"})
            )
        )
        if issue.severity == "error"
    }
    assert kinds == {
        ("goal",): ConditionError,
        ("preconditions", 0): LibraryError,
        ("steps", 0, "do"): DanglingReferenceError,
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true", True),
        ("unknown", None),
        ("not unknown", None),
        ("done", None),
        ("done and false", False),
        ("done or true", True),
        ("true and true", True),
        ("unknown and true", None),
        ("not (done and false)", True),
    ],
)
def test_constant_folding(text: str, expected: bool | None) -> None:
    assert always(parse_condition(text)) is expected
