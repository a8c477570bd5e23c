"""A composition as a document, and back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import SchemaError
from .cues import Cues
from .model import Composition
from .names import LookUp, Name, Names
from .parts import PartModel
from .ranking import FEATURES, Ranker
from .templates import VALUE, Slot, Template

__all__ = ["composition_document", "composition_from_document"]

_BASE = "always"
_BAR = " | "
_OF = re.compile(r"of (\d+)")
_LISTED, _SAID = "listed", "said"


# ---------------------------------------------------------------------------- writing
def composition_document(each: Composition) -> dict[str, Any]:
    """Return a composition as plain data."""
    ranker = each.ranker
    parts = ranker.parts
    document: dict[str, Any] = {
        "look_ups": [look_up.do for look_up in each.look_ups],
        "short": each.short,
        "actions": each.actions,
        "tries": each.tries,
        "refusals": list(each.refusals),
        "weights": {name: round(ranker.weights[name], 2) for name in FEATURES},
        "templates": [
            {"text": t.text, "slots": [_slot(slot) for slot in t.slots], "shown": n}
            for t, n in ranker.templates.items()
        ],
        "words": " ".join(sorted(ranker.words)),
        "parts": {
            part: _weights({_BASE: base, **parts.weights.get(part, {})})
            for part, base in parts.base.items()
        },
        "cues": {place: _weights(own) for place, own in ranker.cues.weights.items()},
        "worlds": [_world(names) for names in each.worlds],
    }
    return {key: value for key, value in document.items() if value not in ([], {}, "", None)}


def _slot(slot: Slot) -> str:
    if slot.level == VALUE:
        return _SAID
    return _LISTED if slot.of is None else f"of {slot.of + 1}"


def _weights(weights: Mapping[str, float]) -> str:
    """Write weights on one line, the greatest first: ``1.82 how many | -0.4 each``."""
    order = sorted(weights.items(), key=lambda each: (-abs(each[1]), each[0]))
    return _BAR.join(f"{round(weight, 2):g} {_escaped(name)}" for name, weight in order)


def _escaped(name: str) -> str:
    """Return a run of words in which no bar parts two weights."""
    return name.replace("|", "\\|")


def _world(names: Names) -> dict[str, Any]:
    return {
        "names": [_name(name) for name in names.tops],
        "of": {owner: [_name(name) for name in own] for owner, own in names.inner.items()},
    }


def _name(name: Name) -> str:
    return " ".join((name.text, *name.beside))


# ---------------------------------------------------------------------------- reading
def composition_from_document(document: Mapping[str, Any]) -> Composition:
    """Read a composition from plain data.

    Raises:
        SchemaError: It is none; the message says why.
    """
    try:
        return _read(document)
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        reason = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise SchemaError(f"not a composition: {reason}", path=("composition",)) from None


def _read(document: Mapping[str, Any]) -> Composition:
    parts = {part: _read_weights(text) for part, text in document.get("parts", {}).items()}
    templates = {
        _read_template(each, number): int(each["shown"])
        for number, each in enumerate(document["templates"])
    }
    look_ups = tuple(LookUp(text) for text in document["look_ups"])
    if not look_ups or look_ups[0].level:
        problem = "the first look-up lists names and asks about none: write it without {}"
        raise SchemaError(problem, path=("composition", "look_ups", 0))
    return Composition(
        look_ups,
        Ranker(
            templates,
            PartModel(
                {part: own.get(_BASE, 0.0) for part, own in parts.items()},
                {p: {k: v for k, v in own.items() if k != _BASE} for p, own in parts.items()},
            ),
            Cues({place: _read_weights(text) for place, text in document.get("cues", {}).items()}),
            frozenset(document.get("words", "").split()),
            {name: float(document["weights"][name]) for name in FEATURES},
        ),
        int(document["actions"]),
        int(document["tries"]) if "tries" in document else None,
        tuple(document.get("refusals", ())),
        tuple(map(_read_world, document.get("worlds", ()))),
        document.get("short", ""),
    )


def _read_weights(text: str) -> dict[str, float]:
    out: dict[str, float] = {}
    for each in text.split(_BAR):
        weight, _, name = each.partition(" ")
        out[name.replace("\\|", "|")] = float(weight)
    return out


def _read_template(document: Mapping[str, Any], number: int) -> Template:
    slots = tuple(map(_read_slot, document["slots"]))
    template = Template(document["text"], slots)
    path = ("composition", "templates", number)
    standing = set(template.order)
    if standing - set(range(len(slots))):
        problem = f"{{{max(standing) + 1}}} is no slot: {len(slots)} are listed below slots"
        raise SchemaError(problem, path=(*path, "text"))
    for place, slot in enumerate(slots):
        if slot.of is not None and not (0 <= slot.of < len(slots) and slots[slot.of].level == 0):
            problem = f"'of {slot.of + 1}' should name a slot that is {_LISTED}"
            raise SchemaError(problem, path=(*path, "slots", place))
        if place not in standing:
            problem = f"the slot {{{place + 1}}} stands nowhere in the text"
            raise SchemaError(problem, path=(*path, "slots", place))
    return template


def _read_slot(text: str) -> Slot:
    if match := _OF.fullmatch(text):
        return Slot(1, int(match[1]) - 1)
    if text not in (_LISTED, _SAID):
        raise ValueError(f"a slot is {_LISTED}, of N or {_SAID}, not {text!r:.40}")
    return Slot(VALUE if text == _SAID else 0)


def _read_world(document: Mapping[str, Any]) -> Names:
    return Names(
        tuple(_read_names(document["names"], "")),
        {owner: tuple(_read_names(own, owner)) for owner, own in document.get("of", {}).items()},
    )


def _read_names(texts: Iterable[str], owner: str) -> Iterable[Name]:
    for text in texts:
        name, *beside = text.split()
        yield Name(name, owner, tuple(beside))
