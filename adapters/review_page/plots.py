"""Posterior densities and replays as SVG, coloured by the page's style alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup, escape
from numpy.typing import NDArray

from .cards import Evidence, Replay

__all__ = ["densities", "density", "replay_bar"]

_WIDTH, _HEIGHT = 360.0, 150.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 12.0, 12.0, 10.0, 42.0
_POINTS = 241
_STEEPEST = 3.0
"""How many times as high as the other one a density is drawn."""


def density(alpha: float, beta: float, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the density of Beta(alpha, beta) at points in (0, 1), shape as ``at``."""
    from scipy.special import betaln  # type: ignore[import-untyped]  # SciPy ships no types

    log = (alpha - 1.0) * np.log(at) + (beta - 1.0) * np.log1p(-at) - betaln(alpha, beta)
    return np.exp(log)  # type: ignore[no-any-return]


def densities(before: Evidence | None, after: Evidence | None) -> Markup:
    """Draw the posterior densities of the success rate before and after, with 95 % intervals.

    A density that is much higher than the other one is cut at the edge of the plot.
    """
    curves = [(name, e) for name, e in (("before", before), ("after", after)) if e is not None]
    at = np.linspace(0.0, 1.0, _POINTS)
    at[0], at[-1] = 1e-4, 1.0 - 1e-4
    values = {name: density(e.alpha, e.beta, at) for name, e in curves}
    inner = [float(v[2:-2].max()) for v in values.values()]
    top = max(1.25, min(max(inner), _STEEPEST * min(inner))) if inner else 1.25
    parts = [_axis()]
    for row, (name, evidence) in enumerate(curves):
        line = _path(at, np.minimum(values[name], top) / top)
        floor = _HEIGHT - _BOTTOM
        area = f"{line} L {_x(1.0):.1f} {floor:.1f} L {_x(0.0):.1f} {floor:.1f} Z"
        low, high = evidence.interval
        y = floor + 8.0 + 7.0 * row
        parts.append(
            f'<path class="area {name}" d="{area}"/><path class="curve {name}" d="{line}"/>'
        )
        parts.append(
            f'<line class="interval {name}" x1="{_x(low):.1f}" x2="{_x(high):.1f}" '
            f'y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<circle class="mean {name}" cx="{_x(evidence.mean):.1f}" cy="{y:.1f}" r="3"/>'
        )
    said = "; ".join(f"{name}: {_said(e)}" for name, e in curves)
    return _svg("density", _HEIGHT, f"Posterior densities of the success rate. {said}.", parts)


def _said(evidence: Evidence) -> str:
    low, high = evidence.interval
    return f"mean {evidence.mean:.2f}, 95 % between {low:.2f} and {high:.2f}"


def _x(value: float) -> float:
    return _LEFT + value * (_WIDTH - _LEFT - _RIGHT)


def _path(at: NDArray[np.float64], heights: NDArray[np.float64]) -> str:
    span = _HEIGHT - _TOP - _BOTTOM
    points = (
        f"{_x(x):.1f} {_TOP + span * (1.0 - y):.1f}" for x, y in zip(at, heights, strict=True)
    )
    return "M " + " L ".join(points)


def _axis() -> str:
    floor = _HEIGHT - _BOTTOM
    ticks = "".join(
        f'<line class="grid" x1="{_x(t):.1f}" x2="{_x(t):.1f}" y1="{_TOP}" y2="{floor}"/>'
        f'<text x="{_x(t):.1f}" y="{_HEIGHT - 6:.1f}" text-anchor="{anchor}">{label}</text>'
        for t, label, anchor in (
            (0.0, "0", "start"),
            (0.25, "0.25", "middle"),
            (0.5, "0.5", "middle"),
            (0.75, "0.75", "middle"),
            (1.0, "1", "end"),
        )
    )
    return f'{ticks}<line class="axis" x1="{_x(0)}" x2="{_x(1)}" y1="{floor}" y2="{floor}"/>'


def replay_bar(replay: Replay) -> Markup:
    """Draw the difference in success with its 95 % interval, from -1 to 1."""
    height = 48.0
    middle = 18.0

    def x(value: float) -> float:
        return _x((max(-1.0, min(1.0, value)) + 1.0) / 2.0)

    estimate = (replay.wins - replay.losses) / replay.episodes if replay.episodes else 0.0
    kind = "better" if replay.low > 0 else "worse" if replay.high < 0 else "even"
    parts = [
        f'<line class="axis" x1="{x(-1)}" x2="{x(1)}" y1="{middle}" y2="{middle}"/>',
        f'<line class="zero" x1="{x(0)}" x2="{x(0)}" y1="4" y2="{middle + 14}"/>',
        f'<line class="interval {kind}" x1="{x(replay.low):.1f}" x2="{x(replay.high):.1f}" '
        f'y1="{middle}" y2="{middle}"/>',
        f'<circle class="mean {kind}" cx="{x(estimate):.1f}" cy="{middle}" r="4"/>',
        f'<text x="{x(-1)}" y="{height - 4}">old better</text>',
        f'<text x="{x(0)}" y="{height - 4}" text-anchor="middle">0</text>',
        f'<text x="{x(1)}" y="{height - 4}" text-anchor="end">new better</text>',
    ]
    said = (
        f"Difference in success {estimate:+.2f}, 95 % between {replay.low:+.2f} and "
        f"{replay.high:+.2f}: {replay.verdict}."
    )
    return _svg("replay", height, said, parts)


def _svg(name: str, height: float, said: str, parts: Sequence[str]) -> Markup:
    """Join parts, which hold nothing but numbers and our own words."""
    inner = "".join(parts)
    return Markup(  # noqa: S704 (no text of a library is in it)
        f'<svg class="plot {name}" viewBox="0 0 {_WIDTH:.0f} {height:.0f}" role="img" '
        f'aria-label="{escape(said)}">{inner}</svg>'
    )
