"""Open choices of a program, and the worth of their candidates by demonstrations.

A choice is open where most of its candidates are left when an episode ends: one is taken, and no
rule says which. The program then learns the worth of its candidates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...common.sampling import sample
from ...episodes.fact import Fact
from ...episodes.history import Done, History
from ...episodes.trajectories import Trajectory
from ...worth.candidate_choice import asked_by, known_candidates, needs_of, opened
from ...worth.experience import Experience, Taken, TakenBefore
from ...worth.fitting import Sample, fitted
from ...worth.reward_model import Score, Worth
from ...worth.traits import opened_traits, words_in
from ..documents.program_file import DEFAULT_STATUS, REASON, ProgramFile
from ..program import Guard, Program, ProgramStep
from ..program_conditions import Condition, DoneStep, EverySaid, Shown
from ..sources import Best, Choice, Kept, Offered, Recalled, Source, case_of, meant_facts
from ..text_calls import steps_of_action

WORTH = "worth"
"""Key of a program's provenance: how reliable the worth of its candidates is."""
_MOST = 200
"""Most demonstrations that the first worth is fitted to; rewards replace it later."""
_RECALL, _REMEMBERED = "recall", "remembered"
"""The step that asks for a remembered candidate, and its parameter."""
_COMMON = 0.5
"""Share of tasks with a word above which the word tells no candidate from another."""
_LEFT = 0.5
"""Share of the candidates above which what is left at the end makes a choice open."""


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """A choice that no rule settles.

    Attributes:
        step: The step that takes one candidate.
        choice: The choice among the candidates.
    """

    step: ProgramStep
    choice: Choice


@dataclass(frozen=True, slots=True)
class _Moment:
    """A candidate that was taken, with all candidates and the history at that moment."""

    name: str
    facts: Sequence[Fact]
    history: History


def open_choice(file: ProgramFile, demonstrations: Iterable[Trajectory]) -> OpenChoice | None:
    """Return the open choice of a program that leaves most candidates; None where there is none.

    Args:
        file: The program.
        demonstrations: Demonstrations.
    """
    count_offered: Counter[int] = Counter()
    count_left: Counter[int] = Counter()
    steps = [
        (n, step, source)
        for n, step in enumerate(file.program.steps)
        for source in step.sources[:1]
        if len(step.sources) == 1 and isinstance(source, Choice) and source.beside is None
    ]
    for demonstration in list(demonstrations)[:_MOST]:
        for number, step, source in steps:
            names = {m.name: m for m in _moments(file, demonstration, step, source)}
            candidates = {f.fields.get(source.field) for m in names.values() for f in m.facts}
            count_offered[number] += len(candidates)
            count_left[number] += len(candidates - names.keys())
    open_choices = [
        (count_left[n], s, c) for n, s, c in steps if count_left[n] > _LEFT * count_offered[n]
    ]
    best = max(open_choices, key=lambda each: each[0], default=None)
    return OpenChoice(best[1], best[2]) if best else None


def taken_before(
    file: ProgramFile, choice_point: OpenChoice, demonstrations: Iterable[Trajectory]
) -> TakenBefore:
    """Return the candidate that each demonstration took for its task, the last of several."""
    cases = []
    for demonstration in demonstrations:
        moments = list(
            _moments(file, demonstration, choice_point.step, choice_point.choice, copies=False)
        )
        if moments:
            reward = (
                float(demonstration.success)
                if demonstration.reward is None
                else demonstration.reward
            )
            reward_in_range = min(1.0, max(0.0, reward))
            cases.append(
                Taken(demonstration.id, demonstration.task, moments[-1].name, reward_in_range)
            )
    return TakenBefore(cases)


