"""Segments as somebody else cuts them: told of one episode, found in the others of its goal."""

from __future__ import annotations

import dataclasses

from gap_world import episodes, lend
from macla.procedures.learning.cuts import Cut, Stretch
from macla.procedures.learning.kept_cuts import kept_cuts
from macla.procedures.learning.learner import learn
from macla.procedures.model.procedure import MetaProcedure, Procedure

GOAL = "lend the {0} to the sound of a {1}"
SHOWN = lend("cup")
RUNG = Stretch("get the cup 1 and ring", 0, 2, (), ("The bell 1 rings.", "You grab the cup 1."))
GIVEN = Stretch("part with the cup", 2, 3, ("The bell 1 rings.",), ())


def cut(*stretches, shown=SHOWN):
    return {GOAL: Cut(shown, stretches, "somebody")}


def told(learned):
    return {
        name: each
        for name, each in learned.procedures.items()
        if "segmented_by" in each["provenance"]
    }


def test_all_episodes_of_a_goal_are_cut_as_one_of_them():
    learned = learn(episodes(), cuts=cut(RUNG, GIVEN))
    made = told(learned)
    assert {each["goal"] for each in made.values()} == {"get the {y} and ring", "part with the {x}"}
    for each in made.values():
        assert each["provenance"]["segmented_by"] == "somebody"
        assert each["provenance"]["learned_from"] == "40 segments of demonstrations"
    (meta,) = [each for each in learned.metas.values() if "segmented_by" in each["provenance"]]
    assert [place["run"] for place in meta["plan"]] == [
        "get-the-and-ring",
        "part-with-the",
    ]


def test_only_sentences_that_are_borne_out_stand():
    made = {each["goal"]: each for each in told(learn(episodes(), cuts=cut(RUNG, GIVEN))).values()}
    rung, given = made["get the {y} and ring"], made["part with the {x}"]
    # That it was grabbed was not seen after the last action of the stretch.
    assert rung["postconditions"] == ['observed("The {x} rings.")']
    # The bell is none of the things that this is done to, so it stands for any sentence.
    assert all("rings" not in each for each in given["preconditions"])


def test_a_cut_that_leaves_out_the_end_changes_nothing():
    plain = learn(episodes())
    assert learn(episodes(), cuts=cut(RUNG)).procedures == plain.procedures


def test_a_cut_of_an_episode_that_is_not_there_changes_nothing():
    plain = learn(episodes())
    other = dataclasses.replace(SHOWN, task="lend the lid to the sound of a bell")
    assert learn(episodes(), cuts=cut(RUNG, GIVEN, shown=other)).metas == plain.metas


def test_an_episode_that_goes_another_way_is_cut_by_the_learner():
    without_bell = {"acts": SHOWN.acts[::2], "obs": (*SHOWN.obs[:2], SHOWN.obs[3])}
    other = dataclasses.replace(SHOWN, **without_bell)
    learned = learn([*episodes(), other], cuts=cut(RUNG, GIVEN))
    (rung,) = [each for each in told(learned).values() if each["goal"].endswith("ring")]
    assert rung["provenance"]["learned_from"] == "40 segments of demonstrations"
    assert len(learned.procedures) > len(told(learned))


def test_files_cut_again_as_they_were_cut():
    learned = learn(episodes(), cuts=cut(RUNG, GIVEN))
    procedures = {name: Procedure.from_document(d) for name, d in learned.procedures.items()}
    metas = {name: MetaProcedure.from_document(d) for name, d in learned.metas.items()}
    kept = kept_cuts(procedures, metas)
    assert list(kept) == [GOAL]
    again = learn(episodes(), cuts=kept)
    assert (again.procedures, again.metas) == (learned.procedures, learned.metas)
