"""What commands of evals share: their help, a checked number, progress and output."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from typing import Any, TextIO

from ...procedures.common.invisible_characters import json_visible, visible

__all__ = ["count", "documented_parser", "say", "say_json", "tell"]


def documented_parser(name: str, page: str | None) -> argparse.ArgumentParser:
    """Return the parser of a module that is run, without options.

    Args:
        name: Of the module, below ``macla.evals``.
        page: Its docstring. The first paragraph stands above the options, the rest below.
    """
    about, _, more = (page or "").partition("\n\n")
    return argparse.ArgumentParser(
        prog=f"python -m macla.evals.{name}",
        description=about,
        epilog=more,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


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


def say(text: str, stream: TextIO | None = None) -> None:
    """Print a text with invisible characters made visible, on stdout or another stream."""
    print(visible(text), file=stream)


def say_json(document: Mapping[str, Any]) -> None:
    """Print one JSON document."""
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    print(json_visible(text))
