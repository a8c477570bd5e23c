"""Programs for pages: words of the task, rows within a line, and what a task says between signs."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from macla.procedures.common.errors import ConditionError
from macla.procedures.episodes.facts import Reader
from macla.procedures.episodes.templates import Template
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.learning.paging import propose_paging
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.notation import condition_text
from macla.procedures.programs.notation_reading import read_condition
from macla.procedures.programs.shown_choices import shown_choices
from macla.procedures.programs.sources import Kept
from program_play import played

_WOODS = ("oak", "ash", "elm", "fir", "yew", "box", "lime", "plum")
_THINGS = ("stool", "shelf", "bowl", "chest", "spoon", "frame")
_STAINS = ("clear", "dark", "red", "grey")


class Yard:
    """An invented yard whose pages are cells between bars; a call slip is handed in once."""

    def __init__(self, seed: int) -> None:
        draw = random.Random(seed)
        self.wood, self.thing = draw.choice(_WOODS), draw.choice(_THINGS)
        self.stain = draw.choice(_STAINS)
        self.limit = draw.randrange(30, 60)
        others = [(w, t) for w in _WOODS for t in _THINGS if t == self.thing and w != self.wood]
        stock = [(self.wood, self.thing), *draw.sample(others, 4)]
        self.rows = [
            (f"K{draw.randrange(1000, 9999)}", f"{w} {t}", draw.randrange(5, 28)) for w, t in stock
        ]
        dear = (f"K{draw.randrange(1000, 9999)}", f"{self.wood} {self.thing}", self.limit + 9)
        self.rows.insert(draw.randrange(2), dear)
        self.wanted = next(row for row in self.rows if row[2] <= self.limit)[0]
        self.bare = ""

    @property
    def task(self) -> str:
        wish = f"Please get a {self.wood} {self.thing} with stain: {self.stain}"
        return f"{wish}, for at most {self.limit} crowns"

    def page(self, action: str) -> str:
        verb, _, value = action.partition(" ")
        if verb == "seek":
            cells = [cell for k, name, price in self.rows for cell in (k, name, f"@{price}")]
            return " ## ".join(("yard", "back", *cells))
        if value in {row[0] for row in self.rows}:
            stains = [s for s in _STAINS if value != self.bare or s != self.stain]
            return " ## ".join(("back", "stain", *stains, "call slip", value))
        return "handed in" if value == "call slip" else ""

    def shown(self) -> Trajectory:
        query = f"seek {self.wood} {self.thing} {self.stain} {self.limit}"
        acts = (query, f"take {self.wanted}", f"take {self.stain}", "take call slip")
        item = self.page(acts[1])
        pages = ("the yard", self.page(acts[0]), item, item, "handed in")
        return Trajectory(self.task, pages, acts, True)


@pytest.fixture(scope="module")
def file() -> ProgramFile:
    found = propose_paging([Yard(seed).shown() for seed in range(40)])
    assert found is not None
    assert found.proposal is not None
    assert found.proposal.proof.reproduced == found.proposal.proof.of
    return found.proposal.file


def play(file: ProgramFile, yard: Yard) -> list[str]:
    item = ""

    def told(action: str) -> str | None:
        nonlocal item
        item = yard.page(action) or item
        return None if item == "handed in" else item

    return played(file, yard.task, "the yard", told, 12)


def test_a_program_for_pages_is_learned_and_played(file: ProgramFile) -> None:
    for seed in range(100, 120):
        yard = Yard(seed)
        asked, *rest = play(file, yard)
        assert {yard.wood, yard.thing, yard.stain}.issubset(asked.split())
        assert rest == [f"take {yard.wanted}", f"take {yard.stain}", "take call slip"]


class Generous(Yard):
    """A yard whose task names no limit."""

    @property
    def task(self) -> str:
        return super().task.partition(", for at most")[0]


def test_where_the_task_names_no_limit_nothing_is_beyond_it(file: ProgramFile) -> None:
    assert play(file, Generous(101))[-1] == "take call slip"


def test_what_lacks_what_the_task_says_is_not_taken(file: ProgramFile) -> None:
    yard = Yard(7)
    yard.bare = yard.wanted
    asked, first, again, second, *_ = play(file, yard)
    assert first == f"take {yard.wanted}"
    assert again == asked
    assert second not in (first, "take call slip")


def test_where_a_wrong_end_costs_what_lacks_it_is_not_handed_in(file: ProgramFile) -> None:
    yard = Yard(7)
    yard.page = lambda action: (  # type: ignore[method-assign]
        "back ## stain ## call slip" if action.startswith("take") else Yard.page(yard, action)
    )
    assert "take call slip" not in play(file, yard)


def test_where_episodes_are_paid_by_degrees_what_is_open_is_handed_in() -> None:
    paid = [replace(Yard(seed).shown(), reward=1.0) for seed in range(40)]
    found = propose_paging(paid)
    assert found is not None
    assert found.proposal is not None
    yard = Yard(7)
    yard.page = lambda action: (  # type: ignore[method-assign]
        "back ## stain ## call slip" if action.startswith("take K") else Yard.page(yard, action)
    )
    assert play(found.proposal.file, yard)[-1] == "take call slip"


def test_it_is_written_and_read_again(file: ProgramFile) -> None:
    document = file.to_document()
    assert ProgramFile.from_document(document).does_the_same(file)
    assert document["parameters"]["words"]["source"] == "kept"
    assert "please" in document["parameters"]["words"]["drop"]
    assert document["parameters"]["row"]["where"] == ["{3} !> task(2)"]
    assert document["lines"][0] == {"line": "{1} ## {2} ## @{3}", "within": " ## "}


def test_it_is_proposed_with_others_and_tells_where_it_chooses() -> None:
    shown = [Yard(seed).shown() for seed in range(40)]
    (proposal,) = propose_programs(shown)
    assert proposal.trusted
    ways, action = next(iter(shown_choices(proposal.file, shown[0])))
    assert ways[0] == action == shown[0].acts[1]


def test_demonstrations_of_another_world_in_one_file_are_learned_from_as_well() -> None:
    names = ("Ada", "Ben", "Cem", "Dora", "Eva", "Finn", "Gus", "Hana", "Ivo", "Jun", "Kai", "Lea")
    other = [
        Trajectory(f"Greet {name}.", ("Ready.", "Done.", "Bye."), (f"greet {name}", "leave"), True)
        for name in names
    ]
    proposals = propose_programs([*(Yard(seed).shown() for seed in range(20)), *other])
    assert [each.trusted for each in proposals] == [True, True]
    greeting = proposals[1].file
    assert greeting.reads("Greet Max.")
    assert "seek {}" not in [step.operator for step in greeting.program.steps]


def test_episodes_of_another_form_give_none() -> None:
    shown = [Yard(seed).shown() for seed in range(10)]
    assert propose_paging(shown[:3]) is None
    plain = [
        Trajectory(d.task, tuple(o.replace(" ## ", "\n") for o in d.obs), d.acts, True)
        for d in shown
    ]
    assert propose_paging(plain) is None


# ---------------------------------------------------------------------------- the parts
def test_parts_of_a_line_are_read_side_by_side() -> None:
    reader = Reader(
        [
            Template("{1} ## @{2}", within=" ## "),
            Template("{1}", within=" ## "),
            Template("Sum {1}"),
        ]
    )
    facts = reader.read("shop ## oak ## @3 ## ash ## @4\nSum 7")
    rows = [tuple(f.fields.values()) for f in facts if f.kind == "{1} ## @{2}"]
    assert rows == [("oak", "3"), ("ash", "4")]
    assert sum(f.kind == "{1}" for f in facts) == 5
    assert facts[-1].kind == "Sum {1}"


def test_words_are_kept_but_those_that_are_dropped() -> None:
    assert Kept(("get", "a")).text("Get a (big) box, soon!") == "big box soon"
    assert Kept.alike("big box soon", "box, big")
    assert not Kept.alike("big box soon", "a cat")


@pytest.mark.parametrize(
    "text",
    ['said(": ..., and ", {1})', 'not every said(": ...,", "{1}", 1)', "{3} !> task(2)"],
)
def test_conditions_are_printed_as_they_are_read(text: str) -> None:
    assert condition_text(read_condition(text)) == text


def test_signs_without_a_gap_are_refused() -> None:
    with pytest.raises(ConditionError, match="signs around"):
        read_condition('said(": ", {1})')
    with pytest.raises(ConditionError, match="behind 'every'"):
        read_condition('every shown("a")')
