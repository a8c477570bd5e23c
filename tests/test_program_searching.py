"""Programs that search: maps of places, names in prose, and where one goes next."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.evals.foreign_worlds import ForeignTask, demonstrations
from macla.evals.foreign_worlds.house import House, HouseByName
from macla.evals.ladder.cells import world_cell
from macla.evals.ladder.worlds import world_of
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
from macla.procedures.programs.calls import action_of
from macla.procedures.programs.conditions import (
    Argument,
    Comparison,
    Condition,
    Literal,
    Present,
    Said,
    TaskSlot,
    Unexplored,
    Unused,
)
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.learning.lessons import read_lesson
from macla.procedures.programs.learning.places import learn_places
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.notation import condition_text
from macla.procedures.programs.notation_reading import read_condition
from macla.procedures.programs.program import Act, decide
from macla.procedures.programs.searching.places import Map, Places
from macla.procedures.programs.searching.sightings import Sightings
from macla.procedures.yaml_dump import dump_yaml
from macla.procedures.yaml_io import load_yaml
from macla.schemas import first_misfit

_BACK = {"go east": "go west", "go west": "go east"}
_PLACES = Places(("go {}",), ("look",), start=False, back=_BACK)


def _room(name: str, *things: str) -> tuple[Fact, ...]:
    return (
        Fact("This is the {1}.", {"1": name}),
        *(Fact("Here is a {1}.", {"1": each}) for each in things),
    )


def _walk(places: Places, *calls: tuple[str, Sequence[str], Sequence[Fact]]) -> History:
    history = places.begin(History("", Fact(TASK, {}), ()))
    for operator, arguments, result in calls:
        history.add(Done(None, operator, tuple(arguments)), result)
    return history


# ---------------------------------------------------------------------------- maps
def test_what_was_told_of_a_place_is_known_there_only_and_known_again() -> None:
    there = _walk(_PLACES, ("look", (), _room("hall", "rope")), ("go {}", ["east"], ()))
    assert there.newest("This is the {1}.") == []
    assert Unexplored().holds(there)
    there.add(Done(None, "look", ()), _room("cellar"))
    there.add(Done(None, "go {}", ("west",)), ())
    assert [fact.fields["1"] for fact in there.newest("Here is a {1}.")] == ["rope"]
    assert not Unexplored().holds(there)


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


# ---------------------------------------------------------------------------- conditions
@pytest.mark.parametrize(
    "condition",
    [
        Present(TaskSlot("1")),
        Present(TaskSlot("1"), part=True, negated=True),
        Unexplored(),
        Unexplored(negated=True),
        Said(Argument("go to {}", 0), part=True),
        Said(Literal("hot")),
        Unused(Argument("take {}", 0), "put {}", negated=True),
        Comparison(Argument("go to {}", 0), "says", Literal("fridge")),
    ],
)
def test_a_condition_is_read_as_it_was_printed(condition: Condition) -> None:
    assert read_condition(condition_text(condition)) == condition


def test_a_thing_is_at_hand_until_it_is_handed_on() -> None:
    waits = Unused(Argument("take {}", 0), "put {}")
    history = _walk(_PLACES)
    assert not waits.holds(history)
    history.add(Done(None, "take {}", ("rope",)), ())
    assert waits.holds(history)
    history.add(Done(None, "put {}", ("rope",)), ())
    assert not waits.holds(history)


# ---------------------------------------------------------------------------- where to go
_ERRAND = {
    "kind": "program",
    "id": "errand",
    "version": 1,
    "goal": "Bring the {1} to the {2}.",
    "lines": ["This is the {1}.", "Here is a {1}.", {"line": "Doors: {1}.", "lists": ["1"]}],
    "places": {"moves": ["go {}"], "told_by": ["go {}"], "back": {**_BACK}},
    "parameters": {
        "thing": {"source": "task", "slot": 1},
        "way": {
            "source": "search",
            "ways": [{"line": "each {1} of Doors: {1}.", "take": "{item}"}],
        },
    },
    "steps": [
        {"id": "take", "do": "take {thing}", "when": ["here(task(1))"]},
        {
            "id": "leave",
            "do": "leave {thing}",
            "when": ["here(task(2))", 'unused(argument("take {}", 1), "leave {}")'],
            "commit": True,
        },
        {"id": "go", "do": "go {way}", "again": True},
    ],
}
_ROOMS = {
    "hall": "This is the hall.\nDoors: east, west.",
    "east": "This is the cellar.\nHere is a rope.\nDoors: west.",
    "west": "This is the attic.\nDoors: east.",
}


def test_a_thing_is_searched_for_and_brought_to_where_it_belongs() -> None:
    file = ProgramFile.from_document(_ERRAND)
    history = file.begin("Bring the rope to the attic.", _ROOMS["hall"])
    done = []
    for told in ("east", "", "hall", "west", ""):
        decision = decide(file.program, history)
        assert isinstance(decision, Act)
        done.append(action_of(decision.step.operator, decision.arguments))
        call = Done(decision.step.id, decision.step.operator, decision.arguments)
        history.add(call, file.readers()[0].read(_ROOMS.get(told, "")))
    assert done == ["go east", "take rope", "go west", "go west", "leave rope"]


def test_what_can_be_done_elsewhere_is_gone_for_the_shortest_way() -> None:
    file = ProgramFile.from_document(_ERRAND)
    history = file.begin("Bring the rope to the hall.", _ROOMS["hall"])
    for operator, argument, told in (
        ("go {}", "west", _ROOMS["west"]),
        ("go {}", "east", _ROOMS["hall"]),
        ("go {}", "east", _ROOMS["east"]),
        ("take {}", "rope", ""),
    ):
        call = Done(operator.split()[0], operator, (argument,))
        history.add(call, file.readers()[0].read(told))
    decision = decide(file.program, history)
    assert isinstance(decision, Act)
    assert action_of(decision.step.operator, decision.arguments) == "go west"


def test_a_searching_program_is_a_document() -> None:
    file = ProgramFile.from_document(_ERRAND)
    document = load_yaml(dump_yaml(file.to_document()).encode())
    assert first_misfit("program", document) is None
    assert ProgramFile.from_document(document).does_the_same(file)


def test_places_are_searched_where_what_is_asked_for_was_seen_most() -> None:
    seen = {"mug": {"shelf": 6, "bed": 0}, "pillow": {"bed": 7}}
    sightings = Sightings({"shelf": 8, "bed": 8}, seen)
    mug = History("Find a mug.", Fact(TASK, {}), ())
    other = History("Find a hat.", Fact(TASK, {}), ())
    assert sightings.chance("shelf 1", mug) > sightings.chance("desk 1", mug)
    assert sightings.chance("desk 1", mug) > sightings.chance("bed 2", mug)
    assert 0 < sightings.chance("desk 1", other) < 1


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
