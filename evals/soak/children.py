"""Commands of macla in processes of their own that can be killed, starved and lied to.

The parent imports what commands need once and then only forks, so that a kill hits the work and
not the start of Python. It opens no ledger and no index itself: these do not survive a fork.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import NoReturn

from ...procedures.common import clock

__all__ = ["NONE", "Child", "Ended", "Faults", "preload", "run_forked"]

_POLL = 0.003
_MODULES = (
    *("cli.learn", "cli.practising", "cli.observing", "cli.learn_sources", "cli.learn_lesson"),
    *("cli.evaluate", "cli.listing", "cli.checking", "cli.tracing", "cli.trace_decision"),
    *("cli.skills", "cli.accepting", "cli.undoing", "cli.evidence_exchange", "cli.migrating"),
    *("cli.proposals", "cli.proposals_more", "cli.proposals_edit", "cli.show_versions", "cli.git"),
    *(
        "evals.running.runner",
        "adapters.teaching.teaching",
        "adapters.teaching.reviewed_learning",
        "evals.practice.practice_loop",
        "evals.suites.suite_module",
    ),
    *("graph.build", "adapters.session", "adapters.langchain.store", "adapters.skills"),
    *("procedures.evidence.ledger_sql", "procedures.index.chroma", "procedures.library.undo"),
)
_ON_FIRST_USE = ("chromadb", "scipy.optimize", "scipy.sparse", "scipy.special")
"""What macla imports where it is used, which is in most commands here."""
_interrupted: list[bool] = []
_FAULT_OF_OURS = ("Traceback (most recent call last)", "fault in macla")


@dataclass(frozen=True, slots=True)
class Faults:
    """What a command meets.

    Attributes:
        kill_after: Seconds until SIGKILL; None: it lives.
        file_limit: Largest file that it may write, in bytes, which stands for a full disk.
        clock: Seconds by which its clock is wrong.
    """

    kill_after: float | None = None
    file_limit: int | None = None
    clock: float = 0.0


NONE = Faults()


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended.

    Attributes:
        arguments: The command line, without ``macla``.
        faults: What it met.
        code: Its exit code; negative: the signal that ended it.
        out: What it printed.
        err: What it printed to standard error.
        seconds: Wall time.
    """

    arguments: tuple[str, ...]
    faults: Faults
    code: int
    out: str
    err: str
    seconds: float

    @property
    def killed(self) -> bool:
        """Whether it was killed before it ended."""
        return self.code == -signal.SIGKILL

    @property
    def verb(self) -> str:
        """The command's name, with the name of its part where it has parts."""
        parts = self.arguments[:2]
        grouped = parts[0] in ("proposals", "evidence", "skills", "git")
        return " ".join(parts if grouped else parts[:1])

    def wrong(self) -> str:
        """Say what no command may do, whatever it meets; "" where it did nothing of it."""
        if self.code not in (0, 1, 2) and not self.killed:
            return f"ended with {self.code}"
        if any(each in self.err for each in _FAULT_OF_OURS):
            return "ended with a fault of macla's own"
        if self.code == 2 and not self.err.strip():
            return "was refused without a word"
        return ""


class Child:
    """A command that runs.

    Args:
        arguments: The command line, without ``macla``.
        faults: What it meets.
        work: What to do instead; then ``arguments`` only name it.
    """

    def __init__(
        self,
        arguments: Sequence[object],
        faults: Faults = NONE,
        work: Callable[[], None] | None = None,
    ) -> None:
        self._arguments = tuple(map(str, arguments))
        self._faults = faults
        self._process = _Forked(lambda: _done(self._arguments, work), faults)
        self._began = time.monotonic()

    def ended(self) -> Ended | None:
        """Return how it ended, or None while it runs; kills it when its time has come.

        Raises:
            KeyboardInterrupt: Ctrl-C was pressed, perhaps within a fork, which tells nobody.
        """
        if _interrupted:
            raise KeyboardInterrupt
        limit = self._faults.kill_after
        if limit is not None and time.monotonic() - self._began >= limit:
            self._process.kill()
        code = self._process.poll()
        if code is None:
            return None
        out, err = self._process.said
        seconds = time.monotonic() - self._began
        return Ended(self._arguments, self._faults, code, out, err, seconds)

    def wait(self) -> Ended:
        """Wait for its end."""
        while (ended := self.ended()) is None:
            time.sleep(_POLL)
        return ended

    def stop(self) -> None:
        """Kill it, if it runs, and wait for its end."""
        self._process.kill()
        while self._process.poll() is None:
            time.sleep(_POLL)


