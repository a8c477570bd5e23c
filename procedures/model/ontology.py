"""The ontology of a library, and its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from ..conditions.language import Condition
from ..documents.plain_data import condition, frozen, number, reading, thaw
from ..episodes.recognising import beginning_of, world_of
from ..words.goal_lexicon import GoalLexicon


@dataclass(frozen=True, slots=True)
class Entities:
    """The entities of a domain.

    Attributes:
        shape: A learned description of the spelling of entities, or None.
        kinds: Known kinds of entities.
        examples: A few entities.
        extra: Other notes of the learner; plain values.
    """

    shape: str | None = None
    kinds: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        frozen(self, "extra")

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Entities:
        """Read the entry."""
        with reading("description of entities"):
            return cls(
                shape=document.get("shape"),
                kinds=tuple(document.get("kinds", ())),
                examples=tuple(document.get("examples", ())),
                extra=_others(document, "shape", "kinds", "examples"),
            )

    def to_document(self) -> dict[str, Any]:
        """Write the entry."""
        document: dict[str, Any] = {}
        if self.shape is not None:
            document["shape"] = self.shape
        if self.kinds:
            document["kinds"] = list(self.kinds)
        if self.examples:
            document["examples"] = list(self.examples)
        return {**document, **thaw(self.extra)}


@dataclass(frozen=True, slots=True)
class Operator:
    """All frames of one verb, and its effect.

    Attributes:
        frames: Action templates with ``{0}``, ``{1}``, ...
        effect: acts, reveals, moves or reads.
        extra: Other notes of the learner; plain values.
    """

    frames: tuple[str, ...]
    effect: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        frozen(self, "extra")

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Operator:
        """Read the entry."""
        with reading("operator"):
            return cls(
                frames=tuple(document["frames"]),
                effect=document.get("effect", ""),
                extra=_others(document, "frames", "effect"),
            )

    def to_document(self) -> dict[str, Any]:
        """Write the entry."""
        document: dict[str, Any] = {"frames": list(self.frames)}
        if self.effect:
            document["effect"] = self.effect
        return {**document, **thaw(self.extra)}


@dataclass(frozen=True, slots=True)
class Instruction:
    """A learned instruction: where a text has the cue, do this.

    Attributes:
        source: ``task``, or the operator whose answer holds the text.
        cue: Pattern of the clause, with ``{0}``, ``{1}``, ...
        do: Action template over the same slots.
        unless: Condition under which the action is left out.
        support: Number of occurrences of the cue in demonstrations.
        confidence: Share of them that were followed, in [0, 1].
        extra: Other notes of the learner; plain values.
    """

    source: str
    cue: str
    do: str
    unless: Condition | None = None
    support: int = 0
    confidence: float = 0.0
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        frozen(self, "extra")

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Instruction:
        """Read the entry."""
        with reading("instruction"):
            return cls(
                source=document["source"],
                cue=document["cue"],
                do=document["do"],
                unless=condition(document, "unless"),
                support=document.get("support", 0),
                confidence=float(document.get("confidence", 0.0)),
                extra=_others(document, "source", "cue", "do", "unless", "support", "confidence"),
            )

    def to_document(self) -> dict[str, Any]:
        """Write the entry."""
        document: dict[str, Any] = {"source": self.source, "cue": self.cue, "do": self.do}
        if self.unless is not None:
            document["unless"] = self.unless.to_yaml()
        if self.support:
            document["support"] = self.support
        if self.confidence:
            document["confidence"] = number(self.confidence)
        return {**document, **thaw(self.extra)}


@dataclass(frozen=True, slots=True)
class Cluster:
    """Words that mean nearly the same.

    Attributes:
        name: Its name; the most frequent word of a learned cluster.
        words: Its words; a locked cluster of one word keeps that word out of others.
        locked: Whether learning leaves it and its words unchanged.
    """

    name: str
    words: tuple[str, ...]
    locked: bool = False

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Cluster:
        """Read the entry."""
        with reading("cluster"):
            return cls(document["name"], tuple(document["words"]), document.get("locked", False))

    def to_document(self) -> dict[str, Any]:
        """Write the entry."""
        document: dict[str, Any] = {"name": self.name, "words": list(self.words)}
        if self.locked:
            document["locked"] = True
        return document


@dataclass(frozen=True, slots=True)
class Ontology:
    """Entities, frames, instructions and clusters of words of one domain.

    Attributes:
        version: Version of the file, at least 1.
        entities: The entities.
        types: Name → kinds that a parameter of this type is for, in the order of their names.
        operators: Operators by id.
        instructions: Rules for reading instructions.
        failures: Answers which mean that an action, whatever it was, did not work.
        clusters: Words that mean nearly the same.
        goals: The lexicon of goals in free words.
        told: Telling words of its episodes, where there are several worlds.
        worlds: Further worlds by name; the other fields are the first world's, whose name is "".
    """

    version: int = 1
    entities: Entities = field(default_factory=Entities)
    operators: Mapping[str, Operator] = field(default_factory=dict, hash=False)
    instructions: tuple[Instruction, ...] = ()
    failures: tuple[str, ...] = ()
    clusters: tuple[Cluster, ...] = ()
    goals: GoalLexicon = field(default_factory=GoalLexicon)
    told: tuple[str, ...] = ()
    worlds: Mapping[str, Ontology] = field(default_factory=dict, hash=False)
    types: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        # In a fixed order, so that two clones write the same file.
        object.__setattr__(self, "operators", dict(sorted(self.operators.items())))
        frozen(self, "operators", "worlds", "types")

    def __reduce__(self) -> tuple[Any, ...]:
        return Ontology.from_document, (self.to_document(),)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Ontology:
        """Read an ontology.

        Raises:
            ConditionError: A condition does not parse; carries its path.
            SchemaError: The document is no ontology.
        """
        with reading("ontology"):
            operators: dict[str, Operator] = {}
            for name, entry in document.get("operators", {}).items():
                with reading("operator", "operators", name):
                    operators[name] = Operator.from_document(entry)
            instructions: list[Instruction] = []
            for index, entry in enumerate(document.get("instructions", ())):
                with reading("instruction", "instructions", index):
                    instructions.append(Instruction.from_document(entry))
            return cls(
                version=document.get("version", 1),
                entities=Entities.from_document(document.get("entities", {})),
                operators=operators,
                instructions=tuple(instructions),
                failures=tuple(document.get("failures", ())),
                clusters=tuple(Cluster.from_document(c) for c in document.get("clusters", ())),
                goals=GoalLexicon.from_document(document.get("goals", {})),
                told=tuple(document.get("told", ())),
                worlds=_worlds(document.get("worlds", {})),
                types=_types(document.get("types", {})),
            )

    @property
    def by_world(self) -> dict[str, Ontology]:
        """The ontology of each world, the first under ""."""
        return {"": replace(self, worlds={}), **self.worlds} if self.worlds else {"": self}

    def world_of(self, task: str, observation: str) -> str:
        """Return the name of the world of an episode with this task and first observation."""
        if not self.worlds:
            return ""
        return world_of(self.told_by_world, beginning_of(task, observation))

    @property
    def told_by_world(self) -> dict[str, tuple[str, ...]]:
        """The telling words of each world; the first world's under ""."""
        return {"": self.told, **{name: each.told for name, each in self.worlds.items()}}

    def of_world(self, name: str) -> Ontology:
        """Return the ontology of one world; of an unknown one, that of the first."""
        return self.worlds.get(name) or self.by_world[""]

    def to_document(self) -> dict[str, Any]:
        """Write the ontology; keys stand in a fixed order."""
        document: dict[str, Any] = {"kind": "ontology", "version": self.version}
        document |= self._words()
        if self.worlds:
            document["worlds"] = {name: each._words() for name, each in self.worlds.items()}
        return document

    def _words(self) -> dict[str, Any]:
        """Write the entries of one world."""
        document: dict[str, Any] = {}
        if self.told:
            document["told"] = list(self.told)
        if entities := self.entities.to_document():
            document["entities"] = entities
        if self.types:
            document["types"] = {k: sorted(v) for k, v in sorted(self.types.items())}
        if self.operators:
            document["operators"] = {k: v.to_document() for k, v in self.operators.items()}
        if self.instructions:
            document["instructions"] = [entry.to_document() for entry in self.instructions]
        if self.failures:
            document["failures"] = list(self.failures)
        if self.clusters:
            document["clusters"] = [entry.to_document() for entry in self.clusters]
        if self.goals:
            document["goals"] = self.goals.to_document()
        return document


