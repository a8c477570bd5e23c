"""Ten trades written by a third stranger."""

from .shops import Meters, Pharmacy, Seats

__all__ = ["THIRD"]

THIRD = (Pharmacy, Meters, Seats)
"""The trades."""
