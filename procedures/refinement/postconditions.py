"""Learn postconditions: what is observed after all executions that worked and no others."""

from __future__ import annotations

from collections.abc import Sequence

from ..conditions.language import parse_condition
from ..conditions.text_patterns import quoted, template_parameters
from ..evidence.posterior import posterior_tail
from ..model.procedure import Procedure
from ..words.lexicon import Lexicon
from ..words.sentence_patterns import observation_patterns
from .bayes_factors import Trigger
from .cases import Case
from .suggestion import Suggestion, Wanting, best_effect
from .view import ContextView


def contrast_postconditions(
    procedure: Procedure, cases: Sequence[Case], lexicon: Lexicon, trigger: Trigger
) -> tuple[Suggestion | None, Wanting | None]:
    """Remove postconditions that fail after success; add one that tells success from failure.

    The observation after a failed step is the signature of a failure and no postcondition.
    """
    final = procedure.steps[-1]
    names = set(template_parameters(final.do or ""))
    finished = [case for case in cases if case.worked or _reached_last_step(case)]
    worked = [case for case in finished if case.worked]
    refuted = [
        c for c in procedure.postconditions if _refuted(c.to_text(), worked, lexicon, trigger)
    ]
    columns: dict[str, list[bool]] = {}
    patterns_by_case = [_final_patterns(case, names, lexicon) for case in finished]
    for pattern in sorted({p for each in patterns_by_case for p in each}):
        columns[f"observed({quoted(pattern)})"] = [pattern in each for each in patterns_by_case]
    known_texts = {condition.to_text() for condition in procedure.postconditions}
    columns = {text: column for text, column in columns.items() if text not in known_texts}
    outcomes = [case.worked for case in finished]
    effect, _ = best_effect(columns, outcomes, trigger, lambda t: True, lambda t: (len(t), t))
    if effect is not None and (effect.table.with_failures or effect.table.without_successes):
        effect = None  # a sign must be without exception
    if not refuted and effect is None:
        return None, None
    document = procedure.to_document()
    document["version"] = procedure.version + 1
    remaining = [c.to_yaml() for c in procedure.postconditions if c not in refuted]
    new_texts = [effect.text] if effect is not None else []
    document["postconditions"] = [*remaining, *new_texts]
    why = []
    if refuted:
        texts = " and ".join(condition.to_text() for condition in refuted)
        why.append(f"{texts} did not hold after {len(worked)} executions that worked.")
    if effect is not None:
        why.append(f"{effect.text} held after all {len(worked)} that worked and none that failed.")
        expect = [*final.expect, *(p.text for p in parse_condition(effect.text).patterns())]
        document["steps"][-1]["expect"] = expect if not refuted else expect[len(final.expect) :]
    document = Procedure.from_document(document).to_document()
    runs = tuple(dict.fromkeys(case.run for case in worked))
    failed = tuple(dict.fromkeys(case.run for case in finished if not case.worked))
    return Suggestion("postcondition", document, " ".join(why), None, runs, failed), None


def _reached_last_step(case: Case) -> bool:
    """Tell whether the last step was done, so that there is an observation to compare."""
    return case.stopped is not None and bool(case.context.steps)


def _final_patterns(case: Case, names: set[str], lexicon: Lexicon) -> set[str]:
    """Return the patterns after the last action that name an entity of it."""
    steps = case.context.steps
    if case.until >= len(steps):
        return set()
    entities = {e.lower(): n for n, e in case.context.binding.items()}
    patterns = observation_patterns(lexicon, steps[case.until][1], entities)
    return {p for p in patterns if any("{" + name + "}" in p for name in names)}


def _refuted(text: str, worked: Sequence[Case], lexicon: Lexicon, trigger: Trigger) -> bool:
    """Tell whether a postcondition is credibly false after most executions that worked.

    Its probability alone decides: only postconditions that hold about half of the time are
    doubtful, and to lose one of these costs nothing.
    """
    if len(worked) < trigger.least[0]:
        return False
    condition = parse_condition(text)
    held_count = 0
    for case in worked:
        view = ContextView(case.context, lexicon, case.until + 1)
        held_count += bool(condition.evaluate(view, case.context.binding).value)
    missed_count = len(worked) - held_count
    probability = posterior_tail(1.0 + missed_count, 1.0 + held_count, 0.5)
    return probability > max(trigger.probability, 1.0 - trigger.error)
