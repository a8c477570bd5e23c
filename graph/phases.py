"""What the phases of the loop hand on: records of plain values.

They are TypedDicts: a checkpointer turns tuples into lists and will refuse to revive classes that
are not registered with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from typing_extensions import TypedDict

from ..procedures.evidence.ledger import SubjectKind

Verdict: TypeAlias = Literal["skip", "refused", "exhausted"]
"""Why nothing is done at a place of a plan: left out, may not start, no candidate left."""


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


class Reading(TypedDict):
    """What a candidate takes the task for; ``nothing`` is the cost of no goal being meant.

    ``said`` tells whether the task is in the goal's very words (None: it is read by the lexicon of
    goals), ``template`` is the task with slots, ``refuted`` counts failures in earlier episodes.
    """

    key: str
    goal: str
    fillers: dict[str, str]
    cost: float
    nothing: float
    said: bool | None
    template: str
    refuted: float


class Candidate(TypedDict):
    """What retrieval offers; a plan's next place and a program need no reading of the task."""

    kind: Literal["place", "program", "meta", "procedure"]
    ref: str
    similarity: float
    reading: Reading | None


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

    ``began`` counts the actions before it, ``gap`` those before its exploration, in which the frame
    ``filled`` was tried. ``kept`` are actions of earlier plans that it builds on.
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


class ExperimentRecord(TypedDict):
    """What is learned from an experiment; see :mod:`.experiments`.

    ``after`` is the index in the history of the action before the step that failed, if it was
    ``blocked``; ``trials`` holds [index in the history, whether it helped].
    """

    procedure: str
    after: int
    blocked: bool
    trials: list[list[int | bool]]


class Experiment(ExperimentRecord):
    """An experiment in progress: the step's action ("" for a look), and what is tried next."""

    wanted: str
    next: str


class PendingOutcome(TypedDict):
    """Evidence that is not in the ledger yet; see :class:`.Outcome`.

    ``context`` is a JSON object: the situation and the execution context, if there are such.
    """

    step: int
    subject_kind: SubjectKind
    subject: str
    version: int
    outcome: str
    successes: float
    failures: float
    binding: str
    context: dict[str, Any]


class Run(TypedDict):
    """The situation of a run of this episode, and whether it worked."""

    situation: list[str]
    worked: bool


class EvidenceState(TypedDict):
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
    fallback_actions: int
    experiments: int
    explorations: int
    began: int
    kept: list[int]
    metas: list[str]
    procedures: list[str]
    choices: list[list[str | float]]


def new_program(ref: str, began: int) -> ProgramState:
    """Return a program of which nothing was done yet."""
    return {"ref": ref, "began": began, "steps": [], "actions": [], "ended": ""}


def new_item(ref: str = "", place: int = -1, with_: Mapping[str, str] | None = None) -> Item:
    """Return a place of a plan that runs a procedure; see :class:`Item`."""
    return {
        "ref": ref,
        "place": place,
        "with_": dict(with_ or {}),
        "fixed": {},
        "follow": "",
        "explore": False,
        "served": [],
        "because": None,
        "unless": None,
        "thing": "",
    }


def new_plan(
    meta: str | None, reading: str, fillers: Mapping[str, str], items: list[Item], began: int
) -> PlanState:
    """Return a plan of which nothing was done yet; see :class:`PlanState`."""
    return {
        "meta": meta,
        "reading": reading,
        "fillers": dict(fillers),
        "items": items,
        "cursor": 0,
        "bound": {},
        "wants": dict(fillers),
        "taken": [],
        "began": began,
        "said": True,
        "template": "",
        "kept": [],
        "gap": None,
        "filled": None,
    }
