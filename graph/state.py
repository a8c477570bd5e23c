"""The state of an episode: what the caller gives, then one key for each phase of the loop.

Values are plain, and records are TypedDicts: a checkpointer turns tuples into lists and will refuse
to revive classes that are not registered with it.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias, cast, get_type_hints

from typing_extensions import NotRequired, TypedDict

from ..procedures.evidence.ledger import SubjectKind
from ..procedures.planning.episode_memory import HistoryEntry

__all__ = [
    "Attempt",
    "Candidate",
    "Change",
    "Counters",
    "EpisodeInput",
    "Event",
    "Evidence",
    "Execution",
    "Experiment",
    "ExperimentRecord",
    "Item",
    "MaclaState",
    "PendingOutcome",
    "PlanState",
    "ProgramState",
    "Reading",
    "Readings",
    "ScoredCandidate",
    "SearchState",
    "Update",
    "Verdict",
    "Wording",
    "WorldState",
    "Worth",
    "history_of",
    "is_over",
    "merged",
    "new_item",
    "new_plan",
    "new_program",
    "new_state",
    "steps_of",
]

Event: TypeAlias = dict[str, Any]
"""What a node streams: a JSON object."""
Change: TypeAlias = "tuple[Update, Event]"
"""What a part changes in the state, and what is streamed of it."""
HistoryItem: TypeAlias = list[str | bool]
"""[action, observation that followed, whether the action worked]."""
Verdict: TypeAlias = Literal["skip", "refused", "exhausted"]
"""Why nothing is done at a place of a plan: it is passed over, it may not start, or no candidate
is left."""


class WorldState(TypedDict):
    """What is possible: now (None where the world hides it) and at each place when last seen there.

    ``broken`` holds [place, action] where the map of places was wrong.
    """

    admissible: list[str] | None
    possible: dict[str, list[str]]
    broken: list[list[str]]


class Readings(TypedDict):
    """What the task means, and which readings of it came to nothing.

    ``meaning`` is the task in a program's wording, where a model said that it means this;
    ``answer`` names the reading that the model gave last. By reading, ``refuted`` counts failures,
    ``adoptions`` says at which action it was chosen, and ``pauses`` how often in a row it led to no
    action and until which action it waits. ``wanted_kinds`` are those that plans looked for.
    ``failed_plan`` is the plan that ended last, if it was carried out and did not solve the task.
    """

    meaning: str
    answer: str
    refuted: dict[str, int]
    adoptions: dict[str, int]
    pauses: dict[str, list[int]]
    wanted_kinds: list[str]
    failed_plan: PlanState | None


class Wording(TypedDict):
    """How a task's words fit a goal: whether they are its very words, and earlier failures."""

    said: bool
    template: str
    refuted: float


class Reading(TypedDict):
    """What a candidate takes the task for; ``nothing`` is the cost of no goal being meant.

    ``wording`` is None where the lexicon of goals reads the task.
    """

    key: str
    goal: str
    fillers: dict[str, str]
    cost: float
    nothing: float
    wording: Wording | None


class Candidate(TypedDict):
    """What retrieval offers; a plan's next place and a program need no reading of the task."""

    kind: Literal["place", "program", "meta", "procedure"]
    ref: str
    similarity: float
    reading: Reading | None


class Worth(TypedDict):
    """What a candidate's expected utility is made of."""

    relevance: float
    risk: float
    alpha: float
    beta: float
    rate: float
    reward: float
    cost: float
    bonus: float
    utility: float


class ScoredCandidate(Candidate):
    """A candidate with its expected utility."""

    worth: Worth


class ProgramState(TypedDict):
    """A program that is followed.

    ``began`` is how many actions were done before it, ``steps`` are the ids of its steps so far,
    ``actions`` what they do as the program spells it; ``ended`` says why it was left.
    """

    ref: str
    began: int
    steps: list[str]
    actions: list[str]
    ended: str


