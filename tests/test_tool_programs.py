"""Programs of tool calls: forms of calls, kinds of task, what is done, and what is handed over."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from macla.adapters.embeddings import DEFAULT_EMBEDDING as EMBEDDING
from macla.adapters.langchain.messages import episodes_from_messages
from macla.evals.bench.growth_library import episode_of
from macla.evals.ladder.tools import conversation
from macla.evals.ladder.world import LadderTask
from macla.evals.ladder.worlds import world_of
from macla.procedures.common.clock import now
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.evidence.ledger import Ledger, Outcome, OutcomeKind
from macla.procedures.library.library import Library
from macla.procedures.programs.box import Box
from macla.procedures.programs.call_forms import FlatCall, argument_leaves, argument_tree
from macla.procedures.programs.documents import REASON, ProgramFile
from macla.procedures.programs.documents.flows import Flow
from macla.procedures.tooling import task_kinds as kinds_of_task
from macla.procedures.tooling.program_of_kind import learn_tool_program
from macla.procedures.tooling.program_run import Answer, Call, HandOver, ToolProgram
from macla.procedures.tooling.recall import ProgramRecall
from macla.procedures.tooling.task_kinds import Kinds
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode
from macla.procedures.tooling.tool_learner import ToolLearner
from macla.procedures.tooling.tool_operators import Said, learn_calls

_KEYS = st.text(st.characters(codec="utf-8", exclude_characters="[]\\"), min_size=1, max_size=6)
_LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3)
        | st.dictionaries(_KEYS, inner, min_size=1, max_size=3)
    ),
    max_leaves=8,
)
PEOPLE = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal")
CHANGES = {"look": False, "close": True}


def closing(number: int, *, state: str = "open", worded: str = "Close the account of {}.") -> Any:
    """Look a person up and close the account, or say that it stays open."""
    name = PEOPLE[number % len(PEOPLE)]
    found = json.dumps({"id": 100 + 7 * number, "state": state})
    calls = [ToolCall("look", {"name": name}, found, True, 0)]
    if state == "open":
        args = {"account": {"id": 100 + 7 * number}, "note": f"asked for {name}"}
        calls.append(ToolCall("close", args, json.dumps({"receipt": f"R{number}9"}), True, 1))
        answer = f"The account of {name} is closed, receipt R{number}9."
    else:
        answer = f"The account of {name} stays open: it is {state}."
    return ToolEpisode(worded.format(name), tuple(calls), answer, True, f"{worded}{number}{state}")


def learned(*runs: ToolEpisode) -> ToolProgram:
    (file,) = Kinds(runs).news((), 200).files
    return ToolProgram(ProgramFile.from_document(load_yaml(dump_yaml(file.to_document()).encode())))


def played(program: ToolProgram, run: ToolEpisode, **begin: Any) -> Iterator[Any]:
    """Yield what the program does, given what the run's tools answer."""
    history = program.reading.begin(run.task, **begin)
    for call in run.calls:
        done = program.next(history, CHANGES)
        yield done
        if not isinstance(done, Call):
            return
        program.take(history, call)
    yield program.next(history, CHANGES)


@given(st.dictionaries(_KEYS, _VALUES, max_size=3))
def test_nested_arguments_are_put_together_again(arguments: dict[str, Any]) -> None:
    assert argument_tree(argument_leaves(arguments)) == arguments


def test_texts_have_slots_for_what_was_said() -> None:
    calls = [
        (
            FlatCall("get", (("path", f"/trains/{train}/seats"), ("seats", seats))),
            Said(f"Book {seats} seats on {train}.", frozenset()),
        )
        for train, seats in (("T12", 3), ("T77", 5), ("T90", 4))
    ]
    forms = learn_calls(calls)
    assert [form.operator for form in forms.forms] == ["get(path=/trains/{}/seats, seats={})"]
    given = forms.call(forms.forms[0].operator, ["T31", "6"])
    assert given == FlatCall("get", (("path", "/trains/T31/seats"), ("seats", 6)))
    assert forms.call(forms.forms[0].operator, ["T31", "six"]) is None


