"""Contrast the actions before a step that worked or failed: missing or moved steps, and guards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..conditions.text_patterns import normalise, template_parameters
from ..learning.guards import variable_name
from ..model.procedure import Procedure
from ..words.lexicon import Lexicon
from ..words.sentence_patterns import observation_patterns
from .bayes_factors import Trigger, credible, more_needed
from .cases import Case, aligned, usual_stop
from .situation_splits import specialised
from .situations import holds, negated, telling_condition
from .suggestion import PATIENCE, Effect, Suggestion, Wanting, estimated, ranked_effects, table_of
from .view import action_template

_EFFECTIVE = 0.8
"""Least share of recoveries with an action as last step for which that action alone suffices."""
_EXPECTED = 0.9
"""Least share of observations after a new step with a pattern that is expected."""
_SUPPORT = 2
"""Cases on each side of a condition; fewer need no guard."""
_MOST_ACTIONS = 4
"""Most actions tested for helping in some situations only; the error is divided by it."""


def contrast_steps(
    procedure: Procedure,
    cases: Sequence[Case],
    lexicon: Lexicon,
    trigger: Trigger,
) -> tuple[Suggestion | None, Wanting | None]:
    """Find an action that the step where most failures stopped needs before it.

    Args:
        procedure: The version that was executed.
        cases: Its executions.
        lexicon: Finds entities.
        trigger: When an effect is credible.

    Returns:
        The change; where there is none, the effect that may become one.
    """
    stop = usual_stop(cases)
    if stop is None:
        return None, None
    reaching = [case for case in cases if case.worked or case.stopped == stop]
    reaching = aligned(procedure, reaching, stop, lexicon)
    templates = {t for case in reaching for t in case.before}
    columns = {t: [t in case.before for case in reaching] for t in templates}
    recovery_count = _recoveries(reaching)
    step_parameters = set(template_parameters(procedure.steps[stop].do or ""))

    def preferred(template: str) -> bool:
        return recovery_count[template] > 0 and bool(
            step_parameters.intersection(template_parameters(template))
        )

    def rank(template: str) -> Any:
        return (-recovery_count[template], not preferred(template), template)

    outcomes = [case.worked for case in reaching]
    effects = ranked_effects(columns, outcomes, preferred, rank)
    credible_effect = next((e for e in effects if credible(e.table, e.weight, trigger)), None)
    if credible_effect is None:
        conditional = _conditional_effect(effects, reaching, lexicon, trigger)
        if conditional is not None:
            credible_effect, guard, situation_cases = conditional
            effect = _with_estimated_table(credible_effect, situation_cases)
            return _suggestion(
                procedure, stop, reaching, effect, recovery_count, lexicon, guard
            ), None
    if credible_effect is not None:
        guard, wanting = _guard(credible_effect, reaching, lexicon, trigger)
        if wanting is not None:
            return None, wanting
        effect = _with_estimated_table(credible_effect, reaching)
        return _suggestion(procedure, stop, reaching, effect, recovery_count, lexicon, guard), None
    return None, Wanting.of("missing_step", effects[0] if effects else None, trigger)


def _with_estimated_table(effect: Effect, cases: Sequence[Case]) -> Effect:
    """Return an effect with its table estimated for all cases, where only a sample was kept."""
    return replace(effect, table=estimated(cases, lambda case: effect.text in case.before))


def _recoveries(cases: Sequence[Case]) -> Counter[str]:
    """Count for each action how often it was the last one before a failed procedure worked."""
    last: Counter[str] = Counter()
    failed = {(c.run, tuple(sorted(c.context.binding.items()))): c for c in cases if not c.worked}
    for case in cases:
        key = (case.run, tuple(sorted(case.context.binding.items())))
        if not case.worked or key not in failed:
            continue
        before = failed[key].before
        new = [t for t in case.before if t not in before]
        if new:
            last[min(new, key=lambda t: case.before[t])] += 1
    return last


def _suggestion(
    procedure: Procedure,
    stop: int,
    cases: Sequence[Case],
    effect: Effect,
    recovery_count: Counter[str],
    lexicon: Lexicon,
    guard: dict[str, str],
) -> Suggestion:
    total = sum(recovery_count[t] for t in effect.candidates)
    suffices = total and recovery_count[effect.text] >= _EFFECTIVE * total
    templates = [effect.text] if suffices or not total else list(effect.candidates)
    # The action that was done earliest comes first.
    mean_place = {t: _mean_place(t, cases) for t in templates}
    templates.sort(key=lambda t: (-mean_place[t], t))
    document = procedure.to_document()
    document["version"] = procedure.version + 1
    kind = "missing_step"
    for offset, template in enumerate(templates):
        index = step_index(procedure, template)
        if index is not None and len(templates) == 1:
            kind = _reuse(document, index, stop, guard)
        else:
            step = _new_step(document, template, cases, lexicon)
            document["steps"].insert(stop + offset, _with_guard(step, guard))
    worked = tuple(dict.fromkeys(case.run for case in cases if case.worked))
    failed = tuple(dict.fromkeys(case.run for case in cases if not case.worked))
    why = _reason(procedure, stop, effect, kind, templates, guard, cases)
    condition = guard.get("when") or (negated(guard["unless"]) if guard else "")

    def called_for(case: Case) -> bool:
        return not condition or holds(condition, _until(case, effect.text, lexicon), lexicon)

    # A guarded step is done where its guard holds, and nowhere else.
    table = estimated(cases, lambda case: (effect.text in case.before) is called_for(case))
    counted_effect = replace(effect, table=table)
    suggestion = Suggestion(kind, document, why, counted_effect, worked, failed, condition)
    situation_effect = _with_estimated_table(effect, [case for case in cases if called_for(case)])
    return specialised(procedure, suggestion, situation_effect)


def _mean_place(template: str, cases: Sequence[Case]) -> float:
    places = [case.before[template] for case in cases if case.worked and template in case.before]
    return sum(places) / len(places) if places else 0.0


def step_index(procedure: Procedure, template: str) -> int | None:
    """Return the index of a procedure's step with this action, or None."""
    for index, step in enumerate(procedure.steps):
        if normalise(step.do or "") == normalise(template):
            return index
    return None


