"""Choose the entities to try a procedure on, in order of promise.

A parameter may be bound already, requested by kind, searched for through places, or open to any
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

_OPTIONS = 6
"""Most entities tried for one open parameter."""
_LOOKS = 2
"""Most failed looks at one place; then it counts as visited."""
_VERBATIM = ("text", "constant")
"""Sources of values that are used verbatim."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try.

    Attributes:
        binding: Parameter → entity.
        steps: Indices of the procedure's steps to run, in order.
        look: The place to look at, or None.
        purpose: ``run`` the procedure, ``look`` at a place, ``travel`` to a known one,
            ``explore`` for something new, or ``prepare``: do its first steps to discover the
            entities of the others.
        route: Actions to do first, to get there.
        action: The final step's action as the world spells it, or None.
    """

    binding: Mapping[str, str]
    steps: tuple[int, ...]
    look: str | None = None
    purpose: str = "run"
    route: tuple[str, ...] = ()
    action: str | None = None


@dataclass(slots=True)
class SearchMemory:
    """The state of an episode's search, in plain values.

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
        """Allow another look at the place once the situation has changed."""
        self.failures[place] = self.failures.get(place, 0) + 1
        self.failed_at[place] = worked
        if self.failures[place] <= _LOOKS and place in self.visited:
            self.visited.remove(place)

    def note_refused(self, procedure: str, parameter: str, entity: str) -> None:
        """Count a binding that did not work; it is tried later than others."""
        key = f"{procedure}|{parameter}|{entity}"
        self.refused[key] = self.refused.get(key, 0) + 1

    def refusals(self, procedure: str, parameter: str, entity: str) -> int:
        """Return how often this binding did not work."""
        return self.refused.get(f"{procedure}|{parameter}|{entity}", 0)