def test_what_was_shown_is_done_with_other_values() -> None:
    program = learned(*map(closing, range(5)))
    run = closing(6)
    look, close, answer = played(program, run)
    assert (look.tool, look.args) == ("look", {"name": "Gus"})
    assert (close.tool, close.args) == ("close", run.calls[1].arguments)
    assert isinstance(answer, Answer)
    assert answer.text == run.answer


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"id": 142, "state": "blocked"}, "'blocked' was never told for 'state'"),
        ({"id": 142, "state": "open", "court": "yes"}, "was never told"),
        ({"id": 142, "state": None}, "was never told"),
    ],
)
def test_what_was_never_shown_is_for_the_model(record: dict[str, Any], why: str) -> None:
    program = learned(*map(closing, range(5)))
    run = closing(6)
    told = ToolEpisode(run.task, (ToolCall("look", {"name": "Gus"}, json.dumps(record)),))
    look, over = played(program, told)
    assert isinstance(look, Call)
    assert isinstance(over, HandOver)
    assert why in over.because


@pytest.mark.parametrize(("since", "acts"), [("2026-09-01 10:30", True), ("long ago", False)])
def test_a_moment_is_new_each_time(since: str, acts: bool) -> None:
    def seen(run: ToolEpisode, moment: str) -> ToolEpisode:
        look, close = run.calls
        told = json.dumps(json.loads(look.result) | {"since": moment})
        return replace(run, calls=(replace(look, result=told), close))

    days = (7, 3, 9, 5, 8)
    program = learned(*(seen(closing(n), f"2026-03-0{day} 1{n}:30") for n, day in enumerate(days)))
    _, close, *_ = played(program, seen(closing(6), since))
    assert isinstance(close, Call) is acts


def test_what_was_said_before_is_part_of_what_was_shown() -> None:
    program = learned(*map(closing, range(5)))
    _, over = played(program, closing(6), earlier=("Only simulate today.",))
    assert isinstance(over, HandOver)
    assert "said before" in over.because


def test_a_refusal_is_a_contrast_and_never_said_from_memory() -> None:
    runs = [closing(n) for n in range(5)] + [closing(n, state="locked") for n in range(5)]
    program = learned(*runs)
    assert [type(each) for each in played(program, closing(6))] == [Call, Call, Answer]
    look, over = played(program, closing(7, state="locked"))
    assert isinstance(look, Call)
    assert isinstance(over, HandOver)


def test_other_wordings_of_what_was_done_are_one_kind() -> None:
    other = "{} wants the account closed, please see to it."
    program = learned(*map(closing, range(4)), *(closing(n, worded=other) for n in range(4)))
    assert program.reads("Gus wants the account closed, please see to it.")
    assert not program.reads("Open an account for Gus.")


def test_tasks_that_end_alike_where_others_go_on_are_of_other_kinds() -> None:
    def freezing(number: int, state: str) -> ToolEpisode:
        run = closing(number, state=state, worded="{} has lost the card.")
        calls = [
            replace(call, tool="freeze") if call.tool == "close" else call for call in run.calls
        ]
        return replace(run, calls=tuple(calls))

    states = ("open", "open", "locked", "open", "locked")
    runs = [each(n, state=state) for n, state in enumerate(states) for each in (closing, freezing)]
    files = Kinds(runs).news((), 200).files
    assert [file.goal for file in files] == ["Close the account of {1}.", "{1} has lost the card."]


def copying(number: int, *, worded: str = "Copy the {} to {}.") -> ToolEpisode:
    document = ("budget", "roadmap", "charter", "survey", "policy", "outlook")[number % 6]
    target = ("old", "draft", "final")[number % 3]
    text = f"{7 * number} pages"
    calls = (
        ToolCall("read", {"path": f"docs/{document}.md"}, text, True, 0),
        ToolCall("write", {"path": f"copies/{target}.md", "text": text}, "written", True, 1),
    )
    task = worded.format(document, target)
    return ToolEpisode(task, calls, f"It is in copies/{target}.md.", True, task)


def test_parts_of_paths_are_what_calls_were_given() -> None:
    program = learned(*map(copying, range(3)))
    assert program.file.goal == "Copy the {1} to {2}."
    run = copying(5)
    first = next(played(program, run))
    assert (first.tool, first.args) == ("read", {"path": "docs/outlook.md"})


def moving(number: int) -> ToolEpisode:
    """Move money; the answer repeats the end of the task as it stands there."""
    amount, source, target = str(20 + 7 * number), f"K{number}31", f"K{number}77"
    args = {"amount": int(amount), "source": source, "target": target}
    call = ToolCall("move", args, json.dumps({"booking": f"B{number}5"}), True, 0)
    answer = f"{amount} euros went from {source} to {target}, booking B{number}5."
    task = f"Move {amount} euros from {source} to {target}."
    return ToolEpisode(task, (call,), answer, True, task)


