"""Put learned documents into a library and their evidence into its ledger.

Evidence from demonstrations counts once. The rows of a learning run have fixed keys, a hash of the
rows names the run, and the library names the run whose rows count. So learning again replaces the
rows and never adds the same episodes twice.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ..common.clock import now
from ..common.errors import LibraryError, Skip
from ..evidence.ledger import CountKey, Ledger, Outcome
from ..evidence.ledger_rows import DEMONSTRATIONS, INHERITED, Counts
from ..library.library import Library
from ..model.parameter_types import Types, typed, without_unnamed
from ..model.procedure import MetaProcedure, Ontology, Parameter, Procedure
from ..planning.search_statistics import pair
from .abstraction import slug
from .id_renaming import renamed
from .kept_words import merged, with_acts_of, with_types
from .known_worlds import in_known_worlds
from .learner import Learned
from .provenance import CONTRAST, LEARNED_FROM
from .quarantine import fitting_ontology, log_skipped
from .taught import note_learned

__all__ = [
    "CONTRAST",
    "LEARNED_FROM",
    "Planned",
    "by_people",
    "evidence_rows",
    "planned",
    "store",
]

_Read = TypeVar("_Read", Procedure, MetaProcedure)


def store(
    library: Library,
    ledger: Ledger,
    learned: Learned,
    *,
    plan: Planned | None = None,
    elsewhere: Collection[str] = (),
    staying: Collection[str] = (),
    skip: Skip = log_skipped,
) -> list[str]:
    """Write procedures, metas, ontology and evidence.

    The evidence is named by a hash of its rows: the same evidence counts once, and other evidence,
    even of the same trajectories, replaces the earlier.

    These stay as they are: what a person wrote or locked, all that a locked plan runs, and what
    was learned from episodes that are not here. Any other procedure keeps its version if it
    behaves as before, and gets the next one if it does not.

    Args:
        library: Where documents go; items that the same episodes taught before and teach no more
            are removed.
        ledger: Where evidence goes.
        learned: Learned documents and evidence.
        plan: What is written; by default the result of :func:`planned`.
        elsewhere: Ids of what stays because other episodes taught it; its evidence stays, too.
        staying: Ids of what stays although these episodes teach something else; its evidence, too.
        skip: Called with each document that does not fit and is left out; logs by default.

    Returns:
        Names of the files that changed.

    Raises:
        LibraryError: The library cannot be written; it is unchanged then.
    """
    library.refresh()
    plan = plan or planned(library, learned, skip=skip)
    # First, so that after a crash nothing learned here seems to come from elsewhere.
    note_learned(library.path, plan.here)
    changed = library.write_all(
        plan.procedures.values(),
        plan.metas.values(),
        ontology=without_unnamed(plan.ontology, [*plan.procedures.values(), *plan.metas.values()]),
        replace=True,
        skip=skip,
    )
    stored = {name: item.version for name, item in library.procedures.items()}
    stored_metas = {name: item.version for name, item in library.metas.items()}
    rows, run = evidence_rows(plan.learned, stored, stored_metas)
    settings = library.settings
    before = str(settings.settings.get("evidence_from", ""))
    ledger.record([*rows, *_staying_rows(ledger, before, rows, elsewhere, staying)])
    # Last, so that after a crash the library never names evidence that is not there.
    if settings.settings.get("evidence_from") != run:
        new_settings = replace(settings, settings={**settings.settings, "evidence_from": run})
        changed = [*changed, *library.write_all(settings=new_settings)]
    return changed


def _staying_rows(
    ledger: Ledger,
    before: str,
    rows: Sequence[Outcome],
    elsewhere: Collection[str],
    staying: Collection[str],
) -> list[Outcome]:
    """Return a run's counts of what stays and of the world, as evidence that nothing replaces.

    New rows that count no less of anything cover the episodes of before, and no row is needed.
    Rows of the world are needed only where there are episodes elsewhere.
    """
    if not (elsewhere or staying) or not before:
        return []
    new_total_by_key: dict[CountKey, float] = {
        (r.subject_kind, r.subject, r.version, r.binding): r.successes + r.failures for r in rows
    }
    counts = ledger.counts(run=before)
    if all(sum(sums) <= new_total_by_key.get(key, 0.0) for key, sums in counts.items()):
        return []
    at = now()
    return [
        Outcome.of_sums(f"{INHERITED}{before}", key, sums, at)
        for key, sums in counts.items()
        if key[1] in elsewhere or key[1] in staying or (elsewhere and key[1].startswith("@"))
    ]


@dataclass(frozen=True, slots=True)
class Planned:
    """The content of a library after learning.

    Attributes:
        procedures: Procedures by id, with the locked ones.
        metas: Meta-procedures by id.
        ontology: The ontology.
        learned: Learned documents and evidence, with ids that clash with no staying item.
        here: Ids that the episodes at hand taught.
    """

    procedures: Mapping[str, Procedure]
    metas: Mapping[str, MetaProcedure]
    ontology: Ontology
    learned: Learned
    here: frozenset[str]


def planned(
    library: Library,
    learned: Learned,
    stay: Collection[str] = (),
    *,
    elsewhere: frozenset[str] = frozenset(),
    programs: Collection[str] = (),
    holding: Collection[str] = (),
    anew: bool = False,
    skip: Skip = log_skipped,
) -> Planned:
    """Return what :func:`store` would write; nothing is written.

    Args:
        library: The library as it is.
        learned: Learned documents and evidence.
        stay: Ids of items that stay unchanged, whatever was learned.
        elsewhere: Ids of items that other episodes taught; they stay with the words that they
            need.
        programs: Ids of programs that are added with it.
        holding: Ids of plans whose place no other way for their goal takes.
        anew: Whether the learned words take the place of all others.
        skip: Called with each unreadable document, which is left out; logs by default.
    """
    stay = elsewhere.union(stay)
    staying, staying_metas = _locked_items(library)
    staying |= {name: item for name, item in library.procedures.items() if name in stay}
    staying_metas |= {name: item for name, item in library.metas.items() if name in stay}
    refined, refined_metas = _not_from_episodes(library)
    staying, staying_metas = {**refined, **staying}, {**refined_metas, **staying_metas}
    # Demonstrations are evidence of what they show, not of its refined versions.
    counts = {k: v for k, v in learned.procedure_counts.items() if k not in refined}
    meta_counts = {k: v for k, v in learned.meta_counts.items() if k not in refined_metas}
    learned = replace(learned, procedure_counts=counts, meta_counts=meta_counts)
    learned = in_known_worlds(learned, library.ontology)
    programs = {*programs, *library.programs}
    learned = _with_known_ids(learned, library, staying_metas, holding, programs)
    learned = _without_id_clashes(learned, staying, staying_metas, programs)
    procedures = dict(staying)
    types_by_world: dict[str, dict[str, tuple[str, ...]]] = {}
    for procedure in _readable_items(Procedure.from_document, learned.procedures, skip):
        stored = library.procedures.get(procedure.id)
        world = types_by_world.setdefault(procedure.world, {})
        if procedure.id not in staying:
            procedure = _in_types(procedure, stored, world)
            procedures[procedure.id] = _next_version(procedure, stored)
        elif stored is not None and procedure.id in elsewhere and _are_met_alike(procedure, stored):
            _in_types(procedure, stored, world)
    metas = {
        name: meta for name, meta in staying_metas.items() if meta.locked or _runs(meta, procedures)
    }
    for meta in _readable_items(MetaProcedure.from_document, learned.metas, skip):
        if meta.id not in staying_metas and _fits(meta, procedures):
            metas[meta.id] = _next_version(meta, library.metas.get(meta.id))
    words = fitting_ontology(Ontology.from_document(learned.ontology).to_document(), skip)
    ontology = merged(
        Ontology.from_document(words),
        library,
        staying,
        staying_metas,
        adding=not elsewhere.isdisjoint({*staying, *staying_metas}),
        anew=anew,
    )
    if not anew:
        ontology = with_acts_of(ontology, library)
    items: list[Procedure | MetaProcedure] = [*procedures.values(), *metas.values()]
    fitting = {
        world: _fitting_types(kinds_by_type, skip)
        for world, kinds_by_type in types_by_world.items()
    }
    ontology = with_types(ontology, fitting, library, items)
    learned_ids = frozenset({*learned.procedures, *learned.metas}) - elsewhere
    return Planned(procedures, metas, ontology, learned, learned_ids)


def _readable_items(
    parse: Callable[[Mapping[str, Any]], _Read],
    documents: Mapping[str, Mapping[str, Any]],
    skip: Skip,
) -> Iterator[_Read]:
    """Yield the items that documents hold; report those that cannot be read to ``skip``."""
    for name, document in documents.items():
        try:
            yield parse(document)
        except LibraryError as error:  # noqa: PERF203 - one that is odd costs no other
            skip(type(error)(f"{name!r} was learned, but {error.problem}", path=error.path))


def evidence_rows(
    learned: Learned,
    versions: Mapping[str, int],
    meta_versions: Mapping[str, int],
) -> tuple[list[Outcome], str]:
    """Return the rows of evidence counted while learning, and the name of their run."""
    rows = _outcomes(learned, versions, meta_versions)
    run = _name_of(rows)
    return [replace(row, run=run) for row in rows], run


def _locked_items(library: Library) -> tuple[dict[str, Procedure], dict[str, MetaProcedure]]:
    """Return what stays unchanged: locked items, and the procedures that a locked plan runs.

    A plan behaves as its procedures do, so another version of one would change the plan.
    """
    metas = {name: meta for name, meta in library.metas.items() if meta.locked}
    run = {
        name for meta in metas.values() for place in meta.plan for name in (place.run, place.follow)
    }
    procedures = {
        name: procedure
        for name, procedure in library.procedures.items()
        if procedure.locked or name in run
    }
    return procedures, metas


def by_people(item: Procedure | MetaProcedure) -> bool:
    """Tell whether a person wrote an item: it was neither learned nor made by contrast."""
    return CONTRAST not in item.provenance and LEARNED_FROM not in item.provenance


def _not_from_episodes(
    library: Library,
) -> tuple[dict[str, Procedure], dict[str, MetaProcedure]]:
    """Return what contrast made and what people wrote: demonstrations do not replace it.

    A plan stays only while all that it runs is there.
    """

    def stays(item: Procedure | MetaProcedure) -> bool:
        return CONTRAST in item.provenance or by_people(item)

    procedures = {n: p for n, p in library.procedures.items() if stays(p)}
    metas = {n: m for n, m in library.metas.items() if stays(m)}
    return procedures, metas


def _with_known_ids(
    learned: Learned,
    library: Library,
    staying: Collection[str],
    holding: Collection[str],
    programs: Collection[str],
) -> Learned:
    """Give each learned plan the id under which the library has it, whatever the learner calls it.

    Otherwise a plan would seem to change, or two to change places, because others are learned with
    it. A plan that is new takes the place of one for its goal that is not learned any more, or gets
    an id that no plan, procedure or program has.
    """
    ids_by_way: dict[tuple[str, ...], list[str]] = {}
    for name, meta in library.metas.items():
        ids_by_way.setdefault(_goal_and_runs(meta.to_document()), []).append(name)
    names: dict[str, str] = {}
    for name, document in learned.metas.items():
        if ids := ids_by_way.get(_goal_and_runs(document)):
            names[name] = name if name in ids else ids[0]
            ids.remove(names[name])
    free_ids: dict[tuple[str, ...], list[str]] = {}
    held_ids = {*staying, *holding}
    for way, ids in ids_by_way.items():
        free = (n for n in ids if n not in held_ids and library.metas[n].status != "retired")
        free_ids.setdefault(way[:2], []).extend(free)
    taken_ids = {
        *library.metas,
        *library.procedures,
        *learned.metas,
        *learned.procedures,
        *programs,
    }
    known_ids = {*names.values()}
    for name, document in learned.metas.items():
        if name in names:
            continue
        if ids := free_ids.get(_goal_and_runs(document)[:2]):
            names[name] = name if name in ids else ids[0]
            ids.remove(names[name])
        elif name in known_ids or (name in holding and name not in staying):
            names[name] = slug(re.sub(r"-\d+$", "", name), taken_ids)
            taken_ids.add(names[name])
    return renamed(learned, {old: new for old, new in names.items() if old != new})


def _goal_and_runs(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a plan's world, its goal and the ids that it runs."""
    runs = (str(place.get("run", place.get("follow"))) for place in document["plan"])
    return document.get("world", ""), document["goal"], *runs


