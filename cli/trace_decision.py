"""``macla trace --task``: why this candidate and not the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from . import output

_SHOWN = (
    *("kind", "ref", "similarity", "reading_cost", "relevance", "risk", "alpha", "beta"),
    *("rate", "reward", "cost", "bonus", "utility", "fillers", "reading"),
)
_NEAR = 1e-4
"""Difference below which two figures count as equal: four decimals are printed."""


def print_decision(
    library: Path,
    task: str,
    observation: str,
    *,
    preset: str | None,
    without: Sequence[str],
    seed: int,
    top: int,
    as_json: bool,
) -> None:
    """Say what the loop would choose for a task first, and why not something else.

    Args:
        library: Folder of the library.
        task: What is asked.
        observation: The first observation; may be empty.
        preset: Preset of the method; None stands for the library's own.
        without: Parts of the method to leave out.
        seed: Seed of the loop.
        top: How many candidates are shown.
        as_json: Whether to print one document.
    """
    if not task.strip():
        raise click.UsageError("--task is empty; write what is asked, in quotes.")
    from ..evals.traces.episode_trace import decide
    from ..procedures.method.ablation import parse_parts

    events = decide(
        str(library), task, observation, seed, preset=preset, ablated=parse_parts(without)
    )
    scoring = next((event for event in events if event["node"] == "score"), None)
    candidates = list((scoring or {}).get("candidates", []))
    chosen_ref = (scoring or {}).get("chosen")
    threshold = float((scoring or {}).get("threshold", 0.0))
    reasons = [_reason(c, candidates, chosen_ref, threshold) for c in candidates]
    if as_json:
        output.emit_json(
            {
                "task": task,
                "observation": observation,
                "chosen": chosen_ref,
                "threshold": threshold,
                "candidates": [
                    {**{k: c[k] for k in _SHOWN if k in c}, "why": reason}
                    for c, reason in zip(candidates, reasons, strict=True)
                ],
            }
        )
        return
    _print(task, candidates, reasons, chosen_ref, threshold, top)
    if chosen_ref is not None and candidates[0]["kind"] == "program":
        from ..procedures.library.library import Library

        item = Library.open(library).programs[chosen_ref.rpartition("@")[0]]
        if item.program.planner is not None:
            output.say(f"  {chosen_ref}: {item.purpose}")


def _print(
    task: str,
    candidates: Sequence[Mapping[str, Any]],
    reasons: Sequence[str],
    chosen_ref: str | None,
    threshold: float,
    top: int,
) -> None:
    output.say(output.strong(f"task: {task}"))
    if not candidates:
        output.say("the library holds nothing that could be chosen; the fallback would act")
        return
    if chosen_ref is None:
        output.say(f"no candidate reaches the threshold {threshold:.3f}: the fallback would act")
    else:
        best = candidates[0]
        output.say(
            f"chosen: {output.strong(chosen_ref)} ({best['kind']}), threshold {threshold:.3f}"
        )
        fillers = best.get("fillers") or {}
        if fillers:
            fillers_text = ", ".join(f"{name} = {value}" for name, value in sorted(fillers.items()))
            output.say(f"  reads the task as: {fillers_text}")
    output.say()
    rows = [
        [
            ("* " if c["ref"] == chosen_ref else "  ") + c["ref"],
            c["kind"],
            f"{c['similarity']:.3f}",
            f"{c['reading_cost']:.2f}" if "reading_cost" in c else "-",
            f"{c['relevance']:.4f}",
            f"Beta({c['alpha']:g}, {c['beta']:g})",
            f"{c['rate']:.4f}",
            f"{c['reward']:.4f}",
            f"{c['cost']:.4f}",
            f"{c['bonus']:.4f}",
            f"{c['utility']:.4f}",
        ]
        for c in candidates[:top]
    ]
    header = ["candidate", "kind", "similarity", "reading", "rel", "evidence", "rate"]
    header += ["gain", "loss", "bonus", "EU"]
    output.table(header, rows, numbers=(2, 3, 4, 6, 7, 8, 9, 10))
    if len(candidates) > top:
        output.say(output.dim(f"  … and {len(candidates) - top} more (--top)"))
    output.say()
    for c, reason in list(zip(candidates, reasons, strict=True))[:top]:
        output.say(f"  {c['ref']}: {reason}")


def _reason(
    candidate: Mapping[str, Any],
    candidates: Sequence[Mapping[str, Any]],
    chosen_ref: str | None,
    threshold: float,
) -> str:
    """Return in words what decided, from the numbers alone."""
    best = candidates[0]
    if candidate is best:
        if chosen_ref is None:
            return f"the best, but its EU {best['utility']:.4f} is below {threshold:.3f}"
        return "the highest EU"
    gap = best["utility"] - candidate["utility"]
    behind = f"{gap:.4f} behind"
    if "reading" in candidate and candidate["reading"] == best.get("reading"):
        return f"{behind}: would do the same; its evidence is weaker (rate {candidate['rate']:.4f})"
    parts = []
    if candidate["relevance"] < best["relevance"] - _NEAR:
        parts.append(
            f"its reading of the task is less probable ({candidate['relevance']:.4f} against "
            f"{best['relevance']:.4f})"
        )
    if candidate["rate"] < best["rate"] - _NEAR:
        parts.append(f"it succeeds less often ({candidate['rate']:.4f})")
    if candidate["cost"] > best["cost"] + _NEAR:
        parts.append(f"a failure costs more ({candidate['cost']:.4f})")
    return f"{behind}: " + ("; ".join(parts) if parts else "the sum of small differences")
