"""A report as one page that needs nothing else: no network, no script."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, Template, select_autoescape
from markupsafe import Markup

from .figures import Figure, Intervals, Lines, Section
from .figures_svg import draw_intervals, draw_lines, series_class

__all__ = ["render_report"]

_TEMPLATE = Path(__file__).parent / "report.html.jinja"


def render_report(title: str, sections: Sequence[Section], about: str = "") -> str:
    """Return the page.

    Args:
        title: Its heading.
        sections: At least one.
        about: Versions and the like, told at the end.
    """
    drawn = {"plot": _plot, "series": series_class}
    return _template().render(title=title, sections=sections, about=about, **drawn)


def _plot(figure: Figure) -> Markup | None:
    """Return a plot as SVG, whose texts are escaped; None for a table."""
    if isinstance(figure, Intervals):
        return Markup(draw_intervals(figure))  # noqa: S704
    if isinstance(figure, Lines):
        return Markup(draw_lines(figure))  # noqa: S704
    return None


@cache
def _template() -> Template:
    surroundings = Environment(
        autoescape=select_autoescape(default=True), trim_blocks=True, lstrip_blocks=True
    )
    return surroundings.from_string(_TEMPLATE.read_text(encoding="utf-8"))
