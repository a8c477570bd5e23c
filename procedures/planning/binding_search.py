"""Which entities to try a procedure on, and in which order.

A parameter may be bound already, wanted by kind, searched for through places, or open to any
known entity of its usual kinds. One *attempt* is one full binding, or a look at one place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from ..common.text import speaks_of
from ..conditions.text_patterns import template_parameters
from ..model.procedure import Procedure
from ..words.reference_resolution import told_apart
from .episode_memory import EpisodeMemory
from .search_statistics import SearchEvidence
from .synonym_linking import stand_ins

__all__ = ["Attempt", "Request", "SearchMemory", "next_attempt", "step_parameters"]

_OPTIONS = 6
"""Most entities tried for one open parameter."""
_LOOKS = 2
"""How often a look at one place may fail before it is given up."""
_VERBATIM = ("text", "constant")
"""Sources of values that are spelled as they are given."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try.

    Attributes:
        binding: Parameter → entity.
        steps: Indices of the procedure's steps to run, in order.
        look: The place this only looks at, or None.
        purpose: ``run`` the procedure, ``look`` at a place, ``travel`` without doing either, or
            ``prepare``: do its first steps, so that the things of the others come to be known.
        route: Actions to do first, to get there.
        action: The final step's action as the world spells it, where that is known.
    """

    binding: Mapping[str, str]
    steps: tuple[int, ...]
    look: str | None = None
    purpose: str = "run"
    route: tuple[str, ...] = ()
    action: str | None = None


@dataclass(slots=True)
class SearchMemory:
    """What an episode's searching has come to so far; plain values only.

    Attributes:
        visited: Places looked at.
        failed_at: Place → number of actions that had worked when a look at it failed.
        failures: Place → failed looks.
        refused: ``procedure|parameter|entity`` → times it did not work.
    """

    visited: list[str] = field(default_factory=list)
    failed_at: dict[str, int] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)

    def note_failed_look(self, place: str, worked: int) -> None:
        """Allow another look at the place, once the situation has changed: not before."""
        self.failures[place] = self.failures.get(place, 0) + 1
        self.failed_at[place] = worked
        if self.failures[place] <= _LOOKS and place in self.visited:
            self.visited.remove(place)

    def note_refused(self, procedure: str, parameter: str, entity: str) -> None:
        """Remember that a binding did not work; it is tried later than others."""
        key = f"{procedure}|{parameter}|{entity}"
        self.refused[key] = self.refused.get(key, 0) + 1

    def refusals(self, procedure: str, parameter: str, entity: str) -> int:
        """How often this binding did not work."""
        return self.refused.get(f"{procedure}|{parameter}|{entity}", 0)


@dataclass(frozen=True, slots=True)
class Request:
    """What a procedure is to be run with.

    Attributes:
        bound: Parameter → entity, fixed by the caller.
        wants: Parameter → kind that the entity must have.
        taken: Entities that are used for something else already.
        tried: Full bindings tried so far, as sorted ``parameter=entity`` texts.
        acceptable: Soft preference over bindings.
        told: Parameter → text that tells its entity; without one that it tells, nothing is tried.
        prepared: Bindings with which the first steps were done already, in order.
        moved: Entity → where it may have been put by what was done so far.
    """

    bound: Mapping[str, str]
    wants: Mapping[str, str]
    taken: frozenset[str] = frozenset()
    tried: frozenset[str] = frozenset()
    acceptable: Callable[[Mapping[str, str]], bool] | None = None
    told: Mapping[str, str] = field(default_factory=dict)
    prepared: Sequence[Mapping[str, str]] = ()
    moved: Mapping[str, str] = field(default_factory=dict)


def binding_key(binding: Mapping[str, str]) -> str:
    """Write a binding as one text."""
    return ";".join(f"{name}={binding[name]}" for name in sorted(binding))


def step_parameters(procedure: Procedure) -> list[frozenset[str]]:
    """Return the parameters each step's action uses."""
    return [
        frozenset(template_parameters(step.do) if step.do is not None else ())
        for step in procedure.steps
    ]


def next_attempt(
    procedure: Procedure,
    request: Request,
    memory: EpisodeMemory,
    search: SearchMemory,
    evidence: SearchEvidence,
) -> Attempt | None:
    """Choose what to try next.

    Args:
        procedure: What is to be run.
        request: What is fixed and what was tried.
        memory: The episode so far.
        search: What searching has come to; not changed here.
        evidence: Where things of a kind were found before.

    Returns:
        The most promising attempt not yet made, or None when nothing is left.
    """
    parameters = procedure.parameters
    named = {n: kind for n, kind in request.wants.items() if parameters[n].source not in _VERBATIM}
    for instead in stand_ins(named, memory):
        asked = replace(request, wants={**request.wants, **instead}) if instead else request
        chooser = _Chooser(procedure, asked, memory, search, evidence)
        attempt = chooser.choose(preferred=True)
        if attempt is None and request.acceptable is not None:
            attempt = chooser.choose(preferred=False)
        if attempt is not None:
            return attempt
    return None


