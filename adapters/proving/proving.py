"""Proving a library: what it reproduces of demonstrations, as it is and held out by folds."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from ...procedures.common.errors import DataError, TrajectoryError
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.learning.proved import keep_proved
from ...procedures.learning.taught import TAUGHT, read_taught
from ...procedures.library.library import Library
from ...procedures.local.private import PrivateFolder
from ...procedures.proof.folds import folds_of, sample_of, sample_within
from ...procedures.proof.predictions import PredictedStep, Prediction, Shown
from ...procedures.proof.proof import EpisodeProof, Proof, Share, prove
from ...procedures.tooling.buffer import EpisodeBuffer
from ...procedures.tooling.tool_episodes import ToolEpisode, worth_learning
from ...procedures.tooling.tool_learner import BUFFER
from .proving_report import LibraryProof
from .proving_subjects import Subject

__all__ = ["FOLDS", "Watch", "prove_lesson", "prove_library"]

FOLDS = 5
"""Folds by which demonstrations are held out."""
_SAMPLE = 100
"""Most demonstrations that are proved after learning."""
_SAMPLED_ACTIONS = 800
"""Most actions that these have together: at 2 ms each, searches through many places, under 2 s."""


class Watch(Protocol):
    """Told what is being done and how far it is; a progress bar is one."""

    def __call__(self, done: int, of: int) -> None:
        """Show that so many are done."""
        ...

    def stage(self, text: str) -> None:
        """Say what is being done now."""
        ...


class _Unwatched:
    def __call__(self, done: int, of: int) -> None:
        pass

    def stage(self, text: str) -> None:
        pass


def prove_library(
    path: Path | str,
    episodes: Sequence[Trajectory] | Sequence[ToolEpisode] | None = None,
    folds: int = FOLDS,
    limit: int | None = None,
    seed: int = 0,
    progress: Watch | None = None,
) -> LibraryProof:
    """Prove a library on demonstrations: as it is, and held out by folds.

    Args:
        path: The library's folder.
        episodes: The demonstrations; by default those that the library keeps, and then what came
            of it is kept beside it, unless the sample is small.
        folds: How many folds; 0 holds nothing out.
        limit: Prove a random sample of so many; folds are learned from all.
        seed: Of folds and sample.
        progress: Told how far it is.

    Raises:
        DataError: There is no demonstration.
        LibraryError: The folder is no valid library.
        TrajectoryError: What it keeps cannot be read.
    """
    library = Library.open(path)
    subject, left_out = _subject(library, episodes)
    chosen = sample_of(len(subject.episodes), limit, seed)
    proof = _proved(subject, left_out, chosen, folds, seed, progress or _Unwatched())
    if episodes is None and len(chosen) >= min(_SAMPLE, len(subject.episodes)):
        keep_proved(library.path, proof.summary)
    return proof


def prove_lesson(path: Path | str) -> LibraryProof:
    """Prove what was just learned on a sample of what it was learned from; nothing is held out.

    The sample is small and the same each time, so that learning takes hardly longer.

    Raises:
        MaclaError: As :func:`prove_library`.
    """
    library = Library.open(path)
    subject, left_out = _subject(library, None)
    sizes = [len(subject.shown(each)) for each in subject.episodes]
    chosen = sample_within(sizes, _SAMPLE, _SAMPLED_ACTIONS)
    proof = _proved(subject, left_out, chosen, 0, 0, _Unwatched())
    keep_proved(library.path, proof.summary)
    return proof


def _subject(
    library: Library, episodes: Sequence[Trajectory] | Sequence[ToolEpisode] | None
) -> tuple[Subject[Any], int]:
    """Return what is proved, and how many runs are left out since they failed."""
    if episodes is not None:
        runs = [each for each in episodes if isinstance(each, ToolEpisode)]
        if runs:
            from .proving_tools import redacted

            return _tools(library, redacted(runs))
        return _texts(library, [each for each in episodes if isinstance(each, Trajectory)])
    calling = any(each.tools is not None for each in library.programs.values())
    kept = EpisodeBuffer(library.path, BUFFER).load()
    if kept and (calling or not (library.path / TAUGHT).exists()):
        return _tools(library, kept)
    taught = read_taught(library)
    if taught is None or not taught:
        raise DataError(
            f"{library.path} keeps no demonstrations on this machine: git does not carry {TAUGHT}. "
            f"Teach it here (macla learn FILE --library {library.path}), run this where it was "
            f"taught, or prove it on a file (macla check {library.path} --proof FILE)"
        )
    return _texts(library, taught)


def _texts(library: Library, episodes: Sequence[Trajectory]) -> tuple[Subject[Any], int]:
    from .proving_texts import TextSubject

    shown = [each for each in episodes if each.success]
    if not shown:
        raise DataError(f"no demonstration: none of {len(episodes)} episodes succeeded")
    failures = [each for each in episodes if not each.success]
    return TextSubject(library, shown, failures), len(failures)


def _tools(library: Library, episodes: Sequence[ToolEpisode]) -> tuple[Subject[Any], int]:
    from .proving_tools import ToolSubject

    if not any(worth_learning(each) for each in episodes):
        raise DataError(f"no demonstration: none of {len(episodes)} runs called a tool and worked")
    return ToolSubject(library, episodes), 0


def _proved(
    subject: Subject[Any],
    left_out: int,
    chosen: Sequence[int],
    folds: int,
    seed: int,
    watch: Watch,
) -> LibraryProof:
    started = time.perf_counter()
    library = subject.library
    total = len(chosen) * (1 if folds < 1 or len(subject.episodes) < 2 else 2)
    done = 0

    def another() -> None:
        nonlocal done
        done += 1
        watch(done, total)

    watch.stage("proving")
    actions = subject.actions()
    with subject.opened(library.path) as predictor:
        here = Proof(tuple(prove(_items(subject, chosen), predictor, another)), actions)
    held_out, floor = None, None
    parts: list[list[int]] = []
    if folds > 0 and len(subject.episodes) > 1:
        parts = folds_of(len(subject.episodes), folds, seed)
        proved: list[EpisodeProof] = []
        reproduced = 0
        for number, fold in enumerate(parts, 1):
            asked = sorted(set(fold) & set(chosen))
            if not asked:
                continue
            watch.stage(f"fold {number} of {len(parts)}")
            others = _without(subject.episodes, fold)
            proved += _held_out(subject, others, asked, another)
            reproduced += _on_the_floor(subject, others, asked)
        held_out = Proof(tuple(sorted(proved, key=lambda each: each.position)), actions)
        floor = Share(reproduced, len(chosen))
    return LibraryProof(
        library=library.path,
        library_hash=library.content_hash,
        kind=subject.kind,
        demonstrations=len(subject.episodes),
        left_out=left_out,
        here=here,
        held_out=held_out,
        folds=len(parts),
        floor=floor,
        seconds=time.perf_counter() - started,
    )


def _items(subject: Subject[Any], positions: Sequence[int]) -> list[tuple[int, str, Any]]:
    episodes = subject.episodes
    return [(each, subject.task(episodes[each]), episodes[each]) for each in positions]


def _without(episodes: Sequence[Any], fold: Sequence[int]) -> list[Any]:
    gone = set(fold)
    return [each for position, each in enumerate(episodes) if position not in gone]


def _held_out(
    subject: Subject[Any], others: Sequence[Any], asked: Sequence[int], another: Callable[[], None]
) -> Sequence[EpisodeProof]:
    """Learn from the others in a temporary folder, and prove the fold."""
    items = _items(subject, asked)
    with PrivateFolder(Path(tempfile.gettempdir()), "macla-prove-") as own:
        folder = own.path / "library"
        try:
            subject.learned(folder, others)
        except TrajectoryError as error:
            return prove(items, _Ignorant(subject, str(error)), another)
        with subject.opened(folder) as predictor:
            return prove(items, predictor, another)


def _on_the_floor(subject: Subject[Any], others: Sequence[Any], asked: Sequence[int]) -> int:
    """Return how many of a fold the nearest of the others reproduces, re-bound."""
    try:
        same = subject.floor(others)
    except DataError:
        return 0
    return sum(same(subject.episodes[position]) for position in asked)


class _Ignorant:
    """Predicts nothing, for nothing could be learned."""

    def __init__(self, subject: Subject[Any], because: str) -> None:
        self._subject = subject
        self._because = because

    def begin(self, episode: Any) -> Sequence[Shown]:
        return self._subject.shown(episode)

    def predict(self, shown: Shown) -> Prediction:
        return Prediction(None, because=self._because)

    def observe(self, step: PredictedStep) -> None:
        pass
