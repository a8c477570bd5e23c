"""Wherever a secret stands in an episode, no file of the library holds it afterwards."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from macla.adapters.langchain.messages import heard_in, shortened
from macla.adapters.langchain.store import AgentMemory
from macla.adapters.langchain.tools import macla_tools
from macla.procedures.evidence.ledger import OutcomeKind
from macla.procedures.redaction.redactor import Redactor
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode

PASSWORDS = st.from_regex(r"[a-z]{3,8}[0-9]{2,4}[!@#$%^*+~/\\é]?[A-Za-z]{2,6}", fullmatch=True)
FORMS: dict[str, Callable[[str], str]] = {
    "json": lambda s: json.dumps({"password": s}),
    "json in json": lambda s: json.dumps({"body": json.dumps({"body": json.dumps({"pwd": s})})}),
    "python": lambda s: str({"user": "x", "accessToken": s}),
    "header": lambda s: json.dumps({"headers": [{"name": "X-Api-Key", "value": s}]}),
    "pairs": lambda s: json.dumps([["Authorization", f"Bearer {s}"]]),
    "basic": lambda s: "Authorization: Basic " + base64.b64encode(f"ada:{s}".encode()).decode(),
    "url": lambda s: f"postgres://ada:{quote(s, safe='')}@db.example.org/x",
    "query": lambda s: f"https://example.org/?a=1&access_token={quote(s, safe='')}&b=2",
    "nested": lambda s: json.dumps({"credentials": {"db": [{"v": s}]}}),
    "element": lambda s: f"<user><password>{s}</password></user>",
    "environment": lambda s: f"export DB_PASSWORD='{s}'",
    "said": lambda s: f'the password is "{s}"',
}
"""How a result or a text says that something is a secret."""


def held(folder: Path, secret: str) -> list[str]:
    """Return the files that hold a secret, in any of its spellings."""
    spelled = {secret, json.dumps(secret)[1:-1], quote(secret, safe=""), repr(secret)[1:-1]}
    found: list[str] = []
    for file in folder.rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            found += [file.name for each in spelled if each.encode() in data]
    return found


def episode(place: str, told: str, secret: str, user: str) -> ToolEpisode:
    """Return an episode that tells a secret in one place, and has it bare in the others."""
    find: dict[str, Any] = {"user": user}
    task, result, answer = f"Connect {user} now", json.dumps({"user": user}), f"Used {secret} ."
    if place == "task":
        task += f" {told}"
    elif place == "argument":
        find["how"] = told
    elif place == "key":
        find["rights"] = {told: {"x": 1}}
    elif place == "result":
        result = told
    else:
        answer = told
    calls = (
        ToolCall("find", find, result),
        ToolCall(
            "connect", {"p": secret, "at": f"db:{secret}/x", "l": [{"q": secret}]}, "ok", turn=1
        ),
    )
    return ToolEpisode(task, calls, answer, id=f"{user}-{place}")


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    PASSWORDS,
    st.sampled_from(list(FORMS)),
    st.sampled_from(["task", "argument", "key", "result", "answer"]),
)
def test_no_file_holds_it(secret: str, form: str, place: str) -> None:
    with TemporaryDirectory() as folder:
        library = Path(folder) / "library"
        with AgentMemory.open(library) as memory:
            told = FORMS[form](secret)
            memory.learn([episode(place, told, secret, user) for user in ("ada", "ben")])
        assert (library / ".macla" / "tool-episodes.jsonl").exists()
        assert held(library, secret) == []


def test_without_redaction_it_is_there(tmp_path: Path) -> None:
    """What looks for secrets does find them."""
    with AgentMemory.open(tmp_path / "library", redact=None) as memory:
        memory.learn([episode("result", "x", "hunter2xyz", user) for user in ("ada", "ben")])
    assert held(tmp_path / "library", "hunter2xyz")


def test_flows_survive(tmp_path: Path) -> None:
    """What a result tells and a later call needs is one mark, and becomes a parameter."""

    def login(user: str, token: str) -> ToolEpisode:
        calls = (
            ToolCall("login", {"user": user}, json.dumps({"access_token": token})),
            ToolCall("get", {"headers": {"Authorization": f"Bearer {token}"}}, "fine", turn=1),
        )
        return ToolEpisode(f"Look after {user}", calls, "All is fine.", id=user)

    with AgentMemory.open(tmp_path / "library") as memory:
        memory.learn([login("ada", "t0k-a7f3"), login("ben", "t0k-b9c1"), login("dan", "t0k-c5d2")])
        (program,) = memory.programs.files.values()
        assert program.status == "active"
        text = json.dumps(program.to_document()["steps"])
        assert "Bearer {" in text
        assert "redacted" not in text


def test_numbers_flow() -> None:
    calls = (
        ToolCall("open", {"pin": 48213}, '{"ok": true}'),
        ToolCall("check", {"code": 48213}, "48213 is right"),
    )
    told = Redactor(b"k" * 16).episode(ToolEpisode("Open with 48213", calls, "Opened by 48213."))
    assert "48213" not in repr(told)
    assert told.calls[0].args["pin"] == told.calls[1].args["code"]


def test_notes_and_calls_that_would_have_been_made(tmp_path: Path) -> None:
    library = tmp_path / "library"
    with AgentMemory.open(library) as memory:
        memory.learn([episode("result", '{"a": 1}', "x1", user) for user in ("ada", "ben")])
        (program, *_) = memory.programs.files.values()
        _, report = macla_tools(memory)
        note = "x" * 490 + " for dave@example.org with password hunter2xyz"
        args = {"procedure": program.ref, "worked": False, "note": note}
        report.invoke({"type": "tool_call", "id": "q", "name": "report_outcome", "args": args})
        call = {"name": "find", "args": {"user": "ada"}, "id": "c"}
        run = [
            HumanMessage("Connect ada"),
            AIMessage("", tool_calls=[call]),
            ToolMessage('{"password": "hunter3xyz"}', tool_call_id="c"),
        ]
        would = {"would": [{"tool": "connect", "args": {"p": "hunter3xyz"}}]}
        memory.record("r", program, OutcomeKind.FALLBACK, would, heard_in(run))
    for secret in ("dave@exa", "hunter2xyz", "hunter3xyz"):
        assert held(library, secret) == []


ORDINARY = st.text(
    alphabet=st.sampled_from("abcdefghij ABC 0123456789 .,-_/()\n"), max_size=200
).filter(lambda text: not any(len(word) > 20 for word in text.split()))


@settings(max_examples=100, deadline=None)
@given(ORDINARY)
def test_ordinary_text_is_unchanged(text: str) -> None:
    digits = sum(each.isdigit() for each in text)
    told = Redactor(b"k" * 16).text(text)
    # Figures may by chance be those of a card.
    assert told == text or (digits >= 13 and "redacted_card_" in told)


IDS = [
    "order-2026-11-21-000017-Berlin-Mitte",
    "src/main/java/org/example/OrderService2.java",
    "getHttpConnectionFactoryBuilderV2",
    "1763738012345",
    "2026-11-21T16:24:31.123456+00:00",
]


RANDOM_IDS = [
    "0b6f3c1e-7a51-4a0e-9d5e-0d7f1c2b3a4d",
    "9fceb02d0ae598e95dc970b74767f19372d61af8",
    "507f1f77bcf86cd799439011",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "V1StGXR8_Z5jdHi6B-myT",
]


@pytest.mark.parametrize("text", RANDOM_IDS)
def test_what_is_random_is_never_kept_whatever_it_is(text: str) -> None:
    told = Redactor(b"k").text(f"See {text} there, {text}.")
    assert text not in told
    assert len({*re.findall(r"redacted_\w+", told)}) == 1  # it still flows


@pytest.mark.parametrize("text", IDS)
def test_ordinary_ids_stay(text: str) -> None:
    assert Redactor(b"k" * 16).text(f"See {text} there.") == f"See {text} there."


RANDOM = [
    "x9Kq2LmZ8vR4tYb7Wn3Pc6Hd1Jf5Gs0A",
    "aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3xY5zA7bC9d",
    "u7Yt+3Kp/9Qw2Zx5Nb8Vc1Mf4Lg6Hj0Rk",
]


@pytest.mark.parametrize("text", RANDOM)
@pytest.mark.parametrize("around", ["{}", "x={}", '{{"v": "{}"}}', "({})"])
def test_random_tokens_are_found(text: str, around: str) -> None:
    assert text not in Redactor(b"k" * 16).text(around.format(text))


def test_long_results_are_cut_between_words() -> None:
    text = shortened("word ghp_16C7e42F292c6912E7710c838347Ae178B4a, " * 10_000)
    assert len(text) <= 131_072
    assert text.endswith((" ", ","))
    assert "ghp_" not in Redactor(b"k" * 16).text(text)
