"""The schemas themselves, and the fast check that stands for them."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from macla import schemas
from macla.schemas import NAMES, first_misfit, fits, load_schema, validator
from macla.schemas.compiled import compile_schema

PROCEDURE: dict[str, Any] = {
    "kind": "procedure",
    "id": "cool-with",
    "version": 3,
    "status": "trusted",
    "goal": "cool {x} with {y}",
    "parameters": {
        "x": {"source": "given"},
        "y": {"source": "search", "via": "z", "kinds": ["mug", "cup"]},
        "z": {"source": "place", "kinds": ["shelf"], "description": "where to look"},
        "t": {"source": "constant", "value": "oven"},
    },
    "preconditions": ['last({x}) in ["take {x} from *"]', {"not": 'observed("{x} is cool")'}],
    "steps": [
        {"do": "go to {y}", "unless": "done"},
        {"do": "open {y}", "when": True, "expect": ["You open the {y}."]},
        {"tool": "look_up", "args": {"from": "{x}", "n": [1, None]}, "expect": "found *"},
    ],
    "postconditions": [{"all": ["done", {"any": ["post", False]}]}],
    "evidence": {"alpha": 11, "beta": 3.5, "as_of": "2026-11-20"},
    "provenance": {"learned_from": "369 trajectories", "parent": "cool-with@2"},
    "locked": ["goal"],
}
META: dict[str, Any] = {
    "kind": "meta",
    "id": "cool-and-put",
    "version": 1,
    "goal": "cool {a}",
    "parameters": {
        "a": {"source": "task"},
        "o1": {"source": "entity", "of": "a"},
        "p1": {"source": "search"},
    },
    "plan": [
        {
            "run": "take-from",
            "with": {"x": "o1", "y": "p1"},
            "prefer": ['not kind({p1}) in ["{a}"]'],
            "continue": "post",
            "skip": 'last({o1}) in ["take *"]',
            "repeat": "not post and not exhausted",
            "abort": "exhausted",
        },
        {"follow": "task", "abort": False},
    ],
    "distinct": ["o1", "p1"],
    "locked": True,
}
PROGRAM: dict[str, Any] = {
    "kind": "program",
    "id": "lend-bike",
    "version": 1,
    "status": "draft",
    "description": "At the gate.",
    "goal": {"line": "{1} asks for {2} bikes.", "few": {"2": ["one", "two"]}},
    "wordings": ["Bikes ({2}) for {1}."],
    "lines": ["bike {1}", {"line": "In the shed: {1}.", "lists": ["1"]}],
    "known": ['told("bike {1}", 1) in ["a", "b"]'],
    "parameters": {
        "person": {"source": "task", "slot": 1},
        "size": {"source": "task", "slot": "size"},
        "yes": {"source": "constant", "value": "yes", "if_said": True},
        "last": {"source": "argument", "of": "lend {}", "number": 1},
        "bike": {
            "source": "choice",
            "take": "{1}",
            "among": "bike {1}",
            "where": ["said({1})"],
            "order": ["least {1}"],
            "rivals": [{"where": ["said({1})"]}, {}],
            "settled": False,
            "so_far": True,
        },
        "other": {
            "source": "choice",
            "take": "{1}",
            "among": "bike {1}",
            "cases": [{"when": ['shown("x")'], "order": ["greatest {1}"]}, {}],
        },
    },
    "steps": [
        {"id": "look", "do": "look", "when": ["at first"], "again": True},
        {"id": "find", "tool": "find", "with": {"name": "{person}"}, "when": [["at first"], []]},
        {
            "id": "lend",
            "do": "lend {bike}",
            "when": [{"all": ["done(look)"], "rivals": ["said(task(1))"]}],
            "commit": True,
            "needs": ["look"],
            "provided": ["said(task(1))"],
        },
        {"id": "say", "do": "say {yes}", "when": ["done(look)"], "rivals": ["done(find)"]},
    ],
    "provenance": {"learned_from": "40 episodes"},
    "locked": True,
}
EPISODE = {
    "id": "g1",
    "task": "t",
    "success": True,
    "steps": 8,
    "reward": 1.0,
    "llm_calls": 0,
    "metas": ["m@1"],
    "procedures": ["p@1"],
    "fallback_steps": 0,
}
BELIEF = {"alpha": 10.0, "beta": 3.0, "mean": 0.769, "sd": 0.113, "entropy": -0.8176}
DIVERGENCE = {
    "step": 2,
    "shown": "go to b",
    "would": None,
    "because": "no procedure is trusted",
    "by": ["take-from"],
    "candidates": 0,
}
PROVED: dict[str, Any] = {
    "reproduced": 0,
    "of": 1,
    "share": 0.0,
    "ci95": [0.0, 0.8],
    "searched": 0,
    "bits": 5.5,
    "bits_an_action": 2.75,
    "predicted": 2,
    "actions": 2,
    "kinds": [{"count": 1, "task": "t", **DIVERGENCE}],
    "shares": {"take-from": {"reproduced": 0, "of": 1}},
    "episodes": [
        {
            "position": 0,
            "task": "t",
            "steps": 2,
            "reproduced": False,
            "divergences": [DIVERGENCE],
        }
    ],
}
PROOF: dict[str, Any] = {
    "kind": "proof",
    "format": 1,
    "library": "lib",
    "library_hash": "00",
    "demonstrates": "text",
    "demonstrations": 3,
    "left_out": 0,
    "folds": 2,
    "here": PROVED,
    "held_out": {**PROVED, "kinds": []},
    "floor": {"reproduced": 1, "of": 1, "share": 1.0, "ci95": [0.2, 1]},
    "seconds": 0.5,
}
TRACE: dict[str, Any] = {
    "kind": "trace",
    "format": 1,
    "id": "g1",
    "task": "do",
    "observation": "You see a lamp.",
    "won": True,
    "steps": 1,
    "reward": 1.0,
    "settings": {
        "preset": "default",
        "information": "sd",
        "relevance": "reading",
        "confidence": "eu",
        "rule": "expected_utility",
        "weights": {
            "reward_max": 1.0,
            "cost_failure": 0.5,
            "exploration": 0.1,
            "theta_conf": 0.4,
        },
        "prior": {"alpha": 1.0, "beta": 1.0},
        "without": ["meta"],
    },
    "events": [
        {
            "node": "score",
            "step": 0,
            "candidates": [
                {
                    "kind": "meta",
                    "ref": "m@1",
                    "relevance": 0.9,
                    "risk": 0.0,
                    "alpha": 10.0,
                    "beta": 3.0,
                    "rate": 0.769,
                    "reward": 0.692,
                    "cost": 0.0,
                    "bonus": 0.011,
                    "utility": 0.703,
                    "posterior": BELIEF,
                }
            ],
            "readings": [
                {
                    "rank": 1,
                    "reading": "r",
                    "probability": 0.9,
                    "cost": None,
                    "candidates": ["m@1"],
                    "fillers": {"a": "lamp"},
                }
            ],
            "threshold": 0.4,
            "chosen": "m@1",
        },
        {"node": "execute", "step": 0, "action": "press lamp", "anything": [1, None]},
    ],
    "evidence": [{"kind": "meta", "ref": "m@1", "before": BELIEF, "after": BELIEF}],
    "formation": {
        "goal": "do",
        "carried_out": [],
        "known": None,
        "rule": {
            "share": 0.15,
            "least": 3,
            "support": 1,
            "storage": 0.02,
            "by_value": False,
            "window": 1000,
        },
        "candidate": None,
        "formed": False,
    },
}
SUITE: dict[str, Any] = {
    "kind": "suite",
    "suite": "my-shop",
    "about": "A shop.",
    "environment": "my_shop:Shop",
    "arguments": {"seed": 3, "name": "a", "fast": True, "limit": None},
    "data": {"folder": "shop", "demonstrations": "demos.jsonl"},
    "splits": {"dev": {"role": "dev", "about": "Ten.", "file": "dev.txt"}},
    "protocol": {"max_steps": 30, "actions": "shown"},
    "arms": ["macla", "without-meta"],
    "metrics": {
        "primary": "reward",
        "published": [{"who": "theirs", "value": 0.7, "about": "elsewhere"}],
    },
}
TABLE: dict[str, Any] = {
    "kind": "table",
    "title": "Games",
    "about": "What is won.",
    "libraries": {"lib": ["macla learn games --library {folder}"]},
    "rows": {
        "ours": {
            "what": "ours",
            "play": "macla eval games --library {lib} --split dev",
            "metric": "reward",
            "wanted": 0.5,
            "against": ["theirs"],
        },
        "theirs": {"what": "theirs", "play": "macla eval games --arm random --split dev"},
    },
}
VALID: dict[str, dict[str, Any]] = {
    "procedure": PROCEDURE,
    "meta-procedure": META,
    "program": PROGRAM,
    "library": {
        "kind": "library",
        "format": 1,
        "domain": "home",
        "embedding": "static",
        "settings": {
            "capacity": {"procedures": 200, "metas": 50},
            "thresholds": {"dup": 0.85},
            "learned": {"anything": [1, None]},
        },
    },
    "types": {
        "kind": "types",
        "of": "take-from",
        "world": "kitchen",
        "kinds": ["shelf", {"x": "mug"}, {"y": "shelf"}, "shelf"],
    },
    "ontology": {
        "kind": "ontology",
        "version": 2,
        "entities": {
            "shape": None,
            "kinds": ["mug"],
            "examples": ["mug 1"],
            "stand": {"before": ["a", "^"], "after": [","], "inside": ["of"], "words": ["you"]},
        },
        "operators": {
            "take": {
                "frames": ["take {0}"],
                "effect": "acts",
                "outcomes": {"take {0}": ["You take the {0}."]},
                "needs": {"take {0}": {"0": ["open {0}"]}},
                "things": {"take {0}": {"0": ["mug"]}},
                "at": {"take {0}": "Kitchen"},
                "heading": "-= * =-",
                "reverse": {"take mug": "drop mug"},
                "fixed_text": ["ingredients"],
                "place": 1,
            }
        },
        "instructions": [
            {
                "source": "take",
                "cue": "roast the {0}",
                "do": "cook {0} with oven",
                "unless": "done",
                "support": 20,
                "confidence": 0.95,
            }
        ],
        "clusters": [{"name": "cups", "words": ["cup", "mug"]}],
    },
    "trajectory": {
        "id": "a",
        "task": "do",
        "obs": ["one\n\ttwo", ""],
        "acts": ["look"],
        "success": True,
        "source": "s",
        "info": {"x": [1]},
    },
    "proposal": {
        "kind": "proposal",
        "id": "p-1",
        "target": {"id": "cool-with", "version": 3},
        "change": "refine",
        "status": "pending",
        "created": "2026-11-20T10:00:00Z",
        "rationale": "It failed.",
        "old": [PROCEDURE],
        "new": [{**PROCEDURE, "version": 4}],
        "contrast": {"successes": ["r1"], "failures": ["r2"]},
        "counts": {"successes": 3, "failures": 3},
        "eu_before": 0.3,
        "eu_after": 0.5,
        "replay": {"wins": 3, "losses": 0, "ties": 9, "ci": [-0.1, 0.4]},
        "inherited_evidence": {"alpha": 2, "beta": 1},
    },
    "eval_result": {
        "suite": "home",
        "split": "test",
        "n": 1,
        "success_rate": 1.0,
        "ci95": [0.2, 1],
        "mean_steps": 8,
        "llm_calls_per_episode": 0,
        "reuse_rate": 1,
        "meta_hit_rate": 1,
        "wall_seconds": 0.5,
        "versions": {"python": "3.11"},
        "seed": 0,
        "library_hash": "00",
        "episodes": [EPISODE, {**EPISODE, "success": False, "error": "crashed"}],
        "admissible": False,
        "max_steps": 50,
        "engine": "native",
        "dialect": "2.1.3",
        "scramble": None,
        "goals": "templated",
        "format": 1,
        "macla": "0.1.0",
        "interval": "wilson",
        "extra": {"anything": 1},
    },
    "trace": TRACE,
    "proof": PROOF,
    "suite": SUITE,
    "table": TABLE,
}
DELETE = object()
INVALID: list[tuple[str, tuple[str | int, ...], Any, str]] = [
    ("procedure", ("id",), "../x", "slug"),
    ("procedure", ("id",), "a..b", "slug"),
    ("procedure", ("id",), "a\n", "slug"),
    ("procedure", ("id",), "A", "slug"),
    ("procedure", ("id",), "", "slug"),
    ("procedure", ("id",), "a" * 81, "slug"),
    ("procedure", ("version",), 0, "minimum"),
    ("procedure", ("version",), True, "integer"),
    ("procedure", ("version",), "3", "integer"),
    ("procedure", ("version",), 3.0, "integer"),
    ("procedure", ("status",), "good", "one of"),
    ("procedure", ("goal",), "", "non-empty"),
    ("procedure", ("goal",), "a\x00b", "Template"),
    ("procedure", ("goal",), DELETE, "'goal' is missing"),
    ("procedure", ("kind",), "meta", "procedure"),
    ("procedure", ("stesp",), [], "did you mean 'steps'"),
    ("procedure", ("parameters", "x", "source"), "serach", "unknown source 'serach'; did you mean"),
    ("procedure", ("steps",), [], "non-empty"),
    ("procedure", ("steps", 0, "tool"), "t", "exactly one of 'do' or 'tool'"),
    ("procedure", ("steps", 0, "args"), {}, "args"),
    ("procedure", ("steps", 0, "when"), 5, "condition"),
    ("procedure", ("steps", 0, "expect"), [], "non-empty"),
    ("procedure", ("preconditions", 0), {"not": "a", "all": ["b"]}, ""),
    ("procedure", ("parameters", "x-y"), {"source": "given"}, "x-y"),
    ("procedure", ("parameters", "x", "source"), "guess", "one of"),
    ("procedure", ("parameters", "x", "via"), "z", "must be 'search' where there is a 'via'"),
    ("procedure", ("parameters", "t", "value"), DELETE, "value"),
    ("procedure", ("parameters", "y", "kinds"), ["a", "a"], "unique"),
    ("procedure", ("evidence", "alpha"), 0, "0"),
    ("procedure", ("evidence", "alpha"), "1", "number"),
    ("procedure", ("provenance", "n"), 3, "string"),
    ("procedure", ("locked",), "yes", "change may touch"),
    ("meta-procedure", ("plan", 0, "run"), "take from", "Id of a procedure"),
    ("meta-procedure", ("plan", 0, "run"), "take-from@0", "Id of a procedure"),
    ("meta-procedure", ("plan", 0, "follow"), "task", "exactly one of"),
    ("meta-procedure", ("plan", 1, "with"), {"x": "y"}, "run"),
    ("meta-procedure", ("plan", 0, "with", "x"), 1, "string"),
    ("meta-procedure", ("plan", 0, "proceed"), "post", "unknown key"),
    ("meta-procedure", ("plan",), [], "non-empty"),
    ("meta-procedure", ("distinct",), ["o1"], "too short"),
    ("meta-procedure", ("parameters", "o1", "of"), DELETE, "of"),
    ("program", ("id",), "A", "slug"),
    ("program", ("status",), "trusted", "one of"),
    ("program", ("goal",), 5, "Expected: A line"),
    ("program", ("goal", "few", "2"), "a", "array"),
    ("program", ("parameters", "1x"), {"source": "task", "slot": 1}, "1x"),
    ("program", ("parameters", "person", "slot"), DELETE, "'slot' is missing"),
    ("program", ("parameters", "person", "value"), "a", "must be 'constant'"),
    ("program", ("parameters", "bike", "take"), "1", "Expected: The field"),
    ("program", ("parameters", "bike", "among"), DELETE, "'among' is missing"),
    ("program", ("parameters", "bike", "were"), [], "did you mean 'where'"),
    ("program", ("parameters", "last", "number"), 0, "minimum"),
    ("program", ("steps", 0, "do"), DELETE, "needs exactly one of 'do'"),
    ("program", ("steps", 0, "when"), [], "It is done only if"),
    ("program", ("steps", 1, "when", 0), 5, "5"),
    ("program", ("steps", 1, "with", "name"), 5, "string"),
    ("program", ("steps", 3, "when"), DELETE, "when"),
    ("program", ("locked",), ["goal"], "boolean"),
    ("library", ("format",), 3, "maximum of 2"),
    ("library", ("format",), True, "integer"),
    ("library", ("settings", "capacity", "procedures"), 0, "minimum"),
    ("library", ("settings", "thresholds", "dup"), "high", "number"),
    ("library", ("domain",), DELETE, "missing"),
    ("library", ("other",), 1, "unknown key"),
    ("ontology", ("operators", "take", "frames"), [], "non-empty"),
    ("ontology", ("operators", "take", "effect"), "explodes", "one of"),
    ("ontology", ("operators", "take", "things", "take {0}"), {"x": []}, "match"),
    ("ontology", ("operators", "take", "needs", "take {0}", "0"), "a", "array"),
    ("ontology", ("operators", "take", "at", "take {0}"), 3, "string"),
    ("ontology", ("operators", "take", "heading"), ["a"], "string"),
    ("ontology", ("operators", "take", "reverse", "take mug"), "", "non-empty"),
    ("ontology", ("operators", "take", "outcomes", "take {0}"), "a", "array"),
    ("ontology", ("operators", "take", "fixed_text"), "a", "array"),
    ("ontology", ("instructions", 0, "confidence"), 2, "maximum"),
    ("ontology", ("instructions", 0, "word"), 5, "string"),
    ("ontology", ("instructions", 0, "in_order"), "yes", "boolean"),
    ("ontology", ("instructions", 0, "known"), 1, "boolean"),
    ("ontology", ("entities", "shape"), 5, "string"),
    ("ontology", ("entities", "stand"), ["a"], "object"),
    ("ontology", ("entities", "stand", "before"), "a", "array"),
    ("ontology", ("entities", "stand", "after", 0), "", "non-empty"),
    ("ontology", ("entities", "stand", "words"), ["you", "you"], "unique"),
    ("ontology", ("entities", "stand", "between"), ["a"], "unknown key"),
    ("ontology", ("clusters", 0, "words"), DELETE, "missing"),
    ("ontology", ("other",), 1, "unknown key"),
    ("types", ("of",), DELETE, "'of' is missing"),
    ("types", ("kinds",), {"x": ["mug"]}, "array"),
    ("types", ("kinds", 0), "", "non-empty"),
    ("types", ("kinds", 1), {}, "non-empty"),
    ("types", ("kinds", 1), {"x": "mug", "y": "shelf"}, "too many"),
    ("types", ("kinds", 1, "x"), 5, "string"),
    ("types", ("kinds", 1), {"x-y": "mug"}, "A parameter and a kind"),
    ("types", ("version",), 1, "unknown key"),
    ("trajectory", ("obs",), [], "non-empty"),
    ("trajectory", ("obs", 0), "a\x00", "seen"),
    ("trajectory", ("obs", 0), "a\r", "seen"),
    ("trajectory", ("obs", 0), "a" * 1_048_577, "too long"),
    ("trajectory", ("acts", 0), "", "non-empty"),
    ("trajectory", ("success",), 1, "boolean"),
    ("trajectory", ("task",), DELETE, "missing"),
    ("trajectory", ("more",), 1, "unknown key"),
    ("proposal", ("change",), "improve", "one of"),
    ("proposal", ("status",), "done", "one of"),
    ("proposal", ("replay", "ci"), [0.1], "too short"),
    ("proposal", ("contrast", "failures"), DELETE, "missing"),
    ("proposal", ("counts", "failures"), -1, "minimum"),
    ("proposal", ("target", "id"), "../..", "slug"),
    ("eval_result", ("ci95",), [0, 1, 1], "too long"),
    ("eval_result", ("success_rate",), 1.1, "maximum"),
    ("eval_result", ("n",), 1.5, "integer"),
    ("eval_result", ("episodes", 0, "steps"), -1, "minimum"),
    ("eval_result", ("episodes", 0, "success"), DELETE, "missing"),
    ("eval_result", ("more",), 1, "unknown key"),
    ("trace", ("events", 0, "chosen"), 5, "string"),
    ("trace", ("events", 0, "candidates", 0, "risk"), 1.5, "maximum"),
    ("trace", ("events", 0, "candidates", 0, "posterior"), DELETE, "missing"),
    ("trace", ("evidence", 0, "before", "entropy"), 0.2, "maximum"),
    ("trace", ("formation", "known"), 1, "string"),
    ("trace", ("more",), 1, "unknown key"),
    ("proof", ("demonstrates",), "songs", "one of"),
    ("proof", ("here", "of"), 0, "minimum"),
    ("proof", ("here", "kinds", 0, "would"), DELETE, "missing"),
    ("proof", ("more",), 1, "unknown key"),
    ("suite", ("environment",), "my_game", "Expected: module:Class"),
    ("suite", ("splits", "dev", "role"), "training", "did you mean 'train'?"),
    ("suite", ("protocol", "max_steps"), 0, "minimum"),
    ("suite", ("metrics", "primary"), "points", "one of"),
    ("suite", ("metric",), 1, "did you mean 'metrics'"),
    ("table", ("rows", "ours", "play"), "rm -r x", "Expected: The command"),
    ("table", ("rows", "ours", "metric"), "points", "one of"),
    ("table", ("rows", "ours", "wanted"), 88, "maximum"),
    ("table", ("libraries", "lib"), [], "non-empty"),
    ("table", ("row",), 1, "did you mean 'rows'"),
]


def changed(document: Any, path: tuple[str | int, ...], value: Any) -> Any:
    document = copy.deepcopy(document)
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    if value is DELETE:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return document


@pytest.mark.parametrize("name", NAMES)
def test_schema_is_a_schema(name: str) -> None:
    schema = load_schema(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"macla:{name}.schema.json"
    assert schema["title"]
    assert schema["description"]
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["additionalProperties"] is False
    assert validator(name) is validator(name)


@pytest.mark.parametrize("name", NAMES)
def test_every_key_is_described(name: str) -> None:
    def described(schema: dict[str, Any]) -> None:
        for key, inner in schema.get("properties", {}).items():
            assert "description" in inner or "$ref" in inner, (name, key)
            described(inner)
        for inner in schema.get("$defs", {}).values():
            described(inner)

    described(load_schema(name))


def test_all_files_are_named() -> None:
    folder = Path(schemas.__file__).parent
    assert {path.name for path in folder.glob("*.json")} == {f"{n}.schema.json" for n in NAMES}
    with pytest.raises(KeyError, match="no schema"):
        load_schema("../../etc/passwd")


@pytest.mark.parametrize("name", NAMES)
def test_valid_example(name: str) -> None:
    assert validator(name).is_valid(VALID[name])
    assert fits(name, VALID[name])
    assert first_misfit(name, VALID[name]) is None


@pytest.mark.parametrize(("name", "path", "value", "message"), INVALID)
def test_invalid_example(name: str, path: tuple[str | int, ...], value: Any, message: str) -> None:
    document = changed(VALID[name], path, value)
    assert not validator(name).is_valid(document)
    misfit = first_misfit(name, document)
    assert misfit is not None
    assert message in misfit.problem
    assert len(misfit.problem) < 400
    assert len(path) - 2 <= len(misfit.path) <= len(path)
    assert misfit.path[: len(path) - 2] == path[: len(path) - 2]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("document", [None, [], "", 1, True, {}, {"kind": []}])
def test_nonsense_never_fits(name: str, document: Any) -> None:
    assert not fits(name, document)
    assert not validator(name).is_valid(document)
    assert first_misfit(name, document) is not None


def paths(value: Any) -> list[tuple[str | int, ...]]:
    found: list[tuple[str | int, ...]] = []
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in items:
        found.append((key,))
        found += [(key, *rest) for rest in paths(inner)]
    return found


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 10**10),
    st.sampled_from([0.5, 1.0, 3.0, -1.0, 1e20]),
    st.text(max_size=5),
    st.sampled_from(["search", "constant", "entity", "a@1", "post", "x", "task"]),
    st.sampled_from([[], {}, ["a", "a"], [["a"]], [1, True], {"not": "done"}, {"x": "y"}]),
    st.just(DELETE),
)


@pytest.mark.parametrize("name", NAMES)
def test_the_fast_check_agrees_with_jsonschema(name: str) -> None:
    places = paths(VALID[name])

    @settings(deadline=None)
    @given(
        st.lists(st.tuples(st.sampled_from(places), VALUES), min_size=1, max_size=3),
        st.sampled_from(["", "x", "via", "value", "of", "when", "tool", "follow", "all"]),
    )
    def agree(edits: list[tuple[tuple[str | int, ...], Any]], extra: str) -> None:
        document = VALID[name]
        for path, value in edits:
            try:
                document = changed(document, path, value)
            except (KeyError, IndexError, TypeError):
                continue  # an earlier edit removed the place
            if extra:
                try:
                    document = changed(document, (*path[:-1], extra), "x")
                except (KeyError, IndexError, TypeError):
                    continue
        assert fits(name, document) == validator(name).is_valid(document), json.dumps(document)

    agree()


def test_unknown_keywords_are_not_silently_ignored() -> None:
    with pytest.raises(ValueError, match="minContains"):
        compile_schema({"type": "array", "minContains": 2})
    with pytest.raises(ValueError, match="enumerations"):
        compile_schema({"enum": [1]})
