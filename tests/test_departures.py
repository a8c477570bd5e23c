"""Where the default departs from the paper: each row of the page's table, both sides computed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Small
from invented_worlds import Burrow, burrow_task
from macla.adapters.session import LibrarySession
from macla.adapters.teaching.teaching import teach
from macla.graph.build import create_macla_graph, recursion_limit
from macla.graph.context import LoopSettings
from macla.procedures.evidence.failures import FailureMemory
from macla.procedures.evidence.ledger import Ledger, Outcome
from macla.procedures.evidence.posterior import (
    differential_entropy,
    expected_information_gain,
    posterior_sd,
)
from macla.procedures.library.library import Library
from macla.procedures.method.presets import PRESETS, Preset
from macla.procedures.method.retention import discounted_value
from macla.procedures.method.settings import Method
from macla.procedures.method.utility import (
    Candidate,
    RetentionWeights,
    expected_utility,
    retention_utility,
    trusted_value,
)
from macla.procedures.proposals.inheritance import inherited
from macla.procedures.refinement.bayes_factors import Table, Trigger, credible
from macla.procedures.refinement.forming import FormationRule, form_plans
from macla.procedures.tasks.goal_matching import reading_posterior
from test_growing import GREETED
from test_refinement_plans import LEXICON, PROCEDURES, episode, traces

DEFAULT, PAPER, PRINTED = (PRESETS[name] for name in ("default", "paper", "printed"))
PAGE = (Path(__file__).parent.parent / "docs" / "method.md").read_text(encoding="utf-8")


def played(
    small: Small,
    preset: Preset,
    seed: int = 1012,
    task: str | None = None,
    failures: float = 0.0,
    experiments: int = 0,
    **counts: float,
) -> list[dict[str, Any]]:
    """Play an episode; return what the nodes told.

    ``counts``: successes of each plan; ``failures``: of each of these.
    """
    knowledge = small.knowledge
    if counts:
        told = {("meta", m, 1, ""): (n, failures) for m, n in counts.items()}
        knowledge = replace(knowledge, counts={**knowledge.counts, **told})
    environment = Burrow()
    text, observation = environment.reset(burrow_task(seed))
    context = replace(small, knowledge=knowledge).context(
        environment,
        settings=LoopSettings(preset=preset, horizon=30, experiments=experiments),
    )
    start = {"task": task or text, "observation": observation, "run": "r"}
    graph, config = create_macla_graph().compile(), {"recursion_limit": recursion_limit(30)}
    return list(graph.stream(start, context=context, config=config, stream_mode="custom"))


def choices(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What was decided where no plan was under way."""
    told = [e for e in events if e["node"] == "score" and e["candidates"]]
    return [e for e in told if e["candidates"][0]["kind"] != "place"]


def test_each_row_names_its_test() -> None:
    section = PAGE.partition("## Where the default departs")[2].partition("\n## ")[0]
    named = re.findall(r"tests/test_departures\.py:(test_\w+)", section)
    assert len(named) == len(set(named))
    here = {name for name in globals() if name.startswith("test_")}
    assert set(named) == here - {"test_each_row_names_its_test"}


def test_information() -> None:
    parts = (differential_entropy, expected_information_gain, posterior_sd)
    for alpha, beta in ((1.0, 1.0), (10.0, 3.0), (3508.0, 1.0)):
        for preset, part in zip((PRINTED, PAPER, DEFAULT), parts, strict=True):
            bonus = expected_utility(Candidate("", 0.9, alpha, beta), preset).bonus
            weight = 0.9 if preset is DEFAULT else 0.1  # λ · Rel, and λ
            assert bonus == pytest.approx(weight * part(alpha, beta))
    worth = [[preset.weights.exploration * part(a, 1.0) for a in (1.0, 3508.0)]
             for preset, part in zip((PRINTED, PAPER, DEFAULT), parts, strict=True)]  # fmt: skip
    assert worth[0][1] < -0.5  # as printed, what never failed is punished
    assert all(0.0 <= proven < fresh for fresh, proven in worth[1:])