def _reuse(document: dict[str, Any], index: int, stop: int, guard: dict[str, str]) -> str:
    """Move a later step before the one that needs it, or replace the guard of an earlier one."""
    steps = document["steps"]
    if index > stop:
        step = steps.pop(index)
        steps.insert(stop, step)
        return "moved_step"
    bare = {key: v for key, v in steps[index].items() if key not in ("when", "unless")}
    steps[index] = _with_guard(bare, guard)
    return "guard"


def _guard(
    effect: Effect, cases: Sequence[Case], lexicon: Lexicon, trigger: Trigger
) -> tuple[dict[str, str], Wanting | None]:
    """Find the guard of a step that is not always needed.

    Among the cases without the step, it was needed in those that failed. If a condition may become
    credible before long, the step waits for it: once the step is always done, no more can be
    learned about its guard.
    """
    without = [case for case in cases if effect.text not in case.before]
    was_needed = [not case.worked for case in without]
    if sum(not each for each in was_needed) < _SUPPORT or sum(was_needed) < _SUPPORT:
        return {}, None
    mentioned = template_parameters(effect.text)
    credible_condition, best_condition = telling_condition(
        without, was_needed, mentioned, lexicon, trigger
    )
    if credible_condition is None:
        more = (
            None
            if best_condition is None
            else more_needed(best_condition.table, best_condition.weight, trigger)
        )
        if best_condition is not None and more is not None and more <= PATIENCE * len(without):
            return {}, Wanting("guard", best_condition.text, more)
        return {}, None
    if credible_condition.text.startswith("not "):
        return {"unless": negated(credible_condition.text)}, None
    return {"when": credible_condition.text}, None


def _conditional_effect(
    effects: Sequence[Effect], cases: Sequence[Case], lexicon: Lexicon, trigger: Trigger
) -> tuple[Effect, dict[str, str], list[Case]] | None:
    """Find an action that helps only in some situations; return its effect, guard and cases.

    Where the step mostly works without the action, its effect hardly shows in all cases.
    """
    stricter = replace(trigger, error=trigger.error / _MOST_ACTIONS)
    for effect in effects[:_MOST_ACTIONS]:
        if effect.table.probability <= 0.5:
            break
        guard, _ = _guard(effect, cases, lexicon, stricter)
        if not guard:
            continue
        condition = guard.get("when") or negated(guard["unless"])
        situation_cases = [
            c for c in cases if holds(condition, _until(c, effect.text, lexicon), lexicon)
        ]
        table = table_of(situation_cases, lambda case, t=effect.text: t in case.before)  # type: ignore[misc]
        if credible(table, effect.weight, stricter):
            return Effect(effect.candidates, table, effect.weight), guard, situation_cases
    return None