def test_a_phrase_of_the_task_may_hold_several_values() -> None:
    program = learned(*map(moving, range(1, 5)))
    (_, answer) = program.file.to_document()["steps"]
    assert answer["say"].count("{") == 4
    history = program.reading.begin(moving(2).task)
    program.take(history, moving(2).calls[0])
    assert program.next(history, {}) == Answer(str(moving(2).answer), answer["id"])


def test_a_name_that_only_a_result_tells_is_no_word_of_the_task() -> None:
    people = ("Yara Castro", "Zeno Jansen", "Mona Meyer", "Otto Iversen", "Kira Fischer")

    def asked(number: int) -> ToolEpisode:
        name, order = people[number], f"O{number}71"
        told = json.dumps({"order": order, "customer": name, "state": "s" if number % 2 else "t"})
        calls = [ToolCall("look", {"order": order}, told, True, 0)]
        if number % 2:
            calls.append(ToolCall("cancel", {"order": order}, '{"done": true}', True, 1))
        answer = "It is cancelled." if number % 2 else "That was sent on Monday and remains so."
        return ToolEpisode(f"Cancel {order} of {name}.", tuple(calls), answer, True, order)

    assert len(Kinds(map(asked, range(5))).news((), 200).files) == 1


def test_a_wording_that_was_shown_once_is_read() -> None:
    other = "I want to find the {0} under {1}, too."
    program = learned(*map(copying, range(3)), copying(3, worded=other))
    history = program.reading.begin("I want to find the outlook under final, too.")
    assert history.asked.fields == {"1": "outlook", "2": "final"}
    assert not program.reads("I want to find the outlook beside final, too.")


def test_what_calls_are_always_given_is_no_slot() -> None:
    def frozen(number: int, worded: str) -> ToolEpisode:
        name = PEOPLE[number]
        call = ToolCall("change", {"name": name, "state": "frozen"}, "ok", True, 0)
        return ToolEpisode(worded.format(name), (call,), f"{name} is done.", True, name)

    kept = "The account of {} is to be frozen."
    program = learned(*(frozen(n, kept) for n in range(3)), frozen(3, "{} wants it frozen."))
    assert program.reads("Gus wants it frozen.")
    assert not program.reads("Gus wants it closed.")

    def settled(number: int, worded: str) -> ToolEpisode:
        call = ToolCall("put", {"path": f"/tickets/{number}/state", "to": "x"}, "ok", True, 0)
        return ToolEpisode(worded.format(number), (call,), "Done.", True, str(number))

    kept = "Of the tickets number {} is settled."
    runs = [*(settled(n, kept) for n in (43, 51, 68)), settled(70, "Settle {} of the tickets.")]
    assert learned(*runs).reads("Settle 77 of the tickets.")
    assert not learned(*runs).reads("Settle 77 of the invoices.")


def test_a_figure_is_read_whole() -> None:
    def released(number: int, worded: str) -> ToolEpisode:
        version = f"{number}.0.1"
        args = {"text": json.dumps({"version": version, "signed": True})}
        call = ToolCall("write", args, "ok", True, 0)
        return ToolEpisode(worded.format(version), (call,), f"{version} is out.", True, version)

    runs = [released(n, "Let us release {}.") for n in (3, 4, 5)]
    program = learned(*runs, released(6, "Publish number {}"))
    history = program.reading.begin("Publish number 7.2.0")
    assert history.asked.fields == {"1": "7.2.0"}


def test_tasks_that_begin_otherwise_are_of_other_kinds() -> None:
    def told(what: str, path: str, name: str) -> ToolEpisode:
        call = ToolCall("read", {"path": path.format(name)}, f"{name} {what}", True, 0)
        return ToolEpisode(f"What is the {what} of the {name}?", (call,), f"{name} {what}.", True)

    runs = [told("title", "docs/{}.md", name) for name in ("budget", "roadmap", "charter")]
    runs += [told("licence", "packages/{}/about", name) for name in ("parser", "router", "logger")]
    files = Kinds(replace(run, id=str(n)) for n, run in enumerate(runs)).news((), 200).files
    assert [file.goal for file in files] == [
        "What is the licence of the {1}?",
        "What is the title of the {1}?",
    ]


