"""A household as its PDDL problem describes it: parsed once, shared between episodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...procedures.common.errors import DataError
from .goals import Fact, Goal, compile_goal
from .pddl import Expression, parse_expression

__all__ = ["Problem", "parse_problem"]

_FIXED_ARITY = {
    "receptacleatlocation": 2,
    "receptacletype": 2,
    "objecttype": 2,
    "cancontain": 2,
    "inreceptacleobject": 2,
    "isreceptacleobject": 1,
    "openable": 1,
    "pickupable": 1,
    "moveable": 1,
    "cleanable": 1,
    "heatable": 1,
    "coolable": 1,
    "toggleable": 1,
    "sliceable": 1,
}
_CHANGING_ARITY = {
    "atlocation": 2,
    "objectatlocation": 2,
    "inreceptacle": 2,
    "holds": 2,
    "opened": 1,
    "isclean": 1,
    "ishot": 1,
    "iscool": 1,
    "istoggled": 1,
    "issliced": 1,
}
_ARITY = _FIXED_ARITY | _CHANGING_ARITY


@dataclass(frozen=True, slots=True)
class Problem:
    """What is where in one game, and what has to be reached.

    Attributes:
        task: The task sentence, such as ``put a clean mug in cabinet.``
        agent: PDDL id of the agent.
        names: What the game calls each entity: PDDL id to, for instance, ``mug 2``.
        kinds: PDDL id to its object or receptacle type.
        places: Receptacle to its location, in the order of their PDDL ids.
        receptacles_at: Location to the receptacles there, in the order of their ids.
        traits: Trait (``openable``, ``pickupable``, …) to the entities that have it.
        fits: Pairs (receptacle type, object type) where such an object may be put.
        contents: Receptacle object (a box, a sink) to the objects the problem has in it.
        start: Facts that can change, by predicate, as they are at the start.
        goal: What has to hold for the game to be won.

    """

    task: str
    agent: str
    names: Mapping[str, str]
    kinds: Mapping[str, str]
    places: Mapping[str, str]
    receptacles_at: Mapping[str, tuple[str, ...]]
    traits: Mapping[str, frozenset[str]]
    fits: frozenset[Fact]
    contents: Mapping[str, tuple[str, ...]]
    start: Mapping[str, frozenset[Fact]]
    goal: Goal


def parse_problem(text: str, task: str, *, where: str = "PDDL problem") -> Problem:
    """Read a PDDL problem of the ALFRED domain.

    Args:
        text: The problem, as ``pddl_problem`` of a game file holds it.
        task: The task sentence; it goes through unchanged.
        where: Name of the source, for error messages.

    Raises:
        DataError: The text is not such a problem, or its goal cannot be checked.

    """
    sections = _sections(parse_expression(text, where=where), where)
    facts, named = _facts(sections[":init"], where)
    if not facts["atlocation"]:
        raise DataError(f"{where}: no (atLocation …) says where the agent starts; add one")
    kinds = _pairs(facts["objecttype"]) | _pairs(facts["receptacletype"])
    places = _pairs(facts["receptacleatlocation"])
    start = {predicate: frozenset(facts[predicate]) for predicate in _CHANGING_ARITY}
    fixed = {predicate: facts[predicate] for predicate in _FIXED_ARITY}
    return Problem(
        task=task,
        agent=min(facts["atlocation"])[0],
        names=_names(named),
        kinds=kinds,
        places=places,
        receptacles_at=_grouped((place, receptacle) for receptacle, place in places.items()),
        traits={
            predicate: frozenset(fact[0] for fact in facts[predicate])
            for predicate, arity in _FIXED_ARITY.items()
            if arity == 1
        },
        fits=frozenset(facts["cancontain"]),
        contents=_grouped((outer, inner) for inner, outer in sorted(facts["inreceptacleobject"])),
        start=start,
        goal=compile_goal(sections[":goal"][0], fixed, start, where=where),
    )


def _sections(problem: list[Expression], where: str) -> dict[str, list[Expression]]:
    sections: dict[str, list[Expression]] = {}
    for part in problem:
        if isinstance(part, list) and part and isinstance(part[0], str):
            sections[part[0]] = part[1:]
    for needed in (":init", ":goal"):
        if not sections.get(needed):
            raise DataError(
                f"{where}: it has no ({needed} …), so it is not a PDDL problem that can be played"
            )
    return sections


def _facts(init: list[Expression], where: str) -> tuple[dict[str, set[Fact]], set[str]]:
    """Return the facts by predicate, and every entity that some fact mentions."""
    facts: dict[str, set[Fact]] = {predicate: set() for predicate in _ARITY}
    named: set[str] = set()
    for expression in init:
        if not isinstance(expression, list) or not expression:
            raise DataError(f"{where}: {str(expression)[:60]!r} in (:init …) is not a fact")
        predicate, *arguments = expression
        if predicate == "=":  # distances between places, which no command depends on
            continue
        fact = tuple([argument for argument in arguments if isinstance(argument, str)])
        if not isinstance(predicate, str) or len(fact) != len(arguments):
            raise DataError(f"{where}: {str(expression)[:60]} in (:init …) is not a plain fact")
        named.update(fact)
        known = facts.get(predicate)
        if known is None:
            continue
        if len(fact) != _ARITY[predicate]:
            raise DataError(
                f"{where}: ({predicate} …) has {len(fact)} arguments, not {_ARITY[predicate]}"
            )
        known.add(fact)
    return facts, named


def _pairs(facts: set[Fact]) -> dict[str, str]:
    return {fact[0]: fact[1] for fact in sorted(facts)}


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    groups: dict[str, list[str]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in groups.items()}


def _names(entities: set[str]) -> dict[str, str]:
    """Name entities as ALFWorld does.

    ``Mug_bar_…`` becomes ``mug N``: within a kind the ids are sorted and numbered from
    the highest number down. Anything within a basin (``Sink_bar_…_bar_SinkBasin``) is a
    ``sinkbasin``. Ids without ``_bar_`` stay, followed by a space, as in the original.
    """
    ordered = sorted(entities)
    kinds = {entity: _kind_name(entity) for entity in ordered if "_bar_" in entity}
    left = Counter(kinds.values())
    names = {}
    for entity in ordered:
        kind = kinds.get(entity)
        if kind is None:
            names[entity] = f"{entity} "
        else:
            names[entity] = f"{kind} {left[kind]}"
            left[kind] -= 1
    return names


def _kind_name(entity: str) -> str:
    return entity.split("_bar_", 1)[0] + ("basin" if "basin" in entity else "")