class Item(TypedDict):
    """One place of a plan that is being carried out.

    ``place`` is the index in the meta-procedure's plan, or -1 where there is none.
    ``with_`` maps the procedure's parameters to the plan's names, ``fixed`` to entities.
    ``explore`` is a gap in which something new is tried. ``follow`` stands for instructions that
    have not been read yet; either has no ``ref``. ``because`` is the instruction or the need behind
    an inserted item, ``served`` names the needs that it serves. ``unless``, over ``{thing}``,
    leaves the item out.
    """

    ref: str
    place: int
    with_: dict[str, str]
    fixed: dict[str, str]
    follow: str
    explore: bool
    served: list[str]
    because: str | None
    unless: str | None
    thing: str


class PlanState(TypedDict):
    """A plan in progress: a meta-procedure, or a single procedure chosen for the task.

    ``began`` is how many actions were done before it, ``kept`` are actions of earlier plans that it
    builds on. ``gap`` is the first action of its exploration, ``filled`` the frame that was tried.
    """

    meta: str | None
    reading: str
    fillers: dict[str, str]
    items: list[Item]
    cursor: int
    bound: dict[str, str]
    wants: dict[str, str]
    taken: list[str]
    began: int
    said: bool
    template: str
    kept: list[int]
    gap: int | None
    filled: str | None


class Attempt(TypedDict):
    """An attempt in progress; see :class:`~macla.procedures.planning.binding_search.Attempt`.

    ``ref`` is what runs: the procedure that the plan names or a variant of it. ``began`` is how
    many actions were done before it, ``step`` an index in ``steps``.
    """

    ref: str
    began: int
    binding: dict[str, str]
    steps: list[int]
    step: int
    repeated: int
    look: str | None
    purpose: str
    found: list[str]
    route: list[str]
    action: str | None
    step_failed: bool
    final_worked: bool | None


class Execution(TypedDict):
    """The run of one procedure: what was tried, and the latest attempt.

    ``opened`` is how many actions were done before the run; ``examined`` names the steps that an
    experiment was made about.
    """

    ref: str
    bound: dict[str, str]
    wants: dict[str, str]
    tried: list[str]
    prepared: list[dict[str, str]]
    examined: list[str]
    attempts: int
    opened: int
    exhausted: bool
    attempt: Attempt | None


class SearchState(TypedDict):
    """See :class:`~macla.procedures.planning.binding_search.SearchMemory`."""

    visited: list[str]
    failed_at: dict[str, int]
    failures: dict[str, int]
    refused: dict[str, int]


class Experiment(TypedDict):
    """An experiment in progress; see :mod:`.experiments`.

    ``after`` is the index in the history of the action before the failed step, ``wanted`` that
    step's action or "" for a look; ``trials`` holds [index in the history, whether it helped].
    """

    procedure: str
    after: int
    wanted: str
    trials: list[list[int | bool]]
    next: str


class ExperimentRecord(TypedDict):
    """What is learned from an experiment."""

    procedure: str
    after: int
    blocked: bool
    trials: list[list[int | bool]]


class PendingOutcome(TypedDict):
    """Evidence that is not in the ledger yet.

    ``situation`` is what the task spoke of, ``execution`` an execution context as JSON.
    """

    step: int
    subject_kind: SubjectKind
    subject: str
    version: int
    outcome: str
    successes: float
    failures: float
    binding: str
    situation: list[str]
    execution: dict[str, Any] | None


class Run(TypedDict):
    """The situation of a run of this episode, and whether it worked."""

    situation: list[str]
    worked: bool


class Evidence(TypedDict):
    """Outcomes of the episode: how many are recorded; by ``id@version`` their counts and runs."""

    recorded: int
    counts: dict[str, list[float]]
    runs: dict[str, list[Run]]


