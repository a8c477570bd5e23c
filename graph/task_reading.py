"""Ask the reasoner what the task means, and go on with what it answers."""

from __future__ import annotations

from collections.abc import Sequence

from ..procedures.conditions.text_patterns import template_parameters
from ..procedures.episodes.templates import pieces
from ..procedures.method.utility import Candidate, trusted_value
from ..procedures.method.utility import score as value
from ..procedures.model.procedure import MetaProcedure, Procedure
from .budget import Meter
from .context import MaclaContext
from .plan_progress import plan_for_meta, plan_for_procedure, reading_key
from .reasoning import KnownGoal, TaskReading
from .state import Event, MaclaState, Update, steps_of


def may_be_read(state: MaclaState) -> bool:
    """Whether the reasoner was not asked yet, or what it answered last came to nothing."""
    readings = state["readings"]
    return not state["counters"]["task_readings"] or readings["answer"] in readings["refuted"]


def read_task(
    state: MaclaState, context: MaclaContext, meter: Meter
) -> tuple[Update, Event | None]:
    """Ask which known goal the task means.

    The answer is relevant for certain; whether it is followed is still a matter of evidence.

    Returns:
        The changes of the state: the counters, the answer, and what starts the plan or the program
        of the reading, with what is streamed of it; None instead where there is no reading, it came
        to nothing before in this episode, or it is not trusted.
    """
    refuted = state["readings"]["refuted"]
    goals = known_goals(state["task"], context)
    change: Update = {"readings": {**state["readings"], "answer": ""}}
    event = None
    if goals:
        reading = context.reasoner.parse_task(
            state["task"], state["first_observation"], goals, meter, tuple(refuted)
        )
        if reading is not None and reading.goal in goals:
            start, event = _start(reading, state, context)
            change |= start
    counters = context.counted(state, meter)
    counters["task_readings"] += 1
    return {**change, "counters": counters}, event


def _start(
    reading: TaskReading, state: MaclaState, context: MaclaContext
) -> tuple[Update, Event | None]:
    """Return what starts the plan or the program of a reading; nothing where it is not followed."""
    readings, refuted = state["readings"], state["readings"]["refuted"]
    event = {"goal": reading.goal.goal, "fillers": dict(reading.fillers)}
    if not _trusted(reading, state, context):
        return {}, None
    if reading.goal.kind == "program":
        text = _said(reading)
        file = context.knowledge.program(reading.goal.ref)
        if text in refuted or not file.reads(text):
            return {}, None
        meant: Update = {"readings": {**readings, "answer": text, "meaning": text}}
        return {**meant, "program": None}, {"ref": file.ref, **event}
    known = _known(reading.goal, context)
    key = reading_key(known, reading.fillers)
    if key in refuted:
        return {}, None
    memory, began, fillers = context.memory(state), steps_of(state), reading.fillers
    if isinstance(known, MetaProcedure):
        plan = plan_for_meta(known, context.knowledge.procedures, fillers, key, began)
        bindings = dict(fillers)
    else:
        plan, bindings = plan_for_procedure(known, fillers, key, began), {}
    if any(item.evaluate(memory, bindings).value is False for item in known.preconditions):
        return {}, None
    answer: Update = {"readings": {**readings, "answer": key}}
    return {**answer, "plan": plan, "execution": None}, {"ref": known.ref, **event}


def known_goals(task: str, context: MaclaContext) -> list[KnownGoal]:
    """Return the goals nearest to a task: of programs, of plans, of procedures."""
    knowledge = context.knowledge
    goals = _program_goals(task, context)
    for kind in ("meta", "procedure"):
        query = knowledge.query(task)
        for hit in knowledge.retriever.search(query, context.settings.candidates, kind=kind):
            known: MetaProcedure | Procedure | None
            known = knowledge.metas.get(hit.id) if kind == "meta" else None
            known = known or (knowledge.procedures.get(hit.id) if kind == "procedure" else None)
            if known is not None and known.status != "retired":
                slots = tuple(template_parameters(known.goal))
                goals.append(KnownGoal(kind, known.ref, known.goal, slots))
    return goals


def _program_goals(task: str, context: MaclaContext) -> list[KnownGoal]:
    """Return the wordings of programs in use that are nearest to a task, one for each goal."""
    goals: list[KnownGoal] = []
    for file in context.knowledge.programs.values():
        planner = file.program.planner
        wordings = [each.wordings[0] for each in planner.goals] if planner else [file.goal]
        for text in wordings if file.status == "active" else ():
            plain, slots = pieces(text)
            if any(map(str.strip, plain)):  # else it reads any task, and says nothing of it
                goals.append(KnownGoal("program", file.ref, text, slots))
    near = context.knowledge.similarity
    goals.sort(key=lambda each: (-near(task, each.goal), each.ref, each.goal))
    return goals[: context.settings.candidates]


def _said(reading: TaskReading) -> str:
    """Return the task as the program's wording says it."""
    plain, slots = pieces(reading.goal.goal)
    values = [*(reading.fillers[slot] for slot in slots), ""]
    return "".join(text + filler for text, filler in zip(plain, values, strict=True))


def _known(goal: KnownGoal, context: MaclaContext) -> MetaProcedure | Procedure:
    knowledge = context.knowledge
    return knowledge.meta(goal.ref) if goal.kind == "meta" else knowledge.procedure(goal.ref)


def _trusted(reading: TaskReading, state: MaclaState, context: MaclaContext) -> bool:
    """Whether the evidence for what reaches the goal is good enough, the reading being right."""
    knowledge, settings = context.knowledge, context.settings
    subject, _, version = reading.goal.ref.rpartition("@")
    alpha, beta = knowledge.posterior(reading.goal.kind, subject, int(version))
    trials = alpha + beta - sum(knowledge.prior)
    risk = (beta - knowledge.prior[1]) / trials if trials > 0 else 0.0
    candidates: Sequence[Candidate] = [Candidate("0", 1.0, alpha, beta, risk)]
    rated = value(candidates, settings.rule, settings.preset, context.rng(state))
    worth = trusted_value(rated[0].value, rated[0].rate, rated[0].bonus, settings.preset)
    return worth >= settings.preset.weights.theta_conf
