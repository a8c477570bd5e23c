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


class SilentMill:
    """A mill that does not tell what is possible."""

    def __init__(self) -> None:
        self._mill = Mill("cranked")

    def reset(self, seed: str) -> tuple[str, str]:
        return self._mill.reset(seed)

    def step(self, action: str) -> tuple[str, float, bool, dict[str, bool]]:
        return self._mill.step(action)
