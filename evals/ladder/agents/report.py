"""How the results of the ladder for agents are printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .kinds import Kind
from .results import SHOWN, AgentsResult, Arm

__all__ = ["document", "lines"]


def lines(result: AgentsResult, kinds: Sequence[Kind], *, show: bool = False) -> list[str]:
    """Return the tables as lines.

    Args:
        result: What is told.
        kinds: The kinds of task of its half.
        show: Tell each wrong task, too.
    """
    memory, rebound = result.memory, result.rebound
    table = [
        ("pass", "tasks", "model calls", "(without)", "wrong", "re-bound: calls", "wrong"),
        *(
            (
                str(number),
                str(each.tasks),
                str(each.model_calls),
                f"({each.model_calls_without})",
                str(len(each.wrong)),
                str(other.model_calls),
                str(len(other.wrong)),
            )
            for number, (each, other) in enumerate(
                zip(memory.passes, rebound.passes, strict=True), start=1
            )
        ),
        (
            "all",
            str(sum(each.tasks for each in memory.passes)),
            str(memory.model_calls),
            f"({result.without.model_calls})",
            str(memory.wrong),
            str(rebound.model_calls),
            str(rebound.wrong),
        ),
    ]
    counts = [
        ("kind", "wrong", "of them look-alikes", "re-bound: wrong", "trap"),
        *(
            (
                str(kind.number),
                str(memory.wrong_by_kind.get(kind.number, 0)),
                str(_wrong_look_alikes(memory, kind)),
                str(rebound.wrong_by_kind.get(kind.number, 0)),
                kind.trap if result.half in SHOWN else "(sealed)",
            )
            for kind in kinds
        ),
    ]
    texts = [text for each in memory.passes for text in each.wrong] if show else []
    return [
        f"trust: {result.trust}",
        "",
        *_columns(table),
        "",
        *_columns(counts),
        *([""] if texts else []),
        *texts,
    ]


def document(result: AgentsResult) -> dict[str, Any]:
    """Return the results as a document; of sealed tasks only the numbers."""
    told = result.half in SHOWN
    return {
        "half": result.half,
        "trust": result.trust,
        "seed": result.seed,
        "arms": [
            {
                "name": arm.name,
                "model_calls": arm.model_calls,
                "wrong": arm.wrong,
                "wrong_by_kind": {str(kind): n for kind, n in arm.wrong_by_kind.items()},
                "passes": [
                    {
                        "tasks": each.tasks,
                        "model_calls": each.model_calls,
                        "model_calls_without": each.model_calls_without,
                        "wrong": list(each.wrong) if told else len(each.wrong),
                        "outcomes": [
                            {
                                "id": outcome.id,
                                "look_alike": outcome.look_alike,
                                "wrong": outcome.wrong,
                                "model_calls": outcome.model_calls,
                            }
                            for outcome in each.outcomes
                        ],
                    }
                    for each in arm.passes
                ],
            }
            for arm in (result.memory, result.without, result.rebound)
        ],
    }


def _wrong_look_alikes(arm: Arm, kind: Kind) -> int:
    return sum(each.wrong and each.look_alike for each in arm if each.kind == kind.number)


def _columns(table: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if i < len(row) - 1 or cell.isdigit() else cell
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]
