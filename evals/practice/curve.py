"""The learning curve of a practice: means over windows of episodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..reports.statistics import wilson_interval
from .practice_loop import Played

__all__ = ["Window", "curve", "curve_document", "curve_text"]

_WINDOWS = 10
_LEAST = 10


@dataclass(frozen=True, slots=True)
class Window:
    """Some episodes in a row.

    Attributes:
        first: Number of the first, from 1.
        last: Number of the last.
        success: Share that was solved, in [0, 1].
        low: Lower end of its 95 % interval (Wilson).
        high: Upper end.
        steps: Mean actions.
        fallback: Share of actions that no procedure chose.
        experiments: Share of actions that were experiments.
        procedures: Procedures after the last.
        metas: Meta-procedures after the last.
        mean: Posterior mean of the procedures after the last, averaged.
        sd: Posterior standard deviation, averaged.
        seconds: Mean seconds an episode took to play.
        learning: Mean seconds to learn from it.
    """

    first: int
    last: int
    success: float
    low: float
    high: float
    steps: float
    fallback: float
    experiments: float
    procedures: int
    metas: int
    mean: float
    sd: float
    seconds: float
    learning: float


def curve(played: Sequence[Played], size: int | None = None) -> list[Window]:
    """Sum up episodes in windows of ``size``; by default ten windows of at least ten episodes."""
    size = size or max(_LEAST, -(-len(played) // _WINDOWS))
    return [_window(played[at : at + size], at) for at in range(0, len(played), size)]


def _window(part: Sequence[Played], at: int) -> Window:
    won = sum(each.won for each in part)
    steps = sum(each.steps for each in part)
    interval = wilson_interval(won, len(part))
    last = part[-1]
    return Window(
        first=at + 1,
        last=at + len(part),
        success=won / len(part),
        low=interval.low,
        high=interval.high,
        steps=steps / len(part),
        fallback=sum(each.fallback for each in part) / max(1, steps),
        experiments=sum(each.experiments for each in part) / max(1, steps),
        procedures=last.procedures,
        metas=last.metas,
        mean=last.mean,
        sd=last.sd,
        seconds=sum(each.seconds[0] for each in part) / len(part),
        learning=sum(each.seconds[1] for each in part) / len(part),
    )


def curve_document(played: Sequence[Played], facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the curve as plain values, with facts about how it came about."""
    return {
        **facts,
        "episodes": len(played),
        "successes": sum(each.won for each in played),
        "windows": [
            {k: round(v, 6) if isinstance(v, float) else v for k, v in asdict(window).items()}
            for window in curve(played)
        ],
    }


def curve_text(played: Sequence[Played]) -> str:
    """Return the curve as a table for people."""
    lines = ["episodes     solved  (95 %)       steps  fallback  tried  procs  metas  posterior"]
    for w in curve(played):
        bar = "#" * round(20 * w.success)
        lines.append(
            f"{w.first:>5}-{w.last:<5} {w.success:>7.1%}  ({w.low:.0%}-{w.high:.0%})".ljust(32)
            + f"{w.steps:>6.1f}  {w.fallback:>8.1%} {w.experiments:>6.1%} {w.procedures:>6} "
            f"{w.metas:>6}  {w.mean:.2f} ± {w.sd:.2f}  {bar}"
        )
    return "\n".join(lines)
