"""Demonstrations of arrangements: tables, enquiries with answers, and the records handed in."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...episodes.facts import Reader
from ...episodes.templates import literal_text
from ...episodes.trajectories import Trajectory
from ..table_rows import Row, Tables

_OPEN = re.compile(r"[\[{]")
_MOST_STARTS = 3
"""Brackets at which JSON may begin in an action."""
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class DemonstratedAction:
    """An action that holds JSON: its operator, with ``{}`` for that, and the value."""

    operator: str
    value: Any


@dataclass(frozen=True, slots=True)
class ChosenRow:
    """A row that fills a slot of a record."""

    record: int
    slot: str
    row: Row


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to the enquiry about a record."""

    record: int
    number: float
    extra: dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One demonstration.

    Attributes:
        task: What was asked.
        tables: What was told at first.
        records: What was handed in.
        told: What was told of records that were asked about.
        enquiry: Operator of these enquiries; "" where nothing was asked.
        finish: Operator of the last action.
        tells: Template of the answers.
        refusals: Answers that told no number.
    """

    task: str
    tables: Tables
    records: tuple[dict[str, Any], ...]
    told: tuple[Answer, ...]
    enquiry: str
    finish: str
    tells: str
    refusals: tuple[str, ...] = ()

    @property
    def total(self) -> float | None:
        """The sum over all records; None where a record has no answer."""
        if {each.record for each in self.told} != set(range(len(self.records))):
            return None
        return sum(each.number for each in self.told)


def action_with_json(action: str) -> DemonstratedAction | None:
    """Return an action as an operator and an object or list of JSON; None where it holds none."""
    closing = {"[": "]", "{": "}"}
    for count, match in enumerate(_OPEN.finditer(action)):
        if count == _MOST_STARTS:
            break
        start = match.start()
        end = action.rfind(closing[action[start]]) + 1
        while end > start:
            try:
                value = json.loads(action[start:end])
            except (ValueError, RecursionError):
                end = action.rfind(closing[action[start]], start, end - 1) + 1
                if end <= len(action) - _MOST_STARTS:
                    break
                continue
            if action[start - 1 : start].isalnum() and isinstance(value, list) and len(value) == 1:
                start, end, value = start + 1, end - 1, value[0]  # brackets of the call itself
            plain = [literal_text(part) for part in (action[:start], action[end:])]
            return DemonstratedAction("{}".join(plain), value)
    return None


def read_shown(demonstrations: Sequence[Trajectory]) -> list[Shown | None]:
    """Read each demonstration that hands in a list of records, asking about nothing but these.

    All of them end with one operator, ask with one, and have the same keys; else it is None.
    """
    reader = Reader()
    runs = [_read_demonstration(episode, reader) for episode in demonstrations]
    count_by_manner = Counter(_manner(each) for each in runs if each is not None)
    if not count_by_manner:
        return runs
    usual = count_by_manner.most_common(1)[0][0]
    return [each if each is not None and _manner(each) == usual else None for each in runs]


def _manner(each: Shown) -> tuple[str, str, frozenset[str]]:
    return each.finish, each.enquiry, frozenset(each.records[0])


def _read_demonstration(episode: Trajectory, reader: Reader) -> Shown | None:
    if not episode.acts or episode.obs[0].lstrip()[:1] not in ("{", "["):
        return None
    final = action_with_json(episode.acts[-1])
    if final is None or not _is_records(final.value):
        return None
    records = tuple(final.value)
    answers: list[Answer] = []
    operators: set[str] = set()
    tells = ""
    refusals: list[str] = []
    for action, answer in zip(episode.acts[:-1], episode.obs[1:], strict=False):
        question = action_with_json(action)
        if question is None or not isinstance(question.value, dict):
            return None
        record = next(
            (i for i, r in enumerate(records) if r.items() <= question.value.items()), None
        )
        if record is None:
            return None
        operators.add(question.operator)
        numbers = list(_NUMBER.finditer(answer))
        if len(numbers) == 1:
            number = numbers[0]
            tells = f"{answer[: number.start()]}{{1}}{answer[number.end() :]}"
            extra = {k: v for k, v in question.value.items() if k not in records[record]}
            answers.append(Answer(record, float(number[0].replace(",", "")), extra))
        else:
            refusals.append(answer)
    if len(operators) > 1:
        return None
    tables = Tables.of(reader.read(episode.obs[0]))
    enquiry = next(iter(operators), "")
    return Shown(
        episode.task,
        tables,
        records,
        tuple(answers),
        enquiry,
        final.operator,
        tells,
        tuple(refusals),
    )


def _is_records(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(each, dict) and each for each in value)
        and len({tuple(each) for each in value}) == 1
    )
