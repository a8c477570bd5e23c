"""Boxes of steps: demonstrations are played, and what was known at each step is read off."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ...episodes.facts import Fact
from ...episodes.history import Done, History
from ..box import Box, learn_box, open_fields
from ..program import Program, Step, possible, ready, unmet_need
from ..program_conditions import Condition, OneOf, TaskSlot, ToldField
from ..repeated import repeated

__all__ = ["with_boxes"]

_Calls = Sequence[tuple[str, tuple[str, ...], tuple[Fact, ...]]]


def with_boxes(
    program: Program,
    demonstrations: Sequence[tuple[History, _Calls]],
) -> Program:
    """Return a program whose steps know where they were shown.

    Args:
        program: Its boxes say of steps that commit only what they need, what always held, and
            which sizes their arguments had.
        demonstrations: The beginning of each, and its calls: operator, arguments, facts told.
    """
    playing = _Playing(program)
    for first, calls in demonstrations:
        playing.add(first, calls)
    opened = open_fields([history for _, history in playing.ends])
    wordings = Counter(first.wording for first, _ in demonstrations)
    steps: list[Step] = []
    boxes: dict[str, Box] = {}
    for step in program.steps:
        shown = playing.shown[step.id]
        if not shown:
            steps.append(step)
            continue
        alone = not _contested(step, shown, demonstrations)
        told = repeated(program, step) if alone else ()
        read = learn_box(playing.runs[step.id], shown, playing.others(step), opened, told, wordings)
        own = step.box
        held = tuple(each for each in own.provided if not _in_ranges(each))
        read = replace(read, needs=own.needs, provided=(*held, *read.provided), sizes=own.sizes)
        boxes[step.id] = read
        steps.append(replace(step, box=read))
    # Where a demonstration did something else outside of what was shown, nothing is done anyway.
    by_id = {step.id: step for step in steps}
    inside = Counter(
        name
        for name, history in playing.strays
        if name in boxes
        and boxes[name].strange(history) is None
        and unmet_need(steps, by_id[name], history) is None
    )
    return replace(
        program,
        steps=tuple(
            replace(step, box=replace(step.box, doubted=inside[step.id])) for step in steps
        ),
    )


class _Playing:
    """What was known where a program would have done its steps, in demonstrations.

    Attributes:
        shown: Step → moments at which it was done.
        rivals: Step → moments at which something else was done.
        runs: Step → in how many demonstrations it was done.
        ends: For each demonstration which steps were done, and all that was known then.
        strays: Steps and moments from which on a demonstration went its own way.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._operators = {step.operator for step in program.steps}
        self.shown: dict[str, list[History]] = defaultdict(list)
        self.rivals: dict[str, list[History]] = defaultdict(list)
        self.runs: Counter[str] = Counter()
        self.ends: list[tuple[set[str], History]] = []
        self.strays: list[tuple[str, History]] = []

    def add(self, first: History, calls: _Calls) -> None:
        """Play a demonstration."""
        history = first.copy()
        done: set[str] = set()
        astray = beside = False
        for at, (operator, arguments, result) in enumerate(calls):
            now = history.copy()
            step, ways = next(possible(self._program, now), (None, []))
            right = step is not None and step.operator == operator and arguments in ways
            if step is not None and step.some and not _made(step, ways[0], calls[at:]):
                self.strays.append((step.id, now))  # it would be done here, and never was
            if right and step is not None:
                done.add(step.id)
                if astray:
                    self.strays.append((step.id, now))
                elif beside:  # what holds behind a call that the program never makes is not shown
                    self.rivals[step.id].append(now)
                else:
                    self.shown[step.id].append(now)
            elif step is not None:
                self.rivals[step.id].append(now)
                # Before what commits there is no other order: what is not done then is left out.
                skipped = step.commit and step.operator != operator and operator in self._operators
                if skipped or not _still_to_come(step, now, calls[at:]):
                    self.strays.append((step.id, now))
                    astray = True
            beside |= not self._makes(operator)
            history.add(Done(step.id if right and step else None, operator, arguments), result)
        self.runs.update(done)
        self.ends.append((done, history))

    def _makes(self, operator: str) -> bool:
        """Whether the program makes such calls."""
        return operator in self._operators

    def others(self, step: Step) -> list[History]:
        """Return moments at which a step was not done, ends included."""
        return [*self.rivals[step.id], *(end for done, end in self.ends if step.id not in done)]


def _in_ranges(condition: Condition) -> bool:
    """Whether the ranges of a box say what a condition does: of the task, and what is newest."""
    match condition:
        case OneOf(TaskSlot() | ToldField(at="newest")):
            return True
        case _:
            return False


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


def _made(step: Step, way: tuple[str, ...], later: _Calls) -> bool:
    """Whether a demonstration did a step in one way, now or later."""
    return any(operator == step.operator and given == way for operator, given, _ in later)


def _still_to_come(step: Step, history: History, later: _Calls) -> bool:
    """Whether a demonstration went on to do a step: then it only took another order."""
    ways = ready(step, history)
    return any(operator == step.operator and given in ways for operator, given, _ in later)
