"""What commands reported as done, and whether the library still holds it: all of it, and once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from ...procedures.evidence.ledger import Ledger, Outcome
from ...procedures.library.library import Library, validate_library

__all__ = ["BY_HAND", "Promises", "Row", "leftovers", "row_of"]

Row: TypeAlias = tuple[str, int, str, str, int, str, float, float]
"""A row of evidence without its time: its key, successes and failures."""
BY_HAND = "procedures/by-hand.yaml"
"""The file that a person edits while commands run."""


@dataclass(slots=True)
class Promises:
    """What is promised of one library.

    Attributes:
        questions: Asked in logs that were learned.
        shown: Ids of demonstrations that were learned.
        imported: Rows of evidence of files that were imported.
        rows: All rows of evidence that were seen; none may go.
        played: Episodes whose outcomes were recorded.
        begun: Episodes that were begun with outcomes to be recorded, whatever came of them.
        practised: Episodes of practice, as a command said how many there are.
        edits: Lines that a person wrote into :data:`BY_HAND`.
        kept: Other things, each with the text that a file of the library has to hold.
    """

    questions: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)
    imported: set[Row] = field(default_factory=set)
    rows: set[Row] = field(default_factory=set)
    played: int = 0
    begun: int = 0
    practised: int = 0
    edits: list[str] = field(default_factory=list)
    kept: list[tuple[str, str]] = field(default_factory=list)

    def broken(self, root: Path) -> list[str]:
        """Return what does not hold; what the ledger holds by now is promised from here on.

        Args:
            root: The library's folder.
        """
        found = [f"is not valid: {f}" for f in validate_library(root) if f.severity == "error"]
        if found:
            return found
        Library.open(root)
        found += self._of_evidence(root)
        local = root / ".macla"
        found += _once("question", self.questions, _values(local / "tool-episodes.jsonl", "task"))
        found += _once("demonstration", self.shown, _values(local / "demonstrations.jsonl", "id"))
        practised = _values(local / "practice.jsonl", "id")
        found += _once("episode of practice", set(), practised)
        if len(practised) < self.practised:
            found.append(f"{self.practised} episodes of practice were told, {len(practised)} stay")
        if self.edits:
            lines = (root / BY_HAND).read_text(encoding="utf-8").splitlines()
            found += _once("edit", set(self.edits), [ln for ln in lines if ln.startswith("# ")])
        for name, text in self.kept:
            file = root / name
            if not file.is_file() or text not in file.read_text(encoding="utf-8"):
                found.append(f"{name} does not say {text!r} any more")
        return found

    def _of_evidence(self, root: Path) -> Iterator[str]:
        with Ledger.open(root / ".macla" / "evidence.db") as ledger:
            if ledger.verify() != ledger.total():
                yield "the ledger holds rows that cannot be read"
            rows = Counter(row_of(each) for each in ledger.rows())
        keys = Counter(row[:6] for row in rows.elements())
        yield from (f"evidence stands twice: {key}" for key, times in keys.items() if times > 1)
        for name, wanted in (("seen before", self.rows), ("imported", self.imported)):
            for row in sorted(wanted - rows.keys())[:5]:
                yield f"evidence that was {name} is gone: {row}"
        self.rows = set(rows)
        played = len({row[0] for row in rows if row[0].startswith("eval:")})
        if not self.played <= played <= self.begun:
            yield f"{self.played} of {self.begun} episodes were recorded, {played} are there"


def row_of(outcome: Outcome) -> Row:
    """Return an outcome without its time."""
    return (
        *(outcome.run, outcome.step, outcome.subject_kind, outcome.subject),
        *(outcome.version, outcome.binding, outcome.successes, outcome.failures),
    )


def leftovers(root: Path, temporary: Path, *, beside: bool) -> list[str]:
    """Return names of temporary files and folders that commands left behind.

    Args:
        root: The library's folder.
        temporary: Folder of temporary files, which nobody else uses.
        beside: Whether to look beside the library, too, where new ones are made.
    """
    signs = (".tmp", ".alive", "staging-", "undo-", ".new-")
    below = [
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if any(sign in path.name for sign in signs)
    ]
    new = [path.name for path in root.parent.glob(f".{root.name}*")] if beside else []
    return below + new + [path.name for path in temporary.iterdir()]


def _values(file: Path, key: str) -> list[str]:
    if not file.exists():
        return []
    # Half a last line was never acknowledged; whoever writes next cuts it off.
    whole = file.read_bytes().rpartition(b"\n")[0]
    return [str(json.loads(line)[key]) for line in whole.splitlines()]


def _once(what: str, wanted: set[str], found: list[str]) -> Iterator[str]:
    counts = Counter(found)
    for name in sorted(wanted - counts.keys())[:5]:
        yield f"the {what} {name!r} was learned, and is gone"
    for name, times in counts.items():
        if times > 1:
            yield f"the {what} {name!r} stands {times} times"
