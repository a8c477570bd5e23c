"""A world that is laid out with its expert's calls; what changes something is compared with them.

The worlds of :mod:`.third`, of :mod:`.fourth` and of their held halves are written so:
:meth:`Desk.begin` draws an episode and writes down what somebody who knows the rules would do, and
:meth:`Desk.answer` tells what each call says.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import ClassVar

from ..ladder.world import Call, Fact, Result, World

__all__ = ["Desk", "refused"]


class Desk(World):
    """Base of worlds whose calls are judged when the final one comes.

    Attributes:
        finals: Operators that end the episode.
        changing: Other operators that change something; looking at things is not among them.
        irrevocable: Those of ``changing`` that end the episode where they are wrong.
        free: Operators that take any text; the others only what ``offered`` lists.
        counted: Whether doing the same thing twice is wrong.
        plan: The calls of somebody who knows the rules, in order; set by :meth:`begin`.
        offered: What is listed besides them; set by :meth:`begin`.
        made: The changing calls so far.
        out_of_turn: Whether something was done before it could be right; set by :meth:`answer`.
    """

    finals: ClassVar[tuple[str, ...]]
    changing: ClassVar[tuple[str, ...]] = ()
    irrevocable: ClassVar[tuple[str, ...]] = ()
    free: ClassVar[tuple[str, ...]] = ()
    counted: ClassVar[bool] = False

    plan: Sequence[Call]
    offered: Sequence[Call]
    made: list[Call]
    out_of_turn: bool

    def lay_out(self, plan: Sequence[Call], offered: Sequence[Call]) -> None:
        """Set what is right and what is listed; nothing is made yet."""
        self.plan, self.offered, self.made = plan, offered, []
        self.out_of_turn = False

    def possible(self) -> list[Call]:
        """Return all that is listed, once each."""
        return [*dict.fromkeys([*self.offered, *self.plan])]

    def accepts(self, wanted: Call) -> bool:
        """Any text goes where texts are free."""
        return wanted.operator in self.free or wanted in self.plan or wanted in self.offered

    def do(self, wanted: Call) -> Result:
        """Answer a call; judge those that change something."""
        result = self.answer(wanted)
        if refused(result):
            return result
        if wanted.operator in (*self.changing, *self.finals):
            self.made.append(wanted)
        if wanted.operator in self.irrevocable and wanted not in self.plan:
            self.end(won=False)
        if wanted.operator in self.finals:
            right = self._judged(self.made) == self._judged(self.plan)
            self.end(won=right and not self.out_of_turn)
        return result

    def expert(self) -> Iterator[Call]:
        """Yield the calls that were written down."""
        yield from self.plan

    def times(self, wanted: Call) -> int:
        """Return how often a changing call was made so far."""
        return self.made.count(wanted)

    def overwrite(self, wanted: Call, argument: str) -> None:
        """Forget what was typed into the same field before: it holds what was typed last."""
        self.made = [
            each
            for each in self.made
            if each.operator != wanted.operator or each[argument] != wanted[argument]
        ]

    @abstractmethod
    def answer(self, wanted: Call) -> Result:
        """Return what a call says; a result that :func:`refused` knows changes nothing."""

    def _judged(self, calls: Sequence[Call]) -> Counter[Call]:
        kinds = (*self.changing, *self.finals)
        tally = Counter(each for each in calls if each.operator in kinds)
        return tally if self.counted else Counter(dict.fromkeys(tally, 1))


def refused(result: Result) -> bool:
    """Say whether a result tells that nothing was done: its fact has an ``error``."""
    return any(isinstance(part, Fact) and "error" in part.data for part in result)
