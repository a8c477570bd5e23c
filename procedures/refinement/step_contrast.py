"""What was done before it worked, and not before it failed: missing, misordered steps, guards."""

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

__all__ = ["contrast_steps", "step_index"]

_EFFECTIVE = 0.8
"""Share of recoveries in which a repair was the last thing done, to count as the repair alone."""
_SHOWN = 0.9
"""Share of observations after a new step that must have a pattern for it to be expected."""
_SUPPORT = 2
_TRIED = 4
"""Most actions of which is asked whether they help in some situations only."""


def contrast_steps(
    procedure: Procedure,
    cases: Sequence[Case],
    lexicon: Lexicon,
    trigger: Trigger,
) -> tuple[Suggestion | None, Wanting | None]:
    """Look for an action without which the step at which most failures stopped does not work.

    Args:
        procedure: The version that was executed.
        cases: Its executions.
        lexicon: Finds entities.
        trigger: How sure one must be.

    Returns:
        The change, and, where there is none, what may become one.
    """
    stop = usual_stop(cases)
    if stop is None:
        return None, None
    here = [case for case in cases if case.worked or case.stopped == stop]
    here = aligned(procedure, here, stop, lexicon)
    templates = {t for case in here for t in case.before}
    columns = {t: [t in case.before for case in here] for t in templates}
    recovered = _recoveries(here)
    needed = set(template_parameters(procedure.steps[stop].do or ""))

    def preferred(template: str) -> bool:
        return recovered[template] > 0 and bool(needed.intersection(_names(template)))

    def rank(template: str) -> Any:
        return (-recovered[template], not preferred(template), template)

    outcomes = [case.worked for case in here]
    effects = ranked_effects(columns, outcomes, preferred, rank)
    best = effects[0] if effects else None
    believed = next((e for e in effects if credible(e.table, e.weight, trigger)), None)
    if believed is None:
        found = _where_needed(effects, here, lexicon, trigger)
        if found is not None:
            believed, known, there = found
            told = _as_it_was(believed, there)
            return _suggestion(procedure, stop, here, told, recovered, lexicon, known), None
    if believed is not None:
        known, unsure = _guard(believed, here, lexicon, trigger)
        if unsure is not None:
            return None, unsure
        told = _as_it_was(believed, here)
        return _suggestion(procedure, stop, here, told, recovered, lexicon, known), None
    if best is None or best.table.probability <= 0.5:
        return None, None
    return None, Wanting("missing_step", best.text, more_needed(best.table, best.weight, trigger))


def _as_it_was(effect: Effect, cases: Sequence[Case]) -> Effect:
    """Return an effect with how often it really worked, where only a share was kept."""
    return replace(effect, table=estimated(cases, lambda case: effect.text in case.before))


def _recoveries(cases: Sequence[Case]) -> Counter[str]:
    """Count for each action how often it was the last thing done before what failed worked."""
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


def _names(template: str) -> tuple[str, ...]:
    return template_parameters(template)


def _suggestion(
    procedure: Procedure,
    stop: int,
    cases: Sequence[Case],
    effect: Effect,
    recovered: Counter[str],
    lexicon: Lexicon,
    guard: dict[str, str],
) -> Suggestion:
    most = sum(recovered[t] for t in effect.candidates)
    alone = most and recovered[effect.text] >= _EFFECTIVE * most
    chosen = [effect.text] if alone or not most else list(effect.candidates)
    # What was done longest before comes first.
    back = {t: _mean_place(t, cases) for t in chosen}
    chosen.sort(key=lambda t: (-back[t], t))
    document = procedure.to_document()
    document["version"] = procedure.version + 1
    kind = "missing_step"
    for offset, template in enumerate(chosen):
        known = step_index(procedure, template)
        if known is not None and len(chosen) == 1:
            kind = _reuse(document, known, stop, guard)
        else:
            step = _new_step(document, template, cases, lexicon)
            document["steps"].insert(stop + offset, _guarded(step, guard))
    worked = tuple(dict.fromkeys(case.run for case in cases if case.worked))
    failed = tuple(dict.fromkeys(case.run for case in cases if not case.worked))
    why = _reason(procedure, stop, effect, kind, chosen, guard, cases)
    text = guard.get("when") or (negated(guard["unless"]) if guard else "")

    def called_for(case: Case) -> bool:
        return not text or holds(text, _until(case, effect.text, lexicon), lexicon)

    # A guarded step is done where it is called for, and nowhere else.
    table = estimated(cases, lambda case: (effect.text in case.before) is called_for(case))
    counted = replace(effect, table=table)
    found = Suggestion(kind, document, why, counted, worked, failed, text)
    there = _as_it_was(effect, [case for case in cases if called_for(case)])
    return specialised(procedure, found, there)


def _mean_place(template: str, cases: Sequence[Case]) -> float:
    places = [case.before[template] for case in cases if case.worked and template in case.before]
    return sum(places) / len(places) if places else 0.0


def step_index(procedure: Procedure, template: str) -> int | None:
    """Return where a procedure does an action, or None."""
    for index, step in enumerate(procedure.steps):
        if normalise(step.do or "") == normalise(template):
            return index
    return None


def _reuse(document: dict[str, Any], known: int, stop: int, guard: dict[str, str]) -> str:
    """Move a step of the procedure before the one that needs it, or guard it otherwise."""
    steps = document["steps"]
    if known > stop:
        step = steps.pop(known)
        steps.insert(stop, step)
        return "moved_step"
    bare = {key: v for key, v in steps[known].items() if key not in ("when", "unless")}
    steps[known] = _guarded(bare, guard)
    return "guard"


