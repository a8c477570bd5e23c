"""Suites as files: what is played, by which rules, by whom, and what is reported of it.

Those that come with macla stand in ``evals/suites``; anybody adds one with a file and an
environment. The schema is ``suite.schema.json``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ...procedures.common.errors import DataError, SchemaError
from ...procedures.documents.yaml_io import line_of, load_yaml, read_bytes
from ...schemas import first_misfit
from ..players.arm_kinds import unknown_arm

__all__ = ["SUITES", "FiledSuite", "Published", "Split", "SuiteFile", "read_suite", "suite_of"]

_FOLDER = Path(__file__).parent
SUITES = ("alfworld", "textworld", "webshop", "intercode-sql", "travelplanner")
"""Names of the suites that come with macla, each a file of that name."""
_MOST_STEPS = 50
"""Most actions of an episode where an environment comes without a file: ALFWorld's protocol."""


@dataclass(frozen=True, slots=True)
class Split:
    """A split.

    Attributes:
        role: ``train``, ``dev`` or ``test``.
        about: What is in it; may be empty.
        file: Its tasks, or None where the reader finds them.
    """

    role: str
    about: str = ""
    file: Path | None = None


@dataclass(frozen=True, slots=True)
class Published:
    """A figure of others.

    Attributes:
        who: Whose, and of what.
        value: Of the primary metric, in [0, 1].
        about: In what it differs; may be empty.
        arm: The arm that it is of; None for the whole method.
    """

    who: str
    value: float
    about: str = ""
    arm: str | None = None


@dataclass(frozen=True, slots=True)
class SuiteFile:
    """What a suite's file says; can be pickled.

    Attributes:
        name: Name in results.
        made_by: ``module:Class`` of the environment, or of the reader.
        own: Whether that is an environment, not a reader.
        about: What it is, in words; may be empty.
        arguments: What the environment is called with.
        options: Option of the reader → the values that it may have, the default first.
        splits: Splits by name.
        demonstrations: File of episodes, or None.
        max_steps: Most actions of an episode, at least 1.
        shown: Whether the player is told the possible actions.
        arms: Names of arms that are compared; may be empty.
        primary: ``success`` or ``reward``.
        published: Figures of others.
        path: The file, or None where there is none.
    """

    name: str
    made_by: str
    own: bool = True
    about: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    splits: Mapping[str, Split] = field(default_factory=dict)
    demonstrations: Path | None = None
    max_steps: int = _MOST_STEPS
    shown: bool = False
    arms: tuple[str, ...] = ()
    primary: str = "success"
    published: tuple[Published, ...] = ()
    path: Path | None = None

    def check(self, option: str, value: str) -> None:
        """Check the value of an option.

        Raises:
            DataError: It is none of those that the file lists.
        """
        allowed = self.options[option]
        if value not in allowed:
            raise DataError(
                f"{self.name} has for {option} {', '.join(allowed)}, not {value[:80]!r}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledSuite:
    """What every suite has from its file.

    Attributes:
        file: The file.
    """

    file: SuiteFile

    @property
    def name(self) -> str:
        """Name of the suite in results."""
        return self.file.name

    @property
    def domain(self) -> str:
        """Name of the domain, as a library learned from it records it."""
        return self.file.name

    @property
    def max_steps(self) -> int:
        """The horizon of its protocol."""
        return self.file.max_steps

    @property
    def guarded(self) -> bool:
        """Whether its environment may raise anything, answer anything, or hang."""
        return self.file.own


def suite_of(name: str) -> SuiteFile:
    """Return what is known of a suite.

    Args:
        name: One of :data:`SUITES`; a file ``*.yaml``; or ``module:Class``, an environment that
            has no file.

    Raises:
        DataError: There is no such suite.
        SchemaError: Its file is wrong; the message names file, line and key.
    """
    if name in SUITES:
        return _shipped(name)
    if name.endswith((".yaml", ".yml")):
        return read_suite(Path(name).expanduser())
    if ":" in name:
        return SuiteFile(name, name)
    raise DataError(
        f"no suite {name[:80]!r}; choose {', '.join(SUITES)}, or give a file FILE.yaml or "
        "module:Class for an environment of your own"
    )


@cache
def _shipped(name: str) -> SuiteFile:
    return read_suite(_FOLDER / f"{name}.yaml")


def read_suite(path: Path) -> SuiteFile:
    """Read a suite's file.

    Raises:
        LibraryError: It cannot be read.
        SchemaError: It is wrong; the message names file, line and key.
    """
    data = read_bytes(path)
    document = load_yaml(data, path)

    def refuse(keys: tuple[str | int, ...], problem: str, hint: str | None = None) -> SchemaError:
        return SchemaError(problem, file=path, line=line_of(data, keys), path=keys, hint=hint)

    misfit = first_misfit("suite", document)
    if misfit is not None:
        raise refuse(misfit.path, misfit.problem)
    for at, arm in enumerate(document.get("arms", ())):
        if (problem := unknown_arm(arm)) is not None:
            raise refuse(("arms", at), problem)
    for at, figure in enumerate(document["metrics"].get("published", ())):
        if "arm" in figure and (problem := unknown_arm(figure["arm"])) is not None:
            raise refuse(("metrics", "published", at, "arm"), problem)
    own = "environment" in document
    for key in ("options",) if own else ("arguments",):
        if key in document:
            of = "reader" if own else "environment"
            raise refuse((key,), f"belongs to a suite with {of!r}", "leave it out")
    splits: dict[str, Split] = {}
    for name, split in document["splits"].items():
        file = path.parent / split["file"] if "file" in split else None
        if own and file is None:
            raise refuse(("splits", name), "the key 'file' is missing", "name its file of tasks")
        if file is not None and not file.is_file():
            raise refuse(("splits", name, "file"), f"there is no file {file}")
        splits[name] = Split(split["role"], split.get("about", ""), file)
    shown = document.get("data", {}).get("demonstrations")
    demonstrations = path.parent / shown if shown is not None else None
    if demonstrations is not None and not demonstrations.is_file():
        raise refuse(("data", "demonstrations"), f"there is no file {demonstrations}")
    protocol, metrics = document["protocol"], document["metrics"]
    return SuiteFile(
        name=document["suite"],
        made_by=document["environment"] if own else document["reader"],
        own=own,
        about=document.get("about", ""),
        arguments=document.get("arguments", {}),
        options={key: tuple(values) for key, values in document.get("options", {}).items()},
        splits=splits,
        demonstrations=demonstrations,
        max_steps=protocol["max_steps"],
        shown=protocol.get("actions") == "shown",
        arms=tuple(document.get("arms", ())),
        primary=metrics["primary"],
        published=tuple(Published(**each) for each in metrics.get("published", ())),
        path=path,
    )
