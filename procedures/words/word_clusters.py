"""Clusters of words that mean nearly the same, and how they are found.

A cluster never merges two words: where both are known, they stay distinct. It serves as a fallback
for a word that is not known: with evidence of its mates, and with *unknown* instead of *false*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from ..common.text import phrase_pattern
from ..evidence.thresholds import clusters_above

_COMPOUND = 3
"""Least letters of a compound beside a word in it; most endings have fewer.

The rule only separates words. It says nothing of words that share no letters, where similarity
decides alone. Where an ending is longer, or a word begins like another by chance, a cluster and its
fallback are lost."""
K_VOCAB = 200
"""Number of the most frequent words that are clustered."""
THETA_SIM = 0.55
"""Cosine similarity that all words of a cluster have to each other."""

_HUMP = re.compile(r"(?<=[^\W_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
"""Beginning of a word inside an identifier: before a capital, the last one of several."""

Similarity = Callable[[str, str], float]


class Clusters:
    """Groups of words, looked up by word.

    Args:
        groups: The words of each cluster; a word in several belongs to the first.
    """

    def __init__(self, groups: Iterable[Iterable[str]] = ()) -> None:
        self._groups: dict[str, tuple[str, ...]] = {}
        for group in groups:
            words = tuple(group)
            for word in words:
                self._groups.setdefault(word, words)

    def mates(self, word: str) -> tuple[str, ...]:
        """Return the other words of its cluster, in the cluster's order.

        The mates of a phrase in no cluster are the phrases with one of its words replaced.
        """
        if word in self._groups or " " not in word:
            return tuple(mate for mate in self._groups.get(word, ()) if mate != word)
        parts = word.split()
        return tuple(
            " ".join((*parts[:i], mate, *parts[i + 1 :]))
            for i, part in enumerate(parts)
            for mate in self.mates(part)
        )

    def replacements(self, vocabulary: Container[str]) -> dict[str, str]:
        """Map each word outside the vocabulary to the first of its mates inside."""
        mate_by_word: dict[str, str] = {}
        for word in self._groups:
            mate = next((each for each in self.mates(word) if each in vocabulary), None)
            if mate is not None and word not in vocabulary:
                mate_by_word[word] = mate
        return mate_by_word


def reworded(text: str, replacements: Mapping[str, str]) -> str:
    """Return a text with words replaced, the longest first, each place once.

    >>> reworded("Rinse the cup, then the cupboard", {"rinse": "wash", "cup": "mug"})
    'wash the mug, then the cupboard'
    """
    longest_first = sorted(replacements, key=lambda word: (-len(word), word))
    if not longest_first:
        return text
    pattern = re.compile("|".join(phrase_pattern(word).pattern for word in longest_first), re.I)
    return pattern.sub(lambda match: replacements.get(match[0].lower(), match[0]), text)


def word_clusters(
    counts: Mapping[str, float],
    similarity: Similarity,
    *,
    most: int = K_VOCAB,
    threshold: float = THETA_SIM,
) -> list[tuple[str, ...]]:
    """Group the most frequent words by similarity (complete linkage).

    A compound and a word in it never share a cluster: one names a part, a place or a kind of the
    other, however similar their embeddings are.

    Args:
        counts: Word → number of occurrences.
        similarity: Similarity of two words, in [-1, 1].
        most: k_vocab; number of words considered.
        threshold: θ_sim; the least similarity of any two words of a cluster.

    Returns:
        Clusters of at least two words, the most frequent word first; it names the cluster.
    """
    import numpy as np

    words = sorted(counts, key=lambda word: (-counts[word], word))[:most]
    similarities = np.eye(len(words))
    for i, first in enumerate(words):
        for j in range(i):
            comparable = not _compound_of(words[j], first) and not _compound_of(first, words[j])
            similarities[i, j] = similarities[j, i] = (
                similarity(words[j], first) if comparable else -1.0
            )
    groups = clusters_above(similarities, threshold)
    return [tuple(words[i] for i in group) for group in groups if len(group) > 1]


def _compound_of(word: str, part: str) -> bool:
    """Tell whether a word consists of another and more than an ending.

    >>> _compound_of("bookshelf", "book"), _compound_of("books", "book")
    (True, False)
    """
    longer = len(word) - len(part) >= _COMPOUND
    return longer and (word.startswith(part) or word.endswith(part))


def cluster_faults(
    clusters: Sequence[tuple[str, Sequence[str], bool]],
) -> Iterator[tuple[Literal["error", "warning"], tuple[str | int, ...], str]]:
    """Yield the faults of a list of clusters, each (name, words, whether it is locked).

    Yields:
        Severity, path from the list, and message.
    """
    names: set[str] = set()
    cluster_by_word: dict[str, str] = {}
    for index, (name, words, locked) in enumerate(clusters):
        if name in names:
            yield "error", (index, "name"), f"there is another cluster {name!r}"
        names.add(name)
        if len(set(words)) < 2 and not locked:
            yield "warning", (index, "words"), "a cluster of fewer than two words says nothing"
        for number, word in enumerate(words):
            if cluster_by_word.setdefault(word, name) != name:
                message = f"{word!r} is in the cluster {cluster_by_word[word]!r} already"
                yield "warning", (index, "words", number), message


def equivalent_names(
    names: Sequence[str],
    offered: Sequence[str],
    similarity: Similarity,
    threshold: float = THETA_SIM,
) -> dict[str, str]:
    """Match names of one schema one to one with those of another that mean the same.

    Names that are in both match themselves. The others are matched with the greatest sum of
    similarities; pairs below the threshold are not matched.

    Args:
        names: Names in use, such as ``customer_id``.
        offered: Names of the other schema, such as ``clientId``.
        similarity: Similarity of two names written as words, in [-1, 1].
        threshold: θ_sim.

    Returns:
        Name → offered name.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

    shared = [name for name in names if name in offered]
    rows = [name for name in names if name not in offered]
    columns = [name for name in offered if name not in names]
    matches = {name: name for name in shared}
    if rows and columns:
        words_by_name = {name: as_words(name) for name in (*rows, *columns)}
        value = np.array(
            [[similarity(words_by_name[a], words_by_name[b]) for b in columns] for a in rows]
        )
        for i, j in zip(*linear_sum_assignment(-value), strict=True):
            if value[i, j] >= threshold:
                matches[rows[i]] = columns[j]
    return matches


def as_words(name: str) -> str:
    """Write an identifier as words.

    >>> as_words("customerId"), as_words("clientID"), as_words("client_id")
    ('customer id', 'client id', 'client id')
    """
    spaced = _HUMP.sub(" ", name)
    return " ".join(spaced.replace("_", " ").replace("-", " ").lower().split())
