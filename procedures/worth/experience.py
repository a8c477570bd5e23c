"""Experience from earlier episodes: the candidates taken for a task, and the facts seen in them.

The first comes from demonstrations. The second, the fact memory, holds only what was observed when
a candidate was opened, in practice or in episodes that were played before.
"""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..common.errors import LibraryError
from ..episodes.fact import Fact
from ..episodes.tokens import plain_words
from ..local.machine_folder import LOCAL, make_parent
from .traits import words_in

SEEN = Path(LOCAL) / "seen.jsonl"
"""The file of the fact memory in a library's folder; like all there, it is not for git."""
_LIKENESS_POWER = 3
"""Power of a likeness: tasks that are alike by half have little to say of each other."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A candidate that was taken.

    Attributes:
        episode: Name of the episode.
        task: What was asked.
        name: The candidate.
        reward: What it brought, in [0, 1].
    """

    episode: str
    task: str
    name: str
    reward: float


class TakenBefore:
    """For which tasks candidates were taken.

    Two tasks are as like as the weight of the words they share, of all that they have: a word
    weighs the more, the fewer tasks have it.
    """

    def __init__(self, cases: Iterable[Taken]) -> None:
        self.cases = tuple(cases)
        self._words = [_words(each.task) for each in self.cases]
        count_by_word = Counter(word for words in self._words for word in words)
        total = len(self.cases) + 1
        self._weight = {word: math.log(total / (n + 0.5)) for word, n in count_by_word.items()}
        self._rare = math.log(2 * total)
        self._having: dict[str, list[int]] = defaultdict(list)
        for number, words in enumerate(self._words):
            for word in words:
                self._having[word].append(number)
        self._whole = [self._sum(words) for words in self._words]
        self._memo: tuple[str, list[float]] = ("", [])

    def weight(self, word: str) -> float:
        """Return how much a word tells: the more, the fewer tasks have it; 1 of no tasks at all."""
        return max(0.0, self._weight.get(word, self._rare)) if self.cases else 1.0

    def of_episode(self, name: str, task: str) -> frozenset[int]:
        """Return the numbers of the cases of an episode, or of the very same task."""
        return frozenset(
            n
            for n, case in enumerate(self.cases)
            if (name and case.episode == name) or case.task == task
        )

    def likeness(self, task: str, without: Collection[int] = ()) -> dict[str, float]:
        """Return candidate → reward, times the likeness of the nearest task it was taken for.

        Args:
            task: What is asked.
            without: Numbers of cases that are left out.
        """
        if self._memo[0] != task:
            self._memo = task, self._shares(task)
        reward_by_name: dict[str, float] = {}
        for number, share in enumerate(self._memo[1]):
            if share > 0 and number not in without:
                case = self.cases[number]
                value = case.reward * share**_LIKENESS_POWER
                reward_by_name[case.name] = max(value, reward_by_name.get(case.name, 0.0))
        return reward_by_name

    def _shares(self, task: str) -> list[float]:
        words = _words(task)
        own_sum, shared = self._sum(words), [0.0] * len(self.cases)
        for word in sorted(words):  # sums of numbers depend on the order
            for number in self._having.get(word, ()):
                shared[number] += self.weight(word)
        sums = zip(shared, self._whole, strict=True)
        return [
            common / (own_sum + other - common) if common > 0 else 0.0 for common, other in sums
        ]

    def _sum(self, words: Iterable[str]) -> float:
        return math.fsum(self.weight(word) for word in words)


def _words(task: str) -> frozenset[str]:
    """Return the words of a task, and those that signs join as a whole: ``d1-red`` is rarer."""
    return words_in(task) | {word.casefold() for word in plain_words(task)}


