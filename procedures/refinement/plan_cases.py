"""Read episodes of a plan's goal as cases: which places ran, and with which bindings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..common.text import fold_space
from ..conditions.text_patterns import Pattern
from ..model.procedure import MetaProcedure
from ..words.lexicon import Lexicon
from .cases import Case
from .execution_context import execution_context
from .traces import Run, Trace, worked


@dataclass(frozen=True, slots=True)
class PlanCase:
    """One episode beside a plan.

    Attributes:
        trace: Runs of the episode.
        fillers: Slot of the goal → word of the task.
        places: For each place of the plan its run, or None.
        extra: Runs that belong to no place of the plan.
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
    """Align an episode with a plan; return None where it has another goal.

    Places may run in any order. The run of a place is the last one of its procedure that agrees
    with the parameters bound so far.
    """
    fillers = _fillers(meta.goal, trace.episode.task)
    if fillers is None:
        return None
    kind_by_parameter = {
        name: fillers[parameter.of]
        for name, parameter in meta.parameters.items()
        if parameter.of is not None and parameter.of in fillers
    }
    binding: dict[str, str] = {}
    remaining = list(trace.runs)
    places: list[Run | None] = []
    for place in meta.plan:
        place_run = None
        for run in reversed(remaining):
            values = {
                place.with_[argument]: e
                for argument, e in run.binding.items()
                if argument in place.with_
            }
            agree = all(binding.get(name, e) == e for name, e in values.items())
            fits = all(
                lexicon.kind(e) == kind_by_parameter.get(n, lexicon.kind(e))
                for n, e in values.items()
            )
            if run.procedure == place.run and agree and fits:
                place_run = run
                binding.update(values)
                remaining.remove(run)
                break
        places.append(place_run)
    return PlanCase(trace, fillers, tuple(places), tuple(remaining), binding)


def _fillers(goal: str, task: str) -> dict[str, str] | None:
    """Map slots to words where a task matches a goal; None where it does not."""
    parts = re.split(r"\{(\w+)\}", goal)
    pattern = "".join(
        rf"(?P<{part}>[\w' \-]+?)"
        if i % 2 and parts.index(part) == i
        else rf"(?P={part})"
        if i % 2
        else re.escape(part)
        for i, part in enumerate(parts)
    )
    match = re.fullmatch(pattern, fold_space(task.lower()).rstrip(".!?"), re.IGNORECASE)
    return None if match is None else match.groupdict()


def situation_at(
    case: PlanCase,
    index: int,
    names: Sequence[str],
    lexicon: Lexicon,
    outcomes: Mapping[str, Sequence[Pattern]],
) -> Case:
    """Return the situation before the action at ``index``, over parameters of the plan."""
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
