"""Contrast situations and kinds in which a procedure works credibly less often.

Where no repair is known, a precondition keeps a procedure from situations that are not worth a try.
A kind that is still worth a try becomes a variant with a posterior of its own, and so does a repair
for one kind only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..conditions.language import KindIn, parse_condition
from ..conditions.text_patterns import quoted
from ..documents.plain_data import KINDS
from ..evidence.posterior import posterior_mean, posterior_parameters, posterior_tail
from ..evidence.priors import UNIFORM
from ..learning.abstraction import slug
from ..method.settings import Method
from ..model.procedure import Procedure
from ..words.lexicon import Lexicon
from .bayes_factors import Table, Trigger
from .cases import Case, at_start, first_tries, usual_stop
from .situations import LASTING, negated, telling_condition
from .suggestion import Effect, Suggestion, Wanting

_DRAWS = 64
"""Quantiles that represent the distribution of an estimated number of successes."""


def contrast_situations(
    procedure: Procedure,
    cases: Sequence[Case],
    lexicon: Lexicon,
    trigger: Trigger,
    method: Method,
) -> tuple[Suggestion | None, Wanting | None]:
    """Look for a condition under which the procedure works less often.

    Args:
        procedure: The version that was executed.
        cases: Its executions.
        lexicon: Finds entities.
        trigger: When an effect is credible.
        method: θ_conf and the prior, which decide what is worth a try.
    """
    stop = usual_stop(cases)
    if stop is None:
        return None, None
    names = tuple(procedure.parameters)
    tries = [c for c in first_tries(cases) if c.worked or c.stopped == stop]
    before = at_start(tries, lexicon)
    outcomes = [c.worked for c in before]
    own_conditions = _own_effects(procedure)
    effect, best = telling_condition(
        before, outcomes, names, lexicon, trigger, LASTING, own_conditions
    )
    if effect is not None:
        estimated_effect, success_numbers = _with_estimated_successes(effect, before)
        if _rate_is_clear(success_numbers, effect.table.without_failures, trigger, method):
            return _exclusion(procedure, before, estimated_effect, method), None
    return None, Wanting.of("precondition", best, trigger)


def _own_effects(procedure: Procedure) -> list[str]:
    """Return conditions that the procedure's own steps make true: no preconditions."""
    done_conditions = [f"done({quoted(step.do)})" for step in procedure.steps if step.do]
    patterns = [text for step in procedure.steps for text in step.expect]
    return done_conditions + [
        f"{word}({quoted(text)})" for text in patterns for word in ("observed", "ever")
    ]


def specialised(procedure: Procedure, repaired: Suggestion, there: Effect) -> Suggestion:
    """Turn a repair for one kind into a variant; a repair for a situation stays guarded.

    A kind is known beforehand and never changes, so that its variant has its own posterior.

    Args:
        procedure: The version that was executed.
        repaired: The repair.
        there: Executions with the repair and without it, where its guard holds.
    """
    condition = repaired.guard
    if (
        repaired.kind != "missing_step"
        or not condition
        or not isinstance(parse_condition(condition), KindIn)
    ):
        return repaired
    document = dict(repaired.document)
    document["steps"] = [
        {k: v for k, v in step.items() if v != condition or k != "when"}
        for step in document["steps"]
    ]
    return _variant(procedure, document, condition, replace(repaired, effect=there))


def _variant(
    procedure: Procedure,
    document: dict[str, Any],
    condition: str,
    suggestion: Suggestion,
) -> Suggestion:
    """Return a suggestion as a variant for entities of which a condition holds."""
    parsed = parse_condition(condition)
    suffix = (
        "-".join(p.text for p in parsed.patterns()) if isinstance(parsed, KindIn) else "special"
    )
    document = {
        **document,
        "id": slug(f"{procedure.id} {suffix}"),
        "version": 1,
        "preconditions": [*document.get("preconditions", []), condition],
        "provenance": {"parent": procedure.ref},
    }
    document.pop("evidence", None)
    if isinstance(parsed, KindIn):
        parameter = document["parameters"][parsed.name]
        new_parameter = {key: value for key, value in parameter.items() if key not in KINDS}
        new_parameter["kinds"] = [pattern.text for pattern in parsed.patterns()]
        document["parameters"] = {**document["parameters"], parsed.name: new_parameter}
    return replace(suggestion, kind="variant", document=document, guard="")


