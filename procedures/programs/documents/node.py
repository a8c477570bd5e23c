"""Values of a document with their paths, so that errors can name these."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...common.errors import ConditionError, SchemaError
from ...documents.plain_data import below
from ..notation_reading import read_condition, read_field, read_order, read_term
from ..program_conditions import Condition, Term
from ..sources import Offered, Order, Source


def filled(document: Mapping[str, Any], required: Container[str] = ()) -> dict[str, Any]:
    """Return a document without the keys that say nothing, except required ones."""
    return {key: value for key, value in document.items() if value or key in required}


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a document, with its path.

    Attributes:
        value: Plain data.
        path: Keys and indices that lead to it.
    """

    value: Any
    path: tuple[str | int, ...] = ()

    def get(self, key: str, default: Any = ()) -> Node:
        """Return the node below a key, or a node of the default."""
        return Node(self.value.get(key, default), (*self.path, key))

    def __getitem__(self, key: str) -> Node:
        """Return the node below a key.

        Raises:
            SchemaError: The key is missing.
        """
        if key not in self.value:
            raise SchemaError(f"{key!r} is missing", path=self.path)
        return Node(self.value[key], (*self.path, key))

    def items(self) -> Iterator[Node]:
        """Yield the items of a list.

        Raises:
            SchemaError: It is none.
        """
        if not isinstance(self.value, list | tuple):
            raise SchemaError("should be a list", path=self.path)
        for index, value in enumerate(self.value):
            yield Node(value, (*self.path, index))

    def flag(self, key: str, *, default: bool = False) -> bool:
        """Return whether the value below a key is true."""
        return bool(self.value.get(key, default))

    def text(self) -> str:
        """Return the text that this is.

        Raises:
            SchemaError: It is none.
        """
        if not isinstance(self.value, str):
            raise SchemaError("should be a text", path=self.path)
        return self.value

    def texts(self) -> tuple[str, ...]:
        """Return the items of a list of texts.

        Raises:
            SchemaError: It is none.
        """
        return tuple(item.text() for item in self.items())

    def field(self) -> str:
        """Read a field of the candidate.

        Raises:
            ConditionError: It is none.
        """
        try:
            return read_field(self.value)
        except ConditionError as error:
            raise below(error, self.path) from None

    def term(self) -> Term:
        """Read a value of the task, of a result or of a call.

        Raises:
            ConditionError: It is none.
        """
        try:
            return read_term(self.value)
        except ConditionError as error:
            raise below(error, self.path) from None

    def order(self) -> Order:
        """Read an order of preference.

        Raises:
            ConditionError: It is none.
        """
        try:
            return read_order(self.value)
        except ConditionError as error:
            raise below(error, self.path) from None

    def condition(self, sources: Mapping[str, Source] | None = None) -> Condition | Offered:
        """Read a condition.

        Args:
            sources: Parameter → source, where ``offered(…)`` may stand.

        Raises:
            ConditionError: It is none.
        """
        try:
            return read_condition(self.value, sources)
        except ConditionError as error:
            raise below(error, self.path) from None

    def conditions(self) -> tuple[Condition, ...]:
        """Read a list of conditions, none of them ``offered(…)``.

        Raises:
            ConditionError: One of them is none.
        """
        conditions: list[Condition] = []
        for item in self.items():
            condition = item.condition()
            if isinstance(condition, Offered):  # pragma: no cover - no sources: cannot be read
                raise SchemaError("offered(…) stands under a step's when only", path=item.path)
            conditions.append(condition)
        return tuple(conditions)
