"""Episodes of tool calls from LangChain messages."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    convert_to_messages,
)

from ...procedures.common.errors import Skip, TrajectoryError
from ...procedures.programs.fingerprints import Fingerprint
from ...procedures.tooling.tool_episodes import ToolCall, ToolEpisode, require_plain
from ...procedures.tooling.values import LONGEST_RESULT, leaves, text_of, tokenise
from .instructed import owed_to, under

Success: TypeAlias = Callable[[Sequence[BaseMessage]], bool | None]
"""Tells from the messages of one run, the task first, whether it succeeded; None: do not learn."""

_LONG_TEXT_WORDS = 4
"""Words from which on a value is a text, of which only names and figures count."""
_LONGEST_RESULT = 2 * LONGEST_RESULT
"""Characters at which results are cut: longer ones are not looked into in any case."""
_END = re.compile(r"[\s\"',;&<>]")
_LONGEST_WORD = 4_096
"""Characters of the longest word that a cut avoids."""
_FAILURE_STARTS = ("error:", "error ", "traceback (most recent call last)")


def message_text(message: BaseMessage) -> str:
    """Return a message's text; parts that are no text are left out."""
    content = message.content
    if isinstance(content, str):
        return content
    parts: list[str] = []
    for block in content:
        if isinstance(block, str):
            parts.append(block)
        elif block.get("type") in ("text", "text-plain") and isinstance(block.get("text"), str):
            parts.append(block["text"])
        elif block.get("type") == "json":
            parts.append(json.dumps(block.get("json"), ensure_ascii=False, default=str))
    return "\n".join(parts)


def shortened(text: str) -> str:
    """Return a result, cut between two words if it is too long: half a secret is not seen."""
    if len(text) <= _LONGEST_RESULT:
        return text
    end = _LONGEST_RESULT
    while end > _LONGEST_RESULT - _LONGEST_WORD and not _END.match(text, end - 1):
        end -= 1
    return text[:end]


def heard_in(run: Sequence[BaseMessage]) -> list[Any]:
    """Return what was said in a run: its texts, and the arguments of its calls."""
    heard: list[Any] = []
    for message in run:
        heard.append(shortened(message_text(message)))
        if isinstance(message, AIMessage):
            heard += [call["args"] for call in message.tool_calls]
    return heard


def latest_run(messages: Sequence[AnyMessage | BaseMessage]) -> Sequence[BaseMessage]:
    """Return the messages since the last one of the user, that one first; empty without one."""
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if isinstance(message, HumanMessage) and not _is_summary(message):
            return messages[index:]
    return []


def _is_summary(message: BaseMessage) -> bool:
    """Whether SummarizationMiddleware wrote it, and not the user."""
    return message.additional_kwargs.get("lc_source") == "summarization"


def run_name(run: Sequence[BaseMessage], thread: str = "") -> str:
    """Name a run by its first message, so that it counts once however often it is looked at."""
    first = run[0]
    text = json.dumps([thread, first.id or "", message_text(first)[:1000]])
    return "run-" + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24]


def _failed(message: ToolMessage) -> bool:
    if message.status == "error":
        return True
    return message_text(message)[:40].lower().startswith(_FAILURE_STARTS)


def finished_well(run: Sequence[BaseMessage]) -> bool:
    """Default success signal: the run ended with an answer, and no tool's last call failed.

    An error that a later call of the same tool mended does no harm. The answer is a text, or
    the result of a tool that ends the run (structured output, ``return_direct``).
    """
    last_call: dict[str, bool] = {}
    names = {
        str(call["id"]): call["name"]
        for message in run
        if isinstance(message, AIMessage)
        for call in message.tool_calls
    }
    answered: set[str] = set()
    for message in run:
        if isinstance(message, ToolMessage):
            name = names.get(message.tool_call_id, message.name or "")
            answered.add(message.tool_call_id)
            last_call[name] = not _failed(message)
    if not all(last_call.values()) or answered != names.keys():
        return False
    last = run[-1] if run else None
    if isinstance(last, AIMessage):
        return not last.tool_calls and bool(message_text(last).strip())
    return isinstance(last, ToolMessage)


def episode_of(
    run: Sequence[BaseMessage],
    *,
    success: Success = finished_well,
    name: str = "",
    source: str = "messages",
    unexpected: Iterable[str] = (),
    instructions: str | None = None,
    tools: Mapping[str, str] | None = None,
    before: Sequence[BaseMessage] = (),
) -> ToolEpisode | None:
    """Return the episode of one run: the user's message first, then what the agent did.

    Args:
        run: The messages.
        success: Tells whether it succeeded.
        name: Its id; by default made of the first message.
        source: Where it comes from.
        unexpected: Ids of calls that did not answer as they should; such a call is left out if
            the same tool was called again afterwards.
        instructions: What the agent was told beforehand, its system prompt; None if not known.
        tools: Tool → mark of what a model is told of it, where that is known.
        before: The conversation before the run.

    Returns:
        The episode, or None where no tool was called, the task has no text, or the success
        signal says None.
    """
    if not run or not isinstance(run[0], HumanMessage):
        return None
    task = message_text(run[0]).strip()
    verdict = success(run)
    if not task or verdict is None:
        return None
    results = {m.tool_call_id: m for m in run if isinstance(m, ToolMessage)}
    issued = [c for m in run if isinstance(m, AIMessage) for c in m.tool_calls]
    superseded = {
        call["id"]
        for number, call in enumerate(issued)
        if call["id"] in set(unexpected)
        and any(later["name"] == call["name"] for later in issued[number + 1 :])
    }
    calls: list[ToolCall] = []
    turn = 0
    answer: str | None = None
    for message in run[1:]:
        if not isinstance(message, AIMessage):
            continue
        for call in message.tool_calls:
            result = results.get(str(call["id"]))
            calls.append(
                ToolCall(
                    call["name"],
                    _plain(call["args"]),
                    "" if result is None else shortened(message_text(result)),
                    result is not None and not _failed(result) and call["id"] not in superseded,
                    turn,
                )
            )
        turn += bool(message.tool_calls)
        if not message.tool_calls:
            answer = message_text(message).strip() or None
    if not calls:
        return None
    if isinstance(run[-1], ToolMessage):
        answer = None
    return ToolEpisode(
        task,
        tuple(calls),
        answer,
        verdict,
        name or run_name(run),
        source,
        remarks_in(before),
        _fingerprint(instructions, task, calls, tools or {}),
    )


