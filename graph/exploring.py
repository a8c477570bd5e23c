"""Exploring with a partial plan: where no known plan solves a goal, something is missing in one.

A plan that was carried out in vain is carried out again up to its last place; there something new
is done to its things, and the last place follows. What is tried is what shares words with what the
task says and the plan does not, then what was tried least for such a task; to find it, kinds of
places are visited that were not yet. One action a superstep, bounded. Where that did not help with
such tasks, the plan is carried out for another thing as well.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ..procedures.common.text import fold_space, tokens
from ..procedures.conditions.text_patterns import template_parameters
from ..procedures.planning.episode_memory import EpisodeMemory
from ..procedures.refinement.occasions import read_action
from ..procedures.tasks.goal_matching import goal_tokens
from ..procedures.words.lexicon import frame_of
from .context import MaclaContext
from .derived import EXPLORED
from .knowledge import Knowledge
from .outcomes import new_outcome
from .phases import Candidate, Item, PendingOutcome, PlanState, new_item
from .state import MaclaState, history_of, steps_of

_MOST_ACTIONS = 15
"""Actions that one exploration may take."""
_MOST_GAPS = 5
"""Explorations that one episode may make."""
_PRIOR = 2.0
"""Weight, in trials, of how often the same helped with other tasks."""
_HOPELESS = 0.1
"""Mean chance below which something is not tried again for a goal."""
AGAIN = "again"
"""Stands for what fills a gap where a plan is carried out for another thing as well."""


def exploring_plan(plan: PlanState, state: MaclaState, knowledge: Knowledge) -> PlanState:
    """Return a plan with a gap before its last place, or the plan for another thing as well.

    The second only right after a plan for the same was carried out to its end in vain: with what
    that plan did, it is one.
    """
    last = state["readings"]["failed_plan"]
    if last is not None and _alike(last, plan) and _another(plan["template"], knowledge):
        return {**plan, "filled": AGAIN, "taken": last["taken"], "began": last["began"]}
    gap: Item = {**new_item(), "explore": True}
    return {**plan, "items": [*plan["items"][:-1], gap, plan["items"][-1]]}


def due(candidate: Candidate, state: MaclaState, context: MaclaContext) -> bool:
    """Tell whether a candidate is known not to suffice as it is, and something may be tried.

    Experiments must be allowed, what is possible must be shown, and the candidate must have been
    carried out in vain, in this episode or for the same kind of task before.
    """
    shown, reading = state["world"]["admissible"] is not None, candidate["reading"]
    if not context.settings.experiments or not shown or candidate["kind"] != "meta":
        return False
    if reading is None or weary(state):
        return False
    return bool(state["readings"]["refuted"].get(reading["key"]) or reading["refuted"])


def weary(state: MaclaState) -> bool:
    """Tell whether an episode has explored enough."""
    return state["counters"]["explorations"] >= _MOST_GAPS


def bounded(plan: PlanState, state: MaclaState) -> bool:
    """Tell whether the exploration in progress has used up its actions."""
    return plan["gap"] is not None and steps_of(state) - plan["gap"] >= _MOST_ACTIONS


def next_exploration(
    state: MaclaState, plan: PlanState, context: MaclaContext
) -> tuple[str, bool] | None:
    """Choose an action: (action, whether it fills the gap), or None where nothing is left.

    Args:
        state: With the possible actions.
        plan: At its gap.
        context: Holds knowledge and memory.
    """
    memory, knowledge = context.memory(state), context.knowledge
    possible = state["world"]["admissible"] or []
    done = {fold_space(action) for action, _, _ in history_of(state)}
    things, kinds = set(plan["bound"].values()), set(plan["fillers"].values())
    template = plan["template"]
    unexplained = set(template.split()) - set(goal_tokens(knowledge.meta(plan["meta"] or "").goal))
    ways, own = _ways(knowledge), _finals(plan, knowledge)
    best: tuple[tuple[float, ...], str] | None = None
    for action in sorted(possible):
        frame, arguments = read_action(memory.lexicon, action)
        about = things & set(arguments) or any(memory.kind_of(a) in kinds for a in arguments)
        if not about or fold_space(action) in done or frame in ways or frame in own:
            continue
        shared = len(unexplained & set(tokens(action)))
        chance = _chance(knowledge, template, frame)
        if chance > _HOPELESS or shared:
            rank = (-float(shared), -chance)
            best = (rank, action) if best is None or (rank, action) < best else best
    if best is not None:
        return best[1], True
    walked = _as_they_are(state, things, ways, memory)
    way = _way(possible, walked, ways, unexplained, memory, knowledge)
    return None if way is None else (way, False)


def _alike(one: PlanState, other: PlanState) -> bool:
    return sorted(one["fillers"].values()) == sorted(other["fillers"].values())


def _another(template: str, knowledge: Knowledge) -> bool:
    """Tell whether doing it to another thing too helps likelier than something done to the same.

    What it came to with tasks of other words says nothing here: few tasks ask for it.
    """
    helped: dict[bool, float] = {True: 0.0, False: 0.0}
    trials = dict(helped)
    for (_, subject, _, key), (good, bad) in knowledge.counts.items():
        if subject != EXPLORED:
            continue
        words, what = json.loads(key)
        if words == template:
            helped[what == AGAIN] += good
            trials[what == AGAIN] += good + bad
    same, again = ((0.5 * _PRIOR + helped[k]) / (_PRIOR + trials[k]) for k in (False, True))
    return again > max(_HOPELESS, same)


def explored_row(state: MaclaState, plan: PlanState, *, won: bool) -> PendingOutcome | None:
    """Return the evidence on what filled a plan's gap, or None where nothing did."""
    if not plan["filled"]:
        return None
    outcome = "success" if won else "postcondition_failed"
    key = json.dumps([plan["template"], plan["filled"]], ensure_ascii=False)
    return new_outcome(state, "binding", f"{EXPLORED}@0", outcome, float(won), float(not won), key)


