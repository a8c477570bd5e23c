"""What clauses call for: exceptions told by what an action achieves, and which cues are kept."""

from __future__ import annotations

import random

import pytest
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning.analysis import read
from macla.procedures.learning.instructions import (
    TASK,
    Action,
    canonical_frames,
    learn_instructions,
)
from macla.procedures.learning.learner import learn
from macla.procedures.words.lexicon import Lexicon

RELICS = ("brass whistle", "pewter jug", "tin drum", "ivory comb", "velvet sash")
LEXICON = Lexicon(
    numbered=False,
    kinds=[*RELICS, "notice", "waxen rag"],
    frames=["peruse {0}", "burnish {0} with {1}", "lift {0}"],
)


def episode(number, *, gleaming=False, achieved="The gleaming {} shines.", lift=True):
    """A notice asks to burnish one relic and lift another; what gleams already is let be."""
    more = "\nLift the {}." if lift else ""
    relic, other = (RELICS[(number + i) % len(RELICS)] for i in (0, 1))
    seen = f"A notice hangs here. You see a {'gleaming ' if gleaming else ''}{relic}."
    obs = [f"{seen} A {other} lies near.", f"It reads:\nBurnish the {relic}.{more.format(other)}"]
    acts = ["peruse notice"]
    if not gleaming:
        acts.append(f"burnish {relic} with waxen rag")
        obs.append(achieved.format(relic))
    acts.append(f"lift {other}")
    obs.append("Up it goes.")
    return read(Trajectory("Do what it says.", tuple(obs), tuple(acts), True), LEXICON)


def rules_for(episodes, frame):
    rules = learn_instructions(episodes, LEXICON).rules
    return [rule for rule in rules if rule.action.frame == frame and rule.source == "peruse {0}"]


BURNISH = "burnish {0} with {1}"


def test_a_clause_calls_for_what_follows_it():
    found = rules_for([episode(n) for n in range(20)], BURNISH)
    assert {rule.cue.text for rule in found} <= {"burnish the {0}", "* burnish the {0}"}
    assert all(rule.confidence == 1 and rule.support == 20 for rule in found)
    assert all(rule.unless_word is None for rule in found)


def test_one_exception_among_demonstrations_is_told_by_what_the_action_achieves():
    # One is too few to count, but what is burnished is called gleaming, and it gleamed before.
    episodes = [episode(n, lift=False) for n in range(20)]
    episodes.append(episode(20, lift=False, gleaming=True))
    found = rules_for(episodes, BURNISH)
    assert found
    assert {rule.unless_word for rule in found} == {"gleaming"}


@pytest.mark.xfail(
    strict=True, reason='"lift" of the notice itself is taken for a description of the other relic'
)
def test_the_words_of_an_instruction_are_no_description_that_makes_an_exception():
    episodes = [episode(n) for n in range(20)] + [episode(20, gleaming=True)]
    (rule,) = rules_for(episodes, BURNISH)
    assert (rule.cue.text, rule.unless_word) == ("* burnish the {0}", "gleaming")


def test_without_that_word_in_the_answer_one_exception_says_nothing():
    plain = "You rub the {}."
    episodes = [episode(n, achieved=plain) for n in range(20)] + [episode(20, gleaming=True)]
    found = rules_for(episodes, BURNISH)
    assert found
    assert {rule.unless_word for rule in found} == {None}


def test_many_exceptions_are_told_by_their_word_alone():
    episodes = [episode(n, gleaming=n % 3 == 0, achieved="You rub the {}.") for n in range(30)]
    assert {rule.unless_word for rule in rules_for(episodes, BURNISH)} == {"gleaming"}


def test_no_exception_where_things_so_described_are_acted_on_all_the_same():
    episodes = []
    for n in range(24):
        relic = RELICS[n % len(RELICS)]
        obs = (
            f"A notice hangs here. You see a {'gleaming ' if n % 3 == 0 else ''}{relic}.",
            f"It reads:\nBurnish the {relic}.",
            f"The gleaming {relic} shines.",
        )
        acts = ("peruse notice", f"burnish {relic} with waxen rag")
        episodes.append(read(Trajectory("Do it.", obs, acts, True), LEXICON))
    found = rules_for(episodes, BURNISH)
    assert found
    assert {rule.unless_word for rule in found} == {None}


