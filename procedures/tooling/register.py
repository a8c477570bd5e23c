"""The programs of a library that call tools, found by a word that their tasks always say."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping

from ..common.text import fold_space
from ..episodes.templates import Template
from ..files.heads import Head
from ..files.lazy_documents import Documents
from ..programs.documents import ProgramFile
from .program_run import ToolProgram


class InUse(Mapping[str, ToolProgram]):
    """Programs that call tools and are in use, by id; each is made when it is first asked for.

    It stays as it is. Thread-safe: a program that two threads ask for at once may be made twice.

    Args:
        documents: Where their files are.
        heads: Of those that are in use.
        before: Programs that were made already, by id, of these files.
    """

    def __init__(
        self,
        documents: Documents[ProgramFile],
        heads: Mapping[str, Head],
        before: Mapping[str, ToolProgram],
    ) -> None:
        self._documents = documents
        self._heads = dict(heads)
        self._made = dict(before)

    def __getitem__(self, name: str) -> ToolProgram:
        if name not in self._heads:
            raise KeyError(name)
        program = self._made.get(name)
        if program is None:
            program = self._made.setdefault(name, ToolProgram(self._documents[name]))
        return program

    def __iter__(self) -> Iterator[str]:
        return iter(self._heads)

    def __len__(self) -> int:
        return len(self._heads)

    @property
    def heads(self) -> Mapping[str, Head]:
        """Heads of all of them, by id; quick, since no program is made."""
        return self._heads

    def after(self, documents: Documents[ProgramFile], changed: frozenset[str]) -> InUse:
        """Return those that are in use after some files came, changed or went."""
        heads = dict(self._heads)
        for name in sorted(changed):
            heads.pop(name, None)
            entry = documents.entries.get(name)
            if entry is not None:
                head = entry.head()
                if head.calls_tools and head.status != "retired":
                    heads[name] = head
        programs = {name: each for name, each in self._made.copy().items() if name not in changed}
        return InUse(documents, heads, programs)


class Register:
    """Programs that call tools and are in use; follows a library by what changed. Thread-safe.

    A program stands under one word of each of its wordings, the one under which fewest stand; or
    under the empty word where a wording always says none.
    """

    def __init__(self) -> None:
        self._documents: Documents[ProgramFile] = Documents({})
        self._programs = InUse(self._documents, {}, {})
        self._under: dict[str, dict[str, None]] = {"": {}}
        self._signs: dict[str, frozenset[str]] = {}
        self._words: dict[str, frozenset[str]] = {}
        self._lock = threading.Lock()

    @property
    def programs(self) -> InUse:
        """The programs by id; this mapping stays as it is."""
        return self._programs

    def follow(self, documents: Mapping[str, ProgramFile]) -> frozenset[str]:
        """Take in what a library holds now; return the ids of what came, changed or went."""
        after = Documents.of("program", documents)
        with self._lock:
            changed = after.since(self._documents)
            self._documents = after
            if changed:
                self._programs = self._programs.after(after, changed)
            for name in sorted(changed):
                self._drop(name)
                head = self._programs.heads.get(name)
                if head is not None:
                    self._add(name, head)
        return changed

    def reading(self, task: str) -> list[ToolProgram]:
        """Return the programs that read a task, in order of their ids."""
        folded = fold_space(task).casefold()
        with self._lock:
            names = set(self._under[""])
            for word in set(folded.split()):
                names.update(self._under.get(word, ()))
            able = [n for n in sorted(names) if any(s in folded for s in self._signs[n])]
            programs = self._programs
        return [program for program in map(programs.__getitem__, able) if program.reads(task)]

    def reading_any(self, tasks: Iterable[str]) -> Iterator[ToolProgram]:
        """Yield the programs that read one of some tasks, those of the first task first."""
        return iter({p.file.id: p for task in tasks for p in self.reading(task)}.values())

    def _add(self, name: str, head: Head) -> None:
        wordings = (head.goal, *head.wordings)
        self._signs[name] = frozenset(Template(wording).sign for wording in wordings)
        self._words[name] = frozenset(map(self._rarest, self._signs[name]))
        for word in self._words[name]:
            self._under.setdefault(word, {})[name] = None

    def _drop(self, name: str) -> None:
        self._signs.pop(name, None)
        for word in self._words.pop(name, ()):
            del self._under[word][name]
            if word and not self._under[word]:
                del self._under[word]

    def _rarest(self, sign: str) -> str:
        """Return the word of a text under which fewest programs stand; of its ends no part."""
        words = f"|{sign}|".split()[1:-1]
        return min(words, key=lambda word: (len(self._under.get(word, ())), word), default="")
