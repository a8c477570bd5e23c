"""The state of an episode: plain, serialisable values that a checkpointer can keep."""

from __future__ import annotations

import operator
from typing import Annotated, Any, TypedDict

__all__ = [
    "Counters",
    "Experiment",
    "Frame",
    "Item",
    "MaclaState",
    "PlanState",
    "ProgramState",
    "SearchState",
    "counters_of",
]


class Item(TypedDict, total=False):
    """One place of a plan that is being carried out.

    ``place`` is the index in the meta-procedure's plan, or -1 where there is none.
    ``with_`` maps the procedure's parameters to the plan's names, ``fixed`` to entities.
    ``explore`` is a gap in which something new is tried. ``follow`` stands for instructions that
    have not been read yet; ``served`` names the needs that an inserted item serves. ``unless``,
    over ``{thing}``, leaves the item out.
    """

    ref: str
    place: int
    with_: dict[str, str]
    fixed: dict[str, str]
    follow: str
    explore: bool
    served: list[str]
    because: str
    unless: str | None
    thing: str


class PlanState(TypedDict, total=False):
    """A plan in progress: a meta-procedure, or a single procedure chosen for the task."""

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
    gap: int
    filled: str


class Frame(TypedDict, total=False):
    """The run of one procedure: what was tried, and the attempt in progress.

    ``opened`` and ``began`` count the episode's actions before the run and before the attempt;
    ``of`` is what the plan names where ``ref`` is a variant of it.
    """

    ref: str
    bound: dict[str, str]
    wants: dict[str, str]
    tried: list[str]
    attempts: int
    opened: int
    began: int
    of: str
    exhausted: bool
    binding: dict[str, str]
    steps: list[int]
    step: int
    repeated: int
    look: str | None
    purpose: str
    found: list[str]
    prepared: list[dict[str, str]]
    route: list[str]
    action: str | None
    step_failed: bool
    final_worked: bool | None
    examined: list[str]


class Experiment(TypedDict):
    """An experiment in progress; see :mod:`.experiments`.

    ``after`` is the index in the history of the action before the failed step, ``wanted`` that
    step's action or "" for a look, ``trials`` holds [index in the history, whether it helped],
    ``next`` is tried next.
    """

    procedure: str
    after: int
    wanted: str
    trials: list[list[Any]]
    next: str


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


class SearchState(TypedDict, total=False):
    """See :class:`~macla.procedures.planning.binding_search.SearchMemory`."""

    visited: list[str]
    failed_at: dict[str, int]
    failures: dict[str, int]
    refused: dict[str, int]


class Counters(TypedDict, total=False):
    """What an episode cost and used.

    The first four are a language model's; see :class:`.budget.Meter`. ``choices`` has, of each
    plan, procedure or program that was chosen for the task, [id@version, the success that was
    expected of it, its posterior mean].
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
    choices: list[list[Any]]


class MaclaState(TypedDict, total=False):
    """State of the loop.

    Input: ``task`` and ``observation`` (the first one); ``run`` (an id, unique for the episode)
    and ``horizon`` are optional. ``recorded`` numbers the outcomes, ``charged`` counts this
    episode's by procedure, ``met`` holds [situation, whether it worked] of each of these runs,
    ``vain`` is the plan that ended last, if it was carried out to its end
    in vain. ``idle`` says of readings that led to no action how often in a row and until which
    action they are set aside, ``turns`` how often the loop went round since which action.
    ``meaning`` is the task in a program's wording, where a model said that it means this; ``read``
    names the reading that it gave last.
    ``proposals`` are the refinements still to be put forward (None before they were looked for),
    ``refined`` says what became of the others.
    """

    task: str
    observation: str
    first_observation: str
    meaning: str
    read: str
    run: str
    horizon: int
    history: Annotated[list[list[Any]], operator.add]
    admissible: list[str] | None
    possible: dict[str, list[str]]
    broken: list[list[str]]
    done: bool
    won: bool
    reward: float
    program: ProgramState | None
    plan: PlanState | None
    vain: PlanState | None
    frame: Frame | None
    readings: dict[str, int]
    sought: list[str]
    adopted: dict[str, int]
    search: SearchState
    candidates: list[dict[str, Any]]
    chosen: dict[str, Any] | None
    verdict: dict[str, Any]
    pending: list[dict[str, Any]]
    recorded: int
    charged: dict[str, list[float]]
    met: dict[str, list[list[Any]]]
    idle: dict[str, list[int]]
    turns: list[int]
    experiment: Experiment | None
    experiments: Annotated[list[dict[str, Any]], operator.add]
    marks: Annotated[list[str], operator.add]
    proposals: list[dict[str, Any]] | None
    refined: Annotated[list[dict[str, Any]], operator.add]
    counters: Counters
    route: str


def counters_of(state: MaclaState) -> Counters:
    """Return a copy of the episode's counters."""
    known = state.get("counters")
    return known.copy() if known else {}
