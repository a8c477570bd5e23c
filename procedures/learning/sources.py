"""Where a trajectory comes from, as far as learning cares."""

from __future__ import annotations

__all__ = ["OWN_PLAY", "sources"]

OWN_PLAY = "own play"
"""Source of trajectories whose outcomes the loop recorded already: they teach, but are not
counted as evidence a second time."""


def sources(shown: int, played: int, of: str = "") -> str:
    """Say in words how much something was learned from.

    Args:
        shown: How many demonstrations, or parts of them.
        played: The same of own play.
        of: What the parts are, such as ``segments of ``.
    """
    told = [f"{shown} {of}demonstrations"] if shown or not played else []
    return " and ".join(
        [*told, *([f"{played} {of or 'episodes of '}{OWN_PLAY}"] if played else [])]
    )
