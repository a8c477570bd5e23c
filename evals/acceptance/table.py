"""The document of the table: which commands are run, and the results last accepted."""

from __future__ import annotations

import json
import os
import secrets
import shlex
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from ...procedures.common.errors import DataError

__all__ = ["ACCEPTED", "Accepted", "GameCase", "ProofCase", "Table", "read_table", "write_table"]

ACCEPTED = Path(__file__).parent.parent / "accepted.json"
"""The table that comes with macla."""


def _words(text: str) -> str:
    if not shlex.split(text):
        raise ValueError("names no source or suite")
    return text


def _folder(name: str) -> str:
    if Path(name).name != name or name in ("", ".", "..") or name.startswith("-"):
        raise ValueError(f"{name!r} is not the name of a folder")
    return name


_Words = Annotated[str, AfterValidator(_words)]
_Folder = Annotated[str, AfterValidator(_folder)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class GameCase(_Part):
    """Tasks of a benchmark, played from a library.

    Attributes:
        library: Name of the library.
        eval: Arguments of ``macla eval``, without the library.
    """

    library: _Folder
    eval: _Words


class ProofCase(_Part):
    """What a library reproduces of its demonstrations.

    Attributes:
        library: Name of the library.
        prove: Further arguments of ``macla check --proof``.
    """

    library: _Folder
    prove: str


class Accepted(_Part):
    """The accepted result of one case.

    Attributes:
        outcomes: A mark for each episode, in order: ``1`` solved (reproduced, right), ``0`` not,
            ``x`` spoiled for good or wrong, ``e`` broken off by an error.
        tasks: Digest of the names of the episodes, so that pairs are pairs.
        figures: Other figures by name.
        baselines: Player → how many episodes it solves.
    """

    outcomes: Annotated[str, Field(pattern="^[01xe]+$")]
    tasks: str = ""
    figures: dict[str, float] = {}
    baselines: dict[str, int] = {}

    @property
    def floor(self) -> int:
        """How many episodes the best of the baselines solves."""
        return max(self.baselines.values(), default=0)


class Table(_Part):
    """All that is measured.

    Attributes:
        format: Version of this document's form.
        libraries: Name → arguments of ``macla learn``, without the library.
        games: Name of a case → what is played.
        proofs: Name of a case → what is proved.
        ladder: Worlds of the ladder: ``development``, ``sealed``.
        foreign: Whether the foreign worlds are played.
        agents: Halves of the ladder for agents.
        quick: Beginnings of the names of the cases that CI plays.
        accepted: Name of a case → its accepted result.
    """

    format: Literal[2]
    libraries: dict[_Folder, _Words] = {}
    games: dict[str, GameCase] = {}
    proofs: dict[str, ProofCase] = {}
    ladder: list[Literal["development", "sealed"]] = []
    foreign: bool = False
    agents: list[Literal["development", "second", "sealed"]] = []
    quick: list[str] = []
    accepted: dict[str, Accepted] = {}

    @model_validator(mode="after")
    def _libraries_are_there(self) -> Table:
        needed = {name: game.library for name, game in self.games.items()}
        needed |= {name: proof.library for name, proof in self.proofs.items()}
        for name, library in needed.items():
            if library not in self.libraries:
                raise ValueError(f"{name}: there is no library {library!r}")
        return self


def read_table(file: Path) -> Table:
    """Read a table.

    Raises:
        DataError: The file is missing or holds none; the message names the key.
    """
    try:
        return Table.model_validate_json(file.read_bytes())
    except OSError as error:
        raise DataError(f"{file}: cannot be read ({error.strerror})") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = "/".join(map(str, first["loc"]))
        raise DataError(
            f"{file}: is no table of acceptance ({where or 'the document'}: {first['msg']}); "
            f"compare with {ACCEPTED}"
        ) from None


def write_table(file: Path, table: Table) -> None:
    """Write a table, an accepted result a line; the file is replaced whole."""
    document = table.model_dump(exclude_defaults=True) | {"format": table.format}
    accepted = document.pop("accepted", {})
    text = json.dumps(document, indent=2, ensure_ascii=False)
    lines = [
        f"    {json.dumps(name, ensure_ascii=False)}: {json.dumps(accepted[name])}"
        for name in sorted(accepted)
    ]
    results = ",\n".join(lines)
    text = f'{text[:-2]},\n  "accepted": {{\n{results}\n  }}\n}}\n' if lines else f"{text}\n"
    temporary = file.with_name(f".{file.name}.{secrets.token_hex(6)}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, file)
    finally:
        temporary.unlink(missing_ok=True)
