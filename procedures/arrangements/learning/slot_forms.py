"""How slots are written: the forms of which all that was handed in is made."""

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
from .shown import Chosen, Shown

__all__ = ["Written", "learn_forms", "nothing_of", "numbered_key", "rows_chosen"]

_LEAST = 2
"""Demonstrations in which a form is used."""
_EXPLAINED = 0.9
"""Share of what fills a slot that its forms have to write."""
_DATED = 0.95
"""Share of a column's values that have to be the day of their record."""
_FIELD = re.compile(r"\{([^{}]+)\}")
_SELDOM = 0.05
"""Share of what fills a slot that a form writes at least."""
_SHARED = 0.8
"""Share of a column's values that come up elsewhere, from which it stands for a variable."""
_BETWEEN = (";", "; ", ", ", "\n", " and ")
"""What may stand between several, or close each."""
_MOST_TRIED = 400
"""Texts of a slot that shape its forms."""


@dataclass(frozen=True, slots=True)
class Written:
    """How everything is written.

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


def learn_forms(shown: Sequence[Shown]) -> Written:
    """Return the forms in which demonstrations fill their slots."""
    nothing, numbered = nothing_of(shown), numbered_key(shown)
    forms: list[Form] = []
    free: list[str] = []
    for slot in shown[0].records[0]:
        if slot == numbered:
            continue
        texts = [
            (each, record[slot])
            for each in shown
            for record in each.records
            if isinstance(record.get(slot), str) and record[slot] != nothing
        ]
        found = _forms_of_slot(slot, texts[:_MOST_TRIED])
        if found and not _repeats(slot, found, shown):
            forms += found
        elif texts:
            free.append(slot)
    return Written(tuple(_with_variables(forms, free, shown)), tuple(free), nothing, numbered)


def _repeats(slot: str, forms: Sequence[Form], shown: Sequence[Shown]) -> bool:
    """Whether a slot says only what other slots say, too: then no row is chosen for it."""
    said = of = 0
    for one in shown:
        texts = [
            text
            for record in one.records
            for other, text in record.items()
            if other != slot and isinstance(text, str)
        ]
        for record in one.records:
            for form in forms:
                values = _pattern(form).read(str(record[slot]))
                if values is not None:
                    of += 1
                    said += all(any(occurs(v, text) for text in texts) for v in values)
                    break
    return said >= _SHARED * of


def nothing_of(shown: Sequence[Shown]) -> str:
    """Return the text that comes up most often, if it does in several slots; else ""."""
    slots: dict[str, set[str]] = defaultdict(set)
    counts: Counter[str] = Counter()
    for each in shown:
        for record in each.records:
            for slot, text in record.items():
                if isinstance(text, str):
                    counts[text] += 1
                    slots[text].add(slot)
    text, _ = counts.most_common(1)[0] if counts else ("", 0)
    return text if len(slots[text]) > 1 else ""


def numbered_key(shown: Sequence[Shown]) -> str:
    """Return the key under which each record has its number; "" where none has."""
    for key in shown[0].records[0]:
        if all(
            [record.get(key) for record in each.records] == list(range(1, len(each.records) + 1))
            for each in shown
        ):
            return key
    return ""


def rows_chosen(one: Shown, forms: Sequence[Form], nothing: str) -> Iterator[Chosen]:
    """Yield the rows of which a demonstration's records are written."""
    written: dict[str, dict[str, Row]] = defaultdict(dict)
    for form in forms:
        for row in one.tables.rows.get(form.among, ()):
            written[form.slot].setdefault(filled_form(form, row), row)
    between = {form.slot: form.between for form in forms}
    closing = {form.slot: _closing(form) for form in forms}
    for number, record in enumerate(one.records):
        for slot, rows in written.items():
            text = record.get(slot)
            if not isinstance(text, str) or text == nothing:
                continue
            for item in _items(text, between[slot], closing[slot]):
                chosen = rows.get(item) or _nearly(one, slot, forms, item)
                if chosen is not None:
                    yield Chosen(number, slot, chosen)


def _nearly(one: Shown, slot: str, forms: Sequence[Form], text: str) -> Row | None:
    """Return the row of which a text says most fields: people make slips where they copy."""
    for form in forms:
        fields = _FIELD.split(form.text)[1::2]
        values = _pattern(form).read(text) if form.slot == slot else None
        if values is None:
            continue
        written = dict(zip(fields, values, strict=True))
        columns = form.at or tuple(fields[:1])
        rows = one.tables.where(form.among, columns, tuple(written[c] for c in columns))
        same = [sum(r.fields.get(c) == v for c, v in written.items()) for r in rows]
        if same and max(same) > len(fields) / 2:
            return rows[same.index(max(same))]
    return None


def _pattern(form: Form) -> Template:
    plain = _FIELD.split(form.text)[::2]
    return Template(template_text(plain, map(str, range(1, len(plain)))))


