"""What is forgotten when memory is full, by either value; sums that are kept up to date."""

from __future__ import annotations

import pytest
import test_learning_store
from macla.procedures.evidence.failures import FailureSettings, memories
from macla.procedures.evidence.ledger import Outcome
from macla.procedures.evidence.running_counts import RunningCounts, RunningFailures
from macla.procedures.learning.pruning import prune, surplus
from macla.procedures.learning.refused import Refused
from macla.procedures.learning.store_learned import store
from macla.procedures.library.library import Library
from macla.procedures.method.settings import Method
from test_learning_store import learned, meta, procedure

library = test_learning_store.library
ledger = test_learning_store.ledger


def row(run, subject, good=1.0, bad=0.0, *, kind="meta", step=0, binding="", **context):
    return Outcome.of_sums(
        run,
        (kind, subject, 1, binding),
        (good, bad),
        "2026-01-01T00:00:00+00:00",
        step=step,
        context=context,
    )


def fill(library, ledger):
    """Plan ``often`` is used in 40 episodes; ``again`` goes the same way; ``rare`` another."""
    told = learned(
        [procedure("pry"), procedure("zip")],
        [meta("often", "pry"), meta("again", "pry"), meta("rare", "zip")],
    )
    store(library, ledger, told)
    ledger.record(row(f"e{i}", "often") for i in range(40))
    ledger.record(row(f"f{i}", "again") for i in range(8))
    ledger.record([row("g0", "rare"), *(row(f"h{i}", "often") for i in range(20))])


@pytest.mark.parametrize("retention", ["paper", "future"])
def test_a_rare_goal_keeps_its_best_plan(library, ledger, retention):
    fill(library, ledger)
    assert prune(library, ledger, Method(metas=2, retention=retention)) == ["again"]
    assert sorted(library.metas) == ["often", "rare"]


def test_nothing_is_read_where_there_is_room(library, ledger):
    fill(library, ledger)
    ledger.close()
    assert surplus(library, ledger, Method(procedures=2, metas=3)) == []


def test_the_settings_of_the_library_say_how_much_it_holds(tmp_path, ledger):
    settings = {"capacity": {"procedures": 200, "metas": 1}}
    library = Library.create(tmp_path / "l", domain="x", embedding="static", settings=settings)
    fill(library, ledger)
    assert len(prune(library, ledger)) == 2
    assert sorted(library.metas) == ["often"]


def test_what_a_plan_that_goes_ran_may_go_too(library, ledger):
    fill(library, ledger)
    removed = prune(library, ledger, Method(procedures=1, metas=1))
    assert removed == ["again", "rare", "zip"]


def test_what_was_not_used_for_long_is_worth_less(library, ledger):
    told = learned([procedure("pry")], [meta("old", "pry"), meta("new", "pry")])
    store(library, ledger, told)
    ledger.record(row(f"e{i}", "old") for i in range(10))
    ledger.record(row(f"f{i}", "pry", kind="procedure") for i in range(300))
    ledger.record(row(f"g{i}", "new") for i in range(10))
    assert prune(library, ledger, Method(metas=1, retention="future")) == ["old"]


def test_sums_that_are_kept_are_those_of_the_whole_ledger(ledger):
    running = RunningCounts(ledger, "learn:")
    for i in range(5):
        ledger.record([row(f"e{i}", "often"), row("learn:a", "often", step=i)])
        ledger.record([row("learn:b", "rare", step=i)])
        for run in ("learn:a", "learn:b", "learn:a", ""):
            expected = ledger.counts(superseded=("learn:", run))
            assert running.counts(run) == expected
    assert ledger.counts(run="learn:b") == {("meta", "rare", 1, ""): (5.0, 0.0)}


def test_only_what_was_asked_for_is_summed(ledger):
    ledger.record([row("e", "often"), row("e", "rare"), row("e", "rare", kind="binding")])
    running = RunningCounts(ledger, subject_kind="binding", subject="rare")
    assert running.counts() == {("binding", "rare", 1, ""): (1.0, 0.0)}


def test_failures_that_are_kept_are_those_of_all_rows(ledger):
    settings = FailureSettings(capacity=3)
    running = RunningFailures(ledger, settings)
    for i in range(12):
        bad = float(i % 3 == 0)
        context = {"situation": [f"a={i % 4}"]}
        ledger.record([row(f"e{i}", "often", 1.0 - bad, bad, **context)])
        assert running.memories() == memories(ledger.rows("meta"), settings)
    assert running.memories()["meta", "often"].runs == 12


def test_sums_are_kept_of_what_the_library_holds_alone(ledger):
    running = RunningCounts(ledger, "learn:")
    for i in range(4):
        ledger.record([row(f"e{i}", "often"), row(f"e{i}", "rare", binding=f"thing{i}")])
        ledger.record([row("learn:a", "rare", step=i), row(f"e{i}", "@search", kind="binding")])
        everything = ledger.counts(superseded=("learn:", "learn:a"))
        held = {"often"} if i in (1, 2) else {"often", "rare"}
        wanted = {k: v for k, v in everything.items() if k[1] in held or k[1] == "@search"}
        assert running.counts("learn:a", held) == wanted
    assert ("meta", "rare", 1, "thing1") in running.counts("learn:a")
    assert running.counts("learn:a") is running.counts("learn:a")


def test_failures_of_what_left_the_library_are_forgotten(ledger):
    running = RunningFailures(ledger, FailureSettings())
    ledger.record([row("e", name, 0.0, 1.0, situation=["a"]) for name in ("often", "rare")])
    assert running.memories().keys() == {("meta", "often"), ("meta", "rare")}
    assert running.memories({"often"}).keys() == {("meta", "often")}


def test_only_the_latest_refusals_are_kept_and_all_are_counted():
    refused = Refused()
    for number in range(250):
        refused.append(f"change {number}")
    assert (len(refused), refused[-1], refused.total) == (100, "change 249", 250)


def test_values_start_from_the_prior_of_the_library(library, ledger):
    told = learned(
        [procedure("pry"), procedure("zip")],
        [meta("few", "pry"), meta("many", "zip")],
        meta_counts={"few": (1.0, 1.0), "many": (10.0, 4.0)},
    )
    store(library, ledger, told)
    settings = {
        "retention": "paper",
        "weights": {"reliability": 1.0, "frequency": 0.0, "recency": 0.0},
        "capacity": {"metas": 1},
    }
    assert surplus(library, ledger, Method.from_settings(settings)) == ["few"]
    hopeful = Method.from_settings({**settings, "prior": [9, 1]})
    assert surplus(library, ledger, hopeful) == ["many"]
