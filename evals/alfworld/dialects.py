"""The two wordings of ALFWorld: of today's data (2.1.3) and of the older release (2.1.1)."""

from __future__ import annotations

from dataclasses import dataclass

from ...procedures.common.errors import DataError

__all__ = ["DIALECTS", "Dialect", "dialect_named"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between the releases.

    Attributes:
        name: Number of the data release.
        put: Command that puts a held object down; two places: object, receptacle.
        placed: The answer to it; same places.
        arrives_at_receptacle: Whether arriving names the receptacle, or only ``loc 6``.
        help: Whether there is a command ``help``.

    """

    name: str
    put: str
    placed: str
    arrives_at_receptacle: bool
    help: bool


DIALECTS = {
    "2.1.3": Dialect("2.1.3", "move {} to {}", "You move the {} to the {}.", True, True),
    "2.1.1": Dialect("2.1.1", "put {} in/on {}", "You put the {} in/on the {}.", False, False),
}


def dialect_named(name: str) -> Dialect:
    """Return the dialect of a data release, or raise :class:`DataError`."""
    try:
        return DIALECTS[name]
    except KeyError:
        raise DataError(
            f"ALFWorld dialect {name!r} is not known; choose one of {', '.join(DIALECTS)}"
        ) from None
