"""Goals that differ in a word become one goal with a slot."""

from __future__ import annotations

import random
from collections import defaultdict

from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning import goal_templates
from macla.procedures.learning.analysis import read
from macla.procedures.learning.goal_templates import merge_goals
from macla.procedures.words.lexicon import Lexicon
from test_long_inputs import calls

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


def by_looking_at_all(found):
    """The same, said plainly: the largest family of all is opened, again and again."""
    while True:
        families = defaultdict(dict)
        for episode in found:
            parts = episode.goal.split(" ")
            for i, word in enumerate(parts):
                if not word.startswith("{"):
                    around = (" ".join(parts[:i]), " ".join(parts[i + 1 :]))
                    families[around].setdefault(word, []).append(episode)
        named = {
            around: sum(map(len, words.values()))
            for around, words in families.items()
            if len(words) > 1
            and sum(
                w in goal_templates._words_acted_on(e) for w, each in words.items() for e in each
            )
            >= (0.8 if len(words) > 2 else 1.0) * sum(map(len, words.values()))
        }
        if not named:
            return
        around = max(named, key=lambda each: (named[each], each))
        for word, each in families[around].items():
            for episode in each:
                goal_templates._open_slot(episode, len(around[0].split()), word)


def test_it_is_what_looking_at_all_families_again_and_again_finds():
    r = random.Random(3)
    for _ in range(60):
        tasks = []
        for _ in range(r.randrange(2, 14)):
            wood, other = r.choice(WOODS), r.choice((*WOODS, "foot"))
            said = " ".join(r.choice((wood, other, "make", "of", "it")) for _ in range(4))
            tasks.append((said, [f"cut {wood} log", *r.choice(([], [f"cut {other} log"]))]))
        one, other = episodes(*tasks), episodes(*tasks)
        merge_goals(one)
        by_looking_at_all(other)
        assert [(e.goal, e.fillers) for e in one] == [(e.goal, e.fillers) for e in other]


def test_the_work_is_that_of_reading_the_goals():
    def work(count):
        lexicon = Lexicon(
            numbered=False, kinds=[f"k{n} log" for n in range(count)], frames=["cut {0}"]
        )
        tasks = [
            (f"p{n // 2} q{n // 2} work on k{n} today", [f"cut k{n} log"]) for n in range(count)
        ]
        found = episodes(*tasks, lexicon=lexicon)
        return calls(lambda: merge_goals(found))

    assert work(800) < 2.5 * work(400)
