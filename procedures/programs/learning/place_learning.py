"""Places of demonstrations: which calls lead from one to another, which tell where one is."""

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
from .choices import MISSED_BITS
from .operator_learning import walk

if TYPE_CHECKING:
    from .lessons import Lesson

__all__ = ["learn_names", "learn_places", "learn_ways"]

_LEAST = 3
"""Changes of place, or entries into one, from which something is learned."""
_NEARLY_ALWAYS = 0.95
_SELDOM = 0.9
_FOLLOWED = 0.5
_MOSTLY = 0.7
_MOST_KINDS = 12
_USED = 0.1
"""Share of what a field says that is acted on later, where it names things."""
_KIND_BITS = 20.0
"""What it costs to name a kind of facts and a field."""


def learn_places(lessons: Sequence[Lesson]) -> list[Places]:
    """Return the ways in which demonstrations may be read as walks through places."""
    operators = Counter(operator for lesson in lessons for operator, _, _ in lesson.calls)
    telling = _telling(lessons)
    start = _start(lessons, telling)
    proposals: list[Places] = []
    for move in sorted(operators):
        if move.count("{}") != 1 or _asked(lessons, move):
            continue
        for teller in sorted(telling):
            places = Places((move,), (teller,), start=teller in start)
            if _named(lessons, places) and not _repeats(lessons, places):
                by_name, heads = _by_name(lessons, places), _heads(lessons, places)
                places = replace(places, by_name=by_name, heads=heads)
                proposals.append(replace(places, back=_back(lessons, places)))
        if _followed(lessons, move):
            told_by = tuple(sorted({move, *(t for t in telling if _follows(lessons, move, t))}))
            proposals.append(Places((move,), told_by, start=False, named=False, by_name=True))
    return [
        replace(each, sightings=_sightings(lessons, each)) if each.by_name else each
        for each in proposals
    ]


def _asked(lessons: Sequence[Lesson], move: str) -> bool:
    """Whether the task mostly says with what something is done: then nothing is looked for."""
    said = [
        lesson.first.said(arguments[0])
        for lesson in lessons
        for operator, arguments, _ in lesson.calls
        if operator == move
    ]
    return sum(said) > _MOSTLY * len(said)


def _sightings(lessons: Sequence[Lesson], places: Places) -> Sightings:
    """Count what was seen at each visit to a place, by kinds."""
    visits: Counter[str] = Counter()
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for lesson in lessons:
        at: tuple[str, ...] = ()
        told: set[str] = set()
        for operator, arguments, facts in (*lesson.calls, (places.moves[0], ("",), ())):
            if operator in places.moves:
                for place in at:
                    visits[place] += 1
                    for thing in told - set(at):
                        seen[thing][place] += 1
                at, told = words_of(arguments[0]), set()
            if operator in places.told_by:
                names = (f.fields["name"] for f in facts if f.kind.startswith(NAME))
                told.update(word for name in names for word in words_of(name))
    return Sightings(dict(visits), {thing: dict(each) for thing, each in sorted(seen.items())})


def _telling(lessons: Sequence[Lesson]) -> set[str]:
    """Operators whose results say what was not said before."""
    news: Counter[str] = Counter()
    for lesson in lessons:
        for operator, arguments, facts in lesson.calls:
            news[operator] += any(
                value not in arguments for fact in facts for value in fact.fields.values()
            )
    return {operator for operator, count in news.items() if count >= _LEAST}


def _start(lessons: Sequence[Lesson], telling: set[str]) -> set[str]:
    """Operators that tell the same kinds of facts as the first result."""
    first = Counter(fact.kind for lesson in lessons for fact in lesson.first.results[0])
    kinds: dict[str, set[str]] = defaultdict(set)
    for lesson in lessons:
        for operator, _, facts in lesson.calls:
            kinds[operator].update(fact.kind for fact in facts if fact.kind != UNREAD)
    return {o for o in telling if any(first[kind] * 2 > len(lessons) for kind in kinds[o])}


def _named(lessons: Sequence[Lesson], places: Places) -> bool:
    """Whether another place is named just where a move lies between."""
    right = changes = total = 0
    for lesson in lessons:
        last = name_of(lesson.first.results[0][0]) if places.start else None
        moved = 0
        for operator, _, facts in lesson.calls:
            moved += operator in places.moves
            if operator in places.told_by and facts:
                name = name_of(facts[0])
                if last is not None and moved < 2:  # two moves may lead back
                    total += 1
                    changes += name != last
                    right += (name != last) == bool(moved)
                last, moved = name, 0
    return changes >= _LEAST and right >= _NEARLY_ALWAYS * total


def _heads(lessons: Sequence[Lesson], places: Places) -> frozenset[str]:
    """Return the kind of fact that names all places; none where some are named in another way."""
    kinds = {
        facts[0].kind
        for lesson in lessons
        for operator, _, facts in lesson.calls
        if operator in places.told_by and facts
    }
    return frozenset(kinds if len(kinds) == 1 else ())


def _repeats(lessons: Sequence[Lesson], places: Places) -> bool:
    """Whether the first fact repeats what was done beside saying other things: that names none."""
    same = total = 0
    for lesson in lessons:
        for operator, arguments, facts in lesson.calls:
            if operator in places.told_by and arguments and facts:
                total += 1
                values = facts[0].fields.values()
                same += len(values) > 1 and any(each in values for each in arguments)
    return same * 2 > max(1, total)


