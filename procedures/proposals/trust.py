"""How far a procedure or plan is trusted, by rules over what happened when it was used.

Only trials in use count: demonstrations are successes by their nature, and what is inherited was
seen with another version. The rules stand below ``settings`` in ``library.yaml``; these are the
defaults, bounds being the ends of the 95 % credible interval of the success rate::

    trust:
      provisional: {trials: 3, lower: 0.3}    # a draft becomes provisional
      trusted: {trials: 20, lower: 0.8}       # what is provisional becomes trusted
      demoted: {trials: 10, upper: 0.8}       # what is trusted becomes provisional again
      retired: {trials: 10, upper: 0.3}       # what is surely bad is retired

A change of status is a proposal as any other, and what is locked keeps its status.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..common.text import counted
from ..evidence.ledger import Ledger
from ..evidence.posterior import credible_interval
from ..library.library import Library
from ..model.procedure import MetaProcedure, Procedure
from .inheritance import counts_of, played_counts
from .proposal import Proposal, make_proposal

RULES: Mapping[str, Mapping[str, float]] = {
    "provisional": {"trials": 3, "lower": 0.3},
    "trusted": {"trials": 20, "lower": 0.8},
    "demoted": {"trials": 10, "upper": 0.8},
    "retired": {"trials": 10, "upper": 0.3},
}


def rules_of(library: Library) -> dict[str, Mapping[str, float]]:
    """Return the rules of a library, defaults filled in."""
    overrides = library.settings.settings.get("trust", {})
    return {name: {**rule, **overrides.get(name, {})} for name, rule in RULES.items()}


def status_by_evidence(
    status: str, successes: float, failures: float, rules: Mapping[str, Mapping[str, float]]
) -> str:
    """Return the status that the evidence asks for; often the one that there is."""
    trials = successes + failures
    low, high = credible_interval(1.0 + successes, 1.0 + failures)

    def above(name: str) -> bool:
        return trials >= rules[name]["trials"] and low >= rules[name]["lower"]

    def below(name: str) -> bool:
        return trials >= rules[name]["trials"] and high < rules[name]["upper"]

    if status == "retired" or below("retired"):
        return "retired"
    if status == "trusted":
        return "provisional" if below("demoted") else "trusted"
    if above("trusted"):
        return "trusted"
    if status == "draft" and above("provisional"):
        return "provisional"
    return status


def propose_status(library: Library, ledger: Ledger) -> Iterator[Proposal]:
    """Yield a proposal for each file whose status the evidence contradicts."""
    rules = rules_of(library)
    counts = played_counts(ledger)
    items: list[Procedure | MetaProcedure] = [*library.metas.values()]
    run = {
        place.run for meta in library.metas.values() if meta.status != "retired"
        for place in meta.plan
    }  # fmt: skip
    for item in [*items, *library.procedures.values()]:
        if item.locked:
            continue
        good, bad = counts_of(counts, item)
        status = status_by_evidence(item.status, good, bad, rules)
        if status == item.status or (status == "retired" and item.id in run):
            continue  # what a plan still runs goes after the plan
        low, high = credible_interval(1.0 + good, 1.0 + bad)
        why = (
            f"In use it worked {counted(good, 'time')} and failed {counted(bad, 'time')}; its rate "
            f"is between {low:.3f} and {high:.3f} (95 %). By the rules of library.yaml it is "
            f"{status}."
        )
        yield _change(item, status, why, good, bad)


def _change(
    item: Procedure | MetaProcedure, status: str, why: str, good: float, bad: float
) -> Proposal:
    """Return the change of a status, with the successes and failures that speak for it."""
    document = item.to_document()
    return make_proposal(
        "retire" if status == "retired" else "status",
        why,
        target=item.id,
        old=[document],
        new=[{**document, "status": status}],
        counts={"successes": good, "failures": bad},
    )
