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

_Document = dict[str, Any]


# ---------------------------------------------------------------------------- writing
def arrangement_document(each: Arrangement) -> _Document:
    """Return an arrangement as plain data."""
    return _without_empty(
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


def _without_empty(document: Mapping[str, Any]) -> _Document:
    return {key: value for key, value in document.items() if value not in ("", None, [], {})}


def _enquiry(enquiry: Enquiry) -> _Document:
    return _without_empty({"do": enquiry.do, "tells": enquiry.tells, "with": dict(enquiry.extra)})


def _requirement(requirement: Requirement) -> _Document:
    match requirement:
        case Distinct(among):
            return {"distinct": among}
        case Same(among):
            return {"same": among}
        case AtMostUses(among, column):
            return {"at_most_uses": among, "column": column}
        case Together(slot, tables):
            return {"together": [list(group) for group in tables], "slot": slot}
        case Limit(reading):
            return {"sum_at_most": reading}


def _wish(wish: Wish) -> _Document:
    return _without_empty(
        {
            "slot": wish.slot,
            "among": wish.among,
            "column": wish.column,
            "said": wish.said,
            "denied": wish.denied,
            "values": {one.value: list(one.words) for one in wish.values},
        }
    )


def _cost(cost: Cost) -> _Document:
    return _without_empty(
        {"among": cost.among, "column": cost.column, "times": cost.times, "per": cost.per}
    )


def _form(form: Form) -> _Document:
    return _without_empty(
        {
            "among": form.among,
            "text": form.text,
            "at": list(form.at),
            "day": form.dated,
            "between": form.between,
        }
    )


def _shape(shape: Shape) -> _Document:
    return {
        "variables": {
            v.name: _without_empty(
                {"said": v.said, "among": v.among, "take": v.take, "where": v.where}
            )
            for v in shape.variables
        },
        "records": [{slot.name: _slot(slot) for slot in record} for record in shape.records],
    }


def _slot(slot: Slot) -> Any:
    if slot.times == 1 and slot.filled == "always":
        return list(slot.at)
    document: _Document = {"at": list(slot.at)}
    if slot.times != 1:
        document["times"] = slot.times
    if slot.filled != "always":
        document["filled"] = slot.filled
    return document


def _reading(reading: Reading) -> _Document:
    return _without_empty(
        {
            "type": reading.type,
            "default": reading.default,
            "not": sorted(reading.units),
            "words": dict(reading.words),
        }
    )


# ---------------------------------------------------------------------------- reading
def arrangement_from_document(document: Mapping[str, Any]) -> Arrangement:
    """Read an arrangement from plain data.

    Raises:
        SchemaError: The document has not the shape of one, or names what is not there.
    """
    try:
        arrangement = _read_arrangement(document)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        reason = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise SchemaError(f"not an arrangement: {reason}", path=("arrangement",)) from None
    _check(arrangement)
    return arrangement


def _read_arrangement(document: Mapping[str, Any]) -> Arrangement:
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


def _check(arrangement: Arrangement) -> None:
    """Check that everything that an arrangement refers to is in it.

    Raises:
        SchemaError: Something is not.
    """
    readings = {one.name for one in arrangement.readings}
    references = [
        *(("shapes", v.said) for shape in arrangement.shapes for v in shape.variables),
        *(("costs", cost.times) for cost in arrangement.costs if cost.times),
        *(("require", one.said) for one in arrangement.require if isinstance(one, Limit)),
        *(
            ("enquiry", reading)
            for _, reading in (arrangement.enquiry.extra if arrangement.enquiry else ())
        ),
    ]
    if arrangement.size != "days":
        references.append(("records", arrangement.size))
    _require_all(references, readings, "below read")
    for shape in arrangement.shapes:
        variables = {v.name for v in shape.variables}
        slots = [slot for record in shape.records for slot in record]
        _require_all(
            (("shapes", name) for s in slots for name in s.at), variables, "among variables"
        )
        _require_all(
            (("shapes", s.name) for s in slots), arrangement.forms_of.keys(), "below forms"
        )


def _require_all(references: Iterable[tuple[str, str]], names: Iterable[str], where: str) -> None:
    present = set(names)
    for key, name in references:
        if name not in present:
            raise SchemaError(f"there is no {name!r} {where}", path=("arrangement", key))
