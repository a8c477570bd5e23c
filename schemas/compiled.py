"""A schema as one Python function, for the good path.

``jsonschema`` takes half a millisecond a document; these functions take a tenth of
that, and answer only yes or no. Where the answer is no, ``jsonschema`` says why. A
test holds the two to the same answers. Only the keywords that our own schemas use are
known; any other is an error when the schema is compiled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sized
from typing import Any

__all__ = ["compile_schema", "is_integer"]

Check = Callable[[Any], bool]

_IGNORED = frozenset({"$schema", "$id", "$defs", "title", "description", "then"})


def is_integer(value: Any) -> bool:
    """Say whether a value is an integer; 15.0 is none, since it cannot count or index."""
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: Mapping[str, Check] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": is_integer,
    "number": _is_number,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def compile_schema(schema: Mapping[str, Any]) -> Check:
    """Return a function that says whether a document fits the schema.

    Raises:
        ValueError: The schema uses a keyword that is not known here.
    """
    definitions: dict[str, Check] = {}
    pending = dict(schema.get("$defs", {}))

    def reference(name: str) -> Check:
        # A definition may refer to itself, so it is looked up when it is first used.
        return lambda value: definitions[name](value)

    for name, definition in pending.items():
        definitions[name] = _compile(definition, reference)
    return _compile(schema, reference)


def _compile(schema: Mapping[str, Any], reference: Callable[[str], Check]) -> Check:
    checks: list[Check] = []

    def below(inner: Mapping[str, Any]) -> Check:
        return _compile(inner, reference)

    for keyword, value in schema.items():
        if keyword in _IGNORED or keyword in ("properties", "additionalProperties"):
            continue
        if keyword == "$ref":
            checks.append(reference(str(value).removeprefix("#/$defs/")))
        elif keyword in _SIMPLE:
            checks.append(_SIMPLE[keyword](value))
        elif keyword in ("allOf", "anyOf", "oneOf"):
            checks.append(_combination(keyword, [below(inner) for inner in value]))
        elif keyword == "if":
            checks.append(_conditional(below(value), below(schema.get("then", {}))))
        elif keyword == "items":
            checks.append(_items(below(value)))
        elif keyword == "propertyNames":
            checks.append(_property_names(below(value)))
        elif keyword == "dependentSchemas":
            checks.append(_dependent({name: below(inner) for name, inner in value.items()}))
        elif keyword == "dependentRequired":
            needed = {name: _required(names) for name, names in value.items()}
            checks.append(_dependent(needed))
        else:
            raise ValueError(f"schema keyword {keyword!r} is not known to the compiler")
    if "properties" in schema or "additionalProperties" in schema:
        known = {name: below(inner) for name, inner in schema.get("properties", {}).items()}
        others = schema.get("additionalProperties", True)
        checks.append(_properties(known, others if isinstance(others, bool) else below(others)))
    if len(checks) == 1:
        return checks[0]
    return _every(tuple(checks))


def _every(parts: tuple[Check, ...]) -> Check:
    """Return whether all of several hold; a loop, since a generator takes twice as long."""

    def check(value: Any) -> bool:
        for part in parts:  # noqa: SIM110
            if not part(value):
                return False
        return True

    return check


def _some(parts: tuple[Check, ...]) -> Check:
    """Return whether one of several holds; a loop like the other."""

    def check(value: Any) -> bool:
        for part in parts:  # noqa: SIM110
            if part(value):
                return True
        return False

    return check


def _properties(known: Mapping[str, Check], others: bool | Check) -> Check:
    def check(value: Any) -> bool:
        if not isinstance(value, dict):
            return True
        for name, inner in value.items():
            found = known.get(name)
            if found is None:
                if others is False or (others is not True and not others(inner)):
                    return False
            elif not found(inner):
                return False
        return True

    return check


def _property_names(part: Check) -> Check:
    return lambda value: not isinstance(value, dict) or all(map(part, value))


def _items(part: Check) -> Check:
    return lambda value: not isinstance(value, list) or all(map(part, value))


def _combination(keyword: str, parts: list[Check]) -> Check:
    if keyword == "allOf":
        return _every(tuple(parts))
    if keyword == "anyOf":
        return _some(tuple(parts))
    return lambda value: sum(part(value) for part in parts) == 1


def _conditional(condition: Check, then: Check) -> Check:
    return lambda value: not condition(value) or then(value)


def _dependent(parts: Mapping[str, Check]) -> Check:
    def check(value: Any) -> bool:
        if not isinstance(value, dict):
            return True
        for name, part in parts.items():  # noqa: SIM110
            if name in value and not part(value):
                return False
        return True

    return check


def _type(names: str | list[str]) -> Check:
    if isinstance(names, str):
        return _TYPES[names]
    return _some(tuple(_TYPES[name] for name in names))


def _const(wanted: Any) -> Check:
    flag = isinstance(wanted, bool)
    return lambda value: value == wanted and isinstance(value, bool) is flag


def _enum(choices: list[str]) -> Check:
    if not all(isinstance(choice, str) for choice in choices):
        raise ValueError("only enumerations of texts are known to the compiler")
    return lambda value: isinstance(value, str) and value in choices


def _required(names: list[str]) -> Check:
    needed = frozenset(names)
    return lambda value: not isinstance(value, dict) or needed <= value.keys()


def _pattern(text: str) -> Check:
    search = re.compile(text).search
    return lambda value: not isinstance(value, str) or search(value) is not None


def _length(kind: type[Sized], limit: int, *, least: bool) -> Check:
    if least:
        return lambda value: not isinstance(value, kind) or len(value) >= limit
    return lambda value: not isinstance(value, kind) or len(value) <= limit


def _unique(wanted: bool) -> Check:
    def check(value: Any) -> bool:
        if not wanted or not isinstance(value, list):
            return True
        try:
            return len(set(value)) == len(value)
        except TypeError:  # holds lists or mappings, which are no texts: refused elsewhere
            return True

    return check


_SIMPLE: Mapping[str, Callable[[Any], Check]] = {
    "type": _type,
    "const": _const,
    "enum": _enum,
    "required": _required,
    "pattern": _pattern,
    "uniqueItems": _unique,
    "minLength": lambda limit: _length(str, limit, least=True),
    "maxLength": lambda limit: _length(str, limit, least=False),
    "minItems": lambda limit: _length(list, limit, least=True),
    "maxItems": lambda limit: _length(list, limit, least=False),
    "minProperties": lambda limit: _length(dict, limit, least=True),
    "maxProperties": lambda limit: _length(dict, limit, least=False),
    "minimum": lambda limit: lambda value: not _is_number(value) or value >= limit,
    "maximum": lambda limit: lambda value: not _is_number(value) or value <= limit,
    "exclusiveMinimum": lambda limit: lambda value: not _is_number(value) or value > limit,
}