def _without_id_clashes(
    learned: Learned,
    staying: Mapping[str, Procedure],
    staying_metas: Mapping[str, MetaProcedure],
    programs: Set[str],
) -> Learned:
    """Give learned items new ids where a staying file of another kind has theirs."""
    clashing = (learned.procedures.keys() & {*staying_metas, *programs}) | (
        learned.metas.keys() & {*staying, *programs}
    )
    if not clashing:
        return learned
    taken_ids = {*learned.procedures, *learned.metas, *staying, *staying_metas, *programs}
    new_id_by_name: dict[str, str] = {}
    for name in sorted(clashing):
        new_id_by_name[name] = slug(name, taken_ids)
        taken_ids.add(new_id_by_name[name])

    return renamed(learned, new_id_by_name)


def _runs(meta: MetaProcedure, procedures: Mapping[str, Procedure]) -> bool:
    """Tell whether all procedures that a plan runs are there and take its parameters."""
    places = [place for place in meta.plan if place.run is not None]
    return all(place.run in procedures for place in places) and _fits(meta, procedures)


def _fits(meta: MetaProcedure, procedures: Mapping[str, Procedure]) -> bool:
    """Tell whether stored procedures take a plan's parameters: a locked one may take others."""
    return all(
        place.run is None
        or (
            place.run in procedures
            and place.with_.keys() <= procedures[place.run].parameters.keys()
        )
        for place in meta.plan
    )


