"""Clusters of words and equivalent names of two schemas."""

from __future__ import annotations

import doctest
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.adapters.embeddings import load_embeddings
from macla.procedures import clusters as module
from macla.procedures.clusters import Clusters, equivalent_names, word_clusters
from macla.procedures.similarity import TextSimilarity


@pytest.fixture(scope="module")
def similarity() -> TextSimilarity:
    return TextSimilarity(load_embeddings("static"))


def test_words_that_mean_the_same_are_grouped_and_others_are_not(similarity) -> None:
    counts = Counter({"mug": 9, "cup": 3, "lettuce": 5, "sofa": 4, "couch": 6, "desk lamp": 1})
    assert word_clusters(counts, similarity) == [("mug", "cup"), ("couch", "sofa")]


def test_only_the_most_frequent_words_are_looked_at(similarity) -> None:
    counts = Counter({"mug": 9, "lettuce": 5, "cup": 3})
    assert word_clusters(counts, similarity, most=2) == []


@given(
    st.lists(st.lists(st.floats(-1, 1), min_size=6, max_size=6), min_size=6, max_size=6),
    st.floats(0.0, 1.0),
)
def test_all_pairs_of_a_cluster_reach_the_threshold(table, threshold) -> None:
    words = "abcdef"

    def similar(first: str, second: str) -> float:
        i, j = sorted((words.index(first), words.index(second)))
        return table[i][j]

    groups = word_clusters(dict.fromkeys(words, 1), similar, threshold=threshold)
    seen = [word for group in groups for word in group]
    assert len(seen) == len(set(seen))
    for group in groups:
        assert len(group) > 1
        for i, first in enumerate(group):
            for second in group[:i]:
                assert similar(first, second) >= threshold - 1e-6


def test_mates_are_the_others_of_the_cluster() -> None:
    clusters = Clusters([("mug", "cup"), ("sofa", "couch", "cup")])
    assert clusters.mates("mug") == ("cup",)
    assert clusters.mates("cup") == ("mug",)
    assert clusters.mates("sofa") == ("couch", "cup")
    assert clusters.mates("lamp") == ()


def test_names_of_two_schemas_are_matched_one_to_one(similarity) -> None:
    found = equivalent_names(
        ["customer_id", "amount", "note"], ["clientId", "note", "colour"], similarity
    )
    assert found == {"customer_id": "clientId", "note": "note"}
    assert equivalent_names([], ["a"], similarity) == {}


def test_examples() -> None:
    assert doctest.testmod(module).failed == 0
