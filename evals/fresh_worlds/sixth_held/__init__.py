"""Sixteen worlds of people's daily work, held: nobody who works on the learner reads them."""

from .counters import LostProperty, MeterReading, ShelfLabels, TitleHold
from .offices import ClubTransfer, ExamBoard, ReceitaRenovar, ShucchouSeisan
from .operations import DumpPurge, EdgeRepair, LeaverChecklist, PullGate
from .shipping import CourierOffer, FreightAudit, ParcelTrace, WydanieTowaru

WORLDS = (
    *(LostProperty, MeterReading, TitleHold, ShelfLabels),
    *(ParcelTrace, CourierOffer, WydanieTowaru, FreightAudit),
    *(PullGate, DumpPurge, EdgeRepair, LeaverChecklist),
    *(ReceitaRenovar, ClubTransfer, ExamBoard, ShucchouSeisan),
)
