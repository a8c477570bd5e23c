"""Ten trades written by a third stranger."""

from .offices import Certs, Crews, Payables
from .shops import Meters, Pharmacy, Seats

__all__ = ["THIRD"]

THIRD = (Pharmacy, Meters, Seats, Certs, Crews, Payables)
"""The trades."""