def test_secrets_and_dates_that_nobody_said_are_for_the_model() -> None:
    def noted(number: int) -> ToolEpisode:
        args = {"name": PEOPLE[number], "day": "2026-03-04"}
        call = ToolCall("note", args, "ok", True, 0)
        return ToolEpisode(f"Note {PEOPLE[number]}.", (call,), "Done.", True, str(number))

    program = learned(*map(noted, range(5)))
    (over,) = played(program, noted(6))
    assert isinstance(over, HandOver)
    assert "a date that nobody said" in over.because


def test_a_date_is_written_anew() -> None:
    """A date that a call is given is whole, and made of the one that the task says."""

    def noted(number: int) -> ToolEpisode:
        day = f"{number + 11}"
        call = ToolCall("note", {"day": f"2026-10-{day}"}, "ok", True, 0)
        return ToolEpisode(f"Note the {day} October 2026.", (call,), "Done.", True, day)

    program = learned(*map(noted, range(6)))
    note, *_ = played(program, noted(7))
    assert isinstance(note, Call)
    assert note.args == {"day": "2026-10-18"}


def test_what_is_given_once_each_is_no_form_of_calls() -> None:
    """What one field is given are dates, so that they have no one type: still they are values."""
    calls = [
        (FlatCall("fill", (("field", field), ("value", value))), Said(task, frozenset()))
        for n in range(4)
        for task in (f"Ada, born 2001-02-1{n}: name and birth",)
        for field, value in (("name", "Ada"), ("birth", f"1{n}.02.2001"))
    ]
    assert {form.operator for form in learn_calls(calls).forms} == {"fill(field={}, value={})"}


def test_what_demonstrations_also_called_is_for_the_model_to_call() -> None:
    """One field of three is filled with what nobody can tell; the form is not sent without it."""

    def sent(number: int) -> ToolEpisode:
        name, code = PEOPLE[number], f"{number * 7919 % 23}x"
        filled = [("name", name), ("code", code), ("copy", name)]
        calls = [
            ToolCall("fill", {"field": field, "value": value}, json.dumps({"ok": 1}), True, at)
            for at, (field, value) in enumerate(filled)
        ]
        calls.append(ToolCall("send", {}, json.dumps({"sent": True}), True, 3))
        return ToolEpisode(f"Send it to {name}.", tuple(calls), "Done.", True, str(number))

    program = learned(*map(sent, range(6)))
    run = sent(6)
    history = program.reading.begin(run.task)
    for call in run.calls:
        done = program.next(history, {})
        assert not isinstance(done, Answer)
        assert not isinstance(done, Call) or done.tool != "send"
        program.take(history, call)


def test_no_look_up_is_made_for_ever() -> None:
    """A step that may be done again and that nothing ends, as people may write one."""
    file = learned(*map(closing, range(6))).file
    first, *rest = file.program.steps
    steps = (replace(first, again=True, guards=()), *(replace(each, guards=()) for each in rest))
    program = ToolProgram(replace(file, program=replace(file.program, steps=steps)))
    run = closing(7)
    history, calls = program.reading.begin(run.task), 0
    while isinstance(planned := program.next(history, CHANGES), Call):
        assert planned.tool == run.calls[0].tool
        program.take(history, run.calls[0])
        calls += 1
        assert calls < 20
    assert isinstance(planned, HandOver)
    assert "the same result" in planned.because


def charging(number: int) -> ToolEpisode:
    """Look, read remarks or charge for a reason that nothing tells in one half, and release."""
    name, beside = PEOPLE[number % len(PEOPLE)], number * 7919 % 5 < 2
    car = json.dumps({"car": f"C{number}7", "mood": f"{number * 7919 % 101} of {number * 31 % 17}"})
    calls = [ToolCall("look", {"name": name}, car, True, 0)]
    if beside:
        charged = {"name": name, "fee": number * 7907 % 89}
        calls.append(ToolCall("charge", charged, json.dumps({"ok": True}), True, 1))
    freed = {"car": f"C{number}7"}
    calls.append(ToolCall("release", freed, json.dumps({"ok": True}), True, len(calls)))
    return ToolEpisode(f"{name} brings the car back.", tuple(calls), "Done.", True, str(number))


