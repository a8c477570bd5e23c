"""The native ALFWorld engine on a small hand-written household."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.evals.alfworld.engine import NOTHING, NativeEngine
from macla.evals.alfworld.pddl import MAX_DEPTH, parse_expression
from macla.evals.alfworld.problem import parse_problem
from macla.procedures.common.errors import DataError

INIT = """
(atLocation agent1 loc_bar_0_bar_0)
(receptacleType Fridge_bar_1 FridgeType) (receptacleAtLocation Fridge_bar_1 loc_bar_1_bar_0)
(openable Fridge_bar_1)
(receptacleType Microwave_bar_1 MicrowaveType)
(receptacleAtLocation Microwave_bar_1 loc_bar_2_bar_0) (openable Microwave_bar_1)
(receptacleType Sink_bar_1_bar_SinkBasin SinkBasinType)
(receptacleAtLocation Sink_bar_1_bar_SinkBasin loc_bar_3_bar_0)
(receptacleType CounterTop_bar_1 CounterTopType)
(receptacleAtLocation CounterTop_bar_1 loc_bar_4_bar_0)
(receptacleType Shelf_bar_1 ShelfType) (receptacleAtLocation Shelf_bar_1 loc_bar_4_bar_0)
(receptacleType CounterTop_bar_2 CounterTopType)
(receptacleAtLocation CounterTop_bar_2 loc_bar_5_bar_0)
(canContain FridgeType AppleType) (canContain CounterTopType AppleType)
(canContain CounterTopType MugType) (canContain ShelfType MugType)
(canContain CounterTopType KnifeType)
(objectType Apple_bar_1 AppleType) (inReceptacle Apple_bar_1 CounterTop_bar_1)
(objectAtLocation Apple_bar_1 loc_bar_4_bar_0)
(pickupable Apple_bar_1) (cleanable Apple_bar_1) (heatable Apple_bar_1) (coolable Apple_bar_1)
(sliceable Apple_bar_1)
(objectType Apple_bar_2 AppleType) (inReceptacle Apple_bar_2 Fridge_bar_1)
(objectAtLocation Apple_bar_2 loc_bar_1_bar_0)
(pickupable Apple_bar_2) (cleanable Apple_bar_2) (heatable Apple_bar_2) (coolable Apple_bar_2)
(objectType Mug_bar_1 MugType) (inReceptacle Mug_bar_1 CounterTop_bar_1)
(objectAtLocation Mug_bar_1 loc_bar_4_bar_0) (pickupable Mug_bar_1) (isReceptacleObject Mug_bar_1)
(objectType Spoon_bar_1 SpoonType) (inReceptacleObject Spoon_bar_1 Mug_bar_1)
(objectType Knife_bar_1 KnifeType) (inReceptacle Knife_bar_1 CounterTop_bar_2)
(objectAtLocation Knife_bar_1 loc_bar_5_bar_0) (pickupable Knife_bar_1)
(objectType DeskLamp_bar_1 DeskLampType) (inReceptacle DeskLamp_bar_1 CounterTop_bar_2)
(objectAtLocation DeskLamp_bar_1 loc_bar_5_bar_0) (toggleable DeskLamp_bar_1)
"""
PLACE_MUG = """(exists (?r - receptacle ?o - object)
  (and (objectType ?o MugType) (receptacleType ?r ShelfType) (inReceptacle ?o ?r)))"""
TWO_APPLES = """(and (exists (?r - receptacle) (exists (?o1 - object) (and
  (objectType ?o1 AppleType) (receptacleType ?r CounterTopType) (inReceptacle ?o1 ?r)
  (exists (?o2 - object) (and (not (= ?o1 ?o2)) (objectType ?o2 AppleType)
    (inReceptacle ?o2 ?r)))))))"""


def problem(goal=PLACE_MUG, init=INIT):
    text = f"(define (problem p) (:domain alfred) (:init {init}) (:goal {goal}))"
    return parse_problem(text, "put a mug in shelf.")


def engine(goal=PLACE_MUG, dialect="2.1.3", init=INIT):
    return NativeEngine(problem(goal, init), dialect)


def play(game, *commands):
    """Do commands; return the last answer."""
    return [game.step(command) for command in commands][-1][0]


def test_first_observation_lists_receptacles_by_sorted_id_without_the_task():
    assert engine().reset() == (
        "-= Welcome to TextWorld, ALFRED! =-\n\nYou are in the middle of a room. Looking quickly "
        "around you, you see a countertop 2, a countertop 1, a fridge 1, a microwave 1, "
        "a shelf 1, and a sinkbasin 1."
    )


def test_entities_of_a_kind_are_numbered_by_sorted_id_highest_first():
    names = problem().names
    assert names["countertop_bar_1"] == "countertop 2"
    assert names["countertop_bar_2"] == "countertop 1"
    assert names["sink_bar_1_bar_sinkbasin"] == "sinkbasin 1"
    assert names["agent1"] == "agent1 "


@pytest.mark.parametrize(
    "command", ["dance", "", "LOOK", "go to", "open fridge 1", "take apple 2", "{look}", "\x00"]
)
def test_unknown_or_impossible_commands_do_nothing(command):
    game = engine()
    assert game.step(command) == (NOTHING, False)
    assert NOTHING == "Nothing happens."


def test_blanks_around_a_command_do_not_matter():
    assert engine().step("  inventory ")[0] == "You are not carrying anything."


def test_going_where_one_is_does_nothing_even_by_another_name():
    game = engine()
    answer = play(game, "go to countertop 2")
    assert (
        answer == "You arrive at countertop 2. On the countertop 2, you see a apple 2, and a mug 1."
    )
    assert play(game, "go to countertop 2") == NOTHING
    assert play(game, "go to shelf 1") == NOTHING  # stands at the same place
    assert "go to shelf 1" not in game.admissible()


def test_first_look_sees_nothing():
    assert play(engine(), "look") == (
        "You are in the middle of a room. Looking quickly around you, you see nothing."
    )


def test_look_faces_all_receptacles_of_the_place():
    assert play(engine(), "go to shelf 1", "look") == (
        "You are facing the countertop 2, and shelf 1. Next to it, you see nothing."
    )


def test_look_tells_of_things_moved_within_the_place():
    answer = play(
        engine(), "go to shelf 1", "take mug 1 from countertop 2", "move mug 1 to shelf 1", "look"
    )
    assert answer == "You are facing the countertop 2, and shelf 1. Next to it, you see a mug 1."


def test_objects_are_examined_only_while_held():
    game = engine()
    assert play(game, "go to countertop 2", "examine mug 1") == NOTHING
    assert play(game, "take mug 1 from countertop 2", "examine mug 1") == (
        "This is a normal mug 1. In it, you see a spoon 1."
    )


def test_receptacles_are_examined_where_one_stands():
    game = engine()
    assert play(game, "examine fridge 1") == NOTHING
    assert play(game, "go to fridge 1", "examine fridge 1") == "The fridge 1 is closed."
    assert play(game, "open fridge 1") == (
        "You open the fridge 1. The fridge 1 is open. In it, you see a apple 1."
    )
    assert play(game, "open fridge 1") == NOTHING
    assert play(game, "close fridge 1") == "You close the fridge 1."


def test_nothing_is_taken_from_or_put_into_a_closed_receptacle():
    game = engine()
    assert play(game, "go to fridge 1", "take apple 1 from fridge 1") == NOTHING
    assert play(game, "open fridge 1", "take apple 1 from fridge 1") == (
        "You pick up the apple 1 from the fridge 1."
    )
    assert play(game, "close fridge 1", "move apple 1 to fridge 1") == NOTHING


def test_only_one_object_is_carried():
    game = engine()
    assert play(game, "go to countertop 2", "take mug 1 from countertop 2", "inventory") == (
        "You are carrying: a mug 1."
    )
    assert play(game, "take apple 2 from countertop 2") == NOTHING


def test_objects_go_only_where_their_kind_fits():
    game = engine()
    play(game, "go to countertop 2", "take mug 1 from countertop 2", "go to fridge 1")
    assert play(game, "open fridge 1", "move mug 1 to fridge 1") == NOTHING


def test_lamps_never_turn_off():
    game = engine()
    assert play(game, "go to countertop 1", "use desklamp 1") == "You turn on the desklamp 1."
    assert play(game, "use desklamp 1") == "You turn on the desklamp 1."


def test_appliances_work_closed_and_heat_undoes_cool():
    game = engine()
    take = "take apple 2 from countertop 2"
    assert play(game, "go to countertop 2", take, "go to microwave 1") == (
        "You arrive at microwave 1. The microwave 1 is closed."
    )
    assert (
        play(game, "heat apple 2 with microwave 1") == "You heat the apple 2 using the microwave 1."
    )
    assert play(game, "examine apple 2") == "This is a hot apple 2."
    assert play(game, "go to fridge 1", "cool apple 2 with fridge 1", "examine apple 2") == (
        "This is a cold apple 2."
    )
    play(game, "go to sinkbasin 1", "clean apple 2 with sinkbasin 1")
    assert play(game, "examine apple 2") == "This is a cool and clean apple 2."
    play(game, "go to microwave 1", "heat apple 2 with microwave 1")
    assert play(game, "examine apple 2") == "This is a hot and clean apple 2."


def test_slicing_needs_a_knife_in_hand_and_the_food_at_hand():
    game = engine()
    play(game, "go to countertop 1", "take knife 1 from countertop 1", "go to countertop 2")
    assert play(game, "slice apple 2 with knife 1") == "You sliced the apple 2 with the knife 1."
    play(game, "move knife 1 to countertop 2", "take apple 2 from countertop 2")
    assert play(game, "examine apple 2") == "This is a sliced apple 2."
    play(game, "go to fridge 1", "cool apple 2 with fridge 1")
    assert play(game, "examine apple 2") == "This is a cool sliced apple 2."


def test_nothing_special():
    game = engine()
    play(game, "go to countertop 1", "take knife 1 from countertop 1")
    assert play(game, "examine knife 1") == "There's nothing special about knife 1."


def test_winning():
    game = engine()
    commands = ["go to countertop 2", "take mug 1 from countertop 2", "move mug 1 to shelf 1"]
    assert [game.step(command)[1] for command in commands] == [False, False, True]
    assert game.won
    game.reset()
    assert not game.won


def test_two_of_a_kind_are_two_different_objects():
    game = engine(TWO_APPLES)
    assert not game.won  # one apple on the counter top is not two
    play(game, "go to fridge 1", "open fridge 1", "take apple 1 from fridge 1")
    assert game.step("go to countertop 1") == (
        "You arrive at countertop 1. On the countertop 1, you see a desklamp 1, and a knife 1.",
        False,
    )
    play(game, "move apple 1 to countertop 1")
    assert not game.won  # two apples, on two counter tops
    play(game, "take apple 1 from countertop 1", "go to countertop 2")
    assert game.step("move apple 1 to countertop 2")[1]


def test_two_at_once_goal_over_place_and_hands():
    goal = """(and
      (exists (?l - object ?r - receptacle ?a - agent ?p - location) (and
        (objectType ?l DeskLampType) (isToggled ?l) (inReceptacle ?l ?r)
        (receptacleAtLocation ?r ?p) (atLocation ?a ?p)))
      (exists (?o - object ?a - agent) (and (objectType ?o MugType) (holds ?a ?o))))"""
    game = engine(goal)
    play(game, "go to countertop 2", "take mug 1 from countertop 2", "go to countertop 1")
    assert game.step("use desklamp 1")[1]
    assert not game.step("go to fridge 1")[1]
    assert game.step("go to countertop 1")[1]


def test_older_dialect():
    game = engine(dialect="2.1.1")
    assert play(game, "help") == NOTHING
    assert play(game, "go to countertop 2") == (
        "You arrive at loc 2. On the countertop 2, you see a apple 2, and a mug 1."
    )
    play(game, "take mug 1 from countertop 2")
    assert play(game, "move mug 1 to shelf 1") == NOTHING
    assert game.step("put mug 1 in/on shelf 1") == ("You put the mug 1 in/on the shelf 1.", True)


def test_help_and_admissible_commands():
    game = engine()
    assert play(game, "help").startswith("Available commands:\n  look:")
    game.step("go to fridge 1")
    assert game.admissible() == [
        "examine fridge 1",
        "go to countertop 1",
        "go to countertop 2",
        "go to microwave 1",
        "go to shelf 1",
        "go to sinkbasin 1",
        "help",
        "inventory",
        "look",
        "open fridge 1",
    ]


def test_start_beside_a_receptacle():
    init = INIT.replace("agent1 loc_bar_0_bar_0", "agent1 loc_bar_1_bar_0")
    assert (
        engine(init=init)
        .reset()
        .endswith("You are facing the fridge 1. Next to it, you see nothing.")
    )


def test_unknown_dialect():
    with pytest.raises(DataError, match=r"2\.1\.1"):
        engine(dialect="3.0")


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        ("(and)", "empty"),
        ("(or (isHot Apple_bar_1))", "cannot read"),
        ("(forall (?o - object) (isHot ?o))", "cannot read"),
        ("(not (isHot Apple_bar_1))", "cannot read"),
        ("(isHot ?o)", "cannot read"),
        ("(isMagic Apple_bar_1)", "ismagic"),
        ("(exists (?a ?b) (and (isHot ?a) (not (= ?a ?b))))", "nothing binds"),
        ("isHot", "cannot read"),
        ("(and" + " (isHot Apple_bar_1)" * 5000 + ")", "5000 conditions"),
    ],
)
def test_goals_that_cannot_be_checked(goal, words):
    with pytest.raises(DataError, match=words):
        engine(goal)


def test_ground_goal():
    assert engine("(inReceptacle Mug_bar_1 CounterTop_bar_1)").won
    assert not engine("(objectType Mug_bar_1 AppleType)").won


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expressions"),
        ("((a)", "never closed"),
        ("(a))", "too many"),
        ("(a) (b)", "2 expressions"),
        ("(a\x00)", "line 1"),
        ("(a\n é)", "line 2"),
        ("(" * 5000 + ")" * 5000, f"deeper than {MAX_DEPTH}"),
        ("(" + "a " * 2_000_000 + ")", "characters"),
        ("(define (:init (a b)))", ":goal"),
        ("(define (:init (atLocation x)) (:goal (and)))", "arguments"),
        ("(define (:init (isHot x)) (:goal (isHot x)))", "where the agent starts"),
        ("(define (:init (isHot (x))) (:goal (isHot x)))", "plain fact"),
        ("(define (:init isHot) (:goal (isHot x)))", "not a fact"),
    ],
)
def test_damaged_problems(text, words):
    with pytest.raises(DataError, match=words):
        parse_problem(text, "put a mug in shelf.", where="here")


def test_comments_and_case_are_ignored():
    assert parse_expression("(Define ; a comment )\n (:INIT x))", where="x") == [
        "define",
        [":init", "x"],
    ]


PROBLEM = problem()


@given(
    st.lists(
        st.one_of(
            st.text(max_size=60),
            st.sampled_from(sorted(PROBLEM.names.values())).map("go to {}".format),
            st.tuples(
                st.sampled_from(["take", "move", "heat", "open", "use", "examine", "slice"]),
                st.sampled_from(sorted(PROBLEM.names.values())),
                st.sampled_from(["from", "to", "with"]),
                st.sampled_from(sorted(PROBLEM.names.values())),
            ).map(" ".join),
        ),
        max_size=30,
    )
)
def test_no_text_crashes_the_engine(commands):
    game = NativeEngine(PROBLEM)
    for command in commands:
        possible = command.strip() in game.admissible()
        answer, won = game.step(command)
        assert (answer != NOTHING) == possible
        assert won == game.won


@given(st.lists(st.integers(min_value=0), max_size=60))
def test_every_admissible_command_does_something(choices):
    game = NativeEngine(PROBLEM)
    for choice in choices:
        possible = game.admissible()
        assert possible == sorted(set(possible))
        assert game.step(possible[choice % len(possible)])[0] != NOTHING
