"""Experiments, the rules they teach, and the steps that come of them; all words invented."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import replace

import numpy as np
import pytest
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.learning.online import OnlineLearner
from macla.procedures.library.library import Library
from macla.procedures.method.settings import Method
from macla.procedures.method.utility import Candidate, expected_utility
from macla.procedures.model.procedure import Entities, Ontology, Operator, Procedure
from macla.procedures.proposals.proposal import Replay
from macla.procedures.refinement.occasions import BEGAN, KEPT, MARKS, occasions_of, since_began
from macla.procedures.refinement.past import Past
from macla.procedures.refinement.recovery import RecoveryEvidence, recovery_rows
from macla.procedures.refinement.repairs import propose_repairs, repairs_of
from macla.procedures.words.lexicon import Lexicon
from scipy import stats

WORDS = Lexicon(numbered=True, kinds=["crate", "gem"], frames=["walk {0}", "grab {0} at {1}"])
GRAB = {
    "kind": "procedure",
    "id": "grab-at",
    "version": 1,
    "goal": "grab {x} at {y}",
    "parameters": {
        "x": {"source": "search", "via": "y", "kinds": ["gem"]},
        "y": {"source": "place", "kinds": ["crate"]},
    },
    "steps": [
        {"do": "walk {y}", "expect": "You stand by the {y}."},
        {"do": "grab {x} at {y}", "expect": "Yours: the {x}."},
    ],
    "postconditions": ['observed("Yours: the {x}.")'],
}


def stuck(number: int, *, opened: bool = True, name: str = "grab-at") -> Trajectory:
    """An episode in which crate ``number`` was shut and prying it helped, or not."""
    pried = f"The crate {number} gapes. Inside is a gem 1." if opened else "It creaks."
    occasion = {"procedure": name, "after": 0, "blocked": True, "trials": [[1, opened]]}
    return Trajectory(
        "fetch a gem",
        ("A yard.", f"You stand by the crate {number}. The crate {number} is shut.", pried),
        (f"walk crate {number}", f"pry crate {number}"),
        success=False,
        id=f"run-{number}-{opened}",
        info={"experiments": [occasion]},
    )


def free(number: int) -> Trajectory:
    """An episode in which the crate was no obstacle."""
    occasion = {"procedure": "grab-at", "after": 0, "blocked": False, "trials": []}
    return dataclasses.replace(
        stuck(number),
        obs=("A yard.", f"You stand by the crate {number}. A gem 2 lies there.", "Dust."),
        id=f"free-{number}",
        info={"experiments": [occasion]},
    )


def evidence(*episodes: Trajectory) -> RecoveryEvidence:
    counts: dict[str, tuple[float, float]] = {}
    obstacles: set[tuple[str, str]] = set()
    for episode in episodes:
        for row in recovery_rows(episode, WORDS, obstacles):
            good, bad = counts.get(row.binding, (0.0, 0.0))
            counts[row.binding] = (good + row.successes, bad + row.failures)
    return RecoveryEvidence(counts)


def test_a_rule_is_credible_when_its_action_helps_credibly_more_often_than_nothing() -> None:
    for few in (2, 3):  # three of three is what luck does in more than one of twenty worlds
        assert evidence(*(stuck(n) for n in range(few)), free(9)).rules() == []
    (rule,) = evidence(*(stuck(n) for n in range(4)), free(9)).rules()
    assert (rule.after, rule.do) == ("walk {0}", "pry {0}")
    assert rule.blocked == "The {0} is shut."
    assert rule.expect == "The {0} gapes."
    assert (rule.successes, rule.failures, rule.stuck) == (4.0, 0.0, 4.0)


def test_a_step_that_mends_an_obstacle_does_not_speak_against_itself() -> None:
    """Once the procedure pries a shut crate itself, runs go on there, but not without prying."""
    mended = [
        dataclasses.replace(
            stuck(number),
            id=f"mended-{number}",
            info={"experiments": [{"procedure": "grab-at", "after": 0, "blocked": False}]},
        )
        for number in range(40)
    ]
    (rule,) = evidence(*(stuck(n) for n in range(4)), *mended).rules()
    assert (rule.do, rule.stuck, rule.free) == ("pry {0}", 4.0, 0.0)
    assert evidence(*(stuck(n) for n in range(4))).own_rule("grab-at", rule) == rule


def test_what_makes_no_difference_becomes_a_rule_in_one_of_twenty_worlds_at_most() -> None:
    """Whether one can go on is luck; looked at after each of 40 occasions."""
    rng, believed, key = np.random.default_rng(3), 0, ["p", "walk {0}", "The {0} is shut."]
    for _ in range(150):
        counts = {json.dumps([*key, do, ""]): (0.0, 0.0) for do in ("", "pry {0}", "kick {0}")}
        for _ in range(40):
            blocked = rng.random() < 0.5
            at = json.dumps([*key, "", ""])
            counts[at] = (counts[at][0] + blocked, counts[at][1] + (not blocked))
            at = json.dumps([*key, ("pry {0}", "kick {0}")[rng.integers(2)], ""])
            helped = rng.random() < 0.5
            counts[at] = (counts[at][0] + helped, counts[at][1] + (not helped))
            if RecoveryEvidence(counts).rules():
                believed += 1
                break
    assert believed / 150 <= 0.05


def test_what_is_possible_as_often_without_an_action_makes_it_no_rule() -> None:
    """Luck: after the same observation one can go on at once as often as after the action."""
    key = json.dumps(["p", "walk {0}", "The {0} is shut.", "", ""])
    tried = json.dumps(["p", "walk {0}", "The {0} is shut.", "pry {0}", "The {0} gapes."])
    assert RecoveryEvidence({key: (10.0, 15.0), tried: (6.0, 4.0)}).rules() == []
    assert RecoveryEvidence({key: (10.0, 0.0), tried: (6.0, 4.0)}).rules()


def test_what_mostly_fails_is_no_rule_and_its_promise_falls() -> None:
    known = evidence(*(stuck(n, opened=False) for n in range(8)))
    assert known.rules() == []
    tried = known.promise("walk {0}", ["The {0} is shut."], "pry {0}")
    assert tried == pytest.approx((stats.beta(1, 9).mean(), stats.beta(1, 9).std()))
    new = known.promise("walk {0}", ["The {0} is shut."], "kick {0}")
    assert new == pytest.approx((0.5, stats.uniform.std()))


def test_the_blocking_sentence_is_the_one_that_is_not_met_where_one_can_go_on() -> None:
    known = evidence(*(stuck(n) for n in range(4)), *(free(n) for n in range(10, 20)))
    (rule,) = known.rules()
    assert rule.blocked == "The {0} is shut."
    assert rule.free == 0.0


def test_a_rule_becomes_a_step_of_a_procedure_that_needed_it_itself() -> None:
    others = [stuck(n, name="something-else") for n in range(4)]
    known = evidence(*others)
    assert known.rules()
    assert propose_repairs([GRAB], known, WORDS, others) == []
    episodes = [stuck(n) for n in range(4, 8)]
    known = evidence(*others, *episodes)
    (proposal,) = propose_repairs([GRAB], known, WORDS, [*others, *episodes])
    assert proposal.target.id == "grab-at"
    assert proposal.counts == {"repaired": 4.0, "not_repaired": 0.0}
    (new,) = proposal.new
    assert [step["do"] for step in new["steps"]] == ["walk {y}", "pry {y}", "grab {x} at {y}"]
    assert new["steps"][1]["when"] == 'observed("The {y} is shut.")'
    assert new["steps"][1]["expect"] == "The {y} gapes."
    assert new["version"] == 2
    assert proposal.eu_before is not None
    assert proposal.eu_after is not None
    assert proposal.eu_after > proposal.eu_before
    assert proposal.contrast is not None
    assert set(proposal.contrast.successes) == {each.id for each in episodes}
    assert "'pry …'" in proposal.rationale
    Procedure.from_document(new)


def test_expected_utility_is_that_of_the_versions_and_the_stored_episodes_are_replayed() -> None:
    episodes = [stuck(n) for n in range(4)]
    told = Replay(2, 0, 1, (0.1, 0.9))
    (proposal,) = propose_repairs(
        [GRAB],
        evidence(*episodes),
        WORDS,
        episodes,
        trials={"grab-at": (19.0, 1.0)}.__getitem__,
        replay=lambda made: told if made.target.id == "grab-at" else None,
    )
    old = expected_utility(Candidate("", 1.0, 20.0, 2.0, 0.05)).expected
    assert proposal.eu_before == pytest.approx(old, abs=1e-4)
    assert old < proposal.eu_after < expected_utility(Candidate("", 1.0, 22.0, 0.001, 0.0)).expected
    assert proposal.replay == told
    assert "is worth" in proposal.rationale


def test_what_a_repair_is_worth_is_in_the_unit_of_the_library() -> None:
    """By its preset, weights and prior, as other refinements are valued."""
    episodes = [stuck(n) for n in range(4)]
    known = {"prior": [2.0, 5.0], "preset": "paper", "weights": {"reward_max": 3.0}}
    method = Method.from_settings(known)
    trials = {"grab-at": (19.0, 1.0)}.__getitem__
    (own,) = propose_repairs(
        [GRAB], evidence(*episodes), WORDS, episodes, method=method, trials=trials
    )
    old = Candidate("", 1.0, 21.0, 6.0, 0.05)
    assert own.eu_before == pytest.approx(expected_utility(old, method.preset).expected, abs=1e-4)
    (repair,) = repairs_of(GRAB, evidence(*episodes), WORDS, episodes, method)
    (usual,) = repairs_of(GRAB, evidence(*episodes), WORDS, episodes)
    assert repair.there_after > 1.0 > usual.there_after


def test_no_step_is_added_where_going_on_was_possible_all_the_same() -> None:
    bore = Trajectory(
        "bore a gem",
        ("A yard.", "You stand by the crate 1. The crate 1 is shut.", "Bored."),
        ("walk crate 1", "bore gem 1 with crate 1"),
        success=True,
    )
    document = {
        **GRAB,
        "steps": [{"do": "walk {y}"}, {"do": "bore {x} with {y}"}],
    }
    known = evidence(*(stuck(n) for n in range(4)))
    assert repairs_of(document, known, WORDS)
    assert not repairs_of(document, known, WORDS, [bore] * 200)


def test_occasions_that_do_not_fit_their_episode_are_passed_over() -> None:
    wrong = [{"after": 7}, {"after": "x"}, 3, {"after": 0, "blocked": True, "trials": [[9, True]]}]
    episode = dataclasses.replace(stuck(1), info={"experiments": wrong})
    (only,) = occasions_of(episode)
    assert only.trials == ()


def test_experiments_change_a_library_at_once(tmp_path) -> None:  # type: ignore[no-untyped-def]
    library = Library.create(tmp_path / "lib", domain="yard", embedding="static")
    shape = "kind and number" if WORDS.numbered else None
    words = Ontology(
        entities=Entities(shape=shape, kinds=tuple(WORDS.kinds)),
        operators={"all": Operator(tuple(WORDS.frames))},
    )
    library.write_all([Procedure.from_document(GRAB)], ontology=words)
    with Ledger.memory() as ledger:
        learner = OnlineLearner(library, ledger)
        changed = [learner.add(stuck(n)) for n in range(4)]
        assert changed == [False, False, False, True]
        assert learner.refused == []
        done = [step.do for step in library.procedures["grab-at"].steps]
    assert done == ["walk {y}", "pry {y}", "grab {x} at {y}"]


def test_what_was_tried_before_the_plan_that_succeeded_is_cut() -> None:
    episode = Trajectory(
        "t", ("o", "a", "b", "c", "d"), ("A", "B", "C", "D"), success=True, info={BEGAN: 2}
    )
    assert since_began(episode).acts == ("C", "D")
    assert since_began(episode).obs == ("o", "c", "d")
    built = replace(episode, info={BEGAN: 2, KEPT: [0, 7]})
    assert since_began(built).acts == ("A", "C", "D")
    assert since_began(built).obs == ("o", "a", "c", "d")
    for strange in ("all", 3, [0.5, "0", None, -1]):
        odd = replace(episode, info={BEGAN: 2, KEPT: strange})
        assert since_began(odd).acts == ("C", "D")


def test_what_led_back_to_where_the_same_was_possible_is_cut() -> None:
    episode = Trajectory(
        "t",
        ("o", "a", "b", "c", "d"),
        ("A", "B", "C", "D"),
        success=True,
        info={BEGAN: 0, MARKS: ["m", "n", "m", "z"]},
    )
    assert since_began(episode).acts == ("A", "D")
    whole = dataclasses.replace(episode, info={})
    assert since_began(whole) is whole


def test_of_many_obstacles_the_most_frequent_are_remembered() -> None:
    known = evidence(*(stuck(n) for n in range(4)), free(9))
    assert known.obstacles(1) <= known.obstacles(10)
    assert len(known.obstacles(1)) == 1
    assert ("walk {0}", "The {0} is shut.") in known.obstacles(10)
    rare = RecoveryEvidence(
        {
            json.dumps(["p", "walk {0}", f"Strange {n}.", "", ""]): (1.0 + (n == 7), 0.0)
            for n in range(20)
        }
    )
    assert rare.obstacles(1) == {("walk {0}", "Strange 7.")}


def test_episodes_are_read_once_however_many_rules_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    went = dataclasses.replace(free(1), acts=("walk crate 1", "grab gem 1 at crate 1"))
    shown = [dataclasses.replace(went, success=True, id=f"shown-{n}") for n in range(6)]
    past = Past(WORDS, shown[2:], Past(WORDS, shown[:2]))
    assert [each.id for each in past] == [each.id for each in shown]
    pattern = "You stand by the {0}."
    assert past.went_on("walk {0}", pattern, {"grab {0} at {1}"}) == 6
    assert past.went_on("walk {0}", pattern, {"walk {0}"}) == 0
    assert past.went_on("walk {0}", "The {0} is shut.", {"grab {0} at {1}"}) == 0

    def unread(_: Lexicon, action: str) -> None:
        raise AssertionError(f"{action} was read again")

    monkeypatch.setattr(Lexicon, "parse", unread)
    assert past.went_on("walk {0}", pattern, {"grab {0} at {1}"}) == 6
