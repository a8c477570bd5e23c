"""Demonstrations that are done again: in the very same situation, or the nearest one re-bound."""

from __future__ import annotations

from dataclasses import replace

from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning.taught import keep_taught, read_floor
from macla.procedures.proof.floor import (
    UNPROVED,
    Copy,
    Floor,
    FloorProof,
    brings_the_same,
    prove_floor,
)

SHORT = Trajectory("fetch it", ("a hall", "a box", "done"), ("look", "open box"), True)
LONG = Trajectory("fetch it", ("a hall", "a cat", "gone", "done"), ("look", "wait", "go"), True)
FAILED = Trajectory("fetch it", ("a hall", "dark"), ("sleep",), False)
FLOOR = Floor([FAILED, LONG, SHORT])


def test_the_shortest_success_comes_first() -> None:
    assert FLOOR.same("fetch it", "a hall", []) == "look"
    assert FLOOR.same("fetch it", "a hall", [("look", "a box", True)]) == "open box"


def test_another_observation_means_another_demonstration() -> None:
    assert FLOOR.same("fetch it", "a hall", [("look", "a cat", True)]) == "wait"


def test_what_is_only_alike_is_not_the_same() -> None:
    assert FLOOR.same("fetch that", "a hall", []) is None
    assert FLOOR.same("fetch it", "a cellar", []) is None
    assert FLOOR.same("fetch it", "a hall", [("look", "a dog", True)]) is None
    assert FLOOR.same("fetch it", "a hall", [("sleep", "a box", True)]) is None


def test_nothing_is_done_after_the_end() -> None:
    done = [("look", "a box", True), ("open box", "done", True)]
    assert FLOOR.same("fetch it", "a hall", done) is None
    assert Floor().same("fetch it", "a hall", []) is None


def hidden(room: str, box: int) -> Trajectory:
    """Return a demonstration of a room that looks alike wherever the ring is."""
    return Trajectory(
        "fetch the ring",
        (f"{room}. Five boxes.", f"You open box {box}. A ring.", "You have it."),
        (f"open box {box}", "take the ring"),
        True,
    )


def test_what_goes_on_apart_from_one_beginning_is_no_rule() -> None:
    apart = [hidden(room, box) for room in ("A hall", "A cellar") for box in range(1, 6)]
    floor = Floor(apart, prove_floor(apart))
    assert floor.same("fetch the ring", "A hall. Five boxes.", []) is None
    assert floor.same("fetch the ring", "A hall. Five boxes.", [], far=True) == "open box 1"


def test_what_goes_on_alike_or_was_shown_once_is_done_again() -> None:
    alike = [hidden(room, 3) for room in ("A hall", "A cellar") for _ in range(5)]
    once = [hidden(f"Room {number}", number) for number in range(1, 6)]
    for shown, room in ((alike, "A hall"), (once, "Room 3")):
        floor = Floor(shown, prove_floor(shown))
        assert floor.same("fetch the ring", f"{room}. Five boxes.", []) == "open box 3"


# ---------------------------------------------------------------------------- the nearest one
def greeting(name: str, reward: float | None = None, said: str = "Good day.") -> Trajectory:
    """Return a demonstration in which somebody is greeted and the page says so."""
    return Trajectory(
        f"Greet {name} at the door.",
        ("The door is shut.", said, f"{name} smiles."),
        ("open the door", f"say hello to {name}"),
        True,
        reward=reward,
    )


NAMES = (
    *("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal", "Ida", "Jon"),
    *("Kim", "Leo", "Mia", "Ned", "Ola", "Pam", "Quin", "Rob", "Sue", "Tom"),
)


def test_what_nearly_always_comes_out_right_is_done_with_the_new_name() -> None:
    shown = [greeting(name) for name in NAMES]
    proof = prove_floor(shown)
    assert (proof.graded, proof.reproduced, proof.of) == (False, 20, 20)
    floor = Floor(shown, proof)
    task, first = "Greet Zoe at the door.", "The door is shut."
    assert floor.nearest(task, first, []) == "open the door"
    told = [("open the door", "Good day.", True)]
    assert floor.nearest(task, first, told) == "say hello to Zoe"
    assert Floor(shown).nearest(task, first, []) is None


def test_where_a_wrong_end_costs_something_else_told_ends_it() -> None:
    shown = [greeting(name) for name in NAMES]
    floor = Floor(shown, prove_floor(shown))
    task = "Greet Zoe at the door."
    assert floor.nearest(task, "The door is open.", []) is None
    told = [("open the door", "A dog barks.", True)]
    assert floor.nearest(task, "The door is shut.", told) is None


def test_few_prove_nothing_where_a_wrong_end_costs() -> None:
    assert prove_floor([greeting(name) for name in NAMES[:6]]).near is None
    assert prove_floor([greeting("Ada")]) == UNPROVED


