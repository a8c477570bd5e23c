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


def invited(mails: dict[str, str], name: str, mail: str) -> Next:
    """Learn runs that look people up and ask them in; return what comes after one is looked up."""

    def look(name: str, mail: str) -> ToolCall:
        told = json.dumps({"name": name, "mail": mail})
        return ToolCall("look", {"name": name}, told, True, 0)

    runs = [
        ToolEpisode(
            f"Ask {each} in.",
            (look(each, mails[each]), ToolCall("invite", {"name": each}, '{"ok": true}', True, 1)),
            f"{each} is asked in.",
            True,
            each,
        )
        for each in NAMES
    ]
    cleaned = Redactor.of_machine().episodes(runs)
    assert "@example" not in cleaned[0].calls[0].result
    (file,) = Kinds(cleaned).news((), 200).files
    program = ToolProgram(file)
    history = program.reading.begin(f"Ask {name} in.")
    program.take(history, look(name, mail))
    return program.next(history, {"look": False, "invite": True})


def test_a_name_inside_of_a_secret_is_nothing_new() -> None:
    mails = {name: f"{name.lower()}@example.org" for name in NAMES}
    assert isinstance(invited(mails, "Gus", "gus@example.org"), Call)


@pytest.mark.parametrize("mail", ["gus", "gus@example.org"])
def test_a_name_is_compared_with_fields_that_were_no_secrets_at_times(mail: str) -> None:
    mails = dict(zip(NAMES, ("a@example.org", "Roy", "Sue", "Tim", "Una", "Vic"), strict=True))
    assert isinstance(invited(mails, "Gus", mail), HandOver)
