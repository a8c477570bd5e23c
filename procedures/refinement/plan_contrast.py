"""Refine a plan by the episodes of its goal: missing places, order, skips, redundant places."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence

from ..conditions.language import parse_condition
from ..conditions.text_patterns import Pattern
from ..learning.meta_documents import place_document
from ..model.procedure import MetaProcedure, Place, Procedure
from ..words.lexicon import Lexicon
from .bayes_factors import Table, Trigger, credibly_not_worse
from .plan_cases import PlanCase, plan_case, situation_at
from .situations import holds, telling_condition
from .suggestion import Effect, Suggestion, Wanting, best_effect
from .traces import Trace

_SUPPORT = 2
"""Episodes on each side of a condition; fewer tell nothing."""
_MARGIN = 0.05
"""Greatest loss in the rate of solved tasks without a place that counts as redundant."""

Outcomes = Mapping[str, Sequence[Pattern]]


def contrast_plan(
    meta: MetaProcedure,
    traces: Sequence[Trace],
    procedures: Mapping[str, Procedure],
    lexicon: Lexicon,
    outcomes: Outcomes,
    trigger: Trigger | None = None,
) -> tuple[Suggestion | None, Wanting | None]:
    """Return the change of a plan that the episodes of its goal support.

    Four changes are tried in order. A procedure that ran in solved episodes and not in lost ones
    becomes a place. Two places are exchanged. Θ's ``skip`` is learned from solved episodes without
    a place. A place is removed if the task is credibly solved as often without it.
    """
    trigger = trigger or Trigger()
    cases = [case for t in traces if (case := plan_case(meta, t, lexicon)) is not None]
    if not cases or any(place.follow is not None for place in meta.plan):
        return None, None
    suggestion, wanting = _missing_place(meta, cases, procedures, lexicon, outcomes, trigger)
    suggestion = suggestion or _order(meta, cases, trigger)
    suggestion = suggestion or _skip(meta, cases, lexicon, outcomes, trigger)
    suggestion = suggestion or _redundant(meta, cases, trigger)
    return suggestion, None if suggestion is not None else wanting


def _make_suggestion(
    kind: str,
    meta: MetaProcedure,
    plan: Sequence[Place],
    cases: Sequence[PlanCase],
    effect: Effect,
    why: str,
) -> Suggestion:
    used_names = {name for place in plan for name in place.with_.values()}
    parameters = {
        name: parameter
        for name, parameter in meta.parameters.items()
        if parameter.source == "task" or name in used_names
    }
    changed = dataclasses.replace(
        meta,
        version=meta.version + 1,
        plan=tuple(plan),
        parameters=parameters,
        distinct=tuple(name for name in meta.distinct if name in used_names),
    )
    won = tuple(dict.fromkeys(case.trace.episode.id for case in cases if case.won))
    lost = tuple(dict.fromkeys(case.trace.episode.id for case in cases if not case.won))
    return Suggestion(kind, changed.to_document(), why, effect, won, lost)


def _missing_place(
    meta: MetaProcedure,
    cases: Sequence[PlanCase],
    procedures: Mapping[str, Procedure],
    lexicon: Lexicon,
    outcomes: Outcomes,
    trigger: Trigger,
) -> tuple[Suggestion | None, Wanting | None]:
    names = {run.procedure for case in cases for run in case.extra}
    columns = {n: [any(r.procedure == n for r in c.extra) for c in cases] for n in sorted(names)}
    won = [case.won for case in cases]
    effect, best = best_effect(columns, won, trigger, lambda n: True, lambda n: n)
    if effect is None:
        return None, Wanting.of("missing_place", best, trigger)
    name = effect.text
    cases_with = [
        case for case in cases if case.won and any(r.procedure == name for r in case.extra)
    ]
    at = _usual_place(name, cases_with)
    place = _new_place(procedures[name], cases_with, meta)
    cases_without = [c for c in cases if not any(r.procedure == name for r in c.extra)]
    won_without = [case.won for case in cases_without]
    skip = _telling_text(meta, cases_without, won_without, at, lexicon, outcomes, trigger)
    if skip is not None:
        place = dataclasses.replace(place, skip=parse_condition(skip))
    plan = [*meta.plan[:at], place, *meta.plan[at:]]
    s1, f1, s0, f0 = (int(cell) for cell in effect.table.cells)
    why = (
        f"The task was solved {s1} of {s1 + f1} times with `{procedures[name].goal}` before "
        f"place {at + 1}, and {s0} of {s0 + f0} times without."
    )
    return _make_suggestion("place", meta, plan, cases, effect, why), None


def _usual_place(name: str, cases: Sequence[PlanCase]) -> int:
    """Return the index of the place that the procedure most often comes before."""
    votes: Counter[int] = Counter()
    for case in cases:
        run = next(r for r in reversed(case.extra) if r.procedure == name)
        later = [i for i, r in enumerate(case.places) if r is not None and r.index > run.index]
        votes[min(later, default=len(case.places))] += 1
    return min(votes, key=lambda at: (-votes[at], at))


def _new_place(procedure: Procedure, cases: Sequence[PlanCase], meta: MetaProcedure) -> Place:
    """Return a new place; it takes the plan's entities where the cases always did."""
    with_: dict[str, str] = {}
    for parameter in procedure.parameters:
        for name in meta.parameters:
            agreements = []
            for case in cases:
                run = next(r for r in reversed(case.extra) if r.procedure == procedure.id)
                agreements.append(
                    parameter in run.binding and run.binding[parameter] == case.bound.get(name)
                )
            if agreements and all(agreements):
                with_[parameter] = name
                break
    return Place.from_document(place_document(procedure.id, with_))


