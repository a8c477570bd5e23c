"""Tasks of several sentences: each is one template, and some are optional."""

from __future__ import annotations

from macla.procedures.episodes.mining import mine_templates
from macla.procedures.episodes.task_sentences import mined_by_sentences
from macla.procedures.episodes.templates import Line, Template

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
PARTS = ("Book a table for {}.", "{} wants a table. Please book it.")
BILL = "Send the bill to {}."


def templates(*tasks: str) -> list[str]:
    lines = [Line(task, number, 0) for number, task in enumerate(tasks)]

    def mine(sentences: object) -> tuple[Template, ...]:
        return mine_templates(sentences, frozenset(NAMES), apart=True)  # type: ignore[arg-type]

    return [each.text for each in mined_by_sentences(lines, mine)]


def shown(wording: str) -> list[str]:
    return [wording.format(one, other) for one, other in zip(NAMES, reversed(NAMES), strict=True)]


def test_an_optional_sentence_may_stand_beside_any_other() -> None:
    first, second = PARTS
    assert set(templates(*shown(first), *shown(second), *shown(f"{first} {BILL}"))) == {
        "Book a table for {1}.",
        "{1} wants a table. Please book it.",
        "Book a table for {1}. Send the bill to {2}.",
        "{1} wants a table. Please book it. Send the bill to {2}.",
    }


def test_what_stands_in_all_tasks_is_not_optional() -> None:
    first, second = PARTS
    assert set(templates(*shown(first), *shown(f"{second} {BILL}"))) == {
        "Book a table for {1}.",
        "{1} wants a table. Please book it. Send the bill to {2}.",
    }


def test_a_sentence_in_the_midst_keeps_its_place() -> None:
    asked = "{} is here. {} knows. Please hurry."
    plain = "{} is here. Please hurry."
    other = "{} has come. Please hurry."
    assert "{1} has come. {2} knows. Please hurry." in templates(
        *shown(asked), *shown(plain), *shown(other)
    )


def test_sentences_of_one_task_are_no_wording() -> None:
    assert templates(*shown(PARTS[0]), "The sun shines.") == ["Book a table for {1}."]
