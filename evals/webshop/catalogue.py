"""The shop's products, read from the files in which WebShop publishes them.

A folder holds two files. The first one that is there counts:

* products: ``items_shuffle.json`` or ``items_shuffle_1000.json`` (the official full and small
  catalogue: one JSON list), or ``products_1k.jsonl`` (the small one prepared, a product a line);
* instructions: ``items_ins_v2.json`` or ``items_ins_v2_1000.json`` (one JSON object by product).

Source: https://github.com/princeton-nlp/WebShop, ``load_products`` of ``engine.py``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...procedures.common.errors import DataError, MissingDataError
from ..alfworld.games import data_root

__all__ = ["Product", "parse_product", "read_catalogue", "webshop_folder"]

_PRODUCTS = ("items_shuffle.json", "items_shuffle_1000.json", "products_1k.jsonl")
_INSTRUCTIONS = ("items_ins_v2.json", "items_ins_v2_1000.json")
_UNPRICED = 100.0
"""Price in dollars of a product that has none."""
_LONGEST_ID = 10
"""Official loading leaves out longer ids, which are no product's."""


@dataclass(frozen=True, slots=True)
class Product:
    """A product.

    Attributes:
        id: Amazon's number of the product (ASIN).
        title: Its name.
        description: Text of its description; may be empty.
        bullets: Its features.
        prices: One price in dollars, or the ends of a range.
        options: Heading → values that can be chosen, both in the page's order and lower case.
        attributes: What people noted about it; only the reward reads them.
        query: The search by which it was found when the catalogue was made.
        categories: Path in the shop's tree of categories.
        instruction: Sentence that asks for it; None where there is none.
        wanted: Attributes that this sentence names.
    """

    id: str
    title: str
    description: str
    bullets: tuple[str, ...]
    prices: tuple[float, ...]
    options: Mapping[str, tuple[str, ...]]
    attributes: tuple[str, ...]
    query: str
    categories: tuple[str, ...]
    instruction: str | None = None
    wanted: tuple[str, ...] = ()

    @property
    def price_tag(self) -> str:
        """Return the price as pages show it."""
        return " to ".join(f"${price}" for price in self.prices)


def webshop_folder(data: str | Path | None = None) -> Path:
    """Return the folder of WebShop's files below the data root."""
    return data_root(data) / "webshop"


def read_catalogue(folder: Path) -> tuple[Product, ...]:
    """Return the products of a folder, in the file's order, each id once.

    Raises:
        MissingDataError: A file is not there.
        DataError: A file is not what it should be; the message names it.
    """
    file = _first_of(folder, _PRODUCTS)
    instructions_file = _first_of(folder, _INSTRUCTIONS)
    instructions = _read_json(instructions_file)
    if not isinstance(instructions, dict):
        raise DataError(f"{instructions_file}: not a JSON object by product id")
    products: dict[str, Product] = {}
    for number, document in enumerate(_documents(file), 1):
        try:
            identifier = document["asin"]
            if identifier in products or identifier == "nan" or len(identifier) > _LONGEST_ID:
                continue
            products[identifier] = parse_product(document, instructions.get(identifier, {}))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DataError(
                f"{file}: product {number} is not one of WebShop's: {type(error).__name__}: "
                f"{str(error)[:100]}; download the file again"
            ) from None
    if not products:
        raise DataError(f"{file}: holds no product; download the file again")
    return tuple(products.values())


def parse_product(document: Mapping[str, Any], instruction: Mapping[str, Any]) -> Product:
    """Read a product from its document, official or prepared, and that of its instruction.

    Raises:
        KeyError: A field is missing.
        TypeError: A field has the wrong type.
        ValueError: A price is no number.
    """
    bullets = document["BulletPoints" if "BulletPoints" in document else "small_description"]
    if isinstance(bullets, str) or bullets is None:
        bullets = [bullets or ""]
    attributes = document.get("Attributes") or instruction.get("attributes") or ()
    return Product(
        id=document["asin"],
        title=_text(document["name"]),
        description=_text(document["full_description"]),
        bullets=tuple(map(_text, bullets)),
        prices=_prices(document.get("pricing")),
        options=_options(document),
        attributes=tuple(map(str, attributes)),
        query=str(document["query"]).lower().strip(),
        categories=tuple(part.strip() for part in document["product_category"].split("\u203a")),
        instruction=_optional_text(instruction.get("instruction")),
        wanted=tuple(instruction.get("instruction_attributes") or ()),
    )


def _options(document: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    if "options" in document:
        return {
            _text(heading): tuple(map(_text, values))
            for heading, values in document["options"].items()
        }
    headings = document["customization_options"] or {}
    return {
        _text(heading).lower(): tuple(
            _text(value["value"]).strip().replace("/", " | ").lower() for value in values
        )
        for heading, values in headings.items()
        if values is not None
    }


def _prices(pricing: Any) -> tuple[float, ...]:
    """Return the price, or the ends of its range, from numbers or from ``$1.99 - $8.99``."""
    if not pricing:
        return (_UNPRICED,)
    if isinstance(pricing, str):
        pricing = [re.sub(r"[^\d.]", "", part) for part in pricing.split("$")[1:]]
    return tuple(float(price) for price in pricing[:2]) or (_UNPRICED,)


def _text(value: Any) -> str:
    """Return a text as it stands; whoever reads an observation takes control characters out."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"a text is {type(value).__name__}")
    return value


def _optional_text(value: Any) -> str | None:
    return None if value is None else _text(value)


def _first_of(folder: Path, names: Iterable[str]) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise MissingDataError(
        f"{folder}: holds none of {', '.join(names)}; get them from "
        "https://github.com/princeton-nlp/WebShop (setup.sh -d small) and set MACLA_DATA "
        "to the folder that holds 'webshop'"
    )


def _documents(file: Path) -> list[dict[str, Any]]:
    if file.suffix == ".jsonl":
        try:
            lines = file.read_text(encoding="utf-8").split("\n")
            return [json.loads(line) for line in lines if line.strip()]
        except (OSError, ValueError, RecursionError) as error:
            raise DataError(f"{file}: not JSON, a product a line ({str(error)[:100]})") from None
    found = _read_json(file)
    if not isinstance(found, list):
        raise DataError(f"{file}: not a JSON list of products")
    return found


def _read_json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(f"{file}: cannot be read as JSON ({str(error)[:100]})") from None
