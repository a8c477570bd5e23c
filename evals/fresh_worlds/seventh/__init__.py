"""Half of the worlds by the hand that wrote the seventh set; to look at."""

from .counters import BoxCarrier, CarReturn, RecallNotice, StayChange
from .systems import CertRenew, HookRedelivery, SqlRefund, UnitFaults

WORLDS = (
    *(CertRenew, BoxCarrier, SqlRefund, CarReturn),
    *(HookRedelivery, RecallNotice, UnitFaults, StayChange),
)