class _Forked:
    """A forked process whose output is read through pipes: files may be limited."""

    def __init__(self, work: Callable[[], int], faults: Faults) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        pipes = os.pipe(), os.pipe()
        self._pid = os.fork()
        if not self._pid:
            _live(work, faults, [write for _, write in pipes])
        with contextlib.suppress(OSError):  # the child does it, too: whoever is first
            os.setpgid(self._pid, self._pid)
        self._read = [(read, bytearray()) for read, _ in pipes]
        for read, write in pipes:
            os.close(write)
            os.set_blocking(read, False)
        self._code: int | None = None

    @property
    def said(self) -> tuple[str, str]:
        """What it printed to standard output and to standard error."""
        out, err = (data.decode("utf-8", "replace") for _, data in self._read)
        return out, err

    def poll(self) -> int | None:
        """Return its exit code, negative for a signal, or None while it runs."""
        if self._code is not None:
            return self._code
        pid, status = os.waitpid(self._pid, os.WNOHANG)
        for read, data in self._read:
            with contextlib.suppress(BlockingIOError):
                while part := os.read(read, 65_536):
                    data += part
        if pid:
            self._code = os.waitstatus_to_exitcode(status)
            self._await_group()
            for read, _ in self._read:
                os.close(read)
        return self._code

    def kill(self) -> None:
        """Kill it; a git that it called goes on, as it does when a command is killed."""
        if self._code is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)

    def _await_group(self) -> None:
        """Wait until what it started has ended; for a second, since a zombie looks alive."""
        until = time.monotonic() + 1.0
        with contextlib.suppress(ProcessLookupError, PermissionError):
            while time.monotonic() < until:
                os.killpg(self._pid, 0)
                time.sleep(_POLL)


def preload() -> None:
    """Import what commands need, so that a forked one begins with its work; heed Ctrl-C."""
    signal.signal(signal.SIGINT, _interrupt)
    # Below a limit of file sizes Python 3.11 leaves half a compiled file in the installation.
    sys.dont_write_bytecode = True
    for name in (*(f"macla.{each}" for each in _MODULES), *_ON_FIRST_USE):
        importlib.import_module(name)
    # Loaded once: each command would read it again.
    from ...adapters.embeddings import DEFAULT_EMBEDDING, load_embeddings

    load_embeddings(DEFAULT_EMBEDDING)


def _interrupt(*_: object) -> NoReturn:
    _interrupted.append(True)
    raise KeyboardInterrupt


def run_forked(work: Callable[[], str]) -> str:
    """Do something in a process of its own and return the text that it made.

    Raises:
        RuntimeError: It ended with an error, which the message holds.
    """

    def printed() -> int:
        sys.stdout.write(work())
        return 0

    process = _Forked(printed, NONE)
    while process.poll() is None:
        time.sleep(_POLL)
    out, err = process.said
    if process.poll():
        raise RuntimeError(err[-4_000:] or f"ended with {process.poll()}")
    return out


def _done(arguments: Sequence[str], work: Callable[[], None] | None) -> int:
    if work is not None:
        work()
        return 0
    # By name: a soak runs commands as people do, and knows nothing else of them.
    cli = importlib.import_module("macla.cli.main").cli
    try:
        cli.main(args=list(arguments), prog_name="macla")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0


def _live(work: Callable[[], int], faults: Faults, outputs: Sequence[int]) -> NoReturn:
    """Be the child; its exit functions run, as they do where Python ends by itself."""
    code = 3
    try:
        os.setpgid(0, 0)
        for number, output in enumerate((os.open(os.devnull, os.O_RDONLY), *outputs)):
            os.dup2(output, number)
        # The parent's streams know what they wrote to.
        sys.stdout, sys.stderr = (os.fdopen(n, "w", encoding="utf-8") for n in (1, 2))
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        _set_clock(faults.clock)
        if faults.file_limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (faults.file_limit,) * 2)
        code = work()
        sys.stdout.flush()
        atexit._run_exitfuncs()
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError):
            sys.stderr.flush()
        os._exit(code)


def _set_clock(offset: float) -> None:
    """Let the clock on the wall be wrong by some seconds in this process."""
    if not offset:
        return
    real = time.time
    time.time = lambda: real() + offset

    class Wrong(datetime):
        """Another time."""

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            """Return the time, wrong."""
            return datetime.now(tz) + timedelta(seconds=offset)

    clock.datetime = Wrong  # type: ignore[attr-defined]
