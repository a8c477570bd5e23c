"""Words that stay in the ontology when it is learned again, for what stays in the library."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from ..documents.plain_data import behaves_alike
from ..library.library import Library
from ..model.parameter_types import Types, without_unnamed
from ..model.procedure import Cluster, Instruction, MetaProcedure, Ontology, Procedure

__all__ = ["merged", "with_types"]


def merged(
    ontology: Ontology,
    library: Library,
    procedures: Mapping[str, Procedure],
    metas: Mapping[str, MetaProcedure],
    *,
    adding: bool,
) -> Ontology:
    """Return the words that were learned, and what stays of those that the library has.

    Args:
        ontology: What was learned.
        library: What is there.
        procedures: Those that stay as they are.
        metas: So too.
        adding: Whether what was learned from is not all that the library knows.
    """
    known = library.ontology.by_world
    worlds: dict[str, Ontology] = {}
    for name, learned in ontology.by_world.items():
        before = known.get(name, Ontology())
        own = [meta for meta in metas.values() if meta.world == name]
        learned = replace(learned, types=before.types)
        words = _with_locked_clusters(_with_followed(learned, before, own), before)
        words = _with_words_of(words, before) if adding else words
        several = bool(library.ontology.worlds or ontology.worlds)
        worlds[name] = _as_known(words, before, several=several)
    stays = {each.world for each in procedures.values()}
    stays |= {each.world for each in metas.values()}
    worlds = {**{name: each for name, each in known.items() if name in stays}, **worlds}
    first = worlds.pop("")
    if not worlds:
        first = replace(first, told=())
    after = replace(first, worlds=dict(sorted(worlds.items())))
    same = behaves_alike(after.to_document(), library.ontology.to_document())
    return library.ontology if same else after


def with_types(
    ontology: Ontology,
    learned: Mapping[str, Types],
    library: Library,
    items: Collection[Procedure | MetaProcedure],
) -> Ontology:
    """Return the words with the types that what is in a library names.

    A type only grows: what people added to it stays, and so does what other episodes showed. A kind
    goes that learning took for one before and does not any more.

    Args:
        ontology: The words, with the types that are known.
        learned: World → types of what was learned.
        library: What is there.
        items: What will be.
    """
    before = library.ontology.by_world
    worlds = {}
    for world, words in ontology.by_world.items():
        known = before.get(world, Ontology()).entities.kinds
        mistaken = {*known}.difference(words.entities.kinds)
        types = dict(words.types)
        for name, kinds in learned.get(world, {}).items():
            stays = (kind for kind in types.get(name, ()) if kind not in mistaken)
            types[name] = tuple(sorted({*stays, *kinds}))
        worlds[world] = replace(words, types=dict(sorted(types.items())))
    first = worlds.pop("")
    there = [*library.procedures.values(), *library.metas.values(), *items]
    after = without_unnamed(replace(first, worlds=worlds), there)
    return ontology if after.to_document() == ontology.to_document() else after


def _with_followed(
    ontology: Ontology, before: Ontology, kept_metas: Iterable[MetaProcedure]
) -> Ontology:
    """Keep the operators whose texts a locked plan follows."""
    known = before.operators
    followed = {
        place.follow: known[place.follow]
        for meta in kept_metas
        for place in meta.plan
        if place.follow is not None and place.follow in known
    }
    return replace(ontology, operators={**followed, **ontology.operators}) if followed else ontology


def _with_locked_clusters(ontology: Ontology, before: Ontology) -> Ontology:
    """Keep locked clusters; their words are in no other."""
    locked = tuple(each for each in before.clusters if each.locked)
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


def _as_known(ontology: Ontology, known: Ontology, *, several: bool) -> Ontology:
    """Write what says the same as it stands in the library, so that nothing else seems to change.

    A cluster of the same words keeps its name and their order, though another word is the most
    frequent now; an instruction that reads the same keeps the counts that it was written with.
    Where there are several worlds, a task of another kind adds the words that tell it.
    """
    told = tuple(sorted({*known.told, *ontology.told})) if several else known.told or ontology.told
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
        told=told,
    )
    return known if behaves_alike(written.to_document(), known.to_document()) else written


def _reading(instruction: Instruction) -> str:
    return repr(replace(instruction, support=0, confidence=0.0))


def _with_words_of(ontology: Ontology, known: Ontology) -> Ontology:
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
            kinds=tuple(sorted({*entities.kinds, *new.kinds})),
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
