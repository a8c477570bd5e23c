"""Read the JSON object out of what a model wrote, and hold it against a schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

__all__ = ["objects_in", "usable_answer"]

_LONGEST = 100_000
"""Characters of an answer that are looked at."""
_MOST_STARTS = 200
"""Opening braces at which an object is looked for."""
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_decoder = json.JSONDecoder(parse_constant=_no_constant)


def objects_in(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in a text: prose, code fences and trailing commas do not matter.

    An object inside one that was found is not yielded again.
    """
    text = _THOUGHT.sub("", text[:_LONGEST])
    end = 0
    starts = [match.start() for match in re.finditer(r"\{", text)][:_MOST_STARTS]
    for start in starts:
        if start < end:
            continue
        found, length = _decoded(text[start:])
        if isinstance(found, dict):
            end = start + length
            yield found


def _decoded(text: str) -> tuple[Any, int]:
    try:
        return _decoder.raw_decode(text)
    except (ValueError, RecursionError):
        pass
    mended = _TRAILING_COMMA.sub(r"\1", text)
    if mended == text:
        return None, 0
    try:
        found, length = _decoder.raw_decode(mended)
    except (ValueError, RecursionError):
        return None, 0
    # Lengths differ by the commas left out; what follows is looked at from there on.
    return found, length


def usable_answer(text: str, schema: Mapping[str, Any]) -> tuple[dict[str, Any] | None, str]:
    """Return the first object in a text that fits a schema, or None and what is wrong."""
    validator = Draft202012Validator(schema)
    problem = "it holds no JSON object"
    if not text.strip():
        return None, "it is empty"
    for number, found in enumerate(objects_in(text)):
        error = best_match(validator.iter_errors(found))
        if error is None:
            return found, ""
        if number == 0:
            where = ".".join(str(key) for key in error.absolute_path)
            problem = f"at {where}: {error.message[:200]}" if where else error.message[:200]
    return None, problem
