"""Learning from one's own episodes: the buffer, when it is due, pruning, merging."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import test_learning_store
from macla.adapters.embeddings import load_embeddings
from macla.graph.finished_episode import trajectory_of
from macla.graph.state import new_state
from macla.procedures.common.errors import TrajectoryError
from macla.procedures.episodes.trajectories import Trajectory, find_problem
from macla.procedures.evidence.ledger import Outcome, OutcomeKind
from macla.procedures.learning import online as module
from macla.procedures.learning.episode_buffer import HELD, TEACHES, read_buffer
from macla.procedures.learning.learner import Learned, learn
from macla.procedures.learning.online import OnlineLearner, OnlineSettings
from macla.procedures.learning.provenance import OWN_PLAY
from macla.procedures.learning.pruning import prune
from macla.procedures.learning.store_learned import store
from macla.procedures.method.settings import Method
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.refinement.occasions import BEGAN
from macla.procedures.words.similarity import TextSimilarity
from test_learning_store import learned, meta, procedure

EMPTY = Learned()


library = test_learning_store.library
ledger = test_learning_store.ledger


def episode(name, *, success=True, lid=1):
    obs = (f"You see a lid {lid}.", f"You pry the lid {lid}.")
    return Trajectory(f"pry some lid {lid}", obs, (f"pry lid {lid}",), success, name, OWN_PLAY)


def learner(library, ledger, every=10, buffer=1000):
    return OnlineLearner(library, ledger, settings=OnlineSettings(buffer=buffer, every=every))


def names(online):
    return [each.id for each in online.episodes]


def test_it_learns_when_enough_succeeded(library, ledger):
    online = learner(library, ledger, every=3)
    due = [online.add(episode(f"e{i}", success=i % 2 == 0)) for i in range(10)]
    assert due == [False] * 4 + [True] + [False] * 5
    assert library.procedures
    assert ledger.counts("procedure") == {}  # own play is in the ledger already


def test_plans_are_learned_as_soon_as_play_contradicts_a_program(library, ledger):
    document = {
        "kind": "program",
        "id": "pry-lid",
        "goal": "pry some {1}",
        "parameters": {"lid": {"source": "task", "slot": 1}},
        "steps": [{"id": "pry", "do": "pry {lid}"}],
    }
    library.write_programs([ProgramFile.from_document(document)])
    shown = [replace(episode(f"d{number}", lid=number), source="") for number in range(4)]
    settings = OnlineSettings(every=99)
    online = OnlineLearner(library, ledger, demonstrations=shown, settings=settings)
    due = []
    for number in range(8):
        won = number % 2 == 0
        kind = OutcomeKind.SUCCESS if won else OutcomeKind.EXECUTION_FAILED
        counts = {"successes": float(won), "failures": float(not won), "at": "2026-11-27"}
        row = Outcome(f"e{number}", 0, "program", "pry-lid", 1, kind, **counts)
        ledger.record([row])
        due.append(online.add(episode(f"e{number}", success=won)))
    assert due == [False] * 3 + [True] + [False] * 4
    assert library.procedures
    assert library.programs


def test_processes_together_reach_what_is_due(library, ledger):
    mark, marks = library.path / ".macla" / "learned.json", []
    for i in range(12):
        learner(library, ledger, every=4).add(episode(f"e{i}"))
        marks.append(mark.read_text() if mark.exists() else "")
    assert [marks.index(each) for each in dict.fromkeys(marks)] == [0, 3, 7, 11]
    assert len(learner(library, ledger).episodes) == 12


def test_learning_again_what_is_known_changes_nothing(library, ledger):
    due = [learner(library, ledger, every=4).add(episode(f"e{i}")) for i in range(12)]
    assert due == [False, False, False, True] + [False] * 8


def test_an_episode_is_taken_once(library, ledger):
    online = learner(library, ledger)
    for _ in range(2):
        online.add(episode("a"))
    learner(library, ledger).add(episode("a"))
    assert names(learner(library, ledger)) == ["a"]
    for _ in range(2):
        online.add(episode(""))
    assert names(learner(library, ledger)) == ["a", "", ""]


@pytest.mark.parametrize(("straight", "tries", "told"), [(3, 1, 3), (2, 2, 2), (2, 3, 5)])
def test_a_goal_that_is_seldom_solved_straight_away_is_learned_from_tries_too(
    monkeypatch, library, ledger, straight, tries, told
):
    seen = []
    monkeypatch.setattr(
        module, "learn_worlds", lambda episodes, *a, **k: seen.append(episodes) or EMPTY
    )
    online = learner(library, ledger, every=99)
    for number in range(straight):
        online.add(episode(f"s{number}"))
    for number in range(tries):
        online.add(replace(episode(f"t{number}"), info={BEGAN: 0}))
    online.relearn()
    assert [len(episodes) for episodes in seen] == [told]


@pytest.mark.parametrize(
    ("straight", "told"), [(["s1"], ["t", "s1"]), (["s1", "s2"], ["s1", "s2"])]
)
def test_one_episode_solved_straight_away_is_too_few_to_learn_from_alone(
    monkeypatch, library, ledger, straight, told
):
    """It would teach nothing but its own things instead of what was found by trying."""
    tried = replace(episode("t"), info={BEGAN: 0})
    online = learner(library, ledger)
    for each in (tried, *map(episode, straight)):
        online.add(each)
    seen = []
    monkeypatch.setattr(
        module, "learn_worlds", lambda episodes, *_, **__: seen.extend(episodes) or EMPTY
    )
    monkeypatch.setattr(module.OnlineLearner, "_store", lambda *_: False)
    online.relearn()
    assert [each.id for each in seen] == told


def test_what_could_not_be_read_again_is_not_written(library, ledger):
    online = learner(library, ledger)
    online.add(episode("a"))
    for bad in (
        Trajectory("t", ("a", "\x1b[1mb"), ("go",), True, "b"),
        Trajectory("t", ("a", "\ud800"), ("go",), True, "b"),
        Trajectory("t", ("a",), ("go",), True, "b"),
        Trajectory("t", ("a", "b"), ("go",), True, "b", info={"x": float("nan")}),
    ):
        with pytest.raises(TrajectoryError, match="'b' cannot be kept"):
            online.add(bad)
    assert names(online) == names(learner(library, ledger)) == ["a"]


def test_what_the_loop_saw_can_be_kept(library, ledger):
    state = new_state("t\x00", "\x1b[1mA hall.\r\nA lid.", "r", 50)
    state |= {"history": [["go\x07", "\ud800", True]], "won": True}
    found = trajectory_of(state)
    assert find_problem(found.to_document()) is None
    assert found.obs[0] == "A hall.\nA lid."
    held = library.content_hash
    assert learner(library, ledger).add(found) is False
    (kept,) = learner(library, ledger).episodes
    # All that differs is what the learner noted: it is learned from, and into which library.
    assert kept == replace(found, info={**found.info, TEACHES: True, HELD: held})


def test_half_a_line_is_dropped(library, ledger):
    learner(library, ledger).add(episode("a"))
    file = library.path / ".macla" / "episodes.jsonl"
    half = file.read_bytes() + b'{"id": "b", "ta'
    file.write_bytes(half)
    assert [each.id for each in read_buffer(file)] == ["a"]
    online = learner(library, ledger)
    assert file.read_bytes() == half  # reading changes nothing: another process may be writing
    online.add(episode("c"))
    assert names(learner(library, ledger)) == ["a", "c"]


def test_the_file_is_cut_when_it_holds_twice_the_limit(library, ledger):
    online = learner(library, ledger, every=1000, buffer=4)
    file = library.path / ".macla" / "episodes.jsonl"
    sizes = []
    for i in range(20):
        online.add(episode(f"e{i}", success=False))
        sizes.append(len(file.read_bytes().splitlines()))
        assert names(online) == [f"e{n}" for n in range(max(0, i - 3), i + 1)]
    assert sizes[:9] == [1, 2, 3, 4, 5, 6, 7, 8, 4]
    assert max(sizes) == 8
    assert names(learner(library, ledger, buffer=4)) == names(online)


def test_two_at_once_lose_nothing(library, ledger):
    one, two = (learner(library, ledger, every=1000, buffer=5) for _ in range(2))
    for i in range(4):
        one.add(episode(f"a{i}", success=False))
        two.add(episode(f"b{i}", success=False))
    kept = names(learner(library, ledger, buffer=8))
    assert sorted(kept) == sorted([f"a{i}" for i in range(4)] + [f"b{i}" for i in range(4)])


def test_a_mark_that_is_garbled_only_learns_once_more(library, ledger):
    online = learner(library, ledger, every=2)
    assert [online.add(episode(f"e{i}")) for i in range(2)] == [False, True]
    mark = library.path / ".macla" / "learned.json"
    assert json.loads(mark.read_text()).keys() == {"up_to"}
    mark.write_text("{")
    assert learner(library, ledger, every=2).add(episode("x")) is True


def many(names_, run, good):
    return learned(
        [procedure(run)],
        [meta(name, run) for name in names_],
        meta_counts={name: good[name] for name in names_},
    )


def test_what_is_worth_least_goes_first(library, ledger):
    good = {"a": (0.0, 9.0), "b": (9.0, 0.0), "c": (5.0, 4.0), "d": (0.0, 30.0)}
    store(library, ledger, many("abcd", "pry", good))
    assert sorted(prune(library, ledger, Method(procedures=200, metas=2))) == ["a", "d"]
    assert sorted(library.metas) == ["b", "c"]


@pytest.mark.parametrize("line", ["status: trusted\n", "locked: true\n"])
def test_what_is_protected_does_not_save_the_rest(library, ledger, line):
    good = {"a": (0.0, 9.0), "b": (0.0, 8.0), "c": (9.0, 0.0), "d": (8.0, 0.0)}
    store(library, ledger, many("abcd", "pry", good))
    for name in "ab":
        file = library.path / "meta" / f"{name}.yaml"
        kept = [each for each in file.read_text().splitlines(True) if "status:" not in each]
        file.write_text("".join(kept) + line)
    library.refresh()
    prune(library, ledger, Method(procedures=200, metas=2))
    assert sorted(library.metas) == ["a", "b"]


def test_procedures_that_plans_run_stay(library, ledger):
    told = learned(
        [procedure("pry"), procedure("zip"), procedure("tap")],
        [meta("a", "pry")],
        procedure_counts={"pry": (0.0, 9.0), "zip": (1.0, 1.0), "tap": (9.0, 0.0)},
    )
    store(library, ledger, told)
    assert prune(library, ledger, Method(procedures=2, metas=50)) == ["zip"]
    assert prune(library, ledger, Method(procedures=0, metas=50)) == ["tap"]
    assert sorted(library.procedures) == ["pry"]


def test_pruning_counts_only_the_evidence_that_counts(library, ledger):
    def told(a, b):
        return many("ab", "pry", {"a": a, "b": b})

    store(library, ledger, told((90.0, 0.0), (0.0, 9.0)))
    store(library, ledger, told((0.0, 9.0), (9.0, 0.0)))
    assert prune(library, ledger, Method(procedures=200, metas=1)) == ["a"]


def spelled(one, other, answers):
    """Two spellings, used on alternating lids; what each is answered with."""
    out = []
    for i in range(60):
        lid, verb = f"lid {i % 5 + 1}", (one, other)[i % 3 == 0]
        answer = answers[i % 3 == 0].format(lid)
        seen = f"You see a lid {i % 5 + 1}, a box {i % 4 + 1}."
        out.append(Trajectory(f"{verb} some lid", (seen, answer), (f"{verb} {lid}",), True))
    return out


SIMILARITY = TextSimilarity(load_embeddings("static"))


def finals(found: Learned):
    return sorted(document["steps"][-1]["do"] for document in found.procedures.values())


def test_two_spellings_of_one_action_merge():
    told = spelled("pick up", "pick up the", ("You pick up the {}.",) * 2)
    assert finals(learn(told)) == ["pick up the {x}", "pick up {x}"]
    merged = learn(told, SIMILARITY)
    assert finals(merged) == ["pick up {x}"]
    assert sum(good for good, _ in merged.procedure_counts.values()) == 60
    assert all(
        place["run"] in merged.procedures
        for document in merged.metas.values()
        for place in document["plan"]
    )


def test_similar_words_with_other_effects_do_not_merge():
    told = spelled("pick up", "pick up the", ("You pick up the {}.", "The {} breaks."))
    assert finals(learn(told, SIMILARITY)) == ["pick up the {x}", "pick up {x}"]


def test_other_words_with_the_same_effect_do_not_merge():
    told = spelled("grab", "polish", ("Done with the {}.",) * 2)
    assert len(finals(learn(told, SIMILARITY))) == 2