# ---------------------------------------------------------------------------- forms of a slot
def _forms_of_slot(slot: str, texts: Sequence[tuple[Shown, str]]) -> list[Form]:
    """Return the forms that write nearly all texts of a slot; none where no forms do."""
    ways = [("", ""), *(("", sign) for sign in _BETWEEN), *((sign, "") for sign in _BETWEEN)]
    for between, closing in ways:
        items = [(each, item) for each, text in texts for item in _items(text, between, closing)]
        if (between or closing) and len(items) == len(texts):
            continue
        forms = [replace(form, between=between) for form in _forms_of_items(slot, items)]
        if forms:
            return forms
    return []


def _items(text: str, between: str, closing: str) -> list[str]:
    if closing:
        parts = text.split(closing)
        return [part + closing for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
    return text.split(between) if between else [text]


def _closing(form: Form) -> str:
    return next((sign for sign in _BETWEEN if form.text.endswith(sign)), "")


def _forms_of_items(slot: str, items: Sequence[tuple[Shown, str]]) -> list[Form]:
    users: dict[tuple[str, str], set[int]] = defaultdict(set)
    counts: Counter[tuple[str, str]] = Counter()
    for each, text in items:
        for table, template in _templates(each, text):
            users[table, template].add(id(each))
            counts[table, template] += 1
    left = set(range(len(items)))
    forms: list[Form] = []
    for (table, template), _ in sorted(counts.items(), key=lambda c: (-c[1], c[0])):
        if len(users[table, template]) < _LEAST:
            continue
        form = Form(slot, template, table)
        cache: dict[int, set[str]] = {}
        explained = {
            i
            for i in left
            if items[i][1] in _all_written(items[i][0], form, cache)
            or _nearly(items[i][0], slot, (form,), items[i][1])
        }
        if len(explained) >= max(_LEAST, _SELDOM * len(items)):
            forms.append(form)
            left -= explained
    return forms if len(left) <= (1 - _EXPLAINED) * len(items) else []


def _all_written(one: Shown, form: Form, cache: dict[int, set[str]]) -> set[str]:
    if id(one) not in cache:
        rows = one.tables.rows.get(form.among, ())
        cache[id(one)] = {filled_form(form, row) for row in rows}
    return cache[id(one)]


def _templates(one: Shown, text: str) -> Iterator[tuple[str, str]]:
    """Yield for each table the text with the fields of the row that says most of it."""
    for table, rows in one.tables.rows.items():
        present = {value for value in one.tables.all_values(table) if value in text}
        if present:
            row = max(rows, key=lambda r: sum(len(v) for v in present.intersection(r.values)))
            said, written = _template(row, text)
            if said:
                yield table, written


def _template(row: Row, text: str) -> tuple[int, str]:
    """Return how much of a text a row's fields say, and the text with columns in their places."""
    said = 0
    parts = [text]
    for column, value in sorted(row.fields.items(), key=lambda f: (-len(f[1]), f[0])):
        if not value or value not in text:
            continue
        for i in range(0, len(parts), 2):
            if occurs(value, parts[i]):
                before, _, behind = parts[i].partition(value)
                parts[i : i + 1] = [before, column, behind]
                said += len(value)
                break
    plain = parts[0]
    for column, behind in zip(parts[1::2], parts[2::2], strict=True):
        plain += f"{{{column}}}{behind}"
    return said, plain


# ---------------------------------------------------------------------------- variables and days
def _with_variables(
    forms: Sequence[Form], free: Sequence[str], shown: Sequence[Shown]
) -> Iterator[Form]:
    """Yield the forms, with the columns that are variables, and the one that is a day."""
    shared: Counter[tuple[str, str]] = Counter()
    dated: Counter[tuple[str, str]] = Counter()
    of: Counter[str] = Counter()
    for one in shown:
        chosen = list(rows_chosen(one, forms, ""))
        values = _values(one, chosen, forms, free)
        days = days_said(one.task)
        for each in chosen:
            of[each.row.table] += 1
            for column, value in each.row.fields.items():
                elsewhere = {table for table, same in values.items() if value in same}
                shared[each.row.table, column] += bool(elsewhere - {each.row.table})
                day = days[0] + timedelta(days=each.record) if days else None
                dated[each.row.table, column] += value == str(day)
    for form in forms:
        columns = sorted(
            (form.text.find(f"{{{column}}}"), column)
            for table, column in shared
            if table == form.among
            and f"{{{column}}}" in form.text
            and shared[table, column] >= _SHARED * of[table]
        )
        of_days = [c for t, c in dated if t == form.among and dated[t, c] >= _DATED * of[t]]
        yield replace(form, at=tuple(c for _, c in columns), dated=next(iter(of_days), ""))


def _values(
    one: Shown, chosen: Sequence[Chosen], forms: Sequence[Form], free: Sequence[str]
) -> Mapping[str, set[str]]:
    """Return table → values that its chosen rows write; "" → what stands in slots without rows."""
    columns = {
        (form.among, column)
        for form in forms
        for column in form.text.replace("}", "{").split("{")[1::2]
    }
    values: dict[str, set[str]] = defaultdict(set)
    for each in chosen:
        for column, value in each.row.fields.items():
            if (each.row.table, column) in columns:
                values[each.row.table].add(value)
    known = {value for same in values.values() for value in same}
    texts = [record.get(slot) for record in one.records for slot in free]
    for value in known:
        if any(isinstance(text, str) and occurs(value, text) for text in texts):
            values[""].add(value)
    return values
