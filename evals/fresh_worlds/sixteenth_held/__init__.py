"""Six worlds of other desks by the same hand; not to be looked at."""

from .desks import GreenhouseZone, SnapshotPrune, StrayShelter
from .plans import CateringOrder, ConnectionBoard, OvertimeSheet

WORLDS = (
    *(GreenhouseZone, SnapshotPrune, StrayShelter),
    *(ConnectionBoard, OvertimeSheet, CateringOrder),
)
