"""Provenance of trajectories and of what is learned from them."""

from __future__ import annotations

import re
from collections.abc import Mapping

CONTRAST = "contrast"
"""Provenance key of a refined item; its value says what was contrasted."""
LEARNED_FROM = "learned_from"
"""Provenance key of a learned item; people's own files lack it."""

OWN_PLAY = "own play"
"""Source of trajectories whose outcomes the loop has recorded: they teach, but do not count as
evidence a second time."""


def sources(shown: int, played: int, of: str = "") -> str:
    """Return a phrase that says how much something was learned from.

    Args:
        shown: Number of demonstrations, or of their parts.
        played: Number of played episodes, or of their parts.
        of: Name of the parts, such as ``segments of ``.
    """
    phrases = [f"{shown} {of}demonstrations"] if shown or not played else []
    return " and ".join(
        [*phrases, *([f"{played} {of or 'episodes of '}{OWN_PLAY}"] if played else [])]
    )


def without_numbers(provenance: Mapping[str, str]) -> dict[str, str]:
    """Return a provenance without numbers of episodes, reason and proposal.

    Numbers are evidence: they differ between machines, and no behaviour depends on them.
    """
    plain = dict(provenance)
    if "learned_from" in plain:
        plain["learned_from"] = re.sub(r"\b\d+ ", "", plain["learned_from"])
    return {key: text for key, text in plain.items() if key not in ("reason", "proposal")}
