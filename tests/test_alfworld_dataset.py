"""The episodes and logs that come with the benchmark data."""

import json

import pytest
from macla.evals.alfworld.dataset import (
    agent_logs,
    expert_episodes,
    human_goals,
    parse_log,
    read_agent_logs,
)
from macla.evals.alfworld.games import data_root
from macla.procedures.common.errors import DataError, TrajectoryError

LOG = (
    "You are in the middle of a room. Looking quickly around you, you see a shelf 1.\n"
    "Your task is to: put a mug in shelf.\n"
    "> Think: where is it?\n"
    "> ActionPath: Start\n"
    "> go to shelf 1\nOn the shelf 1, you see nothing.\n"
    "> think: hm.\nOK.\n"
    "> \nNothing happens.\n"
    "> dance\nNothing happens.\n"
)


def entry(**changes):
    return {"name": "a/b", "run": "D0", "result": False, "traj": LOG, **changes}


def test_parse_log():
    assert parse_log(LOG) == (
        "put a mug in shelf.",
        (
            "You are in the middle of a room. Looking quickly around you, you see a shelf 1.",
            "On the shelf 1, you see nothing.",
            "Nothing happens.",
        ),
        ("go to shelf 1", "dance"),
    )


def test_read_agent_logs(tmp_path):
    file = tmp_path / "logs.jsonl"
    lines = [entry(), entry(result=True, run="D1"), entry(result=0)]
    file.write_text("\n\n".join(map(json.dumps, lines)), encoding="utf-8")
    logs = list(read_agent_logs(file))
    assert [(log.id, log.success) for log in logs] == [
        ("a/b#D0", False),
        ("a/b#D1", True),
        ("a/b#D0", False),
    ]
    assert len(logs[0].obs) == len(logs[0].acts) + 1


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"{", "not a line of JSON"),
        (b"\xff", "not a line of JSON"),
        (b"[" * 200_000, "not a line of JSON"),
        (b"[]", "list"),
        (json.dumps(entry(name=1)).encode(), "name"),
        (json.dumps(entry(result="yes")).encode(), "result"),
        (json.dumps(entry(traj="You see.")).encode(), "Your task is to"),
        (json.dumps(entry(traj=LOG + "> go to shelf 1")).encode(), "no answer"),
        (json.dumps(entry(traj=LOG + "> look\nA \x1b[0m.")).encode(), "control"),
    ],
)
def test_lines_that_are_not_logs(tmp_path, line, words):
    file = tmp_path / "logs.jsonl"
    file.write_bytes(json.dumps(entry()).encode() + b"\n" + line)
    with pytest.raises(TrajectoryError, match=words) as caught:
        list(read_agent_logs(file))
    assert f"{file}:2" in str(caught.value)


def test_missing_files(tmp_path):
    with pytest.raises(TrajectoryError, match="cannot be read"):
        list(read_agent_logs(tmp_path / "none"))
    with pytest.raises(DataError, match="MACLA_DATA"):
        agent_logs(tmp_path)
    with pytest.raises(DataError, match="MACLA_DATA"):
        expert_episodes(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", '{"a": 1}', '{"a": [1]}', "[" * 100_000])
def test_damaged_human_goals(tmp_path, content):
    (tmp_path / "alfworld").mkdir()
    (tmp_path / "alfworld" / "human_goals.json").write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=r"human_goals\.json"):
        human_goals(tmp_path)


needs_data = pytest.mark.skipif(
    not (data_root() / "alfworld" / "agent_logs.jsonl").is_file(),
    reason=f"no ALFWorld data below {data_root()}; set MACLA_DATA",
)


@needs_data
def test_official_agent_logs():
    logs = list(agent_logs())
    assert len(logs) == 1020
    assert sum(log.success for log in logs) == 316
    assert len({log.id for log in logs}) == 1020
    assert not any(
        act.lower().startswith(("think", "actionpath")) for log in logs for act in log.acts
    )


@needs_data
def test_official_expert_episodes():
    lengths = sorted(len(episode.acts) for episode in expert_episodes())
    assert len(lengths) == 3553
    assert lengths[len(lengths) // 2] == 12
    assert lengths[-1] == 106


@needs_data
def test_official_human_goals():
    goals = human_goals()
    assert len(goals) == 3893
    assert all(len(each) >= 3 for each in goals.values())
    assert all(goal.isprintable() for each in goals.values() for goal in each)
