"""Order a procedure's kinds by use, as counted in the evidence.

A file lists kinds in the order of their names: an order by use would change with every episode.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..model.procedure import Parameter, Procedure


def in_order_of_use(
    procedures: Mapping[str, Procedure], use_count: Mapping[tuple[str, str], Mapping[str, float]]
) -> dict[str, Procedure]:
    """Return procedures whose parameters list the most used kinds first.

    Args:
        procedures: Procedures by id.
        use_count: (id, parameter) → kind → number of uses.
    """
    ordered = {}
    for name, procedure in procedures.items():
        parameters = {
            parameter_name: _with_ordered_kinds(
                parameter, use_count.get((name, parameter_name), {})
            )
            for parameter_name, parameter in procedure.parameters.items()
        }
        same = all(
            parameters[parameter_name] is each
            for parameter_name, each in procedure.parameters.items()
        )
        ordered[name] = procedure if same else replace(procedure, parameters=parameters)
    return ordered


def _with_ordered_kinds(parameter: Parameter, use_count: Mapping[str, float]) -> Parameter:
    kinds = tuple(sorted(parameter.kinds, key=lambda kind: (-use_count.get(kind, 0.0), kind)))
    return parameter if kinds == parameter.kinds else replace(parameter, kinds=kinds)
