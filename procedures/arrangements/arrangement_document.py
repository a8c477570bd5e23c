"""An arrangement as a document, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..common.errors import SchemaError
from .arrangement import (
    Arrangement,
    AtMostUses,
    Cost,
    Distinct,
    Enquiry,
    Form,
    Limit,
    Reading,
    Record,
    Requirement,
    Same,
    Shape,
    Slot,
    Together,
    Variable,
    Wish,
    WishedValue,
)

__all__ = ["arrangement_document", "arrangement_from_document"]

_Document = dict[str, Any]


# ---------------------------------------------------------------------------- writing
def arrangement_document(each: Arrangement) -> _Document:
    """Return an arrangement as plain data."""
    return _kept(
        {
            "records": each.size,
            "keys": list(each.keys),
            "number": each.numbered,
            "empty": each.nothing,
            "enquiry": _enquiry(each.enquiry) if each.enquiry else None,
            "require": [_requirement(one) for one in each.require],
            "wishes": [_wish(one) for one in each.wishes],
            "costs": [_cost(one) for one in each.costs],
            "forms": {slot: [_form(f) for f in forms] for slot, forms in each.forms_of.items()},
            "shapes": [_shape(shape) for shape in each.shapes],
            "read": {one.name: _reading(one) for one in each.readings},
        }
    )


def _kept(document: Mapping[str, Any]) -> _Document:
    return {key: value for key, value in document.items() if value not in ("", None, [], {})}


def _enquiry(each: Enquiry) -> _Document:
    return _kept({"do": each.do, "tells": each.tells, "with": dict(each.extra)})


def _requirement(each: Requirement) -> _Document:
    match each:
        case Distinct(among):
            return {"distinct": among}
        case Same(among):
            return {"same": among}
        case AtMostUses(among, column):
            return {"at_most_uses": among, "column": column}
        case Together(slot, tables):
            return {"together": [list(group) for group in tables], "slot": slot}
        case Limit(said):
            return {"sum_at_most": said}


def _wish(each: Wish) -> _Document:
    return _kept(
        {
            "slot": each.slot,
            "among": each.among,
            "column": each.column,
            "said": each.said,
            "denied": each.denied,
            "values": {one.value: list(one.words) for one in each.values},
        }
    )


def _cost(each: Cost) -> _Document:
    return _kept({"among": each.among, "column": each.column, "times": each.times, "per": each.per})


def _form(each: Form) -> _Document:
    return _kept(
        {
            "among": each.among,
            "text": each.text,
            "at": list(each.at),
            "day": each.dated,
            "between": each.between,
        }
    )


def _shape(each: Shape) -> _Document:
    return {
        "variables": {
            v.name: _kept({"said": v.said, "among": v.among, "take": v.take, "where": v.where})
            for v in each.variables
        },
        "records": [{slot.name: _slot(slot) for slot in record} for record in each.records],
    }


def _slot(each: Slot) -> Any:
    if each.times == 1 and each.filled == "always":
        return list(each.at)
    document: _Document = {"at": list(each.at)}
    if each.times != 1:
        document["times"] = each.times
    if each.filled != "always":
        document["filled"] = each.filled
    return document


def _reading(each: Reading) -> _Document:
    return _kept(
        {
            "type": each.type,
            "default": each.default,
            "not": sorted(each.units),
            "words": dict(each.words),
        }
    )


# ---------------------------------------------------------------------------- reading
def arrangement_from_document(document: Mapping[str, Any]) -> Arrangement:
    """Read an arrangement from plain data.

    Raises:
        SchemaError: The document has not the shape of one, or names what is not there.
    """
    try:
        arrangement = _read(document)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        reason = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise SchemaError(f"not an arrangement: {reason}", path=("arrangement",)) from None
    _check(arrangement)
    return arrangement


def _read(document: Mapping[str, Any]) -> Arrangement:
    enquiry = document.get("enquiry")
    return Arrangement(
        readings=tuple(_read_reading(k, v) for k, v in document.get("read", {}).items()),
        size=document["records"],
        shapes=tuple(map(_read_shape, document["shapes"])),
        forms=tuple(
            _read_form(slot, form) for slot, forms in document["forms"].items() for form in forms
        ),
        require=tuple(map(_read_requirement, document.get("require", ()))),
        wishes=tuple(map(_read_wish, document.get("wishes", ()))),
        costs=tuple(
            Cost(c["among"], c["column"], c.get("times", ""), c.get("per", ""))
            for c in document.get("costs", ())
        ),
        numbered=document.get("number", ""),
        nothing=document.get("empty", ""),
        enquiry=Enquiry(enquiry["do"], enquiry["tells"], tuple(enquiry.get("with", {}).items()))
        if enquiry
        else None,
        keys=tuple(document["keys"]),
    )


def _read_reading(name: str, document: Mapping[str, Any]) -> Reading:
    words = tuple((word, float(bits)) for word, bits in document.get("words", {}).items())
    units = frozenset(document.get("not", ()))
    return Reading(name, document["type"], words, document.get("default", ""), units)


def _read_shape(document: Mapping[str, Any]) -> Shape:
    variables = tuple(
        Variable(name, v["said"], v.get("among", ""), v.get("take", ""), v.get("where", ""))
        for name, v in document["variables"].items()
    )
    return Shape(variables, tuple(map(_read_record, document["records"])))


def _read_record(document: Mapping[str, Any]) -> Record:
    return tuple(_read_slot(name, slot) for name, slot in document.items())


def _read_slot(name: str, document: Any) -> Slot:
    if isinstance(document, list | tuple):
        return Slot(name, tuple(document))
    return Slot(
        name,
        tuple(document["at"]),
        int(document.get("times", 1)),
        document.get("filled", "always"),
    )


def _read_form(slot: str, document: Mapping[str, Any]) -> Form:
    return Form(
        slot,
        document["text"],
        document.get("among", ""),
        tuple(document.get("at", ())),
        document.get("day", ""),
        document.get("between", ""),
    )


def _read_requirement(document: Mapping[str, Any]) -> Requirement:
    if "distinct" in document:
        return Distinct(document["distinct"])
    if "same" in document:
        return Same(document["same"])
    if "at_most_uses" in document:
        return AtMostUses(document["at_most_uses"], document["column"])
    if "together" in document:
        return Together(document["slot"], tuple(map(tuple, document["together"])))
    return Limit(document["sum_at_most"])


def _read_wish(document: Mapping[str, Any]) -> Wish:
    return Wish(
        document.get("slot", ""),
        document.get("among", ""),
        document.get("column", ""),
        document.get("said", ""),
        document.get("denied", ""),
        tuple(WishedValue(value, tuple(words)) for value, words in document["values"].items()),
    )


def _check(each: Arrangement) -> None:
    """Check that all that is named is there."""
    readings = {one.name for one in each.readings}
    named = [
        *(("shapes", v.said) for shape in each.shapes for v in shape.variables),
        *(("costs", cost.times) for cost in each.costs if cost.times),
        *(("require", one.said) for one in each.require if isinstance(one, Limit)),
        *(("enquiry", said) for _, said in (each.enquiry.extra if each.enquiry else ())),
    ]
    if each.size != "days":
        named.append(("records", each.size))
    _all_there(named, readings, "below read")
    for shape in each.shapes:
        variables = {v.name for v in shape.variables}
        slots = [slot for record in shape.records for slot in record]
        _all_there((("shapes", name) for s in slots for name in s.at), variables, "among variables")
        _all_there((("shapes", s.name) for s in slots), each.forms_of.keys(), "below forms")


def _all_there(named: Iterable[tuple[str, str]], there: Iterable[str], where: str) -> None:
    known = set(there)
    for key, name in named:
        if name not in known:
            raise SchemaError(f"there is no {name!r} {where}", path=("arrangement", key))
