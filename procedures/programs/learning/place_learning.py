"""Places of demonstrations: the calls that move between them, and those that name them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...episodes.facts import UNREAD, Fact
from ...episodes.history import Done
from ...episodes.mentions import NAME
from ...episodes.tokens import words_of
from ..planning.places import Field, Places, action_text, name_of
from ..planning.scene import Scene
from ..planning.sightings import Sightings
from .choice_table import MISSED_BITS
from .operator_learning import walk

if TYPE_CHECKING:
    from .lessons import Lesson

_LEAST = 3
"""Least changes of place, or entries into one, from which something is learned."""
_NEARLY_ALWAYS = 0.95
"""Share of calls that counts as always: demonstrators err."""
_SELDOM = 0.9
"""Share of moves that fields have to explain to be the ways."""
_FOLLOWED = 0.5
"""Share of the calls after a move that name its argument, where that is a place."""
_MOSTLY = 0.7
"""Share of calls with an argument of the task above which an operator is no move."""
_MOST_KINDS = 12
"""Most fields that tell the ways; it bounds the search."""
_USED = 0.1
"""Share of a field's values that later calls use, where the field names things."""
_KIND_BITS = 20.0
"""Bits that name a kind of facts and a field."""


def learn_places(lessons: Sequence[Lesson]) -> list[Places]:
    """Return the places that demonstrations may be walks through, as proposals."""
    operators = Counter(operator for lesson in lessons for operator, _, _ in lesson.calls)
    telling = _telling_operators(lessons)
    start = _start_operators(lessons, telling)
    proposals: list[Places] = []
    for move in sorted(operators):
        if move.count("{}") != 1 or _says_argument(lessons, move):
            continue
        for teller in sorted(telling):
            places = Places((move,), (teller,), start=teller in start)
            if _names_change_with_moves(lessons, places) and not _repeats_arguments(
                lessons, places
            ):
                by_name, heads = _moves_by_name(lessons, places), _head_kinds(lessons, places)
                places = replace(places, by_name=by_name, heads=heads)
                proposals.append(replace(places, back=_moves_back(lessons, places)))
        if _is_followed_up(lessons, move):
            told_by = tuple(
                sorted({move, *(t for t in telling if _acts_on_place(lessons, move, t))})
            )
            proposals.append(Places((move,), told_by, start=False, named=False, by_name=True))
    return [
        replace(each, sightings=_sightings(lessons, each)) if each.by_name else each
        for each in proposals
    ]


def _says_argument(lessons: Sequence[Lesson], move: str) -> bool:
    """Whether the task mostly says the argument of an operator, so that it is no move."""
    in_task = [
        lesson.first.said(arguments[0])
        for lesson in lessons
        for operator, arguments, _ in lesson.calls
        if operator == move
    ]
    return sum(in_task) > _MOSTLY * len(in_task)


def _sightings(lessons: Sequence[Lesson], places: Places) -> Sightings:
    """Return the counts of visits to each place, and of things seen there, by their words."""
    visits: Counter[str] = Counter()
    count_by_place: dict[str, Counter[str]] = defaultdict(Counter)
    for lesson in lessons:
        place_words: tuple[str, ...] = ()
        words: set[str] = set()
        for operator, arguments, facts in (*lesson.calls, (places.moves[0], ("",), ())):
            if operator in places.moves:
                for place in place_words:
                    visits[place] += 1
                    for thing in words - set(place_words):
                        count_by_place[thing][place] += 1
                place_words, words = words_of(arguments[0]), set()
            if operator in places.told_by:
                names = (f.fields["name"] for f in facts if f.kind.startswith(NAME))
                words.update(word for name in names for word in words_of(name))
    return Sightings(
        dict(visits), {thing: dict(each) for thing, each in sorted(count_by_place.items())}
    )


def _telling_operators(lessons: Sequence[Lesson]) -> set[str]:
    """Return the operators whose results hold values beyond their arguments."""
    news: Counter[str] = Counter()
    for lesson in lessons:
        for operator, arguments, facts in lesson.calls:
            news[operator] += any(
                value not in arguments for fact in facts for value in fact.fields.values()
            )
    return {operator for operator, count in news.items() if count >= _LEAST}


def _start_operators(lessons: Sequence[Lesson], telling: set[str]) -> set[str]:
    """Return the telling operators whose results have kinds of facts of the first result."""
    first = Counter(fact.kind for lesson in lessons for fact in lesson.first.results[0])
    kinds: dict[str, set[str]] = defaultdict(set)
    for lesson in lessons:
        for operator, _, facts in lesson.calls:
            kinds[operator].update(fact.kind for fact in facts if fact.kind != UNREAD)
    return {o for o in telling if any(first[kind] * 2 > len(lessons) for kind in kinds[o])}


