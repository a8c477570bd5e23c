"""Kinds of task: which runs are demonstrations of one program.

Runs are of one kind if they were asked for alike, or if they did just the same and said so alike.
"""

from __future__ import annotations

import itertools
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..episodes.facts import spelled
from ..episodes.tokens import Tokens, tokens
from .calls import Said, flattened
from .episodes import ToolEpisode
from .programs import learn_tool_program
from .reading import told_by
from .running import ToolProgram
from .wording import alike, likely, masked, names_in, wording_of

__all__ = ["Kinds"]

_MOST_RUNS = 100
"""Runs of one kind that are kept."""
_LEAST_RUNS = 3
_FEW_NEWS = 10
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class _Seen:
    """What tells the kind of a run.

    Attributes:
        number: How many runs were seen before it.
        run: The run.
        wording: Words of the task; ``*`` for what calls were given.
        calls: Tools with their texts; ``*`` for what was said before.
        answer: Words of the answer, likewise.
    """

    number: int
    run: ToolEpisode
    wording: Tokens
    calls: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    answer: Tokens


class Kinds:
    """The kinds of task of a library, with their programs. Not thread-safe."""

    def __init__(self, runs: Iterable[ToolEpisode] = ()) -> None:
        self._runs: dict[Tokens, deque[_Seen]] = {}
        self._kind: dict[Tokens, Tokens] = {}
        self._wordings: dict[Tokens, list[Tokens]] = {}
        self._seen = itertools.count()
        self._learned: dict[Tokens, tuple[int, ToolProgram | None]] = {}
        self._version: Counter[Tokens] = Counter()
        self._surprised: set[Tokens] = set()
        for run in runs:
            self.add(run)

    def add(self, run: ToolEpisode) -> None:
        """Take in a run; programs are learned when they are asked for."""
        if not run.success or len(run.task) > _LONGEST:
            return
        seen = _seen(next(self._seen), run)
        wording = seen.wording
        if wording not in self._runs:
            self._runs[wording] = deque(maxlen=_MOST_RUNS)
            self._kind[wording] = wording
            self._wordings[wording] = [wording]
        self._runs[wording].append(seen)
        for other in self._runs:
            if self._kind[other] != self._kind[wording] and self._alike(seen, other):
                old, new = self._kind[wording], self._kind[other]
                moved = self._wordings.pop(old)
                self._wordings[new] += moved
                self._kind.update(dict.fromkeys(moved, new))
                self._version[new] += self._version.pop(old, 0)
                self._learned.pop(old, None)
                self._surprised.discard(old)
                self._surprised.add(new)
        kind = self._kind[wording]
        self._version[kind] += 1
        _, program = self._learned.get(kind, (0, None))
        if program is not None and not program.reproduces(run):
            self._surprised.add(kind)

    def reading(self, task: str) -> Iterator[ToolProgram]:
        """Yield the programs that read a task."""
        words = tokens(task)
        for kind, wordings in self._wordings.items():
            if not any(likely(wording, words) for wording in wordings):
                continue
            program = self.program(kind)
            if program is not None and program.reads(task):
                yield program

    def programs(self) -> list[ToolProgram]:
        """Return all programs."""
        return [each for each in map(self.program, self._wordings) if each is not None]

    def program(self, kind: Tokens) -> ToolProgram | None:
        """Return the program of a kind.

        It is relearned if a run did something else since, or a tenth more runs did the same.
        """
        version, program = self._learned.get(kind, (-1, None))
        news = self._version[kind] - version
        if program is None or kind in self._surprised or news * _FEW_NEWS > version:
            runs = [each.run for each in self._of(kind)]
            name = "-".join(word.lower() for word in kind if word[0].isalnum())[:60] or "task"
            if len(runs) < _LEAST_RUNS:
                return None
            program = learn_tool_program(name, runs)
            self._learned[kind] = self._version[kind], program
            self._surprised.discard(kind)
        return program

    def _of(self, kind: Tokens) -> list[_Seen]:
        """Return runs of a kind, the oldest first; each wording keeps its newest in turn."""
        newest = (reversed(self._runs[wording]) for wording in self._wordings[kind])
        turns = itertools.chain.from_iterable(itertools.zip_longest(*newest))
        runs = itertools.islice((each for each in turns if each is not None), _MOST_RUNS)
        return sorted(runs, key=lambda each: each.number)

    def _alike(self, seen: _Seen, wording: Tokens) -> bool:
        tools = seen.calls[0][0] if seen.calls else ""
        for other in self._runs[wording]:
            if other.calls and other.calls[0][0] == tools and alike(seen.wording, wording):
                return True
            if seen.calls == other.calls and alike(seen.answer, other.answer):
                return True
        return False


def _seen(number: int, run: ToolEpisode) -> _Seen:
    names = frozenset(names_in(run.task))
    given: set[str] = set()
    told: set[str] = set()
    calls: list[tuple[str, tuple[tuple[str, str], ...]]] = []
    for call in run.calls:
        said = Said("", frozenset(told) | names)
        values = [(path, spelled(said.spelling(v))) for path, v in flattened(call.arguments)]
        calls.append((call.tool, tuple((path, masked(value, said)) for path, value in values)))
        given.update(value for _, value in values)
        told.update(told_by(call))
    said = Said("", frozenset(told | given) | names)
    answer = tokens(masked(run.answer or "", said))
    return _Seen(number, run, wording_of(run.task, given), tuple(calls), answer)
