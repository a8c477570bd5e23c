"""Read the JSON object out of what a model wrote, and hold it against a schema."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NoReturn

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

_LONGEST_ANSWER = 100_000
"""Characters of an answer that are looked at."""
_LONGEST_LITERAL = 10_000
"""Characters of a Python dictionary that are looked at; bounds the time."""
_MOST_STARTS = 200
"""Opening braces at which an object is looked for."""
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_INTEGER = re.compile(r"-?\d{1,9}")
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_decoder = json.JSONDecoder(parse_constant=_no_constant)


def objects_in(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects in a text: prose, code fences and trailing commas do not matter.

    An object inside one that was found is not yielded again.
    """
    text = _THOUGHT.sub("", text[:_LONGEST_ANSWER])
    end = 0
    starts = [match.start() for match in re.finditer(r"\{", text)][:_MOST_STARTS]
    for start in starts:
        if start < end:
            continue
        value, length = _decode(text[start:])
        if isinstance(value, dict):
            end = start + length
            yield value


def _decode(text: str) -> tuple[Any, int]:
    try:
        return _decoder.raw_decode(text)
    except (ValueError, RecursionError):
        pass
    mended = _TRAILING_COMMA.sub(r"\1", text)
    if mended != text:
        # Lengths differ by the commas left out; what follows is looked at from there on.
        with suppress(ValueError, RecursionError):
            return _decoder.raw_decode(mended)
    return _python_literal(text)


def _python_literal(text: str) -> tuple[Any, int]:
    """Return the dictionary that a text begins with, written as Python prints it."""
    depth, quote, at = 0, "", 0
    while at < min(len(text), _LONGEST_LITERAL):
        sign = text[at]
        if quote:
            at += sign == "\\"
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign in "{}":
            depth += 1 if sign == "{" else -1
            if not depth:
                break
        at += 1
    try:
        value = ast.literal_eval(text[: at + 1])
        # Only what JSON can say: no bytes, no sets, text keys.
        return json.loads(json.dumps(value, allow_nan=False)), at + 1
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None, 0


def _with_whole_numbers(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a value with whole numbers where its schema wants them: "1" and 1.0 are 1."""
    if isinstance(value, dict):
        inner = schema.get("properties", {})
        return {key: _with_whole_numbers(each, inner.get(key, {})) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_whole_numbers(each, schema.get("items", {})) for each in value]
    types = schema.get("type", ())
    types = {types} if isinstance(types, str) else set(types)
    if "integer" not in types:
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and "string" not in types and _INTEGER.fullmatch(value.strip()):
        return int(value)
    return value


def usable_answer(text: str, schema: Mapping[str, Any]) -> tuple[dict[str, Any] | None, str]:
    """Return the first object in a text that fits a schema, or None and what is wrong."""
    validator = Draft202012Validator(schema)
    problem = "it holds no JSON object"
    if not text.strip():
        return None, "it is empty"
    for number, candidate in enumerate(objects_in(text)):
        answer = _with_whole_numbers(candidate, schema)
        error = best_match(validator.iter_errors(answer))
        if error is None:
            return answer, ""
        if number == 0:
            where = ".".join(str(key) for key in error.absolute_path)
            problem = f"at {where}: {error.message[:200]}" if where else error.message[:200]
    return None, problem
