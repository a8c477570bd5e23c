"""From credible recovery rules to changed procedures, as proposals that a person can read.

A procedure is changed by its own experiments alone; the same step of several is one proposal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..conditions.text_patterns import instantiate, quoted, renamed, template_parameters
from ..episodes.trajectories import Trajectory
from ..evidence.posterior import posterior_parameters
from ..evidence.priors import UNIFORM
from ..method.settings import Method
from ..method.utility import Candidate, expected_utility
from ..proposals.causes import by_cause
from ..proposals.proposal import Contrast, Document, Proposal, Replay, make_proposal
from ..words.lexicon import Lexicon, frame_of
from .occasions import about, occasions_of
from .past import Past
from .recovery import Recovery, RecoveryEvidence

__all__ = ["Repair", "propose_repairs", "repaired", "repairs_of"]

_STEP_COST = 0.02
"""What one more action costs, as a share of R_max: one of the 50 of an episode."""
_MOST_RUNS = 20
"""Most episodes named in a contrast set."""


@dataclass(frozen=True, slots=True)
class Repair:
    """One recovery rule as a step of one procedure.

    Attributes:
        rule: The rule, with what the procedure itself saw of it.
        position: Index of the step after which the new one stands.
        step: The new step's document.
        there: Expected utility of going on there as it is.
        there_after: The same with the new step, its cost taken off.
    """

    rule: Recovery
    position: int
    step: Mapping[str, Any]
    there: float
    there_after: float


def repairs_of(
    document: Document,
    evidence: RecoveryEvidence,
    lexicon: Lexicon,
    episodes: Sequence[Trajectory] | Past = (),
    method: Method | None = None,
) -> list[Repair]:
    """Find the rules that a procedure's own experiments support and that are worth a step in it.

    Args:
        document: A procedure's document.
        evidence: Experiments.
        lexicon: Reads the episodes.
        episodes: Where going on without the new step is known to have worked or not.
        method: Expected utility and the prior; a prior that is fitted (None) is to be given as
            fitted, or is uniform.
    """
    method = method or Method()
    past = episodes if isinstance(episodes, Past) else Past(lexicon, episodes)
    found: list[Repair] = []
    steps = document["steps"]
    present = {step.get("do") for step in steps}
    for known in evidence.rules(_ordinary(steps)):
        rule = evidence.own_rule(document["id"], known)
        if rule is None:
            continue
        for position, step in enumerate(steps[:-1]):
            new = _step(rule, step.get("do") or "")
            if new is None or new["do"] in present:
                continue
            later = {frame_of(each["do"]) for each in steps[position + 1 :] if each.get("do")}
            free = rule.free + past.went_on(rule.after, rule.blocked, later)
            repair = _valued(rule, position, new, free, method)
            if repair.there_after > repair.there:
                found.append(repair)
                present.add(new["do"])
    return found


def repaired(document: Document, repairs: Sequence[Repair]) -> dict[str, Any]:
    """Return the document with the new steps; everything else as it was."""
    steps = list(document["steps"])
    for repair in sorted(repairs, key=lambda each: -each.position):
        steps.insert(repair.position + 1, dict(repair.step))
    return {**document, "steps": steps}


def propose_repairs(
    documents: Iterable[Document],
    evidence: RecoveryEvidence,
    lexicon: Lexicon,
    episodes: Sequence[Trajectory] | Past = (),
    *,
    method: Method | None = None,
    trials: Callable[[str], tuple[float, float]] = lambda _: (0.0, 0.0),
    replay: Callable[[Proposal], Replay | None] = lambda _: None,
) -> list[Proposal]:
    """Propose, for each procedure that its own experiments support rules for, a version with them.

    Args:
        documents: Procedures of the library.
        evidence: Experiments.
        lexicon: Reads the episodes.
        episodes: Demonstrations and own episodes; contrast sets name some of them.
        method: As for :func:`repairs_of`.
        trials: Returns successes and failures of a procedure as it stands; the expected utility
            of both versions is made of them.
        replay: Replays a proposal over stored episodes.
    """
    past = episodes if isinstance(episodes, Past) else Past(lexicon, episodes)
    method = method or Method()
    proposals: list[Proposal] = []
    for document in documents:
        repairs = repairs_of(document, evidence, lexicon, past, method)
        if not repairs:
            continue
        new = {**repaired(document, repairs), "version": document["version"] + 1}
        good, bad = trials(document["id"])
        before, after = _utilities(good, bad, repairs, method)
        made = make_proposal(
            "refine",
            " ".join(_rationale(repair) for repair in repairs),
            target=document["id"],
            old=[document],
            new=[new],
            contrast=_contrast(document["id"], [r.rule for r in repairs], lexicon, past),
            counts={
                "repaired": sum(repair.rule.successes for repair in repairs),
                "not_repaired": sum(repair.rule.failures for repair in repairs),
            },
            eu_before=round(before, 4),
            eu_after=round(after, 4),
        )
        proposals.append(replace(made, replay=replay(made)))
    return by_cause(proposals, replay)


def _ordinary(steps: Iterable[Document]) -> set[tuple[str, str]]:
    """(frame, pattern over its slots) of what the steps expect to observe."""
    found: set[tuple[str, str]] = set()
    for step in steps:
        do, expect = step.get("do") or "", step.get("expect", ())
        slots = {name: f"{{{i}}}" for i, name in enumerate(template_parameters(do))}
        for pattern in (expect,) if isinstance(expect, str) else expect:
            if set(template_parameters(pattern.replace("*", ""))) <= slots.keys():
                found.add((frame_of(do), renamed(pattern, slots)))
    return found


def _step(rule: Recovery, preceding: str) -> dict[str, Any] | None:
    """Write a rule as a step after one of its preceding template, in the names used there."""
    if not preceding or frame_of(preceding) != rule.after:
        return None
    names = {str(i): "{" + name + "}" for i, name in enumerate(template_parameters(preceding))}
    step: dict[str, Any] = {
        "do": renamed(rule.do, names),
        "when": f"observed({quoted(renamed(rule.blocked, names))})",
    }
    if rule.expect:
        step["expect"] = renamed(rule.expect, names)
    return step


def _valued(
    rule: Recovery,
    position: int,
    step: Mapping[str, Any],
    free: float,
    method: Method,
) -> Repair:
    stuck = rule.stuck
    helped = stuck * rule.rate

    def utility(good: float, bad: float) -> float:
        posterior = posterior_parameters(good, bad, method.prior or UNIFORM)
        rated = Candidate("step", 1.0, *posterior, bad / (good + bad))
        return expected_utility(rated, method.preset).expected

    before = utility(free, stuck)
    cost = _STEP_COST * method.preset.weights.reward_max
    after = utility(free + helped, stuck - helped) - cost
    return Repair(rule, position, step, before, after)


def _utilities(
    good: float, bad: float, repairs: Iterable[Repair], method: Method
) -> tuple[float, float]:
    """Return the expected utility of a version by its trials, and that with new steps.

    Of its failures the steps mend those that the obstacles explain, as often as they help; each
    costs an action where it is done.
    """
    alpha, beta = posterior_parameters(good, bad, method.prior or UNIFORM)
    trials, left, cost = alpha + beta, beta, 0.0
    for repair in repairs:
        left -= min(left, repair.rule.stuck) * repair.rule.rate
        cost += _STEP_COST * repair.rule.stuck / (trials + repair.rule.stuck)
    risk = bad / (good + bad) if good + bad else 0.0
    before = Candidate("", 1.0, alpha, beta, risk)
    after = Candidate("", 1.0, trials - left, left, risk * left / beta)
    preset = method.preset
    # What is not known of either is no reason for a change.
    mended = expected_utility(after, preset).expected - cost * preset.weights.reward_max
    return expected_utility(before, preset).expected, mended


def _rationale(repair: Repair) -> str:
    rule, step = repair.rule, repair.step
    tried = rule.successes + rule.failures
    return (
        f"Here the world answered {_plain(rule.blocked)!r} after {_plain(rule.after)!r} "
        f"{rule.stuck + rule.free:g} times; {rule.stuck:g} times the next step was not possible, "
        f"or nothing was revealed. In its own experiments {_plain(rule.do)!r} made it possible "
        f"{rule.successes:g} times of {tried:g}, so "
        f"{step['do']!r} is done there: going on there is worth {repair.there:.3f} without it and "
        f"{repair.there_after:.3f} with it."
    )


def _plain(template: str) -> str:
    """Write a template for people: slots as dots."""
    names = template_parameters(template)
    return instantiate(template, dict.fromkeys(names, "…")) or template


def _contrast(
    name: str, rules: Sequence[Recovery], lexicon: Lexicon, episodes: Iterable[Trajectory]
) -> Contrast:
    """Name episodes in which a procedure's trials of the rules helped, and others."""
    good: list[str] = []
    bad: list[str] = []
    keys = {(rule.after, rule.blocked) for rule in rules}
    for episode in episodes:
        for occasion in occasions_of(episode):
            if occasion.procedure != name or not occasion.blocked or not episode.id:
                continue
            observation = episode.obs[occasion.after + 1]
            frame, _, patterns = about(lexicon, episode.acts[occasion.after], observation)
            if any((frame, pattern) in keys for pattern in patterns):
                helped = any(worked for _, worked in occasion.trials)
                (good if helped else bad).append(episode.id)
    return Contrast(
        successes=tuple(dict.fromkeys(good))[-_MOST_RUNS:],
        failures=tuple(dict.fromkeys(bad))[-_MOST_RUNS:],
    )
