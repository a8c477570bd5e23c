"""A base class for objects that a ``with`` block closes at its end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import TypeVar

from typing_extensions import Self

_T = TypeVar("_T", bound="Closing")


class Closing(ABC):
    """Has a ``close``, which leaving the ``with`` block calls."""

    __slots__ = ()

    @abstractmethod
    def close(self) -> None:
        """Let go of everything; closing twice does no harm."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
