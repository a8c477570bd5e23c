"""Learning how slots are written: forms with the fields of rows."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from ...episodes.templates import Template, template_text
from ...episodes.tokens import occurs
from ..arrangement import Form
from ..arrangement_json import filled_form
from ..days import days_said
from ..table_rows import Row
from .shown import ChosenRow, Shown

_LEAST_USES = 2
"""Demonstrations in which a form is used."""
_EXPLAINED_SHARE = 0.9
"""Share of what fills a slot that its forms have to write."""
_DATED_SHARE = 0.95
"""Share of a column's values that have to be the day of their record."""
_FIELD = re.compile(r"\{([^{}]+)\}")
_LEAST_SHARE = 0.05
"""Share of what fills a slot that a form writes at least."""
_SHARED_SHARE = 0.8
"""Share of a column's values that come up elsewhere, from which it stands for a variable."""
_BETWEEN = (";", "; ", ", ", "\n", " and ")
"""Separators of several rows in one slot, or ends of each."""
_MOST_TRIED = 400
"""Texts of a slot that shape its forms."""


@dataclass(frozen=True, slots=True)
class Writing:
    """The forms of all slots, and how empty slots and numbers are written.

    Attributes:
        forms: Of the slots that rows fill.
        free: Slots that hold nothing but variables.
        nothing: What an empty slot says.
        numbered: Key of the number of a record; "" where there is none.
    """

    forms: tuple[Form, ...]
    free: tuple[str, ...]
    nothing: str
    numbered: str


def learn_forms(demonstrations: Sequence[Shown]) -> Writing:
    """Return the forms in which demonstrations fill their slots."""
    nothing, numbered = nothing_of(demonstrations), numbered_key(demonstrations)
    forms: list[Form] = []
    free: list[str] = []
    for slot in demonstrations[0].records[0]:
        if slot == numbered:
            continue
        texts = [
            (demonstration, record[slot])
            for demonstration in demonstrations
            for record in demonstration.records
            if isinstance(record.get(slot), str) and record[slot] != nothing
        ]
        slot_forms = _forms_of_slot(slot, texts[:_MOST_TRIED])
        if slot_forms and not _repeats(slot, slot_forms, demonstrations):
            forms += slot_forms
        elif texts:
            free.append(slot)
    return Writing(
        tuple(_with_variables(forms, free, demonstrations)), tuple(free), nothing, numbered
    )


def _repeats(slot: str, forms: Sequence[Form], demonstrations: Sequence[Shown]) -> bool:
    """Whether a slot only repeats other slots: then no row is chosen for it."""
    repeated_count = count = 0
    for demonstration in demonstrations:
        texts = [
            text
            for record in demonstration.records
            for other, text in record.items()
            if other != slot and isinstance(text, str)
        ]
        for record in demonstration.records:
            for form in forms:
                values = _pattern(form).read(str(record[slot]))
                if values is not None:
                    count += 1
                    repeated_count += all(any(occurs(v, text) for text in texts) for v in values)
                    break
    return repeated_count >= _SHARED_SHARE * count


def nothing_of(demonstrations: Sequence[Shown]) -> str:
    """Return the most frequent text, if several slots have it; else ""."""
    slots: dict[str, set[str]] = defaultdict(set)
    counts: Counter[str] = Counter()
    for demonstration in demonstrations:
        for record in demonstration.records:
            for slot, text in record.items():
                if isinstance(text, str):
                    counts[text] += 1
                    slots[text].add(slot)
    text, _ = counts.most_common(1)[0] if counts else ("", 0)
    return text if len(slots[text]) > 1 else ""


def numbered_key(demonstrations: Sequence[Shown]) -> str:
    """Return the key under which each record has its number; "" where none has."""
    for key in demonstrations[0].records[0]:
        if all(
            [record.get(key) for record in demonstration.records]
            == list(range(1, len(demonstration.records) + 1))
            for demonstration in demonstrations
        ):
            return key
    return ""


