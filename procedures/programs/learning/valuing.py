"""Which choices of a program leave something open, and what demonstrations say of it.

A choice is open where most of what it offers is left when an episode ends: one is taken, and no
rule says which. Such a choice is given what its candidates are worth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...episodes.fact import Fact
from ...episodes.history import Done, History
from ...episodes.trajectories import Trajectory
from ...worth.candidate_choice import asked_by, known_candidates, needs_of, opened
from ...worth.experience import Experience, Taken, TakenBefore
from ...worth.fitting import Sample, fitted
from ...worth.reward_model import Score, Worth
from ...worth.traits import opened_traits, words_in
from ..documents.program_file import DEFAULT_STATUS, REASON, ProgramFile
from ..program import Guard, Program, Step
from ..program_conditions import Condition, DoneStep, EverySaid, Shown
from ..sources import Best, Choice, Kept, Offered, Recalled, Source, case_of, meant_facts
from ..text_calls import steps_of_action

__all__ = [
    "WORTH",
    "OpenChoice",
    "Outcome",
    "carried_over",
    "open_choice",
    "outcome_of",
    "taken_before",
    "valued_choice",
    "with_worth",
    "worth_shown",
]

WORTH = "worth"
"""What says in the provenance of a program how reliable the worth of its candidates is."""
_MOST = 200
"""Demonstrations from which the first points come: they are replaced by rewards."""
_RECALL, _REMEMBERED = "recall", "remembered"
"""The step that asks for what is remembered, and its parameter."""
_COMMON = 0.5
"""Share of tasks that say a word from which on it tells no candidate from another."""
_LEFT = 0.5
"""Share of the candidates that has to be left at the end for a choice to be open."""


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """A choice that no rule settles.

    Attributes:
        step: The step that takes one.
        choice: What is chosen among.
    """

    step: Step
    choice: Choice


@dataclass(frozen=True, slots=True)
class _Moment:
    """A candidate that was taken, and the candidates then."""

    name: str
    facts: Sequence[Fact]
    history: History


def open_choice(file: ProgramFile, shown: Iterable[Trajectory]) -> OpenChoice | None:
    """Return the choice of a program that leaves most; None where there is none.

    Args:
        file: The program.
        shown: Demonstrations.
    """
    offered: Counter[int] = Counter()
    left: Counter[int] = Counter()
    steps = [
        (n, step, source)
        for n, step in enumerate(file.program.steps)
        for source in step.sources[:1]
        if len(step.sources) == 1 and isinstance(source, Choice) and source.beside is None
    ]
    for each in list(shown)[:_MOST]:
        for number, step, source in steps:
            names = {m.name: m for m in _moments(file, each, step, source)}
            candidates = {f.fields.get(source.field) for m in names.values() for f in m.facts}
            offered[number] += len(candidates)
            left[number] += len(candidates - names.keys())
    able = [(left[n], s, c) for n, s, c in steps if left[n] > _LEFT * offered[n]]
    best = max(able, key=lambda each: each[0], default=None)
    return OpenChoice(best[1], best[2]) if best else None


def taken_before(file: ProgramFile, of: OpenChoice, shown: Iterable[Trajectory]) -> TakenBefore:
    """Return for which tasks demonstrations took which candidates: of several the last."""
    cases = []
    for each in shown:
        moments = list(_moments(file, each, of.step, of.choice, copies=False))
        if moments:
            reward = float(each.success) if each.reward is None else each.reward
            got = min(1.0, max(0.0, reward))
            cases.append(Taken(each.id, each.task, moments[-1].name, got))
    return TakenBefore(cases)


def worth_shown(
    file: ProgramFile, of: OpenChoice, shown: Sequence[Trajectory], before: TakenBefore
) -> Worth:
    """Return what candidates are worth by demonstrations: what was taken, against what was not.

    Args:
        file: The program.
        of: Its open choice.
        shown: Demonstrations.
        before: For which tasks they took which.
    """
    seen = Counter(word for each in shown for word in words_in(each.task))
    often = (word for word, n in seen.items() if n > _COMMON * len(shown))
    common = sorted(often, key=lambda word: (-seen[word], word))
    every = next(
        (c for step in file.program.steps for c in _conditions(step) if isinstance(c, EverySaid)),
        None,
    )
    worth = Worth(
        Score(),
        opened=None if of.step.commit else Score(),
        opens="" if of.step.commit else of.step.operator,
        between=(every.before, every.behind) if every else ("", ""),
        ignore=tuple(common),
    )
    samples = []
    chosen = list(shown)[:: max(1, -(-len(shown) // _MOST))]
    for number, each in enumerate(chosen):
        own = before.of_episode(each.id, each.task)
        names = {before.cases[n].name for n in own}
        if number % 2:  # as if nobody had ever taken it
            own |= {n for n, case in enumerate(before.cases) if case.name in names}
        for moment in _moments(file, each, of.step, of.choice):
            moment.history.experience = Experience(before, without=own)
            known = known_candidates(worth, moment.facts, of.choice.field, moment.history)
            samples += [Sample(k.sight, float(k.name == moment.name)) for k in known]
    score = fitted(samples)
    return replace(worth, sight=score, opened=None if worth.opened is None else score)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was taken in an episode, and what is known of candidates after it.

    Attributes:
        listed: Traits of what was taken, as it was listed; None where nothing was.
        opened: Traits with its own result; None where that was not seen.
        seen: Candidate → what was told of it when it was opened.
        lines: Candidate → the fields with which it was listed.
    """

    listed: Mapping[str, float] | None
    opened: Mapping[str, float] | None
    seen: Mapping[str, Sequence[str]]
    lines: Mapping[str, Mapping[str, str]]


