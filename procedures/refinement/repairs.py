"""Turn credible recovery rules into proposals of changed procedures.

Only a procedure's own experiments change it. The same step of several procedures is one proposal.
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

_STEP_COST = 0.02
"""Cost of one more action, as a share of R_max: one of the 50 actions of an episode."""
_MOST_RUNS = 20
"""Most episodes named in a contrast set."""


@dataclass(frozen=True, slots=True)
class Repair:
    """One recovery rule as a step of one procedure.

    Attributes:
        rule: The rule, with the counts of the procedure's own experiments.
        position: Index of the step that the new one follows.
        step: Document of the new step.
        there: Expected utility of going on there without the new step.
        there_after: Expected utility with the new step, less its cost.
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
        evidence: Counted experiments.
        lexicon: Reads the episodes.
        episodes: Episodes that show how often going on works without the new step.
        method: Expected utility and the prior; without a prior (None) it is uniform.
    """
    method = method or Method()
    past = episodes if isinstance(episodes, Past) else Past(lexicon, episodes)
    repairs: list[Repair] = []
    steps = document["steps"]
    actions = {step.get("do") for step in steps}
    for general_rule in evidence.rules(_expected_patterns(steps)):
        rule = evidence.own_rule(document["id"], general_rule)
        if rule is None:
            continue
        for position, step in enumerate(steps[:-1]):
            new = _step(rule, step.get("do") or "")
            if new is None or new["do"] in actions:
                continue
            later_frames = {
                frame_of(each["do"]) for each in steps[position + 1 :] if each.get("do")
            }
            free_count = rule.free + past.went_on(rule.after, rule.blocked, later_frames)
            repair = _repair_with_utility(rule, position, new, free_count, method)
            if repair.there_after > repair.there:
                repairs.append(repair)
                actions.add(new["do"])
    return repairs


def repaired(document: Document, repairs: Sequence[Repair]) -> dict[str, Any]:
    """Return the document with the new steps."""
    steps = list(document["steps"])
    for repair in sorted(repairs, key=lambda each: -each.position):
        steps.insert(repair.position + 1, dict(repair.step))
    return {**document, "steps": steps}


def propose_repairs(
    documents: Iterable[Document],
    evidence: RecoveryEvidence,
    lexicon: Lexicon,
    episodes: Sequence[Trajectory] | Past,
    *,
    method: Method | None = None,
    trials: Callable[[str], tuple[float, float]] = lambda _: (0.0, 0.0),
    replay: Callable[[Proposal], Replay | None] = lambda _: None,
) -> list[Proposal]:
    """Propose a new version of each procedure with rules that its own experiments support.

    Args:
        documents: Procedures of the library.
        evidence: Counted experiments.
        lexicon: Reads the episodes.
        episodes: Demonstrations and own episodes; contrast sets name some of them.
        method: As for :func:`repairs_of`.
        trials: Returns successes and failures of a procedure's current version, from which the
            expected utilities are computed.
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
        proposal = make_proposal(
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
        proposals.append(replace(proposal, replay=replay(proposal)))
    return by_cause(proposals, replay)


def _expected_patterns(steps: Iterable[Document]) -> set[tuple[str, str]]:
    """Return (frame, pattern over its slots) of what the steps expect to observe."""
    patterns_by_frame: set[tuple[str, str]] = set()
    for step in steps:
        do, expect = step.get("do") or "", step.get("expect", ())
        slots = {name: f"{{{i}}}" for i, name in enumerate(template_parameters(do))}
        for pattern in (expect,) if isinstance(expect, str) else expect:
            if set(template_parameters(pattern.replace("*", ""))) <= slots.keys():
                patterns_by_frame.add((frame_of(do), renamed(pattern, slots)))
    return patterns_by_frame


def _step(rule: Recovery, preceding: str) -> dict[str, Any] | None:
    """Write a rule as a step after a preceding template, over its parameters; None if unfit."""
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


def _repair_with_utility(
    rule: Recovery,
    position: int,
    step: Mapping[str, Any],
    free: float,
    method: Method,
) -> Repair:
    stuck = rule.stuck
    helped_count = stuck * rule.rate

    def utility(good: float, bad: float) -> float:
        posterior = posterior_parameters(good, bad, method.prior or UNIFORM)
        rated = Candidate("step", 1.0, *posterior, bad / (good + bad))
        return expected_utility(rated, method.preset).expected

    before = utility(free, stuck)
    cost = _STEP_COST * method.preset.weights.reward_max
    after = utility(free + helped_count, stuck - helped_count) - cost
    return Repair(rule, position, step, before, after)


def _utilities(
    good: float, bad: float, repairs: Iterable[Repair], method: Method
) -> tuple[float, float]:
    """Return the expected utility of a version by its trials, without and with new steps.

    The steps mend the share of failures that the obstacles explain, times the rate at which they
    help. Each use costs an action.
    """
    alpha, beta = posterior_parameters(good, bad, method.prior or UNIFORM)
    trials, remaining_failures, cost = alpha + beta, beta, 0.0
    for repair in repairs:
        remaining_failures -= min(remaining_failures, repair.rule.stuck) * repair.rule.rate
        cost += _STEP_COST * repair.rule.stuck / (trials + repair.rule.stuck)
    risk = bad / (good + bad) if good + bad else 0.0
    before = Candidate("", 1.0, alpha, beta, risk)
    after = Candidate(
        "", 1.0, trials - remaining_failures, remaining_failures, risk * remaining_failures / beta
    )
    preset = method.preset
    # The information terms are left out: ignorance of a version is no reason for a change.
    mended_utility = expected_utility(after, preset).expected - cost * preset.weights.reward_max
    return expected_utility(before, preset).expected, mended_utility


def _rationale(repair: Repair) -> str:
    rule, step = repair.rule, repair.step
    trial_count = rule.successes + rule.failures
    return (
        f"Here the world answered {_plain(rule.blocked)!r} after {_plain(rule.after)!r} "
        f"{rule.stuck + rule.free:g} times; {rule.stuck:g} times the next step was not possible, "
        f"or nothing was revealed. In its own experiments {_plain(rule.do)!r} made it possible "
        f"{rule.successes:g} times of {trial_count:g}, so "
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
    """Return ids of episodes in which a procedure's trials of the rules helped, and of others."""
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
