"""Numbers are written with as many decimals as demonstrations wrote, or the model writes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.exact_numbers import decimals_in
from macla.procedures.tooling.program_run import Answer, Call, HandOver, Next, ToolProgram
from macla.procedures.tooling.task_kinds import Kinds
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode

CHANGING = {"get_gift": False, "pay": True}
TOLD = [12.34, 60.25, 80.75, 33.13]


def told(gift: str, amount: float) -> ToolCall:
    return ToolCall("get_gift", {"gift": gift}, json.dumps({"gift": gift, "amount": amount}))


def fixed(amount: float) -> str:
    return f"{amount:.2f}"


def program_of(
    amounts: Sequence[float], written: Callable[[float], str], *, pays: bool
) -> ToolProgram:
    """Each run tells an amount, or pays it."""
    runs: list[ToolEpisode] = []
    for number, amount in enumerate(amounts):
        gift, text = f"G{4711 + 137 * number}", written(amount)
        calls = [told(gift, amount)]
        answer = f"Gift {gift} is {text} euros."
        if pays:
            calls.append(ToolCall("pay", {"gift": gift, "euros": text}, '{"paid": true}'))
            answer = f"{gift} was paid."
        runs.append(ToolEpisode(f"Look after {gift}.", tuple(calls), answer, True, gift))
    (file,) = Kinds(runs).news((), 200).files
    return ToolProgram(ProgramFile.from_document(load_yaml(dump_yaml(file.to_document()).encode())))


def next_of(program: ToolProgram, amount: float) -> Next:
    history = program.reading.begin("Look after G9001.")
    program.take(history, told("G9001", amount))
    return program.next(history, CHANGING)


def answer_of(program: ToolProgram, amount: float) -> str:
    answer = next_of(program, amount)
    assert isinstance(answer, Answer)
    return answer.text


@pytest.mark.parametrize("amount", [47.5, 40.0, 41])
def test_two_decimals_do_not_show_how_others_are_written(amount: float) -> None:
    """``12.34`` may be what the result told, or that with two decimals."""
    answering = program_of(TOLD, fixed, pays=False)
    assert answer_of(answering, 47.51) == "Gift G9001 is 47.51 euros."
    assert isinstance(next_of(answering, amount), HandOver)
    paying = program_of(TOLD, fixed, pays=True)
    assert isinstance(next_of(paying, 47.51), Call)
    assert isinstance(next_of(paying, amount), HandOver)


@pytest.mark.parametrize("amount", [41, 30, 47.25])
def test_no_figure_is_put_behind_another_number(amount: float) -> None:
    """All of 12.5, 60.5 and so on are ``12.50``: but 41 is not paid as 410."""
    program = program_of([12.5, 60.5, 80.5, 33.5], fixed, pays=True)
    call = next_of(program, 47.5)
    assert isinstance(call, Call)
    assert call.args == {"gift": "G9001", "euros": "47.50"}
    assert isinstance(next_of(program, amount), HandOver)


def test_decimals_behind_whole_numbers() -> None:
    program = program_of([12, 60, 80, 33], fixed, pays=False)
    assert answer_of(program, 47) == "Gift G9001 is 47.00 euros."
    assert isinstance(next_of(program, 47.5), HandOver)


@pytest.mark.parametrize("shown", [(12.5, 60.25, 80.75, 33), (12.5, 60.5, 80.5, 33.5)])
def test_numbers_as_told_are_passed_on_as_told(shown: Sequence[float]) -> None:
    program = program_of(shown, str, pays=False)
    for amount, text in ((47.5, "47.5"), (61.12, "61.12"), (41, "41")):
        assert answer_of(program, amount) == f"Gift G9001 is {text} euros."


def test_decimals_of_the_numbers_in_a_text() -> None:
    assert decimals_in("3.20 euros for 4 pieces, -7.5 %") == {2, 0, 1}
    assert decimals_in("1.250,00") == {2}
    assert decimals_in("1.250") == {3}  # or a thousand: another notation than 950 in any case
    assert decimals_in("1,250,000") == {0}
    assert not decimals_in("v1.2 of 2026-05-01 at 14:20 on 10.0.0.1, G12.5, 3/4, 1h 5m")
