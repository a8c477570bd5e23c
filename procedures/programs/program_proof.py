"""Teacher-forced proof of a program on demonstrations that were held out by folds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from dataclasses import dataclass, replace

from ..episodes.facts import UNREAD, Fact
from ..episodes.history import History
from .learning.lessons import Lesson
from .learning.program_learner import learn_program
from .program import Program
from .replaying import Divergence, divergence_of, left_out

__all__ = ["FEW", "GLANCED", "GRACE", "Learn", "ProgramProof", "held_out_proof"]

_SLOT = re.compile(r"\{(\w+)\}")
FEW = 15
"""Demonstrations up to which each is held out alone."""
GRACE = 1
"""Held-out demonstrations of which this many may be done in another way than shown."""
_OTHERWISE = 0.1
"""Share that may be so beside, where there are other ways: in a search, and in runs of tools."""
GLANCED = 0.5
"""Share of the demonstrations that may do something beside, to some thing: more is no chance."""
_IN_VAIN = 4
"""Demonstrations, none of them reproduced, after which no more are tried."""


@dataclass(frozen=True, slots=True)
class ProgramProof:
    """How many demonstrations are reproduced, and where the others part from the program.

    Attributes:
        of: Demonstrations that were tried.
        divergences: Of those that are not reproduced.
        hopeless: Whether others were not tried, as nothing could come of it any more.
    """

    of: int
    divergences: tuple[Divergence, ...]
    hopeless: bool = False

    @property
    def reproduced(self) -> int:
        """How many are reproduced."""
        return self.of - len(self.divergences)

    @property
    def share(self) -> float:
        """The share that is reproduced; 0 of none."""
        return self.reproduced / self.of if self.of else 0.0

    @property
    def wrong(self) -> int:
        """In how many something else would have been done."""
        return sum(not each.abstains for each in self.divergences)

    @property
    def ended(self) -> ProgramProof:
        """The proof of those alone that the program plays to an end, rightly or wrongly."""
        wrong = tuple(each for each in self.divergences if not each.abstains)
        return ProgramProof(self.reproduced + len(wrong), wrong)

    @property
    def never_wrong(self) -> bool:
        """Whether none, or hardly one, would have been done otherwise: of few that is said.

        None of them may have done, with what its task says, what the program knows nothing about:
        nobody knows when that is needed.
        """
        return self.wrong <= GRACE and not any(each.unknown for each in self.divergences)

    @property
    def seldom_wrong(self) -> bool:
        """The same of many, or where what was shown is one of several ways."""
        return self.wrong <= GRACE + _OTHERWISE * self.of


def _results(lesson: Lesson) -> Iterator[Sequence[Fact]]:
    yield from lesson.first.results
    yield from (facts for _, _, facts in lesson.calls)


def _as_read(lesson: Lesson, kinds: Container[str]) -> Lesson:
    """Return a demonstration as it is read by who knows only some kinds of facts."""

    def read(facts: Sequence[Fact]) -> tuple[Fact, ...]:
        return tuple(f if f.kind in kinds else Fact(UNREAD, {"1": _line(f)}) for f in facts)

    first = lesson.first
    beginning = History(first.task, first.asked, read(first.results[0]), first.wording)
    calls = tuple((o, arguments, read(facts)) for o, arguments, facts in lesson.calls)
    return Lesson(lesson.task, beginning, calls)


def _line(fact: Fact) -> str:
    """Return the line that a fact was read from, where it was one."""
    return _SLOT.sub(lambda match: fact.fields.get(match[1], match[0]), fact.kind)


Learn = Callable[[Sequence[Lesson]], Program]
"""How a program is learned from demonstrations."""


def held_out_proof(
    lessons: Sequence[Lesson],
    folds: int = 5,
    learn: Learn = learn_program,
    alone: int = FEW,
    needed: Collection[str] = (),
    hope: Callable[[ProgramProof], bool] = lambda _: True,
) -> ProgramProof:
    """Prove demonstrations with programs that were learned from the other folds.

    Of few demonstrations each is held out alone: a fifth of them would be missed too much. Where
    the first ones are all in vain, or there is no hope left, the others are not tried: the proof is
    of those. One demonstration alone proves nothing, and counts as none. What only the one that is
    held out did is not idle: nobody knows what it is for; nor is what all of them did.

    Args:
        lessons: The demonstrations.
        folds: How many, of many demonstrations.
        learn: Learns a program of the others.
        alone: Demonstrations up to which each is held out alone.
        needed: Operators that are never idle, though a fold may have none of them.
        hope: Whether a proof is of use if all demonstrations that are left are reproduced.
    """
    if len(lessons) < 2:
        return ProgramProof(0, ())
    folds = len(lessons) if len(lessons) <= alone else folds
    each_time = set.intersection(*({call[0] for call in lesson.calls} for lesson in lessons))
    divergences: list[Divergence] = []
    glanced: Counter[str] = Counter()
    tried = unasked = 0
    for fold in range(folds):
        rest = [lesson for i, lesson in enumerate(lessons) if i % folds != fold]
        program = learn(rest)
        kinds = {fact.kind for lesson in rest for facts in _results(lesson) for fact in facts}
        asked = [lesson for lesson in lessons[fold::folds] if program.reads(lesson.task)]
        unasked += len(lessons[fold::folds]) - len(asked)
        done = {operator for lesson in rest for operator, _, _ in lesson.calls}
        # Of few, what only one did may be needed as often as not; of many it is seldom so.
        few = len(lessons) <= alone
        each = (
            divergence_of(
                program,
                lesson,
                {*needed, *each_time, *(own := {c[0] for c in lesson.calls} - done)},
                own if few else (),
            )
            for lesson in (_as_read(lesson, kinds) for lesson in asked)
        )
        # What the program of all demonstrations does is known, though one of fewer lacks it.
        divergences += [
            replace(divergence, unknown=divergence.unknown and divergence.shown[0] not in needed)
            for divergence in each
            if divergence is not None
        ]
        tried += len(asked)
        glanced.update(each for lesson in asked for each in left_out(program, lesson))
        if any(n > GLANCED * len(lessons) for n in glanced.values()):  # it is no chance
            return ProgramProof(tried, tuple(divergences), hopeless=True)
        vain = tried >= _IN_VAIN and len(divergences) == tried
        if vain or not hope(ProgramProof(len(lessons) - unasked, tuple(divergences))):
            return ProgramProof(tried, tuple(divergences), hopeless=True)
    # Where most of those that it plays to the end do something beside, it plays too little of them.
    beside_most = max(glanced.values(), default=0) > GLANCED * (tried - len(divergences))
    return ProgramProof(tried, tuple(divergences), hopeless=beside_most and tried > _IN_VAIN)
