"""The worth of candidates as part of a program's file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .reward_model import Score, Worth

_ALWAYS = "always"
_GAP = "..."


def worth_document(worth: Worth) -> dict[str, Any]:
    """Return it as plain data."""
    document: dict[str, Any] = {"listed": _points(worth.sight)}
    if worth.opened is not None:
        document |= {"opened": _points(worth.opened), "opens": worth.opens}
    if worth.between[0]:
        document["needs"] = _GAP.join(worth.between)
    if worth.ignore:
        document["ignore"] = list(worth.ignore)
    return document


def read_worth(document: Mapping[str, Any]) -> Worth:
    """Read plain data.

    Raises:
        KeyError, TypeError, ValueError: It is none.
    """
    before, _, behind = str(document.get("needs", "")).partition(_GAP)
    return Worth(
        sight=_score(document["listed"]),
        opened=_score(document["opened"]) if "opened" in document else None,
        opens=str(document.get("opens", "")),
        between=(before, behind),
        ignore=tuple(map(str, document.get("ignore", ()))),
    )


def _points(score: Score) -> dict[str, float]:
    return {_ALWAYS: score.always, **dict(score.points)}


def _score(document: Mapping[str, Any]) -> Score:
    points = ((str(name), float(value)) for name, value in document.items() if name != _ALWAYS)
    return Score(tuple(points), float(document.get(_ALWAYS, 0.0)))
