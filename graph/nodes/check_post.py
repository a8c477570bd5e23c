"""check_post: did it do what it is for, and what does Θ say comes next?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime

from ...procedures.conditions.language import Condition
from ...procedures.conditions.text_patterns import instantiate
from ...procedures.model.procedure import Place, Procedure
from ...procedures.planning.binding_search import SearchMemory
from ...procedures.planning.episode_memory import EpisodeMemory
from ..checks import checked
from ..context import MaclaContext
from ..following import judged
from ..outcomes import procedure_outcome, run_facts, search_outcome
from ..plan_progress import end_plan
from ..state import Frame, MaclaState, PlanState, counters_of

__all__ = ["check_post"]


def check_post(state: MaclaState, runtime: Runtime[MaclaContext]) -> dict[str, Any]:
    """Check the postconditions, note outcomes, and move the plan on."""
    plan = state["plan"]
    running = state.get("program")
    if plan is None and running is not None and state.get("chosen"):
        update = judged(state, running, practising=bool(runtime.context.settings.experiments))
        steps = len(state.get("history") or [])
        runtime.stream_writer({"node": "check_post", "step": steps, **update.pop("event")})
        return {**update, "chosen": None, "verdict": {}, "route": "update"}
    if plan is None:
        return {"route": "update"}
    context = runtime.context
    verdict = state.get("verdict") or {}
    checks: list[dict[str, Any]] = []
    if verdict.get("decision") == "skip":
        update = _continue(state, plan, None, [])
    else:
        checks = _checks(state, context)
        update = _judge(state, plan, context, checks)
    event = {"node": "check_post", "step": len(state.get("history") or []), **update.pop("event")}
    if checks:
        event["postconditions"] = checks
    runtime.stream_writer(event)
    return {**update, "verdict": {}, "route": "update"}


def _checks(state: MaclaState, context: MaclaContext) -> list[dict[str, Any]]:
    """Check the postconditions of a procedure whose final step worked."""
    frame = state["frame"]
    if frame is None or frame.get("purpose") != "run" or frame.get("final_worked") is not True:
        return []
    if (state.get("verdict") or {}).get("decision") in ("exhausted", "refused"):
        return []
    procedure = context.knowledge.procedure(frame["ref"])
    template = procedure.steps[-1].do
    if frame.get("action") and frame["action"] != instantiate(template or "", frame["binding"]):
        return []  # the world spells this action in another frame
    return checked(procedure.postconditions, context.memory(state), frame["binding"])


def _judge(
    state: MaclaState, plan: PlanState, context: MaclaContext, checks: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    frame = state["frame"]
    if frame is None:
        return {"event": {}}
    knowledge = context.knowledge
    memory = context.memory(state)
    procedure = knowledge.procedure(frame["ref"])
    decision = (state.get("verdict") or {}).get("decision")
    if state.get("won"):
        # Credit belongs to what was run, not to what was only on its way or looking.
        ran = frame if frame["purpose"] == "run" else None
        return _continue(state, plan, ran, [], post=True, because="the task is solved")
    post: bool | None
    if decision in ("exhausted", "refused"):
        post, because = (None if decision == "refused" else False), decision
    elif frame["purpose"] == "look":
        post, because = False, f"only looked at {frame['look']}"
    elif frame["purpose"] in ("travel", "prepare"):
        post, because = False, "on the way"
    else:
        post, because = _post(frame, checks)
    search = SearchMemory(**(state.get("search") or {}))
    rows = _note_attempt(state, frame, procedure, search, memory, post, decision)
    update = {"search": _plain(search)}
    item = plan["items"][plan["cursor"]]
    place = (
        knowledge.meta(plan["meta"]).plan[item["place"]]
        if plan["meta"] and item["place"] >= 0
        else None
    )
    facts = run_facts(frame, post)
    names = {**plan["fillers"], **plan["bound"]}
    if _holds(place, "proceed", memory, names, facts, default=post is True):
        return {**update, **_continue(state, plan, frame, rows, post=post, because=because)}
    # With no candidate left nothing can be repeated, whatever Θ says.
    aborting = (
        decision == "refused"
        or facts.exhausted
        or _holds(place, "abort", memory, names, facts, default=False)
    )
    repeating = not aborting and _holds(
        place, "repeat", memory, names, facts, default=not facts.exhausted
    )
    over = _over(state)
    if aborting and "because" in item and not over:
        # An instruction that cannot be carried out is left; the rest may do without it.
        kind = "precondition_refused" if decision == "refused" else "aborted"
        failed = [*rows, procedure_outcome(state, frame, kind)]
        moved: PlanState = {**plan, "cursor": plan["cursor"] + 1}
        event = {"post": post, "because": because, "theta": "leave out"}
        return {**update, "plan": moved, "frame": None, "pending": failed, "event": event}
    if repeating and not over:
        event = {"post": post, "because": because, "theta": "repeat"}
        return {**update, "pending": rows, "event": event}
    return {**update, **_give_up(state, plan, frame, rows, decision, because, search)}


def _post(frame: Frame, checks: Sequence[Mapping[str, Any]]) -> tuple[bool, str]:
    """A full attempt succeeded if its final step worked and no postcondition is false."""
    if frame["final_worked"] is not True:
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
    frame: Frame,
    procedure: Procedure,
    search: SearchMemory,
    memory: EpisodeMemory,
    post: bool | None,
    decision: str | None,
) -> list[dict[str, Any]]:
    """Evidence at the level of bindings: where something was looked for, what did not work."""
    if decision in ("exhausted", "refused"):
        return []
    if frame["purpose"] in ("travel", "prepare"):
        return []
    look = frame["look"]
    if look is not None:
        if frame["step_failed"]:
            search.note_failed_look(look, memory.worked)
            return []
        return search_outcome(state, frame, procedure, look, memory)
    if post is False:
        for name, entity in frame["binding"].items():
            if name not in frame["bound"]:
                search.note_refused(procedure.id, name, entity)
    return []


def _holds(
    place: Place | None,
    which: str,
    memory: EpisodeMemory,
    names: dict[str, str],
    facts: Any,
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
    frame: Frame | None,
    rows: list[dict[str, Any]],
    *,
    post: bool | None = True,
    because: str = "already so",
) -> dict[str, Any]:
    """Move on to the plan's next place; a finished plan that did not win refutes its reading."""
    item = plan["items"][plan["cursor"]]
    bound, taken = dict(plan["bound"]), list(plan["taken"])
    counters = counters_of(state)
    if frame is not None:
        rows = [*rows, procedure_outcome(state, frame, "success")]
        for own, entity in frame["binding"].items():
            name = item["with_"].get(own)
            if name is not None:
                bound[name] = entity
        taken.extend(frame["found"])
        counters["procedures"] = [*counters.get("procedures", []), frame["ref"]]
    event = {"post": post, "because": because, "theta": "continue"}
    following = plan["cursor"] + 1
    more = following < len(plan["items"])
    if more and not _over(state):
        moved: PlanState = {**plan, "cursor": following, "bound": bound, "taken": taken}
        return {
            "plan": moved,
            "frame": None,
            "pending": rows,
            "counters": counters,
            "event": event,
        }
    unsolved = "aborted" if more else "postcondition_failed"
    outcome = "success" if state.get("won") else unsolved
    ended = end_plan({**state, "counters": counters}, plan, outcome)
    # For the next plan, what was looked at may have to be looked at again.
    ended["search"] = {**(state.get("search") or {}), "visited": []}
    return {**ended, "pending": [*rows, *ended["pending"]], "event": event}


def _give_up(
    state: MaclaState,
    plan: PlanState,
    frame: Frame,
    rows: list[dict[str, Any]],
    decision: str | None,
    because: str,
    search: SearchMemory,
) -> dict[str, Any]:
    if decision == "refused":
        kind = "precondition_refused"
    elif decision is None and frame["purpose"] == "run" and frame["final_worked"] is not None:
        kind = "postcondition_failed" if frame["final_worked"] else "execution_failed"
    else:
        kind = "aborted"
    rows = [*rows, procedure_outcome(state, frame, kind)]
    ended = end_plan(state, plan, "aborted")
    # What was looked at may have to be looked at again for another purpose.
    search.visited = []
    return {
        **ended,
        "pending": [*rows, *ended["pending"]],
        "search": _plain(search),
        "event": {"post": False, "because": because, "theta": "abort"},
    }


def _over(state: MaclaState) -> bool:
    """Whether the episode ends here: done, or no action is left."""
    return bool(state.get("done")) or len(state.get("history") or []) >= state["horizon"]


def _plain(search: SearchMemory) -> dict[str, Any]:
    return {
        "visited": list(search.visited),
        "failed_at": dict(search.failed_at),
        "failures": dict(search.failures),
        "refused": dict(search.refused),
    }
