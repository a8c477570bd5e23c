"""Entities in text, and actions as frames with arguments."""

from __future__ import annotations

import re

import pytest
from bounds import within
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.words.lexicon import Lexicon, instantiate, verb_of

NUMBERED = Lexicon(
    numbered=True,
    kinds=["zib", "tall glurp"],
    frames=["hop to {0}", "lodge {0} into {1}", "wait", "lodge {0}"],
)
PHRASES = Lexicon(
    numbered=False,
    kinds=["fig", "fig jam", "fig jam jar", "oak bench"],
    frames=["take {0}", "take {0} from {1}", "peruse notice"],
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("You see a zib 1, a zib 12 and a wug 3.", ("zib 1", "zib 12", "wug 3")),
        ("The tall glurp 2 holds a ZIB 1.", ("tall glurp 2", "zib 1")),
        ("zib1, zib-1, zib, 1 zib", ()),
        ("zib 1 zib 1", ("zib 1",)),
        ("zib 1-2 zib 1a zib 1.", ("zib 1",)),
        ("", ()),
    ],
)
def test_numbered_entities(text, found):
    assert NUMBERED.entities(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A fig jam jar and a fig.", ("fig jam jar", "fig")),
        ("Figs, a configured fig-tree, unfig", ()),
        ("FIG JAM on the Oak Bench", ("fig jam", "oak bench")),
        ("a wug 3", ()),
    ],
)
def test_phrase_entities(text, found):
    assert PHRASES.entities(text) == found


def test_a_numbered_entity_may_be_of_a_kind_never_met():
    assert NUMBERED.entities("a flurb 7") == ("flurb 7",)
    assert NUMBERED.parse("hop to flurb 7") == ("hop to {0}", ("flurb 7",))


@pytest.mark.parametrize(
    ("lexicon", "action", "parsed"),
    [
        (NUMBERED, "hop to zib 1", ("hop to {0}", ("zib 1",))),
        (NUMBERED, "  Hop   to ZIB 1 ", ("hop to {0}", ("zib 1",))),
        (
            NUMBERED,
            "lodge zib 1 into tall glurp 2",
            ("lodge {0} into {1}", ("zib 1", "tall glurp 2")),
        ),
        (NUMBERED, "lodge zib 1", ("lodge {0}", ("zib 1",))),
        (NUMBERED, "wait", ("wait", ())),
        (NUMBERED, "sniff zib 1 at flurb 2", ("sniff {0} at {1}", ("zib 1", "flurb 2"))),
        (NUMBERED, "", ("", ())),
        (PHRASES, "take fig jam", ("take {0}", ("fig jam",))),
        (PHRASES, "take fig from oak bench", ("take {0} from {1}", ("fig", "oak bench"))),
        (PHRASES, "take wug", ("take {0}", ("wug",))),
        (PHRASES, "peruse notice", ("peruse notice", ())),
        (PHRASES, "sing", ("sing", ())),
    ],
)
def test_actions(lexicon, action, parsed):
    assert lexicon.parse(action) == parsed
    assert lexicon.parse(action) == parsed  # and again, from memory


def test_kinds():
    assert NUMBERED.kind("tall glurp 2") == "tall glurp"
    assert NUMBERED.kind("zib") == "zib"
    assert NUMBERED.kind("7") == "7"
    assert PHRASES.kind("wug 3") == "wug 3"


def test_a_lexicon_that_knows_nothing():
    empty = Lexicon(numbered=False, kinds=[], frames=[])
    assert empty.entities("a zib 1") == ()
    assert empty.parse("take zib 1") == ("take zib 1", ())
    assert empty.chunk("Take zib 1!") == ("take", "zib", "1")


def test_extended_knows_more_and_leaves_the_first_as_it_was():
    wider = PHRASES.extended(["red wug"])
    assert wider.entities("a red wug") == ("red wug",)
    assert PHRASES.entities("a red wug") == ()
    assert PHRASES.extended(["fig"]) is PHRASES
    assert NUMBERED.extended(["red wug"]) is NUMBERED


