"""Put what was learned into a library and its ledger.

Knowledge goes to the files, evidence to the ledger. Evidence from demonstrations is counted once:
the rows of a learning run have fixed keys, its name is made of what they say, and the library
names the run whose rows count, so that learning again replaces them and never adds the same
episodes twice.
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
from ..evidence.ledger import CountKey, Ledger, Outcome, OutcomeKind
from ..evidence.ledger_rows import DEMONSTRATIONS, INHERITED
from ..library.library import Library
from ..model.parameter_types import Types, typed, without_unnamed
from ..model.procedure import MetaProcedure, Ontology, Parameter, Procedure
from ..planning.search_statistics import pair
from .abstraction import slug
from .id_renaming import renamed
from .kept_words import merged, with_types
from .known_worlds import in_known_worlds
from .learner import Learned
from .provenance import CONTRAST, LEARNED_FROM
from .quarantine import fitting_part, log_skipped
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
    run: str | None = None,
    *,
    plan: Planned | None = None,
    elsewhere: Collection[str] = (),
    staying: Collection[str] = (),
    skip: Skip = log_skipped,
) -> list[str]:
    """Write procedures, metas, ontology and evidence.

    What a person wrote or locked is kept as it stands, learned again or not, and so is all that a
    locked plan runs, and what was learned from episodes that are not here. Else a procedure that
    behaves as before keeps its version, and one that does not gets the next.

    Args:
        library: Where knowledge goes; what the same episodes taught before, and do not teach any
            more, is removed.
        ledger: Where evidence goes.
        learned: What was learned.
        run: Name of the evidence, beginning with :data:`DEMONSTRATIONS`. By default it is made of
            the rows themselves: the same evidence counts once, and other evidence, even of the
            same trajectories, takes the place of what was there.
        plan: What of it is written; by default all, as :func:`planned` has it.
        elsewhere: Ids of what stays and was learned from episodes that are not among these: the
            evidence of those episodes stays, too.
        staying: Ids of what stays although these episodes teach something else; its evidence, too.
        skip: Told of each document that does not fit, which is left out; logged by default.

    Returns:
        Names of the files that changed.

    Raises:
        LibraryError: The library cannot be written; it is unchanged then.
    """
    library.refresh()
    plan = plan or planned(library, learned, skip=skip)
    # First, so that after a crash nothing that was learned here seems to be another's.
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
    rows, run = evidence_rows(plan.learned, stored, stored_metas, run)
    settings = library.settings
    before = str(settings.settings.get("evidence_from", ""))
    ledger.record([*rows, *_staying_rows(ledger, before, rows, elsewhere, staying)])
    # Last, so that after a crash the library never names evidence that is not there.
    if settings.settings.get("evidence_from") != run:
        named = replace(settings, settings={**settings.settings, "evidence_from": run})
        changed = [*changed, *library.write_all(settings=named)]
    return changed


def _staying_rows(
    ledger: Ledger,
    before: str,
    rows: Sequence[Outcome],
    elsewhere: Collection[str],
    staying: Collection[str],
) -> list[Outcome]:
    """Return what a run says of what stays and of the world, as evidence that nothing replaces.

    Where the new rows say no less of anything, their episodes are those of before and more. Of the
    world they say all that is known, unless there are episodes elsewhere.
    """
    if not (elsewhere or staying) or not before:
        return []
    new: dict[CountKey, float] = {
        (r.subject_kind, r.subject, r.version, r.binding): r.successes + r.failures for r in rows
    }
    counts = ledger.counts(run=before)
    if all(sum(sums) <= new.get(key, 0.0) for key, sums in counts.items()):
        return []
    at = now()
    return [
        Outcome(
            run=f"{INHERITED}{before}",
            step=0,
            subject_kind=kind,  # type: ignore[arg-type]  # as the ledger has it
            subject=subject,
            version=version,
            binding=binding,
            outcome=OutcomeKind.SUCCESS if good else OutcomeKind.EXECUTION_FAILED,
            successes=good,
            failures=bad,
            at=at,
        )
        for (kind, subject, version, binding), (good, bad) in counts.items()
        if subject in elsewhere or subject in staying or (elsewhere and subject.startswith("@"))
    ]


@dataclass(frozen=True, slots=True)
class Planned:
    """What a library would hold after learning.

    Attributes:
        procedures: By id; what stays for a lock is among them.
        metas: By id.
        ontology: The words.
        learned: What was learned, with ids that clash with nothing that stays.
        here: Ids of what the episodes at hand taught.
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
    skip: Skip = log_skipped,
) -> Planned:
    """Return what :func:`store` would write; nothing is written.

    Args:
        library: What is there.
        learned: What was learned.
        stay: Ids of what stays as it is in the library, whatever was learned.
        elsewhere: Ids of what was learned from episodes that are not here; it stays too, and the
            words that it needs.
        programs: Ids of programs that come with it.
        skip: Told of each document that is none, which is left out; logged by default.
    """
    stay = elsewhere.union(stay)
    kept, kept_metas = _locked(library)
    kept |= {name: item for name, item in library.procedures.items() if name in stay}
    kept_metas |= {name: item for name, item in library.metas.items() if name in stay}
    refined, refined_metas = _not_from_episodes(library)
    kept, kept_metas = {**refined, **kept}, {**refined_metas, **kept_metas}
    # What demonstrations count is evidence of what they show, not of what was made of it.
    counts = {k: v for k, v in learned.procedure_counts.items() if k not in refined}
    meta_counts = {k: v for k, v in learned.meta_counts.items() if k not in refined_metas}
    learned = replace(learned, procedure_counts=counts, meta_counts=meta_counts)
    learned = in_known_worlds(learned, library.ontology)
    programs = {*programs, *library.programs}
    learned = _apart(_named_as_known(learned, library), kept, kept_metas, programs)
    procedures = dict(kept)
    types: dict[str, dict[str, tuple[str, ...]]] = {}
    for procedure in _read(Procedure.from_document, learned.procedures, skip):
        known = library.procedures.get(procedure.id)
        world = types.setdefault(procedure.world, {})
        if procedure.id not in kept:
            procedure = _in_types(procedure, known, world)
            procedures[procedure.id] = _next_version(procedure, library)
        elif known is not None and procedure.id in elsewhere and _are_met_alike(procedure, known):
            _in_types(procedure, known, world)
    metas = {
        name: meta for name, meta in kept_metas.items() if meta.locked or _runs(meta, procedures)
    }
    for meta in _read(MetaProcedure.from_document, learned.metas, skip):
        if meta.id not in kept_metas and _fits(meta, procedures):
            metas[meta.id] = _next_meta_version(meta, library)
    words = fitting_part("ontology", Ontology.from_document(learned.ontology).to_document(), skip)
    ontology = merged(
        Ontology.from_document(words),
        library,
        kept,
        kept_metas,
        adding=not elsewhere.isdisjoint({*kept, *kept_metas}),
    )
    items: list[Procedure | MetaProcedure] = [*procedures.values(), *metas.values()]
    fitting = {world: _fitting_types(found, skip) for world, found in types.items()}
    ontology = with_types(ontology, fitting, library, items)
    here = frozenset({*learned.procedures, *learned.metas}) - elsewhere
    return Planned(procedures, metas, ontology, learned, here)


