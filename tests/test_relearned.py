"""What is learned again keeps evidence of what was there, and is taken back where it is worse."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from macla.adapters.teaching import practice_changes
from macla.adapters.teaching.practice_changes import Changes
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.evidence.ledger import Outcome
from macla.procedures.learning import online
from macla.procedures.learning.online import OnlineLearner
from macla.procedures.learning.store_learned import store
from macla.procedures.learning.taught import keep_taught
from macla.procedures.library.library import Library
from macla.procedures.model.procedure import Parameter, Procedure
from macla.procedures.proposals.inheritance import live_counts
from macla.procedures.proposals.version_history import keep_replaced, replaced
from macla.procedures.refinement.refinery import Refinery
from review_library import make_git, open_ledger
from test_learning_store import CHANGED, learned, meta, procedure, sound

SHOWN = Trajectory("pry some lid 1", ("You see a lid 1.", "The lid 1 opens."), ("pry lid 1",), True)
FIRST = learned([procedure("pry")], [meta("a", "pry")])
MORE = {"provenance": {"learned_from": "8 segments of demonstrations"}}
OTHER = learned([procedure("pry", **CHANGED, **MORE)], [meta("a", "pry")])


@pytest.fixture
def library(tmp_path):
    return Library.create(tmp_path / "library", domain="lids", embedding="static")


@pytest.fixture
def ledger(library):
    with open_ledger(library) as opened:
        yield opened


def used(name, version, good, bad, kind="procedure", run="r"):
    run = f"{run}-{name}-{version}-{kind}"
    outcome = "success" if good else "execution_failed"
    return Outcome(run, 0, kind, name, version, outcome, good, bad, "2026")


def relearn(monkeypatch, library, ledger, found, **more):
    monkeypatch.setattr(online, "learn_worlds", lambda *_, **__: found)
    return OnlineLearner(library, ledger, demonstrations=[SHOWN], **more).relearn()


def counted(library, ledger, kind, name):
    item = library.procedures.get(name) or library.metas.get(name)
    return item.version, live_counts(library, ledger)[kind, name, item.version, ""]


def test_a_version_that_is_learned_again_starts_from_half_of_its_trials(
    monkeypatch, library, ledger
):
    relearn(monkeypatch, library, ledger, FIRST)
    ledger.record([used("pry", 1, 8.0, 2.0), used("a", 1, 3.0, 5.0, "meta")])
    for _ in range(2):
        relearn(monkeypatch, library, ledger, OTHER)
        # 10 demonstrations once, as they were counted now, and half of what happened in use.
        assert counted(library, ledger, "procedure", "pry") == (2, (14.0, 1.0))
        assert counted(library, ledger, "meta", "a") == (1, (12.0, 6.0))
    assert sound(library)


def test_a_list_of_kinds_that_grew_loses_no_evidence(monkeypatch, library, ledger):
    relearn(monkeypatch, library, ledger, FIRST)
    ledger.record([used("pry", 1, 80.0, 20.0)])
    more = {"parameters": {"x": {"source": "choice", "kinds": ["jar", "lid", "tin"]}}}
    file = library.path / "procedures" / "pry.yaml"
    before = file.read_bytes()
    relearn(monkeypatch, library, ledger, learned([procedure("pry", **more)], [meta("a", "pry")]))
    assert counted(library, ledger, "procedure", "pry") == (1, (90.0, 20.0))
    assert file.read_bytes() == before
    assert library.ontology.types == {"pry.x": ("jar", "lid", "tin")}


def test_a_list_of_kinds_that_stands_in_a_file_stays(monkeypatch, library, ledger):
    relearn(monkeypatch, library, ledger, FIRST)
    library.write_all([Procedure.from_document(procedure("pry", version=2))])
    ledger.record([used("pry", 2, 80.0, 20.0)])
    relearn(monkeypatch, library, ledger, FIRST)
    assert library.procedures["pry"].parameters["x"] == Parameter("choice", ("lid",))
    assert counted(library, ledger, "procedure", "pry") == (2, (90.0, 20.0))
    more = {"parameters": {"x": {"source": "choice", "kinds": ["jar", "lid", "tin"]}}}
    relearn(monkeypatch, library, ledger, learned([procedure("pry", **more)], [meta("a", "pry")]))
    assert counted(library, ledger, "procedure", "pry") == (2, (90.0, 20.0))
    assert library.procedures["pry"].parameters["x"] == Parameter("choice", ("lid",))


def test_learning_from_demonstrations_alone_inherits_nothing(library, ledger):
    store(library, ledger, FIRST)
    ledger.record([used("pry", 1, 8.0, 2.0)])
    store(library, ledger, OTHER)
    assert counted(library, ledger, "procedure", "pry") == (2, (10.0, 0.0))


@pytest.fixture(params=["outside git", "in git"])
def practised(request, monkeypatch, library, ledger):
    """A library that learned something worse, as practice does; and a way to learn again."""
    keep_taught(library.path, [SHOWN])
    store(library, ledger, FIRST)
    if request.param == "in git":
        make_git(library.path, ".")
        # Whether the episodes are reason enough is no matter here.
        monkeypatch.setattr(practice_changes, "is_supported", lambda *_, **__: True)
    changes = Changes(SimpleNamespace(library=library, ledger=ledger), "auto")

    def again(found):
        more = {"place": changes.place, "adopt": changes.adopt, "forget": changes.forget}
        relearn(monkeypatch, library, ledger, found, **more)
        return library.procedures["pry"]

    ledger.record([used("pry", 1, 12.0, 2.0)])
    assert again(OTHER).version == 2
    ledger.record([used("pry", 2, 1.0, 9.0)])
    place = changes.place
    refinery = Refinery.of(library, ledger, place, revisions=changes.revisions)
    return library, ledger, refinery, again


def test_a_plan_that_failed_and_gave_way_does_not_come_back_beside_the_other(
    monkeypatch, library, ledger
):
    def found(*plans):
        named = {name: {**meta(name, run), "goal": "lid {a}"} for name, run in plans}
        return learned([procedure("pry"), procedure("zip")], named.values())

    relearn(monkeypatch, library, ledger, found(("lid", "pry")))
    ledger.record([used("lid", 1, 0, 3, kind="meta")])
    relearn(monkeypatch, library, ledger, found(("lid", "zip")))
    relearn(monkeypatch, library, ledger, found(("lid", "zip"), ("lid-2", "pry")))
    assert {name: each.plan[0].run for name, each in library.metas.items()} == {"lid": "zip"}


def test_what_is_worse_than_what_it_replaced_is_taken_back(practised):
    library, ledger, refinery, _ = practised
    (proposal,) = refinery.propose(["pry@2"])
    assert (proposal.change, proposal.target.id) == ("rollback", "pry")
    assert refinery.submit(proposal) == "accepted"
    back = library.procedures["pry"]
    assert (back.version, back.steps[0].expect) == (3, ())
    # It starts from half of what the version did that it goes back to.
    good, bad = live_counts(library, ledger)["procedure", "pry", 3, ""]
    assert good / (good + bad) > 0.8
    assert refinery.propose(["pry@3"]) == []
    assert sound(library)


def test_what_was_taken_back_is_not_learned_again_as_it_was(practised):
    _, _, refinery, again = practised
    (proposal,) = refinery.propose(["pry@2"])
    refinery.submit(proposal)
    assert again(OTHER).version == 3
    # Something else is: it was never tried.
    steps = [{"do": "pry {x}", "expect": "The * opens."}]
    new = learned([procedure("pry", steps=steps, **MORE)], [])
    assert again(new).version == 4


def test_a_plan_that_follows_is_not_taken_back_for_what_it_runs(monkeypatch, library, ledger):
    relearn(monkeypatch, library, ledger, FIRST)
    ledger.record([used("a", 1, 12.0, 2.0, "meta")])
    relearn(monkeypatch, library, ledger, OTHER)
    ledger.record([used("a", 2, 1.0, 9.0, "meta")])
    changes = Changes(SimpleNamespace(library=library, ledger=ledger), "auto")
    refinery = Refinery.of(library, ledger, changes.place, revisions=changes.revisions)
    assert refinery.propose(["a@2"]) == []


def test_few_replaced_versions_are_kept_and_a_broken_file_is_no_error(library):
    for version in range(1, 31):
        document = procedure("pry", version=version)
        keep_replaced(library, [Procedure.from_document(document)])
    kept = [each["version"] for each in replaced(library, "pry")]
    assert kept == list(range(21, 31))
    (library.path / ".macla" / "replaced.jsonl").write_text("{")
    assert replaced(library, "pry") == []
