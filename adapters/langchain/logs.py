"""Episodes from what people have: chat logs, LangSmith exports, LangGraph checkpoints."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from langchain_core.messages import messages_from_dict
from langgraph.checkpoint.base import BaseCheckpointSaver

from ...procedures.errors import TrajectoryError
from ...procedures.tooling.episodes import ToolEpisode
from .messages import Success, episodes_from_messages, finished_well

__all__ = [
    "FORMATS",
    "Skip",
    "episodes_from_chat_log",
    "episodes_from_checkpoints",
    "episodes_from_langsmith",
    "format_of",
]

FORMATS = ("episodes", "messages", "langsmith")
"""What a file of recorded runs may hold."""
Skip: TypeAlias = Callable[[TrajectoryError], None]
"""Told of a conversation that cannot be read; the others are read all the same."""

_LARGEST = 512 * 1_048_576


def format_of(path: Path | str) -> str:
    """Return what a file seems to hold, one of :data:`FORMATS`, by its first document.

    Raises:
        TrajectoryError: The file cannot be read, or what it holds is none of these.
    """
    path = Path(path)
    for document in _documents(path):
        held = document.get("runs") if isinstance(document, Mapping) else document
        first = held[0] if isinstance(held, list) and held else document
        if isinstance(first, Mapping):
            if "run_type" in first:
                return "langsmith"
            if "acts" in first and "task" in first:
                return "episodes"
            if first.keys() & {"messages", "role", "type", "lc", "request"}:
                return "messages"
        break
    raise TrajectoryError(
        f"{path}: holds neither episodes (task, obs, acts, success), conversations (messages with "
        "role and content), nor runs exported from LangSmith (run_type)"
    )


def episodes_from_chat_log(
    path: Path | str, *, success: Success = finished_well, skip: Skip | None = None
) -> list[ToolEpisode]:
    """Read OpenAI-style chat logs: a JSON file, or one conversation a line.

    A conversation is a list of messages, an object that has one under ``messages``, or a stored
    completion: ``request`` with the messages and ``response`` with the last answer.

    Args:
        path: The file.
        success: Tells from the messages of one run whether it succeeded.
        skip: Told of each conversation that cannot be read; without it, the first is an error.

    Raises:
        TrajectoryError: The file cannot be read, or something in it is no conversation; the
            message names the place.
    """
    found: list[ToolEpisode] = []
    for number, document in enumerate(_documents(Path(path)), 1):
        where = f"{path}, conversation {number}"
        try:
            found += _conversation(document, where, f"{Path(path).name}:{number}", success)
        except TrajectoryError as error:
            if skip is None:
                raise
            skip(error)
    return found


def _conversation(document: Any, where: str, name: str, success: Success) -> list[ToolEpisode]:
    messages = document
    if isinstance(document, Mapping):
        messages = document.get("messages")
        request, response = document.get("request"), document.get("response")
        if messages is None and isinstance(request, Mapping) and isinstance(response, Mapping):
            asked = request.get("messages")
            messages = [*asked, *_choice(response)] if isinstance(asked, list) else None
        name = str(document.get("id") or name)
    if not isinstance(messages, list):
        raise TrajectoryError(f"{where}: has no list of messages")
    return episodes_from_messages(
        [_message(each, where) for each in _modern(messages)],
        success=success,
        thread=name,
        source=where,
    )


def _choice(response: Mapping[str, Any]) -> list[Any]:
    """Return the answer of a completion as OpenAI's API gives it."""
    choices = response.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, Mapping) else None
    return [message] if isinstance(message, Mapping) else []


def episodes_from_langsmith(
    path: Path | str, *, success: Success = finished_well, skip: Skip | None = None
) -> list[ToolEpisode]:
    """Read runs exported from LangSmith as JSON, a list or one run a line.

    Of each trace the root run's messages are used or, where it has none, those of its last chat
    model run with what it answered. Traces that failed are left out.

    Args:
        path: The file.
        success: Tells from the messages of one run whether it succeeded.
        skip: Told of each trace that cannot be read; without it, the first is an error.

    Raises:
        TrajectoryError: The file cannot be read or holds no runs.
    """
    traces: dict[str, list[Mapping[str, Any]]] = {}
    for document in _documents(Path(path)):
        runs = document.get("runs", [document]) if isinstance(document, Mapping) else document
        for run in runs:
            if not isinstance(run, Mapping) or "run_type" not in run:
                raise TrajectoryError(f"{path}: not an export of runs: one has no 'run_type'")
            traces.setdefault(str(run.get("trace_id") or run.get("id")), []).append(run)
    found: list[ToolEpisode] = []
    for trace, runs in traces.items():
        roots = [run for run in runs if not run.get("parent_run_id")]
        if any(run.get("error") for run in roots):
            continue
        where = f"{path}, trace {trace}"
        messages = next((m for m in map(_of_chain, roots) if m), None)
        if messages is None:
            chats = sorted(
                (run for run in runs if run.get("run_type") == "llm"),
                key=lambda run: str(run.get("start_time", "")),
            )
            messages = _of_chat(chats[-1]) if chats else None
        if messages:
            try:
                found += episodes_from_messages(
                    [_message(each, where) for each in messages],
                    success=success,
                    thread=trace,
                    source=where,
                )
            except TrajectoryError as error:
                if skip is None:
                    raise
                skip(error)
    return found


