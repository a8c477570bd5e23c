"""Which kinds a procedure is used on first: by how often it was, as the evidence has it.

A file lists kinds as a set, in the order of their names: an order by use would change with every
episode, and say nothing that a person decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..model.procedure import Parameter, Procedure

__all__ = ["in_order_of_use"]


def in_order_of_use(
    procedures: Mapping[str, Procedure], used: Mapping[tuple[str, str], Mapping[str, float]]
) -> dict[str, Procedure]:
    """Return procedures whose parameters list the kinds that they were used on most first.

    Args:
        procedures: By id.
        used: (id, parameter) → kind → how often it was used on it.
    """
    found = {}
    for name, procedure in procedures.items():
        parameters = {
            own: _ordered(parameter, used.get((name, own), {}))
            for own, parameter in procedure.parameters.items()
        }
        same = all(parameters[own] is each for own, each in procedure.parameters.items())
        found[name] = procedure if same else replace(procedure, parameters=parameters)
    return found


def _ordered(parameter: Parameter, used: Mapping[str, float]) -> Parameter:
    kinds = tuple(sorted(parameter.kinds, key=lambda kind: (-used.get(kind, 0.0), kind)))
    return parameter if kinds == parameter.kinds else replace(parameter, kinds=kinds)
