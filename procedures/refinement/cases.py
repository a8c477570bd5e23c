"""Executions as cases of a contrast: where each stopped, and what had been done by then."""

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

__all__ = ["Case", "aligned", "at_start", "cases_of", "first_tries", "usual_stop"]


@dataclass(frozen=True, slots=True)
class Case:
    """One execution, or the part of one until it was blocked.

    Attributes:
        context: The execution.
        worked: Whether it did what it is for.
        stopped: Index of the procedure's step that did not come about; None where it worked.
        until: How many of the context's steps came before that one.
        before: Templates of what had been done by then; with what place counted from the end.
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

    An execution that worked at last may have been blocked before: that is a failure in the same
    episode with the same things, the best of contrasts. Of each episode, each way to have gone
    counts once, so that trying again and again proves nothing more.
    """
    found: dict[tuple[object, ...], Case] = {}
    for context in contexts:
        if not set(context.binding) & set(procedure.parameters) and procedure.parameters:
            continue
        for case in (*_blocked(procedure, context, lexicon), _case(procedure, context, lexicon)):
            things = tuple(sorted(case.context.binding.items()))
            found[(case.run, things, case.worked, case.stopped)] = case
    return list(found.values())


def usual_stop(cases: Sequence[Case]) -> int | None:
    """Return the step at which most failures stopped; the earliest of equals."""
    stops = Counter(c.stopped for c in cases if not c.worked and c.stopped is not None)
    return min(stops, key=lambda k: (-stops[k], k)) if stops else None


def aligned(procedure: Procedure, cases: Iterable[Case], stop: int, lexicon: Lexicon) -> list[Case]:
    """Return the cases with those that worked cut where the step at ``stop`` was done."""
    found = []
    for case in cases:
        if case.worked:
            until = _index_of(procedure, case.context, stop)
            case = replace(case, until=until, before=_before(case.context, lexicon, until))
        found.append(case)
    return found


def at_start(cases: Iterable[Case], lexicon: Lexicon) -> list[Case]:
    """Return the cases as they stood before anything was done."""
    return [replace(case, until=0, before=_before(case.context, lexicon, 0)) for case in cases]


def first_tries(cases: Iterable[Case]) -> list[Case]:
    """Return for each episode and things how it went before anything was done about a failure.

    What came after a failure was chosen because of it, so it says nothing about how often the
    procedure works by itself.
    """
    known = list(cases)
    failed = {_key(case) for case in known if not case.worked}
    by_itself = [c for c in known if not (c.worked and _key(c) in failed)]
    return [c for c in by_itself if c.context.outcome != "fallback"]


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
    """Return the place where a step was done for the last time; that of a later one without it."""
    wanted = _actions_of(procedure, context)
    for action in wanted[number:]:
        for index in range(len(context.steps) - 1, -1, -1):
            done, _, worked = context.steps[index]
            if worked and normalise(done) == action:
                return index
    return len(context.steps)


def _stop(
    procedure: Procedure, context: ExecutionContext, lexicon: Lexicon
) -> tuple[int | None, int]:
    """Return the first step that was called for and did not work, and the place where it stood."""
    wanted = _actions_of(procedure, context)
    at = 0
    for number, step in enumerate(procedure.steps):
        here = next(
            (
                i
                for i in range(at, len(context.steps))
                if normalise(context.steps[i][0]) == wanted[number]
            ),
            None,
        )
        if here is not None:
            if not context.steps[here][2]:
                return number, here
            at = here + 1
            continue
        view = ContextView(context, lexicon, at)
        unless, when = step.unless, step.when
        if unless is not None and unless.evaluate(view, context.binding, step=step.do).value:
            continue
        if when is not None and not when.evaluate(view, context.binding, step=step.do).value:
            continue
        if not wanted[number]:
            return None, at  # something it needs was not even found
        return number, at
    return len(procedure.steps) - 1, max(0, len(context.steps) - 1)


def _blocked(procedure: Procedure, context: ExecutionContext, lexicon: Lexicon) -> Iterable[Case]:
    """Yield the failures that came before an execution in the same episode with its things."""
    wanted = _actions_of(procedure, context)
    for count, action, observation, latest in context.blocked:
        if normalise(action) in wanted:
            part = replace(
                context,
                outcome="execution_failed",
                done=context.done[:count],
                latest=sentences(latest),
                seen=(),
                steps=((action, observation, False),),
                blocked=(),
            )
            yield Case(part, False, wanted.index(normalise(action)), 0, _before(part, lexicon, 0))
    if not context.worked:
        return
    for index, (action, _, worked) in enumerate(context.steps):
        if not worked and normalise(action) in wanted:
            part = replace(
                context, outcome="execution_failed", steps=context.steps[: index + 1], blocked=()
            )
            number = wanted.index(normalise(action))
            yield Case(part, False, number, index, _before(part, lexicon, index))


def _before(context: ExecutionContext, lexicon: Lexicon, until: int) -> dict[str, int]:
    """Return templates of what was done → place of the last time, counted back from the stop."""
    actions = [*context.done, *(e[0] for e in context.steps[:until] if e[2])]
    out: dict[str, int] = {}
    for back, action in enumerate(reversed(actions), 1):
        template = action_template(action, context, lexicon)
        if template is not None:
            out.setdefault(template, back)
    return out