def _with_estimated_successes(
    effect: Effect, cases: Sequence[Case]
) -> tuple[Effect, Sequence[float]]:
    """Estimate the successes without the effect's condition, of which only a sample is stored.

    All failures are stored, so rates must be estimated; the difference does not depend on the
    sample. The share of successes without it has the posterior Beta(½ + k, ½ + n - k), with k of
    the n stored ones. Each stored one stands for 1 / share.

    Returns:
        The effect with estimated successes, and equally likely numbers of successes without it.
    """
    worked = [case for case in cases if case.worked]
    total = sum(1.0 / case.context.share for case in worked)
    stored_count = effect.table.without_successes
    if total <= len(worked):
        return effect, (stored_count,)
    import numpy as np
    from scipy.special import betaincinv  # type: ignore[import-untyped]  # SciPy ships no types

    alpha, beta = 0.5 + stored_count, 0.5 + len(worked) - stored_count
    numbers = total * betaincinv(alpha, beta, (np.arange(_DRAWS) + 0.5) / _DRAWS)
    expected_count = round(total * posterior_mean(alpha, beta))
    table = replace(
        effect.table, with_successes=round(total) - expected_count, without_successes=expected_count
    )
    return replace(effect, table=table), [float(number) for number in numbers]


def _least_rate(method: Method) -> float:
    """Return the success rate from which a try at full relevance may reach θ_conf, in [0, 1].

    It is a lower bound, since Risk is set to 0. With Risk = 1 - ρ, the share that failed, it would
    be the ρ at which ρ R_max - (1 - ρ)² C_fail = θ_conf, by default 0.52 instead of 0.4. But an
    excluded situation is never tried again, and Risk depends on more than the kind. So only what
    is not worth a try even without risk is excluded.
    """
    weights = method.preset.weights
    return min(1.0, max(0.0, weights.theta_conf / max(weights.reward_max, 1e-9)))


def _rate_is_clear(
    success_numbers: Sequence[float], failures: float, trigger: Trigger, method: Method
) -> bool:
    """Tell whether it is clear on which side of θ_conf the rate without the condition lies.

    An excluded situation is not tried again, so no more can be learned about it.
    """
    if trigger.counts_only:
        return True
    prior, least = method.prior or UNIFORM, _least_rate(method)
    probabilities = [
        posterior_tail(*posterior_parameters(number, failures, prior), least)
        for number in success_numbers
    ]
    probability = sum(probabilities) / len(probabilities)
    return max(probability, 1.0 - probability) > trigger.probability


def _exclusion(
    procedure: Procedure, cases: Sequence[Case], effect: Effect, method: Method
) -> Suggestion:
    """Return a precondition against what is not worth a try, or a variant for a kind that is."""
    table = effect.table
    s0, f0 = table.without_successes, table.without_failures
    worked = tuple(dict.fromkeys(case.run for case in cases if case.worked))
    failed = tuple(dict.fromkeys(case.run for case in cases if not case.worked))
    s1, f1 = table.with_successes, table.with_failures
    why = (
        f"It worked {s1:g} of {s1 + f1:g} times where {effect.text}, and {s0:g} of {s0 + f0:g} "
        "times elsewhere"
    )
    document = procedure.to_document()
    condition = min(map(negated, effect.candidates), key=lambda t: not t.startswith("kind"))
    rate = posterior_mean(*posterior_parameters(s0, f0, method.prior or UNIFORM))
    is_worth_trying = rate >= _least_rate(method)
    if is_worth_trying and isinstance(parse_condition(condition), KindIn):
        reason = f"{why}: two rates, two posteriors."
        # In the variant's table, "with" stands for its own kind, on which it worked less often.
        variant_effect = replace(effect, candidates=(condition,), table=Table(s0, f0, s1, f1))
        suggestion = Suggestion("variant", document, reason, variant_effect, worked, failed)
        return _variant(procedure, document, condition, suggestion)
    document["version"] = procedure.version + 1
    document["preconditions"] = [*document.get("preconditions", []), effect.text]
    return Suggestion(
        "precondition",
        _in_file_order(document),
        f"{why}, so that comes first.",
        effect,
        worked,
        failed,
    )


def _in_file_order(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document with its keys in the order of files."""
    return Procedure.from_document(document).to_document()