@pytest.mark.parametrize(
    ("charge", "acts"), [({}, False), ({"charge": True}, False), ({"charge": False}, True)]
)
def test_a_call_that_many_demonstrations_left_out_counts_unless_it_only_reads(
    charge: dict[str, bool], acts: bool
) -> None:
    program = learned(*map(charging, range(20)))
    run = charging(23)
    history = program.reading.begin(run.task)
    program.take(history, run.calls[0])
    done = program.next(history, {"look": False, "release": True, **charge})
    assert isinstance(done, Call) == acts
    if isinstance(done, HandOver):
        assert "demonstrations also called charge" in done.because


def humming(number: int, places: Sequence[int]) -> ToolEpisode:
    """Close an account, and in two of three runs hum at one of some places."""
    run = closing(number)
    calls = list(run.calls)
    if number % 3:
        calls.insert(
            places[number // 3 % len(places)],
            ToolCall("hum", {}, json.dumps({"ok": True}), True, 0),
        )
    turned = tuple(replace(call, turn=turn) for turn, call in enumerate(calls))
    return replace(run, calls=turned)


@pytest.mark.parametrize(("places", "acts"), [((0, 1, 2), True), ((1,), False)])
def test_a_call_that_demonstrations_made_anywhere_is_idle(
    places: Sequence[int], acts: bool
) -> None:
    program = learned(*(humming(number, places) for number in range(24)))
    run = closing(30)
    history = program.reading.begin(run.task)
    program.take(history, run.calls[0])
    done = program.next(history, {**CHANGES, "hum": True})
    assert isinstance(done, Call) == acts
    if acts:
        hummed = humming(31, places)
        assert "hum" in [call.tool for call in hummed.calls]
        assert program.divergence(hummed) is None
        strange = replace(
            hummed,
            calls=tuple(
                replace(call, tool="freeze") if call.tool == "hum" else call
                for call in hummed.calls
            ),
        )
        assert program.divergence(strange) is not None


def deleting(number: int, most: int) -> ToolEpisode:
    """List what is old, and delete it one after the other."""
    old = [{"id": f"S{number}{at}"} for at in range(1 + number % most)]
    calls = [ToolCall("old", {}, json.dumps({"items": old}), True, 0)]
    calls += [
        ToolCall("delete", {"id": each["id"]}, json.dumps({"ok": True}), True, at)
        for at, each in enumerate(old, 1)
    ]
    return ToolEpisode("Delete what is old.", tuple(calls), "Done.", True, str(number))


@pytest.mark.parametrize(("most", "acts"), [(3, True), (1, False)])
def test_a_change_is_made_to_each_candidate_where_demonstrations_made_it_to_each(
    most: int, acts: bool
) -> None:
    program = learned(*(deleting(number, most) for number in range(12)))
    run = deleting(14, 3)
    history = program.reading.begin(run.task)
    for call in run.calls:
        done = program.next(history, {"old": False, "delete": True})
        if call.tool == "delete":
            assert isinstance(done, Call) == acts
        program.take(history, call)


def test_a_call_behind_a_loop_is_not_idle_however_long_the_loop_was() -> None:
    """Some runs log what they deleted, for a reason that nothing tells."""

    def logging(number: int) -> ToolEpisode:
        run = deleting(number, 4)
        log = ToolCall("log", {}, json.dumps({"ok": True}), True, len(run.calls))
        return replace(run, calls=(*run.calls, log)) if number * 7919 % 5 < 2 else run

    (file,) = Kinds(map(logging, range(24))).news((), 200).files
    assert file.tools is not None
    assert not file.tools.idle


def test_another_process_loads_what_was_learned(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "library", domain="tools", embedding=EMBEDDING)
    ToolLearner(library).add_all(map(closing, range(5)))
    (tmp_path / "library/.macla/tool-episodes.jsonl").unlink()
    with Ledger.memory() as ledger:
        recall = ProgramRecall(Library.open(library.path), ledger)
        program = recall.program_for("Close the account of Gus.")
    assert program is not None
    assert program.file.status == "active"
    assert [type(each) for each in played(program, closing(6))] == [Call, Call, Answer]


def test_few_runs_are_told_as_they_were(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "library", domain="tools", embedding=EMBEDDING)
    learner = ToolLearner(library)
    assert learner.add_all([closing(0)]) == ["programs/close-the-account-of-ada.yaml"]
    (file,) = library.programs.values()
    assert (file.status, file.goal) == ("draft", "Close the account of Ada.")
    assert [step.form.tool for step in file.program.steps if step.form] == ["look", "close"]
    with Ledger.memory() as ledger:
        assert ProgramRecall(library, ledger).program_for(file.goal) is None
    learner.add_all([closing(1), closing(2)])
    (file,) = library.programs.values()
    assert (file.status, file.goal) == ("active", "Close the account of {1}.")


def test_the_same_runs_change_nothing(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "library", domain="tools", embedding=EMBEDDING)
    ToolLearner(library).add_all(map(closing, range(5)))
    before = library.content_hash
    again = ToolLearner(Library.open(library.path))
    assert again.add_all(map(closing, range(5))) == []
    assert again.add_all([]) == []
    assert Library.open(library.path).content_hash == before


def test_a_verdict_stays_where_a_program_is_learned_anew(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "library", domain="tools", embedding=EMBEDDING)
    learner = ToolLearner(library)
    learner.add_all(map(closing, range(4)))
    (file,) = library.programs.values()
    library.write_all(programs=[replace(file, status="retired")])
    learner.add_all(closing(number, state="locked") for number in range(4))
    (file,) = library.programs.values()
    assert (file.status, file.version) == ("retired", 2)
    library.write_all(programs=[replace(file, locked=True)])
    learner.add_all(closing(number, state="lost") for number in range(4))
    assert library.programs[file.id].version == 2


def test_there_is_room_for_what_is_done_most_often(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "library", domain="tools", embedding=EMBEDDING)
    settings = {**library.settings.settings, "capacity": {"procedures": 1}}
    library.write_all(settings=replace(library.settings, settings=settings))
    learner = ToolLearner(library)
    note = ToolCall("note", {"text": "rain"}, "noted", True, 0)
    learner.add_all([ToolEpisode("Note that it rains.", (note,), "Done.", True, "note")])
    assert list(library.programs) == ["note-that-it-rains"]
    learner.add_all(map(closing, range(4)))
    assert list(library.programs) == ["close-the-account-of"]
    assert learner.removed == ["note-that-it-rains"]


@pytest.mark.parametrize(
    ("chosen", "acts"),
    [
        ({}, True),
        ({"thresholds": {"theta_conf": 0.99}}, False),
        ({"weights": {"reward_max": 0.4}}, False),
        ({"prior": [1, 8]}, False),
        ({"prior": [1, 6]}, True),
        ({"preset": "printed", "prior": [1, 6]}, False),
        ({"preset": "paper", "prior": [1, 6]}, True),
        ({"rule": "similarity", "prior": [1, 8]}, True),
    ],
)
def test_the_settings_of_a_library_hold(tmp_path: Path, chosen: dict[str, Any], acts: bool) -> None:
    library = Library.create(tmp_path / "library", domain="tools", embedding=EMBEDDING)
    ToolLearner(library).add_all(map(closing, range(5)))
    (file,) = library.programs.values()
    with Ledger.memory() as ledger:
        recall = ProgramRecall(library, ledger)
        failed = OutcomeKind.POSTCONDITION_FAILED
        row = Outcome("run", 0, "program", file.id, 1, failed, *failed.of_program, at=now())
        recall.record([row])
        library.write_all(settings=replace(library.settings, settings=chosen))
        recall.refresh()
        if acts:
            assert recall.program_for("Close the account of Gus.") is not None
        else:
            with pytest.raises(LookupError, match="failed too often"):
                recall.program_for("Close the account of Gus.")


def after_each(runs: Iterable[ToolEpisode]) -> list[ProgramFile]:
    """Learn from each run before the next one comes; return the programs."""
    kinds, files = Kinds(), dict[str, ProgramFile]()
    for run in runs:
        kinds.add(run)
        if kinds.stirred():
            news = kinds.news(files, 200)
            files |= {file.id: file for file in news.files}
            for name in (*news.gone, *news.replaced.values()):
                files.pop(name, None)
    return list(files.values())


SHOWN = [
    *(closing(number) for number in range(8)),
    *(closing(number, state="locked") for number in range(4)),
    *(closing(number, worded="Please shut the account of {} now.") for number in range(4)),
]


@settings(max_examples=4, deadline=None, phases=[Phase.generate])
@given(st.permutations(SHOWN))
def test_one_after_the_other_is_learned_what_is_learned_together(runs: list[ToolEpisode]) -> None:
    """In any order: both do what is shown, or leave it to the model; neither does anything else."""
    together = Kinds(runs).news((), 200).files
    alone = after_each(runs)
    fresh = [
        closing(11),
        closing(12, state="locked"),
        closing(13, worded=SHOWN[-1].task[:22] + "{} now."),
    ]
    for files in (together, alone):
        programs = [ToolProgram(each) for each in files if each.status == "active"]
        assert len(files) == len(together)
        for run in [*runs, *fresh]:
            for parted in (each.divergence(run) for each in programs if each.reads(run.task)):
                assert parted is None or parted.abstains


def opening(number: int) -> ToolEpisode:
    """Another kind of task."""
    name = PEOPLE[number % len(PEOPLE)]
    opened = ToolCall("open", {"name": name}, json.dumps({"id": 7 * number}), True, 0)
    return ToolEpisode(f"Open an account for {name}.", (opened,), "Done.", True, f"open{number}")


@pytest.mark.parametrize("order", ["AAAAAAAAAAAA", "ABABABABABAB", "ABBAABCCBACA", "AAABBBCCCABC"])
@pytest.mark.parametrize("anew", [False, True], ids=["opened before", "opened anew"])
def test_learners_in_turn_learn_what_one_learns(tmp_path: Path, order: str, anew: bool) -> None:
    path = tmp_path / "library"
    Library.create(path, domain="tools", embedding=EMBEDDING)
    learners = {who: ToolLearner(Library.open(path)) for who in sorted(set(order))}
    for number, who in enumerate(order):
        if anew:
            learners[who] = ToolLearner(Library.open(path))
        learners[who].add_all([closing(number)])
        learners[who].add_all([opening(number)])
    programs = Library.open(path).programs
    assert sorted(programs) == ["close-the-account-of", "open-an-account-for"]
    assert [file.status for file in programs.values()] == ["active", "active"]
    (called, *_) = played(ToolProgram(programs["close-the-account-of"]), closing(20))
    assert called == Call("look", {"name": PEOPLE[20 % len(PEOPLE)]}, called.step)


def test_one_more_run_does_not_clear_a_draft_of_others(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "library", domain="tools", embedding=EMBEDDING)
    ToolLearner(library).add_all(map(closing, range(8)))
    (file,) = library.programs.values()
    told = {**file.provenance, REASON: "of 9 runs it would have done 5 otherwise than shown"}
    library.write_all(programs=[replace(file, status="draft", provenance=told)])
    ToolLearner(library).add_all([closing(8)])
    (file,) = library.programs.values()
    assert file.status == "draft"


def test_what_is_reproduced_is_not_learned_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    learned_from: list[int] = []

    def counting(runs: Sequence[ToolEpisode], *others: Any) -> ProgramFile:
        learned_from.append(len(runs))
        return learn_tool_program(runs, *others)

    monkeypatch.setattr("macla.procedures.tooling.task_kinds.learn_tool_program", counting)
    kinds = Kinds()
    for number in range(90):
        kinds.add(closing(number))
        if kinds.stirred():
            kinds.news((), 200)
    # Where names that were never shown are no news any more, runs prove and teach nothing.
    assert max(learned_from) <= 24
    kinds.add(closing(91, worded="Please shut the account of {} now."))
    assert kinds.stirred()
    kinds.news((), 200)
    assert learned_from[-1] == 91


def test_one_more_run_is_looked_at_alone_however_many_kinds_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = 0
    proved = kinds_of_task._proved

    def counting(*arguments: Any) -> ProgramFile:
        nonlocal looks
        looks += 1
        return proved(*arguments)

    kinds = Kinds(episode_of(kind, turn) for kind in range(40) for turn in range(6))
    kinds.news((), 200)
    monkeypatch.setattr(kinds_of_task, "_proved", counting)
    spent = []
    for kind in range(40):
        looks = 0
        kinds.add(episode_of(kind, 7))
        kinds.stirred()
        spent.append(looks)
    assert max(spent) <= 2


def test_what_is_not_done_as_shown_is_a_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing tells the order in which rooms are looked into: whoever looks for it goes another.

    Doubts would have it ask before it is wrong often enough.
    """
    monkeypatch.setattr(Box, "strange", lambda *_: None)
    monkeypatch.setattr(ToolProgram, "_doubt", lambda *_, **__: None)
    world = world_of("house-errand")()
    runs = [
        episode
        for seed in range(40)
        for episode in episodes_from_messages(
            conversation(world, LadderTask(seed, "train")), thread=f"{seed}"
        )
    ]
    library = Library.create(tmp_path / "library", domain="tools", embedding=EMBEDDING)
    ToolLearner(library).add_all(runs)
    (file,) = library.programs.values()
    assert file.status == "draft"
    assert "otherwise than shown" in file.provenance["reason"]
    with Ledger.memory() as ledger:
        assert ProgramRecall(library, ledger).program_for(runs[0].task) is None


OFFERS = ("nut", "bolt", "pin", "cap", "rod", "cog")


def ordering(number: int, prices: Sequence[int]) -> ToolEpisode:
    """Order the cheapest offer; ask back where two are."""
    name = OFFERS[number % len(OFFERS)]
    lots = [{"lot": f"L{number}{i}", "price": each} for i, each in enumerate(prices)]
    calls = [ToolCall("list", {"name": name}, json.dumps(lots), True, 0)]
    best = [each["lot"] for each in lots if each["price"] == min(prices)]
    if len(best) == 1:
        told = json.dumps({"receipt": f"R{number}9"})
        calls.append(ToolCall("order", {"lot": best[0]}, told, True, 1))
        answer = f"The {name} is ordered, receipt R{number}9."
    else:
        answer = f"{best[0]} and {best[1]} cost the same. Which one?"
    return ToolEpisode(f"Order the {name}.", tuple(calls), answer, True, f"order-{number}")


def test_a_tie_is_told_from_a_choice() -> None:
    shown = [ordering(n, p) for n, p in enumerate(((5, 3, 8), (4, 9, 6), (2, 2, 7), (9, 8, 3)))]
    shown += [ordering(n, p) for n, p in enumerate(((7, 4, 6), (1, 1, 8), (6, 2, 9)), len(shown))]
    program = ToolProgram(learn_tool_program(shown))
    text = dump_yaml(program.file.to_document())
    assert "not several(lot)" in text
    assert ProgramFile.from_document(load_yaml(text.encode())).program == program.program
    assert program.divergence(ordering(11, (9, 2, 5))) is None
    tie = program.divergence(ordering(12, (3, 3, 5)))
    assert tie is None or tie.abstains


def booking(number: int, seats: int, left: int) -> ToolEpisode:
    """Book seats, and give them back where there are fewer than asked for."""
    told = json.dumps({"booking": f"S{number}", "seats": min(seats, left)})
    calls = [ToolCall("book", {"train": f"T{number}", "seats": seats}, told, True, 0)]
    answer = f"{seats} seats on T{number} are booked: S{number}."
    if left < seats:
        args = {"booking": f"S{number}"}
        calls.append(ToolCall("release", args, json.dumps({"released": True}), True, 1))
        answer = f"T{number} has {left} seats left; none was kept."
    task = f"Book {seats} seats on train T{number}."
    return ToolEpisode(task, tuple(calls), answer, True, f"book-{number}")


def test_where_the_program_tells_what_went_on_it_says_that_it_is_done() -> None:
    rows = ((100, 4, 9), (101, 7, 9), (102, 6, 3), (103, 2, 9), (104, 5, 2), (105, 3, 9))
    runs = [booking(*row) for row in (*rows, (106, 8, 9))]
    program = ToolProgram(learn_tool_program(runs))
    assert program.divergence(booking(110, 6, 9)) is None
    short = program.divergence(booking(111, 6, 4))
    assert short is None or short.abstains


@pytest.mark.parametrize(
    ("accepted", "made", "covered"),
    [
        ((), (), True),
        ((), (("known(task(1))",),), True),
        ((("known(task(1))",),), (), False),
        ((("known(task(1))",),), (("known(task(1))", 'not shown("a")'),), True),
        ((("known(task(1))",),), (("known(task(2))",),), False),
        ((("known(task(1))",),), (("known(task(1))",), ("known(task(2))",)), False),
        ((("known(task(1))",), ("known(task(2))",)), (("known(task(2))",),), True),
        ((('task(1) in ["a", "b"]',),), (('task(1) = "a"',),), True),
        ((('task(1) in ["a", "b"]',),), (('task(1) in ["a", "c"]',),), False),
        ((("offered(p1)",),), (("offered(p1)",),), True),
    ],
)
def test_who_accepts_a_call_accepts_it_in_fewer_situations(
    accepted: tuple[tuple[str, ...], ...], made: tuple[tuple[str, ...], ...], covered: bool
) -> None:
    call = "0123456789ab"
    assert Flow(call, accepted).covers(Flow(call, made)) is covered
    assert not Flow("ba9876543210", accepted).covers(Flow(call, made))