def worth_shown(
    file: ProgramFile,
    choice_point: OpenChoice,
    demonstrations: Sequence[Trajectory],
    before: TakenBefore,
) -> Worth:
    """Return the worth of candidates, fitted to those that demonstrations took and did not take.

    Args:
        file: The program.
        choice_point: Its open choice.
        demonstrations: Demonstrations.
        before: The candidates that they took for their tasks.
    """
    count_by_word = Counter(
        word for demonstration in demonstrations for word in words_in(demonstration.task)
    )
    frequent = (word for word, n in count_by_word.items() if n > _COMMON * len(demonstrations))
    common = sorted(frequent, key=lambda word: (-count_by_word[word], word))
    requirement = next(
        (c for step in file.program.steps for c in _conditions(step) if isinstance(c, EverySaid)),
        None,
    )
    worth = Worth(
        Score(),
        opened=None if choice_point.step.commit else Score(),
        opens="" if choice_point.step.commit else choice_point.step.operator,
        between=(requirement.before, requirement.behind) if requirement else ("", ""),
        ignore=tuple(common),
    )
    samples = []
    for number, demonstration in enumerate(sample(demonstrations, _MOST)):
        own_cases = before.of_episode(demonstration.id, demonstration.task)
        names = {before.cases[n].name for n in own_cases}
        if number % 2:  # half of the samples hide all cases of the candidate
            own_cases |= {n for n, case in enumerate(before.cases) if case.name in names}
        for moment in _moments(file, demonstration, choice_point.step, choice_point.choice):
            moment.history.experience = Experience(before, without=own_cases)
            candidates = known_candidates(
                worth, moment.facts, choice_point.choice.field, moment.history
            )
            samples += [Sample(k.sight, float(k.name == moment.name)) for k in candidates]
    score = fitted(samples)
    return replace(worth, sight=score, opened=None if worth.opened is None else score)


@dataclass(frozen=True, slots=True)
class PaidChoice:
    """The candidate that an episode took, and the candidates that are known after it.

    Attributes:
        listed: Traits of the taken candidate from its line; None where none was taken.
        opened: Its traits with its own result; None where that was not shown.
        seen: Candidate → lines of the result when it was opened.
        lines: Candidate → fields of its line.
    """

    listed: Mapping[str, float] | None
    opened: Mapping[str, float] | None
    seen: Mapping[str, Sequence[str]]
    lines: Mapping[str, Mapping[str, str]]


def outcome_of(
    file: ProgramFile, choice_point: OpenChoice, episode: Trajectory, experience: Experience
) -> PaidChoice:
    """Return the outcome of an episode for the candidates of a choice.

    Args:
        file: The program that was followed.
        choice_point: Its choice, whose candidates have a worth.
        episode: The episode.
        experience: The experience that counted in the episode.

    Raises:
        ValueError: The choice has no worth.
    """
    choice, worth = choice_point.choice, choice_point.choice.worth
    if worth is None:
        raise ValueError("nothing says what the candidates of the choice are worth")
    end = file.begin(episode.task, episode.obs[0])
    moments = list(_moments(file, episode, choice_point.step, choice, end=end))
    results_by_name: dict[str, Sequence[str]] = {}
    for result in opened(worth, choice.kind, choice.field, end):
        results_by_name.setdefault(result.name, result.told)
    lines = {fact.fields.get(choice.field, ""): fact.fields for fact in end.all(choice.kind)}
    if not moments:
        return PaidChoice(None, None, results_by_name, lines)
    last = moments[-1]
    last.history.experience = experience
    number = [fact.fields[choice.field] for fact in last.facts].index(last.name)
    listed = known_candidates(worth, last.facts, choice.field, last.history)[number].sight
    if last.name not in results_by_name:
        return PaidChoice(listed, None, results_by_name, lines)
    task_values = asked_by(worth, last.history)
    needs, result_lines = needs_of(worth, episode.task), results_by_name[last.name]
    further_experience = experience.further(choice.kind, last.name)
    traits = opened_traits(
        listed, task_values, needs, last.facts[number], result_lines, further_experience
    )
    return PaidChoice(listed, traits, results_by_name, lines)


