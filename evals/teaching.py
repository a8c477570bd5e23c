"""Learning trajectories into a library folder: all or nothing."""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..adapters.embeddings import DEFAULT_EMBEDDING, load_embeddings
from ..adapters.reasoners import make_client, make_reasoner
from ..adapters.reasoners.gaps import LEARNING, Filled, fill_gaps
from ..adapters.reasoners.models import ReasonerName
from ..adapters.reasoners.symbolic import SymbolicReasoner
from ..adapters.scramble import Scrambler
from ..adapters.session import LibrarySession
from ..graph.budget import Budget
from ..procedures.ablation import Part, parse_parts
from ..procedures.errors import LibraryError, MaclaError, TrajectoryError
from ..procedures.learning.episode_buffer import digest
from ..procedures.learning.learner import Learned, learn, successes
from ..procedures.learning.online import OnlineLearner
from ..procedures.learning.pruning import surplus
from ..procedures.learning.store import store
from ..procedures.learning.taught import TAUGHT, joined, keep_taught, read_taught
from ..procedures.ledger import Ledger
from ..procedures.library import Library
from ..procedures.method import Method
from ..procedures.programs.documents import ProgramFile
from ..procedures.programs.learning.proposing import propose_for_kinds
from ..procedures.programs.shown_choices import shown_choices
from ..procedures.similarity import TextSimilarity
from ..procedures.trajectories import Trajectory
from .choosing import rest_for_plans
from .practice_log import PracticeLog
from .program_files import ProgramFiles, program_files

__all__ = [
    "SYMBOLIC",
    "Lesson",
    "Teaching",
    "is_new",
    "learn_from",
    "lesson_of",
    "scramble_words",
    "teach",
]

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
    removed: tuple[str, ...] = ()
    programs: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is learned from, and what of it in which way.

    Attributes:
        trajectories: All of them, those that the library was taught from before included.
        before: How many these are.
        programs: What is written as programs.
        planned: What plans are learned from: some of them, and what was learned by practice.
        without_plans: Digests of those that plans are known to end wrongly.
        whole: Whether all that the library was taught from is among them.
        refused: Why a program that plans was tried and is not used.
    """

    trajectories: Sequence[Trajectory]
    before: int
    programs: ProgramFiles
    planned: Sequence[Trajectory]
    without_plans: frozenset[str]
    whole: bool
    refused: tuple[str, ...] = ()

    def choices(self, shown: Trajectory) -> Iterator[tuple[Sequence[str], str]]:
        """Yield where a program that is used has several candidates in a demonstration."""
        for file in self.programs.files:
            if file.status == "active":
                yield from shown_choices(file, shown)


def lesson_of(
    trajectories: Sequence[Trajectory],
    library: Library | None,
    *,
    without: Sequence[str] = (),
    programs: bool = True,
) -> Lesson:
    """Join trajectories to what a library was taught from, and say what becomes of which.

    Args:
        trajectories: What is given.
        library: What is there; None where there is nothing yet.
        without: Parts of the method that plans are learned without.
        programs: Whether programs are proposed; else there are only plans, of everything.

    Raises:
        TrajectoryError: There is nothing to learn from.
    """
    if not trajectories:
        raise TrajectoryError("nothing to learn from: no episode was given")
    successes(trajectories)  # what a library was taught before is no reason to learn it again
    empty = library is None or not (library.procedures or library.metas or library.programs)
    kept = None if library is None else read_taught(library)
    every = joined(kept or (), trajectories)
    whole = empty or kept is not None
    tried: list[str] = []
    kinds = propose_for_kinds(every, (), _word_similarity, tried.append) if programs else []

    def plan(folder: Path, shown: Sequence[Trajectory]) -> None:
        teach(folder, shown, domain="trial", without=without, programs=False)

    planned, doubtful = rest_for_plans(kinds, every, plan)
    left = {id(each) for each in planned}
    refused = [e for k in kinds if not k.trusted for e in k.demonstrations if id(e) not in left]
    files = program_files(kinds, doubtful, library, whole=whole)
    trusted = [file for file in files.files if file.status == "active"]
    played = (e for e in _played(library) if not any(file.reads(e.task) for file in trusted))
    return Lesson(
        every,
        len(kept or ()),
        files,
        [*planned, *played],
        frozenset(map(digest, refused)),
        whole,
        tuple(tried),
    )


def _word_similarity(first: str, second: str) -> float:
    return _similarity()(first, second)


@lru_cache(maxsize=1)
def _similarity() -> TextSimilarity:
    """Load the embedding where it is needed: hardly any demonstrations need it."""
    return TextSimilarity(load_embeddings(DEFAULT_EMBEDDING))


def _played(library: Library | None) -> list[Trajectory]:
    """Return what practice with a library taught; nothing where it was not practised with."""
    if library is None or not (library.path / ".macla" / "episodes.jsonl").exists():
        return []
    with Ledger.open(library.path / ".macla" / "evidence.db") as ledger:
        return OnlineLearner(library, ledger).lessons()


def teach(
    path: Path | str,
    trajectories: Sequence[Trajectory],
    *,
    domain: str,
    source: Mapping[str, Any] | None = None,
    scramble: int | None = None,
    reasoner: ReasonerName = SYMBOLIC,
    budget: Budget = LEARNING,
    without: Sequence[str] = (),
    programs: bool = True,
    stage: Callable[[str], None] = lambda _: None,
) -> Teaching:
    """Learn into a library, which is made if it is not there.

    A new library appears complete or not at all. One that is there grows: what it was taught from
    before is learned from with these trajectories. Where that is not at hand, what they teach
    replaces the procedures and plans that others taught; what people wrote or locked stays. Where
    another learner writes meanwhile, all is learned again with what that was taught from.

    Args:
        path: The library's folder.
        trajectories: At least one success.
        domain: Name of the domain; a library of another one is refused.
        source: What the library records about where it was learned from.
        scramble: Seed of invented words to replace all words by.
        reasoner: Names the model, if one is asked about tasks that symbols find no plan for.
        budget: What it may be asked about one episode.
        without: Parts of the method to leave out; the library says so and plays without them.
        programs: Whether programs are proposed; else there are only plans, of everything.
        stage: Told what is being done.

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
        method = Method.from_settings(known.settings.settings) if known else None
        stage("proving programs")
        lesson = lesson_of(trajectories, known, without=without, programs=programs)
        learned, filled = learn_from(lesson.planned, reasoner, budget, stage, method, ablated)
        stage("writing")
        record["episodes"] = len(lesson.trajectories)
        try:
            with nullcontext() if created else PracticeLog(root).alone(_WRITING):
                if _version(root) != before:
                    raise _Overtaken(root)
                contents = _write(root, lesson, learned, record, domain if created else None, stage)
            break
        except _Overtaken:
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
        filled=filled,
        removed=contents.removed,
        programs={file.id: _proof_of(file) for file in lesson.programs.files},
        warnings=tuple(_warnings(lesson, contents.gone)),
        skipped=contents.skipped,
        refused=lesson.refused,
    )