def simplest(
    candidates: Sequence[Candidate], candidate: Candidate, knowledge: Knowledge
) -> Candidate:
    """Of the plans that read the task's things alike, return the shortest, then the best."""
    things = _things(candidate)
    alike = [each for each in candidates if each["kind"] == "meta" and _things(each) == things]
    return min(alike, key=lambda c: len(knowledge.meta(c["ref"]).plan), default=candidate)


def _things(candidate: Candidate) -> list[str]:
    reading = candidate["reading"]
    return sorted(reading["fillers"].values()) if reading else []


def _ways(knowledge: Knowledge) -> set[str]:
    """Frames that only lead to where something can be done: steps about nothing but a place.

    What ends a procedure does something, unless going there is all that the procedure does.
    """
    steps: set[str] = set()
    ends: set[str] = set()
    for procedure in knowledge.procedures.values():
        places = {n for n, p in procedure.parameters.items() if p.source in ("place", "choice")}
        for step in procedure.steps[:-1]:
            used = set(template_parameters(step.do or ""))
            if used and used <= places:
                steps.add(frame_of(step.do or ""))
        if len(procedure.steps) > 1:
            ends.add(frame_of(procedure.steps[-1].do or ""))
    return steps - ends


def _finals(plan: PlanState, knowledge: Knowledge) -> set[str]:
    """Frames of what the plan does anyway."""
    refs = [item["ref"] for item in plan["items"] if item["ref"]]
    return {frame_of(knowledge.procedure(ref).steps[-1].do or "") for ref in refs}


def _chance(knowledge: Knowledge, template: str, frame: str) -> float:
    key = json.dumps([template, frame], ensure_ascii=False)
    good, bad = knowledge.counts.get(("binding", EXPLORED, 0, key), (0.0, 0.0))
    usual = knowledge.filled.get(frame, 0.5)
    return (_PRIOR * usual + good) / (_PRIOR + good + bad)


def _as_they_are(
    state: MaclaState, things: set[str], ways: set[str], memory: EpisodeMemory
) -> set[str]:
    """Return what was done since the same had been done to these things as has been now.

    A place that was visited before a thing was taken up is worth another visit with it.
    """
    last: dict[str, str] = {}
    done: dict[tuple[tuple[str, str], ...], set[str]] = {}
    for action, _, worked in history_of(state):
        frame, arguments = read_action(memory.lexicon, action)
        if worked and frame not in ways:
            last |= dict.fromkeys(things.intersection(arguments), frame)
        done.setdefault(tuple(sorted(last.items())), set()).add(fold_space(action))
    return done.get(tuple(sorted(last.items())), set())


def _way(
    possible: Sequence[str],
    done: set[str],
    ways: set[str],
    unexplained: set[str],
    memory: EpisodeMemory,
    knowledge: Knowledge,
) -> str | None:
    """Return a way to a kind of place where nothing was explored yet."""
    seen = {(f, memory.kind_of(a)) for f, args in map(memory.lexicon.parse, done) for a in args}
    seen = {(frame, kind) for frame, kind in seen if frame in ways}
    words = " ".join(sorted(unexplained))
    best: tuple[bool, float, str] | None = None
    for action in possible:
        frame, arguments = read_action(memory.lexicon, action)
        if frame not in ways or fold_space(action) in done or not arguments:
            continue
        kind = memory.kind_of(arguments[0])
        known = (frame, kind) in seen
        near = knowledge.similarity(words, kind) if words else 0.0
        rank = (known, -near, action)
        best = rank if best is None or rank < best else best
    return None if best is None or best[0] else best[2]
