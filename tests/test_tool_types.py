"""Arguments of tool calls keep the types that were shown, though sources are texts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.redaction.redactor import Redactor
from macla.procedures.tooling.program_run import Call, HandOver, Next, ToolProgram
from macla.procedures.tooling.task_kinds import Kinds
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
EFFECTS = {"look": False, "grant": True}


def granted(name: str, until: Any) -> ToolEpisode:
    """Return a run that passes on what it looked up."""
    calls = (
        ToolCall("look", {"name": name}, json.dumps({"until": until}), True, 0),
        ToolCall("grant", {"name": name, "until": until}, '{"granted": true}', True, 1),
    )
    return ToolEpisode(f"Let {name} in.", calls, f"{name} may come in.", True, f"{name} {until}")


def next_call(shown: tuple[Any, ...], until: Any) -> Next:
    runs = [granted(name, each) for name, each in zip(NAMES, shown, strict=True)]
    (file,) = Kinds(runs).news((), 200).files
    document = load_yaml(dump_yaml(file.to_document()).encode())
    program = ToolProgram(ProgramFile.from_document(document))
    history = program.reading.begin("Let Gus in.")
    program.take(history, ToolCall("look", {"name": "Gus"}, json.dumps({"until": until})))
    return program.next(history, EFFECTS)


@pytest.mark.parametrize(
    ("shown", "until"),
    [
        ((None, "2027-01-05", None, "2027-03-09", "2027-08-11", None), None),
        ((None, "2027-01-05", None, "2027-03-09", "2027-08-11", None), "2027-03-09"),
        (("all", 12, "all", 12, "all", 12), 12),
        (("all", 12, "all", 12, "all", 12), "all"),
    ],
)
def test_values_of_several_types_are_passed_on_as_they_are(
    shown: tuple[Any, ...], until: Any
) -> None:
    call = next_call(shown, until)
    assert isinstance(call, Call)
    assert call.args == {"name": "Gus", "until": until}


def test_a_text_that_was_shown_as_a_number_as_well_is_for_the_model() -> None:
    assert isinstance(next_call(("12", 12, "12", 12, 12, "12"), 12), HandOver)


def test_a_name_inside_of_a_secret_is_nothing_new() -> None:
    def told(name: str) -> str:
        return json.dumps({"name": name, "mail": f"{name.lower()}@example.org"})

    def invited(name: str) -> ToolEpisode:
        calls = (
            ToolCall("look", {"name": name}, told(name), True, 0),
            ToolCall("invite", {"name": name}, '{"sent": true}', True, 1),
        )
        return ToolEpisode(f"Ask {name} in.", calls, f"{name} is asked in.", True, name)

    runs = Redactor.of_machine().episodes([invited(name) for name in NAMES])
    assert "@" not in runs[0].calls[0].result
    (file,) = Kinds(runs).news((), 200).files
    program = ToolProgram(file)
    history = program.reading.begin("Ask Gus in.")
    program.take(history, ToolCall("look", {"name": "Gus"}, told("Gus")))
    assert isinstance(program.next(history, {"look": False, "invite": True}), Call)
