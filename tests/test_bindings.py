"""What a procedure is tried on next."""

from __future__ import annotations

from macla.procedures.bindings import (
    Request,
    SearchMemory,
    binding_key,
    next_attempt,
    step_parameters,
)
from macla.procedures.episode import EpisodeMemory
from macla.procedures.lexicon import Lexicon
from macla.procedures.model import Procedure
from macla.procedures.search_evidence import OBSTRUCTED, SEARCH, VISITS, SearchEvidence

LEXICON = Lexicon(
    numbered=True,
    kinds=["zib", "glurp", "vand"],
    frames=["hop to {0}", "grab {0} out of {1}", "rinse {0} by {1}"],
)
GRAB = Procedure.from_document(
    {
        "kind": "procedure",
        "id": "grab",
        "version": 1,
        "goal": "grab {x} out of {y}",
        "parameters": {
            "x": {"source": "search", "via": "y", "kinds": ["zib", "mokka"]},
            "y": {"source": "place", "kinds": ["vand", "glurp"]},
        },
        "steps": [{"do": "hop to {y}"}, {"do": "grab {x} out of {y}"}],
    }
)
RINSE = Procedure.from_document(
    {
        "kind": "procedure",
        "id": "rinse",
        "version": 1,
        "goal": "rinse {x} by {y}",
        "parameters": {
            "x": {"source": "given", "kinds": ["zib"]},
            "y": {"source": "choice", "kinds": ["vand", "glurp"]},
            "z": {"source": "constant", "value": "soap"},
        },
        "steps": [{"do": "rinse {x} by {y} with {z}"}],
    }
)
FIRST = "Around you are a glurp 1, a glurp 2, a vand 1."
NO_EVIDENCE = SearchEvidence({})
EVIDENCE = SearchEvidence(
    {
        (SEARCH, "zib|glurp"): (8.0, 2.0),
        (VISITS, "glurp"): (10.0, 0.0),
        (SEARCH, "zib|vand"): (1.0, 9.0),
        (VISITS, "vand"): (10.0, 0.0),
    }
)


def memory(*history):
    return EpisodeMemory.replay(LEXICON, "Grab a zib.", FIRST, [(*h, True) for h in history])


def attempt(
    procedure=GRAB, bound=None, wants=None, history=(), search=None, evidence=NO_EVIDENCE, **more
):
    request = Request(bound or {}, {"x": "zib"} if wants is None else wants, **more)
    return next_attempt(procedure, request, memory(*history), search or SearchMemory(), evidence)


def test_step_parameters():
    assert step_parameters(GRAB) == [{"y"}, {"x", "y"}]


def test_keys_do_not_depend_on_order():
    assert binding_key({"x": "a", "y": "b"}) == binding_key({"y": "b", "x": "a"}) == "x=a;y=b"


def test_without_evidence_the_order_in_the_file_says_where_to_look():
    found = attempt()
    assert found.look == "vand 1"
    assert found.binding == {"y": "vand 1"}
    assert found.steps == (0,)  # only what needs no thing


def test_evidence_says_where_to_look():
    assert attempt(evidence=EVIDENCE).look == "glurp 1"


def test_a_place_that_costs_more_is_looked_at_later():
    counts = {
        (SEARCH, "zib|glurp"): (5.0, 5.0),
        (VISITS, "glurp"): (10.0, 0.0),
        (SEARCH, "zib|vand"): (6.0, 4.0),
        (VISITS, "vand"): (10.0, 0.0),
    }
    assert attempt(evidence=SearchEvidence(counts)).look == "vand 1"
    counts[OBSTRUCTED, "vand"] = (10.0, 10.0)
    assert attempt(evidence=SearchEvidence(counts)).look == "glurp 1"


def test_every_place_is_looked_at_once():
    search, looks = SearchMemory(), []
    while (found := attempt(search=search)) is not None:
        looks.append(found.look)
        search.visited.append(found.look)
    assert sorted(looks) == ["glurp 1", "glurp 2", "vand 1"]


def test_a_failed_look_is_made_again_only_after_something_changed():
    search = SearchMemory(visited=["glurp 1", "glurp 2", "vand 1"])
    search.note_failed_look("vand 1", worked=0)
    assert attempt(search=search) is None
    history = [("hop to glurp 1", "You reach glurp 1.")]
    assert attempt(search=search, history=history).look == "vand 1"
    for _ in range(3):
        search.visited.append("vand 1")
        search.note_failed_look("vand 1", worked=0)
    assert attempt(search=search, history=history) is None


def test_a_thing_that_is_known_is_taken_where_it_was_seen():
    history = [("hop to glurp 2", "You reach glurp 2. There is a zib 3 and a mokka 1.")]
    found = attempt(history=history)
    assert found.look is None
    assert found.binding == {"x": "zib 3", "y": "glurp 2"}
    assert found.steps == (0, 1)
    assert attempt(history=history, wants={"x": "mokka"}).binding["x"] == "mokka 1"
    assert attempt(history=history, taken=frozenset(["zib 3"])).look is not None
    tried = frozenset([binding_key(found.binding)])
    assert attempt(history=history, tried=tried).look is not None


def test_what_was_refused_comes_last():
    history = [("hop to glurp 2", "There is a zib 3 and a zib 4.")]
    search = SearchMemory()
    assert attempt(history=history, search=search).binding["x"] == "zib 3"
    search.note_refused("grab", "x", "zib 3")
    assert attempt(history=history, search=search).binding["x"] == "zib 4"
    search.note_refused("other", "x", "zib 4")
    assert attempt(history=history, search=search).binding["x"] == "zib 4"


def test_a_bound_place_is_the_only_one():
    assert attempt(bound={"y": "glurp 2"}).look == "glurp 2"
    assert attempt(bound={"y": "glurp 2"}, search=SearchMemory(visited=["glurp 2"])) is None


def test_preferences_bend_before_nothing_is_done():
    def not_glurps(binding):
        return not binding.get("y", "").startswith("glurp")

    assert attempt(evidence=EVIDENCE, acceptable=not_glurps).look == "vand 1"
    only = SearchMemory(visited=["vand 1"])
    assert attempt(evidence=EVIDENCE, acceptable=not_glurps, search=only).look == "glurp 1"


def test_open_choices_go_by_the_order_of_kinds():
    found = attempt(RINSE, bound={"x": "zib 1"}, wants={})
    assert found.binding == {"x": "zib 1", "y": "vand 1", "z": "soap"}
    tried, seen = set(), []
    while (found := attempt(RINSE, {"x": "zib 1"}, {}, tried=frozenset(tried))) is not None:
        tried.add(binding_key(found.binding))
        seen.append(found.binding["y"])
    assert seen == ["vand 1", "glurp 1", "glurp 2"]


def test_a_wanted_kind_is_taken_though_the_procedure_never_had_it():
    found = attempt(RINSE, bound={"x": "zib 1"}, wants={"y": "glurp"})
    assert found.binding["y"] == "glurp 1"
    assert attempt(RINSE, bound={"x": "zib 1"}, wants={"y": "quorn"}) is None


def test_nothing_is_changed_by_asking():
    search = SearchMemory()
    attempt(search=search)
    assert search == SearchMemory()
