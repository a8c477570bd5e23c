"""Programs that people edited so that they wait for what can never be."""

from __future__ import annotations

import pytest
from macla.procedures.programs.checking import check_programs
from macla.procedures.programs.documents import ProgramFile


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