def _until(case: Case, template: str, lexicon: Lexicon) -> Case:
    """Return a case cut before an action, if the action was done."""
    for index, (action, _, ok) in enumerate(case.context.steps[: case.until]):
        if ok and action_template(action, case.context, lexicon) == template:
            return replace(case, until=index)
    return case


def _with_guard(step: Mapping[str, Any], guard: Mapping[str, str]) -> dict[str, Any]:
    """Return a step with a guard, with its keys in the order of files."""
    head = {key: step[key] for key in ("do", "tool", "args") if key in step}
    return {**head, **guard, **{k: v for k, v in step.items() if k not in head}}


def _new_step(
    document: dict[str, Any], template: str, cases: Sequence[Case], lexicon: Lexicon
) -> dict[str, Any]:
    """Write a step; entities that no parameter holds become parameters of choice."""
    parameters = document.setdefault("parameters", {})
    new_parameters: list[str] = []
    others = _others(template, cases, lexicon)
    text = template
    for kinds in others:
        name = next(variable_name(i) for i in range(200) if variable_name(i) not in parameters)
        parameters[name] = {"source": "choice", "kinds": kinds}
        text = text.replace("*", "{" + name + "}", 1)
        new_parameters.append(name)
    step: dict[str, Any] = {"do": text}
    patterns: Counter[str] = Counter()
    total = 0
    for case in cases:
        for action, observation, worked in case.context.steps[: case.until]:
            if worked and action_template(action, case.context, lexicon) == template:
                names = {e.lower(): n for n, e in case.context.binding.items()}
                patterns.update(observation_patterns(lexicon, observation, names)[:1])
                total += 1
    usual_patterns = [p for p, n in patterns.items() if n >= _EXPECTED * total]
    if usual_patterns:
        step["expect"] = sorted(usual_patterns)
    return step


def _others(template: str, cases: Sequence[Case], lexicon: Lexicon) -> list[list[str]]:
    """Return the kinds of each entity of an action that no parameter holds, the usual first."""
    count = template.count("*")
    kinds: list[Counter[str]] = [Counter() for _ in range(count)]
    for case in cases:
        bound_entities = {entity.lower() for entity in case.context.binding.values()}
        actions = [*case.context.done, *(e[0] for e in case.context.steps[: case.until])]
        for action in actions:
            if case.worked and action_template(action, case.context, lexicon) == template:
                unbound = [a for a in lexicon.parse(action)[1] if a not in bound_entities]
                for counter, entity in zip(kinds, unbound, strict=False):
                    counter[lexicon.kind(entity)] += 1
    return [sorted(counter, key=lambda k: (-counter[k], k)) for counter in kinds]


def _reason(
    procedure: Procedure,
    stop: int,
    effect: Effect,
    kind: str,
    templates: Sequence[str],
    guard: Mapping[str, str],
    cases: Sequence[Case],
) -> str:
    s1, f1, s0, f0 = (int(cell) for cell in effect.table.cells)
    actions = " and ".join(f"`{template}`" for template in templates)
    signature_count = Counter(
        c.context.signature for c in cases if not c.worked and c.context.signature
    )
    words = [
        f"`{procedure.steps[stop].do}` worked {s1} of {s1 + f1} times after {actions}, "
        f"and {s0} of {s0 + f0} times without"
    ]
    if signature_count:
        words.append(f' ("{signature_count.most_common(1)[0][0]}")')
    consequence = {
        "missing_step": "so it comes first",
        "moved_step": "so the two change places",
        "guard": "so it is left out more seldom",
    }[kind]
    words.append(f"; {consequence}")
    if guard:
        key, text = next(iter(guard.items()))
        words.append(f", {key} {text}")
    return "".join(words) + "."
