"""Rounds of commands that run at the same time on one library, with everything that can go wrong.

Between rounds it is quiet, and what was promised is checked. After some rounds another library is
begun, so that the work of a round does not grow.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from .children import Child, Ended, Faults, run_forked
from .jobs import Job, Workshop, deciding
from .promises import Promises, leftovers

__all__ = ["Figures", "check", "soak"]

_ROUNDS = 30
"""Rounds with one library."""
_LONGEST_ROUND = 120.0
"""Seconds after which a command is held to hang."""
_DAY = 86_400.0
_POLL = 0.005
_KINDS = {
    "shown": 3,
    "log": 5,
    "practise": 2,
    "play": 4,
    "bring": 3,
    "export": 1,
    "accept": 1,
    "fit": 1,
    "decide": 2,
    "look": 5,
}
"""Kind of command → how often it is drawn."""
_MEANT = ("by-hand.yaml", "another practice is under way")
"""What a healthy command may be refused for: a file that is being edited, a second practice."""


@dataclass(slots=True)
class Figures:
    """What a soak did and what it found.

    Attributes:
        seconds: Wall time.
        rounds: Rounds of commands at the same time.
        libraries: Libraries, one after another.
        commands: Name of a command → how many ended with 0, with 1, with 2, killed.
        faults: Name of a fault → how many of them there were.
        refusals: What commands were refused for, in their own words → how often.
        broken: What does not hold.
    """

    seconds: float = 0.0
    rounds: int = 0
    libraries: int = 0
    commands: dict[str, dict[str, int]] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)

    def count(self, ended: Ended) -> None:
        """Count a command that ended, and note what no command may do."""
        how = "killed" if ended.killed else str(ended.code)
        counts = self.commands.setdefault(ended.verb, {})
        counts[how] = counts.get(how, 0) + 1
        if wrong := ended.wrong():
            command = " ".join(ended.arguments)
            self.broken.append(f"macla {command} ({ended.faults}) {wrong}: {ended.err[-2_000:]}")

    def to_document(self) -> dict[str, Any]:
        """Return plain data."""
        counted = {"faults": dict(self.faults), "refusals": dict(self.refusals)}
        return {**asdict(self), **counted, "seconds": round(self.seconds, 1)}


def soak(
    folder: Path,
    seconds: float,
    seed: int,
    progress: Callable[[Figures], None] = lambda _: None,
    *,
    rounds: int = 1,
) -> Figures:
    """Work on libraries under fire until the time is over or something does not hold.

    Args:
        folder: An empty folder; the last library stays in it.
        seconds: How long, at least.
        seed: What is drawn; when something happens is up to the machine.
        progress: Told after each round.
        rounds: Least number of rounds, however long they take.
    """
    draw, figures, began = Random(seed), Figures(), time.monotonic()  # noqa: S311 (a simulation)
    over = False
    while not (over or figures.broken):
        figures.libraries += 1
        shop, waiting = Workshop(folder / f"work{figures.libraries}", draw), list[Job]()
        for number in range(_ROUNDS):
            waiting = _round(shop, waiting, figures)
            figures.rounds += 1
            over = figures.rounds >= rounds and time.monotonic() - began >= seconds
            last = over or number == _ROUNDS - 1
            figures.broken += _quiet(shop, figures, waiting if last else None)
            figures.seconds = time.monotonic() - began
            progress(figures)
            if last or figures.broken:
                break
        if not (over or figures.broken):
            shutil.rmtree(shop.folder)
    return figures


def _round(shop: Workshop, waiting: list[Job], figures: Figures) -> list[Job]:
    """Run some commands at the same time; return those that have to be run again."""
    draw = shop.draw
    if (shop.library / "library.yaml").exists():
        again = [job for job in waiting if draw.random() < 0.5]
        kinds = draw.choices(list(_KINDS), list(_KINDS.values()), k=draw.randint(2, 4))
        jobs = again + [shop.job(kind) for kind in kinds[len(again) :]]
    else:  # two learners make it
        again = waiting
        jobs = again + [shop.shown() for _ in range(2 - len(again))]
    running = [(job, Child(job.arguments, _faults(draw, figures))) for job in jobs]
    left = [job for job in waiting if job not in again]
    deeds = _deeds(shop, figures)
    began = time.monotonic()
    try:
        while running or deeds:
            elapsed = time.monotonic() - began
            while deeds and (deeds[0][0] <= elapsed or not running):
                deeds.pop(0)[1]()
            for job, child in list(running):
                ended = child.ended()
                if ended is None:
                    continue
                running.remove((job, child))
                figures.count(ended)
                if ended.code in (0, 1):
                    job.keep(ended)
                    continue
                if job.again:
                    left.append(job)
                if ended.code == 2:
                    _refused(ended, figures)
            if elapsed > _LONGEST_ROUND:
                hanging = "; ".join(" ".join(map(str, job.arguments)) for job, _ in running)
                figures.broken.append(f"still runs after {elapsed:.0f} s: {hanging}")
                return left
            time.sleep(_POLL)
    finally:
        for _, child in running:
            child.stop()
    return left


def _faults(draw: Random, figures: Figures) -> Faults:
    """Draw what a command meets."""
    kill = 10 ** draw.uniform(-2.2, 0) if draw.random() < 0.5 else None
    limit = int(10 ** draw.uniform(2, 5.3)) if draw.random() < 0.12 else None
    clock = draw.uniform(-3 * _DAY, _DAY) if draw.random() < 0.3 else 0.0
    figures.faults["limits of file sizes"] += limit is not None
    figures.faults["wrong clocks"] += clock != 0.0
    return Faults(kill, limit, clock)


def _refused(ended: Ended, figures: Figures) -> None:
    """Count a refusal; a healthy command is refused for few things."""
    faults, told = ended.faults, ended.err.strip().splitlines()[-1]
    meant = next((each for each in _MEANT if each in told), None)
    if faults.file_limit is None and meant is None:
        command = " ".join(ended.arguments)
        figures.broken.append(f"macla {command} ({faults}) was refused: {ended.err[-2_000:]}")
    figures.refusals[meant or "a limit of file sizes"] += 1


def _deeds(shop: Workshop, figures: Figures) -> list[tuple[float, Callable[[], None]]]:
    """Return what happens beside the commands of a round, each after some seconds, in order."""
    draw = shop.draw
    if not (shop.library / "library.yaml").exists():
        return []
    deeds: list[tuple[float, Callable[[], None]]] = []
    if draw.random() < 0.5:
        text = shop.written_by_hand()
        at = draw.uniform(0, 0.6)
        half = text[: draw.randrange(len(text))]
        deeds += [
            (at, lambda: _write(shop.by_hand, half)),
            (at + draw.uniform(0.005, 0.05), lambda: _write(shop.by_hand, text)),
        ]
        figures.faults["edits"] += 1
    if draw.random() < 0.3:
        figures.faults["losses of the index"] += 1
        deeds.append((draw.uniform(0, 0.8), lambda: _lose_index(shop)))
    if draw.random() < 0.2:
        figures.faults["files of another time"] += 1
        deeds.append((draw.uniform(0, 0.8), lambda: _age_files(shop)))
    return sorted(deeds, key=lambda deed: deed[0])


def _write(file: Path, text: str) -> None:
    """Write as an editor does that keeps the file: not at once."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _lose_index(shop: Workshop) -> None:
    folder = shop.library / ".macla" / "chroma"
    files = [path for path in folder.glob("*") if path.is_file() and path.name != "lock"]
    if not files or shop.draw.random() < 0.5:
        shutil.rmtree(folder, ignore_errors=True)
        return
    with contextlib.suppress(OSError):
        shop.draw.choice(files).write_bytes(shop.draw.randbytes(500))


