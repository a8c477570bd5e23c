"""Steps that take each of their candidates, and steps that leave some without a rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ...episodes.facts import Fact
from ...episodes.tokens import magnitude
from ..program import ProgramStep, ready
from ..sources import choices_in, rows
from .moments import Moment
from .occurrences import take_several

_LEFT = 0.1
"""Share of the demonstrations that may leave some candidates of a step that takes each in turn."""


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
        unsettled = any(
            not case.settled
            for source in step.sources
            for choice in choices_in(source)
            for case in choice.cases
        )
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
