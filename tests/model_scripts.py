"""Scripted models for segmentation, contrast and Θ; see :mod:`fake_ollama`."""

from __future__ import annotations

import json
import re
from typing import Any

from fake_ollama import Fault, data_of, kind_of_question


def cuts_whole(messages: list[dict[str, Any]], body: dict[str, Any]) -> str | Fault:
    """A model that takes each episode for one procedure, and says what it needs and shows."""
    if kind_of_question(messages) != "segment":
        return "{}"
    task, first, history = data_of(messages)
    last = len(re.findall(r"^\d+\. ", history, re.M))
    sentences = [each.strip() for each in re.findall(r"[^.]+\.", first)]
    whole = {"goal": task, "first": 1, "last": last, "preconditions": sentences}
    shown = [history.splitlines()[-1].strip()]
    return json.dumps({"segments": [{**whole, "postconditions": shown}]})


def forgets_the_end(messages: list[dict[str, Any]], body: dict[str, Any]) -> str | Fault:
    """A model that is sure and wrong: only the first action matters to it."""
    if kind_of_question(messages) != "segment":
        return "{}"
    return json.dumps({"segments": [{"goal": "do all of it", "first": 1, "last": 1}]})


def suggests_a_precondition(messages: list[dict[str, Any]], body: dict[str, Any]) -> str | Fault:
    """A model that, asked why firing in a kiln fails, says that the kiln must not be cold."""
    if kind_of_question(messages) != "contrast":
        return "{}"
    procedure = json.loads(data_of(messages)[0])
    kiln = re.findall(r"\{\w+\}", procedure["steps"][-1]["do"])[-1]
    said = {"preconditions": [f'not ever("The {kiln} is cold.")'], "postconditions": []}
    return json.dumps({**said, "rationale": "A cold kiln fires nothing."})


def suggests_to_give_up(messages: list[dict[str, Any]], body: dict[str, Any]) -> str | Fault:
    """A model that, asked about a plan, would give each place up after five attempts."""
    if kind_of_question(messages) != "distil_policy":
        return "{}"
    plan = json.loads(data_of(messages)[0])
    return json.dumps({"places": [{"abort": "exhausted or attempts >= 5"} for _ in plan["plan"]]})