def rows_chosen(demonstration: Shown, forms: Sequence[Form], nothing: str) -> Iterator[ChosenRow]:
    """Yield the rows that fill a demonstration's records."""
    rows_by_slot: dict[str, dict[str, Row]] = defaultdict(dict)
    for form in forms:
        for row in demonstration.tables.rows.get(form.among, ()):
            rows_by_slot[form.slot].setdefault(filled_form(form, row), row)
    between = {form.slot: form.between for form in forms}
    closing = {form.slot: _closing(form) for form in forms}
    for number, record in enumerate(demonstration.records):
        for slot, rows in rows_by_slot.items():
            text = record.get(slot)
            if not isinstance(text, str) or text == nothing:
                continue
            for item in _items_of(text, between[slot], closing[slot]):
                match = rows.get(item) or _nearest_row(demonstration, slot, forms, item)
                if match is not None:
                    yield ChosenRow(number, slot, match)


def _nearest_row(demonstration: Shown, slot: str, forms: Sequence[Form], text: str) -> Row | None:
    """Return the row that agrees with a text in most fields: people make slips where they copy."""
    for form in forms:
        fields = _FIELD.split(form.text)[1::2]
        values = _pattern(form).read(text) if form.slot == slot else None
        if values is None:
            continue
        value_by_column = dict(zip(fields, values, strict=True))
        columns = form.at or tuple(fields[:1])
        rows = demonstration.tables.where(
            form.among, columns, tuple(value_by_column[c] for c in columns)
        )
        agreements = [sum(r.fields.get(c) == v for c, v in value_by_column.items()) for r in rows]
        if agreements and max(agreements) > len(fields) / 2:
            return rows[agreements.index(max(agreements))]
    return None


def _pattern(form: Form) -> Template:
    plain = _FIELD.split(form.text)[::2]
    return Template(template_text(plain, map(str, range(1, len(plain)))))


# ---------------------------------------------------------------------------- forms of a slot
def _forms_of_slot(slot: str, texts: Sequence[tuple[Shown, str]]) -> list[Form]:
    """Return the forms that write nearly all texts of a slot; none where no forms do."""
    ways = [("", ""), *(("", sign) for sign in _BETWEEN), *((sign, "") for sign in _BETWEEN)]
    for between, closing in ways:
        items = [
            (demonstration, item)
            for demonstration, text in texts
            for item in _items_of(text, between, closing)
        ]
        if (between or closing) and len(items) == len(texts):
            continue
        forms = [replace(form, between=between) for form in _forms_of_items(slot, items)]
        if forms:
            return forms
    return []


