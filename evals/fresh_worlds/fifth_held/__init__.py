"""Half of the fifth set; nobody who works on the learner reads these worlds."""

from .rounds import FlagRollout, LotPicking, MinutesTasks, RedeliveryChat
from .sessions import CertRenewal, CrontabLine, DeadLetters, Offboarding

WORLDS = (
    *(CertRenewal, FlagRollout, CrontabLine, MinutesTasks),
    *(DeadLetters, LotPicking, Offboarding, RedeliveryChat),
)
