"""Groups of demonstrations: by their tasks and operators, or by their actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...common.sampling import sample
from ...episodes.action_operators import learn_grammar
from ...episodes.tokens import Tokens, tokens
from ...episodes.trajectories import Trajectory
from ...episodes.unification import common
from ...episodes.verbs import verbs_of

_LIKE = 0.5
"""Share of words, or of operators, that demonstrations of one kind have in common."""
_MOST = 400
"""Most demonstrations that show how actions are read; more take time."""
_SHOWING = 40
"""Demonstrations of a wording that show its operators."""
_MOST_DO = 0.9
"""Share of the demonstrations from which on an action is too common to tell groups apart."""


def groups_of(demonstrations: Sequence[Trajectory]) -> list[list[Trajectory]]:
    """Return demonstrations grouped by task and operators, the largest group first.

    Tasks that share half of their words, in the same order, ask for the same. So do wordings whose
    demonstrations share half of their operators.
    """
    examples = sample(demonstrations, _MOST)
    grammar = learn_grammar([(each.task, each.obs, each.acts) for each in examples])
    wordings: list[tuple[Tokens, list[Trajectory], set[str]]] = []
    for demonstration in demonstrations:
        task = tokens(demonstration.task)
        similar = (
            w for w in wordings if len(common(w[0], task)) >= _LIKE * max(len(w[0]), len(task))
        )
        wording = next(similar, None)
        if wording is None:
            wording = task, [], set()
            wordings.append(wording)
        _, members, operators = wording
        members.append(demonstration)
        if len(members) <= _SHOWING:
            operators.update(" ".join(grammar.skeleton(action)) for action in demonstration.acts)
    kinds: list[tuple[set[str], list[Trajectory]]] = []
    for _, members, operators in sorted(wordings, key=lambda x: len(x[1]), reverse=True):
        for kind_operators, others in kinds:
            if len(operators & kind_operators) >= _LIKE * len(operators | kind_operators):
                others += members
                break
        else:
            kinds.append((operators, list(members)))
    return sorted((members for _, members in kinds), key=len, reverse=True)


def ways_apart(demonstrations: Sequence[Trajectory]) -> list[list[Trajectory]]:
    """Return groups of demonstrations by their actions, the largest group first.

    Two demonstrations are in one group if they share an action that is not common, or if a chain of
    others links them. Demonstrations with common actions only are in no group. A single group is no
    split, so that the result is empty then.
    """
    verbs_by_demonstration = verbs_of(demonstrations)
    count_by_verb = Counter(verb for verbs in verbs_by_demonstration for verb in verbs)
    rare_verbs = [
        {verb for verb in verbs if count_by_verb[verb] < _MOST_DO * len(verbs_by_demonstration)}
        for verbs in verbs_by_demonstration
    ]
    parts: list[set[str]] = []
    for verbs in filter(None, rare_verbs):
        joined = verbs.union(*(part for part in parts if part & verbs))
        parts = [*(part for part in parts if not part & verbs), joined]
    if len(parts) < 2:
        return []
    members = (
        [
            demonstration
            for demonstration, verbs in zip(demonstrations, rare_verbs, strict=True)
            if verbs & part
        ]
        for part in parts
    )
    return sorted(members, key=len, reverse=True)