def outcome_of(
    file: ProgramFile, of: OpenChoice, played: Trajectory, experience: Experience
) -> Outcome:
    """Return what an episode tells of the candidates of a choice.

    Args:
        file: The program that was followed.
        of: Its choice, which knows what its candidates are worth.
        played: The episode.
        experience: What counted in it.

    Raises:
        ValueError: The choice has no worth.
    """
    choice, worth = of.choice, of.choice.worth
    if worth is None:
        raise ValueError("nothing says what the candidates of the choice are worth")
    end = file.begin(played.task, played.obs[0])
    moments = list(_moments(file, played, of.step, choice, end=end))
    seen: dict[str, Sequence[str]] = {}
    for each in opened(worth, choice.kind, choice.field, end):
        seen.setdefault(each.name, each.told)
    lines = {fact.fields.get(choice.field, ""): fact.fields for fact in end.all(choice.kind)}
    if not moments:
        return Outcome(None, None, seen, lines)
    last = moments[-1]
    last.history.experience = experience
    number = [fact.fields[choice.field] for fact in last.facts].index(last.name)
    listed = known_candidates(worth, last.facts, choice.field, last.history)[number].sight
    if last.name not in seen:
        return Outcome(listed, None, seen, lines)
    asked = asked_by(worth, last.history)
    needs, told = needs_of(worth, played.task), seen[last.name]
    more = experience.further(choice.kind, last.name)
    traits = opened_traits(listed, asked, needs, last.facts[number], told, more)
    return Outcome(listed, traits, seen, lines)


