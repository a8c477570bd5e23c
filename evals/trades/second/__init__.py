"""Ten trades written by a second stranger."""

from .code import Merges, Rollbacks
from .papers import Claims, Customs
from .records import Lab, News
from .rooms import Bookings, Home
from .staff import Access, Payroll

__all__ = ["SECOND"]

SECOND = (
    Access,
    Payroll,
    Claims,
    Customs,
    Bookings,
    Home,
    Merges,
    Rollbacks,
    Lab,
    News,
)
"""The trades."""
