"""A library as an agent's memory: recall, outcomes and learning behind one lock."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

from langgraph.types import interrupt

from ...procedures.clock import now
from ...procedures.closing import Closing
from ...procedures.errors import LedgerError, LibraryError, MaclaError
from ...procedures.index import Hit
from ...procedures.ledger import Outcome, OutcomeKind
from ...procedures.library import Library
from ...procedures.model import Procedure
from ...procedures.proposals.model import Proposal
from ...procedures.proposals.policy import Policy
from ...procedures.proposals.store import Placed
from ...procedures.tooling.episodes import ToolEpisode
from ...procedures.tooling.learner import ToolLearner, ToolLearnerSettings
from ...procedures.tooling.memory import ToolMemory
from ...procedures.tooling.recall import ProgramRecall
from ...procedures.tooling.renaming import renamed_arguments
from ...procedures.tooling.running import ToolProgram
from ..embeddings import DEFAULT_EMBEDDING
from ..session import LibrarySession, index_entries
from ..submitting import submitter
from .redaction import Redactor

__all__ = ["AgentMemory"]

_LOG = logging.getLogger(__name__)
_CHARGED = {
    OutcomeKind.SUCCESS: (1.0, 0.0),
    OutcomeKind.EXECUTION_FAILED: (0.0, 1.0),
    OutcomeKind.POSTCONDITION_FAILED: (0.0, 1.0),
}
"""What outcomes add to successes and failures; the others charge nobody."""


class Named(Protocol):
    """What an outcome is recorded for."""

    @property
    def id(self) -> str:
        """Its name."""
        ...

    @property
    def version(self) -> int:
        """Its version."""
        ...

    @property
    def ref(self) -> str:
        """Both."""
        ...


class AgentMemory(Closing):
    """A library opened for an agent. Thread-safe; a context manager.

    Attributes:
        session: The open library.
        tools: Recall of procedures.
        programs: Recall of programs.
    """

    def __init__(
        self,
        session: LibrarySession,
        *,
        redact: Redactor | Literal["default"] | None = "default",
        settings: ToolLearnerSettings | None = None,
        policy: Policy | None = None,
    ) -> None:
        self.session = session
        self._policy = policy
        self._submit: Callable[[Proposal], Placed] | None = None
        self._lock = threading.RLock()
        if redact == "default":
            redact = Redactor.of(session.library.path / ".macla")
        self._redact = redact
        self._settings = settings
        self._learner: ToolLearner | None = None
        self.tools = ToolMemory(session.library, session.ledger, session.index)
        self.programs = ProgramRecall(session.library.path)
        self.programs.refresh()
        self._indexed = False
        self._theta_sim = session.method.theta_sim

    @classmethod
    def open(
        cls,
        library: LibrarySession | Path | str | AgentMemory,
        *,
        redact: Redactor | Literal["default"] | None = "default",
        settings: ToolLearnerSettings | None = None,
        policy: Policy | None = None,
    ) -> AgentMemory:
        """Open a library's folder, and make one if there is none.

        A library in a place that cannot be written is opened for reading: nothing is learned.

        Args:
            library: The folder, an open session, or a memory, which is returned as it is.
            redact: Keeps secrets out of what is learned; None switches that off.
            settings: How much to keep and when to trust.
            policy: How refinements get into the library; see
                :func:`~macla.adapters.submitting.submitter`.

        Raises:
            LibraryError: The folder holds a library that is not valid, or cannot be made.
        """
        if isinstance(library, AgentMemory):
            return library
        if isinstance(library, LibrarySession):
            return cls(library, redact=redact, settings=settings, policy=policy)
        if not str(library).strip():
            raise LibraryError("the name of the library's folder is empty")
        path = Path(library)
        if not (path / "library.yaml").exists():
            _create(path)
        try:
            session = LibrarySession.open(path)
        except LedgerError as error:
            session = LibrarySession.open(path, read_only=True)
            _LOG.warning("%s; the library is opened for reading only", error)
        return cls(session, redact=redact, settings=settings, policy=policy)

    def refresh(self) -> None:
        """Take in what changed in the library since."""
        try:
            with self._lock:
                self.programs.refresh()
                if self.tools.refresh():
                    self._indexed = False
        except MaclaError as error:
            # What is known already stays in use.
            _LOG.warning("the library cannot be read again: %s", error)

    def search(self, text: str, k: int) -> list[Hit]:
        """Return the procedures and plans of the library that are nearest to a text.

        Raises:
            IndexFailure: The index can neither be searched nor built.
        """
        self._sync()
        return self.session.index.search(text, k)

    def _sync(self) -> None:
        with self._lock:
            if not self._indexed:
                self.session.index.sync(list(index_entries(self.session.library)))
                self._indexed = True

    def near(self, task: str, k: int) -> Sequence[Procedure]:
        """Return procedures near a task; none where the index cannot be had."""
        if not self.tools.procedures:
            return ()
        try:
            self._sync()
            return self.tools.near(task, k)
        except MaclaError as error:
            _LOG.warning("there is no guidance: %s", error)
            return ()

    def program_for(self, task: str, context: str) -> tuple[ToolProgram, Named] | None:
        """Return the program of a task, and what it is charged as; None where none is learned.

        Raises:
            LookupError: There are several, or evidence speaks against it: the model is to act.
        """
        programs = self.programs.reading(task)
        if not programs:
            return None
        if len(programs) > 1:
            raise LookupError(f"{len(programs)} programs read the task")
        charged = self.tools.charged(programs[0].id, task, context)
        return None if charged is None else (programs[0], charged)

    def renamed(self, args: Iterable[str], schema: Mapping[str, Any] | None) -> Mapping[str, str]:
        """Return the names that arguments probably have in a tool's present schema."""
        try:
            return renamed_arguments(args, schema, self.session.similarity, self._theta_sim)
        except MaclaError as error:
            _LOG.warning("changed tools are not compared: %s", error)
            return {}

    def record(
        self,
        run: str,
        procedure: Named,
        outcome: OutcomeKind,
        context: Mapping[str, Any] | str,
        heard: Iterable[Any] = (),
    ) -> None:
        """Record how a run of a procedure ended; once, however often it is said.

        Args:
            run: Name of the run.
            procedure: What ran.
            outcome: How it ended.
            context: Why, or whatever else belongs to it; secrets are taken out.
            heard: What was said in the run: a secret in it is one in the context, too.
        """
        good, bad = _CHARGED.get(outcome, (0.0, 0.0))
        told = {"because": context} if isinstance(context, str) and context else context or {}
        row = Outcome(
            run=run,
            step=0,
            subject_kind="procedure",
            subject=procedure.id,
            version=procedure.version,
            outcome=outcome,
            successes=good,
            failures=bad,
            at=now(),
            context=self.without_secrets(told, heard),
        )
        try:
            self.tools.record([row])
        except LedgerError as error:
            _LOG.warning("an outcome of %s was not recorded: %s", procedure.ref, error)

    def without_secrets(self, value: Any, heard: Iterable[Any] = ()) -> Any:
        """Return a nested value as it may be kept; what is secret in ``heard`` is so in it."""
        return value if self._redact is None else self._redact.value(value, heard=heard)

    def learn(self, episodes: Iterable[ToolEpisode], *, evidence: bool = True) -> list[str]:
        """Learn from episodes, secrets taken out.

        Returns:
            Names of the files that changed.

        Raises:
            LibraryError: The library cannot be written.
            TrajectoryError: An episode cannot be kept.
        """
        told = list(episodes)
        if self._redact is not None:
            told = [self._redact.episode(each) for each in told]
        with self._lock:
            if self._learner is None:
                self._learner = ToolLearner(
                    self.session.library, self.session.ledger, self._settings
                )
            changed = self._learner.add_all(told, evidence=evidence)
            changed += self._refine(self._learner)
            self.programs.refresh()
            if changed:
                self.refresh()
        return changed

    @property
    def removed(self) -> Sequence[str]:
        """Ids of what went for want of room while this memory learned."""
        return () if self._learner is None else tuple(self._learner.removed)

    def _refine(self, learner: ToolLearner) -> list[str]:
        """Send refinements on their way; return the files that changed at once."""
        changed: list[str] = []
        for proposal in learner.refinements():
            if self._submit is None:
                session = self.session
                self._submit = submitter(
                    session.library, session.ledger, self._policy, ask=interrupt
                )
            try:
                placed = self._submit(proposal)
            except MaclaError as error:
                _LOG.warning("%s was not proposed: %s", proposal.title, error)
                continue
            if placed.note == "accepted":
                changed += learner.refined(proposal.target.id)
        return changed

    def close(self) -> None:
        """Close the library."""
        self.session.close()


def _create(path: Path) -> None:
    """Make a library; another process may make the same one at the same time."""
    try:
        Library.create(path, domain="tools", embedding=DEFAULT_EMBEDDING)
    except LibraryError:
        if not (path / "library.yaml").exists():
            raise
