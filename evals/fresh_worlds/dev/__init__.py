"""Worlds that may be looked at."""

from .chat_desks import OrderChat, SignupRetry
from .clock_work import LoanStamp, ParkingTicket
from .consoles import FileExport, IniPorts, LogRestart, SqlOrders
from .counters import MemberPages, NewestWish, PriceTiers, ShiftTriage
from .decisions import ExpenseLimits, PolicyExceptions, SeverityTable, TwoGauges
from .errands import BadgeRound, FreightQuote, HostRestarts, RoomBookings
from .everyday_consoles import LogSearch, RestOrders, ShellDisk, SqlTransfer
from .everyday_desks import ChatOps, HelpDesk, MailDesk, TicketShift
from .everyday_forms import CalendarPair, HotelBooking, MonthlyReport, PurchaseApproval
from .everyday_lists import ConfigKey, ParcelQueue, SheetTotals, StockCheck
from .grids import HoursGrid, ZoneCall
from .invoices import InvoiceMatch, RechnungFreigabe
from .listings import ContainerStop, LockerClear
from .offices import ClinicSlots, CustomsForm, OrderSignatures, SimWizard
from .operations import HostRunbook, ReleaseFlags, ScaleSettles, ShipmentSums
from .reviews import AccessReview, CloseMany
from .rounds import KeyRound, PlantWatering
from .samples import CoursePlaces, LabSamples
from .schools import ClassRegister, RecordFixes, TripSeats
from .services import ChangeReview, ExportJob, RollbackTime, ThirdFailure
from .shell_sessions import CursorApi, GitBackport
from .titles import DocumentShare, PlaylistAdd
from .typed_forms import DeviceSetup, PatientIntake
from .warehouses import MemberDiscount, PostalLabels, StockTransfer
from .web_requests import CataloguePages, TokenReports
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
    *(RestOrders, ShellDisk, SqlTransfer, LogSearch),
    *(TicketShift, HelpDesk, ChatOps, MailDesk),
    *(HotelBooking, CalendarPair, MonthlyReport, PurchaseApproval),
    *(SheetTotals, StockCheck, ConfigKey, ParcelQueue),
    *(OrderChat, SignupRetry, InvoiceMatch, RechnungFreigabe, GitBackport),
    *(CursorApi, HoursGrid, ZoneCall, AccessReview, CloseMany),
    *(ContainerStop, LockerClear, PlaylistAdd, DocumentShare, CataloguePages, TokenReports),
    *(PatientIntake, DeviceSetup, KeyRound, PlantWatering),
    *(ParkingTicket, LoanStamp),
    *(RoomBookings, HostRestarts, FreightQuote, BadgeRound, LabSamples, CoursePlaces),
)
