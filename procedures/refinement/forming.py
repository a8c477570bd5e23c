"""Meta-procedures out of episodes played: procedures that occur together in a stable order."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..conditions.text_patterns import escape, quoted, renamed
from ..evidence.posterior import posterior_mean
from ..learning.abstraction import slug
from ..model.procedure import MetaProcedure, Procedure
from ..words.lexicon import Lexicon
from .traces import Trace, relevant

__all__ = [
    "FormationRule",
    "Formed",
    "form_plans",
    "goal_template",
    "plan_value",
    "same_goal",
]

_SLOTS = "abcdefgh"


@dataclass(frozen=True, slots=True)
class FormationRule:
    """When procedures that occur together become a plan.

    Attributes:
        share: θ_meta: least share of the episodes in which the sequence occurs, in [0, 1].
        least: Fewest procedures of a plan.
        support: Fewest solved episodes that show it.
        storage: c_store: what keeping a plan costs, in decisions an episode.
        by_value: Whether V(MP) must be positive.
        window: The latest episodes that are looked at.
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
    """A plan that episodes speak for.

    Attributes:
        document: The meta-procedure.
        value: V(MP).
        solved: Episodes that it solved.
        lost: Episodes of its goal in which the same was done and that were lost.
        others: (solved, lost) of the episodes of its goal that went another way.
        of: Episodes that were looked at.
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
        uses: Episodes that went this way.
        episodes: Episodes looked at, > 0; f = uses / episodes.
        length: ℓ: decisions that one use saves, the procedures it runs less the one for itself.
        storage: c_store, in decisions an episode.
        with_plan: (successes, failures) of episodes of its goal that went its way.
        without: Of those that went another.

    Returns:
        The value in decisions an episode; E[ΔR], the difference of the posterior means of solving
        the task times f, counts a solved task as one.
    """
    f = uses / episodes
    gain = posterior_mean(1.0 + with_plan[0], 1.0 + with_plan[1])
    gain -= posterior_mean(1.0 + without[0], 1.0 + without[1])
    return f * length - storage + f * gain


def form_plans(
    traces: Sequence[Trace],
    procedures: Mapping[str, Procedure],
    lexicon: Lexicon,
    known: Sequence[MetaProcedure] = (),
    rule: FormationRule | None = None,
    others: Iterable[str] = (),
) -> list[Formed]:
    """Form plans, the most valuable first; goals for which there is a plan are left alone.

    Args:
        traces: What was played, oldest first.
        procedures: What plans can run.
        lexicon: Reads goals.
        known: Plans that there are.
        rule: When a plan is worth its place.
        others: Ids that other documents have.
    """
    rule = rule or FormationRule()
    recent = list(traces)[-rule.window :]
    by_goal: dict[str, list[tuple[Trace, tuple[str, ...]]]] = defaultdict(list)
    for trace in (relevant(each, lexicon) for each in recent):
        goal, fillers = goal_template(trace, lexicon)
        by_goal[goal].append((trace, fillers))
    taken = {_bare(meta.goal) for meta in known if meta.status != "retired"}
    formed: list[Formed] = []
    names: set[str] = {*procedures, *(meta.id for meta in known), *others}
    for goal, members in sorted(by_goal.items()):
        if _bare(goal) in taken:
            continue
        best: Formed | None = None
        for shape in sorted({trace.shape for trace, _ in members if trace.won}):
            found = _formed(goal, shape, members, len(recent), procedures, lexicon, names, rule)
            if found is not None and (best is None or found.value > best.value):
                best = found
        if best is not None:
            names.add(best.document["id"])
            formed.append(best)
    return sorted(formed, key=lambda each: (-each.value, each.document["id"]))


def goal_template(trace: Trace, lexicon: Lexicon) -> tuple[str, tuple[str, ...]]:
    """Return a task with the kinds of the things that were used as slots, and those kinds."""
    task = " ".join(trace.episode.task.split()).rstrip(".!?")
    used = (entity for run in trace.runs for entity in run.binding.values())
    kinds = sorted({lexicon.kind(entity) for entity in used}, key=lambda k: (-len(k), k))
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
    """Tell whether two goals differ in nothing but the names of their slots."""
    return _bare(first) == _bare(second)


def _bare(goal: str) -> str:
    return " ".join(re.sub(r"\{\w+\}", "{}", goal.lower()).split()).rstrip(".!?")


def _formed(
    goal: str,
    shape: tuple[str, ...],
    members: Sequence[tuple[Trace, tuple[str, ...]]],
    episodes: int,
    procedures: Mapping[str, Procedure],
    lexicon: Lexicon,
    names: set[str],
    rule: FormationRule,
) -> Formed | None:
    own = [(trace, fillers) for trace, fillers in members if trace.shape == shape]
    solved = [(trace, fillers) for trace, fillers in own if trace.won]
    others = [trace for trace, _ in members if trace.shape != shape]
    if len(shape) < rule.least or len(solved) < rule.support:
        return None
    if len(solved) < rule.share * episodes:
        return None
    elsewhere = (sum(t.won for t in others), sum(not t.won for t in others))
    value = plan_value(
        len(own),
        episodes,
        len(shape) - 1,
        rule.storage,
        (len(solved), len(own) - len(solved)),
        elsewhere,
    )
    if rule.by_value and value <= 0.0:
        return None
    document = _document(goal, shape, solved, procedures, lexicon, names)
    runs = tuple(trace.episode.id for trace, _ in solved)
    lost = len(own) - len(solved)
    return Formed(document, value, len(solved), lost, elsewhere, episodes, runs)


def _document(
    goal: str,
    shape: tuple[str, ...],
    solved: Sequence[tuple[Trace, tuple[str, ...]]],
    procedures: Mapping[str, Procedure],
    lexicon: Lexicon,
    names: set[str],
) -> dict[str, Any]:
    """Write the plan; positions that hold the same thing in every episode are one parameter."""
    positions = [(i, own) for i, _ in enumerate(shape) for own in solved[0][0].runs[i].binding]
    values = {
        (i, own): [trace.runs[i].binding.get(own, "") for trace, _ in solved]
        for i, own in positions
    }
    shown: dict[tuple[int, str], str] = {}
    parameters: dict[str, Any] = {_SLOTS[k]: {"source": "task"} for k in range(len(solved[0][1]))}
    for position in positions:
        same = next((p for p in shown if values[p] == values[position]), None)
        if same is not None and (len(solved) > 1 or same[0] != position[0]):
            shown[position] = shown[same]
            continue
        name = f"x{len(set(shown.values())) + 1}"
        shown[position] = name
        slot = _slot(values[position], solved, lexicon)
        parameters[name] = (
            {"source": "search"} if slot is None else {"source": "entity", "of": _SLOTS[slot]}
        )
    plan = []
    for i, identifier in enumerate(shape):
        procedure = procedures[identifier]
        with_ = {own: shown[i, own] for j, own in positions if j == i}
        place: dict[str, Any] = {"run": procedure.id, "with": with_, "continue": "post"}
        if with_:
            place["skip"] = _achieved(procedure, with_)
        place |= {"repeat": "not post and not exhausted", "abort": "exhausted"}
        plan.append(place)
    return {
        "kind": "meta",
        "id": slug(goal, names),
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


def _achieved(procedure: Procedure, with_: Mapping[str, str]) -> str:
    """Θ's skip: what the procedure does was the last thing done with its first thing."""
    first = next(iter(with_))
    template = procedure.steps[-1].do or ""
    shown = {own: "{" + with_[own] + "}" if own == first else "*" for own in with_}
    return f"last({{{with_[first]}}}) in [{quoted(renamed(template, shown))}]"
