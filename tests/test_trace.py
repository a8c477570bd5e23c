"""The trace of an episode: complete, after its schema, and with numbers that SciPy confirms."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from command_line import as_json, run
from macla.cli.timeline import Timeline
from macla.evals.alfworld.expert import demonstrate
from macla.evals.alfworld.games import load_game
from macla.evals.alfworld.generator import write_games
from macla.evals.traces.trace_evidence import Tally, belief
from macla.procedures.episodes.trajectories import write_trajectories
from macla.procedures.method.ablation import GROUPS
from macla.schemas import fits, validator
from scipy.stats import beta as scipy_beta

COOL = "pick_cool_then_place_in_recep"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library, and games in which something has to be cooled."""
    folder = tmp_path_factory.mktemp("trace")
    learned = write_games(folder / "learn", 12, seed=5)
    write_games(folder / "play", 12, seed=5, start=18)
    write_trajectories(folder / "shown.jsonl", [demonstrate(load_game(f)) for f in learned])
    assert run("learn", folder / "shown.jsonl", "--library", folder / "lib").exit_code == 0
    return folder


def cool_game(home: Path) -> Path:
    return next(f for f in sorted((home / "play").rglob("*.tw-pddl")) if COOL in str(f))


@cache
def traced(home: Path, *more: object) -> Any:
    where = ("--library", home / "lib", "--game-path", cool_game(home))
    return as_json("trace", "alfworld", *where, *more)


def nodes(document: Any, node: str) -> list[Any]:
    return [event for event in document["events"] if event["node"] == node]


def beliefs(document: Any) -> Iterator[Any]:
    for event in nodes(document, "score"):
        yield from (each["posterior"] for each in event["candidates"])
    for event in nodes(document, "update"):
        for row in event["outcomes"]:
            yield from (row[key] for key in ("before", "after") if key in row)
    for change in document["evidence"]:
        yield from (change["before"], change["after"])


@cache  # a trace tells the same few beliefs again and again
def known(a: float, b: float) -> tuple[float, float, float]:
    """Mean, standard deviation and entropy."""
    told = scipy_beta(a, b)
    return float(told.mean()), float(told.std()), float(told.entropy())


def expected_gain(a: float, b: float) -> float:
    """Entropy now, less that which is expected after one more trial."""
    rate, _, entropy = known(a, b)
    return entropy - (rate * known(a + 1, b)[2] + (1 - rate) * known(a, b + 1)[2])


def confirm(document: Any) -> int:
    """Compute every number again from α, β, Rel and Risk with SciPy; return how many EUs."""
    weights = document["settings"]["weights"]
    bonus = {
        "entropy": lambda a, b: known(a, b)[2],
        "sd": lambda a, b: known(a, b)[1],
        "gain": expected_gain,
    }[document["settings"]["information"]]
    seen = 0
    for each in beliefs(document):
        mean, sd, entropy = known(each["alpha"], each["beta"])
        assert each["mean"] == pytest.approx(mean, rel=1e-9)
        assert each["sd"] == pytest.approx(sd, rel=1e-9)
        assert each["entropy"] == pytest.approx(entropy, rel=1e-6, abs=1e-9)
    for event in nodes(document, "score"):
        for each in event["candidates"]:
            rate = known(each["alpha"], each["beta"])[0]
            reward = each["relevance"] * rate * weights["reward_max"]
            cost = each["risk"] * (1.0 - rate) * weights["cost_failure"]
            extra = weights["exploration"] * float(bonus(each["alpha"], each["beta"]))
            if document["settings"]["information"] == "sd":
                extra *= each["relevance"] * weights["reward_max"]
            assert each["utility"] == pytest.approx(reward - cost + extra, abs=1e-9)
            assert each["reward"] - each["cost"] + each["bonus"] == pytest.approx(each["utility"])
            seen += 1
        utilities = [each["utility"] for each in event["candidates"]]
        assert utilities == sorted(utilities, reverse=True)
    return seen


def test_the_papers_two_entropies_are_these() -> None:
    assert belief((10.0, 3.0))["entropy"] == pytest.approx(-0.8176, abs=5e-5)
    assert belief((11.0, 3.0))["entropy"] == pytest.approx(-0.8827, abs=5e-5)


def test_a_cool_game_is_traced_in_full(home: Path) -> None:
    document = traced(home)
    assert list(validator("trace").iter_errors(document)) == []
    assert document["won"] is True
    found = nodes(document, "retrieve")[0]["candidates"]
    assert found
    assert all(-1.0 <= each["similarity"] <= 1.0 for each in found)
    first = nodes(document, "score")[0]
    assert [each["rank"] for each in first["readings"]] == [*range(1, len(first["readings"]) + 1)]
    shares = [each["probability"] for each in first["readings"]]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) <= 1.0 + 1e-9
    assert first["chosen"] in first["readings"][0]["candidates"]
    checks = [c for event in nodes(document, "check_post") for c in event.get("postconditions", ())]
    assert checks
    assert all(check["because"] for check in checks)
    assert any("cool" in check["because"] for check in checks if check["value"])
    kinds = {change["kind"] for change in document["evidence"]}
    assert {"procedure", "meta", "binding"} <= kinds


