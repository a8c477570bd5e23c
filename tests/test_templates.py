"""What lines have in common."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.episodes.item_lists import with_lists
from macla.procedures.episodes.mining import mine_templates
from macla.procedures.episodes.optional_clauses import with_clauses
from macla.procedures.episodes.templates import Line, Template
from macla.procedures.episodes.unification import common

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


# ---------------------------------------------------------------------------- clauses
_TOWNS = ("Rome", "Oslo", "Cork", "Graz", "Lyon", "Bern", "Kiel", "Split", "Turin", "Porto")


def _tasks(endings: Sequence[str]) -> list[Line]:
    texts = (
        f"Go to {town}{ending.format(_TOWNS[at - 3])}."
        for ending in endings
        for at, town in enumerate(_TOWNS)
    )
    return [Line(text, at, 0) for at, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("endings", "texts"),
    [
        (["", ", by way of {}"], {"Go to {1}.", "Go to {1}, by way of {2}."}),
        (["", " by way of {}"], {"Go to {1}.", "Go to {1} by way of {2}."}),
        (
            ["", ", by way of {}", "; call {} first", ", by way of {0}; call {0} first"],
            {
                "Go to {1}.",
                "Go to {1}, by way of {2}.",
                "Go to {1}; call {3} first.",
                "Go to {1}, by way of {2}; call {3} first.",
            },
        ),
        ([""], {"Go to {1}."}),
    ],
)
def test_what_is_said_at_times_has_slots_of_its_own(endings: list[str], texts: set[str]) -> None:
    lines = _tasks(endings)
    mined = (Template("Go to {1}."),)
    assert {t.text for t in with_clauses(mined, lines, frozenset(_TOWNS))} == texts


def test_a_part_of_a_name_is_no_clause() -> None:
    names = ("Ada Berg", "Ada Lund", "Ada Holm", "Ada Falk", "Bo Berg", "Bo Falk", "Cem Lund")
    lines = [Line(f"Call {name} back.", at, 0) for at, name in enumerate(names * 2)]
    mined = (Template("Call {1} back."),)
    assert with_clauses(mined, lines, frozenset(names)) == mined


# ---------------------------------------------------------------------------- capitals
@pytest.mark.parametrize(
    ("text", "line", "values"),
    [
        ("Room {1} is {2}.", "ROOM B4 IS Open.", ("B4", "Open")),
        ("Done: {1}", "done: Wash the Cup", ("Wash the Cup",)),
        ("{1} | {2}", "a | B", ("a", "B")),
        ("Room {1} is {2}.", "ROOMS B4 IS Open.", None),
        ("Nothing happens.", "NOTHING HAPPENS.", ()),
    ],
)
def test_capitals_may_differ_and_values_stay_as_they_are_spelled(
    text: str, line: str, values: tuple[str, ...] | None
) -> None:
    assert Template(text).read(line, capitals=False) == values


@given(st.text(max_size=30))
def test_any_line_is_read_in_any_capitals(line: str) -> None:
    values = Template("İ {1}ß {2} e").read(line, capitals=False)
    assert values is None or all(value in line for value in values)


# ---------------------------------------------------------------------------- signs within words
@pytest.mark.parametrize(
    ("form", "arguments", "text"),
    [
        ("run {0}@r{1} ok", "r{1}", "run {1}@{2} ok"),
        ("run {0}/r{1} ok", "r{1}", "run {1}/{2} ok"),
        ("run {0}@r{1} ok", "{0}@r{1}", "run {1} ok"),
        ("run {0}-{1} ok", "other {0}", "run {1} ok"),
    ],
)
def test_what_is_an_argument_is_a_slot_of_its_own(form: str, arguments: str, text: str) -> None:
    pairs = [(town.lower(), str(1000 + 7 * at)) for at, town in enumerate(_TOWNS)]
    lines = [Line(form.format(*pair), at, 0) for at, pair in enumerate(pairs)]
    phrases = frozenset(arguments.format(*pair) for pair in pairs)
    (template,) = mine_templates(lines, phrases)
    assert template.text == text


def test_wordings_whose_words_vary_only_together_stay_apart() -> None:
    """Two sentences that say many words alike are no sentence with four slots."""
    asked = [
        line
        for n, (who, time, seats) in enumerate(
            [
                ("Ada", "9:10", "2"),
                ("Ben", "9:20", "3"),
                ("Cleo", "9:30", "4"),
                ("Dan", "9:40", "5"),
            ]
        )
        for line in (
            Line(f"{who} missed the {time} train. Book {seats} seats on the next one.", 2 * n, 0),
            Line(
                f"The {time} train is late. {who} needs {seats} seats on the next that goes.",
                2 * n + 1,
                0,
            ),
        )
    ]
    found = {t.text for t in mine_templates(asked, frozenset(("Ada", "Ben", "Cleo", "Dan")))}
    assert found == {
        "{1} missed the {2} train. Book {3} seats on the next one.",
        "The {1} train is late. {2} needs {3} seats on the next that goes.",
    }


def test_values_that_vary_place_by_place_are_slots_of_one_line() -> None:
    doors = [
        Line(f"door {n} is {state}, light {light}", n, 0)
        for n in range(8)
        for state, light in [(("open", "shut")[n % 2], ("on", "off")[n // 2 % 2])]
    ]
    (template,) = mine_templates(doors)
    assert template.text == "door {1} is {2}, light {3}"


def test_names_of_a_pool_and_classes_are_slots_though_few_pairs_are_shown() -> None:
    """Two lines that recur need not cross; a third one differs from each of them in one word."""
    draw = random.Random(4)
    names = ("Silva", "Urban", "Hoffman", "Ferro", "Castro", "Quist", "Jung", "Zander")
    names += ("Ibsen", "Meyer", "Weber", "Brandt")
    ranks = ("gold", "silver", "bronze", "basic")
    lines = [
        Line(f"{draw.choice(names)} is a {draw.choice(ranks)} customer.", n, 0) for n in range(40)
    ]
    (template,) = mine_templates(lines)
    assert template.text == "{1} is a {2} customer."


def test_a_gap_that_only_aligns_is_no_column() -> None:
    """The widest cell has one blank behind it."""
    kinds = ("BULK", "DRY", "CHILL", "FROZEN")
    lines = [
        Line(f"D{17 * n + row} {kinds[(n + row) % 4]}{gap}{('FREE', 'BUSY')[row // 2 % 2]}", n, 1)
        for n in range(8)
        for row in range(4)
        for gap in (" " if kinds[(n + row) % 4] == "FROZEN" else " | ",)
    ]
    for template in mine_templates(lines):
        assert "|" not in template.text


def test_a_line_below_a_table_leaves_its_columns_apart() -> None:
    """It has as many words as a row, and none of the same."""
    lines = [
        line
        for n in range(12)
        for line in (
            *(Line(f"A{n}{row} | Lee {['May', 'Kim', 'Roy'][row]} | open", n, 1) for row in (0, 1)),
            Line(f"{n + 3} guests are listed", n, 1),
        )
    ]
    assert any(" | " in template.text for template in mine_templates(lines))


def test_yes_and_no_are_no_keys_of_a_table() -> None:
    lines = [
        Line(f"{key}: {'yes' if (n * 7 + record * 3) >> at & 1 else 'no'}", n, 1)
        for n in range(16)
        for record in range(3)
        for at, key in enumerate(("damaged", "sealed", "urgent"))
    ]
    assert "damaged: {1}" in {template.text for template in mine_templates(lines)}


def test_a_table_with_two_keys_is_one_kind_of_line() -> None:
    levels = ("low", "medium", "high")
    lines = [
        Line(f"| {one} | {other} | P{(n + a + b) % 5} |", n, 0)
        for n in range(12)
        for a, one in enumerate(levels)
        for b, other in enumerate(levels)
    ]
    (template,) = mine_templates(lines)
    assert template.text == "| {1} | {2} | {3} |"


def test_a_single_word_behind_words_without_number_ends_a_row() -> None:
    since = ("12 minutes", "About an hour", "A week", "2 days")
    names = ("api-valve", "job-shaft", "web-pump", "api-hose", "job-belt", "web-gear", "api-seal")
    lines = [
        Line(f"{at * 37 % 100} MB {since[(at + row) % 4]} {names[(at * 3 + row) % 7]}", at, 1)
        for at in range(12)
        for row in range(4)
    ]
    (template,) = mine_templates(lines, frozenset(names))
    for line in lines:
        values = template.read(line.text)
        assert values is not None
        assert values[-1] in names


def test_items_that_commas_alone_part_have_no_parts() -> None:
    names = ("Ada", "Ben", "Cleo", "Dan", "Eva")
    texts = [f"Book: {', '.join(names[at:] + names[:at])}." for at in range(5)]
    template = with_lists(Template("Book: {1}, {2}, {3}, {4}, {5}."), texts)
    assert (template.text, template.lists) == ("Book: {1}.", {"1"})
    assert template.read("Book: Eva, Finn.") == ("Eva, Finn",)