def _telling_text(
    meta: MetaProcedure,
    cases: Sequence[PlanCase],
    good: Sequence[bool],
    at: int,
    lexicon: Lexicon,
    outcomes: Outcomes,
    trigger: Trigger,
) -> str | None:
    """Return the condition at a place that tells the cases that are ``good``, if one does."""
    if sum(good) < _SUPPORT or len(good) - sum(good) < _SUPPORT:
        return None
    names = _names(meta, at)
    situations = [situation_at(c, _actions_before(c, at), names, lexicon, outcomes) for c in cases]
    effect, _ = telling_condition(situations, good, names, lexicon, trigger)
    return None if effect is None else effect.text


def _names(meta: MetaProcedure, at: int) -> list[str]:
    """Return the plan's parameters that are bound before a place."""
    return [name for place in meta.plan[:at] for name in place.with_.values()]


def _actions_before(case: PlanCase, at: int) -> int:
    """Return the number of actions up to the last run of the earlier places."""
    earlier = [run.index + 1 for run in case.places[:at] if run is not None]
    return max(earlier, default=0)


def _order(meta: MetaProcedure, cases: Sequence[PlanCase], trigger: Trigger) -> Suggestion | None:
    complete_cases = [case for case in cases if all(run is not None for run in case.places)]
    pairs = [i for i in range(len(meta.plan) - 1) if not _order_is_arbitrary(meta, i)]
    columns = {str(i): [_is_reversed(case, i) for case in complete_cases] for i in pairs}
    won = [case.won for case in complete_cases]
    effect, _ = best_effect(columns, won, trigger, lambda i: True, lambda i: int(i))
    if effect is None:
        return None
    at = int(effect.text)
    plan = list(meta.plan)
    plan[at], plan[at + 1] = plan[at + 1], plan[at]
    s1, f1, s0, f0 = (int(cell) for cell in effect.table.cells)
    why = (
        f"The task was solved {s1} of {s1 + f1} times with {plan[at].run} before "
        f"{plan[at + 1].run}, and {s0} of {s0 + f0} times the other way round."
    )
    return _make_suggestion("order", meta, plan, cases, effect, why)


def _order_is_arbitrary(meta: MetaProcedure, at: int) -> bool:
    """Tell whether two places take different entities of one slot: their order tells nothing."""
    first, second = (
        {n: meta.parameters[n].of for n in meta.plan[i].with_.values() if n in meta.parameters}
        for i in (at, at + 1)
    )
    return any(
        slot is not None and slot == other_slot and name != other_name
        for name, slot in first.items()
        for other_name, other_slot in second.items()
    )


def _is_reversed(case: PlanCase, at: int) -> bool:
    first, second = case.places[at], case.places[at + 1]
    return first is not None and second is not None and second.index < first.index


def _skip(
    meta: MetaProcedure,
    cases: Sequence[PlanCase],
    lexicon: Lexicon,
    outcomes: Outcomes,
    trigger: Trigger,
) -> Suggestion | None:
    """Learn Θ's skip from solved episodes, of which some run a place and some do not."""
    solved = [case for case in cases if case.won]
    for at in range(len(meta.plan) - 1):
        absences = [case.places[at] is None for case in solved]
        text = _telling_text(meta, solved, absences, at, lexicon, outcomes, trigger)
        place = meta.plan[at]
        if text is None or (place.skip is not None and text in place.skip.to_text()):
            continue
        joined = text if place.skip is None else f"{place.skip.to_text()} or {text}"
        plan = list(meta.plan)
        plan[at] = dataclasses.replace(place, skip=parse_condition(joined))
        n = sum(absences)
        why = f"{n} of {len(solved)} solved episodes do without {place.run}: those where {text}."
        situations = (
            situation_at(case, _actions_before(case, at), _names(meta, at), lexicon, outcomes)
            for case in cases
        )
        table = Table.counted(
            ((case.places[at] is None) is holds(joined, situation, lexicon), case.won)
            for case, situation in zip(cases, situations, strict=True)
        )
        return _make_suggestion("theta", meta, plan, cases, Effect((text,), table, 1.0), why)
    return None


def _redundant(
    meta: MetaProcedure, cases: Sequence[PlanCase], trigger: Trigger
) -> Suggestion | None:
    weight = 1.0 / max(1, len(meta.plan) - 1)
    for at in range(len(meta.plan) - 1):
        table = Table.counted((case.places[at] is None, case.won) for case in cases)
        s1, f1, s0, f0 = table.cells
        if s1 < max(trigger.least):
            continue
        if not credibly_not_worse(table, _MARGIN, weight, trigger):
            continue
        place = meta.plan[at]
        why = (
            f"Without {place.run} the task was solved {s1} of {s1 + f1} times, with it {s0} of "
            f"{s0 + f0} times."
        )
        plan = [*meta.plan[:at], *meta.plan[at + 1 :]]
        effect = Effect((place.run or "",), table, 1.0)
        return _make_suggestion("redundant", meta, plan, cases, effect, why)
    return None