def _read(
    read: Callable[[Mapping[str, Any]], _Read],
    documents: Mapping[str, Mapping[str, Any]],
    skip: Skip,
) -> Iterator[_Read]:
    """Yield what documents say; tell of those that cannot be read."""
    for name, document in documents.items():
        try:
            yield read(document)
        except LibraryError as error:  # noqa: PERF203 - one that is odd costs no other
            skip(type(error)(f"{name!r} was learned, but {error.problem}", path=error.path))


def evidence_rows(
    learned: Learned,
    versions: Mapping[str, int],
    meta_versions: Mapping[str, int],
    run: str | None = None,
) -> tuple[list[Outcome], str]:
    """Return the rows of what was counted while learning, and the run that they belong to."""
    rows = _outcomes(learned, versions, meta_versions)
    run = run or _name_of(rows)
    return [replace(row, run=run) for row in rows], run


def _locked(library: Library) -> tuple[dict[str, Procedure], dict[str, MetaProcedure]]:
    """Return what stays as it stands: what is locked, and what a locked plan runs.

    A plan does what the procedures do that it runs, so another one of these would change it.
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
    """Whether a person wrote it: it was neither learned nor made by contrast."""
    return CONTRAST not in item.provenance and LEARNED_FROM not in item.provenance


def _not_from_episodes(
    library: Library,
) -> tuple[dict[str, Procedure], dict[str, MetaProcedure]]:
    """Return what contrast made and what people wrote: demonstrations do not take it back.

    A plan stays only as long as all that it runs is there.
    """

    def stays(item: Procedure | MetaProcedure) -> bool:
        return CONTRAST in item.provenance or by_people(item)

    procedures = {n: p for n, p in library.procedures.items() if stays(p)}
    metas = {n: m for n, m in library.metas.items() if stays(m)}
    return procedures, metas


def _named_as_known(learned: Learned, library: Library) -> Learned:
    """Give plans for one goal, told apart by a number, the ids under which the library has them.

    Else two plans that are learned in another order would seem to have changed places.
    """
    groups: dict[str, list[str]] = {}
    for name in learned.metas:
        groups.setdefault(re.sub(r"-\d+$", "", name), []).append(name)
    names: dict[str, str] = {}
    for group in groups.values():
        free = list(group)
        ways = {name: _way(learned.metas[name]) for name in group}
        for name in group:
            own = [o for o in free if o in library.metas and _way_of(library, o) == ways[name]]
            if own:
                names[name] = name if name in own else own[0]
                free.remove(names[name])
        for name in group:
            if name not in names:
                names[name] = name if name in free else free[0]
                free.remove(names[name])
    if all(old == new for old, new in names.items()):
        return learned
    return replace(
        learned,
        metas={names[k]: {**d, "id": names[k]} for k, d in learned.metas.items()},
        meta_counts={names[k]: counts for k, counts in learned.meta_counts.items()},
    )


def _way(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a plan's goal and what it runs."""
    runs = (str(place.get("run", place.get("follow"))) for place in document["plan"])
    return document["goal"], *runs


