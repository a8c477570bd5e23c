"""Lists of clauses in a line: menus that are spoken."""

from __future__ import annotations

import itertools

from macla.procedures.episodes.facts import Reader, learn_reader
from macla.procedures.episodes.templates import Line

SERVICES = ("a new card", "lost luggage", "opening hours", "the night desk")


def menu(*services: str, keys: str = "4719") -> str:
    clauses = (f"for {each} press {key}" for each, key in zip(services, keys, strict=False))
    listing = ", ".join(clauses)
    return f"Welcome to the station. F{listing[1:]}."


def reader_of(*texts: str) -> Reader:
    return learn_reader([Line(text, number, 0) for number, text in enumerate(texts)])


def items(reader: Reader, text: str) -> list[tuple[str, ...]]:
    facts = [fact for fact in reader.read(text) if fact.kind.startswith("each ")]
    return [tuple(v for name, v in fact.fields.items() if name != "item") for fact in facts]


def test_each_clause_tells_a_fact_in_any_order_and_number() -> None:
    orders = itertools.islice(itertools.permutations(SERVICES), 12)
    reader = reader_of(*(menu(*each) for each in orders))
    assert items(reader, menu("lost luggage", "a new card", keys="83")) == [
        ("lost luggage", "8"),
        ("a new card", "3"),
    ]
    assert items(reader, menu("a stolen bicycle", *SERVICES, keys="12345"))[0] == (
        "a stolen bicycle",
        "1",
    )


def test_clauses_that_begin_otherwise_are_no_list() -> None:
    texts = [f"Row {n}: the green one is at {n}, a red one is by {n + 5}." for n in range(9)]
    assert not any("each" in fact.kind for text in texts for fact in reader_of(*texts).read(text))


def test_two_lines_show_no_list() -> None:
    texts = [menu(*SERVICES), menu(*reversed(SERVICES))]
    assert items(reader_of(*texts), texts[0]) == []


def test_pages_with_signs_of_their_own_are_read_as_they_are() -> None:
    texts = [f"\ue000 {menu(*each)}" for each in itertools.permutations(SERVICES)]
    reader = reader_of(*texts)
    assert all(fact.kind != "unread" for text in texts for fact in reader.read(text))
    assert not any(
        "\ue000" in item for text in texts for each in items(reader, text) for item in each
    )
