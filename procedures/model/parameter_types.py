"""Types: named sets of kinds in the ontology that parameters are for.

A procedure or plan names the type of a parameter, and a file in ``types/`` lists its kinds. A new
kind is a line there and leaves the procedure unchanged. A file that people wrote may list ``kinds``
itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from .procedure import MetaProcedure, Ontology, Parameter, Procedure

Types = Mapping[str, tuple[str, ...]]
"""Name → kinds, in the order of their names."""

_Item = TypeVar("_Item", bound=Procedure | MetaProcedure)


def type_name(owner: str, parameter: str) -> str:
    """Return the name of a learned parameter's type: its owner and parameter.

    Args:
        owner: Id of the procedure.
        parameter: Name of the parameter.
    """
    return f"{owner}.{parameter}"


def resolved(item: _Item, types: Types) -> _Item:
    """Return a procedure or plan whose parameters have the kinds of their types.

    Parameters that list kinds themselves stay as they are. An unknown type has no kinds.

    Args:
        item: The procedure or plan.
        types: Types of its world.
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
        names: Parameter → name of its type; by default the document's id and the parameter. For
            an empty name the parameter goes on listing its kinds.
    """
    parameters: dict[str, Parameter] = dict(item.parameters)
    types: dict[str, tuple[str, ...]] = {}
    for name, parameter in item.parameters.items():
        name_of_type = names.get(name, type_name(item.id, name))
        if parameter.kinds and not parameter.type and name_of_type:
            parameters[name] = replace(parameter, type=name_of_type, kinds=())
            types[name_of_type] = tuple(sorted({*types.get(name_of_type, ()), *parameter.kinds}))
    return (replace(item, parameters=parameters), types) if types else (item, types)


def named_types(items: Iterable[Procedure | MetaProcedure]) -> Iterator[tuple[str, str]]:
    """Yield world and name of each type that documents name."""
    for item in items:
        yield from ((item.world, each.type) for each in item.parameters.values() if each.type)


def with_more(ontology: Ontology, types: Mapping[str, Types]) -> Ontology:
    """Return an ontology with more types, or with more kinds of its types.

    Args:
        ontology: The ontology.
        types: World → types; those of an unknown world go to the first.
    """
    worlds = dict(ontology.by_world)
    for world, new_types in types.items():
        target = world if world in worlds else ""
        types_before = worlds[target].types
        united = {
            name: tuple(sorted({*types_before.get(name, ()), *new_types.get(name, ())}))
            for name in sorted({*types_before, *new_types})
        }
        worlds[target] = replace(worlds[target], types=united)
    return replace(worlds.pop(""), worlds=worlds)


def without_unnamed(ontology: Ontology, items: Collection[Procedure | MetaProcedure]) -> Ontology:
    """Return an ontology without types of missing documents; types with other names stay.

    Args:
        ontology: The ontology.
        items: The procedures and plans.
    """
    used_types, owners = {*named_types(items)}, {item.id for item in items}

    def stays(world: str, name: str) -> bool:
        owner, point, _ = name.rpartition(".")
        return not point or owner in owners or (world, name) in used_types

    worlds = {
        world: replace(words, types={n: k for n, k in words.types.items() if stays(world, n)})
        for world, words in ontology.by_world.items()
    }
    return replace(worlds.pop(""), worlds=worlds)


def types_of(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield world and name of each type that a document, as plain data, names."""
    world = document.get("world", "")
    for each in document.get("parameters", {}).values():
        if "type" in each:
            yield world, each["type"]
