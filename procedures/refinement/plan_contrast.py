"""Refine a plan by the episodes of its goal: branches, order, and places that nothing needs."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence

from ..conditions.language import parse_condition
from ..conditions.text_patterns import Pattern
from ..model.procedure import MetaProcedure, Place, Procedure
from ..words.lexicon import Lexicon
from .bayes_factors import Table, Trigger, credibly_not_worse, more_needed
from .plan_cases import PlanCase, plan_case, situation_at
from .situations import holds, telling_condition
from .suggestion import Effect, Suggestion, Wanting, best_effect
from .traces import Trace

__all__ = ["contrast_plan"]

_SUPPORT = 2
_MARGIN = 0.05
"""How much less often a task may be solved without a place that is taken to be redundant."""

Outcomes = Mapping[str, Sequence[Pattern]]


def contrast_plan(
    meta: MetaProcedure,
    traces: Sequence[Trace],
    procedures: Mapping[str, Procedure],
    lexicon: Lexicon,
    outcomes: Outcomes,
    trigger: Trigger | None = None,
) -> tuple[Suggestion | None, Wanting | None]:
    """Say what change of a plan the episodes of its goal speak for.

    In this order: a procedure that was carried out where the task was solved and not where it was
    not becomes a place; two places change places; Θ's ``skip`` is distilled from the episodes
    that went another way than others of the goal and solved it all the same; a place without
    which the task is credibly not solved less often goes.
    """
    trigger = trigger or Trigger()
    laid = [case for t in traces if (case := plan_case(meta, t, lexicon)) is not None]
    if not laid or any(place.follow is not None for place in meta.plan):
        return None, None
    found, wanting = _missing_place(meta, laid, procedures, lexicon, outcomes, trigger)
    found = found or _order(meta, laid, trigger)
    found = found or _skip(meta, laid, lexicon, outcomes, trigger)
    found = found or _redundant(meta, laid, trigger)
    return found, None if found is not None else wanting


def _suggested(
    kind: str,
    meta: MetaProcedure,
    plan: Sequence[Place],
    laid: Sequence[PlanCase],
    effect: Effect,
    why: str,
) -> Suggestion:
    used = {name for place in plan for name in place.with_.values()}
    parameters = {
        name: parameter
        for name, parameter in meta.parameters.items()
        if parameter.source == "task" or name in used
    }
    changed = dataclasses.replace(
        meta,
        version=meta.version + 1,
        plan=tuple(plan),
        parameters=parameters,
        distinct=tuple(name for name in meta.distinct if name in used),
    )
    won = tuple(dict.fromkeys(case.trace.episode.id for case in laid if case.won))
    lost = tuple(dict.fromkeys(case.trace.episode.id for case in laid if not case.won))
    return Suggestion(kind, changed.to_document(), why, effect, won, lost)


def _missing_place(
    meta: MetaProcedure,
    laid: Sequence[PlanCase],
    procedures: Mapping[str, Procedure],
    lexicon: Lexicon,
    outcomes: Outcomes,
    trigger: Trigger,
) -> tuple[Suggestion | None, Wanting | None]:
    names = {run.procedure for case in laid for run in case.extra}
    columns = {n: [any(r.procedure == n for r in c.extra) for c in laid] for n in sorted(names)}
    won = [case.won for case in laid]
    found, best = best_effect(columns, won, trigger, lambda n: True, lambda n: n)
    if found is None:
        if best is None or best.table.probability <= 0.5:
            return None, None
        more = more_needed(best.table, best.weight, trigger)
        return None, Wanting("missing_place", best.text, more)
    name = found.text
    shown = [case for case in laid if case.won and any(r.procedure == name for r in case.extra)]
    at = _usual_place(name, shown)
    place = _new_place(procedures[name], shown, at, meta)
    without = [c for c in laid if not any(r.procedure == name for r in c.extra)]
    skip = _when_not_needed(meta, without, at, lexicon, outcomes, trigger)
    if skip is not None:
        own = place.skip
        text = skip if own is None else f"{own.to_text()} or {skip}"
        place = dataclasses.replace(place, skip=parse_condition(text))
    plan = [*meta.plan[:at], place, *meta.plan[at:]]
    s1, f1, s0, f0 = (int(cell) for cell in found.table.cells)
    why = (
        f"The task was solved {s1} of {s1 + f1} times with `{procedures[name].goal}` before "
        f"place {at + 1}, and {s0} of {s0 + f0} times without."
    )
    return _suggested("place", meta, plan, laid, found, why), None


def _usual_place(name: str, shown: Sequence[PlanCase]) -> int:
    """Return the number of the first place that comes after the procedure, as a rule."""
    votes: Counter[int] = Counter()
    for case in shown:
        run = next(r for r in reversed(case.extra) if r.procedure == name)
        later = [i for i, r in enumerate(case.places) if r is not None and r.index > run.index]
        votes[min(later, default=len(case.places))] += 1
    return min(votes, key=lambda at: (-votes[at], at))


def _new_place(
    procedure: Procedure, shown: Sequence[PlanCase], at: int, meta: MetaProcedure
) -> Place:
    """Write the place; its things are those of the plan wherever they always were."""
    with_: dict[str, str] = {}
    for own in procedure.parameters:
        for name in meta.parameters:
            agree = []
            for case in shown:
                run = next(r for r in reversed(case.extra) if r.procedure == procedure.id)
                agree.append(own in run.binding and run.binding[own] == case.bound.get(name))
            if agree and all(agree):
                with_[own] = name
                break
    return Place(
        run=procedure.id,
        with_=with_,
        proceed=parse_condition("post"),
        repeat=parse_condition("not post and not exhausted"),
        abort=parse_condition("exhausted"),
    )


def _when_not_needed(
    meta: MetaProcedure,
    cases: Sequence[PlanCase],
    at: int,
    lexicon: Lexicon,
    outcomes: Outcomes,
    trigger: Trigger,
) -> str | None:
    """Return what holds at a place in the episodes that were solved without it."""
    good = [case.won for case in cases]
    if sum(good) < _SUPPORT or len(good) - sum(good) < _SUPPORT:
        return None
    return _telling(meta, cases, good, at, lexicon, outcomes, trigger)


def _telling(
    meta: MetaProcedure,
    cases: Sequence[PlanCase],
    good: Sequence[bool],
    at: int,
    lexicon: Lexicon,
    outcomes: Outcomes,
    trigger: Trigger,
) -> str | None:
    names = _names(meta, at)
    seen = [situation_at(c, _index(c, at), names, lexicon, outcomes) for c in cases]
    found, _ = telling_condition(seen, good, names, lexicon, trigger)
    return None if found is None else found.text


def _names(meta: MetaProcedure, at: int) -> list[str]:
    """Return the plan's parameters that are known at a place."""
    return [name for place in meta.plan[:at] for name in place.with_.values()]


