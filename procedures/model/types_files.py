"""The files of types: one line per kind, so that additions of two people are two lines.

A parameter names a type, such as ``take-from.x``, and ``types/take-from.yaml`` lists its kinds. The
kinds of a world's entities have a file, too. In memory both are part of the ontology:
:func:`divided` takes them out of it for writing, :func:`united` puts them in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..documents.plain_data import frozen, reading
from .ontology import Ontology

_ENTITIES = "entities"
"""Prefix of the id of the file with the kinds of a world's entities."""
_OWNED = re.compile(r"(?!.*\.\.)([a-z0-9][a-z0-9._-]{0,79})\.([A-Za-z_][A-Za-z0-9_]{0,39})")
"""Name of a type that is named after a procedure and its parameter."""


@dataclass(frozen=True, slots=True)
class TypesFile:
    """Kinds of one world: of the types of one procedure or plan, or of its entities.

    Attributes:
        id: Id of the procedure or plan with these types; also the file's name.
        world: Name of the world.
        kinds: Parameter → the kinds of its type, in the order of their names.
        entities: Kinds of entity of the world, in the order of their names.
    """

    id: str
    world: str = ""
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    entities: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        frozen(self, "kinds")

    def __reduce__(self) -> tuple[Any, ...]:
        return TypesFile.from_document, (self.to_document(),)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> TypesFile:
        """Read a file; a duplicate line, as after a merge, counts once."""
        with reading("file of types"):
            kinds: dict[str, set[str]] = {}
            entities: set[str] = set()
            for line in document["kinds"]:
                if isinstance(line, str):
                    entities.add(line)
                    continue
                for name, kind in line.items():
                    kinds.setdefault(name, set()).add(kind)
            return cls(
                id=document["of"],
                world=document.get("world", ""),
                kinds={name: tuple(sorted(each)) for name, each in sorted(kinds.items())},
                entities=tuple(sorted(entities)),
            )

    def to_document(self) -> dict[str, Any]:
        """Write the file; keys and lines stand in a fixed order."""
        document: dict[str, Any] = {"kind": "types", "of": self.id}
        if self.world:
            document["world"] = self.world
        lines: list[Any] = list(self.entities)
        lines += [{name: kind} for name, kinds in self.kinds.items() for kind in kinds]
        return {**document, "kinds": lines}


def united(words: Ontology, files: Iterable[TypesFile]) -> Ontology:
    """Return an ontology with the kinds that files of types list.

    Args:
        words: Content of ``ontology.yaml``, which may list some kinds itself; files of an unknown
            world go to the first.
        files: The files.
    """
    worlds = words.by_world
    types = {name: dict(each.types) for name, each in worlds.items()}
    entities = {name: {*each.entities.kinds} for name, each in worlds.items()}
    for file in files:
        world = file.world if file.world in worlds else ""
        entities[world].update(file.entities)
        for name, kinds in file.kinds.items():
            type_name = f"{file.id}.{name}"
            types[world][type_name] = tuple(sorted({*types[world].get(type_name, ()), *kinds}))
    for name, each in worlds.items():
        new_kinds = entities[name].difference(each.entities.kinds)
        listed = (
            tuple(sorted({*each.entities.kinds, *new_kinds})) if new_kinds else each.entities.kinds
        )
        worlds[name] = replace(
            each,
            entities=replace(each.entities, kinds=listed),
            types=dict(sorted(types[name].items())),
        )
    first = worlds.pop("")
    return replace(first, worlds=worlds)


def divided(ontology: Ontology) -> tuple[Ontology, dict[str, TypesFile]]:
    """Return the content for ``ontology.yaml``, and the files of types by id.

    A type that is not named after a procedure was made by people and stays in ``ontology.yaml``.

    Args:
        ontology: The ontology of all worlds.
    """
    files: dict[str, TypesFile] = {}
    worlds = ontology.by_world
    for world, words in worlds.items():
        kinds: dict[str, dict[str, tuple[str, ...]]] = {}
        types = {}
        for name, type_kinds in words.types.items():
            match = _OWNED.fullmatch(name) if type_kinds else None
            if match is None or match[1] in files:  # the file belongs to another world
                types[name] = type_kinds
            else:
                kinds.setdefault(match[1], {})[match[2]] = type_kinds
        for owner, each in kinds.items():
            files[owner] = TypesFile(owner, world, each)
        entities = words.entities
        name = f"{_ENTITIES}.{world}" if world else _ENTITIES
        file = files.get(name, TypesFile(name, world))
        if entities.kinds and file.world == world:
            files[name] = replace(file, entities=tuple(sorted(entities.kinds)))
            entities = replace(entities, kinds=())
        worlds[world] = replace(words, types=types, entities=entities)
    first = worlds.pop("")
    return replace(first, worlds=worlds), files
