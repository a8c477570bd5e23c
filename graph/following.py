"""A program in the loop: the history that it reads, and what it does next."""

from __future__ import annotations

from ..procedures.episodes.facts import UNREAD, Reader
from ..procedures.episodes.history import Done, History
from ..procedures.programs.documents import ProgramFile
from ..procedures.programs.program import Act, Decision, decide
from ..procedures.programs.sources import chance_of
from ..procedures.programs.text_calls import action_of, did_something, steps_of_action
from .acting import act, spelled
from .context import MaclaContext
from .knowledge import Knowledge
from .outcomes import program_outcome
from .phases import Candidate, ProgramState
from .state import Change, Event, MaclaState, Update, history_of, steps_of


def program_offer(state: MaclaState, context: MaclaContext) -> Candidate | None:
    """Return the program for the task as a candidate, unless one was followed already."""
    if state["program"] is not None:
        return None
    file = context.knowledge.program_for(_meaning(state), state["first_observation"])
    if file is None:
        return None
    return {"kind": "program", "ref": file.ref, "similarity": 1.0, "reading": None}


def follow(state: MaclaState, running: ProgramState, context: MaclaContext) -> Change:
    """Do what the program does next; where it does nothing, say why and leave it.

    Args:
        state: The state.
        running: The program.
        context: Holds the world.
    """
    file = context.knowledge.programs.get(running["ref"].rpartition("@")[0])
    if file is None or file.ref != running["ref"]:  # resumed with another library
        return _left(running, f"{running['ref']} is not in the library any more")
    history = _history(state, file, running)
    history.experience = context.experience
    history.left = state["horizon"] - steps_of(state)
    decision = _decision(file, history, state)
    if not isinstance(decision, Act):
        return _left(running, decision.because)
    if (doubt := _doubt(decision, history, state, context)) is not None:
        return _left(running, doubt)
    wanted = _first(decision, state, context)
    action = spelled(wanted, state["world"]["admissible"]) or wanted
    results = _reader(file)

    def worked(observation: str) -> bool:
        return did_something(results.read(observation), history, again=decision.step.again)

    change = act(state, context, action, worked, exact=True)
    did = bool(change["history"][0][2])
    event: Event = {
        "ref": file.ref,
        "skipped": [],
        "action": action,
        "observation": change["observation"],
        "worked": did,
        "because": decision.step.id,
    }
    told = results.read(change["observation"])
    read = any(fact.kind != UNREAD for fact in told)
    if not did and read and tuple(told) == tuple(history.last):
        event["unchanged"] = True
    if file.program.planner is not None:
        event["planned"] = file.program.planner.account(history)
    over = change["done"] or steps_of(state) + 1 >= state["horizon"]
    steps, actions = [*running["steps"], decision.step.id], [*running["actions"], wanted]
    change["program"] = {**running, "steps": steps, "actions": actions}
    return {**change, "route": "check_post" if over else "execute"}, event


def program_in_use(state: MaclaState, knowledge: Knowledge) -> ProgramFile | None:
    """Return the program that is followed now; None where none is."""
    running = state["program"]
    if running is None or running["ended"] or state["execution"] or state["plan"]:
        return None
    return knowledge.programs.get(running["ref"].rpartition("@")[0])


def _doubt(decision: Act, history: History, state: MaclaState, context: MaclaContext) -> str | None:
    """Say why a model should go on: what would be tried is less likely right than θ_conf."""
    if not (context.reasoner.asks_model and context.meter(state).left):
        return None
    least = context.settings.preset.weights.theta_conf
    for source, value in zip(decision.step.sources, decision.arguments, strict=True):
        chance = chance_of(source, value, history)
        if chance is not None and chance < least:
            return f"{value!r}? Its chance of {chance:.2f} is below {least:g}"
    return None


def _first(decision: Act, state: MaclaState, context: MaclaContext) -> str:
    """Return the action that is done: of several the one that the nearest demonstration takes."""
    ways = [action_of(decision.step.operator, w) for w in (decision.arguments, *decision.others)]
    guided = None
    if len(ways) > 1 and not decision.step.commit and not decision.valued:
        guided = context.floor.guided(state["task"], state["first_observation"], ways)
    return guided or ways[0]


def _meaning(state: MaclaState) -> str:
    """Return the task; where a model said what it means, as a program's wording says that."""
    return state["readings"]["meaning"] or state["task"]


def _left(running: ProgramState, because: str) -> Change:
    """Leave a program; the reason is told."""
    left: ProgramState = {**running, "ended": because}
    event = {"ref": running["ref"], "skipped": [], "because": because}
    return {"program": left, "route": "check_post"}, event


def program_verdict(state: MaclaState, running: ProgramState, *, practising: bool) -> Change:
    """Note what came of following a program.

    To hand over is no failure: nobody is charged with it. Neither is what the horizon cut off. In
    practice both are, for a task that a program leaves unsolved is what practice is for.

    Args:
        state: The state.
        running: The program.
        practising: Whether this is practice.
    """
    if state["won"]:
        kind, because = "success", "the task is solved"
    elif state["done"]:
        kind, because = "postcondition_failed", "the episode is over, the task not solved"
    elif running["ended"]:
        kind, because = "precondition_refused", running["ended"]
    else:
        kind, because = "precondition_refused", "no action is left"
    if practising and kind == "precondition_refused":
        kind = "execution_failed"
    meaning = state["readings"]["meaning"]
    if meaning and kind in ("postcondition_failed", "execution_failed"):
        # Who read the task may have been wrong: that says nothing of the program.
        kind, because = "precondition_refused", f"{meaning!r} is not what was meant, or not done"
    row = program_outcome(state, running["ref"], kind)
    over: ProgramState = {**running, "ended": because}
    change: Update = {"program": over, "pending": [row]}
    if meaning and kind != "success":
        refuted = state["readings"]["refuted"]
        refuted = {**refuted, meaning: refuted.get(meaning, 0) + 1}
        change["readings"] = {**state["readings"], "meaning": "", "refuted": refuted}
    return change, {"because": because}


def has_handed_over(state: MaclaState) -> bool:
    """Whether a program was followed in this episode, and has handed over."""
    running = state["program"]
    return running is not None and bool(running["ended"])


def _decision(file: ProgramFile, history: History, state: MaclaState) -> Decision:
    admissible = state["world"]["admissible"]
    if admissible is None:
        return decide(file.program, history)

    def can(operator: str, arguments: tuple[str, ...]) -> bool:
        return spelled(action_of(operator, arguments), admissible) is not None

    return decide(file.program, history, can)


def _history(state: MaclaState, file: ProgramFile, running: ProgramState) -> History:
    """Read the episode so far as the program reads it."""
    results, _ = file.readers()
    history = file.begin(_meaning(state), state["first_observation"])
    began, steps, actions = running["began"], running["steps"], running["actions"]
    for number, (action, observation, worked) in enumerate(history_of(state)):
        mine = number - began
        own = 0 <= mine < len(steps)
        # The world may spell an action with other capitals than the program.
        action = actions[mine] if own else action
        known = steps_of_action(file.program, action, history)
        name = steps[mine] if own else None
        step, arguments = next(
            (each for each in known if each[0].id == name), known[0] if known else (None, ())
        )
        done = Done(
            step.id if step else None,
            step.operator if step else action,
            arguments,
            worked,
        )
        history.add(done, results.read(observation))
    return history


def _reader(file: ProgramFile) -> Reader:
    return file.readers()[0]
