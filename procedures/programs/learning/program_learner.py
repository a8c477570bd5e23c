"""Learning a program from demonstrations: read, cover, order, guard."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from ...episodes.facts import UNREAD, Fact
from ...episodes.history import Done
from ..binding import values_with
from ..parameter_names import step_id
from ..program import Program, ProgramStep, ready
from ..replaying import divergence_of
from ..sources import Choice, Constant, Source
from .covering import cover
from .features import Features
from .lessons import Lesson
from .moments import Moment, in_any_order
from .occurrences import Few, Occurrence
from .ordering import LATER, guarded_program, kept_groups
from .turns import with_turns

_NEW_SHARE = 0.2
"""Good and Turing's chance of a new value below which values of a field are classes, not names.

The reasoner handles any value that was never shown, so a rare one may be missing."""
_MOST_VALUES = 12
"""Most values of a field that has few."""
_MOST_STEPS = 24
"""Most steps of a program. More are a list of tried arguments that nobody would read."""
_MOST_LISTED = 8
"""Most steps whose arguments are all constants that nothing said before."""
_SOME = 20
"""Demonstrations by which failures are counted; more take time."""


def _few_fields(facts: Iterable[tuple[int, Fact]]) -> Few:
    """Return the fields whose values all seem to have been shown.

    Args:
        facts: Episode and fact. By Good and Turing the chance of a new value is the share of
            values that only one episode shows.
    """
    episodes_by_value: dict[tuple[str, str], dict[str, set[int]]] = defaultdict(
        lambda: defaultdict(set)
    )
    for episode, fact in facts:
        if fact.kind != UNREAD:
            for name, value in fact.fields.items():
                episodes_by_value[fact.kind, name][value].add(episode)
    few: dict[str, set[str]] = defaultdict(set)
    for (kind, name), values in sorted(episodes_by_value.items()):
        single_uses = sum(len(episodes) == 1 for episodes in values.values())
        total = sum(len(episodes) for episodes in values.values())
        if (
            len(values) <= _MOST_VALUES
            and single_uses <= _NEW_SHARE * total
            and len(values) * 2 < total
        ):
            few[kind].add(name)
    return {kind: frozenset(names) for kind, names in few.items()}


def learn_program(
    lessons: Sequence[Lesson],
    saying: frozenset[str] = frozenset(),
    explained: float = 0.0,
) -> Program:
    """Learn the program of one kind of task.

    Args:
        lessons: The demonstrations.
        saying: Operators that only say something. The step before them may be the end.
        explained: Share of the demonstrations of which steps have to explain all calls; else the
            program has no steps.
    """
    few = _few_fields(
        (number, fact)
        for number, lesson in enumerate(lessons)
        for result in (
            [lesson.first.asked],
            *lesson.first.results,
            *(result for _, _, result in lesson.calls),
        )
        for fact in result
    )
    steps, offers = _steps(lessons, few)
    if _too_many(steps.values()):
        return Program(())
    runs = [_steps_of(lesson, steps) for lesson in lessons]
    if sum(None not in run for run in runs) < explained * len(runs):
        return Program(())
    steps, runs = _with_repetitions(steps, lessons, runs)
    moments = _moments(lessons, steps, runs)
    final = _final_steps(lessons, runs, saying)
    # The order is free only where no observation tells it, as the question of a form does.
    ordered = [replace(moment, later=frozenset()) for moment in moments]
    program, dropped = guarded_program(Features(ordered, few, offers), steps, final)
    if not (groups := in_any_order(moments)):
        return program
    program = replace(program, any_order=kept_groups(groups, program.steps))
    failures = _failures_of(program, lessons)
    if not dropped and not failures:
        return program
    steps = with_turns(steps, moments)
    moments = _moments(lessons, steps, runs)
    other, other_dropped = guarded_program(Features(moments, few, offers), steps, final)
    return (
        other
        if (len(other_dropped), _failures_of(other, lessons)) < (len(dropped), failures)
        else program
    )


def _failures_of(program: Program, lessons: Sequence[Lesson]) -> int:
    """Return how many of the first demonstrations a program does not reproduce."""
    return sum(divergence_of(program, lesson) is not None for lesson in lessons[:_SOME])


# ---------------------------------------------------------------------------- steps
def _steps(lessons: Sequence[Lesson], few: Few) -> tuple[dict[str, ProgramStep], list[Choice]]:
    """Return the steps by id, and the choices that may matter by having a candidate.

    The search ends as soon as there are too many steps.
    """
    occurrences: dict[str, list[Occurrence]] = defaultdict(list)
    for number, lesson in enumerate(lessons):
        history = lesson.first.copy()
        for operator, arguments, result in lesson.calls:
            occurrences[operator].append(Occurrence(number, history.copy(), arguments))
            history.add(Done(None, operator, arguments), result)
    steps: dict[str, ProgramStep] = {}
    offers: dict[Choice, None] = {}
    for operator, calls in occurrences.items():
        for shape in cover(operator, calls, few):
            identifier = step_id(operator, steps)
            steps[identifier] = ProgramStep(identifier, operator, shape.sources)
            offers.update(dict.fromkeys(shape.offers))
        if _too_many(steps.values()):
            break
    return steps, list(offers)


def _is_listed(step: ProgramStep) -> bool:
    """Whether the arguments of a step are values that nothing says before."""
    return bool(step.sources) and all(
        isinstance(source, Constant) and not source.said for source in step.sources
    )


def _too_many(steps: Collection[ProgramStep]) -> bool:
    """Whether steps are more than a person would read."""
    return len(steps) > _MOST_STEPS or sum(map(_is_listed, steps)) > _MOST_LISTED


def _steps_of(lesson: Lesson, steps: Mapping[str, ProgramStep]) -> list[str | None]:
    """Return the step that explains each call best; None where none does."""
    history = lesson.first.copy()
    out: list[str | None] = []
    for operator, arguments, result in lesson.calls:
        fits = []
        for place, step in enumerate(steps.values()):
            if step.operator != operator:
                continue
            lists = [
                values_with(index, step.sources, arguments, history)
                for index in range(len(step.sources))
            ]
            if all(v in each for v, each in zip(arguments, lists, strict=True)):
                fits.append((sum(len(each) for each in lists), place, step.id))
        out.append(min(fits)[2] if fits else None)
        history.add(Done(out[-1], operator, arguments), result)
    return out


def _with_repetitions(
    steps: Mapping[str, ProgramStep],
    lessons: Sequence[Lesson],
    runs: Sequence[Sequence[str | None]],
) -> tuple[dict[str, ProgramStep], list[list[str | None]]]:
    """Return steps and runs with a separate step for each later return of a call.

    The same call at a later place is a step of its own. One that follows itself, or comes more
    than twice, may be repeated instead. A call with other values is the next one of its step.
    """
    repeated: set[str] = set()
    later_steps: set[str] = set()
    calls_by_run = [
        [(step, arguments) for step, (_, arguments, _) in zip(run, lesson.calls, strict=True)]
        for lesson, run in zip(lessons, runs, strict=True)
    ]
    for calls in calls_by_run:
        for (step, _), count in Counter(calls).items():
            if step and count > 1:
                (repeated if count > 2 else later_steps).add(step)
        repeated.update(a[0] for a, b in itertools.pairwise(calls) if a[0] and a == b)
    steps_by_id = {
        each.id: ProgramStep(each.id, each.operator, each.sources, again=each.id in repeated)
        for each in steps.values()
    }
    returning = later_steps - repeated
    for step in sorted(returning):
        later_step = LATER.format(step)
        steps_by_id[later_step] = replace(steps[step], id=later_step)
    return steps_by_id, [
        [
            LATER.format(call[0]) if call[0] in returning and call in calls[:at] else call[0]
            for at, call in enumerate(calls)
        ]
        for calls in calls_by_run
    ]


def _moments(
    lessons: Sequence[Lesson],
    steps: Mapping[str, ProgramStep],
    runs: Sequence[Sequence[str | None]],
) -> list[Moment]:
    moments: list[Moment] = []
    for lesson, run in zip(lessons, runs, strict=True):
        history = lesson.first.copy()
        explained = _is_explained(lesson, run)
        operators = {steps[step].operator for step in run if step is not None}
        for place, ((operator, arguments, result), step) in enumerate(
            zip(lesson.calls, run, strict=True)
        ):
            if step is None and place == len(run) - 1:  # no other step is right at an end
                open_steps = frozenset(each.id for each in steps.values() if ready(each, history))
                moments.append(Moment(history.copy(), None, open_steps, explained))
            if step is not None:
                values_by_step = {each.id: ready(each, history) for each in steps.values()}
                open_steps = frozenset(name for name, each in values_by_step.items() if each)
                later_calls = set(
                    zip(run[place + 1 :], (c[1] for c in lesson.calls[place + 1 :]), strict=True)
                )
                movable = {n for n in open_steps - {step} if any(map(_is_chosen, steps[n].sources))}
                later = frozenset(
                    n
                    for n in movable
                    if not later_calls.isdisjoint((n, w) for w in values_by_step[n])
                )
                moments.append(Moment(history.copy(), step, open_steps | {step}, explained, later))
            # Other calls are glances that no step explains.
            if step is not None or operator not in operators:
                history.add(Done(step, operator, arguments), result)
        open_steps = frozenset(each.id for each in steps.values() if ready(each, history))
        moments.append(Moment(history, None, open_steps, explained))
    return moments


def _is_chosen(source: Source) -> bool:
    """Whether a source chooses among candidates, so that a step may take several turns."""
    return isinstance(source, Choice) and not source.looks_at


def _is_explained(lesson: Lesson, run: Sequence[str | None]) -> bool:
    """Whether every call without a step uses values that were mentioned before."""
    history = lesson.first.copy()
    for (operator, arguments, result), step in zip(lesson.calls, run, strict=True):
        if step is None and not all(map(history.mentions, arguments)):
            return False
        history.add(Done(step, operator, arguments), result)
    return True


# ---------------------------------------------------------------------------- what commits
def _final_steps(
    lessons: Sequence[Lesson], runs: Sequence[Sequence[str | None]], saying: frozenset[str]
) -> set[str]:
    """Return the steps after which no demonstration went on, except by saying something."""
    ends: set[str | None] = set()
    others: set[str | None] = set()
    for lesson, run in zip(lessons, runs, strict=True):
        at = len(run)
        while at and lesson.calls[at - 1][0] in saying:
            at -= 1
        ends.update(run[max(0, at - 1) :])
        others.update(run[: max(0, at - 1)])
    return {end for end in ends - others if end}
