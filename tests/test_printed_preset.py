"""The preset ``printed`` behaves to the letter, and the default as it should."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Small
from invented_worlds import Burrow, burrow_task
from macla.graph.build import create_macla_graph, recursion_limit
from macla.graph.context import LoopSettings
from macla.procedures.method.presets import PRESETS
from macla.procedures.method.utility import Candidate, expected_utility
from scipy.stats import beta as scipy_beta

PRINTED = PRESETS["printed"]
PAGE = (Path(__file__).parent.parent / "docs" / "method.md").read_text(encoding="utf-8")


def printed(relevance: float, alpha: float, beta: float) -> float:
    return expected_utility(Candidate("", relevance, alpha, beta), PRINTED).value


def decisions(small: Small, preset: str, successes: float) -> list[dict[str, Any]]:
    """Play an episode in which every plan has so many successes; return what was decided."""
    counts = {
        ("meta", m.id, m.version, ""): (successes, 0.0) for m in small.knowledge.metas.values()
    }
    knowledge = replace(small.knowledge, counts={**small.knowledge.counts, **counts})
    environment = Burrow()
    text, observation = environment.reset(burrow_task(1012))
    context = replace(small, knowledge=knowledge).context(
        environment, settings=LoopSettings(preset=PRESETS[preset], horizon=30)
    )
    told = create_macla_graph().compile().stream(
        {"task": text, "observation": observation, "run": "r"},
        context=context,
        config={"recursion_limit": recursion_limit(30)},
        stream_mode="custom",
    )  # fmt: skip
    return [event for event in told if event["node"] == "score"]


@pytest.mark.parametrize(("alpha", "value"), [(3508.0, 0.18), (1.0, 0.45)])
def test_the_printed_values(alpha: float, value: float) -> None:
    by_scipy = 0.9 * scipy_beta(alpha, 1).mean() + 0.1 * float(scipy_beta(alpha, 1).entropy())
    assert printed(0.9, alpha, 1.0) == pytest.approx(by_scipy, abs=1e-6)
    assert printed(0.9, alpha, 1.0) == pytest.approx(value, abs=0.005)


def test_the_table_of_the_page() -> None:
    rows = re.findall(r"^\| (1\.0|0\.\d) \| (\d+) to (\d+) \|$", PAGE, re.M)
    assert len(rows) == 5
    for relevance, first, last in rows:
        enough = [n for n in range(3000) if printed(float(relevance), 1.0 + n, 1.0) >= 0.4]
        assert (enough[0], enough[-1]) == (int(first), int(last))
        assert len(enough) == enough[-1] - enough[0] + 1
    assert not any(printed(0.55, 1.0 + n, 1.0) >= 0.4 for n in range(3000))


def test_as_printed_the_proven_is_not_trusted(burrow: Small) -> None:
    first = decisions(burrow, "printed", 3507.0)[0]
    assert first["candidates"]
    assert first["chosen"] is None
    assert first["threshold"] == 0.4
    assert max(each["utility"] for each in first["candidates"]) < 0.4
    assert all(
        each["relevance"] == pytest.approx(max(0.0, each["similarity"]))
        for each in first["candidates"]
    )


def test_the_default_trusts_what_the_print_does_not(burrow: Small) -> None:
    first = decisions(burrow, "default", 3507.0)[0]
    assert first["chosen"] is not None
    assert first["threshold"] == burrow.reasoner.confidence(None) == 0.1  # type: ignore[arg-type]
    assert first["candidates"][0]["utility"] > first["threshold"]


def test_more_success_lowers_the_printed_value(burrow: Small) -> None:
    best = [
        max(each["utility"] for each in decisions(burrow, "printed", n)[0]["candidates"])
        for n in (30.0, 300.0, 3000.0)
    ]
    assert best == sorted(best, reverse=True)
    default = [
        max(each["utility"] for each in decisions(burrow, "default", n)[0]["candidates"])
        for n in (3.0, 30.0, 300.0)
    ]
    assert default == sorted(default)
