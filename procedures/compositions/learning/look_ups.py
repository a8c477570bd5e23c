"""Which actions list names: those whose results hold what later texts are made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...episodes.trajectories import Trajectory
from ..listed_names import BLANK, LookUp
from ..listings import rows_of
from ..text_tokens import Token, join, text_tokens

_LEAST_CALLS = 2
"""Fewest calls, and fewest different names in them, of an action that is a look-up."""
_LEAST_USED_SHARE = 0.5
"""Least share of the calls whose results hold a name that is used later."""
_SHORT_RATIO = 0.6
"""Most letters for one name, as a share of the first look-up's, of a look-up that is short."""


@dataclass
class _Calls:
    """Calls of one action.

    Attributes:
        asked: Names that it asked about.
        number: How many calls there were.
        good: How many told a name that is used later.
        used: How many names they told that are used later.
        names: How many names they told.
        letters: In how many letters.
    """

    asked: set[str] = field(default_factory=set)
    number: int = 0
    good: int = 0
    used: int = 0
    names: int = 0
    letters: int = 0


def learn_look_ups(demonstrations: Sequence[Trajectory]) -> tuple[tuple[LookUp, ...], str]:
    """Return the actions that list names, and the one that does it in few letters.

    The first asks about nothing; of the others those whose names are used most come first. The
    short one is empty where none is much shorter than the first of these.
    """
    tops = _rank_actions(demonstrations, None)
    if not tops:
        return (), ""
    first = LookUp(tops[0][0])
    listed_names = {
        row[0].casefold()
        for demonstration in demonstrations
        for action, result in zip(demonstration.acts, demonstration.obs[1:], strict=True)
        if first.about(action) is not None
        for row in rows_of(result)
    }
    inner = _rank_actions(demonstrations, frozenset(listed_names))
    size = {text: calls.letters / calls.names for text, calls in inner}
    short = min(size, key=size.__getitem__, default="")
    if short and size[short] > _SHORT_RATIO * size[inner[0][0]]:
        short = ""
    return (first, *(LookUp(text) for text, _ in inner)), short


def _rank_actions(
    demonstrations: Sequence[Trajectory], world: frozenset[str] | None
) -> list[tuple[str, _Calls]]:
    """Return actions with a blank for a name, by how many names that they told are used later."""
    calls_by_skeleton: dict[str, _Calls] = defaultdict(_Calls)
    for demonstration in demonstrations:
        later: set[str] = set()
        for action, result in reversed(
            [*zip(demonstration.acts, demonstration.obs[1:], strict=True)]
        ):
            skeleton, name = _skeleton(action, world)
            names = {row[0].casefold() for row in rows_of(result)}
            if skeleton and names:
                calls = calls_by_skeleton[skeleton]
                calls.asked.add(name)
                calls.number += 1
                calls.good += bool(names & later)
                calls.used += len(names & later)
                calls.names += len(names)
                calls.letters += len(result)
            later |= {t.text.casefold() for t in text_tokens(action)}
    least = _LEAST_CALLS if world is not None else 1
    fits = [
        (text, calls)
        for text, calls in calls_by_skeleton.items()
        if calls.number >= _LEAST_CALLS
        and len(calls.asked) >= least
        and calls.good >= _LEAST_USED_SHARE * calls.number
    ]
    return sorted(fits, key=lambda each: (-each[1].used, each[0]))


def _skeleton(action: str, world: frozenset[str] | None) -> tuple[str, str]:
    """Return an action with a blank for the one name in it, and that name.

    It is empty if there are several names, or, of a known world, none.
    """
    tokens = text_tokens(action)
    if world is None:
        return join(tokens), ""
    blanked: list[Token] = []
    names: list[str] = []
    for token in tokens:
        inner = token.quoted
        if token.is_word and token.text.casefold() in world:
            blanked.append(Token(BLANK, token.gap))
            names.append(token.text.casefold())
        elif inner is not None and inner.casefold() in world:
            blanked.append(Token(f"{token.text[0]}{BLANK}{token.text[-1]}", token.gap))
            names.append(inner.casefold())
        else:
            blanked.append(token)
    return (join(blanked), names[0]) if len(names) == 1 else ("", "")
