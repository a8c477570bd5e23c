"""Programs that a model recalls by a tool call, and its reports of how they worked."""

from __future__ import annotations

import json
from typing import Any

from ...procedures.common.errors import DanglingReferenceError
from ...procedures.evidence.ledger import OutcomeKind
from ...procedures.evidence.posterior import posterior_mean
from .guidance import LONGEST, is_harmless, shown
from .store import AgentMemory

_LONGEST_NOTE = 100_000
"""Characters of a note in which secrets are looked for; bounds the time."""


def recalled(memory: AgentMemory, task: str, most: int) -> list[dict[str, Any]]:
    """Return the programs that read a task, then those near it; none that are stopped.

    What does not fit into the room for them all is left out, as of guidance.

    Args:
        memory: The library.
        task: What is to be done.
        most: How many at most.
    """
    memory.refresh()
    documents: list[dict[str, Any]] = []
    size = 0
    fitting = {
        each.file.id: each.file
        for each in memory.programs.reading(task)
        if each.file.id not in memory.programs.stopped
    }
    near = [each for each in memory.near(task, most) if each.id not in fitting]
    for file in [*fitting.values(), *near][:most]:
        document = shown(file, task)
        length = len(json.dumps(document, ensure_ascii=False))
        if size + length > LONGEST or not is_harmless(document, file.ref):
            continue
        size += length
        alpha, beta = memory.programs.posterior(file)
        documents.append(
            {
                "procedure": file.ref,
                **document,
                "fits": file.id in fitting,
                "accepted_by_a_person": not file.unaccepted(),
                "success_rate": round(posterior_mean(alpha, beta), 3),
            }
        )
    return documents


def reported(memory: AgentMemory, ref: str, name: str, *, worked: bool, note: str) -> str:
    """Take a report on a recalled program as evidence; return the program.

    Args:
        memory: The library.
        ref: The program as recalled.
        name: Of the report, so that it counts once.
        worked: Whether it did what it was to do.
        note: What went wrong.

    Raises:
        DanglingReferenceError: There is no such program, or not in this version.
    """
    program, _, version = ref.partition("@")
    file = memory.programs.file(program)
    if file is None or (version and version != str(file.version)):
        raise DanglingReferenceError(
            f"there is no procedure {ref[:100]!r}; use a name that recall gave"
        )
    outcome = OutcomeKind.SUCCESS if worked else OutcomeKind.EXECUTION_FAILED
    # Cut after secrets were taken out: half a secret is not seen.
    context = {"note": memory.without_secrets(note[:_LONGEST_NOTE])[:500]} if note else {}
    memory.record(f"reported/{name}", file, outcome, context)
    return file.ref
