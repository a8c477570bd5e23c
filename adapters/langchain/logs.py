"""Episodes from what people have: chat logs, LangSmith exports, LangGraph checkpoints."""

from __future__ import annotations

import codecs
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from ...procedures.common.errors import MaclaError, Skip, TrajectoryError
from ...procedures.tooling.tool_episodes import ToolEpisode
from .log_forms import message_of, modern, of_chain, of_chat, of_tools, stored
from .messages import Success, episodes_from_messages, finished_well

_LOG = logging.getLogger(__name__)
_MOST_WARNINGS = 20
"""Conversations that could not be read and are named in warnings."""
_MOST_BYTES = 512 * 1_048_576
"""Bytes of the largest log, which is read as a whole."""
_FORM_ERRORS = (
    TypeError,
    AttributeError,
    LookupError,
    ValueError,
    RecursionError,
    NotImplementedError,
)
"""Errors that reading raises where a document has an unexpected form."""
_OF_EPISODES = {"task", "obs", "acts", "success"}


def format_of(path: Path | str) -> str:
    """Return what a file seems to hold: ``episodes``, ``messages`` or ``langsmith``.

    Its first document of any tells it.

    Raises:
        TrajectoryError: The file cannot be read, or what it holds is none of these.
    """
    path = Path(path)
    bad: TrajectoryError | None = None
    is_json = False
    for document in _documents(path):
        if isinstance(document, TrajectoryError):
            bad = bad or document
            continue
        is_json = True
        runs = document.get("runs") if isinstance(document, Mapping) else document
        first = runs[0] if isinstance(runs, list) and runs else document
        if isinstance(first, Mapping):
            if "run_type" in first:
                return "langsmith"
            if len(first.keys() & _OF_EPISODES) > 1:  # one that lacks a key is still meant as one
                return "episodes"
            if first.keys() & {"messages", "role", "type", "lc", "request"}:
                return "messages"
    if bad is not None and not is_json:
        raise bad
    raise TrajectoryError(
        f"{path}: holds neither episodes (task, obs, acts, success), conversations (messages with "
        "role and content), nor runs exported from LangSmith (run_type)"
    )


def episodes_from(path: Path | str, form: str, skip: Skip | None = None) -> list[ToolEpisode]:
    """Read runs of a form that :func:`format_of` tells, ``messages`` or ``langsmith``.

    Raises:
        TrajectoryError: The file cannot be read, or holds no runs or none that can be read.
    """
    read = episodes_from_langsmith if form == "langsmith" else episodes_from_chat_log
    return read(path, skip=skip)


def episodes_from_chat_log(
    path: Path | str, *, success: Success = finished_well, skip: Skip | None = None
) -> list[ToolEpisode]:
    """Read OpenAI-style chat logs: a JSON file, or one conversation a line.

    A conversation is a list of messages (or of the Responses API's items), an object that has one
    under ``messages``, or a stored completion: ``request`` with the messages or the input, and
    ``response`` with the last answer.

    Args:
        path: The file.
        success: Tells from the messages of one run whether it succeeded.
        skip: Told of each conversation that cannot be read; without it, it is logged as a warning
            that names it.

    Raises:
        TrajectoryError: The file cannot be read, or nothing in it is a conversation; the message
            names the place.
    """
    reading = _Reading(success, skip)
    for number, document in enumerate(_documents(Path(path)), 1):
        name = f"{Path(path).name}:{number}"
        if isinstance(document, Mapping):
            name = str(document.get("id") or name)
        reading.read(partial(_of_conversation, document), name, f"{path}, conversation {number}")
    return reading.done()


def _of_conversation(document: Any, where: str) -> Sequence[Any]:
    if isinstance(document, TrajectoryError):
        raise document
    messages = stored(document) if isinstance(document, Mapping) else document
    if not isinstance(messages, list):
        raise TrajectoryError(f"{where}: has no list of messages")
    return [message_of(each, where) for each in modern(messages)]


class _Reading:
    """Reads conversations one by one, so that one that is bad does not lose the others."""

    def __init__(self, success: Success, skip: Skip | None) -> None:
        self._success = success
        self._skip = skip
        self._skipped: list[MaclaError] = []
        self._read = 0
        self.found: list[ToolEpisode] = []

    def read(self, messages: Callable[[str], Sequence[Any]], name: str, where: str) -> None:
        """Add the episodes of a conversation; ``messages`` is told where it stands."""
        try:
            self.found += episodes_from_messages(
                messages(where),
                success=self._success,
                thread=name,
                source=where,
                skip=self.skipped,
            )
            self._read += 1
        except TrajectoryError as error:
            self.skipped(error)
        except _FORM_ERRORS as error:
            details = f"{type(error).__name__}: {str(error)[:200]}"
            self.skipped(TrajectoryError(f"{where}: has another form ({details})"))

    def skipped(self, error: MaclaError) -> None:
        self._skipped.append(error)
        if self._skip is not None:
            self._skip(error)

    def done(self) -> list[ToolEpisode]:
        """Return what was found; without ``skip``, warn of what was not read.

        Raises:
            TrajectoryError: Nothing could be read at all.
        """
        if self._skip is None and self._skipped:
            if not self._read:
                raise self._skipped[0]
            for error in self._skipped[:_MOST_WARNINGS]:
                _LOG.warning("skipped: %s", error)
            count, all_ = len(self._skipped), len(self._skipped) + self._read
            _LOG.warning("%d of %d conversations could not be read", count, all_)
        return self.found


