"""The judge: what differs between an office and its twin after the same task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .exchanges import Exchange
from .office import State

__all__ = ["differences"]

_WIDTH = 160


def differences(
    state: State,
    twin: State,
    exchanges: Sequence[Exchange],
    twin_exchanges: Sequence[Exchange],
) -> tuple[str, ...]:
    """Return in short texts what differs from the twin without memory; nothing: the task is right.

    Both offices were alike before the task, so that what differs is its doing. What was only read
    does not count.
    """
    return tuple(
        text if len(text) <= _WIDTH else f"{text[:_WIDTH]}…"
        for text in (
            *_entries("record", _records(state), _records(twin)),
            *_entries("file", state.files, twin.files),
            *_log("call", state.journal, twin.journal),
            *_log("request", state.requests, twin.requests),
            *_answers(exchanges, twin_exchanges),
        )
    )


def _records(state: State) -> dict[str, str]:
    return {
        f"{table} {key}": record
        for table, records in state.tables.items()
        for key, record in records.items()
    }


def _entries(what: str, entries: Mapping[str, str], twin: Mapping[str, str]) -> Iterator[str]:
    for name in sorted({*entries, *twin}):
        if entries.get(name) != twin.get(name):
            yield f"{what} {name}: {entries.get(name)!r}, not {twin.get(name)!r}"


def _log(what: str, log: Sequence[str], twin: Sequence[str]) -> Iterator[str]:
    same = 0
    while same < min(len(log), len(twin)) and log[same] == twin[same]:
        same += 1
    if log[same:] or twin[same:]:
        yield f"{what}: {'; '.join(log[same:])!r}, not {'; '.join(twin[same:])!r}"


def _answers(exchanges: Sequence[Exchange], twin: Sequence[Exchange]) -> Iterator[str]:
    for mine, other in zip(exchanges, twin, strict=True):
        if mine.answer != other.answer:
            yield f"answer: {mine.answer!r}, not {other.answer!r}"
