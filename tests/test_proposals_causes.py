"""Changes of one cause are one proposal: read, replayed, accepted and rejected as a whole."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import review_library
from macla.adapters.git.commit_history import revisions_of
from macla.adapters.git.stores import open_store
from macla.adapters.submitting import submitter
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.learning.provenance import OWN_PLAY
from macla.procedures.library.library import Library, validate_library
from macla.procedures.model.procedure import Ontology
from macla.procedures.proposals.causes import by_cause, cause_of
from macla.procedures.proposals.policy import POLICIES, Policy
from macla.procedures.proposals.proposal import Proposal, Replay, make_proposal
from macla.procedures.proposals.proposal_store import FileStore
from macla.procedures.proposals.replay import Replayer
from macla.procedures.proposals.rules import lower_bound
from review_library import FETCH, LODGE, OPENING, PLAN, git, make_library, refined

nobodys_settings = review_library.nobodys_settings
library = review_library.library
ledger = review_library.ledger

OPENED = {**LODGE, "version": 2, "steps": [LODGE["steps"][0], OPENING, LODGE["steps"][1]]}
BETTER = Replay(5, 0, 3, (0.2, 0.9))


def change(new: dict[str, Any], old: dict[str, Any], good: float, **more: Any) -> Proposal:
    more.setdefault("counts", {"successes": good, "failures": 0.0})
    more.setdefault("replay", BETTER)
    why = more.pop("why", f"{new['id']} was shut out {good:g} times.")
    return make_proposal("refine", why, target=new["id"], old=[old], new=[new], **more)


def both() -> Proposal:
    (joined,) = by_cause([change(refined(), FETCH, 4.0), change(OPENED, LODGE, 3.0)])
    return joined


def test_the_same_step_is_one_cause_whatever_parameters_are_called_and_kinds_are_met() -> None:
    other = {
        **LODGE,
        "parameters": {"x": {"source": "given"}, "z": {"source": "choice", "kinds": ["vand"]}},
        "steps": [{"do": "go to {z}", "unless": "done"}, {"do": "lodge {x} in {z}"}],
    }
    opening = {"do": "open {z}", "when": 'observed("The {z} is shut.")'}
    new = {**other, "version": 2, "steps": [other["steps"][0], opening, other["steps"][1]]}
    assert cause_of(other, new) == cause_of(FETCH, refined())
    wider = refined()
    wider["parameters"] = {**FETCH["parameters"], "y": {"source": "place", "kinds": ["a", "vand"]}}
    assert cause_of(FETCH, wider) != cause_of(FETCH, refined())
    elsewhere = {**new, "steps": [opening, *other["steps"]]}
    assert cause_of(other, elsewhere) == cause_of(other, new)
    knocks = {**new, "steps": [other["steps"][0], {"do": "knock {z}"}, other["steps"][1]]}
    assert cause_of(other, knocks) != cause_of(other, new)


def test_what_speaks_for_each_file_stays_its_own() -> None:
    joined = both()
    assert joined.changed == ("fetch", "lodge")
    assert joined.title == "Refine fetch and lodge"
    assert [part.counts["successes"] for part in joined.parts] == [4.0, 3.0]
    assert "successes" not in joined.counts
    assert Proposal.from_document(joined.to_document()) == joined
    assert lower_bound(joined) == lower_bound(change(OPENED, LODGE, 3.0))


def test_only_what_has_one_cause_is_joined_and_what_needs_it_needs_the_whole() -> None:
    first, second = change(refined(), FETCH, 4.0), change(OPENED, LODGE, 3.0)
    plan = {**PLAN, "id": "sweep", "goal": "sweep {a}"}
    needy = make_proposal("meta", "Seen.", target="sweep", new=[plan], requires=(second.id,))
    goal = {**LODGE, "version": 2, "goal": "put {x} in {y}"}
    third = change({**goal, "id": "third"}, {**LODGE, "id": "third"}, 2.0)
    joined, other, last = by_cause([first, third, second, needy], lambda _: BETTER)
    assert joined.changed == ("fetch", "lodge")
    assert joined.replay == BETTER
    assert other == third
    assert last.requires == (joined.id,)
    assert by_cause([first]) == [first]


def test_a_plan_that_only_gives_what_is_asked_for_now_goes_with_it() -> None:
    asks = {**LODGE, "version": 2, "goal": "lodge {x} in {y} for {z}"}
    asks["parameters"] = {**LODGE["parameters"], "z": {"source": "given"}}
    asks["steps"] = [LODGE["steps"][0], {"do": "lodge {x} in {y} for {z}"}]
    gives = {**PLAN, "version": 2}
    gives["parameters"] = {**PLAN["parameters"], "b": {"source": "task"}}
    gives["plan"] = [PLAN["plan"][0], {**PLAN["plan"][1], "with": {"x": "a", "z": "b"}}]
    leads = change(asks, LODGE, 3.0)
    (joined,) = by_cause([leads, change(gives, PLAN, 2.0, requires=(leads.id,))])
    assert joined.changed == ("lodge", "tidy")
    assert joined.requires == ()


def test_what_replays_speak_against_is_not_joined_and_nowhere_taken(
    library: Library, ledger: Ledger
) -> None:
    worse = change(OPENED, LODGE, 3.0, replay=Replay(6, 14, 0, (-0.7, 0.02)))
    good, bad = by_cause([change(refined(), FETCH, 4.0), worse])
    assert (good.parts, bad) == ((), worse)
    before = git(library.path.parent, "for-each-ref")
    for policy in POLICIES:
        asked = submitter(library, ledger, policy, ask=lambda _: True)
        assert asked(worse).note == "contradicted"
    assert git(library.path.parent, "for-each-ref") == before
    unsure = dataclasses.replace(worse, replay=Replay(2, 3, 18, (-0.2, 0.2)))
    assert submitter(library, ledger, "review")(unsure).note == "made"


@pytest.mark.parametrize("policy", ["review", "auto"])
def test_all_of_it_is_one_commit_that_says_of_each_why(
    library: Library, ledger: Ledger, policy: Policy
) -> None:
    top = library.path.parent
    placed = submitter(library, ledger, policy)(both())
    if policy == "review":
        store = open_store(library.path)
        (waiting,) = store.pending()
        assert store.where(waiting) == "macla/refine/fetch-v2"
        store.accept(library, ledger, waiting, "Ada <ada@example.org>")
    else:
        assert placed.note == "accepted"
    here = Library.open(library.path)
    assert [here.procedures[name].version for name in ("fetch", "lodge")] == [2, 2]
    assert validate_library(library.path) == []
    told = git(top, "log", "-1", "--format=%B")
    assert told.startswith("Refine fetch and lodge\n\nOne change of 2 files, decided as a whole.\n")
    for line in (
        "fetch: fetch was shut out 4 times.",
        "lodge: lodge was shut out 3 times.",
        "Evidence: fetch worked 4 times, failed 0 times",
        "Evidence: lodge worked 3 times, failed 0 times",
    ):
        assert line in told.splitlines()
    for name, good in (("fetch", 4), ("lodge", 3)):
        last = revisions_of(here, name)[-1]
        assert last.reason == f"{name} was shut out {good} times."


def test_what_was_rejected_with_others_is_not_offered_alone_nor_with_new_ones(
    library: Library, ledger: Ledger
) -> None:
    review = submitter(library, ledger, "review")
    review(change(refined(), FETCH, 4.0))
    (waiting,) = open_store(library.path).pending()
    store = open_store(library.path)
    store.pending()
    store.reject(library, ledger, waiting, "It is never shut.", "Ada <ada@example.org>")
    placed = submitter(library, ledger, "review")(both())
    assert placed.note == "made"
    (left,) = open_store(library.path).pending()
    assert (left.changed, left.rationale) == (("lodge",), "lodge was shut out 3 times.")
    doubled = by_cause([change(refined(), FETCH, 8.0), change(OPENED, LODGE, 3.0)])
    assert submitter(library, ledger, "review")(doubled[0]).note == "replaced"
    (again,) = open_store(library.path).pending()
    assert again.changed == ("fetch", "lodge")
    assert "It is never shut." in again.part("fetch").rationale
    store = open_store(library.path)
    (waiting,) = store.pending()
    store.reject(library, ledger, waiting, "No.", "Ada <ada@example.org>")
    assert submitter(library, ledger, "review")(change(OPENED, LODGE, 3.0)).note == "rejected"


def test_the_newer_of_two_that_make_one_version_takes_the_place(
    tmp_path: Path, library: Library, ledger: Ledger
) -> None:
    plain = make_library(tmp_path / "plain")
    for place in (library, plain):
        review = submitter(place, ledger, "review")
        assert review(change(OPENED, LODGE, 3.0)).note == "made"
        assert review(both()).note == "replaced"
        assert [each.changed for each in open_store(place.path).pending()] == [("fetch", "lodge")]
        assert review(change(OPENED, LODGE, 9.0)).note == "replaced"
        assert [each.changed for each in open_store(place.path).pending()] == [("lodge",)]
    assert isinstance(open_store(plain.path), FileStore)


# -- replay ---------------------------------------------------------------------------------


WORDS = Ontology.from_document(
    {
        "kind": "ontology",
        "version": 1,
        "entities": {"shape": "kind and number", "kinds": ["vand", "zib"]},
        "operators": {
            "go": {"frames": ["go to {0}"]},
            "open": {"frames": ["open {0}"]},
            "fetch": {"frames": ["fetch {0} from {1}"]},
        },
    }
)


def played(shut: bool, opened: bool, number: int, *, own: bool) -> Trajectory:
    there = "The vand 1 is shut." if shut else "A vand 1."
    acts = ["go to vand 1", *(["open vand 1"] if opened else []), "fetch zib 1 from vand 1"]
    obs = ["You see a zib 1.", there, *(["Done."] if opened else []), "You fetch the zib 1."]
    source = OWN_PLAY if own else "expert"
    return Trajectory("fetch a zib", tuple(obs), tuple(acts), True, id=f"e{number}", source=source)


def test_where_what_was_played_says_credibly_otherwise_demonstrations_do_not_count(
    library: Library,
) -> None:
    shown = [played(True, False, n, own=False) for n in range(14)]
    own = [played(True, True, 20 + n, own=True) for n in range(6)]
    told = change(refined(), FETCH, 6.0)
    known = WORDS, library.procedures
    replay = Replayer([*shown, *own], *known).replay(told)
    assert replay is not None
    assert (replay.wins, replay.losses, replay.outdated) == (6, 0, (0, 14, 0))
    few = Replayer([*shown[:2], *own[:1]], *known).replay(told)
    assert few is not None
    assert (few.wins, few.losses, few.outdated) == (1, 2, None)


def test_an_episode_favours_what_is_right_about_all_that_changes(library: Library) -> None:
    told = both()
    episodes = [played(True, True, 1, own=False), played(False, False, 2, own=False)]
    replay = Replayer(episodes, WORDS, library.procedures).replay(told)
    assert replay is not None
    assert (replay.wins, replay.losses, replay.ties) == (1, 0, 1)
