"""Merge a learned ontology with the library's: words stay that staying items need."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from ..conditions.text_patterns import frame_of
from ..documents.plain_data import behaves_alike
from ..library.library import Library
from ..model.parameter_types import Types, without_unnamed
from ..model.procedure import Cluster, Instruction, MetaProcedure, Ontology, Operator, Procedure


def merged(
    ontology: Ontology,
    library: Library,
    procedures: Mapping[str, Procedure],
    metas: Mapping[str, MetaProcedure],
    *,
    adding: bool,
    anew: bool = False,
) -> Ontology:
    """Return the learned ontology with what stays of the library's.

    Args:
        ontology: The learned ontology.
        library: The library as it is.
        procedures: Procedures that stay as they are, by id.
        metas: Meta-procedures that stay as they are, by id.
        adding: Whether the library was also taught by episodes that are not here.
        anew: Whether the learned words take the place of all others, but for what is locked.
    """
    stored_by_world = library.ontology.by_world
    worlds: dict[str, Ontology] = {}
    for name, learned_ontology in ontology.by_world.items():
        stored = stored_by_world.get(name, Ontology())
        staying_metas = [meta for meta in metas.values() if meta.world == name]
        learned_ontology = replace(learned_ontology, types=stored.types)
        words = _with_followed(learned_ontology, stored, staying_metas)
        known = tuple(each for each in stored.clusters if each.locked or not anew)
        words = replace(words, clusters=_joined(known, words.clusters))
        if adding:
            words = _with_words_of(words, stored)
        elif not anew:
            words = replace(words, operators=_with_outcomes(words.operators, stored.operators))
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


def with_acts_of(ontology: Ontology, library: Library) -> Ontology:
    """Add the stored operators that a library's procedures do: absence is no evidence."""
    stored_by_world = library.ontology.by_world
    worlds = {}
    for name, words in ontology.by_world.items():
        acting = [each for each in library.procedures.values() if each.world == name]
        done = {frame_of(step.do)[0] for each in acting for step in each.steps if step.do}
        done -= {frame for operator in words.operators.values() for frame in operator.frames}
        stored = stored_by_world.get(name, Ontology()).operators
        used = {n: each for n, each in stored.items() if not done.isdisjoint(each.frames)}
        operators = dict(sorted({**used, **words.operators}.items()))
        worlds[name] = replace(words, operators=operators) if used else words
    return replace(worlds.pop(""), worlds=worlds)


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


def _joined(known: Sequence[Cluster], learned: Sequence[Cluster]) -> tuple[Cluster, ...]:
    """Add learned clusters to known ones, which lose words to locked ones alone.

    A learned cluster that has all words of a known one adds its others to it, unless that is
    locked. Of another cluster only those words are left that are in no known one.
    """
    clusters = [each for each in known if each.locked]
    for each in (*(each for each in known if not each.locked), *learned):
        taken = {word for other in clusters for word in (other.name, *other.words)}
        rest = tuple(word for word in each.words if word not in taken)
        within = (i for i, c in enumerate(clusters) if not c.locked and {*c.words} <= {*each.words})
        if rest and (index := next(within, None)) is not None:
            name, *others = (*clusters[index].words, *rest)
            clusters[index] = replace(clusters[index], words=(name, *sorted(others)))
        elif len(rest) > 1:
            clusters.append(Cluster(each.name if each.name in rest else rest[0], rest))
    return tuple(clusters)


def _with_outcomes(
    operators: Mapping[str, Operator], stored: Mapping[str, Operator]
) -> dict[str, Operator]:
    """Add the answers by which stored operators are known to have worked, frame by frame."""
    result = dict(operators)
    for name in operators.keys() & stored.keys():
        before, after = (each.extra.get("outcomes", {}) for each in (stored[name], operators[name]))
        frames = [frame for frame in operators[name].frames if frame in {*before, *after}]
        united = {f: list(_union(before.get(f, ()), after.get(f, ()))) for f in frames}
        if united:
            extra = {**operators[name].extra, "outcomes": united}
            result[name] = replace(operators[name], extra=extra)
    return result


def _as_stored(ontology: Ontology, stored: Ontology, *, several: bool) -> Ontology:
    """Return a learned ontology with the stored form of what means the same.

    An instruction that reads the same keeps its counts. Where there are several worlds, the words
    that tell the world are united.
    """
    telling_words = (
        tuple(sorted({*stored.told, *ontology.told})) if several else stored.told or ontology.told
    )
    instruction_by_reading = {_reading_of(each): each for each in stored.instructions}

    def instruction(new: Instruction) -> Instruction:
        return instruction_by_reading.get(_reading_of(new), new)

    result = replace(
        ontology,
        clusters=tuple(sorted(ontology.clusters, key=lambda each: each.name)),
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
        goals=stored.goals or ontology.goals,
    )


def _union(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))
