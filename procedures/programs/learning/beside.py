"""What lay beside a demonstrated moment: what could have been done elsewhere, and was not wanted.

A program prefers a step wherever it can be done. So the contrast of a step are not only moments at
which it could be done and was not, but also places to which the demonstrator did not go to do it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...episodes.history import Done, History
from ..conditions import all_hold, words_of
from ..program import Step, ready, searches
from ..searching.places import Map
from ..searching.planning import arrived
from ..sources import candidates
from .moments import Guarding, Moment

__all__ = ["beside", "without"]

_MOST = 3
"""Other places of which is thought at each moment."""


def beside(
    steps: Mapping[str, Step], history: History, ahead: Sequence[Done], number: int
) -> Iterator[Moment]:
    """Yield what would have been known elsewhere.

    Where the demonstrator is or went, and places of the same kind, are no contrast.

    Args:
        steps: The program's steps.
        history: At the moment.
        ahead: What was done then.
        number: Of the moment.
    """
    move = next((step for step in steps.values() if searches(step)), None)
    if move is None or not isinstance(history.memory, Map):
        return
    walk = [call for n, call in enumerate(ahead) if all(c.step == move.id for c in ahead[: n + 1])]
    area = history.memory
    last = next((call for call in reversed(history.calls) if call.operator == move.operator), None)
    near = {_kind_of(call) for call in (*walk, last) if call is not None}
    others = [
        call
        for value in candidates(move.sources[0], history)
        if _kind_of(call := Done(move.id, move.operator, (value,))) not in near
        and (area.places.by_name or area.leads(area.here, call) is not None)
        and area.leads(area.here, call) != area.here
    ]
    turn = len(history.calls) + len(history.task)  # not the same ones each time
    for each in range(min(_MOST, len(others))):
        call = others[(turn + each * (len(others) // _MOST + 1)) % len(others)]
        moment = _moment(steps, arrived(history, call), number)
        if moment.open:
            yield moment
    then = history
    for call in walk:
        known = isinstance(then.memory, Map) and then.memory.leads(then.memory.here, call)
        if known is None and not area.places.by_name:
            return
        then = arrived(then, call)
    if walk:
        yield _moment(steps, then, number, ahead=True)


def _kind_of(call: Done) -> tuple[str, ...]:
    """Return what a place shares with others of its kind: the words of its name."""
    return words_of(" ".join(call.arguments)) or call.arguments


def _moment(
    steps: Mapping[str, Step], history: History, number: int, *, ahead: bool = False
) -> Moment:
    could = (each.id for each in steps.values() if not searches(each) and ready(each, history))
    return Moment(history, None, frozenset(could), number, ahead)


def without(
    moments: Sequence[Moment], left: int, settled: int, step: str, guarding: Guarding
) -> int:
    """Return the moments that are left when a step stands in the program.

    Moments at which it is done are settled, and those from which one goes to do it; and what lay
    beside them.

    Args:
        moments: All moments.
        left: Those that are left, as bits.
        settled: Those at which the step is done.
        step: The step.
        guarding: Its guards.
    """
    left &= ~settled
    for moment in moments:
        if moment.ahead and step in moment.open and moment.beside is not None:
            guards = guarding.guards
            if not guards or any(all_hold(g.when, moment.history) for g in guards):
                left &= ~(1 << moment.beside)
    for i, moment in enumerate(moments):
        if moment.beside is not None and not left >> moment.beside & 1:
            left &= ~(1 << i)
    return left
