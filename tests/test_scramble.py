from __future__ import annotations

import string
import subprocess
import sys
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from macla.adapters.scramble import ScrambledEnvironment, Scrambler, scramble_environment
from macla.graph.protocols import AdmissibleEnvironment, Environment
from macla.procedures.common.text import tokens
from macla.procedures.episodes.trajectories import Trajectory

SCRAMBLER = Scrambler(3)
WORDS = st.text(string.ascii_lowercase, min_size=1, max_size=80)


@given(st.text())
@settings(max_examples=500)
def test_round_trip_of_any_text(text):
    assert SCRAMBLER.unscramble(SCRAMBLER.text(text)) == text


@given(st.text(string.ascii_letters + " '-éßÉĞ1漢ǅ"))
@settings(max_examples=500)
def test_round_trip_of_mixed_case_and_letters_beyond_ascii(text):
    assert SCRAMBLER.unscramble(SCRAMBLER.text(text)) == text


@given(WORDS, WORDS)
def test_two_words_never_share_an_invented_one(one, other):
    assert (SCRAMBLER.text(one) == SCRAMBLER.text(other)) == (one == other)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_bijection_over_all_short_words(length):
    words = ["".join(letters) for letters in product(string.ascii_lowercase, repeat=length)]
    assert len({SCRAMBLER.text(word) for word in words}) == len(words)


@given(WORDS)
def test_invented_words_are_pronounceable(word):
    invented = SCRAMBLER.text(word)
    assert len(invented) % 2 == 0
    assert set(invented[1::2]) <= set("aeiou")
    assert not set(invented[::2]) & set("aeiouq")


@given(st.lists(st.sampled_from(["take", "the", "red", "mug", "2", "\n", ".", "x-ray", "it's"])))
def test_a_text_is_scrambled_word_by_word(parts):
    whole = SCRAMBLER.text(" ".join(parts))
    assert whole == " ".join(SCRAMBLER.text(part) for part in parts)


def test_numbers_punctuation_space_and_capitals_stay():
    plain = 'You see a "Mug 12"  (RED), BBQs:\n\n - x_1!'
    scrambled = SCRAMBLER.text(plain)

    def shape(text):
        return [c for c in text if not c.isalpha()]

    assert shape(scrambled) == shape(plain)
    you, see = scrambled.split()[:2]
    assert you[0].isupper()
    assert you[1:].islower()
    assert see.islower()
    assert scrambled.split()[5].strip("(),").isupper()


def test_case_does_not_distinguish_words():
    assert SCRAMBLER.text("Take TAKE take").casefold().split() == [SCRAMBLER.text("take")] * 3


@given(st.text(string.ascii_letters + " .,'-0123456789"))
def test_tokens_are_cut_at_the_same_places(text):
    assert [SCRAMBLER.text(token) for token in tokens(text)] == list(tokens(SCRAMBLER.text(text)))


def test_every_word_of_real_text_changes():
    text = "you take the mug from a shelf and look in it while going north to eat an egg"
    assert not set(text.split()) & set(SCRAMBLER.text(text).split())


@given(st.text(string.ascii_letters + " -'"))
def test_case_may_be_lost_on_the_way(text):
    assert SCRAMBLER.text(text).lower() == SCRAMBLER.text(text.lower())
    assert SCRAMBLER.unscramble(SCRAMBLER.text(text).lower()) == text.lower()


def test_seeds_differ():
    texts = {Scrambler(seed).text("frying pan") for seed in range(50)}
    assert len(texts) == 50


def test_order_does_not_matter():
    words = ["mug", "shelf", "take", "from", "the", "a", "i", "go", "north", "fridge"]
    one, other = Scrambler(11), Scrambler(11)
    forth = {word: one.text(word) for word in words}
    assert forth == {word: other.text(word) for word in reversed(words)}


def test_another_process_agrees():
    code = (
        "from macla.adapters.scramble import Scrambler; import sys;"
        "sys.stdout.write(ascii(Scrambler(5).text('Go NORTH, caf\\u00e9 2 frosted-glass')))"
    )
    command = [sys.executable, "-c", code]
    answers = {
        subprocess.run(
            command, capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": hash_seed}
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert answers == {ascii(Scrambler(5).text("Go NORTH, café 2 frosted-glass"))}


def test_a_word_is_turned_back_by_one_who_never_met_it():
    assert Scrambler(5).unscramble(Scrambler(5).text("examine cookbook")) == "examine cookbook"


def test_plain_words_are_not_understood():
    for action in ("look", "inventory", "take red mug from shelf 1", "go to 漢字", "q", "qa"):
        assert not set(SCRAMBLER.unscramble(action).split()) & (set(action.split()) - {"1"})


def test_long_words_are_fast():
    word = "abcdefghij" * 20_000
    assert SCRAMBLER.unscramble(SCRAMBLER.text(word)) == word


def test_trajectories():
    plain = Trajectory(
        id="t1", task="Take it.", obs=("A mug 1.", "Done."), acts=("take mug 1",), success=True
    )
    scrambled = SCRAMBLER.trajectory(plain)
    assert scrambled.id == "t1"
    assert scrambled.success
    assert scrambled.acts == (SCRAMBLER.text("take mug 1"),)
    assert scrambled.obs[0] == SCRAMBLER.text("A mug 1.")
    assert scrambled.task == SCRAMBLER.text("Take it.")


class Echo:
    def __init__(self):
        self.heard = []

    def reset(self, task):
        return f"Task {task}.", "A mug."

    def step(self, action):
        self.heard.append(action)
        return "You " + action, 0.5, True, {"won": True}


class Listing(Echo):
    def admissible(self):
        return ["look", "take mug"]


def test_environment():
    inner = Listing()
    world = scramble_environment(inner, SCRAMBLER)
    assert isinstance(world, AdmissibleEnvironment)
    assert world.reset(4) == (SCRAMBLER.text("Task 4."), SCRAMBLER.text("A mug."))
    actions = world.admissible()
    assert actions == sorted(actions)
    assert set(actions) == {SCRAMBLER.text("look"), SCRAMBLER.text("take mug")}
    assert world.step(SCRAMBLER.text("take mug")) == (
        SCRAMBLER.text("You take mug"),
        0.5,
        True,
        {"won": True},
    )
    assert inner.heard == ["take mug"]


def test_environment_without_a_list_has_none():
    world = scramble_environment(Echo(), SCRAMBLER)
    assert isinstance(world, ScrambledEnvironment)
    assert isinstance(world, Environment)
    assert not isinstance(world, AdmissibleEnvironment)
