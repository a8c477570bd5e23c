"""An episode's memory, and that it is the same however it comes about."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from invented_worlds import ruin_demonstration
from macla.procedures.planning.episode_memory import EpisodeMemory
from macla.procedures.planning.world_model import World
from macla.procedures.words.lexicon import Lexicon

LEXICON = Lexicon(
    numbered=True, kinds=["zib", "glurp"], frames=["hop to {0}", "grab {0} out of {1}", "wait"]
)
FIRST = "Around you are a glurp 1 and a glurp 2."
HISTORY = [
    ("hop to glurp 1", "You reach glurp 1. There you spot a zib 1.", True),
    ("grab zib 9 out of glurp 1", "Nothing stirs.", False),
    ("grab zib 1 out of glurp 1", "You grab the zib 1 out of the glurp 1.", True),
]


def memory(history=HISTORY, first=FIRST):
    return EpisodeMemory.replay(LEXICON, "Grab a zib.", first, history)


def test_before_anything_happened():
    start = memory([])
    assert start.known == {"glurp 1": 0, "glurp 2": 0}
    assert start.initial == {"glurp 1", "glurp 2"}
    assert start.has_observation()
    assert start.successful_actions() == []
    assert start.last_action_on("glurp 1") is None
    assert start.location == {"glurp 1": None, "glurp 2": None}


def test_nothing_observed_yet():
    assert not memory([], first="").has_observation()
    assert not memory([], first=" \n").has_observation()
    assert memory([("wait", "", True)], first="").has_observation()
    assert memory([], first="").latest_sentences() == ()


def test_what_an_episode_leaves_behind():
    done = memory()
    assert done.known == {"glurp 1": 0, "glurp 2": 0, "zib 1": 1}
    assert done.length == 3
    assert done.worked == 2
    assert list(done.successful_actions()) == [HISTORY[0][0], HISTORY[2][0]]
    assert done.last_action_on("zib 1") == "grab zib 1 out of glurp 1"
    assert done.last_action_on("glurp 1") == "grab zib 1 out of glurp 1"
    assert list(done.all_sentences()) == [
        "Around you are a glurp 1 and a glurp 2.",
        "You reach glurp 1.",
        "There you spot a zib 1.",
        "You grab the zib 1 out of the glurp 1.",
    ]
    assert done.kind_of("zib 1") == "zib"


def test_what_failed_says_nothing_of_the_world():
    before, after = memory(HISTORY[:1]), memory(HISTORY[:2])
    assert after.failed_actions == {"grab zib 9 out of glurp 1": 1}
    assert "zib 9" not in after.known
    assert after.latest_sentences() == before.latest_sentences()
    assert after.worked == before.worked == 1
    assert after.length == 2


def test_a_thing_is_where_it_was_seen_until_it_is_moved():
    assert memory(HISTORY[:1]).location["zib 1"] == "glurp 1"
    assert "zib 1" not in memory().location


def test_what_was_done_to_a_thing():
    world = World(operators={"grab {0} out of {1}": "grab"})
    done = EpisodeMemory.replay(LEXICON, "", FIRST, HISTORY, world)
    assert done.has_undergone("zib 1", "grab")
    assert not done.has_undergone("zib 9", "grab")
    assert not done.has_undergone("zib 1", "hop to {0}")


def facts(known):
    return {
        name: getattr(known, name)
        for name in ("known", "location", "failed_actions", "initial", "length", "worked")
    } | {
        "latest": known.latest_sentences(),
        "all": list(known.all_sentences()),
        "actions": list(known.successful_actions()),
        "last": {entity: known.last_action_on(entity) for entity in known.known},
    }


ENTITY = st.builds("{} {}".format, st.sampled_from(["zib", "glurp"]), st.integers(1, 3))
ACTION = st.one_of(
    st.just("wait"),
    ENTITY.map("hop to {}".format),
    st.builds("grab {} out of {}".format, ENTITY, ENTITY),
)
OBSERVATION = st.one_of(
    st.just(""), st.lists(ENTITY, max_size=3).map(", ".join), st.text(max_size=20)
)


@given(st.lists(st.tuples(ACTION, OBSERVATION, st.booleans()), max_size=12), st.integers(0, 12))
def test_rebuilt_at_any_point_it_is_the_same(history, cut):
    whole = memory(history)
    resumed = memory(history[:cut])
    for action, observation, worked in history[cut:]:
        resumed.add(action, observation, worked=worked)
    assert facts(resumed) == facts(whole)
    assert set(whole.location) <= set(whole.known)
    assert all(0 <= step <= whole.length for step in whole.known.values())


def test_places_are_kept_where_moves_are_known():
    episode = ruin_demonstration(3)
    lexicon = Lexicon(numbered=False, kinds=["northward"], frames=["stride {0}", "collect {0}"])
    history = [(a, o, True) for a, o in zip(episode.acts, episode.obs[1:], strict=True)]
    world = World(effects={"stride {0}": "moves"})
    with_places = EpisodeMemory.replay(lexicon, episode.task, episode.obs[0], history, world)
    assert with_places.places.here == "~ Echoing Hall ~"
    assert EpisodeMemory.replay(lexicon, episode.task, episode.obs[0], history).places is None
