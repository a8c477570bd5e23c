"""Proposals of what learning would change in a library."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ..documents.plain_data import behaves_alike, thaw
from ..episodes.trajectories import Trajectory
from ..evidence.ledger import Ledger, Outcome
from ..learning.learner import Learned
from ..learning.store_learned import LEARNED_FROM, Planned, evidence_rows, planned
from ..learning.taught import learned_elsewhere, note_learned
from ..library.library import Library
from ..library.library_changes import settled_program
from ..model.parameter_types import named_types
from ..model.procedure import MetaProcedure, Ontology, Procedure
from ..programs.documents import ProgramFile
from ..programs.learning.valuing import WORTH
from ..sharing.exchange import top_up
from ..sharing.lock_file import SumKey
from .inheritance import REVIEWED
from .proposal import (
    LEARNED,
    LONGEST_RATIONALE,
    Contrast,
    Document,
    Proposal,
    digest,
    document_key,
    make_proposal,
)
from .proposal_documents import canonical
from .rebase import merge_documents
from .replay import Replayer
from .support import BEFORE, reason
from .word_documents import changed_words
from .word_support import word_reasons

_MOST_NAMED_EPISODES = 1000
"""Most episodes that a record names; there may be more."""


def propose_learned(
    library: Library,
    ledger: Ledger,
    learned: Learned,
    episodes: Sequence[Trajectory] = (),
    *,
    made_before: Callable[[str], Document | None] = lambda _: None,
    plan: Planned | None = None,
    programs: Collection[str] = (),
    credit: bool = False,
    replace_all: bool = False,
) -> list[Proposal]:
    """Compare what was learned with the library, and return each difference as a proposal.

    The counts go to the ledger under a run of their own, which counts for nothing until a
    proposal is accepted, but for what stands as it was learned. What people locked is in no
    proposal.

    Args:
        library: What is there; refreshed first.
        ledger: Where the counts go.
        learned: What was learned.
        episodes: What old and new are replayed over; usually what was learned from.
        made_before: Returns the content of a file that the last proposal made: what differs from
            it in the library is people's, and stays.
        plan: What the library would hold then; by default all that was learned.
        programs: Ids of programs that are proposed with it.
        credit: Whether what stands as it was learned is credited with what was counted: where all
            of it is demonstrations, for what was played is in the ledger already.
        replace_all: Whether to retire what was learned and is not learned again.

    Returns:
        Proposals in an order in which they can be accepted: ontology, procedures, plans, and what
        is to be retired.
    """
    library.refresh()
    if plan is None:
        elsewhere = learned_elsewhere(library)
        plan = planned(library, learned, elsewhere=elsewhere, programs=programs, anew=replace_all)
    note_learned(library.path, plan.here)
    procedures = {name: item.to_document() for name, item in plan.procedures.items()}
    versions = {
        name: _version(library.procedures.get(name), document)
        for name, document in procedures.items()
    }
    metas = {name: item.to_document() for name, item in plan.metas.items()}
    meta_versions = {
        name: _version(library.metas.get(name), document) for name, document in metas.items()
    }
    rows, run = evidence_rows(plan.learned, versions, meta_versions)
    ledger.record(rows)
    if credit:
        _credit(library, ledger, rows)
    evidence = _EpisodeEvidence(learned.episodes, run, rows)
    words: dict[tuple[str, str], Document] = {}
    if not behaves_alike(library.ontology.to_document(), plan.ontology.to_document()):
        words = changed_words(library.contents, plan.ontology)
    changed = list(_differences(library.procedures, procedures, "new", evidence, made_before))
    types = [_types_of(proposal, library.ontology, words) for proposal in changed]
    proposals = [_ontology(library, words, evidence, learned, episodes)] if words else []
    requires = (proposals[0].id,) if ("ontology", "") in words else ()
    proposals += [
        replace(each, new=(*each.new, *added_types), requires=requires) if added_types else each
        for each, added_types in zip(changed, types, strict=True)
    ]
    id_by_target = {p.target.id: p.id for p in proposals}
    required = {name: _required_proposals(meta, id_by_target) for name, meta in plan.metas.items()}
    proposals += _differences(library.metas, metas, "meta", evidence, made_before, required)
    if replace_all:
        proposals += _retirements(library, procedures.keys() | metas.keys(), evidence.episodes)
    proposals = [_with_standing(library, ledger, proposal) for proposal in proposals]
    if episodes:
        replayer = Replayer(episodes, plan.ontology, {**library.procedures, **plan.procedures})
        proposals = [_with_replay(proposal, replayer) for proposal in proposals]
    return [replace(p, rationale=reason(p, len(episodes) or learned.episodes)) for p in proposals]


def _credit(library: Library, ledger: Ledger, rows: Iterable[Outcome]) -> None:
    """Credit what stands with the demonstrations that were counted of it, each once.

    What has no version, as what was seen where, is credited where it counts already.
    """
    run = str(library.settings.settings.get("evidence_from", "") or REVIEWED)
    versions = {(item.id, item.version) for _, item in library.items()}
    recorded = ledger.counts(run=run)
    sums: dict[SumKey, tuple[float, float]] = {}
    for row in rows:
        key = (row.subject_kind, row.subject, row.version, row.binding)
        if (row.subject, row.version) not in versions and (row.version or key not in recorded):
            continue
        counted = _with_new_demonstrations(recorded.get(key, (0.0, 0.0)), row)
        sums[run, row.subject_kind, row.subject, row.version, row.binding] = counted
    top_up(ledger, sums)


def _with_new_demonstrations(before: tuple[float, float], row: Outcome) -> tuple[float, float]:
    """Return successes and failures with the demonstrations that came since.

    Counted anew, one may be a failure that was a success before: it is no new one.
    """
    fresh = max(0.0, row.successes + row.failures - sum(before))
    good = min(fresh, max(0.0, row.successes - before[0]))
    return before[0] + good, before[1] + fresh - good


def propose_programs(
    library: Library, files: Iterable[ProgramFile], episodes: int
) -> list[Proposal]:
    """Compare programs that were learned with the library, and return each difference.

    Args:
        library: What is there.
        files: What was learned, by the ids that it has in the library.
        episodes: How many were learned from.
    """
    proposals = []
    for file in files:
        old = library.programs.get(file.id)
        new = settled_program(file, library.programs)
        unchanged = old is not None and old.version == new.version
        if old is not None and (old.locked or (unchanged and old.status == new.status)):
            continue
        notes = tuple(new.provenance.get(key, "") for key in ("proof", "reason", WORTH))
        rationale = "; ".join(
            filter(None, (*notes, "a draft, not used" * (new.status != "active")))
        )
        proposals.append(
            make_proposal(
                "new" if old is None else "status" if unchanged else "refine",
                f"{rationale[:1].upper()}{rationale[1:]}.",
                target=new.id,
                old=[] if old is None else [old.to_document()],
                new=[new.to_document()],
                counts={"episodes": float(episodes)},
            )
        )
    return proposals


class _EpisodeEvidence:
    """Evidence of each procedure and plan in the episodes: rows under one run."""

    def __init__(self, episodes: int, run: str, rows: Iterable[Outcome]) -> None:
        self.episodes = episodes
        self.run = run
        self._rows: dict[str, list[Outcome]] = {}
        for row in rows:
            self._rows.setdefault(row.subject, []).append(row)

    def facts(self, name: str) -> dict[str, Any]:
        """Return what a proposal says of its evidence."""
        rows = self._rows.get(name, [])
        facts = sorted([r.subject_kind, r.binding, r.successes, r.failures] for r in rows)
        unbound_rows = [row for row in rows if not row.binding]
        counts = {
            "episodes": float(self.episodes),
            "successes": sum(row.successes for row in unbound_rows),
            "failures": sum(row.failures for row in unbound_rows),
        }
        return {"evidence_key": digest(facts), "run": self.run, "counts": counts}


def _ontology(
    library: Library,
    new: Mapping[tuple[str, str], Document],
    evidence: _EpisodeEvidence,
    learned: Learned,
    episodes: Sequence[Trajectory],
) -> Proposal:
    items = (library.contents.get(key) for key in new)
    change = make_proposal(
        "ontology",
        f"Words, actions and what they do, as {evidence.episodes} episodes show them.",
        target="ontology",
        old=[item.to_document() for item in items if item is not None],
        new=list(new.values()),
        evidence_key=digest(list(new.values())),
        run=evidence.run,
        counts={"episodes": float(evidence.episodes)},
    )
    lines = [change.rationale, *word_reasons(change, learned, episodes)]
    return replace(change, rationale="\n".join(lines)[:LONGEST_RATIONALE])


def _differences(
    stored: Mapping[str, Procedure | MetaProcedure],
    learned: Mapping[str, dict[str, Any]],
    change: str,
    evidence: _EpisodeEvidence,
    made_before: Callable[[str], Document | None],
    required: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> Iterator[Proposal]:
    """Yield what is different about procedures, or about plans.

    Args:
        stored: What the library has, by id.
        learned: Documents of what was learned, by id.
        change: The kind of change where it has none of that id.
        evidence: What the episodes say.
        made_before: As :func:`propose_learned` has it.
        required: Id of a plan → the proposals that it cannot do without.
    """
    for name, new in learned.items():
        old = stored[name].to_document() if name in stored else None
        if old is not None:
            new = _with_edits(made_before(name), new, old)
            if behaves_alike(old, new):
                continue
        yield make_proposal(
            "refine" if old is not None else change,
            "",
            target=new["id"],
            old=[old] if old is not None else [],
            new=[new],
            requires=required.get(name, ()),
            **evidence.facts(name),
        )


def _types_of(
    proposal: Proposal, ontology: Ontology, words: dict[tuple[str, str], Document]
) -> list[Document]:
    """Take the files of the types out of what is proposed that a procedure is the first to name.

    Args:
        proposal: Of the procedure, with which they go.
        ontology: The words of the library.
        words: Documents of words that are to be others, by (kind, id).
    """
    items = [Procedure.from_document(thaw(document)) for document in proposal.new]
    new = [name for world, name in named_types(items) if name not in ontology.of_world(world).types]
    keys = dict.fromkeys(("types", name.rpartition(".")[0]) for name in new)
    return [words.pop(key) for key in keys if key in words]


def _with_standing(library: Library, ledger: Ledger, proposal: Proposal) -> Proposal:
    """Add from how many occasions what stands was learned, which its file does not say."""
    if proposal.change != "refine":
        return proposal
    kind, name = document_key(proposal.old[0])
    run = str(library.settings.settings.get("evidence_from", ""))
    key = (kind, name, int(proposal.old[0]["version"]), "")
    good, bad = ledger.counts(kind, name, run=run).get(key, (0.0, 0.0))
    if not good + bad:
        return proposal
    return replace(proposal, counts={**proposal.counts, BEFORE: good + bad})


def _required_proposals(meta: MetaProcedure, proposed: Mapping[str, str]) -> tuple[str, ...]:
    """Return the proposals, among those by what they change, that a plan cannot do without."""
    ids = [proposed[p.run] for p in meta.plan if p.run is not None and p.run in proposed]
    if any(p.follow is not None for p in meta.plan) and "ontology" in proposed:
        ids.insert(0, proposed["ontology"])
    return tuple(dict.fromkeys(ids))


def _with_replay(proposal: Proposal, replayer: Replayer) -> Proposal:
    """Add what the episodes say, and which of them show what is proposed."""
    contrast = None
    if proposal.change in LEARNED:
        episodes = replayer.shown(proposal.new[0])
        contrast = Contrast(
            episodes.successes[:_MOST_NAMED_EPISODES], episodes.failures[:_MOST_NAMED_EPISODES]
        )
    return replace(proposal, replay=replayer.replay(proposal), contrast=contrast)


def _with_edits(
    before: Document | None, learned: dict[str, Any], current: Document
) -> dict[str, Any]:
    """Return what was learned with what people changed in the file since it was last learned.

    Where both changed the same place, what the person wrote stays.
    """
    if before is None:
        return learned
    return canonical(merge_documents(canonical(before), canonical(learned), current).document)


def _version(old: Procedure | MetaProcedure | None, new: Document) -> int:
    """Return the version of a document, which is the old one where it behaves as before."""
    unchanged = old is not None and behaves_alike(old.to_document(), new)
    return old.version if old is not None and unchanged else int(new["version"])


def _retirements(library: Library, learned: set[str], episodes: int) -> Iterator[Proposal]:
    items: list[Procedure | MetaProcedure] = [*library.metas.values()]
    for item in [*items, *library.procedures.values()]:
        if item.id in learned or item.status == "retired" or item.locked:
            continue
        if LEARNED_FROM not in item.provenance:
            continue  # people wrote it
        document = item.to_document()
        yield make_proposal(
            "retire",
            f"None of {episodes} episodes shows it any more.",
            target=item.id,
            old=[document],
            new=[{**document, "status": "retired"}],
            counts={"episodes": float(episodes)},
        )