def _index(case: PlanCase, at: int) -> int:
    """Return the number of actions before a place: after all that was carried out for earlier."""
    earlier = [run.index + 1 for run in case.places[:at] if run is not None]
    return max(earlier, default=0)


def _order(meta: MetaProcedure, laid: Sequence[PlanCase], trigger: Trigger) -> Suggestion | None:
    both = [case for case in laid if all(run is not None for run in case.places)]
    pairs = [i for i in range(len(meta.plan) - 1) if not _alike(meta, i)]
    columns = {str(i): [_turned(case, i) for case in both] for i in pairs}
    won = [case.won for case in both]
    found, _ = best_effect(columns, won, trigger, lambda i: True, lambda i: int(i))
    if found is None:
        return None
    at = int(found.text)
    plan = list(meta.plan)
    plan[at], plan[at + 1] = plan[at + 1], plan[at]
    s1, f1, s0, f0 = (int(cell) for cell in found.table.cells)
    why = (
        f"The task was solved {s1} of {s1 + f1} times with {plan[at].run} before "
        f"{plan[at + 1].run}, and {s0} of {s0 + f0} times the other way round."
    )
    return _suggested("order", meta, plan, laid, found, why)


def _alike(meta: MetaProcedure, at: int) -> bool:
    """Whether two places are about things of one word: which of them came first tells nothing."""
    first, second = (
        {n: meta.parameters[n].of for n in meta.plan[i].with_.values() if n in meta.parameters}
        for i in (at, at + 1)
    )
    return any(
        of is not None and of == other and name != name_other
        for name, of in first.items()
        for name_other, other in second.items()
    )


def _turned(case: PlanCase, at: int) -> bool:
    first, second = case.places[at], case.places[at + 1]
    return first is not None and second is not None and second.index < first.index


def _skip(
    meta: MetaProcedure,
    laid: Sequence[PlanCase],
    lexicon: Lexicon,
    outcomes: Outcomes,
    trigger: Trigger,
) -> Suggestion | None:
    """Θ's skip from where solved episodes part ways: some carry a place out, and some do not."""
    solved = [case for case in laid if case.won]
    for at in range(len(meta.plan) - 1):
        absent = [case.places[at] is None for case in solved]
        if sum(absent) < _SUPPORT or len(absent) - sum(absent) < _SUPPORT:
            continue
        text = _telling(meta, solved, absent, at, lexicon, outcomes, trigger)
        place = meta.plan[at]
        if text is None or (place.skip is not None and text in place.skip.to_text()):
            continue
        joined = text if place.skip is None else f"{place.skip.to_text()} or {text}"
        plan = list(meta.plan)
        plan[at] = dataclasses.replace(place, skip=parse_condition(joined))
        n = sum(absent)
        why = f"{n} of {len(solved)} solved episodes do without {place.run}: those where {text}."
        cells = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
        for case in laid:
            here = situation_at(case, _index(case, at), _names(meta, at), lexicon, outcomes)
            as_it_will_be = (case.places[at] is None) is holds(joined, here, lexicon)
            cells[as_it_will_be, case.won] += 1
        table = Table(
            cells[True, True], cells[True, False], cells[False, True], cells[False, False]
        )
        return _suggested("theta", meta, plan, laid, Effect((text,), table, 1.0), why)
    return None


def _redundant(
    meta: MetaProcedure, laid: Sequence[PlanCase], trigger: Trigger
) -> Suggestion | None:
    weight = 1.0 / max(1, len(meta.plan) - 1)
    for at in range(len(meta.plan) - 1):
        cells = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
        for case in laid:
            cells[case.places[at] is not None, case.won] += 1
        without = Table(
            cells[False, True], cells[False, False], cells[True, True], cells[True, False]
        )
        if cells[False, True] < max(trigger.least):
            continue
        if not credibly_not_worse(without, _MARGIN, weight, trigger):
            continue
        place = meta.plan[at]
        why = (
            f"Without {place.run} the task was solved {cells[False, True]} of "
            f"{cells[False, True] + cells[False, False]} times, with it {cells[True, True]} of "
            f"{cells[True, True] + cells[True, False]} times."
        )
        plan = [*meta.plan[:at], *meta.plan[at + 1 :]]
        effect = Effect((place.run or "",), without, 1.0)
        return _suggested("redundant", meta, plan, laid, effect, why)
    return None
