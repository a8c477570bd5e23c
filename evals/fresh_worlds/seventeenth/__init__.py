"""Twelve worlds of an engineer who automates her own company; to look at."""

from .consoles import SheetSplit, SqlPriceRise, SqlSeats
from .desks import HrOnboard, ProbationDate, SupportRoute
from .floors import DockDoor, PickExpiry, SkontoLauf
from .runbooks import BackupAge, ImportRun, SecretRotate

WORLDS = (
    *(SecretRotate, ImportRun, BackupAge),
    *(SqlSeats, SqlPriceRise, SheetSplit),
    *(SupportRoute, HrOnboard, ProbationDate),
    *(DockDoor, PickExpiry, SkontoLauf),
)