def _fingerprint(
    instructions: str | None, task: str, calls: Sequence[ToolCall], tools: Mapping[str, str]
) -> Fingerprint:
    mark_by_tool = {call.tool: tools[call.tool] for call in calls if call.tool in tools}
    if instructions is None:
        return Fingerprint(tools=mark_by_tool)
    return under(instructions, mark_by_tool, exact=owed_to(instructions, task, calls))


def remarks_in(before: Sequence[BaseMessage]) -> tuple[str, ...]:
    """Return what the user said in a conversation that was no task: no tool was called for it."""
    return tuple(text for text, has_calls in _remarks_with_calls(before) if not has_calls)


def tasks_in(before: Sequence[BaseMessage]) -> tuple[str, ...]:
    """Return what the user said in a conversation for which tools were called."""
    return tuple(text for text, has_calls in _remarks_with_calls(before) if has_calls)


def _remarks_with_calls(before: Sequence[BaseMessage]) -> Iterator[tuple[str, bool]]:
    remarks: list[tuple[str, bool]] = []
    for message in before:
        if isinstance(message, HumanMessage):
            remarks.append((message_text(message).strip(), False))
        elif isinstance(message, AIMessage) and message.tool_calls and remarks:
            remarks[-1] = (remarks[-1][0], True)
    yield from ((text, has_calls) for text, has_calls in remarks if text)


def _is_name(word: str) -> bool:
    return any(c.isdigit() for c in word) or (word[0].isupper() and not word.isupper())


def leans_on(before: Sequence[BaseMessage], episode: ToolEpisode) -> bool:
    """Whether a call has a value that only an earlier part of the conversation says.

    "Yes, do it" means something else in every conversation: from such a run nothing is learned.
    """
    earlier = {
        token.text
        for message in before
        if not isinstance(message, SystemMessage)  # what it says is in the episode's context
        for token in tokenise(message_text(message))
    }
    if not earlier:
        return False
    words_so_far = {token.text for token in tokenise(episode.task)}
    for call in episode.calls:
        for _, value in leaves(call.arguments):
            words = [token.text for token in tokenise(text_of(value))]
            # Of a long text, a query for instance, only names and figures are meant.
            telling_words = (
                set(words)
                if len(words) < _LONG_TEXT_WORDS
                else {each for each in words if _is_name(each)}
            )
            if telling_words & earlier and not (telling_words & earlier) <= words_so_far:
                return True
        words_so_far |= {token.text for token in tokenise(call.result[:LONGEST_RESULT])}
    return False


def _plain(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as JSON has them."""
    try:
        plain: dict[str, Any] = json.loads(json.dumps(args, default=str))
    except (ValueError, RecursionError) as error:
        raise TrajectoryError(f"arguments of a call are no plain data: {error}") from None
    return plain


def episodes_from_messages(
    messages: Iterable[Any],
    *,
    success: Success = finished_well,
    thread: str = "",
    source: str = "messages",
    skip: Skip | None = None,
) -> list[ToolEpisode]:
    """Return the episodes of a conversation, one for each message of the user.

    Args:
        messages: LangChain messages, or what LangChain turns into them (dictionaries with
            ``role`` and ``content``, pairs).
        success: Tells from the messages of one run whether it succeeded.
        thread: Name of the conversation, part of the ids.
        source: Where they come from.
        skip: Told of each run that cannot be kept; without it, the first ends the reading.

    Raises:
        TrajectoryError: There is a message that is none, such as one of an unknown role.
    """
    raw_messages = list(messages)
    try:
        conversation = convert_to_messages(raw_messages)
    except RecursionError:
        raise TrajectoryError(f"{source}: the arguments of a tool call nest too deep") from None
    except (ValueError, TypeError, KeyError, NotImplementedError, AttributeError) as error:
        reason = str(error).partition("\n")[0][:300]  # LangChain's advice stands below it
        raise TrajectoryError(
            f"{source}: not a list of messages ({reason}); each needs a role of user, "
            "assistant, tool or system, and content"
        ) from error
    starts = [i for i, message in enumerate(conversation) if isinstance(message, HumanMessage)]
    episodes: list[ToolEpisode] = []
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(conversation)
        run = conversation[start:end]
        name = run_name(run, f"{thread}#{number}")
        system = "\n".join(
            message_text(m) for m in conversation[:start] if isinstance(m, SystemMessage)
        )
        try:
            episode = episode_of(
                run,
                success=success,
                name=name,
                source=source,
                instructions=system or None,
                before=conversation[:start],
            )
            if not message_text(run[0]).strip() and any(isinstance(m, ToolMessage) for m in run):
                raise TrajectoryError("the task of these calls has no text")
            for call in episode.calls if episode else ():
                require_plain(call)
        except (TrajectoryError, ValueError, RecursionError) as error:
            fault = TrajectoryError(f"{source}, message {start + 1}: {error}")
            if skip is None:
                raise fault from error
            skip(fault)
            continue
        if episode is not None and not leans_on(conversation[:start], episode):
            episodes.append(episode)
    return episodes
