"""Situations and kinds with which a procedure fares credibly worse: what to do about them.

Where nothing is known to repair it, a precondition keeps a procedure from what it is not worth
trying on; a kind of thing that is worth trying all the same becomes a variant with a posterior of
its own. So does what repairs a procedure for one kind only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..conditions.language import Kind, parse_condition
from ..conditions.text_patterns import quoted
from ..documents.plain_data import KINDS
from ..evidence.posterior import posterior_mean, posterior_parameters, posterior_tail
from ..evidence.priors import UNIFORM
from ..learning.abstraction import slug
from ..method.settings import Method
from ..model.procedure import Procedure
from ..words.lexicon import Lexicon
from .bayes_factors import Table, Trigger, more_needed
from .cases import Case, at_start, first_tries, usual_stop
from .situations import LASTING, negated, telling_condition
from .suggestion import Effect, Suggestion, Wanting

__all__ = ["contrast_situations", "specialised"]

_DRAWS = 64
"""Quantiles by which an estimated number of successes is told."""


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
        trigger: How sure one must be.
        method: θ_conf and the prior say what is worth trying.
    """
    stop = usual_stop(cases)
    if stop is None:
        return None, None
    names = tuple(procedure.parameters)
    tries = [c for c in first_tries(cases) if c.worked or c.stopped == stop]
    before = at_start(tries, lexicon)
    outcomes = [c.worked for c in before]
    own = _own_doing(procedure)
    known, best = telling_condition(before, outcomes, names, lexicon, trigger, LASTING, own)
    if known is not None:
        real, worked = _elsewhere(known, before)
        if _hopeless_or_known(worked, known.table.without_failures, trigger, method):
            return _excluding(procedure, before, real, method), None
    if best is None or best.table.probability <= 0.5:
        return None, None
    return None, Wanting("precondition", best.text, more_needed(best.table, best.weight, trigger))


def _own_doing(procedure: Procedure) -> list[str]:
    """Return conditions that the procedure's steps fulfil: they need not hold before it."""
    own = [f"done({quoted(step.do)})" for step in procedure.steps if step.do]
    told = [text for step in procedure.steps for text in step.expect]
    return own + [f"{word}({quoted(text)})" for text in told for word in ("observed", "ever")]


def specialised(procedure: Procedure, repaired: Suggestion, there: Effect) -> Suggestion:
    """Turn a repair for one kind of thing into a variant; one for a situation stays a guard.

    Kinds are known beforehand and stay what they are, so that what is done with one kind is a
    procedure of its own, with its own posterior.

    Args:
        procedure: The version that was executed.
        repaired: What was found.
        there: Executions with the repair and without it, where it is called for.
    """
    bad = repaired.guard
    if repaired.kind != "missing_step" or not bad or not isinstance(parse_condition(bad), Kind):
        return repaired
    document = dict(repaired.document)
    document["steps"] = [
        {k: v for k, v in step.items() if v != bad or k != "when"} for step in document["steps"]
    ]
    return _variant(procedure, document, bad, replace(repaired, effect=there))


def _variant(
    procedure: Procedure,
    document: dict[str, Any],
    condition: str,
    found: Suggestion,
) -> Suggestion:
    """Return what was found as a variant for things of which a condition holds."""
    kinds = parse_condition(condition)
    words = "-".join(p.text for p in kinds.patterns()) if isinstance(kinds, Kind) else "special"
    document = {
        **document,
        "id": slug(f"{procedure.id} {words}"),
        "version": 1,
        "preconditions": [*document.get("preconditions", []), condition],
        "provenance": {"parent": procedure.ref},
    }
    document.pop("evidence", None)
    if isinstance(kinds, Kind):
        own = document["parameters"][kinds.name]
        usual = {key: value for key, value in own.items() if key not in KINDS}
        usual["kinds"] = [pattern.text for pattern in kinds.patterns()]
        document["parameters"] = {**document["parameters"], kinds.name: usual}
    return replace(found, kind="variant", document=document, guard="")


def _elsewhere(effect: Effect, cases: Sequence[Case]) -> tuple[Effect, Sequence[float]]:
    """Estimate how often it worked elsewhere, where only a sample of the successes is kept.

    Whether there is a difference does not depend on the sample, but how often it works does: all
    failures are kept. The part of the successes that was elsewhere has the posterior
    Beta(½ + k, ½ + n - k) with k of the n kept ones; each kept one stands for 1 / share.

    Returns:
        The effect with as many successes as there were, and equally likely numbers of those
        elsewhere.
    """
    worked = [case for case in cases if case.worked]
    every = sum(1.0 / case.context.share for case in worked)
    kept = effect.table.without_successes
    if every <= len(worked):
        return effect, (kept,)
    import numpy as np
    from scipy.special import betaincinv  # type: ignore[import-untyped]  # SciPy ships no types

    alpha, beta = 0.5 + kept, 0.5 + len(worked) - kept
    numbers = every * betaincinv(alpha, beta, (np.arange(_DRAWS) + 0.5) / _DRAWS)
    usual = round(every * posterior_mean(alpha, beta))
    table = replace(effect.table, with_successes=round(every) - usual, without_successes=usual)
    return replace(effect, table=table), [float(number) for number in numbers]


def _least_rate(method: Method) -> float:
    """Return the success rate from which a try at full relevance may reach θ_conf, in [0, 1].

    A lower bound, as Risk is taken to be 0. With Risk = 1 - ρ, the share that failed, it would be
    the ρ at which ρ R_max - (1 - ρ)² C_fail = θ_conf, by default 0.52 where this says 0.4. But what
    is forbidden is never tried again, and Risk depends on more than the kind: so only what would
    not be worth it at no risk either is forbidden.
    """
    weights = method.preset.weights
    return min(1.0, max(0.0, weights.theta_conf / max(weights.reward_max, 1e-9)))


def _hopeless_or_known(
    worked: Sequence[float], failures: float, trigger: Trigger, method: Method
) -> bool:
    """Say whether it is clear on which side of θ_conf the rate elsewhere lies.

    What is forbidden is not tried again, so nothing more can be learned about it.
    """
    if trigger.counts_only:
        return True
    prior, least = method.prior or UNIFORM, _least_rate(method)
    worth = [
        posterior_tail(*posterior_parameters(number, failures, prior), least) for number in worked
    ]
    above = sum(worth) / len(worth)
    return max(above, 1.0 - above) > trigger.probability


def _excluding(
    procedure: Procedure, cases: Sequence[Case], effect: Effect, method: Method
) -> Suggestion:
    """Keep the procedure from what it is not worth trying on, or make that a variant."""
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
    bad = min(map(negated, effect.candidates), key=lambda t: not t.startswith("kind"))
    rate = posterior_mean(*posterior_parameters(s0, f0, method.prior or UNIFORM))
    worth = rate >= _least_rate(method)
    if worth and isinstance(parse_condition(bad), Kind):
        told = f"{why}: two rates, two posteriors."
        # With it are those of the variant's own kind, on which it worked less often.
        own = replace(effect, candidates=(bad,), table=Table(s0, f0, s1, f1))
        found = Suggestion("variant", document, told, own, worked, failed)
        return _variant(procedure, document, bad, found)
    document["version"] = procedure.version + 1
    document["preconditions"] = [*document.get("preconditions", []), effect.text]
    return Suggestion(
        "precondition", _ordered(document), f"{why}, so that comes first.", effect, worked, failed
    )


def _ordered(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document with its keys as they stand in files."""
    return Procedure.from_document(document).to_document()
