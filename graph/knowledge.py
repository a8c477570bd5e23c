"""What the loop knows while it plays: a library's content and its evidence, ready for use.

Built once from a library, its ledger and its index; nothing here changes during an episode.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from ..procedures.condition_patterns import Pattern, normalise
from ..procedures.lexicon import Lexicon
from ..procedures.matching import GoalVocabulary
from ..procedures.model import MetaProcedure, Ontology, Procedure
from ..procedures.search_evidence import SearchEvidence
from ..procedures.similarity import TextSimilarity
from ..procedures.text import sentences

__all__ = ["CountKey", "Hit", "Knowledge", "Retriever"]

CountKey = tuple[str, str, int, str]
"""(subject kind, subject, version, binding) as the ledger counts them."""


class Hit(Protocol):
    """One thing that retrieval found."""

    @property
    def id(self) -> str:
        """Id of the procedure or meta-procedure."""
        ...

    @property
    def similarity(self) -> float:
        """Cosine similarity to the query, in [-1, 1]."""
        ...


class Retriever(Protocol):
    """Finds procedures and metas by meaning; the Chroma index is one."""

    def search(self, text: str, k: int, *, kind: str | None = None) -> Iterable[Hit]:
        """Return the k nearest entries, best first."""
        ...


@dataclass(frozen=True)
class Knowledge:
    """A library's content and evidence.

    Attributes:
        procedures: By id.
        metas: By id.
        lexicon: Entities and frames, from the ontology.
        counts: Evidence: key → (successes, failures).
        retriever: Finds candidates.
        similarity: Of words and phrases.
        outcomes: Frame → patterns of which one follows when the action works.
        prior: (α, β) before any evidence.
        library_hash: Hash of the library's content.
    """

    procedures: Mapping[str, Procedure]
    metas: Mapping[str, MetaProcedure]
    lexicon: Lexicon
    counts: Mapping[CountKey, tuple[float, float]]
    retriever: Retriever
    similarity: TextSimilarity
    outcomes: Mapping[str, tuple[Pattern, ...]]
    prior: tuple[float, float] = (1.0, 1.0)
    library_hash: str = ""
    evidence: SearchEvidence = field(init=False)
    vocabulary: GoalVocabulary = field(init=False)
    known_kinds: frozenset[str] = field(init=False)
    _roles: dict[str, dict[str, frozenset[str]]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Derive what depends only on the content."""
        bindings = {
            (subject, binding): value
            for (kind, subject, _, binding), value in self.counts.items()
            if kind == "binding"
        }
        object.__setattr__(self, "evidence", SearchEvidence(bindings, self.similarity))
        goals = [meta.goal for meta in self.metas.values()]
        object.__setattr__(self, "vocabulary", GoalVocabulary(goals))
        kinds = frozenset(
            kind
            for procedure in self.procedures.values()
            for parameter in procedure.parameters.values()
            for kind in parameter.kinds
        )
        object.__setattr__(self, "known_kinds", kinds)

    def posterior(self, kind: str, subject: str, version: int) -> tuple[float, float]:
        """Return (α, β) of a procedure's or meta-procedure's success."""
        successes, failures = self.counts.get((kind, subject, version, ""), (0.0, 0.0))
        return self.prior[0] + successes, self.prior[1] + failures

    def procedure(self, ref: str) -> Procedure:
        """Return the procedure that ``id@version`` names."""
        return self.procedures[ref.rpartition("@")[0]]

    def meta(self, ref: str) -> MetaProcedure:
        """Return the meta-procedure that ``id@version`` names."""
        return self.metas[ref.rpartition("@")[0]]

    def roles(self, meta: MetaProcedure) -> Mapping[str, frozenset[str]]:
        """Slot → kinds that the plan's procedures have been used on in that role."""
        found = self._roles.get(meta.id)
        if found is None:
            gathered: dict[str, set[str]] = {}
            for place in meta.plan:
                procedure = self.procedures.get(place.run or "")
                if procedure is None:
                    continue
                for own, name in place.with_.items():
                    parameter = meta.parameters.get(name)
                    if parameter is None or parameter.of is None or own not in procedure.parameters:
                        continue
                    kinds = procedure.parameters[own].kinds
                    gathered.setdefault(parameter.of, set()).update(kinds)
            found = {slot: frozenset(kinds) for slot, kinds in gathered.items()}
            self._roles[meta.id] = found
        return found

    def worked(self, action: str, observation: str) -> bool:
        """Tell whether an action outside any procedure worked, by what usually follows it."""
        frame, arguments = self.lexicon.parse(action)
        patterns = self.outcomes.get(frame)
        if not patterns:
            return bool(observation.strip())
        bindings = {f"a{i}": argument for i, argument in enumerate(arguments)}
        found = sentences(observation)
        return any(
            matcher.matches(normalise(sentence))
            for matcher in (pattern.bind(bindings) for pattern in patterns)
            for sentence in found
        )


def lexicon_from(ontology: Ontology) -> Lexicon:
    """Build the lexicon that an ontology describes."""
    frames = [frame for operator in ontology.operators.values() for frame in operator.frames]
    return Lexicon(
        numbered=ontology.entities.shape == "kind and number",
        kinds=ontology.entities.kinds,
        frames=frames,
    )


def outcomes_from(ontology: Ontology) -> dict[str, tuple[Pattern, ...]]:
    """Read the outcome patterns of all frames; slots ``{0}`` become parameters ``{a0}``."""
    out: dict[str, tuple[Pattern, ...]] = {}
    for operator in ontology.operators.values():
        listed = operator.extra.get("outcomes", {})
        for frame, patterns in listed.items():
            renamed = [re.sub(r"(?<!\\)\{(\d+)\}", r"{a\1}", pattern) for pattern in patterns]
            out[frame] = tuple(Pattern.parse(pattern) for pattern in renamed)
    return out
