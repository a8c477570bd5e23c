"""Kinds of task: which runs are demonstrations of one program.

Runs are of one kind if they were asked for alike and began with the same call, or if they did just
the same and said so alike.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..episodes.facts import scalar_text
from ..episodes.tokens import Tokens, occurs, tokens
from ..programs.documents import ProgramFile
from ..programs.forms import argument_leaves
from .calls import Said
from .episodes import ToolEpisode, worth_learning
from .programs import LEAST_RUNS, learn_tool_program
from .reading import told_by
from .running import ToolProgram
from .wording import alike, given_words, masked, names_in, wording_of

__all__ = ["Kinds", "News"]

_MOST_RUNS = 100
"""Runs of one kind that are kept."""
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


@dataclass(frozen=True, slots=True)
class News:
    """What a library's programs should be by now.

    Attributes:
        files: Programs that were learned anew, in the order of their ids.
        gone: Ids of programs for which there is no room, or whose kind became part of another.
        replaced: Id of a program → id of the draft, named after one run, in whose place it comes.
    """

    files: tuple[ProgramFile, ...] = ()
    gone: frozenset[str] = frozenset()
    replaced: Mapping[str, str] = field(default_factory=dict)


class Kinds:
    """The kinds of task that runs show, and which program of a library each has.

    Not thread-safe.
    """

    def __init__(self, runs: Iterable[ToolEpisode] = ()) -> None:
        self._runs: dict[Tokens, deque[_Seen]] = {}
        self._kind: dict[Tokens, Tokens] = {}
        self._wordings: dict[Tokens, list[Tokens]] = {}
        self._seen = itertools.count()
        self._learned: dict[Tokens, tuple[int, ToolProgram | None]] = {}
        self._version: Counter[Tokens] = Counter()
        self._surprised: set[Tokens] = set()
        self._gone: set[str] = set()
        for run in runs:
            self.add(run)

    def add(self, run: ToolEpisode) -> None:
        """Take in a run; :meth:`news` learns from it."""
        worked = worth_learning(run)
        if worked is None or len(run.task) > _LONGEST:
            return
        run = worked
        seen = _seen(next(self._seen), run)
        wording = seen.wording
        if wording not in self._runs:
            self._runs[wording] = deque(maxlen=_MOST_RUNS)
            self._kind[wording] = wording
            self._wordings[wording] = [wording]
        self._runs[wording].append(seen)
        for other in self._runs:
            if self._kind[other] != self._kind[wording] and self._alike(seen, other):
                self._merge(self._kind[wording], self._kind[other])
        kind = self._kind[wording]
        self._version[kind] += 1
        _, program = self._learned.get(kind, (0, None))
        if program is not None and not program.reproduces(run):
            self._surprised.add(kind)

    def _merge(self, old: Tokens, new: Tokens) -> None:
        moved = self._wordings.pop(old)
        self._wordings[new] += moved
        self._kind.update(dict.fromkeys(moved, new))
        self._version[new] += self._version.pop(old, 0)
        _, program = self._learned.pop(old, (0, None))
        if program is not None and self._learned.get(new, (0, None))[1] is None:
            self._learned[new] = self._version[new], program
        elif program is not None:
            self._gone.add(program.file.id)
        self._surprised.discard(old)
        self._surprised.add(new)

    def adopt(self, programs: Iterable[ToolProgram]) -> None:
        """Take programs of a library for those of the kinds whose tasks they read."""
        free = {program.file.id: program for program in programs}
        for _, program in self._learned.values():
            if program is not None:
                free.pop(program.file.id, None)
        for kind in self._wordings:
            if self._learned.get(kind, (0, None))[1] is not None:
                continue
            newest = self._runs[self._wordings[kind][-1]][-1].run.task
            program = next((each for each in free.values() if each.reads(newest)), None)
            if program is not None:
                del free[program.file.id]
                self._learned[kind] = self._version[kind], program

    def news(self, taken: Iterable[str], room: int) -> News:
        """Learn the programs of kinds of which there are runs that they do not know.

        A program is relearned if a run did something else since, or a tenth more did the same.

        Args:
            taken: Ids that other documents have.
            room: Most programs; the kinds that were shown most often have one.
        """
        ranked = sorted(self._wordings, key=lambda kind: (-self._version[kind], self._newest(kind)))
        names = set(taken)
        for kind in ranked[room:]:
            _, program = self._learned.pop(kind, (0, None))
            if program is not None:
                self._gone.add(program.file.id)
        files: dict[str, ProgramFile] = {}
        replaced: dict[str, str] = {}
        for kind in ranked[:room]:
            version, known = self._learned.get(kind, (0, None))
            due = (self._version[kind] - version) * _FEW_NEWS > version
            if not due and kind not in self._surprised:
                continue
            self._surprised.discard(kind)
            runs = _since_changed([each.run for each in self._of(kind)])
            file = learn_tool_program(runs, names)
            if known is not None and any(step.sources for step in known.program.steps):
                file = replace(file, id=known.file.id)
            elif known is not None and known.file.id != file.id:
                replaced[file.id] = known.file.id
            if file.program.steps:
                names.add(file.id)
                files[file.id] = file
            program = ToolProgram(file) if file.program.steps else known
            self._learned[kind] = self._version[kind], program
        gone, self._gone = frozenset(self._gone - files.keys()), set()
        return News(tuple(files[name] for name in sorted(files)), gone, replaced)

    def _newest(self, kind: Tokens) -> int:
        return -max(self._runs[wording][-1].number for wording in self._wordings[kind])

    def _of(self, kind: Tokens) -> list[_Seen]:
        """Return runs of a kind, the oldest first; each wording keeps its newest in turn."""
        newest = (reversed(self._runs[wording]) for wording in self._wordings[kind])
        turns = itertools.chain.from_iterable(itertools.zip_longest(*newest))
        runs = itertools.islice((each for each in turns if each is not None), _MOST_RUNS)
        return sorted(runs, key=lambda each: each.number)

    def _alike(self, seen: _Seen, wording: Tokens) -> bool:
        for other in self._runs[wording]:
            if seen.calls[:1] == other.calls[:1] and alike(seen.wording, wording):
                return True
            if seen.calls == other.calls and alike(seen.answer, other.answer):
                return True
        return False


def _since_changed(runs: Sequence[ToolEpisode]) -> Sequence[ToolEpisode]:
    """Return the runs since a tool takes other arguments: all of them where none changed.

    It changed if no run of the last ones gave it the arguments that each of those before gave it.
    """
    newest = _arguments(runs[-LEAST_RUNS:])
    for at in range(len(runs) - LEAST_RUNS, 0, -1):
        before = _arguments(runs[max(0, at - LEAST_RUNS) : at])
        if any(not before[tool] & newest[tool] for tool in before.keys() & newest.keys()):
            return runs[at:]
    return runs


def _arguments(runs: Sequence[ToolEpisode]) -> dict[str, set[frozenset[str]]]:
    """Return the sets of arguments that tools were given."""
    given: dict[str, set[frozenset[str]]] = defaultdict(set)
    for run in runs:
        for call in run.calls:
            given[call.tool].add(frozenset(call.args))
    return given


def _seen(number: int, run: ToolEpisode) -> _Seen:
    texts = (scalar_text(v) for call in run.calls for _, v in argument_leaves(call.arguments))
    names = frozenset(names_in(run.task))
    names |= {word for word in given_words(texts) if occurs(word, run.task)}
    given: set[str] = set()
    told: set[str] = set()
    calls: list[tuple[str, tuple[tuple[str, str], ...]]] = []
    for call in run.calls:
        said = Said("", frozenset(told) | names)
        values = [
            (path, scalar_text(said.spelling(v))) for path, v in argument_leaves(call.arguments)
        ]
        calls.append((call.tool, tuple((path, masked(value, said)) for path, value in values)))
        given.update(value for _, value in values)
        told.update(told_by(call))
    said = Said("", frozenset(told | given) | names)
    answer = tokens(masked(run.answer or "", said))
    return _Seen(number, run, wording_of(run.task, given), tuple(calls), answer)
