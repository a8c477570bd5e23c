"""An episode as LangChain tools, with results in JSON. Each call is a step of the episode."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any

from langchain_core.tools import BaseTool, tool

from .episode import Episode, Turn

__all__ = ["make_tools"]


def make_tools(episode: Episode) -> list[BaseTool]:
    """Return the tools ``list_tables``, ``describe_table``, ``query`` and ``submit``.

    Each answers a JSON object: ``tables``; ``columns``; ``columns`` and ``rows``, with the number
    of ``more_rows`` where the protocol cuts observations; ``submitted``; or ``error``. Once the
    episode is over, all of them answer an error.

    Args:
        episode: What they act in.
    """

    @tool
    def list_tables() -> str:
        """List the tables of the database."""
        return _told(episode, "SHOW TABLES", _tables)

    @tool
    def describe_table(table: str) -> str:
        """Tell the columns of a table: name, type, whether it may be null, and its key."""
        return _told(episode, f"DESC `{table.replace('`', '')}`", _columns)

    @tool
    def query(sql: str) -> str:
        """Ask the database a query in MySQL's dialect."""
        return _told(episode, sql, _rows)

    @tool
    def submit() -> str:
        """Submit the rows of the last query as the answer."""
        return _told(episode, "submit", lambda *_: {"submitted": True})

    return [list_tables, describe_table, query, submit]


def _told(episode: Episode, action: str, shape: Any) -> str:
    if episode.done:
        return json.dumps({"error": "The episode is over."})
    turn: Turn = episode.step(action)
    submitted = action == "submit"
    document = shape(turn, episode.cut) if submitted or not turn.answer.error else {}
    if turn.answer.error and not submitted:
        document = {"error": turn.answer.error}
    if turn.done:
        document["done"] = True
    return json.dumps(document, ensure_ascii=False)


def _tables(turn: Turn, cut: int | None) -> dict[str, Any]:
    return {"tables": [row[0] for row in turn.answer.rows or ()]}


def _columns(turn: Turn, cut: int | None) -> dict[str, Any]:
    keys = ("name", "type", "null", "key")
    rows = turn.answer.rows or ()
    return {"columns": [dict(zip(keys, row[:4], strict=True)) for row in rows]}


def _rows(turn: Turn, cut: int | None) -> dict[str, Any]:
    answer = turn.answer
    rows = [[_plain(value) for value in row] for row in answer.rows or ()]
    shown, length = 0, 0
    for row in rows:
        length += len(str(row))
        if cut is not None and length > cut:
            break
        shown += 1
    document: dict[str, Any] = {"columns": list(answer.columns), "rows": rows[:shown]}
    if shown < len(rows):
        document["more_rows"] = len(rows) - shown
    return document


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, (str, int, float, type(None))) else str(value)
