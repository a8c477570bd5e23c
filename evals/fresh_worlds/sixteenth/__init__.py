"""Twelve worlds of hosts, counters, rounds and accounts by a stranger; to look at."""

from .accounts import FerryDeck, HeatingShares, StatementMatch
from .counters import CardHotline, ParcelLocker, UmtauschTheke
from .hosts import FlakyJob, UpsBattery, ZoneRecord
from .rounds import ImpactQueue, SchemaSteps, WardTrays

WORLDS = (
    *(UpsBattery, ZoneRecord, FlakyJob),
    *(ParcelLocker, CardHotline, UmtauschTheke),
    *(WardTrays, ImpactQueue, SchemaSteps),
    *(StatementMatch, FerryDeck, HeatingShares),
)
