"""Boxes of steps: demonstrations are played, and what was known at each step is read off."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ...episodes.facts import Fact
from ...episodes.history import Done, History
from ..box import Box, learn_box, open_fields
from ..conditions import OneOf
from ..program import Program, Step, possible, ready
from ..repeated import repeated

__all__ = ["with_boxes"]

_Calls = Sequence[tuple[str, tuple[str, ...], tuple[Fact, ...]]]


def with_boxes(
    program: Program,
    demonstrations: Sequence[tuple[History, _Calls]],
) -> Program:
    """Return a program whose steps know where they were shown.

    Args:
        program: Its boxes say of steps that commit only what they need, and what always held.
        demonstrations: The beginning of each, and its calls: operator, arguments, facts told.
    """
    shown: dict[str, list[History]] = defaultdict(list)
    rivals: dict[str, list[History]] = defaultdict(list)
    runs: Counter[str] = Counter()
    ends: list[tuple[set[str], History]] = []
    strays: list[tuple[str, History]] = []
    for first, calls in demonstrations:
        history = first.copy()
        done: set[str] = set()
        strayed = False
        for at, (operator, arguments, result) in enumerate(calls):
            now = history.copy()
            step, right = _planned(program, now, operator, arguments)
            if right and step is not None:
                done.add(step.id)
                if strayed:
                    strays.append((step.id, now))
                else:
                    shown[step.id].append(now)
            elif step is not None:
                rivals[step.id].append(now)
                if not _still_to_come(step, now, calls[at:]):
                    strays.append((step.id, now))
                    strayed = True
            history.add(Done(step.id if right and step else None, operator, arguments), result)
        runs.update(done)
        ends.append((done, history))
    opened = open_fields([history for _, history in ends])
    steps: list[Step] = []
    boxes: dict[str, Box] = {}
    for step in program.steps:
        if not shown[step.id]:
            steps.append(step)
            continue
        others = [*rivals[step.id], *(end for done, end in ends if step.id not in done)]
        alone = not _contested(step, shown[step.id], demonstrations)
        told = repeated(program, step) if alone else ()
        read = learn_box(runs[step.id], shown[step.id], others, opened, told)
        own = step.box
        held = tuple(each for each in own.provided if not isinstance(each, OneOf))  # ranges tell it
        read = replace(read, needs=own.needs, provided=held, sizes=own.sizes)
        boxes[step.id] = read
        steps.append(replace(step, box=read))
    # Where a demonstration did something else outside of what was shown, nothing is done anyway.
    inside = Counter(s for s, h in strays if s in boxes and boxes[s].strange(h) is None)
    return replace(
        program,
        steps=tuple(
            replace(step, box=replace(step.box, doubted=inside[step.id])) for step in steps
        ),
    )


def _contested(
    step: Step, shown: Sequence[History], demonstrations: Sequence[tuple[History, _Calls]]
) -> bool:
    """Whether a demonstration did something else after calls after which the step was done."""
    before = {tuple(call.operator for call in history.calls) for history in shown}
    return any(
        operator != step.operator and tuple(each for each, _, _ in calls[:at]) in before
        for _, calls in demonstrations
        for at, (operator, _, _) in enumerate(calls)
    )


def _planned(
    program: Program, history: History, operator: str, arguments: tuple[str, ...]
) -> tuple[Step | None, bool]:
    """Return the step that the program does, and whether that is what was shown."""
    for step, ways in possible(program, history):
        return step, step.operator == operator and arguments in ways
    return None, False


def _still_to_come(step: Step, history: History, later: _Calls) -> bool:
    """Whether a demonstration went on to do a step: then it only took another order."""
    ways = ready(step, history)
    return any(operator == step.operator and given in ways for operator, given, _ in later)
