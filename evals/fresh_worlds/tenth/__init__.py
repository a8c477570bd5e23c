"""Fourteen worlds by one more hand, from simple to hard; to look at."""

from .counters import BarrierKeys, MeterReading, ParcelLabel, TableReserve
from .houses import BankTransfer, CabinetSearch, GalleryLight, GreenhouseClimate
from .stores import TinCount, ToolCrib, VaccineLot
from .yards import OvenBatch, PoolCheck, SealCheck

WORLDS = (
    *(ParcelLabel, TableReserve, MeterReading, BarrierKeys),
    *(VaccineLot, SealCheck, OvenBatch, PoolCheck, ToolCrib, TinCount),
    *(GreenhouseClimate, GalleryLight, BankTransfer, CabinetSearch),
)
