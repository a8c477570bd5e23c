"""Names never met before: where names stand is learned, and read off new text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning.name_contexts import learn_names
from macla.procedures.words.clauses import clauses
from macla.procedures.words.lexicon import Lexicon
from macla.procedures.words.unknown_names import EDGE, Names, neighbours, token_spans_of

NAMES = Names(
    before=frozenset(["a", "the"]),
    after=frozenset([EDGE, ",", "and"]),
    words=frozenset(["you", "see", "a", "the", "and", "on"]),
    inside=frozenset(["of"]),
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("You see a zib, a tall glurp and a vand.", {"zib", "tall glurp", "vand"}),
        ("You see the jar of figs.", {"jar of figs"}),  # a word within, between two others
        ("You see a zib of.", set()),  # no name ends in it, and none stands before it
        ("You see a zib on the vand.", {"vand"}),  # "on" never follows a name
        ("You see zib.", set()),  # nothing that stands before a name
        ("You see a 12.", set()),  # a number begins no name
        ("You see a zib 12.", {"zib 12"}),
        ("A ZIB. The zib!", {"zib"}),
        ("You see a one two three four five.", set()),  # longer than names are
        ("", set()),
    ],
)
def test_what_stands_like_a_name_is_one(text, found):
    assert NAMES.discover(text, frozenset()) == found


def test_known_names_are_not_discovered_again():
    text = "You see a zib, a tall glurp and a vand."
    assert NAMES.discover(text, frozenset(["tall glurp"])) == {"zib", "vand"}


def test_the_edge_of_a_clause_is_a_neighbour():
    edge = Names(frozenset([EDGE]), frozenset([EDGE]), frozenset(["you"]))
    assert edge.discover("Old Mill\nYou rest.", frozenset()) == {"old mill"}
    parts = ["the", "zib", "sleeps"]
    assert neighbours(parts, 1, 2) == ("the", "sleeps")
    assert neighbours(parts, 0, 3) == (EDGE, EDGE)


def test_spans_of_characters_become_spans_of_tokens():
    assert token_spans_of("see a tall glurp now", [(6, 16)]) == [(2, 4)]
    assert token_spans_of("zib", [(0, 3)]) == [(0, 1)]


WORDS = st.sampled_from(
    ["a", "the", "and", "of", "you", "see", "on", "zib", "glurp", "tall", "4", "O'Neil", "key-ring"]
)
MARKS = st.sampled_from([", ", ". ", "! ", "; ", ": ", "\n", " ", " ", " ", " (", ") "])
TEXTS = st.lists(st.tuples(WORDS, MARKS), max_size=30).map(lambda t: "".join(a + b for a, b in t))


@given(TEXTS, st.sets(st.sampled_from(["zib", "tall glurp", "glurp", "key-ring"])))
def test_discovered_names_are_new_and_cross_no_punctuation(text, known):
    for name in NAMES.discover(text, frozenset(known)):
        assert name not in known
        assert 1 <= len(name.split()) <= 4
        assert not set(name) & set(",.!;:()\n")
        assert not set(name.split()) & NAMES.words
        assert any(f" {name} " in f" {clause} " for clause in clauses(text))


# ------------------------------------------------------------------------------- learning
THINGS = ("tall glurp", "zib", "old vand", "jar of figs", "mokka")


def shown(count=20):
    """Demonstrations that name three of the things; the task names the second."""
    out = []
    for n in range(count):
        first, thing, last = (THINGS[(n + i) % len(THINGS)] for i in (0, 1, 2))
        more = " the spare trell," if n % 4 == 0 else ""  # of no use to anybody
        seen = f"You stand in a burrow. You see{more} the {first}, the {thing} and the {last}."
        told = f"You now hold the {thing}."
        out.append(Trajectory(f"Grab the {thing}.", (seen, told), (f"grab {thing}",), True))
    return out


def learned(kinds=THINGS, count=20):
    lexicon = Lexicon(numbered=False, kinds=kinds, frames=["grab {0}"])
    names = learn_names(shown(count), lexicon)
    assert names is not None
    return names


def test_neighbours_and_words_are_learned():
    names = learned()
    assert names.before == {"the"}
    assert names.after == {",", "and", EDGE}
    assert names.inside == {"of"}
    assert {"you", "see", "stand", "hold", "grab"} <= names.words
    assert not names.words & {"tall", "glurp", "zib", "old", "vand", "jar", "figs", "mokka"}


def test_names_of_a_new_episode_are_found_with_what_was_learned():
    text = "You stand in a burrow. You see the quorn, the small pliv and the zib."
    assert learned().discover(text, frozenset(THINGS)) == {"quorn", "small pliv"}


def test_words_of_every_episode_are_no_names():
    assert "burrow" in learned().words
    assert learned().discover("You leave the burrow.", frozenset()) == set()


def test_what_stands_like_a_name_may_be_one_though_nobody_used_it():
    assert not {"spare", "trell"} & learned().words
    assert "spare trell" in learned().discover("You see the spare trell.", frozenset(THINGS))


def test_nothing_is_learned_where_names_have_a_shape_or_none_are_known():
    for lexicon in (
        Lexicon(numbered=True, kinds=["zib"], frames=[]),
        Lexicon(numbered=False, kinds=[], frames=[]),
        Lexicon(numbered=False, kinds=["quorn"], frames=[]),
    ):
        assert learn_names(shown(), lexicon) is None
    assert learn_names([], Lexicon(numbered=False, kinds=["zib"], frames=[])) is None
