"""Wandering: which possible action to try where nothing is known yet.

An action is worth trying for the words it shares with the task, rare ones first, and the less it
was tried in the same situation, by count. A situation is named by what is possible in it, so that
what was in vain before may be tried again once something has changed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from ..procedures.common.text import tokens
from .context import MaclaContext
from .state import MaclaState, history_of

_HERE = 1.0
"""What one try of an action in the same situation takes off its worth."""
_EVER = 0.2
"""What one try of it anywhere takes off."""
_MEANING = 0.5
"""Weight of how near it is to the task in meaning, against one rare word shared."""


def wander(state: MaclaState, context: MaclaContext) -> str | None:
    """Return the possible action that is most worth trying; None where there is none."""
    possible = state["world"]["admissible"] or []
    if not possible:
        return None
    history = history_of(state)
    marks = ["", *state["marks"]]
    here = marks[len(history)] if len(history) < len(marks) else ""
    ever = Counter(entry[0] for entry in history)
    same = Counter(entry[0] for mark, entry in zip(marks, history, strict=False) if mark == here)
    weights = _rarity(possible, set(tokens(state["task"])))
    rng = context.rng(state)
    order = list(possible)
    rng.shuffle(order)

    def worth(action: str) -> float:
        shared = sum(weights.get(word, 0.0) for word in dict.fromkeys(tokens(action)))
        tried = _HERE * same[action] + _EVER * ever[action]
        return shared - tried + _MEANING * context.knowledge.similarity(action, state["task"])

    return max(order, key=worth)


def _rarity(possible: Sequence[str], wanted: set[str]) -> dict[str, float]:
    """Task's words → weight in [0, 1], by how few of the possible actions have them."""
    seen: Counter[str] = Counter()
    for action in possible:
        seen.update(wanted.intersection(tokens(action)))
    top = math.log(1 + len(possible))
    return {word: math.log((1 + len(possible)) / count) / top for word, count in seen.items()}
