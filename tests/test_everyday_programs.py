"""What many everyday tasks need: listings, forms, days, glances; and no end that nobody showed."""

from __future__ import annotations

import pytest
from macla.evals.cells import WorldCell
from macla.evals.foreign_worlds import Workshop, demonstrations
from macla.evals.fresh_worlds.parts import OPEN
from macla.evals.fresh_worlds.tenth import ToolCrib
from macla.evals.ladder.cells import world_cell
from macla.procedures.episodes.fact import Fact
from macla.procedures.episodes.history import TASK, Done, History
from macla.procedures.episodes.inner_signs import parted_at_signs, with_single_words
from macla.procedures.episodes.templates import Template
from macla.procedures.episodes.tokens import quoted
from macla.procedures.programs.documents.line_documents import read_template, template_document
from macla.procedures.programs.documents.node import Node
from macla.procedures.programs.learning.lessons import read_lesson
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.program import Act, decide
from macla.procedures.programs.quantities import combine, quantity_of
from macla.procedures.programs.text_calls import action_of

KINDS = {kind.__name__: kind for kinds in OPEN.values() for kind in kinds}


def marks(cell: WorldCell, most: int = 8) -> str:
    """Play the first tests by programs alone: a mark for each."""
    files = [each.file for each in propose_programs(cell.lesson) if each.trusted]
    out = ""
    for task in cell.tasks[:most]:
        asked, observation = cell.environment.reset(task)
        for file in files[:1]:
            history, (results, _) = file.begin(asked, observation), file.readers()
            for _ in range(cell.horizon):
                decision = decide(file.program, history)
                if not isinstance(decision, Act):
                    break
                step, arguments = decision.step, decision.arguments
                told, _, done, _ = cell.environment.step(action_of(step.operator, arguments))
                history.add(Done(step.id, step.operator, arguments), results.read(told))
                if done:
                    break
        out += cell.mark()
    return out


@pytest.mark.parametrize(
    "name",
    [
        *("ShellDisk", "TokenReports", "KeyRound", "LoanStamp"),
        *("GradebookSheet", "ImpoundLot", "KubeRunbook", "LampKeeper", "ShiftCover"),
        *("BailDossier", "FerryTransfer", "LibraryStray"),
    ],
)
def test_forty_demonstrations_are_enough(name: str) -> None:
    assert set(marks(world_cell(KINDS[name], "hidden"))) == {"1"}


@pytest.mark.parametrize("name", ["ChangeReview", "LogSearch", "DocumentShare"])
def test_ten_demonstrations_end_nothing_wrongly(name: str) -> None:
    played = marks(world_cell(KINDS[name], "few"), most=20)
    assert "x" not in played
    assert "1" in played


def test_a_list_is_a_list_in_wordings_that_had_but_two_items() -> None:
    played = marks(world_cell(KINDS["KeyRound"], "few"), most=20)
    assert played.count("1") >= 16
    assert "x" not in played


def test_a_list_is_a_list_in_each_wording_whatever_its_length() -> None:
    wordings = read_lesson(world_cell(ToolCrib, "hidden").lesson)[0].tasks.templates
    assert len(wordings) == 3
    assert all(each.lists for each in wordings)


def test_what_most_did_to_a_thing_is_no_idle_step() -> None:
    """Letters are sent in nearly all demonstrations, and nothing that is known says when."""
    assert set(marks(world_cell(KINDS["DunningLetters"], "hidden"))) == {"0"}


@pytest.mark.parametrize("name", ["InvoiceMatch", "JobDuration"])
def test_what_one_of_ten_did_alone_is_handed_over(name: str) -> None:
    """One demonstration tells the owner what no other tells: nobody knows when that is needed."""
    assert set(marks(world_cell(KINDS[name], "few"), most=20)) == {"0"}


@pytest.mark.parametrize(
    ("moment", "sign", "steps", "other"),
    [
        ("09:50", "+", "25", "10:15"),
        ("9:05", "-", "10", "8:55"),
        ("23:50", "+", "20", None),
        ("2025-02-27", "+", "3", "2025-03-02"),
        ("3 March 2025", "-", "3", "28 February 2025"),
        ("2025-02-27", "*", "3", None),
        ("12", "+", "3", "15"),
        ("10:15", "-", "09:50", "25"),
        ("2025-03-02", "-", "27 February 2025", "3"),
        ("2025-03-02T10:00:30", "-", "2025-03-01T10:00:00", "1440.5"),
        ("10:15", "+", "09:50", None),
        ("09:50", "+", "1.5", None),
        (None, "+", "3", None),
    ],
)
def test_days_and_times_are_computed_with(
    moment: str | None, sign: str, steps: str, other: str | None
) -> None:
    quantity = combine(quantity_of(moment), sign, quantity_of(steps))
    assert (quantity.text() if quantity else None) == other


def test_the_only_call_that_the_end_needs_is_no_glance() -> None:
    proposals = propose_programs(demonstrations(Workshop, 10))
    assert not any(each.trusted for each in proposals)
    assert sum(d.abstains for each in proposals for d in each.proof.divergences) == 0


def test_names_of_several_words_are_no_columns() -> None:
    phrases = frozenset(("Egan", "Gray", "Bell"))
    names = [("Dan Egan",), ("Finn Gray",), ("Ada Bell",)]
    asked = Template("How many orders has {1} placed?")
    assert parted_at_signs(asked, names, phrases) == asked
    rows = [("Mar 3 12:16 Egan",), ("Mar 15 02:29 Gray",), ("Mar 4 11:01 Bell",)]
    assert parted_at_signs(Template("root {1}"), rows, phrases).slots == ("1", "2", "3", "4")


def test_what_stands_in_quotation_marks() -> None:
    assert quoted("Put 'The Pump' into \"Work, and Rain\", it's Ann's") == [
        "The Pump",
        "Work, and Rain",
    ]


def test_rows_are_read_from_both_ends() -> None:
    texts = ["T12 The Long Way 4:31", "T7 Pump 2:10", "T88 A Song 3:05", "T5 Oh 5:00"]
    template = with_single_words(Template("{1} {2} {3}"), texts, frozenset())
    assert [template.read(text) for text in texts[:2]] == [
        ("T12", "The Long Way", "4:31"),
        ("T7", "Pump", "2:10"),
    ]


def test_a_name_of_several_words_is_no_two_columns() -> None:
    texts = ["09:10 IC 480 | 3", "10:20 RE 17 | 5", "11:30 EC 959 | 2"]
    trains = frozenset(("IC 480", "RE 17", "EC 959"))
    template = with_single_words(Template("{1} {2} | {3}"), texts, trains)
    assert template.read(texts[0]) == ("09:10", "IC 480", "3")


def test_slots_of_one_word_are_written_and_read() -> None:
    template = Template("{1} {2}", words=frozenset("2"))
    assert template.read("a long name 12") == ("a long name", "12")
    assert read_template(Node(template_document(template), ())) == template


def test_a_part_of_another_candidate_is_not_said() -> None:
    history = History("Reset the label printer.", Fact(TASK, {}), ())
    assert history.said_apart("label printer", ["printer", "label printer"])
    assert not history.said_apart("printer", ["printer", "label printer"])


def test_a_clause_of_a_task_is_no_value_of_lines() -> None:
    """Its stop and its colon stand in lines that have nothing to do with it."""
    lesson = world_cell(KINDS["UmtauschTheke"], "hidden").lesson
    reading, _ = read_lesson(lesson)
    assert "Erledigt." in {template.text for template in reading.results.templates}
