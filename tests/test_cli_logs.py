"""``macla observe``: logs of agents: formats, redaction, what cannot be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import as_json, run


def chat(name: str, password: str = "") -> list[dict[str, Any]]:
    function = {"name": "find", "arguments": json.dumps({"name": name})}
    call = {"id": f"c{name}", "type": "function", "function": function}
    result = {"id": len(name), "password": password or f"pw-{name}"}
    return [
        {"role": "user", "content": f"Find the customer {name}."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{name}", "content": json.dumps(result)},
        {"role": "assistant", "content": f"{name} has number {len(name)}."},
    ]


def older(name: str) -> list[dict[str, Any]]:
    user, asked, told, said = chat(name)
    call = asked["tool_calls"][0]["function"]
    return [
        user,
        {"role": "assistant", "content": None, "function_call": call},
        {"role": "function", "name": "find", "content": told["content"]},
        said,
    ]


def stored(name: str) -> dict[str, Any]:
    *asked, said = chat(name)
    return {"request": {"messages": asked}, "response": {"choices": [{"message": said}]}}


def langsmith(name: str) -> dict[str, Any]:
    return {"id": name, "run_type": "chain", "outputs": {"messages": chat(name)}}


NAMES = ("Ada", "Benno", "Dan")


@pytest.mark.parametrize("make", [chat, older, stored, langsmith])
@pytest.mark.parametrize("lines", [True, False])
def test_forms(tmp_path: Path, make: Any, lines: bool) -> None:
    log = tmp_path / "log.json"
    made = [make(name) for name in NAMES]
    log.write_text("\n".join(map(json.dumps, made)) if lines else json.dumps(made))
    told = as_json("observe", log, "--library", tmp_path / "lib")
    assert (told["episodes"], told["successes"], told["skipped"]) == (3, 3, 0)
    assert (told["programs"], told["acting"]) == (1, 1)
    assert told["format"] == ("langsmith" if make is langsmith else "messages")
    assert run("check", tmp_path / "lib", "--files").exit_code == 0
    again = as_json("observe", log, "--library", tmp_path / "lib")
    assert again["changed"] == []


def test_several_files_and_more_later(tmp_path: Path) -> None:
    files = [tmp_path / "a.json", tmp_path / "b.json", tmp_path / "c.json"]
    for file, name in zip(files, ("Ada", "Benno", "Cleo"), strict=True):
        file.write_text(json.dumps(chat(name)))
    result = run("observe", *files[:2], "--library", tmp_path / "lib")
    assert result.exit_code == 0, result.stderr
    assert "episodes         2 (2 successes)" in result.stdout
    assert as_json("observe", files[2], "--library", tmp_path / "lib")["programs"] == 1


def files_of(folder: Path) -> bytes:
    return b"".join(each.read_bytes() for each in folder.rglob("*") if each.is_file())


def test_secrets_are_taken_out_unless_they_are_to_stay(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(json.dumps(chat(name, "hunter2xyz")) for name in NAMES))
    assert as_json("observe", log, "--library", tmp_path / "lib")["redacted"] is True
    assert b"hunter2xyz" not in files_of(tmp_path / "lib")
    result = run("observe", log, "--library", tmp_path / "open", "--keep-secrets")
    assert "secrets were kept" in result.stderr
    assert b"hunter2xyz" in files_of(tmp_path / "open")


def test_a_conversation_that_cannot_be_read_is_skipped(tmp_path: Path) -> None:
    bad = chat("Cleo")
    bad[1]["tool_calls"][0]["function"]["arguments"] = "{not json"
    unknown = [{"role": "wizard", "content": "x"}]
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(map(json.dumps, [chat("Ada"), bad, unknown, *map(chat, NAMES[1:])])))
    result = run("observe", log, "--library", tmp_path / "lib")
    assert result.exit_code == 1, result.stderr
    assert "conversation 3" in result.stderr
    assert "(1 may act" in result.stdout


@pytest.mark.parametrize(
    ("text", "arguments", "says", "code"),
    [
        ('{"x": 1}', (), "holds neither episodes", 2),
        ("no json", (), "is not JSON", 2),
        (json.dumps([{"role": "wizard", "content": "x"}]), (), "not a list of messages", 2),
    ],
)
def test_bad_input(
    tmp_path: Path, text: str, arguments: tuple[str, ...], says: str, code: int
) -> None:
    log = tmp_path / "log.json"
    log.write_text(text)
    result = run("observe", log, "--library", tmp_path / "lib", *arguments)
    assert result.exit_code == code
    assert says in result.stderr
    assert not (tmp_path / "lib").exists()


def test_what_is_for_logs_only(tmp_path: Path) -> None:
    episode = {"task": "t", "obs": ["a", "b"], "acts": ["x"], "success": True}
    log = tmp_path / "episodes.jsonl"
    log.write_text(json.dumps(episode))
    result = run("observe", log, log, "--library", tmp_path / "lib")
    assert result.exit_code == 2
    assert "holds episodes: macla learn" in result.stderr
