"""A small shop that is made, not downloaded: its files, and a buyer who shows how it is done.

The files have the names and formats of the official ones, so the suite plays them like any other
data. Product, wishes and purchases are invented.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from .catalogue import read_catalogue
from .demonstrations import task_name
from .environment import WebshopEnvironment
from .goals import Goal
from .shop import Shop, make_shop

__all__ = ["write_made_shop"]

_MATERIALS = ("copper", "wool", "clay", "willow", "iron")
_KINDS = (
    *("lantern", "blanket", "teapot", "basket", "kettle", "mirror"),
    *("ladder", "candle", "bench", "vase", "drum", "box"),
)
_COLORS = ("red", "blue", "green", "white", "yellow")
_SIZES = ("small", "large")


def write_made_shop(folder: Path, *, shown: int, played: int, seed: int = 0) -> None:
    """Write a shop's files into a new folder: products, instructions, splits and dialogues.

    Args:
        folder: Must not exist.
        shown: How many purchases are demonstrated; these tasks are ``train``.
        played: How many other tasks are ``dev``; both together at most 360.
        seed: Of the catalogue and of which tasks are taken.
    """
    random = Random(seed)  # noqa: S311 (not cryptography)
    products, instructions = _products(random)
    folder.mkdir(parents=True)
    _write(folder / "items_shuffle_1000.json", products)
    _write(folder / "items_ins_v2_1000.json", instructions)
    shop = make_shop(read_catalogue(folder))
    numbers = random.sample(range(len(shop.goals)), shown + played)
    _write(folder / "splits.json", {"train": numbers[:shown], "dev": numbers[shown:]})
    dialogues = {task_name(number): _purchase(shop, number) for number in numbers[:shown]}
    _write(folder / "expert_dialogues.json", dialogues)


def _products(random: Random) -> tuple[list[dict[str, Any]], dict[str, dict[str, Any]]]:
    products, instructions = [], {}
    for kind in _KINDS:
        for material in _MATERIALS:
            name = f"B{random.randrange(10**8):08d}"
            colors = random.sample(_COLORS, 3)
            products.append(
                {
                    "asin": name,
                    "name": f"{material.capitalize()} {kind.capitalize()}",
                    "full_description": f"A {kind} of {material}.",
                    "small_description": ["Made by hand."],
                    "pricing": f"${random.randint(5, 90)}.50",
                    "customization_options": {
                        "color": [{"value": color} for color in colors],
                        "size": [{"value": size} for size in _SIZES],
                    },
                    "product_category": "Home \u203a Things",
                    "query": kind,
                }
            )
            instructions[name] = {
                "attributes": [material],
                "instruction": f"Find me {material} {kind}",
                "instruction_attributes": [material],
            }
    return products, instructions


def _purchase(shop: Shop, number: int) -> list[list[str]]:
    """Return a purchase of the wished product as turns of a dialogue."""
    environment = WebshopEnvironment(shop)
    _, page = environment.reset(number)
    turns = [["human", "Buy what is asked for."], ["gpt", "Ok."]]
    for action in _actions(shop.goals[number]):
        turns += [["human", page], ["gpt", f"Action:\n{action}"]]
        page, *_ = environment.step(action)
    return turns


def _actions(goal: Goal) -> Sequence[str]:
    wish = goal.product.title.lower()
    chosen = (f"click[{value}]" for value in goal.options.values())
    return (f"search[{wish}]", f"click[{goal.product.id}]", *chosen, "click[Buy Now]")


def _write(file: Path, document: object) -> None:
    file.write_text(json.dumps(document, ensure_ascii=False, indent=1), encoding="utf-8")