def _by_name(lessons: Sequence[Lesson], places: Places) -> bool:
    """Whether a move says the name of the place to which it leads."""
    same = total = 0
    for lesson in lessons:
        for operator, arguments, facts in lesson.calls:
            if operator in places.moves and operator in places.told_by and facts:
                total += 1
                same += " ".join(arguments).casefold() == name_of(facts[0])
    return same >= _NEARLY_ALWAYS * max(1, total)


def _followed(lessons: Sequence[Lesson], move: str) -> bool:
    """Whether what comes after a move names its argument, and hardly anything else does."""
    same = total = 0
    for lesson in lessons:
        at: str | None = None
        for operator, arguments, _ in lesson.calls:
            if operator == move:
                at = arguments[0]
            elif at is not None and arguments:
                total += 1
                same += at in arguments
    return total >= _LEAST and same >= _FOLLOWED * total


def _follows(lessons: Sequence[Lesson], move: str, operator: str) -> bool:
    """Whether an operator is done to the place where one is, and to nothing else."""
    same = total = 0
    for lesson in lessons:
        at: str | None = None
        for each, arguments, _ in lesson.calls:
            if each == move:
                at = arguments[0]
            elif each == operator:
                total += 1
                same += arguments == (at,)
    return same >= _NEARLY_ALWAYS * total


def _back(lessons: Sequence[Lesson], places: Places) -> dict[str, str]:
    """Return the moves that lead back: always offered on arrival, as no other is.

    Only where moves lead back to each other: else a move that is always offered would be one.
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
        last: list[str] = []
        place: set[str] = set()
        for operator, arguments, facts in lesson.calls:
            if operator in places.moves:
                last.append(action_text(Done(None, operator, arguments)))
            if operator in places.told_by and facts:
                names = {values[v] for v in _values(facts) if v in values}
                if len(last) == 1 and names and place is not None:
                    entered[last[0]] += 1
                    offered[last[0]].update(names)
                last = []
    back: dict[str, str] = {}
    for action, count in entered.items():
        always = [other for other, n in offered[action].items() if n >= count]
        if count >= _LEAST and len(always) == 1:
            back[action] = always[0]
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
    """Return places with what tells the ways; None where nothing does.

    That is the shortest description of the demonstrated moves: what is told of the place, if that
    is enough, else all that was told so far.
    """
    moved = [
        (value, _told_here(scene), dict(sofar))
        for lesson in lessons
        for scene, sofar, value in _moves(lesson, places)
    ]
    for anywhere in (False, True):
        told = [sofar if anywhere else here for _, here, sofar in moved]
        bits: dict[Field, dict[int, float]] = defaultdict(dict)
        for number, ((value, _, _), fields) in enumerate(zip(moved, told, strict=True)):
            for field, values in fields.items():
                if value in values:
                    bits[field][number] = math.log2(len(values))
        among, missed = _shortest(bits, len(moved))
        if missed <= (1 - _SELDOM) * len(moved):
            return replace(places, ways=tuple(among), anywhere=anywhere)
    return None


_Told = Mapping[Field, frozenset[str]]


def _told_here(scene: Scene) -> _Told:
    told: dict[Field, set[str]] = defaultdict(set)
    for fact in scene.present or ():
        for name, value in fact.fields.items() if fact.kind != UNREAD else ():
            told[fact.kind, name].add(value)
    return {field: frozenset(values) for field, values in told.items()}


def _moves(lesson: Lesson, places: Places) -> Iterator[tuple[Scene, _Told, str]]:
    """Yield each move: the scene before it, what was told so far, and its argument."""
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
    """Return the fields that tell the ways, and how many moves none of them tells.

    Another field counts only for what the first do not tell.
    """
    among: list[Field] = []
    left = set(range(moves))
    while bits and len(among) < _MOST_KINDS:
        saved = {
            field: sum(MISSED_BITS - own[number] for number in left & own.keys())
            for field, own in bits.items()
        }
        best = min(bits, key=lambda field: (-round(saved[field]), field))
        if saved[best] < _KIND_BITS:
            break
        among.append(best)
        left -= bits[best].keys()
    return among, len(left)


def learn_names(lessons: Sequence[Lesson]) -> frozenset[Field]:
    """Return the fields of lines that name things: what they say is acted on later."""
    told: Counter[Field] = Counter()
    used: Counter[Field] = Counter()
    for lesson in lessons:
        arguments = {value for _, values, _ in lesson.calls for value in values}
        before: set[str] = set()
        results = (lesson.first.results[0], *(facts for _, _, facts in lesson.calls))
        deeds = ((), *(values for _, values, _ in lesson.calls))
        for values, facts in zip(deeds, results, strict=True):
            before.update(values)
            for fact in facts:
                if fact.kind == UNREAD or fact.kind.startswith(NAME):
                    continue  # names in running text are names anyway
                for name, value in fact.fields.items():
                    if value not in before:
                        told[fact.kind, name] += 1
                        used[fact.kind, name] += value in arguments
    return frozenset(f for f, n in used.items() if n >= _USED * told[f] and n > 1)
