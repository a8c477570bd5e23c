"""Folds and samples of demonstrations: the same ones whenever and wherever they are made."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from ..common.errors import DataError


def folds_of(n: int, k: int, seed: int = 0) -> list[list[int]]:
    """Share positions 0 to ``n - 1`` out to folds of equal size, or one more.

    A position goes where the rank of its hash says, so that neighbours, which are often alike,
    are not held out together, and nothing depends on a random generator.

    Args:
        n: How many demonstrations there are.
        k: How many folds, at least 1; where there are fewer demonstrations, as many as these.
        seed: Other folds for another one.

    Raises:
        DataError: A number is out of its range.
    """
    if n < 1 or k < 1:
        raise DataError(f"folds need at least one demonstration and one fold, not {n} and {k}")
    order = _shuffled(range(n), f"fold/{seed}")
    k = min(k, n)
    return [sorted(order[fold::k]) for fold in range(k)]


def sample_of(n: int, limit: int | None, seed: int = 0) -> list[int]:
    """Return a random sample of ``limit`` of the positions 0 to ``n - 1``, or all, in order."""
    if limit is None or limit >= n:
        return list(range(n))
    return sorted(_shuffled(range(n), f"sample/{seed}")[:limit])


def sample_within(sizes: Sequence[int], limit: int, most: int) -> list[int]:
    """Return a random sample of positions, in order: as many as fit into a size, at least one.

    Args:
        sizes: Of each position.
        limit: Most positions.
        most: What their sizes may add up to.
    """
    sample: list[int] = []
    for position in _shuffled(range(len(sizes)), "sample/0")[:limit]:
        most -= sizes[position]
        if sample and most < 0:
            break
        sample.append(position)
    return sorted(sample)


def _shuffled(positions: Iterable[int], salt: str) -> list[int]:
    return sorted(positions, key=lambda each: hashlib.sha256(f"{salt}/{each}".encode()).hexdigest())
