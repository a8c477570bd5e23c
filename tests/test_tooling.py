"""Runs of tool-calling agents: values, files, and what is kept beside a library."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from macla.procedures.common.errors import TrajectoryError
from macla.procedures.tooling.buffer import EpisodeBuffer
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode, worth_learning
from macla.procedures.tooling.values import parse_result, tokenise


def orders(name: str, number: int) -> ToolEpisode:
    found = ToolCall("find", {"who": {"name": name}}, json.dumps({"id": number, "city": "Graz"}))
    listed = ToolCall("list", {"customer": number, "limit": 10}, "[]", turn=1)
    task = f"How many orders has {name} placed?"
    return ToolEpisode(task, (found, listed), f"{name} has placed none.", id=name)


ADA, BEN = orders("Ada", 17), orders("Ben Cole", 23)


def test_tokens_keep_what_belongs_together() -> None:
    words = [token.text for token in tokenise("Mail ada@b.io about docs/a.md, Ada's 2026-01-02!")]
    assert words == [
        "Mail", "ada@b.io", "about", "docs/a.md", ",", "Ada", "'s", "2026-01-02", "!",
    ]  # fmt: skip


def test_results_as_sql_tools_print_them() -> None:
    assert parse_result("[(17, 'Ada'), (18, None)]") == [[17, "Ada"], [18, None]]
    assert parse_result("__import__('os')") == "__import__('os')"


def test_calls_that_failed_are_no_part_of_a_demonstration() -> None:
    wrong = ToolCall("find", {"nme": "Ada"}, "no such argument", ok=False)
    clean = worth_learning(ToolEpisode(ADA.task, (wrong, *ADA.calls), ADA.answer))
    assert clean is not None
    assert [call.tool for call in clean.calls] == ["find", "list"]


def test_a_line_cut_off_by_a_crash_is_dropped(tmp_path: Path) -> None:
    EpisodeBuffer(tmp_path, 10).add([ADA])
    file = tmp_path / ".macla" / "tool-episodes.jsonl"
    file.write_bytes(file.read_bytes() + b'{"task": "cut')
    again = EpisodeBuffer(tmp_path, 10)
    assert again.load() == [ADA]
    assert again.add([BEN]) == ([BEN], False)
    assert again.add([BEN]) == ([], False)


def test_episodes_are_trajectories() -> None:
    assert ToolEpisode.from_trajectory(ADA.to_trajectory()) == ADA
    bad = ADA.to_trajectory()
    with pytest.raises(TrajectoryError, match="no episode of tool calls"):
        ToolEpisode.from_trajectory(type(bad)("t", ("", ""), ("go north",), True))
