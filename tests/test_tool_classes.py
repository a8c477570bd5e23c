"""What decides among values that tools are given: words of fields, tables, what nobody knows."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.episodes.field_words import words_of_class
from macla.procedures.programs.call_forms import FlatCall
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.tooling.program_run import Answer, Call, HandOver, Next, ToolProgram
from macla.procedures.tooling.task_kinds import Kinds
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode
from macla.procedures.tooling.tool_operators import Said, learn_calls

_PEOPLE = ("Ada", "Bo", "Cem", "Dana", "Emre", "Fay", "Gus", "Hana", "Ivo", "Jun", "Kai", "Lea")
_LANES = {"Fragile": "the soft lane", "Frozen": "the cold lane", "Heavy": "the low lane"}
_Rows = Sequence[Mapping[str, Any]]
_Lane = Callable[[Mapping[str, Any]], str]
_DONE = json.dumps({"ok": True})


def _by_word(row: Mapping[str, Any]) -> str:
    return _LANES.get(str(row["label"]).split()[0], "")


def _crates(draw: random.Random) -> tuple[str, _Rows]:
    name, *others = draw.sample(_PEOPLE, 3)
    owners = [name, *(draw.choice((name, *others)) for _ in range(4))]
    draw.shuffle(owners)
    return name, [
        {
            "crate": number,
            "owner": owner,
            "label": f"{draw.choice([*_LANES])} {draw.choice('KLM')}{draw.randint(100, 999)}",
        }
        for number, owner in zip(sorted(draw.sample(range(100, 999), 5)), owners, strict=True)
    ]


def _sorting(name: str, rows: _Rows, lane: _Lane) -> ToolEpisode:
    """Every crate of one owner goes on a lane, then the gate is shut."""
    calls = [ToolCall("crates", {}, json.dumps({"crates": rows}), True, 0)]
    for row in rows:
        if row["owner"] == name:
            args = {"crate": row["crate"], "lane": lane(row)}
            calls.append(ToolCall("push", args, json.dumps({"pushed": row["crate"]}), True, 0))
    calls.append(ToolCall("shut", {}, json.dumps({"shut": True}), True, 0))
    return ToolEpisode(f"Put the crates of {name} on their lanes.", tuple(calls), "Done.", True)


def _learned(runs: Sequence[ToolEpisode]) -> ToolProgram:
    files = Kinds(runs).news((), 200).files
    (file,) = (each for each in files if each.status == "active")
    return ToolProgram(ProgramFile.from_document(load_yaml(dump_yaml(file.to_document()).encode())))


def _sorted_by(lane: _Lane) -> ToolProgram:
    draw = random.Random(3)
    return _learned([_sorting(*_crates(draw), lane) for _ in range(30)])


def _played(program: ToolProgram, run: ToolEpisode, *reading: str) -> list[Next]:
    """Return what the program does as long as it is what was shown, and what it does then.

    Tools change something, unless they are said to be ``reading``.
    """
    history, done = program.reading.begin(run.task), list[Next]()
    changing = dict.fromkeys(reading, False)
    for call in run.calls:
        done.append(program.next(history, changing))
        now = done[-1]
        if not isinstance(now, Call) or (now.tool, now.args) != (call.tool, call.args):
            return done
        program.take(history, call)
    return [*done, program.next(history, changing)]


def test_a_word_with_which_a_field_begins_decides() -> None:
    program = _sorted_by(_by_word)
    draw = random.Random(70)
    for _ in range(12):
        run = _sorting(*_crates(draw), _by_word)
        assert isinstance(_played(program, run)[-1], Answer)


def test_of_a_word_that_was_never_shown_nothing_is_done() -> None:
    program = _sorted_by(_by_word)
    name, rows = _crates(random.Random(71))
    strange = [{**row, "label": f"Leaky {row['label'].split()[1]}"} for row in rows]
    first, after = _played(program, _sorting(name, strange, lambda _: "?"))
    assert isinstance(first, Call)
    assert isinstance(after, HandOver)


def test_what_nothing_told_explains_is_for_the_model() -> None:
    """The lane hangs on what nobody says: none is as good as another."""
    draw = random.Random(5)
    program = _sorted_by(lambda _: draw.choice([*_LANES.values()]))
    other = random.Random(72)
    for _ in range(12):
        done = _played(program, _sorting(*_crates(other), _by_word))
        assert not any(isinstance(each, Call) and each.tool == "push" for each in done)
        assert not any(isinstance(each, Call) and each.tool == "shut" for each in done)


@pytest.mark.parametrize(
    ("texts", "places"),
    [
        (["Bill 7", "Bill 8", "Note 4", "Note 2", "Bill 1"], ["first"]),
        (["7 urgent", "8 urgent", "4 later", "2 later"], ["last"]),
        (["Ada Berg", "Bo Chen", "Cem Dahl", "Dana Egan"], []),
        (["Bill 7", "Bill 8", "Bill 9", "Bill 1"], []),
        (["12 May", "13 May", "4 June", "5 June", "May"], []),
        (["in stock", "sold out"], []),
        ([], []),
    ],
)
def test_words_that_are_classes(texts: Sequence[str], places: Sequence[str]) -> None:
    assert list(words_of_class(dict.fromkeys(texts, 1))) == places


def test_what_is_given_whole_is_not_made_of_a_word_that_some_tasks_say() -> None:
    tasks = ("Sort the crates.", "Sort crates.", "See to the crates.", "Crates, please.")
    calls = [(FlatCall("push", (("lane", "the low lane"),)), Said(t, frozenset())) for t in tasks]
    calls.append((FlatCall("push", (("lane", "a high lane"),)), Said(tasks[0], frozenset())))
    operators = {form.operator for form in learn_calls(calls).forms}
    assert operators <= {"push(lane=the low lane)", "push(lane={})"}


_DESKS = {"leak": "plumber", "spark": "electrician", "crack": "mason"}


def _report(draw: random.Random, fault: str = "") -> ToolEpisode:
    """Every fault of a house is looked at and goes to a trade; then the book is closed."""
    house = f"H{draw.randint(1000, 9999)}"
    faults = {f"F{draw.randint(1000, 9999)}": draw.choice([*_DESKS]) for _ in range(3)}
    first = next(iter(faults))
    faults[first] = fault or faults[first]
    rows = [{"fault": each} for each in faults]
    calls = [ToolCall("faults", {"house": house}, json.dumps({"faults": rows}), True, 0)]
    for each, kind in faults.items():
        told = json.dumps({"id": each, "kind": kind, "floor": draw.randint(1, 9)})
        calls.append(ToolCall("look", {"fault": each}, told, True, 0))
        args = {"fault": each, "trade": _DESKS.get(kind, "?")}
        calls.append(ToolCall("assign", args, json.dumps({"assigned": each}), True, 0))
    calls.append(ToolCall("close", {"house": house}, json.dumps({"closed": house}), True, 0))
    return ToolEpisode(f"See to the faults of {house}.", tuple(calls), "Done.", True)


def test_where_a_table_has_no_row_nothing_else_is_done() -> None:
    draw = random.Random(11)
    program = _learned([_report(draw) for _ in range(30)])
    assert isinstance(_played(program, _report(draw))[-1], Answer)
    *_, look, after = _played(program, _report(draw, "smell"))
    assert isinstance(look, Call)
    assert look.tool == "look"
    assert isinstance(after, HandOver)
    assert "smell" in after.because


def _booking(draw: random.Random) -> ToolEpisode:
    """An hour is booked that follows from nothing that is told."""
    name, day = draw.choice(_PEOPLE), draw.choice(("Monday", "Tuesday", "Friday"))
    told = json.dumps({"zone": draw.choice("PQRST"), "by": draw.choice(("ship", "train"))})
    calls = (
        ToolCall("contact", {"name": name}, told, True, 0),
        ToolCall("book", {"name": name, "at": f"{draw.randint(9, 18):02}:00"}, _DONE, True, 0),
    )
    return ToolEpisode(f"Meet {name} on {day}.", calls, "Done.", True)


@pytest.mark.parametrize("seed", range(6))
def test_values_that_nothing_explains_are_no_steps(seed: int) -> None:
    draw = random.Random(seed)
    program = _learned([_booking(draw) for _ in range(40)])
    for _ in range(20):
        done = _played(program, _booking(draw))
        assert not any(isinstance(each, Call) and each.tool == "book" for each in done)


def _alert(draw: random.Random, severity: int) -> ToolEpisode:
    """Somebody is paged at severity 1, nobody at 3."""
    alert = f"A{draw.randint(1000, 9999)}"
    told = json.dumps({"severity": severity, "host": f"h{draw.randint(100, 999)}"})
    calls = [ToolCall("alert", {"id": alert}, told, True, 0)]
    if severity == 1:
        calls.append(ToolCall("page", {"alert": alert}, _DONE, True, 0))
    calls.append(ToolCall("close", {"alert": alert}, _DONE, True, 0))
    return ToolEpisode(f"Look after alert {alert}.", tuple(calls), "Done.", True)


def test_a_number_between_two_shown_ones_is_new_where_they_decide() -> None:
    draw = random.Random(21)
    program = _learned([_alert(draw, draw.choice((1, 3))) for _ in range(30)])
    for severity in (1, 3):
        assert isinstance(_played(program, _alert(draw, severity))[-1], Answer)
    alert, after = _played(program, _alert(draw, 2))
    assert isinstance(alert, Call)
    assert isinstance(after, HandOver)
    assert "'2' was never shown" in after.because


def _claim(draw: random.Random, amount: int, limit: int = 100) -> ToolEpisode:
    """An amount is noted; a small one is paid, a great one goes to somebody else."""
    claim = f"C{draw.randint(1000, 9999)}"
    told = json.dumps({"claim": claim, "amount": amount})
    last = "pay" if amount < limit else "forward"
    calls = (
        ToolCall("claim", {"id": claim}, told, True, 0),
        ToolCall("note", {"claim": claim, "amount": amount}, _DONE, True, 0),
        ToolCall(last, {"claim": claim}, _DONE, True, 0),
    )
    return ToolEpisode(f"Settle claim {claim}.", calls, "Done.", True)


def test_what_memory_itself_passed_on_is_no_less_new_behind_it() -> None:
    draw = random.Random(22)
    amounts = [draw.choice((draw.randint(1, 50), draw.randint(900, 990))) for _ in range(40)]
    program = _learned([_claim(draw, amount) for amount in amounts])
    for amount in (20, 950):
        assert isinstance(_played(program, _claim(draw, amount))[-1], Answer)
    *_, note, after = _played(program, _claim(draw, 500))
    assert isinstance(note, Call)
    assert note.tool == "note"
    assert isinstance(after, HandOver)


def test_a_second_look_does_not_make_it_less_new() -> None:
    draw = random.Random(24)

    def looked_twice(amount: int) -> ToolEpisode:
        run = _claim(draw, amount)
        look, note, last = run.calls
        return ToolEpisode(run.task, (look, note, look, last), "Done.", True)

    amounts = [draw.choice((draw.randint(1, 50), draw.randint(900, 990))) for _ in range(40)]
    program = _learned([looked_twice(amount) for amount in amounts])
    for amount in (20, 950):
        assert isinstance(_played(program, looked_twice(amount))[-1], Answer)
    *_, after = _played(program, looked_twice(500))
    assert isinstance(after, HandOver)


def test_a_figure_that_was_given_by_chance_does_not_make_a_class_known() -> None:
    draw = random.Random(25)

    def held(severity: int, hours: int) -> ToolEpisode:
        run = _alert(draw, severity)
        alert = run.task.split()[-1].strip(".")
        hold = ToolCall("hold", {"alert": alert, "hours": hours}, _DONE, True, 0)
        return ToolEpisode(f"Hold {alert} for {hours} hours.", (hold, *run.calls), "Done.", True)

    runs = [held(draw.choice((1, 3)), draw.randint(4, 60)) for _ in range(40)]
    program = _learned([*runs, held(1, 2), held(3, 2)])
    for severity in (1, 3):
        assert isinstance(_played(program, held(severity, 2))[-1], Answer)
    *_, alert, after = _played(program, held(2, 2))
    assert isinstance(alert, Call)
    assert alert.tool == "alert"
    assert isinstance(after, HandOver)


def test_an_earlier_answer_of_a_tool_that_decides_may_be_as_new() -> None:
    draw = random.Random(26)

    def compared(first: int, second: int) -> ToolEpisode:
        one, other = f"C{draw.randint(1000, 9999)}", f"C{draw.randint(1000, 9999)}"
        calls = [
            ToolCall("claim", {"id": name}, json.dumps({"claim": name, "amount": amount}), True, 0)
            for name, amount in ((one, first), (other, second))
        ]
        last = "pay" if first < 100 else "forward"
        calls.append(ToolCall(last, {"claim": one}, _DONE, True, 0))
        return ToolEpisode(f"Settle {one}, which {other} is like.", tuple(calls), "Done.", True)

    def amount() -> int:
        return draw.choice((draw.randint(1, 50), draw.randint(900, 990)))

    program = _learned([compared(amount(), amount()) for _ in range(40)])
    for first in (20, 950):
        assert isinstance(_played(program, compared(first, 30))[-1], Answer)
    *_, after = _played(program, compared(500, 30))
    assert isinstance(after, HandOver)


def test_what_memory_passed_on_may_be_new_where_nothing_hangs_on_it() -> None:
    draw = random.Random(23)
    program = _learned([_claim(draw, draw.randint(1, 50), 10_000) for _ in range(40)])
    *_, noted = _played(program, _claim(draw, 500, 10_000))
    assert noted == HandOver("'500' was never told for 'amount' in 'claim'")
    assert isinstance(_played(program, _claim(draw, 500, 10_000), "claim", "note")[-1], Answer)


def _sheet(draw: random.Random) -> ToolEpisode:
    """The totals that a sheet lacks are put into its cells; then it is saved."""
    name = f"sheet-{draw.randint(100, 999)}"
    rows: list[dict[str, Any]] = []
    for number in range(2, draw.randint(5, 8)):
        pieces, price = draw.randint(2, 40), draw.randint(3, 90)
        rows.append({"row": number, "pieces": pieces, "price": price, "total": pieces * price})
    missing = sorted(draw.sample(range(len(rows)), draw.randint(1, 3)))
    values = [rows[at]["total"] for at in missing]
    for at in missing:
        rows[at]["total"] = ""
    calls = [ToolCall("open", {"sheet": name}, json.dumps({"rows": rows}), True, 0)]
    for at, value in zip(missing, values, strict=True):
        args = {"cell": f"D{rows[at]['row']}", "value": value}
        calls.append(ToolCall("write", args, json.dumps(args), True, 0))
    calls.append(ToolCall("save", {}, json.dumps({"saved": True}), True, 0))
    return ToolEpisode(f"Complete the totals in {name}.", tuple(calls), "Done.", True)


def test_a_row_of_which_a_text_is_made_is_not_taken_without_a_rule() -> None:
    draw = random.Random(31)
    program = _learned([_sheet(draw) for _ in range(40)])
    for _ in range(20):
        run = _sheet(draw)
        due = [call.args for call in run.calls if call.tool == "write"]
        done = _played(program, run)
        written = [each.args for each in done if isinstance(each, Call) and each.tool == "write"]
        assert all(args in due for args in written)
        assert isinstance(done[-1], HandOver)
        assert not any(isinstance(each, Call) and each.tool == "save" for each in done)
