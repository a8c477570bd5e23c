"""A shop of a few invented products, in the official format, for tests that need no data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from macla.evals.webshop.catalogue import Product, parse_product
from macla.evals.webshop.shop import Shop, make_shop

_CATEGORIES = "Home \u203a Lights \u203a Lanterns"


def document(identifier: str, name: str, **changes: Any) -> dict[str, Any]:
    """Return a product as the official catalogue has it."""
    return {
        "asin": identifier,
        "name": name,
        "full_description": "Made by hand.",
        "small_description": ["Burns for nine hours.", "Comes with a hook."],
        "pricing": "$12.5",
        "customization_options": {
            "Size": [{"value": "Small", "image": None}, {"value": "Large", "image": None}],
            "Color": [{"value": " Deep Blue "}, {"value": "red/amber"}],
            "Gift": None,
        },
        "product_category": _CATEGORIES,
        "query": " Lantern ",
        "category": "garden",
        **changes,
    }


PRODUCTS = [
    document("B000000001", "Copper Storm Lantern"),
    document("B000000002", "Paper Lantern", pricing="$3.10 to $8.90"),
    document("B000000003", "Wool Blanket", pricing=None, customization_options={}, query="blanket",
             product_category="Home \u203a Bedding", full_description=None, small_description=[]),
    *(document(f"B00000001{n}", f"Tin Lantern {n}", customization_options=None) for n in range(9)),
]  # fmt: skip

INSTRUCTIONS = {
    "B000000001": {
        "attributes": ["hand made", "long burning"],
        "instruction": "Find me hand made lanterns",
        "instruction_attributes": ["hand made"],
    },
    "B000000003": {
        "attributes": ["soft"],
        "instruction": "Find me soft blankets",
        "instruction_attributes": ["soft"],
    },
}


def products() -> tuple[Product, ...]:
    """Return the catalogue."""
    return tuple(parse_product(each, INSTRUCTIONS.get(each["asin"], {})) for each in PRODUCTS)


def small_shop(price_seed: int = 0) -> Shop:
    """Return the shop."""
    return make_shop(products(), price_seed)


def write_files(folder: Path) -> None:
    """Write the files that a data folder of WebShop holds."""
    folder.mkdir(parents=True)
    (folder / "items_shuffle_1000.json").write_text(json.dumps(PRODUCTS), encoding="utf-8")
    (folder / "items_ins_v2_1000.json").write_text(json.dumps(INSTRUCTIONS), encoding="utf-8")
    (folder / "splits.json").write_text(json.dumps({"train": [0], "dev": [1]}), encoding="utf-8")