def _items_of(text: str, between: str, closing: str) -> list[str]:
    if closing:
        parts = text.split(closing)
        return [part + closing for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
    return text.split(between) if between else [text]


def _closing(form: Form) -> str:
    return next((sign for sign in _BETWEEN if form.text.endswith(sign)), "")


def _forms_of_items(slot: str, items: Sequence[tuple[Shown, str]]) -> list[Form]:
    users: dict[tuple[str, str], set[int]] = defaultdict(set)
    counts: Counter[tuple[str, str]] = Counter()
    for demonstration, text in items:
        for table, template in _templates(demonstration, text):
            users[table, template].add(id(demonstration))
            counts[table, template] += 1
    unexplained = set(range(len(items)))
    forms: list[Form] = []
    for (table, template), _ in sorted(counts.items(), key=lambda c: (-c[1], c[0])):
        if len(users[table, template]) < _LEAST_USES:
            continue
        form = Form(slot, template, table)
        cache: dict[int, set[str]] = {}
        explained = {
            i
            for i in unexplained
            if items[i][1] in _texts_in_form(items[i][0], form, cache)
            or _nearest_row(items[i][0], slot, (form,), items[i][1])
        }
        if len(explained) >= max(_LEAST_USES, _LEAST_SHARE * len(items)):
            forms.append(form)
            unexplained -= explained
    return forms if len(unexplained) <= (1 - _EXPLAINED_SHARE) * len(items) else []


def _texts_in_form(demonstration: Shown, form: Form, cache: dict[int, set[str]]) -> set[str]:
    if id(demonstration) not in cache:
        rows = demonstration.tables.rows.get(form.among, ())
        cache[id(demonstration)] = {filled_form(form, row) for row in rows}
    return cache[id(demonstration)]


def _templates(demonstration: Shown, text: str) -> Iterator[tuple[str, str]]:
    """Yield for each table the text with the fields of the row that says most of it."""
    for table, rows in demonstration.tables.rows.items():
        present = {value for value in demonstration.tables.all_values(table) if value in text}
        if present:
            row = max(rows, key=lambda r: sum(len(v) for v in present.intersection(r.values)))
            length, template = _template(row, text)
            if length:
                yield table, template


def _template(row: Row, text: str) -> tuple[int, str]:
    """Return how much of a text a row's fields say, and the text with columns in their places."""
    length = 0
    parts = [text]
    for column, value in sorted(row.fields.items(), key=lambda f: (-len(f[1]), f[0])):
        if not value or value not in text:
            continue
        for i in range(0, len(parts), 2):
            if occurs(value, parts[i]):
                before, _, behind = parts[i].partition(value)
                parts[i : i + 1] = [before, column, behind]
                length += len(value)
                break
    plain = parts[0]
    for column, behind in zip(parts[1::2], parts[2::2], strict=True):
        plain += f"{{{column}}}{behind}"
    return length, plain


# ---------------------------------------------------------------------------- variables and days
def _with_variables(
    forms: Sequence[Form], free: Sequence[str], demonstrations: Sequence[Shown]
) -> Iterator[Form]:
    """Yield the forms, with the columns that are variables, and the one that is a day."""
    shared: Counter[tuple[str, str]] = Counter()
    dated: Counter[tuple[str, str]] = Counter()
    count_by_table: Counter[str] = Counter()
    for demonstration in demonstrations:
        chosen_rows = list(rows_chosen(demonstration, forms, ""))
        values = _values_by_table(demonstration, chosen_rows, forms, free)
        days = days_said(demonstration.task)
        for chosen_row in chosen_rows:
            count_by_table[chosen_row.row.table] += 1
            for column, value in chosen_row.row.fields.items():
                elsewhere = {table for table, same in values.items() if value in same}
                shared[chosen_row.row.table, column] += bool(elsewhere - {chosen_row.row.table})
                day = days[0] + timedelta(days=chosen_row.record) if days else None
                dated[chosen_row.row.table, column] += value == str(day)
    for form in forms:
        columns = sorted(
            (form.text.find(f"{{{column}}}"), column)
            for table, column in shared
            if table == form.among
            and f"{{{column}}}" in form.text
            and shared[table, column] >= _SHARED_SHARE * count_by_table[table]
        )
        of_days = [
            c
            for t, c in dated
            if t == form.among and dated[t, c] >= _DATED_SHARE * count_by_table[t]
        ]
        yield replace(form, at=tuple(c for _, c in columns), dated=next(iter(of_days), ""))


def _values_by_table(
    demonstration: Shown,
    chosen_rows: Sequence[ChosenRow],
    forms: Sequence[Form],
    free: Sequence[str],
) -> Mapping[str, set[str]]:
    """Return table → values that its chosen rows write; "" → what stands in slots without rows."""
    columns = {
        (form.among, column)
        for form in forms
        for column in form.text.replace("}", "{").split("{")[1::2]
    }
    values: dict[str, set[str]] = defaultdict(set)
    for chosen_row in chosen_rows:
        for column, value in chosen_row.row.fields.items():
            if (chosen_row.row.table, column) in columns:
                values[chosen_row.row.table].add(value)
    all_values = {value for same in values.values() for value in same}
    texts = [record.get(slot) for record in demonstration.records for slot in free]
    for value in all_values:
        if any(isinstance(text, str) and occurs(value, text) for text in texts):
            values[""].add(value)
    return values