def _next_version(item: _Read, stored: _Read | None) -> _Read:
    if stored is None:
        return item
    return replace(item, version=stored.version + 1, status=stored.status)


def _in_types(
    procedure: Procedure, stored: Procedure | None, types: dict[str, tuple[str, ...]]
) -> Procedure:
    """Return a procedure with types for its kinds; add these to the types of its world.

    The type names and the listed kinds of the stored procedure of that id stay.
    """
    stored_parameters = stored.parameters if stored is not None else {}
    listing = _listing(procedure, stored)
    parameters = {
        name: replace(each, kinds=listing[name].kinds) if name in listing else each
        for name, each in procedure.parameters.items()
    }
    names = {name: each.type for name, each in stored_parameters.items() if each.type}
    names |= dict.fromkeys(listing, "")
    procedure, kinds_by_type = typed(replace(procedure, parameters=parameters), names)
    for name, kinds in kinds_by_type.items():
        types[name] = (*types.get(name, ()), *kinds)
    return procedure


def _fitting_types(types: Mapping[str, tuple[str, ...]], skip: Skip) -> Types:
    """Return types without the kinds that no file can hold; no type goes, since all are in use."""
    kinds_by_name = {name: sorted({*kinds}) for name, kinds in types.items()}
    document = {"kind": "ontology", "version": 1, "types": kinds_by_name}
    return {name: tuple(each) for name, each in fitting_ontology(document, skip)["types"].items()}


