"""Half of the seventh set, by a hand of its own, held: nobody who works on the learner reads it."""

from .abroad import BollettaControllo, MukhtabarNataij, Reklamacja, SaihaitatsuYoyaku
from .offices import FlightPolicy, InterviewSlot, PrivacyRequest, TicketSla

WORLDS = (
    *(InterviewSlot, BollettaControllo, TicketSla, Reklamacja),
    *(FlightPolicy, SaihaitatsuYoyaku, PrivacyRequest, MukhtabarNataij),
)
