"""Twelve worlds of ordinary work with other interfaces; to look at."""

from .desks import BikeReturn, ClaimForm, RouterChat
from .offices import BailDossier, FerryTransfer, VerteilerPflege
from .rounds import AutoclaveRun, HotelRounds, LibraryStray
from .tables import BusRoster, ConfigDrift, FleetFuel

WORLDS = (
    *(LibraryStray, HotelRounds, AutoclaveRun),
    *(BusRoster, FleetFuel, ConfigDrift),
    *(RouterChat, BikeReturn, ClaimForm),
    *(FerryTransfer, BailDossier, VerteilerPflege),
)
