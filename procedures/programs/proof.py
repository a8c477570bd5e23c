"""Teacher-forced proof of a program: would it have done what was shown, given what was told?

A step that the program does not know is idle and passed over, unless the demonstration ends with
it. Where a step does not commit, another candidate of the same choice counts as well.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from dataclasses import dataclass, replace

from ..episodes.facts import UNREAD, Fact
from ..episodes.history import Done, History
from .learning.learner import learn_program
from .learning.lessons import Lesson
from .planning.planner import Call
from .program import Act, Ask, Decision, Program, Step, decide, possible
from .sources import Choice, Rule, Source, candidates, case_of, chosen_facts, rows

__all__ = [
    "FEW",
    "GLANCED",
    "Divergence",
    "Learn",
    "ProgramProof",
    "Replayed",
    "divergence_of",
    "held_out_proof",
    "left_out",
    "operators_of",
    "planned",
    "replay",
]

_SLOT = re.compile(r"\{(\w+)\}")
FEW = 15
"""Demonstrations up to which each is held out alone."""
_GRACE = 1
"""Held-out demonstrations of which this many may be done in another way than shown."""
_OTHERWISE = 0.1
"""Share that may be so beside, where there are other ways: in a search, and in runs of tools."""
GLANCED = 0.5
"""Share of the demonstrations that may do something beside, to some thing: more is no chance."""
_IN_VAIN = 4
"""Demonstrations, none of them reproduced, after which no more are tried."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where a demonstration and a program part.

    Attributes:
        task: Of the demonstration.
        number: Of the step, from 1.
        shown: Operator and arguments of what was shown.
        because: What the program would have done, or why nothing.
        abstains: Whether it would have done nothing, or only again what it did before.
        unknown: Whether what was shown is no step of the program, and takes what the task says.
    """

    task: str
    number: int
    shown: tuple[str, tuple[str, ...]]
    because: str
    abstains: bool
    unknown: bool = False


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
        return self.wrong <= _GRACE and not any(each.unknown for each in self.divergences)

    @property
    def seldom_wrong(self) -> bool:
        """The same of many, or where what was shown is one of several ways."""
        return self.wrong <= _GRACE + _OTHERWISE * self.of


def operators_of(program: Program) -> frozenset[str]:
    """Return what a program does."""
    return frozenset(step.operator for step in program.steps)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A step of a demonstration, and what the program says of it.

    Attributes:
        operator: Of what was shown.
        arguments: Of what was shown.
        decision: What the program would do.
        step: The step that it is, if the program would do it or holds it possible.
        idle: Whether it is none of the program's, and rightly left out.
    """

    operator: str
    arguments: tuple[str, ...]
    decision: Decision
    step: Step | None
    idle: bool

    @property
    def diverges(self) -> bool:
        """Whether the program would do something else, or nothing."""
        return self.step is None and not self.idle


def replay(
    program: Program,
    lesson: Lesson,
    needed: Collection[str] = (),
    unexplained: Collection[str] = (),
) -> Iterator[Replayed]:
    """Yield what a program says of each step of a demonstration, given what was told before it.

    Args:
        program: The program.
        lesson: The demonstration.
        needed: Operators that are not idle, though the program may not know them.
        unexplained: Those of them that are no glances either.
    """
    history = program.begin(lesson.first)
    operators = operators_of(program).union(needed)
    for number, (operator, arguments, result) in enumerate(lesson.calls, 1):
        last = number == len(lesson.calls)
        decision = decide(program, history)
        later = {a for o, a, _ in lesson.calls[number:] if o == operator}
        step = _step(decision, operator, arguments, several=bool(later), last=last)
        known = next((each for each in program.steps if each.operator == operator), None)
        if planned(program, history, operator, arguments):
            step = known
        if step is None and isinstance(decision, Act) and not last:
            step = _sooner(program, history, decision, lesson, number)
        idle = step is None and not last and operator not in operators
        looks = step is None and operator not in unexplained
        glance = looks and is_glance(program, history, decision, lesson, number)
        yield Replayed(operator, arguments, decision, step, idle or glance)
        step = step or known
        # What the program would not have done, it would not have been told.
        if step is not None and not glance:
            history.add(Done(step.id, operator, arguments), result)


def _sooner(
    program: Program, history: History, decision: Act, lesson: Lesson, number: int
) -> Step | None:
    """Return the step that was shown before the one that the program would do, in any order.

    Args:
        program: The program.
        history: Before the call.
        decision: What the program would do.
        lesson: The demonstration.
        number: Of the call, from 1.
    """
    operator, arguments, _ = lesson.calls[number - 1]
    if (decision.step.operator, decision.arguments) not in (c[:2] for c in lesson.calls[number:]):
        return None
    able = {step.id: step for step, ways in possible(program, history) if arguments in ways}
    return next(
        (
            able[name]
            for group in program.any_order
            if decision.step.id in group
            for name in group
            if name in able and able[name].operator == operator
        ),
        None,
    )


