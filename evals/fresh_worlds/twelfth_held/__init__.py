"""Six more by the hand that wrote :mod:`..twelfth`; not to be looked at."""

from .offices import SchluesselAusgabe, ShipLabel, TwoDiaries
from .rounds import BedRound, DnsCutover, SqlStale

WORLDS = (ShipLabel, TwoDiaries, SchluesselAusgabe, BedRound, DnsCutover, SqlStale)
