"""One step of a demonstration: what it shows, and what a library predicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

E_contra = TypeVar("E_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Shown:
    """The action of a demonstration at one step.

    Attributes:
        action: As it is compared: an action, calls of tools, or the final answer.
        text: As people read it.
        shape: Without its names and values, so that like steps can be counted together.
        final: Whether the demonstration ends with it, so that nothing can be tried afterwards.
    """

    action: str
    text: str
    shape: str
    final: bool = False


@dataclass(frozen=True, slots=True)
class Prediction:
    """The action that a library would do at a step.

    Attributes:
        action: As it is compared; None where nothing would be done.
        text: As people read it.
        shape: Without its names and values.
        alternatives: What else is held possible, in order, each once, as far as the shown action
            or as was looked; empty where nothing is chosen among candidates.
        because: Why this, for people.
        by: Ids of the procedure and the plan that say so.
        abstains: Nothing is said of this step, and rightly: it counts neither way.
    """

    action: str | None
    text: str = ""
    shape: str = ""
    alternatives: tuple[str, ...] = ()
    because: str = ""
    by: tuple[str, ...] = ()
    abstains: bool = False


@dataclass(frozen=True, slots=True)
class PredictedStep:
    """A step as it was shown, with the prediction for it."""

    shown: Shown
    prediction: Prediction

    @property
    def rank(self) -> int | None:
        """Place of what was shown among what is held possible, from 1; None if it is not."""
        prediction = self.prediction
        if prediction.action is None:
            return None
        possible = (prediction.action, *prediction.alternatives)
        return possible.index(self.shown.action) + 1 if self.shown.action in possible else None

    @property
    def searching(self) -> bool:
        """Whether the action is one of several candidates."""
        return bool(self.prediction.alternatives)

    @property
    def counts(self) -> bool:
        """Whether anything is said of this step."""
        return not self.prediction.abstains

    @property
    def diverges(self) -> bool:
        """Whether what was shown is not what would have been done, nor held possible.

        What ends a demonstration cannot be found by trying one candidate after the other, so it
        must be the first.
        """
        last = 1 if self.shown.final else None
        return self.counts and (self.rank is None or self.rank > (last or self.rank))


class Predictor(Protocol[E_contra]):
    """Predicts the steps of one episode after the other, given what was really observed."""

    def begin(self, episode: E_contra) -> Sequence[Shown]:
        """Start an episode; return what it shows, step by step."""
        ...

    def predict(self, shown: Shown) -> Prediction:
        """Say what would be done now; alternatives are sought as far as what was shown."""
        ...

    def observe(self, step: PredictedStep) -> None:
        """Go on: what was shown was done, and what followed it was observed."""
        ...
