"""Traits of candidates: how well their lines, and their texts, fit the task.

Each is a number from -1 to 1 that a person can check on the page:

``said``            share of the task's words, by weight, that the candidate's line says
``said above``      the same, less that of the best other candidate
``early``           1 for the first of the list, 1/2 for the second, and so on
``first``           1 for the first
``taken before``    likeness of the nearest demonstrated task for which it was taken, cubed
``taken above``     the same, less that of the best other candidate
``low {3}``         0 for the greatest number in a field of the list, 1 for the least
``told``            share of the task's words that its own result says, or its line
``told further``    the same, with what parts of its result led to, as far as they were read
``lacks``           1 if something that the task says between signs is not in its own result
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from ..episodes.fact import Fact
from ..episodes.tokens import magnitude

_WORD = re.compile(r"[^\W_]+")


@lru_cache(50_000)
def words_in(text: str) -> frozenset[str]:
    """Return the words and numbers of a text in small letters."""
    return frozenset(_WORD.findall(text.casefold()))


def sight_traits(
    weight_by_word: Mapping[str, float],
    facts: Sequence[Fact],
    key: str,
    likeness_by_name: Mapping[str, float],
) -> list[dict[str, float]]:
    """Return the traits of listed candidates, in their order.

    Args:
        weight_by_word: Words of the task that distinguish candidates, with their weights.
        facts: The candidates.
        key: Field that names a candidate.
        likeness_by_name: Name → likeness of the nearest task for which it was taken, from 0 to 1.
    """
    shares = [_share(weight_by_word, fact.fields.values()) for fact in facts]
    likenesses = [likeness_by_name.get(fact.fields.get(key, ""), 0.0) for fact in facts]
    lows = _lows(facts, key)
    return [
        {
            "said": shares[n],
            "said above": _above(shares, n),
            "early": 1.0 / (n + 1),
            "first": float(n == 0),
            "taken before": likenesses[n],
            "taken above": _above(likenesses, n),
            **{name: each[n] for name, each in lows.items()},
        }
        for n in range(len(facts))
    ]


def opened_traits(
    sight: Mapping[str, float],
    weight_by_word: Mapping[str, float],
    needs: Collection[str],
    fact: Fact,
    own_texts: Collection[str],
    further: Collection[str],
) -> dict[str, float]:
    """Return the traits of a candidate whose own result is known.

    Args:
        sight: Its traits as it was listed.
        weight_by_word: Words of the task that distinguish candidates, with their weights.
        needs: What the task says between signs, in small letters.
        fact: Its line.
        own_texts: Texts of its own result.
        further: Texts that parts of it led to.
    """
    folded_texts = {text.casefold() for text in own_texts}
    all_texts = (*fact.fields.values(), *own_texts)
    return {
        **sight,
        "told": _share(weight_by_word, all_texts),
        "told further": _share(weight_by_word, (*all_texts, *further)),
        "lacks": float(not folded_texts.issuperset(needs)),
    }


def _share(weight_by_word: Mapping[str, float], texts: Collection[str]) -> float:
    words = frozenset[str]().union(*map(words_in, texts))
    total = sum(weight_by_word.values())
    return (
        sum(weight for word, weight in weight_by_word.items() if word in words) / total
        if total
        else 0.0
    )


def _above(values: Sequence[float], at: int) -> float:
    others = (value for n, value in enumerate(values) if n != at)
    return values[at] - max(others, default=0.0)


def _lows(facts: Sequence[Fact], key: str) -> dict[str, list[float]]:
    """Return for each field with sizes how low each candidate is; one without a size is halfway."""
    names = sorted({name for fact in facts for name in fact.fields if name != key})
    lows_by_field: dict[str, list[float]] = {}
    for name in names:
        sizes = [magnitude(fact.fields.get(name, "")) for fact in facts]
        known_sizes = [size[1] for size in sizes if size is not None]
        # Where most have no size it is no column of sizes.
        if 2 * len(known_sizes) > len(facts) and max(known_sizes) > min(known_sizes):
            width = max(known_sizes) - min(known_sizes)
            lows_by_field[f"low {{{name}}}"] = [
                0.5 if size is None else (max(known_sizes) - size[1]) / width for size in sizes
            ]
    return lows_by_field
