"""Fourteen worlds by one more hand, from simple to hard; to look at."""

from .counters import BarrierKeys, MeterReading, ParcelLabel, TableReserve

WORLDS = (ParcelLabel, TableReserve, MeterReading, BarrierKeys)
