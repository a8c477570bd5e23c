"""Twelve worlds of ordinary work that a stranger might script; to look at."""

from .benches import KilnShelf, TailorCard, WatchRate
from .consoles import AddressClash, QuotaGrow, TapeTonight
from .counters import BinTelephone, KennelStay, UmbrellaDesk
from .offices import CambioResidenza, JuryCall, TuinToewijzen

WORLDS = (
    *(KilnShelf, TailorCard, WatchRate),
    *(BinTelephone, KennelStay, UmbrellaDesk),
    *(QuotaGrow, AddressClash, TapeTonight),
    *(CambioResidenza, TuinToewijzen, JuryCall),
)
