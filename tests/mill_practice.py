"""Mills that an evaluation can make by name: ``mill_practice:CrankedMill``."""

from __future__ import annotations

from mill_world import Mill


class CrankedMill(Mill):
    """A mill that has to be cranked now."""

    def __init__(self) -> None:
        super().__init__("cranked")


class JammedMill(Mill):
    """A mill that has to be cranked where it is jammed."""

    def __init__(self) -> None:
        super().__init__("jammed")
