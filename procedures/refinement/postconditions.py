"""Postconditions: what is observed after all that worked, and after nothing that failed."""

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

__all__ = ["contrast_postconditions"]


def contrast_postconditions(
    procedure: Procedure, cases: Sequence[Case], lexicon: Lexicon, trigger: Trigger
) -> tuple[Suggestion | None, Wanting | None]:
    """Take away what does not hold after success, and add what tells success from failure.

    What is observed after a failed step is the signature of a failure: it stands in no
    postcondition.
    """
    final = procedure.steps[-1]
    names = set(template_parameters(final.do or ""))
    ended = [case for case in cases if case.worked or _reached(case)]
    worked = [case for case in ended if case.worked]
    wrong = [c for c in procedure.postconditions if _refuted(c.to_text(), worked, lexicon, trigger)]
    columns: dict[str, list[bool]] = {}
    shown = [_shown(case, names, lexicon) for case in ended]
    for pattern in sorted({p for each in shown for p in each}):
        columns[f"observed({quoted(pattern)})"] = [pattern in each for each in shown]
    known = {condition.to_text() for condition in procedure.postconditions}
    columns = {text: column for text, column in columns.items() if text not in known}
    outcomes = [case.worked for case in ended]
    found, _ = best_effect(columns, outcomes, trigger, lambda t: True, lambda t: (len(t), t))
    if found is not None and (found.table.with_failures or found.table.without_successes):
        found = None  # a sign that fails now and then is none
    if not wrong and found is None:
        return None, None
    document = procedure.to_document()
    document["version"] = procedure.version + 1
    kept = [c.to_yaml() for c in procedure.postconditions if c not in wrong]
    added = [found.text] if found is not None else []
    document["postconditions"] = [*kept, *added]
    why = []
    if wrong:
        texts = " and ".join(condition.to_text() for condition in wrong)
        why.append(f"{texts} did not hold after {len(worked)} executions that worked.")
    if found is not None:
        why.append(f"{found.text} held after all {len(worked)} that worked and none that failed.")
        expect = [*final.expect, *(p.text for p in parse_condition(found.text).patterns())]
        document["steps"][-1]["expect"] = expect if not wrong else expect[len(final.expect) :]
    document = Procedure.from_document(document).to_document()
    runs = tuple(dict.fromkeys(case.run for case in worked))
    failed = tuple(dict.fromkeys(case.run for case in ended if not case.worked))
    return Suggestion("postcondition", document, " ".join(why), None, runs, failed), None


def _reached(case: Case) -> bool:
    """Whether the last step was done, so that there is something to compare with."""
    return case.stopped is not None and bool(case.context.steps)


def _shown(case: Case, names: set[str], lexicon: Lexicon) -> set[str]:
    """Return the patterns of what followed the last action, those that name a thing of it."""
    steps = case.context.steps
    if case.until >= len(steps):
        return set()
    entities = {e.lower(): n for n, e in case.context.binding.items()}
    found = observation_patterns(lexicon, steps[case.until][1], entities)
    return {p for p in found if any("{" + name + "}" in p for name in names)}


def _refuted(text: str, worked: Sequence[Case], lexicon: Lexicon, trigger: Trigger) -> bool:
    """Say whether a postcondition is credibly false after most executions that worked.

    By its probability alone: in doubt are those that hold about every other time, and to lose one
    of these costs nothing.
    """
    if len(worked) < trigger.least[0]:
        return False
    condition = parse_condition(text)
    held = 0
    for case in worked:
        view = ContextView(case.context, lexicon, case.until + 1)
        held += bool(condition.evaluate(view, case.context.binding).value)
    missed = len(worked) - held
    mostly = posterior_tail(1.0 + missed, 1.0 + held, 0.5)
    return mostly > max(trigger.probability, 1.0 - trigger.error)
