"""The language of conditions: parsing, printing, and three-valued answers."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import pytest
from bounds import within
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.common.errors import ConditionError
from macla.procedures.common.text import sentences
from macla.procedures.conditions.language import (
    MAX_DEPTH,
    MAX_LENGTH,
    AllOf,
    AnyOf,
    Asked,
    Attempts,
    Condition,
    Constant,
    Done,
    Ever,
    Fact,
    KindIn,
    Last,
    Not,
    Observed,
    RunFacts,
    parse_condition,
)
from macla.procedures.conditions.text_patterns import Pattern, escape
from macla.procedures.words.word_clusters import Clusters


@dataclass
class View:
    """An episode for tests."""

    task: str = ""
    observations: list[str] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)
    clusters: Clusters = field(default_factory=Clusters)

    def has_observation(self) -> bool:
        return bool(self.observations)

    def latest_sentences(self) -> list[str]:
        return list(sentences(self.observations[-1])) if self.observations else []

    def all_sentences(self) -> list[str]:
        return [s for text in self.observations for s in sentences(text)]

    def successful_actions(self) -> list[str]:
        return self.actions

    def last_action_on(self, entity: str) -> str | None:
        return next((a for a in reversed(self.actions) if entity in a), None)

    def kind_of(self, entity: str) -> str:
        return self.kinds.get(entity, "")

    def mates(self, kind: str) -> tuple[str, ...]:
        return self.clusters.mates(kind)


def value(text: object, view: View | None = None, step: str | None = None, **bindings: str):
    return parse_condition(text).evaluate(view or View(), bindings, step=step).value


NAMES = st.sampled_from(["x", "y", "place_1", "0"])
PATTERNS = st.one_of(
    st.text(max_size=12).map(escape),
    st.lists(
        st.one_of(NAMES.map("{{{}}}".format), st.just("*"), st.text(max_size=5).map(escape))
    ).map("".join),
).map(Pattern.parse)
ATOMS: st.SearchStrategy[Condition] = st.one_of(
    st.sampled_from([True, False, None]).map(Constant),
    PATTERNS.map(Observed),
    PATTERNS.map(Ever),
    PATTERNS.map(Asked),
    st.one_of(st.none(), PATTERNS).map(Done),
    st.builds(Last, NAMES, st.lists(PATTERNS, min_size=1, max_size=3).map(tuple)),
    st.builds(KindIn, NAMES, st.lists(PATTERNS, min_size=1, max_size=3).map(tuple)),
    st.sampled_from(["post", "pre", "exhausted"]).map(Fact),
    st.integers(0, 999_999_999).map(Attempts),
)


def _larger(parts: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
    several = st.lists(parts, min_size=2, max_size=3).map(tuple)
    return st.one_of(parts.map(Not), several.map(AllOf), several.map(AnyOf))


CONDITIONS = st.recursive(ATOMS, _larger, max_leaves=8)


def as_mapping(condition: Condition) -> object:
    """Return the condition in YAML's mapping form."""
    if isinstance(condition, Not):
        return {"not": as_mapping(condition.part)}
    if isinstance(condition, AllOf | AnyOf):
        key = "all" if isinstance(condition, AllOf) else "any"
        return {key: [as_mapping(part) for part in condition.parts()]}
    return condition.to_yaml()


@given(CONDITIONS)
def test_printing_and_parsing_are_inverse(condition: Condition) -> None:
    text = condition.to_text()
    assert parse_condition(text) == condition
    assert parse_condition(text).to_text() == text
    assert parse_condition(condition.to_yaml()) == condition
    assert parse_condition(as_mapping(condition)) == condition
    assert hash(parse_condition(text)) == hash(condition)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("  not  done ", "not done"),
        ("(done)", "done"),
        ("((a or b))".replace("a", "post").replace("b", "pre"), "post or pre"),
        ("post and (pre or done)", "post and (pre or done)"),
        ("post and pre or done", "post and pre or done"),
        ("not (post and pre)", "not (post and pre)"),
        ('last( {x} )in["take {x} from *","a"]', 'last({x}) in ["take {x} from *", "a"]'),
        ('observed("\\u0041 **")', 'observed("A *")'),
        ("attempts>=3", "attempts >= 3"),
        ({"not": 'observed("{x} is cool")'}, 'not observed("{x} is cool")'),
        ({"all": ["post", {"any": ["pre", "done"]}]}, "post and (pre or done)"),
        ({"any": ["post"]}, "post"),
        (True, "true"),
        (False, "false"),
    ],
)
def test_spellings(text: object, printed: str) -> None:
    assert parse_condition(text).to_text() == printed


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", None),
        ("  ", 3),
        ("nonsense", 1),
        ("(done", 6),
        ("done)", 5),
        ("done or", 8),
        ("done done", 6),
        ("observed(x)", 10),
        ('observed("a', 10),
        ('observed("{x")', 10),
        ('observed("a", "b")', 13),
        ("last(x) in []", 6),
        ("last({x}) in []", 15),
        ('last({x}) ["a"]', 11),
        ("attempts >= x", 13),
        ("attempts >= 1234567890", 13),
        ("attempts > 1", 10),
        ("Done", 1),
        ('observed("\\ud800")', 10),
        ('observed("\t")', 11),
    ],
)
def test_errors_carry_text_and_column(text: str, column: int | None) -> None:
    with pytest.raises(ConditionError) as caught:
        parse_condition(text)
    assert caught.value.text == text
    if column is not None:
        assert caught.value.column == column