def _names_change_with_moves(lessons: Sequence[Lesson], places: Places) -> bool:
    """Whether results name another place exactly where a move lies between them."""
    consistent = changes = total = 0
    for lesson in lessons:
        last_name = name_of(lesson.first.results[0][0]) if places.start else None
        moved = 0
        for operator, _, facts in lesson.calls:
            moved += operator in places.moves
            if operator in places.told_by and facts:
                name = name_of(facts[0])
                if last_name is not None and moved < 2:  # two moves may lead back
                    total += 1
                    changes += name != last_name
                    consistent += (name != last_name) == bool(moved)
                last_name, moved = name, 0
    return changes >= _LEAST and consistent >= _NEARLY_ALWAYS * total


def _head_kinds(lessons: Sequence[Lesson], places: Places) -> frozenset[str]:
    """Return the kind of fact that names all places; empty where there are several."""
    kinds = {head.kind for _, _, head in _heads(lessons, places)}
    return frozenset(kinds if len(kinds) == 1 else ())


def _heads(
    lessons: Sequence[Lesson], places: Places
) -> Iterator[tuple[str, tuple[str, ...], Fact]]:
    """Yield the calls whose results tell a place, with the first fact."""
    for lesson in lessons:
        for operator, arguments, facts in lesson.calls:
            if operator in places.told_by and facts:
                yield operator, arguments, facts[0]


def _repeats_arguments(lessons: Sequence[Lesson], places: Places) -> bool:
    """Whether the first fact mostly repeats an argument beside other values: it names no place."""
    repeated = [
        len(head.fields) > 1 and any(each in head.fields.values() for each in arguments)
        for _, arguments, head in _heads(lessons, places)
        if arguments
    ]
    return sum(repeated) * 2 > max(1, len(repeated))


def _moves_by_name(lessons: Sequence[Lesson], places: Places) -> bool:
    """Whether the argument of a move is the name of the place to which it leads."""
    matches = [
        " ".join(arguments).casefold() == name_of(head)
        for operator, arguments, head in _heads(lessons, places)
        if operator in places.moves
    ]
    return sum(matches) >= _NEARLY_ALWAYS * max(1, len(matches))


def _is_followed_up(lessons: Sequence[Lesson], move: str) -> bool:
    """Whether most calls after a move name its argument."""
    named = [
        at in arguments
        for at, _, arguments in _calls_at(lessons, move)
        if at is not None and arguments
    ]
    return len(named) >= _LEAST and sum(named) >= _FOLLOWED * len(named)


def _acts_on_place(lessons: Sequence[Lesson], move: str, operator: str) -> bool:
    """Whether the argument of an operator is always the current place."""
    matches = [
        arguments == (at,) for at, other, arguments in _calls_at(lessons, move) if other == operator
    ]
    return sum(matches) >= _NEARLY_ALWAYS * len(matches)


def _calls_at(
    lessons: Sequence[Lesson], move: str
) -> Iterator[tuple[str | None, str, tuple[str, ...]]]:
    """Yield all other calls, each with the argument of the last move before it."""
    for lesson in lessons:
        at: str | None = None
        for operator, arguments, _ in lesson.calls:
            if operator == move:
                at = arguments[0]
            else:
                yield at, operator, arguments


def _moves_back(lessons: Sequence[Lesson], places: Places) -> dict[str, str]:
    """Return move → the move that leads back: the only one always offered on arrival.

    Both have to lead back to each other; else a move that every place offers would count.
    """
    if places.by_name:
        return {}
    moves = {
        action_text(Done(None, operator, arguments))
        for lesson in lessons
        for operator, arguments, _ in lesson.calls
        if operator in places.moves
    }
    values = {argument: action for action in moves for argument in _arguments(action, places)}
    entered: Counter[str] = Counter()
    offered: dict[str, Counter[str]] = defaultdict(Counter)
    for lesson in lessons:
        moves_made: list[str] = []
        for operator, arguments, facts in lesson.calls:
            if operator in places.moves:
                moves_made.append(action_text(Done(None, operator, arguments)))
            if operator in places.told_by and facts:
                names = {values[v] for v in _values(facts) if v in values}
                if len(moves_made) == 1 and names:
                    entered[moves_made[0]] += 1
                    offered[moves_made[0]].update(names)
                moves_made = []
    back: dict[str, str] = {}
    for action, count in entered.items():
        always_offered = [other for other, n in offered[action].items() if n >= count]
        if count >= _LEAST and len(always_offered) == 1:
            back[action] = always_offered[0]
    return {
        one: other for one, other in sorted(back.items()) if one != other and back.get(other) == one
    }


