"""Which changes practice in git makes, and which it does not."""

from __future__ import annotations

import dataclasses
import subprocess

import pytest
from macla.adapters.git.stores import open_store
from macla.adapters.session import LibrarySession
from macla.adapters.teaching.practice_changes import Changes, with_words
from macla.procedures.evidence.ledger import Outcome, OutcomeKind
from macla.procedures.learning.learner import Learned
from macla.procedures.learning.taught import keep_taught
from macla.procedures.library.library import Library
from macla.procedures.model.procedure import Ontology, Procedure
from macla.procedures.proposals.proposal import Contrast, Replay, make_proposal
from macla.procedures.proposals.proposal_words import message
from macla.procedures.proposals.support import (
    AvailableProcedures,
    is_supported,
    is_worth_reading,
    reason,
)
from review_library import make_git

WORDS = {
    "kind": "ontology",
    "version": 1,
    "entities": {"shape": "kind and number", "kinds": [f"kind{i}" for i in range(20)]},
    "operators": {"pry": {"frames": ["pry {0}"], "effect": "acts"}},
}


def document(name="pry", times=3, **more):
    return {
        "kind": "procedure",
        "id": name,
        "version": 1,
        "status": "provisional",
        "goal": f"{name} {{x}}",
        "parameters": {"x": {"source": "given", "kinds": ["crate"]}},
        "preconditions": [],
        "steps": [{"do": f"{name} {{x}}"}],
        "postconditions": [],
        "provenance": {"learned_from": f"{times} segments of demonstrations"},
        **more,
    }


def refined(times, wins=0, losses=0, **more):
    new = document(times=times, **({"steps": [{"do": "lift {x}"}]} | more))
    made = make_proposal("refine", "", target="pry", old=[document(times=10)], new=[new])
    shown = Contrast(tuple(map(str, range(times))), ())
    return dataclasses.replace(
        made, contrast=shown, replay=Replay(wins, losses, times - wins - losses, (-0.5, 0.5))
    )


def test_a_plan_is_put_up_only_where_its_procedures_suffice():
    plan = {"kind": "meta", "id": "open", "plan": [{"run": "pry", "with": {"x": "a", "y": "b"}}]}
    added = make_proposal("new", "", target="open", new=[plan])
    two = document(parameters={"x": {"source": "given"}, "y": {"source": "given"}})
    change = make_proposal("refine", "", target="pry", old=[document()], new=[two])
    procedures = AvailableProcedures({"pry": Procedure.from_document(document())})
    assert not procedures.suffice_for(added)
    assert not AvailableProcedures({}).suffice_for(added)
    assert procedures.suffice_for(make_proposal("new", "", target="open", new=[two, plan]))
    both = AvailableProcedures({"pry": Procedure.from_document(document())})
    both.add_choice(change)
    procedures.add(change)
    assert procedures.suffice_for(added)
    assert both.suffice_for(added)
    plain = {**plan, "plan": [{"run": "pry", "with": {"x": "a"}}]}
    assert both.suffice_for(make_proposal("new", "", target="open", new=[plain]))


@pytest.mark.parametrize(
    ("proposal", "works", "made"),
    [
        (refined(12, wins=2), True, True),
        (refined(12, wins=1), True, False),
        (refined(12, wins=1), False, True),
        (refined(12), True, False),
        (refined(12), False, False),
        (refined(20), True, False),
        (refined(20, wins=1, losses=1), True, False),
        (refined(20, wins=4, losses=2), False, False),
        (refined(20, wins=9, losses=1), True, True),
        (refined(40, losses=1), False, False),
    ],
)
def test_a_change_is_made_where_the_episodes_are_reason_enough(proposal, works, made):
    assert is_supported(proposal, works=works) is made


@pytest.mark.parametrize(("wins", "losses"), [(3, 6), (0, 1), (2, 2), (3, 1), (0, 0)])
def test_what_no_episode_or_fewer_speak_for_is_not_even_proposed(wins, losses):
    proposed = refined(12, wins=wins, losses=losses)
    assert is_worth_reading(proposed) is (wins >= losses and wins > 0)


def test_kinds_alone_are_no_change():
    more = {"x": {"source": "given", "kinds": ["crate", "chest", "box"]}}
    same = {"steps": [{"do": "pry {x}"}], "parameters": more}
    assert not is_supported(refined(12, **same), works=False)
    assert not is_supported(refined(20, **same))


def test_the_reason_tells_how_many_episodes_speak_for_it_and_against_it():
    assert reason(refined(12, wins=3, losses=1), 30) == (
        "12 of 30 episodes show this procedure. Replayed, 3 episodes of 12 favour this over "
        "version 1, 1 the other way round."
    )
    assert reason(refined(20), 30).endswith("none of 20 episodes tells it from version 1.")


def test_no_message_says_that_it_worked_no_times():
    made = make_proposal(
        "new", "Why.", target="pry", new=[document()], counts={"successes": 0.0, "failures": 0.0}
    )
    assert "0 times" not in message(made)
    counted = dataclasses.replace(made, counts={"successes": 2.0, "failures": 0.0})
    assert "Evidence: worked 2 times, failed 0 times" in message(counted)
    learned = dataclasses.replace(counted, run="learn:1", contrast=Contrast(("a", "b", "c"), ()))
    assert "Stored episodes that show it: 3 in which it worked, 0" in message(learned)
    assert "Demonstrations of it: worked 2 times, failed 0 times" in message(learned)


