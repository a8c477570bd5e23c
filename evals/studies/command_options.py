"""What commands of studies share: a checked number, and progress."""

from __future__ import annotations

import argparse
import sys

__all__ = ["count", "tell"]


def count(text: str) -> int:
    """Read a number from 1.

    Raises:
        argparse.ArgumentTypeError: It is less.
        ValueError: It is no number.
    """
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def tell(name: str, done: int, of: int) -> None:
    """Say on stderr that a cell is done."""
    print(f"{done} of {of}: {name}", file=sys.stderr, flush=True)
