"""Teacher-forced proof of a program on demonstrations that are held out by folds."""

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

_SLOT = re.compile(r"\{(\w+)\}")
FOLDS = 5
"""Folds of many demonstrations: each program is learned from four fifths of them."""
FEW = 15
"""Most demonstrations of a proof that holds each out alone."""
GRACE = 1
"""Most held-out demonstrations that a program may contradict."""
_OTHER_WAYS = 0.1
"""Additional share where there are other ways: in a search, and in runs of tools."""
GLANCED = 0.5
"""Most share of the demonstrations with one extra call; more is no chance."""
_IN_VAIN = 4
"""Failed demonstrations, without a success, after which the proof ends.

They are of more than one fold: one fold's program may have a guard by chance."""


@dataclass(frozen=True, slots=True)
class ProgramProof:
    """The number of reproduced demonstrations, and the divergences of the others.

    Attributes:
        of: Number of demonstrations that were tried.
        divergences: One for each demonstration that is not reproduced.
        hopeless: Whether the proof cannot succeed; it ends early where that is seen early.
        untried: Number of demonstrations after which it ended that were not tried.
    """

    of: int
    divergences: tuple[Divergence, ...]
    hopeless: bool = False
    untried: int = 0

    @property
    def reproduced(self) -> int:
        """Number of reproduced demonstrations."""
        return self.of - len(self.divergences)

    @property
    def text(self) -> str:
        """What was proved, in words."""
        text = f"{self.reproduced} of {self.of} demonstrations reproduced, held out by folds"
        if not self.untried:
            return text
        return f"{text}; {self.untried} more were not tried, as it could not succeed any more"

    @property
    def share(self) -> float:
        """Share of reproduced demonstrations; 0 where none was tried."""
        return self.reproduced / self.of if self.of else 0.0

    @property
    def wrong(self) -> int:
        """Number of demonstrations in which the program acts otherwise."""
        return sum(not each.abstains for each in self.divergences)

    @property
    def ended(self) -> ProgramProof:
        """The proof without the demonstrations in which the program abstains."""
        wrong = tuple(each for each in self.divergences if not each.abstains)
        return ProgramProof(self.reproduced + len(wrong), wrong)

    @property
    def never_wrong(self) -> bool:
        """Whether the program acts otherwise in hardly any demonstration, the bar for few.

        No demonstration may use a value of its task in a step that the program does not know, or
        hold another value where the program makes one.
        """
        return self.wrong <= GRACE and not any(
            each.unknown or each.makes_another for each in self.divergences
        )

    @property
    def seldom_wrong(self) -> bool:
        """Whether the program seldom acts otherwise, the bar for many or for several ways."""
        return self.wrong <= GRACE + _OTHER_WAYS * self.of


def _results(lesson: Lesson) -> Iterator[Sequence[Fact]]:
    yield from lesson.first.results
    yield from (facts for _, _, facts in lesson.calls)


def _with_unread_kinds(lesson: Lesson, kinds: Container[str]) -> Lesson:
    """Return a demonstration in which all other kinds of facts are unread lines."""

    def reread(facts: Sequence[Fact]) -> tuple[Fact, ...]:
        return tuple(f if f.kind in kinds else Fact(UNREAD, {"1": _line_of(f)}) for f in facts)

    first = lesson.first
    beginning = History(first.task, first.asked, reread(first.results[0]), first.wording)
    calls = tuple((o, arguments, reread(facts)) for o, arguments, facts in lesson.calls)
    return Lesson(lesson.task, beginning, calls)


def _line_of(fact: Fact) -> str:
    """Return the line that a fact was read from, if it was read from a line."""
    return _SLOT.sub(lambda match: fact.fields.get(match[1], match[0]), fact.kind)


Learn = Callable[[Sequence[Lesson]], Program]
"""Function from demonstrations to a program."""


