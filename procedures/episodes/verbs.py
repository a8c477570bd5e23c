"""Verbs stand at one end of a world's actions; observations do not name them beforehand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..common.sampling import sample
from ..common.text import tokens
from .tokens import words_of
from .trajectories import Trajectory

_ENDS = (0, -1)
_MOST = 150
"""Most demonstrations that show where verbs stand: their actions number a thousand or more."""


def verb_end(demonstrations: Sequence[Trajectory]) -> int:
    """Return where verbs stand: 0 for the beginning of actions, -1 for the end.

    At the other end stand things, which observations name before they are acted on.
    """
    observed_count: Counter[int] = Counter()
    for demonstration in sample(demonstrations, _MOST):
        observed_words: set[str] = set()
        for action, observation in zip(demonstration.acts, demonstration.obs, strict=False):
            observed_words.update(tokens(observation))
            parts = tokens(action)
            observed_count.update(at for at in _ENDS if parts and parts[at] in observed_words)
    return min(_ENDS, key=lambda at: observed_count[at])


def verbs_of(demonstrations: Sequence[Trajectory]) -> list[frozenset[str]]:
    """Return the verbs of each demonstration."""
    at = verb_end(demonstrations)
    return [_end_words(each, at) for each in demonstrations]


def split_verb(action: str, at: int) -> tuple[str, tuple[str, ...]]:
    """Return the verb of an action and its other tokens, in lower case.

    Args:
        action: The action; without a token its verb is empty.
        at: Where verbs stand, as :func:`verb_end` says.
    """
    parts = tokens(action)
    verb = parts[at] if parts else ""
    return verb, parts[1:] if at == 0 else parts[:-1]


def _end_words(demonstration: Trajectory, at: int) -> frozenset[str]:
    """Return the words at one end of the actions of a demonstration."""
    action_words = (words_of(action.casefold()) for action in demonstration.acts)
    return frozenset(words[at] for words in action_words if words)
