"""Episodes: tokens, sizes, lines, templates, operators of actions, facts, and what is known."""

from __future__ import annotations

import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.episodes.action_operators import calls_of, learn_grammar
from macla.procedures.episodes.facts import UNREAD, Fact, Reader, learn_reader
from macla.procedures.episodes.history import TASK, Done, History, beginning
from macla.procedures.episodes.lines import lines_of
from macla.procedures.episodes.mining import mine_templates
from macla.procedures.episodes.templates import Line, Template, literal_text, pieces, template_text
from macla.procedures.episodes.tokens import WORD, magnitude, occurs, spans, tokens
from macla.procedures.programs.text_calls import action_of

_WORDS = ("room", "lamp", "A7", "12", "3,50", "is", "on", "red", "{", "}", "{1}", "C++", "\0", "|")
_LINES = st.one_of(
    st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6).map(" ".join),
    st.lists(st.sampled_from(_WORDS), min_size=1, max_size=4).map("".join),
    st.text(max_size=15),
)


# ---------------------------------------------------------------------------- tokens and sizes
@given(st.text(max_size=40))
def test_tokens_are_spelled_as_the_text_spells_them(text: str) -> None:
    assert tokens(text) == tuple(text[begin:end] for begin, end in spans(text))
    left = WORD.sub("", text)
    assert not left.strip() or not any(character.isalnum() for character in left)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ORD-17 costs 1,234.50 euros", ("ORD-17", "costs", "1,234.50", "euros")),
        ("at 10:30, 5% off", ("at", "10:30", ",", "5%", "off")),
        ("since 2026-03-04T10:30:05Z.", ("since", "2026-03-04T10:30:05Z", ".")),
        ("ada@site.org/x --- C++", ("ada@site.org/x", "---", "C", "++")),
    ],
)
def test_numbers_and_identifiers_are_one_token(text: str, words: tuple[str, ...]) -> None:
    assert tokens(text) == words


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("12", ("number", 12.0)),
        ("-3.5", ("number", -3.5)),
        ("1,234,567.5", ("number", 1234567.5)),
        ("1.234,50", ("number", 1234.5)),
        ("12,50", ("number", 12.5)),
        ("40%", ("number", 40.0)),
        ("09:30", ("time", 34200.0)),
        ("2026-13-01", None),
        ("2026-13-01 10:30", None),
        ("room 4 10:30", None),
        ("10:30 10:30", None),
        ("A7", None),
        ("", None),
        ("12 euros", None),
    ],
)
def test_what_can_be_ordered_has_a_size(text: str, size: tuple[str, float] | None) -> None:
    assert magnitude(text) == size


def test_days_are_ordered_in_either_spelling() -> None:
    assert magnitude("2026-03-04") == magnitude("4.3.2026")
    assert (magnitude("2026-03-05") or ("", 0))[1] > (magnitude("2026-03-04") or ("", 0))[1]


@pytest.mark.parametrize(
    "text",
    [
        *("2026-03-04T10:30:00", "2026-03-04T10:30Z", "2026-03-04 10:30"),
        *("04.03.2026 10:30", "4 March 2026, 10:30", "March 4, 2026 10:30:00"),
    ],
)
def test_a_date_with_a_time_is_a_moment(text: str) -> None:
    type_, size = magnitude(text) or ("", 0.0)
    assert type_ == "moment"
    others = ["2026-03-03 23:59", "2026-03-04 10:29:59", "2026-03-04 10:31", "2026-03-05 08:00"]
    sizes = [(magnitude(each) or ("", 0.0))[1] for each in others]
    assert [each < size for each in sizes] == [True, True, False, False]


@given(st.integers(-(10**15), 10**15))
def test_integers_are_as_large_as_they_are(number: int) -> None:
    assert magnitude(str(number)) == magnitude(f"{number:,}") == ("number", float(number))


@pytest.mark.parametrize(
    ("phrase", "text", "there"),
    [
        ("A7", "take A7.", True),
        ("A7", "take A7-b", False),
        ("A7", "take BA7", False),
        ("7", "A-7", False),
        ("A", "A.b A", True),
        ("", "text", False),
    ],
)
def test_a_phrase_occurs_as_whole_words(phrase: str, text: str, there: bool) -> None:
    assert occurs(phrase, text) is there


# ---------------------------------------------------------------------------- lines
def test_columns_fillers_and_wrapped_lines_are_made_alike() -> None:
    text = "Name      Price\nroom ........ 3\none,\n  two\n\n=====\n"
    assert lines_of(text) == ["Name | Price", "room ... 3", "one, two", "==="]