@pytest.mark.parametrize(
    "hostile",
    [
        "(" * 100_000,
        "(" * 5_000 + "done" + ")" * 5_000,
        "not " * 2_000 + "done",
        "done or " * 50_000 + "done",
        'observed("' + "*" * 200_000 + '")',
        "x" * 1_000_000,
        None,
        5,
        1.5,
        [],
        {},
        {"not": None},
        {"all": []},
        {"any": "done"},
        {"xor": ["done", "post"]},
        {"not": "done", "all": ["done"]},
        {1: "done"},
    ],
)
def test_hostile_input_is_an_error_of_ours(hostile: object) -> None:
    with within(1), pytest.raises(ConditionError) as caught:
        parse_condition(hostile)
    assert len(str(caught.value)) < 2_000


def test_deep_mappings_are_refused() -> None:
    deep: object = "done"
    for _ in range(100_000):
        deep = {"not": deep}
    with pytest.raises(ConditionError, match="nests deeper"):
        parse_condition(deep)


def test_limits_hold_for_what_is_printed() -> None:
    parse_condition("not " * MAX_DEPTH + "done")
    with pytest.raises(ConditionError):
        parse_condition("not " * (MAX_DEPTH + 1) + "done")
    parts = [f'observed("{"a" * 100}{n}")' for n in range(MAX_LENGTH // 100)]
    with pytest.raises(ConditionError, match="longer"):
        parse_condition({"all": parts})


def test_parameters() -> None:
    condition = parse_condition('last({x}) in ["put {x} in {y}"] and not ever("{z} *") or done')
    assert condition.parameters() == {"x", "y", "z"}


# --- meaning -------------------------------------------------------------------------------


ROOM = View(
    task="put two cupboards and a mug in the bin",
    observations=["You see a mug 10. A cup 1 is here!", "The fridge 1 is closed.\nIt hums."],
    actions=["go to desk 1", "take mug 10 from desk 1", "go to fridge 1"],
    kinds={"mug 10": "mug"},
)


@pytest.mark.parametrize(
    ("text", "bindings", "expected"),
    [
        ('observed("the FRIDGE 1   is closed.")', {}, True),
        ('observed("The {y} is closed.")', {"y": "Fridge 1"}, True),
        ('observed("The {y} is closed.")', {"y": "fridge 2"}, False),
        ('observed("The {y} is closed.")', {}, None),
        ('observed("The {y} is open.")', {}, False),
        ('observed("It")', {}, False),
        ('observed("*hums*")', {}, True),
        ('observed("*mug*")', {}, False),
        ('ever("*mug*")', {}, True),
        ('ever("*{x}*")', {"x": "mug 1"}, None),
        ('ever("*{x}*")', {"x": "mug 10"}, True),
        ('ever("*{x}*")', {}, None),
        ('ever("A {x}*")', {"x": "cup"}, True),
        ('done("take {x} from *")', {"x": "mug 10"}, True),
        ('done("take {x} from *")', {"x": "mug 1"}, False),
        ('done("take {x} from *")', {}, None),
        ('done("open *")', {}, False),
        ('last({x}) in ["take {x} from *"]', {"x": "mug 10"}, True),
        ('last({x}) in ["put *", "open {x}"]', {"x": "mug 10"}, False),
        ('last({x}) in ["take {x} from {y}"]', {"x": "mug 10"}, None),
        ('last({x}) in ["take *"]', {}, None),
        ('last({x}) in ["take *"]', {"x": "spoon"}, None),
        ('kind({x}) in ["cup", "mug"]', {"x": "mug 10"}, True),
        ('kind({x}) in ["cup"]', {"x": "mug 10"}, False),
        ('kind({x}) in ["cup"]', {}, None),
        ('kind({x}) in ["{k}"]', {"x": "mug 10", "k": "mug"}, True),
        ('asked("a mug in")', {}, True),
        ('asked("cup")', {}, False),
        ('asked("cup*")', {}, True),
        ('asked("{k}")', {"k": "bin"}, True),
        ('asked("{k} in")', {}, None),
        ("post", {}, None),
        ("attempts >= 0", {}, None),
        ("done", {}, None),
    ],
)
def test_answers(text: str, bindings: dict[str, str], expected: bool | None) -> None:
    verdict = parse_condition(text).evaluate(ROOM, bindings)
    assert verdict.value is expected
    assert verdict.because


def test_nothing_observed_is_unknown() -> None:
    assert value('observed("*")') is None
    assert value('ever("*")') is None


@pytest.mark.parametrize(
    ("step", "bindings", "expected"),
    [
        ("go to {y}", {"y": "fridge 1"}, True),
        ("go to {y}", {"y": "desk 1"}, False),
        ("go to {y}", {}, None),
        ("open {y}", {"y": "fridge 1"}, False),
        ("take {x} from {y}", {"x": "mug 10", "y": "desk 1"}, True),
        ("go to fridge 1", {}, True),
        ("look", {}, False),
    ],
)
def test_bare_done(step: str, bindings: dict[str, str], expected: bool | None) -> None:
    assert value("done", ROOM, step=step, **bindings) is expected


def test_facts_about_a_run() -> None:
    run = RunFacts(post=None, pre=True, exhausted=False, attempts=2)
    answers = {
        text: parse_condition(text).evaluate(View(), {}, run=run).value
        for text in ("post", "pre", "exhausted", "attempts >= 2", "attempts >= 3", "not post")
    }
    assert list(answers.values()) == [None, True, False, True, False, None]


def test_the_deciding_text_is_told() -> None:
    assert parse_condition('observed("*closed.")').evaluate(ROOM, {}).because == (
        "The fridge 1 is closed."
    )
    both = parse_condition('observed("*closed.") and observed("*open*")')
    assert "open" in both.evaluate(ROOM, {}).because


TRUTH = st.sampled_from([True, False, None])


def constant(truth: bool | None) -> Condition:
    return Constant(truth)


def kleene(condition: Condition) -> bool | None:
    return condition.evaluate(View(), {}).value


@given(TRUTH, TRUTH, TRUTH)
def test_kleene_laws(a: bool | None, b: bool | None, c: bool | None) -> None:
    one, two, three = constant(a), constant(b), constant(c)
    order = {False: 0, None: 1, True: 2}
    low, high = sorted((a, b), key=order.__getitem__)
    assert kleene(AllOf((one, two))) is low
    assert kleene(AnyOf((one, two))) is high
    assert kleene(Not(Not(one))) is a
    assert kleene(Not(AllOf((one, two)))) is kleene(AnyOf((Not(one), Not(two))))
    assert kleene(AllOf((one, AnyOf((two, three))))) is kleene(
        AnyOf((AllOf((one, two)), AllOf((one, three))))
    )


@given(CONDITIONS)
def test_every_condition_answers(condition: Condition) -> None:
    for bindings in ({}, {"x": "mug 10", "y": "{x} * [", "place_1": "", "0": "."}):
        verdict = condition.evaluate(ROOM, bindings, step="go to {x}")
        assert verdict.value in (True, False, None)
        assert isinstance(verdict.because, str)
        assert condition.evaluate(ROOM, bindings, step="go to {x}") == verdict


@given(CONDITIONS)
def test_binding_more_never_turns_a_known_answer(condition: Condition) -> None:
    """An answer that is known while a parameter is open must hold for every value of it."""
    known = condition.evaluate(ROOM, {}).value
    if known is not None:
        for entity in ("mug 10", "fridge 1"):
            bound = dict.fromkeys(["x", "y", "place_1", "0"], entity)
            later = condition.evaluate(ROOM, bound).value
            assert later is None or later is known


@pytest.mark.speed
def test_observed_is_fast() -> None:
    condition = parse_condition('observed("The {y} is closed.")')
    bindings = {"y": "fridge 1"}

    class Fixed(View):
        def latest_sentences(self) -> list[str]:
            return ["You arrive at fridge 1.", "The fridge 1 is closed."]

    view = Fixed(observations=["-"])
    condition.evaluate(view, bindings)
    best = 1.0
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(1_000):
            condition.evaluate(view, bindings)
        best = min(best, (time.perf_counter() - begin) / 1_000)
    assert best < 50e-6  # about 2 microseconds here; far from it only if something broke
