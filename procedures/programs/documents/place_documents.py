"""Places of a program, with their sightings, as plain data."""

from __future__ import annotations

from typing import Any

from ..notation import field_text
from ..planning.places import Field, Places
from ..planning.sightings import Sightings
from .node import Node, filled


def places_document(places: Places) -> dict[str, Any]:
    """Return places as plain data."""
    document = {
        "moves": list(places.moves),
        "told_by": list(places.told_by),
        **({} if places.start else {"at_first": False}),
        **({} if places.named else {"named": False}),
        **filled({"by_name": places.by_name, "heads": sorted(places.heads)}),
        **filled({"back": dict(places.back), "anywhere": places.anywhere}),
        "ways": [_field_document(each) for each in places.ways],
        **filled({"names": [_field_document(each) for each in sorted(places.names)]}),
    }
    if places.sightings.visits:
        document["visits"] = dict(places.sightings.visits)
        document["seen"] = {thing: dict(at) for thing, at in places.sightings.seen.items()}
    return document


def read_places(node: Node) -> Places:
    """Read places."""
    back = node.get("back", {})
    return Places(
        node["moves"].texts(),
        node["told_by"].texts(),
        start=node.flag("at_first", default=True),
        named=node.flag("named", default=True),
        by_name=node.flag("by_name"),
        back={move: back[move].text() for move in back.value},
        sightings=Sightings(
            dict(node.get("visits", {}).value),
            {thing: dict(at) for thing, at in node.get("seen", {}).value.items()},
        ),
        ways=tuple(_read_field(each) for each in node.get("ways").items()),
        anywhere=node.flag("anywhere"),
        names=frozenset(_read_field(each) for each in node.get("names").items()),
        heads=frozenset(node.get("heads").texts()),
    )


def _field_document(field: Field) -> dict[str, str]:
    kind, name = field
    return {"line": kind, "take": field_text(name)}


def _read_field(node: Node) -> Field:
    return node["line"].text(), node["take"].field()
