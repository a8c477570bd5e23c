"""Values that are written anew: other notations, parts, frames; and what is learned with them."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.episodes.date_notations import NOTATIONS, day_of, days_of, written_date
from macla.procedures.episodes.tokens import magnitude, tokens
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning.abstraction import slug
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.learning.composed_texts import learn_text
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.program import Act, decide
from macla.procedures.programs.program_conditions import TaskSlot
from macla.procedures.programs.sources import Written
from macla.schemas import first_misfit
from program_play import replayed

_NAMES = ("Ada Berg", "Bo Lind", "Cem Kaya", "Dana Roth", "Eli Moss", "Finn Hale", "Gus Odd")

MONTH = {
    "Mar": "03",
    "Apr": "04",
    "May": "05",
    "Jun": "06",
    "Jul": "07",
}


@given(st.dates(date(2000, 1, 1), date(2099, 12, 31)), st.sampled_from(NOTATIONS))
def test_a_date_is_read_as_it_is_written(day: date, notation: str) -> None:
    assert (notation, day) in set(days_of(written_date(day, notation)))


@pytest.mark.parametrize("text", ["", "31.02.2025", "2025-13-01", "Ada", "12:30", "1 Foo 2025"])
def test_what_is_no_date_is_none(text: str) -> None:
    assert not list(days_of(text))


@pytest.mark.parametrize("text", ["2025-03-09", "9.3.2025", "09.03.2025", "Mar 9, 2025"])
def test_a_day_is_named_in_several_ways(text: str) -> None:
    assert day_of(text) == date(2025, 3, 9).toordinal()


@pytest.mark.parametrize("text", ["", "03/09/2025", "20250309", "09.03.25", "9 marches 2025"])
def test_what_may_be_another_day_or_no_day_is_none(text: str) -> None:
    assert day_of(text) is None


def test_dates_that_name_their_month_are_one_word_and_have_a_size() -> None:
    assert tokens("due 9 March 2025.") == ("due", "9 March 2025", ".")
    assert magnitude("9 March 2025") == magnitude("2025-03-09")
    assert magnitude("9 marches 2025") is None


_BASE = TaskSlot("1")
_OTHER = TaskSlot("2")


def _learned(*shown: tuple[str, str]) -> Written | None:
    """Return the text that is learned of (what is said, what is written)."""
    return learn_text({_BASE: [said for said, _ in shown]}, [text for _, text in shown])


@pytest.mark.parametrize(
    ("shown", "said", "text"),
    [
        (
            [
                ("9 May 2025", "2025-05-09"),
                ("1 June 2024", "2024-06-01"),
                ("3 April 2022", "2022-04-03"),
            ],
            "2 July 2023",
            "2023-07-02",
        ),
        (
            [("9. Mai", "05-09"), ("1. Juni", "06-01"), ("30. März", "03-30")],
            "2. Dezember",
            "12-02",
        ),
        (
            [("2025-05-09", "9 mai"), ("2024-06-01", "1 juin"), ("2023-08-20", "20 août")],
            "2023-12-24",
            "24 décembre",
        ),
        (
            [("in/a.docx", "in/a.pdf"), ("b/c.odt", "b/c.pdf"), ("q.txt", "q.pdf")],
            "x/y.rtf",
            "x/y.pdf",
        ),
        (
            [(n, n.lower().replace(" ", ".") + "@firm.org") for n in _NAMES],
            "Al Ox",
            "al.ox@firm.org",
        ),
        ([(n, "-".join(n.split()[::-1])) for n in _NAMES], "Al Ox", "Ox-Al"),
        ([(n, f"{n[0]}. {n.split()[1]}") for n in _NAMES], "Al Ox", "A. Ox"),
        ([(n, "".join(w[0] for w in n.split()).lower()) for n in _NAMES], "Al Ox", "ao"),
        ([("1,250", "1250"), ("20,300", "20300"), ("7,000", "7000")], "7,000,100", "7000100"),
        ([("12.50", "12,50 €"), ("8.75", "8,75 €"), ("1234.00", "1234,00 €")], "99.90", "99,90 €"),
        (
            [("7", "INV-007"), ("42", "INV-042"), ("118", "INV-118"), ("93", "INV-093")],
            "5",
            "INV-005",
        ),
        ([("14:05", "2:05 pm"), ("09:30", "9:30 am"), ("16:45", "4:45 pm")], "11:20", "11:20 am"),
        (
            [
                ("0171 2233-44", "+49171223344"),
                ("0160 5566-77", "+49160556677"),
                ("0152 8899-01", "+49152889901"),
            ],
            "0151 1122-33",
            "+49151112233",
        ),
    ],
)
def test_a_way_of_writing_is_learned(shown: list[tuple[str, str]], said: str, text: str) -> None:
    learned = _learned(*shown)
    assert learned is not None
    assert text in learned.made_of({_BASE: said})


def test_a_text_is_composed_of_several_sources() -> None:
    towns = ["New Ross", "Bray", "Old Leighlin", "Cork City", "Naas"]
    months = ["May 2024", "June 2025", "April 2024", "July 2023", "March 2025"]
    texts = [
        f"https://rail.example/{town.lower().replace(' ', '-')}?month={MONTH[month[:3]]}"
        for town, month in zip(towns, months, strict=True)
    ]
    learned = learn_text({_BASE: towns, _OTHER: months}, texts)
    assert learned is not None
    made = learned.made_of({_BASE: "Long Ford", _OTHER: "December 2022"})
    assert made == ["https://rail.example/long-ford?month=12"]


def test_words_decide_a_part_and_a_new_one_gives_nothing() -> None:
    words, prices = ["dearest", "cheapest"] * 6, [str(number) for number in range(20, 32)]
    signs = {"dearest": "DESC", "cheapest": "ASC"}
    texts = [f"order by {signs[w]} limit {p}" for w, p in zip(words, prices, strict=True)]
    learned = learn_text({_BASE: words, _OTHER: prices}, texts)
    assert learned is not None
    assert learned.made_of({_BASE: "cheapest", _OTHER: "7"}) == ["order by ASC limit 7"]
    assert not learned.made_of({_BASE: "newest", _OTHER: "7"})


def test_few_examples_make_no_table() -> None:
    words, texts = ["red", "red", "blue", "blue"], ["R", "R", "B", "B"]
    assert learn_text({_BASE: words}, texts) is None


def test_ways_that_differ_are_all_kept() -> None:
    learned = _learned(("a1.docx", "a1.pdf"), ("b2.odt", "b2.pdf"), ("c33.txt", "c33.pdf"))
    assert learned is not None
    assert set(learned.made_of({_BASE: "v1.2.docx"})) == {"v1.pdf", "v1.2.pdf"}


@given(st.lists(st.tuples(st.text(max_size=12), st.text(max_size=12)), max_size=6))
def test_whatever_is_learned_writes_what_was_shown(shown: list[tuple[str, str]]) -> None:
    learned = _learned(*shown)
    if learned is not None:
        for said, text in shown:
            assert learned.made_of({_BASE: said}) == [text]


def _visit(draw: random.Random) -> Trajectory:
    name, day = draw.choice(_NAMES), date(draw.randint(2020, 2030), draw.randint(1, 12), 17)
    told = written_date(day, "D Month YYYY")
    acts = (f"type {name} under Visitor", f"type {day.isoformat()} under Day", "press Send")
    obs = ("Visitor: ... Day: ...", f"Visitor: {name}", f"Day: {day.isoformat()}", "Thank you!")
    return Trajectory(task=f"{name} comes on {told}.", obs=obs, acts=acts, success=True)


def test_a_program_writes_readings_of_another_notation() -> None:
    (proposal,) = propose_programs([_visit(random.Random(seed)) for seed in range(24)])
    assert proposal.trusted, proposal.proof
    sources = [s["source"] for s in proposal.file.to_document()["parameters"].values()]
    assert "written" in sources


_TITLES = ("Old river", "Two bells at dawn", "Snow", "A red, cold sun", "The long way home")
_SHELVES = {"Novel": "fiction", "Atlas": "maps", "Score": "music"}


def _scan(draw: random.Random, sort: str = "") -> Trajectory:
    """Show a book, and store its scan under a name made of its shelf, number and title."""
    number, title = f"B{draw.randint(100, 999)}", draw.choice(_TITLES)
    sort = sort or draw.choice([*_SHELVES])
    name = f"{_SHELVES.get(sort, 'other')}/{number.lower()}_{title.lower().replace(' ', '-')}"
    name = name.replace(",", "")
    page = f"{number}: {title}\nSort: {sort}\nPages: {draw.randint(40, 400)}"
    acts = (f"show {number}", f"store scan as {name}.tif")
    obs = ("The scanner is warm.", page, "Stored.")
    return Trajectory(task=f"Please scan {number}.", obs=obs, acts=acts, success=True)


def _trains(draw: random.Random, wish: str = "") -> Trajectory:
    """Ask for trains: a word of the task decides one word of the request."""
    towns = ("Bray", "New Ross", "Naas", "Cork City", "Tuam", "Old Leighlin", "Trim", "Sligo")
    wish = wish or draw.choice(["fastest", "cheapest"])
    start, end = draw.sample(towns, 2)
    number = draw.randint(2, 30)
    request = (
        f"find trains from {start} to {end} sorted by {'time' if wish == 'fastest' else 'fare'} "
        f"first {number}"
    )
    task = f"The {number} {wish} trains from {start} to {end}, please."
    obs = ("Timetable.", "3 trains are shown.", "Sent.")
    return Trajectory(task=task, obs=obs, acts=(request, "send the list"), success=True)


@pytest.mark.parametrize(("world", "new"), [(_scan, "Diary"), (_trains, "newest")])
def test_a_program_composes_texts_and_asks_at_a_new_word(
    world: Callable[..., Trajectory], new: str
) -> None:
    (proposal,) = propose_programs([world(random.Random(seed)) for seed in range(30)])
    assert proposal.trusted, proposal.proof
    others = [world(random.Random(seed)) for seed in range(100, 120)]
    assert [tuple(replayed(proposal.file, each)) for each in others] == [e.acts for e in others]
    strange = world(random.Random(7), new)
    assert strange.acts[-1] not in replayed(proposal.file, strange)


def test_a_typed_text_in_doubt_is_not_handed_in() -> None:
    names = ["Ada Berg", "Bo Lind", "Cem Kaya", "Dana Roth", "Eli Moss", "Finn Hale"]

    def visit(name: str) -> Trajectory:
        obs = ("Name:", "Noted.", "Welcome!")
        acts = (f"write {name.split()[-1]} on the badge", "hand out the badge")
        return Trajectory(task=f"{name} is at the door.", obs=obs, acts=acts, success=True)

    (proposal,) = propose_programs([visit(name) for name in names * 3])
    assert proposal.trusted, proposal.proof
    assert len(replayed(proposal.file, visit("Gus Odd"))) == 2
    assert "hand out the badge" not in replayed(proposal.file, visit("Ida van Dam"))


def test_rivals_of_the_only_part_are_part_of_its_file() -> None:
    text = {"source": "written", "from": "name", "part": ["after", "last", " "]}
    document = {
        "kind": "program",
        "id": "greet",
        "version": 1,
        "goal": "Greet {1}.",
        "parameters": {
            "word": {**text, "rivals": [{"from": "name", "part": ["after", "first", " "]}]},
            "name": {"source": "task", "slot": 1},
        },
        "steps": [{"id": "greet", "do": "greet {word}", "commit": True}],
    }
    assert first_misfit("program", document) is None
    file = ProgramFile.from_document(document)
    assert file.to_document()["parameters"] == document["parameters"]
    decision = decide(file.program, file.begin("Greet Ida van Dam.", "The door is open."))
    assert not isinstance(decision, Act)


def test_a_program_never_has_the_id_of_a_plan_for_its_goal() -> None:
    """One clone may learn the plan, another the program; their merge has both."""
    shown = [
        Trajectory(
            f"ring for {name}",
            ("You see a bell.", "It rings.", "Ok."),
            ("pull bell", f"call {name}"),
            True,
        )
        for name in ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gil", "Hal")
    ]
    (proposal,) = propose_programs(shown)
    assert proposal.file.goal == "ring for {1}"
    assert proposal.file.id == "ring-for-program" != slug(proposal.file.goal)
