"""The programs of a library that call tools, found by a word that their tasks always say."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from ..files.documents import Documents
from ..programs.documents import ProgramFile
from .running import ToolProgram

__all__ = ["Register"]


class Register:
    """Programs that call tools and are in use; follows a library by what changed. Thread-safe.

    A program stands under one word of each of its wordings, the one under which fewest stand; or
    under the empty word where a wording always says none.
    """

    def __init__(self) -> None:
        self._documents: Documents[ProgramFile] = Documents({})
        self._programs: dict[str, ToolProgram] = {}
        self._under: dict[str, dict[str, None]] = {"": {}}
        self._words: dict[str, frozenset[str]] = {}
        self._lock = threading.Lock()

    @property
    def programs(self) -> Mapping[str, ToolProgram]:
        """The programs by id; this mapping stays as it is."""
        return self._programs

    def follow(self, documents: Mapping[str, ProgramFile]) -> frozenset[str]:
        """Take in what a library holds now; return the ids of what came, changed or went."""
        after = Documents.of("program", documents)
        with self._lock:
            changed = after.since(self._documents)
            if changed:
                self._programs = dict(self._programs)  # others may be looking at what was there
            for name in sorted(changed):
                self._drop(name)
                file = after.get(name)
                if file is not None and file.tools is not None and file.status != "retired":
                    self._add(ToolProgram(file))
            self._documents = after
        return changed

    def reading(self, task: str) -> list[ToolProgram]:
        """Return the programs that read a task, in order of their ids."""
        folded = " ".join(task.split()).casefold()
        with self._lock:
            names = set(self._under[""])
            for word in set(folded.split()):
                names.update(self._under.get(word, ()))
            able = [self._programs[name] for name in sorted(names)]
        return [p for p in able if any(s in folded for s in p.signs) and p.reads(task)]

    def _add(self, program: ToolProgram) -> None:
        name = program.file.id
        self._programs[name] = program
        self._words[name] = frozenset(map(self._rarest, program.signs))
        for word in self._words[name]:
            self._under.setdefault(word, {})[name] = None

    def _drop(self, name: str) -> None:
        if self._programs.pop(name, None) is None:
            return
        for word in self._words.pop(name):
            del self._under[word][name]
            if word and not self._under[word]:
                del self._under[word]

    def _rarest(self, sign: str) -> str:
        """Return the word of a text under which fewest programs stand; of its ends no part."""
        words = f"|{sign}|".split()[1:-1]
        return min(words, key=lambda word: (len(self._under.get(word, ())), word), default="")
