"""Learning the shapes of arrangements: the filled slots of each record, and shared values."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from ...episodes.tokens import occurs
from ..arrangement import Form, Shape, Slot, Variable
from ..table_rows import Row
from .shown import ChosenRow, Shown
from .slot_forms import Writing

_USUAL_SHARE = 0.8
"""Share of demonstrations that fill a slot which is filled where nothing speaks against it."""
_LEAST_SHARE = 0.1
"""Share below which a slot stays empty."""
_RIGHT_SHARE = 0.9
"""Share of demonstrations in which a variable is what it is said to be."""

Filled = Mapping[str, tuple[tuple[int, ...], int]]
"""Slot → its variables, by number, and how many rows fill it."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A demonstration, its values replaced by variables.

    Attributes:
        shown: The demonstration.
        chosen: Its rows.
        values: Of the variables, in order of first use.
        records: What fills their slots.
        texts: Slot without rows → how its texts are written, for each number of variables.
    """

    shown: Shown
    chosen: tuple[ChosenRow, ...]
    values: tuple[str, ...]
    records: tuple[Filled, ...]
    texts: Mapping[str, Mapping[int, str]]


def trace(demonstration: Shown, chosen_rows: Sequence[ChosenRow], writing: Writing) -> Traced:
    """Replace what several slots share by variables."""
    at_of = {(form.slot, form.among): form.at for form in writing.forms}
    rows: dict[tuple[int, str], list[Row]] = defaultdict(list)
    for chosen_row in chosen_rows:
        rows[chosen_row.record, chosen_row.slot].append(chosen_row.row)
    shared = {
        row.fields[c] for (_, s), rs in rows.items() for row in rs for c in at_of[s, row.table]
    }
    numbers: dict[str, int] = {}

    def number(value: str) -> int:
        return numbers.setdefault(value, len(numbers))

    records: list[Filled] = []
    texts: dict[str, dict[int, str]] = defaultdict(dict)
    for i, record in enumerate(demonstration.records):
        filled: dict[str, tuple[tuple[int, ...], int]] = {}
        for slot, text in record.items():
            if slot in writing.free and text != writing.nothing and isinstance(text, str):
                template, values = _with_holes(text, shared)
                filled[slot] = tuple(map(number, values)), 1
                texts[slot][len(values)] = template
            elif (i, slot) in rows:
                row = rows[i, slot][0]
                at = tuple(number(row.fields[column]) for column in at_of[slot, row.table])
                filled[slot] = at, len(rows[i, slot])
        records.append(filled)
    return Traced(demonstration, tuple(chosen_rows), tuple(numbers), tuple(records), texts)


def _with_holes(text: str, values: set[str]) -> tuple[str, list[str]]:
    """Return a text with ``{}`` for each of some values, and these in order."""
    fillers: list[str] = []
    parts = [text]
    for value in sorted(values, key=lambda v: (-len(v), v)):
        for i in range(0, len(parts), 2):
            if occurs(value, parts[i]):
                before, _, behind = parts[i].partition(value)
                parts[i : i + 1] = [before, value, behind]
    fillers = parts[1::2]
    plain = [part.replace("{", "{{").replace("}", "}}") for part in parts[::2]]
    return "{}".join(plain), fillers


def learn_shapes(
    traced: Sequence[Traced], writing: Writing
) -> tuple[list[Shape], list[Form], list[Traced]]:
    """Return the shapes, the forms of slots without rows, and the demonstrations that have them.

    Args:
        traced: All demonstrations.
        writing: Their forms.
    """
    shapes: list[Shape] = []
    usual: list[Traced] = []
    by_size: dict[int, list[Traced]] = defaultdict(list)
    for demonstration in traced:
        by_size[len(demonstration.records)].append(demonstration)
    for _, members in sorted(by_size.items()):
        outlines = Counter(_outline(demonstration, writing) for demonstration in members)
        outline = max(outlines, key=lambda o: (outlines[o], o))
        same_outline = [
            demonstration
            for demonstration in members
            if _outline(demonstration, writing) == outline
        ]
        variables = _variables(same_outline)
        if variables is not None:
            shapes.append(_shape(same_outline, variables, writing.nothing))
            usual += same_outline
    texts = Counter(
        (slot, count, text)
        for demonstration in usual
        for slot, forms in demonstration.texts.items()
        for count, text in forms.items()
    )
    best: dict[tuple[str, int], tuple[int, str]] = {}
    for (slot, count, text), number in sorted(texts.items()):
        best[slot, count] = max(best.get((slot, count), (0, "")), (number, text))
    forms = [Form(slot, text) for (slot, _), (_, text) in best.items()]
    return shapes, forms, usual


def _outline(
    demonstration: Traced, writing: Writing
) -> tuple[tuple[tuple[str, tuple[int, ...]], ...], ...]:
    """Return what the slots without rows say, and how many variables there are."""
    slot_texts = tuple(
        tuple((slot, at) for slot, (at, _) in record.items() if slot in writing.free)
        for record in demonstration.records
    )
    return (*slot_texts, (("", tuple(range(len(demonstration.values)))),))


def _shape(demonstrations: Sequence[Traced], variables: Sequence[Variable], nothing: str) -> Shape:
    records = []
    for i in range(len(demonstrations[0].records)):
        slots: list[Slot] = []
        for name in dict.fromkeys(
            name for demonstration in demonstrations for name in demonstration.shown.records[i]
        ):
            fillings = [
                demonstration.records[i][name]
                for demonstration in demonstrations
                if name in demonstration.records[i]
            ]
            # What is filled counts, also where a slip hides with what.
            count = sum(
                demonstration.shown.records[i].get(name) != nothing
                for demonstration in demonstrations
            )
            if not fillings or count < min(
                len(demonstrations), max(2, _LEAST_SHARE * len(demonstrations))
            ):
                continue
            at = Counter(at for at, _ in fillings).most_common(1)[0][0]
            times = int(median(times for _, times in fillings))
            usually = "usually" if count >= _USUAL_SHARE * len(demonstrations) else "seldom"
            filled = "always" if count == len(demonstrations) else usually
            slots.append(Slot(name, tuple(variables[n].name for n in at), times, filled))
        records.append(tuple(slots))
    return Shape(tuple(variables), tuple(records))


def _variables(demonstrations: Sequence[Traced]) -> list[Variable] | None:
    """Return the variables of demonstrations of one outline; None where a source is unknown."""
    variables: list[Variable] = []
    rank_by_values: dict[tuple[str, ...], int] = {}
    for index in range(len(demonstrations[0].values)):
        source = _source(demonstrations, index)
        if source is None:
            return None
        table, take, where, values = source
        rank = rank_by_values.setdefault(values, len(rank_by_values))
        variables.append(Variable(f"place {index + 1}", f"name {rank + 1}", table, take, where))
    return variables


def _source(
    demonstrations: Sequence[Traced], index: int
) -> tuple[str, str, str, tuple[str, ...]] | None:
    """Return table, columns and said values of a variable; the table is "" if it is said itself."""
    targets = tuple(demonstration.values[index] for demonstration in demonstrations)
    good = sum(
        occurs(v, demonstration.shown.task)
        for v, demonstration in zip(targets, demonstrations, strict=True)
    )
    if good >= _RIGHT_SHARE * len(demonstrations):
        return "", "", "", targets
    best: tuple[int, tuple[str, str, str, tuple[str, ...]]] | None = None
    tables = {t for demonstration in demonstrations for t in demonstration.shown.tables.rows}
    columns = {
        (table, column)
        for table in tables
        for row in demonstrations[0].shown.tables.rows.get(table, ())[:1]
        for column in row.fields
    }
    for table, take in sorted(columns):
        for _, where in sorted(c for c in columns if c[0] == table and c[1] != take):
            values = [
                _said_beside(demonstration, targets[i], table, take, where)
                for i, demonstration in enumerate(demonstrations)
            ]
            right = sum(value is not None for value in values)
            if right >= _RIGHT_SHARE * len(demonstrations):
                rows = sum(
                    len(demonstration.shown.tables.rows.get(table, ()))
                    for demonstration in demonstrations
                )
                source = (table, take, where, tuple(value or "" for value in values))
                if best is None or rows < best[0]:
                    best = rows, source
    return best[1] if best else None


def _said_beside(
    demonstration: Traced, value: str, table: str, take: str, where: str
) -> str | None:
    """Return what the task says in the row in which a value stands."""
    for row in demonstration.shown.tables.where(table, (take,), (value,)):
        text = row.fields.get(where, "")
        if text and occurs(text, demonstration.shown.task):
            return text
    return None
