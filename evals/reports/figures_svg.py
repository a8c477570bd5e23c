"""Plots as SVG that a page holds within itself; what is drawn is 360 units wide."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

from .figures import Intervals, Lines

__all__ = ["draw_intervals", "draw_lines", "series_class"]

_WIDTH = 360
"""Narrow enough to be read on a telephone, where it is shown at its own size."""
_ROW = 34
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 16, 10, 38
"""Margins of a plot; half of the last label stands in the right one."""
_HEIGHT = 230
_COLOURS = 6
"""Series that have a colour of their own, named in the page's style."""


def draw_intervals(plot: Intervals) -> str:
    """Return values as dots on bars of their intervals, figures of others as grey marks."""
    width, span = _WIDTH - 12, (plot.high - plot.low) or 1.0

    def at(value: float) -> float:
        return 6 + width * (min(max(value, plot.low), plot.high) - plot.low) / span

    marks: list[str] = []
    y = 4
    for row in plot.rows:
        marks += [
            f'<text x="6" y="{y + 11}">{escape(row.name)}</text>',
            f'<text x="{_WIDTH - 6}" y="{y + 11}" class="end soft">{escape(row.text)}</text>',
            f'<line class="axis" x1="6" x2="{_WIDTH - 6}" y1="{y + 21}" y2="{y + 21}"/>',
            f'<line class="interval" x1="{at(row.low):.1f}" x2="{at(row.high):.1f}" '
            f'y1="{y + 21}" y2="{y + 21}"/>',
            f'<circle class="dot" cx="{at(row.value):.1f}" cy="{y + 21}" r="4"/>',
        ]
        if row.published is not None:
            marks.append(_grey_mark(at(row.published), y + 21, f"published: {row.published:.3f}"))
        y += _ROW
    for name, value in plot.published:
        marks += [
            f'<text class="grey" x="6" y="{y + 11}">{escape(name)}</text>',
            f'<text x="{_WIDTH - 6}" y="{y + 11}" class="end grey">{100 * value:.1f} %</text>',
            f'<line class="axis" x1="6" x2="{_WIDTH - 6}" y1="{y + 21}" y2="{y + 21}"/>',
            _grey_mark(at(value), y + 21, name),
        ]
        y += _ROW
    return _svg(plot.title, y + 4, marks)


def _grey_mark(x: float, y: float, title: str) -> str:
    return f'<path class="published" d="M{x:.1f} {y - 6}v12"><title>{escape(title)}</title></path>'


def draw_lines(plot: Lines) -> str:
    """Return series over one axis, with bands for their intervals."""
    points = [point for line in plot.lines for point in line.points]
    if not points:
        return ""
    xs = _ticks(min(p[0] for p in points), max(p[0] for p in points))
    ys = _ticks(min(min(p[1:]) for p in points), max(max(p[1:]) for p in points))
    inner, deep = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x(value: float) -> float:
        return _LEFT + inner * (value - xs[0]) / ((xs[-1] - xs[0]) or 1)

    def y(value: float) -> float:
        return _TOP + deep * (1 - (value - ys[0]) / ((ys[-1] - ys[0]) or 1))

    marks = [
        f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(t):.1f}" y2="{y(t):.1f}"/>'
        f'<text x="{_LEFT - 5}" y="{y(t) + 4:.1f}" class="end soft">{t:g}</text>'
        for t in ys
    ]
    marks += [
        f'<text x="{x(t):.1f}" y="{_HEIGHT - _BOTTOM + 15}" class="middle soft">{t:g}</text>'
        for t in xs
    ]
    marks.append(
        f'<text x="{_LEFT + inner / 2}" y="{_HEIGHT - 5}" class="middle soft">'
        f"{escape(plot.x)}</text>"
    )
    for number, line in enumerate(plot.lines):
        colour = "grey" if line.grey else series_class(number)
        banded = [p for p in line.points if len(p) == 4]
        if len(banded) > 1:
            edge = [(x(p[0]), y(p[3])) for p in banded]
            edge += [(x(p[0]), y(p[2])) for p in reversed(banded)]
            marks.append(f'<polygon class="band {colour}" points="{_path(edge)}"/>')
        drawn = [(x(p[0]), y(p[1])) for p in line.points]
        if line.joined:
            marks.append(f'<polyline class="line {colour}" points="{_path(drawn)}"/>')
        else:
            marks += [
                f'<circle class="point {colour}" cx="{a:.1f}" cy="{b:.1f}" r="3.5"/>'
                for a, b in drawn
            ]
    return _svg(f"{plot.title}; vertical: {plot.y}", _HEIGHT, marks)


def series_class(number: int) -> str:
    """Return how a series is drawn: by its colour, and dashed where all colours are taken."""
    return f"c{number % _COLOURS}" + (" dashed" if number >= _COLOURS else "")


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in points)


def _ticks(low: float, high: float) -> list[float]:
    """Return round values, at least two, from below the lowest to above the highest."""
    if not low < high:
        low, high = low - 0.5, high + 0.5
    step = 10.0 ** math.floor(math.log10((high - low) / 2))
    step *= next(k for k in (1, 2, 5, 10) if (high - low) / (k * step) <= 5)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def _svg(title: str, height: float, marks: Iterable[str]) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height:g}" role="img" aria-label="{escape(title)}">'
        + "".join(marks)
        + "</svg>"
    )
