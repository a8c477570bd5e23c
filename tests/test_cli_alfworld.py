"""The commands on the real benchmark data."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import as_json
from macla.evals.alfworld.games import data_root

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        not (data_root() / "alfworld" / "expert.jsonl").is_file(),
        reason="no ALFWorld data; set MACLA_DATA to the folder that holds 'alfworld'",
    ),
]


def test_what_was_not_learned_from_is_a_split(tmp_path: Path) -> None:
    library, rest = tmp_path / "lib", tmp_path / "rest.txt"
    learned = as_json(
        "learn", "alfworld", "--library", library, "--episodes", 30, "--seed", 1, "--unused", rest
    )
    assert learned["episodes"] == 30
    assert learned["unused_games"] == 3553 - 30
    assert len([line for line in rest.read_text().splitlines() if line[0] != "#"]) == 3553 - 30
    call = ("eval", "alfworld", "--library", library)
    played = as_json(*call, "--split", rest, "--limit", 10)
    assert played["success_rate"] >= 0.8
    assert {episode["id"] for episode in played["episodes"]} <= set(rest.read_text().split())
    nearest = as_json(*call, "--split", "valid_seen", "--limit", 10, "--arm", "nearest")
    assert nearest["success_rate"] <= played["success_rate"]
    human = as_json(*call, "--split", "valid_seen", "--limit", 2, "--world", "goals=human")
    again = as_json(*call, "--split", "valid_seen", "--limit", 2)
    assert [episode["id"] for episode in human["episodes"]] == [
        f"{episode['id']}#{number}" for episode in again["episodes"] for number in (1, 2, 3)
    ]
    assert 0 <= human["extra"]["at_first"]["rate"] <= human["success_rate"]
    assert human["goals"] == "human"
    assert human["episodes"][0]["task"] != again["episodes"][0]["task"]