def test_what_often_ends_otherwise_is_not_done() -> None:
    def shouting(shown: Trajectory, number: int) -> Trajectory:
        loud = ("open the door", shown.acts[1].upper() + "!")
        return replace(shown, acts=loud) if number % 2 else shown

    shown = [shouting(greeting(name), number) for number, name in enumerate(NAMES)]
    proof = prove_floor(shown)
    assert proof.near is None
    assert Floor(shown, proof).nearest("Greet Zoe at the door.", "The door is shut.", []) is None


def test_where_episodes_are_paid_by_degrees_it_is_done_whatever_is_told() -> None:
    shown = [greeting(name, 1.0) for name in NAMES[:4]]
    proof = prove_floor(shown)
    assert proof.graded
    floor = Floor(shown, proof)
    told = [("open the door", "A dog barks.", True)]
    first = "The door is shut."
    assert floor.nearest("Greet Zoe at the door.", first, told) == "say hello to Zoe"
    assert floor.nearest("Count the eggs.", "A shed.", []) is None  # nothing so far off was proved
    assert floor.nearest("Count the eggs.", "A shed.", [], far=True) is not None


def test_what_is_paid_in_one_world_costs_nothing_there_alone() -> None:
    """One library of two worlds, of which one is paid by degrees."""
    first = "The scale is off."
    weighed = [
        Trajectory(
            f"Weigh the {what}.", (first, "On.", "Done."), ("switch on", f"weigh {what}"), True
        )
        for what in ("egg", "nut", "fig", "pea", "yam")
    ]
    shown = [*(greeting(name, 1.0) for name in NAMES[:4]), *weighed]
    floor = Floor(shown, prove_floor(shown))
    assert floor.paid("Greet Zoe at the door.", "The door is shut.")
    assert not floor.paid("Weigh the leek.", first)
    assert floor.nearest("Greet Zoe at the door.", "The door is shut.", []) == "open the door"
    assert floor.nearest("Weigh the leek.", first, []) is None
    assert floor.nearest("Weigh the leek.", first, [], far=True) is None


def test_what_is_not_possible_is_left_out() -> None:
    shown = [greeting(name, 1.0) for name in NAMES[:4]]
    floor = Floor(shown, prove_floor(shown))

    def can(action: str) -> str | None:
        return None if action == "open the door" else action

    task, first = "Greet Zoe at the door.", "The door is shut."
    assert floor.nearest(task, first, [], can) == "say hello to Zoe"


def test_another_action_in_between_ends_it() -> None:
    shown = [greeting(name, 1.0) for name in NAMES[:4]]
    floor = Floor(shown, prove_floor(shown))
    task, first = "Greet Zoe at the door.", "The door is shut."
    assert floor.nearest(task, first, [("wait", "", True)]) is None


def test_what_is_spelled_otherwise_and_leads_to_the_same_is_the_same() -> None:
    """The calls of a look-up differ; what they lead to, and what is done then, does not."""
    one = Trajectory(
        "Buy tea", ("a desk", "1 hit: tea", "Tea, 3", "paid"), ("find tea", "open tea", "pay"), True
    )
    other = replace(one, obs=("a desk", "2 hits: tea", "Tea, 3", "paid"))
    other = replace(other, acts=("find green tea", "open tea", "pay"))
    assert brings_the_same(Copy(one, one.task), other)
    assert not brings_the_same(Copy(one, one.task), replace(other, acts=(*other.acts[:2], "go")))


def test_what_left_no_trace_is_not_the_same() -> None:
    """Nobody sees what a call did after which the same is told again."""
    page = ("a desk", "Tea, 3", "Tea, 3", "paid")
    one = Trajectory("Buy tea", page, ("open tea", "choose small", "pay"), True)
    other = replace(one, acts=("open tea", "choose large", "pay"))
    assert not brings_the_same(Copy(one, one.task), other)


def test_programs_are_guided_where_that_meets_more() -> None:
    shown = [greeting(name, 1.0) for name in NAMES]

    def choices(each: Trajectory) -> list[tuple[list[str], str]]:
        return [(["say nothing", each.acts[1]], each.acts[1])]

    proof = prove_floor(shown, choices)
    assert proof.guides is not None
    ways = ["say nothing", "say hello to Zoe"]
    task, first = "Greet Zoe at the door.", "The door is shut."
    assert Floor(shown, proof).guided(task, first, ways) == "say hello to Zoe"
    assert Floor(shown, proof).guided(task, first, ["wait", "go"]) is None
    assert Floor(shown, prove_floor(shown)).guided(task, first, ways) is None


def test_the_proof_is_kept_beside_the_demonstrations(tmp_path) -> None:  # type: ignore[no-untyped-def]
    keep_taught(tmp_path, [greeting(name, 1.0) for name in NAMES])
    kept = read_floor(tmp_path)
    assert (kept.graded, kept.reproduced, kept.of, kept.guides) == (True, 20, 20, None)
    assert 0.0 < (kept.near or 0.0) < 1.0
    assert read_floor(tmp_path / "elsewhere") == UNPROVED
    assert FloorProof.from_document({"reproduced": 1, "of": 2, "near": "0"}) == UNPROVED
