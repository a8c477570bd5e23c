"""Ten worlds of desks, benches and registers that a stranger might script; to look at."""

from .desks import BudgetCarry, GenericSwap, MinibarFolio
from .registers import BriefFiling, FermePanier, Skolskjuts
from .workshops import ArrayDisk, PhotometerBlank, TyreBay, WeedingCart

WORLDS = (
    *(MinibarFolio, GenericSwap, BudgetCarry),
    *(WeedingCart, TyreBay, PhotometerBlank, ArrayDisk),
    *(Skolskjuts, FermePanier, BriefFiling),
)
