"""JSON Schemas (draft 2020-12): the contract of every file that macla reads or writes.

Stricter than the standard in one thing: an integer is written without a point, so 15.0 is none.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from .compiled import Check, compile_schema, is_integer
from .meant import meant

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

__all__ = ["NAMES", "Misfit", "first_misfit", "fits", "load_schema", "validator"]

NAMES = (
    "procedure",
    "meta-procedure",
    "program",
    "library",
    "ontology",
    "types",
    "trajectory",
    "proposal",
    "eval_result",
    "trace",
    "proof",
    "suite",
    "table",
)
"""Names of the schemas; each stands in ``<name>.schema.json``."""

_SHOWN = 300
_NUMBERS = {"integer": "a whole number", "number": "a number"}


class Misfit(NamedTuple):
    """Where and why a document does not fit: keys from the root, and the problem."""

    path: tuple[str | int, ...]
    problem: str


@cache
def load_schema(name: str) -> dict[str, Any]:
    """Return a schema; treat it as read-only, since it is shared.

    Raises:
        KeyError: There is no schema of this name.
    """
    if name not in NAMES:
        raise KeyError(f"no schema {name!r}; there are {', '.join(NAMES)}")
    text = files(__package__).joinpath(f"{name}.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


@cache
def validator(name: str) -> Draft202012Validator:
    """Return the ``jsonschema`` validator of a schema, made once."""
    from jsonschema import Draft202012Validator  # 60 ms, needed only where a document is wrong
    from jsonschema.validators import extend

    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, it: is_integer(it))
    strict: type[Draft202012Validator] = extend(  # type: ignore[no-untyped-call]
        Draft202012Validator, type_checker=types
    )
    return strict(load_schema(name))


@cache
def _compiled(name: str) -> Check:
    return compile_schema(load_schema(name))


def fits(name: str, document: Any) -> bool:
    """Say whether a document fits a schema: the same answer as ``validator``, but fast."""
    return _compiled(name)(document)


def first_misfit(name: str, document: Any) -> Misfit | None:
    """Return the most telling reason why a document does not fit, or None if it does."""
    if fits(name, document):
        return None
    from jsonschema.exceptions import best_match

    errors = list(validator(name).iter_errors(document))
    error = best_match(errors)
    if error is None:  # pragma: no cover - a test holds the two to the same answers
        return Misfit((), "does not fit its schema")
    path = list(error.absolute_path)
    # A misspelt key or value lets others be missing, or nothing fit.
    for each in errors:
        if list(each.absolute_path)[: len(path)] == path and (problem := _misspelling(each)):
            return Misfit(tuple(each.absolute_path), problem)
    return Misfit(tuple(path), _explain(error))


def _misspelling(error: ValidationError) -> str:
    """Return the unknown key or value of an error, and what was meant; empty if that is unclear."""
    schema: Any = error.schema
    instance: Any = error.instance
    names: Any = ()
    what, unknown = "", []
    if error.validator == "additionalProperties" and error.validator_value is False:
        names = schema.get("properties", {})
        what, unknown = "key", [str(key) for key in instance if key not in names]
    elif error.validator == "enum" and isinstance(instance, str) and error.absolute_path:
        names = [each for each in schema["enum"] if isinstance(each, str)]
        what, unknown = str(error.absolute_path[-1]), [instance]
    for name in unknown:
        if advice := meant(name, names):
            return f"unknown {what} {name[:80]!r}; {advice}"
    return ""


def _explain(error: ValidationError) -> str:
    """Return the problem in one line, short."""
    schema: Any = error.schema
    instance: Any = error.instance
    rule: Any = error.validator_value
    if error.validator == "additionalProperties" and rule is False:
        known = sorted(schema.get("properties", ()))
        unknown = next(str(key) for key in instance if key not in known)
        return f"unknown key {unknown[:80]!r}; known keys: {', '.join(known)}"
    if error.validator == "required":
        missing = [key for key in rule if key not in instance]
        return f"the key {missing[0]!r} is missing"
    if error.validator == "oneOf" and all("required" in choice for choice in rule):
        keys = " or ".join(repr(choice["required"][0]) for choice in rule)
        return f"needs exactly one of {keys}"
    message = error.message
    if error.validator in ("pattern", "anyOf") and "description" in schema:
        shown = repr(instance)
        shown = shown if len(shown) <= 80 else f"{shown[:80]}..."
        message = f"{shown} does not fit here. Expected: {schema['description']}"
    where = list(error.absolute_schema_path)
    if error.validator == "const" and "dependentSchemas" in where:
        beside = where[where.index("dependentSchemas") + 1]
        message = f"must be {rule!r} where there is a {beside!r}"
    if error.validator == "maxItems" and "dependentSchemas" in where and rule == 0:
        beside = where[where.index("dependentSchemas") + 1]
        message = f"must not stand beside a {beside!r}, which says the same"
    if schema.get("type") in ("integer", "number"):
        message = f"{message}; allowed: {_numbers(schema)}"
    half = _SHOWN // 2
    return message if len(message) <= _SHOWN else f"{message[:half]}...{message[-half:]}"


def _numbers(schema: dict[str, Any]) -> str:
    """Return which numbers a schema allows, in words."""
    bounds = (("minimum", "from"), ("exclusiveMinimum", "above"), ("maximum", "to"))
    told = [f"{word} {schema[key]}" for key, word in bounds if key in schema]
    return " ".join((_NUMBERS[schema["type"]], *told))
