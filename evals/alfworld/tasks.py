"""The six task types: their sentences, their goals in PDDL, and which of them suit a room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .household import FITS, TOGGLEABLE, TRAITS
from .problem_text import Household

__all__ = ["SENTENCES", "TASK_TYPES", "TREATMENTS", "Task", "possible_tasks"]

TASK_TYPES = (
    "pick_and_place_simple",
    "look_at_obj_in_light",
    "pick_clean_then_place_in_recep",
    "pick_heat_then_place_in_recep",
    "pick_cool_then_place_in_recep",
    "pick_two_obj_and_place",
)

SENTENCES = {
    "pick_and_place_simple": ("put a {thing} in {place}.", "put some {thing} on {place}."),
    "look_at_obj_in_light": (
        "look at {thing} under the {place}.",
        "examine the {thing} with the {place}.",
    ),
    "pick_clean_then_place_in_recep": (
        "put a clean {thing} in {place}.",
        "clean some {thing} and put it in {place}.",
    ),
    "pick_heat_then_place_in_recep": (
        "put a hot {thing} in {place}.",
        "heat some {thing} and put it in {place}.",
    ),
    "pick_cool_then_place_in_recep": (
        "put a cool {thing} in {place}.",
        "cool some {thing} and put it in {place}.",
    ),
    "pick_two_obj_and_place": (
        "put two {thing} in {place}.",
        "find two {thing} and put them in {place}.",
    ),
}
TREATMENTS = {
    "pick_clean_then_place_in_recep": ("clean", "cleanable", "SinkBasin"),
    "pick_heat_then_place_in_recep": ("heat", "heatable", "Microwave"),
    "pick_cool_then_place_in_recep": ("cool", "coolable", "Fridge"),
}


@dataclass(frozen=True, slots=True)
class Task:
    """What is wanted.

    Attributes:
        task_type: One of :data:`TASK_TYPES`.
        thing: Kind of the object, such as ``Mug``.
        place: Kind of the receptacle it belongs in, or of the lamp to look at it with.

    """

    task_type: str
    thing: str
    place: str

    def sentences(self) -> tuple[str, ...]:
        """Return the ways to say it."""
        words = {"thing": self.thing.lower(), "place": self.place.lower()}
        return tuple(sentence.format(**words) for sentence in SENTENCES[self.task_type])

    def goal(self) -> str:
        """Return the PDDL expression that has to hold."""
        thing, place = self.thing, self.place
        if self.task_type == "look_at_obj_in_light":
            return f"""(and
          (exists (?lamp - object ?r - receptacle ?a - agent ?l - location)
            (and (objectType ?lamp {place}Type) (toggleable ?lamp) (isToggled ?lamp)
              (receptacleAtLocation ?r ?l) (atLocation ?a ?l) (inReceptacle ?lamp ?r)))
          (exists (?o - object ?a - agent)
            (and (objectType ?o {thing}Type) (holds ?a ?o))))"""
        one = f"(objectType ?o {thing}Type) (receptacleType ?r {place}Type) (inReceptacle ?o ?r)"
        if self.task_type == "pick_two_obj_and_place":
            one += f"""
              (exists (?o2 - object)
                (and (not (= ?o ?o2)) (objectType ?o2 {thing}Type) (inReceptacle ?o2 ?r)))"""
        if self.task_type in TREATMENTS:
            verb, trait, _ = TREATMENTS[self.task_type]
            state = {"clean": "isClean", "heat": "isHot", "cool": "isCool"}[verb]
            one += f" ({trait} ?o) ({state} ?o)"
        return f"""(and
          (exists (?r - receptacle)
            (exists (?o - object)
              (and {one}))))"""


def possible_tasks(task_type: str, home: Household) -> Iterator[Task]:
    """Yield the goals of a type that can be reached here and that do not hold yet."""
    kinds = sorted({thing.kind for thing in home.places})
    present = sorted({receptacle.kind for receptacle in home.receptacles})
    if task_type == "look_at_obj_in_light":
        lamps = [kind for kind in kinds if kind in TOGGLEABLE]
        yield from (
            Task(task_type, kind, lamp)
            for kind in kinds
            if kind not in TOGGLEABLE
            for lamp in lamps
        )
        return
    for thing in kinds:
        held_by = [place.kind for item, place in home.places.items() if item.kind == thing]
        for place in present:
            if thing not in FITS[place]:
                continue
            if _fits_type(task_type, thing, place, held_by, present):
                yield Task(task_type, thing, place)


def _fits_type(
    task_type: str, thing: str, place: str, held_by: Sequence[str], present: Sequence[str]
) -> bool:
    """Whether a pair suits a task type, given where things of that kind are now."""
    if task_type == "pick_and_place_simple":
        return place not in held_by
    if task_type == "pick_two_obj_and_place":
        return len(held_by) >= 2 and held_by.count(place) < 2
    _, trait, appliance = TREATMENTS[task_type]
    return thing in TRAITS[trait] and appliance in present and place != appliance
