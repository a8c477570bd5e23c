"""The base class of conditions, their verdicts, and the view that they read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from .text_patterns import Pattern


class Verdict(NamedTuple):
    """The value of a condition, and the text that decided it.

    ``value`` is True, False or None (unknown). A verdict is a tuple, so test its
    ``value``, never the verdict itself.
    """

    value: bool | None
    because: str


@dataclass(frozen=True, slots=True)
class RunFacts:
    """Facts about the run of a sub-procedure, for the conditions of a plan's place."""

    post: bool | None
    pre: bool | None
    exhausted: bool
    attempts: int


Bindings: TypeAlias = Mapping[str, str]
Run: TypeAlias = RunFacts | None


class EpisodeView(Protocol):
    """The view of a condition: one episode's memory."""

    task: str

    def has_observation(self) -> bool:
        """Tell whether anything was observed yet."""
        ...

    def latest_sentences(self) -> Sequence[str]:
        """Return the sentences of the latest observation."""
        ...

    def all_sentences(self) -> Iterable[str]:
        """Return every distinct sentence of the episode so far."""
        ...

    def successful_actions(self) -> Sequence[str]:
        """Return the successful actions, oldest first."""
        ...

    def last_action_on(self, entity: str) -> str | None:
        """Return the last successful action that mentioned the entity."""
        ...

    def kind_of(self, entity: str) -> str:
        """Return the kind of an entity."""
        ...

    def mates(self, kind: str) -> Sequence[str]:
        """Return the words that a new kind may stand for."""
        ...


class Condition(ABC):
    """A parsed condition: immutable, hashable, equal when its structure is."""

    __slots__ = ()

    def evaluate(
        self,
        view: EpisodeView,
        bindings: Mapping[str, str],
        *,
        step: str | None = None,
        run: RunFacts | None = None,
    ) -> Verdict:
        """Check the condition against an episode.

        Args:
            view: The episode's memory.
            bindings: Values of the parameters; a missing one is unbound.
            step: The action template of the guarded step, for a bare ``done``.
            run: Facts about the run of a sub-procedure, for a plan's place.
        """
        return self._check(view, bindings, step, run)

    @abstractmethod
    def _check(self, view: EpisodeView, bindings: Bindings, step: str | None, run: Run) -> Verdict:
        """Do the work of :meth:`evaluate`."""

    @abstractmethod
    def to_text(self) -> str:
        """Return the canonical text, which parses to an equal condition."""

    def to_yaml(self) -> str | bool:
        """Return the form of a YAML file: the canonical text, or a plain boolean."""
        return self.to_text()

    def parts(self) -> tuple[Condition, ...]:
        """Return the parts of a composed condition."""
        return ()

    def patterns(self) -> tuple[Pattern, ...]:
        """Return the patterns of this condition itself, without those of its parts."""
        return ()

    def own_parameters(self) -> tuple[str, ...]:
        """Return the parameters of this condition itself, without those of its parts."""
        return tuple(name for pattern in self.patterns() for name in pattern.names)

    def walk(self) -> Iterator[Condition]:
        """Yield this condition and everything below it."""
        yield self
        for part in self.parts():
            yield from part.walk()

    def parameters(self) -> frozenset[str]:
        """Return the names of all parameters used."""
        return frozenset(name for node in self.walk() for name in node.own_parameters())

    def __str__(self) -> str:
        return self.to_text()