def _way_of(library: Library, name: str) -> tuple[str, ...]:
    return _way(library.metas[name].to_document())


def _apart(
    learned: Learned,
    kept: Mapping[str, Procedure],
    kept_metas: Mapping[str, MetaProcedure],
    programs: Set[str],
) -> Learned:
    """Give what was learned other ids where a file of another kind that stays has them."""
    clashing = (learned.procedures.keys() & {*kept_metas, *programs}) | (
        learned.metas.keys() & {*kept, *programs}
    )
    if not clashing:
        return learned
    taken = {*learned.procedures, *learned.metas, *kept, *kept_metas, *programs}
    names: dict[str, str] = {}
    for name in sorted(clashing):
        names[name] = slug(name, taken)
        taken.add(names[name])

    return renamed(learned, names)


def _runs(meta: MetaProcedure, procedures: Mapping[str, Procedure]) -> bool:
    """Whether all that a plan runs is there, with the parameters that it gives."""
    places = [place for place in meta.plan if place.run is not None]
    return all(place.run in procedures for place in places) and _fits(meta, procedures)


def _fits(meta: MetaProcedure, procedures: Mapping[str, Procedure]) -> bool:
    """Whether a learned plan can run what is stored: a locked procedure may ask for others."""
    return all(
        place.run is None
        or (
            place.run in procedures
            and place.with_.keys() <= procedures[place.run].parameters.keys()
        )
        for place in meta.plan
    )


def _next_version(procedure: Procedure, library: Library) -> Procedure:
    known = library.procedures.get(procedure.id)
    if known is None:
        return procedure
    return replace(procedure, version=known.version + 1, status=known.status)


