"""What lines have in common."""

from __future__ import annotations

import itertools
import time

from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.episodes.templates import Line, common, mine_templates

_WORDS = st.lists(st.sampled_from("abcd"), max_size=7)


def _longest(one: list[str], other: list[str]) -> int:
    for size in range(len(one), 0, -1):
        if set(itertools.combinations(one, size)) & set(itertools.combinations(other, size)):
            return size
    return 0


@given(_WORDS, _WORDS)
def test_a_longest_common_subsequence_is_found(one: list[str], other: list[str]) -> None:
    found = common(one, other)
    for words in (one, other):
        rest = iter(words)
        assert all(word in rest for word in found)
    assert len(found) == _longest(one, other)


def test_long_lines_are_compared_at_once() -> None:
    one = [str(i * i % 997) for i in range(6000)]
    started = time.perf_counter()
    assert len(common(one, one[::-1])) >= 1
    assert time.perf_counter() - started < 3


def test_a_value_with_signs_in_it_is_one_slot() -> None:
    numbers = [
        f"({i * 7 % 90 + 10}) {i * 37 % 900 + 100}-{i * 811 % 9000 + 1000}" for i in range(12)
    ]
    lines = [Line(f"Call Ada, phone {number}, now.", i, 0) for i, number in enumerate(numbers)]
    arguments = frozenset(number.removeprefix("(") for number in numbers)
    assert [t.text for t in mine_templates(lines, arguments)] == ["Call Ada, phone ({1}, now."]
