"""A proof: every demonstration predicted step by step, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from ..evidence.intervals import Interval, wilson_interval
from .coding import doubt, step_bits
from .predictions import PredictedStep, Predictor, Shown

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Divergence:
    """A step at which something else was shown than would have been done.

    Attributes:
        task: Of the episode.
        number: Of the step, from 1.
        step: What was shown and what would have been done.
    """

    task: str
    number: int
    step: PredictedStep

    @property
    def kind(self) -> tuple[tuple[str, ...], str, str]:
        """Who says it, what was shown and what would be done, without names and values."""
        prediction = self.step.prediction
        return prediction.by, self.step.shown.shape, prediction.shape


@dataclass(frozen=True, slots=True)
class EpisodeProof:
    """One demonstration, predicted.

    Attributes:
        position: Its place among the demonstrations, from 0.
        task: What was asked.
        steps: What was shown, and what would have been done.
    """

    position: int
    task: str
    steps: tuple[PredictedStep, ...]

    @property
    def divergence(self) -> Divergence | None:
        """The first divergence; None where the demonstration is reproduced."""
        for number, step in enumerate(self.steps, 1):
            if step.diverges:
                return Divergence(self.task, number, step)
        return None

    @property
    def reproduced(self) -> bool:
        """Whether no step diverges."""
        return not any(step.diverges for step in self.steps)

    @property
    def searched(self) -> bool:
        """Whether it is reproduced only because another candidate is held possible somewhere."""
        return self.reproduced and any((step.rank or 1) > 1 for step in self.steps)


@dataclass(frozen=True, slots=True)
class ActionKind:
    """First divergences that are alike: how many, and one of them."""

    count: int
    example: Divergence


@dataclass(frozen=True, slots=True)
class Share:
    """Of how many demonstrations something predicts steps, and how many of them it reproduces."""

    reproduced: int
    of: int


@dataclass(frozen=True)
class Proof:
    """The result of predicting demonstrations step by step.

    Attributes:
        episodes: The demonstrations; at least one.
        actions: How many different actions there are in all of them.
    """

    episodes: tuple[EpisodeProof, ...]
    actions: int

    @property
    def of(self) -> int:
        """How many demonstrations there are."""
        return len(self.episodes)

    @cached_property
    def reproduced(self) -> int:
        """How many are reproduced."""
        return sum(episode.reproduced for episode in self.episodes)

    @cached_property
    def searched(self) -> int:
        """How many of these only because another candidate is held possible somewhere."""
        return sum(episode.searched for episode in self.episodes)

    @property
    def share(self) -> float:
        """The share that is reproduced."""
        return self.reproduced / self.of

    @property
    def interval(self) -> Interval:
        """Wilson's interval of the share."""
        return wilson_interval(self.reproduced, self.of)

    @cached_property
    def bits(self) -> float:
        """What all demonstrations cost; see :mod:`.coding`."""
        epsilon = doubt(self._steps())
        return sum(step_bits(step, epsilon, self.actions) for step in self._steps())

    @cached_property
    def predicted(self) -> int:
        """Steps for which something is predicted."""
        return sum(step.counts for step in self._steps())

    @property
    def bits_an_action(self) -> float:
        """What one step costs on average; 0 where nothing is said of any."""
        return self.bits / self.predicted if self.predicted else 0.0

    @cached_property
    def kinds(self) -> tuple[ActionKind, ...]:
        """First divergences by kind, the most frequent first, then in order of the episodes."""
        firsts = [each for episode in self.episodes if (each := episode.divergence) is not None]
        counts = Counter(each.kind for each in firsts)
        examples: dict[tuple[tuple[str, ...], str, str], Divergence] = {}
        for each in firsts:
            examples.setdefault(each.kind, each)
        return tuple(ActionKind(count, examples[kind]) for kind, count in counts.most_common())

    @cached_property
    def shares(self) -> Mapping[str, Share]:
        """Id of a procedure or plan → what it reproduces of the demonstrations it acts in."""
        acted: Counter[str] = Counter()
        well: Counter[str] = Counter()
        for episode in self.episodes:
            names = {name for step in episode.steps for name in step.prediction.by}
            wrong = {n for step in episode.steps if step.diverges for n in step.prediction.by}
            acted.update(names)
            well.update(names - wrong)
        return {name: Share(well[name], acted[name]) for name in sorted(acted)}

    def left_out(self, kind: Callable[[Shown], str]) -> Mapping[str, int]:
        """Return in how many demonstrations nothing learned calls for a kind of action.

        Such an action counts neither way. The most frequent kinds come first.
        """
        counts: Counter[str] = Counter()
        for episode in self.episodes:
            counts.update({kind(step.shown) for step in episode.steps if not step.counts})
        return dict(sorted(counts.items(), key=lambda x: (-x[1], x[0])))

    def _steps(self) -> Iterator[PredictedStep]:
        return (step for episode in self.episodes for step in episode.steps)


def prove(
    episodes: Iterable[tuple[int, str, E]],
    predictor: Predictor[E],
    progress: Callable[[], None] = lambda: None,
) -> Sequence[EpisodeProof]:
    """Predict demonstrations step by step, each given what was really observed before.

    Args:
        episodes: Position, task and episode of each demonstration.
        predictor: Says what would be done.
        progress: Told after each episode.
    """
    proved: list[EpisodeProof] = []
    for position, task, episode in episodes:
        steps: list[PredictedStep] = []
        for demonstrated in predictor.begin(episode):
            step = PredictedStep(demonstrated, predictor.predict(demonstrated))
            predictor.observe(step)
            steps.append(step)
        proved.append(EpisodeProof(position, task, tuple(steps)))
        progress()
    return proved
