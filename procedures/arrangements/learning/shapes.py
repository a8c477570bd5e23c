"""Which slots of which records are filled, and what they share."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from ...episodes.tokens import occurs
from ..arrangement import Form, Shape, Slot, Variable
from ..table_rows import Row
from .shown import Chosen, Shown
from .slot_forms import Written

__all__ = ["Traced", "learn_shapes", "trace"]

_USUALLY = 0.8
"""Share of demonstrations that fill a slot which is filled where nothing speaks against it."""
_SELDOM = 0.1
"""Share below which a slot stays empty."""
_RIGHT = 0.9
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
    chosen: tuple[Chosen, ...]
    values: tuple[str, ...]
    records: tuple[Filled, ...]
    texts: Mapping[str, Mapping[int, str]]


def trace(one: Shown, chosen: Sequence[Chosen], written: Written) -> Traced:
    """Replace what several slots share by variables."""
    at_of = {(form.slot, form.among): form.at for form in written.forms}
    rows: dict[tuple[int, str], list[Row]] = defaultdict(list)
    for each in chosen:
        rows[each.record, each.slot].append(each.row)
    shared = {
        row.fields[c] for (_, s), rs in rows.items() for row in rs for c in at_of[s, row.table]
    }
    numbers: dict[str, int] = {}

    def number(value: str) -> int:
        return numbers.setdefault(value, len(numbers))

    records: list[Filled] = []
    texts: dict[str, dict[int, str]] = defaultdict(dict)
    for i, record in enumerate(one.records):
        filled: dict[str, tuple[tuple[int, ...], int]] = {}
        for slot, text in record.items():
            if slot in written.free and text != written.nothing and isinstance(text, str):
                template, values = _with_holes(text, shared)
                filled[slot] = tuple(map(number, values)), 1
                texts[slot][len(values)] = template
            elif (i, slot) in rows:
                row = rows[i, slot][0]
                at = tuple(number(row.fields[column]) for column in at_of[slot, row.table])
                filled[slot] = at, len(rows[i, slot])
        records.append(filled)
    return Traced(one, tuple(chosen), tuple(numbers), tuple(records), texts)


def _with_holes(text: str, values: set[str]) -> tuple[str, list[str]]:
    """Return a text with ``{}`` for each of some values, and these in order."""
    found: list[str] = []
    parts = [text]
    for value in sorted(values, key=lambda v: (-len(v), v)):
        for i in range(0, len(parts), 2):
            if occurs(value, parts[i]):
                before, _, behind = parts[i].partition(value)
                parts[i : i + 1] = [before, value, behind]
    found = parts[1::2]
    plain = [part.replace("{", "{{").replace("}", "}}") for part in parts[::2]]
    return "{}".join(plain), found


def learn_shapes(
    traced: Sequence[Traced], written: Written, names: Mapping[int, str]
) -> tuple[list[Shape], list[Form], list[Traced]]:
    """Return the shapes, the forms of slots without rows, and the demonstrations that have them.

    Args:
        traced: All demonstrations.
        written: Their forms.
        names: Number of a said value → its reading; see :func:`~.value_cues.targets_of`.
    """
    shapes: list[Shape] = []
    usual: list[Traced] = []
    by_size: dict[int, list[Traced]] = defaultdict(list)
    for each in traced:
        by_size[len(each.records)].append(each)
    for _, members in sorted(by_size.items()):
        outlines = Counter(_outline(each, written) for each in members)
        outline = max(outlines, key=lambda o: (outlines[o], o))
        alike = [each for each in members if _outline(each, written) == outline]
        variables = _variables(alike, names)
        if variables is not None:
            shapes.append(_shape(alike, variables, written.nothing))
            usual += alike
    texts = Counter(
        (slot, count, text)
        for each in usual
        for slot, forms in each.texts.items()
        for count, text in forms.items()
    )
    best: dict[tuple[str, int], tuple[int, str]] = {}
    for (slot, count, text), number in sorted(texts.items()):
        best[slot, count] = max(best.get((slot, count), (0, "")), (number, text))
    forms = [Form(slot, text) for (slot, _), (_, text) in best.items()]
    return shapes, forms, usual


def _outline(each: Traced, written: Written) -> tuple[tuple[tuple[str, tuple[int, ...]], ...], ...]:
    """Return what the slots without rows say, and how many variables there are."""
    said = tuple(
        tuple((slot, at) for slot, (at, _) in record.items() if slot in written.free)
        for record in each.records
    )
    return (*said, (("", tuple(range(len(each.values)))),))


def _shape(alike: Sequence[Traced], variables: Sequence[Variable], nothing: str) -> Shape:
    records = []
    for i in range(len(alike[0].records)):
        slots: list[Slot] = []
        for name in dict.fromkeys(name for each in alike for name in each.shown.records[i]):
            fillings = [each.records[i][name] for each in alike if name in each.records[i]]
            # What is filled counts, also where a slip hides with what.
            count = sum(each.shown.records[i].get(name) != nothing for each in alike)
            if not fillings or count < min(len(alike), max(2, _SELDOM * len(alike))):
                continue
            at = Counter(at for at, _ in fillings).most_common(1)[0][0]
            times = int(median(times for _, times in fillings))
            usually = "usually" if count >= _USUALLY * len(alike) else "seldom"
            filled = "always" if count == len(alike) else usually
            slots.append(Slot(name, tuple(variables[n].name for n in at), times, filled))
        records.append(tuple(slots))
    return Shape(tuple(variables), tuple(records))


def _variables(alike: Sequence[Traced], names: Mapping[int, str]) -> list[Variable] | None:
    """Return where the variables of alike demonstrations come from; None where that is unknown."""
    out: list[Variable] = []
    said: dict[tuple[str, ...], int] = {}
    for index in range(len(alike[0].values)):
        source = _source(alike, index)
        if source is None:
            return None
        table, take, where, values = source
        rank = said.setdefault(values, len(said))
        out.append(
            Variable(f"place {index + 1}", names.get(rank, f"name {rank + 1}"), table, take, where)
        )
    return out


def _source(alike: Sequence[Traced], index: int) -> tuple[str, str, str, tuple[str, ...]] | None:
    """Return table, columns and said values of a variable; the table is "" if it is said itself."""
    own = tuple(each.values[index] for each in alike)
    good = sum(occurs(v, each.shown.task) for v, each in zip(own, alike, strict=True))
    if good >= _RIGHT * len(alike):
        return "", "", "", own
    best: tuple[int, tuple[str, str, str, tuple[str, ...]]] | None = None
    tables = {t for each in alike for t in each.shown.tables.rows}
    columns = {
        (table, column)
        for table in tables
        for row in alike[0].shown.tables.rows.get(table, ())[:1]
        for column in row.fields
    }
    for table, take in sorted(columns):
        for _, where in sorted(c for c in columns if c[0] == table and c[1] != take):
            values = [_goes_with(each, own[i], table, take, where) for i, each in enumerate(alike)]
            right = sum(value is not None for value in values)
            if right >= _RIGHT * len(alike):
                rows = sum(len(each.shown.tables.rows.get(table, ())) for each in alike)
                found = (table, take, where, tuple(value or "" for value in values))
                if best is None or rows < best[0]:
                    best = rows, found
    return best[1] if best else None


def _goes_with(each: Traced, value: str, table: str, take: str, where: str) -> str | None:
    """Return what the task says in the row in which a value stands."""
    for row in each.shown.tables.where(table, (take,), (value,)):
        said = row.fields.get(where, "")
        if said and occurs(said, each.shown.task):
            return said
    return None
