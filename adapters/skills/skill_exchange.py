"""Skills out of a library, and into one: each is a folder with a ``SKILL.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...procedures.checks.instructing import instructing_document
from ...procedures.common.errors import LibraryError, reason
from ...procedures.documents.yaml_io import atomic_write, read_bytes
from ...procedures.evidence.ledger import Ledger
from ...procedures.files.parsing import parse
from ...procedures.library.library import Library
from ...procedures.programs.documents import DEFAULT_STATUS, ProgramFile
from ...procedures.proposals.proposal import Proposal, make_proposal
from ...procedures.proposals.proposal_store import Placed
from ...procedures.tooling.stops import stopped_in
from ..submitting import policy_of, submitter
from .skill import DOCUMENT, Skill, skill_of

_SKILL = "SKILL.md"


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import of skills.

    Attributes:
        programs: ``id@version`` of programs that are new in the library.
        proposed: Ids of programs that wait for a review.
        same: Ids of programs that the library has already.
        edited: Folders whose ``SKILL.md`` says something else than their program, which counts.
        skipped: Folder → why nothing was taken from it.
    """

    programs: tuple[str, ...] = ()
    proposed: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)


def export_skills(
    library: Library, ledger: Ledger, folder: Path
) -> tuple[list[str], dict[str, str]]:
    """Write the programs that act as skills, a folder each.

    Args:
        library: The library.
        ledger: Its evidence: what is stopped is left out.
        folder: Where the skills go; a skill of the same name that macla wrote is replaced.

    Returns:
        Names of the skills, and id → why it is none, of the other programs.

    Raises:
        LibraryError: A folder holds a skill that macla did not write, or cannot be written.
    """
    stopped = stopped_in(ledger)
    skills: dict[str, Skill] = {}
    skipped: dict[str, str] = {}
    for item in library.programs.values():
        why = _why_no_skill(item, stopped)
        if why is not None:
            skipped[item.id] = why
            continue
        skill = skill_of(item)
        if skill.name in skills:
            skipped[item.id] = f"another program is called {skill.name!r} as well"
            continue
        skills[skill.name] = skill
    for name in skills:
        if (folder / name / _SKILL).exists() and not (folder / name / DOCUMENT).exists():
            raise LibraryError(
                "holds a skill that macla did not write", file=folder / name, hint="rename either"
            )
    for name, skill in skills.items():
        _write(folder / name / DOCUMENT, skill.document)
        _write(folder / name / _SKILL, skill.text)
    return list(skills), skipped


def skills_in(folder: Path) -> list[Path]:
    """Return the folder of each skill: of this one, or of those in this folder.

    Raises:
        LibraryError: There is none.
    """
    alone = (folder / _SKILL).is_file()
    places = [folder] if alone else sorted(each.parent for each in folder.glob(f"*/{_SKILL}"))
    if not places:
        raise LibraryError(f"holds no {_SKILL}, nor do its folders", file=folder)
    return places


def import_skills(library: Library, ledger: Ledger, places: Sequence[Path]) -> Imported:
    """Take in the programs of skills, under the library's policy; nobody has accepted them yet.

    Args:
        library: Where they go.
        ledger: Its evidence.
        places: Folders of skills; see :func:`skills_in`.

    Raises:
        LibraryError: The library cannot be written.
    """
    review = policy_of(library) != "auto"
    submit = submitter(library, ledger) if review else None
    programs: list[ProgramFile] = []
    proposed: list[str] = []
    same: list[str] = []
    edited: list[str] = []
    skipped: dict[str, str] = {}
    for place in places:
        try:
            item = _program_in(place)
        except LibraryError as error:
            skipped[place.name] = str(error)
            continue
        current = library.find(item.id)
        if isinstance(current, ProgramFile) and current.does_the_same(item):
            same.append(item.id)
        elif current is not None or any(each.id == item.id for each in programs):
            skipped[place.name] = f"{item.id!r} is there already and does something else"
        elif submit is None:
            programs.append(item)
        else:
            placed: Placed = submit(_proposal(item, place))
            proposed.append(placed.proposal.target.id)
        if read_bytes(place / _SKILL) != skill_of(item).text.encode():
            edited.append(place.name)
    library.write_all(programs=programs)
    refs = tuple(library.programs[each.id].ref for each in programs)
    return Imported(refs, tuple(proposed), tuple(same), tuple(edited), skipped)


def _why_no_skill(item: ProgramFile, stopped: Mapping[str, str]) -> str | None:
    """Say why a program is no skill."""
    if item.status != DEFAULT_STATUS:
        return f"it is {item.status}"
    if item.id in stopped:
        return f"it is stopped: {stopped[item.id]}"
    document = item.to_document()
    if not document.get("steps"):
        return "it plans, and has no steps that could be told"
    return next((why for _, why in instructing_document(document)), None)


def _program_in(place: Path) -> ProgramFile:
    """Read the program of a skill.

    Raises:
        LibraryError: There is none, or it tries to instruct a model.
    """
    path = place / DOCUMENT
    if not path.is_file() or path.is_symlink() or path.parent.is_symlink():
        raise LibraryError(f"has no {DOCUMENT}; macla learns from runs, not from prose", file=place)
    item = parse(read_bytes(path), None, path)
    if not isinstance(item, ProgramFile):
        raise LibraryError("is no program", file=path)
    for _, why in instructing_document(item.to_document()):
        raise LibraryError(why, file=path)
    return replace(item, accepted=(), accepted_limits="")


def _proposal(item: ProgramFile, place: Path) -> Proposal:
    rationale = f"A skill from elsewhere: {place.name}."
    return make_proposal("new", rationale, target=item.id, new=[item.to_document()])


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, text.encode())
    except OSError as error:
        raise LibraryError(f"cannot be written: {reason(error)}", file=path) from error
