"""Running the units: several at a time, each a process, resumed where they were interrupted."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from filelock import FileLock, Timeout

from ...procedures.common.errors import DataError, LockError
from .comparing import Comparison
from .table import ACCEPTED, Accepted, Table
from .units import LIBRARY, Unit

__all__ = ["Ended", "Workplace", "code_digest", "joined", "missing", "run_units"]

_CODE = (".py", ".json", ".yaml", ".txt", ".pddl", ".safetensors")
_PACKAGE = Path(__file__).parents[2]
_LONGEST = 1_800.0
"""Seconds after which a unit is ended; the longest takes a fifth of that."""
_NO_DATA = ("set MACLA_DATA", "no ALFWorld data", "pip install")
"""What a command says that cannot be run for want of data or of an extra."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What came of a unit.

    Attributes:
        unit: The unit.
        cases: Name of a case → its result.
        failed: The error that ended it, or "".
        skipped: Why it was left out, or "".
        seconds: Wall time, 0 where it was kept from before.
    """

    unit: Unit
    cases: Mapping[str, Accepted] = field(default_factory=dict)
    failed: str = ""
    skipped: str = ""
    seconds: float = 0.0


class Workplace:
    """A folder with the libraries and the answers of a run, so that it can be resumed.

    A run that ended, or was begun by other code or on other data, is cleared away and begun anew.

    Args:
        root: The folder.
        facts: What else tells one run from another: the table, the root of the data.
    """

    def __init__(self, root: Path, *facts: str) -> None:
        self.root = root.absolute()
        self._facts = "\0".join((sys.version, *facts))
        self._mark = self._digest()

    def _digest(self) -> str:
        return f"{code_digest()}-{hashlib.sha256(self._facts.encode()).hexdigest()[:12]}"

    @contextmanager
    def open(self) -> Iterator[bool]:
        """Take the folder; yields whether an interrupted run is resumed.

        Raises:
            DataError: The folder holds something else.
            LockError: Another run is under way in it.
        """
        self.root.mkdir(parents=True, exist_ok=True)
        note = self.root / "run.json"
        if not note.exists() and any(each.name != "run.lock" for each in self.root.iterdir()):
            raise DataError(f"{self.root}: is not empty and holds no run; name a new folder")
        try:
            with FileLock(self.root / "run.lock", timeout=0):
                resumed = _read(note).get("mark") == self._mark
                if not resumed:
                    for name in ("libraries", "answers"):
                        shutil.rmtree(self.root / name, ignore_errors=True)
                    _write(note, {"mark": self._mark})
                yield resumed
        except Timeout:
            raise LockError(f"{self.root}: another run is under way there") from None

    def check(self) -> None:
        """Check that the code is still that with which the run began.

        Raises:
            DataError: It was changed meanwhile, so results are of one and of the other.
        """
        if self._digest() != self._mark:
            raise DataError("the code was changed during the run; run it again")

    def finish(self) -> None:
        """Note that the run is complete: the next one begins anew."""
        _write(self.root / "run.json", {"mark": "complete"})

    def library(self, name: str) -> Path:
        """Return the folder of a library."""
        return self.root / "libraries" / name

    def answer(self, unit: Unit) -> Path:
        """Return the file in which a unit's answer is kept."""
        digest = hashlib.sha256("\0".join((unit.library, *unit.command)).encode()).hexdigest()[:16]
        return self.root / "answers" / f"{digest}.json"


def run_units(
    units: Sequence[Unit],
    place: Workplace,
    *,
    jobs: int = 2,
    data: str | None = None,
    launcher: Sequence[str] = (sys.executable,),
    progress: Callable[[Ended, int, int], None] = lambda *_: None,
) -> list[Ended]:
    """Run units, each as soon as its library is there; return what came of them, in their order.

    Args:
        units: What to run; those that were run before in this place are not run again.
        place: An open workplace.
        jobs: Processes at a time, at least 1.
        data: Root of the benchmark data, or None for the default.
        launcher: What runs a unit's words; by default the interpreter.
        progress: Told of each unit that ended, how many did and of how many.
    """
    environment = dict(os.environ)
    if data is not None:
        environment["MACLA_DATA"] = data
    stopped = Event()
    ended: dict[str, Ended] = {}
    waiting = list(units)
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        running: dict[Future[Ended], Unit] = {}
        try:
            while waiting or running:
                for unit in [each for each in waiting if _ready(each, units, ended)]:
                    waiting.remove(unit)
                    lesson = ended.get(f"learning {unit.library}")
                    if lesson is not None and (lesson.failed or lesson.skipped):
                        ended[unit.name] = Ended(unit, {}, lesson.failed, lesson.skipped)
                        continue
                    running[pool.submit(_run, unit, place, launcher, environment, stopped)] = unit
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    unit = running.pop(future)
                    ended[unit.name] = future.result()
                    progress(ended[unit.name], len(ended), len(units))
        except BaseException:
            stopped.set()
            for future in running:
                future.cancel()
            raise
    return [ended[unit.name] for unit in units]


