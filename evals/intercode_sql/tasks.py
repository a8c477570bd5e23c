"""The tasks: questions with the query that answers them, which no agent may see."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...procedures.common.errors import DataError, MissingDataError
from ..alfworld.games import data_root

__all__ = ["DUMP", "SqlTask", "data_folder", "read_tasks"]

DUMP = "ic_spider_dbs.sql"
_MAX_BYTES = 64 * 1_048_576


@dataclass(frozen=True, slots=True)
class SqlTask:
    """One task.

    Attributes:
        id: Number in its file.
        database: Name of the database, in lower case.
        query: The question, all that an agent may read.
        gold: The query that answers it.
        hardness: ``easy``, ``medium``, ``hard`` or ``extra``; may be empty.
    """

    id: int
    database: str
    query: str
    gold: str = field(repr=False)
    hardness: str = ""

    @property
    def gold_key(self) -> str:
        """The same for all paraphrases of one question: database and query, but for spelling."""
        return f"{self.database}: {' '.join(self.gold.lower().replace(';', ' ').split())}"


def data_folder(data: str | Path | None = None) -> Path:
    """Return the folder of the benchmark's files: ``intercode_sql`` below the data root."""
    return data_root(data) / "intercode_sql"


def read_tasks(file: Path) -> list[SqlTask]:
    """Read tasks in the format of InterCode's ``ic_spider_dev.json``, in order.

    Raises:
        MissingDataError: There is no such file.
        DataError: It is not such a file; the message says which task is at fault.
    """
    try:
        if file.stat().st_size > _MAX_BYTES:
            raise DataError(f"{file}: larger than {_MAX_BYTES:,} bytes; split it")
        records = json.loads(file.read_bytes())
    except FileNotFoundError:
        raise MissingDataError(
            f"{file}: not there; put InterCode's tasks and dump into this folder, set MACLA_DATA "
            "to the folder above it, or name another file"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(f"{file}: not readable as JSON ({str(error)[:100]})") from None
    if not isinstance(records, list) or not records:
        raise DataError(f"{file}: not a JSON list of tasks with query, gold and db")
    tasks = [_task(record, place, file) for place, record in enumerate(records)]
    if len({task.id for task in tasks}) < len(tasks):
        raise DataError(f"{file}: two tasks have the same task_id; number them anew")
    return tasks


def _task(record: Any, place: int, file: Path) -> SqlTask:
    if not isinstance(record, dict):
        raise DataError(f"{file}: task {place} is not a JSON object with query, gold and db")
    for key in ("db", "query", "gold"):
        if not isinstance(record.get(key), str) or not record[key].strip():
            raise DataError(f"{file}: task {place} has no text {key!r}; add it or leave it out")
    number = record.get("task_id", place)
    if not isinstance(number, int) or isinstance(number, bool):
        raise DataError(f"{file}: task {place} has a task_id that is no number: {number!r:.80}")
    hardness = record.get("hardness", "")
    return SqlTask(
        number,
        record["db"].strip().lower(),
        record["query"].strip(),
        record["gold"],
        hardness if isinstance(hardness, str) else "",
    )
