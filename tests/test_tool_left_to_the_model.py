"""A call that no step explains is for the model, and with it the steps that it may come before."""

from __future__ import annotations

import json

from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.programs.documents import DEFAULT_STATUS, ProgramFile
from macla.procedures.tooling.program_run import Call, HandOver, ToolProgram
from macla.procedures.tooling.task_kinds import Kinds
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode

NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal", "Ida", "Jon"]
DEPOSITS = {"Ben": "40", "Eva": "60", "Hal": "20"}
"""Asked of whom, for reasons that nothing tells."""


def run(number: int, name: str) -> ToolEpisode:
    guest, table = f"G{71 + 13 * number}", f"T{5 + 7 * number}"
    calls = [
        ToolCall("find_guest", {"name": name}, json.dumps({"guest": guest}), True, 0),
        ToolCall("free_table", {"guest": guest}, json.dumps({"table": table}), True, 1),
        ToolCall("book", {"guest": guest, "table": table}, '{"booked": true}', True, 3),
    ]
    if name in DEPOSITS:
        args = {"guest": guest, "euros": DEPOSITS[name]}
        calls.insert(2, ToolCall("take_deposit", args, '{"asked": true}', True, 2))
    return ToolEpisode(f"A table for {name}.", tuple(calls), f"{name} has a table.", True, name)


def test_what_always_came_before_such_a_call_is_done() -> None:
    """Nobody says which of the tools only read."""
    (file,) = Kinds([run(*each) for each in enumerate(NAMES)]).news((), 200).files
    document = load_yaml(dump_yaml(file.to_document()).encode())
    program = ToolProgram(ProgramFile.from_document(document))
    assert program.file.tools is not None
    assert program.file.tools.beside == {"take_deposit"}
    history = program.reading.begin("A table for Kim.")
    find = program.next(history, {})
    assert isinstance(find, Call)
    assert find.tool == "find_guest"
    program.take(history, ToolCall("find_guest", {"name": "Kim"}, '{"guest": "G44"}'))
    free = program.next(history, {})
    assert isinstance(free, Call)
    assert free.tool == "free_table"
    program.take(history, ToolCall("free_table", {"guest": "G44"}, '{"table": "T91"}'))
    assert isinstance(program.next(history, {}), HandOver)


def test_calls_that_a_run_makes_first_do_not_speak_against_the_program() -> None:
    """It makes the same calls as these runs, apart from one that is for the model."""
    names = [f"{first}{last}" for first in ("Al", "Bo", "Ce", "Du") for last in ("an", "ek", "is")]
    runs = [run(number, name) for number, name in enumerate(names)]
    glances = [(n, each) for n, each in enumerate(runs) if n in {1, 2, 5, 6, 7, 11}]
    for number, each in glances:
        calls = (ToolCall("desk", {}, '{"quiet": true}', True, 0), *each.calls)
        runs[number] = ToolEpisode(each.task, calls, each.answer, True, each.id)
    (file,) = Kinds(runs).news((), 200).files
    assert file.status == DEFAULT_STATUS
    assert file.tools is not None
    assert file.tools.beside == {"desk"}


DAYS = ("2026-06-20", "2026-06-21", "2026-06-22", "2026-06-24", "2026-06-25", "2026-06-26")
"""Of these the second and the fourth were refused, for reasons that nothing tells."""


def bid(number: int) -> ToolEpisode:
    lot, day = f"L{31 + 7 * number}", DAYS[number % len(DAYS)]
    calls = [ToolCall("lot", {"lot": lot}, json.dumps({"closes": day}), True, 0)]
    if number % len(DAYS) in {1, 3}:
        return ToolEpisode(f"Bid on {lot}.", tuple(calls), f"{lot} needs more.", True, lot)
    calls.append(ToolCall("bid", {"lot": lot}, '{"leads": true}', True, 1))
    return ToolEpisode(f"Bid on {lot}.", tuple(calls), f"{lot} leads.", True, lot)


def test_days_that_guards_list_part_two_steps_by_chance() -> None:
    (file,) = Kinds(map(bid, range(24))).news((), 200).files
    document = load_yaml(dump_yaml(file.to_document()).encode())
    program = ToolProgram(ProgramFile.from_document(document))
    assert any("closes" in str(step.guards) for step in program.program.steps)
    for number in (24, 25):
        shown = bid(number)
        history = program.reading.begin(shown.task)
        program.take(history, shown.calls[0])
        assert isinstance(program.next(history, {"lot": False, "bid": True}), HandOver)
