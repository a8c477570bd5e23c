"""check_post: did it do what it is for, and what does Θ say comes next?"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import asdict
from typing import Literal, cast

from langgraph.runtime import Runtime

from ...procedures.conditions.language import Condition, RunFacts
from ...procedures.conditions.text_patterns import instantiate
from ...procedures.model.procedure import Place, Procedure
from ...procedures.planning.binding_search import SearchMemory
from ...procedures.planning.episode_memory import EpisodeMemory
from ..context import MaclaContext
from ..events import checks_of, emit
from ..executions import run_ref
from ..following import program_verdict
from ..outcomes import procedure_outcome, run_facts, search_outcome
from ..phases import Attempt, Execution, PendingOutcome, PlanState, SearchState
from ..plan_progress import end_plan
from ..state import Change, Event, MaclaState, Update, is_over

_ON_THE_WAY = ("travel", "explore", "prepare")
"""Purposes of attempts that only lead to others."""


def check_post(state: MaclaState, runtime: Runtime[MaclaContext]) -> Update:
    """Check the postconditions, note outcomes, and move the plan on."""
    plan, running, context = state["plan"], state["program"], runtime.context
    update: Update = {}
    if plan is None and running is not None and state["choice"]:
        practising = bool(context.settings.experiments)
        update, event = program_verdict(state, running, practising=practising)
        update["choice"] = None
    elif plan is None:
        return {"route": "update"}
    elif state["verdict"] == "skip":
        update, event = _continue(state, plan, None, [])
    else:
        checks = _checks(state, context)
        update, event = _judge(state, plan, context, checks)
        event |= {"postconditions": checks} if checks else {}
    emit(runtime, "check_post", state, **event)
    return {**update, "verdict": None, "route": "update"}


def _checks(state: MaclaState, context: MaclaContext) -> list[Event]:
    """Check the postconditions of a procedure whose final step worked."""
    attempt = state["execution"] and state["execution"]["attempt"]
    if not attempt or attempt["purpose"] != "run" or attempt["final_worked"] is not True:
        return []
    if state["verdict"] is not None:
        return []
    procedure = context.knowledge.procedure(attempt["ref"])
    action, own = attempt["action"], instantiate(procedure.steps[-1].do or "", attempt["binding"])
    if action and action != own:
        return []  # the world spells this action in another frame
    return checks_of(procedure.postconditions, context.memory(state), attempt["binding"])


def _judge(
    state: MaclaState, plan: PlanState, context: MaclaContext, checks: Sequence[Event]
) -> Change:
    execution, verdict = state["execution"], state["verdict"]
    if execution is None:
        return {}, {}
    knowledge = context.knowledge
    memory = context.memory(state)
    attempt = execution["attempt"]
    if state["won"]:
        # Credit belongs to what was run, not to what was only on its way or looking.
        ran = execution if attempt and attempt["purpose"] == "run" else None
        return _continue(state, plan, ran, [], because="the task is solved")
    post: bool | None
    rows: list[PendingOutcome] = []
    search = SearchMemory(**deepcopy(state["search"]))
    if attempt is None or verdict is not None:
        post = None if verdict == "refused" else False
        because = str(verdict) if verdict is not None else "no attempt is left"
    else:
        post, because = _post(attempt, checks)
        procedure = knowledge.procedure(attempt["ref"])
        rows = _note_attempt(state, execution, attempt, procedure, search, memory, post)
    update: Update = {"search": _plain(search)}
    item = plan["items"][plan["cursor"]]
    place = (
        knowledge.meta(plan["meta"]).plan[item["place"]]
        if plan["meta"] and item["place"] >= 0
        else None
    )
    facts = run_facts(execution, post)
    names = {**plan["fillers"], **plan["bound"]}
    if _holds(place, "proceed", memory, names, facts, default=post is True):
        state = {**state, **update}
        change, event = _continue(state, plan, execution, rows, post=post, because=because)
        return {**update, **change}, event
    # With no candidate left nothing can be repeated, whatever Θ says.
    aborting = (
        verdict == "refused"
        or facts.exhausted
        or _holds(place, "abort", memory, names, facts, default=False)
    )
    repeating = not aborting and _holds(
        place, "repeat", memory, names, facts, default=not facts.exhausted
    )
    event = {"post": post, "because": because}
    over = is_over(state)
    if aborting and item["because"] is not None and not over:
        # An instruction that cannot be carried out is left; the rest may do without it.
        kind = "precondition_refused" if verdict == "refused" else "aborted"
        update["pending"] = [*rows, procedure_outcome(state, execution, kind)]
        update["plan"] = {**plan, "cursor": plan["cursor"] + 1}
        return {**update, "execution": None}, {**event, "theta": "leave out"}
    if repeating and not over:
        return {**update, "pending": rows}, {**event, "theta": "repeat"}
    abort = {"post": False, "because": because, "theta": "abort"}
    return _give_up(state, plan, execution, rows, search), abort


def _post(attempt: Attempt, checks: Sequence[Event]) -> tuple[bool, str]:
    """A full attempt succeeded if its final step worked and no postcondition is false."""
    if attempt["purpose"] == "look":
        return False, f"only looked at {attempt['look']}"
    if attempt["purpose"] in _ON_THE_WAY:
        return False, "on the way"
    if attempt["final_worked"] is not True:
        return False, "the final step did not work"
    because = "the final step worked"
    for check in checks:
        if check["value"] is False:
            return False, str(check["because"])
        if check["value"]:
            because = str(check["because"])
    return True, because


def _note_attempt(
    state: MaclaState,
    execution: Execution,
    attempt: Attempt,
    procedure: Procedure,
    search: SearchMemory,
    memory: EpisodeMemory,
    post: bool,
) -> list[PendingOutcome]:
    """Evidence at the level of bindings: where something was looked for, what did not work."""
    if attempt["purpose"] in _ON_THE_WAY:
        return []
    look = attempt["look"]
    if look is not None:
        if attempt["step_failed"]:
            search.note_failed_look(look, memory.worked)
            return []
        return search_outcome(state, execution, procedure, look, memory)
    if not post:
        for name, entity in attempt["binding"].items():
            if name not in execution["bound"]:
                search.note_refused(procedure.id, name, entity)
    return []


def _holds(
    place: Place | None,
    which: Literal["proceed", "repeat", "abort"],
    memory: EpisodeMemory,
    names: dict[str, str],
    facts: RunFacts,
    *,
    default: bool,
) -> bool:
    condition: Condition | None = getattr(place, which) if place is not None else None
    if condition is None:
        return default
    return condition.evaluate(memory, names, run=facts).value is True


def _continue(
    state: MaclaState,
    plan: PlanState,
    execution: Execution | None,
    rows: list[PendingOutcome],
    *,
    post: bool | None = True,
    because: str = "already so",
) -> Change:
    """Move on to the plan's next place; a finished plan that did not win refutes its reading."""
    item = plan["items"][plan["cursor"]]
    bound, taken = dict(plan["bound"]), list(plan["taken"])
    counters = state["counters"].copy()
    if execution is not None:
        rows = [*rows, procedure_outcome(state, execution, "success")]
        counters["procedures"] = [*counters["procedures"], run_ref(execution)]
        if (attempt := execution["attempt"]) is not None:
            names = item["with_"]
            bound |= {names[own]: e for own, e in attempt["binding"].items() if own in names}
            taken += attempt["found"]
    event = {"post": post, "because": because, "theta": "continue"}
    following = plan["cursor"] + 1
    more = following < len(plan["items"])
    if more and not is_over(state):
        plan = {**plan, "cursor": following, "bound": bound, "taken": taken}
        update: Update = {"plan": plan, "execution": None, "pending": rows}
        return {**update, "counters": counters}, event
    unsolved = "aborted" if more else "postcondition_failed"
    outcome = "success" if state["won"] else unsolved
    ended = end_plan({**state, "counters": counters}, plan, outcome, rows)
    # For the next plan, what was looked at may have to be looked at again.
    ended["search"] = {**state["search"], "visited": []}
    return ended, event


def _give_up(
    state: MaclaState,
    plan: PlanState,
    execution: Execution,
    rows: list[PendingOutcome],
    search: SearchMemory,
) -> Update:
    attempt, kind = execution["attempt"], "aborted"
    worked = attempt["final_worked"] if attempt and attempt["purpose"] == "run" else None
    if state["verdict"] == "refused":
        kind = "precondition_refused"
    elif state["verdict"] is None and worked is not None:
        kind = "postcondition_failed" if worked else "execution_failed"
    ended = end_plan(state, plan, "aborted", [*rows, procedure_outcome(state, execution, kind)])
    # What was looked at may have to be looked at again for another purpose.
    search.visited = []
    return {**ended, "search": _plain(search)}


def _plain(search: SearchMemory) -> SearchState:
    return cast(SearchState, asdict(search))
