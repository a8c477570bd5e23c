"""Worlds by the hand that wrote the fifth set; nobody who works on the learner reads them."""

from .abroad import ColisRelais, MatriculaCurso, PharmacyRefill, WerkstattTermin
from .papers import FacturaAlta, GrantRound, PerDiem, Stocktake
from .rounds import FlagRollout, LotPicking, MinutesTasks, RedeliveryChat
from .sessions import CertRenewal, CrontabLine, DeadLetters, Offboarding

WORLDS = (
    *(CertRenewal, PerDiem, WerkstattTermin, FlagRollout),
    *(CrontabLine, Stocktake, ColisRelais, MinutesTasks),
    *(DeadLetters, FacturaAlta, MatriculaCurso, LotPicking),
    *(Offboarding, GrantRound, PharmacyRefill, RedeliveryChat),
)
