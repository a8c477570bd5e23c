"""Words that stay in the ontology when it is learned again, for what stays in the library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..library import Library
from ..model import Cluster, Instruction, MetaProcedure, Ontology
from ..model_documents import behaves_alike

__all__ = ["as_known", "with_followed", "with_locked_clusters", "with_words_of"]


def with_followed(
    ontology: Ontology, library: Library, kept_metas: Mapping[str, MetaProcedure]
) -> Ontology:
    """Keep the operators whose texts a locked plan follows."""
    known = library.ontology.operators
    followed = {
        place.follow: known[place.follow]
        for meta in kept_metas.values()
        for place in meta.plan
        if place.follow is not None and place.follow in known
    }
    return replace(ontology, operators={**followed, **ontology.operators}) if followed else ontology


def with_locked_clusters(ontology: Ontology, library: Library) -> Ontology:
    """Keep locked clusters; their words are in no other."""
    locked = tuple(each for each in library.ontology.clusters if each.locked)
    if not locked:
        return ontology
    taken = {word for each in locked for word in each.words}
    names = {each.name for each in locked}
    others = (
        replace(each, words=tuple(word for word in each.words if word not in taken))
        for each in ontology.clusters
    )
    # What is left of a cluster may need another name: that of its first word.
    left = (
        each if each.name in each.words else replace(each, name=each.words[0])
        for each in others
        if len(each.words) > 1
    )
    return replace(ontology, clusters=(*locked, *(each for each in left if each.name not in names)))


def as_known(ontology: Ontology, known: Ontology) -> Ontology:
    """Write what says the same as it stands in the library, so that nothing else seems to change.

    A cluster of the same words keeps its name and their order, though another word is the most
    frequent now; an instruction that reads the same keeps the counts that it was written with.
    """
    clusters = {frozenset(each.words): each for each in known.clusters}
    read = {_reading(each): each for each in known.instructions}

    def cluster(new: Cluster) -> Cluster:
        return clusters.get(frozenset(new.words), new)

    def instruction(new: Instruction) -> Instruction:
        return read.get(_reading(new), new)

    written = replace(
        ontology,
        clusters=tuple(sorted(map(cluster, ontology.clusters), key=lambda each: each.name)),
        instructions=tuple(map(instruction, ontology.instructions)),
    )
    return known if behaves_alike(written.to_document(), known.to_document()) else written


def _reading(instruction: Instruction) -> str:
    return repr(replace(instruction, support=0, confidence=0.0))


def with_words_of(ontology: Ontology, known: Ontology) -> Ontology:
    """Add what was learned now to what a library knows of its domain's language.

    What the library says of a word stands: it rests on episodes that are not here. An operator has
    the frames of both.
    """
    entities, new = known.entities, ontology.entities
    operators = dict(ontology.operators)
    for name, operator in known.operators.items():
        frames = ontology.operators[name].frames if name in ontology.operators else ()
        operators[name] = replace(operator, frames=_union(operator.frames, frames))
    read = {(each.source, each.cue) for each in known.instructions}
    taken = {word for each in known.clusters for word in (each.name, *each.words)}
    return replace(
        ontology,
        entities=replace(
            entities,
            shape=entities.shape or new.shape,
            kinds=_union(entities.kinds, new.kinds),
            examples=entities.examples or new.examples,
            extra={**new.extra, **entities.extra},
        ),
        operators=operators,
        instructions=(
            *known.instructions,
            *(each for each in ontology.instructions if (each.source, each.cue) not in read),
        ),
        failures=_union(known.failures, ontology.failures),
        clusters=(
            *known.clusters,
            *(each for each in ontology.clusters if taken.isdisjoint((each.name, *each.words))),
        ),
        goals=known.goals or ontology.goals,
    )


def _union(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))
