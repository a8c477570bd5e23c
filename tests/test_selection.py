"""The benchmark of choosing: worlds, regret, calibration, and what the default reaches there."""

from __future__ import annotations

import json
import sys
from statistics import mean

import pytest
from macla.evals.calibration import brier, reliability
from macla.evals.selection import __main__ as command
from macla.evals.selection.arms import ARMS, Arm
from macla.evals.selection.playing import Played, play
from macla.evals.selection.report import compared
from macla.evals.selection.worlds import KINDS, Kind, make_world
from macla.evals.statistics import holm
from macla.procedures.errors import DataError
from macla.procedures.utility import Rule

BY_NAME = {arm.name: arm for arm in ARMS}


@pytest.mark.parametrize("kind", KINDS)
def test_worlds_are_what_they_are_said_to_be(kind: Kind) -> None:
    world = make_world(kind, 3, 60)
    assert world == make_world(kind, 3, 60) != make_world(kind, 4, 60)
    assert all(3 <= len(rivals) <= 10 for rivals in world.goals)
    early, late = ([r for g in world.goals for r in g] for _ in range(2))
    assert any(r.before != r.after for r in early) == (kind == "drift")
    assert any(len(set(r.after)) > 1 for r in late) == (kind == "context")
    assert any(sum(r.recorded) for r in early) == (kind in ("poisoned", "outdated"))


def test_regret_is_what_the_best_would_have_won_more() -> None:
    world = make_world("plain", 0, 40)
    played = play(world, Arm("random", Rule.RANDOM), 1)
    rates = [world.rates(i) for i in range(40)]
    assert all(any(max(r) - each == g for each in r) for r, g in zip(rates, played.regrets))  # noqa: B905
    assert played.regret == pytest.approx(sum(played.regrets))
    assert played == play(world, Arm("random", Rule.RANDOM), 1)


def test_the_default_chooses_better_than_likeness_habit_and_chance() -> None:
    regrets: dict[str, float] = {}
    for name in ("EU", "similarity", "frequency", "random", "Thompson"):
        regrets[name] = mean(
            play(make_world(kind, 50 + i, 150), BY_NAME[name]).regret
            for kind in KINDS
            for i in range(6)
        )
    assert regrets["EU"] < 0.6 * min(regrets[n] for n in ("similarity", "frequency", "random"))
    assert regrets["EU"] <= 1.2 * regrets["Thompson"]


def test_calibration_of_what_is_known() -> None:
    sure = [(0.75, worked) for worked in (True, True, True, False)]
    assert brier(sure) == pytest.approx((3 * 0.0625 + 0.5625) / 4)
    (only,) = reliability(sure)
    assert (only.n, only.expected, only.worked) == (4, 0.75, 0.75)


def test_comparisons_are_paired_and_corrected() -> None:
    def lost(*regrets: float) -> list[Played]:
        return [Played((each,), (0.5,), (True,)) for each in regrets]

    first = lost(*[1.0] * 10)
    worse, same = compared(first, {"worse": lost(*[2.0] * 10), "same": first})
    assert (worse.difference, worse.better, worse.worse) == (1.0, 10, 0)
    assert worse.p_value == pytest.approx(2 * 2 / 2**10)
    assert (same.difference, same.p_value) == (0.0, 1.0)


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
    with pytest.raises(DataError, match="lie in"):
        holm([1.5])


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["selection", "--worlds", "2", "--episodes", "20", "--kind", "drift"]
    monkeypatch.setattr(sys, "argv", given)
    command.main()
    assert "| EU as printed |" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", [*given, "--json"])
    command.main()
    (kind,) = json.loads(capsys.readouterr().out)["kinds"]
    assert [arm["name"] for arm in kind["arms"]] == [arm.name for arm in ARMS]
    assert len(kind["arms"][0]["curve"]) == 10
