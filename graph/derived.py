"""What the loop derives from a library's content and its evidence, once."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ..procedures.evidence.ledger import CountKey
from ..procedures.model.procedure import Procedure

EXPLORED = "@explored"
"""Ledger subject of what was done in the gap of a partial plan; binding: goal and frame."""


def filled(bindings: Mapping[tuple[str, str], tuple[float, float]]) -> dict[str, float]:
    """Frame → mean chance that it is what a plan lacked, over all tasks."""
    sums: dict[str, list[float]] = {}
    for (subject, key), (good, bad) in bindings.items():
        if subject == EXPLORED:
            known = sums.setdefault(json.loads(key)[1], [1.0, 1.0])
            known[0] += good
            known[1] += bad
    return {frame: good / (good + bad) for frame, (good, bad) in sums.items()}


def kind_counts(
    procedures: Mapping[str, Procedure], counts: Mapping[CountKey, tuple[float, float]]
) -> tuple[dict[tuple[str, str], dict[str, float]], dict[str, float]]:
    """(procedure, parameter) → kinds it was used on; a kind only listed in the file counts 1/2."""
    kinds: dict[tuple[str, str], dict[str, float]] = {}
    for procedure in procedures.values():
        for name, parameter in procedure.parameters.items():
            kinds[procedure.id, name] = dict.fromkeys(parameter.kinds, 0.5)
    # A version that changed a step is used on the same things as the one that was counted.
    counted: dict[str, int] = {}
    for what, subject, version, _ in counts:
        known = procedures.get(subject)
        if what == "binding" and known is not None and version <= known.version:
            counted[subject] = max(version, counted.get(subject, 0))
    for (what, subject, version, binding), (successes, _) in counts.items():
        if what != "binding" or counted.get(subject) != version:
            continue
        name, _, kind = binding.partition("|")
        if (subject, name) in kinds:
            kinds[subject, name][kind] = successes
    overall: dict[str, float] = {}
    for role in kinds.values():
        for kind, count in role.items():
            overall[kind] = overall.get(kind, 0.0) + count
    return kinds, overall


def variants_of(procedures: Mapping[str, Procedure]) -> dict[str, tuple[str, ...]]:
    """Id → ids of the procedures that were made for a part of what it is for."""
    found: dict[str, tuple[str, ...]] = {}
    for procedure in procedures.values():
        parent = procedure.provenance.get("parent", "").partition("@")[0]
        if parent and parent != procedure.id and procedure.status != "retired":
            found[parent] = (*found.get(parent, ()), procedure.id)
    return found
