"""The state of an episode: what the caller gives, then what each phase of the loop hands on.

All values are plain, so that a checkpointer keeps them; see :mod:`.phases`.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, TypeAlias, cast, get_type_hints

from typing_extensions import NotRequired, TypedDict

from ..procedures.planning.episode_memory import HistoryEntry
from . import phases

Event: TypeAlias = dict[str, Any]
"""What a node streams: a JSON object."""
Change: TypeAlias = "tuple[Update, Event]"
"""What a part changes in the state, and what is streamed of it."""
HistoryItem: TypeAlias = list[str | bool]
"""[action, observation that followed, whether the action worked]."""


class EpisodeInput(TypedDict):
    """What an episode begins with; ``run`` is an id, unique for the episode."""

    task: str
    observation: str
    run: NotRequired[str]
    horizon: NotRequired[int]


class MaclaState(EpisodeInput):
    """State of the loop; ``observation`` is the latest one.

    ``route`` names what is done next. ``marks`` name the situation after each action in practice.
    ``turns`` holds the number of an action and how often the loop went round since then.
    ``proposals`` are the refinements still to be put forward (None before they were looked for),
    ``refined`` says what became of the others.
    """

    route: str
    first_observation: str
    history: Annotated[list[HistoryItem], operator.add]
    marks: Annotated[list[str], operator.add]
    done: bool
    won: bool
    reward: float
    world: phases.WorldState
    readings: phases.Readings
    turns: list[int]
    candidates: list[phases.Candidate]
    choice: phases.Candidate | None
    program: phases.ProgramState | None
    plan: phases.PlanState | None
    execution: phases.Execution | None
    search: phases.SearchState
    verdict: phases.Verdict | None
    experiment: phases.Experiment | None
    experiments: Annotated[list[phases.ExperimentRecord], operator.add]
    pending: list[phases.PendingOutcome]
    evidence: phases.EvidenceState
    proposals: list[dict[str, Any]] | None
    refined: Annotated[list[dict[str, str]], operator.add]
    counters: phases.Counters


class Update(TypedDict, total=False):
    """A node's changes of the state: the keys of :class:`MaclaState` that it writes."""

    task: str
    observation: str
    run: str
    horizon: int
    route: str
    first_observation: str
    history: list[HistoryItem]
    marks: list[str]
    done: bool
    won: bool
    reward: float
    world: phases.WorldState
    readings: phases.Readings
    turns: list[int]
    candidates: list[phases.Candidate]
    choice: phases.Candidate | None
    program: phases.ProgramState | None
    plan: phases.PlanState | None
    execution: phases.Execution | None
    search: phases.SearchState
    verdict: phases.Verdict | None
    experiment: phases.Experiment | None
    experiments: list[phases.ExperimentRecord]
    pending: list[phases.PendingOutcome]
    evidence: phases.EvidenceState
    proposals: list[dict[str, Any]] | None
    refined: list[dict[str, str]]
    counters: phases.Counters


def new_state(task: str, observation: str, run: str, horizon: int) -> MaclaState:
    """Return the state of an episode in which nothing was done yet."""
    return {
        "task": task,
        "observation": observation,
        "run": run,
        "horizon": horizon,
        "route": "retrieve",
        "first_observation": observation,
        "history": [],
        "marks": [],
        "done": False,
        "won": False,
        "reward": 0.0,
        "world": {"admissible": None, "possible": {}, "broken": []},
        "readings": {
            "meaning": "",
            "answer": "",
            "refuted": {},
            "adoptions": {},
            "pauses": {},
            "wanted_kinds": [],
            "failed_plan": None,
        },
        "turns": [0, 0],
        "candidates": [],
        "choice": None,
        "program": None,
        "plan": None,
        "execution": None,
        "search": {"visited": [], "failed_at": {}, "failures": {}, "refused": {}},
        "verdict": None,
        "experiment": None,
        "experiments": [],
        "pending": [],
        "evidence": {"recorded": 0, "counts": {}, "runs": {}},
        "proposals": None,
        "refined": [],
        "counters": {
            "llm_calls": 0,
            "llm_tokens": 0,
            "llm_failures": 0,
            "llm_refused": False,
            "task_readings": 0,
            "fallback_actions": 0,
            "experiments": 0,
            "explorations": 0,
            "began": 0,
            "kept": [],
            "metas": [],
            "procedures": [],
            "choices": [],
        },
    }


_ADDED: Final = frozenset(
    name
    for name, kind in get_type_hints(MaclaState, include_extras=True).items()
    if hasattr(kind, "__metadata__")
)
"""Keys of the state to which a node's update is added."""


def merged(state: MaclaState, update: Update) -> MaclaState:
    """Return a state with an update, as the graph joins them."""
    new, old = cast(dict[str, Any], {**state, **update}), cast(Mapping[str, Any], state)
    new |= {key: [*old.get(key, []), *new[key]] for key in _ADDED & update.keys()}
    return cast(MaclaState, new)


def history_of(state: MaclaState) -> Sequence[HistoryEntry]:
    """Return what was done and observed; each entry is a list that reads like the tuple."""
    return cast(Sequence[HistoryEntry], state["history"])


def steps_of(state: MaclaState) -> int:
    """Return how many actions were done."""
    return len(state["history"])


def is_over(state: MaclaState) -> bool:
    """Whether the episode ends here: done, or no action is left."""
    return state["done"] or steps_of(state) >= state["horizon"]
