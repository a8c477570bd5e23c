"""Posterior densities and replays as SVG, coloured by the page's style alone."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from markupsafe import Markup, escape
from numpy.typing import NDArray

from ...procedures.model.procedure_parts import Evidence
from ...procedures.proposals.proposal import Replay

_WIDTH, _HEIGHT = 460.0, 230.0
"""Size of a plot, in units of its view box."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, 14.0, 12.0, 66.0
"""Margins of the plot of densities, in the same units: room for ticks and names."""
_POINTS = 241
"""Points at which a density is drawn: about one for two units of width."""
_STEEPEST = 3.0
"""How many times as high as the other one a density is drawn."""
_TAIL = 0.001
"""Mass of a posterior that may lie outside the plot on each side."""


def density(alpha: float, beta: float, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the density of Beta(alpha, beta) at points in (0, 1), shape as ``at``."""
    from scipy.special import betaln  # type: ignore[import-untyped]  # SciPy ships no types

    log = (alpha - 1.0) * np.log(at) + (beta - 1.0) * np.log1p(-at) - betaln(alpha, beta)
    return np.exp(log)  # type: ignore[no-any-return]


def span(evidence: Sequence[Evidence]) -> tuple[float, float]:
    """Return the part of [0, 1], in tenths, that holds nearly all of some posteriors."""
    from scipy.special import betaincinv

    low = min(float(betaincinv(e.alpha, e.beta, _TAIL)) for e in evidence)
    high = max(float(betaincinv(e.alpha, e.beta, 1.0 - _TAIL)) for e in evidence)
    first, last = math.floor(low * 10.0), math.ceil(high * 10.0)
    first, last = max(0, min(first, last - 2)), min(10, max(last, first + 2))
    if last - first > _FINE:  # ticks stand at even tenths then
        first, last = first - first % 2, last + last % 2
    return first / 10.0, last / 10.0


_FINE = 5
"""Widest plot, in tenths, that has a tick at every tenth."""


class _PlotArea:
    """Where values lie in the plot of densities.

    Args:
        low: Rate at the left edge.
        high: Rate at the right edge.
        top: Density at the upper edge.
    """

    floor = _HEIGHT - _BOTTOM

    def __init__(self, low: float, high: float, top: float) -> None:
        self.low, self.high, self.top = low, high, top

    def x(self, rate: float) -> float:
        share = (rate - self.low) / (self.high - self.low)
        return _LEFT + min(1.0, max(0.0, share)) * (_WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        return _TOP + (self.floor - _TOP) * (1.0 - min(value, self.top) / self.top)

    def axes(self) -> str:
        """Draw both axes with ticks and names."""
        return "".join([*self._rates(), *self._densities()])

    def _rates(self) -> list[str]:
        step = 0.1 if round((self.high - self.low) * 10.0) <= _FINE else 0.2
        count = round((self.high - self.low) / step)
        parts = []
        for number in range(count + 1):
            rate = min(self.high, self.low + number * step)
            x = f"{self.x(rate):.1f}"
            parts.append(
                f'<line class="grid" x1="{x}" x2="{x}" y1="{_TOP}" y2="{self.floor}"/>'
                f'<text x="{x}" y="{self.floor + 40:.1f}" text-anchor="middle">{rate:.1f}</text>'
            )
        middle = (_LEFT + _WIDTH - _RIGHT) / 2.0
        return [
            *parts,
            f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{self.floor}" '
            f'y2="{self.floor}"/>',
            f'<text class="name" x="{middle:.1f}" y="{_HEIGHT - 4:.1f}" text-anchor="middle">'
            "success rate</text>",
        ]

    def _densities(self) -> list[str]:
        step = _nice(self.top / 3.0)
        right = _WIDTH - _RIGHT
        parts = []
        for number in range(int(self.top / step) + 1):
            value = number * step
            y = self.y(value)
            parts.append(
                f'<line class="grid" x1="{_LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>'
                f'<text x="{_LEFT - 7}" y="{y + 3.5:.1f}" text-anchor="end">{value:g}</text>'
            )
        middle = (_TOP + self.floor) / 2.0
        return [
            *parts,
            f'<text class="name" transform="translate(11 {middle:.1f}) rotate(-90)" '
            'text-anchor="middle">density</text>',
        ]


def _nice(value: float) -> float:
    """Round a step up to 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(f * power for f in (1.0, 2.0, 5.0, 10.0) if f * power >= value - 1e-9)


def densities(before: Evidence | None, after: Evidence | None) -> Markup:
    """Draw the posterior densities of the success rate before and after, with 95 % intervals.

    The axis of rates shows the part where the posteriors lie. A density that is much higher than
    the other one is cut at the upper edge, which the text for readers of screens says.
    """
    curves = [(name, e) for name, e in (("before", before), ("after", after)) if e is not None]
    low, high = span([e for _, e in curves]) if curves else (0.0, 1.0)
    at = np.clip(np.linspace(low, high, _POINTS), 1e-4, 1.0 - 1e-4)
    values = {name: density(e.alpha, e.beta, at) for name, e in curves}
    inner = [float(v[2:-2].max()) for v in values.values()]
    top = max(1.25, min(max(inner), _STEEPEST * min(inner))) * 1.06 if inner else 1.25
    frame = _PlotArea(low, high, top)
    parts = [frame.axes()]
    for row, (name, evidence) in enumerate(curves):
        parts += _curve(frame, name, at, values[name])
        parts += _interval(frame, name, evidence, frame.floor + 9.0 + 9.0 * row)
    cut = [name for name, v in values.items() if float(v.max()) > top]
    summary = "; ".join(f"{name}: {_evidence_text(e)}" for name, e in curves)
    more = f" The density {' and '.join(cut)} is higher than the plot." if cut else ""
    return _svg(
        "density", _HEIGHT, f"Posterior densities of the success rate. {summary}.{more}", parts
    )


def _curve(
    frame: _PlotArea, name: str, at: NDArray[np.float64], heights: NDArray[np.float64]
) -> list[str]:
    points = (f"{frame.x(x):.1f} {frame.y(y):.1f}" for x, y in zip(at, heights, strict=True))
    line = "M " + " L ".join(points)
    floor = f"{frame.floor:.1f}"
    area = f"{line} L {frame.x(frame.high):.1f} {floor} L {frame.x(frame.low):.1f} {floor} Z"
    return [f'<path class="area {name}" d="{area}"/><path class="curve {name}" d="{line}"/>']


def _interval(frame: _PlotArea, name: str, evidence: Evidence, y: float) -> list[str]:
    low, high = evidence.interval
    return [
        f'<line class="interval {name}" x1="{frame.x(low):.1f}" x2="{frame.x(high):.1f}" '
        f'y1="{y:.1f}" y2="{y:.1f}"/>',
        f'<circle class="mean {name}" cx="{frame.x(evidence.mean):.1f}" cy="{y:.1f}" r="3.5"/>',
    ]


def _evidence_text(evidence: Evidence) -> str:
    low, high = evidence.interval
    return f"mean {evidence.mean:.2f}, 95 % between {low:.2f} and {high:.2f}"


def replay_bar(replay: Replay) -> Markup:
    """Draw the difference in success with its 95 % interval, from -1 to 1."""
    height, middle = 58.0, 16.0

    def x(value: float) -> float:
        share = (max(-1.0, min(1.0, value)) + 1.0) / 2.0
        return 14.0 + share * (_WIDTH - 28.0)

    estimate, (low, high) = replay.gain, replay.ci
    kind = "better" if low > 0 else "worse" if high < 0 else "even"
    parts = [
        f'<line class="axis" x1="{x(-1)}" x2="{x(1)}" y1="{middle}" y2="{middle}"/>',
        f'<line class="zero" x1="{x(0)}" x2="{x(0)}" y1="4" y2="{middle + 12}"/>',
    ]
    for tick in (-1.0, -0.5, 0.0, 0.5, 1.0):
        anchor = "start" if tick == -1 else "end" if tick == 1 else "middle"
        text = f"{tick:+g}".replace("-", "\u2212") if tick else "0"
        parts.append(
            f'<line class="axis" x1="{x(tick)}" x2="{x(tick)}" y1="{middle - 3}" '
            f'y2="{middle + 3}"/>'
            f'<text x="{x(tick)}" y="{middle + 21}" text-anchor="{anchor}">{text}</text>'
        )
    parts += [
        f'<line class="interval {kind}" x1="{x(low):.1f}" x2="{x(high):.1f}" '
        f'y1="{middle}" y2="{middle}"/>',
        f'<circle class="mean {kind}" cx="{x(estimate):.1f}" cy="{middle}" r="4.5"/>',
        f'<text class="name" x="{x(-1)}" y="{height - 4}">old better</text>',
        f'<text class="name" x="{x(1)}" y="{height - 4}" text-anchor="end">new better</text>',
    ]
    label = (
        f"Difference in success {estimate:+.2f}, 95 % between {low:+.2f} and "
        f"{high:+.2f}: {replay.verdict}."
    )
    return _svg("replay", height, label, parts)


def _svg(name: str, height: float, label: str, parts: Sequence[str]) -> Markup:
    """Join parts, which hold nothing but numbers and our own words."""
    inner = "".join(parts)
    return Markup(  # noqa: S704 (no text of a library is in it)
        f'<svg class="plot {name}" viewBox="0 0 {_WIDTH:.0f} {height:.0f}" role="img" '
        f'aria-label="{escape(label)}">{inner}</svg>'
    )
