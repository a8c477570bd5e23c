"""Six trades written by a fifth stranger."""

from .auction import Auction
from .gifts import Gifts
from .harbour import Harbour
from .rental import Rental
from .timesheets import Timesheets
from .vet import Vet

__all__ = ["FIFTH"]

FIFTH = (Timesheets, Rental, Auction, Vet, Harbour, Gifts)
"""The trades."""
