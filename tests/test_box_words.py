"""Limits of a program's step, as a person who accepts it reads them."""

from __future__ import annotations

from typing import Any

import pytest
from macla.procedures.programs.documents import box_in_words


@pytest.mark.parametrize(
    ("box", "words"),
    [
        ({"task": {"1": ["a", "b"]}}, "{1} of the task: a or b"),
        ({"task": {"1": [*"abcde"]}}, "{1} of the task: a or b or c or 2 more"),
        ({"task": {"1": {"from": {"number": 5}, "to": {"number": 8.5}}}}, "5 to 8.5"),
        ({"task": {"1": {"from": {"number": 5}}}}, "from 5"),
        ({"task": {"1": {"from": {"date": 739537}, "to": {"date": 739538}}}}, "2025-10-13 to"),
        ({"task": {"1": {"to": {"date": 1e300}}}}, "to 1e+300"),
        (
            {"task": {"1": {"values": ["none"], "like": ["A9", "a"]}}},
            "none or anything like Abc123 or abc",
        ),
        ({"task": {"1": {"like": ["random"]}}}, "{1} of the task: anything like a random text"),
        ({"told": {"keys of get": {"keys": ["id, name"]}}}, "get has exactly the keys id, name"),
        ({"told": {"get": {"size": ["3"]}}}, "size of get: 3"),
        ({"equal": ['told("get", id) = task(1)']}, 'told("get", id) = task(1)'),
        ({"limits": {"{2}": {"to": {"number": 3}}}}, "{2}: to 3"),
        ({"computed": {'count("get")': ["1"]}}, 'count("get"): 1'),
    ],
)
def test_a_limit_is_a_line(box: dict[str, Any], words: str) -> None:
    (line,) = box_in_words({"runs": 3, **box})
    assert words in line


def test_that_nothing_was_said_before_is_no_limit_to_read() -> None:
    assert list(box_in_words({"runs": 3, "told": {"said before": {"lines": [""]}}})) == []