@dataclass(frozen=True, slots=True)
class Request:
    """The requested binding of a procedure, and the state of its attempts.

    Attributes:
        bound: Parameter → entity, fixed by the caller.
        wants: Parameter → kind that the entity must have.
        taken: Entities that are in use for something else.
        tried: Full bindings tried so far, as sorted ``parameter=entity`` texts.
        acceptable: Soft preference over bindings.
        told: Parameter → text that names its entity; if it names none, nothing is tried.
        prepared: Bindings with which the first steps were done already, in order.
        moved: Entity → place where earlier actions may have put it.
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
    """Choose the next attempt.

    Args:
        procedure: The procedure to run.
        request: Fixed parameters and attempts made.
        memory: The episode so far.
        search: State of the search; not changed here.
        evidence: Where entities of a kind were found before.

    Returns:
        The most promising attempt not yet made, or None.
    """
    parameters = procedure.parameters
    word_by_parameter = {
        n: kind for n, kind in request.wants.items() if parameters[n].source not in _VERBATIM
    }
    for replacement in stand_ins(word_by_parameter, memory):
        reading = (
            replace(request, wants={**request.wants, **replacement}) if replacement else request
        )
        chooser = _Chooser(procedure, reading, memory, search, evidence)
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
        attempt = self._known_instances(name, via, preferred=preferred)
        if attempt is not None:
            return attempt
        place = self._next_place(name, via, preferred=preferred)
        if place is None:
            return None
        parameters_by_step = step_parameters(self.procedure)
        steps = tuple(i for i in self.everything if name not in parameters_by_step[i])
        return Attempt({**self.request.bound, via: place}, steps, look=place, purpose="look")

    def _known_instances(self, name: str, via: str, *, preferred: bool) -> Attempt | None:
        memory, fixed = self.memory, self.request.bound
        wanted_kind = self.request.wants.get(name)
        kinds = self.procedure.parameters[name].kinds
        last_arguments = self._last_arguments()
        best: tuple[tuple[bool, int, bool, str], dict[str, str]] | None = None
        for entity in memory.known:
            place = memory.location.get(entity) or self.request.moved.get(entity)
            if place is None or entity in self.request.taken:
                continue
            if not self._fits(entity, wanted_kind, kinds):
                continue
            if via in fixed and fixed[via] != place:
                continue
            binding = {**fixed, name: entity, via: place}
            if binding_key(binding) in self.request.tried:
                continue
            if not self._acceptable(binding, preferred=preferred):
                continue
            refusals = self.search.refusals(self.procedure.id, name, entity)
            kind = memory.kind_of(entity)
            unusual = kind != wanted_kind if wanted_kind is not None else kind not in kinds
            rank = (place not in last_arguments, refusals, unusual, entity)
            if best is None or rank < best[0]:
                best = (rank, binding)
        return None if best is None else Attempt(best[1], self.everything)

    def _left_at(self, wanted_kind: str | None, kinds: Sequence[str]) -> set[str]:
        """Return the arguments of the last actions on fitting entities of unknown location."""
        memory = self.memory
        if wanted_kind is None:
            return set()
        places: set[str] = set()
        for entity in memory.acted_on:
            if memory.location.get(entity) is not None or entity in self.request.taken:
                continue
            if self._fits(entity, wanted_kind, kinds):
                action = memory.last_action_on(entity) or ""
                places.update(memory.lexicon.parse(action)[1])
        return places

    def _last_arguments(self) -> tuple[str, ...]:
        actions = self.memory.successful_actions()
        return self.memory.lexicon.parse(actions[-1])[1] if actions else ()

    def _next_place(self, name: str, via: str, *, preferred: bool) -> str | None:
        fixed, search = self.request.bound, self.search
        if via in fixed:
            return fixed[via] if fixed[via] not in search.visited else None
        memory = self.memory
        wanted_kind = self.request.wants.get(name)
        usual_kinds = self.procedure.parameters[via].kinds
        visited = set(search.visited)
        last_places = self._left_at(wanted_kind, self.procedure.parameters[name].kinds)
        best: tuple[bool, float, str, tuple[int, str]] | None = None
        best_place: str | None = None
        score_by_kind: dict[str, float] = {}
        for entity in memory.known:
            kind = memory.kind_of(entity)
            if entity in visited or search.failed_at.get(entity) == memory.worked:
                continue
            if kind == wanted_kind or (kind not in usual_kinds and entity not in memory.initial):
                continue
            if not self._acceptable({**fixed, via: entity}, preferred=preferred):
                continue
            score = score_by_kind.get(kind)
            if score is None:
                score = score_by_kind[kind] = self._promise(wanted_kind, name, kind, usual_kinds)
            rank = (entity not in last_places, -score, kind, (len(entity), entity))
            if best is None or rank < best:
                best, best_place = rank, entity
        return best_place

    def _promise(
        self, wanted_kind: str | None, name: str, place: str, usual: tuple[str, ...]
    ) -> float:
        """Return P(found) / cost of looking at a place of this kind."""
        if wanted_kind is None:
            kinds = self.procedure.parameters[name].kinds
            chance = max((self.evidence.probability(kind, place) for kind in kinds), default=0.0)
        else:
            chance = self.evidence.probability(wanted_kind, place)
        if not self.evidence.knows_place(place) and place in usual:
            # Without counts, the order in the file ranks the kinds.
            chance = max(chance, 1.0 / (2.0 + usual.index(place)))
        return chance / self.evidence.cost(place)

    def _fits(self, entity: str, wanted_kind: str | None, kinds: Sequence[str]) -> bool:
        kind = self.memory.kind_of(entity)
        if wanted_kind is not None:
            return speaks_of(kind, wanted_kind, kinds)
        return kind in kinds or self.memory.is_new(entity)

    # --------------------------------------------------------------- open choice
    def _choose_open(self, names: Iterable[str], *, preferred: bool) -> Attempt | None:
        open_names = list(names)
        options = {name: self._options(name) for name in open_names}
        if not all(options.values()):
            return self._prepare(options, preferred=preferred)
        last = self.request.prepared[-1] if self.request.prepared else {}
        if last:
            # The other steps keep the binding of the first ones.
            prepared_options = {
                n: [last[n]] if last.get(n) in entities else entities
                for n, entities in options.items()
            }
            for binding in self._bindings(prepared_options, preferred=preferred):
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
        targets = set(names)
        parameters_by_step = step_parameters(self.procedure)
        return next(
            (i for i in self.everything if parameters_by_step[i] & targets),
            len(self.everything) - 1,
        )

    def _prepare(self, options: Mapping[str, Sequence[str]], *, preferred: bool) -> Attempt | None:
        """Run the first steps, whose entities are known: they may reveal the others."""
        first = self._first_open(name for name, entities in options.items() if not entities)
        if not first:
            return None
        early_parameters = {
            name for names in step_parameters(self.procedure)[:first] for name in names
        }
        known_options = {name: options[name] for name in sorted(early_parameters & options.keys())}
        for binding in self._bindings(known_options, preferred=preferred):
            if binding not in self.request.prepared:
                return Attempt(binding, self.everything[:first], purpose="prepare")
        return None

    def _told(self, ranked: Sequence[_Ranked], kinds: Sequence[str], text: str) -> list[_Ranked]:
        """Return the entities that a text names, among usual ones first, then among new ones."""
        for likeness in (1, 2):
            similar = [each for each in ranked if each[1] - len(kinds) < likeness]
            referents = told_apart((entity for *_, entity in similar), text)
            if referents:
                return [each for each in similar if each[-1] in referents]
        return []

    def _options(self, name: str) -> list[str]:
        parameter = self.procedure.parameters[name]
        if parameter.source == "constant":
            return [parameter.value or ""]
        memory = self.memory
        wanted_kind = self.request.wants.get(name)
        if parameter.source == "text":
            # A text is no entity: the task has it, or demonstrations had.
            return [wanted_kind] if wanted_kind is not None else list(parameter.kinds[:_OPTIONS])
        order = {kind: i for i, kind in enumerate(parameter.kinds)}
        ranked: list[_Ranked] = []
        for entity in memory.known:
            kind = memory.kind_of(entity)
            if entity in self.request.taken:
                continue
            if not self._fits(entity, wanted_kind, parameter.kinds):
                continue
            usual = int(kind != wanted_kind) if wanted_kind is not None else _rank(kind, order)
            refusals = self.search.refusals(self.procedure.id, name, entity)
            ranked.append((refusals, usual, len(entity), entity))
        if name in self.request.told:
            ranked = self._told(ranked, parameter.kinds, self.request.told[name])
        return [entity for *_, entity in sorted(ranked)[:_OPTIONS]]


def _rank(kind: str, order: Mapping[str, int]) -> int:
    """Return the rank of a kind: usual ones, new ones that share a word with them, others."""
    if kind in order:
        return order[kind]
    parts = set(kind.split())
    return len(order) + (not any(parts & set(each.split()) for each in order))
