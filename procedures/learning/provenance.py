"""Where a trajectory comes from, as far as learning cares."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["CONTRAST", "LEARNED_FROM", "OWN_PLAY", "sources", "without_numbers"]

CONTRAST = "contrast"
"""Key of the provenance of what was refined; says what was contrasted."""
LEARNED_FROM = "learned_from"
"""Key of the provenance of what was learned; people's own files have none."""

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


def without_numbers(provenance: Mapping[str, str]) -> dict[str, str]:
    """Return a provenance that says from what something was learned, and not from how much.

    How much is evidence: it differs from machine to machine, and nothing that is done depends on
    it.
    """
    plain = dict(provenance)
    if "learned_from" in plain:
        plain["learned_from"] = re.sub(r"\b\d+ ", "", plain["learned_from"])
    return {key: text for key, text in plain.items() if key not in ("reason", "proposal")}
