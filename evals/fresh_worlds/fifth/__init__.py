"""Half of the worlds by the hand that wrote the fifth set; to look at."""

from .abroad import ColisRelais, MatriculaCurso, PharmacyRefill, WerkstattTermin
from .papers import FacturaAlta, GrantRound, PerDiem, Stocktake

WORLDS = (
    *(PerDiem, WerkstattTermin, Stocktake, ColisRelais),
    *(FacturaAlta, MatriculaCurso, GrantRound, PharmacyRefill),
)
