"""Of candidates that no size tells apart the first of the list is taken, if that is no chance."""

from __future__ import annotations

import json
from collections.abc import Sequence

from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.tooling.program_run import Call, HandOver, Next, ToolProgram
from macla.procedures.tooling.task_kinds import Kinds
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode

Tables = Sequence[tuple[str, int]]
EFFECTS = {"free": False, "book": True}
SHOWN: list[tuple[str, int, Tables]] = [
    ("Ada", 3, (("T31", 8), ("T24", 4), ("T2", 4))),
    ("Ben", 2, (("T5", 2), ("T9", 6), ("T7", 2))),
    ("Cleo", 4, (("T12", 4), ("T3", 2), ("T1", 4))),
    ("Dan", 5, (("T8", 6), ("T14", 6), ("T20", 8))),
    ("Eva", 2, (("T6", 4), ("T11", 4), ("T4", 4))),
    ("Finn", 6, (("T17", 2), ("T15", 6), ("T10", 6))),
    ("Gus", 3, (("T33", 4), ("T18", 4))),
    ("Hal", 4, (("T19", 6), ("T22", 6), ("T16", 2))),
    ("Ida", 2, (("T29", 4), ("T30", 2), ("T21", 2))),
    ("Jon", 5, (("T26", 8), ("T25", 8), ("T27", 4))),
]


def free(tables: Tables) -> str:
    return json.dumps({"tables": [{"table": name, "seats": seats} for name, seats in tables]})


def booked(name: str, people: int, tables: Tables, taken: str) -> ToolEpisode:
    calls = (
        ToolCall("free", {"people": people}, free(tables), True, 0),
        ToolCall("book", {"name": name, "table": taken}, '{"booked": true}', True, 1),
    )
    task = f"A table for {people}, name {name}."
    return ToolEpisode(task, calls, f"{name} has a table.", True, name)


def next_call(shown: Sequence[tuple[str, int, Tables]], tables: Tables) -> Next:
    runs = []
    for name, people, offered in shown:
        fitting = [each for each in offered if each[1] >= people]
        taken = min(fitting, key=lambda each: each[1])[0]
        runs.append(booked(name, people, offered, taken))
    (file,) = Kinds(runs).news((), 200).files
    document = load_yaml(dump_yaml(file.to_document()).encode())
    program = ToolProgram(ProgramFile.from_document(document))
    history = program.reading.begin("A table for 4, name Kim.")
    program.take(history, ToolCall("free", {"people": 4}, free(tables)))
    return program.next(history, EFFECTS)


def test_ties_go_to_the_first_of_the_list() -> None:
    call = next_call(SHOWN, (("T13", 8), ("T23", 6), ("T5", 6)))
    assert isinstance(call, Call)
    assert call.args["table"] == "T23"


def test_few_ties_may_have_gone_so_by_chance() -> None:
    few = [*SHOWN[:3], ("Kay", 2, (("T36", 4), ("T37", 8))), ("Leo", 3, (("T38", 6), ("T39", 4)))]
    assert isinstance(next_call(few, (("T13", 8), ("T23", 6), ("T5", 6))), HandOver)
