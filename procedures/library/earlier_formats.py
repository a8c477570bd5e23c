"""Migrating files of earlier formats, which are read as they are.

In format 1 plans name the version of what they run, lists of kinds stand in an order of preference,
and files say where they come from. In either format a file that was learned may list kinds itself.
What macla writes is format 2, and the kinds of what it learned are types of the ontology.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..documents.yaml_dump import dump_yaml
from ..documents.yaml_io import line_of, load_yaml, read_bytes
from ..documents.yaml_update import updated
from ..files.contents import Contents
from ..files.lazy_documents import NOT_IN_FILES, without_notes
from ..files.notes import keep_notes
from ..files.parsing import file_of, yaml_files
from ..files.scanning import load
from ..learning.provenance import CONTRAST, LEARNED_FROM
from ..model.ontology import FORMAT
from ..model.parameter_types import typed, with_more
from ..model.procedure import MetaProcedure, Ontology, Procedure
from ..model.types_files import divided
from ..programs.documents import ProgramFile
from . import library_commit as commits
from .consistency import Finding
from .document_kinds import FOLDERS, VERSIONED
from .library_changes import Plain, rendered

_TIMEOUT = 10.0
"""How long to wait for another writer (seconds)."""


@dataclass(frozen=True, slots=True)
class Migrated:
    """The changes of one file by a migration.

    Attributes:
        file: Its name below the library's folder.
        runs: Places of a plan that named a version.
        kinds: Parameters whose kinds are in the order of their names now, one a line.
        types: Parameters that name a type now, or whose kinds this file lists.
        lists: Lists of kinds of ``ontology.yaml`` that are files of types now.
        notes: Keys that say where it comes from, which stand in ``library.lock`` now.
        format: The format that it was of; 0 where it does not say.
    """

    file: str
    runs: int = 0
    kinds: int = 0
    types: int = 0
    lists: int = 0
    notes: tuple[str, ...] = ()
    format: int = 0


def outdated(root: Path) -> Iterator[Finding]:
    """Yield a warning for a library of format 1, and for each plan that names versions.

    Args:
        root: The library's folder; files that cannot be read are passed over.
    """
    settings = root / "library.yaml"
    data = read_bytes(settings)
    if (format_number := load_yaml(data, settings)["format"]) < FORMAT:
        line = line_of(data, ("format",))
        message = f"is {format_number}; `macla migrate` brings the library over to {FORMAT}"
        yield Finding("warning", message, settings, line, ("format",), "earlier")
    for path in yaml_files(root / FOLDERS["meta"]):
        data = read_bytes(path)
        if b"@" not in data:
            continue
        for index, place in enumerate(load_yaml(data, path).get("plan", ())):
            if "@" in place.get("run", ""):
                at = ("plan", index, "run")
                message = (
                    f"names a version, which is not read: {place['run'].partition('@')[0]} runs "
                    "as it is in the library; `macla migrate` takes such versions out"
                )
                yield Finding("warning", message, path, line_of(data, at), at, "earlier")
                break


def migrate(root: Path) -> list[Migrated]:
    """Write the files of a library as this macla writes them; nothing that is done changes.

    Comments stay, and so does the layout of files that have some; all files are written as one.

    Args:
        root: The library's folder.

    Returns:
        What was changed, by file; nothing where the library is written so already.

    Raises:
        LibraryError: It does not open, or cannot be written; it is unchanged then.
    """
    root = root.resolve()
    with commits.locked(root, _TIMEOUT):
        before = load(root)
        assert before is not None, "a fault raises"  # noqa: S101
        migrated: list[Migrated] = []
        contents: dict[str, bytes] = {}
        items, types = _in_types(before)
        for kind in VERSIONED:
            for path in yaml_files(root / FOLDERS[kind]):
                data = read_bytes(path)
                document = load_yaml(data, path)
                plan, runs = _plan_without_versions(document)
                # A program has parameters of another form, whose sets stand in order already.
                item = items.get((kind, document["id"]))
                parameters, kinds, type_count = (
                    ({}, 0, 0) if kind == "program" else _ordered_parameters(document, item)
                )
                notes = tuple(key for key in NOT_IN_FILES if key in document)
                if kind == "program" and not notes:
                    continue
                new = without_notes({**document, **plan, **parameters})
                # A list of kinds in brackets is a set on one line: two additions would conflict.
                text = updated(data, new) if b"#" in data else dump_yaml(new).encode()
                if text == data:
                    continue
                name = path.relative_to(root).as_posix()
                contents[name] = text
                migrated.append(Migrated(name, runs, kinds, type_count, notes=notes))
        ontology, files = divided(with_more(before.ontology, types))
        if ontology != before.words:
            path = file_of(root, "ontology", "")
            contents[path.name] = rendered(path, before.words, ontology, Plain())
            migrated.append(
                Migrated(path.name, lists=_count_of_lists(before.words) - _count_of_lists(ontology))
            )
        for name, file in files.items():
            if file != (current := before.types.get(name)):
                path = file_of(root, "types", name)
                place = path.relative_to(root).as_posix()
                contents[place] = rendered(path, current, file, Plain())
                migrated.append(Migrated(place, types=len(file.kinds)))
        if before.settings.format < FORMAT:
            path = root / "library.yaml"
            data = read_bytes(path)
            contents[path.name] = updated(data, {**load_yaml(data, path), "format": FORMAT})
            migrated.append(Migrated(path.name, format=before.settings.format))
        if contents:
            after = (
                (kind, items.get((kind, item.id), item), None) for kind, item in before.items()
            )
            keep_notes(root, after)
            commits.commit(root, contents)
    return migrated


def _count_of_lists(words: Ontology) -> int:
    """Return how many lists of kinds stand in the words of all worlds."""
    return sum(len(each.types) + bool(each.entities.kinds) for each in words.by_world.values())


def _plan_without_versions(document: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """Return the plan without versions, and how many it had."""
    plan = document.get("plan")
    if plan is None:
        return {}, 0
    versioned = [place for place in plan if "@" in place.get("run", "")]
    bare = [
        {**place, "run": place["run"].partition("@")[0]} if "run" in place else place
        for place in plan
    ]
    return {"plan": bare}, len(versioned)


def _ordered_parameters(
    document: Mapping[str, Any], item: Procedure | MetaProcedure | None
) -> tuple[dict[str, Any], int, int]:
    """Return the parameters with their kinds in order or as types.

    Args:
        document: What the file says.
        item: The same with types, where it has some that it does not say.

    Returns:
        The key, and of how many parameters the order was another, and how many name a type now.
    """
    parameters = document.get("parameters")
    if parameters is None:
        return {}, 0, 0
    type_by_parameter = (
        {} if item is None else {n: each.type for n, each in item.parameters.items() if each.type}
    )
    ordered = {
        name: _of_type(each, type_by_parameter[name])
        if "kinds" in each and name in type_by_parameter
        else {**each, "kinds": sorted(each["kinds"])}
        if "kinds" in each
        else each
        for name, each in parameters.items()
    }
    type_count = sum("kinds" in parameters[name] for name in type_by_parameter)
    return (
        {"parameters": ordered},
        sum(ordered[n] != parameters[n] for n in ordered) - type_count,
        type_count,
    )


def _of_type(parameter: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a parameter that names a type in the place of its kinds."""
    renamed = {"kinds": "type"}
    return {renamed.get(key, key): name if key == "kinds" else v for key, v in parameter.items()}


_Named = dict[tuple[str, str], Procedure | MetaProcedure]


def _in_types(before: Contents) -> tuple[_Named, dict[str, dict[str, tuple[str, ...]]]]:
    """Return what was learned with types for its kinds, and these by world.

    What people wrote goes on listing kinds, and so does what they locked, and a variant, whose
    kinds are what it does.
    """
    items: _Named = {}
    types: dict[str, dict[str, tuple[str, ...]]] = {}
    for kind, item in before.items():
        if isinstance(item, ProgramFile) or LEARNED_FROM not in item.provenance:
            continue
        if CONTRAST in item.provenance or item.locked:
            continue
        typed_item, kinds_by_type = typed(item, {})
        if kinds_by_type:
            items[kind, item.id] = typed_item
            world = types.setdefault(item.world, {})
            for name, kinds in kinds_by_type.items():
                world[name] = (*world.get(name, ()), *kinds)
    return items, types
