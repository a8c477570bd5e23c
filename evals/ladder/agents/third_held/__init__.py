"""Worlds of the third hand that are only played: nobody who works on memory reads them."""

from __future__ import annotations

from ..kinds import Kind

__all__ = ["KINDS"]

KINDS: tuple[Kind, ...] = ()
