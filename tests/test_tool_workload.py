"""Thirty recurring tasks over real tools: fewer model calls, no task lost."""

from pathlib import Path

import pytest
from macla.evals.tool_agent import run_passes


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_the_fourth_pass_hardly_needs_the_model(tmp_path: Path, socket_enabled: None) -> None:
    first, *others, fourth, fifth = run_passes(tmp_path, passes=5)
    assert first.model_calls == first.model_calls_without == 72
    for each in (first, *others, fourth, fifth):
        assert each.differing == ()
        assert each.same == each.tasks == 30
        assert each.same_world
    assert fourth.model_calls <= 0.2 * first.model_calls
    assert fifth.model_calls <= 0.18 * first.model_calls


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_tasks_in_changing_words_need_the_model_less_and_less(
    tmp_path: Path, socket_enabled: None
) -> None:
    passes = run_passes(tmp_path, passes=6, reworded=True)
    for each in passes:
        assert each.differing == ()
        assert each.same == each.tasks == 30
        assert each.same_world
    calls = [each.model_calls for each in passes]
    assert calls[3] <= 0.65 * calls[0]
    assert calls[5] <= 0.45 * calls[0]
