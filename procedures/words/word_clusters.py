"""Words that mean nearly the same, as the ontology lists them, and how such groups are found.

A cluster never makes two words one: where both are known, they stay two things. It tells what to
fall back on where a word is not known: evidence of its like, an unknown instead of a no.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from ..common.text import phrase_pattern
from ..evidence.thresholds import clusters_above

__all__ = [
    "K_VOCAB",
    "THETA_SIM",
    "Clusters",
    "Similarity",
    "cluster_faults",
    "equivalent_names",
    "reworded",
    "word_clusters",
]

_COMPOUND = 3
"""Letters that a compound has at least beside a word in it; most endings have fewer.

This only ever keeps two words apart. Where words share no letters with what they are made of, as
invented ones do, it says nothing, and similarity decides alone; where an ending is longer, or a
word begins like another by chance, a cluster is lost, and with it what to fall back on, no more."""
K_VOCAB = 200
"""Most frequent words that are grouped."""
THETA_SIM = 0.55
"""Cosine similarity that all words of a cluster have to each other."""

_HUMP = re.compile(r"(?<=[^\W_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
"""Where a word begins inside an identifier: before a capital, the last one of several."""

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

        A phrase in no cluster has those that it becomes when one of its words is replaced.
        """
        if word in self._groups or " " not in word:
            return tuple(mate for mate in self._groups.get(word, ()) if mate != word)
        parts = word.split()
        return tuple(
            " ".join((*parts[:i], mate, *parts[i + 1 :]))
            for i, part in enumerate(parts)
            for mate in self.mates(part)
        )

    def replacements(self, known: Container[str]) -> dict[str, str]:
        """Return each word that is not known → the first of its mates that is."""
        found: dict[str, str] = {}
        for word in self._groups:
            mate = next((each for each in self.mates(word) if each in known), None)
            if mate is not None and word not in known:
                found[word] = mate
        return found


def reworded(text: str, replacements: Mapping[str, str]) -> str:
    """Return a text with words replaced by others, the longest first, each place once.

    >>> reworded("Rinse the cup, then the cupboard", {"rinse": "wash", "cup": "mug"})
    'wash the mug, then the cupboard'
    """
    longest_first = sorted(replacements, key=lambda word: (-len(word), word))
    if not longest_first:
        return text
    pattern = re.compile("|".join(phrase_pattern(word).pattern for word in longest_first), re.I)
    return pattern.sub(lambda found: replacements.get(found[0].lower(), found[0]), text)


def word_clusters(
    counts: Mapping[str, float],
    similarity: Similarity,
    *,
    most: int = K_VOCAB,
    threshold: float = THETA_SIM,
) -> list[tuple[str, ...]]:
    """Group the most frequent words by similarity (complete linkage).

    A compound and a word in it are never put together: what one of them names is a part, a place
    or a kind of what the other names, however near their embeddings are.

    Args:
        counts: Word → how often it occurs.
        similarity: Of two words, in [-1, 1].
        most: k_vocab; how many words are looked at.
        threshold: θ_sim; the least similarity of any two words of a cluster.

    Returns:
        Clusters of at least two words, the most frequent word first; it names the cluster.
    """
    import numpy as np

    words = sorted(counts, key=lambda word: (-counts[word], word))[:most]
    alike = np.eye(len(words))
    for i, first in enumerate(words):
        for j in range(i):
            together = not _compound_of(words[j], first) and not _compound_of(first, words[j])
            alike[i, j] = alike[j, i] = similarity(words[j], first) if together else -1.0
    groups = clusters_above(alike, threshold)
    return [tuple(words[i] for i in group) for group in groups if len(group) > 1]


def _compound_of(word: str, part: str) -> bool:
    """Tell whether a word is made of another and more than an ending.

    >>> _compound_of("bookshelf", "book"), _compound_of("books", "book")
    (True, False)
    """
    longer = len(word) - len(part) >= _COMPOUND
    return longer and (word.startswith(part) or word.endswith(part))


def cluster_faults(
    clusters: Sequence[tuple[str, Sequence[str], bool]],
) -> Iterator[tuple[Literal["error", "warning"], tuple[str | int, ...], str]]:
    """Say what is wrong with a list of clusters, each a name, its words and whether it is locked.

    Yields:
        Severity, path from the list, and message.
    """
    names: set[str] = set()
    holder: dict[str, str] = {}
    for index, (name, words, locked) in enumerate(clusters):
        if name in names:
            yield "error", (index, "name"), f"there is another cluster {name!r}"
        names.add(name)
        if len(set(words)) < 2 and not locked:
            yield "warning", (index, "words"), "a cluster of fewer than two words says nothing"
        for number, word in enumerate(words):
            if holder.setdefault(word, name) != name:
                message = f"{word!r} is in the cluster {holder[word]!r} already"
                yield "warning", (index, "words", number), message


def equivalent_names(
    wanted: Sequence[str],
    offered: Sequence[str],
    similarity: Similarity,
    threshold: float = THETA_SIM,
) -> dict[str, str]:
    """Match names of one schema to those of another that mean the same, one to one.

    Names that are in both match themselves. The rest is matched so that the similarities add up
    to the most, and pairs below the threshold stay apart.

    Args:
        wanted: Names that are used, such as ``customer_id``.
        offered: Names that there are, such as ``clientId``.
        similarity: Of two names told as words, in [-1, 1].
        threshold: θ_sim.

    Returns:
        Wanted name → offered name.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

    same = [name for name in wanted if name in offered]
    rows = [name for name in wanted if name not in offered]
    columns = [name for name in offered if name not in wanted]
    found = {name: name for name in same}
    if rows and columns:
        told = {name: as_words(name) for name in (*rows, *columns)}
        value = np.array([[similarity(told[a], told[b]) for b in columns] for a in rows])
        for i, j in zip(*linear_sum_assignment(-value), strict=True):
            if value[i, j] >= threshold:
                found[rows[i]] = columns[j]
    return found


def as_words(name: str) -> str:
    """Tell an identifier in words.

    >>> as_words("customerId"), as_words("clientID"), as_words("client_id")
    ('customer id', 'client id', 'client id')
    """
    spaced = _HUMP.sub(" ", name)
    return " ".join(spaced.replace("_", " ").replace("-", " ").lower().split())
