"""When a procedure goes wrong and its tasks are done another way: the refinement, as a proposal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..condition_patterns import template_parameters
from ..ledger import Ledger, Outcome
from ..model import Procedure
from ..model_documents import behaves_alike
from ..proposals.model import Contrast, Proposal, make_proposal
from .execution import Execution, is_tool_procedure
from .groups import Group

__all__ = ["does_less", "refinement_of", "superseded_by"]

_SHOWN = "tool-episodes"
"""Says that the counts are demonstrations, which the new version starts with."""
_MOST = 20
"""Most runs that a proposal names."""


def does_less(one: Procedure, other: Procedure) -> bool:
    """Whether one procedure makes the first calls of another and then no more.

    That is how a run looks that was given up: no other way of doing the task.
    """
    mine, theirs = _calls(one), _calls(other)
    return len(mine) < len(theirs) and theirs[: len(mine)] == mine


def _calls(procedure: Procedure) -> list[Any]:
    return [(step.tool, sorted(step.args)) for step in procedure.steps if step.tool is not None]


def superseded_by(group: Group, support: int, known: Iterable[Procedure]) -> list[Procedure]:
    """Return the procedures that do a group's latest tasks in another way than it does.

    Args:
        group: Demonstrations.
        support: How many of the latest count.
        known: Procedures of the library.
    """
    if group.support < support:
        return []
    mine = group.procedure
    tasks = [(each.task, "\n".join(each.context)) for each in group.episodes[-support:]]
    return [
        other
        for other in known
        if other.id != mine.id
        and other.status != "retired"
        and not other.locked
        and is_tool_procedure(other)
        and not does_less(mine, other)
        and all(Execution.start(other, task, context=said) is not None for task, said in tasks)
    ]


def refinement_of(old: Procedure, group: Group, ledger: Ledger) -> Proposal | None:
    """Return the proposal to do a procedure's tasks as a group shows; None where it does so."""
    new = _refined(old, group.procedure)
    before, after = old.to_document(), new.to_document()
    if behaves_alike(before, after):
        return None
    failures = [
        row
        for row in ledger.rows("procedure", old.id)
        if row.version == old.version and row.failures
    ]
    episodes = [each.id for each in group.episodes]
    return make_proposal(
        "refine",
        _rationale(new, failures, len(episodes)),
        target=old.id,
        old=[before],
        new=[after],
        contrast=Contrast(
            successes=tuple(episodes[-_MOST:]),
            failures=tuple(row.run for row in failures[-_MOST:]),
        ),
        run=_SHOWN,
        counts={"successes": float(len(episodes)), "contrasted_failures": float(len(failures))},
    )


def _refined(old: Procedure, shown: Procedure) -> Procedure:
    """Return the next version: the old name and wordings, the calls that were shown."""
    wordings = (old.goal, *old.wordings, shown.goal, *shown.wordings)
    names = set(template_parameters(shown.goal))
    fitting = [each for each in wordings if set(template_parameters(each)) == names]
    goal, *others = dict.fromkeys(fitting)
    return replace(
        shown,
        id=old.id,
        version=old.version + 1,
        status="provisional",
        goal=goal,
        wordings=tuple(others),
        evidence=None,
        provenance=old.provenance,
        locked=old.locked,
    )


def _rationale(new: Procedure, failures: Sequence[Outcome], shown: int) -> str:
    """Say in words what went wrong and what was done instead."""
    calls = ", ".join(f"{tool}({', '.join(args)})" for tool, args in _calls(new))
    instead = f"The last {shown} runs did these tasks by other calls: {calls}."
    if not failures:
        return instead
    told: Mapping[str, Any] = failures[-1].context or {}
    because = f", the last time because {told['because']}" if told.get("because") else ""
    times = "once" if len(failures) == 1 else f"{len(failures)} times"
    return f"It failed {times}{because}. {instead}"
