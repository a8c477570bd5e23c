"""Fourteen worlds of what people do at a text interface; to look at."""

from .desks import BoeteBalie, CodeVerify, LeaveLedger, PhysioSlots
from .money import DepositReturn, FxClaim, LedgerMatch
from .services import NodeUpgrade, PhoneMenu, RoomThermostat
from .terminals import CronMove, LogSqueeze, PutawayBay, SeatSwap

WORLDS = (
    *(PutawayBay, SeatSwap, LogSqueeze, CronMove),
    *(LeaveLedger, PhysioSlots, CodeVerify, BoeteBalie),
    *(DepositReturn, FxClaim, LedgerMatch),
    *(PhoneMenu, NodeUpgrade, RoomThermostat),
)