def episodes_from_checkpoints(
    saver: BaseCheckpointSaver[Any],
    *,
    success: Success = finished_well,
    channel: str = "messages",
) -> list[ToolEpisode]:
    """Read the conversations that a checkpointer keeps: the latest checkpoint of each thread.

    Args:
        saver: The checkpointer.
        success: Tells from the messages of one run whether it succeeded.
        channel: Where the messages are in the state.

    Raises:
        TrajectoryError: A channel holds something else than messages.
    """
    latest: dict[str, tuple[str, Any]] = {}
    for each in saver.list(None):
        configured = each.config["configurable"]
        if configured.get("checkpoint_ns"):
            continue  # of a subgraph
        thread, identifier = str(configured["thread_id"]), str(each.checkpoint["id"])
        if thread not in latest or latest[thread][0] < identifier:
            latest[thread] = (identifier, each.checkpoint["channel_values"].get(channel))
    found: list[ToolEpisode] = []
    for thread, (_, messages) in sorted(latest.items()):
        if messages:
            found += episodes_from_messages(
                messages, success=success, thread=thread, source=f"checkpoint of thread {thread}"
            )
    return found


def _documents(path: Path) -> Iterator[Any]:
    """Yield what a file of JSON or JSON Lines holds."""
    try:
        if path.stat().st_size > _LARGEST:
            raise TrajectoryError(f"{path}: is larger than {_LARGEST} bytes; split it")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise TrajectoryError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise TrajectoryError(f"{path}: is not UTF-8 text; is it a binary file?") from None
    try:
        whole = json.loads(text)
    except RecursionError:
        raise TrajectoryError(f"{path}: nests too deep") from None
    except ValueError:
        yield from _lines(path, text)
        return
    conversations = isinstance(whole, list) and not (
        whole and isinstance(whole[0], Mapping) and ("role" in whole[0] or "type" in whole[0])
    )
    yield from whole if conversations else [whole]


def _lines(path: Path, text: str) -> Iterable[Any]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield json.loads(line)
        except (ValueError, RecursionError) as error:
            raise TrajectoryError(f"{path}:{number}: is not JSON ({error})") from None


def _of_chain(run: Mapping[str, Any]) -> list[Any] | None:
    for side in ("outputs", "inputs"):
        held = run.get(side)
        if isinstance(held, Mapping) and isinstance(held.get("output"), Mapping):
            held = held["output"]
        if isinstance(held, Mapping) and isinstance(held.get("messages"), list):
            messages: list[Any] = held["messages"]
            if messages and not isinstance(messages[0], list):
                return messages
    return None


def _of_chat(run: Mapping[str, Any]) -> list[Any] | None:
    inputs, outputs = run.get("inputs") or {}, run.get("outputs") or {}
    messages = inputs.get("messages") or []
    if messages and isinstance(messages[0], list):
        messages = messages[0]
    answers: list[Any] = []
    generations = outputs.get("generations") or []
    while generations and isinstance(generations[0], list):
        generations = generations[0]
    if generations and isinstance(generations[0], Mapping) and "message" in generations[0]:
        answers = [generations[0]["message"]]
    answers = answers or _choice(outputs)
    return [*messages, *answers] or None


def _message(document: Any, where: str) -> Any:
    """Return one message; LangChain's own two ways of writing it are read here."""
    if not isinstance(document, Mapping):
        raise TrajectoryError(f"{where}: a message is {type(document).__name__}, not an object")
    try:
        if document.get("lc") == 1:
            # Read as data: a log must not choose which classes are made.
            kind = str(document["id"][-1]).removesuffix("Chunk").removesuffix("Message").lower()
            return messages_from_dict([{"type": kind, "data": dict(document["kwargs"])}])[0]
        if "type" in document and isinstance(document.get("data"), Mapping):
            return messages_from_dict([dict(document)])[0]
    except (ValueError, TypeError, KeyError, NotImplementedError) as error:
        raise TrajectoryError(f"{where}: a message cannot be read ({str(error)[:200]})") from error
    return dict(document)


def _modern(messages: Iterable[Any]) -> Iterator[Any]:
    """Yield messages with the one ``function_call`` of OpenAI's older API as a tool call."""
    number = 0
    for message in messages:
        call = message.get("function_call") if isinstance(message, Mapping) else None
        if isinstance(call, Mapping) and not message.get("tool_calls"):
            number += 1
            made = {"id": f"function-{number}", "type": "function", "function": dict(call)}
            kept = {key: message[key] for key in message if key != "function_call"}
            yield {**kept, "tool_calls": [made]}
        elif isinstance(message, Mapping) and message.get("role") == "function":
            yield {**message, "role": "tool", "tool_call_id": f"function-{number}"}
        else:
            yield message
