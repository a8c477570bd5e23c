"""Eight worlds by the hand that wrote the eighth set; nobody looks at them."""

from .counters import MeetingMove, MeterMail, NurserySignup, TableReserve
from .systems import GradeSheet, PoolDose, SqlReorder, TicketRoute

WORLDS = (
    *(NurserySignup, MeetingMove, MeterMail, TableReserve),
    *(PoolDose, TicketRoute, GradeSheet, SqlReorder),
)
