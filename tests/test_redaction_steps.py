"""The work of a redaction grows with the length of the text, and not faster."""

from __future__ import annotations

import random
import re
import sys
from typing import Any

import pytest
from macla.procedures.redaction import (
    command_lines,
    groups,
    near,
    secret_columns,
    secret_patterns,
    secret_texts,
)
from macla.procedures.redaction.redactor import Redactor
from macla.procedures.redaction.secret_patterns import MARK
from macla.procedures.redaction.substrings import Substrings
from regex_steps import Counter

AT_A_PLACE = ("_HOST", "_DOUBLE", "_SINGLE", "_ESCAPED", "_BARE", "_BLOCK")
"""Patterns that are not looked for, but read where another one ended; see the calls below."""
PATTERNS = [
    *(pattern for _, pattern in secret_patterns.FORMS),
    *(
        value
        for module in (secret_patterns, secret_texts)
        for name, value in sorted(vars(module).items())
        if isinstance(value, re.Pattern) and name not in AT_A_PLACE
    ),
    *secret_texts.SAID,
    *(
        near._WORD,
        groups._WORD,
        command_lines._PROGRAM,
        command_lines._READ,
        groups._GROUPED,
        secret_columns._BETWEEN,
    ),
]
HOSTILE = [
    *("x", "1", "1 ", "a.", "-", "=", "://", "://x", "://a:b", "a@", "@a.", "%40a", "a%40b.", "&a"),
    *(
        "?key=",
        "password=",
        'password="',
        "password=\\'",
        "password: ",
        "sk-",
        "-sk-a",
        "eyJaaaaaaaa",
    ),
    *(
        "eyJaaaaaaaa-",
        "eyJaaaaaaaa.",
        "SG.aaaaaaaaaa",
        "Bearer ",
        "cookie: ",
        "; a=",
        "--a ",
        "<a>",
    ),
    *(
        "<a",
        "-----BEGIN PRIVATE KEY-----",
        "-----",
        "aB3",
        "aB3-",
        "{",
        '{"password": {',
        "\\",
        '\\"',
    ),
    *("password is ", "token ", "4111 ", "-u a:", "AKIA", "signature=", "ghp_", "a b ", "\n", "é"),
    *("das Passwort ", "mot de passe ", "abcd ", "aB-", "abandon ", "sshpass -p x ", "curl "),
    *(
        "echo a | sudo -S b ",
        "echo '",
        "a|pin|b\n",
        "1,pin\n",
        "code verif ",
        "密码",
        chr(0xFF50),
        "is the pin ",
    ),
]


def cost(counter: Counter, pattern: re.Pattern[str], text: str) -> int:
    before = counter.steps
    found = counter.scan(text)
    assert found == [each.span() for each in pattern.finditer(text)]
    return counter.steps - before


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.pattern[:40])
def test_patterns_are_linear(pattern: re.Pattern[str]) -> None:
    counter = Counter(pattern)
    for word in HOSTILE:
        short, long = (cost(counter, pattern, word * (n // len(word))) for n in (200, 400))
        assert long < 2.6 * short + 2_000, word


def calls(text: str) -> int:
    """Return how many functions a redaction calls, in Python or in C."""
    count = 0

    def seen(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    redactor = Redactor(b"k" * 16)
    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        redactor.text(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("word", [*HOSTILE, '{"password": "pw-%06d"}', "u%06d@example.org "])
def test_calls_are_linear(word: str) -> None:
    short, long = (
        "".join(word % i if "%06d" in word else word for i in range(n // len(word)))
        for n in (5_000, 10_000)
    )
    assert calls(long) < 2.3 * calls(short) + 500


def test_all_strings_at_once() -> None:
    """As one regular expression of all strings, the longest first, would replace them."""
    source = random.Random(7)
    for _ in range(200):
        words = {"".join(source.choices("abc", k=source.randint(6, 12))) for _ in range(8)}
        text = "".join(source.choices("abc", k=400)) + "".join(words)
        known = {each: f"<{number}>" for number, each in enumerate(sorted(words))}
        pattern = "|".join(sorted(words, key=len, reverse=True))
        expected = re.sub(pattern, lambda found, known=known: known[found[0]], text)
        assert Substrings(known, keep=MARK).replace(text) == expected
