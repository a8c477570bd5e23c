"""Six more by the hand that wrote :mod:`..thirteenth`; not to be looked at."""

from ...ladder.world import World

WORLDS: tuple[type[World], ...] = ()
