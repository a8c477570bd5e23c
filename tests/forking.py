"""Python processes that a test starts, forked from one that has imported what macla needs.

A start of Python with macla takes a second or two, mostly for imports. A process of :func:`popen`
is a process of its own in all else: it has its own session if asked, can be killed, and ends as
Python ends. Where a test is about a start of Python itself, or about the seed of its hashes, it
takes :mod:`subprocess`.
"""

from __future__ import annotations

import array
import atexit
import contextlib
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
import warnings
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import IO, Any, NoReturn

__all__ = ["COMMAND", "STAND_IN", "Process", "popen", "run"]

COMMAND = ("-c", "import sys; from macla.cli.main import main; sys.exit(main())")
"""What Python is given to be the command line."""
_POLL = 0.005
_MODULES = ("langchain.agents", "macla.adapters.langchain.middleware", "macla.evals.cells")
"""What processes of tests import beside what commands do."""


class _Server:
    """The process that forks, and how its children ended."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self._socket, self._lock = ours, threading.Condition()
        self._codes: dict[int, int] = {}
        self._pids: dict[int, int] = {}
        self._number = 0
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        theirs.close()
        threading.Thread(target=self._listen, daemon=True).start()
        atexit.register(self.close)

    def fork(self, request: dict[str, Any], files: Sequence[int]) -> int:
        """Start a process and return its id."""
        with self._lock:
            self._number += 1
            number = self._number
            line = json.dumps({**request, "number": number}).encode() + b"\n"
            rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))
            # The files come with the first byte, so that none is taken for another request's.
            self._socket.sendmsg([line[:1]], [rights])
            self._socket.sendall(line[1:])
            if not self._lock.wait_for(lambda: number in self._pids, 120):
                raise TimeoutError("no process was forked within two minutes")
            return self._pids.pop(number)

    def code(self, pid: int, timeout: float | None) -> int | None:
        """Return how a process ended, or None if it runs on for that long."""
        with self._lock:
            self._lock.wait_for(lambda: pid in self._codes, timeout)
            return self._codes.get(pid)

    def close(self) -> None:
        """End the server; its children end by themselves."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._process.wait(10)
        self._socket.close()

    def _listen(self) -> None:
        with self._socket.makefile("r", encoding="utf-8") as lines:
            for line in lines:
                told = json.loads(line)
                with self._lock:
                    if "number" in told:
                        self._codes.pop(told["pid"], None)  # an id may come again
                        self._pids[told["number"]] = told["pid"]
                    else:
                        self._codes[told["pid"]] = told["code"]
                    self._lock.notify_all()


_servers: list[_Server] = []
_starting = threading.Lock()


def _server() -> _Server:
    with _starting:
        if not _servers:
            _servers.append(_Server())
        return _servers[0]


