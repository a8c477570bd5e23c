"""What a text says of several things, and of kinds: which one is meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.common.text import speaks_of
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning.analysis import read
from macla.procedures.learning.segments import Segment
from macla.procedures.learning.telling_observations import telling_place
from macla.procedures.words.lexicon import Lexicon
from macla.procedures.words.reference_resolution import told_apart

LEVERS = ["red lever", "blue lever", "green lever", "key"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The dial shows blue.", {"blue lever"}),
        ("Pull the RED lever!", {"red lever"}),
        ("red, or green", {"red lever", "green lever"}),
        ("The lever is stuck.", set()),  # all of them have that word
        ("The dial shows violet.", set()),
        ("A blueish key.", {"key"}),  # words, not parts of words
        ("", set()),
    ],
)
def test_a_thing_is_told_by_its_name_or_by_a_word_of_its_own(text, told):
    assert told_apart(LEVERS, text) == told


def test_a_whole_name_says_more_than_a_word():
    assert told_apart(["key", "key card", "red card"], "Take the red card.") == {"red card"}
    assert told_apart([], "red") == set()


@given(
    st.lists(st.sampled_from(["red lever", "blue lever", "key", "blue key 2"])),
    st.lists(st.sampled_from(["red", "blue", "lever", "key", "2", "."])).map(" ".join),
)
def test_only_what_was_asked_for_is_told_and_order_does_not_matter(entities, text):
    told = told_apart(entities, text)
    assert told <= set(entities)
    assert told == told_apart(list(reversed(entities)), text)


@pytest.mark.parametrize(
    ("kind", "wanted", "usual", "expected"),
    [
        ("oak log", "oak log", ["elm log"], True),
        ("elm boards", "elm", ["oak boards"], True),
        ("elm log", "elm", ["oak boards"], False),  # of the word, but not like the usual ones
        ("elm log", "elm", None, True),  # nothing usual to compare with
        ("elm log", "elm", [], False),
        ("elm", "elm log", ["oak log"], False),  # says less than what is wanted
        ("elmwood log", "elm", ["oak log"], False),
        ("fine elm boards", "elm", ["oak boards"], False),
        ("fine elm boards", "elm boards", ["fine oak boards"], True),
    ],
)
def test_a_kind_is_spoken_of_by_a_word_of_it(kind, wanted, usual, expected):
    assert speaks_of(kind, wanted, usual) is expected


# ------------------------------------------------------------------------------- learning
LEXICON = Lexicon(numbered=False, kinds=[*LEVERS, "dial"], frames=["read {0}", "pull {0}"])


def gone_through(colours, says):
    """Episodes that read the dial and pull the lever of a colour; with a segment for each."""
    out = []
    for colour in colours:
        obs = (
            "You see a dial, a red lever, a blue lever, a green lever and a key.",
            says(colour),
            "Click.",
        )
        acts = ("read dial", f"pull {colour} lever")
        episode = read(Trajectory("Start it.", obs, acts, True), LEXICON)
        segments = [
            Segment(episode, (0,), ["dial"], "read {0}"),
            Segment(episode, (1,), [f"{colour} lever"], "pull {0}"),
        ]
        out.append((episode, segments))
    return out


COLOURS = ("red", "blue", "green", "red", "green", "blue")


def test_the_place_that_tells_a_thing_is_found():
    own = gone_through(COLOURS, lambda colour: f"The dial shows {colour}.")
    assert telling_place((1, 0), own, LEXICON) == 0


@pytest.mark.parametrize(
    ("colours", "says"),
    [
        (COLOURS, lambda colour: "The dial is dusty."),  # says nothing
        (COLOURS, lambda colour: "The dial shows red."),  # says the same whatever is pulled
        (COLOURS, lambda colour: "Red, blue or green?"),  # tells none from the others
        (["red"] * 6, lambda colour: f"The dial shows {colour}."),  # always the same thing
        (COLOURS[:3], lambda colour: f"The dial shows {colour}."),  # too few to say
    ],
)
def test_other_texts_tell_nothing(colours, says):
    assert telling_place((1, 0), gone_through(colours, says), LEXICON) is None


def test_nothing_comes_before_the_first_place():
    own = gone_through(COLOURS, lambda colour: f"The dial shows {colour}.")
    assert telling_place((0, 0), own, LEXICON) is None