class Counters(TypedDict):
    """What an episode cost and used.

    The first four are a language model's; see :class:`.budget.Meter`. ``choices`` has, of each
    plan, procedure or program that was chosen for the task, [id@version, the success that was
    expected of it, its posterior mean]. ``began`` and ``kept`` are those of the plan that won.
    """

    llm_calls: int
    llm_tokens: int
    llm_failures: int
    llm_refused: bool
    task_readings: int
    procedure_actions: int
    fallback_actions: int
    experiments: int
    explorations: int
    began: int
    kept: list[int]
    metas: list[str]
    procedures: list[str]
    choices: list[list[str | float]]


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
    world: WorldState
    readings: Readings
    turns: list[int]
    candidates: list[Candidate]
    choice: ScoredCandidate | None
    program: ProgramState | None
    plan: PlanState | None
    execution: Execution | None
    search: SearchState
    verdict: Verdict | None
    experiment: Experiment | None
    experiments: Annotated[list[ExperimentRecord], operator.add]
    pending: list[PendingOutcome]
    evidence: Evidence
    proposals: list[dict[str, Any]] | None
    refined: Annotated[list[dict[str, str]], operator.add]
    counters: Counters


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
    world: WorldState
    readings: Readings
    turns: list[int]
    candidates: list[Candidate]
    choice: ScoredCandidate | None
    program: ProgramState | None
    plan: PlanState | None
    execution: Execution | None
    search: SearchState
    verdict: Verdict | None
    experiment: Experiment | None
    experiments: list[ExperimentRecord]
    pending: list[PendingOutcome]
    evidence: Evidence
    proposals: list[dict[str, Any]] | None
    refined: list[dict[str, str]]
    counters: Counters


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
            "procedure_actions": 0,
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


def new_program(ref: str, began: int) -> ProgramState:
    """Return a program of which nothing was done yet."""
    return {"ref": ref, "began": began, "steps": [], "actions": [], "ended": ""}


def new_item(
    ref: str = "",
    place: int = -1,
    with_: Mapping[str, str] | None = None,
    *,
    fixed: Mapping[str, str] | None = None,
    follow: str = "",
    explore: bool = False,
    served: Sequence[str] = (),
    because: str | None = None,
    unless: str | None = None,
    thing: str = "",
) -> Item:
    """Return a place of a plan; see :class:`Item`."""
    return {
        "ref": ref,
        "place": place,
        "with_": dict(with_ or {}),
        "fixed": dict(fixed or {}),
        "follow": follow,
        "explore": explore,
        "served": list(served),
        "because": because,
        "unless": unless,
        "thing": thing,
    }


def new_plan(
    meta: str | None,
    reading: str,
    fillers: Mapping[str, str],
    items: Sequence[Item],
    *,
    bound: Mapping[str, str],
    wants: Mapping[str, str],
    began: int,
) -> PlanState:
    """Return a plan of which nothing was done yet; see :class:`PlanState`."""
    return {
        "meta": meta,
        "reading": reading,
        "fillers": dict(fillers),
        "items": list(items),
        "cursor": 0,
        "bound": dict(bound),
        "wants": dict(wants),
        "taken": [],
        "began": began,
        "said": True,
        "template": "",
        "kept": [],
        "gap": None,
        "filled": None,
    }


_ADDED: Final = frozenset(
    name
    for name, kind in get_type_hints(MaclaState, include_extras=True).items()
    if hasattr(kind, "__metadata__")
)
"""Keys of the state to which a node's update is added."""


def merged(state: MaclaState, update: Update) -> MaclaState:
    """Return a state with an update, as the graph joins them."""
    before = cast(Mapping[str, list[Any]], state)
    lists = {
        key: [*before.get(key, []), *value]
        for key, value in cast(Mapping[str, list[Any]], update).items()
        if key in _ADDED
    }
    return cast(MaclaState, {**state, **update, **lists})


def history_of(state: MaclaState) -> Sequence[HistoryEntry]:
    """Return what was done and observed; each entry is a list that reads like the tuple."""
    return cast(Sequence[HistoryEntry], state["history"])


def steps_of(state: MaclaState) -> int:
    """Return how many actions were done."""
    return len(state["history"])


def is_over(state: MaclaState) -> bool:
    """Whether the episode ends here: done, or no action is left."""
    return state["done"] or steps_of(state) >= state["horizon"]
