"""The office of the ladder for agents: SQLite, files and a loopback service, planted by tasks."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ...office.tool_world import ToolWorld

__all__ = ["TABLES", "Office", "Planted", "State"]

TABLES = ("customers", "vendors", "orders", "accounts", "invoices", "stock", "registers")


@dataclass(frozen=True)
class Planted:
    """What a task puts into the office before it is asked.

    Attributes:
        rows: Table, key and record.
        files: Path → text.
        pages: Path of the service → what it answers when asked.
        replies: Path of the service → what it answers when told something.
    """

    rows: tuple[tuple[str, str, Mapping[str, Any]], ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    pages: Mapping[str, Any] = field(default_factory=dict)
    replies: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class State:
    """Everything that tasks may change.

    Attributes:
        tables: Table → key → record as JSON.
        journal: The consequential calls on the database, oldest first.
        files: Path → text.
        requests: What the service was told, oldest first.
    """

    tables: Mapping[str, Mapping[str, str]]
    journal: tuple[str, ...]
    files: Mapping[str, str]
    requests: tuple[str, ...]


class Office(ToolWorld):
    """A real database, real files and a loopback HTTP server; empty at first.

    Args:
        folder: Where the files and the database are made.
    """

    def __init__(self, folder: Path) -> None:
        self.requests: list[str] = []
        self._pages: dict[str, Any] = {}
        self._replies: dict[str, Any] = {}
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(folder)

    # ------------------------------------------------------------------------ the database
    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Use the database alone; what was changed is kept at the end, if nothing was raised."""
        with self._alone, self._connection:
            yield self._connection

    def record(self, table: str, key: str) -> dict[str, Any] | None:
        """Return a record, or None."""
        with self.connection() as connection:
            return _record(connection, table, key)

    def change(self, tool: str, args: Mapping[str, Any], *changes: _Change) -> int:
        """Note a consequential call in the journal and merge changes into records.

        Args:
            tool: The name of the tool.
            args: Its arguments.
            changes: Table, key and the fields that change; records that are not there stay away.

        Returns:
            The number of the call in the journal.
        """
        with self.connection() as connection:
            for table, key, fields in changes:
                record = _record(connection, table, key)
                if record is not None:
                    _put(connection, table, key, {**record, **fields})
            text = f"{tool} {json.dumps(dict(args), sort_keys=True)}"
            cursor = connection.execute("INSERT INTO journal (text) VALUES (?)", (text,))
            return cursor.lastrowid or 0

    def close(self) -> None:
        """Close the database, and stop the web server."""
        self._connection.close()
        super().close()

    # ------------------------------------------------------------------------ tasks
    def plant(self, planted: Planted) -> None:
        """Put in what a task finds."""
        with self.connection() as connection:
            for table, key, record in planted.rows:
                _put(connection, table, key, record)
        for name, text in planted.files.items():
            self._write(name, text)
        self._pages.update(planted.pages)
        self._replies.update(planted.replies)

    def snapshot(self) -> State:
        """Return everything that tasks may change."""
        with self.connection() as connection:
            tables = {
                table: dict(connection.execute(f"SELECT key, data FROM {table}").fetchall())  # noqa: S608
                for table in TABLES
            }
            rows = connection.execute("SELECT text FROM journal ORDER BY number").fetchall()
        files = {
            path.relative_to(self.files).as_posix(): path.read_text()
            for path in sorted(self.files.rglob("*"))
            if path.is_file()
        }
        return State(tables, tuple(row[0] for row in rows), files, tuple(self.requests))

    def restore(self, state: State) -> None:
        """Take over the state of another office."""
        with self.connection() as connection:
            for table in TABLES:
                connection.execute(f"DELETE FROM {table}")  # noqa: S608
                connection.executemany(
                    f"INSERT INTO {table} VALUES (?, ?)",  # noqa: S608
                    state.tables[table].items(),
                )
            connection.execute("DELETE FROM journal")
            connection.executemany(
                "INSERT INTO journal VALUES (?, ?)", enumerate(state.journal, start=1)
            )
        present = {p.relative_to(self.files).as_posix(): p for p in self.files.rglob("*.*")}
        for name, path in present.items():
            if name not in state.files and path.is_file():
                path.unlink()
        for name, text in state.files.items():
            if name not in present or present[name].read_text() != text:
                self._write(name, text)
        self.requests[:] = state.requests

    # ------------------------------------------------------------------------ ToolWorld's parts
    def _make(self) -> None:
        self.files.mkdir(parents=True, exist_ok=True)
        # Opened once: tools, which run in threads, call it more often than all else.
        self._alone = threading.Lock()
        self._connection = sqlite3.connect(self.database, check_same_thread=False)
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.execute("PRAGMA journal_mode = MEMORY")
        with self.connection() as connection:
            for table in TABLES:
                connection.execute(f"CREATE TABLE {table} (key TEXT PRIMARY KEY, data TEXT)")
            connection.execute("CREATE TABLE journal (number INTEGER PRIMARY KEY, text TEXT)")

    def _get(self, path: str, query: dict[str, str]) -> tuple[int, Any]:
        place = unquote(path)
        return 200, self._pages.get(place, {"error": f"nothing at {place}"})

    def _post(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        place = unquote(path)
        self.requests.append(f"{place} {json.dumps(body, sort_keys=True)}")
        return 200, self._replies.get(place, {"accepted": len(self.requests)})


_Change = tuple[str, str, Mapping[str, Any]]


def _record(connection: sqlite3.Connection, table: str, key: str) -> dict[str, Any] | None:
    query = f"SELECT data FROM {table} WHERE key = ?"  # noqa: S608
    row = connection.execute(query, (key,)).fetchone()
    return None if row is None else dict(json.loads(row[0]))


def _put(connection: sqlite3.Connection, table: str, key: str, record: Mapping[str, Any]) -> None:
    query = f"INSERT OR REPLACE INTO {table} VALUES (?, ?)"  # noqa: S608
    connection.execute(query, (key, json.dumps(record)))