def test_relevance(burrow: Small) -> None:
    meant, mended, literal = (choices(played(burrow, p))[0] for p in (PAPER, DEFAULT, PRINTED))
    knowledge = burrow.knowledge
    environment = Burrow()
    task, seen = environment.reset(burrow_task(1012))
    for each in meant["candidates"]:
        goal = knowledge.instance(each["ref"], each["kind"], each["fillers"])
        assert "{" not in goal
        cosines = knowledge.similarity(goal, task), knowledge.similarity(goal, seen)
        value = 0.6 * cosines[0] + 0.4 * cosines[1]
        assert each["relevance"] == pytest.approx(max(0.0, value), abs=1e-6)
    costs = {c["reading"]: c["reading_cost"] for c in mended["candidates"]}
    posterior = reading_posterior(costs, {}, mended["candidates"][0]["nothing"])
    for each in mended["candidates"]:
        assert each["relevance"] == pytest.approx(posterior[each["reading"]])
    for each in literal["candidates"]:
        assert each["relevance"] == pytest.approx(max(0.0, each["similarity"]))


def test_threshold(burrow: Small) -> None:
    assert [choices(played(burrow, p))[0]["threshold"] for p in (PAPER, DEFAULT)] == [0.4, 0.1]
    scored = expected_utility(Candidate("", 0.3, 9.0, 1.0), PAPER)
    assert trusted_value(*scored[1:3], scored.bonus, PAPER) == scored.rate == 0.9
    assert trusted_value(*scored[1:3], scored.bonus, PRINTED) == scored.value < 0.4
    unknown = expected_utility(Candidate("", 0.7, 1.0, 1.0), DEFAULT)
    assert unknown.value > 0.4 > trusted_value(*unknown[1:3], unknown.bonus, DEFAULT)


def test_evidence_within_the_episode(burrow: Small) -> None:
    """A task of which no reading comes true: the paper counts each failure at once."""
    plans = [meta.id for meta in burrow.knowledge.metas.values()]
    seen: dict[str, set[tuple[float, float]]] = {}
    for preset in (PAPER, PRINTED, DEFAULT):
        events = played(burrow, preset, task="lodge pod in urn", **dict.fromkeys(plans, 9.0))
        seen[preset.name] = {
            (each["beta"], each["risk"])
            for told in choices(events)
            for each in told["candidates"]
            if each["kind"] == "meta"
        }
    assert len({beta for beta, _ in seen["default"]}) == 1
    assert {risk for _, risk in seen["default"]} == {0.0}
    assert max(seen["paper"]) > (1.0, 0.0)


def test_what_a_plan_in_other_words_is_charged_with(burrow: Small) -> None:
    rows: dict[str, list[Mapping[str, Any]]] = {}
    for preset in (PAPER, DEFAULT):
        events = played(burrow, preset, task="please lodge a pod in that urn")
        told = [row for e in events if e["node"] == "update" for row in e["outcomes"]]
        rows[preset.name] = [row for row in told if row["failures"]]
    assert {"meta"} <= {row["subject_kind"] for row in rows["paper"]}
    assert "reading" not in {row["subject_kind"] for row in rows["paper"]}
    assert "reading" in {row["subject_kind"] for row in rows["default"]}
    assert "meta" not in {row["subject_kind"] for row in rows["default"]}


def test_who_competes(burrow: Small) -> None:
    kinds = {p.name: {c["kind"] for c in choices(played(burrow, p))[0]["candidates"]}
             for p in (PAPER, DEFAULT)}  # fmt: skip
    assert kinds == {"paper": {"meta", "procedure"}, "default": {"meta"}}