def _guard(
    effect: Effect, cases: Sequence[Case], lexicon: Lexicon, trigger: Trigger
) -> tuple[dict[str, str], Wanting | None]:
    """Find out when the step is needed, where it was not always.

    It was needed where without it nothing worked, and not where it worked without it. Where a
    condition may become credible before long, the step waits for it: without one it would be done
    in vain, and once it is always done nothing can be learned about that any more.
    """
    without = [case for case in cases if effect.text not in case.before]
    needed = [not case.worked for case in without]
    if sum(not each for each in needed) < _SUPPORT or sum(needed) < _SUPPORT:
        return {}, None
    mentioned = _names(effect.text)
    found, best = telling_condition(without, needed, mentioned, lexicon, trigger)
    if found is None:
        more = None if best is None else more_needed(best.table, best.weight, trigger)
        if best is not None and more is not None and more <= PATIENCE * len(without):
            return {}, Wanting("guard", best.text, more)
        return {}, None
    if found.text.startswith("not "):
        return {"unless": negated(found.text)}, None
    return {"when": found.text}, None


def _where_needed(
    effects: Sequence[Effect], cases: Sequence[Case], lexicon: Lexicon, trigger: Trigger
) -> tuple[Effect, dict[str, str], list[Case]] | None:
    """Find an action that makes a difference only in some situations, those, and their cases.

    Where it mostly works without, what helps in the few other situations hardly shows in all.
    """
    stricter = replace(trigger, error=trigger.error / _TRIED)
    for effect in effects[:_TRIED]:
        if effect.table.probability <= 0.5:
            break
        known, _ = _guard(effect, cases, lexicon, stricter)
        if not known:
            continue
        text = known.get("when") or negated(known["unless"])
        there = [c for c in cases if holds(text, _until(c, effect.text, lexicon), lexicon)]
        table = table_of(there, lambda case, t=effect.text: t in case.before)  # type: ignore[misc]
        if credible(table, effect.weight, stricter):
            return Effect(effect.candidates, table, effect.weight), known, there
    return None


def _until(case: Case, template: str, lexicon: Lexicon) -> Case:
    """Return a case as it stood before an action was done, where it was."""
    for index, (action, _, ok) in enumerate(case.context.steps[: case.until]):
        if ok and action_template(action, case.context, lexicon) == template:
            return replace(case, until=index)
    return case


def _guarded(step: Mapping[str, Any], guard: Mapping[str, str]) -> dict[str, Any]:
    """Return a step with a guard; keys stand as in files."""
    head = {key: step[key] for key in ("do", "tool", "args") if key in step}
    return {**head, **guard, **{k: v for k, v in step.items() if k not in head}}


def _new_step(
    document: dict[str, Any], template: str, cases: Sequence[Case], lexicon: Lexicon
) -> dict[str, Any]:
    """Write a step; things that the procedure does not know yet become parameters of choice."""
    parameters = document.setdefault("parameters", {})
    chosen: list[str] = []
    others = _others(template, cases, lexicon)
    text = template
    for kinds in others:
        name = next(variable_name(i) for i in range(200) if variable_name(i) not in parameters)
        parameters[name] = {"source": "choice", "kinds": kinds}
        text = text.replace("*", "{" + name + "}", 1)
        chosen.append(name)
    step: dict[str, Any] = {"do": text}
    patterns: Counter[str] = Counter()
    seen = 0
    for case in cases:
        for action, observation, worked in case.context.steps[: case.until]:
            if worked and action_template(action, case.context, lexicon) == template:
                names = {e.lower(): n for n, e in case.context.binding.items()}
                patterns.update(observation_patterns(lexicon, observation, names)[:1])
                seen += 1
    usual = [p for p, n in patterns.items() if n >= _SHOWN * seen]
    if usual:
        step["expect"] = sorted(usual)
    return step


def _others(template: str, cases: Sequence[Case], lexicon: Lexicon) -> list[list[str]]:
    """Return the kinds of each thing of an action that is no parameter yet, the usual first."""
    count = template.count("*")
    kinds: list[Counter[str]] = [Counter() for _ in range(count)]
    for case in cases:
        known = {entity.lower() for entity in case.context.binding.values()}
        actions = [*case.context.done, *(e[0] for e in case.context.steps[: case.until])]
        for action in actions:
            if case.worked and action_template(action, case.context, lexicon) == template:
                other = [a for a in lexicon.parse(action)[1] if a not in known]
                for counter, entity in zip(kinds, other, strict=False):
                    counter[lexicon.kind(entity)] += 1
    return [sorted(counter, key=lambda k: (-counter[k], k)) for counter in kinds]


def _reason(
    procedure: Procedure,
    stop: int,
    effect: Effect,
    kind: str,
    chosen: Sequence[str],
    guard: Mapping[str, str],
    cases: Sequence[Case],
) -> str:
    s1, f1, s0, f0 = (int(cell) for cell in effect.table.cells)
    done = " and ".join(f"`{template}`" for template in chosen)
    told = Counter(c.context.signature for c in cases if not c.worked and c.context.signature)
    words = [
        f"`{procedure.steps[stop].do}` worked {s1} of {s1 + f1} times after {done}, "
        f"and {s0} of {s0 + f0} times without"
    ]
    if told:
        words.append(f' ("{told.most_common(1)[0][0]}")')
    what = {
        "missing_step": "so it comes first",
        "moved_step": "so the two change places",
        "guard": "so it is left out more seldom",
    }[kind]
    words.append(f"; {what}")
    if guard:
        key, text = next(iter(guard.items()))
        words.append(f", {key} {text}")
    return "".join(words) + "."
