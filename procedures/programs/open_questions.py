"""Open questions of a program, with the demonstrations that would settle them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .documents import ProgramFile
from .notation import condition_text, field_text, order_text, term_text
from .parameter_names import argument_sources
from .program_conditions import Term, ToldField
from .sources import Case, Choice, Rule, choices_in


@dataclass(frozen=True, slots=True)
class Question:
    """A question that demonstrations leave open.

    Attributes:
        program: Id of the program.
        step: Id of the step at which it asks.
        text: The demonstration to show once.
        settles: Number of fitting rules that the answer would tell apart.
    """

    program: str
    step: str
    text: str
    settles: int


def questions(file: ProgramFile) -> list[Question]:
    """Return the questions of a program; the one that settles most comes first."""
    all_questions = [*_choices(file), *_values(file)]
    return sorted(
        all_questions, key=lambda question: (-question.settles, question.step, question.text)
    )


def _choices(file: ProgramFile) -> Iterator[Question]:
    """Yield questions about rules that choose the same in all demonstrations."""
    choices_seen: set[Choice] = set()
    for step, _, source in argument_sources(file.program):
        for choice in choices_in(source):
            if choice in choices_seen:
                continue
            choices_seen.add(choice)
            for case in choice.cases:
                if case.others or not case.settled:
                    yield Question(file.id, step.id, _choice(choice, case), len(case.others) or 1)


def _choice(choice: Choice, case: Case) -> str:
    where = f"in {choice.kind!r}"
    if not case.settled:
        return f"show more choices {where}: no rule singles out what was chosen"
    rules = [_rule(rule) for rule in case.rules[:3]]
    count_text = f" (and {len(case.others) - 2} more)" if len(case.others) > 2 else ""
    return f"show a choice {where} for which these rules differ: {'; '.join(rules)}{count_text}"


def _rule(rule: Rule) -> str:
    parts = [condition_text(each) for each in rule.where] + [
        order_text(each) for each in rule.order
    ]
    return " and ".join(parts) or "any"


def _term_words(term: Term) -> str:
    return (
        f"{field_text(term.field)} of {term.kind!r}"
        if isinstance(term, ToldField)
        else term_text(term)
    )


def _values(file: ProgramFile) -> Iterator[Question]:
    """Yield questions about fields that tell steps apart: a new value has no step."""
    for term, values in file.program.few.items():
        steps = [step.id for step in file.program.steps if term in step.terms]
        values_text = ", ".join(values)
        text = f"show what is done if {_term_words(term)} is anything else than {values_text}"
        yield Question(file.id, steps[0] if steps else "", text, 1)
