"""Goals that differ in a word become one goal with a slot."""

from __future__ import annotations

from macla.procedures.learning.analysis import read
from macla.procedures.learning.goals import merge_goals
from macla.procedures.lexicon import Lexicon
from macla.procedures.trajectories import Trajectory

WOODS = ("oak", "elm", "pine", "ash")
LEXICON = Lexicon(
    numbered=False,
    kinds=[*(f"{wood} log" for wood in WOODS), "table", "stool"],
    frames=["cut {0}", "build {0}", "ring bell"],
)


def episodes(*pairs, lexicon=LEXICON):
    """(task, actions) → episodes."""
    return [
        read(Trajectory(task, ("You rest.", *("Done." for _ in acts)), tuple(acts), True), lexicon)
        for task, acts in pairs
    ]


def merged(*pairs):
    found = episodes(*pairs)
    merge_goals(found)
    return [(episode.goal, episode.fillers) for episode in found]


def test_a_word_of_what_was_acted_on_becomes_a_slot():
    assert merged(
        *((f"work on {wood} today", [f"cut {wood} log"]) for wood in WOODS),
    ) == [("work on {0} today", (wood,)) for wood in WOODS]


def test_a_new_slot_is_numbered_by_its_place_beside_those_there_are():
    tasks = [
        (f"with {wood} make a {thing}", [f"cut {wood} log", f"build {thing}"])
        for wood, thing in [("oak", "table"), ("elm", "table"), ("pine", "stool")]
    ]
    assert merged(*tasks) == [
        ("with {0} make a {1}", ("oak", "table")),
        ("with {0} make a {1}", ("elm", "table")),
        ("with {0} make a {1}", ("pine", "stool")),
    ]


def test_goals_whose_word_names_nothing_acted_on_stay_apart():
    tasks = [("be quick now", ["ring bell"]), ("be slow now", ["ring bell"])]
    assert [goal for goal, _ in merged(*tasks)] == ["be quick now", "be slow now"]


def test_of_two_words_both_must_name_something():
    tasks = [("work on oak", ["cut oak log"]), ("work on foot", ["cut elm log"])]
    assert [goal for goal, _ in merged(*tasks)] == ["work on oak", "work on foot"]


def test_one_goal_alone_stays_as_it_is():
    assert merged(*[("work on oak", ["cut oak log"])] * 3) == [("work on oak", ())] * 3


def test_merging_again_changes_nothing():
    found = episodes(*((f"work on {wood}", [f"cut {wood} log"]) for wood in WOODS))
    merge_goals(found)
    before = [(e.goal, e.fillers) for e in found]
    merge_goals(found)
    assert [(e.goal, e.fillers) for e in found] == before
