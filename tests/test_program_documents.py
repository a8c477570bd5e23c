"""Programs as documents: an exact round trip, the same decisions, and errors with their place."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.evals.ladder.cells import world_cell
from macla.evals.ladder.worlds import DEVELOPMENT
from macla.procedures.common.errors import ConditionError, LibraryError
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.episodes.date_notations import NOTATIONS
from macla.procedures.episodes.history import Done
from macla.procedures.episodes.templates import Template
from macla.procedures.files.heads import Head
from macla.procedures.programs.box import Box
from macla.procedures.programs.call_forms import Form, ToolUse
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.exact_numbers import SIGNS
from macla.procedures.programs.learning.lessons import read_lesson
from macla.procedures.programs.learning.program_learner import learn_program
from macla.procedures.programs.notation import condition_text
from macla.procedures.programs.notation_reading import read_condition
from macla.procedures.programs.pairs import ANY, NOT_TOLD, TOLD
from macla.procedures.programs.program import Act, Guard, Program, ProgramStep, decide
from macla.procedures.programs.program_conditions import (
    After,
    Argument,
    Arithmetic,
    Comparison,
    Condition,
    DoneStep,
    Field,
    OneOf,
    Row,
    Said,
    Shown,
    TaskSlot,
    ToldField,
    Total,
    Unused,
)
from macla.procedures.programs.ranges import Range
from macla.procedures.programs.sources import (
    At,
    Case,
    Choice,
    Computed,
    Constant,
    Line,
    Offered,
    Order,
    Piece,
    Rule,
    Written,
)
from macla.procedures.programs.value_notation import (
    CASES,
    ENDS,
    KEEPS,
    SIDES,
    NumberNotation,
    Part,
    Writing,
)
from macla.schemas import first_misfit

_CLOCKS = ("HH:MM", "H:MM", "HH.MM", "H.MM", "HHMM", "HHhMM", "H:MM am", "H am", "HH:MM:SS")
# Hypothesis prints a strategy that it asks again, and these hold many others.
pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")


# ---------------------------------------------------------------------------- random programs
_texts = st.one_of(
    st.sampled_from(
        ["", "Done.", 'a "quoted" {1}, text', "each {1} of {1}.", "get.items[]", "日本"]
    ),
    st.text(max_size=12),
)
_fields = st.one_of(st.sampled_from(["0", "1", "2", "item", "price", "customer.name", ""]), _texts)
_operators = st.sampled_from(["go {}", "{} euros", "press {{}} {}", "wait", "put {} on {}"])
_plain_terms = st.one_of(
    st.builds(Field, _fields),
    st.builds(ToldField, _texts, _fields),
    st.builds(ToldField, _texts, _fields, st.sampled_from(["before", "first"])),
    st.builds(TaskSlot, _fields),
    st.builds(Argument, _operators, st.integers(0, 3)),
)
_candidate_fields = st.builds(Field, _fields)
_ordered = st.one_of(
    _candidate_fields,
    st.builds(Arithmetic, _candidate_fields, st.sampled_from(SIGNS), _candidate_fields),
)
_rows = st.builds(Row, _texts, _fields, _plain_terms, _fields, st.booleans())
_signs = st.sampled_from(SIGNS)
_terms = st.one_of(
    _plain_terms, _rows, st.builds(Arithmetic, _plain_terms, _signs, st.one_of(_plain_terms, _rows))
)
_relations = st.sampled_from(["=", "≠", "<=", ">=", "<", ">"])
_value_lists = st.lists(_texts, max_size=3).map(tuple)
_ids = ["open", "open-2", "read the list", "50%", "größe"]


def _conditions(ids: list[str]) -> st.SearchStrategy[Condition]:
    steps = st.sampled_from(ids)
    return st.one_of(
        st.builds(Said, _terms),
        st.builds(Comparison, _terms, _relations, _terms),
        st.builds(OneOf, _terms, _value_lists),
        st.builds(Unused, _terms, _operators),
        st.builds(Shown, _texts, st.booleans(), st.booleans()),
        st.builds(DoneStep, steps, st.booleans(), st.integers(1, 9)),
        st.builds(After, st.one_of(steps, st.just("")), st.booleans()),
    )


def _several(of: st.SearchStrategy[Any], most: int = 2) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(of, max_size=most).map(tuple)


_row_conditions = st.one_of(
    st.builds(Said, _terms),
    st.builds(Comparison, _terms, _relations, _terms),
    st.builds(OneOf, _terms, _value_lists),
    st.builds(Unused, _terms, _operators),
)
_rules = st.builds(
    Rule, _several(_row_conditions), _several(st.builds(Order, _ordered, st.booleans()))
)
_cases = st.builds(Case, _several(_row_conditions, 1), _rules, _several(_rules, 1), st.booleans())
_tellings = st.sampled_from(get_args(At))
_choices = st.builds(Choice, _texts, _fields, _tellings, _several(_cases), st.booleans())
_plain_sources = st.one_of(
    st.builds(Constant, _texts, st.booleans()),
    st.builds(TaskSlot, _fields),
    st.builds(Argument, _operators, st.integers(0, 3)),
    st.builds(Line, st.just("") | _operators, st.integers(0, 3)),
    _choices,
)
_parts = st.builds(Part, st.sampled_from(SIDES), st.sampled_from(ENDS), st.sampled_from("./-"))
_writings = st.builds(
    Writing,
    _several(_parts),
    st.none() | st.tuples(st.sampled_from(NOTATIONS), st.sampled_from(NOTATIONS)),
    st.sampled_from(("", *_CLOCKS)),
    st.none()
    | st.builds(
        NumberNotation,
        st.sampled_from(".,"),
        st.sampled_from(".,"),
        st.sampled_from(["", " "]),
        st.none() | st.integers(0, 4),
    ),
    st.dictionaries(_texts, _texts, max_size=2).map(lambda each: tuple(sorted(each.items()))),
    st.sampled_from(KEEPS),
    st.none() | st.sampled_from(["", "-"]),
    st.none() | st.tuples(_texts, _texts),
    st.sampled_from(CASES),
    st.integers(0, 9),
)
_told_terms = st.one_of(
    st.builds(ToldField, _texts, _fields),
    st.builds(TaskSlot, _fields),
    st.builds(Argument, _operators, st.integers(0, 3)),
)
_computations = st.one_of(
    st.builds(Total, _texts, st.none() | _fields, _several(_row_conditions)),
    st.builds(Arithmetic, _told_terms, _signs, _told_terms),
)
_pieces = st.lists(
    st.builds(Piece, _plain_sources, _writings), min_size=1, max_size=2, unique=True
).map(tuple)
_sources = st.one_of(
    _plain_sources,
    st.builds(
        Computed,
        st.lists(_computations, min_size=1, max_size=3, unique=True).map(tuple),
        st.none() | st.integers(0, 3),
    ),
    st.builds(Written, st.lists(_texts | _pieces, min_size=1, max_size=3).map(tuple)),
)


@st.composite
def _templates(draw: st.DrawFn) -> Template:
    parts = draw(st.lists(_texts, min_size=1, max_size=4))
    escaped = [part.replace("{", "{{").replace("}", "}}") for part in parts]
    slots = [str(number) for number in range(1, len(parts))]
    text = escaped[0] + "".join(
        f"{{{s}}}{part}" for s, part in zip(slots, escaped[1:], strict=True)
    )
    template = Template(text)
    if len(template.slots) != len(slots):  # doubled braces beside a slot can be read two ways
        return Template("plain")
    few = {s: draw(_value_lists) for s in slots if draw(st.booleans())}
    lists = frozenset(s for s in slots if draw(st.booleans()))
    return Template(text, few, lists, over=draw(st.frozensets(_texts, max_size=2)))


_parts = st.lists(_texts, min_size=1, max_size=3).map(tuple)
_forms = st.builds(
    Form,
    st.sampled_from(["", "find_orders"]),
    st.dictionaries(_texts, _parts, max_size=2).map(lambda each: tuple(sorted(each.items()))),
).map(lambda form: form if form.tool else Form("", (("text", ("It is ", ".")),)))
_places = st.tuples(st.sampled_from(["task", "find_orders", "[] of {1}"]), _fields)
_values = st.lists(_texts, min_size=1, max_size=3, unique=True)
_sizes = st.floats(-1e6, 1e6)
_ranges = _values.map(Range.closed) | st.builds(
    Range,
    _values.map(frozenset),
    st.dictionaries(
        st.sampled_from(["number", "date"]), st.tuples(_sizes, _sizes | st.just(math.inf))
    ),
    _values.map(frozenset),
    st.integers(1, 9),
    _values.map(frozenset),
    st.integers(1, 9),
)
_box_relations = st.tuples(_places, st.sampled_from(["=", "has", ">="]), _places)
_atoms = st.tuples(st.just("find_orders"), st.just("state"), _texts | st.just(ANY)) | st.tuples(
    st.just("find_orders"), st.just(""), st.sampled_from([TOLD, NOT_TOLD])
)


@st.composite
def _shown(draw: st.DrawFn) -> Box:
    ranges = draw(st.dictionaries(_places, _ranges, max_size=3))
    kinds = frozenset(kind for kind, _ in ranges if kind != "task")
    return Box(
        runs=draw(st.integers(1, 9)),
        wordings=frozenset(draw(_values)),
        kinds=kinds | {"begin"},
        ranges=ranges,
        relations=frozenset(draw(st.lists(_box_relations, max_size=2))),
        pairs=frozenset(draw(st.lists(st.tuples(_atoms, _atoms), max_size=2))),
        doubted=draw(st.integers(0, 2)),
        signs=draw(_several(_texts)),
        results=frozenset(draw(st.lists(st.sampled_from(["text", "object"])))),
    )


_boxes = st.just(Box()) | _shown()


@st.composite
def _programs(draw: st.DrawFn) -> ProgramFile:
    ids = draw(st.lists(st.sampled_from(_ids), unique=True, min_size=1))
    conditions = _conditions(ids)
    guards = st.builds(
        Guard,
        _several(st.one_of(conditions, st.builds(Offered, _choices, st.booleans()))),
        _several(conditions, 1),
    )
    steps = []
    for identifier in ids:
        form = draw(st.none() | _forms)
        operator = draw(_operators) if form is None else form.operator
        number = operator.replace("{{}}", "").count("{}") if form is None else form.slots
        sources = tuple(draw(_sources) for _ in range(number))
        types = {source: draw(st.sampled_from(["", "number", "date"])) for source in sources}
        steps.append(
            ProgramStep(
                id=identifier,
                operator=operator,
                sources=sources,
                guards=draw(_several(guards)),
                again=draw(st.booleans()),
                commit=draw(st.booleans()),
                box=replace(
                    draw(_boxes),
                    needs=draw(_several(st.sampled_from(ids))),
                    provided=draw(_several(conditions)),
                    sizes=tuple(types[s] for s in sources) if any(types.values()) else (),
                ),
                form=form,
            )
        )
    told = st.one_of(st.builds(ToldField, _texts, _fields), st.builds(TaskSlot, _fields), _rows)
    few = draw(st.dictionaries(told, _value_lists, max_size=2))
    return ProgramFile(
        "some-id",
        Program(tuple(steps), few),
        lines=draw(_several(_templates())),
        wordings=draw(_several(_templates().filter(lambda each: each.text.strip()))),
        version=draw(st.integers(1, 9)),
        status=draw(st.sampled_from(["draft", "active", "retired"])),
        description=draw(st.sampled_from(["", "At the gate."])),
        begins=draw(st.sampled_from(["", '{"open": true,', "A shop is open."])),
        tools=ToolUse() if any(step.form for step in steps) else None,
    )


@given(_programs())
def test_what_is_written_is_read_as_the_same_program(file: ProgramFile) -> None:
    document = file.to_document()
    assert first_misfit("program", document) is None
    again = ProgramFile.from_document(load_yaml(dump_yaml(document).encode()))
    assert again == file
    assert again.to_document() == document
    if file.wordings:
        assert Head.read("program", document) == Head.of(file)


@given(_conditions(_ids))
def test_a_condition_is_read_as_it_was_printed(condition: Condition) -> None:
    assert read_condition(condition_text(condition)) == condition


@given(st.text(alphabet='said({told"1}),=<not ever[]', max_size=30))
def test_any_text_is_a_condition_or_an_error_with_its_column(text: str) -> None:
    try:
        condition = read_condition(text)
    except ConditionError as error:
        column = error.column or 0
    else:
        column = 1
        assert read_condition(condition_text(condition)) == condition
    assert 1 <= column <= len(text) + 1


# ---------------------------------------------------------------------------- learned programs
@pytest.mark.parametrize("name", ["bike-hire", "badge-printer", "book-returns", "intranet-shop"])
def test_a_learned_program_decides_the_same_from_its_file(name: str) -> None:
    cell = world_cell(next(kind for kind in DEVELOPMENT if kind.name == name), "hidden")
    reading, lessons = read_lesson(list(cell.lesson))
    program = learn_program(lessons)
    file = ProgramFile(name, program, reading.results.templates, reading.tasks.templates)
    read = ProgramFile.from_document(load_yaml(dump_yaml(file.to_document()).encode()))
    assert read == file
    results, _ = read.readers()
    for task in cell.tasks[:10]:
        asked, observation = cell.environment.reset(task)
        one, other = reading.begin(asked, observation), read.begin(asked, observation)
        for _ in range(cell.horizon):
            decision = decide(program, one)
            assert decide(read.program, other) == decision
            if not isinstance(decision, Act):
                break
            action = decision.step.operator.format(*decision.arguments)
            observation, _, done, _ = cell.environment.step(action)
            call = Done(decision.step.id, decision.step.operator, decision.arguments)
            one.add(call, reading.results.read(observation))
            other.add(call, results.read(observation))
            if done:
                break


# ---------------------------------------------------------------------------- people's faults
def _document() -> dict[str, Any]:
    return {
        "kind": "program",
        "id": "lend-bike",
        "goal": "{1} asks for a bike whose frame is {2}.",
        "lines": ["bike {1} - frame {2}"],
        "parameters": {
            "person": {"source": "task", "slot": 1},
            "bike": {
                "source": "choice",
                "take": "{1}",
                "among": "bike {1} - frame {2}",
                "where": ["said({2})"],
            },
        },
        "steps": [
            {"id": "look", "do": "walk through the shed"},
            {
                "id": "lend",
                "do": "lend {person} bike {bike}",
                "when": ["done(look)", "offered(bike)"],
            },
        ],
    }


def test_a_document_of_a_person_is_read() -> None:
    file = ProgramFile.from_document(_document())
    step = file.program.steps[1]
    assert step.operator == "lend {} bike {}"
    assert step.sources[0] == TaskSlot("1")
    assert file.to_document()["parameters"].keys() == {"person", "bike"}


@pytest.mark.parametrize(
    ("keys", "value", "path", "problem"),
    [
        (("steps", 1, "do"), "lend {man} {bike}", "steps.1.do", "no parameter 'man'"),
        (("steps", 1, "when"), ["done(lok)"], "steps.1.when", "no step 'lok'"),
        (("steps", 1, "when"), ["not said(task(1))"], "steps.1.when.0", "'not' stands before"),
        (("steps", 1, "when"), ["said(task(1)"], "steps.1.when.0", r"expected '\)' \(column 13\)"),
        (
            ("steps", 1, "when"),
            ['known(before("a", {1} = row("a", {1} = {1}, {1}), {1}))'],
            "steps.1.when.0",
            "no row itself",
        ),
        (("steps", 1, "when"), ["offered(person)"], "steps.1.when.0", "no parameter that is a cho"),
        (("steps", 1, "sizes"), {"man": "date"}, "steps.1.sizes.man", "no parameter 'man'"),
        (("steps", 0, "id"), "lend", "steps.1.id", "stands here twice"),
        (("parameters", "bike", "where"), ["{2}"], "parameters.bike.where.0", "expected =, !="),
        (
            ("parameters", "bike", "order"),
            ["less {2}"],
            "parameters.bike.order.0",
            "'least', 'greatest', 'first said' or",
        ),
        (("parameters", "bike", "take"), "1", "parameters.bike.take", "expected '{'"),
        (("parameters", "bike", "source"), "oracle", "parameters.bike.source", "one of constant"),
        (("parameters", "more"), {"source": "task", "slot": 2}, "parameters.more", "used nowhere"),
        (
            ("parameters", "note"),
            {"source": "written", "from": "rider", "case": "lower"},
            "parameters.note.from",
            "no parameter 'rider'",
        ),
        (
            ("parameters", "note"),
            {"source": "written", "from": "note", "case": "lower"},
            "parameters.note.from",
            "'note' is written anew itself",
        ),
        (("lines",), [{"line": "a {1}", "few": {"2": []}}], "lines.0", r"no slot \{2\}"),
        (("known",), ['shown("x")'], "known.0", "should be told"),
    ],
)
def test_an_error_names_its_place(
    keys: tuple[str | int, ...], value: Any, path: str, problem: str
) -> None:
    document: Any = _document()
    inner = document
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value
    with pytest.raises(LibraryError, match=problem) as caught:
        ProgramFile.from_document(document)
    assert ".".join(map(str, caught.value.path)) == path
