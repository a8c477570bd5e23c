"""Six worlds of ordinary work that a stranger might script; nobody who works on it reads them."""

from ...ladder.world import World

WORLDS: tuple[type[World], ...] = ()
