"""Half of the sixth set, of people's daily work, held: nobody who works on the learner reads it."""

from .counters import LostProperty, MeterReading, ShelfLabels, TitleHold
from .shipping import CourierOffer, FreightAudit, ParcelTrace, WydanieTowaru

WORLDS = (
    *(LostProperty, MeterReading, TitleHold, ShelfLabels),
    *(ParcelTrace, CourierOffer, WydanieTowaru, FreightAudit),
)
