"""The ways in which logs write messages: OpenAI's three, LangChain's two, LangSmith's runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import messages_from_dict

from ...procedures.common.errors import TrajectoryError
from ...procedures.tooling.values import parse_result


def stored(document: Mapping[str, Any]) -> list[Any] | None:
    """Return the messages of an object: its ``messages``, or those of a request with its answer."""
    if "messages" in document:
        messages = document["messages"]
        return messages if isinstance(messages, list) else None
    request, response = document.get("request"), document.get("response")
    if not isinstance(request, Mapping) or not isinstance(response, Mapping):
        request = response = document
    question = request.get("messages", request.get("input"))
    if isinstance(question, str):
        question = [{"role": "user", "content": question}]
    if not isinstance(question, list):
        return None
    output = response.get("output")
    instructions = request.get("instructions")
    before = [{"role": "system", "content": instructions}] if isinstance(instructions, str) else []
    return [*before, *question, *(output if isinstance(output, list) else choice(response))]


def choice(response: Mapping[str, Any]) -> list[Any]:
    """Return the answer of a completion as OpenAI's API gives it."""
    choices = response.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, Mapping) else None
    return [message] if isinstance(message, Mapping) else []


def of_chain(run: Mapping[str, Any]) -> list[Any] | None:
    """Return the messages that a chain's run has in its output or input."""
    if run.get("run_type") == "llm":
        return None
    for side in ("outputs", "inputs"):
        data = run.get(side)
        if isinstance(data, Mapping) and isinstance(data.get("output"), Mapping):
            data = data["output"]
        if isinstance(data, Mapping) and isinstance(data.get("messages"), list):
            messages: list[Any] = data["messages"]
            if messages and not isinstance(messages[0], list):
                return messages
    return None


def of_chat(run: Mapping[str, Any]) -> list[Any] | None:
    """Return the messages of a chat model's run with what it answered."""
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
    answers = answers or choice(outputs)
    return [*messages, *answers] or None


def message_of(document: Any, where: str) -> Any:
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


def modern(messages: Iterable[Any]) -> Iterator[Any]:
    """Yield messages of OpenAI's older API, and items of its newer one, as chat messages.

    The older has one ``function_call`` in a message; the newer (Responses) has calls and their
    outputs as items of their own, and reasoning, which is left out.
    """
    number = 0
    for message in messages:
        if not isinstance(message, Mapping):
            yield message
            continue
        kind, call = message.get("type"), message.get("function_call")
        if kind == "function_call":
            yield {"role": "assistant", "content": "", "tool_calls": [_call(message)]}
        elif kind == "function_call_output":
            output = message.get("output")
            text = output if isinstance(output, str) else json.dumps(output, default=str)
            yield {"role": "tool", "tool_call_id": str(message.get("call_id")), "content": text}
        elif kind == "message" and "role" in message:
            yield {"role": message["role"], "content": _parts(message.get("content"))}
        elif kind in ("reasoning", "item_reference"):
            continue
        elif isinstance(call, Mapping) and not message.get("tool_calls"):
            number += 1
            tool_call = {"id": f"function-{number}", "type": "function", "function": dict(call)}
            rest = {key: message[key] for key in message if key != "function_call"}
            yield {**rest, "tool_calls": [tool_call]}
        elif message.get("role") == "function":
            yield {**message, "role": "tool", "tool_call_id": f"function-{number}"}
        elif "content" in message and "role" in message:
            yield {**message, "content": _parts(message["content"])}
        else:
            yield message


def _call(item: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": item.get("name"), "arguments": item.get("arguments") or "{}"}
    return {"id": str(item.get("call_id")), "type": "function", "function": function}


def _parts(content: Any) -> Any:
    """Return content with the Responses API's kinds of text as plain ones."""
    if not isinstance(content, list):
        return content
    return [
        {"type": "text", "text": each.get("text", "")}
        if isinstance(each, Mapping) and each.get("type") in ("input_text", "output_text")
        else each
        for each in content
    ]


def of_tools(runs: Sequence[Mapping[str, Any]]) -> list[Any] | None:
    """Return messages made of a trace's root, with plain input and output, and its tools' runs."""
    roots = [run for run in runs if not run.get("parent_run_id")]
    tools = [run for run in runs if run.get("run_type") == "tool" and run.get("parent_run_id")]
    task = _plain_text(roots[0].get("inputs")) if roots else ""
    if not task or not tools:
        return None
    messages: list[Any] = [{"role": "user", "content": task}]
    for number, run in enumerate(sorted(tools, key=lambda run: str(run.get("start_time", "")))):
        arguments: Any = run.get("inputs")
        if isinstance(arguments, Mapping) and arguments.keys() == {"input"}:
            arguments = arguments["input"]
            arguments = parse_result(arguments) if isinstance(arguments, str) else arguments
            arguments = arguments if isinstance(arguments, Mapping) else {"input": arguments}
        function = {
            "name": str(run.get("name")),
            "arguments": json.dumps(arguments or {}, default=str),
        }
        tool_call = {"id": f"run-{number}", "type": "function", "function": function}
        output = str(run.get("error") or "") or _plain_text(run.get("outputs"))
        result = f"Error: {output}" if run.get("error") else output
        messages.append({"role": "assistant", "content": "", "tool_calls": [tool_call]})
        messages.append({"role": "tool", "tool_call_id": f"run-{number}", "content": result})
    return [*messages, {"role": "assistant", "content": _plain_text(roots[0].get("outputs"))}]


def _plain_text(value: Any) -> str:
    """Return the only text of a run's input or output; data as JSON."""
    while isinstance(value, Mapping) and len(value) == 1:
        value = next(iter(value.values()))
    if isinstance(value, Mapping):
        value = next((value[key] for key in ("input", "output", "question") if key in value), value)
    if isinstance(value, Mapping) and isinstance(value.get("content"), str):
        value = value["content"]
    return (
        value if isinstance(value, str) else "" if value is None else json.dumps(value, default=str)
    )
