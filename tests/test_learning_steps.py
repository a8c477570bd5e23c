"""Steps that wait, steps that depend on what was read, and values never seen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from brewery_world import brewery_demonstration, brewery_task
from jsonschema import Draft202012Validator
from macla.graph.build import create_macla_graph, recursion_limit
from macla.procedures.common.text import sentences
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning.abstraction import frame_outcomes
from macla.procedures.learning.analysis import read
from macla.procedures.learning.entities import learn_lexicon
from macla.procedures.learning.generalising import open_values
from macla.procedures.learning.learner import learn
from macla.procedures.model.procedure import Procedure
from macla.procedures.model.semantics import check_procedure
from macla.schemas import load_schema
from scripted_world import Scripted, context, knowledge, meta, procedure

LEARNED_FROM = 40


@pytest.fixture(scope="module")
def brewery(learn_small):
    return learn_small([brewery_demonstration(seed) for seed in range(LEARNED_FROM)])


def steps_of(learned):
    return {step["do"]: step for d in learned.procedures.values() for step in d["steps"]}


def test_an_optional_step_with_a_thing_of_its_own_has_its_guard(brewery):
    scour = next(s for do, s in steps_of(brewery.learned).items() if do.startswith("scour"))
    assert scour["when"].startswith('observed("The {')
    assert scour["when"].endswith('} smells foul.")')


def test_preparations_belong_to_the_plan(brewery):
    assert {"charge", "perch", "sniff"} <= {do.split()[0] for do in steps_of(brewery.learned)}


def dusted(seed, things):
    """A demonstration that dusts these things when the vessel stands on the brazier."""
    shown = brewery_demonstration(seed)
    at = next(i for i, act in enumerate(shown.acts) if act.startswith("strew"))
    acts = (*shown.acts[:at], *(f"dust {x}" for x in things), *shown.acts[at:])
    told = (f"You dust the {x}." for x in things)
    return replace(shown, acts=acts, obs=(*shown.obs[: at + 1], *told, *shown.obs[at + 1 :]))


@pytest.mark.parametrize("everything", [False, True])
def test_what_is_done_to_other_things_too_is_no_preparation(everything):
    demos = []
    for seed in range(LEARNED_FROM):
        task = brewery_task(seed)
        others = [task.essences[1], task.bowls[1]] if everything else []
        demos.append(dusted(seed, [task.vessel, *others]))
    kept = any(do.startswith("dust") for do in steps_of(learn(demos)))
    assert kept is not everything


# ---------------------------------------------------------------- the step itself
def lids(step):
    patient = procedure(steps=[step, {"do": "pry {x}", "expect": "You pry the {x}."}])
    return knowledge([patient], [meta()])


WAITING = {"do": "wait", "until": 'observed("The {x} creaks.")', "at_most": 3}


def play(step, answers):
    world = Scripted(answers | {"pry lid 1": ["You pry the lid 1."]}, wins="pry lid 1")
    text, first = world.reset("Pry some lid.")
    create_macla_graph().compile().invoke(
        {"task": text, "observation": first, "horizon": 8},
        context=context(lids(step), world),
        config={"recursion_limit": recursion_limit(8)},
    )
    return world.done


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_step_is_repeated_until_its_condition_holds(times):
    answers = ["Time drags on."] * (times - 1) + ["The lid 1 creaks."]
    assert play(WAITING, {"wait": answers}) == ["wait"] * times + ["pry lid 1"]


def test_after_the_most_repetitions_the_attempt_ends():
    assert play(WAITING, {"wait": ["Time drags on."]})[:3] == ["wait"] * 3


def test_a_guard_is_asked_before_the_first_repetition_only():
    guarded = WAITING | {"when": 'observed("Before you: *")'}
    answers = ["Time drags on.", "The lid 1 creaks."]
    assert play(guarded, {"wait": answers}) == ["wait", "wait", "pry lid 1"]
    unwanted = WAITING | {"unless": 'observed("Before you: *")'}
    assert play(unwanted, {"wait": answers}) == ["pry lid 1"]


def document(step):
    return procedure().to_document() | {"steps": [step]}


def test_a_repeated_step_is_written_as_it_was_read():
    written = Procedure.from_document(document(WAITING)).to_document()
    assert written["steps"] == [WAITING]


def errors(step):
    validator = Draft202012Validator(load_schema("procedure"))
    return list(validator.iter_errors(document(step)))


def test_the_schema_wants_a_bound_with_every_until():
    assert not errors(WAITING)
    for key in ("until", "at_most"):
        assert errors({k: v for k, v in WAITING.items() if k != key})
    assert errors(WAITING | {"at_most": 0})


def test_an_until_that_cannot_hold_or_names_nothing_known_is_reported():
    def said(until):
        parsed = Procedure.from_document(document(WAITING | {"until": until}))
        return [issue.severity for issue in check_procedure(parsed)]

    assert "error" in said('observed("The {q} creaks.")')
    assert "warning" in said(False)


# ------------------------------------------------------------------------- values
def test_three_values_in_one_place_are_any_value():
    shown = [f"The dial of {{0}} shows {v}." for v in ("red", "sea green", "7")]
    assert set(open_values(shown).values()) == {"The dial of {0} shows *."}
    assert open_values(shown[:2]) == {}


@pytest.mark.parametrize(
    "patterns",
    [
        ["plum.txt", "pear.txt", "fig.txt"],  # nothing stays but an ending
        ["You lift {0}.", "You lift {1}.", "You lift *."],  # these are no values
        [f"{'A long tale ' * 100} of {v}." for v in "abc"],
        ["The {0} is red.", "Its lid was blue.", "A crow calls."],
    ],
)
def test_other_sentences_are_left_as_they_are(patterns):
    assert open_values(patterns) == {}


def test_an_outcome_with_a_value_is_expected_with_any_value():
    def demo(tower, value):
        acts = (f"peer at {tower}", f"climb {tower}")
        obs = (
            f"Here stand a {tower}, a moss tower, a chalk tower.",
            f"The vane of the {tower} points {value}.",
            f"You climb the {tower}.",
        )
        return Trajectory(task=f"Climb the {tower}.", obs=obs, acts=acts, success=True)

    towers = ("moss tower", "chalk tower", "slate tower")
    demos = [demo(t, v) for t in towers for v in ("north", "south", "west")]
    lexicon = learn_lexicon(demos)
    outcomes = frame_outcomes([read(d, lexicon) for d in demos], lexicon)
    assert outcomes["peer at {0}"] == ("The vane of the {0} points *.",)


def test_an_action_is_answered_as_one_that_says_more_is():
    def demo(thing, place):
        first = f"Here is a {place}. On it lies a {thing}, on the floor a lamp."
        if place:
            acts = (f"take {thing} from {place}", "take lamp")
            told = (f"You lift the {thing} off the {place}.", "You pick the lamp up.")
        else:
            acts = (f"take {thing}", "take lamp")
            told = (f"You pick the {thing} up.", "You pick the lamp up.")
        return Trajectory(task="Tidy up.", obs=(first, *told), acts=acts, success=True)

    demos = [demo(t, p) for t in ("plum", "cork", "bell") for p in ("desk", "bunk", "sill", "")]
    lexicon = learn_lexicon(demos)
    outcomes = frame_outcomes([read(d, lexicon) for d in demos], lexicon)
    assert outcomes["take {0}"] == ("You lift the {0} off the *.", "You pick the {0} up.")
    assert outcomes["take {0} from {1}"] == ("You lift the {0} off the {1}.",)


# ---------------------------------------------------------------------- sentences
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr. Hill nods. Go on.", ("Mr. Hill nods.", "Go on.")),
        ("Here are Dr. Low, Mrs. May.", ("Here are Dr. Low, Mrs. May.",)),
        ("You see a TV. It is on.", ("You see a TV.", "It is on.")),
        ("No. You cannot.", ("No.", "You cannot.")),
        ("It is shut. Dr.\nLow", ("It is shut.", "Dr.", "Low")),
    ],
)
def test_what_is_short_for_a_word_ends_no_sentence(text, expected):
    assert sentences(text) == expected
