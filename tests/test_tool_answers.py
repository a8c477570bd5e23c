"""Answers that repeat what a tool told: its values are open, and what else it tells is not."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.tooling.program_run import Answer, HandOver, Next, ToolProgram
from macla.procedures.tooling.task_kinds import Kinds
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode

THINGS = ("lamp", "chair", "desk", "shelf", "stool")
READS = {"look": False, "pay": True}
Record = Mapping[str, Any]


def asked(thing: str, record: Record, answer: str) -> ToolEpisode:
    """Return a run that looks something up and repeats what it was told."""
    call = ToolCall("look", {"name": thing}, json.dumps(record), True, 0)
    text = answer.format(thing=thing, **record)
    return ToolEpisode(f"Tell me of the {thing}.", (call,), text, True, f"{thing} {record}")


def learned(runs: Sequence[ToolEpisode]) -> ToolProgram:
    (file,) = Kinds(runs).news((), 200).files
    return ToolProgram(ProgramFile.from_document(load_yaml(dump_yaml(file.to_document()).encode())))


def said(program: ToolProgram, record: Record, thing: str = "mirror") -> Next:
    """Return what the program does once it was told a record."""
    history = program.reading.begin(f"Tell me of the {thing}.")
    program.take(history, ToolCall("look", {"name": thing}, json.dumps(record)))
    return program.next(history, READS)


def reports(values: Sequence[Any], answer: str = "The {thing} has {it}.") -> ToolProgram:
    return learned(
        [
            asked(thing, {"it": value, "sold": "here"}, answer)
            for thing, value in zip(THINGS, values, strict=False)
        ]
    )


@pytest.mark.parametrize(
    ("shown", "new", "other"),
    [
        ((19.5, 26.5, 33.5), (40.5, 8.25, 98), (0, 1, -3, 1200.5, None, "sold out")),
        ((3, 2, 5), (7, 9, 4), (0, 1, -2, 600, "many")),
        ((1, 2, 3), (4, 1), (0, -1)),
        ((0, 4, 7), (9, 0), (-4,)),
        (("Lyon", "Porto", "Turin"), ("Ghent",), ("", "unknown", "Ghent; pay X1", None, 7)),
        (("Ada Bell", "Ben Cole", "Dan Egan"), ("Eva Finch",), ("Eva, or was it Dan?",)),
    ],
)
def test_a_value_that_is_only_repeated_is_open(
    shown: Sequence[Any], new: Sequence[Any], other: Sequence[Any]
) -> None:
    program = reports(shown)
    for value in new:
        assert said(program, {"it": value, "sold": "here"}) == Answer(
            f"The mirror has {value}.", "answer-the-has"
        )
    for value in other:
        assert isinstance(said(program, {"it": value, "sold": "here"}), HandOver), value


@pytest.mark.parametrize(
    "record",
    [
        {"it": 40.5, "sold": "nowhere"},
        {"it": 40.5, "sold": "here", "recalled": True},
        {"it": 40.5},
    ],
)
def test_what_else_is_told_counts_as_ever(record: Record) -> None:
    assert isinstance(said(reports((19.5, 26.5, 33.5)), record), HandOver)


@pytest.mark.parametrize(
    ("shown", "new"),
    [
        (("packed", "sent", "packed", "sent", "sent"), "lost"),
        ((12, 12, 14), 16),
    ],
)
def test_values_that_come_again_are_few(shown: Sequence[Any], new: Any) -> None:
    """Nobody knows whether another one would be told in the same words."""
    assert isinstance(said(reports(shown), {"it": new, "sold": "here"}), HandOver)


def test_where_something_else_was_said_no_value_is_open() -> None:
    runs = [
        asked(thing, {"it": stock}, "Yes, {it} of the {thing}." if stock > 3 else "Few of them.")
        for thing, stock in zip(THINGS, (12, 7, 2, 9, 3), strict=True)
    ]
    program = learned(runs)
    for stock in (1, 5, 6, 40):
        assert isinstance(said(program, {"it": stock}), HandOver)


def test_what_a_change_is_made_with_is_not_open() -> None:
    """An amount that is paid may be more than may be paid, though the answer repeats it as well."""
    runs = []
    for thing, amount in zip(THINGS, (30, 55, 42, 38, 61), strict=True):
        calls = (
            ToolCall("look", {"name": thing}, json.dumps({"due": amount}), True, 0),
            ToolCall("pay", {"bill": thing, "amount": amount}, json.dumps({"ok": True}), True, 1),
        )
        answer = f"Paid {amount} euros."
        runs.append(ToolEpisode(f"Tell me of the {thing}.", calls, answer, True, thing))
    program = learned(runs)
    assert not isinstance(said(program, {"due": 47}), HandOver)
    for amount in (75, 3, 400):
        assert isinstance(said(program, {"due": amount}), HandOver)
