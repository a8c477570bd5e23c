"""Six more by the hand that wrote :mod:`..eleventh`; not to be looked at."""

from .counters import MailTriage, OfficinaRicambi, TariffQuote
from .systems import DirSync, TapeRotate, VanCheck

WORLDS = (MailTriage, OfficinaRicambi, TariffQuote, DirSync, TapeRotate, VanCheck)
