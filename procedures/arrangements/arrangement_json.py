"""An arrangement as JSON: its records, and each of them as it is asked about."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from .arrangement import Arrangement, Form, Slot
from .arrangement_search import Solution
from .decision_problem import Problem
from .table_rows import Row

_FIELD = re.compile(r"\{([^{}]+)\}")


def records_of(problem: Problem, solution: Solution) -> list[dict[str, Any]]:
    """Return the records, their keys in the order in which they were shown."""
    arrangement = problem.arrangement
    texts: dict[tuple[int, str], list[str]] = {}
    forms: dict[tuple[int, str], Form] = {}
    for decision, (row, form) in solution.chosen.items():
        for place in decision.places:
            texts.setdefault(place, []).append(filled_form(form, row))
            forms[place] = form
    records = []
    for number, record in enumerate(problem.shape.records):
        slots = {slot.name: slot for slot in record}
        document: dict[str, Any] = {}
        for key in arrangement.keys:
            place = (number, key)
            if key == arrangement.numbered:
                document[key] = number + 1
            elif place in texts:
                document[key] = forms[place].between.join(texts[place])
            elif key in slots and (text := _of_variables(arrangement, slots[key], solution.values)):
                document[key] = text
            else:
                document[key] = arrangement.nothing
        records.append(document)
    return records


def enquiries_of(problem: Problem, solution: Solution) -> list[dict[str, Any]]:
    """Return the enquiries about the records: each record with the extra keys."""
    enquiry = problem.arrangement.enquiry
    extra = {}
    for key, reading in enquiry.extra if enquiry else ():
        value = problem.said.get(reading, "")
        extra[key] = int(value) if value.isdigit() else value
    return [{**extra, **record} for record in records_of(problem, solution)]


def filled_form(form: Form, row: Row) -> str:
    """Write a row in a form."""
    return _FIELD.sub(lambda match: row.fields.get(match[1], match[0]), form.text)


def json_text(value: Any) -> str:
    """Return JSON as demonstrations spell it: one line, a blank behind each comma."""
    return json.dumps(value, ensure_ascii=False)


def _of_variables(arrangement: Arrangement, slot: Slot, values: Mapping[str, str]) -> str:
    """Write a slot that holds only variables; "" where no form has so many."""
    for form in arrangement.forms_of.get(slot.name, ()):
        if not form.among and form.text.count("{}") == len(slot.at):
            return form.text.format(*(values[name] for name in slot.at))
    return ""
