"""Put what was learned into a library and its ledger.

Knowledge goes to the files, evidence to the ledger. Evidence from demonstrations is counted once:
rows of one learning run have fixed keys, and the library names the run whose rows count, so that
learning again replaces them and never adds the same episodes twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime, timezone

from ..errors import LibraryError
from ..ledger import Ledger, Outcome, OutcomeKind
from ..library import Library
from ..model import MetaProcedure, Ontology, Procedure
from ..model_ontology import LibrarySettings
from ..search_evidence import pair
from ..trajectories import Trajectory
from .learner import Learned

__all__ = ["DEMONSTRATIONS", "learning_run", "store"]

DEMONSTRATIONS = "learn:"
"""Prefix of the run id of evidence that comes from trajectories."""


def learning_run(trajectories: Iterable[Trajectory]) -> str:
    """Name the evidence of a set of trajectories by their content, whatever their order."""
    digests = sorted(
        hashlib.sha256(
            "\x1e".join([t.task, "\x1f".join(t.obs), "\x1f".join(t.acts), str(t.success)]).encode()
        ).digest()
        for t in trajectories
    )
    return DEMONSTRATIONS + hashlib.sha256(b"".join(digests)).hexdigest()[:24]


def store(library: Library, ledger: Ledger, learned: Learned, run: str) -> list[str]:
    """Write procedures, metas, ontology and evidence.

    What a person locked is kept as it stands. A procedure that behaves as before keeps its
    version; one that does not gets the next.

    Args:
        library: Where knowledge goes; what was learned before and is not learned again is removed.
        ledger: Where evidence goes.
        learned: What was learned.
        run: Name of the evidence; see :func:`learning_run`.

    Returns:
        Names of the files that changed.

    Raises:
        LibraryError: The library cannot be written; it is unchanged then.
    """
    library.refresh()
    procedures = [
        _next_version(Procedure.from_document(d), library) for d in learned.procedures.values()
    ]
    versions = {procedure.id: procedure.version for procedure in procedures}
    metas = []
    for document in learned.metas.values():
        for place in document["plan"]:
            if "run" in place:
                name = place["run"].rpartition("@")[0]
                place["run"] = f"{name}@{versions[name]}"
        metas.append(_next_meta_version(MetaProcedure.from_document(document), library))
    changed = library.write_all(
        procedures, metas, ontology=Ontology.from_document(learned.ontology), replace=True
    )
    stored = {name: item.version for name, item in library.procedures.items()}
    stored_metas = {name: item.version for name, item in library.metas.items()}
    ledger.record(_outcomes(learned, run, stored, stored_metas))
    # Last, so that after a crash the library never names evidence that is not there.
    settings = library.settings
    if settings.settings.get("evidence_from") != run:
        named = LibrarySettings(
            settings.domain,
            settings.embedding,
            {**settings.settings, "evidence_from": run},
            settings.format,
        )
        changed = [*changed, *library.write_all(settings=named)]
    return changed


def _next_version(procedure: Procedure, library: Library) -> Procedure:
    known = library.procedures.get(procedure.id)
    if known is None:
        return procedure
    if known.locked:
        return known
    document = {**procedure.to_document(), "version": known.version + 1}
    return Procedure.from_document(document)


def _next_meta_version(meta: MetaProcedure, library: Library) -> MetaProcedure:
    known = library.metas.get(meta.id)
    if known is None:
        return meta
    if known.locked:
        return known
    return MetaProcedure.from_document({**meta.to_document(), "version": known.version + 1})


def _outcomes(
    learned: Learned, run: str, versions: dict[str, int], meta_versions: dict[str, int]
) -> list[Outcome]:
    at = datetime.now(timezone.utc).isoformat(timespec="seconds")
    rows: list[Outcome] = []

    def add(kind: str, subject: str, version: int, binding: str, good: float, bad: float) -> None:
        if not good and not bad:
            return
        outcome = OutcomeKind.SUCCESS if good else OutcomeKind.EXECUTION_FAILED
        rows.append(
            Outcome(
                run=run,
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
        add("procedure", name, versions[name], "", good, bad)
    for name, (good, bad) in learned.meta_counts.items():
        if name not in meta_versions:
            raise LibraryError(f"evidence of meta-procedure {name!r} without the file")
        add("meta", name, meta_versions[name], "", good, bad)
    for (name, parameter, kind), count in learned.kind_counts.items():
        add("binding", name, versions[name], pair(parameter, kind), count, 0.0)
    for row in learned.search:
        add("binding", row.subject, 0, row.binding, row.successes, row.failures)
    return rows
