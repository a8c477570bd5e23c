"""A shop: catalogue, prices, tasks, search engine and scoring, which all episodes share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

from .catalogue import Product, read_catalogue
from .goals import Goal, draw_prices, make_goals
from .reward import Scorer
from .search import SearchEngine

__all__ = ["Shop", "make_shop", "open_shop"]


@dataclass(frozen=True, slots=True)
class Shop:
    """A shop.

    Attributes:
        products: Id → product.
        goals: The tasks, by number.
        engine: Its search engine.
        scorer: What purchases are worth.
    """

    products: Mapping[str, Product]
    goals: Sequence[Goal]
    engine: SearchEngine
    scorer: Scorer


def make_shop(products: Sequence[Product], price_seed: int = 0) -> Shop:
    """Open a shop with these products.

    Args:
        products: The catalogue, in its own order.
        price_seed: Fixes the prices that are drawn from ranges, and the limits of tasks.
    """
    random = Random(price_seed)  # noqa: S311 (not cryptography)
    prices = draw_prices(products, random)
    return Shop(
        {product.id: product for product in products},
        tuple(make_goals(products, prices, random)),
        SearchEngine(products),
        Scorer(prices),
    )


@lru_cache(maxsize=2)
def open_shop(folder: Path, price_seed: int = 0) -> Shop:
    """Open the shop whose files a folder holds; once in a process.

    Raises:
        DataError: The files are missing, or are not what they should be.
    """
    return make_shop(read_catalogue(folder), price_seed)
