"""Read executions as cases of a contrast: where each stopped, and the actions before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..common.text import sentences
from ..conditions.text_patterns import instantiate, normalise
from ..model.procedure import Procedure
from ..words.lexicon import Lexicon
from .execution_context import ExecutionContext
from .view import ContextView, action_template


@dataclass(frozen=True, slots=True)
class Case:
    """One execution, or the part of one until it was blocked.

    Attributes:
        context: The execution.
        worked: Whether it reached its goal.
        stopped: Index of the procedure's step that was not done; None where it worked.
        until: How many of the context's steps came before that one.
        before: Template of an action done by then → its place, counted back from there.
    """

    context: ExecutionContext
    worked: bool
    stopped: int | None
    until: int
    before: Mapping[str, int] = field(hash=False)

    @property
    def run(self) -> str:
        """The episode."""
        return self.context.run


def cases_of(
    procedure: Procedure, contexts: Iterable[ExecutionContext], lexicon: Lexicon
) -> list[Case]:
    """Return the cases of executions: those that worked, those that failed, and blocked parts.

    An execution that worked may have been blocked before: a failure in the same episode with the
    same entities is the best contrast. Each course of an episode counts once, so that repetition
    proves nothing more.
    """
    case_by_course: dict[tuple[object, ...], Case] = {}
    for context in contexts:
        if not set(context.binding) & set(procedure.parameters) and procedure.parameters:
            continue
        for case in (
            *_blocked_parts(procedure, context, lexicon),
            _case(procedure, context, lexicon),
        ):
            binding = tuple(sorted(case.context.binding.items()))
            case_by_course[(case.run, binding, case.worked, case.stopped)] = case
    return list(case_by_course.values())


def usual_stop(cases: Sequence[Case]) -> int | None:
    """Return the step at which most failures stopped; the earliest of equals."""
    stops = Counter(c.stopped for c in cases if not c.worked and c.stopped is not None)
    return min(stops, key=lambda k: (-stops[k], k)) if stops else None


def aligned(procedure: Procedure, cases: Iterable[Case], stop: int, lexicon: Lexicon) -> list[Case]:
    """Return the cases; those that worked are cut before the step at ``stop``."""
    aligned_cases = []
    for case in cases:
        if case.worked:
            until = _index_of(procedure, case.context, stop)
            case = replace(case, until=until, before=_before(case.context, lexicon, until))
        aligned_cases.append(case)
    return aligned_cases


def at_start(cases: Iterable[Case], lexicon: Lexicon) -> list[Case]:
    """Return the cases cut before their first action."""
    return [replace(case, until=0, before=_before(case.context, lexicon, 0)) for case in cases]


def first_tries(cases: Iterable[Case]) -> list[Case]:
    """Return the cases before any reaction to a failure, for each episode and binding.

    Actions after a failure were chosen because of it, so they do not show how often the procedure
    works by itself.
    """
    all_cases = list(cases)
    failed_keys = {_key(case) for case in all_cases if not case.worked}
    undisturbed = [c for c in all_cases if not (c.worked and _key(c) in failed_keys)]
    return [c for c in undisturbed if c.context.outcome != "fallback"]


def _key(case: Case) -> tuple[object, ...]:
    return (case.run, tuple(sorted(case.context.binding.items())))


def _case(procedure: Procedure, context: ExecutionContext, lexicon: Lexicon) -> Case:
    if context.worked:
        until = _index_of(procedure, context, len(procedure.steps) - 1)
        return Case(context, True, None, until, _before(context, lexicon, until))
    stopped, until = _stop(procedure, context, lexicon)
    return Case(context, False, stopped, until, _before(context, lexicon, until))


def _actions_of(procedure: Procedure, context: ExecutionContext) -> list[str]:
    return [normalise(instantiate(s.do or "", context.binding) or "") for s in procedure.steps]


def _index_of(procedure: Procedure, context: ExecutionContext, number: int) -> int:
    """Return the index where a step was last done; if it was not, that of the next step done."""
    actions = _actions_of(procedure, context)
    for action in actions[number:]:
        for index in range(len(context.steps) - 1, -1, -1):
            past_action, _, worked = context.steps[index]
            if worked and normalise(past_action) == action:
                return index
    return len(context.steps)


def _stop(
    procedure: Procedure, context: ExecutionContext, lexicon: Lexicon
) -> tuple[int | None, int]:
    """Return the first due step that did not work, and its index in the context's steps."""
    actions = _actions_of(procedure, context)
    at = 0
    for number, step in enumerate(procedure.steps):
        index = next(
            (
                i
                for i in range(at, len(context.steps))
                if normalise(context.steps[i][0]) == actions[number]
            ),
            None,
        )
        if index is not None:
            if not context.steps[index][2]:
                return number, index
            at = index + 1
            continue
        view = ContextView(context, lexicon, at)
        unless, when = step.unless, step.when
        if unless is not None and unless.evaluate(view, context.binding, step=step.do).value:
            continue
        if when is not None and not when.evaluate(view, context.binding, step=step.do).value:
            continue
        if not actions[number]:
            return None, at  # an entity that it needs was not found
        return number, at
    return len(procedure.steps) - 1, max(0, len(context.steps) - 1)


def _blocked_parts(
    procedure: Procedure, context: ExecutionContext, lexicon: Lexicon
) -> Iterable[Case]:
    """Yield the failures before an execution in the same episode, with its entities."""
    actions = _actions_of(procedure, context)
    for count, action, observation, latest in context.blocked:
        if normalise(action) in actions:
            part = replace(
                context,
                outcome="execution_failed",
                done=context.done[:count],
                latest=sentences(latest),
                seen=(),
                steps=((action, observation, False),),
                blocked=(),
            )
            yield Case(part, False, actions.index(normalise(action)), 0, _before(part, lexicon, 0))
    if not context.worked:
        return
    for index, (action, _, worked) in enumerate(context.steps):
        if not worked and normalise(action) in actions:
            part = replace(
                context, outcome="execution_failed", steps=context.steps[: index + 1], blocked=()
            )
            number = actions.index(normalise(action))
            yield Case(part, False, number, index, _before(part, lexicon, index))


def _before(context: ExecutionContext, lexicon: Lexicon, until: int) -> dict[str, int]:
    """Map templates of the done actions to their last place, counted back from the stop."""
    actions = [*context.done, *(e[0] for e in context.steps[:until] if e[2])]
    place_by_template: dict[str, int] = {}
    for back, action in enumerate(reversed(actions), 1):
        template = action_template(action, context, lexicon)
        if template is not None:
            place_by_template.setdefault(template, back)
    return place_by_template
