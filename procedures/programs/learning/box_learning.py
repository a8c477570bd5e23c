"""Boxes of steps, learned from the histories before them."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from ...episodes.facts import Fact
from ...episodes.history import EARLIER, TASK, History
from ..box import Box
from ..chance import is_no_chance
from ..coincidences import Coincidence, coincidences
from ..computed_fields import (
    computed_fields,
    computed_places,
    computed_range,
    computed_term,
    has_limit,
    has_telling_sign,
    is_sum,
)
from ..field_uses import Uses, places_in
from ..named_rows import is_foremost, named_fields, naming_rows
from ..pairs import pairs_of
from ..program_conditions import Arithmetic
from ..ranges import Range, is_open, is_various, measured, quantities_of, range_of, widened
from ..relations import COMPUTED, Place, fields_of, members_of, relations_of
from ..size_limits import limits_of, sizes_by_class
from ..terms import parts_of
from ..told_values import fields_of_lists, origin, secret_places, single_values

_LEAST_RUNS = 5
"""Least runs of a step from which on other wordings may be missing by chance."""


def open_fields(ends: Sequence[History]) -> frozenset[Place]:
    """Return the open fields, of which new values are to be expected.

    Args:
        ends: Histories of whole runs.
    """
    columns: dict[Place, Counter[str]] = defaultdict(Counter)
    for history in ends:
        values_of_run: set[tuple[Place, str]] = set()
        for fact in (Fact(TASK, history.asked.fields), *(f for r in history.results for f in r)):
            values_of_run.update(fields_of(fact))
        for place, value in values_of_run:
            if measured(value) is None:
                columns[place][value] += 1
    for counts in columns.values():
        for value in quantities_of(counts):
            del counts[value]
    return frozenset(p for p, counts in columns.items() if p[0] != EARLIER and is_open(counts))


def learn_box(
    runs: int,
    histories: Sequence[History],
    rivals: Sequence[History],
    opened: Collection[Place],
    repeated: Collection[Place] = (),
    wordings: Mapping[str, int] | None = None,
    ends: Sequence[History] = (),
    uses: Uses | None = None,
) -> Box:
    """Return the box of a step.

    Args:
        runs: Number of runs that did the step.
        histories: Histories before the step.
        rivals: Histories before other steps.
        opened: Fields of which new values are to be expected.
        repeated: Fields whose values the step only repeats.
        wordings: Wording of a task → number of runs.
        ends: Whole histories without the step, which its guard rules out there.
        uses: What the program does with slots and fields. Words that it passes on do not matter
            where most runs had new ones.
    """
    uses = uses or Uses()
    histories = [history.apart() for history in histories]
    rivals = [history.apart() for history in rivals]
    others = [*rivals, *(history.apart() for history in ends)]
    members = list(members_of(histories))
    naming = naming_rows(members, histories)
    rows = [named_fields(naming, history) for history in histories]
    moments = list(map(single_values, histories, rows))
    columns_of_lists = _columns_of_lists(histories)
    sources = {place: inner[0] for each in rows for place, inner in each.items()}
    ranges = _told_ranges(moments, columns_of_lists, sources, opened, repeated, uses.passed)
    told = {p: span for p, span in ranges.items() if p not in sources and p == origin(p)}
    computed = computed_places(histories, moments, told)
    named = [
        {**fields, **computed_fields(computed, history)}
        for fields, history in zip(rows, histories, strict=True)
    ]
    moments = list(map(single_values, histories, named))
    figures = _figure_ranges(computed, moments)
    ranges |= figures
    idle_figures = {p for p, span in figures.items() if not _matters(p, span, told, uses)}
    signed = [
        place
        for place in figures
        if has_telling_sign(place) and all(place in each for each in moments)
    ]
    rival_moments = [
        single_values(h, {**named_fields(naming, h), **computed_fields(computed, h)})
        for h in others
    ]
    beside = _columns_of_lists(others)
    for fields in rival_moments:  # a rival's list may have a single row
        for place, value in fields.items():
            if place in columns_of_lists or is_sum(place):
                beside[place].append(value)
    kinds = frozenset[str]().union(*(history.kinds for history in histories))
    all_kinds = {COMPUTED, *kinds, *(kind for kind, _ in sources)}
    overlapping = list(_overlapping_pairs(ranges, all_kinds, moments))
    secret = secret_places(ranges)
    # Where a row tells the limit of its class, no further one is sought.
    boundless = {p: s for p, s in ranges.items() if sources.get(p, p) not in uses.limited}

    def signed_values(history: History) -> Mapping[Place, str]:
        signs = computed_fields(signed, history)
        return single_values(history, {**named_fields(naming, history), **signs})

    return Box(
        runs,
        wordings=frozenset(history.wording for history in histories).union(
            _missed_by_chance(wordings or {}, runs)
        ),
        kinds=kinds,
        ranges={place: span for place, span in ranges.items() if place not in idle_figures},
        relations=frozenset(members).union(relations_of(histories, moments, named, overlapping)),
        met=frozenset[Coincidence]().union(
            *(coincidences(*moment, secret) for moment in zip(histories, named, strict=True))
        ),
        limits=limits_of(beside, ranges),
        sizes_by_class=sizes_by_class(moments, rival_moments, boundless),
        pairs=frozenset(pairs_of(histories, rivals, ranges, signed_values, others[len(rivals) :])),
    )


def _matters(place: Place, span: Range, told: Mapping[Place, Range], uses: Uses) -> bool:
    """Whether a figure alone may be a reason.

    It never varied, it counts all rows or the time between two moments, or the program uses a field
    of it. Of dozens of other figures some leave their ranges by chance at each new task.

    Args:
        place: The figure.
        span: Its range.
        told: Field → range of its values.
        uses: What the program does with slots and fields.
    """
    term = computed_term(place)
    places = set(itertools.chain.from_iterable(map(places_in, parts_of(term))))
    is_of_times = isinstance(term, Arithmetic) and not any(
        "number" in told[each].hulls for each in places if each in told
    )
    is_used = not places.isdisjoint(uses.passed | uses.decisive)
    return span.different < 2 or is_of_times or not places or is_used


def _told_ranges(
    moments: Sequence[Mapping[Place, str]],
    lists: Mapping[Place, Sequence[str]],
    sources: Mapping[Place, Place],
    opened: Collection[Place],
    repeated: Collection[Place],
    passed: Collection[Place],
) -> dict[Place, Range]:
    """Return the ranges of what was told.

    Args:
        moments: Single values of each moment.
        lists: Field of lists → its values at all moments.
        sources: Field of a named row → the same field in any row.
        opened: Fields of which new values are to be expected.
        repeated: Fields whose values the step only repeats.
        passed: Fields, and slots of the task, that are passed on as arguments.
    """
    columns: dict[Place, list[str]] = defaultdict(list)
    for place, value in itertools.chain(*(each.items() for each in moments)):
        columns[place].append(value)
    for place, values in lists.items():
        columns[place] += values
    ranges: dict[Place, Range] = {}
    for place, values in columns.items():
        source = origin(sources.get(place, place))
        # Of a foremost row one value each time is a reason; others are among those of its list.
        is_any = is_foremost(place[0]) and len({*values}) > 1
        is_any |= source in passed and is_various(values)
        span = range_of(place, values, opened=is_any or source in opened)
        is_repeated = source in repeated and is_various(values)
        ranges[place] = widened(span, values) if is_repeated else span
    return ranges


def _figure_ranges(
    places: Sequence[Place], moments: Sequence[Mapping[Place, str]]
) -> dict[Place, Range]:
    """Return the ranges of computed figures.

    Of those that agree while they vary one has a range; that they agree is a relation.

    Args:
        places: The figures.
        moments: Single values of each moment, the figures included.
    """
    columns = {p: tuple(each[p] for each in moments if p in each) for p in places}
    always = {p: values for p, values in columns.items() if len(values) == len(moments)}
    constant = [place for place, values in always.items() if len({*values}) == 1]
    varying = {values: p for p, values in reversed(always.items()) if p not in constant}
    at_times = [place for place in columns if place not in always]
    return {p: computed_range(p, columns[p]) for p in (*constant, *varying.values(), *at_times)}


def _missed_by_chance(wordings: Mapping[str, int], runs: int) -> Iterator[str]:
    """Yield the wordings that some runs may lack by chance.

    Tasks without a wording do not count, as they may ask for anything.
    """
    total = sum(wordings.values())
    for wording, number in wordings.items() if runs >= _LEAST_RUNS else ():
        others = ((total - number - drawn) / (total - drawn) for drawn in range(runs))
        if wording and not is_no_chance(others):
            yield wording


def _columns_of_lists(histories: Iterable[History]) -> dict[Place, list[str]]:
    """Map each field of lists to its values in all histories."""
    columns: dict[Place, list[str]] = defaultdict(list)
    for history in histories:
        for place, value in fields_of_lists(history):
            columns[place].append(value)
    return columns


def _overlapping_pairs(
    ranges: Mapping[Place, Range],
    kinds: Collection[str],
    moments: Sequence[Mapping[Place, str]],
) -> Iterator[tuple[Place, Place]]:
    """Yield pairs of places whose sizes overlap, so that either could be the greater.

    What is computed is held against single values that are told; it might go as far again. Dates
    of lists, and those that are told at times only, might lie anywhere.
    """
    places = [p for p, s in sorted(ranges.items()) if s.hulls and (p[0] in kinds or p[0] == TASK)]
    singles = frozenset[Place]().union(*moments[:1]).intersection(*moments[1:])
    for one, other in itertools.combinations(places, 2):
        computed = [place for place in (one, other) if place[0] == COMPUTED]
        if computed and not singles.issuperset((one, other)):
            continue
        if not all(has_limit(place, other if place == one else one) for place in computed):
            continue
        for type_, (low, high) in ranges[one].hulls.items():
            least, most = ranges[other].hulls.get(type_, (math.inf, -math.inf))
            spreads = (each[1] - each[0] for p in computed if (each := ranges[p].hulls.get(type_)))
            reach = max(spreads, default=0.0)
            if type_ == "date" and not singles.issuperset((one, other)):
                reach = math.inf  # no hull holds the dates of a list
            if low - reach <= most and least <= high + reach:
                yield one, other
