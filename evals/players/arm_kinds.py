"""The arms that can be compared, by name: who plays, and with what changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from ...procedures.common.errors import DataError
from ...procedures.method.ablation import GROUPS, PARTS
from ...procedures.method.utility import Rule

__all__ = ["ARMS", "ArmKind", "arm_kind", "unknown_arm"]

Player = Literal["library", "nothing", "random", "demonstrations", "copy", "oracle"]


@dataclass(frozen=True, slots=True)
class ArmKind:
    """An arm.

    Attributes:
        about: What it is, in words.
        player: What acts: the library; the reasoner with an empty library; chance; demonstrations
            in the way that the arm's name says, or that the suite says; the suite's own solutions.
        without: Parts of the method that are left out.
        preset: Instead of the library's; None for that.
        rule: How candidates are valued; None for the library's.
        frozen: Whether no evidence moves within an episode.
    """

    about: str
    player: Player = "library"
    without: tuple[str, ...] = ()
    preset: str | None = None
    rule: Rule | None = None
    frozen: bool = False


ARMS: Final[Mapping[str, ArmKind]] = {
    "macla": ArmKind("the library"),
    "paper": ArmKind("the library, the method as its authors mean it", preset="paper"),
    "printed": ArmKind("the library, the method to the letter", preset="printed"),
    "similarity": ArmKind("the library, chosen by likeness alone", rule=Rule.SIMILARITY),
    "frozen": ArmKind("the library; no evidence moves within an episode", frozen=True),
    "no-memory": ArmKind("the reasoner, with an empty library", "nothing"),
    "random": ArmKind("random possible actions", "random"),
    "nearest": ArmKind("the nearest demonstration, replayed", "demonstrations"),
    "rebound": ArmKind("the nearest demonstration, the task's words exchanged", "demonstrations"),
    "workflows": ArmKind(
        "the common steps of demonstrations of like tasks, followed by a script (in the way of "
        "Agent Workflow Memory)",
        "demonstrations",
    ),
    "trajectories": ArmKind(
        "the step done in the most similar situation of the nearest demonstrations, the task's "
        "words exchanged (in the way of Memp and ExpeL)",
        "demonstrations",
    ),
    "copy": ArmKind("the nearest demonstration's choice, as the suite copies it", "copy"),
    "oracle": ArmKind("the suite's own solutions, where it has them", "oracle"),
}
"""Arms by name; besides, ``without-PART`` leaves a part of the method out."""
_WITHOUT = "without-"


def arm_kind(name: str) -> ArmKind:
    """Return an arm.

    Raises:
        DataError: There is none of this name.
    """
    if (problem := unknown_arm(name)) is not None:
        raise DataError(problem)
    part = name.removeprefix(_WITHOUT)
    return ARMS.get(name) or ArmKind(f"the library without {part}", without=(part,))


def unknown_arm(name: str) -> str | None:
    """Say why there is no arm of this name; None if there is one."""
    part = name.removeprefix(_WITHOUT)
    if name in ARMS or (part != name and (part in PARTS or part in GROUPS)):
        return None
    return (
        f"no arm {name[:80]!r}; choose one of {', '.join(ARMS)}, or {_WITHOUT}PART with one of "
        f"{', '.join((*PARTS, *GROUPS))}"
    )