class _Overtaken(LibraryError):  # noqa: N818 (the other learner is no error)
    """Another learner wrote the library first."""

    def __init__(self, root: Path) -> None:
        hint = "nothing was lost of it; run the same command again, and both are learned from"
        super().__init__("was written by another learner meanwhile", file=root, hint=hint)


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
    if not lesson.whole:
        yield (
            "what the library was taught from before is not here, so these episodes alone were "
            "learned from"
        )
    if gone:
        more = f" and {len(gone) - _NAMED} more" if len(gone) > _NAMED else ""
        yield f"not learned again, so removed: {', '.join(gone[:_NAMED])}{more}"
    for file in lesson.programs.withdrawn:
        yield f"the program {file.id} was active and is a draft now, which is not used"
    for file in lesson.programs.staying:
        yield f"the program {file.id} stays as it is: {_why_staying(file)}"


def _why_staying(file: ProgramFile) -> str:
    if file.locked:
        return "it is locked"
    if not file.provenance:
        return "a person wrote it"
    return "what it was learned from is not here"


@dataclass(frozen=True, slots=True)
class _Contents:
    """What stands in a library after writing: how much, what changed, went and was left out."""

    procedures: int
    metas: int
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    gone: tuple[str, ...]
    content_hash: str
    skipped: tuple[str, ...]


def _write(
    root: Path,
    lesson: Lesson,
    learned: Learned,
    record: Mapping[str, Any],
    domain: str | None,
    stage: Callable[[str], None],
) -> _Contents:
    """Write what was learned; a new library is made beside its place and put there when complete.

    Args:
        root: The library's folder.
        lesson: What was learned from, and its programs.
        learned: Its plans.
        record: What the library says of that.
        domain: Of a new library; None where there is one.
        stage: Told what is being done.
    """
    created = domain is not None
    place = _beside(root) if created else root
    try:
        if domain is not None:
            root.parent.mkdir(parents=True, exist_ok=True)
            Library.create(place, domain=domain, embedding=DEFAULT_EMBEDDING)
        with LibrarySession.open(place) as session:
            library = session.library
            keep_taught(place, lesson.trajectories, lesson.without_plans, lesson.choices)
            before = {*library.metas, *library.procedures}
            skipped: list[MaclaError] = []
            # Programs first: plans get other ids.
            changed = library.write_programs(lesson.programs.files, skipped.append)
            changed += store(library, session.ledger, learned, skip=skipped.append)
            removed = _surplus(library, session.ledger)
            changed += library.write_all(remove=removed)
            changed += _note_source(library, record)
            stage("indexing")
            session.knowledge()
            contents = _Contents(
                len(library.procedures),
                len(library.metas),
                _remaining_files(library, changed, before),
                tuple(removed),
                tuple(sorted(before - {*library.metas, *library.procedures, *removed})),
                library.content_hash,
                tuple(_without_place(each, place) for each in skipped),
            )
        if created:
            _move(place, root)
    except OSError as error:
        raise LibraryError(f"cannot be written: {error.strerror}", file=root) from error
    finally:
        if created:
            shutil.rmtree(place, ignore_errors=True)
    return contents


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


