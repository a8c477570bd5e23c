"""Composed texts whose chance is low: a model goes on, where one can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from formula_world import BEGINNING, Workbook, tasks
from macla.graph.build import create_macla_graph, recursion_limit
from macla.graph.context import LoopSettings, MaclaContext
from scripted_world import knowledge
from test_compositions import _program
from test_models_reasoner import reasoner

WORDS = "Which one?"
"""A question that nobody asked: each formula is as likely as the others."""


class Desk:
    """A workbook as an environment."""

    def reset(self, task: Workbook) -> tuple[str, str]:
        self.book = replace(task, actions=[])
        return task.task, BEGINNING

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        told = self.book.step(action)
        return told, float(self.book.won), self.book.done, {"won": self.book.won}


def played(question: str, theta_conf: float = 0.4, *answers: dict[str, str]) -> tuple[Any, Any]:
    known = replace(knowledge(), programs={_program().id: _program()})
    asks, model = reasoner(*answers)
    plain = LoopSettings(horizon=10)
    weights = replace(plain.preset.weights, theta_conf=theta_conf)
    settings = replace(plain, preset=replace(plain.preset, weights=weights))
    desk = Desk()
    episode = replace(tasks(4)[0], task=question or tasks(4)[0].task)
    text, observation = desk.reset(episode)
    start = {"task": text, "observation": observation, "run": "r", "horizon": 10}
    create_macla_graph().compile().invoke(
        start,
        context=MaclaContext(known, desk, asks, settings=settings),
        config={"recursion_limit": recursion_limit(10)},
    )
    return desk.book, model


def test_what_is_likely_costs_no_call() -> None:
    book, model = played("")
    assert book.won
    assert model.asked == []


def test_what_is_doubtful_is_left_to_the_model_after_the_look_ups() -> None:
    right = tasks(4)[0].right
    book, model = played(WORDS, 0.4, {"action": right}, {"action": "enter"})
    assert book.actions[-2:] == [right, "enter"]
    assert book.actions[0] == "sheets"
    assert book.won
    assert model.asked


@pytest.mark.parametrize("question", ["", WORDS])
def test_the_threshold_is_the_setting_theta_conf(question: str) -> None:
    book, model = played(question, 0.0)
    assert model.asked == []
    assert "enter" in book.actions