def episodes_from_langsmith(
    path: Path | str, *, success: Success = finished_well, skip: Skip | None = None
) -> list[ToolEpisode]:
    """Read runs exported from LangSmith as JSON, a list or one run a line.

    Of each trace the root run's messages are used or, where it has none, those of its last chat
    model run with what it answered, or else its tools' runs. Traces that failed are left out.

    Args:
        path: The file.
        success: Tells from the messages of one run whether it succeeded.
        skip: Told of each trace that cannot be read; without it, it is logged as a warning that
            names it.

    Raises:
        TrajectoryError: The file cannot be read, or holds no runs or none that can be read.
    """
    traces: dict[str, list[Mapping[str, Any]]] = {}
    reading = _Reading(success, skip)
    for number, document in enumerate(_documents(Path(path)), 1):
        if isinstance(document, TrajectoryError):
            reading.skipped(document)
            continue
        runs = document.get("runs", [document]) if isinstance(document, Mapping) else document
        for run in runs:
            if not isinstance(run, Mapping) or "run_type" not in run:
                reading.skipped(TrajectoryError(f"{path}, line {number}: has no 'run_type'"))
                continue
            traces.setdefault(str(run.get("trace_id") or run.get("id")), []).append(run)
    for trace, runs in traces.items():
        if not any(run.get("error") for run in runs if not run.get("parent_run_id")):
            reading.read(partial(_of_trace, runs), trace, f"{path}, trace {trace}")
    return reading.done()


def _of_trace(runs: Sequence[Mapping[str, Any]], where: str) -> Sequence[Any]:
    roots = [run for run in runs if not run.get("parent_run_id")]
    chats = sorted(
        (run for run in runs if run.get("run_type") == "llm"),
        key=lambda run: str(run.get("start_time", "")),
    )
    messages = next((m for m in map(of_chain, roots) if m), None)
    messages = messages or (of_chat(chats[-1]) if chats else None) or of_tools(runs)
    if not messages:
        raise TrajectoryError(
            f"{where}: has neither messages nor runs of tools; export the inputs and outputs of "
            "its runs too"
        )
    return [message_of(each, where) for each in modern(messages)]


def episodes_from_checkpoints(
    saver: BaseCheckpointSaver[Any],
    *,
    success: Success = finished_well,
    channel: str = "messages",
    skip: Skip | None = None,
) -> list[ToolEpisode]:
    """Read the conversations that a checkpointer keeps: the latest checkpoint of each thread.

    Args:
        saver: The checkpointer.
        success: Tells from the messages of one run whether it succeeded.
        channel: Where the messages are in the state.
        skip: Told of each thread that cannot be read; without it, it is logged as a warning.

    Raises:
        TrajectoryError: There is no such channel, or it holds something else than messages.
    """
    latest: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for checkpoint in saver.list(None):
        config = checkpoint.config["configurable"]
        if config.get("checkpoint_ns"):
            continue  # of a subgraph
        thread, identifier = str(config["thread_id"]), str(checkpoint.checkpoint["id"])
        if thread not in latest or latest[thread][0] < identifier:
            latest[thread] = (identifier, checkpoint.checkpoint["channel_values"])
    if latest and not any(channel in value_by_channel for _, value_by_channel in latest.values()):
        names = sorted(
            {
                name
                for _, value_by_channel in latest.values()
                for name in value_by_channel
                if "__" not in name
            }
        )
        raise TrajectoryError(
            f"no checkpoint has a channel {channel!r}; channels are: {', '.join(names[:20])}"
        )
    reading = _Reading(success, skip)
    for thread, (_, value_by_channel) in sorted(latest.items()):
        if messages := value_by_channel.get(channel):
            reading.read(partial(_as_kept, messages), thread, f"checkpoint of thread {thread}")
    return reading.done()


def _as_kept(messages: Sequence[Any], where: str) -> Sequence[Any]:
    return messages


def _documents(path: Path) -> Iterator[Any]:
    """Yield what a file of JSON or JSON Lines holds, and an error for each line that is no JSON."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise TrajectoryError(f"{path}: is larger than {_MOST_BYTES} bytes; split it")
        data = path.read_bytes()
    except OSError as error:
        raise TrajectoryError(f"{path}: cannot be read: {error.strerror}") from error
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        yield from _lines(path, data.removeprefix(codecs.BOM_UTF8))
        return
    conversations = isinstance(content, list) and not (
        content
        and isinstance(content[0], Mapping)
        and ("role" in content[0] or "type" in content[0])
    )
    yield from content if conversations else [content]


def _lines(path: Path, data: bytes) -> Iterable[Any]:
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield json.loads(line.decode())
        except UnicodeDecodeError:
            yield TrajectoryError(f"{path}:{number}: is not UTF-8 text; is it a binary file?")
        except RecursionError:
            yield TrajectoryError(f"{path}:{number}: nests too deep")
        except ValueError as error:
            yield TrajectoryError(f"{path}:{number}: is not JSON ({error})")