def _are_met_alike(procedure: Procedure, stored: Procedure) -> bool:
    """Tell whether the entities of a new procedure extend the types of the stored one.

    A procedure learned from other episodes stays as it is, and takes the kinds met here, too.
    """
    return (
        stored.locked is False
        and not by_people(stored)
        and procedure.world == stored.world
        and procedure.steps[-1].do == stored.steps[-1].do
        and procedure.parameters.keys() == stored.parameters.keys()
        and all(each.type or not each.kinds for each in stored.parameters.values())
    )


def _listing(procedure: Procedure, stored: Procedure | None) -> dict[str, Parameter]:
    """Return the stored parameters that list kinds themselves and go on doing so.

    A person may have written the list; `macla migrate` makes types of learned ones.
    """
    if stored is None or procedure.parameters.keys() != stored.parameters.keys():
        return {}
    return {name: each for name, each in stored.parameters.items() if each.kinds}


def _name_of(rows: Iterable[Outcome]) -> str:
    """Name evidence by a hash of its rows, whatever their order."""
    facts = sorted(
        (row.subject_kind, row.subject, row.version, row.binding, row.successes, row.failures)
        for row in rows
    )
    text = json.dumps(facts, ensure_ascii=False)
    return DEMONSTRATIONS + hashlib.sha256(text.encode()).hexdigest()[:24]


def _outcomes(
    learned: Learned, versions: Mapping[str, int], meta_versions: Mapping[str, int]
) -> list[Outcome]:
    """Return the rows of evidence, without the final name of their run."""
    counts: list[tuple[CountKey, Counts]] = []
    for name, sums in learned.procedure_counts.items():
        if name in versions:
            counts.append((("procedure", name, versions[name], ""), sums))
    for name, sums in learned.meta_counts.items():
        if name in meta_versions:
            counts.append((("meta", name, meta_versions[name], ""), sums))
    for (name, parameter, kind), count in learned.kind_counts.items():
        if name in versions:
            key = ("binding", name, versions[name], pair(parameter, kind))
            counts.append((key, (count, 0.0)))
    for row in learned.search:
        key = ("binding", row.subject, 0, row.binding)
        counts.append((key, (row.successes, row.failures)))
    at = now()
    return [Outcome.of_sums(DEMONSTRATIONS, key, sums, at) for key, sums in counts if any(sums)]
