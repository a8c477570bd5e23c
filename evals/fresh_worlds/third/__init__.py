"""Worlds by another hand, who had not seen the learner; they may be looked at."""

from .accounts import DunningLetters, SnapshotClean
from .boards import SprintMove, TrainRebook
from .branches import MaktabaLoan, RetourMagasin
from .claims import ApprovalLimits, ExpenseClaim
from .clinics import DoseSheet, MailSearch
from .clusters import BranchName, PodSweep
from .config_prints import JobDuration, YamlMemory
from .languages import CorreoReserva, CourrierTri
from .queries import QuoteChoice, SqlRanking
from .registrations import FahrzeugForm, SoukoShipping
from .runbooks import IncidentTriage, UnitRestart
from .stock_rooms import PackOrder, RoomBooking

WORLDS = (
    *(IncidentTriage, UnitRestart, PodSweep, BranchName),
    *(ExpenseClaim, ApprovalLimits, RoomBooking, PackOrder),
    *(SqlRanking, QuoteChoice, YamlMemory, JobDuration),
    *(CourrierTri, CorreoReserva, FahrzeugForm, SoukoShipping),
    *(DunningLetters, SnapshotClean, SprintMove, TrainRebook),
    *(MaktabaLoan, RetourMagasin, DoseSheet, MailSearch),
)
