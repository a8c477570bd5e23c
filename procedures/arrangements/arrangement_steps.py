"""The next action of an arrangement: first an enquiry about each record, then handing it in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..episodes.fact import Fact
from ..episodes.history import History
from ..episodes.tokens import occurs
from .arrangement import Arrangement
from .arrangement_json import enquiries_of, json_text, records_of
from .arrangement_search import Solution, arranged
from .decision_problem import Problem, RowKey, Unknown
from .table_rows import Tables, number_of

_MOST_REFUSALS = 5
"""Refused records after which no other arrangement is tried."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """The state of an episode.

    Attributes:
        problem: What the task asks.
        solution: The arrangement that is asked about, or handed in.
        asked: Enquiries of it, as JSON.
        answers: JSON of an enquiry → the number that was told, or the words of a refusal.
    """

    problem: Problem
    solution: Solution
    asked: tuple[str, ...]
    answers: Mapping[str, float | str]


def next_enquiry(arrangement: Arrangement, history: History) -> str:
    """Return the record, as JSON, that is asked about next; "" where none is left to ask."""
    standing = _standing(arrangement, history)
    if standing is None:
        return ""
    return next((each for each in standing.asked if each not in standing.answers), "")


def whole(arrangement: Arrangement, history: History) -> str:
    """Return the arrangement as JSON, once all its records were asked about; else ""."""
    standing = _standing(arrangement, history)
    if standing is None or any(each not in standing.answers for each in standing.asked):
        return ""
    return json_text(records_of(standing.problem, standing.solution))


def accepted(arrangement: Arrangement, history: History) -> bool:
    """Whether all records of what is handed in were asked about, and none was refused."""
    standing = _standing(arrangement, history)
    if standing is None or not standing.asked:
        return False
    return all(isinstance(standing.answers.get(each), float) for each in standing.asked)


def _standing(arrangement: Arrangement, history: History) -> _Standing | None:
    """Return where an episode stands; None where no arrangement is known.

    An arrangement of which a record is refused is given up: what was not accepted elsewhere in it
    is not chosen again; where the refusal names slots, only what fills these. Where nothing else
    can be done within the limit, the first one stands after all.
    """
    answers = dict(_answers(arrangement, history))
    first = tuple(history.results[0])
    banned: frozenset[RowKey] = frozenset()
    first_standing: _Standing | None = None
    refusals = sum(isinstance(answer, str) for answer in answers.values())
    for _ in range(refusals + 1):
        try:
            problem, solution = _arranged_once(arrangement, history.task, first, banned)
        except Unknown:
            return first_standing
        enquiries = _enquiry_texts(problem, solution) if arrangement.enquiry else ()
        if first_standing and solution.cost > problem.limit >= first_standing.solution.cost:
            return first_standing
        refused_records = [
            i for i, each in enumerate(enquiries) if isinstance(answers.get(each), str)
        ]
        if not refused_records:
            return _Standing(problem, solution, enquiries, answers)
        if refusals >= _MOST_REFUSALS:
            return _Standing(problem, solution, (), answers)
        first_standing = first_standing or _Standing(problem, solution, enquiries, answers)
        accepted_records = [
            i for i, each in enumerate(enquiries) if isinstance(answers.get(each), float)
        ]
        refusal_text = " ".join(str(answers[enquiries[i]]) for i in refused_records)
        banned |= _rows(solution, refused_records, refusal_text) - _rows(solution, accepted_records)
    return first_standing


def _enquiry_texts(problem: Problem, solution: Solution) -> tuple[str, ...]:
    return tuple(json_text(each) for each in enquiries_of(problem, solution))


def _rows(solution: Solution, records: Sequence[int], refusal_text: str = "") -> frozenset[RowKey]:
    """Return the rows in some records; where a refusal names slots, only the rows of these."""
    places = {
        place: row
        for decision, (row, _) in solution.chosen.items()
        for place in decision.places
        if place[0] in records
    }
    meant_places = {place for place in places if occurs(place[1], refusal_text)} or set(places)
    return frozenset(
        (row.table, frozenset(row.fields.items()))
        for place, row in places.items()
        if place in meant_places
    )


def _answers(arrangement: Arrangement, history: History) -> Iterator[tuple[str, float | str]]:
    enquiry = arrangement.enquiry
    for call, result in zip(history.calls, history.results[1:], strict=True):
        if enquiry is None or call.operator != enquiry.do or len(call.arguments) != 1:
            continue
        numbers = [
            number_of(fact.fields.get("1", "")) for fact in result if fact.kind == enquiry.tells
        ]
        refusal = " ".join(fact.fields.get("1", fact.kind) for fact in result)
        number = next((each for each in numbers if each is not None), None)
        yield _normal_json(call.arguments[0]), refusal if number is None else number


def _normal_json(text: str) -> str:
    """Return JSON in one spelling, so that equal enquiries are equal texts."""
    try:
        return json_text(json.loads(text))
    except (ValueError, RecursionError):
        return text


@lru_cache(maxsize=16)
def _arranged_once(
    arrangement: Arrangement, task: str, facts: tuple[Fact, ...], banned: frozenset[RowKey]
) -> tuple[Problem, Solution]:
    """Arrange once for each state of knowledge: it is asked for at every step."""
    return arranged(arrangement, task, Tables.of(facts), banned)
