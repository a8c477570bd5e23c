"""Tasks of several sentences: each is one template, and some are optional."""

from __future__ import annotations

from macla.procedures.episodes.mining import mine_templates
from macla.procedures.episodes.task_sentences import mined_by_sentences, with_optional
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


def with_them(*texts: str) -> set[str]:
    return {each.text for each in with_optional([*map(Template, texts)])}.difference(texts)


def test_an_optional_sentence_may_stand_beside_any_other() -> None:
    asked, wants = "Book a table for {1}.", "{1} wants a table. Please book it."
    assert with_them(asked, wants, f"{asked} Send the bill to {{2}}.") == {
        f"{wants} Send the bill to {{2}}."
    }


def test_what_never_is_missing_is_not_optional() -> None:
    assert not with_them("Book it for {1}.", "{1} is here. Send the bill to {2}.")


def test_a_sentence_in_the_midst_keeps_its_place() -> None:
    asked = ("{1} is here. {2} knows. Hurry.", "{1} is here. Hurry.", "{1} has come. Hurry.")
    assert with_them(*asked) == {"{1} has come. {2} knows. Hurry."}


def test_a_name_of_two_slots_is_not_used_twice() -> None:
    assert not with_them("For {1}. By {2}.", "For {1}.", "To {2}.")


def test_each_sentence_is_a_template() -> None:
    first, second = PARTS
    assert set(templates(*shown(first), *shown(second), *shown(f"{first} {BILL}"))) == {
        "Book a table for {1}.",
        "{1} wants a table. Please book it.",
        "Book a table for {1}. Send the bill to {2}.",
    }


def test_sentences_of_one_task_are_no_wording() -> None:
    assert templates(*shown(PARTS[0]), "The sun shines.") == ["Book a table for {1}."]


def test_a_list_that_few_sentences_show_parts_no_items() -> None:
    lines = [Line("Give it to Ada. Now.", 0, 0), Line("Give it to Ben. Now.", 1, 0)]
    parted = Template("Give {1} and the {2} to {3}.", lists=frozenset({"1"}), joint="and")
    assert mined_by_sentences(lines, lambda _: (parted, Template("Now."))) == ()


def test_an_optional_first_sentence_stays_first() -> None:
    shown_texts = ("Good day. Book it. Thanks. Bye.", "Book it. Thanks. Bye.", "Cancel it.")
    assert with_them(*shown_texts) == {"Good day. Cancel it."}


def test_paragraphs_are_no_sentences_of_one_line() -> None:
    assert templates(*shown("{} is here.  {} knows.")) == []
