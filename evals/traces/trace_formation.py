"""What plan an episode speaks for: the formation of a meta-procedure, with its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ...graph.knowledge import Knowledge
from ...procedures.common.errors import TrajectoryError
from ...procedures.episodes.trajectories import Trajectory, read_trajectories
from ...procedures.evidence.posterior import posterior_mean
from ...procedures.refinement.forming import (
    FormationRule,
    Formed,
    form_plans,
    goal_template,
    same_goal,
)
from ...procedures.refinement.traces import relevant, trace_of

__all__ = ["formation", "played_before"]


def formation(
    episode: Trajectory,
    before: Sequence[Trajectory],
    knowledge: Knowledge,
    rule: FormationRule,
) -> dict[str, Any]:
    """Say which plan an episode speaks for, what it is worth, and whether it would be formed.

    Args:
        episode: The episode that was played.
        before: Episodes that were played earlier.
        knowledge: What it was played with.
        rule: When procedures that occur together become a plan.

    Returns:
        The goal's template, the procedures that were carried out, the plan that the library has
        for this goal already, and the candidate with f, ℓ, c_store, E[ΔR] and V(MP); see
        ``trace.schema.json``.
    """
    procedures, lexicon = knowledge.procedures, knowledge.lexicon
    traces = [
        trace_of(each, procedures.values(), lexicon, knowledge.outcomes)
        for each in (*before, episode)
    ]
    own = relevant(traces[-1], lexicon)
    goal, _ = goal_template(own, lexicon)
    known = sorted(
        meta.ref
        for meta in knowledge.metas.values()
        if meta.status != "retired" and same_goal(meta.goal, goal)
    )
    # Whatever is known already, and however often it was seen: the numbers say what is missing.
    found = form_plans(
        traces, procedures, lexicon, (), replace(rule, support=1, share=0.0, by_value=False)
    )
    shown = next((each for each in found if same_goal(str(each.document["goal"]), goal)), None)
    return {
        "goal": goal,
        "carried_out": [procedures[name].ref for name in own.shape],
        "known": known[0] if known else None,
        "rule": asdict(rule),
        "candidate": None if shown is None else _candidate(shown, rule),
        "formed": shown is not None and not known and _reaches(shown, rule),
    }


def played_before(library: Path) -> list[Trajectory]:
    """Return the episodes that a library keeps of its own play; the file is left as it is."""
    found: list[Trajectory] = []
    file = library / ".macla" / "episodes.jsonl"
    if file.exists():
        try:
            found.extend(read_trajectories(file))
        except TrajectoryError:
            return found  # half a line, which a crash or a writer at work left
    return found


def _candidate(shown: Formed, rule: FormationRule) -> dict[str, Any]:
    uses = shown.solved + shown.lost
    length = len(shown.document["plan"]) - 1
    solved, lost = shown.others
    gain = posterior_mean(1.0 + shown.solved, 1.0 + shown.lost)
    gain -= posterior_mean(1.0 + solved, 1.0 + lost)
    return {
        "plan": [place["run"] for place in shown.document["plan"]],
        "episodes": shown.of,
        "solved": shown.solved,
        "lost": shown.lost,
        "other_ways": {"solved": solved, "lost": lost},
        "frequency": uses / shown.of,
        "length": length,
        "storage": rule.storage,
        "gain": uses / shown.of * gain,
        "value": shown.value,
    }


def _reaches(shown: Formed, rule: FormationRule) -> bool:
    """Tell whether a plan is formed under the rule as it stands."""
    return (
        len(shown.document["plan"]) >= rule.least
        and shown.solved >= max(rule.support, rule.share * shown.of)
        and (not rule.by_value or shown.value > 0.0)
    )
