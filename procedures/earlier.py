"""How earlier versions of macla wrote what is written otherwise now, and bringing files over.

Earlier plans name the version of what they run, and earlier lists of kinds stand in an order of
preference. Both are read as they are; what is learned does not write them any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import library_commit as commits
from .document_kinds import FOLDERS
from .files.parsing import yaml_files
from .files.scanning import load
from .library_files import Finding
from .yaml_dump import dump_yaml
from .yaml_io import line_of, load_yaml, read_bytes
from .yaml_update import updated

__all__ = ["Migrated", "migrate", "outdated"]

_TIMEOUT = 10.0
"""How long to wait for another writer (seconds)."""


@dataclass(frozen=True, slots=True)
class Migrated:
    """What was written anew in one file.

    Attributes:
        file: Its name below the library's folder.
        runs: Places of a plan that named a version.
        kinds: Parameters whose kinds are in the order of their names now, one a line.
    """

    file: str
    runs: int
    kinds: int


def outdated(root: Path) -> Iterator[Finding]:
    """Yield a warning for each plan that names versions, at the first of them.

    Args:
        root: The library's folder; files that cannot be read are passed over.
    """
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
        load(root)
        found: list[Migrated] = []
        contents: dict[str, bytes] = {}
        for kind in ("procedure", "meta"):
            for path in yaml_files(root / FOLDERS[kind]):
                data = read_bytes(path)
                name = path.relative_to(root).as_posix()
                document = load_yaml(data, path)
                plan, runs = _plan(document)
                parameters, kinds = _parameters(document)
                new = {**document, **plan, **parameters}
                # A list of kinds in brackets is a set on one line: two additions would conflict.
                text = updated(data, new) if b"#" in data else dump_yaml(new).encode()
                if text == data:
                    continue
                contents[name] = text
                found.append(Migrated(name, runs, kinds))
        if contents:
            commits.commit(root, contents)
    return found


def _plan(document: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """Return the plan without versions, and how many it had."""
    plan = document.get("plan")
    if plan is None:
        return {}, 0
    named = [place for place in plan if "@" in place.get("run", "")]
    bare = [
        {**place, "run": place["run"].partition("@")[0]} if "run" in place else place
        for place in plan
    ]
    return {"plan": bare}, len(named)


def _parameters(document: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """Return the parameters with their kinds in order, and of how many it was another."""
    parameters = document.get("parameters")
    if parameters is None:
        return {}, 0
    ordered = {
        name: {**each, "kinds": sorted(each["kinds"])} if "kinds" in each else each
        for name, each in parameters.items()
    }
    return {"parameters": ordered}, sum(ordered[name] != parameters[name] for name in ordered)
