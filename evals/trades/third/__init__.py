"""Ten trades written by a third stranger."""

from .offices import Certs, Crews, Payables
from .shops import Meters, Pharmacy, Seats
from .yards import Fleet, Folders, Permits, Prices

__all__ = ["THIRD"]

THIRD = (Pharmacy, Meters, Seats, Certs, Crews, Payables, Fleet, Prices, Folders, Permits)
"""The trades."""
