"""Eight trades written by a fourth stranger."""

from .airline import Airline
from .mobile import Mobile
from .picking import Picking
from .pupils import Pupils
from .registry import Registry
from .saas import Saas
from .surgery import Surgery
from .wires import Wires

__all__ = ["FOURTH"]

FOURTH = (Airline, Saas, Wires, Surgery, Mobile, Pupils, Picking, Registry)
"""The trades."""
