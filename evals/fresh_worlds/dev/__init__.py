"""Worlds that may be looked at."""

from .consoles import FileExport, IniPorts, LogRestart, SqlOrders
from .decisions import ExpenseLimits, PolicyExceptions, SeverityTable, TwoGauges
from .writing import Forwarding, LetterOut, SealedBids, VisitDates

WORLDS = (
    *(SqlOrders, IniPorts, VisitDates, LogRestart, SealedBids, LetterOut),
    *(FileExport, PolicyExceptions, SeverityTable, TwoGauges, ExpenseLimits, Forwarding),
)