def _age_files(shop: Workshop) -> None:
    for path in shop.library.rglob("*.yaml"):
        if shop.draw.random() < 0.5:
            then = time.time() + shop.draw.uniform(-_DAY, _DAY)
            with contextlib.suppress(OSError):
                os.utime(path, (then, then))


def _quiet(shop: Workshop, figures: Figures, waiting: Sequence[Job] | None) -> list[str]:
    """Run commands that nothing disturbs, and return what does not hold after them.

    Args:
        shop: The library.
        figures: Where commands are counted.
        waiting: What has to be run again, at the end of a library; None before.
    """
    if waiting is None and not (shop.library / "library.yaml").exists():
        return []
    calm = [Job(("check", shop.library, "--files")), Job(deciding(shop.library))]
    for job in calm if waiting is None else [shop.shown(), *waiting, *calm]:
        ended = Child(job.arguments).wait()
        figures.count(ended)
        if ended.code != 0:
            return [f"macla {' '.join(ended.arguments)} said in peace: {ended.out}{ended.err}"]
        job.keep(ended)
    left = leftovers(shop.library, Path(os.environ["TMPDIR"]), beside=waiting is not None)
    return [f"left behind: {name}" for name in left] + check(shop.promises, shop.library)


def check(promises: Promises, library: Path) -> list[str]:
    """Return what does not hold of what was promised; looked at in a process of its own."""

    def work() -> str:
        broken = promises.broken(library)
        return json.dumps({"broken": broken, "rows": list(promises.rows)})

    told = json.loads(run_forked(work))
    promises.rows = {tuple(row) for row in told["rows"]}
    return list(told["broken"])
