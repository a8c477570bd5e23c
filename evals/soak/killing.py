"""Each command that writes, killed at random moments: what is there is whole, and it can be redone.

After a kill the library is valid and no evidence is gone. The same command is then run again, and
comes to just the state to which it comes where nothing disturbs it: nothing is lost, nothing is
there twice, and nothing is left behind.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from ...procedures.evidence.ledger import Ledger
from ...procedures.library.library import validate_library
from .children import Child, Ended, Faults, run_forked
from .jobs import deciding
from .promises import Row, leftovers, row_of
from .scenes import LIBRARY, SCENES, Scene, copied, prepare

__all__ = ["KillFigures", "kill_commands"]

_TIMES = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d[+:\dZ]*)?")
_OWN_PLAY = re.compile(r"\d+ episodes of own play")
"""Which one of them brought it is noted; behaviour is the same, whenever it was learned."""
_KEPT = ("demonstrations", "tool-episodes", "episodes", "practice")
"""Files of episodes, whose ids are compared."""


@dataclass(slots=True)
class KillFigures:
    """What was killed and what came of it.

    Attributes:
        seconds: Wall time.
        kills: Commands that were killed at work.
        missed: Commands that had ended before their kill came.
        scenes: What was done → how often it was killed.
        broken: What does not hold.
    """

    seconds: float = 0.0
    kills: int = 0
    missed: int = 0
    scenes: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)

    def to_document(self) -> dict[str, Any]:
        """Return plain data."""
        return {**asdict(self), "scenes": dict(self.scenes), "seconds": round(self.seconds, 1)}


@dataclass(frozen=True, slots=True)
class _State:
    """What a folder holds, without times.

    Attributes:
        documents: Name of a file → its text.
        rows: Evidence.
        episodes: Ids of the episodes that are kept, in order of name.
        commits: What git's commits and branches are called.
    """

    documents: dict[str, str]
    rows: list[Row]
    episodes: dict[str, list[str]]
    commits: list[str]

    def differs(self, other: _State) -> str:
        """Say where another state is different; "" where it is not."""
        for name, mine in asdict(self).items():
            theirs = getattr(other, name)
            if isinstance(mine, dict):
                for key in sorted(mine.keys() | theirs.keys()):
                    if mine.get(key) != theirs.get(key):
                        return f"{key} is {theirs.get(key)!r}, not {mine.get(key)!r}"
            elif mine != theirs:
                lost, more = Counter(map(str, mine)), Counter(map(str, theirs))
                gone, new = sorted(lost - more)[:5], sorted(more - lost)[:5]
                return f"{name}: without {gone}, with {new}"
        return ""


def kill_commands(
    folder: Path,
    kills: int,
    seed: int,
    *,
    names: Sequence[str] = tuple(SCENES),
    progress: Callable[[KillFigures], None] = lambda _: None,
) -> KillFigures:
    """Kill each command in turn until so many were killed at work, or something does not hold.

    Args:
        folder: An empty folder; the last scene stays in it.
        kills: How many.
        seed: What is drawn; when something happens is up to the machine.
        names: Of scenes.
        progress: Told after each kill.
    """
    draw, figures, began = Random(seed), KillFigures(), time.monotonic()  # noqa: S311 (a simulation)
    made: dict[str, tuple[_State, _State, float]] = {}
    while figures.kills < kills and not figures.broken:
        for name in names:
            scene = SCENES[name]
            base = prepare(scene.base, folder / "bases")
            if name not in made:
                made[name] = _undisturbed(scene, base, folder / "scene")
            before, after, seconds = made[name]
            killed, broken = _killed(
                scene, base, folder / "scene", before, after, draw.uniform(0.0, 1.05 * seconds)
            )
            figures.kills += killed
            figures.missed += not killed
            figures.scenes[name] += killed
            figures.broken += [f"{name}: {each}" for each in broken]
            figures.seconds = time.monotonic() - began
            progress(figures)
            if figures.broken or figures.kills == kills:
                break
    return figures


def _undisturbed(scene: Scene, base: Path, place: Path) -> tuple[_State, _State, float]:
    """Return the states before and after, and how long the work takes (seconds)."""
    _put(scene, base, place)
    before = _State({}, [], {}, []) if scene.base == "moved" else _state_of(place)
    ended = _run(scene, place)
    if ended.code != 0:
        raise RuntimeError(f"macla {' '.join(ended.arguments)}: {ended.out}{ended.err}")
    return before, _state_of(place), ended.seconds


def _killed(
    scene: Scene, base: Path, place: Path, before: _State, after: _State, delay: float
) -> tuple[bool, list[str]]:
    """Kill a command, look, run it again, look again; return whether it was and what is wrong."""
    _put(scene, base, place)
    ended = _run(scene, place, Faults(kill_after=delay))
    if wrong := ended.wrong():
        return ended.killed, [f"{wrong}: {ended.err}"]
    if scene.base != "moved" and (broken := _whole(place, before)):
        return ended.killed, [f"killed after {delay:.3f} s: {each}" for each in broken]
    again = _run(scene, place)
    if wrong := again.wrong():
        return ended.killed, [f"again, {wrong}: {again.err}"]
    at = f"killed after {delay:.3f} s and run again (code {again.code}, {again.err.strip()!r})"
    reached = _state_of(place)
    if scene.free:
        reached = replace(after, episodes=reached.episodes)
    if differs := after.differs(reached):
        return ended.killed, [f"{at}: {differs}"]
    calm = Child(("check", str(place / LIBRARY), "--files")).wait()
    if calm.code != 0:
        return ended.killed, [f"{at}: {calm.out}{calm.err}"]
    Child(deciding(place / LIBRARY)).wait()
    left = leftovers(place / LIBRARY, Path(os.environ["TMPDIR"]), beside=True)
    return ended.killed, [f"{at}: left behind: {each}" for each in left]


def _put(scene: Scene, base: Path, place: Path) -> None:
    """Put the state before a scene in its place."""
    shutil.rmtree(place, ignore_errors=True)

    def work() -> str:
        copied(base, place, believed=scene.base != "moved")
        return ""

    run_forked(work)


def _run(scene: Scene, place: Path, faults: Faults = Faults()) -> Ended:  # noqa: B008 (a value)
    here = Path.cwd()
    os.chdir(place)
    try:
        work = scene.work
        deed = None if work is None else lambda: work(place)
        return Child(scene.arguments, faults, deed).wait()
    finally:
        os.chdir(here)


def _whole(place: Path, before: _State) -> list[str]:
    """Return what is wrong right after a kill."""
    library = place / LIBRARY

    def work() -> str:
        if not (library / "library.yaml").exists():
            return json.dumps([] if not before.documents else ["the library is gone"])
        found = [str(each) for each in validate_library(library) if each.severity == "error"]
        rows = {tuple(row) for row in before.rows}
        gone = rows - {tuple(row) for row in _rows(library)}
        return json.dumps(found + [f"evidence is gone: {row}" for row in sorted(gone)[:5]])

    return list(json.loads(run_forked(work)))


def _state_of(place: Path) -> _State:
    def work() -> str:
        library = place / LIBRARY
        documents = {
            path.relative_to(place).as_posix(): _plain(path.read_text("utf-8"))
            for pattern in ("*.yaml", "*.md", "mine.jsonl", ".gitattributes")
            for path in sorted(place.rglob(pattern))
            if ".macla" not in path.parts and ".git" not in path.parts
        }
        episodes = {name: _ids(library / ".macla" / f"{name}.jsonl") for name in _KEPT}
        return json.dumps([documents, _rows(library), episodes, _commits(place)])

    documents, rows, episodes, commits = json.loads(run_forked(work))
    return _State(documents, [tuple(row) for row in rows], episodes, commits)


def _plain(text: str) -> str:
    return _OWN_PLAY.sub("own play", _TIMES.sub("<time>", text))


def _rows(library: Path) -> list[Row]:
    file = library / ".macla" / "evidence.db"
    if not file.exists():
        return []
    with Ledger.open(file) as ledger:
        if ledger.verify() != ledger.total():
            raise RuntimeError("the ledger holds rows that cannot be read")
        return sorted(map(row_of, ledger.rows()))


def _ids(file: Path) -> list[str]:
    if not file.exists():
        return []
    return [str(json.loads(line)["id"]) for line in file.read_bytes().splitlines()]


def _commits(place: Path) -> list[str]:
    if not (place / ".git").exists():
        return []
    told: list[str] = []
    for call in (
        ("log", "--format=%s", "main"),
        ("branch", "--format=%(refname)"),
        ("status", "--porcelain", "-uno"),
    ):
        done = subprocess.run(["git", *call], cwd=place, capture_output=True, text=True, check=True)  # noqa: S603, S607
        told += done.stdout.splitlines()
    return told
