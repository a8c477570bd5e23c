"""Half of the worlds by the hand that wrote the sixth set; to look at."""

from .offices import ClubTransfer, ExamBoard, ReceitaRenovar, ShucchouSeisan
from .operations import DumpPurge, EdgeRepair, LeaverChecklist, PullGate

WORLDS = (
    *(PullGate, DumpPurge, EdgeRepair, LeaverChecklist),
    *(ReceitaRenovar, ClubTransfer, ExamBoard, ShucchouSeisan),
)
