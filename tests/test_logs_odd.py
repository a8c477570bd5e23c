"""Logs in which one thing, anywhere, is not what it should be: the others are read all the same."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import messages_to_dict
from macla.adapters.langchain.logs import (
    episodes_from_chat_log,
    episodes_from_langsmith,
    format_of,
)
from macla.procedures.common.errors import MaclaError

from .test_langchain_logs import chat, conversation

ODD = (None, True, -1, 1e308, "", "x", [], {}, [5], [[]], {"a": 1}, "\ud800", {"id": {"x": [0]}})


def of_tools(name: str) -> dict[str, Any]:
    inputs = {"input": str({"of": name})}
    return {"id": name, "run_type": "tool", "name": "price", "inputs": inputs, "outputs": {}}


def asked(name: str) -> dict[str, Any]:
    told = [dumpd(each) for each in conversation(name)]
    answers = {"generations": [[{"message": told[-1]}]]}
    held = {"inputs": {"messages": [told[:-1]]}, "outputs": answers}
    return {"id": name, "run_type": "llm", "start_time": "1", **held}


FORMS: dict[str, Callable[[str], dict[str, Any]]] = {
    "chat": lambda name: {"id": name, "messages": chat(name)},
    "langchain": lambda name: {"messages": messages_to_dict(conversation(name))},
    "constructors": lambda name: {"messages": [dumpd(each) for each in conversation(name)]},
    "stored": lambda name: {
        "request": {"messages": chat(name)[:-1]},
        "response": {"choices": [{"message": chat(name)[-1]}]},
    },
    "chain": lambda name: {"id": name, "run_type": "chain", "outputs": {"messages": chat(name)}},
    "model": asked,
    "tools": of_tools,
}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each value in a nested one, but of itself."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in inner:
        yield (*path, key)
        if isinstance(each, dict | list):
            yield from places(each, (*path, key))


@pytest.mark.parametrize("form", FORMS)
def test_one_odd_value_costs_no_other_conversation(form: str, tmp_path: Path) -> None:
    make, file = FORMS[form], tmp_path / "log.jsonl"
    read = episodes_from_langsmith if "run_type" in make("tea") else episodes_from_chat_log
    whole = json.dumps(make("tea")), json.dumps(make("ham"))
    for path in places(make("odd")):
        for odd in ODD:
            document = copy.deepcopy(make("odd"))
            around: Any = document
            for key in path[:-1]:
                around = around[key]
            around[path[-1]] = odd
            file.write_text("\n".join((json.dumps(document), *whole)))
            skipped: list[MaclaError] = []
            read_in = [each.task for each in read(file, skip=skipped.append)]
            if form != "tools":  # a tool's run alone says no task
                assert sum("tea" in task for task in read_in) == 1, (path, odd)
                assert sum("ham" in task for task in read_in) == 1, (path, odd)
            assert all(str(file) in str(each) for each in skipped), skipped
            assert format_of(file) == ("langsmith" if "run_type" in make("tea") else "messages")


@pytest.mark.parametrize("line", ["[]", "5", "{}", '{"x": 1}', "{", "null", '"messages"'])
def test_an_odd_first_line_does_not_say_what_a_file_holds(line: str, tmp_path: Path) -> None:
    for form, make in FORMS.items():
        file = tmp_path / "log.jsonl"
        file.write_text("\n".join((line, json.dumps(make("tea")))))
        assert format_of(file) == ("langsmith" if "run_type" in make("tea") else "messages"), form
