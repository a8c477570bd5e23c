"""Merge a learned ontology with the library's: words stay that staying items need."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from ..documents.plain_data import behaves_alike
from ..library.library import Library
from ..model.parameter_types import Types, without_unnamed
from ..model.procedure import Cluster, Instruction, MetaProcedure, Ontology, Procedure


def merged(
    ontology: Ontology,
    library: Library,
    procedures: Mapping[str, Procedure],
    metas: Mapping[str, MetaProcedure],
    *,
    adding: bool,
) -> Ontology:
    """Return the learned ontology with what stays of the library's.

    Args:
        ontology: The learned ontology.
        library: The library as it is.
        procedures: Procedures that stay as they are, by id.
        metas: Meta-procedures that stay as they are, by id.
        adding: Whether the library was also taught by episodes that are not here.
    """
    stored_by_world = library.ontology.by_world
    worlds: dict[str, Ontology] = {}
    for name, learned_ontology in ontology.by_world.items():
        stored = stored_by_world.get(name, Ontology())
        staying_metas = [meta for meta in metas.values() if meta.world == name]
        learned_ontology = replace(learned_ontology, types=stored.types)
        words = _with_locked_clusters(
            _with_followed(learned_ontology, stored, staying_metas), stored
        )
        words = _with_words_of(words, stored) if adding else words
        several = bool(library.ontology.worlds or ontology.worlds)
        worlds[name] = _as_stored(words, stored, several=several)
    staying_worlds = {each.world for each in procedures.values()}
    staying_worlds |= {each.world for each in metas.values()}
    worlds = {
        **{name: each for name, each in stored_by_world.items() if name in staying_worlds},
        **worlds,
    }
    first = worlds.pop("")
    if not worlds:
        first = replace(first, told=())
    result = replace(first, worlds=dict(sorted(worlds.items())))
    same = behaves_alike(result.to_document(), library.ontology.to_document())
    return library.ontology if same else result


def with_types(
    ontology: Ontology,
    learned: Mapping[str, Types],
    library: Library,
    items: Collection[Procedure | MetaProcedure],
) -> Ontology:
    """Return an ontology with the types that procedures and plans name.

    Types keep the kinds that people or other episodes added. A kind goes only if learning took it
    for one before and does so no more.

    Args:
        ontology: The ontology, with the stored types.
        learned: World → learned types.
        library: The library as it is.
        items: Procedures and plans that it will hold.
    """
    stored_by_world = library.ontology.by_world
    worlds = {}
    for world, words in ontology.by_world.items():
        stored_kinds = stored_by_world.get(world, Ontology()).entities.kinds
        mistaken = {*stored_kinds}.difference(words.entities.kinds)
        types = dict(words.types)
        for name, kinds in learned.get(world, {}).items():
            stays = (kind for kind in types.get(name, ()) if kind not in mistaken)
            types[name] = tuple(sorted({*stays, *kinds}))
        worlds[world] = replace(words, types=dict(sorted(types.items())))
    first = worlds.pop("")
    named_by = [*library.procedures.values(), *library.metas.values(), *items]
    result = without_unnamed(replace(first, worlds=worlds), named_by)
    return ontology if result.to_document() == ontology.to_document() else result


def _with_followed(
    ontology: Ontology, stored: Ontology, metas: Iterable[MetaProcedure]
) -> Ontology:
    """Add the stored operators whose texts a staying plan follows."""
    operators = stored.operators
    followed = {
        place.follow: operators[place.follow]
        for meta in metas
        for place in meta.plan
        if place.follow is not None and place.follow in operators
    }
    return replace(ontology, operators={**followed, **ontology.operators}) if followed else ontology


def _with_locked_clusters(ontology: Ontology, stored: Ontology) -> Ontology:
    """Add the locked clusters and take their words out of the others."""
    locked = tuple(each for each in stored.clusters if each.locked)
    if not locked:
        return ontology
    locked_words = {word for each in locked for word in each.words}
    locked_names = {each.name for each in locked}
    others = (
        replace(each, words=tuple(word for word in each.words if word not in locked_words))
        for each in ontology.clusters
    )
    # A cluster that lost its name is named by its first word.
    remaining = (
        each if each.name in each.words else replace(each, name=each.words[0])
        for each in others
        if len(each.words) > 1
    )
    return replace(
        ontology, clusters=(*locked, *(each for each in remaining if each.name not in locked_names))
    )


def _as_stored(ontology: Ontology, stored: Ontology, *, several: bool) -> Ontology:
    """Return a learned ontology with the stored form of what means the same.

    A cluster of the same words keeps its name and their order. An instruction that reads the same
    keeps its counts. Where there are several worlds, the words that tell the world are united.
    """
    telling_words = (
        tuple(sorted({*stored.told, *ontology.told})) if several else stored.told or ontology.told
    )
    cluster_by_words = {frozenset(each.words): each for each in stored.clusters}
    instruction_by_reading = {_reading_of(each): each for each in stored.instructions}

    def cluster(new: Cluster) -> Cluster:
        return cluster_by_words.get(frozenset(new.words), new)

    def instruction(new: Instruction) -> Instruction:
        return instruction_by_reading.get(_reading_of(new), new)

    result = replace(
        ontology,
        clusters=tuple(sorted(map(cluster, ontology.clusters), key=lambda each: each.name)),
        instructions=tuple(map(instruction, ontology.instructions)),
        told=telling_words,
    )
    return stored if behaves_alike(result.to_document(), stored.to_document()) else result


def _reading_of(instruction: Instruction) -> str:
    return repr(replace(instruction, support=0, confidence=0.0))


def _with_words_of(ontology: Ontology, stored: Ontology) -> Ontology:
    """Add a learned ontology to a stored one.

    Stored entries have precedence: they rest on episodes that are not here. An operator has the
    frames of both.
    """
    entities, learned_entities = stored.entities, ontology.entities
    operators = dict(ontology.operators)
    for name, operator in stored.operators.items():
        frames = ontology.operators[name].frames if name in ontology.operators else ()
        operators[name] = replace(operator, frames=_union(operator.frames, frames))
    cues = {(each.source, each.cue) for each in stored.instructions}
    cluster_words = {word for each in stored.clusters for word in (each.name, *each.words)}
    return replace(
        ontology,
        entities=replace(
            entities,
            shape=entities.shape or learned_entities.shape,
            kinds=tuple(sorted({*entities.kinds, *learned_entities.kinds})),
            examples=entities.examples or learned_entities.examples,
            extra={**learned_entities.extra, **entities.extra},
        ),
        operators=operators,
        instructions=(
            *stored.instructions,
            *(each for each in ontology.instructions if (each.source, each.cue) not in cues),
        ),
        failures=_union(stored.failures, ontology.failures),
        clusters=(
            *stored.clusters,
            *(
                each
                for each in ontology.clusters
                if cluster_words.isdisjoint((each.name, *each.words))
            ),
        ),
        goals=stored.goals or ontology.goals,
    )


def _union(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))
