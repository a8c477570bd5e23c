"""Boxes of steps, learned from the histories before each step of played demonstrations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from ...episodes.facts import Fact
from ...episodes.history import Done, History
from ...episodes.tokens import magnitude
from ..box import Box
from ..chance import parts_by_chance
from ..field_uses import Uses, repeated
from ..program import (
    Program,
    ProgramStep,
    guard_holds,
    possible,
    ready,
    reason_for,
    unmet_need,
)
from ..program_conditions import Condition, OneOf, Shown, TaskSlot, ToldField
from ..relations import Place, single_fields
from .box_learning import learn_box, open_fields

_Calls = Sequence[tuple[str, tuple[str, ...], tuple[Fact, ...]]]


def with_boxes(
    program: Program,
    demonstrations: Sequence[tuple[History, _Calls]],
) -> Program:
    """Return a program whose steps have boxes.

    Args:
        program: A program whose committing steps have needs, provisions and sizes in their boxes.
        demonstrations: The beginning of each, and its calls: operator, arguments, facts.
    """
    playing = _Playing(program)
    for first, calls in demonstrations:
        playing.add(first, calls)
    open_names = open_fields([history for _, history in playing.ends])
    wordings = Counter(first.wording for first, _ in demonstrations)
    uses = Uses.of(program)
    steps: list[ProgramStep] = []
    boxes: dict[str, Box] = {}
    for step in program.steps:
        histories = playing.shown[step.id]
        if not histories:
            steps.append(step)
            continue
        uncontested = not _is_contested(step, histories, demonstrations)
        repeated_steps = repeated(program, step) if uncontested else ()
        rivals, ends = playing.others(step)
        box = learn_box(
            playing.runs[step.id],
            histories,
            rivals,
            open_names,
            repeated_steps,
            wordings,
            ends,
            uses,
        )
        old_box = step.box
        outside_ranges = tuple(each for each in old_box.provided if not _is_in_ranges(each))
        box = replace(
            box,
            needs=old_box.needs,
            provided=(*outside_ranges, *box.provided),
            sizes=old_box.sizes,
            reasons=playing.reasons(step),
            chance=_is_nominal(step)
            and (_lists_times(step) or _is_chance(histories, playing.instead(step), open_names)),
        )
        boxes[step.id] = box
        steps.append(replace(step, box=box))
    # Outside of a box the program does nothing, so that only strays inside count.
    by_id = {step.id: step for step in steps}
    count_inside = Counter(
        name
        for name, history in playing.strays
        if name in boxes
        and boxes[name].strange(history) is None
        and unmet_need(steps, by_id[name], history) is None
    )
    return replace(
        program,
        steps=tuple(
            replace(step, box=replace(step.box, doubted=count_inside[step.id])) for step in steps
        ),
    )


class _Playing:
    """The histories at which a program would do its steps, in demonstrations.

    Attributes:
        shown: Id of a step → histories before it was done.
        rivals: Id of a step → histories before another call was made instead.
        runs: Id of a step → number of demonstrations in which it was done.
        ends: For each demonstration the steps that were done, and its whole history.
        strays: Steps and histories from which on a demonstration went its own way.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._operators = {step.operator for step in program.steps}
        self.shown: dict[str, list[History]] = defaultdict(list)
        self.rivals: dict[str, list[History]] = defaultdict(list)
        self.runs: Counter[str] = Counter()
        self._reasons: Counter[tuple[str, int | None]] = Counter()
        self.ends: list[tuple[set[str], History]] = []
        self.strays: list[tuple[str, History]] = []

    def add(self, first: History, calls: _Calls) -> None:
        """Play a demonstration."""
        history = first.copy()
        done_ids: set[str] = set()
        reasons: set[tuple[str, int | None]] = set()
        astray = after_other_call = False
        for at, (operator, arguments, result) in enumerate(calls):
            moment = history.copy()
            step, ways = next(possible(self._program, moment), (None, []))
            agrees = step is not None and step.operator == operator and arguments in ways
            if step is not None and step.some and not _is_done(step, ways[0], calls[at:]):
                # The program would do the step, the demonstration never does.
                self.strays.append((step.id, moment))
            if agrees and step is not None:
                done_ids.add(step.id)
                if astray:
                    self.strays.append((step.id, moment))
                elif after_other_call:  # the program never gets behind such a call
                    self.rivals[step.id].append(moment)
                else:
                    self.shown[step.id].append(moment)
                    reasons.add((step.id, reason_for(step, moment)))
            elif step is not None:
                self.rivals[step.id].append(moment)
                # Before a committing step the order is fixed, so that another call replaces it. A
                # call whose arguments no step gives is left out by the program, whatever follows.
                skipped = step.operator != operator and operator in self._operators
                skipped &= step.commit or not self._gives(operator, arguments, moment)
                if skipped or not _comes_later(step, moment, calls[at:]):
                    self.strays.append((step.id, moment))
                    astray = True
            after_other_call |= not self._makes(operator)
            history.add(Done(step.id if agrees and step else None, operator, arguments), result)
        self.runs.update(done_ids)
        self._reasons.update(reasons)
        self.ends.append((done_ids, history))

    def _makes(self, operator: str) -> bool:
        """Whether the program makes such calls."""
        return operator in self._operators

    def _gives(self, operator: str, arguments: tuple[str, ...], moment: History) -> bool:
        """Whether a step of the program gives such a call these arguments at a moment."""
        return any(
            arguments in ready(step, moment)
            for step in self._program.steps
            if step.operator == operator
        )

    def reasons(self, step: ProgramStep) -> tuple[int, ...]:
        """Return how many demonstrations did a step for each of several guards."""
        several = range(len(step.guards)) if len(step.guards) > 1 else ()
        return tuple(self._reasons[step.id, number] for number in several)

    def instead(self, step: ProgramStep) -> list[History]:
        """Return histories behind the same last call before another committing step was done.

        Steps of one tool differ by the forms of an argument, and that has a source.
        """
        last = {history.before for history in self.shown[step.id]}
        return [
            history
            for other in self._program.steps
            if other.commit and not _is_same_tool(step, other)
            for history in self.shown[other.id]
            if history.before in last and ready(step, history)
        ]

    def others(self, step: ProgramStep) -> tuple[list[History], list[History]]:
        """Return histories before a step was not done, and ends at which its guard fails."""
        ends = [end for done_ids, end in self.ends if step.id not in done_ids]
        return (
            [*self.rivals[step.id], *(end for end in ends if guard_holds(step, end))],
            [end for end in ends if not guard_holds(step, end)],
        )


