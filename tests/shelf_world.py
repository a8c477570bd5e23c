"""An invented world of arrangements: shelves with jars and a lamp, filled in one town.

What holds, and nothing says: no jar twice, one lamp for all shelves, which wants a number of them,
all together within the limit; ``only`` and ``without`` a material.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from macla.procedures.episodes.trajectories import Trajectory

TOWNS = ("Arl", "Bem", "Cosk", "Dund", "Eik")
MATERIALS = ("glass", "tin", "clay")


@dataclass(frozen=True)
class Errand:
    """A task, its tables, and what only the judge knows."""

    task: str
    tables: dict[str, list[dict[str, Any]]]
    town: str
    shelves: int
    limit: int
    only: str
    without: str

    @property
    def observation(self) -> str:
        return json.dumps(self.tables)

    @cached_property
    def jars(self) -> dict[str, dict[str, Any]]:
        """What a record calls a jar, and its row."""
        return {f"{jar['label']} of {jar['town']}": jar for jar in self.tables["jars"]}

    @cached_property
    def lamps(self) -> dict[str, dict[str, Any]]:
        """What a record calls a lamp, and its row."""
        return {f"{lamp['name']}, {lamp['town']}": lamp for lamp in self.tables["lamps"]}

    def allows(self, jar: dict[str, Any]) -> bool:
        """Whether a jar stands in the town and is of a material that is wished for."""
        material = jar["material"].split(" & ")[0]
        wished = self.only in ("", material) and self.without != material
        return wished and bool(jar["town"] == self.town)


def errand(seed: int, shelves: int | None = None) -> Errand:
    """Return a task that can be done."""
    rng = random.Random(seed)
    towns = rng.sample(TOWNS, 3)
    jars = [
        {
            "label": f"{rng.choice('PQRSTUVW')}{town[0]}{i}",
            "town": town,
            "material": f"{MATERIALS[i % 3]} & wax",
            "price": rng.randint(3, 30),
        }
        for town in towns
        for i in range(18)
    ]
    lamps = [
        {"name": f"Lamp {town[0]}{i}", "town": town, "least": i % 6 + 1, "price": rng.randint(1, 9)}
        for town in towns
        for i in range(12)
    ]
    number = shelves or rng.choice((2, 3))
    wish = rng.choice(("", "only", "without"))
    material = rng.choice(MATERIALS)
    town = rng.choice(towns)
    only, without = (material if wish == word else "" for word in ("only", "without"))
    said = {"": "", "only": f" We want {only} jars.", "without": f" Please avoid any {without}."}
    limit = rng.randint(30, 40) * number * 2
    task = f"Fill {number} shelves in {town} for at most {limit} coins.{said[wish]}"
    return Errand(task, {"jars": jars, "lamps": lamps}, town, number, limit, only, without)


def cost_of(one: Errand, record: dict[str, Any]) -> int | None:
    """Return what a record costs; None where something in it is not there."""
    total = 0
    for key, there in (("left", one.jars), ("right", one.jars), ("lamp", one.lamps)):
        if record[key] not in there:
            return None
        total += there[record[key]]["price"]
    return total


def faults(one: Errand, records: list[dict[str, Any]]) -> list[str]:
    """Return what is wrong with what was handed in."""
    if [record["shelf"] for record in records] != list(range(1, one.shelves + 1)):
        return ["shelves"]
    out = []
    used = [record[side] for record in records for side in ("left", "right")]
    chosen = {record["lamp"] for record in records}
    if len(set(used)) < len(used):
        out.append("a jar twice")
    if len(chosen) > 1 or one.lamps[chosen.pop()]["least"] > one.shelves:
        out.append("lamp")
    if any(one.jars[jar]["town"] != one.town for jar in used):
        out.append("town")
    materials = [one.jars[jar]["material"].split(" & ")[0] for jar in used]
    if one.only and set(materials) != {one.only}:
        out.append("only")
    if one.without and one.without in materials:
        out.append("without")
    if sum(cost_of(one, record) or 0 for record in records) > one.limit:
        out.append("limit")
    return out


def demonstration(seed: int, shelves: int | None = None) -> Trajectory:
    """Return an episode of somebody who takes anything that will do, and asks about it first.

    In each tenth a record is refused, and delivered all the same.
    """
    one = errand(seed, shelves)
    rng = random.Random(f"who {seed}")
    jars = [name for name, jar in one.jars.items() if one.allows(jar)]
    lamps = [
        name
        for name, lamp in one.lamps.items()
        if lamp["town"] == one.town and lamp["least"] <= one.shelves
    ]
    while True:
        some = rng.sample(jars, 2 * one.shelves)
        lamp = rng.choice(lamps)
        records = [
            {"shelf": i + 1, "left": some[2 * i], "right": some[2 * i + 1], "lamp": lamp}
            for i in range(one.shelves)
        ]
        if not faults(one, records):
            break
    actions = [f"Ask[{json.dumps(record)}]" for record in records]
    told = [f"That makes {cost_of(one, record)} coins." for record in records]
    if seed % 10 == 0:
        told[-1] = "What is that?"
    return Trajectory(
        one.task,
        (one.observation, *told, "Thank you."),
        (*actions, f"Deliver[{json.dumps(records)}]"),
        success=True,
    )
