"""Cells of a study: commands in processes of their own, several at a time, kept when done.

What several cells use, such as a library, is a cell too, and is done once.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from ...procedures.common.errors import DataError
from ...procedures.documents.yaml_io import atomic_write

__all__ = ["FOLDER", "Cell", "play_cells"]

FOLDER = "{folder}"
"""Stands in a command for the cell's own folder, which is empty before its first command."""
_PLACE = re.compile(r"\{[\w-]+\}")
_MACLA = (sys.executable, "-c", "import sys; from macla.cli.main import main; sys.exit(main())")
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
"""Several processes share the cores, and so do their threads."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Some commands.

    Attributes:
        name: Unique within the study; part of a file's name.
        commands: Arguments of ``macla``, each answering in JSON; those that begin with
            ``python`` are arguments of the interpreter.
        needs: Cells that are done before, whose folders stay: ``{NAME}`` in a command stands for
            the folder of the needed cell of that name.
    """

    name: str
    commands: tuple[tuple[str, ...], ...]
    needs: tuple[Cell, ...] = ()

    @property
    def digest(self) -> str:
        """Tells cells of one name with other commands, or other needs, apart."""
        facts = (
            [self.commands, [need.digest for need in self.needs]] if self.needs else self.commands
        )
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:12]


def play_cells(
    cells: Sequence[Cell],
    folder: Path,
    *,
    jobs: int = 1,
    progress: Callable[[str, int, int], None] = lambda name, done, of: None,
    stay: bool = False,
) -> dict[str, list[Any]]:
    """Return name → what its commands printed; what was done before is not done again.

    A cell is done wholly or not at all, so a study that was interrupted goes on where it was.

    Args:
        cells: What is to be done.
        folder: Of the study.
        jobs: How many at a time, at least 1.
        progress: Told of each cell that is done.
        stay: Whether the cells' own folders stay, for others.

    Raises:
        DataError: A command failed; the message has its words and what it said.
    """
    done = folder / "cells"
    done.mkdir(parents=True, exist_ok=True)
    found = {cell.name: _kept(done / f"{cell.name}.json", cell) for cell in cells}
    missing = [cell for cell in cells if found[cell.name] is None]
    needed = list(dict.fromkeys(need for cell in missing for need in cell.needs))
    # A folder that somebody cleared away is made again.
    gone = [need for need in needed if not _place(folder, need).is_dir()]
    for need in gone:
        (done / f"{need.name}.json").unlink(missing_ok=True)
    if needed:
        play_cells(needed, folder, jobs=jobs, progress=progress, stay=True)
    processes = _Processes()
    pool = ThreadPoolExecutor(jobs)
    # Ctrl+C in wait() of concurrent.futures may leave locks behind for which its threads wait.
    ended: SimpleQueue[Future[list[Any]]] = SimpleQueue()
    try:
        futures: dict[Future[list[Any]], Cell] = {
            pool.submit(_play, cell, folder, processes, stay): cell for cell in missing
        }
        for future in futures:
            future.add_done_callback(ended.put)
        for left in reversed(range(len(futures))):
            future = ended.get()
            cell = futures[future]
            found[cell.name] = future.result()
            progress(cell.name, len(cells) - left, len(cells))
    except BaseException:
        processes.stop()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return {name: answers for name, answers in found.items() if answers is not None}


class _Processes:
    """The processes of a study: none is started any more once they are stopped."""

    def __init__(self) -> None:
        self._lock, self._stopped = threading.Lock(), False
        self._running: set[subprocess.Popen[str]] = set()

    def run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run a command to its end; raises CancelledError once they are stopped."""
        with self._lock:
            if self._stopped:
                raise CancelledError
            process = subprocess.Popen(  # noqa: S603 (the words are the study's own)
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, **_ONE_THREAD},
            )
            self._running.add(process)
        try:
            printed, said = process.communicate()
        finally:
            with self._lock:
                self._running.discard(process)
        return subprocess.CompletedProcess(list(command), process.returncode, printed, said)

    def stop(self) -> None:
        """Terminate those that run."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                process.terminate()


def _kept(path: Path, cell: Cell) -> list[Any] | None:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["digest"] != cell.digest:
            return None
        answers: list[Any] = document["answers"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return answers


def _place(folder: Path, cell: Cell) -> Path:
    return folder.resolve() / "work" / cell.name


def _play(cell: Cell, folder: Path, processes: _Processes, stay: bool) -> list[Any]:
    own = _place(folder, cell)
    places = {FOLDER: str(own)}
    places |= {f"{{{need.name}}}": str(_place(folder, need)) for need in cell.needs}
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir(parents=True)
    answers = []
    for words in cell.commands:
        given = [_PLACE.sub(lambda at: places.get(at[0], at[0]), word) for word in words]
        command = [sys.executable, *given[1:]] if given[0] == "python" else [*_MACLA, *given]
        done = processes.run(command)
        if done.returncode:
            raise DataError(
                f"{cell.name}: {' '.join(words)} ended with {done.returncode}: {done.stderr[-600:]}"
            )
        answers.append(json.loads(done.stdout))
    document = json.dumps({"digest": cell.digest, "answers": answers}, ensure_ascii=False)
    atomic_write(folder / "cells" / f"{cell.name}.json", document.encode())
    if not stay:
        shutil.rmtree(own, ignore_errors=True)
    return answers
