"""What cells do besides ``macla``: libraries with other settings, and what became of one.

python -m macla.evals.studies.helping make FOLDER '{"thresholds": {"theta_dup": 0.7}}'
python -m macla.evals.studies.helping prune FROM TO 25 5
python -m macla.evals.studies.helping evidence LIBRARY
python -m macla.evals.studies.helping shown SUITE FILE 'open '
"""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...adapters.git.stores import open_store
from ...adapters.session import LibrarySession
from ...procedures.episodes.trajectories import write_trajectories
from ...procedures.learning.pruning import surplus_worth
from ...procedures.library.library import Library
from ...procedures.local.machine_folder import adopt
from ...procedures.method.settings import Method
from ...procedures.model.procedure import MetaProcedure, Procedure
from ...procedures.proposals.proposal import CHANGES
from ..suites.suites import make_suite

__all__ = ["evidence", "make", "pruned", "shown"]

_SHOWN = 12
"""Procedures and plans whose course is told: as many as a plot can show."""


def make(folder: str, domain: str, settings: str) -> dict[str, Any]:
    """Make an empty library with these settings, as ``macla learn`` would make it."""
    from ...adapters.embeddings import DEFAULT_EMBEDDING

    Library.create(
        folder, domain=domain, embedding=DEFAULT_EMBEDDING, settings=json.loads(settings)
    )
    return {}


def pruned(source: str, target: str, procedures: int, metas: int) -> dict[str, Any]:
    """Copy a library, without what it has no room for with these capacities.

    Returns:
        How many procedures and plans were there and remain; of each reliability ρ̂, its share of
        all runs, its worth where it went, and whether it stayed.
    """
    shutil.copytree(source, target)
    adopt(Path(target))  # the copy is this machine's own, as what it was made of
    with LibrarySession.open(target) as session:
        library, ledger = session.library, session.ledger
        room = replace(session.method, procedures=procedures, metas=metas)
        worth = surplus_worth(library, ledger, room)
        knowledge = session.knowledge()
        kinds: dict[str, dict[str, Procedure | MetaProcedure]]
        kinds = {"procedure": {**library.procedures}, "meta": {**library.metas}}
        uses = {kind: ledger.spans(kind) for kind in kinds}
        total = sum(span[0] for each in uses.values() for span in each.values()) or 1
        items = []
        for kind, held in kinds.items():
            for name, item in held.items():
                alpha, beta = knowledge.posterior(kind, name, item.version)
                share = uses[kind].get(name, (0, 0, 0))[0] / total
                kept = name not in worth
                items.append([f"{kind} {name}", alpha / (alpha + beta), share, kept])
        if worth:
            library.delete(*worth)
    had = Counter(kind for kind, held in kinds.items() for _ in held)
    return {"had": dict(had), "gone": len(worth), "items": items}


def evidence(folder: str) -> dict[str, Any]:
    """Return the posterior means of the most used procedures and plans after each of their runs.

    Besides: of each kind of change that was proposed, how many were accepted, rejected, and wait.
    """
    store = open_store(folder)
    changes: dict[str, Counter[str]] = {}
    for proposal in (*store.decided(), *store.pending()):
        changes.setdefault(proposal.change, Counter())[proposal.status] += 1
    with LibrarySession.open(folder, read_only=True) as session:
        prior = Method.from_settings(session.library.settings.settings).prior
        start = prior if isinstance(prior, tuple) else (1.0, 1.0)
        courses: dict[str, list[list[float]]] = {}
        runs: dict[str, int] = {}
        sums: dict[str, list[float]] = {}
        for row in session.ledger.rows():
            runs.setdefault(row.run, len(runs) + 1)
            if row.subject_kind not in ("procedure", "meta") or row.binding:
                continue
            name = f"{row.subject}@{row.version}"
            total = sums.setdefault(name, [start[0], start[1]])
            total[0] += row.successes
            total[1] += row.failures
            courses.setdefault(name, []).append([runs[row.run], total[0] / (total[0] + total[1])])
    most = sorted(courses, key=lambda name: (-len(courses[name]), name))[:_SHOWN]
    told = {"episodes": len(runs), "courses": {name: courses[name] for name in most}}
    return {**told, "changes": {kind: changes[kind] for kind in CHANGES if kind in changes}}


def shown(suite: str, file: str, never: str) -> dict[str, Any]:
    """Write a suite's demonstrations in which no action begins with this text."""
    found, _ = make_suite(suite).demonstrations(None, None)
    kept = [each for each in found if not any(act.startswith(never) for act in each.acts)]
    write_trajectories(Path(file), kept)
    return {"kept": len(kept), "of": len(found)}


def main(arguments: list[str]) -> None:
    """Do what the arguments say, and print what came of it as JSON."""
    verb, *rest = arguments
    if verb == "make":
        told = make(*rest)
    elif verb == "prune":
        told = pruned(rest[0], rest[1], int(rest[2]), int(rest[3]))
    elif verb == "evidence":
        told = evidence(str(Path(rest[0])))
    elif verb == "shown":
        told = shown(*rest)
    else:
        raise SystemExit(f"no {verb!r}; make, prune, evidence or shown")
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1:])
