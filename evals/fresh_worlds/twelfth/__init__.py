"""Twelve worlds of what people do at a text interface; to look at."""

from .consoles import KubeRunbook, MergeQueue, ShiftCover
from .counters import ImpoundLot, LecturaContador, TicketDupes
from .places import LampKeeper, RobotTidy, SampleBench
from .sheets import GradebookSheet, ReceiptAudit, VaccineFridge

WORLDS = (
    *(VaccineFridge, GradebookSheet, ReceiptAudit),
    *(LecturaContador, ImpoundLot, TicketDupes),
    *(MergeQueue, KubeRunbook, ShiftCover),
    *(RobotTidy, LampKeeper, SampleBench),
)
