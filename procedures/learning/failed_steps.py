"""Failure signatures: what a world answers when an action did nothing or was not understood.

Told from text alone, before anything else is learned: a *signature* is one and the same answer to
actions of many kinds, it names nothing of the action that it follows, the same kinds of action
usually have another answer, and no success ends with it. Steps that it follows are taken out of
what is learned from; since they changed nothing, what is left is still a true episode.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ..common.text import first_token, fold_space, tokens
from ..episodes.trajectories import Trajectory

__all__ = ["failure_signatures", "without_failed_steps"]

_LEAST_VERBS = 3
"""Fewer kinds of action than this may share an answer that tells that they worked."""
_LEAST_USES = 5
_LONGEST = 300
"""Longest signature, in characters."""
_USUAL = 0.5
"""Share of a verb's uses from which an answer is its usual one."""
_ENDINGS = 0.01
"""Most successes, as a share, that may end with a signature: a slip of the log, not a pattern."""


def failure_signatures(trajectories: Sequence[Trajectory]) -> tuple[str, ...]:
    """Learn which answers mean that an action failed, whatever it was.

    Contrast needs successes: how often a verb fails is counted in them alone, because an agent
    that is lost may do nothing else.

    Args:
        trajectories: Episodes of one world, successes and failures.

    Returns:
        Whole answers, normalised, the most frequent first; empty where nothing failed.
    """
    uses: Counter[str] = Counter()
    after: dict[str, Counter[str]] = defaultdict(Counter)
    actions: dict[str, set[str]] = defaultdict(set)
    naming: set[str] = set()
    endings: Counter[str] = Counter()
    successes = 0
    for trajectory in trajectories:
        if not trajectory.success or not trajectory.acts:
            continue
        successes += 1
        for action, observation in zip(trajectory.acts, trajectory.obs[1:], strict=True):
            verb = first_token(action.lower())
            uses[verb] += 1
            answer = fold_space(observation)
            if len(answer) <= _LONGEST:
                after[answer][verb] += 1
                actions[answer].add(fold_space(action).lower())
        endings[fold_space(trajectory.obs[-1])] += 1
    for answer, verbs in after.items():
        spoken = set(tokens(answer))
        naming.update(
            answer
            for action in (actions[answer] if len(verbs) >= _LEAST_VERBS else ())
            if any(token in spoken and token[0].isalnum() for token in tokens(action)[1:])
        )
    found = [
        (sum(verbs.values()), answer)
        for answer, verbs in after.items()
        if answer
        and answer not in naming
        and len(verbs) >= _LEAST_VERBS
        and len(actions[answer]) >= _LEAST_USES
        and endings[answer] <= _ENDINGS * successes
        and _is_exception(verbs, uses)
    ]
    return tuple(answer for _, answer in sorted(found, key=lambda item: (-item[0], item[1])))


def _is_exception(verbs: Counter[str], uses: Counter[str]) -> bool:
    """Tell whether most of an answer's occurrences follow verbs that usually have another."""
    unusual = [verb for verb, count in verbs.items() if count < _USUAL * uses[verb]]
    occurrences = sum(verbs.values())
    return (
        len(unusual) >= _LEAST_VERBS
        and sum(verbs[verb] for verb in unusual) >= _USUAL * occurrences
    )


def without_failed_steps(trajectory: Trajectory, signatures: Sequence[str]) -> Trajectory:
    """Return an episode without the steps that a signature follows."""
    if not signatures:
        return trajectory
    known = frozenset(signatures)
    kept = [
        (action, observation)
        for action, observation in zip(trajectory.acts, trajectory.obs[1:], strict=True)
        if fold_space(observation) not in known
    ]
    if len(kept) == len(trajectory.acts):
        return trajectory
    return replace(
        trajectory,
        acts=tuple(action for action, _ in kept),
        obs=(trajectory.obs[0], *(observation for _, observation in kept)),
    )
