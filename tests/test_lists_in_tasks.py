"""Tasks that name several things: the sign between them, and values looked up for each of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

import pytest
from macla.evals.cells import WorldCell
from macla.evals.fresh_worlds import dev
from macla.evals.ladder.cells import world_cell
from macla.procedures.common.errors import LibraryError
from macla.procedures.episodes.facts import Reader
from macla.procedures.episodes.history import Done, History
from macla.procedures.episodes.list_signs import mined_with_sign
from macla.procedures.episodes.mining import mine_templates
from macla.procedures.episodes.named_items import with_named_items
from macla.procedures.episodes.templates import COMMA, Line, Template
from macla.procedures.programs.binding import bound, looks_at
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.documents.line_documents import read_template, template_document
from macla.procedures.programs.documents.node import Node
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.program import Act, Ask, decide
from macla.procedures.programs.program_conditions import Comparison, Field, Literal, Own, Row
from macla.procedures.programs.sources import Case, Choice, Rule
from macla.procedures.programs.text_calls import action_of

KINDS = {kind.name: kind for kind in dev.WORLDS}


def _wordings(sign: str, number: int = 20) -> tuple[Template, ...]:
    """Return the templates of tasks whose items have a sign between them."""
    draw = random.Random(0)
    names = [f"{kind}-{n}" for kind in ("web", "db", "app") for n in range(1, 30)]
    items = [draw.sample(names, draw.randint(1, 4)) for _ in range(number)]
    tasks = [Line(f"Restart {sign.join(each)} now.", n, 0) for n, each in enumerate(items)]
    values = frozenset(value for each in items for value in each)

    def mined(lines: Sequence[Line]) -> tuple[Template, ...]:
        return with_named_items(mine_templates(lines, values, special=False), lines, values)

    return mined_with_sign(tasks, values, mined)


@pytest.mark.parametrize("sign", [", ", " / ", "; ", " + ", " and ", " then "])
def test_the_sign_between_items_is_learned(sign: str) -> None:
    (template,) = _wordings(sign)
    assert template.text == "Restart {1} now."
    assert template.between == sign
    (_, *items) = Reader([template]).line(f"Restart {sign.join(['x-1', 'y-2', 'z-3'])} now.")
    assert [item.fields["item"] for item in items] == ["x-1", "y-2", "z-3"]


@pytest.mark.parametrize("joint", ["and", "&", "+"])
def test_a_word_or_a_sign_stands_before_the_last_item(joint: str) -> None:
    draw = random.Random(0)
    names = [f"{kind}-{n}" for kind in ("web", "db", "app") for n in range(1, 30)]
    items = [draw.sample(names, draw.randint(1, 4)) for _ in range(20)]
    texts = [f" {joint} ".join((", ".join(each[:-1]), each[-1])) for each in items if each[1:]]
    tasks = [Line(f"Restart {text} now.", n, 0) for n, text in enumerate(texts)]
    values = frozenset(value for each in items for value in each)
    (template,) = with_named_items(mine_templates(tasks, values, special=False), tasks, values)
    assert (template.text, template.joint) == ("Restart {1} now.", joint)


def test_what_stands_between_two_values_each_time_is_no_list() -> None:
    draw = random.Random(1)
    names = [f"{kind}-{n}" for kind in ("web", "db", "app") for n in range(1, 30)]
    pairs = [draw.sample(names, 3) for _ in range(20)]
    tasks = [Line(f"Copy {a} / {b} / {c} now.", n, 0) for n, (a, b, c) in enumerate(pairs)]
    values = frozenset(value for each in pairs for value in each)
    shown: list[Line] = []

    def mined(lines: Sequence[Line]) -> tuple[Template, ...]:
        shown.extend(lines)
        return mine_templates(lines, values, special=False)

    (template,) = mined_with_sign(tasks, values, mined)
    assert shown == tasks
    assert not template.lists
    assert template.between == COMMA


def test_the_sign_is_written_and_read() -> None:
    template = Template("Restart {1}", lists=frozenset({"1"}), between=" / ")
    assert read_template(Node(template_document(template), "line")) == template


@cache
def _learned(name: str) -> ProgramFile:
    """Return what the demonstrations of a world teach."""
    lesson = world_cell(KINDS[name], "hidden").lesson
    (file,) = (each.file for each in propose_programs(lesson) if each.trusted)
    return file


def _play(file: ProgramFile, cell: WorldCell, most: int = 6) -> str:
    """Play the first tests; return a mark for each."""
    out = ""
    for task in cell.tasks[:most]:
        asked, observation = cell.environment.reset(task)
        history = file.begin(asked, observation)
        for _ in range(cell.horizon):
            decision = decide(file.program, history)
            if not isinstance(decision, Act):
                break
            step, arguments = decision.step, decision.arguments
            told, _, done, _ = cell.environment.step(action_of(step.operator, arguments))
            history.add(Done(step.id, step.operator, arguments), file.readers()[0].read(told))
            if done:
                break
        out += cell.mark()
    return out


@pytest.mark.parametrize(
    "name", ["room-bookings", "host-restarts", "freight-quote", "badge-round", "course-places"]
)
def test_each_thing_of_a_task_is_worked_off(name: str) -> None:
    cell = world_cell(KINDS[name], "hidden")
    assert _play(_learned(name), cell) == "1" * 6


def _badges(doors: str) -> tuple[ProgramFile, History]:
    """Return a program that makes badges, and a history before the first badge."""
    file = _learned("badge-round")
    history = file.begin("Badges for Moss; Hale.", "The cabinet is open.")
    staff = "Moss works for press.\nHale works for legal.\nReed works for press."
    for told in (staff, doors):
        decision = decide(file.program, history)
        assert isinstance(decision, Act)
        done = Done(decision.step.id, decision.step.operator, decision.arguments)
        history.add(done, file.readers()[0].read(told))
    return file, history


def test_a_value_is_looked_up_for_each() -> None:
    file, history = _badges("press: A-11\nlegal: B-22\nsales: C-33")
    for arguments in (("Moss", "A-11"), ("Hale", "B-22")):
        decision = decide(file.program, history)
        assert isinstance(decision, Act)
        assert decision.arguments == arguments
        history.add(Done(decision.step.id, decision.step.operator, arguments), ())


def test_without_a_row_for_one_it_is_not_left_out() -> None:
    file, history = _badges("press: A-11\nsales: C-33")
    decision = decide(file.program, history)
    assert isinstance(decision, Act)
    assert decision.arguments == ("Moss", "A-11")
    done = Done(decision.step.id, decision.step.operator, decision.arguments)
    history.add(done, file.readers()[0].read("Moss is ready."))
    decision = decide(file.program, history)
    assert isinstance(decision, Ask)
    assert decision.because == "no row tells what badge-for takes for 'Hale'"


def test_a_choice_is_bound_to_the_arguments_of_its_call() -> None:
    row = Row("staff", "1", Own(0), "2")
    rule = Rule((Comparison(Field("1"), "=", row),))
    choice = Choice("doors", "2", "newest", (Case((), rule, (rule,)),))
    assert looks_at(choice) == {0}
    condition = Comparison(Field("1"), "=", Row("staff", "1", Literal("Moss"), "2"))
    (case,) = bound(choice, ("Moss", "")).cases  # type: ignore[union-attr]
    assert case.rule == Rule((condition,))
    assert case.others == (Rule((condition,)),)


@pytest.mark.parametrize("number", ["0", "2", "9"])
def test_an_argument_of_itself_or_of_none_is_an_error(number: str) -> None:
    document = _learned("badge-round").to_document()
    (choice,) = (each for each in document["parameters"].values() if "argument(1)" in str(each))
    choice["where"] = [
        each.replace("argument(1)", f"argument({number})") for each in choice["where"]
    ]
    with pytest.raises(LibraryError, match=r"from 1"):
        ProgramFile.from_document(document)