FORMAT: Final = 2
"""Version of the layout that new library folders have."""


@dataclass(frozen=True, slots=True)
class LibrarySettings:
    """The content of ``library.yaml``.

    Attributes:
        domain: Name of the domain, for people.
        embedding: Name of the embedding model, for ``load_embeddings``.
        settings: Capacity, thresholds, weights and notes of the learner; plain values.
        format: Version of the layout of the library folder.
    """

    domain: str
    embedding: str
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    format: int = FORMAT

    def __post_init__(self) -> None:
        frozen(self, "settings")

    def __reduce__(self) -> tuple[Any, ...]:
        return LibrarySettings.from_document, (self.to_document(),)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> LibrarySettings:
        """Read the settings."""
        with reading("library file"):
            return cls(
                domain=document["domain"],
                embedding=document["embedding"],
                settings=document.get("settings", {}),
                format=document["format"],
            )

    def to_document(self) -> dict[str, Any]:
        """Write the settings; keys stand in a fixed order."""
        document: dict[str, Any] = {
            "kind": "library",
            "format": self.format,
            "domain": self.domain,
            "embedding": self.embedding,
        }
        if self.settings:
            document["settings"] = thaw(self.settings)
        return document


def _worlds(document: Mapping[str, Any]) -> dict[str, Ontology]:
    worlds: dict[str, Ontology] = {}
    for name, entry in sorted(document.items()):
        with reading("world", "worlds", name):
            worlds[name] = Ontology.from_document(entry)
    return worlds


def _types(document: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(sorted(kinds)) for name, kinds in sorted(document.items())}


def _others(document: Mapping[str, Any], *read_keys: str) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key not in read_keys}