@pytest.mark.parametrize("text", ["C++", "../data", "a--b", "__init__", "x == y", "**"])
def test_two_of_a_sign_stay_as_they_are_spelled(text: str) -> None:
    assert lines_of(text) == [text]


@given(st.text(max_size=60))
def test_lines_read_again_are_the_same(text: str) -> None:
    lines = lines_of(text)
    assert all(line.strip() and "\n" not in line for line in lines)
    assert [each for line in lines for each in lines_of(line)] == lines


# ---------------------------------------------------------------------------- templates
@given(st.lists(st.text(alphabet="a {}1\0", max_size=4), min_size=1, max_size=4))
def test_what_stands_beside_slots_is_read_back(plain: list[str]) -> None:
    slots = tuple(map(str, range(1, len(plain))))
    assert pieces(template_text(plain, slots)) == (tuple(plain), slots)


@given(
    st.lists(st.sampled_from(["", "a", ", ", "{", "}", " is ", "ab"]), min_size=1, max_size=4),
    st.lists(st.sampled_from(["a", "b", ", ", "{", "}", " is ", "ab"]), max_size=8).map("".join),
)
def test_a_template_reads_what_a_regular_expression_reads(plain: list[str], line: str) -> None:
    template = Template(template_text(plain, map(str, range(1, len(plain)))))
    match = re.compile("(.+?)".join(map(re.escape, plain))).fullmatch(line)
    assert template.read(line) == (match.groups() if match else None)


@given(st.lists(st.tuples(_LINES, st.integers(0, 3), st.integers(0, 1)), max_size=8))
def test_mined_templates_read_the_lines_that_they_were_mined_from(
    lines: list[tuple[str, int, int]],
) -> None:
    shown = [Line(*each) for each in lines if each[0].strip(" \t\r\n\0")]
    templates = mine_templates(shown)
    reader = Reader(templates)
    for line in shown:
        assert any(template.read(line.text) is not None for template in templates)
        assert reader.line(line.text)[0].kind != UNREAD