def joined(
    ended: Iterable[Ended], accepted: Mapping[str, Accepted]
) -> tuple[dict[str, Accepted], dict[str, float]]:
    """Return the cases of all units, baselines joined to what they belong to, and their margins.

    What a baseline solves does not depend on the learner, so it is taken from the accepted results
    where it was not played.
    """
    results: dict[str, Accepted] = {}
    margins: dict[str, float] = {}
    for each in ended:
        for name, result in each.cases.items():
            if not each.unit.baseline:
                known = accepted.get(name)
                same = known is not None and known.tasks == result.tasks
                before = known.baselines if known is not None and same else {}
                baselines = {**before, **result.baselines}
                results[name] = result.model_copy(update={"baselines": baselines})
                margins[name] = each.unit.margin
            elif name in results:
                results[name].baselines.update(result.baselines)
    return results, margins


def missing(
    results: Mapping[str, Accepted], ended: Iterable[Ended], table: Table
) -> dict[str, Comparison]:
    """Return accepted cases of units that were run, of which there is no result any more."""
    ran = tuple(each.unit.cases for each in ended if each.unit.cases and not each.skipped)
    return {
        name: Comparison("missing")
        for name in table.accepted
        if name not in results and ran and name.startswith(ran)
    }


def _ready(unit: Unit, units: Iterable[Unit], ended: Mapping[str, Ended]) -> bool:
    made = any(each.makes == unit.library for each in units if each.makes)
    return not unit.library or not made or f"learning {unit.library}" in ended


def _run(
    unit: Unit,
    place: Workplace,
    launcher: Sequence[str],
    environment: Mapping[str, str],
    stopped: Event,
) -> Ended:
    file = place.answer(unit)
    if file.exists() and (document := _read(file)):
        return Ended(unit, unit.read(document))
    folder = place.library(unit.makes or unit.library)
    if unit.makes:
        shutil.rmtree(folder, ignore_errors=True)  # an interrupted practice
        folder.parent.mkdir(parents=True, exist_ok=True)
    words = [str(folder) if word == LIBRARY else word for word in unit.command]
    started = time.perf_counter()
    code, output, error = _process([*launcher, *words], environment, stopped)
    seconds = time.perf_counter() - started
    last = (error.strip().splitlines() or ["no message"])[-1]
    if code:
        skipped = last if any(each in last for each in _NO_DATA) else ""
        return Ended(unit, failed="" if skipped else last, skipped=skipped, seconds=seconds)
    try:
        document = json.loads(output)
        cases = unit.read(document)
    except (ValueError, KeyError, TypeError) as problem:
        return Ended(unit, failed=f"no result: {type(problem).__name__}: {problem}")
    file.parent.mkdir(parents=True, exist_ok=True)
    _write(file, document)
    return Ended(unit, cases, seconds=seconds)


def _process(
    words: Sequence[str], environment: Mapping[str, str], stopped: Event
) -> tuple[int, str, str]:
    process = subprocess.Popen(  # noqa: S603 (the table's own commands)
        list(words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(environment),
        start_new_session=True,
    )
    until = time.monotonic() + _LONGEST
    while True:
        try:
            output, error = process.communicate(timeout=0.5)
        except subprocess.TimeoutExpired:
            late = time.monotonic() > until
            if stopped.is_set() or late:
                _end(process)
            if late:
                return 1, "", f"it did not end within {_LONGEST:.0f} s"
            continue
        return process.returncode, output, error


def _end(process: subprocess.Popen[str]) -> None:
    """End a process and what it began."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)
        os.killpg(process.pid, signal.SIGKILL)


def code_digest() -> str:
    """Return a digest of the package's code and data, accepted results left out."""
    digest = hashlib.sha256()
    for folder in ("adapters", "cli", "evals", "graph", "procedures", "schemas"):
        for file in sorted((_PACKAGE / folder).rglob("*")):
            accepted = file == ACCEPTED or file.parent.name == "accepted"
            if file.suffix in _CODE and not accepted:
                digest.update(str(file.relative_to(_PACKAGE)).encode() + b"\0")
                digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _read(file: Path) -> dict[str, Any]:
    try:
        document = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}


def _write(file: Path, document: Mapping[str, Any]) -> None:
    temporary = file.with_name(f".{file.name}.{secrets.token_hex(4)}.tmp")
    temporary.write_text(json.dumps(document), encoding="utf-8")
    os.replace(temporary, file)
