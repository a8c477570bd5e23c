"""Programs that people edited so that they wait for what can never be."""

from __future__ import annotations

import pytest
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.program_checks import check_programs


@pytest.mark.parametrize(
    ("goal", "warned"),
    [("Greet {1}.", False), ("Greet {2}.", True), ("Greet {1 .", True), ("Greet.", True)],
)
def test_a_slot_that_the_task_does_not_have_is_told(goal: str, warned: bool) -> None:
    document = {
        "kind": "program",
        "id": "greet",
        "version": 1,
        "goal": goal,
        "parameters": {"guest": {"source": "task", "slot": 1}},
        "steps": [{"id": "greet", "do": "say hello to {guest}"}],
    }
    issues = list(check_programs({"greet": ProgramFile.from_document(document)}, ()))
    assert [issue.message for issue in issues] == warned * ["the task has no slot {1}"]


@pytest.mark.parametrize("word", ["told", "before"])
def test_a_line_that_nothing_reads_is_told(word: str) -> None:
    document = {
        "kind": "program",
        "id": "weigh",
        "version": 1,
        "goal": "Weigh it.",
        "lines": ["{1} g"],
        "steps": [{"id": "note", "do": "note it", "when": [f'known({word}("{{1}} kg", 1))']}],
    }
    issues = list(check_programs({"weigh": ProgramFile.from_document(document)}, ()))
    assert [issue.message for issue in issues] == ["no line reads '{1} kg'"]


@pytest.mark.parametrize(
    "condition",
    [
        'only("{1} kg")',
        'ever only("{1} g", "{1} kg")',
        'known(row("{1} kg", {1} = task(1), {1}))',
        'told("{1} g", 1) = told("{1} kg", 1)',
    ],
)
def test_a_line_that_nothing_reads_is_told_wherever_it_stands(condition: str) -> None:
    document = {
        "kind": "program",
        "id": "weigh",
        "version": 1,
        "goal": "Weigh {1}.",
        "lines": ["{1} g"],
        "steps": [{"id": "note", "do": "note it", "when": [condition]}],
    }
    issues = list(check_programs({"weigh": ProgramFile.from_document(document)}, ()))
    assert [issue.message for issue in issues] == ["no line reads '{1} kg'"]


def test_pairs_are_checked_and_objects_among_lines_need_no_line() -> None:
    pair = 'told("result", state) with told("{1} kg", 1) in [["done", "5"]]'
    document = {
        "kind": "program",
        "id": "weigh",
        "version": 1,
        "goal": "Weigh it.",
        "known": [pair],
        "steps": [{"id": "note", "do": "note it", "when": ['told("result", state) = "done"']}],
    }
    issues = list(check_programs({"weigh": ProgramFile.from_document(document)}, ()))
    assert [(issue.path, issue.message) for issue in issues] == [
        (("known",), "no line reads '{1} kg'")
    ]
