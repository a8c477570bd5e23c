"""The shop's 6,910 tasks: a product with all its options chosen, and what it may cost.

Source: https://github.com/princeton-nlp/WebShop, ``get_synthetic_goals`` of ``goal.py``. There
prices and limits are drawn without a seed; here a seed fixes them. The order of the tasks, by
which they are numbered, is the official one for every seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product as combinations_of
from random import Random

from .catalogue import Product

__all__ = ["Goal", "draw_prices", "make_goals"]

_ORDER_SEED = 233
"""Official seed of the order of the tasks."""
_LIMITS = tuple(10.0 * tens for tens in range(1, 100))
_NO_LIMIT = 1_000_000.0


@dataclass(frozen=True, slots=True)
class Goal:
    """A task. Only its text is for the agent.

    Attributes:
        text: What is asked for.
        product: The product that it was made from.
        options: Heading → value that is wanted.
        limit: Most that it may cost, in dollars.
    """

    text: str
    product: Product
    options: Mapping[str, str]
    limit: float


def draw_prices(products: Sequence[Product], random: Random) -> dict[str, float]:
    """Return product id → price in dollars; from a range, one is drawn."""
    return {
        product.id: product.prices[0]
        if len(product.prices) == 1
        else random.uniform(*product.prices)
        for product in products
    }


def make_goals(
    products: Sequence[Product], prices: Mapping[str, float], random: Random
) -> list[Goal]:
    """Return the tasks, in their official order.

    Args:
        products: The catalogue, in its own order.
        prices: Product id → price in dollars.
        random: Draws limits: the larger of two of the next four multiples of ten.
    """
    goals: list[Goal] = []
    for product in products:
        if product.instruction is None:
            continue
        limit, limit_text = _draw_limit(prices[product.id], random)
        headings = sorted(product.options)
        for values in combinations_of(*(product.options[heading] for heading in headings)):
            options = dict(zip(headings, values, strict=True))
            wanted = ", and ".join(f"{heading}: {value}" for heading, value in options.items())
            option_text = f" with {wanted}" if wanted else ""
            text = f"{product.instruction}{option_text}{limit_text}"
            goals.append(Goal(text, product, options, limit))
    Random(_ORDER_SEED).shuffle(goals)  # noqa: S311 (not cryptography)
    return goals


def _draw_limit(price: float, random: Random) -> tuple[float, str]:
    above = [limit for limit in _LIMITS if limit > price][:4]
    if len(above) < 2:
        return _NO_LIMIT, ""
    limit = max(random.sample(above, 2))
    return limit, f", and price lower than {limit:.2f} dollars"
