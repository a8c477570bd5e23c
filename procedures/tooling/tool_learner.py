"""Learn programs from runs of tool-calling agents, and keep a library up to date with them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from ..common.errors import MaclaError, Skip, TrajectoryError
from ..learning.quarantine import log_skipped
from ..library.library import Library
from ..method.settings import Method
from ..model.procedure import Procedure
from ..programs.documents import DEFAULT_STATUS, REASON, ProgramFile
from ..proposals.proposal import Proposal, make_proposal
from ..proposals.proposal_store import Placed
from .buffer import EpisodeBuffer, line_of
from .program_of_kind import LEAST_RUNS
from .register import Register
from .task_kinds import Kinds
from .tool_episodes import ToolEpisode, require_learnable

BUFFER = 1000
"""Most runs that are kept beside a library."""
_LOG = logging.getLogger(__name__)
Submit = Callable[[Proposal], Placed]


def calls_tools(procedure: Procedure) -> bool:
    """Whether a procedure was learned from tool calls, as macla did before it learned programs."""
    return any(step.tool is not None for step in procedure.steps)


class ToolLearner:
    """Takes runs of tool calls and keeps the library's programs up to date. Thread-safe.

    Args:
        library: Where programs go.
        submit: Takes what would act or change what acts, where somebody is to see it before.

    Attributes:
        removed: Ids of what went for want of room.

    Raises:
        TrajectoryError: The runs kept beside the library cannot be read.
    """

    def __init__(self, library: Library, submit: Submit | None = None) -> None:
        self._library = library
        self._submit = submit
        self.removed: list[str] = []
        self._waiting: dict[str, tuple[ProgramFile, str]] = {}
        self._lock = threading.RLock()
        self._buffer = EpisodeBuffer(library.path, BUFFER)
        self._register = Register()
        self._kinds = Kinds(self._buffer.load())
        self._adopt()

    def add_all(self, episodes: Iterable[ToolEpisode], skip: Skip | None = None) -> list[str]:
        """Learn from runs and write the library once; a run whose id was seen counts once.

        Args:
            episodes: The runs.
            skip: Told of each run that cannot be kept and of each program that does not fit, which
                are left out; logged by default.

        Returns:
            Names of the files that changed.

        Raises:
            TrajectoryError: The runs kept beside the library cannot be read.
            LibraryError: The library cannot be written; the runs are kept all the same.
        """
        skip = skip or log_skipped
        with self._lock, self._buffer.turn():
            learnable = [episode for episode in episodes if _can_be_kept(episode, skip)]
            news, replaced = self._buffer.add(learnable)
            if replaced:
                self._kinds = Kinds()
            for run in news:
                self._kinds.add(run)
            if replaced:
                self._library.refresh()
            self._adopt()
            return self._write(skip) if self._kinds.stirred() or self._waiting else []

    def keeps(self, ids: Collection[str]) -> bool:
        """Whether a run with one of these ids is kept, whatever became of it.

        Raises:
            TrajectoryError: The runs kept beside the library cannot be read.
        """
        return self._buffer.holds(ids)

    def judge(
        self, concerns: Callable[[ToolEpisode], bool], *, success: bool
    ) -> tuple[list[ToolEpisode], list[str]]:
        """Take a verdict on kept runs: of one that went wrong nothing is learned any more.

        Args:
            concerns: Tells which runs the verdict is about.
            success: The verdict.

        Returns:
            The runs of which it was not known, and the names of the files that changed.

        Raises:
            TrajectoryError: The runs kept beside the library cannot be read or written.
            LibraryError: The library cannot be written.
        """
        with self._lock, self._buffer.turn():
            runs = self._buffer.judge(concerns, success=success)
            if not runs:
                return [], []
            self._library.refresh()
            self._kinds = Kinds(self._buffer.load())
            self._adopt()
            self._kinds.doubt(runs, self._register)
            return runs, self._write(log_skipped) if self._kinds.stirred() else []

    def _adopt(self) -> None:
        """Take over programs that this learner does not know: other processes learned them."""
        changed = self._register.follow(self._library.programs)
        self._kinds.adopt(self._register, changed)

    def _write(self, skip: Skip) -> list[str]:
        library = self._library
        library.refresh()
        if not library.is_whole:  # what cannot be read may be what these runs teach
            return []
        self._adopt()
        room = Method.from_settings(library.settings.settings).procedures
        news = self._kinds.news(library.contents, room)
        removed_ids = set(news.gone)
        files: list[ProgramFile] = []
        for file in map(self._settled, news.files):
            draft = news.replaced.get(file.id, "")
            if self._submit is not None and self._waits(file):
                self._waiting[file.id] = file, draft
            else:
                files.append(file)
                removed_ids.add(draft)
        removed_ids = {
            n for n in removed_ids & library.programs.keys() if not library.programs[n].locked
        }
        changed: list[str] = []
        if files or removed_ids:
            changed = library.write_all(
                programs=files, remove=removed_ids, respect_locks=True, skip=skip
            )
            self._register.follow(library.programs)
        self.removed += sorted(removed_ids - set(news.replaced.values()))
        for name, (file, draft) in list(self._waiting.items()):
            changed += self._proposed(file, draft)  # an interrupt comes back here with the answer
            del self._waiting[name]
        return changed

    def _settled(self, file: ProgramFile) -> ProgramFile:
        """Return a program as it goes into the library: a person's verdict stays."""
        current = self._library.programs.get(file.id)
        if current is None:
            return file
        drafted_by_person = current.status == "draft" and REASON not in current.provenance
        keeps_status = current.status == "retired" or (
            drafted_by_person and current.runs >= LEAST_RUNS and self._submit is None
        )
        return replace(file, status=current.status) if keeps_status else file

    def _waits(self, file: ProgramFile) -> bool:
        """Whether somebody is to see a program before it is written."""
        current = self._library.programs.get(file.id)
        acts, acted = (f is not None and f.status == DEFAULT_STATUS for f in (file, current))
        if current is None or not current.does_the_same(file):
            return (acts or acted) and not (current and current.locked)
        return acts and not acted and not current.locked

    def _proposed(self, file: ProgramFile, draft: str) -> list[str]:
        """Send a program, in the place of a draft, on its way; return files changed at once."""
        assert self._submit is not None  # noqa: S101 (else nothing waits)
        current = self._library.programs.get(file.id)
        draft_file = self._library.programs.get(draft)
        if current is not None:
            file = replace(file, version=current.version + 1)
        file = file.as_accepted() if file.status == DEFAULT_STATUS else file
        origin = file.provenance["learned_from"]
        proposal = make_proposal(
            "new" if current is None else "refine",
            f"Learned from {origin} of an agent."
            if current is None or current.status != DEFAULT_STATUS
            else f"Learned anew: {origin} show what the program does not do so far.",
            target=file.id,
            old=[each.to_document() for each in (current, draft_file) if each is not None],
            new=[file.to_document()],
        )
        try:
            placed = self._submit(proposal)
        except MaclaError as error:
            _LOG.warning("%s was not proposed: %s", file.id, error)
            return []
        return [f"programs/{file.id}.yaml"] if placed.note == "accepted" else []


def _can_be_kept(episode: ToolEpisode, skip: Skip) -> bool:
    try:
        require_learnable(episode)
        line_of(episode)
    except TrajectoryError as error:
        skip(TrajectoryError(f"{episode.source or 'a run'}: {error}"))
        return False
    return True