def scramble_words(
    trajectories: Sequence[Trajectory], seed: int | None, stage: Callable[[str], None]
) -> Sequence[Trajectory]:
    """Replace all words by invented ones, where a seed is given."""
    if seed is None:
        return trajectories
    stage("inventing words")
    scrambler = Scrambler(seed)
    return [scrambler.trajectory(trajectory) for trajectory in trajectories]


def learn_from(
    trajectories: Sequence[Trajectory],
    reasoner: ReasonerName,
    budget: Budget,
    stage: Callable[[str], None],
    method: Method | None = None,
    ablated: frozenset[Part] = frozenset(),
) -> tuple[Learned, Filled | None]:
    """Learn, with a model where one is named; also return what it added."""
    method = method or Method()
    stage("learning")
    similarity = _similarity()
    if not trajectories:
        return Learned(), None
    known = None if "ontology" in ablated else similarity
    learned = learn(
        trajectories,
        known,
        method.theta_dup,
        method.theta_sim,
        method.k_vocab,
        without=ablated,
    )
    if reasoner.mode == "symbolic":
        return learned, None
    return _with_model(learned, trajectories, reasoner, budget, similarity, stage)


def _with_model(
    learned: Learned,
    trajectories: Sequence[Trajectory],
    name: ReasonerName,
    budget: Budget,
    similarity: TextSimilarity,
    stage: Callable[[str], None],
) -> tuple[Learned, Filled]:
    """Let a model fill the gaps; what symbols learned is all there, whatever it answers."""
    client = make_client(name, timeout=budget.timeout)
    lexicon = learned.lexicon
    if client is None or lexicon is None:
        return learned, Filled()
    reasoner = make_reasoner(name, client, SymbolicReasoner(lexicon, similarity), lexicon)
    return fill_gaps(
        learned,
        trajectories,
        reasoner,
        maker=name.model,
        budget=budget,
        progress=lambda done, of: stage(f"asking {name.model} about task {done + 1} of {of}"),
    )


def start_empty(root: Path, domain: str, settings: Mapping[str, Any]) -> None:
    """Make a library in which nothing is known yet; it appears complete or not at all.

    Raises:
        LibraryError: The folder cannot be written, or is there and not empty.
    """
    place = _beside(root)
    try:
        Library.create(place, domain=domain, embedding=DEFAULT_EMBEDDING, settings=settings)
        _move(place, root)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def is_new(root: Path, domain: str) -> bool:
    """Say whether there is no library in a folder yet.

    Raises:
        LibraryError: There is something else, or a library of another domain.
    """
    if not root.exists():
        return True
    if not root.is_dir():
        raise LibraryError("is a file; a library is a folder", file=root)
    if not any(root.iterdir()):
        return True
    if not (root / "library.yaml").exists():
        raise LibraryError(
            "is no library, and not empty", file=root, hint="name another or a new folder"
        )
    known = Library.open(root).settings.domain
    if known != domain:
        raise LibraryError(
            f"holds what was learned of the domain {known!r}, not of {domain!r}",
            file=root,
            hint=f"name another or a new folder, or if it is the same domain: --domain {known}",
        )
    return False


def _note_source(library: Library, record: Mapping[str, Any]) -> list[str]:
    settings = library.settings
    if settings.settings.get("learned") == record:
        return []
    noted = replace(settings, settings={**settings.settings, "learned": dict(record)})
    return library.write_all(settings=noted)


def _beside(root: Path) -> Path:
    return root.with_name(f".{root.name}.{secrets.token_hex(6)}.new")


def _move(place: Path, root: Path) -> None:
    """Put a new library in its place; an empty folder may be there, another library not."""
    try:
        os.rename(place, root)
    except OSError as error:
        if (root / "library.yaml").exists():
            raise _Overtaken(root) from error
        problem = f"cannot be put in place: {error.strerror}"
        hint = "empty the folder, or name another one"
        raise LibraryError(problem, file=root, hint=hint) from error