def _is_same_tool(step: ProgramStep, other: ProgramStep) -> bool:
    if step.form is None or other.form is None:
        return step.id == other.id
    return step.form.tool == other.form.tool


def _is_chance(
    shown: Sequence[History], others: Sequence[History], opened: Collection[Place]
) -> bool:
    """Whether names that tell a step apart may do so by chance, as fields are many for few moments.

    Args:
        shown: Histories before it was done.
        others: Histories before another was done instead.
        opened: Fields of which new values are to be expected.
    """
    if not others:
        return False
    moments = [dict(single_fields(history)) for history in (*shown, *others)]
    places = frozenset(moments[0]).intersection(*moments) - frozenset(opened)
    columns = [[moment[place] for moment in moments] for place in sorted(places)]
    # Of names that hardly come again, and of sizes, no guard is made.
    named = [each for each in columns if 2 * len({*each}) <= len(each)]
    named = [each for each in named if all(magnitude(value) is None for value in each)]
    return parts_by_chance(named, len(shown))


def _lists_times(step: ProgramStep) -> bool:
    """Whether a guard lists days or times: a reason would name a limit of theirs."""
    conditions = (each for guard in step.guards for each in guard.when)
    values = (value for each in conditions if isinstance(each, OneOf) for value in each.values)
    types = (size[0] for value in values if (size := magnitude(value)) is not None)
    return any(type_ != "number" for type_ in types)


def _is_nominal(step: ProgramStep) -> bool:
    """Whether some guard of a committing step names values of what was told, and says no more."""
    guards = ([c for c in guard.when if not isinstance(c, Shown)] for guard in step.guards)
    return step.commit and any(
        guard and all(isinstance(c, OneOf) and isinstance(c.term, ToldField) for c in guard)
        for guard in guards
    )


def _is_in_ranges(condition: Condition) -> bool:
    """Whether the ranges of a box cover a condition: one over slots or newest facts."""
    match condition:
        case OneOf(TaskSlot() | ToldField(at="newest")):
            return True
        case _:
            return False


def _is_contested(
    step: ProgramStep,
    histories: Sequence[History],
    demonstrations: Sequence[tuple[History, _Calls]],
) -> bool:
    """Whether a demonstration did another step after the same operators."""
    earlier_operators = {tuple(call.operator for call in history.calls) for history in histories}
    return any(
        operator != step.operator and tuple(each for each, _, _ in calls[:at]) in earlier_operators
        for _, calls in demonstrations
        for at, (operator, _, _) in enumerate(calls)
    )


def _is_done(step: ProgramStep, way: tuple[str, ...], later: _Calls) -> bool:
    """Whether a demonstration does a step with certain arguments, now or later."""
    return any(
        operator == step.operator and call_arguments == way for operator, call_arguments, _ in later
    )


def _comes_later(step: ProgramStep, history: History, later: _Calls) -> bool:
    """Whether a demonstration does a step later, so that it only took another order."""
    ways = ready(step, history)
    return any(
        operator == step.operator and call_arguments in ways
        for operator, call_arguments, _ in later
    )
