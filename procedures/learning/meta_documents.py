"""Write plans as the documents of meta-procedure files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..conditions.text_patterns import escape, quoted
from ..words.lexicon import fill_frame, instantiate
from .drafts import Draft
from .guards import variable_name
from .guided import GuidedPlan
from .instructions import TASK
from .plans import Plan
from .provenance import sources

_SLOT_NAMES = "abcdefgh"


def _slot_name(index: int) -> str:
    return _SLOT_NAMES[index] if index < len(_SLOT_NAMES) else f"slot{index}"


def meta_document(
    plan: Plan, identifier: str, drafts: Mapping[str, Draft], identifiers: Mapping[str, str]
) -> dict[str, Any]:
    """Write a plan as the content of a meta-procedure file, version 1.

    Each place has its policy Θ. Continue when the procedure's postcondition holds. Skip it when
    its action was the last on its entity. Repeat it with the next candidate binding. Abort when no
    candidate is left.
    """
    variables = _variable_names(plan)
    goal = re.sub(r"\{(\d+)\}", lambda m: "{" + _slot_name(int(m.group(1))) + "}", plan.goal or "*")
    slots = sorted({int(n) for n in re.findall(r"\{(\d+)\}", plan.goal)})
    parameters: dict[str, Any] = {_slot_name(k): {"source": "task"} for k in slots}
    for name, parameter in variables.items():
        slot = plan.slots.get(name)
        if name in plan.told:
            procedure_id = identifiers[plan.shape[plan.told[name]]]
            parameters[parameter] = {"source": "told", "by": procedure_id}
        elif slot is None:
            parameters[parameter] = {"source": "search"}
        else:
            parameters[parameter] = {"source": "entity", "of": _slot_name(slot)}
    document: dict[str, Any] = {
        "kind": "meta",
        "id": identifier,
        "version": 1,
        "status": "provisional",
        "goal": goal,
        "parameters": parameters,
        "plan": [
            place_document(
                identifiers[final],
                {variable_name(v): variables[name] for v, name in names.items()},
                _already_done(drafts[final], names, variables),
            )
            for names, final in zip(plan.variables, plan.shape, strict=True)
        ],
    }
    searched = [
        variables[plan.variables[i][v]]
        for i, final in enumerate(plan.shape)
        for v in drafts[final].found_via
    ]
    distinct = list(dict.fromkeys(searched))
    if len(distinct) > 1:
        document["distinct"] = distinct
    document["provenance"] = {"learned_from": sources(plan.support, plan.played)}
    return document


def _variable_names(plan: Plan) -> dict[str, str]:
    """Map the plan's variables to readable names: x1, x2, and so on."""
    ordered = dict.fromkeys(name for names in plan.variables for name in names.values())
    return {name: f"x{i + 1}" for i, name in enumerate(ordered)}


def place_document(run: str, with_: Mapping[str, str], skip: str | None = None) -> dict[str, Any]:
    """Write a place of a plan: candidates are tried until the procedure works, or none is left.

    Args:
        run: Id of the procedure.
        with_: Its parameter → the plan's.
        skip: When the place is passed over.
    """
    document: dict[str, Any] = {"run": run, "with": dict(with_), "continue": "post"}
    if skip is not None:
        document["skip"] = skip
    return {**document, "repeat": "not post and not exhausted", "abort": "exhausted"}


def _already_done(
    draft: Draft, names: Mapping[int, str], variables: Mapping[str, str]
) -> str | None:
    """Return the condition that the procedure's action was the last on its first argument."""
    if draft.arity == 0:
        return None
    arguments = ["*"] * draft.arity
    first = "{" + variables[names[0]] + "}"
    arguments[0] = first
    return f"last({first}) in [{quoted(fill_frame(draft.final, arguments))}]"


def guided_document(
    plan: GuidedPlan,
    identifier: str,
    drafts: Mapping[str, Draft],
    identifiers: Mapping[str, str],
    operators: Mapping[str, str],
) -> dict[str, Any]:
    """Write a plan that follows instructions as the content of a meta-procedure file."""
    parameters: dict[str, Any] = {}
    places: list[dict[str, Any]] = []
    for item in plan.items:
        if isinstance(item, str):
            places.append({"follow": TASK if item == TASK else operators[item]})
            continue
        frame, arguments = item
        if frame not in drafts:
            continue
        with_: dict[str, str] = {}
        for position, argument in enumerate(arguments):
            name = f"c{len(parameters) + 1}"
            parameters[name] = {"source": "constant", "value": argument}
            with_[variable_name(position)] = name
        skip = f"done({quoted(escape(instantiate(frame, arguments)))})"
        places.append(place_document(identifiers[frame], with_, skip))
    slots = sorted({int(n) for n in re.findall(r"\{(\d+)\}", plan.goal or "")})
    goal = re.sub(r"\{(\d+)\}", lambda m: "{" + _slot_name(int(m.group(1))) + "}", plan.goal or "*")
    return {
        "kind": "meta",
        "id": identifier,
        "version": 1,
        "status": "provisional",
        "goal": goal,
        "parameters": {**{_slot_name(k): {"source": "task"} for k in slots}, **parameters},
        "plan": places,
        "provenance": {"learned_from": sources(plan.support, plan.played)},
    }
