"""Learn how names stand in text, so that those of a new episode are found too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ..episodes.trajectories import Trajectory
from ..words.clauses import clauses
from ..words.lexicon import Lexicon
from ..words.unknown_names import LONGEST_CLAUSE, Names, neighbours, token_spans_of
from .entities import spread

__all__ = ["learn_names"]

_SAMPLE = 150
_LEAST = 3
_EVERYWHERE = 0.5
_SHARE = 0.005
"""Share of all names that must stand beside a token for it to count."""


def learn_names(trajectories: Sequence[Trajectory], lexicon: Lexicon) -> Names | None:
    """Tell the words that names stand between from those that are no names.

    Returns:
        None where entities are told by their shape, or none are known.
    """
    if lexicon.numbered or not lexicon.kinds:
        return None
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    sample = spread(trajectories, _SAMPLE)
    marked = []
    for clause in _clauses(sample):
        spans = [(start, end) for start, end, _ in lexicon.mentions(clause)]
        parts = clause.split(" ")
        places = token_spans_of(clause, spans)
        marked.append((parts, places))
        for start, end in places:
            left, right = neighbours(parts, start, end)
            before[left] += 1
            after[right] += 1
    total = sum(before.values())
    if not total:
        return None
    bar = max(_LEAST, _SHARE * total)
    parts_of_names = {word for kind in lexicon.kinds for word in kind.split()}
    beside = frozenset(token for token, n in before.items() if n >= bar)
    followed = frozenset(token for token, n in after.items() if n >= bar)
    counts: Counter[str] = Counter()
    for parts, places in marked:
        inside = {i for start, end in places for i in range(start, end)}
        counts.update(part for i, part in enumerate(parts) if i not in inside)
    plain = Names(beside - parts_of_names, followed, frozenset())
    standing: Counter[str] = Counter()
    for parts, places in marked:
        inside = {i for start, end in places for i in range(start, end)}
        shown = ["\0" if i in inside else part for i, part in enumerate(parts)]
        standing.update(word for run in plain.runs(shown) for word in run.split())
    # A word that always stands like a name may be one that no demonstration had a use for.
    words = {word for word, n in counts.items() if word[0].isalpha() and n > standing[word]}
    # Names change from episode to episode, and what a task names is seen in time: no names are
    # what most episodes have, and what tasks say again and again of nothing that is ever seen.
    seen = Counter(word for each in sample for word in _words(each.obs))
    asked = Counter(word for each in sample for word in _words([each.task]))
    words.update(word for word, n in (seen + asked).items() if n >= _EVERYWHERE * len(sample))
    words.update(word for word, n in asked.items() if n >= _LEAST and word not in seen)
    interior = {word for kind in lexicon.kinds for word in kind.split()[1:-1]}
    apart = frozenset(words - parts_of_names)
    return Names(plain.before, followed, apart, frozenset(words & interior))


def _words(texts: Sequence[str]) -> set[str]:
    found = (clause for text in texts for clause in clauses(text) if len(clause) <= LONGEST_CLAUSE)
    return {part for clause in found for part in clause.split() if part[0].isalpha()}


def _clauses(trajectories: Sequence[Trajectory]) -> Iterator[str]:
    seen: set[str] = set()
    for trajectory in trajectories:
        for text in (trajectory.task, *trajectory.obs):
            for clause in clauses(text):
                if clause not in seen and len(clause) <= LONGEST_CLAUSE:
                    seen.add(clause)
                    yield clause
