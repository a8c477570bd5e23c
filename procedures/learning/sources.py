"""Where a trajectory comes from, as far as learning cares."""

from __future__ import annotations

__all__ = ["OWN_PLAY"]

OWN_PLAY = "own play"
"""Source of trajectories whose outcomes the loop recorded already: they teach, but are not
counted as evidence a second time."""