class FactMemory:
    """The texts that were observed when candidates were opened.

    Args:
        file: Where it is kept; None keeps it in this process.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._told: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {}
        self._lines: dict[tuple[str, str], Mapping[str, str]] = {}
        self._having: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)

    @classmethod
    def read(cls, library: Path, *, keep: bool) -> FactMemory:
        """Read that of a library.

        Args:
            library: The library's folder.
            keep: Whether what is noted is added to the file.

        Raises:
            LibraryError: The file is none.
        """
        file = library / SEEN
        memory = cls(file if keep else None)
        if file.exists():
            # Behind the last end of a line stands what a kill cut off.
            lines = file.read_bytes().rpartition(b"\n")[0].split(b"\n")
            try:
                for row in map(json.loads, filter(None, lines)):
                    key = str(row["kind"]), str(row["name"])
                    texts = tuple(map(str, row["told"]))
                    memory._add(key, texts, str(row.get("part", "")), dict(row.get("line", {})))
            except (ValueError, KeyError, TypeError, RecursionError):
                raise LibraryError(
                    "holds something else than what was seen",
                    file=file,
                    hint="remove the file to forget all of it",
                ) from None
        return memory

    def __len__(self) -> int:
        """How many candidates are known."""
        return len(self._told)

    def names(self) -> list[str]:
        """Return the names of all candidates that are known."""
        return list(dict.fromkeys(name for _, name in self._told))

    def told(self, kind: str, name: str) -> Sequence[str] | None:
        """Return the texts seen when a candidate was opened; None where it never was."""
        return self.told_of(kind, name, "")

    def told_of(self, kind: str, name: str, part: str) -> Sequence[str] | None:
        """Return what a part of a candidate's page led to; None where it was not read."""
        return self._told.get((kind, name), {}).get(part)

    def further(self, kind: str, name: str) -> list[str]:
        """Return what all parts of a candidate's page led to that were read."""
        texts_by_part = self._told.get((kind, name), {})
        return [text for part, texts in texts_by_part.items() if part for text in texts]

    def parts(self, kind: str, part: str) -> list[Sequence[str]]:
        """Return what a part led to, for each candidate of which it was read."""
        return [
            texts_by_part[part]
            for (one, _), texts_by_part in self._told.items()
            if one == kind and part in texts_by_part
        ]

    def like(self, kind: str, words: Mapping[str, float], most: int) -> list[Fact]:
        """Return the lines of candidates whose texts have most of some words, the best first.

        Args:
            kind: Of the facts that list candidates.
            words: Words with their weights.
            most: How many candidates at most.
        """
        sums: dict[str, float] = defaultdict(float)
        for word in sorted(words):  # sums of numbers depend on the order
            for name in self._having.get((kind, word), ()):
                sums[name] += words[word]
        order = sorted(sums, key=lambda name: (-sums[name], name))
        lines = ((name, self._lines.get((kind, name))) for name in order)
        facts = (Fact(kind, line) for _, line in lines if line is not None)
        return list(itertools.islice(facts, most))

    def line(self, kind: str, name: str) -> Mapping[str, str] | None:
        """Return the fields with which a candidate was listed; None where nobody knows."""
        return self._lines.get((kind, name))

    def note(
        self,
        kind: str,
        name: str,
        told: Sequence[str],
        part: str = "",
        line: Mapping[str, str] | None = None,
    ) -> None:
        """Remember the texts of a candidate, in place of earlier ones.

        Args:
            kind: Of the facts that list candidates.
            name: The candidate.
            told: The texts.
            part: What of its page led there; empty for the page itself.
            line: The fields with which it was listed; None where they stay as they are known.
        """
        unchanged = self._told.get((kind, name), {}).get(part) == tuple(told)
        if unchanged and (line is None or line == self._lines.get((kind, name))):
            return
        self._add((kind, name), tuple(told), part, line or {})
        if self._file is not None:
            make_parent(self._file)
            row: dict[str, object] = {"kind": kind, "name": name}
            row |= ({"part": part} if part else {}) | ({"line": dict(line)} if line else {})
            text = json.dumps({**row, "told": list(told)}, ensure_ascii=False)
            with self._file.open("a", encoding="utf-8") as out:
                out.write(text + "\n")

    def _add(
        self, key: tuple[str, str], texts: tuple[str, ...], part: str, line: Mapping[str, str]
    ) -> None:
        self._told.setdefault(key, {})[part] = texts
        if line:
            self._lines[key] = dict(line)
        for text in (*texts, *line.values()):
            for word in words_in(text):
                self._having[key[0], word][key[1]] = None


@dataclass(slots=True)
class Experience:
    """The experience that counts in an episode.

    Attributes:
        before: For which tasks candidates were taken.
        memory: What was told of them; None where that does not count.
        without: Numbers of cases of ``before`` that are left out.
        trial: Which candidate is tried out; see :class:`..episodes.history.Experience`.
    """

    before: TakenBefore
    memory: FactMemory | None = None
    without: frozenset[int] = frozenset()
    trial: float | None = None

    def taken(self, task: str) -> Mapping[str, float]:
        """Return candidate → how like a task is to one for which it was taken, from 0 to 1."""
        return self.before.likeness(task, self.without)

    def weight(self, word: str) -> float:
        """Return how much a word of a task tells, at least 0."""
        return self.before.weight(word)

    def told(self, kind: str, candidate: str) -> Sequence[str] | None:
        """Return what was told of a candidate; None where nothing is known."""
        return None if self.memory is None else self.memory.told(kind, candidate)

    def further(self, kind: str, candidate: str) -> Sequence[str]:
        """Return what parts of a candidate's page led to, as far as they were read."""
        return [] if self.memory is None else self.memory.further(kind, candidate)

    def like(self, kind: str, words: Mapping[str, float], most: int) -> Sequence[Fact]:
        """Return the lines of remembered candidates whose texts have most of these words."""
        return [] if self.memory is None else self.memory.like(kind, words, most)
