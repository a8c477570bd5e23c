"""Worlds by the hand of :mod:`..third` that nobody who works on the learner reads or looks at."""

from .accounts import DunningLetters, SnapshotClean
from .boards import SprintMove, TrainRebook
from .branches import MaktabaLoan, RetourMagasin
from .clinics import DoseSheet, MailSearch

WORLDS = (
    *(DunningLetters, SnapshotClean, SprintMove, TrainRebook),
    *(MaktabaLoan, RetourMagasin, DoseSheet, MailSearch),
)
