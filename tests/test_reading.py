"""Instructions read from text, with rules as an ontology holds them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.model.procedure import Ontology
from macla.procedures.planning.episode_memory import EpisodeMemory
from macla.procedures.planning.world_model import World
from macla.procedures.tasks.instruction_parser import read_instructions, unexplained
from macla.procedures.words.clauses import Cue, clauses
from macla.procedures.words.lexicon import Lexicon

FRAMES = {
    "peruse": ["peruse notice"],
    "collect": ["collect {0}"],
    "tint": ["tint {0} with {1}"],
    "burnish": ["burnish {0}"],
}


def world(*instructions, **operators):
    ontology = Ontology.from_document(
        {
            "kind": "ontology",
            "version": 1,
            "entities": {"shape": "phrase", "kinds": ["tin drum", "pewter jug", "ochre vial"]},
            "operators": {
                name: {"frames": frames, "effect": "acts", **operators.get(name, {})}
                for name, frames in FRAMES.items()
            },
            "instructions": [
                {"source": "peruse", "support": 9, "confidence": 0.9, **each}
                for each in instructions
            ],
        }
    )
    lexicon = Lexicon(
        numbered=False,
        kinds=ontology.entities.kinds,
        frames=[frame for frames in FRAMES.values() for frame in frames],
    )
    return World.from_ontology(ontology, lexicon), lexicon


def calls(rules, notice, task="Do as the notice says.", source="peruse", **operators):
    known, lexicon = world(*rules, **operators)
    history = [("peruse notice", notice, True)]
    memory = EpisodeMemory.replay(lexicon, task, "A hall.", history, known)
    return [(call.frame, dict(call.arguments)) for call in read_instructions(known, memory, source)]


BURNISH = {"cue": "burnish the {thing}", "do": "burnish {thing}"}
TINT = {"cue": "tint the {thing}", "do": "tint {thing} with ochre vial"}
COLLECT = {"cue": "* the {thing}", "do": "collect {thing}"}


def test_each_clause_calls_for_its_action():
    notice = "The notice reads:\nBurnish the tin drum. Tint the pewter jug!\nThat is all."
    assert calls([BURNISH, TINT], notice) == [
        ("burnish {0}", {0: "tin drum"}),
        ("tint {0} with {1}", {0: "pewter jug", 1: "ochre vial"}),
    ]


def test_the_longest_cue_speaks():
    assert calls([BURNISH, COLLECT], "Burnish the tin drum. Find the pewter jug.") == [
        ("burnish {0}", {0: "tin drum"}),
        ("collect {0}", {0: "pewter jug"}),
    ]


def test_a_thing_never_met_is_taken_at_its_word():
    assert calls([BURNISH], "Burnish the jade frog.") == [("burnish {0}", {0: "jade frog"})]


@pytest.mark.parametrize(
    "thing", ["", "one two three four five", "frog 7", "frog, then rest", "{0}", "fr(og"]
)
def test_what_is_no_name_is_not(thing):
    assert calls([BURNISH], f"Burnish the {thing}.") == []


def test_the_same_clause_twice_calls_once():
    assert len(calls([BURNISH], "Burnish the tin drum.\nBurnish the tin drum.")) == 1


def test_in_order_of_the_text_where_demonstrations_keep_it():
    notice = "Tint the tin drum. Burnish the tin drum. Tint the tin drum."
    assert [f for f, _ in calls([BURNISH, TINT], notice)] == [
        "tint {0} with {1}",
        "burnish {0}",
    ]
    kept = [{**rule, "in_order": True} for rule in (BURNISH, TINT)]
    assert [f for f, _ in calls(kept, notice)] == [
        "tint {0} with {1}",
        "burnish {0}",
        "tint {0} with {1}",
    ]


def test_fixed_text_is_no_instruction():
    anything = {"cue": "{thing}", "do": "collect {thing}"}
    fixed = {"peruse": {"fixed_text": ["that is all"]}}
    assert calls([anything], "Tin drum.\nThat is all.", **fixed) == [
        ("collect {0}", {0: "tin drum"})
    ]


def test_the_task_is_a_source_too():
    rule = {**BURNISH, "source": "task"}
    assert calls([rule], "Nothing.", task="Burnish the tin drum, then rest.", source="task") == []
    assert calls([rule], "Nothing.", task="Burnish the tin drum. Rest.", source="task") == [
        ("burnish {0}", {0: "tin drum"})
    ]


def test_a_word_anywhere_in_the_clause():
    rule = {**BURNISH, "cue": "* {thing} *", "word": "gleam"}
    assert calls([rule], "Make the tin drum gleam. See the pewter jug.") == [
        ("burnish {0}", {0: "tin drum"})
    ]


def test_nothing_read_nothing_called():
    known, lexicon = world(BURNISH)
    memory = EpisodeMemory(lexicon, "Burnish the tin drum.", "Burnish the tin drum.", known)
    assert read_instructions(known, memory, "peruse") == []


def test_exceptions_are_kept_for_later():
    known, lexicon = world({**BURNISH, "unless": 'ever("*gleaming {thing}*")'})
    history = [("peruse notice", "Burnish the tin drum.", True)]
    memory = EpisodeMemory.replay(lexicon, "", "A hall.", history, known)
    (call,) = read_instructions(known, memory, "peruse")
    assert call.unless == 'ever("*gleaming {thing}*")'
    assert call.thing == "tin drum"
    assert call.because == "burnish the tin drum"


def test_clauses():
    assert clauses("Directions: slice the fig. Then eat!\n\n- 2 figs; go") == (
        "directions",
        "slice the fig",
        "then eat",
        "2 figs",
        "go",
    )
    assert clauses("") == clauses("...\n !") == ()


@pytest.mark.parametrize(
    ("cue", "clause", "entity", "fits"),
    [
        ("roast the {0}", "roast the fig", "fig", True),
        ("roast the {0}", "roast the fig now", "fig", False),
        ("* the {0} *", "roast the fig now", "fig", True),
        ("* the {0} *", "the fig", "fig", True),
        ("* the {0}", "the fig and the plum", "fig", False),
        ("{0}", "fig", "fig", True),
        ("roast the {0}", "roast the figs", "fig", False),
    ],
)
def test_cues(cue, clause, entity, fits):
    assert Cue(cue).matches(clause, entity) is fits


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_is_read_without_harm(notice, task):
    rules = [BURNISH, TINT, COLLECT, {"cue": "{thing}", "do": "collect {thing}"}]
    for source in ("peruse", "task"):
        for frame, arguments in calls(rules, notice, task=task, source=source):
            assert frame
            assert all(arguments.values())


NUMBERED = Lexicon(
    numbered=True, kinds=["lid", "vial"], frames=["pry {0}", "tint {0} with {1}", "peruse notice"]
)


@pytest.mark.parametrize(
    ("do", "frame", "position", "fixed"),
    [
        ("pry {thing}", "pry {0}", 0, {}),
        ("tint {thing} with vial 2", "tint {0} with {1}", 0, {1: "vial 2"}),
        ("tint {thing} with *", "tint {0} with {1}", 0, {}),
        ("tint lid 1 with {thing}", "tint {0} with {1}", 1, {0: "lid 1"}),
        ("hum at {thing}", "hum at {0}", 0, {}),
    ],
)
def test_instructions_are_followed_where_things_have_numbers(do, frame, position, fixed):
    ontology = Ontology.from_document(
        {
            "kind": "ontology",
            "version": 1,
            "entities": {"shape": "kind and number", "kinds": ["lid", "vial"]},
            "operators": {"peruse": {"frames": ["peruse notice"], "effect": "acts"}},
            "instructions": [{"source": "peruse", "cue": "see to the {thing}", "do": do}],
        }
    )
    known = World.from_ontology(ontology, NUMBERED)
    history = [("peruse notice", "Rest. See to the lid 7!", True)]
    memory = EpisodeMemory.replay(NUMBERED, "Do it.", "A hall.", history, known)
    (call,) = read_instructions(known, memory, "peruse")
    assert (call.frame, dict(call.arguments)) == (frame, {**fixed, position: "lid 7"})


@given(st.lists(st.sampled_from(["{0}", "*", "the", "{", "}", "\\\\", "0"]), min_size=1))
def test_cues_survive_being_written(parts):
    cue = Cue(" ".join(parts))
    assert Cue.from_pattern(cue.to_pattern("thing"), "thing") == cue


def test_a_cue_within_a_name_does_not_make_a_second_thing():
    # "burnish the jade frog" is a name too, if one reads on from where the cue of the whole ends.
    anything = {"cue": "{thing}", "do": "collect {thing}"}
    assert calls([BURNISH, anything], "Burnish the jade frog.") == [
        ("burnish {0}", {0: "jade frog"})
    ]


def test_each_thing_of_a_clause_is_spoken_of_by_its_own_cue():
    found = calls([COLLECT_FROM, TINT_LAST], "Collect the tin drum from here, tint the pewter jug")
    assert sorted(found) == [
        ("collect {0}", {0: "tin drum"}),
        ("tint {0} with {1}", {0: "pewter jug", 1: "ochre vial"}),
    ]


def test_what_is_done_by_means_of_another_thing_is_one_action():
    means = {"cue": "* with the {thing}", "do": "tint * with {thing}"}
    direct = {"cue": "tint the {thing} with *", "do": "tint {thing} with *"}
    assert calls([means, direct], "Tint the pewter jug with the ochre vial.") == [
        ("tint {0} with {1}", {0: "pewter jug"})
    ]
    assert calls([means], "Tint it with the ochre vial.") == [
        ("tint {0} with {1}", {1: "ochre vial"})
    ]


def test_a_closed_class_takes_no_new_name():
    rule = {**BURNISH, "known": True}
    assert calls([rule], "Burnish the jade frog. Burnish the tin drum.") == [
        ("burnish {0}", {0: "tin drum"})
    ]


def test_unexplained_clauses_are_those_that_call_for_nothing():
    known, lexicon = world({**BURNISH, "source": "task"})
    memory = EpisodeMemory.replay(
        lexicon, "Good morning! Burnish the tin drum.", "A hall.", [], known
    )
    assert unexplained(known, memory, "task") == ["good morning"]


COLLECT_FROM = {"cue": "collect the {thing} from *", "do": "collect {thing}"}
TINT_LAST = {"cue": "* tint the {thing}", "do": "tint {thing} with ochre vial"}
