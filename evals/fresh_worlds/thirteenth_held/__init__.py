"""Six more by the hand that wrote :mod:`..thirteenth`; not to be looked at."""

from .benches import DryWeight, ListaCompras, PickBins
from .windows import LeaverCalendar, LostThings, TownWindow

WORLDS = (DryWeight, PickBins, ListaCompras, TownWindow, LeaverCalendar, LostThings)
