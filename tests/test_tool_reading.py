"""How runs of tools are read: which are of one kind, what is said for calls, classes of rows."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.episodes.facts import Reader
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.tooling.program_run import Answer, Call, ToolProgram
from macla.procedures.tooling.task_kinds import Kinds
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode

_PEOPLE = ("Ada", "Bo", "Cem", "Dana", "Emre", "Fay", "Gus", "Hana", "Ivo", "Jun", "Kai", "Lea")


def _run(task: str, *calls: tuple[str, dict[str, Any], Any]) -> ToolEpisode:
    made = (ToolCall(name, args, json.dumps(told), True, 0) for name, args, told in calls)
    return ToolEpisode(task, tuple(made), "Done.", True)


def _learned(runs: Sequence[ToolEpisode]) -> ToolProgram:
    (file,) = Kinds(runs).news((), 200).files
    return ToolProgram(ProgramFile.from_document(load_yaml(dump_yaml(file.to_document()).encode())))


def _reproduces(program: ToolProgram, run: ToolEpisode, *reading: str) -> bool:
    history = program.reading.begin(run.task)
    for call in run.calls:
        now = program.next(history, dict.fromkeys(reading, False))
        if not isinstance(now, Call) or (now.tool, now.args) != (call.tool, call.args):
            return False
        program.take(history, call)
    return isinstance(program.next(history, {}), Answer)


# ------------------------------------------------------------------------- kinds of task
def _drive(number: int, draw: random.Random) -> ToolEpisode:
    car, start, driven = f"C-{draw.randint(100, 999)}", draw.randint(1000, 9000), number * 7 + 20
    worded = "How far did {} go today? Note it." if number % 2 else "Odometer of {}, please."
    return _run(
        worded.format(car),
        ("car", {"car": car}, {"out": start, "back": start + driven}),
        ("note", {"car": car, "km": driven}, {"noted": True}),
    )


def test_calls_that_differ_in_figures_are_the_same() -> None:
    draw = random.Random(1)
    assert len(Kinds(_drive(n, draw) for n in range(12)).news((), 200).files) == 1


def _guest(number: int, draw: random.Random) -> ToolEpisode:
    name, plate = draw.choice(_PEOPLE), f"K-{draw.randint(100, 999)}"
    worded = "{} comes by car, plate {}." if number % 2 else "Parking for {}: {}"
    return _run(
        worded.format(name, plate),
        ("fill", {"field": "guest", "value": name}, {"ok": True}),
        ("fill", {"field": "plate", "value": plate}, {"ok": True}),
    )


def test_what_one_task_says_by_chance_parts_no_kinds() -> None:
    draw = random.Random(2)
    assert len(Kinds(_guest(n, draw) for n in range(12)).news((), 200).files) == 1


def test_other_constants_are_other_kinds() -> None:
    tasks = {"open": "Let visitors of {} in.", "shut": "Nobody passes {} any more."}
    runs = [
        _run(tasks[state].format(f"G{n}"), ("gate", {"gate": f"G{n}", "to": state}, {"ok": True}))
        for n in range(10, 16)
        for state in tasks
    ]
    assert len(Kinds(runs).news((), 200).files) == 2


# ------------------------------------------------------------------------- what is said
def _release(draw: random.Random) -> ToolEpisode:
    name, last = draw.choice(_PEOPLE), f"v{draw.randint(1, 3)}.{draw.randint(1, 15)}"
    major, minor = last[1:].split(".")
    tag = f"v{major}.{int(minor) + 1}"
    return _run(
        f"Release the package of {name}.",
        ("describe", {"of": name}, {"tag": last, "commits": int(minor) + 1}),
        ("tag", {"tag": tag}, {"code": 0}),
        ("push", {"tag": tag}, {"code": 0}),
    )


def test_what_a_call_was_given_is_said_for_later_ones() -> None:
    draw = random.Random(3)
    program = _learned([_release(draw) for _ in range(40)])
    assert [step.operator for step in program.program.steps if "push" in step.operator] == [
        "push(tag={})"
    ]


def _mute(draw: random.Random) -> ToolEpisode:
    alarms = ["HighLoad", "DiskFull", "PingLost"]
    hosts = [f"host-{number}" for number in draw.sample(range(10, 99), 3)]
    rows = [(alarm, host) for alarm in alarms for host in hosts]
    draw.shuffle(rows)
    listed = [
        {"id": f"{draw.randint(1000, 9999)}X", "alarm": alarm, "host": host}
        for alarm, host in rows[:5]
    ]
    wanted = draw.choice(listed)
    return _run(
        f"Mute {wanted['alarm']}@{wanted['host']}.",
        ("alarms", {}, {"alarms": listed}),
        ("mute", {"id": wanted["id"]}, {"ok": True}),
    )


def test_slots_of_tasks_are_parted_where_results_hold_the_parts() -> None:
    draw = random.Random(4)
    program = _learned([_mute(draw) for _ in range(40)])
    assert "Mute {1}@{2}." in dump_yaml(program.file.to_document())


# ------------------------------------------------------------------------- rows and parts
def _reminding(draw: random.Random) -> ToolEpisode:
    name = f"A{draw.randint(100, 999)}"
    scores = ["pending" if draw.random() < 0.1 else str(draw.randint(1, 90)) for _ in range(3)]
    people = draw.sample(_PEOPLE, 3)
    rows = [{"who": who, "score": each} for who, each in zip(people, scores, strict=True)]
    late = [row["who"] for row in rows if row["score"] == "pending"]
    return _run(
        f"Please look after {name}.",
        ("show", {"of": name}, {"reviews": rows}),
        *(("remind", {"of": name, "who": who}, {"ok": True}) for who in late),
        ("close", {"of": name}, {"closed": True}),
    )


def test_a_word_in_the_place_of_sizes_is_a_class_of_rows() -> None:
    draw = random.Random(5)
    program = _learned([_reminding(draw) for _ in range(40)])
    assert "show.reviews[] with score pending" in dump_yaml(program.file.to_document())


def _removing(draw: random.Random) -> ToolEpisode:
    folder = f"/var/{draw.choice(_PEOPLE).lower()}"
    names = draw.sample([f"{each.lower()}.log" for each in _PEOPLE], 4)
    sizes = draw.sample(range(100, 999), 4)
    largest = names[sizes.index(max(sizes))]
    rows = [{"file": each, "size": size} for each, size in zip(names, sizes, strict=True)]
    return _run(
        f"The largest file in {folder} can go.",
        ("files", {"folder": folder}, {"files": rows}),
        ("remove", {"path": f"{folder}/{largest}"}, {"ok": True}),
    )


def test_a_part_of_a_text_is_chosen_by_a_rule() -> None:
    draw = random.Random(6)
    program = _learned([_removing(draw) for _ in range(40)])
    assert all(_reproduces(program, _removing(draw)) for _ in range(12))


def _refuelling(draw: random.Random) -> ToolEpisode:
    plate, driven = f"K-{draw.randint(100, 999)}", draw.randint(5, 900)
    start = draw.randint(1000, 8000)
    return _run(
        f"The car {plate} is back.",
        ("car", {"plate": plate}, {"out": f"{start:,} km", "back": f"{start + driven:,} km"}),
        ("charge", {"plate": plate, "km": driven}, {"ok": True}),
    )


def test_sizes_with_units_are_worked_with() -> None:
    draw = random.Random(7)
    program = _learned([_refuelling(draw) for _ in range(40)])
    assert sum(_reproduces(program, _refuelling(draw)) for _ in range(20)) >= 15


# ------------------------------------------------------------------------- texts in results
def _move(number: int, draw: random.Random) -> ToolEpisode:
    street = f"{draw.randint(1, 99)} {draw.choice(('North Gate', 'Mill Lane', 'Quay Side'))}"
    city, mail = draw.choice(("Kiel", "Faro", "Turin", "York")), str(40000 + number * 7)
    text = f"Please note that I live at {street}, {city} from now on."
    return _run(
        f"Change the address as mail {mail} says.",
        ("read", {"mail": mail}, {"text": text}),
        ("address", {"street": street, "city": city}, {"changed": True}),
    )


def test_what_a_call_was_given_is_one_value_of_a_text() -> None:
    draw = random.Random(4)
    program = _learned([_move(number, draw) for number in range(16)])
    (line,) = (t.text for t in program.reading.lines.templates if "live" in t.text)
    assert line == "Please note that I live at {1}, {2} from now on."
    assert _reproduces(program, _move(99, draw))


# -------------------------------------------------------------------- branches with few calls
def _visit(patient: str, doctor: str, status: str) -> ToolEpisode:
    calls = [("find", {"patient": patient}, {"status": status})]
    if status == "active":
        calls.append(("book", {"patient": patient, "doctor": doctor}, {"booked": True}))
    return _run(f"{patient} to see {doctor}.", *calls)


def test_a_branch_that_is_given_less_is_of_the_same_kind() -> None:
    draw = random.Random(5)
    states = ["active"] * 9 + ["blocked"] * 4
    runs = [_visit(draw.choice(_PEOPLE), f"Dr. {draw.choice(_PEOPLE)}", each) for each in states]
    draw.shuffle(runs)
    kinds = Kinds()
    files: dict[str, ProgramFile] = {}
    for run in runs:
        kinds.add(run)
        news = kinds.news((), 200)
        files = {name: file for name, file in files.items() if name not in news.gone}
        files |= {file.id: file for file in news.files}
    assert len([file for file in files.values() if file.reads(runs[0].task)]) == 1


# ---------------------------------------------------------------------- sentences in fields
_OPENINGS = (
    "Hi, something came up. Could I come on {} instead?",
    "Good morning! Please move my stay to {}, if possible.",
    "hello i need a new date, {} would be great",
)
_REPLIES = ("It is {}.", "sure: {}, thanks", "My code? {}, I think.")


def _chat(draw: random.Random) -> ToolEpisode:
    name, code = draw.choice(_PEOPLE), f"{draw.choice('KLM')}P{draw.randint(1000, 9999)}"
    day = f"2026-{draw.randint(10, 12)}-{draw.randint(10, 28)}"
    return _run(
        f"{name} is in the chat.",
        ("chat", {}, {"guest": name, "message": draw.choice(_OPENINGS).format(day)}),
        ("ask", {"guest": name}, {"message": draw.choice(_REPLIES).format(code)}),
        ("open", {"code": code}, {"opened": True}),
        ("rooms", {"day": day}, {"known": True}),
    )


def test_a_short_sentence_tells_what_a_call_is_given() -> None:
    draw = random.Random(4)
    program = _learned([_chat(draw) for _ in range(40)])
    assert all(_reproduces(program, _chat(draw), "open", "rooms") for _ in range(8))


def test_a_name_that_stops_is_no_sentence() -> None:
    draw = random.Random(6)

    def order(number: int) -> ToolEpisode:
        firm = f"{draw.choice(_PEOPLE)} {draw.choice(('Foods', 'Tools', 'Books'))} Inc."
        return _run(
            f"Pay order O{1000 + number}.",
            ("order", {"order": f"O{1000 + number}"}, {"firm": firm}),
            ("pay", {"to": firm}, {"paid": True}),
        )

    program = _learned([order(number) for number in range(20)])
    assert _reproduces(program, order(30), "order")
    assert not program.file.tools or not program.file.tools.prose


# --------------------------------------------------------------------------- rows inside of rows
def _shelved(number: int, draw: random.Random) -> ToolEpisode:
    book = f"B-{draw.randint(1000, 9999)}"
    ids = iter(draw.sample(range(100, 999), 9))
    rooms = [
        {"id": f"R{next(ids)}", "shelves": [{"id": f"S{next(ids)}", "book": None} for _ in "ab"]}
        for _ in "xyz"
    ]
    room = draw.choice(rooms)
    shelf = draw.choice(room["shelves"])
    shelf["book"] = book
    worded = "Bring {}." if number % 2 else "Please fetch {} for me."
    return _run(
        worded.format(book),
        ("plan", {}, {"rooms": rooms}),
        ("fetch", {"room": room["id"], "shelf": shelf["id"]}, {"done": True}),
    )


def test_a_row_has_what_the_row_around_it_tells() -> None:
    draw = random.Random(5)
    program = _learned([_shelved(n, draw) for n in range(16)])
    assert _reproduces(program, _shelved(16, draw), "plan")
    text = json.dumps({"a": [{"id": 1, "b": [{"id": 2, "c": [3]}]}], "d": [{"e": 4}]})
    facts = {fact.kind: fact.fields for fact in Reader().read(text, "t")}
    assert facts["t.a[].b[]"] == {"id": "2", "a[].id": "1"}
    assert facts["t.a[].b[].c[]"] == {"": "3"}
    assert facts["t.d[]"] == {"e": "4"}
    (whole, inner) = Reader().read('[{"id": 1, "b": [{"id": 2}]}]', "q(text=select a.b)")
    assert (whole.fields, inner.fields) == ({"id": "1"}, {"id": "2", "[].id": "1"})
    wide = {f"f{n}": n for n in range(21)} | {"b": [{"id": 2}]}
    facts = {fact.kind: fact.fields for fact in Reader().read(json.dumps({"a": [wide]}), "t")}
    assert facts["t.a[].b[]"] == {"id": "2"}


# ----------------------------------------------------------------------------------- any order
def _welcomed(name: str, tool: str, other: str) -> ToolEpisode:
    desk = {"Ada": "D1", "Bo": "D2"}.get(name, f"D{len(name)}9")
    return _run(
        f"Welcome {name}.",
        ("person", {"name": name}, {"desk": desk, "name": name}),
        *((each, {"desk": desk}, {"ok": True}) for each in (tool, other)),
    )


def test_what_demonstrations_did_in_any_order_reproduces_either() -> None:
    tools = ("lamp", "chair")
    orders = itertools.cycle((tools, tools[::-1]))
    runs = [_welcomed(name, *order) for name, order in zip(_PEOPLE, orders, strict=False)]
    program = _learned(runs)
    assert program.program.any_order
    assert program.divergence(_welcomed("Mia", "lamp", "chair")) is None
    assert program.divergence(_welcomed("Mia", "chair", "lamp")) is None
    other = program.divergence(_welcomed("Mia", "lamp", "lamp"))
    assert other is not None
    assert not other.abstains


def _swap(number: int, draw: random.Random) -> ToolEpisode:
    one, other = draw.sample(_PEOPLE, 2)
    first, second = f"S-{draw.randint(100, 499)}", f"S-{draw.randint(500, 999)}"
    says = "{} and {} change seats." if number % 2 else "Seat {1} where {0} sits, and vice versa."
    return _run(
        says.format(one, other),
        ("seat", {"of": one}, {"seat": first}),
        ("seat", {"of": other}, {"seat": second}),
        ("move", {"who": one, "to": second}, {"moved": True}),
        ("move", {"who": other, "to": first}, {"moved": True}),
    )


def test_slots_of_several_wordings_are_told_apart_by_the_order_of_calls() -> None:
    """Both are given to the same tools; only what comes first differs."""
    draw = random.Random(1)
    program = _learned([_swap(number, draw) for number in range(24)])
    assert not any(guard.when for step in program.program.steps[:2] for guard in step.guards)
    for number in (0, 1):
        swap = _swap(number, draw)
        history = program.reading.begin(swap.task)
        first = program.next(history, {"seat": False})
        assert isinstance(first, Call)
        assert first.args == swap.calls[0].args


def _renewed(number: int, pet: str) -> ToolEpisode:
    owner, drug = _PEOPLE[number % len(_PEOPLE)], ("Meloxa", "Ferin", "Tavox")[number % 3]
    run = _run(
        f"Renew {drug} for {owner}.",
        ("pets", {"owner": owner}, [{"pet": f"P{number}", "name": pet}]),
        ("drugs", {"pet": f"P{number}"}, [{"drug": drug, "daily": 2}]),
        ("renew", {"pet": f"P{number}", "drug": drug}, {"renewed": True}),
    )
    return replace(run, answer=f"{pet} gets {drug}.")


@pytest.mark.parametrize(("pets", "answers"), [(("Bo",), False), (("Bo", "Luna", "Rex"), True)])
def test_rows_of_one_tool_do_not_hide_other_rows(pets: Sequence[str], answers: bool) -> None:
    """Both lists have no name; a pet of another name is told by the older one."""
    program = _learned([_renewed(number, pets[number % len(pets)]) for number in range(12)])
    run = _renewed(13, "Luna" if len(pets) == 1 else "Rex")
    history = program.reading.begin(run.task)
    for call in run.calls:
        program.take(history, call)
    answer = program.next(history, {"pets": False, "drugs": False, "renew": True})
    assert isinstance(answer, Answer) is answers
    assert not answers or answer.text == run.answer


# ------------------------------------------------------------------- sizes beyond the shown ones
def _bill(number: int, amount: int, kind: str, last: str) -> ToolEpisode:
    bill = f"B-{4000 + 37 * number}"
    return _run(
        f"Settle {bill}.",
        ("bill", {"bill": bill}, {"amount": amount, "kind": kind}),
        (last, {"bill": bill}, {"ok": True}),
    )


def _calls_at(runs: Sequence[ToolEpisode], amount: int, kind: str) -> str:
    """Return the tool that is called for a bill; "" where that is left to the model."""
    program = _learned(runs)
    shown = _bill(99, amount, kind, "pay")
    history = program.reading.begin(shown.task)
    program.take(history, shown.calls[0])
    call = program.next(history, {"bill": False, "pay": True, "refuse": True})
    return call.tool if isinstance(call, Call) else ""


@pytest.mark.parametrize(
    ("amount", "tool"), [(93, "pay"), (97, ""), (120, ""), (147, ""), (200, "refuse")]
)
def test_between_what_was_done_and_something_else_nothing_is_done(amount: int, tool: str) -> None:
    runs = [_bill(n, 12 + 7 * n, "plain", "pay") for n in range(13)]
    runs += [_bill(20 + n, 150 + 9 * n, "plain", "refuse") for n in range(13)]
    assert _calls_at(runs, amount, "plain") == tool


@pytest.mark.parametrize(("amount", "tool"), [(60, "pay"), (101, ""), (106, "")])
def test_sizes_of_a_class_do_not_reach_further(amount: int, tool: str) -> None:
    runs = [_bill(n, 16 + 7 * n, "basic", "pay") for n in range(13)]
    runs += [_bill(20 + n, 90 + 70 * n, "gold", "pay") for n in range(13)]
    runs += [_bill(40 + n, 1500 + 90 * n, "gold", "refuse") for n in range(4)]
    assert _calls_at(runs, amount, "basic") == tool
