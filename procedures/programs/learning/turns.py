"""Steps that take each of their candidates, and steps that leave some without a rule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ...episodes.facts import Fact
from ...episodes.history import History
from ...episodes.tokens import magnitude
from ..program import ProgramStep, ready
from ..program_conditions import Condition, Field, OneOf, Unused, value_of
from ..sources import Case, Choice, Rule, choices_in, chosen_facts, chosen_values, is_settled, rows
from ..terms import class_of
from .moments import Moment, in_any_order
from .occurrences import take_several

_LEFT = 0.1
"""Share of the demonstrations that may leave some candidates of a step that takes each in turn."""


def with_turns(
    steps: Mapping[str, ProgramStep], moments: Sequence[Moment]
) -> dict[str, ProgramStep]:
    """Return steps of which those in any order take each of their candidates in turn.

    Steps of one group share their conditions, as each alone was shown less often. An order among
    candidates that were all taken in the end is chance, so that it is dropped.
    """
    end_histories = [moment.history for moment in moments if moment.step is None]
    steps_by_id = dict(steps)
    for group in in_any_order(moments):
        cases_by_name: dict[tuple[str, str], dict[str, Case]] = defaultdict(dict)
        for name in group:
            (choice,) = steps[name].sources if len(steps[name].sources) == 1 else (None,)
            if isinstance(choice, Choice) and len(choice.cases) == 1 and choice.at == "newest":
                cases_by_name[choice.kind, choice.field][name] = choice.cases[0]
        for cases in cases_by_name.values():
            for name, case in cases.items():
                others = [each.rule.where for each in cases.values()]
                steps_by_id[name] = _step_in_turn(steps[name], case, others, end_histories)
    return steps_by_id


def _step_in_turn(
    step: ProgramStep,
    case: Case,
    others: Sequence[Sequence[Condition]],
    end_histories: Sequence[History],
) -> ProgramStep:
    """Return a step that takes each candidate; the same step if demonstrations left any."""
    (choice,) = step.sources
    if not isinstance(choice, Choice):
        return step
    used_values = [
        {c.arguments[0] for c in each.calls if c.step == step.id} for each in end_histories
    ]
    taken_facts = [
        (history, fact)
        for history, values in zip(end_histories, used_values, strict=True)
        for fact in rows(choice, history)
        if fact.fields.get(choice.field) in values
    ]
    shared_conditions = (
        each
        for conditions in others
        for each in conditions
        if class_of(each) is None and all(each.holds(*place) for place in taken_facts)
    )
    conditions = dict.fromkeys((*case.rule.where, *shared_conditions))
    where = tuple(each for each in conditions if not isinstance(each, Unused))
    chosen_by_rule = [set(chosen_values(Rule(where), choice, history)) for history in end_histories]
    if any(
        values and not values_of_rule <= values
        for values_of_rule, values in zip(chosen_by_rule, used_values, strict=True)
    ):
        return step
    known_classes = []
    for term in dict.fromkeys(class_of(each) for each in where):
        if term is not None:
            rule = Rule(Rule(where).without(term))
            facts = ((h, f) for h in end_histories for f in chosen_facts(rule, rows(choice, h), h))
            values = {value for h, f in facts if (value := value_of(term, h, f))}
            known_classes.append(OneOf(term, tuple(sorted(values))))
    unused = Unused(Field(choice.field), step.operator)
    case_of_each = Case(
        case.when, Rule((*where, unused)), settled=False, known=tuple(known_classes)
    )
    return replace(step, sources=(replace(choice, cases=(case_of_each,)),))


def with_some(
    steps: Mapping[str, ProgramStep], moments: Sequence[Moment]
) -> dict[str, ProgramStep]:
    """Return steps that know whether they leave some of their candidates.

    A candidate was left if it was there when the first was taken, and was never taken. So was a
    candidate that is there at the end.
    """
    episodes = list(_episodes(moments))
    steps_by_id: dict[str, ProgramStep] = {}
    for name, step in steps.items():
        unsettled = not all(map(is_settled, step.sources))
        episodes_of_step = (
            [each for each in episodes if any(m.step == name for m in each)] if unsettled else []
        )
        leaving = sum(
            name in each[-1].open or _leaves_some(step, each) for each in episodes_of_step
        )
        leaves_candidates = (
            unsettled
            and leaving > _LEFT * len(episodes_of_step)
            and not _takes_in_turn(step, episodes_of_step)
        )
        steps_by_id[name] = replace(step, some=leaves_candidates)
    return steps_by_id


def _takes_in_turn(step: ProgramStep, episodes: Sequence[Sequence[Moment]]) -> bool:
    """Whether demonstrations took one candidate after the other in the order of the list.

    Sorted lists do not count, as the order may be that of a size.
    """
    episodes_of_several = 0
    for episode in episodes:
        histories = [moment.history for moment in episode if moment.step == step.id]
        calls = episode[-1].history.calls
        ways = [calls[len(now.calls)].arguments for now in histories]
        if any(ready(step, now)[:1] != [way] for now, way in zip(histories, ways, strict=True)):
            return False
        episodes_of_several += len(set(ways)) > 1
    if not take_several(episodes_of_several, len(episodes)):
        return False
    lists = [
        rows(choice, moment.history)
        for source in step.sources
        for choice in choices_in(source)
        if choice.beside is None
        for episode in episodes
        for moment in episode
        if moment.step == step.id
    ]
    names = {name for facts in lists for fact in facts for name in fact.fields}
    return not any(are_sorted(lists, name) for name in names)


def are_sorted(lists: Iterable[Sequence[Fact]], name: str) -> bool:
    """Whether all lists are sorted by a size in the same direction."""
    orders = {False, True}
    differ = False
    for facts in lists:
        sizes = [magnitude(fact.fields.get(name, "")) for fact in facts]
        values = [size[1] for size in sizes if size is not None]
        if len(values) < len(sizes):
            return False
        orders = {reverse for reverse in orders if values == sorted(values, reverse=reverse)}
        differ = differ or len(set(values)) > 1
    return differ and bool(orders)


def _episodes(moments: Iterable[Moment]) -> Iterator[list[Moment]]:
    """Yield the moments of each demonstration, its end the last."""
    episode: list[Moment] = []
    for moment in moments:
        episode.append(moment)
        if moment.step is None:
            yield episode
            episode = []


def _leaves_some(step: ProgramStep, episode: Sequence[Moment]) -> bool:
    """Whether a demonstration left a candidate that it had when it took the first."""
    first = next(moment for moment in episode if moment.step == step.id)
    taken_arguments = {call.arguments for call in episode[-1].history.calls if call.step == step.id}
    return not taken_arguments.issuperset(ready(step, first.history))