def test_an_answer_describes_what_was_not_acted_on_only():
    """What an action says of its own thing is no description that exceptions are learned from."""
    found = rules_for([episode(n) for n in range(20)], "lift {0}")
    assert {rule.unless_word for rule in found} == {None}


def test_the_other_argument_is_kept_where_it_is_always_the_same():
    found = rules_for([episode(n) for n in range(20)], BURNISH)
    assert any(rule.action == Action(BURNISH, 0, (None, "waxen rag")) for rule in found)


def test_constant_words_tell_operators_apart():
    frames = ["send {0} to sales", "send {0} to help"]
    lexicon = Lexicon(numbered=False, kinds=["a1", "b1"], frames=frames)
    acts = ("send a1 to sales", "send b1 to help")
    found = read(Trajectory("t", ("a1 b1",) * 3, acts, True), lexicon)
    assert canonical_frames([found]) == {frame: frame for frame in frames}


def test_one_frame_stands_for_all_that_leave_words_unsaid():
    lexicon = Lexicon(numbered=False, kinds=["a1", "b1"], frames=["rub {0}", "rub {0} with {1}"])
    acts = ("rub a1", "rub a1 with b1", "rub b1 with a1")
    found = read(Trajectory("t", ("a1 b1",) * 4, acts, True), lexicon)
    names = canonical_frames([found])
    assert names == {"rub {0}": "rub {0} with {1}", "rub {0} with {1}": "rub {0} with {1}"}


# --------------------------------------------------------------------------- order of cues
def asked(number):
    """The task names the relic to lift, wherever in the sentence it says so."""
    relic, other = (RELICS[(number + i) % len(RELICS)] for i in (0, 2))
    obs = (f"You see a {relic} and a {other}.", "Up it goes.")
    return read(Trajectory(f"Lift the {relic} now.", obs, (f"lift {relic}",), True), LEXICON)


def test_a_cue_that_says_where_the_thing_stands_goes_before_a_word():
    rules = learn_instructions([asked(n) for n in range(20)], LEXICON).rules
    assert rules
    assert all(rule.source == TASK for rule in rules)
    assert all(rule.cue.word is None for rule in rules)
    assert any(rule.cue.entity("lift the quorn now") == "quorn" for rule in rules)


def test_rules_stand_in_one_order_whatever_the_order_of_episodes():
    episodes = [episode(n, gleaming=n % 3 == 0) for n in range(24)]
    rules = learn_instructions(episodes, LEXICON).rules
    order = [(r.source, r.cue.text, r.cue.word or "", r.action.sort_key) for r in rules]
    assert {r.action.frame for r in rules} == {BURNISH, "lift {0}"}
    assert order == sorted(order)
    assert learn_instructions(episodes[::-1], LEXICON).rules == rules


def told(number, by):
    """Relics are dealt with as a notice says, or the task."""
    rng = random.Random(f"{by}{number}")
    relics = rng.sample(RELICS, rng.randint(1, 4))
    deeds = [(rng.choice(("burnish", "lift")), relic) for relic in relics]
    said = [f"{rng.choice(('Now', 'Then', 'Please', 'Also'))} {' the '.join(d)}." for d in deeds]
    acts = [
        f"burnish {r} with waxen rag" if deed == "burnish" else f"lift {r}" for deed, r in deeds
    ]
    obs = ["A notice hangs here. You see a waxen rag.", *(f"You {d} the {r}." for d, r in deeds)]
    task = " ".join(said)
    if by == "notice":
        task, acts = "Do what it says.", ["peruse notice", *acts, "ring bell"]
        obs = [obs[0], "\n".join(("It reads:", *said)), *obs[1:], "The bell rings."]
    return Trajectory(task, tuple(obs), tuple(acts), True)


def test_a_plan_follows_the_task_only_where_its_own_demonstrations_did():
    shown = [told(n, by) for by, number in (("notice", 20), ("task", 120)) for n in range(number)]
    followed = {
        meta["goal"]: [place["follow"] for place in meta["plan"] if "follow" in place]
        for meta in learn(shown).metas.values()
    }
    assert followed["do what it says"] == ["peruse-notice"]
    assert followed["*"] == ["task"]