def with_worth(
    file: ProgramFile, choice_point: OpenChoice, worth: Worth
) -> tuple[ProgramFile, OpenChoice]:
    """Return a program whose open choice has a worth of candidates, and that choice.

    A loop that opens candidates until one has all that the task says keeps the best one instead,
    and may open a candidate again. The program asks for a candidate that it remembers from earlier
    episodes and that is not listed.
    """
    plain_choice, valued = choice_point.choice, replace(choice_point.choice, worth=worth)
    loops = bool(worth.opens) and any(
        isinstance(each, EverySaid) for step in file.program.steps for each in _conditions(step)
    )

    def condition(each: Condition | Offered) -> Condition | Offered:
        match each:
            case Offered(choice=choice) if choice == plain_choice:
                return replace(each, choice=valued)
            case EverySaid(_, _, _, _, negated) if loops:
                return Best(valued, negated, step=choice_point.step.id)
            case DoneStep(step, True, times) if (
                loops and step == choice_point.step.id and times > 1
            ):
                return Best(valued, True, step=choice_point.step.id)
            case _:
                return each

    def source(each: Source) -> Source:
        return (
            valued
            if each == plain_choice
            else Recalled(valued)
            if each == Recalled(plain_choice)
            else each
        )

    steps = tuple(
        replace(
            step,
            sources=tuple(map(source, step.sources)),
            guards=tuple(replace(g, when=tuple(map(condition, g.when))) for g in step.guards),
            again=step.again or (loops and step.id == choice_point.step.id),
        )
        for step in file.program.steps
    )
    names = {source(each): name for each, name in file.names.items()}
    if loops:
        steps = _with_recall(steps, choice_point.step.id, valued)
        names.setdefault(Recalled(valued), _REMEMBERED)
    program: Program = replace(file.program, steps=steps)
    step = next(each for each in steps if each.id == choice_point.step.id)
    return replace(file, program=program, names=names), OpenChoice(step, valued)


def _with_recall(
    steps: tuple[ProgramStep, ...], opens: str, choice: Choice
) -> tuple[ProgramStep, ...]:
    """Return steps with one that asks for a remembered candidate before the opening step."""
    asks = next((s for s in steps if len(s.sources) == 1 and isinstance(s.sources[0], Kept)), None)
    if asks is None or any(isinstance(each, Recalled) for s in steps for each in s.sources):
        return steps
    at = next(n for n, step in enumerate(steps) if step.id == opens)
    recall = ProgramStep(
        _RECALL, asks.operator, (Recalled(choice),), (Guard((Shown(choice.kind),)),)
    )
    return (*steps[:at], recall, *steps[at:])


def carried_over(file: ProgramFile, old: ProgramFile) -> ProgramFile:
    """Return a program that was learned again, with the worth of candidates of the one before.

    It gets the status of the one before, too.
    """
    for step in old.program.steps:
        for source in step.sources:
            if not isinstance(source, Choice) or source.worth is None:
                continue
            plain = replace(source, worth=None)
            for new in file.program.steps:
                if new.id == step.id and plain in new.sources:
                    valued = with_worth(file, OpenChoice(new, plain), source.worth)[0]
                    provenance = {**file.provenance, WORTH: old.provenance.get(WORTH, "")}
                    if old.status == DEFAULT_STATUS:
                        provenance.pop(REASON, None)
                    return replace(valued, status=old.status, provenance=provenance)
    return file


def valued_choice(file: ProgramFile) -> OpenChoice | None:
    """Return the choice of a program whose candidates have a worth; None if there is none."""
    for step in file.program.steps:
        for each in step.sources:
            if isinstance(each, Choice) and each.worth is not None:
                return OpenChoice(step, each)
    return None


def _conditions(step: ProgramStep) -> Iterator[Condition | Offered]:
    return (each for guard in step.guards for each in guard.when)


def _moments(
    file: ProgramFile,
    episode: Trajectory,
    step: ProgramStep,
    choice: Choice,
    *,
    copies: bool = True,
    end: History | None = None,
) -> Iterator[_Moment]:
    """Yield the moments at which an episode took a candidate.

    Args:
        file: The program.
        episode: The episode.
        step: The step that takes one.
        choice: The choice among candidates.
        copies: Whether each moment has a copy of the history; else all share one.
        end: A new history, which holds the whole episode at the end.
    """
    results = file.readers()[0]
    history = end or file.begin(episode.task, episode.obs[0])
    for action, observation in zip(episode.acts, episode.obs[1:], strict=True):
        steps = steps_of_action(file.program, action)
        name = next((values[0] for each, values in steps if each.id == step.id), None)
        case = case_of(choice, history) if name is not None else None
        if case is not None:
            candidates = meant_facts(case, choice, history)
            named_candidates = [f for f in candidates if f.fields.get(choice.field)]
            names = {f.fields[choice.field].casefold(): f for f in named_candidates}
            fact = names.get((name or "").casefold())
            if fact is not None:
                moment = history.copy() if copies else history
                yield _Moment(fact.fields[choice.field], named_candidates, moment)
        operator = step.operator if name is not None else action
        history.add(Done(None, operator, (name,) if name else ()), results.read(observation))
