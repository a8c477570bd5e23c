"""The commands of a soak: what each is given, and what it promises where it reports success."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from ...procedures.common.clock import now
from ...procedures.evidence.ledger import Outcome, OutcomeKind
from .children import Ended
from .promises import BY_HAND, Promises, row_of
from .world import DOMAIN, WORLD, write_demonstrations, write_log

__all__ = ["Job", "Workshop", "deciding"]

_ROWS = 40


@dataclass(frozen=True, slots=True)
class Job:
    """A command and what it promises.

    Attributes:
        arguments: The command line, without ``macla``.
        keep: Told of its end where it reported success.
        again: Whether it is to be run again until it reports success.
    """

    arguments: tuple[object, ...]
    keep: Callable[[Ended], None] = lambda _: None
    again: bool = False


def deciding(library: Path) -> tuple[str, ...]:
    """Return the command that decides on a task, and so brings a library's index up to date."""
    return ("trace", "--task", "Bring up the lamp.", "--library", str(library))


@dataclass(slots=True)
class Workshop:
    """One library under work.

    Attributes:
        folder: For the library and what it is given.
        draw: Chooses.
        promises: What was reported as done.
    """

    folder: Path
    draw: Random
    promises: Promises = field(default_factory=Promises)
    _number: itertools.count[int] = field(default_factory=itertools.count)
    _shown: int = 0

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        tasks = "\n".join(f"now{number}" for number in range(1_000))
        (self.folder / "tasks.txt").write_text(tasks, encoding="utf-8")

    @property
    def library(self) -> Path:
        """The library's folder."""
        return self.folder / "lib"

    def job(self, kind: str) -> Job:
        """Return a new command of a kind, which is the name of one of the methods."""
        made: Job = getattr(self, kind)()
        return made

    # ------------------------------------------------------------------ learning
    def shown(self) -> Job:
        """Learn from two more demonstrations."""
        file = self.folder / f"shown{next(self._number)}.jsonl"
        names = write_demonstrations(file, self._shown, 2)
        self._shown += 2
        call = ("learn", file, "--library", self.library, "--world", f"domain={DOMAIN}")
        return Job(call, lambda _: self.promises.shown.update(names), again=True)

    def log(self) -> Job:
        """Learn from a log of three conversations."""
        number = next(self._number)
        file = self.folder / f"log{number}.jsonl"
        asked = write_log(file, number)
        call = ("observe", file, "--library", self.library)
        return Job(call, lambda _: self.promises.questions.update(asked), again=True)

    def practise(self) -> Job:
        """Play one more episode and learn from it."""
        episodes = self.promises.practised + 1

        def keep(_: Ended) -> None:
            self.promises.practised = max(self.promises.practised, episodes)

        call = ("practice", WORLD, "--world", f"domain={DOMAIN}", "--library", self.library)
        return Job((*call, "--split", self._tasks, "--episodes", episodes), keep)

    # ------------------------------------------------------------------ evidence
    def play(self) -> Job:
        """Play two episodes and record their outcomes."""
        self.promises.begun += 2

        def keep(ended: Ended) -> None:
            told = json.loads(ended.out)
            self.promises.played += round(told["n"] * told["reuse_rate"])

        call = ("eval", WORLD, "--library", self.library, "--split", self._tasks, "--limit", 2)
        return Job((*call, "--record", "--seed", next(self._number), "--json"), keep)

    def bring(self) -> Job:
        """Import evidence of another machine."""
        number = next(self._number)
        rows = [
            Outcome(
                *(f"other{number}", step, "procedure", "by-hand", 1),
                outcome=OutcomeKind.SUCCESS,
                successes=1.0,
                failures=0.0,
                at=now(),
            )
            for step in range(_ROWS)
        ]
        file = self.folder / f"evidence{number}.jsonl"
        file.write_text("".join(f"{json.dumps(r.to_json())}\n" for r in rows), encoding="utf-8")
        call = ("evidence", "import", file, "--library", self.library)
        return Job(call, lambda _: self.promises.imported.update(map(row_of, rows)), again=True)

    def export(self) -> Job:
        """Write all evidence to a file."""
        return Job(("evidence", "export", self.folder / "all.jsonl", "--library", self.library))

    # ------------------------------------------------------------------ the rest
    def accept(self) -> Job:
        """Accept all that waits."""
        return Job(("accept", self.library, "--all"))

    def fit(self) -> Job:
        """Fit the settings to the evidence."""
        return Job(("evidence", "fit", self.library, "--write"))

    def decide(self) -> Job:
        """Decide on a task, which brings the index up to date or makes it anew."""
        return Job(deciding(self.library))

    def look(self) -> Job:
        """Read something."""
        library = self.library
        calls: list[tuple[object, ...]] = [
            *(("list", library), ("check", library, "--files"), ("check", library)),
            ("ask", library),
        ]
        if self.by_hand.exists():
            calls += [("show", library, "by-hand"), ("show", library, "by-hand", "--versions")]
        return Job(self.draw.choice(calls))

    @property
    def _tasks(self) -> Path:
        return self.folder / "tasks.txt"

    def written_by_hand(self) -> str:
        """Return the text of the file that a person edits, with one more line in it."""
        self.promises.edits.append(f"# edit {next(self._number)}")
        lines = "\n".join(self.promises.edits)
        head = "kind: procedure\nid: by-hand\nversion: 1\ngoal: dust the shelf\n"
        return f"{head}steps:\n  - do: take the cloth\n  - do: dust the shelf\n{lines}\n"

    @property
    def by_hand(self) -> Path:
        """The file that a person edits."""
        return self.library / BY_HAND