def held_out_proof(
    lessons: Sequence[Lesson],
    learn: Learn = learn_program,
    needed: Collection[str] = (),
    any_order: tuple[tuple[str, ...], ...] = (),
    hope: Callable[[ProgramProof], bool] = lambda _: True,
) -> ProgramProof:
    """Return the proof of each fold by a program that was learned from the other folds.

    Of few demonstrations each is held out alone, as a fifth of them would be missed too much. The
    proof ends early if those of the first folds all fail, or if there is no hope left. A single
    demonstration proves nothing. An operator of only the held-out demonstration, or of all, is not
    idle.

    Args:
        lessons: The demonstrations.
        learn: Function that learns a program from the others.
        needed: Operators that are never idle, even where a fold lacks them.
        any_order: Groups of steps that all demonstrations together show in any order.
        hope: Whether a proof may still succeed if all remaining demonstrations are reproduced.
    """
    if len(lessons) < 2:
        return ProgramProof(0, ())
    # An operator of only one demonstration is often needed among few, and seldom among many.
    is_few = len(lessons) <= FEW
    folds = len(lessons) if is_few else FOLDS
    common_operators = set.intersection(*({call[0] for call in lesson.calls} for lesson in lessons))
    divergences: list[Divergence] = []
    left_out_by_lesson: list[frozenset[tuple[str, str]]] = []
    tried_count = unread_count = 0
    for fold in range(folds):
        other_lessons = [lesson for i, lesson in enumerate(lessons) if i % folds != fold]
        program = learn(other_lessons)
        program = replace(program, any_order=any_order or program.any_order)
        kinds = {
            fact.kind for lesson in other_lessons for facts in _results(lesson) for fact in facts
        }
        readable = [lesson for lesson in lessons[fold::folds] if program.reads(lesson.task)]
        unread_count += len(lessons[fold::folds]) - len(readable)
        known_operators = {operator for lesson in other_lessons for operator, _, _ in lesson.calls}
        fold_divergences = (
            divergence_of(
                program,
                lesson,
                {
                    *needed,
                    *common_operators,
                    *(own_operators := {c[0] for c in lesson.calls} - known_operators),
                },
                own_operators if is_few else (),
            )
            for lesson in (_with_unread_kinds(lesson, kinds) for lesson in readable)
        )
        # The program of all demonstrations knows the needed operators, though a fold may lack them.
        divergences += [
            replace(divergence, unknown=divergence.unknown and divergence.shown[0] not in needed)
            for divergence in fold_divergences
            if divergence is not None
        ]
        tried_count += len(readable)
        left_out_by_lesson += (left_out(program, lesson) for lesson in readable)
        left_out_count = _left_out_count(left_out_by_lesson, few=is_few)
        untried = sum(i % folds > fold for i in range(len(lessons)))
        if left_out_count > GLANCED * len(lessons):  # it is no chance
            return ProgramProof(tried_count, tuple(divergences), True, untried)
        all_failed = fold > 0 and tried_count >= _IN_VAIN and len(divergences) == tried_count
        if all_failed or not hope(ProgramProof(len(lessons) - unread_count, tuple(divergences))):
            return ProgramProof(tried_count, tuple(divergences), True, untried)
    # A program whose reproduced demonstrations mostly have an extra call does too little.
    left_out_count = _left_out_count(left_out_by_lesson, few=is_few)
    mostly_glances = left_out_count > GLANCED * (tried_count - len(divergences))
    return ProgramProof(
        tried_count, tuple(divergences), hopeless=mostly_glances and tried_count > _IN_VAIN
    )


def _left_out_count(left_out_by_lesson: Sequence[Collection[tuple[str, str]]], *, few: bool) -> int:
    """Return how many demonstrations have a call that the program leaves out.

    Courses of which each demonstration takes another one are seldom each, and often together: what
    few leave out before one step counts as one. Idle calls come before any step. Many
    demonstrations show when each course is due, so that each operator is counted by itself.

    Args:
        left_out_by_lesson: Operators that the program leaves out of each demonstration, each with
            the step behind it.
        few: Whether demonstrations are few.
    """
    which = 1 if few else 0
    counts = Counter(
        each for left_out_pairs in left_out_by_lesson for each in {p[which] for p in left_out_pairs}
    )
    return max(counts.values(), default=0)
