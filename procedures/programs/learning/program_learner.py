"""Learning a program from demonstrations: read, cover, order, guard."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ...episodes.facts import UNREAD, Fact
from ...episodes.history import Done, History
from ...episodes.tokens import magnitude
from ..binding import looks_at, values_with
from ..decision_tables import Tabled
from ..notation import term_text
from ..parameter_names import step_id
from ..program import Program, Step, ready
from ..program_conditions import (
    Condition,
    DoneStep,
    Field,
    OneOf,
    TaskSlot,
    Term,
    Together,
    ToldField,
    Unused,
    value_of,
)
from ..replaying import divergence_of
from ..sources import (
    Case,
    Choice,
    Constant,
    Rule,
    Source,
    Written,
    candidates,
    chosen_facts,
    chosen_values,
    rows,
)
from ..terms import class_of
from .covering import cover
from .features import Features
from .guarding import guards_against_rivals, learn_guards
from .lessons import Lesson
from .moments import Guarding, Moment, in_any_order, order_of_steps
from .occurrences import Occurrence
from .provisions import learn_needs, learn_provisions
from .turns import with_some

__all__ = ["learn_program"]

_NEW_SHARE = 0.2
"""Good and Turing's chance of a new value below which values of a field are classes, not names.

A value that was never shown is for the model in any case, so a rare one may still be missing."""
_MOST_VALUES = 12
"""Values of a field from which on it has not few."""
_MOST_STEPS = 24
"""More steps than a person would read: arguments are searched for, and only listed here."""
_MOST_LISTED = 8
"""The same of steps whose arguments nothing says before."""
_MANY = 8
"""Ways to do a step from which on one of them is taken by trying."""
_SEARCHED = 0.25
"""Share of such calls above which there is no program."""
_SOME = 20
"""Demonstrations from which that is seen."""
_SOME_ENDS = 3
"""Ends before which a step was done, and was not, from which it is no chance that they differ."""
_LATER = "{}-again"


def _few_fields(facts: Iterable[tuple[int, Fact]]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return kind → field → values, of fields of which all values seem to have been seen.

    Args:
        facts: Episode and fact. By Good and Turing the chance of a new value is the share of
            values that were seen in one episode only.
    """
    seen: dict[tuple[str, str], dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for episode, fact in facts:
        if fact.kind != UNREAD:
            for name, value in fact.fields.items():
                seen[fact.kind, name][value].add(episode)
    few: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for (kind, name), values in sorted(seen.items()):
        once = sum(len(episodes) == 1 for episodes in values.values())
        total = sum(len(episodes) for episodes in values.values())
        if len(values) <= _MOST_VALUES and once <= _NEW_SHARE * total and len(values) * 2 < total:
            few[kind][name] = tuple(sorted(values))
    return dict(few)


def learn_program(
    lessons: Sequence[Lesson],
    saying: frozenset[str] = frozenset(),
) -> Program:
    """Learn the program of one kind of task.

    Args:
        lessons: The demonstrations.
        saying: Operators that only say something: what stands before them may be the end.
    """
    few = _few_fields(
        (number, fact)
        for number, lesson in enumerate(lessons)
        for result in (
            [lesson.first.asked],
            *lesson.first.results,
            *(result for _, _, result in lesson.calls),
        )
        for fact in result
    )
    names = {kind: frozenset(fields) for kind, fields in few.items()}
    steps, offers = _steps(lessons, names)
    if _too_many(steps.values()):
        return Program(())
    runs = [_steps_of(lesson, steps) for lesson in lessons]
    if _searching(lessons, steps, runs):
        return Program(())
    steps, runs = _with_repetitions(steps, lessons, runs)
    moments = _moments(lessons, steps, runs)
    final = _final(lessons, runs, saying)
    # Order is free only where nothing tells it: the question of a form says what comes next.
    ordered = [replace(moment, later=frozenset()) for moment in moments]
    program, dropped = _guarded(Features(ordered, names, offers), steps, final)
    if not in_any_order(moments):
        return program
    lost = _lost(program, lessons)
    if not dropped and not lost:
        return program
    steps = _in_turn(steps, moments)
    moments = _moments(lessons, steps, runs)
    other, fewer = _guarded(Features(moments, names, offers), steps, final)
    return other if (len(fewer), _lost(other, lessons)) < (len(dropped), lost) else program


def _lost(program: Program, lessons: Sequence[Lesson]) -> int:
    """Return how many of some demonstrations a program does not reproduce."""
    return sum(divergence_of(program, lesson) is not None for lesson in lessons[:_SOME])


def _guarded(
    features: Features, steps: Mapping[str, Step], final: set[str]
) -> tuple[Program, set[str]]:
    """Return a program of steps, and the steps that it leaves out."""
    steps = with_some(steps, features.moments)
    dropped: set[str] = set()
    while True:
        program, idle = _with_guards(features, steps, final, dropped)
        if idle is None:
            apart = _telling_terms(program, features)
            looking = final.union(step.id for step in program if step.terms)
            kept = {step.id for step in program}
            free = tuple(g for g in in_any_order(features.moments) if kept.issuperset(g))
            together = _together(features, apart, looking)
            return Program(tuple(program), apart, together, free), dropped
        if _leaves_a_mark(idle, features, final):
            return Program(()), set(steps)
        # A step that nothing calls for is idle: demonstrations hold it, the program does not.
        dropped |= {idle, _LATER.format(idle)}
        features.forget(dropped)


def _leaves_a_mark(idle: str, features: Features, final: Container[str]) -> bool:
    """Whether what other steps tell, at the end, differs by whether a step was done: it counts."""
    ends = _mask(features.moments, lambda moment: moment.step in final)
    done = ends & features.truth.get(DoneStep(idle), 0)
    if min(done.bit_count(), (ends & ~done).bit_count()) < _SOME_ENDS:
        return False
    for values in features.values.values():
        told = [truth & ends for truth in values.values() if truth & ends]
        everywhere = len(told) > 1 and sum(t.bit_count() for t in told) == ends.bit_count()
        if everywhere and all(not t & done or not t & ~done for t in told):
            return True
    return False


def _listed(step: Step) -> bool:
    """Whether the arguments of a step are values that nothing says before."""
    return bool(step.sources) and all(
        isinstance(source, Constant) and not source.said for source in step.sources
    )


def _searching(
    lessons: Sequence[Lesson], steps: Mapping[str, Step], runs: Sequence[Sequence[str | None]]
) -> bool:
    """Whether a share of what was done is one of many candidates: that is no program's to say."""
    many = total = 0
    for lesson, run in zip(lessons[:_SOME], runs, strict=False):
        history = lesson.first.copy()
        for (operator, arguments, result), name in zip(lesson.calls, run, strict=True):
            total += 1
            if name is not None:
                many += _number_of_ways(steps[name], history) >= _MANY
            history.add(Done(name, operator, arguments), result)
    return many > _SEARCHED * total


def _number_of_ways(step: Step, history: History) -> int:
    """Return how many candidates the arguments have together; what stands beside one is given."""
    free = (source for source in step.sources if not looks_at(source))
    return math.prod(len(candidates(source, history)) for source in free)


def _telling_terms(program: Sequence[Step], features: Features) -> dict[Term, tuple[str, ...]]:
    """Return the terms by whose value steps are told apart, with all values that were shown."""
    terms = frozenset[Term]().union(*(step.terms for step in program))
    # Where a table has no row the next step is not meant in its place.
    listed = (each for step in program for source in step.sources for each in _listing(source))
    terms |= {term for term in listed if term in features.values}
    values = {term: tuple(sorted(features.values[term])) for term in terms}
    return {
        term: shown
        for term, shown in sorted(values.items(), key=lambda x: term_text(x[0]))
        if not all(map(magnitude, shown))
    }


def _listing(source: Source) -> Iterator[Term]:
    """Yield what the tables of a source look at."""
    match source:
        case Tabled():
            yield from (term for table in source.tables for term in table.by)
        case Written():
            for piece in source.pieces:
                if piece.writing.table and isinstance(piece.base, Choice):
                    yield ToldField(piece.base.kind, piece.base.field)
                elif piece.writing.table and isinstance(piece.base, TaskSlot):
                    yield piece.base


def _together(
    features: Features, terms: Iterable[Term], steps: Container[str]
) -> tuple[Together, ...]:
    """Return the pairs of values that were shown where one of some steps was done."""
    done = _mask(features.moments, lambda moment: moment.step in steps)
    values = {
        term: {v: t & done for v, t in features.values[term].items() if t & done} for term in terms
    }
    out: list[Together] = []
    for left, right in itertools.combinations(values, 2):
        pairs = [(a, b) for a, t in values[left].items() for b, u in values[right].items() if t & u]
        if 0 < len(pairs) < len(values[left]) * len(values[right]):
            out.append(Together(left, right, tuple(sorted(pairs))))
    return tuple(out)


def _with_guards(
    features: Features, steps: Mapping[str, Step], final: set[str], dropped: set[str]
) -> tuple[list[Step], str | None]:
    """Return the steps with their guards, or the step that is most in the way of that."""
    program: list[Step] = []
    idle_steps = dropped - final  # where a demonstration ended so, no other step is right
    moments = [
        replace(m, step=None if m.step in dropped else m.step, open=m.open - dropped)
        for m in features.moments
        if m.step not in idle_steps
    ]
    alive, open_at, done_at = _opportunities(features.moments, steps, dropped, idle_steps)
    explained = _mask(features.moments, lambda moment: moment.explained)
    order = [name for name in order_of_steps(moments) if done_at[name]]
    left = alive
    sources = (source for step in steps.values() for source in step.sources)
    tables = {source.kind for source in sources if isinstance(source, Choice)}
    idle: list[tuple[int, str]] = []
    while order and not idle:
        chosen = _next(order, steps, features, open_at, done_at, left, final)
        if chosen is None:
            idle = [((done_at[name] & left).bit_count(), name) for name in order]
            break
        identifier, guarding = chosen
        order.remove(identifier)
        left &= ~(guarding.truth & open_at[identifier])
        step = replace(steps[identifier], guards=guarding.guards)
        if identifier in final:
            done, rivals = done_at[identifier], 0
            for other in final - {identifier}:
                rivals |= done_at[other] & open_at[identifier]
            guards = guards_against_rivals(features, step.guards, done, rivals)
            shown = done & explained if done & explained else done
            box = learn_provisions(step, features, shown, tables)
            step = replace(step, guards=guards, commit=True, box=box)
        program.append(step)
    program = [
        replace(s, box=replace(s.box, needs=learn_needs(s, program, moments))) if s.commit else s
        for s in program
    ]
    return program, min(idle)[1] if idle else None


def _opportunities(
    moments: Sequence[Moment], steps: Iterable[str], dropped: set[str], idle: set[str]
) -> tuple[int, dict[str, int], dict[str, int]]:
    """Return the moments that count, and for each step those at which it can be done, and was."""
    alive = 0
    open_at, done_at = dict.fromkeys(steps, 0), dict.fromkeys(steps, 0)
    free = {step: frozenset(group) for group in in_any_order(moments) for step in group}
    for i, moment in enumerate(moments):
        if moment.step in idle:
            continue
        alive |= 1 << i
        # What comes later, and might as well have come now, says nothing against it.
        for step in (
            moment.open - dropped - (free.get(moment.step or "", frozenset()) & moment.later)
        ):
            open_at[step] |= 1 << i
        if moment.step is not None:
            done_at[moment.step] |= 1 << i
    return alive, open_at, done_at


def _next(
    order: Sequence[str],
    steps: Mapping[str, Step],
    features: Features,
    open_at: Mapping[str, int],
    done_at: Mapping[str, int],
    left: int,
    final: set[str],
) -> tuple[str, Guarding] | None:
    """Return the step that stands next: the first that needs no guard, else the shortest guard."""
    for step in order:
        if not open_at[step] & ~done_at[step] & left:
            return step, Guarding((), done_at[step] & left, 0.0)
    best: tuple[str, Guarding] | None = None
    for step in order:
        positives = done_at[step] & left
        if not positives:
            continue
        negatives = open_at[step] & ~done_at[step] & left
        guarding = learn_guards(features, positives, negatives, seldom=step in final)
        if guarding is not None and (best is None or guarding.bits < best[1].bits - 1e-6):
            best = step, guarding
    return best


# ---------------------------------------------------------------------------- steps
def _steps(
    lessons: Sequence[Lesson], few: Mapping[str, frozenset[str]]
) -> tuple[dict[str, Step], list[Choice]]:
    """Return the steps by id, and choices of which it may matter whether there is a candidate.

    Once they are too many, the others are not looked for.
    """
    occurrences: dict[str, list[Occurrence]] = defaultdict(list)
    for number, lesson in enumerate(lessons):
        history = lesson.first.copy()
        for operator, arguments, result in lesson.calls:
            occurrences[operator].append(Occurrence(number, history.copy(), arguments))
            history.add(Done(None, operator, arguments), result)
    steps: dict[str, Step] = {}
    offers: dict[Choice, None] = {}
    for operator, each in occurrences.items():
        for shape in cover(operator, each, few):
            identifier = step_id(operator, steps)
            steps[identifier] = Step(identifier, operator, shape.sources)
            offers.update(dict.fromkeys(shape.offers))
        if _too_many(steps.values()):
            break
    return steps, list(offers)


def _too_many(steps: Collection[Step]) -> bool:
    """Whether steps are more than a person would read."""
    return len(steps) > _MOST_STEPS or sum(map(_listed, steps)) > _MOST_LISTED


def _steps_of(lesson: Lesson, steps: Mapping[str, Step]) -> list[str | None]:
    """Return the step that explains each call best; None where none does."""
    history = lesson.first.copy()
    out: list[str | None] = []
    for operator, arguments, result in lesson.calls:
        fits = []
        for place, step in enumerate(steps.values()):
            if step.operator != operator:
                continue
            lists = [
                values_with(index, step.sources, arguments, history)
                for index in range(len(step.sources))
            ]
            if all(v in each for v, each in zip(arguments, lists, strict=True)):
                fits.append((sum(len(each) for each in lists), place, step.id))
        out.append(min(fits)[2] if fits else None)
        history.add(Done(out[-1], operator, arguments), result)
    return out


def _with_repetitions(
    steps: Mapping[str, Step],
    lessons: Sequence[Lesson],
    runs: Sequence[Sequence[str | None]],
) -> tuple[dict[str, Step], list[list[str | None]]]:
    """Tell steps that are done again at a later place from those that are repeated.

    The same call at a later place is a step of its own, unless it follows itself or is made
    more than twice: then it may be made again. A call with other values
    is just the next one of its step.
    """
    again: set[str] = set()
    later: set[str] = set()
    made = [
        [(step, arguments) for step, (_, arguments, _) in zip(run, lesson.calls, strict=True)]
        for lesson, run in zip(lessons, runs, strict=True)
    ]
    for calls in made:
        for (step, _), count in Counter(calls).items():
            if step and count > 1:
                (again if count > 2 else later).add(step)
        again.update(a[0] for a, b in itertools.pairwise(calls) if a[0] and a == b)
    out = {
        each.id: Step(each.id, each.operator, each.sources, again=each.id in again)
        for each in steps.values()
    }
    twice = later - again
    for step in sorted(twice):
        later_step = _LATER.format(step)
        out[later_step] = replace(steps[step], id=later_step)
    return out, [
        [
            _LATER.format(call[0]) if call[0] in twice and call in calls[:at] else call[0]
            for at, call in enumerate(calls)
        ]
        for calls in made
    ]


def _moments(
    lessons: Sequence[Lesson], steps: Mapping[str, Step], runs: Sequence[Sequence[str | None]]
) -> list[Moment]:
    moments: list[Moment] = []
    for lesson, run in zip(lessons, runs, strict=True):
        history = lesson.first.copy()
        explained = _is_explained(lesson, run)
        operators = {steps[step].operator for step in run if step is not None}
        for at, ((operator, arguments, result), step) in enumerate(
            zip(lesson.calls, run, strict=True)
        ):
            if step is None and at == len(run) - 1:  # an end is not idle: no other step is right
                could = frozenset(each.id for each in steps.values() if ready(each, history))
                moments.append(Moment(history.copy(), None, could, explained))
            if step is not None:
                ways = {each.id: ready(each, history) for each in steps.values()}
                could = frozenset(name for name, each in ways.items() if each)
                done = set(zip(run[at + 1 :], (c[1] for c in lesson.calls[at + 1 :]), strict=True))
                others = {n for n in could - {step} if any(map(_is_chosen, steps[n].sources))}
                later = frozenset(n for n in others if not done.isdisjoint((n, w) for w in ways[n]))
                moments.append(Moment(history.copy(), step, could | {step}, explained, later))
            if step is not None or operator not in operators:  # else it is a glance at other things
                history.add(Done(step, operator, arguments), result)
        could = frozenset(each.id for each in steps.values() if ready(each, history))
        moments.append(Moment(history, None, could, explained))
    return moments


def _in_turn(steps: Mapping[str, Step], moments: Sequence[Moment]) -> dict[str, Step]:
    """Let steps that were done in any order take each of their candidates in turn.

    What held of the candidates of one of them, and of all that the others took, holds of theirs,
    too: each alone was shown less often. An order says which of several is meant; where all of them
    were taken at the end, it was chance.
    """
    ended = [moment.history for moment in moments if moment.step is None]
    out = dict(steps)
    for group in in_any_order(moments):
        alike: dict[tuple[str, str], dict[str, Case]] = defaultdict(dict)
        for name in group:
            (choice,) = steps[name].sources if len(steps[name].sources) == 1 else (None,)
            if isinstance(choice, Choice) and len(choice.cases) == 1 and choice.at == "newest":
                alike[choice.kind, choice.field][name] = choice.cases[0]
        for cases in alike.values():
            for name, case in cases.items():
                others = [each.rule.where for each in cases.values()]
                out[name] = _each_in_turn(steps[name], case, others, ended)
    return out


def _each_in_turn(
    step: Step, case: Case, others: Sequence[Sequence[Condition]], ended: Sequence[History]
) -> Step:
    """Return a step that takes each candidate; as it was, if demonstrations left any."""
    (choice,) = step.sources
    if not isinstance(choice, Choice):
        return step
    used = [{c.arguments[0] for c in each.calls if c.step == step.id} for each in ended]
    taken = [
        (history, fact)
        for history, values in zip(ended, used, strict=True)
        for fact in rows(choice, history)
        if fact.fields.get(choice.field) in values
    ]
    own = [each for each in case.rule.where if not isinstance(each, Unused)]
    shared = (each for where in others for each in where if not isinstance(each, Unused))
    where = tuple(
        dict.fromkeys(
            (
                *own,
                *(
                    each
                    for each in shared
                    if class_of(each) is None and all(each.holds(*place) for place in taken)
                ),
            )
        )
    )
    meant = [set(chosen_values(Rule(where), choice, history)) for history in ended]
    if any(values and not left <= values for left, values in zip(meant, used, strict=True)):
        return step
    known = []
    for term in dict.fromkeys(map(class_of, where)):
        rest = Rule(Rule(where).without(term)) if term is not None else Rule()
        facts = ((h, f) for h in ended for f in chosen_facts(rest, rows(choice, h), h))
        told = {value_of(term, h, f) for h, f in facts} if term is not None else set()
        if term is not None:
            known.append(OneOf(term, tuple(sorted(value for value in told if value))))
    unused = Unused(Field(choice.field), step.operator)
    each_one = Case(case.when, Rule((*where, unused)), settled=False, known=tuple(known))
    return replace(step, sources=(replace(choice, cases=(each_one,)),))


def _is_chosen(source: Source) -> bool:
    """Whether a source chooses among candidates, so that there may be several turns."""
    return isinstance(source, Choice) and source.beside is None


def _is_explained(lesson: Lesson, run: Sequence[str | None]) -> bool:
    """Whether no call that nothing explains has a value that nobody said: that is no look about."""
    history = lesson.first.copy()
    for (operator, arguments, result), step in zip(lesson.calls, run, strict=True):
        if step is None and not all(map(history.mentions, arguments)):
            return False
        history.add(Done(step, operator, arguments), result)
    return True


def _mask(moments: Sequence[Moment], test: Callable[[Moment], bool]) -> int:
    mask = 0
    for i, moment in enumerate(moments):
        if test(moment):
            mask |= 1 << i
    return mask


# ---------------------------------------------------------------------------- what commits
def _final(
    lessons: Sequence[Lesson], runs: Sequence[Sequence[str | None]], saying: frozenset[str]
) -> set[str]:
    """Return the steps after which no demonstration ever went on, but by saying something."""
    ends: set[str | None] = set()
    others: set[str | None] = set()
    for lesson, run in zip(lessons, runs, strict=True):
        at = len(run)
        while at and lesson.calls[at - 1][0] in saying:
            at -= 1
        ends.update(run[max(0, at - 1) :])
        others.update(run[: max(0, at - 1)])
    return {end for end in ends - others if end}
