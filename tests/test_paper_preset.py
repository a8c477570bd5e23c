"""The preset ``paper``: the method as its authors mean it plays, where the letter does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from command_line import as_json, run
from conftest import Small
from invented_worlds import Burrow, burrow_demonstration, burrow_task
from macla.graph.build import create_macla_graph, recursion_limit
from macla.graph.context import LoopSettings
from macla.procedures.episodes.trajectories import write_trajectories
from macla.procedures.library.library import Library
from macla.procedures.method.presets import PRESETS, Confidence, Information, Relevance


def wins(small: Small, preset: str, successes: float) -> int:
    """Play twelve games in which every plan has so many successes."""
    told = {("meta", m.id, m.version, ""): (successes, 0.0) for m in small.knowledge.metas.values()}
    knowledge = replace(small.knowledge, counts={**small.knowledge.counts, **told})
    won = 0
    for seed in range(1000, 1012):
        environment = Burrow()
        text, observation = environment.reset(burrow_task(seed))
        context = replace(small, knowledge=knowledge).context(
            environment, settings=LoopSettings(preset=PRESETS[preset], horizon=30)
        )
        graph, config = create_macla_graph().compile(), {"recursion_limit": recursion_limit(30)}
        start = {"task": text, "observation": observation, "run": str(seed)}
        won += bool(graph.invoke(start, context=context, config=config)["won"])
    return won


def test_what_is_proven_is_played(burrow: Small) -> None:
    assert wins(burrow, "paper", 3507.0) >= 11
    assert wins(burrow, "printed", 3507.0) == 0


def test_what_the_presets_are() -> None:
    paper, printed = PRESETS["paper"], PRESETS["printed"]
    assert (paper.information, paper.confidence) == (Information.GAIN, Confidence.MEAN)
    assert (printed.information, printed.confidence) == (Information.ENTROPY, Confidence.EU)
    assert (paper.relevance, printed.relevance) == (Relevance.INSTANCE, Relevance.GOAL)
    mended = replace(PRESETS["default"].weights, exploration=0.1)
    assert paper.weights == printed.weights == mended
    assert paper.without == printed.without == {"programs", "floor"}


@pytest.fixture
def shown(tmp_path: Path) -> Path:
    file = tmp_path / "shown.jsonl"
    write_trajectories(file, [burrow_demonstration(seed) for seed in range(12)])
    return file


def test_a_library_is_learned_with_the_preset(shown: Path, tmp_path: Path) -> None:
    taught = as_json("learn", shown, "--library", tmp_path / "lib", "--method", "paper")
    assert (taught["programs"], taught["metas"] > 0) == ({}, True)
    library = Library.open(tmp_path / "lib")
    assert library.settings.settings["preset"] == "paper"
    again = run("learn", shown, "--library", tmp_path / "lib", "--method", "printed")
    assert again.exit_code != 0
    assert "has the preset paper, not printed" in again.stderr