def _in_types(
    procedure: Procedure, known: Procedure | None, types: dict[str, tuple[str, ...]]
) -> Procedure:
    """Return what was learned with types for its kinds, which are added to those of its world.

    What the file of the same id calls its types stays, and so does what it lists itself.
    """
    before = known.parameters if known is not None else {}
    listing = _listing(procedure, known)
    parameters = {
        name: replace(each, kinds=listing[name].kinds) if name in listing else each
        for name, each in procedure.parameters.items()
    }
    names = {name: each.type for name, each in before.items() if each.type}
    names |= dict.fromkeys(listing, "")
    procedure, found = typed(replace(procedure, parameters=parameters), names)
    for name, kinds in found.items():
        types[name] = (*types.get(name, ()), *kinds)
    return procedure


def _fitting_types(types: Mapping[str, tuple[str, ...]], skip: Skip) -> Types:
    """Return types without the kinds that no file can have; none goes, since something names it."""
    listed = {name: sorted({*kinds}) for name, kinds in types.items()}
    words = {"kind": "ontology", "version": 1, "types": listed}
    return {
        name: tuple(each) for name, each in fitting_part("ontology", words, skip)["types"].items()
    }


def _are_met_alike(procedure: Procedure, known: Procedure) -> bool:
    """Whether things that one was done with are things for the other: they are of the same types.

    What was learned from other episodes stays as it is, and is done with what is met here, too.
    """
    return (
        known.locked is False
        and not by_people(known)
        and procedure.world == known.world
        and procedure.steps[-1].do == known.steps[-1].do
        and procedure.parameters.keys() == known.parameters.keys()
        and all(each.type or not each.kinds for each in known.parameters.values())
    )


def _listing(procedure: Procedure, known: Procedure | None) -> dict[str, Parameter]:
    """Return the parameters that go on listing kinds themselves, as their file does.

    People wrote the list, or an earlier macla did, which nobody can tell; `macla migrate` makes
    types of what was learned.
    """
    if known is None or procedure.parameters.keys() != known.parameters.keys():
        return {}
    return {name: each for name, each in known.parameters.items() if each.kinds}


def _next_meta_version(meta: MetaProcedure, library: Library) -> MetaProcedure:
    known = library.metas.get(meta.id)
    return meta if known is None else replace(meta, version=known.version + 1, status=known.status)


def _name_of(rows: Iterable[Outcome]) -> str:
    """Name evidence by what it says, whatever the order of its rows."""
    facts = sorted(
        (row.subject_kind, row.subject, row.version, row.binding, row.successes, row.failures)
        for row in rows
    )
    text = json.dumps(facts, ensure_ascii=False)
    return DEMONSTRATIONS + hashlib.sha256(text.encode()).hexdigest()[:24]


def _outcomes(
    learned: Learned, versions: Mapping[str, int], meta_versions: Mapping[str, int]
) -> list[Outcome]:
    """Return the rows of evidence; their run is named when all are known."""
    at = now()
    rows: list[Outcome] = []

    def add(kind: str, subject: str, version: int, binding: str, good: float, bad: float) -> None:
        if not good and not bad:
            return
        outcome = OutcomeKind.SUCCESS if good else OutcomeKind.EXECUTION_FAILED
        rows.append(
            Outcome(
                run=DEMONSTRATIONS,
                step=0,
                subject_kind=kind,  # type: ignore[arg-type]
                subject=subject,
                version=version,
                binding=binding,
                outcome=outcome,
                successes=good,
                failures=bad,
                at=at,
            )
        )

    for name, (good, bad) in learned.procedure_counts.items():
        if name in versions:
            add("procedure", name, versions[name], "", good, bad)
    for name, (good, bad) in learned.meta_counts.items():
        if name in meta_versions:
            add("meta", name, meta_versions[name], "", good, bad)
    for (name, parameter, kind), count in learned.kind_counts.items():
        if name in versions:
            add("binding", name, versions[name], pair(parameter, kind), count, 0.0)
    for row in learned.search:
        add("binding", row.subject, 0, row.binding, row.successes, row.failures)
    return rows