def with_worth(file: ProgramFile, of: OpenChoice, worth: Worth) -> tuple[ProgramFile, OpenChoice]:
    """Return a program whose open choice knows what candidates are worth, and that choice.

    Where candidates are opened one after the other until one has all that is said, the best one is
    kept instead, and what was opened may be opened again. One that is not listed, but remembered
    from earlier episodes, is asked for.
    """
    old, new = of.choice, replace(of.choice, worth=worth)
    loops = bool(worth.opens) and any(
        isinstance(each, EverySaid) for step in file.program.steps for each in _conditions(step)
    )

    def condition(each: Condition | Offered) -> Condition | Offered:
        match each:
            case Offered(choice=choice) if choice == old:
                return replace(each, choice=new)
            case EverySaid(_, _, _, _, negated) if loops:
                return Best(new, negated, step=of.step.id)
            case DoneStep(step, True, times) if loops and step == of.step.id and times > 1:
                return Best(new, True, step=of.step.id)
            case _:
                return each

    def source(each: Source) -> Source:
        return new if each == old else Recalled(new) if each == Recalled(old) else each

    steps = tuple(
        replace(
            step,
            sources=tuple(map(source, step.sources)),
            guards=tuple(replace(g, when=tuple(map(condition, g.when))) for g in step.guards),
            again=step.again or (loops and step.id == of.step.id),
        )
        for step in file.program.steps
    )
    names = {source(each): name for each, name in file.names.items()}
    if loops:
        steps = _recalling(steps, of.step.id, new)
        names.setdefault(Recalled(new), _REMEMBERED)
    program: Program = replace(file.program, steps=steps)
    step = next(each for each in steps if each.id == of.step.id)
    return replace(file, program=program, names=names), OpenChoice(step, new)


def _recalling(steps: tuple[Step, ...], opens: str, choice: Choice) -> tuple[Step, ...]:
    """Return steps that ask for a remembered candidate before one that is listed is opened."""
    asks = next((s for s in steps if len(s.sources) == 1 and isinstance(s.sources[0], Kept)), None)
    if asks is None or any(isinstance(each, Recalled) for s in steps for each in s.sources):
        return steps
    at = next(n for n, step in enumerate(steps) if step.id == opens)
    recall = Step(_RECALL, asks.operator, (Recalled(choice),), (Guard((Shown(choice.kind),)),))
    return (*steps[:at], recall, *steps[at:])


def carried_over(file: ProgramFile, old: ProgramFile) -> ProgramFile:
    """Return a program that was learned again, with what the one before knew of its candidates.

    That made of a draft one that is used, and does so again.
    """
    for step in old.program.steps:
        for each in step.sources:
            if not isinstance(each, Choice) or each.worth is None:
                continue
            plain = replace(each, worth=None)
            for new in file.program.steps:
                if new.id == step.id and plain in new.sources:
                    valued = with_worth(file, OpenChoice(new, plain), each.worth)[0]
                    provenance = {**file.provenance, WORTH: old.provenance.get(WORTH, "")}
                    if old.status == DEFAULT_STATUS:
                        provenance.pop(REASON, None)
                    return replace(valued, status=old.status, provenance=provenance)
    return file


def valued_choice(file: ProgramFile) -> OpenChoice | None:
    """Return the choice of a program that knows what its candidates are worth, if there is one."""
    for step in file.program.steps:
        for each in step.sources:
            if isinstance(each, Choice) and each.worth is not None:
                return OpenChoice(step, each)
    return None


def _conditions(step: Step) -> Iterator[Condition | Offered]:
    return (each for guard in step.guards for each in guard.when)


def _moments(
    file: ProgramFile,
    shown: Trajectory,
    step: Step,
    choice: Choice,
    *,
    copies: bool = True,
    end: History | None = None,
) -> Iterator[_Moment]:
    """Yield where an episode took a candidate.

    Args:
        file: The program.
        shown: The episode.
        step: What takes one.
        choice: What it is taken among.
        copies: Whether each moment has a history of its own; else it goes on.
        end: A history that began just now; at the end it has all of the episode.
    """
    results = file.readers()[0]
    history = end or file.begin(shown.task, shown.obs[0])
    for action, told in zip(shown.acts, shown.obs[1:], strict=True):
        known = steps_of_action(file.program, action)
        name = next((values[0] for each, values in known if each.id == step.id), None)
        case = case_of(choice, history) if name is not None else None
        if case is not None:
            listed = meant_facts(case, choice, history)
            named = [f for f in listed if f.fields.get(choice.field)]
            names = {f.fields[choice.field].casefold(): f for f in named}
            fact = names.get((name or "").casefold())
            if fact is not None:
                moment = history.copy() if copies else history
                yield _Moment(fact.fields[choice.field], named, moment)
        operator = step.operator if name is not None else action
        history.add(Done(None, operator, (name,) if name else ()), results.read(told))
