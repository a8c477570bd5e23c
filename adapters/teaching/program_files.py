"""What kinds of tasks become as files of a library: new programs, or versions of what it holds.

A program that is learned again keeps its id, whichever wording of the task is the most frequent
now. What a person wrote or locked stays, and so does what was learned of demonstrations that are
not at hand: fewer of them know less. A program that reproduces more of the demonstrations than
what is learned now stays, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from ...procedures.episodes.trajectories import Trajectory
from ...procedures.learning.abstraction import slug
from ...procedures.library.library import Library
from ...procedures.programs.documents import ProgramFile
from ...procedures.programs.learning.program_kinds import TaskKind
from ...procedures.programs.learning.proposing import draft_program
from ...procedures.programs.learning.valuing import carried_over
from ...procedures.programs.reproducing import divergence_in

__all__ = ["ProgramFiles", "program_files"]

_NEITHER = "no program reproduces enough, and plans are not known to end rightly"
_CONTRADICTED = "too few of all demonstrations are reproduced any more"
_LEAST = 3
"""Demonstrations that say something against a program."""
_MOST = 200
"""Demonstrations, the newest, of which two programs are compared."""


@dataclass(frozen=True, slots=True)
class ProgramFiles:
    """Programs of a lesson.

    Attributes:
        files: To be written.
        withdrawn: Those of them that are drafts now, and stand in the library as active.
        staying: Active ones of the library that read tasks of the lesson, and stay as they are.
    """

    files: tuple[ProgramFile, ...] = ()
    withdrawn: tuple[ProgramFile, ...] = ()
    staying: tuple[ProgramFile, ...] = ()


def program_files(
    kinds: Sequence[TaskKind],
    doubtful: Iterable[TaskKind],
    library: Library | None,
    *,
    stay: Collection[str] = (),
) -> ProgramFiles:
    """Return the programs of kinds of tasks by the ids that a library has, or may have, for them.

    Args:
        kinds: Demonstrations by what they ask for, with what is proposed.
        doubtful: Those of them that get at least a draft.
        library: What is there; None where there is nothing yet.
        stay: Ids of what was learned from demonstrations that are not at hand.
    """
    drafts = {id(kind) for kind in doubtful}
    held = dict(library.programs) if library is not None else {}
    olds = _owned(kinds, held.values())
    taken = {*held, *library.metas, *library.procedures} if library is not None else set()
    files: list[ProgramFile] = []
    withdrawn: list[ProgramFile] = []
    staying: list[ProgramFile] = []
    for kind in kinds:
        old = olds.get(id(kind))
        if old is not None and (old.locked or not old.provenance or old.id in stay):
            staying += [old] if old.status == "active" else []
            continue
        contradicted = (
            old is not None and old.status == "active" and len(kind.demonstrations) >= _LEAST
        )
        if kind.proposal is None and not contradicted and id(kind) not in drafts:
            continue
        why = _CONTRADICTED if contradicted else _NEITHER
        file = draft_program(kind, taken, why)
        if old is not None:
            file = replace(carried_over(file, old), id=old.id)
        elif file.id in taken:
            file = replace(file, id=slug(file.id, taken))
        taken.add(file.id)
        if old is not None and _falls_behind(file, old, kind.demonstrations):
            staying.append(old)
            continue
        files.append(file)
        if old is not None and old.status == "active" and file.status != "active":
            withdrawn.append(file)
    return ProgramFiles(tuple(files), tuple(withdrawn), tuple(staying))


def _falls_behind(new: ProgramFile, old: ProgramFile, shown: Sequence[Trajectory]) -> bool:
    """Whether a program that is used reproduces more demonstrations than one to take its place."""
    if not new.status == old.status == "active":
        return False
    newest = shown[-_MOST:]
    was, would = (sum(divergence_in(file, e) is None for e in newest) for file in (old, new))
    return was > would


def _owned(kinds: Sequence[TaskKind], programs: Iterable[ProgramFile]) -> dict[int, ProgramFile]:
    """Return the program of each kind, by the kind's identity.

    First of all it is one that has the id which is proposed, then the one that reads most of the
    kind's tasks; of each program there is one kind.
    """
    fits = [
        (kind.id == file.id, count, file, kind)
        for file in programs
        for kind in kinds
        if (count := sum(file.reads(e.task, e.obs[0]) for e in kind.demonstrations))
    ]
    fits.sort(key=lambda fit: fit[:2], reverse=True)
    owned: dict[int, ProgramFile] = {}
    given: set[str] = set()
    for _, _, file, kind in fits:
        if id(kind) not in owned and file.id not in given:
            owned[id(kind)] = file
            given.add(file.id)
    return owned
