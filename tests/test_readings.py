"""Templates that say what varies: dates, columns, typed words, and parts told by themselves."""

from __future__ import annotations

import random

import pytest
from macla.procedures.episodes.action_operators import calls_of, learn_grammar
from macla.procedures.episodes.facts import Reader
from macla.procedures.episodes.inner_signs import parted_as_told, parted_at_signs
from macla.procedures.episodes.mining import mine_templates
from macla.procedures.episodes.templates import Line, Template
from macla.procedures.episodes.units import with_units

TOWNS = ("Kiel", "Cork", "Graz", "Oslo", "Bern", "Rome", "Lyon", "Split", "Turin", "Porto")


@pytest.mark.parametrize("date", ["7 January 2025", "13. March 2024", "May 5, 2025"])
def test_a_date_in_words_is_never_cut(date: str) -> None:
    template = Template("On {1} {2} comes.")
    assert template.read(f"On {date} Ada Brook comes.") == (date, "Ada Brook")


def test_a_date_that_always_stands_there_is_read_as_it_is_spelled() -> None:
    assert Template("Since 7 January 2025: {1}").read("Since 7 January 2025: open") == ("open",)


def test_keys_that_differ_in_a_typed_word_are_one_form() -> None:
    draw = random.Random(1)
    lines: list[Line] = []
    for n in range(24):
        lines += [Line("Fields: name, email", n, 0), Line("Fields: zone, amount", n, 1)]
        lines += [
            Line(f"{draw.choice(TOWNS)}: zone {zone}, EUR {draw.randint(10, 40)} a month", n, 1)
            for zone in draw.sample("ABCDEFG", 4)
        ]
    typed = frozenset("ABCDEFG") | {"zone", "amount", "name", "email"}
    special = {each.text for t in mine_templates(lines, typed) for each in t.special}
    assert "{1}: zone {2}, EUR {3} a month" in special
    assert not any("zone A" in text for text in special)


def test_parts_that_results_tell_by_themselves_are_slots() -> None:
    template = Template("Mute {1}, please.")
    told = {"disk", "oslo", "load", "bern", "swap", "rome"}
    readings = [((value,), told) for value in ("disk@oslo", "load@bern", "swap@rome")]
    assert parted_as_told(template, readings).text == "Mute {1}@{2}, please."


def test_what_results_tell_as_a_whole_is_one_slot() -> None:
    template = Template("Write to {1}.")
    readings = [((v,), {v, *v.split("@")}) for v in ("a@oslo.no", "b@bern.ch", "c@rome.it")]
    assert parted_as_told(template, readings) == template


def test_a_wording_has_no_value_as_a_word() -> None:
    alarms = ("DiskFull", "SwapUsed", "HighLoad", "PingLost")
    hosts = [f"oslo-{n}" for n in range(24)]
    tasks = [
        Line(f"{TOWNS[n % 3]} works on {host}; mute {alarms[n % 4]} there.", n, 0)
        for n, host in enumerate(hosts)
    ]
    made = mine_templates(tasks, frozenset(hosts), special=False)
    assert not any(alarm in template.text for template in made for alarm in alarms)


@pytest.mark.parametrize(
    ("units", "phrases", "form"),
    [
        (("kg",), frozenset[str](), "{1} weighs {2} kg"),
        (("kg", "g"), frozenset[str](), "{1} weighs {2}"),
        (("kg",), frozenset({"12 kg"}), "{1} weighs {2}"),
    ],
)
def test_a_unit_is_no_part_of_numbers_unless_another_stands_there_or_it_is_used(
    units: tuple[str, ...], phrases: frozenset[str], form: str
) -> None:
    rows = [f"{town} weighs {12 + n} {units[n % len(units)]}" for n, town in enumerate(TOWNS)]
    lines = [Line(row, n, 0) for n, row in enumerate([*rows, "item weighs amount"])]
    templates = [*with_units([Template("{1} weighs {2}")], lines, phrases)]
    assert templates[0].text == form
    assert templates[-1].text == "{1} weighs {2}"


def test_a_part_of_a_dotted_name_is_told() -> None:
    zones = [f"{town}.example" for town in ("kiel", "graz", "lodz", "bonn", "cork")]
    episodes = [
        (
            f"Point pc{n}.{zone} to {n}" if n % 2 else f"In {zone} point pc{n} to {n}",
            ("ready", "ok"),
            (f"GET /zones/{zone}/records",),
        )
        for n, zone in enumerate(zones * 3)
    ]
    grammar = learn_grammar(episodes)
    calls = {call for each in episodes for call in calls_of(grammar, *each)}
    assert calls == {("GET /zones/{}/records", (zone,)) for zone in zones}


def test_a_name_is_parted_at_its_first_sign() -> None:
    template = Template("Point {1} to {2}.")
    names = [f"pc{n}.{zone}.example" for n, zone in enumerate(("kiel", "graz", "lodz", "bonn"))]
    phrases = frozenset(name.partition(".")[2] for name in names)
    parted = parted_at_signs(template, [(name, "7") for name in names], phrases)
    assert parted.text == "Point {1}.{2} to {3}."
    assert parted.read("Point pc9.kiel.example to 7.") == ("pc9", "kiel.example", "7")


def test_words_of_nearly_all_episodes_belong_to_operators_though_they_are_told() -> None:
    queues = [f"q-{letter}" for letter in "abcdefgh"]
    table = f"priority: P0 P1 P2 P3; route: {' '.join(queues)}"
    episodes = [
        (
            f"Sort T{n} in.",
            (table, "ok"),
            (f"priority T{n} P{n % 4}", f"route T{n} {queues[n % 8]}"),
        )
        for n in range(24)
    ]
    grammar = learn_grammar(episodes)
    operators = {operator for each in episodes for operator, _ in calls_of(grammar, *each)}
    assert operators == {"priority {} {}", "route {} {}"}
    turned = [
        (f"Go to room {n}.", ("north or south", "here", "here"), ("go north", "go south"))
        for n in range(24)
    ]
    assert calls_of(learn_grammar(turned), *turned[0])[0] == ("go {}", ("north",))


def test_objects_in_texts_have_a_kind_by_their_keys_too() -> None:
    told = Reader().read('{"id": "a1", "type": "A"}\n{"id": "b2", "type": "MX"}')
    assert [fact.kind for fact in told] == ["result", "result with id, type"] * 2
    assert [fact.fields for fact in told[:2]] == [{"id": "a1", "type": "A"}] * 2
    assert [fact.kind for fact in Reader().read('{"id": "a1"}', "look")] == ["look"]


def test_an_object_of_numbers_is_a_table_of_its_keys_too() -> None:
    told = Reader().read('{"hotel": 40, "meal": 26.5}')
    entries = [fact.fields for fact in told if fact.kind == "entry of result"]
    assert entries == [{"key": "hotel", "value": "40"}, {"key": "meal", "value": "26.5"}]
    for other in ('{"hotel": 40}', '{"hotel": 40, "paid": true}', '{"hotel": 40, "town": "Oslo"}'):
        assert all(fact.kind != "entry of result" for fact in Reader().read(other))
