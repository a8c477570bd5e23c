"""Ten trades written by a third stranger."""

from .certs import Certs
from .crews import Crews
from .fleet import Fleet
from .folders import Folders
from .meters import Meters
from .payables import Payables
from .permits import Permits
from .pharmacy import Pharmacy
from .prices import Prices
from .seats import Seats

__all__ = ["THIRD"]

THIRD = (Pharmacy, Meters, Seats, Certs, Crews, Payables, Fleet, Prices, Folders, Permits)
"""The trades."""
