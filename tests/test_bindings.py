"""What a procedure is tried on next."""

from __future__ import annotations

from macla.procedures.model.procedure import Procedure
from macla.procedures.planning.binding_search import (
    Request,
    SearchMemory,
    binding_key,
    next_attempt,
    step_parameters,
)
from macla.procedures.planning.episode_memory import EpisodeMemory
from macla.procedures.planning.kind_preference import in_order_of_use
from macla.procedures.planning.search_statistics import OBSTRUCTED, SEARCH, VISITS, SearchEvidence
from macla.procedures.words.lexicon import Lexicon

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


def used(procedure, **counts):
    """The procedure as the loop has it: kinds in the order in which they were used."""
    kinds = {(procedure.id, name): each for name, each in counts.items()}
    return in_order_of_use({procedure.id: procedure}, kinds)[procedure.id]


def test_where_nothing_was_sought_the_order_of_use_says_where_to_look():
    found = attempt(used(GRAB, y={"vand": 2.0}))
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


def test_a_place_that_was_given_up_is_not_looked_at_again_for_another_purpose_at_once():
    search = SearchMemory(visited=["vand 1"])
    for worked in (0, 0, 0, 1):
        search.note_failed_look("vand 1", worked=worked)
    search.visited = ["glurp 1", "glurp 2"]  # another plan begins
    history = [("hop to glurp 1", "You reach glurp 1.")]
    assert attempt(search=search, history=history) is None
    history *= 2
    assert attempt(search=search, history=history).look == "vand 1"


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


def test_open_choices_go_by_the_order_of_use():
    rinse = used(RINSE, y={"vand": 2.0, "glurp": 1.0})
    found = attempt(rinse, bound={"x": "zib 1"}, wants={})
    assert found.binding == {"x": "zib 1", "y": "vand 1", "z": "soap"}
    tried, seen = set(), []
    while (found := attempt(rinse, {"x": "zib 1"}, {}, tried=frozenset(tried))) is not None:
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


# ------------------------------------------- first steps that bring about the others' things
WOODS = Lexicon(
    numbered=False,
    kinds=["oak log", "elm log", "oak boards", "elm boards", "red dial", "blue dial"],
    frames=["split {0}", "plane {0}", "press {0}"],
)
PLANE = Procedure.from_document(
    {
        "kind": "procedure",
        "id": "plane",
        "version": 1,
        "goal": "plane {y}",
        "parameters": {
            "x": {"source": "choice", "kinds": ["oak log", "elm log"]},
            "y": {"source": "choice", "kinds": ["oak boards", "elm boards"]},
        },
        "steps": [{"do": "split {x}"}, {"do": "plane {y}"}],
    }
)
PRESS = Procedure.from_document(
    {
        "kind": "procedure",
        "id": "press",
        "version": 1,
        "goal": "press {x}",
        "parameters": {"x": {"source": "choice", "kinds": ["red dial", "blue dial"]}},
        "steps": [{"do": "press {x}"}],
    }
)
LOGS = "You see an oak log and an elm log."


def among(procedure, first, *history, wants=None, lexicon=WOODS, **more):
    seen = EpisodeMemory.replay(lexicon, "Work.", first, [(*h, True) for h in history])
    request = Request(more.pop("bound", {}), wants or {}, **more)
    return next_attempt(procedure, request, seen, SearchMemory(), NO_EVIDENCE)


def test_first_steps_are_done_where_things_of_later_ones_are_not_known():
    found = among(PLANE, LOGS)
    assert found.purpose == "prepare"
    assert found.steps == (0,)
    assert found.binding in ({"x": "oak log"}, {"x": "elm log"})


def test_what_is_wanted_is_prepared_from_what_has_its_word():
    found = among(PLANE, LOGS, wants={"x": "elm", "y": "elm"})
    assert (found.purpose, found.binding) == ("prepare", {"x": "elm log"})


def test_the_same_is_not_prepared_twice():
    prepared, seen = [], []
    while (found := among(PLANE, LOGS, prepared=prepared)) is not None:
        assert found.purpose == "prepare"
        prepared.append(found.binding)
        seen.append(found.binding["x"])
    assert sorted(seen) == ["elm log", "oak log"]


def test_after_preparing_the_other_steps_go_on_with_the_same_things():
    history = ("split elm log", "There are elm boards now.")
    prepared = [{"x": "elm log"}]
    found = among(PLANE, LOGS, history, prepared=prepared)
    assert (found.purpose, found.steps) == ("run", (1,))
    assert found.binding == {"x": "elm log", "y": "elm boards"}


def test_nothing_is_prepared_by_a_first_step_whose_thing_is_not_known():
    assert among(PLANE, "You see nothing.") is None
    assert among(PLANE, "You see elm boards.") is None


def test_all_steps_are_run_where_everything_is_known():
    found = among(PLANE, "You see an oak log and oak boards.")
    assert (found.purpose, found.steps) == ("run", (0, 1))


# ------------------------------------------------------------------- things that a text tells
DIALS = "You see a red dial and a blue dial."


def test_only_what_a_text_tells_is_tried():
    assert among(PRESS, DIALS, told={"x": "It has to be blue."}).binding == {"x": "blue dial"}
    assert among(PRESS, DIALS, told={"x": "It has to be red."}).binding == {"x": "red dial"}
    assert among(PRESS, DIALS, told={"x": "Who knows?"}) is None


def test_a_told_thing_is_one_of_the_usual_kinds_or_like_them_before_any_new_one():
    lexicon = WOODS.extended(["violet dial", "violet"])
    # What is new in the episode was found in its text, and is no kind of the library.
    seen = EpisodeMemory.replay(WOODS, "Work.", DIALS, [])
    seen.lexicon = lexicon
    seen.add("look", "There are a violet dial and a violet.", worked=True)
    request = Request({}, {}, told={"x": "It is violet."})
    found = next_attempt(PRESS, request, seen, SearchMemory(), NO_EVIDENCE)
    assert found.binding == {"x": "violet dial"}
