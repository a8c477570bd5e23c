"""Experiments in play: where a step cannot be done or a look reveals nothing, try something.

What is tried are actions about the step's own things: possible ones where the world shows what is
possible, else known frames filled with them. What made it possible to go on is recorded, so that
it can be learned from; see :mod:`macla.procedures.refinement.recovery`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

from ..procedures.common.text import fold_space
from ..procedures.planning.episode_memory import EpisodeMemory, HistoryEntry
from ..procedures.refinement.occasions import about, read_action, written
from ..procedures.words.lexicon import instantiate, slots
from .acting import spelled
from .context import MaclaContext
from .executions import run_ref
from .phases import Attempt, Execution, Experiment, ExperimentRecord
from .state import MaclaState, Update, history_of, merged

_HOPELESS = 0.15
"""Chance of helping, mean and one standard deviation, below which something is not tried:
Beta(1, 1) after a dozen failures without a success. Looking may reveal nothing most of the time."""


def begin(
    state: MaclaState, context: MaclaContext, execution: Execution, wanted: str
) -> Experiment | None:
    """Begin an experiment, or return None where there is no occasion for one.

    Args:
        state: With the failed step, if it was done, in its history.
        context: Says how many experiments an episode may make.
        execution: With the attempt.
        wanted: The action that could not be done; "" for a look that revealed nothing.
    """
    if not context.settings.experiments or _key(execution) in execution["examined"]:
        return None
    after = _latest(history_of(state))
    if after is None:
        return None
    experiment: Experiment = {
        "procedure": run_ref(execution).rpartition("@")[0],
        "after": after,
        "blocked": True,
        "trials": [],
        "wanted": wanted,
        "next": "",
    }
    return next_trial(state, context, experiment, execution)


def next_trial(
    state: MaclaState, context: MaclaContext, experiment: Experiment, execution: Execution
) -> Experiment | None:
    """Choose what to try next; None where nothing promising is left or no action is."""
    history = history_of(state)
    spent = sum(len(each["trials"]) for each in state["experiments"])
    if spent + len(experiment["trials"]) >= context.settings.experiments:
        return None
    if state["done"] or len(history) + 1 >= state["horizon"]:
        return None
    memory = context.memory(state)
    action, observation, _ = history[experiment["after"]]
    preceding, names, patterns = about(memory.lexicon, action, observation)
    known = context.knowledge.recoveries
    done = {fold_space(history[index][0]) for index, _ in experiment["trials"]}
    done |= {fold_space(action), fold_space(experiment["wanted"])}
    things = _things(memory, experiment["wanted"], names, execution["attempt"])
    best: tuple[float, int, str] | None = None
    for candidate in sorted(_candidates(state, memory, things)):
        if fold_space(candidate) in done:
            continue
        do = written(memory.lexicon, candidate, names)
        promise, doubt = known.promise(preceding, patterns, do)
        rank = (-promise, _times(history, memory, candidate), candidate)
        if promise + doubt > _HOPELESS and (best is None or rank < best):
            best = rank
    return None if best is None else {**experiment, "next": best[2]}


def tested(experiment: Experiment, *, worked: bool) -> Experiment:
    """Note what came of the latest trial."""
    *before, (index, _) = experiment["trials"]
    return {**experiment, "trials": [*before, [index, worked]]}


def shut(experiment: Experiment, execution: Execution) -> Update:
    """End an experiment: it is recorded, and the same step gets no other in this attempt."""
    record: ExperimentRecord = {
        "procedure": experiment["procedure"],
        "after": experiment["after"],
        "blocked": True,
        "trials": experiment["trials"],
    }
    execution = {**execution, "examined": [*execution["examined"], _key(execution)]}
    return {"experiment": None, "experiments": [record], "execution": execution}


def after_step(
    state: MaclaState,
    update: Update,
    context: MaclaContext,
    execution: Execution,
    action: str,
) -> Update:
    """Return what a step's outcome means for experiments, as changes of the state.

    Args:
        state: Before the step.
        update: What the step changed.
        context: Says whether experiments are made.
        execution: With the attempt at the step; it stays there if an experiment begins or goes on.
        action: What was done.
    """
    if not context.settings.experiments:
        return {}
    worked, now = bool(update["history"][0][2]), merged(state, update)
    current = state["experiment"]
    if current is not None:
        current = tested(current, worked=worked)
        following = None if worked else next_trial(now, context, current, execution)
        if following is None:
            return shut(current, execution)
    elif worked:
        return {"experiments": free(state, context, execution, action)}
    else:
        following = begin(now, context, execution, action)
        if following is None:
            return {}
    return {"execution": execution, "experiment": following, "route": "experiment"}


def after_look(state: MaclaState, context: MaclaContext, execution: Execution) -> Update:
    """Return what the end of a look means for experiments, as changes of the state."""
    if not context.settings.experiments:
        return {}
    if revealed(context.memory(state), execution["attempt"]):
        return {"experiments": free(state, context, execution)}
    trial = begin(state, context, execution, "")
    return {} if trial is None else {"experiment": trial, "route": "experiment"}


def free(
    state: MaclaState, context: MaclaContext, execution: Execution, action: str = ""
) -> list[ExperimentRecord]:
    """Record that going on was possible after the latest action that worked.

    With an ``action``, only if it is about one of the same things.
    """
    history = history_of(state)
    after = _latest(history)
    if after is None or any(r["after"] == after for r in state["experiments"]):
        return []
    if action:
        lexicon = context.memory(state).lexicon
        things = set(read_action(lexicon, history[after][0])[1])
        if things.isdisjoint(read_action(lexicon, action)[1]):
            return []
    name = run_ref(execution).rpartition("@")[0]
    return [{"procedure": name, "after": after, "blocked": False, "trials": []}]


def revealed(memory: EpisodeMemory, attempt: Attempt | None) -> bool:
    """Tell whether anything is known to be at the place that an attempt looks at."""
    return ((attempt and attempt["look"]) or "") in memory.location.values()


def _key(execution: Execution) -> str:
    attempt = execution["attempt"]
    return f"{execution['attempts']}:{attempt['step'] if attempt else 0}"


def _latest(history: Sequence[HistoryEntry]) -> int | None:
    """Index of the latest action that worked."""
    return next((i for i in range(len(history) - 1, -1, -1) if history[i][2]), None)


def _things(
    memory: EpisodeMemory, wanted: str, names: Mapping[str, str], attempt: Attempt | None
) -> tuple[str, ...]:
    """The step's own entities; for a look, the place's."""
    if not wanted:
        return (attempt["look"],) if attempt and attempt["look"] else tuple(names)
    return tuple(dict.fromkeys((*read_action(memory.lexicon, wanted)[1], *names)))


def _candidates(state: MaclaState, memory: EpisodeMemory, things: tuple[str, ...]) -> Iterable[str]:
    """Actions about the things: the possible ones, or, where those are hidden, imagined ones."""
    possible = state["world"]["admissible"]
    if possible is not None:
        own = set(things)
        for action in possible:
            if own & set(read_action(memory.lexicon, action)[1]):
                yield action
        return
    for frame in memory.lexicon.frames:
        count = slots(frame)
        if 0 < count <= len(things):
            for chosen in permutations(things, count):
                yield instantiate(frame, chosen)


def _times(history: Sequence[HistoryEntry], memory: EpisodeMemory, action: str) -> int:
    """How often an action of this frame was done in the episode."""
    frame = read_action(memory.lexicon, action)[0]
    return sum(read_action(memory.lexicon, each[0])[0] == frame for each in history)


def possible_now(state: MaclaState, wanted: str) -> bool | None:
    """Tell whether an action is possible now; None where the world hides that."""
    possible = state["world"]["admissible"]
    return None if possible is None else spelled(wanted, possible) is not None
