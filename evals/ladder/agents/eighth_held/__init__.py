"""Kinds of task of an eighth hand that were played once, at the end."""

from __future__ import annotations

from .trades import KINDS

__all__ = ["KINDS"]
