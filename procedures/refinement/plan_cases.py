"""Episodes of a plan's goal as cases: which places were carried out, with what, and where not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..conditions.text_patterns import Pattern
from ..model.procedure import MetaProcedure
from ..words.lexicon import Lexicon
from .cases import Case
from .execution_context import execution_context
from .traces import Run, Trace, worked

__all__ = ["PlanCase", "plan_case", "situation_at"]


@dataclass(frozen=True, slots=True)
class PlanCase:
    """One episode beside a plan.

    Attributes:
        trace: What was carried out.
        fillers: Slot of the goal → word of the task.
        places: For each place of the plan the run that carried it out, or None.
        extra: Runs that are no place of the plan.
        bound: Parameter of the plan → entity.
    """

    trace: Trace
    fillers: Mapping[str, str] = field(hash=False)
    places: tuple[Run | None, ...]
    extra: tuple[Run, ...]
    bound: Mapping[str, str] = field(hash=False)

    @property
    def won(self) -> bool:
        """Whether the task was solved."""
        return self.trace.won


def plan_case(meta: MetaProcedure, trace: Trace, lexicon: Lexicon) -> PlanCase | None:
    """Lay an episode beside a plan, or return None where it has another goal.

    Places are found in any order; one is carried out by the last run of its procedure whose things
    are those of the plan's parameters, as far as these are bound already.
    """
    fillers = _fillers(meta.goal, trace.episode.task)
    if fillers is None:
        return None
    wants = {
        name: fillers[parameter.of]
        for name, parameter in meta.parameters.items()
        if parameter.of is not None and parameter.of in fillers
    }
    bound: dict[str, str] = {}
    left = list(trace.runs)
    places: list[Run | None] = []
    for place in meta.plan:
        chosen = None
        for run in reversed(left):
            values = {place.with_[own]: e for own, e in run.binding.items() if own in place.with_}
            agree = all(bound.get(name, e) == e for name, e in values.items())
            fits = all(lexicon.kind(e) == wants.get(n, lexicon.kind(e)) for n, e in values.items())
            if run.procedure == place.run and agree and fits:
                chosen = run
                bound.update(values)
                left.remove(run)
                break
        places.append(chosen)
    return PlanCase(trace, fillers, tuple(places), tuple(left), bound)


def _fillers(goal: str, task: str) -> dict[str, str] | None:
    """Return slot → word where a task has the words of a goal."""
    parts = re.split(r"\{(\w+)\}", goal)
    pattern = "".join(
        rf"(?P<{part}>[\w' \-]+?)"
        if i % 2 and parts.index(part) == i
        else rf"(?P={part})"
        if i % 2
        else re.escape(part)
        for i, part in enumerate(parts)
    )
    found = re.fullmatch(pattern, " ".join(task.lower().split()).rstrip(".!?"), re.IGNORECASE)
    return None if found is None else found.groupdict()


def situation_at(
    case: PlanCase,
    index: int,
    names: Sequence[str],
    lexicon: Lexicon,
    outcomes: Mapping[str, Sequence[Pattern]],
) -> Case:
    """Return how things stood before the action at ``index``, over parameters of the plan."""
    episode = case.trace.episode
    history = [
        [action, episode.obs[i + 1], worked(*lexicon.parse(action), episode.obs[i + 1], outcomes)]
        for i, action in enumerate(episode.acts[:index])
    ]
    binding = {name: case.bound[name] for name in names if name in case.bound}
    context = execution_context(
        "plan@1",
        "success" if case.won else "aborted",
        binding,
        episode.task,
        episode.obs[0],
        history,
        len(history),
        run=episode.id,
    )
    return Case(context, case.won, None, 0, {})
