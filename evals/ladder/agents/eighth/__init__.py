"""Kinds of task of an eighth hand that may be looked at."""

from __future__ import annotations

from .trades import KINDS

__all__ = ["KINDS"]