@given(st.lists(_LINES, min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_lines_changes_no_template(texts: list[str], random: object) -> None:
    lines = [Line(text, number, 0) for number, text in enumerate(texts) if text.strip()]
    other = list(lines)
    random.shuffle(other)  # type: ignore[attr-defined]
    assert {t.text for t in mine_templates(lines)} == {t.text for t in mine_templates(other)}


def test_names_and_numbers_become_slots() -> None:
    lines = [f"Room {n} ({who}): {n * 10} euros" for n, who in enumerate(("Ada", "Ben", "Cleo"))]
    (template,) = mine_templates(
        [Line(line, number, 0) for number, line in enumerate(lines)],
        frozenset(["Ada", "Ben", "Cleo"]),
    )
    assert template.text == "Room {1} ({2}): {3} euros"
    assert template.read("Room 7 (Dan Brown): 90 euros") == ("7", "Dan Brown", "90")


def test_braces_of_the_text_itself_stand_beside_slots() -> None:
    lines = [f"x = {{{number}}}" for number in (5, 6, 7)]
    (template,) = mine_templates([Line(line, n, 0) for n, line in enumerate(lines)])
    assert [template.read(line) for line in lines] == [("5",), ("6",), ("7",)]


def test_few_values_say_where_a_slot_ends() -> None:
    template = Template("the {1} {2} lamp", {"1": ("big red", "blue")})
    assert template.read("the big red old lamp") == ("big red", "old")
    assert template.read("the green old lamp") == ("green", "old")


# ---------------------------------------------------------------------------- operators
@given(
    st.lists(st.tuples(_LINES, st.lists(st.tuples(_LINES, _LINES), max_size=3)), max_size=4),
)
def test_any_action_is_its_operator_and_arguments(
    episodes: list[tuple[str, list[tuple[str, str]]]],
) -> None:
    shown = [(task, [o for o, _ in steps], [a for _, a in steps]) for task, steps in episodes]
    grammar = learn_grammar(shown)
    for episode in shown:
        for (operator, arguments), action in zip(
            calls_of(grammar, *episode), episode[2], strict=True
        ):
            assert action_of(operator, arguments) == action


def test_a_part_of_a_path_that_was_said_is_an_argument() -> None:
    names = ("ada", "ben", "cleo", "dan")
    shown = [
        (f"Order for {n}.", ["ready", f"id: {n}77"], [f"POST /new/{n}", f"GET /api/{n}77/items"])
        for n in names
    ]
    grammar = learn_grammar(shown)
    assert [calls_of(grammar, *each) for each in shown] == [
        [("POST /new/{}", (n,)), ("GET /api/{}/items", (f"{n}77",))] for n in names
    ]


def test_a_word_of_all_actions_is_the_operators_though_tasks_say_it() -> None:
    names = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
    shown = [
        (
            f"Share it with {name}." if n % 3 else f"{name} needs it.",
            ["ready"],
            [f"share 4{n} with {name}"],
        )
        for n, name in enumerate(names)
    ]
    grammar = learn_grammar(shown)
    assert {calls_of(grammar, *each)[0][0] for each in shown} == {"share {} with {}"}


def test_a_first_word_of_all_actions_is_the_operators_though_most_tasks_say_it() -> None:
    plates = ("PZ 846", "TS 599", "JE 728", "MY 475", "KS 308", "AC 500")
    shown = [
        (f"The car {plate} was towed." if n % 3 else f"Deal with {plate}.", ["ready"],
         [f"look up the car {plate}"])
        for n, plate in enumerate(plates)
    ]  # fmt: skip
    grammar = learn_grammar(shown)
    assert [calls_of(grammar, *each) for each in shown] == [
        [("look up the car {}", (plate,))] for plate in plates
    ]


def test_a_word_of_an_operator_may_stand_in_a_told_name() -> None:
    places = ("copy corner", "window shelf", "loading bay", "staff room")
    shown = [
        (f"Find book 4{n}.", [f"Look in: {place}", "There."],
         [f"search the {place}", f"put 4{n} on shelf {n}"])
        for n, place in enumerate(places * 3)
    ]  # fmt: skip
    grammar = learn_grammar(shown)
    calls = [call for each in shown for call in calls_of(grammar, *each)]
    assert {operator for operator, _ in calls} == {"search the {}", "put {} on shelf {}"}
    assert ("search the {}", ("window shelf",)) in calls


def test_items_of_a_list_have_several_parts() -> None:
    names = [("pass", "visa"), ("visa", "pass"), ("card", "pass"), ("visa", "card")] * 6
    states = [("in", "out"), ("out", "in"), ("in", "in"), ("out", "out"), ("in", "out")] * 5
    texts = [
        f"Papers: {one} ({first}), {other} ({second})."
        for (one, other), (first, second) in zip(names, states, strict=False)
    ]
    lines = [Line(text, number, 0) for number, text in enumerate(texts)]
    facts = learn_reader(lines, frozenset(("pass", "visa"))).read("Papers: visa (out), pass (in).")
    items = [dict(fact.fields) for fact in facts if "item" in fact.fields]
    assert items == [
        {"item": "visa (out)", "1": "visa", "2": "out"},
        {"item": "pass (in)", "1": "pass", "2": "in"},
    ]


def test_letters_behind_all_numbers_are_their_unit() -> None:
    sizes = ("256Mi", "512Mi", "96Mi", "128Mi")
    shown = [("Set it.", [f"memory {each}"], [f"limit --memory={each}"]) for each in sizes]
    grammar = learn_grammar(shown)
    assert {calls_of(grammar, *each)[0][0] for each in shown} == {"limit --memory={}Mi"}
    rooms = ("12A", "12B", "7C", "9A")
    shown = [("Open it.", [f"room {each}"], [f"open {each}"]) for each in rooms]
    grammar = learn_grammar(shown)
    assert {calls_of(grammar, *each)[0][0] for each in shown} == {"open {}"}


def test_an_operator_is_the_same_where_a_task_says_its_words_apart() -> None:
    numbers = [f"TR{n}" for n in range(10, 18)]
    wordings = ("Book trip {}.", "Trip {}: please book the trip.")
    shown = [
        (wordings[n % 4 == 3].format(number), ["ready"], [f"open trip {number}"])
        for n, number in enumerate(numbers)
    ]
    grammar = learn_grammar(shown)
    assert [calls_of(grammar, *each) for each in shown] == [
        [("open trip {}", (number,))] for number in numbers
    ]


@pytest.mark.parametrize("action", ["open {day}", "tail 2025/{day}"])
def test_a_date_is_one_argument_even_where_its_year_was_said(action: str) -> None:
    days = [f"2025-{month:02}-{month + 10}" for month in range(1, 9)]
    episodes = [(f"Do day {n}.", ["Calendar of 2025"], [action.format(day=day)])
                for n, day in enumerate(days)]  # fmt: skip
    grammar = learn_grammar(episodes)
    calls = [calls_of(grammar, *episode)[0] for episode in episodes]
    assert [
        day for day, (_, arguments) in zip(days, calls, strict=True) if day in arguments
    ] == days


@pytest.mark.parametrize("form", ["take {}", "{} nehmen", "von hier {} nehmen", "[take] {{ {} }}"])
def test_no_place_is_a_verbs_own(form: str) -> None:
    names = ("Ada", "Ben", "Cleo", "Dan", "Eva")
    shown = [(f"Take {n}.", [f"Here is {n}."], [form.format(n)]) for n in names]
    grammar = learn_grammar(shown)
    assert {calls_of(grammar, *each)[0] for each in shown} == {(form, (name,)) for name in names}


# ---------------------------------------------------------------------------- facts and history
def test_json_and_lines_are_facts_alike() -> None:
    reader = Reader([Template("{1} costs {2}")])
    assert reader.read("lamp costs 3") == (Fact("{1} costs {2}", {"1": "lamp", "2": "3"}),)
    (whole, first, second) = reader.read('{"a": {"b": true}, "c": [{"d": 1}, {"d": 2.5}]}', "get")
    assert (whole.kind, dict(whole.fields)) == ("get", {"a.b": "true"})
    assert [(f.kind, dict(f.fields)) for f in (first, second)] == [
        ("get.c[]", {"d": "1"}),
        ("get.c[]", {"d": "2.5"}),
    ]


@pytest.mark.parametrize("text", ["{", "[1", "{" * 9999, "[" * 99999, "1" * 9999, "\ud800", ""])
def test_what_is_no_json_is_text(text: str) -> None:
    assert all(fact.kind == UNREAD for fact in Reader().read(text))


def test_a_reader_can_be_sent_to_another_process() -> None:
    reader = Reader([Template("{1} costs {2}")])
    facts = reader.read("lamp costs 3")
    assert pickle.loads(pickle.dumps(reader)).read("lamp costs 3") == facts
    assert reader.read("lamp costs 3\n" * 20_000) == facts * 20_000


def test_a_task_is_read_as_it_is_spelled() -> None:
    tasks = Reader([Template("Learn {1} for {2}.")])
    history = beginning(Reader(), tasks, "Learn C++  -- a ...... b for\nAda.", "")
    assert dict(history.asked.fields) == {"1": "C++  -- a ...... b", "2": "Ada"}
    other = beginning(Reader(), tasks, "Forget it.", "")
    assert (other.wording, dict(other.asked.fields)) == ("", {})


def _fact(value: str) -> Fact:
    return Fact("k", {"1": value})


def test_all_facts_are_given_once_the_newest_last() -> None:
    history = History("", Fact(TASK, {}), [_fact("a"), _fact("b")])
    history.add(Done(None, "look", ()), [_fact("a")])
    assert [fact.fields["1"] for fact in history.all("k")] == ["b", "a"]
    assert [fact.fields["1"] for fact in history.newest("k")] == ["a"]
    assert history.single("k") == _fact("a")


def test_copies_grow_on_their_own() -> None:
    history = History("", Fact(TASK, {}), [_fact("a")])
    history.memo["found"] = 1
    copy = history.copy()
    copy.add(Done(None, "look", ("x",)), [_fact("b"), Fact("other", {})])
    assert (len(history.results), len(history.calls), list(history.kinds)) == (1, 0, ["k"])
    assert (copy.before, copy.arguments("look"), copy.memo) == ("look", ("x",), {})
    assert history.memo == {"found": 1}
    assert literal_text("{x}") == "{{x}}"


def test_a_line_in_other_capitals_tells_the_same() -> None:
    reader = Reader([Template("Room {1} is {2}."), Template("ROOM {1} IS LOCKED.")])
    (fact,) = reader.read("room B4 is open.")
    assert (fact.kind, fact.fields) == ("Room {1} is {2}.", {"1": "B4", "2": "open"})
    (fact,) = reader.read("ROOM B4 IS LOCKED.")
    assert fact.kind == "ROOM {1} IS LOCKED."


def test_a_line_of_json_is_an_object_among_lines() -> None:
    reader = Reader([Template("HTTP/1.1 {1} {2}")])
    status, body, _ = reader.read('HTTP/1.1 200 OK\n{"state": "done", "file": "a.csv"}')
    assert status.fields == {"1": "200", "2": "OK"}
    assert body.fields == {"state": "done", "file": "a.csv"}
    assert reader.read("{1} is no object")[0].kind == UNREAD
