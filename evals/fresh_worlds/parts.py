"""The parts of the fresh worlds, by name: those that may be looked at, and those that may not."""

from __future__ import annotations

from types import ModuleType

from ..ladder.world import World
from . import (
    dev,
    eighth,
    eighth_held,
    eleventh,
    eleventh_held,
    fifteenth,
    fifth,
    fifth_held,
    fourteenth,
    fourteenth_held,
    fourth,
    held,
    held2,
    seventeenth,
    seventh,
    seventh_held,
    sixteenth,
    sixteenth_held,
    sixth,
    sixth_held,
    tenth,
    third,
    thirteenth,
    thirteenth_held,
    twelfth,
    twelfth_held,
)

__all__ = ["HELD", "OPEN"]


def _worlds(*parts: ModuleType) -> dict[str, tuple[type[World], ...]]:
    """Return the last word of each part's name, with dashes, and its worlds."""
    return {part.__name__.rpartition(".")[2].replace("_", "-"): part.WORLDS for part in parts}


OPEN = _worlds(
    *(dev, third, fourth, fifth, sixth, seventh, eighth),
    *(tenth, eleventh, twelfth, thirteenth),
    *(fourteenth, fifteenth, sixteenth, seventeenth),
)
"""Parts that the learner was written beside, and parts by other hands."""
HELD = _worlds(
    *(held, held2, fifth_held, sixth_held, seventh_held, eighth_held),
    *(eleventh_held, twelfth_held, thirteenth_held),
    *(fourteenth_held, sixteenth_held),
)
"""Parts that nobody who works on the learner reads; only their totals are told."""