@pytest.mark.parametrize("preset", ["default", "paper", "printed"])
def test_scipy_agrees_with_every_number(home: Path, preset: str) -> None:
    document = traced(home, "--method", preset)
    assert list(validator("trace").iter_errors(document)) == []
    assert document["settings"]["preset"] == preset
    assert confirm(document) >= 1


def test_each_outcome_moves_its_posterior_by_what_it_counts(home: Path) -> None:
    document = traced(home)
    latest: dict[tuple[Any, ...], Any] = {}
    rows = [row for event in nodes(document, "update") for row in event["outcomes"]]
    for row in rows:
        if not row["successes"] + row["failures"]:
            assert "before" not in row
            continue
        before, after = row["before"], row["after"]
        assert after["alpha"] - before["alpha"] == pytest.approx(row["successes"])
        assert after["beta"] - before["beta"] == pytest.approx(row["failures"])
        key = (row["subject_kind"], row["subject"], row["version"], row.get("binding", ""))
        assert before == latest.get(key, before)
        latest[key] = after
    assert [change["after"] for change in document["evidence"]] == list(latest.values())


def test_a_plan_that_is_not_known_would_be_formed(home: Path) -> None:
    known = traced(home)["formation"]
    assert known["candidate"]["value"] > 0.0
    assert known["formed"] is False
    shown = known["candidate"]
    value = shown["frequency"] * shown["length"] - shown["storage"] + shown["gain"]
    assert shown["value"] == pytest.approx(value)
    mean = scipy_beta(1 + shown["solved"], 1 + shown["lost"]).mean()
    assert shown["gain"] == pytest.approx(shown["frequency"] * (mean - 0.5))
    assert [ref.partition("@")[0] for ref in shown["plan"]] == [
        ref.partition("@")[0] for ref in known["carried_out"]
    ]


def test_parts_can_be_left_out_of_a_trace(home: Path) -> None:
    document = traced(home, "--method", "without=meta", "--method", "without=bayes")
    assert document["settings"]["without"] == sorted([*GROUPS["bayes"], "meta"])
    assert document["settings"]["rule"] == "similarity"
    offered = [c for event in nodes(document, "score") for c in event["candidates"]]
    assert offered
    assert not any(each["kind"] == "meta" for each in offered)
    assert all((each["alpha"], each["beta"]) == (1.0, 1.0) for each in offered)
    assert fits("trace", document)
    wrong = run(
        *("trace", "alfworld", "--library", home / "lib", "--method", "without=luck"),
        *("--game-path", cool_game(home)),
    )
    assert wrong.exit_code == 2
    assert "luck" in wrong.stderr


def test_the_timeline_shows_entropy_and_the_plans_value(home: Path) -> None:
    plain = run("trace", "alfworld", "--library", home / "lib", "--game-path", cool_game(home))
    assert plain.exit_code == 0
    assert " H -" in plain.stdout
    assert "  V = frequency * decisions saved - storage + gain = " in plain.stdout


def test_a_plan_that_would_be_broken_off_again_is_told(home: Path) -> None:
    event = {"node": "check_pre", "step": 4, "ref": "grind-in@1", "refused": "You crank the mill."}
    (line,) = Timeline().lines(event)
    left = "the plan is left, it would be broken off at grind-in@1 again: You crank the mill."
    assert line.strip() == left
    document = traced(home)
    document["events"].append(event)
    assert list(validator("trace").iter_errors(document)) == []
    event["refused"] = True
    assert len(list(validator("trace").iter_errors(document))) == 1


def test_evidence_of_search_is_that_which_search_goes_by(home: Path) -> None:
    from macla.adapters.session import LibrarySession

    with LibrarySession.open(home / "lib", read_only=True) as session:
        knowledge = session.knowledge()
        sought = [key for key in knowledge.counts if key[1] == "@search" and "*" not in key[3]]
        assert sought
        tally = Tally(knowledge)
        for _, _, _, binding in sought:
            thing, _, place = binding.partition("|")
            row = {"subject_kind": "binding", "subject": "@search", "version": 0}
            event = {"node": "update", "outcomes": [{**row, "binding": binding}]}
            event["outcomes"][0] |= {"successes": 1.0, "failures": 0.0}
            told = tally.completed(event)["outcomes"][0]
            expected = knowledge.evidence.probability(thing, place)
            assert told["before"]["mean"] == pytest.approx(expected)