def _arguments(action: str, places: Places) -> Iterator[str]:
    for move in places.moves:
        before, _, behind = move.partition("{}")
        if action.startswith(before) and action.endswith(behind):
            yield action[len(before) : len(action) - len(behind)]


def _values(facts: Sequence[Fact]) -> set[str]:
    return {value for fact in facts for value in fact.fields.values()}


# ---------------------------------------------------------------------------- ways
def learn_ways(lessons: Sequence[Lesson], places: Places) -> Places | None:
    """Return places with the fields that tell the ways; None where no fields do.

    The fields are the shortest description of the demonstrated moves. They come from the facts of
    the place, if these are enough, else from all facts so far.
    """
    moves = [
        (value, _values_here(scene), dict(sofar))
        for lesson in lessons
        for scene, sofar, value in _moves(lesson, places)
    ]
    for anywhere in (False, True):
        values_by_field = [sofar if anywhere else here for _, here, sofar in moves]
        bits: dict[Field, dict[int, float]] = defaultdict(dict)
        for number, ((value, _, _), fields) in enumerate(zip(moves, values_by_field, strict=True)):
            for field, values in fields.items():
                if value in values:
                    bits[field][number] = math.log2(len(values))
        way_fields, unexplained = _shortest(bits, len(moves))
        if unexplained <= (1 - _SELDOM) * len(moves):
            return replace(places, ways=tuple(way_fields), anywhere=anywhere)
    return None


_Told = Mapping[Field, frozenset[str]]


def _values_here(scene: Scene) -> _Told:
    values_by_field: dict[Field, set[str]] = defaultdict(set)
    for fact in scene.present or ():
        for name, value in fact.fields.items() if fact.kind != UNREAD else ():
            values_by_field[fact.kind, name].add(value)
    return {field: frozenset(values) for field, values in values_by_field.items()}


def _moves(lesson: Lesson, places: Places) -> Iterator[tuple[Scene, _Told, str]]:
    """Yield each move: the scene before it, the values of fields so far, and its argument."""
    sofar: dict[Field, frozenset[str]] = {}
    newest: Sequence[Fact] = lesson.first.results[0]
    for scene, call, facts in walk(lesson, places):
        for fact in newest:
            for name, value in fact.fields.items() if fact.kind != UNREAD else ():
                sofar[fact.kind, name] = sofar.get((fact.kind, name), frozenset()) | {value}
        newest = facts
        if call.operator in places.moves:
            yield scene, sofar, call.arguments[0]


def _shortest(bits: Mapping[Field, Mapping[int, float]], moves: int) -> tuple[list[Field], int]:
    """Return the fields that tell the ways, and the number of moves that none of them tells.

    A further field counts only for the moves that the first ones do not tell.
    """
    way_fields: list[Field] = []
    unexplained = set(range(moves))
    while bits and len(way_fields) < _MOST_KINDS:
        saved = {
            field: sum(
                MISSED_BITS - bits_by_move[number] for number in unexplained & bits_by_move.keys()
            )
            for field, bits_by_move in bits.items()
        }
        best = min(bits, key=lambda field: (-round(saved[field]), field))
        if saved[best] < _KIND_BITS:
            break
        way_fields.append(best)
        unexplained -= bits[best].keys()
    return way_fields, len(unexplained)


def learn_names(lessons: Sequence[Lesson]) -> frozenset[Field]:
    """Return the fields of lines that name things: later calls use their values."""
    told_count: Counter[Field] = Counter()
    used_count: Counter[Field] = Counter()
    for lesson in lessons:
        arguments = {value for _, values, _ in lesson.calls for value in values}
        earlier_arguments: set[str] = set()
        results = (lesson.first.results[0], *(facts for _, _, facts in lesson.calls))
        call_arguments = ((), *(values for _, values, _ in lesson.calls))
        for values, facts in zip(call_arguments, results, strict=True):
            earlier_arguments.update(values)
            for fact in facts:
                if fact.kind == UNREAD or fact.kind.startswith(NAME):
                    continue  # names in running text are names anyway
                for name, value in fact.fields.items():
                    if value not in earlier_arguments:
                        told_count[fact.kind, name] += 1
                        used_count[fact.kind, name] += value in arguments
    return frozenset(f for f, n in used_count.items() if n >= _USED * told_count[f] and n > 1)
