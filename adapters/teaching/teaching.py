"""Learning trajectories into a library folder: all or nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...graph.budget import Budget
from ...procedures.common.errors import LibraryError, MaclaError, Skip, reason
from ...procedures.common.independent_work import Each, here
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.evidence.ledger import Ledger
from ...procedures.learning.learner import Learned
from ...procedures.learning.pruning import surplus
from ...procedures.learning.store_learned import planned, store
from ...procedures.learning.taught import TAUGHT, keep_taught, learned_elsewhere, note_learned
from ...procedures.library.library import Library
from ...procedures.method.ablation import parse_parts
from ...procedures.method.settings import Method
from ...procedures.programs.documents import ProgramFile
from ...procedures.proposals.standing import Standing, plan_beside
from ...procedures.sharing.exchange import write_lock
from ..embeddings import DEFAULT_EMBEDDING
from ..reasoners.gaps import LEARNING, Filled
from ..reasoners.models import ReasonerName
from ..session import LibrarySession
from .choosing import Plan
from .lesson import Lesson, learn_from, lesson_of, scramble_words
from .practice_log import PracticeLog
from .segmenting import Segmented
from .starting import Overtaken, beside, is_new, put_in_place

__all__ = ["SYMBOLIC", "Teaching", "plans_alone", "teach"]

SYMBOLIC = ReasonerName("symbolic")
_NAMED = 20
"""Most names of what went that are told."""
_WRITING = 30.0
"""Seconds to wait until another learner has written."""
_MOST_TURNS = 5
"""Times to learn again where others write meanwhile."""


@dataclass(frozen=True, slots=True)
class Teaching:
    """What learning did to a library.

    Attributes:
        library: The folder.
        domain: Name of the domain.
        created: Whether the library is new.
        episodes: Trajectories that were learned from.
        before: How many of them the library was taught from before.
        successes: Those that succeeded; procedures come from these.
        procedures: Procedures in the library now.
        metas: Meta-procedures in the library now.
        changed: Names of the files that changed.
        library_hash: Hash of the library's content.
        seconds: Wall time of learning, writing and indexing.
        filled: What a model added, where one was asked.
        segmented: What became of a model's segmentation, where one was asked for it.
        removed: Ids of what was not kept for want of room.
        programs: Programs that these trajectories taught: id → what its proof says.
        warnings: What the library held before and does not use any more, and why.
        skipped: What was learned and left out because it does not fit, and why.
        refused: Why a program that plans was tried and is not used; empty where it was not.
    """

    library: Path
    domain: str
    created: bool
    episodes: int
    before: int
    successes: int
    procedures: int
    metas: int
    changed: tuple[str, ...]
    library_hash: str
    seconds: float
    filled: Filled | None = None
    segmented: Segmented | None = None
    removed: tuple[str, ...] = ()
    programs: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def teach(
    path: Path | str,
    trajectories: Sequence[Trajectory],
    *,
    domain: str,
    source: Mapping[str, Any] | None = None,
    scramble: int | None = None,
    reasoner: ReasonerName = SYMBOLIC,
    segmenter: str = "",
    budget: Budget = LEARNING,
    without: Sequence[str] = (),
    preset: str | None = None,
    replace_all: bool = False,
    stage: Callable[[str], None] = lambda _: None,
    each: Each = here,
    indexed: bool = True,
) -> Teaching:
    """Learn into a library, which is made if it is not there.

    A new library appears complete or not at all. One that is there grows: what it was taught from
    before is learned from with these trajectories. What was learned from episodes that are not
    here stays as it is, and so does what people wrote or locked. Where another learner writes
    meanwhile, all is learned again with what that was taught from.

    Args:
        path: The library's folder.
        trajectories: At least one success.
        domain: Name of the domain; a library of another one is refused.
        source: What the library records about where it was learned from.
        scramble: Seed of invented words to replace all words by.
        reasoner: Names the model, if one is asked about tasks that symbols find no plan for.
        segmenter: Names the model that cuts demonstrations into procedures; none if it is empty.
        budget: What it may be asked about one episode.
        without: Parts of the method to leave out; the library says so and plays without them.
        preset: Of a new library, a name of ``procedures.method.presets.PRESETS``.
        replace_all: Whether what was learned elsewhere goes where these episodes do not teach it.
        stage: Told what is being done.
        each: Who learns the kinds of tasks.
        indexed: Whether what was learned is indexed now; else whoever opens it first waits.

    Raises:
        LibraryError: The folder holds something else, a library of another domain, or one that
            is not valid.
        LockError: Somebody practises with the library.
        TrajectoryError: There is nothing to learn from.
    """
    started = time.perf_counter()
    root = Path(path).expanduser().resolve()
    ablated = parse_parts(without)
    trajectories = scramble_words(trajectories, scramble, stage)
    record: dict[str, Any] = {**(source or {}), "episodes": 0}
    if ablated:
        record["without"] = sorted(ablated)
    if scramble is not None:
        record["scramble"] = scramble
    for turn in range(_MOST_TURNS):
        created = is_new(root, domain)
        known = None if created else Library.open(root)
        before = _version(root)
        given = known.settings.settings if known else {} if preset is None else {"preset": preset}
        programs = "programs" not in ablated | Method.from_settings(given).preset.without
        stage("proving programs")
        lesson = lesson_of(
            trajectories,
            known,
            plans_alone(without),
            programs=programs,
            replace_all=replace_all,
            each=each,
        )
        models = learn_from(
            lesson.planned,
            reasoner,
            segmenter,
            budget,
            None if replace_all else known,
            given,
            stage,
            ablated,
        )
        stage("writing")
        record["episodes"] = len(lesson.trajectories)
        try:
            with nullcontext() if created else PracticeLog(root).alone(_WRITING):
                if _version(root) != before:
                    raise Overtaken(root)
                new = {"domain": domain, "settings": given} if created else None
                contents = _write(root, lesson, models.learned, record, new, stage, indexed)
            break
        except Overtaken:
            if turn == _MOST_TURNS - 1:
                raise
            stage("learning again, with what another learner wrote meanwhile")
    return Teaching(
        library=root,
        domain=domain,
        created=created,
        episodes=len(lesson.trajectories),
        before=lesson.before,
        successes=sum(trajectory.success for trajectory in lesson.trajectories),
        procedures=contents.procedures,
        metas=contents.metas,
        changed=contents.changed,
        library_hash=contents.content_hash,
        seconds=time.perf_counter() - started,
        filled=models.filled,
        segmented=models.segmented,
        removed=contents.removed,
        programs={f.id: _proof_of(f) for f in lesson.programs.files if f.id in contents.programs},
        warnings=(*contents.staying, *_warnings(lesson, contents.gone)),
        skipped=contents.skipped,
        refused=lesson.refused,
    )


def plans_alone(without: Sequence[str] = ()) -> Plan:
    """Return what learns plans alone into a folder, without some parts of the method."""

    def plan(folder: Path, shown: Sequence[Trajectory]) -> None:
        teach(folder, shown, domain="trial", without=(*without, "programs"), indexed=False)

    return plan


def _version(root: Path) -> tuple[str, int]:
    """Return what tells that a library was written: its content, and what it was taught from."""
    if not (root / "library.yaml").exists():
        return "", 0
    taught = root / TAUGHT
    stamp = taught.stat().st_mtime_ns if taught.exists() else 0
    return Library.open(root).content_hash, stamp


def _proof_of(file: ProgramFile) -> str:
    reason = file.provenance.get("reason")
    draft = " (a draft, not used)" if file.status != "active" else ""
    return file.provenance["proof"] + (f"; {reason}" if reason else "") + draft


def _warnings(lesson: Lesson, gone: Sequence[str]) -> Iterator[str]:
    """Yield what the library held before and does not use any more."""
    if lesson.elsewhere:
        yield (
            "learned from episodes that are not here, so they stay as they are (--replace learns "
            f"everything anew from what is here): {_names(sorted(lesson.elsewhere))}"
        )
    if gone:
        yield f"replaced by what is learned now, so removed: {_names(gone)}"
    for file in lesson.programs.withdrawn:
        yield f"the program {file.id} was active and is a draft now, which is not used"
    for file in lesson.programs.staying:
        if file.id not in lesson.elsewhere:
            yield f"the program {file.id} stays as it is: {_why_staying(file)}"


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def _why_staying(file: ProgramFile) -> str:
    if file.locked or not file.provenance:
        return "it is locked" if file.locked else "a person wrote it"
    return "it reproduces more of the demonstrations than what is learned now"


@dataclass(frozen=True, slots=True)
class _Contents:
    """What stands in a library after writing, and what changed, went, stays or was left out."""

    procedures: int
    metas: int
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    gone: tuple[str, ...]
    programs: frozenset[str]
    content_hash: str
    skipped: tuple[str, ...]
    staying: tuple[str, ...]


def _write(
    root: Path,
    lesson: Lesson,
    learned: Learned,
    record: Mapping[str, Any],
    new: Mapping[str, Any] | None,
    stage: Callable[[str], None],
    indexed: bool,
) -> _Contents:
    """Write what was learned; a new library is made beside its place and put there when complete.

    Args:
        root: The library's folder.
        lesson: What was learned from, and its programs.
        learned: Its plans.
        record: What the library says of that.
        new: Domain and settings of a new library; None where there is one.
        stage: Told what is being done.
        indexed: Whether what was learned is indexed now.
    """
    try:
        with nullcontext() if new is None else beside(root) as folder:
            place = root if folder is None else folder.path
            if new is not None:
                Library.create(place, embedding=DEFAULT_EMBEDDING, **new)
            with LibrarySession.open(place) as session:
                library = session.library
                before = {*library.metas, *library.procedures}
                keep_taught(
                    place,
                    lesson.trajectories,
                    lesson.without_plans,
                    lesson.choices,
                    replacing=lesson.replacing(library),
                )
                skipped: list[MaclaError] = []
                # Programs first: plans get other ids.
                changed = library.write_programs(lesson.programs.files, skipped.append)
                note_learned(place, (file.id for file in lesson.programs.files))
                elsewhere = learned_elsewhere(library)
                standing = _standing(library, learned, lesson, elsewhere, skipped.append)
                changed += store(
                    library,
                    session.ledger,
                    learned,
                    plan=standing.plan,
                    elsewhere=() if lesson.before else lesson.elsewhere,
                    staying=standing.staying,
                    skip=skipped.append,
                )
                changed += _note_source(library, record)
                removed = _surplus(library, session.ledger)
                changed += library.write_all(remove=removed)
                write_lock(library, session.ledger)
                if indexed:
                    stage("indexing")
                    session.knowledge()
                contents = _Contents(
                    len(library.procedures),
                    len(library.metas),
                    _remaining_files(library, changed, before),
                    tuple(removed),
                    tuple(sorted(before - {*library.metas, *library.procedures, *removed})),
                    frozenset(library.programs),
                    library.content_hash,
                    tuple(_without_place(each, place) for each in skipped),
                    tuple(standing.told()),
                )
            if folder is not None:
                put_in_place(place, root)
            return contents
    except OSError as error:
        raise LibraryError(f"cannot be written: {reason(error)}", file=root) from error


def _standing(
    library: Library, learned: Learned, lesson: Lesson, elsewhere: frozenset[str], skip: Skip
) -> Standing:
    """Return what the library would hold, with what stands where no evidence is against it."""
    if lesson.replace_all:
        plan = planned(library, learned, elsewhere=elsewhere, anew=True, skip=skip)
        return Standing(plan, {}, {})
    return plan_beside(library, learned, lesson.planned, elsewhere=elsewhere, skip=skip)


def _without_place(error: MaclaError, place: Path) -> str:
    """Say what was left out, by its name below the library: it may stand beside its place."""
    return str(error).replace(f"{place}{os.sep}", "")


def _surplus(library: Library, ledger: Ledger) -> list[str]:
    return surplus(library, ledger, Method.from_settings(library.settings.settings))


def _remaining_files(
    library: Library, changed: Sequence[str], before: Collection[str]
) -> tuple[str, ...]:
    """Return names of changed files, without those that came and went."""
    return tuple(
        name
        for name in sorted(set(changed))
        if (library.path / name).exists() or Path(name).stem in before
    )


def _note_source(library: Library, record: Mapping[str, Any]) -> list[str]:
    settings = library.settings
    if settings.settings.get("learned") == record:
        return []
    noted = replace(settings, settings={**settings.settings, "learned": dict(record)})
    return library.write_all(settings=noted)
