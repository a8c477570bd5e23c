"""Twelve worlds by one more hand, from simple to hard; to look at."""

from .consoles import CanaryRollout, PrinterMenu, ProbeLog, ReleaseSteps
from .desks import AddressMail, BadgePrint, DoctorSlot, LoanRenewal
from .offices import ClaimLimit, CountSheet, InvoicePay, OvertimeHours

WORLDS = (
    *(BadgePrint, LoanRenewal, ProbeLog, AddressMail),
    *(CanaryRollout, ClaimLimit, DoctorSlot, PrinterMenu),
    *(CountSheet, OvertimeHours, InvoicePay, ReleaseSteps),
)