def test_a_demonstration_that_went_another_way_is_no_failure():
    plan = {
        "kind": "meta",
        "id": "open",
        "version": 1,
        "goal": "open {a}",
        "parameters": {"a": {"source": "task"}, "x1": {"source": "entity", "of": "a"}},
        "plan": [{"run": "pry", "with": {"x": "x1"}}],
    }
    counts = {"successes": 2.0, "failures": 1.0}
    told = message(
        make_proposal("meta", "Why.", target="open", new=[plan], counts=counts, run="learn:1")
    )
    assert "Demonstrations of its goal: 2 went this way, 1 another" in told
    assert "Evidence: 2 went this way, 1 another" in told
    assert "failed" not in told


def test_words_go_with_the_change_that_needs_them():
    words = make_proposal("ontology", "Words.", target="ontology", old=[WORDS], new=[WORDS])
    one = make_proposal("new", "One.", target="pry", new=[document()])
    other = make_proposal(
        "new", "Other.", target="lift", new=[document("lift")], requires=(words.id,)
    )
    assert with_words([words]) == [words]
    first, second = with_words([words, one, other])
    assert first == one
    assert [d["kind"] for d in second.new] == ["procedure", "ontology"]
    assert second.requires == ()
    assert second.title == "Add lift"


@pytest.fixture
def session(tmp_path):
    library = Library.create(tmp_path / "lib", domain="yard", embedding="static")
    library.write_all(ontology=Ontology.from_document(WORDS))
    keep_taught(library.path, [])
    make_git(tmp_path, "lib")
    with LibrarySession.open(library.path) as opened:
        yield opened


def adopt(session, *names, policy="auto", **more):
    learned = Learned(
        procedures={name: document(name, **more) for name in names}, ontology=WORDS, episodes=3
    )
    changes = Changes(session, policy)
    changes.adopt(learned, [])
    assert changes.refused == []


def used(session, name, good, bad):
    session.library.refresh()
    version = session.library.procedures[name].version
    for step in range(good + bad):
        worked = step < good
        kind = OutcomeKind.SUCCESS if worked else OutcomeKind.EXECUTION_FAILED
        session.ledger.record(
            [
                Outcome(
                    run="play",
                    step=step,
                    subject_kind="procedure",
                    subject=name,
                    version=version,
                    binding="",
                    outcome=kind,
                    successes=float(worked),
                    failures=float(not worked),
                    at="2026-01-01T00:00:00+00:00",
                )
            ]
        )


def status(session, name):
    session.library.refresh()
    return session.library.procedures[name].status


def test_nothing_is_retired_because_the_episodes_at_hand_do_not_show_it(session):
    adopt(session, "pry", "lift")
    used(session, "pry", 7, 2)
    used(session, "lift", 0, 2)
    adopt(session, "grab")
    assert [status(session, name) for name in ("pry", "lift")] == ["provisional"] * 2


def test_what_learning_took_another_for_does_not_come_back_by_learning(session):
    """Two descriptions that the episodes do not tell apart would take turns for ever."""
    adopt(session, "pry", times=2)
    adopt(session, "pry", times=4, steps=[{"do": "pry {x}", "when": 'observed("It is shut.")'}])
    assert session.library.procedures["pry"].version == 2
    adopt(session, "pry", times=40)
    session.library.refresh()
    assert session.library.procedures["pry"].version == 2


def waiting(session):
    return sorted(p.target.id for p in open_store(session.library.path).pending())


def test_what_more_episodes_do_not_teach_any_more_waits_no_more(session):
    adopt(session, "pry", "lift", policy="review")
    assert waiting(session) == ["lift", "pry"]
    adopt(session, "pry", policy="review")
    assert waiting(session) == ["pry"]


def test_what_a_person_edited_waits_on_though_it_is_not_learned_again(session):
    adopt(session, "pry", "lift", policy="review")
    store = open_store(session.library.path)
    (lift,) = (p for p in store.pending() if p.target.id == "lift")
    edited = lift.edited_by("Ada <ada@example.org>")
    store.replace(session.library, lift, edited)
    adopt(session, "pry", policy="review")
    assert waiting(session) == ["lift", "pry"]


@pytest.mark.parametrize("by_hand", [True, False])
def test_what_a_person_retired_stays_retired(session, by_hand):
    adopt(session, "pry", "lift")
    lift = session.library.procedures["lift"]
    if by_hand:
        session.library.write_procedure(dataclasses.replace(lift, status="retired"))
        subprocess.run(
            ["git", "-C", str(session.library.path), "commit", "-qam", "No."], check=True
        )
    else:
        here = lift.to_document()
        gone = make_proposal(
            "retire", "No.", target="lift", old=[here], new=[{**here, "status": "retired"}]
        )
        open_store(session.library.path).accept(session.library, session.ledger, gone, "")
    adopt(session, "pry", "lift", times=40, steps=[{"do": "lift {x}", "expect": "Up."}])
    assert status(session, "lift") == "retired"
