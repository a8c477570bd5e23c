"""Operators of a planner, counted over all calls of all demonstrations."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ...episodes.fact import UNREAD, Fact
from ...episodes.history import Done, History
from ...episodes.templates import Template, literal_text
from ...episodes.tokens import occurs, words_of
from ..parameter_names import step_id
from ..planning.operators import Deed, Operator, OperatorParameter, State, kind_of
from ..planning.places import Places
from ..planning.scene import Scene
from ..text_calls import HOLE
from .lessons import Lesson

_NEARLY = 0.95
"""Share of the uses that counts as always: demonstrators err."""
_LEAST = 3
"""Least uses from which something is learned."""
_TOLD = 0.5
"""Share of the uses that counts as mostly."""
_CLOSED = 0.25
"""Most share of uses with a value of their own for a closed set of values."""
_REVEALS = 0.1
"""Share of the calls that named something new from which on an operator searches."""
_Few = Mapping[str, Mapping[str, tuple[str, ...]]]


def with_whole_operators(lessons: Sequence[Lesson]) -> list[Lesson]:
    """Return lessons in which operators contain exactly the words that name nothing.

    An argument is a thing, so that results name it. An argument that they do not name becomes a
    word of the operator, unless it is a text of the task that differs each time. A number alone is
    no name: the word before it, its kind, belongs to it where results name both together.
    """
    lessons = _with_kinds(lessons)
    uses: Counter[tuple[str, int]] = Counter()
    said_count: Counter[tuple[str, int]] = Counter()
    named_count: Counter[tuple[str, int]] = Counter()
    values: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for lesson, operator, arguments, texts in _calls(lessons):
        for index, value in enumerate(arguments):
            argument = operator, index
            uses[argument] += 1
            is_named = any(occurs(value, text) for text in texts)
            named_count[argument] += is_named
            said_count[argument] += is_named or lesson.first.said(value)
            values[argument][value] += 1
    words = {
        argument
        for argument, count in uses.items()
        if said_count[argument] < _NEARLY * count
        or (
            named_count[argument] < _TOLD * count
            # A value that was used once cannot differ from another.
            and (count == 1 or sum(n == 1 for n in values[argument].values()) <= _CLOSED * count)
        )
    }
    return _rewritten(lessons, partial(_with_words_in_operator, words=words))


def _calls(
    lessons: Sequence[Lesson],
) -> Iterator[tuple[Lesson, str, tuple[str, ...], Sequence[str]]]:
    """Yield each call of demonstrations, with the texts of all results before it."""
    for lesson in lessons:
        texts: list[str] = []
        results = (lesson.first.results[0], *(facts for _, _, facts in lesson.calls))
        for (operator, arguments, _), facts in zip(lesson.calls, results, strict=False):
            texts += (text for fact in facts for text in (fact.kind, *fact.fields.values()))
            yield lesson, operator, arguments, texts


_KIND = re.compile(r"(?:^|(?<= ))(\w+) $")


def _with_kinds(lessons: Sequence[Lesson]) -> list[Lesson]:
    """Return lessons in which numbers that name things contain the kind before them."""
    uses: Counter[tuple[str, int]] = Counter()
    named_count: Counter[tuple[str, int]] = Counter()
    for _, operator, arguments, texts in _calls(lessons):
        for index, value in enumerate(arguments):
            uses[operator, index] += 1
            kind = _KIND.search(operator.split("{}")[index])
            if kind is not None and not words_of(value):
                named_count[operator, index] += any(occurs(f"{kind[1]} {value}", t) for t in texts)
    bare = {
        argument for argument, count in uses.items() if named_count[argument] >= _NEARLY * count
    }
    return _rewritten(lessons, partial(_with_kind_in_numbers, bare=bare))


def _rewritten(
    lessons: Sequence[Lesson],
    rewrite: Callable[[str, tuple[str, ...]], tuple[str, tuple[str, ...]]],
) -> list[Lesson]:
    """Return lessons with other operators and arguments."""
    return [
        replace(each, calls=tuple((*rewrite(o, values), facts) for o, values, facts in each.calls))
        for each in lessons
    ]


def _with_kind_in_numbers(
    operator: str, arguments: tuple[str, ...], bare: set[tuple[str, int]]
) -> tuple[str, tuple[str, ...]]:
    """Return a call in which bare numbers contain the word before them."""
    parts = operator.split("{}")
    values = list(arguments)
    for index, value in enumerate(arguments):
        if (operator, index) in bare and (kind := _KIND.search(parts[index])) is not None:
            values[index] = f"{kind[1]} {value}"
            parts[index] = parts[index][: kind.start()]
    return "{}".join(parts), tuple(values)


def _with_words_in_operator(
    operator: str, arguments: tuple[str, ...], words: set[tuple[str, int]]
) -> tuple[str, tuple[str, ...]]:
    """Return a call whose operator contains the arguments that are words."""
    are_words = [(operator, index) in words for index in range(len(arguments))]
    parts = (
        literal_text(value) if word else "{}"
        for value, word in zip(arguments, are_words, strict=True)
    )
    things = (value for value, word in zip(arguments, are_words, strict=True) if not word)
    return HOLE.sub(lambda m: next(parts) if m[0] == "{}" else m[0], operator), tuple(things)


def walk(lesson: Lesson, places: Places) -> Iterator[tuple[Scene, Done, Sequence[Fact]]]:
    """Yield each call of a demonstration, with the scene before it, and its result."""
    first = lesson.first
    names = {v for _, arguments, _ in lesson.calls for v in arguments if first.said(v)}
    scene = Scene(places, names)
    history = History(first.task, first.asked, first.results[0], first.wording, scene)
    for operator, arguments, facts in lesson.calls:
        call = Done(None, operator, arguments)
        yield scene, call, facts
        history.add(call, facts)


def place_bits(lessons: Sequence[Lesson], places: Places) -> float:
    """Return the bits that places explain, over arguments that are always used in their place."""
    uses: Counter[tuple[str, int]] = Counter()
    here: Counter[tuple[str, int]] = Counter()
    bits: dict[tuple[str, int], float] = defaultdict(float)
    for lesson in lessons:
        for scene, call, _ in walk(lesson, places):
            for index, value in enumerate(call.arguments):
                argument = call.operator, index
                if call.operator in places.moves:
                    continue
                uses[argument] += 1
                if _is_here(scene, value) or scene.where.get(value) == scene.here:
                    here[argument] += 1
                    bits[argument] += math.log2(len(scene.told))
    return sum(n for argument, n in bits.items() if here[argument] >= _NEARLY * uses[argument])


def _is_here(scene: Scene, name: str) -> bool:
    return scene.titles.get(scene.here, "").casefold() == name.casefold()


# ---------------------------------------------------------------------------- counting
@dataclass
class _Argument:
    """Counts over the uses of one argument of an operator."""

    at: int = 0
    here: int = 0
    last: Counter[Deed | None] = field(default_factory=Counter)
    done: Counter[frozenset[Deed]] = field(default_factory=Counter)
    states: Counter[State] = field(default_factory=Counter)
    ended: Counter[tuple[State, Deed]] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)

    def _needs(self, uses: int, operator: str) -> tuple[Deed, ...]:
        """Return the deeds that nearly always came before, else a pair of which one always did."""
        count_by_deed: Counter[Deed] = Counter()
        for deeds, count in self.done.items():
            count_by_deed.update({deed: count for deed in deeds if deed.operator != operator})
        usual_deeds = tuple(
            deed for deed, count in sorted(count_by_deed.items()) if count >= _NEARLY * uses
        )
        if usual_deeds or uses < _LEAST:
            return usual_deeds
        for pair in itertools.combinations(sorted(count_by_deed), 2):
            uses_with_either = sum(
                n for deeds, n in self.done.items() if not deeds.isdisjoint(pair)
            )
            if uses_with_either >= _NEARLY * uses:
                return pair
        return ()

    def parameter(self, uses: int, operator: str, usual: frozenset[State]) -> OperatorParameter:
        """Return the conditions that nearly always held.

        Args:
            uses: Number of uses of the operator.
            operator: Text of the operator.
            usual: States of most things that are used, which tell nothing.
        """
        at = self.at >= _NEARLY * uses
        # The states of a place tell the deeds that were done there before, such as a search.
        needs = () if at else self._needs(uses, operator)
        mends = {
            state: deed.operator
            for (state, deed), count in sorted(self.ended.items())
            if count >= max(_LEAST, (1 - _NEARLY) * uses)
            and deed.operator.count("{}") == 1
            and deed.operator != operator
            and self.states[state] <= (1 - _NEARLY) * uses
        }
        return OperatorParameter(
            at=at,
            here=not at and self.here >= _NEARLY * uses,
            needs=needs,
            after=frozenset((*needs, *filter(None, self.last))) if needs else frozenset(),
            states=frozenset(s for s, n in self.states.items() if n >= _NEARLY * uses) - usual,
            mends=mends,
            kinds=dict(sorted(self.kinds.items())),
        )


@dataclass
class _Counts:
    """Counts over the uses of one operator."""

    arguments: list[_Argument]
    uses: int = 0
    news: int = 0
    left: int = 0
    answers: Counter[str] = field(default_factory=Counter)

    @property
    def usual_answer(self) -> frozenset[str]:
        """The kind of fact that nearly always answers the operator; empty if there is none."""
        kind = max(self.answers, key=lambda each: (self.answers[each], each), default="")
        return frozenset([kind] if self.answers[kind] >= max(_LEAST, _NEARLY * self.uses) else [])


def learn_operators(
    lessons: Sequence[Lesson], places: Places, templates: Sequence[Template]
) -> list[Operator]:
    """Learn the operators, with the conditions of their parameters.

    Args:
        lessons: The demonstrations.
        places: The places of the demonstrations.
        templates: Templates of the lines of results.
    """
    counts_by_operator: dict[str, _Counts] = {}
    few = {each.text: each.few for t in templates for each in (t, *t.special)}
    usual: Counter[State] = Counter()
    for lesson in lessons:
        names_before: set[str] = set()
        last_call: tuple[str, tuple[str, ...]] | None = None
        for scene, call, facts in walk(lesson, places):
            if last_call is not None:
                counts_by_operator[last_call[0]].left += call.operator in places.moves
                counts_by_operator[last_call[0]].news += bool(
                    scene.where.keys() - names_before - {*last_call[1]}
                )
            names_before, last_call = set(scene.where), (call.operator, call.arguments)
            counts = counts_by_operator.setdefault(
                call.operator, _Counts([_Argument() for _ in call.arguments])
            )
            counts.uses += 1
            counts.answers[facts[0].kind if facts else ""] += 1
            for argument, name in zip(counts.arguments, call.arguments, strict=True):
                _count(argument, scene, name, few)
                usual.update(_states(scene.facts.get(name, ()), name, few))
    total = sum(len(c.arguments) * c.uses for c in counts_by_operator.values())
    common = frozenset(state for state, n in usual.items() if n >= (1 - _CLOSED) * total)
    operators: list[Operator] = []
    for text, counts in sorted(counts_by_operator.items()):
        if text in places.moves:
            continue
        parameters = tuple(a.parameter(counts.uses, text, common) for a in counts.arguments)
        is_search = counts.uses >= _LEAST and counts.news > _REVEALS * counts.uses
        reveals = (is_search and len(parameters) == 1) or (
            text in places.told_by and not parameters
        )
        # A move by name has no obstacles.
        enables = bool(parameters) and not places.by_name and counts.left >= _TOLD * counts.uses
        identifier = step_id(text, [each.id for each in operators])
        answers = counts.usual_answer if parameters else frozenset[str]()
        operators.append(Operator(identifier, text, parameters, reveals, enables, answers))
    enabling = {each.text for each in operators if each.enables}
    before = _enabling_before(lessons, enabling)
    return [replace(each, enables=each.text in enabling | before) for each in operators]


def _enabling_before(lessons: Sequence[Lesson], enabling: Collection[str]) -> set[str]:
    """Return the operators mostly followed by an enabling operator with the same argument."""
    uses: Counter[str] = Counter()
    followed: Counter[str] = Counter()
    for lesson in lessons:
        for (operator, arguments, _), (next_operator, next_arguments, _) in itertools.pairwise(
            lesson.calls
        ):
            uses[operator] += 1
            followed[operator] += next_operator in enabling and not {*arguments}.isdisjoint(
                next_arguments
            )
    return {o for o, count in followed.items() if o not in enabling and count >= _TOLD * uses[o]}


def _count(argument: _Argument, scene: Scene, name: str, few: _Few) -> None:
    argument.at += _is_here(scene, name)
    argument.here += scene.where.get(name) == scene.here
    argument.last[scene.last.get(name)] += 1
    argument.done[scene.done.get(name, frozenset())] += 1
    states = set(_states(scene.facts.get(name, ()), name, few))
    argument.states.update(states)
    for fact, deed in scene.ended.get(name, ()):
        for state in _states((fact,), name, few):
            if state not in states:
                argument.ended[state, deed] += 1
    argument.kinds[kind_of(name)] += 1


def _states(facts: Sequence[Fact], name: str, few: _Few) -> Iterator[State]:
    """Yield the states of a thing in facts, each with the other fields that have few values."""
    for fact in facts:
        if fact.kind == UNREAD:
            continue
        closed = few.get(fact.kind, {})
        fixed = tuple(
            (key, value)
            for key, value in sorted(fact.fields.items())
            if value != name and value in closed.get(key, ())
        )
        for key, value in sorted(fact.fields.items()):
            if value == name:
                yield State(fact.kind, key, fixed)
