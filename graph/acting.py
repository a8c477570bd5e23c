"""Do one action in the environment and say what it changes in the state."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from langgraph.errors import GraphBubbleUp

from ..procedures.common.errors import EnvironmentFailure, MaclaError
from ..procedures.conditions.text_patterns import normalise
from ..procedures.episodes.trajectories import cleaned
from ..procedures.planning.place_map import heading
from .answers import checked_step, short, solved
from .context import MaclaContext
from .phases import WorldState
from .protocols import BLANK, resumes
from .state import MaclaState, Update, history_of


def act(
    state: MaclaState,
    context: MaclaContext,
    action: str,
    judge: Callable[[str], bool | None] | None = None,
    *,
    exact: bool = False,
) -> Update:
    """Do one action.

    Args:
        state: The state before.
        context: Holds the environment.
        action: What to do.
        judge: Tells from the observation whether the action worked; where it says None, what
            usually follows such an action decides.
        exact: Whether the action is spelled as it has to be; else its things are spelled as the
            world spells them, where it does not say what is possible.

    Returns:
        The state's changes: history, observation, admissible actions, done, won, reward.

    Raises:
        EnvironmentFailure: The environment raised, or answered with something other than
            a text, a finite reward, whether it is done, and a mapping.
    """
    if not exact and state["world"]["admissible"] is None:
        action = context.memory(state).as_written(action)
    name = type(context.environment).__name__
    try:
        environment = context.environment
        if resumes(environment):
            answer = environment.step_after(state["history"], action)
        else:
            answer = environment.step(action)
    except (MaclaError, GraphBubbleUp):
        # An interrupt in the world is a question to a person, not a failure.
        raise
    except Exception as error:
        raise EnvironmentFailure(
            f"the environment failed at {action!r} ({type(error).__name__}: {short(str(error))})"
        ) from error
    observation, reward, done, info = checked_step(name, answer)
    worked = judge(observation) if judge is not None else None
    if worked is None and context.knowledge.world.failed(observation):
        worked = False
    if worked is None and action in (state["world"]["admissible"] or ()):
        worked = True
    if worked is None:
        worked = context.knowledge.worked(action, observation)
    won = solved(reward, done, info)
    admissible = None if done else context.admissible()
    change: Update = {
        "world": world_after(state, context, action, observation, admissible),
        "history": [[action, observation, bool(worked or won)]],
        "observation": observation,
        "done": done or won,
        "won": won,
        "reward": reward,
    }
    if context.settings.experiments and admissible is not None:
        change["marks"] = [_mark(admissible)]
    return change


def _mark(admissible: Sequence[str]) -> str:
    """Name a situation by what is possible in it."""
    return hashlib.sha256("\n".join(sorted(admissible)).encode()).hexdigest()[:12]


def world_after(
    state: MaclaState,
    context: MaclaContext,
    action: str | None,
    observation: str,
    admissible: list[str] | None,
) -> WorldState:
    """Return what is possible after an action (None: at first), in a world of places at each."""
    change: WorldState = {**state["world"], "admissible": admissible}
    world = context.knowledge.world
    if admissible is None or not world.has_places:
        return change
    if action is None:
        place = heading(cleaned(observation))
    else:
        frame, _ = context.knowledge.lexicon.parse(action)
        places = context.memory(state).places
        moved = world.effects.get(frame) == "moves"
        place = heading(observation) if moved or places is None else places.here
    return {**change, "possible": {**change["possible"], place: admissible}}


def floor_action(state: MaclaState, context: MaclaContext, *, far: bool = False) -> str | None:
    """Return what a demonstration does next, here or re-bound; None where none is to be done again.

    Where a program that knows the task hands over and a wrong end costs, nothing is re-bound.

    Args:
        state: The state.
        context: Holds the demonstrations.
        far: Whether nothing else is known: what was shown once in this situation is enough, and
            any likeness where it costs nothing.
    """
    task, first = state["task"], state["first_observation"]
    history, possible = history_of(state), state["world"]["admissible"]
    same = spelled(context.floor.same(task, first, history, far=far), possible)
    if same is not None:
        return same
    known = context.knowledge.program_for(task, first) is not None
    if known and not context.floor.paid(task, first):
        return None
    return context.floor.nearest(
        task, first, history, lambda action: spelled(action, possible), far=far
    )


def done_before(state: MaclaState, context: MaclaContext) -> bool:
    """Whether, where episodes are paid by degrees, a demonstration of this situation goes on."""
    task, first = state["task"], state["first_observation"]
    if state["program"] is not None or not context.floor.paid(task, first):
        return False
    same = context.floor.same(task, first, history_of(state))
    return spelled(same, state["world"]["admissible"]) is not None


def spelled(action: str | None, possible: Sequence[str] | None) -> str | None:
    """Return an action as the world spells it, or None where it is known to be impossible.

    Capitals and spacing do not count. Where the world hides what is possible, and where it lists a
    form with a blank for any text (``say {}``) that the action fills, the action is returned as
    it is.
    """
    if action is None or possible is None or action in possible:
        return action
    wanted = normalise(action)
    listed = next((each for each in possible if normalise(each) == wanted), None)
    if listed is None and any(_fills(action, each) for each in possible):
        return action
    return listed


def _fills(action: str, form: str) -> bool:
    """Tell whether an action is a listed form with some text in the place of its blank."""
    before, blank, after = form.partition(BLANK)
    text = action[len(before) : len(action) - len(after)]
    return bool(blank and text.strip()) and action == f"{before}{text}{after}"
