"""Worlds that may be looked at."""

from .consoles import FileExport, IniPorts, LogRestart, SqlOrders
from .counters import MemberPages, NewestWish, PriceTiers, ShiftTriage
from .decisions import ExpenseLimits, PolicyExceptions, SeverityTable, TwoGauges
from .offices import ClinicSlots, CustomsForm, OrderSignatures, SimWizard
from .operations import HostRunbook, ReleaseFlags, ScaleSettles, ShipmentSums
from .schools import ClassRegister, RecordFixes, TripSeats
from .services import ChangeReview, ExportJob, RollbackTime, ThirdFailure
from .warehouses import MemberDiscount, PostalLabels, StockTransfer
from .writing import Forwarding, LetterOut, SealedBids, VisitDates

WORLDS = (
    *(SqlOrders, IniPorts, VisitDates, LogRestart, SealedBids, LetterOut),
    *(FileExport, PolicyExceptions, SeverityTable, TwoGauges, ExpenseLimits, Forwarding),
    *(HostRunbook, ShipmentSums, ReleaseFlags, ScaleSettles),
    *(CustomsForm, SimWizard, ClinicSlots, OrderSignatures),
    *(MemberPages, ShiftTriage, NewestWish, PriceTiers),
    *(StockTransfer, PostalLabels, MemberDiscount),
    *(ClassRegister, TripSeats, RecordFixes),
    *(ChangeReview, ExportJob, ThirdFailure, RollbackTime),
)
