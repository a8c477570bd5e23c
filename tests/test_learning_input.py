"""Trajectories as the world may send them: odd names, no text, too much of it."""

from __future__ import annotations

import json
import time
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from invented_worlds import burrow_demonstration
from macla.procedures.common.errors import TrajectoryError
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning.learner import learn
from macla.procedures.model.procedure import MetaProcedure, Ontology, Procedure


def demonstrations(
    things, places, count=24, task="Stow the {thing}.", acted="You stow the {thing} on the {place}."
):
    """One pick and one drop a demonstration, of things and places with these names."""
    rng = Random(1)
    out = []
    for _ in range(count):
        thing, place, target = rng.choice(things), rng.choice(places), rng.choice(places)
        out.append(
            Trajectory(
                task.format(thing=thing),
                (
                    f"You see: {', '.join(places)}.",
                    f"On the {place} there is {thing}.",
                    f"You take the {thing}.",
                    acted.format(thing=thing, place=target),
                ),
                (f"probe {place}", f"take {thing}", f"stow {thing} on {target}"),
                success=True,
            )
        )
    return out


def checked(learned):
    """All documents are valid, and JSON holds them."""
    for document in learned.procedures.values():
        Procedure.from_document(document)
    for document in learned.metas.values():
        MetaProcedure.from_document(document)
    Ontology.from_document(learned.ontology)
    assert learned.procedures
    assert json.loads(json.dumps(learned.procedures)) == learned.procedures
    return learned


PLACES = ["oak bench", "pine bench", "tall rack", "low rack"]


def frames(learned):
    return {
        frame for operator in learned.ontology["operators"].values() for frame in operator["frames"]
    }


def test_two_words_make_one_name():
    learned = checked(learn(demonstrations(["red fig", "blue fig", "sour plum"], PLACES)))
    assert frames(learned) == {"probe {0}", "take {0}", "stow {0} on {1}"}
    assert {"red fig", "oak bench"} <= set(learned.ontology["entities"]["kinds"])


def test_names_that_begin_with_other_names():
    things = ["fig", "fig jam", "fig jam jar", "plum"]
    learned = checked(learn(demonstrations(things, PLACES)))
    assert set(learned.lexicon.kinds) >= set(things)
    assert learned.lexicon.entities("A fig jam jar, a fig jam and a fig.") == (
        "fig jam jar",
        "fig jam",
        "fig",
    )
    assert learned.lexicon.parse("stow fig jam on oak bench") == (
        "stow {0} on {1}",
        ("fig jam", "oak bench"),
    )


@pytest.mark.parametrize(
    "things",
    [
        ["f(ig", "p[lum", "c{herry}", "*lime*"],
        ['"fig"', "'plum'", 'che"rry', "li\\me"],
        ["żółta figa", "слива", "桜桃", "إجاص"],
        ["{0}", "{x}", "{thing}", "%s"],
        ["fig.*", "plum|fig", "^lime$", "(?=x)"],
    ],
)
def test_names_in_odd_characters(things):
    learned = checked(learn(demonstrations(things, PLACES)))
    assert learned.procedures


def test_observations_without_text():
    episodes = [
        Trajectory(t.task, ("", *([""] * len(t.acts))), t.acts, success=True)
        for t in demonstrations(["red fig", "plum", "sour lime"], PLACES)
    ]
    learned = checked(learn(episodes))
    assert all(document["postconditions"] == [] for document in learned.procedures.values())


def test_trajectories_without_actions_teach_nothing_and_do_no_harm():
    idle = Trajectory("Wait.", ("A field.",), (), success=True)
    episodes = demonstrations(["red fig", "plum", "sour lime"], PLACES)
    assert learn([idle, *episodes, idle]).procedures == learn(episodes).procedures


def test_failures_teach_no_procedure():
    episodes = demonstrations(["red fig", "plum", "sour lime"], PLACES)
    failed = Trajectory("Stow the plum.", ("A field.", "Nothing."), ("gallop",), success=False)
    learned = learn([*episodes, failed])
    assert learned.procedures == learn(episodes).procedures
    assert not any("gallop" in frame for frame in frames(learned))


@pytest.mark.parametrize(
    "episodes",
    [
        [],
        [Trajectory("Wait.", ("A field.",), (), success=True)],
        [Trajectory("Wait.", ("A field.", "Rain."), ("wait",), success=False)] * 3,
    ],
)
def test_nothing_to_learn_from(episodes):
    with pytest.raises(TrajectoryError, match=f"none of {len(episodes)} trajectories"):
        learn(episodes)


def test_one_trajectory_is_enough_not_to_fail():
    checked(learn([burrow_demonstration(0)]))


def swollen(count):
    """Demonstrations, one of which saw so many words at once."""
    episodes = demonstrations(["red fig", "plum", "sour lime"], PLACES)
    words = Random(0).choices(["blather", "on", "and", "oak", "bench", "plum", "7", ","], k=count)
    long = episodes[0]
    obs = (long.obs[0], long.obs[1] + " ".join(words), *long.obs[2:])
    return [*episodes, Trajectory(long.task, obs, long.acts, True)]


def test_a_megabyte_in_one_observation():
    episodes = swollen(180_000)
    assert max(map(len, episodes[-1].obs)) > 700_000
    checked(learn(episodes))


@pytest.mark.speed
def test_the_time_does_not_grow_with_the_square():
    times = []
    for count in (45_000, 180_000):
        episodes = swollen(count)
        began = time.perf_counter()
        learn(episodes)
        times.append(time.perf_counter() - began)
    assert times[1] < 8 * times[0]


TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30)
EPISODE = st.integers(1, 4).flatmap(
    lambda n: st.builds(
        Trajectory,
        TEXT.filter(str.strip),
        st.lists(TEXT, min_size=n + 1, max_size=n + 1).map(tuple),
        st.lists(TEXT.filter(str.strip), min_size=n, max_size=n).map(tuple),
        st.just(True),
    )
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(EPISODE, min_size=1, max_size=5))
def test_any_text_is_learned_from_without_harm(episodes):
    checked(learn(episodes))


WORDS = st.sampled_from(["mok", "tor", "1", "2", "the", "of", "zib", '"', "{x}", "*", "\\", "."])
PHRASES = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_text_from_few_words_is_learned_from_without_harm(data):
    episodes = []
    for _ in range(data.draw(st.integers(1, 8))):
        n = data.draw(st.integers(1, 5))
        obs = data.draw(st.lists(PHRASES, min_size=n + 1, max_size=n + 1))
        acts = data.draw(st.lists(PHRASES, min_size=n, max_size=n))
        episodes.append(Trajectory(data.draw(PHRASES), tuple(obs), tuple(acts), True))
    checked(learn(episodes))
