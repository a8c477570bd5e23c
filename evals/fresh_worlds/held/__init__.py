"""Worlds that are not looked at: nobody who works on the learner reads them.

Only totals are told of what is played here, and no episode is shown.
"""

from .amounts import Franking, OpenCount, TabSum
from .desks import Bilingual, Hotline, OptionalExtras, TwinCards
from .rounds import Cloakroom, OnDuty, TryUndo
from .tables import ColumnOrder, MissingHook

WORLDS = (
    *(Franking, Hotline, OpenCount, TabSum, TryUndo, Cloakroom),
    *(Bilingual, ColumnOrder, MissingHook, TwinCards, OptionalExtras, OnDuty),
)
