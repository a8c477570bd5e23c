"""Failure signatures: a world's answers to actions that did nothing or were not understood.

They are learned first, from text alone. A *signature* is one answer to actions of many verbs. It
names nothing of the action that it follows, those verbs usually have another answer, and no success
ends with it. The steps that it follows are removed before learning; since they changed nothing, the
rest is still a true episode.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ..common.text import fold_space, tokens
from ..episodes.trajectories import Trajectory
from ..episodes.verbs import split_verb, verb_end

_LEAST_VERBS = 3
"""Verbs; fewer may share an answer that tells that they worked."""
_LEAST_USES = 5
"""Different actions with one answer; fewer may share it by chance."""
_LONGEST = 300
"""Longest signature, in characters."""
_USUAL = 0.5
"""Share of a verb's uses from which an answer is its usual one."""
_ENDINGS = 0.01
"""Greatest share of successes that may end with a signature, as slips of the log."""


def failure_signatures(trajectories: Sequence[Trajectory]) -> tuple[str, ...]:
    """Learn which answers mean that an action failed, whatever it was.

    Only successes are counted, because a lost agent may do nothing but fail.

    Args:
        trajectories: Episodes of one world, successes and failures.

    Returns:
        Whole answers, normalised, the most frequent first; empty where nothing failed.
    """
    use_count_by_verb: Counter[str] = Counter()
    verb_count_by_answer: dict[str, Counter[str]] = defaultdict(Counter)
    actions_by_answer: dict[str, set[str]] = defaultdict(set)
    naming_answers: set[str] = set()
    ending_count: Counter[str] = Counter()
    successes = 0
    verb_at = verb_end(trajectories)
    for trajectory in trajectories:
        if not trajectory.success or not trajectory.acts:
            continue
        successes += 1
        for action, observation in zip(trajectory.acts, trajectory.obs[1:], strict=True):
            verb, _ = split_verb(action, verb_at)
            use_count_by_verb[verb] += 1
            answer = fold_space(observation)
            if len(answer) <= _LONGEST:
                verb_count_by_answer[answer][verb] += 1
                actions_by_answer[answer].add(fold_space(action).lower())
        ending_count[fold_space(trajectory.obs[-1])] += 1
    for answer, verbs in verb_count_by_answer.items():
        answer_tokens = set(tokens(answer))
        naming_answers.update(
            answer
            for action in (actions_by_answer[answer] if len(verbs) >= _LEAST_VERBS else ())
            if any(
                token in answer_tokens and token[0].isalnum()
                for token in split_verb(action, verb_at)[1]
            )
        )
    signatures = [
        (sum(verbs.values()), answer)
        for answer, verbs in verb_count_by_answer.items()
        if answer
        and answer not in naming_answers
        and len(verbs) >= _LEAST_VERBS
        and len(actions_by_answer[answer]) >= _LEAST_USES
        and ending_count[answer] <= _ENDINGS * successes
        and _is_exception(verbs, use_count_by_verb)
    ]
    return tuple(answer for _, answer in sorted(signatures, key=lambda item: (-item[0], item[1])))


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
    failure_answers = frozenset(signatures)
    steps = [
        (action, observation)
        for action, observation in zip(trajectory.acts, trajectory.obs[1:], strict=True)
        if fold_space(observation) not in failure_answers
    ]
    if len(steps) == len(trajectory.acts):
        return trajectory
    return replace(
        trajectory,
        acts=tuple(action for action, _ in steps),
        obs=(trajectory.obs[0], *(observation for _, observation in steps)),
    )
