"""A composition as a document, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..common.errors import SchemaError
from .composition import Composition
from .cues import Cues
from .listed_names import LookUp, Name, Names
from .ranking import FEATURES, Ranker
from .signs import Signs
from .slot_names import named_template, noun_of, template_of
from .template_choice import PartModel
from .text_templates import Template

_BAR = " | "
_SIDES = (("for", 1), ("against", -1))
_NOTHING = "-"
"""Stands in a column where nothing is known."""


# ---------------------------------------------------------------------------- writing
def composition_document(composition: Composition) -> dict[str, Any]:
    """Return a composition as plain data."""
    ranker = composition.ranker
    noun = noun_of(composition.look_ups[0].do)
    signs = Signs(noun)
    document: dict[str, Any] = {
        "look_ups": [look_up.do for look_up in composition.look_ups],
        "short": composition.short,
        "actions": composition.actions,
        "tries": composition.tries,
        "refusals": list(composition.refusals),
        "weights": {name: round(ranker.weights[name], 2) for name in FEATURES},
        "templates": [
            {"text": named_template(t, noun), "shown": n} for t, n in ranker.templates.items()
        ],
        "words": " ".join(sorted(ranker.words)),
        "parts": _parts(ranker.parts, signs),
        "cues": _cues(ranker.cues, signs),
        "worlds": [_world(names) for names in composition.worlds],
    }
    return {key: value for key, value in document.items() if value not in ([], {}, "", None)}


def _parts(parts: PartModel, signs: Signs) -> list[dict[str, Any]]:
    """Write the weights of parts, the strongest first; parts with equal weights together."""
    runs: dict[tuple[tuple[str, Any], ...], list[str]] = {}
    strength: dict[tuple[tuple[str, Any], ...], float] = {}
    for part, base in parts.base.items():
        weight_by_phrase = {
            signs.run(phrase): w for phrase, w in parts.weights.get(part, {}).items()
        }
        always = {"always": round(base, 2)} if round(base, 2) else {}
        entries = {**always, **_weights(weight_by_phrase)}
        if entries:  # of the others nothing is known
            key = tuple(entries.items())
            runs.setdefault(key, []).append(signs.run(part))
            strength[key] = max(map(abs, (base, *weight_by_phrase.values())))
    order = sorted(runs, key=lambda key: (-strength[key], runs[key]))
    return [{"runs": _BAR.join(map(_escaped, runs[key])), **dict(key)} for key in order]


def _cues(cues: Cues, signs: Signs) -> dict[str, dict[str, str]]:
    """Write the weights of events: for any slot first, then by the context of a slot."""
    order = sorted(cues.weights, key=lambda place: (not place.isdigit(), place))
    weights_by_place = {
        signs.place(place): _weights({signs.event(e): w for e, w in cues.weights[place].items()})
        for place in order
    }
    return {place: weights for place, weights in weights_by_place.items() if weights}


def _weights(weights: Mapping[str, float]) -> dict[str, str]:
    """Write weights on two lines, the greatest first: ``for: 1.82 how many | 0.4 each``."""
    rounded = {name: round(weight, 2) for name, weight in weights.items()}
    order = sorted(rounded, key=lambda name: (-abs(rounded[name]), name))
    sides = {
        side: _BAR.join(
            f"{abs(rounded[name]):g} {_escaped(name)}" for name in order if rounded[name] * sign > 0
        )
        for side, sign in _SIDES
    }
    return {side: line for side, line in sides.items() if line}


def _escaped(name: str) -> str:
    """Return a run of words in which no bar parts two entries."""
    return name.replace("|", "\\|")


def _unescaped(text: str) -> str:
    return text.replace("\\|", "|")


def _world(names: Names) -> dict[str, Any]:
    return {
        "names": [_name(name) for name in names.tops],
        "of": {
            owner: [_name(name) for name in inner_names]
            for owner, inner_names in names.inner.items()
        },
    }


def _name(name: Name) -> str:
    """Write a name and what stands beside it, column by column: ``uid int no - pri``."""
    word_by_place = {
        int(place): word for place, _, word in (each.partition(":") for each in name.beside)
    }
    columns = (
        word_by_place.get(place, _NOTHING) for place in range(max(word_by_place, default=-1) + 1)
    )
    return " ".join((name.text, *columns))


# ---------------------------------------------------------------------------- reading
def composition_from_document(document: Mapping[str, Any]) -> Composition:
    """Read a composition from plain data.

    Raises:
        SchemaError: It is none; the message says why.
    """
    try:
        return _read_composition(document)
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        reason = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise SchemaError(f"not a composition: {reason}", path=("composition",)) from None


def _read_composition(document: Mapping[str, Any]) -> Composition:
    templates = {
        _read_template(each, number): int(each["shown"])
        for number, each in enumerate(document["templates"])
    }
    look_ups = tuple(LookUp(text) for text in document["look_ups"])
    if not look_ups or look_ups[0].level:
        problem = "the first look-up lists names and asks about none: write it without {}"
        raise SchemaError(problem, path=("composition", "look_ups", 0))
    signs = Signs(noun_of(look_ups[0].do))
    return Composition(
        look_ups,
        Ranker(
            templates,
            _read_parts(document.get("parts", ()), signs),
            _read_cues(document.get("cues", {}), signs),
            frozenset(document.get("words", "").split()),
            {name: float(document["weights"][name]) for name in FEATURES},
        ),
        int(document["actions"]),
        int(document["tries"]) if "tries" in document else None,
        tuple(document.get("refusals", ())),
        tuple(map(_read_world, document.get("worlds", ()))),
        document.get("short", ""),
    )


def _read_parts(documents: Iterable[Mapping[str, Any]], signs: Signs) -> PartModel:
    base: dict[str, float] = {}
    weights: dict[str, dict[str, float]] = {}
    for part in documents:
        weight_by_phrase = {signs.read_run(name): w for name, w in _read_weights(part).items()}
        for text in part["runs"].split(_BAR):
            run = signs.read_run(_unescaped(text))
            base[run], weights[run] = float(part.get("always", 0.0)), weight_by_phrase
    return PartModel(dict(sorted(base.items())), weights)


def _read_cues(documents: Mapping[str, Mapping[str, Any]], signs: Signs) -> Cues:
    return Cues(
        {
            signs.read_place(place): {
                signs.read_event(name): w for name, w in _read_weights(weights).items()
            }
            for place, weights in documents.items()
        }
    )


def _read_weights(document: Mapping[str, Any]) -> dict[str, float]:
    weight_by_name: dict[str, float] = {}
    for side, sign in _SIDES:
        for each in document[side].split(_BAR) if side in document else ():
            weight, _, name = each.partition(" ")
            weight_by_name[_unescaped(name)] = sign * float(weight)
    return weight_by_name


def _read_template(document: Mapping[str, Any], number: int) -> Template:
    try:
        return template_of(document["text"])
    except ValueError as error:
        path = ("composition", "templates", number, "text")
        raise SchemaError(str(error), path=path) from None


def _read_world(document: Mapping[str, Any]) -> Names:
    return Names(
        tuple(_read_names(document["names"], "")),
        {
            owner: tuple(_read_names(texts, owner))
            for owner, texts in document.get("of", {}).items()
        },
    )


def _read_names(texts: Iterable[str], owner: str) -> Iterable[Name]:
    for text in texts:
        name, *columns = text.split()
        words = (f"{place}:{word}" for place, word in enumerate(columns) if word != _NOTHING)
        yield Name(name, owner, tuple(words))
