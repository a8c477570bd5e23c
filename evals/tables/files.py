"""The file of a table; its schema is ``table.schema.json``. Those of docs/results.md stand here."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...procedures.common.errors import DataError, SchemaError
from ...procedures.documents.yaml_io import line_of, load_yaml, read_bytes
from ...schemas import first_misfit
from ..studies.cells import FOLDER, Cell

__all__ = ["Row", "TableFile", "read_table_file", "table_file"]

_HERE = Path(__file__).parent
_NAMED = re.compile(r"\{([\w-]+)\}")
_OWN = FOLDER.strip("{}")


@dataclass(frozen=True, slots=True)
class Row:
    """A row.

    Attributes:
        name: Unique in its table.
        what: What it is, in words.
        cell: What plays it; rows that are played alike share it.
        metric: ``success``, ``reward`` or ``first-plan``.
        wanted: What was wanted before it was played, or None.
        against: Names of the rows that it is compared with.
    """

    name: str
    what: str
    cell: Cell
    metric: str = "success"
    wanted: float | None = None
    against: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableFile:
    """What a table's file says.

    Attributes:
        name: The file's, without its ending.
        title: Heading.
        about: What it shows, and why it is there.
        rows: Its rows by name, in order.
    """

    name: str
    title: str
    about: str
    rows: Mapping[str, Row]

    @property
    def cells(self) -> list[Cell]:
        """What is to be done, each once."""
        return list(dict.fromkeys(row.cell for row in self.rows.values()))


def table_file(name: str) -> TableFile:
    """Return a table that comes with macla, or that of a file ``*.yaml``.

    Raises:
        DataError: There is none of this name.
        LibraryError: The file cannot be read.
        SchemaError: It is wrong; the message names file, line and key.
    """
    if name.endswith((".yaml", ".yml")):
        return read_table_file(Path(name).expanduser())
    known = sorted(file.stem for file in _HERE.glob("*.yaml"))
    if name not in known:
        raise DataError(f"no table {name[:80]!r}; choose {', '.join(known)}, or give FILE.yaml")
    return read_table_file(_HERE / f"{name}.yaml")


def read_table_file(path: Path) -> TableFile:
    """Read a table's file.

    Raises:
        LibraryError: It cannot be read.
        SchemaError: It is wrong; the message names file, line and key.
    """
    data = read_bytes(path)
    document = load_yaml(data, path)

    def refuse(keys: tuple[str | int, ...], problem: str) -> SchemaError:
        return SchemaError(problem, file=path, line=line_of(data, keys), path=keys)

    def words(keys: tuple[str | int, ...], text: str, places: tuple[str, ...]) -> tuple[str, ...]:
        for place in _NAMED.findall(text):
            if place not in places:
                known = ", ".join(places) or "none"
                raise refuse(keys, f"no library {place[:60]!r}; there are {known}")
        try:
            return _words(text)
        except ValueError as error:
            raise refuse(keys, f"is no command: {error}") from None

    misfit = first_misfit("table", document)
    if misfit is not None:
        raise refuse(misfit.path, misfit.problem)
    if not document["rows"]:
        raise refuse(("rows",), "has no row")
    libraries = {}
    for name, commands in document.get("libraries", {}).items():
        made = [words(("libraries", name, at), text, (_OWN,)) for at, text in enumerate(commands)]
        libraries[name] = Cell(name, tuple(made))
    told: Mapping[str, Any] = document["rows"]
    cells: dict[tuple[str, ...], Cell] = {}
    rows = {}
    for name, row in told.items():
        if name in libraries:
            raise refuse(("rows", name), "a library has this name")
        play = words(("rows", name, "play"), row["play"], tuple(libraries))
        needs = tuple(each for key, each in libraries.items() if f"{{{key}}}" in row["play"])
        cell = cells.setdefault(play, Cell(name, (play,), needs))
        metric = row.get("metric", "success")
        for at, other in enumerate(row.get("against", ())):
            place = ("rows", name, "against", at)
            if other not in told or other == name:
                raise refuse(place, f"no other row {other!r}")
            # Which plan won is not told of single tasks, so there are no pairs of it.
            if metric == "first-plan" or told[other].get("metric", "success") != metric:
                raise refuse(place, f"{other!r} has another metric, or one without pairs")
        against = tuple(row.get("against", ()))
        rows[name] = Row(name, row["what"], cell, metric, row.get("wanted"), against)
    return TableFile(path.stem, document["title"], document["about"], rows)


def _words(text: str) -> tuple[str, ...]:
    """Return the words of a command as a cell has them; what macla prints is JSON."""
    first, *rest = shlex.split(text)
    if first == "python":
        return (first, *rest)
    return tuple(rest) if "--json" in rest else (*rest, "--json")