def is_glance(
    program: Program, history: History, decision: Decision, lesson: Lesson, number: int
) -> bool:
    """Whether a call that the program would never make stands before the one that it would.

    People look at what is no matter of theirs, and go on. The only call of a step that a committing
    one needs is no glance: without it the program would never come there.

    Args:
        program: The program.
        history: Before the call.
        decision: What the program would do.
        lesson: The demonstration.
        number: Of the call, from 1.
    """
    if isinstance(decision, Ask) or program.planner is not None:
        return False
    operator, arguments, _ = lesson.calls[number - 1]
    later = [call[:2] for call in lesson.calls[number:]]
    steps = [step for step in program.steps if step.operator == operator]
    wanted = frozenset[str]().union(*(step.box.needs for step in program.steps))
    needed = {step.operator for step in program.steps if step.id in wanted}
    only = sum(other == operator for other, _, _ in lesson.calls) == 1
    return (
        (decision.step.operator, decision.arguments) in later
        and not (only and operator in needed)
        and not any(
            step.commit
            or all(map(_in_question, step.sources, arguments, itertools.repeat(history)))
            for step in steps
        )
    )


def left_out(program: Program, lesson: Lesson) -> frozenset[str]:
    """Return the operators behind which a program goes on, though they did something to a thing.

    Where few demonstrations call one so, it is a look at other things.
    """
    operators = operators_of(program)
    beside: set[str] = set()
    left: set[str] = set()
    for each in replay(program, lesson):
        if each.step is not None:
            left |= beside
        elif each.idle and (each.operator in operators or each.arguments):
            beside.add(each.operator)
    return frozenset(left)


def _in_question(source: Source, value: str, history: History) -> bool:
    """Whether a source may give a value, now or in its turn."""
    if not isinstance(source, Choice) or source.beside is not None:
        return value in candidates(source, history)
    case = case_of(source, history)
    facts = chosen_facts(Rule(case.rule.where), rows(source, history), history) if case else []
    return any(fact.fields.get(source.field) == value for fact in facts)


def divergence_of(
    program: Program,
    lesson: Lesson,
    needed: Collection[str] = (),
    unexplained: Collection[str] = (),
) -> Divergence | None:
    """Return the first step at which a program would do something else; see :func:`replay`."""
    earlier: list[tuple[str, tuple[str, ...]]] = []
    for number, each in enumerate(replay(program, lesson, needed, unexplained), 1):
        shown, decision = (each.operator, each.arguments), each.decision
        if each.diverges:
            if isinstance(decision, Ask):
                return Divergence(lesson.task, number, shown, decision.because, abstains=True)
            again = (decision.step.operator, decision.arguments) in earlier
            abstains = again and not decision.step.commit  # doing it again says nothing new
            unknown = any(value in lesson.first.asked.fields.values() for value in each.arguments)
            unknown &= each.operator not in operators_of(program)
            return Divergence(lesson.task, number, shown, _act_text(decision), abstains, unknown)
        if each.step is not None:
            earlier.append(shown)
    return None


def planned(program: Program, history: History, operator: str, arguments: tuple[str, ...]) -> bool:
    """Whether a call is one of those that a planner holds possible.

    Where it looks for something, to look about is as good: demonstrators look twice, and bring what
    they know that it takes to go on.
    """
    if program.planner is None or program.places is None:
        return False
    outlook = program.planner.outlook(history)
    free = program.planner.exploring.union(program.places.moves)
    looking = outlook.exploring and operator in free
    return looking or Call(operator, arguments) in outlook.calls


def _step(
    decision: Act | Ask,
    operator: str,
    arguments: tuple[str, ...],
    *,
    several: bool,
    last: bool,
) -> Step | None:
    """Return the step that was shown, if the program would have done it.

    Another candidate counts where the demonstration goes on with others: it tries, or does all.

    Args:
        decision: What the program would do.
        operator: What was shown.
        arguments: With these values.
        several: Whether the same is shown with other values later: then what is met first is as
            good as what was.
        last: Whether the demonstration ends with it.
    """
    if isinstance(decision, Ask) or decision.step.operator != operator:
        return None
    if decision.gives(arguments):
        return decision.step
    free = not last and not decision.step.commit and several
    return decision.step if free and arguments in decision.others else None


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


def _act_text(act: Act) -> str:
    return f"{act.step.operator} {' | '.join(act.arguments)}".strip()


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
    return ProgramProof(tried, tuple(divergences))
