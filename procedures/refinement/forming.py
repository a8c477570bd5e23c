"""Form meta-procedures from played episodes: procedures that occur together in a stable order."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..common.text import fold_space
from ..conditions.text_patterns import escape, quoted, renamed
from ..evidence.posterior import posterior_mean
from ..learning.abstraction import slug
from ..learning.meta_documents import place_document
from ..model.procedure import MetaProcedure, Procedure
from ..words.lexicon import Lexicon
from .traces import Trace, relevant

_SLOTS = "abcdefgh"
"""Names of a goal's slots, so that a goal has eight at most."""


@dataclass(frozen=True, slots=True)
class FormationRule:
    """The rule that decides when procedures that occur together become a plan.

    Attributes:
        share: θ_meta: least share of the episodes in which the sequence occurs, in [0, 1].
        least: Fewest procedures of a plan.
        support: Fewest solved episodes that show it.
        storage: c_store: cost of keeping a plan, in decisions per episode.
        by_value: Whether V(MP) must be positive.
        window: Number of the latest episodes that are considered.
    """

    share: float = 0.0
    least: int = 1
    support: int = 2
    storage: float = 0.02
    by_value: bool = True
    window: int = 1000

    @classmethod
    def paper(cls) -> FormationRule:
        """Return the paper's rule: in 15 % of the latest episodes, three procedures or more."""
        return cls(share=0.15, least=3, support=1, by_value=False)


@dataclass(frozen=True, slots=True)
class Formed:
    """A plan that episodes support.

    Attributes:
        document: Document of the meta-procedure.
        value: V(MP).
        solved: Number of episodes of its goal and shape that were solved.
        lost: Number of episodes of its goal and shape that were lost.
        others: (solved, lost) of the episodes of its goal with another shape.
        of: Number of episodes that were considered.
        episodes: Ids of the solved ones.
    """

    document: Mapping[str, Any]
    value: float
    solved: int
    lost: int
    others: tuple[int, int]
    of: int
    episodes: tuple[str, ...]


def plan_value(
    uses: int,
    episodes: int,
    length: int,
    storage: float,
    with_plan: tuple[float, float],
    without: tuple[float, float],
) -> float:
    """Return V(MP) = f·ℓ − c_store + E[ΔR].

    Args:
        uses: Episodes with the plan's shape.
        episodes: Episodes considered, > 0; f = uses / episodes.
        length: ℓ: decisions that one use saves, the procedures it runs less the one for itself.
        storage: c_store, in decisions per episode.
        with_plan: (successes, failures) of episodes of its goal with its shape.
        without: (successes, failures) of episodes of its goal with another shape.

    Returns:
        The value in decisions per episode; E[ΔR], the difference of the posterior means of
        solving the task times f, counts a solved task as one.
    """
    f = uses / episodes
    gain = posterior_mean(1.0 + with_plan[0], 1.0 + with_plan[1])
    gain -= posterior_mean(1.0 + without[0], 1.0 + without[1])
    return f * length - storage + f * gain


def form_plans(
    traces: Sequence[Trace],
    procedures: Mapping[str, Procedure],
    lexicon: Lexicon,
    plans: Sequence[MetaProcedure] = (),
    rule: FormationRule | None = None,
    others: Iterable[str] = (),
) -> list[Formed]:
    """Form plans, the most valuable first; goals that have a plan are left out.

    Args:
        traces: Traces of the played episodes, oldest first.
        procedures: Procedures that plans can run, by id.
        lexicon: Reads goals.
        plans: Plans of the library.
        rule: When a plan is formed.
        others: Ids of other documents.
    """
    rule = rule or FormationRule()
    recent = list(traces)[-rule.window :]
    members_by_goal: dict[str, list[tuple[Trace, tuple[str, ...]]]] = defaultdict(list)
    for trace in (relevant(each, lexicon) for each in recent):
        goal, fillers = goal_template(trace, lexicon)
        members_by_goal[goal].append((trace, fillers))
    planned_goals = {_without_slot_names(meta.goal) for meta in plans if meta.status != "retired"}
    formed: list[Formed] = []
    ids: set[str] = {*procedures, *(meta.id for meta in plans), *others}
    for goal, members in sorted(members_by_goal.items()):
        if _without_slot_names(goal) in planned_goals:
            continue
        best: Formed | None = None
        for shape in sorted({trace.shape for trace, _ in members if trace.won}):
            candidate = _candidate_plan(
                goal, shape, members, len(recent), procedures, lexicon, ids, rule
            )
            if candidate is not None and (best is None or candidate.value > best.value):
                best = candidate
        if best is not None:
            ids.add(best.document["id"])
            formed.append(best)
    return sorted(formed, key=lambda each: (-each.value, each.document["id"]))


