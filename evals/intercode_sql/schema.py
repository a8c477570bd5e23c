"""What a database holds, as its official dump says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Column", "Database", "Index", "Table"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        name: As written in the dump.
        type: MySQL's type, such as ``varchar(255)``.
        nullable: Whether it may be NULL.
        key: ``PRI``, ``UNI``, ``MUL`` or empty.
        default: Its default as text, or None.
        extra: ``auto_increment``, ``DEFAULT_GENERATED`` or empty.
    """

    name: str
    type: str
    nullable: bool = True
    key: str = ""
    default: str | None = None
    extra: str = ""

    @property
    def kind(self) -> str:
        """Its type without sizes, such as ``varchar``."""
        return self.type.partition("(")[0]

    @property
    def described(self) -> tuple[str, str, str, str, str | None, str]:
        """The row that ``DESCRIBE`` answers: field, type, null, key, default, extra."""
        null = "YES" if self.nullable else "NO"
        return self.name, self.type, null, self.key, self.default, self.extra


@dataclass(frozen=True, slots=True)
class Index:
    """Columns in the order in which rows can be read by them."""

    columns: tuple[str, ...]
    unique: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its rows, in the order of the dump.

    Attributes:
        name: In lower case, as the official server stores it.
        columns: In order.
        primary: Names of the columns of the primary key, in order; may be empty.
        indexes: The other keys.
        rows: One value a column: int, float, text or None.
    """

    name: str
    columns: tuple[Column, ...]
    primary: tuple[str, ...]
    indexes: tuple[Index, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Database:
    """A database: its name in lower case, and its tables by name, sorted."""

    name: str
    tables: dict[str, Table]