_Ranked = tuple[int, int, int, str]
"""(refusals, rank of the kind, length of the name, entity)."""


class _Chooser:
    def __init__(
        self,
        procedure: Procedure,
        request: Request,
        memory: EpisodeMemory,
        search: SearchMemory,
        evidence: SearchEvidence,
    ) -> None:
        self.procedure = procedure
        self.request = request
        self.memory = memory
        self.search = search
        self.evidence = evidence
        self.everything = tuple(range(len(procedure.steps)))

    def choose(self, *, preferred: bool) -> Attempt | None:
        open_names = [n for n in self.procedure.parameters if n not in self.request.bound]
        for name in open_names:
            parameter = self.procedure.parameters[name]
            if parameter.source == "search" and parameter.via is not None:
                return self._search(name, parameter.via, preferred=preferred)
        return self._choose_open(open_names, preferred=preferred)

    def _acceptable(self, binding: Mapping[str, str], *, preferred: bool) -> bool:
        accept = self.request.acceptable
        return not preferred or accept is None or accept(binding)

    # ------------------------------------------------------------------- search
    def _search(self, name: str, via: str, *, preferred: bool) -> Attempt | None:
        known = self._known_instances(name, via, preferred=preferred)
        if known is not None:
            return known
        place = self._next_place(name, via, preferred=preferred)
        if place is None:
            return None
        used = step_parameters(self.procedure)
        steps = tuple(i for i in self.everything if name not in used[i])
        return Attempt({**self.request.bound, via: place}, steps, look=place, purpose="look")

    def _known_instances(self, name: str, via: str, *, preferred: bool) -> Attempt | None:
        memory, bound = self.memory, self.request.bound
        wanted = self.request.wants.get(name)
        kinds = self.procedure.parameters[name].kinds
        here = self._last_arguments()
        best: tuple[tuple[bool, int, bool, str], dict[str, str]] | None = None
        for entity in memory.known:
            place = memory.location.get(entity) or self.request.moved.get(entity)
            if place is None or entity in self.request.taken:
                continue
            if not self._fits(entity, wanted, kinds):
                continue
            if via in bound and bound[via] != place:
                continue
            binding = {**bound, name: entity, via: place}
            if binding_key(binding) in self.request.tried:
                continue
            if not self._acceptable(binding, preferred=preferred):
                continue
            refusals = self.search.refusals(self.procedure.id, name, entity)
            kind = memory.kind_of(entity)
            unusual = kind != wanted if wanted is not None else kind not in kinds
            rank = (place not in here, refusals, unusual, entity)
            if best is None or rank < best[0]:
                best = (rank, binding)
        return None if best is None else Attempt(best[1], self.everything)

    def _left_at(self, wanted: str | None, kinds: Sequence[str]) -> set[str]:
        """Where something that fits was last dealt with, if it is not known to be elsewhere."""
        memory = self.memory
        if wanted is None:
            return set()
        found: set[str] = set()
        for entity in memory.acted_on:
            if memory.location.get(entity) is not None or entity in self.request.taken:
                continue
            if self._fits(entity, wanted, kinds):
                action = memory.last_action_on(entity) or ""
                found.update(memory.lexicon.parse(action)[1])
        return found

    def _last_arguments(self) -> tuple[str, ...]:
        actions = self.memory.successful_actions()
        return self.memory.lexicon.parse(actions[-1])[1] if actions else ()

    def _next_place(self, name: str, via: str, *, preferred: bool) -> str | None:
        bound, search = self.request.bound, self.search
        if via in bound:
            return bound[via] if bound[via] not in search.visited else None
        memory = self.memory
        wanted = self.request.wants.get(name)
        usual = self.procedure.parameters[via].kinds
        visited = set(search.visited)
        left = self._left_at(wanted, self.procedure.parameters[name].kinds)
        best: tuple[bool, float, str, tuple[int, str]] | None = None
        choice: str | None = None
        scores: dict[str, float] = {}
        for entity in memory.known:
            kind = memory.kind_of(entity)
            if entity in visited or search.failed_at.get(entity) == memory.worked:
                continue
            if kind == wanted or (kind not in usual and entity not in memory.initial):
                continue
            if not self._acceptable({**bound, via: entity}, preferred=preferred):
                continue
            score = scores.get(kind)
            if score is None:
                score = scores[kind] = self._promise(wanted, name, kind, usual)
            rank = (entity not in left, -score, kind, (len(entity), entity))
            if best is None or rank < best:
                best, choice = rank, entity
        return choice

    def _promise(self, wanted: str | None, name: str, place: str, usual: tuple[str, ...]) -> float:
        """P(found) / cost of looking at a place of this kind."""
        if wanted is None:
            kinds = self.procedure.parameters[name].kinds
            chance = max((self.evidence.probability(kind, place) for kind in kinds), default=0.0)
        else:
            chance = self.evidence.probability(wanted, place)
        if not self.evidence.knows_place(place) and place in usual:
            # No counts yet: the order in the file says what was usual.
            chance = max(chance, 1.0 / (2.0 + usual.index(place)))
        return chance / self.evidence.cost(place)

    def _fits(self, entity: str, wanted: str | None, kinds: Sequence[str]) -> bool:
        kind = self.memory.kind_of(entity)
        if wanted is not None:
            return speaks_of(kind, wanted, kinds)
        return kind in kinds or self.memory.is_new(entity)

    # --------------------------------------------------------------- open choice
    def _choose_open(self, names: Iterable[str], *, preferred: bool) -> Attempt | None:
        open_names = list(names)
        options = {name: self._options(name) for name in open_names}
        if not all(options.values()):
            return self._prepare(options, preferred=preferred)
        last = self.request.prepared[-1] if self.request.prepared else {}
        if last:
            # What the first steps were done with, the others go on with.
            kept = {n: [last[n]] if last.get(n) in found else found for n, found in options.items()}
            for binding in self._bindings(kept, preferred=preferred):
                if last.items() <= binding.items():
                    first = self._first_open(binding.keys() - last.keys())
                    return Attempt(binding, self.everything[first:])
        for binding in self._bindings(options, preferred=preferred):
            return Attempt(binding, self.everything)
        return None

    def _bindings(
        self, options: Mapping[str, Sequence[str]], *, preferred: bool
    ) -> Iterator[dict[str, str]]:
        for values in product(*options.values()):
            binding = {**self.request.bound, **dict(zip(options, values, strict=True))}
            if binding_key(binding) in self.request.tried or len(set(values)) < len(values):
                continue
            if self._acceptable(binding, preferred=preferred):
                yield binding

    def _first_open(self, names: Iterable[str]) -> int:
        """Return the index of the first step that uses one of these parameters."""
        wanted = set(names)
        used = step_parameters(self.procedure)
        return next((i for i in self.everything if used[i] & wanted), len(self.everything) - 1)

    def _prepare(self, options: Mapping[str, Sequence[str]], *, preferred: bool) -> Attempt | None:
        """Run the first steps, those whose things are known: they may bring about the others."""
        first = self._first_open(name for name, found in options.items() if not found)
        if not first:
            return None
        used = {name for names in step_parameters(self.procedure)[:first] for name in names}
        known = {name: options[name] for name in sorted(used & options.keys())}
        for binding in self._bindings(known, preferred=preferred):
            if binding not in self.request.prepared:
                return Attempt(binding, self.everything[:first], purpose="prepare")
        return None

    def _told(self, ranked: Sequence[_Ranked], kinds: Sequence[str], text: str) -> list[_Ranked]:
        """Keep what a text tells, of things like those of before rather than of whatever is new."""
        for likeness in (1, 2):
            near = [each for each in ranked if each[1] - len(kinds) < likeness]
            told = told_apart((entity for *_, entity in near), text)
            if told:
                return [each for each in near if each[-1] in told]
        return []

    def _options(self, name: str) -> list[str]:
        parameter = self.procedure.parameters[name]
        if parameter.source == "constant":
            return [parameter.value or ""]
        memory = self.memory
        wanted = self.request.wants.get(name)
        if parameter.source == "text":
            # Nothing that one sees: it is spelled as the task has it, or as demonstrations had.
            return [wanted] if wanted is not None else list(parameter.kinds[:_OPTIONS])
        order = {kind: i for i, kind in enumerate(parameter.kinds)}
        ranked: list[_Ranked] = []
        for entity in memory.known:
            kind = memory.kind_of(entity)
            if entity in self.request.taken:
                continue
            if not self._fits(entity, wanted, parameter.kinds):
                continue
            usual = int(kind != wanted) if wanted is not None else _rank(kind, order)
            refusals = self.search.refusals(self.procedure.id, name, entity)
            ranked.append((refusals, usual, len(entity), entity))
        if name in self.request.told:
            ranked = self._told(ranked, parameter.kinds, self.request.told[name])
        return [entity for *_, entity in sorted(ranked)[:_OPTIONS]]


def _rank(kind: str, order: Mapping[str, int]) -> int:
    """Rank of a kind: a new one comes after the usual ones, last if it is like none of them."""
    if kind in order:
        return order[kind]
    parts = set(kind.split())
    return len(order) + (not any(parts & set(each.split()) for each in order))