def goal_template(trace: Trace, lexicon: Lexicon) -> tuple[str, tuple[str, ...]]:
    """Return a task with slots for the kinds of the used entities, and those kinds."""
    task = fold_space(trace.episode.task).rstrip(".!?")
    entities = (entity for run in trace.runs for entity in run.binding.values())
    kinds = sorted({lexicon.kind(entity) for entity in entities}, key=lambda k: (-len(k), k))
    if not kinds:
        return escape(task).lower(), ()
    pattern = re.compile(
        rf"(?<![\w\-])(?:{'|'.join(map(re.escape, kinds))})(?![\w\-])", re.IGNORECASE
    )
    fillers: list[str] = []
    parts: list[str] = []
    end = 0
    for match in pattern.finditer(task):
        kind = match[0].lower()
        if kind not in fillers:
            if len(fillers) == len(_SLOTS):
                continue  # it stays a word of the goal
            fillers.append(kind)
        parts += [escape(task[end : match.start()]), "{" + _SLOTS[fillers.index(kind)] + "}"]
        end = match.end()
    return "".join([*parts, escape(task[end:])]).lower(), tuple(fillers)


def same_goal(first: str, second: str) -> bool:
    """Tell whether two goals differ only in the names of their slots."""
    return _without_slot_names(first) == _without_slot_names(second)


def _without_slot_names(goal: str) -> str:
    return " ".join(re.sub(r"\{\w+\}", "{}", goal.lower()).split()).rstrip(".!?")


def _candidate_plan(
    goal: str,
    shape: tuple[str, ...],
    members: Sequence[tuple[Trace, tuple[str, ...]]],
    episodes: int,
    procedures: Mapping[str, Procedure],
    lexicon: Lexicon,
    ids: set[str],
    rule: FormationRule,
) -> Formed | None:
    members_of_shape = [(trace, fillers) for trace, fillers in members if trace.shape == shape]
    solved = [(trace, fillers) for trace, fillers in members_of_shape if trace.won]
    others = [trace for trace, _ in members if trace.shape != shape]
    if len(shape) < rule.least or len(solved) < rule.support:
        return None
    if len(solved) < rule.share * episodes:
        return None
    other_counts = (sum(t.won for t in others), sum(not t.won for t in others))
    value = plan_value(
        len(members_of_shape),
        episodes,
        len(shape) - 1,
        rule.storage,
        (len(solved), len(members_of_shape) - len(solved)),
        other_counts,
    )
    if rule.by_value and value <= 0.0:
        return None
    document = _plan_document(goal, shape, solved, procedures, lexicon, ids)
    runs = tuple(trace.episode.id for trace, _ in solved)
    lost = len(members_of_shape) - len(solved)
    return Formed(document, value, len(solved), lost, other_counts, episodes, runs)


def _plan_document(
    goal: str,
    shape: tuple[str, ...],
    solved: Sequence[tuple[Trace, tuple[str, ...]]],
    procedures: Mapping[str, Procedure],
    lexicon: Lexicon,
    ids: set[str],
) -> dict[str, Any]:
    """Write a plan; positions that hold the same entity in every episode are one parameter."""
    positions = [
        (i, parameter) for i, _ in enumerate(shape) for parameter in solved[0][0].runs[i].binding
    ]
    values_by_position = {
        (i, parameter): [trace.runs[i].binding.get(parameter, "") for trace, _ in solved]
        for i, parameter in positions
    }
    name_by_position: dict[tuple[int, str], str] = {}
    parameters: dict[str, Any] = {_SLOTS[k]: {"source": "task"} for k in range(len(solved[0][1]))}
    for position in positions:
        same = next(
            (p for p in name_by_position if values_by_position[p] == values_by_position[position]),
            None,
        )
        if same is not None and (len(solved) > 1 or same[0] != position[0]):
            name_by_position[position] = name_by_position[same]
            continue
        name = f"x{len(set(name_by_position.values())) + 1}"
        name_by_position[position] = name
        slot = _slot(values_by_position[position], solved, lexicon)
        parameters[name] = (
            {"source": "search"} if slot is None else {"source": "entity", "of": _SLOTS[slot]}
        )
    plan = []
    for i, identifier in enumerate(shape):
        procedure = procedures[identifier]
        with_ = {parameter: name_by_position[i, parameter] for j, parameter in positions if j == i}
        skip = _skip_condition(procedure, with_) if with_ else None
        plan.append(place_document(procedure.id, with_, skip))
    return {
        "kind": "meta",
        "id": slug(goal, ids),
        "version": 1,
        "goal": goal,
        "parameters": parameters,
        "plan": plan,
        "provenance": {"learned_from": f"{len(solved)} episodes played"},
    }


def _slot(
    entities: Sequence[str], solved: Sequence[tuple[Trace, tuple[str, ...]]], lexicon: Lexicon
) -> int | None:
    """Return the slot of the goal whose kind a position always has."""
    for slot in range(len(solved[0][1])):
        if all(
            slot < len(fillers) and lexicon.kind(entity) == fillers[slot]
            for entity, (_, fillers) in zip(entities, solved, strict=True)
        ):
            return slot
    return None


def _skip_condition(procedure: Procedure, with_: Mapping[str, str]) -> str:
    """Return Θ's skip: the procedure's action was the last on its first entity."""
    first = next(iter(with_))
    template = procedure.steps[-1].do or ""
    argument_by_parameter = {
        parameter: "{" + with_[parameter] + "}" if parameter == first else "*"
        for parameter in with_
    }
    return f"last({{{with_[first]}}}) in [{quoted(renamed(template, argument_by_parameter))}]"
