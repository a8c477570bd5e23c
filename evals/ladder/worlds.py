"""All worlds of the ladder: every second one is sealed."""

from __future__ import annotations

from . import development, sealed
from .world import World

__all__ = ["DEVELOPMENT", "SEALED", "world_of"]

DEVELOPMENT: tuple[type[World], ...] = development.WORLDS
SEALED: tuple[type[World], ...] = sealed.WORLDS


def world_of(name: str) -> type[World]:
    """Return a world by its name.

    Raises:
        KeyError: There is none.
    """
    return {world.name: world for world in (*DEVELOPMENT, *SEALED)}[name]
