"""Programs without their counts."""

from __future__ import annotations

from dataclasses import replace

from .planning.sightings import Sightings
from .program import Program


def uncounted(program: Program) -> Program:
    """Return a program without its counts of things seen."""
    places, planner = program.places, program.planner
    if places is None or planner is None:
        return program
    operators = tuple(
        replace(
            operator,
            parameters=tuple(
                replace(each, kinds=dict.fromkeys(sorted(each.kinds), 1))
                for each in operator.parameters
            ),
        )
        for operator in planner.operators
    )
    return replace(
        program,
        places=replace(places, sightings=Sightings()),
        planner=replace(planner, operators=operators),
    )
