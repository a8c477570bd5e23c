"""What a check says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .database import Database
from .plan import Plan
from .tasks import Trip

__all__ = ["PASSED", "Check", "Verdict", "failed"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a plan passes a check, and why not."""

    passed: bool
    reason: str = ""


PASSED = Verdict(True)

Check = Callable[[Trip, Plan, Database], Verdict]
"""Looks at the days of a plan that the trip has, at most."""


def failed(reason: str) -> Verdict:
    """Return a verdict that says why."""
    return Verdict(False, reason)
