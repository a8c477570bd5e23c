"""A second held half: nobody who works on the learner reads these worlds.

Only totals are told of what is played here, and no episode is shown.
"""

from .clusters import KubeRollout, PsqlMerge
from .dispatch import RetryAfter, Zayavki
from .files import CsvShort, YamlPaths
from .rulings import ClaimLines, RefillDesk
from .stores import CrateOrders, RoomHold

WORLDS = (
    *(KubeRollout, PsqlMerge, CrateOrders, RoomHold, YamlPaths),
    *(CsvShort, ClaimLines, RefillDesk, Zayavki, RetryAfter),
)
