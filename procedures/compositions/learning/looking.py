"""Which actions list names: those whose results hold what later texts are made of."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from ...trajectories import Trajectory
from ..listings import rows_of
from ..names import BLANK, LookUp
from ..tokens import join, Token, text_tokens

__all__ = ["learn_look_ups"]

_LEAST = 2
_SHARE = 0.5


def learn_look_ups(demonstrations: Sequence[Trajectory]) -> tuple[LookUp, ...]:
    """Return the actions that list names, those first whose names are used most; of both levels."""
    tops = _ranked(demonstrations, None)
    if not tops:
        return ()
    first = LookUp(tops[0][0])
    told = {
        row[0].casefold()
        for shown in demonstrations
        for action, result in zip(shown.acts, shown.obs[1:], strict=True)
        if first.about(action) is not None
        for row in rows_of(result)
    }
    inner = _ranked(demonstrations, frozenset(told))
    return (first, *(LookUp(text) for text, _ in inner))


def _ranked(
    demonstrations: Sequence[Trajectory], world: frozenset[str] | None
) -> list[tuple[str, int]]:
    """Return skeletons of actions, by how many names that they told are used later."""
    used: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    good: Counter[str] = Counter()
    for shown in demonstrations:
        later: set[str] = set()
        texts = list(zip(shown.acts, shown.obs[1:], strict=True))
        for action, result in reversed(texts):
            skeleton = _skeleton(action, world)
            names = {row[0].casefold() for row in rows_of(result)}
            if skeleton and names:
                calls[skeleton] += 1
                used[skeleton] += len(names & later)
                good[skeleton] += bool(names & later)
            later |= {t.text.casefold() for t in text_tokens(action)}
    return [
        (skeleton, n)
        for skeleton, n in used.most_common()
        if calls[skeleton] >= _LEAST and good[skeleton] >= _SHARE * calls[skeleton]
    ]


def _skeleton(action: str, world: frozenset[str] | None) -> str:
    """Return an action with a blank for the one name in it; empty if it has several or, of a world, none."""
    tokens = text_tokens(action)
    if world is None:
        return join(tokens)
    out, blanks = [], 0
    for token in tokens:
        inner = token.quoted
        if token.is_word and token.text.casefold() in world:
            out.append(Token(BLANK, token.gap))
            blanks += 1
        elif inner is not None and inner.casefold() in world:
            out.append(Token(f"{token.text[0]}{BLANK}{token.text[-1]}", token.gap))
            blanks += 1
        else:
            out.append(token)
    return join(out) if blanks == 1 else ""
