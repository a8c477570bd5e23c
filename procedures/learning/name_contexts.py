"""Learn the contexts of names in text, so that new names are found, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ..episodes.trajectories import Trajectory
from ..words.clauses import clauses
from ..words.lexicon import Lexicon
from ..words.unknown_names import LONGEST_CLAUSE, Names, neighbours, token_spans_of
from .entities import spread

_SAMPLE = 150
"""Most episodes read; it bounds the time."""
_LEAST = 3
"""Occurrences; fewer may be chance."""
_EVERYWHERE = 0.5
"""Share of episodes from which a word is part of no name: names change between episodes."""
_SHARE = 0.005
"""Least share of all names that a token stands beside to count as their context."""


def learn_names(trajectories: Sequence[Trajectory], lexicon: Lexicon) -> Names | None:
    """Learn the tokens around names, and the words that are part of no name.

    Returns:
        The contexts of names; None where entities have a shape, or none are known.
    """
    if lexicon.numbered or not lexicon.kinds:
        return None
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    sample = spread(trajectories, _SAMPLE)
    clauses_and_places = []
    for clause in _clauses(sample):
        spans = [(start, end) for start, end, _ in lexicon.mentions(clause)]
        parts = clause.split(" ")
        places = token_spans_of(clause, spans)
        clauses_and_places.append((parts, places))
        for start, end in places:
            token_before, token_after = neighbours(parts, start, end)
            before[token_before] += 1
            after[token_after] += 1
    total = sum(before.values())
    if not total:
        return None
    least_count = max(_LEAST, _SHARE * total)
    parts_of_names = {word for kind in lexicon.kinds for word in kind.split()}
    preceding = frozenset(token for token, n in before.items() if n >= least_count)
    following = frozenset(token for token, n in after.items() if n >= least_count)
    plain_count: Counter[str] = Counter()
    for parts, places in clauses_and_places:
        inside = {i for start, end in places for i in range(start, end)}
        plain_count.update(part for i, part in enumerate(parts) if i not in inside)
    plain = Names(preceding - parts_of_names, following, frozenset())
    name_like_count: Counter[str] = Counter()
    for parts, places in clauses_and_places:
        inside = {i for start, end in places for i in range(start, end)}
        masked = ["\0" if i in inside else part for i, part in enumerate(parts)]
        name_like_count.update(word for run in plain.runs(masked) for word in run.split())
    # A word that always stands like a name may be an entity that no demonstration used.
    words = {
        word for word, n in plain_count.items() if word[0].isalpha() and n > name_like_count[word]
    }
    # Names change from episode to episode, and observations show what a task names. So words of
    # most episodes are no names, nor are frequent words of tasks that no observation shows.
    observation_count = Counter(word for each in sample for word in _words(each.obs))
    task_count = Counter(word for each in sample for word in _words([each.task]))
    words.update(
        word
        for word, n in (observation_count + task_count).items()
        if n >= _EVERYWHERE * len(sample)
    )
    words.update(
        word for word, n in task_count.items() if n >= _LEAST and word not in observation_count
    )
    interior = {word for kind in lexicon.kinds for word in kind.split()[1:-1]}
    plain_words = frozenset(words - parts_of_names)
    return Names(plain.before, following, plain_words, frozenset(words & interior))


def _words(texts: Sequence[str]) -> set[str]:
    short_clauses = (
        clause for text in texts for clause in clauses(text) if len(clause) <= LONGEST_CLAUSE
    )
    return {part for clause in short_clauses for part in clause.split() if part[0].isalpha()}


def _clauses(trajectories: Sequence[Trajectory]) -> Iterator[str]:
    known_clauses: set[str] = set()
    for trajectory in trajectories:
        for text in (trajectory.task, *trajectory.obs):
            for clause in clauses(text):
                if clause not in known_clauses and len(clause) <= LONGEST_CLAUSE:
                    known_clauses.add(clause)
                    yield clause
