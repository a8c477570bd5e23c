"""Worlds 1 to 15."""

from __future__ import annotations

from ..world import World
from .answers import BookReturns, BranchOffices, DamageClaim
from .forms_to_fill import ContactForm
from .lists import BikeHire, OfficeSupplies, ParcelLockers, QuayList
from .measures import DentistDiary, FreightOffers, HotelRooms
from .routines import BloodTubes, TillAtNight
from .searching import IntranetShop, PhoneBook

__all__ = ["FIRST"]

FIRST: tuple[type[World], ...] = (
    TillAtNight,
    ContactForm,
    BloodTubes,
    ParcelLockers,
    QuayList,
    BikeHire,
    OfficeSupplies,
    HotelRooms,
    FreightOffers,
    DentistDiary,
    PhoneBook,
    IntranetShop,
    DamageClaim,
    BookReturns,
    BranchOffices,
)
