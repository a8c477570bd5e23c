"""A library as an agent's memory: recall, outcomes and learning behind one lock."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from langgraph.types import interrupt

from ...procedures.common.clock import now
from ...procedures.common.closable import Closing
from ...procedures.common.errors import (
    DanglingReferenceError,
    LedgerError,
    LibraryError,
    MaclaError,
    Skip,
)
from ...procedures.evidence.ledger import Outcome, OutcomeKind
from ...procedures.index.procedure_index import Hit
from ...procedures.library.library import Library
from ...procedures.programs.documents import DEFAULT_STATUS, ProgramFile
from ...procedures.proposals.policy import Policy
from ...procedures.redaction.redactor import Redactor
from ...procedures.tooling.acceptance import accept
from ...procedures.tooling.program_run import ToolProgram
from ...procedures.tooling.recall import ProgramRecall
from ...procedures.tooling.renamed_arguments import renamed_arguments
from ...procedures.tooling.stops import clearing, stopping
from ...procedures.tooling.tool_episodes import ToolEpisode
from ...procedures.tooling.tool_learner import ToolLearner, calls_tools
from ..embeddings import DEFAULT_EMBEDDING
from ..session import LibrarySession
from ..submitting import policy_of, submitter

_LOG = logging.getLogger(__name__)


class AgentMemory(Closing):
    """A library opened for an agent. Thread-safe; a context manager.

    Attributes:
        session: The open library.
        programs: Recall of programs.
    """

    def __init__(
        self,
        session: LibrarySession,
        *,
        redact: Redactor | Literal["default"] | None = "default",
        policy: Policy | None = None,
    ) -> None:
        self.session = session
        self._policy = policy
        self._lock = threading.RLock()
        if redact == "default":
            redact = Redactor.of_machine()
        self._redact = redact
        self._learner: ToolLearner | None = None
        self.programs = ProgramRecall(session.library, session.ledger, session.index)
        self._indexed = False
        self._hand_over()

    def _hand_over(self) -> None:
        """Learn programs where an earlier version of macla wrote procedures of tool calls."""
        library = self.session.library
        if self.programs.programs or not any(map(calls_tools, library.procedures.values())):
            return
        try:
            self.learn([])
        except MaclaError as error:
            _LOG.warning("no programs are learned from the runs that are kept: %s", error)
        _LOG.warning(
            "%s holds procedures of an earlier macla that call tools; the model acts in their "
            "place, and programs, %d by now, which are learned from its runs",
            library.path,
            len(self.programs.programs),
        )

    @classmethod
    def open(
        cls,
        library: LibrarySession | Path | str | AgentMemory,
        *,
        redact: Redactor | Literal["default"] | None = "default",
        policy: Policy | None = None,
        partly: bool = False,
    ) -> AgentMemory:
        """Open a library's folder, and make one if there is none.

        A library in a place that cannot be written is opened for reading: nothing is learned.

        Args:
            library: The folder, an open session, or a memory, which is returned as it is.
            redact: Keeps secrets out of what is learned; None switches that off.
            policy: How refinements get into the library; see
                :func:`~macla.adapters.submitting.submitter`.
            partly: Whether to go on without documents that are wrong; each is warned of once.

        Raises:
            LibraryError: The folder holds a library that is not valid, or cannot be made.
        """
        if isinstance(library, AgentMemory):
            return library
        if isinstance(library, LibrarySession):
            return cls(library, redact=redact, policy=policy)
        if not str(library).strip():
            raise LibraryError("the name of the library's folder is empty")
        path = Path(library)
        if not (path / "library.yaml").exists():
            _create(path)
        skip = _Warning() if partly else None
        try:
            session = LibrarySession.open(path, skip=skip)
        except LedgerError as error:
            session = LibrarySession.open(path, read_only=True, skip=skip)
            _LOG.warning("%s; the library is opened for reading only", error)
        return cls(session, redact=redact, policy=policy)

    def refresh(self) -> None:
        """Take in what changed in the library since."""
        try:
            with self._lock:
                if self.programs.refresh():
                    self._indexed = False
        except MaclaError as error:
            # What is known already stays in use.
            _LOG.warning("the library cannot be read again: %s", error)

    def search(self, text: str, k: int) -> list[Hit]:
        """Return the procedures, programs and plans of the library that are nearest to a text.

        Raises:
            IndexFailure: The index can neither be searched nor built.
        """
        self._sync()
        return self.session.index.search(text, k)

    def _sync(self) -> None:
        with self._lock:
            if not self._indexed:
                self.session.sync_index()
                self._indexed = True

    def near(self, task: str, k: int) -> Sequence[ProgramFile]:
        """Return programs near a task; none where the index cannot be had."""
        if not self.programs.programs:
            return ()
        try:
            self._sync()
            return self.programs.near(task, k)
        except MaclaError as error:
            _LOG.warning("there is no guidance: %s", error)
            return ()

    def program_for(self, task: str) -> ToolProgram | None:
        """Return the program that acts on a task; see :meth:`ProgramRecall.program_for`."""
        return self.programs.program_for(task)

    def reads(self, task: str) -> bool:
        """Whether a task is one that was learned, drafts as well."""
        return bool(self.programs.reading(task))

    def renamed(self, args: Iterable[str], schema: Mapping[str, Any] | None) -> Mapping[str, str]:
        """Return the names that arguments probably have in a tool's present schema."""
        try:
            return renamed_arguments(
                args, schema, self.session.similarity, self.programs.method.theta_sim
            )
        except MaclaError as error:
            _LOG.warning("changed tools are not compared: %s", error)
            return {}

    def record(
        self,
        run: str,
        program: ProgramFile,
        outcome: OutcomeKind,
        context: Mapping[str, Any] | str,
        heard: Iterable[Any] = (),
        *,
        step: int = 0,
        own: bool = False,
    ) -> None:
        """Record how a run of a program ended; once, however often it is said.

        Args:
            run: Name of the run.
            program: What ran.
            outcome: How it ended.
            context: Why, or whatever else belongs to it; secrets are taken out.
            heard: What was said in the run: a secret in it is one in the context, too.
            step: Place in the run, where more than its end is recorded.
            own: Whether memory says so itself: that it went well then raises nothing.
        """
        good, bad = outcome.of_program
        details = {"because": context} if isinstance(context, str) and context else context or {}
        row = Outcome(
            run=run,
            step=step,
            subject_kind="program",
            subject=program.id,
            version=program.version,
            outcome=outcome,
            successes=0.0 if own else good,
            failures=bad,
            at=now(),
            context=self.without_secrets(details, heard),
        )
        try:
            self.programs.record([row])
        except LedgerError as error:
            _LOG.warning("an outcome of %s was not recorded: %s", program.ref, error)

    def stop(self, program: ProgramFile, run: str, because: str, note: str = "") -> None:
        """Let a program do nothing until a person clears it; see :meth:`accept`."""
        details = {"because": because, **({"note": note} if note else {})}
        try:
            self.programs.record([stopping(program, run, self.without_secrets(details))])
        except LedgerError as error:
            _LOG.warning("that %s is to stop was not recorded: %s", program.ref, error)
        clears = f"accept({program.id!r}) lets it act again"
        _LOG.warning("%s is stopped: %s; %s", program.ref, because, clears)
        self.refresh()

    def judge(
        self,
        run: str,
        ref: str | None,
        *,
        ok: bool,
        note: str = "",
        shown: ToolEpisode | None = None,
    ) -> list[str]:
        """Take a verdict on a run, whoever did it.

        A program that spoke in it is stopped if it did wrong. What the model did wrong demonstrates
        nothing any more; a program that would still do just that is stopped, too.

        Args:
            run: Name of the run; empty if only ``shown`` tells which.
            ref: The program that spoke, if it is known; else it is looked up in the ledger.
            ok: Whether it did right.
            note: Why, for people.
            shown: What was done, where the run's name is not known.

        Returns:
            ``id@version`` of the programs that the verdict is about: that spoke in the run, or that
            were learned from it.

        Raises:
            DanglingReferenceError: Nothing is known of such a run.
            TrajectoryError: The runs kept beside the library cannot be read.
        """
        self.refresh()
        names = [ref.partition("@")[0]] if ref is not None else self._in_run(run)
        if shown is None and not names and not self._is_kept(run):
            raise DanglingReferenceError(
                f"nothing is known of a run {run[:100]!r}",
                file=self.session.library.path,
                hint="give what invoke returned, or the run's name "
                "(response_metadata['macla']['run'] of a message of memory)",
            )
        programs = self.session.library.programs  # of worlds of text, too
        files = [programs[name] for name in names if name in programs]
        for file in files:
            outcome = OutcomeKind.SUCCESS if ok else OutcomeKind.POSTCONDITION_FAILED
            self.record(f"verdict/{run}", file, outcome, {"note": note} if note else {})
            if not ok:
                self.stop(file, run, "a verdict said that it did wrong", note)
            elif self._stopped_by(run, file):
                self.programs.record([clearing(file, f"run {run} was right")])
        why = "a verdict said that what it does is wrong"
        concerned = [*files, *self._withdrawn(run, shown, why, ok=ok, note=note)]
        self.refresh()
        return list(dict.fromkeys(file.ref for file in concerned))

    def suspect(
        self, run: str, ref: str | None, shown: ToolEpisode | None, because: str, note: str
    ) -> None:
        """Let what was done in a run not be done again, until a person clears it.

        Args:
            run: Name of the run.
            ref: The program that spoke in it, if one did.
            shown: What was done, if tools were called.
            because: Why.
            note: What was said of it.
        """
        file = self.programs.file(ref.partition("@")[0]) if ref is not None else None
        if file is not None:
            self.stop(file, run, because, note)
        self._withdrawn(run, shown, because, ok=False, note=note)

    def _withdrawn(
        self, run: str, shown: ToolEpisode | None, because: str, *, ok: bool, note: str
    ) -> list[ProgramFile]:
        """Learn no more from a run that went wrong, or again; return the programs of its kind."""
        if shown is not None and self._redact is not None:
            (shown,) = self._redact.episodes([shown])
        names = self._names_of(run)

        def is_meant(episode: ToolEpisode) -> bool:
            if shown is None or episode.id in names:
                return episode.id in names
            return (episode.task, episode.calls, episode.answer) == (
                shown.task,
                shown.calls,
                shown.answer,
            )

        try:
            with self._lock:
                runs, _ = self._learning().judge(is_meant, success=ok)
        except MaclaError as error:
            _LOG.warning("the verdict on run %s changes no program: %s", run, error)
            return []
        before = {p.file.id: p for each in runs for p in self.programs.reading(each.task)}
        self.refresh()
        concerned: list[ProgramFile] = []
        for name, program in sorted(before.items()):
            matching = [each for each in runs if program.reads(each.task)]
            concerned.append(program.file)
            current = self.programs.programs.get(name)
            repeating = [e for e in matching if current is not None and _would_do(current, e)]
            if current is not None and not ok and repeating:
                self.stop(current.file, repeating[0].id, because, note)
            elif (
                current is not None
                and ok
                and any(self._stopped_by(e.id, current.file) for e in matching)
            ):
                self.programs.record([clearing(current.file, f"run {matching[0].id} was right")])
        return concerned

    def _names_of(self, run: str) -> set[str]:
        """Return the names by which a run may be kept: secrets are taken out of them."""
        return {run, self.without_secrets(run)} - {""}

    def _is_kept(self, run: str) -> bool:
        with self._lock:
            return self._learning().keeps(self._names_of(run))

    def _in_run(self, run: str) -> list[str]:
        rows = self.session.ledger.rows("program", run=run)
        return list(dict.fromkeys(row.subject for row in rows))

    def _stopped_by(self, run: str, file: ProgramFile) -> bool:
        """Whether a program is stopped, and by nothing but a run."""
        rows = list(self.session.ledger.rows("stop", file.id))
        cleared = [n for n, row in enumerate(rows) if row.outcome is OutcomeKind.SUCCESS]
        since = rows[cleared[-1] + 1 if cleared else 0 :]
        return bool(since) and all(row.run == run for row in since)

    def without_secrets(self, value: Any, heard: Iterable[Any] = ()) -> Any:
        """Return a nested value as it may be kept; what is secret in ``heard`` is so in it."""
        return value if self._redact is None else self._redact.value(value, heard=heard)

    def learn(self, episodes: Iterable[ToolEpisode], skip: Skip | None = None) -> list[str]:
        """Learn from episodes, secrets taken out.

        Args:
            episodes: The runs.
            skip: Told of each run that cannot be kept and each program that does not fit, which
                are left out; logged by default.

        Returns:
            Names of the files that changed.

        Raises:
            LibraryError: The library cannot be written.
            TrajectoryError: The runs kept beside the library cannot be read.
        """
        runs = list(episodes)
        if self._redact is not None:
            runs = self._redact.episodes(runs)
        with self._lock:
            changed = self._learning().add_all(runs, skip)
            if changed:
                self.refresh()
        return changed

    def _learning(self) -> ToolLearner:
        """Return the learner, which is made when it is needed first."""
        if self._learner is None:
            session = self.session
            policy = self._policy or policy_of(session.library)
            submit = None
            if policy != "auto":
                submit = submitter(session.library, session.ledger, policy, ask=interrupt)
            self._learner = ToolLearner(session.library, submit)
        return self._learner

    def accept(self, *names: str) -> list[str]:
        """Let programs do what they do by themselves, on the word of a person.

        A program that was stopped acts again only if it is named; else a warning says that it does
        not.

        Args:
            names: Their ids; none for all that wait and are not stopped.

        Returns:
            ``id@version`` of the programs that a person accepts by this.

        Raises:
            DanglingReferenceError: There is no such program.
            LibraryError: The library cannot be written.
        """
        with self._lock:
            refs = accept(self.session.library, self.session.ledger, names)
        self.refresh()
        if not names:
            self._warn_of_stopped()
        return refs

    def _warn_of_stopped(self) -> None:
        for name, because in self.programs.stopped.items():
            if name in self.programs.programs:  # not of one that is gone or retired
                clears = f"accept({name!r}) lets it act again"
                _LOG.warning("%s stays stopped: %s; %s", name, because, clears)

    @property
    def removed(self) -> Sequence[str]:
        """Ids of what went for want of room while this memory learned."""
        return () if self._learner is None else tuple(self._learner.removed)

    def close(self) -> None:
        """Close the library."""
        self.session.close()


class _Warning:
    """Warns of each document that is left out, once."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def __call__(self, error: MaclaError) -> None:
        if str(error) not in self._told:
            self._told.add(str(error))
            _LOG.warning(
                "left out: %s; the agent goes on without it, and runs are kept but nothing is "
                "learned from them until the file is mended (macla check)",
                error,
            )


def _create(path: Path) -> None:
    """Make a library; another process may make the same one at the same time."""
    try:
        Library.create(path, domain="tools", embedding=DEFAULT_EMBEDDING)
    except LibraryError:
        if not (path / "library.yaml").exists():
            raise


def _would_do(program: ToolProgram, run: ToolEpisode) -> bool:
    """Whether a program that acts would make all the calls that were made, and say nothing else."""
    if program.file.status != DEFAULT_STATUS or not program.reads(run.task):
        return False
    divergence = program.divergence(run)
    # What it leaves to the model it does not do; that may be the answer, but no call.
    return divergence is None or (divergence.abstains and divergence.number > len(run.calls))