def test_a_failure_costs_the_same_whoever_fails(burrow: Small) -> None:
    """A plan that failed nearly always is still likelier to succeed than guessing."""
    plans = [meta.id for meta in burrow.knowledge.metas.values()]
    chosen = {
        (preset.name, experiments): choices(
            played(
                burrow,
                preset,
                failures=6.0,
                experiments=experiments,
                **dict.fromkeys(plans, 1.0),
            )
        )[0]["chosen"]
        for preset in (PAPER, DEFAULT)
        for experiments in (0, 5)
    }
    metas = {meta.ref for meta in burrow.knowledge.metas.values()}
    assert {chosen["default", 0], chosen["default", 5]} <= metas
    assert not {chosen["paper", 0], chosen["paper", 5]} & metas


def test_while_a_plan_is_under_way(burrow: Small) -> None:
    """No preset lets anything compete with a plan's own next place."""
    for preset in (PAPER, DEFAULT):
        told = [e for e in played(burrow, preset) if e["node"] == "score" and e["candidates"]]
        kinds = [[each["kind"] for each in e["candidates"]] for e in told]
        assert ["place"] in kinds
        assert all(len(each) == 1 for each in kinds if "place" in each)


def test_risk() -> None:
    here, memory = frozenset({"a=pod"}), FailureMemory()
    for number in range(10):
        memory = memory.after(here, worked=number != 9)
    assert memory.paper_risk(here) == 1.0  # its one failure was in a context like this
    assert memory.risk(here) == pytest.approx(0.1, abs=0.01)  # one run of ten


def test_when_a_contrast_is_believed() -> None:
    clean = Table(3, 0, 0, 3)
    assert credible(clean, 0.01, Trigger.paper())
    assert not credible(clean, 0.01, Trigger())
    noisy = Table(40, 1, 3, 20)
    assert not credible(noisy, 0.01, Trigger.paper())
    assert credible(noisy, 0.01, Trigger())


def test_when_a_plan_is_formed() -> None:
    pairs = traces([episode(i, ["lift {x}", "drop {x} in {y}"]) for i in range(10)])
    assert form_plans(pairs, PROCEDURES, LEXICON, rule=FormationRule.paper()) == []
    assert len(form_plans(pairs, PROCEDURES, LEXICON)) == 1


def test_what_a_new_version_inherits(tmp_path: Path) -> None:
    row = Outcome("e", 0, "procedure", "pry", 1, "success", 90.0, 10.0, "2026-01-01T00:00:00+00:00")
    starts = {}
    for name in ("paper", "default"):
        library = Library.create(
            tmp_path / name, domain="x", embedding="static", settings={"preset": name}
        )
        with Ledger.memory() as ledger:
            ledger.record([row])
            starts[name] = inherited(
                library, ledger, "procedure", ("pry", 1), learned=False, contrast=(4.0, 1.0)
            )
    assert starts["paper"] == (90.0, 10.0)
    assert starts["default"] == pytest.approx((4.0, 1.0))


def test_retention() -> None:
    weights = RetentionWeights(tau=50.0)
    printed = retention_utility(0.9, 30 / 120, math.exp(-10 / 50.0), weights)
    assert printed == pytest.approx(0.5 * 0.9 + 0.3 * 0.25 + 0.2 * math.exp(-0.2))
    assert Method.from_settings({"preset": "paper"}).retention == "paper"
    assert Method.from_settings({}).retention == "future"
    once, often = (discounted_value(0.9, uses, 100, 10) for uses in (1, 60))
    assert often > 5 * once  # in uses to come: no weights, and no upper bound of 1


def test_programs_and_demonstrations_at_play(tmp_path: Path) -> None:
    teach(tmp_path / "lib", GREETED, domain="x")
    with LibrarySession.open(tmp_path / "lib", read_only=True) as session:
        assert session.left_out() == frozenset()
        assert session.left_out(preset="paper") == {"programs", "floor"}
        assert len(session.knowledge().programs) == 1
        assert session.knowledge(preset="paper").programs == {}
        shown = GREETED[3]
        assert session.floor().same(shown.task, shown.obs[0], []) == shown.acts[0]
        assert session.floor(preset="paper").same(shown.task, shown.obs[0], []) is None
