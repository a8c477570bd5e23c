"""Types: the kinds of things that parameters are for, each a set of the ontology under a name.

A procedure or plan names the type of a parameter, and a file in ``types/`` lists its kinds: a kind
more is a line more there, and no change of what is done. A file that people wrote may list
``kinds`` itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from .procedure import MetaProcedure, Ontology, Parameter, Procedure

__all__ = [
    "Types",
    "named_types",
    "resolved",
    "type_name",
    "typed",
    "types_of",
    "with_more",
    "without_unnamed",
]

Types = Mapping[str, tuple[str, ...]]
"""Name → kinds, in the order of their names."""

_Item = TypeVar("_Item", bound=Procedure | MetaProcedure)


def type_name(owner: str, parameter: str) -> str:
    """Return the name of the type of a parameter that was learned: whose it is, not what is in it.

    Args:
        owner: Id of the procedure.
        parameter: Name of the parameter.
    """
    return f"{owner}.{parameter}"


def resolved(item: _Item, types: Types) -> _Item:
    """Return a procedure or plan whose parameters have the kinds of their types.

    What lists kinds itself stays as it is; so does what names a type that is not there.

    Args:
        item: The document.
        types: Those of its world.
    """
    if not any(each.type for each in item.parameters.values()):
        return item
    parameters = {
        name: replace(each, kinds=types.get(each.type, ())) if each.type else each
        for name, each in item.parameters.items()
    }
    return replace(item, parameters=parameters)


def typed(item: _Item, names: Mapping[str, str | None]) -> tuple[_Item, dict[str, tuple[str, ...]]]:
    """Return a document that names types where it lists kinds, and these types.

    Args:
        item: The document.
        names: Parameter → name of its type; of one that is not among them it is made of the
            document's id. Where it is empty, the parameter goes on listing its kinds.
    """
    parameters: dict[str, Parameter] = dict(item.parameters)
    types: dict[str, tuple[str, ...]] = {}
    for name, parameter in item.parameters.items():
        of = names.get(name, type_name(item.id, name))
        if parameter.kinds and not parameter.type and of:
            parameters[name] = replace(parameter, type=of, kinds=())
            types[of] = tuple(sorted({*types.get(of, ()), *parameter.kinds}))
    return (replace(item, parameters=parameters), types) if types else (item, types)


def named_types(items: Iterable[Procedure | MetaProcedure]) -> Iterator[tuple[str, str]]:
    """Yield world and name of each type that documents name."""
    for item in items:
        yield from ((item.world, each.type) for each in item.parameters.values() if each.type)


def with_more(ontology: Ontology, types: Mapping[str, Types]) -> Ontology:
    """Return the words with more types, or with more kinds of the same.

    Args:
        ontology: The words.
        types: World → types; of a world that is not there they are the first one's.
    """
    worlds = dict(ontology.by_world)
    for world, found in types.items():
        of = world if world in worlds else ""
        known = worlds[of].types
        together = {
            name: tuple(sorted({*known.get(name, ()), *found.get(name, ())}))
            for name in sorted({*known, *found})
        }
        worlds[of] = replace(worlds[of], types=together)
    return replace(worlds.pop(""), worlds=worlds)


def without_unnamed(ontology: Ontology, items: Collection[Procedure | MetaProcedure]) -> Ontology:
    """Return the words without the types of what is gone; what people call otherwise stays.

    Args:
        ontology: The words.
        items: What is there.
    """
    named, owners = {*named_types(items)}, {item.id for item in items}

    def stays(world: str, name: str) -> bool:
        owner, point, _ = name.rpartition(".")
        return not point or owner in owners or (world, name) in named

    worlds = {
        world: replace(words, types={n: k for n, k in words.types.items() if stays(world, n)})
        for world, words in ontology.by_world.items()
    }
    return replace(worlds.pop(""), worlds=worlds)


def types_of(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield world and name of each type that the plain data of a document name."""
    world = document.get("world", "")
    for each in document.get("parameters", {}).values():
        if "type" in each:
            yield world, each["type"]
