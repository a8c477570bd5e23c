"""The model of an arrangement: its records, what fills their slots, and what has to hold.

An arrangement is a list of records. A record has slots, each filled with a row of a table, written
as a form says, or with nothing. What several slots share (the place where all of a record happens)
is a *variable*, and is chosen, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Reading:
    """How a value is found among those of its type that a task says.

    Attributes:
        name: Of the value.
        type: ``name`` (a value of the columns in which variables stand) or ``number``.
        words: Word beside the value, and how much it speaks for this value, in bits: ``"of _"``
            stands before it, ``"_ days"`` behind it, ``"two"`` is the value itself.
        default: What it is where nothing speaks for any; "" for nothing.
        units: Words beside numbers of other quantities: what stands beside one is none of this.
    """

    name: str
    type: str
    words: tuple[tuple[str, float], ...]
    default: str = ""
    units: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Variable:
    """A value that several slots share.

    Attributes:
        name: In this shape.
        said: The reading that gives it, or that gives a value which it has to go with.
        among: Table of its candidates; "" where the task says it itself.
        take: Column of the candidate.
        where: Column that has to be what is said.
    """

    name: str
    said: str
    among: str = ""
    take: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot of one record.

    Attributes:
        name: Its key.
        at: The variables in the form's columns, or in its text.
        times: How many rows fill it.
        filled: ``always``, ``usually`` (it stays empty where all would be too much) or ``seldom``
            (it is filled where something has to be covered).
    """

    name: str
    at: tuple[str, ...]
    times: int = 1
    filled: str = "always"


Record = tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """The records of an arrangement of one size.

    Attributes:
        variables: In order of first use.
        records: In order.
    """

    variables: tuple[Variable, ...]
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """How a slot is written.

    Attributes:
        slot: Its key.
        text: With ``{column}`` for the fields of a row, or ``{}`` for each variable.
        among: Table of the rows; "" where only variables are written.
        at: Columns that are the slot's variables.
        dated: Column that is the day of the record; "" where none is.
        between: What stands between several.
    """

    slot: str
    text: str
    among: str = ""
    at: tuple[str, ...] = ()
    dated: str = ""
    between: str = ""


@dataclass(frozen=True, slots=True)
class Distinct:
    """No row of a table is chosen twice."""

    among: str


@dataclass(frozen=True, slots=True)
class Same:
    """Slots with the same variables have the same row of a table."""

    among: str


@dataclass(frozen=True, slots=True)
class AtMostUses:
    """The number in a column is no more than how often the row is chosen."""

    among: str
    column: str


@dataclass(frozen=True, slots=True)
class Together:
    """Tables from which one slot may be filled in one arrangement; fewer of them go, too."""

    slot: str
    tables: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Limit:
    """The sum over all records is at most a number that the task says."""

    said: str


Requirement = Distinct | Same | AtMostUses | Together | Limit


@dataclass(frozen=True, slots=True)
class WishedValue:
    """A value that a task may speak of, and the words that do.

    Attributes:
        value: The value.
        words: Each a word; two, where the second mostly followed in demonstrations.
    """

    value: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wish:
    """A rule for the values of a column, or for tables, that a task asks for or refuses.

    Attributes:
        slot: Whose tables are meant, where the value is a table; else "".
        among: The table.
        column: Its column.
        said: ``all`` (what is chosen has it), ``none`` (nothing chosen has it), ``some`` (one at
            least) or "" (nothing), where the task says it.
        denied: The same where the task says that it is not so.
        values: What may be said.
    """

    slot: str
    among: str
    column: str
    said: str
    denied: str
    values: tuple[WishedValue, ...]


@dataclass(frozen=True, slots=True)
class Cost:
    """What a row costs: the number in a column, so many times.

    Attributes:
        among: The table.
        column: Its column.
        times: A reading, or "" for once.
        per: A column or number by which that is divided, rounded up; "" for nothing.
    """

    among: str
    column: str
    times: str = ""
    per: str = ""


@dataclass(frozen=True, slots=True)
class Enquiry:
    """How records are asked about, and how the answer is told.

    Attributes:
        do: What is done, with ``{}`` for the record as JSON.
        tells: Kind of the fact that answers; its field ``1`` is a number.
        extra: Key → reading.
    """

    do: str
    tells: str
    extra: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Arrangement:
    """All that was learned of one kind of arrangement.

    Attributes:
        readings: Values that the task says.
        size: Reading of the number of records; ``days`` is the number of days from the first to
            the last that the task says.
        shapes: One for each size.
        forms: Of all slots.
        require: What has to hold.
        wishes: What the task may ask for.
        costs: What is made as small as can be.
        numbered: Key of the number of a record; "" where records have none.
        nothing: How an empty slot is written.
        enquiry: How records are asked about; None where nothing answers.
        keys: Keys of a record, in order.
    """

    readings: tuple[Reading, ...]
    size: str
    shapes: tuple[Shape, ...]
    forms: tuple[Form, ...]
    require: tuple[Requirement, ...]
    wishes: tuple[Wish, ...]
    costs: tuple[Cost, ...]
    numbered: str
    nothing: str
    enquiry: Enquiry | None
    keys: tuple[str, ...]

    @cached_property
    def forms_of(self) -> Mapping[str, tuple[Form, ...]]:
        """Slot → its forms."""
        names = dict.fromkeys(form.slot for form in self.forms)
        return {name: tuple(f for f in self.forms if f.slot == name) for name in names}

    @cached_property
    def cost_of(self) -> Mapping[str, Cost]:
        """Table → what a row of it costs."""
        return {cost.among: cost for cost in self.costs}

    @cached_property
    def tables(self) -> frozenset[str]:
        """All tables that are looked at."""
        variables = (v.among for shape in self.shapes for v in shape.variables)
        return frozenset({*(form.among for form in self.forms), *variables} - {""})

    @cached_property
    def name_columns(self) -> frozenset[tuple[str, str]]:
        """Tables and columns whose values are names that a task may say."""
        columns = {(form.among, column) for form in self.forms for column in form.at if form.among}
        for shape in self.shapes:
            for each in shape.variables:
                columns |= (
                    {(each.among, each.take), (each.among, each.where)} if each.among else set()
                )
        return frozenset(columns)

    def shape_of(self, size: int) -> Shape | None:
        """Return the shape of so many records."""
        return next((shape for shape in self.shapes if len(shape.records) == size), None)
