"""Secrets in all the forms in which tools, people and programs write them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from macla.procedures.redaction.redactor import Redactor
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode

HIDDEN = "hunter2xyz"
REDACTOR = Redactor(b"k" * 16)

TEXTS = [
    '{"password": "hunter2xyz"}', '"{\\"password\\": \\"hunter2xyz\\"}"',
    "{'password': 'hunter2xyz'}",
    '{"dbPassword": "hunter2xyz"}', '{"clientSecret":"hunter2xyz"}', "my password is hunter2xyz",
    "password: hunter2xyz", 'password "hunter2xyz"', "<password>hunter2xyz</password>",
    "mysql --password hunter2xyz -p", "passphrase: hunter2xyz", "pass=hunter2xyz",
    "DB_PASS=hunter2xyz", "PGPASSWORD=hunter2xyz", "https://ada:hunter2xyz@host/x",
    "redis://:hunter2xyz@localhost:6379/0", "https://h/x?access_token=hunter2xyz&a=1",
    "https://h/x?key=hunter2xyz", "https://ada:hunter@hunter2xyz@host/x", "X-Api-Key: hunter2xyz",
    "AccountName=a;AccountKey=hunter2xyz==;", "note: password=hunter2xyz",
    "authorization: BEARER hunter2xyz", "Cookie: sid=hunter2xyz",
    '{"password": "correct hunter2xyz battery"}', "password=abc;hunter2xyz",
]  # fmt: skip

SHAPES = [
    "sk-ant-api03-AAAABBBBCCCCDDDD", "xapp-1-A012345-123456789-abcdef", "gsk_abcdefghijklmnopqrst",
    "https://hooks.slack.com/services/T00000000/B0/XXXXXXXXXXXX", "whsec_abcdefghijklmnopqrst",
    "SG.abcdefghijklmnopqrstuv.wxyzABCDEFGHIJ", "SK1234567890abcdef1234567890abcdef",
    "123456789:AAEhBP0av28fAbCdEfGhIjKlMnOpQrStUvW", "dckr_pat_abcdefghijklmnop",
    "hvs.CAESIJabcdefghijklmnop", "shpat_0123456789abcdef", "ya29.a0AfH6SMBxxxxxxxxx",
    "GOCSPX-abcdefghijklmnopqrstuvwx", "/tmp/token_ghp_16C7e42F292c6912E7710c838347Ae178B4a.txt",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOY\n-----END PGP PRIVATE KEY BLOCK-----",
    "Authorization: Basic dXNlcjpwYXNz", "to=ada%40example.org", '{"m":"ada\\u0040example.org"}',
    "ada@münchen.de", "worker-7d9f8b6c5x-x2x9k-q8w7e6r5t4",
]  # fmt: skip

NAMES = [
    "accessToken", "clientSecret", "dbPassword", "passwordHash", "password2", "X-Api-Key",
    "api-key", "passphrase", "pass", "cookie", "auth", "secrets", "tokens", "accesskey",
]  # fmt: skip

PLAIN = [
    "Order 4111 of 2026-01-02 costs 12.50; token count 7, see docs/a.md",
    '{"tokens": 1200, "max_tokens": 100, "author": "Ada", "key": "name", "bypass": "x1234"}',
    "The password is required.", "passage: 12", "compass: north", "SELECT key FROM t WHERE x = 'y'",
    "https://example.org/a?page=3", '{"token_count": "1200 words"}',
    "pod payment-worker-7d9f8b6c5x-x2x9k restarted",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_under_a_telling_name(text: str) -> None:
    told = REDACTOR.text(text)
    assert HIDDEN not in told
    assert REDACTOR.text(told) == told


@pytest.mark.parametrize("text", SHAPES)
def test_by_its_form(text: str) -> None:
    assert "redacted_" in REDACTOR.text(text)


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_secret_stays(text: str) -> None:
    assert REDACTOR.text(text) == text


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [HIDDEN, [HIDDEN], {"db": {"v": HIDDEN}}])
def test_arguments(name: str, value: Any) -> None:
    assert HIDDEN not in json.dumps(REDACTOR.value({"a": {name: value}}))


def test_numbers_and_keys() -> None:
    told = REDACTOR.value({"pin": 1234, "tokens": 5, "rights": {"ada@example.org": "admin"}})
    assert "1234" not in json.dumps(told)
    assert told["tokens"] == 5
    assert "ada@" not in json.dumps(told)


@pytest.mark.parametrize("form", [json.dumps, str, lambda d: json.dumps({"body": json.dumps(d)})])
def test_a_secret_of_a_result_is_one_everywhere(form: Any) -> None:
    calls = (
        ToolCall("find", {"user": "ada"}, form({"user": "ada", "password": HIDDEN})),
        ToolCall("connect", {"p": HIDDEN, "url": f"db:{HIDDEN}/x"}, "ok", turn=1),
    )
    told = REDACTOR.episode(ToolEpisode("Connect ada", calls, f"Used {HIDDEN}."))
    assert HIDDEN not in repr(told)
    assert told.calls[1].args["p"] in told.calls[0].result