class Process:
    """A forked process; what :class:`subprocess.Popen` has and tests need.

    Attributes:
        pid: Its id.
        returncode: How it ended; negative: the signal; None while nobody asked.
        stdin: Its standard input, if that is a pipe.
        stdout: Its standard output, if that is a pipe.
        stderr: Its standard error, if that is a pipe.
    """

    def __init__(
        self,
        arguments: Sequence[object],
        *,
        stdin: int | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
        text: bool = False,
        cwd: str | os.PathLike[str] | None = None,
        env: dict[str, str] | None = None,
        start_new_session: bool = False,
    ) -> None:
        self.returncode: int | None = None
        self._output: list[Any] = [None, None]
        self._readers: list[threading.Thread] = []
        ours: list[IO[Any] | None] = []
        files, closing = [], []
        for number, wanted in enumerate((stdin, stdout, stderr)):
            stream: IO[Any] | None = None
            if wanted == subprocess.PIPE:
                read, write = os.pipe()
                mine, file = (write, read) if number == 0 else (read, write)
                mode = "w" if number == 0 else "r"
                stream = os.fdopen(mine, mode if text else f"{mode}b")
                closing.append(file)
            elif wanted == subprocess.DEVNULL or (wanted is None and number == 0):
                file = os.open(os.devnull, os.O_RDWR)
                closing.append(file)
            else:
                file = number if wanted is None else wanted
            ours.append(stream)
            files.append(file)
        self.stdin, self.stdout, self.stderr = ours
        request = {
            "arguments": list(map(str, arguments)),
            "cwd": str(cwd or Path.cwd()),
            "env": dict(os.environ if env is None else env),
            "session": start_new_session,
        }
        try:
            self.pid = _server().fork(request, files)
        finally:
            for file in closing:
                os.close(file)

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self.stdin, self.stdout, self.stderr):
            if stream:
                stream.close()
        self.wait()

    def poll(self) -> int | None:
        """Return how it ended, or None while it runs."""
        return self._ended(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end.

        Raises:
            subprocess.TimeoutExpired: It runs on.
        """
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
        return code

    def communicate(self, given: Any = None, timeout: float | None = None) -> tuple[Any, Any]:
        """Give it its input, wait for its end, and return what it printed."""
        if not self._readers:
            for number, stream in enumerate((self.stdout, self.stderr)):
                if stream and not stream.closed:
                    reader = threading.Thread(target=self._read, args=(number, stream), daemon=True)
                    reader.start()
                    self._readers.append(reader)
        if self.stdin and not self.stdin.closed:
            with contextlib.suppress(BrokenPipeError):
                if given:
                    self.stdin.write(given)
                self.stdin.close()
        self.wait(timeout)
        for reader in self._readers:
            reader.join(timeout)
        return self._output[0], self._output[1]

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it runs."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None:
            self.returncode = _server().code(self.pid, timeout)
        return self.returncode

    def _read(self, number: int, stream: IO[Any]) -> None:
        with stream:
            self._output[number] = stream.read()


def popen(command: Sequence[object], **options: Any) -> Any:
    """Start Python with a program, as ``Popen([sys.executable, …])`` does.

    Args:
        command: Python, perhaps ``-W ignore``, then ``-c CODE``, ``-m MODULE`` or a script, and
            arguments.
        options: As :class:`Process` takes them.
    """
    words = list(map(str, command))
    if words[0] != sys.executable or not hasattr(os, "fork"):
        return subprocess.Popen(words, **options)
    return Process(words[1:], **options)


def run(
    command: Sequence[object],
    *,
    capture_output: bool = False,
    timeout: float | None = None,
    check: bool = False,
    **options: Any,
) -> subprocess.CompletedProcess[Any]:
    """Run Python with a program to its end, as :func:`subprocess.run` does."""
    if capture_output:
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with popen(command, **options) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(list(command), process.returncode, out, err)
    if check:
        done.check_returncode()
    return done


class _Stand(ModuleType):
    """:mod:`subprocess`, but for its starts of Python."""

    Popen, run = staticmethod(popen), staticmethod(run)

    def __getattr__(self, name: str) -> Any:
        return getattr(subprocess, name)


STAND_IN = _Stand("subprocess")
"""Stands for ``subprocess`` in a module of macla that starts Python."""


# -- the process that forks --------------------------------------------------------------


def _serve(file: int) -> dict[str, Any]:
    """Fork a process for each request; return in the forked one, with what is asked of it."""
    connection, running, text, files = socket.socket(fileno=file), set[int](), b"", list[int]()
    connection.setblocking(False)
    while True:
        try:
            data, rights, _, _ = connection.recvmsg(65_536, 4_096)
            if not data:
                os._exit(0)
            text += data
            for _, _, found in rights:
                received = array.array("i")
                received.frombytes(found)
                files += received
        except BlockingIOError:
            select.select([connection], [], [], _POLL if running else None)
        while b"\n" in text:
            line, _, text = text.partition(b"\n")
            request, given = json.loads(line), files[:3]
            del files[:3]
            child = os.fork()
            if not child:
                connection.close()
                for number, each in enumerate(given):
                    os.dup2(each, number)
                    os.close(each)
                return dict(request)
            for each in given:
                os.close(each)
            running.add(child)
            _tell(connection, {"number": request["number"], "pid": child})
        for child in list(running):
            pid, status = os.waitpid(child, os.WNOHANG)
            if pid:
                running.discard(pid)
                _tell(connection, {"pid": pid, "code": os.waitstatus_to_exitcode(status)})


def _tell(connection: socket.socket, document: dict[str, int]) -> None:
    connection.setblocking(True)
    with contextlib.suppress(OSError):
        connection.sendall(json.dumps(document).encode() + b"\n")
    connection.setblocking(False)


def _import_what_is_needed() -> None:
    import importlib

    from macla.evals.soak.children import preload

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in _MODULES:
            importlib.import_module(name)
        preload()
    gc.freeze()  # else each process copies what its collector looks at
    gc.set_threshold(20_000, 20, 20)  # as in pytest_collection_finish()
    sys.dont_write_bytecode = False


def _live(request: dict[str, Any]) -> NoReturn:
    """Run a program and end as Python ends, but for taking apart what was imported."""
    code = 0
    try:
        _become(request)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException as error:
        traceback.print_exc()
        code = 1
        if isinstance(error, KeyboardInterrupt):
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def _become(request: dict[str, Any]) -> None:
    """Run a program as Python does that was started with it."""
    import runpy
    import tempfile

    if request["session"]:
        os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    tempfile.tempdir = None
    # The streams of the server know where it wrote.
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, "rw"[number > 0], encoding="utf-8", closefd=False) for number in range(3)
    )
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
    what, *words = request["arguments"]
    if what == "-W":
        warnings.simplefilter(words[0])  # type: ignore[arg-type]
        what, *words = words[1:]
    paths = request["env"].get("PYTHONPATH", "").split(os.pathsep)
    sys.path[0:1] = ["", *(each for each in paths if each and each not in sys.path)]
    if what == "-m":
        sys.argv = ["-m", *words[1:]]
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    elif what == "-c":
        main = ModuleType("__main__")
        sys.modules["__main__"], sys.argv = main, ["-c", *words[1:]]
        exec(compile(words[0], "<string>", "exec"), main.__dict__)
    else:
        sys.argv, sys.path[0] = [what, *words], str(Path(what).parent)
        runpy.run_path(what, run_name="__main__")


if __name__ == "__main__":
    sys.path.pop(0)  # the tests' own folder is none of a program's
    sys.path.insert(0, "")
    _import_what_is_needed()
    _live(_serve(int(sys.argv[1])))