def test_chunks():
    assert PHRASES.chunk("Take the fig jam jar, then: oak bench!") == (
        "take",
        "the",
        "fig jam jar",
        "then",
        "oak bench",
    )
    assert PHRASES.chunk("a red wug", {"red wug"}) == ("a", "red wug")
    assert PHRASES.chunk("") == ()


KINDS = st.lists(
    st.text(st.sampled_from("abcdé"), min_size=1, max_size=5), min_size=1, max_size=3
).map(" ".join)
NUMBERS = st.integers(0, 99).map(str)


@given(st.lists(st.tuples(KINDS, NUMBERS), min_size=1, max_size=4))
def test_what_is_put_into_a_numbered_frame_is_read_out_of_it(pairs):
    entities = [f"{kind} {number}" for kind, number in pairs]
    frame = "wield " + " upon ".join(f"{{{i}}}" for i in range(len(entities)))
    lexicon = Lexicon(numbered=True, kinds=[kind for kind, _ in pairs], frames=[frame])
    action = instantiate(frame, entities)
    assert lexicon.parse(action) == (frame, tuple(entities))
    assert lexicon.abstract(action) == (frame, tuple(entities))


@given(st.lists(KINDS, min_size=1, max_size=6, unique=True), st.data())
def test_the_longest_known_phrase_is_found(kinds, data):
    lexicon = Lexicon(numbered=False, kinds=kinds, frames=["get {0}"])
    kind = data.draw(st.sampled_from(kinds))
    assert lexicon.entities(f"You see: {kind}.") == (kind,)
    assert lexicon.parse(f"get {kind}") == ("get {0}", (kind,))


@given(st.text(max_size=60), st.lists(st.text(max_size=8).filter(str.strip), max_size=4))
def test_any_text_is_read_without_harm(text, kinds):
    for numbered in (False, True):
        lexicon = Lexicon(numbered=numbered, kinds=kinds, frames=["take {0} from {1}", "take {0}"])
        frame, arguments = lexicon.parse(text)
        assert len(arguments) == len(re.findall(r"\{\d+\}", frame)) or "{" in text
        for start, end, entity in lexicon.mentions(text):
            assert text[start:end].lower() == entity
        lexicon.chunk(text)


@given(
    st.lists(st.text(st.characters(exclude_categories=("Cs",)), max_size=9), min_size=2, max_size=2)
)
def test_arguments_are_data(arguments):
    """Braces and numbers in an argument are not slots."""
    assert instantiate("a {0} b {1}", arguments) == f"a {arguments[0]} b {arguments[1]}"


def test_long_texts_and_actions_take_no_longer_than_their_length():
    with within(5):
        assert len(NUMBERED.mentions("zib zib 1 " * 100_000)) == 100_000
        assert len(PHRASES.mentions("fig jam " * 100_000)) == 100_000
        for lexicon, action in (
            (PHRASES, "take " + "from " * 2_000),
            (NUMBERED, "lodge " + "into " * 2_000),
        ):
            frame, arguments = lexicon.parse(action)
            assert instantiate(frame, arguments) == action.strip()


VERBS_LAST = Lexicon(
    numbered=False,
    kinds=["fig", "oak bench"],
    frames=["{0} from {1} take", "{0} take", "to {0} go", "wait"],
)


@pytest.mark.parametrize(
    ("action", "parsed", "verb"),
    [
        ("fig from oak bench take", ("{0} from {1} take", ("fig", "oak bench")), "take"),
        ("fig take", ("{0} take", ("fig",)), "take"),
        ("to oak bench go", ("to {0} go", ("oak bench",)), "go"),
        ("wait", ("wait", ()), "wait"),
    ],
)
def test_frames_may_begin_with_an_argument(action, parsed, verb):
    assert VERBS_LAST.parse(action) == parsed
    assert verb_of(parsed[0], -1) == verb
