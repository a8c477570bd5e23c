"""Programs that plan: maps of places, names in prose, operators, goals, and what is done next."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.evals.foreign_worlds import ForeignTask, demonstrations
from macla.evals.foreign_worlds.house import House, HouseByName
from macla.evals.ladder.cells import world_cell
from macla.evals.ladder.worlds import world_of
from macla.procedures.common.errors import LibraryError
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.episodes.facts import LISTING, UNREAD, Fact, Reader
from macla.procedures.episodes.history import TASK, Done, History
from macla.procedures.episodes.mentions import (
    Context,
    Mention,
    context_text,
    learn_mention,
    read_context,
)
from macla.procedures.episodes.templates import Template
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.learning.lessons import read_lesson
from macla.procedures.programs.learning.operator_learning import _with_words_in_operator
from macla.procedures.programs.learning.place_learning import learn_places
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.needed_facts import kinds_of_program
from macla.procedures.programs.planning.places import Map, Places
from macla.procedures.programs.planning.sightings import Sightings
from macla.procedures.programs.program import Act, Ask, decide
from macla.procedures.programs.program_checks import check_programs
from macla.procedures.programs.text_calls import action_of, did_something
from macla.schemas import first_misfit

_BACK = {"go east": "go west", "go west": "go east"}
_PLACES = Places(("go {}",), ("look",), start=False, back=_BACK)


def _room(name: str, *things: str) -> tuple[Fact, ...]:
    return (
        Fact("This is the {1}.", {"1": name}),
        *(Fact("Here is a {1}.", {"1": each}) for each in things),
    )


def _walk(places: Places, *calls: tuple[str, Sequence[str], Sequence[Fact]]) -> History:
    history = History("", Fact(TASK, {}), (), memory=Map(places))
    for operator, arguments, result in calls:
        history.add(Done(None, operator, tuple(arguments)), result)
    return history


# ---------------------------------------------------------------------------- maps
def test_what_was_told_of_a_place_is_known_there_only_and_known_again() -> None:
    there = _walk(_PLACES, ("look", (), _room("hall", "rope")), ("go {}", ["east"], ()))
    assert there.newest("This is the {1}.") == []
    assert isinstance(there.memory, Map)
    assert there.memory.present is None
    there.add(Done(None, "look", ()), _room("cellar"))
    there.add(Done(None, "go {}", ("west",)), ())
    assert [fact.fields["1"] for fact in there.newest("Here is a {1}.")] == ["rope"]
    assert there.memory.present is not None


def test_a_copy_of_a_history_walks_on_its_own() -> None:
    one = _walk(_PLACES, ("look", (), _room("hall")))
    other = one.copy()
    other.add(Done(None, "go {}", ("east",)), ())
    assert isinstance(one.memory, Map)
    assert isinstance(other.memory, Map)
    assert (one.memory.here, other.memory.here) == (0, 1)


def test_a_place_of_the_same_name_is_the_same_place() -> None:
    steps = ("look", (), _room("hall")), ("go {}", ["north"], ()), ("look", (), _room("attic"))
    history = _walk(_PLACES, *steps, ("go {}", ["down"], ()), ("look", (), _room("hall")))
    assert isinstance(history.memory, Map)
    assert history.memory.here == 0
    history.add(Done(None, "go {}", ("north",)), ())
    assert history.newest("This is the {1}.")[0].fields["1"] == "attic"


def test_a_move_that_was_refused_leads_nowhere() -> None:
    history = _walk(_PLACES, ("look", (), _room("hall")))
    history.add(Done(None, "go {}", ("east",), worked=False), (Fact(UNREAD, {"1": "A wall."}),))
    area = history.memory
    assert isinstance(area, Map)
    assert area.here == 0
    assert area.blocked(0, Done(None, "go {}", ("east",)))


# ---------------------------------------------------------------------------- prose
def test_names_are_learned_from_where_they_stand() -> None:
    texts = [
        "You see a rope, an old book and a chest here.",
        "You see a lamp here. It is dark.",
        "You see an old book and a lamp here.",
    ]
    uses = [(v, [t]) for t in texts for v in ("rope", "old book", "lamp") if v in t]
    mention = learn_mention("take {}", 0, uses * 2)
    assert mention is not None
    assert set(mention.read("You see a clay pot, an urn and a cup here.")) >= {"clay pot", "cup"}


def test_of_a_sentence_that_lists_names_these_are_the_facts() -> None:
    mention = Mention("take {}", 0, 2, (Context("", ("a",), ","), Context("", ("a",), ".")))
    reader = Reader([Template("It is {1}.")], [mention])
    facts = reader.read("There is a rope, a lamp. It is dark.")
    assert [(fact.kind, *fact.fields.values()) for fact in facts] == [
        (LISTING, "There is a rope, a lamp."),
        ("name 1 of take {}", "rope"),
        ("name 1 of take {}", "lamp"),
        ("It is {1}.", "dark"),
    ]


_words = st.text("abcé'", min_size=1, max_size=4)


@given(st.one_of(st.just(""), _words), st.lists(_words, min_size=1, max_size=2), _words)
def test_a_context_is_read_as_it_was_written(head: str, left: list[str], right: str) -> None:
    context = Context(head, tuple(left), right)
    assert read_context(context_text(context)) == context


@pytest.mark.parametrize("text", ["", "a b", "{} ,", "a {}", "a {} , ,"])
def test_what_is_no_context_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="should be words"):
        read_context(text)


# ---------------------------------------------------------------------------- planning
_HOUSE = {
    "kind": "program",
    "id": "house",
    "version": 1,
    "goal": "Put a warm {1} on the {2}.",
    "lines": [
        "You are at {1}.",
        "You see a {1}.",
        {"line": "{1} is {2}.", "few": {"2": ["open", "shut"]}},
        "You hold {1}.",
        "{1} is warm.",
        {"line": "Ways: {1}.", "lists": ["1"]},
    ],
    "places": {
        "moves": ["go to {}"],
        "told_by": ["go to {}"],
        "by_name": True,
        "anywhere": True,
        "ways": [{"line": "each {1} of Ways: {1}.", "take": "{item}"}],
        "names": [
            {"line": "You see a {1}.", "take": "{1}"},
            {"line": "each {1} of Ways: {1}.", "take": "{item}"},
        ],
        "visits": {"shelf": 9, "box": 9, "oven": 9},
        "seen": {"mug": {"box": 8, "shelf": 1}},
    },
    "operators": [
        {
            "id": "take",
            "do": "take {1} from {2}",
            "arguments": {"1": {"here": True}, "2": {"at": True}},
        },
        {
            "id": "open",
            "do": "open {1}",
            "reveals": True,
            "arguments": {
                "1": {
                    "at": True,
                    "told": [{"line": "{1} is {2}.", "where": {"1": "{it}", "2": "shut"}}],
                }
            },
        },
        {
            "id": "warm",
            "do": "warm {1} in {2}",
            "arguments": {
                "1": {"needs": ["take {it} from {}"]},
                "2": {
                    "at": True,
                    "unless": [
                        {
                            "line": "{1} is {2}.",
                            "where": {"1": "{it}", "2": "shut"},
                            "then": "open {}",
                        }
                    ],
                    "kinds": {"oven": 3},
                },
            },
        },
        {
            "id": "put",
            "do": "put {1} on {2}",
            "arguments": {
                "1": {"needs": ["take {it} from {}"], "after": ["warm {it} in {}"]},
                "2": {"at": True},
            },
        },
    ],
    "goals": [
        {
            "asked": ["Put a warm {1} on the {2}."],
            "things": {"a": "kind of {1}", "b": "any", "c": "kind of {2}"},
            "do": ["warm {a} in {b}", "put {a} on {c}"],
        },
        {
            "asked": ["Put two {1} on the {2}."],
            "things": {"a": "kind of {1}", "b": "kind of {2}", "c": "kind of {1}"},
            "do": ["put {a} on {b}", "put {c} on {b}"],
        },
    ],
}


class _House:
    """Shelves, a box that is shut, an oven that is shut; mugs."""

    def __init__(self, **things: str) -> None:
        self.things = {name.replace("_", " "): at.replace("_", " ") for name, at in things.items()}
        self.shut = {"box 1", "oven 1"}
        self.here = ""

    def do(self, action: str) -> str:
        """Do something; nothing is told of what cannot be done."""
        verb, _, rest = action.partition(" ")
        if verb == "go":
            self.here = rest.removeprefix("to ")
            return self._told(f"You are at {self.here}.")
        first, _, second = re.sub(" (on|in) ", " from ", rest).partition(" from ")
        if verb == "open" and first == self.here:
            self.shut.discard(first)
            return self._told("")
        if verb == "take" and self.things.get(first) == second == self.here:
            self.things[first] = ""
            return f"You hold {first}."
        if second != self.here or self.things.get(first) != "" or second in self.shut:
            return "What?"
        if verb == "warm":
            return f"{first} is warm."
        self.things[first] = second
        return f"{first} is open."  # anything that is read

    def _told(self, first: str) -> str:
        if self.here in self.shut:
            return f"{first}\n{self.here} is shut."
        opened = [f"{self.here} is open."] if self.here[:3] in ("box", "ove") else []
        seen = [f"You see a {name}." for name, at in self.things.items() if at == self.here]
        return "\n".join(filter(None, [first, *opened, *seen]))


def _played(task: str, house: _House, most: int = 20) -> list[str]:
    file = ProgramFile.from_document(_HOUSE)
    history = file.begin(task, "Ways: shelf 1, shelf 2, box 1, oven 1.")
    done: list[str] = []
    for _ in range(most):
        decision = decide(file.program, history)
        if not isinstance(decision, Act):
            break
        done.append(action_of(decision.step.operator, decision.arguments))
        facts = file.readers()[0].read(house.do(done[-1]))
        worked = did_something(facts, history, again=True)
        call = Done(decision.step.id, decision.step.operator, decision.arguments, worked)
        history.add(call, facts)
    return done


def test_what_a_goal_needs_is_done_first() -> None:
    assert _played("Put a warm mug on the shelf.", _House(mug_2="box_1")) == [
        "go to box 1",  # mugs were mostly seen in boxes
        "open box 1",
        "take mug 2 from box 1",
        "go to oven 1",
        "open oven 1",
        "warm mug 2 in oven 1",
        "go to shelf 1",
        "put mug 2 on shelf 1",
    ]


def test_two_of_a_kind_are_two_things_in_one_place() -> None:
    done = _played("Put two mug on the shelf.", _House(mug_1="box_1", mug_2="shelf_2"))
    assert [each for each in done if each.startswith("put")] == [
        "put mug 1 on shelf 1",
        "put mug 2 on shelf 1",
    ]


def test_what_was_in_vain_is_not_done_again() -> None:
    house = _House(mug_1="box_1")
    house.things["mug 1"] = "nowhere"
    house.do = lambda action, do=house.do: (  # type: ignore[method-assign, misc]
        "You see a mug 1." if action.startswith("open box") else do(action)
    )
    done = _played("Put a warm mug on the shelf.", house)
    assert done.count("take mug 1 from box 1") == 1


def test_a_learned_file_keeps_the_lines_and_names_that_its_operators_look_at() -> None:
    kinds = kinds_of_program(ProgramFile.from_document(_HOUSE).program)
    assert "{1} is {2}." in kinds


def test_a_task_that_nobody_showed_is_handed_over() -> None:
    file = ProgramFile.from_document(_HOUSE)
    assert file.reads("Put a warm mug on the shelf.")
    assert not file.reads("Sing.")
    assert not file.reads("Wash the old blue car in town.")
    decision = decide(file.program, file.begin("Sing.", "Ways: shelf 1."))
    assert isinstance(decision, Ask)
    assert "nobody showed" in decision.because


def test_a_program_that_plans_is_a_document() -> None:
    file = ProgramFile.from_document(_HOUSE)
    document = load_yaml(dump_yaml(file.to_document()).encode())
    assert first_misfit("program", document) is None
    assert ProgramFile.from_document(document).does_the_same(file)


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (("goals", 0, "do", 0), "wash {a} in {b}", "no operator does 'wash {} in {}'"),
        (("goals", 0, "do", 0), "warm {a} in {z}", "no thing is called {z}"),
        (("goals", 0, "things", "a"), "some {1}", "should be any, {1} or kind of {1}"),
        (("operators", 1, "do"), "open {2}", "arguments should be numbered"),
        (("operators", 2, "arguments", "1", "needs", 0), "take {} from {}", "should have {it}"),
    ],
)
def test_what_is_no_plan_is_an_error(path: tuple[str | int, ...], value: str, problem: str) -> None:
    document = copy.deepcopy(_HOUSE)
    at: Any = document
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    with pytest.raises(LibraryError, match=re.escape(problem)):
        ProgramFile.from_document(document)


_TOLD = ("operators", 1, "arguments", "1", "told", 0)
_UNLESS = ("operators", 2, "arguments", "2", "unless", 0)


@pytest.mark.parametrize(
    ("path", "value", "at", "problem"),
    [
        (("places", "moves", 0), "walk to {}", ("places", "told_by", 0), "no operator does 'go to"),
        (("places", "moves", 0), "walk", None, "should have {} once"),
        (
            ("places", "back"),
            {"swim 1": "go to 2"},
            ("places", "back", "swim 1"),
            "none of the moves",
        ),
        (("places", "ways", 0, "line"), "Paths: {1}.", None, "no line reads 'Paths: {1}.'"),
        (("places", "names", 0, "take"), "{9}", None, "has no field {9}"),
        (("operators", 1, "id"), "take", None, "another operator is called 'take' already"),
        (("operators", 1, "do"), "take {1} from {2}", None, "another operator does 'take {} from"),
        (("operators", 1, "arguments", "3"), {"at": True}, None, "'open {1}' has no argument {3}"),
        (
            ("operators", 3, "arguments", "1", "needs", 0),
            "grab {it}",
            None,
            "no operator does 'grab",
        ),
        (
            ("operators", 3, "arguments", "1", "after", 0),
            "grab {it}",
            None,
            "no operator does 'grab",
        ),
        ((*_UNLESS, "then"), "unlock {}", None, "no operator does 'unlock {}'"),
        ((*_UNLESS, "then"), "take {} from {}", None, "should be an operator with one argument"),
        ((*_UNLESS, "line"), "{1} was {2}.", None, "no line reads '{1} was {2}.'"),
        ((*_TOLD, "where", "7"), "shut", None, "has no field {7}"),
        (("goals", 0, "asked", 0), "Put a warm {1} on the {3}.", None, "has no slot {2}"),
    ],
)
def test_what_a_plan_names_has_to_be_there(
    path: tuple[str | int, ...], value: Any, at: tuple[str | int, ...] | None, problem: str
) -> None:
    document: Any = copy.deepcopy(_HOUSE)
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    with pytest.raises(LibraryError, match=re.escape(problem)) as raised:
        ProgramFile.from_document(document)
    assert raised.value.path == (at or path)


def test_a_slot_that_no_thing_of_the_goal_is_is_told() -> None:
    document: Any = copy.deepcopy(_HOUSE)
    document["goals"][0]["asked"] = ["Put a warm {1} on the {2} by {3}."]
    (issue,) = check_programs({"house": ProgramFile.from_document(document)}, ())
    assert issue.path == ("goals", 0, "asked", 0)
    assert "{3}" in issue.message


def test_places_are_searched_where_what_is_asked_for_was_seen_most() -> None:
    seen = {"mug": {"shelf": 6, "bed": 0}, "pillow": {"bed": 7}}
    sightings = Sightings({"shelf": 8, "bed": 8}, seen)
    assert sightings.chance("shelf 1", ["mug"]) > sightings.chance("desk 1", ["mug"])
    assert sightings.chance("desk 1", ["mug"]) > sightings.chance("bed 2", ["mug"])
    assert 0 < sightings.chance("desk 1", ["hat"]) < 1


# ---------------------------------------------------------------------------- learning
def test_places_of_demonstrations_are_learned() -> None:
    cell = world_cell(world_of("house-errand"), "hidden")
    _, lessons = read_lesson(cell.lesson)
    (places,) = learn_places(lessons)
    assert (places.moves, places.told_by) == (("go {}",), ("look around",))
    assert places.back["go north"] == "go south"


@pytest.mark.parametrize("kind", [House, HouseByName])
def test_a_learned_program_searches_houses_that_it_never_saw(kind: type[House]) -> None:
    (proposal,) = propose_programs(demonstrations(kind, 20))
    assert proposal.trusted
    document = load_yaml(dump_yaml(proposal.file.to_document()).encode())
    assert first_misfit("program", document) is None
    file = ProgramFile.from_document(document)
    assert file.does_the_same(proposal.file)
    assert file.runs == 20
    document["demonstrations"] += 1
    assert file.does_the_same(ProgramFile.from_document(document))  # it does no more for it
    world = kind()
    for number in range(8):
        task, observation = world.reset(ForeignTask(f"search{number}"))
        history = file.begin(task, observation)
        for _ in range(60):
            decision = decide(file.program, history)
            assert isinstance(decision, Act), (task, decision.because)
            action = action_of(decision.step.operator, decision.arguments)
            told, _, done, _ = world.step(action)
            call = Done(decision.step.id, decision.step.operator, decision.arguments)
            history.add(call, file.readers()[0].read(told))
            if done:
                break
        assert world.is_won(), task


def test_one_demonstration_that_ends_oddly_makes_no_wording_of_its_own() -> None:
    shown = demonstrations(HouseByName, 20)
    odd = replace(shown[3], obs=shown[3].obs[:-1], acts=shown[3].acts[:-1])
    (proposal,) = propose_programs([*shown[:3], odd, *shown[4:]])
    assert [each.text for each in proposal.file.wordings] == ["Put the {1} into the {2}."]


def test_a_rare_wording_stays_where_a_frequent_one_reads_other_things() -> None:
    shown = demonstrations(HouseByName, 20)
    rare = [replace(each, task=each.task.replace("Put the", "Put the lost")) for each in shown[:2]]
    (proposal,) = propose_programs([*rare, *shown[2:]])
    texts = {each.text for each in proposal.file.wordings}
    assert texts == {"Put the {1} into the {2}.", "Put the lost {1} into the {2}."}


def test_what_the_world_refuses_is_planned_around() -> None:
    file = ProgramFile.from_document(_HOUSE)
    history = file.begin("Put a warm mug on the shelf.", "Ways: shelf 1, shelf 2, box 1, oven 1.")
    decision = decide(file.program, history, lambda _, arguments: arguments != ("box 1",))
    assert isinstance(decision, Act)
    assert decision.arguments == ("shelf 1",)
    assert isinstance(decide(file.program, history, lambda *_: False), Ask)


def test_a_brace_of_an_action_stays_one_where_words_fill_its_operator() -> None:
    operator = "put.{{ {} {}"
    assert _with_words_in_operator(operator, ("word", "shed"), {(operator, 0)}) == (
        "put.{{ word {}",
        ("shed",),
    )
    assert _with_words_in_operator(operator, ("a{", "shed"), {(operator, 0)})[0] == "put.{{ a{{ {}"
    assert _with_words_in_operator(operator, ("word", "shed"), set()) == (
        operator,
        ("word", "shed"),
    )
