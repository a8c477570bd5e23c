"""Tables and plots as plain values: what studies write, and what a report shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from ...procedures.common.errors import DataError

__all__ = ["Figure", "Intervals", "Line", "Lines", "Row", "Section", "Table", "markdown", "tables"]


_MOST_POINTS = 12
"""Points of a series that Markdown tells; the JSON has them all."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        title: What it shows.
        columns: Headings.
        rows: Cells as they are shown; each row has as many as there are columns.
        grey: Rows, from 0, that are figures of others.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    grey: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A value with its interval.

    Attributes:
        name: Of what.
        value: The value.
        low: Lower end.
        high: Upper end.
        text: Value and interval as they are shown.
        published: A figure of others for the same, or None.
    """

    name: str
    value: float
    low: float
    high: float
    text: str
    published: float | None = None


@dataclass(frozen=True, slots=True)
class Intervals:
    """Values with intervals on one axis.

    Attributes:
        title: What it shows.
        rows: The values.
        low: Left end of the axis.
        high: Right end.
        published: Name → figure of others that belongs to no row.
    """

    title: str
    rows: tuple[Row, ...]
    low: float = 0.0
    high: float = 1.0
    published: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A series.

    Attributes:
        name: Of the series.
        points: (x, y), or (x, y, low, high).
        joined: Whether the points are joined by a line.
        grey: Whether it is for comparison only.
    """

    name: str
    points: tuple[tuple[float, ...], ...]
    joined: bool = True
    grey: bool = False


@dataclass(frozen=True, slots=True)
class Lines:
    """Series over one axis.

    Attributes:
        title: What it shows.
        x: Name of the horizontal axis.
        y: Name of the vertical axis.
        lines: The series.
    """

    title: str
    x: str
    y: str
    lines: tuple[Line, ...]


Figure: TypeAlias = Table | Intervals | Lines


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report.

    Attributes:
        title: Its heading.
        about: What was done, in words.
        figures: Its tables and plots.
    """

    title: str
    about: str
    figures: tuple[Figure, ...]

    def to_document(self) -> dict[str, Any]:
        """Return it as plain values."""
        figures = [{"kind": type(f).__name__.lower(), **asdict(f)} for f in self.figures]
        return {"title": self.title, "about": self.about, "figures": figures}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Section:
        """Read what :meth:`to_document` returned.

        Raises:
            DataError: It is something else.
        """
        try:
            figures = tuple(_figure(each) for each in document["figures"])
            return cls(str(document["title"]), str(document["about"]), figures)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise DataError(
                f"not a section of a report ({type(error).__name__}: {error})"
            ) from None


def _figure(document: Mapping[str, Any]) -> Figure:
    kind = document["kind"]
    given = {key: value for key, value in document.items() if key != "kind"}
    if kind == "table":
        rows = tuple(tuple(str(cell) for cell in row) for row in given["rows"])
        grey = tuple(int(row) for row in given["grey"])
        return Table(str(given["title"]), tuple(map(str, given["columns"])), rows, grey)
    if kind == "intervals":
        given["rows"] = tuple(Row(**row) for row in given["rows"])
        given["published"] = tuple((str(n), float(v)) for n, v in given["published"])
        return Intervals(**given)
    if kind == "lines":
        given["lines"] = tuple(
            Line(
                str(line["name"]),
                tuple(tuple(float(v) for v in point) for point in line["points"]),
                bool(line["joined"]),
                bool(line["grey"]),
            )
            for line in given["lines"]
        )
        return Lines(**given)
    raise ValueError(f"no figure {kind!r:.80}")


def markdown(section: Section) -> str:
    """Return a section's words and tables as Markdown; plots are told as tables of their values."""
    return f"## {section.title}\n\n{section.about}\n\n{tables(section)}"


def tables(section: Section) -> str:
    """Return the tables and plots of a section as Markdown."""
    lines = []
    for figure in section.figures:
        table = _as_table(figure)
        lines += [f"**{table.title}**", "", _row(table.columns), "|" + "---|" * len(table.columns)]
        lines += [*map(_row, table.rows), ""]
    return "\n".join(lines)


def _as_table(figure: Figure) -> Table:
    if isinstance(figure, Table):
        return figure
    if isinstance(figure, Intervals):
        rows = [(row.name, row.text, _published(row.published)) for row in figure.rows]
        rows += [(name, "", _published(value)) for name, value in figure.published]
        return Table(figure.title, ("", "value", "published"), tuple(rows))
    cells = tuple(
        (line.name, f"{point[0]:g}", f"{point[1]:.4g}")
        for line in figure.lines
        for point in _some(line.points)
    )
    return Table(figure.title, ("", figure.x, figure.y), cells)


def _some(points: Sequence[tuple[float, ...]]) -> Sequence[tuple[float, ...]]:
    """Return as many points as people read, the first and the last among them."""
    if len(points) <= _MOST_POINTS:
        return points
    last = len(points) - 1
    return [points[round(i * last / (_MOST_POINTS - 1))] for i in range(_MOST_POINTS)]


def _published(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
