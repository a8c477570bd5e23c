"""Patterns: escaping, whole phrases, whole sentences, and time."""

from __future__ import annotations

import re

import pytest
from bounds import within
from hypothesis import example, given
from hypothesis import strategies as st
from macla.procedures.common.errors import ConditionError
from macla.procedures.conditions.text_patterns import (
    Pattern,
    escape,
    instantiate,
    normalise,
    template_parameters,
)

META = st.text(alphabet="ab{}*\\.[]()^$|?+%s \n\t{x}", max_size=20)


def matches(pattern: str, text: str, **bindings: str) -> bool:
    return Pattern.parse(pattern).bind(bindings).matches(normalise(text))


@given(st.one_of(st.text(), META))
@example("\\")
@example("\\*")
@example("{x}")
@example("*")
@example("ß İ ǆ")
def test_any_text_as_a_literal_matches_itself(text: str) -> None:
    assert matches(escape(text), text)
    assert matches(f"*{escape(text)}*", f"before {text} after")


@given(META, META)
def test_a_literal_matches_nothing_else(text: str, other: str) -> None:
    assert matches(escape(text), other) is (normalise(text) == normalise(other))


@given(META, META)
def test_a_value_is_only_data(value: str, other: str) -> None:
    same = normalise(f"see {value} here") == normalise(f"see {other} here")
    assert matches("see {x} here", f"see {other} here", x=value) is same


@given(META)
def test_instantiate_never_reads_values(value: str) -> None:
    assert instantiate("do {x} with {y}", {"x": value, "y": "{x}"}) == f"do {value} with {{x}}"
    assert instantiate(escape(value), {}) == value


@given(
    st.lists(st.sampled_from(["a", "b", "*", "{x}", " "]), max_size=8), st.text("ab ", max_size=9)
)
def test_agrees_with_a_regular_expression(parts: list[str], text: str) -> None:
    """A reference for short texts: there a regular expression does no harm."""
    pattern = "".join(parts)
    joined = " ".join(pattern.split())
    spelled = re.escape(joined).replace(r"\*", ".*").replace(r"\{x\}", "%")
    # The one difference from a plain wildcard: a value beside a wildcard is a whole phrase.
    expected = spelled.replace(".*%", r".*\b%").replace("%.*", r"%\b.*").replace("%", "ab")
    wanted = re.fullmatch(expected, normalise(text)) is not None
    assert matches(pattern, text, x="ab") is wanted


@given(st.text())
def test_canonical_text_is_stable(text: str) -> None:
    try:
        pattern = Pattern.parse(text)
    except ConditionError:
        return
    assert Pattern.parse(pattern.text) == pattern


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("take {x} from *", "take mug 1 from desk 2", True),
        ("take {x} from *", "take mug 11 from desk 2", False),
        ("*{x}*", "you see a mug 1.", True),
        ("*{x}*", "you see a mug 10.", False),
        ("*{x}*", "you see a mug 10, a mug 1", True),
        ("{x}*", "mug 12", False),
        ("*{x}", "smug 1", False),
        ("{x}st", "mug 1st", True),
        ("a * b", "a b", False),
        ("a*b*a", "aba", True),
        ("a*b*a", "ab", False),
        ("a*a", "a", False),
        ("*", "", True),
        ("", "", True),
        ("", "a", False),
        (r"5 \* \{y} \\ \n", r"5 * {y} \ \n", True),
    ],
)
def test_examples(pattern: str, text: str, expected: bool) -> None:
    assert matches(pattern, text, x="mug 1") is expected


@pytest.mark.parametrize("text", ["{", "{}", "a {x", "{x y}", "{a-b}", "{" + "a" * 41 + "}"])
def test_stray_braces_are_errors(text: str) -> None:
    with pytest.raises(ConditionError) as caught:
        Pattern.parse(text)
    assert caught.value.column == text.index("{") + 1
    with pytest.raises(ConditionError):
        template_parameters(text)


def test_templates() -> None:
    assert template_parameters("put {x} * in {y} near {x}") == ("x", "y")
    assert instantiate("2 * {x}", {"x": "3"}) == "2 * 3"
    assert instantiate("{x} {y}", {"x": "3"}) is None
    assert Pattern.from_template("2 * {x}").text == r"2 \* {x}"


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("*a" * 50 + "b", "a" * 10_000),
        ("*" * 50, "a" * 10_000),
        ("*a*a*a*a*a*a*a*a*a*a*a*a*b*", "a" * 1_000_000),
        ("*{x}*" * 25 + "!", "a " * 5_000),
        ("*{x}*!", "ab" * 500_000),
    ],
)
def test_matching_does_not_blow_up(pattern: str, text: str) -> None:
    compiled = Pattern.parse(pattern).bind({"x": "a"})
    spelled = normalise(text)
    with within(1):
        assert compiled.matches(spelled) == (set(pattern) == {"*"})
