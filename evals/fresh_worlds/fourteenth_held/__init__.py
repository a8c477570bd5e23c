"""Six worlds of ordinary work that a stranger might script; who works on the learner reads none."""

from .bureaus import RobeSizes, SeatReclaim, ZwrotBiletu
from .stations import AquariumTests, FrameCounter, PorterBoard

WORLDS = (
    *(FrameCounter, AquariumTests, PorterBoard),
    *(SeatReclaim, ZwrotBiletu, RobeSizes),
)
