"""The reward: how much of the right answer an answer has, and in which order.

After InterCode (``intercode/envs/sql/sql_env.py``): intersection over union of the rows as a
multiset, times Kendall's τ between the orders in which both list the rows that they share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

__all__ = ["graded", "overlap", "rank_correlation"]

Row = tuple[Any, ...]


def graded(answer: Sequence[Row] | None, gold: Sequence[Row]) -> float:
    """Return the reward of an answer, in [-1, 1]; 1 is right.

    Args:
        answer: Rows of the last query; None where it gave none, which is worth 0.
        gold: Rows of the right query; none where that query fails.
    """
    if answer is None:
        return 0.0
    said, right = [str(row) for row in answer], [str(row) for row in gold]
    share = _overlap(said, right)
    shared = Counter(said) & Counter(right)
    tau = rank_correlation(_kept(said, shared), _kept(right, shared))
    # Without two rows that differ there is no order, and nothing is rounded.
    return share if tau is None else round(tau * share, 2)


def overlap(answer: Sequence[Row] | None, gold: Sequence[Row]) -> float:
    """Return intersection over union alone, in [0, 1]: the score of InterCode's published logs."""
    if answer is None:
        return 0.0
    return _overlap([str(row) for row in answer], [str(row) for row in gold])


def rank_correlation(one: Sequence[str], other: Sequence[str]) -> float | None:
    """Return Kendall's τ-b between two lists of texts of the same length; None if undefined.

    The texts are compared place by place, by their alphabetical order.
    """
    if len(set(one)) < 2 or len(set(other)) < 2:
        return None
    # Takes a second to import; SciPy ships no types.
    from scipy.stats import kendalltau  # type: ignore[import-untyped]

    rank = {text: index for index, text in enumerate(sorted({*one, *other}))}
    ranks = [[rank[text] for text in texts] for texts in (one, other)]
    return float(kendalltau(*ranks).statistic)


def _overlap(said: list[str], right: list[str]) -> float:
    ours, theirs = Counter(said), Counter(right)
    union = (ours | theirs).total()
    return (ours & theirs).total() / union if union else 1.0


def _kept(rows: list[str], shared: Counter[str]) -> list[str]:
    """Return the rows that both have, as often as both have them, in their order."""
    left = Counter(shared)
    kept = []
    for row in rows:
        if left[row]:
            left[row] -= 1
            kept.append(row)
    return kept
