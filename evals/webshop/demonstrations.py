"""Demonstrations: purchases of an expert model, played again in the shop.

``expert_dialogues.json`` is an object: name of the task (``webshop_455``) → turns ``[who, text]``
of a conversation. From the third turn on, people's turns are pages and the model's end with an
action. The last page is not in the dialogue; the shop gives it, and the reward.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...procedures.common.errors import DataError, MissingDataError
from ...procedures.episodes.trajectories import Trajectory, cleaned
from .environment import WebshopEnvironment
from .shop import Shop

__all__ = ["Dialogue", "play_again", "read_dialogues", "task_name", "task_number"]

_ACTION = re.compile(r"Action:\s*(\S.*?)\s*$", re.DOTALL)
_LIMIT = re.compile(r", and price lower than ([\d.]+) dollars$")
_NO_LIMIT = 1_000_000.0


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A logged purchase.

    Attributes:
        number: Number of the task.
        task: Its text, with the limit that was drawn then.
        pages: What was seen, the first before any action; one for each action.
        actions: What was done.
    """

    number: int
    task: str
    pages: tuple[str, ...]
    actions: tuple[str, ...]


def task_name(number: int) -> str:
    """Return the name of a task."""
    return f"webshop_{number}"


def task_number(name: str) -> int:
    """Return the number of a task from its name, or from its number as text.

    Raises:
        ValueError: It is neither.
    """
    return int(name.removeprefix("webshop_"))


def read_dialogues(folder: Path) -> list[Dialogue]:
    """Return the dialogues of a folder, in the file's order.

    Raises:
        MissingDataError: The file is not there.
        DataError: It is not what it should be.
    """
    file = folder / "expert_dialogues.json"
    if not file.is_file():
        raise MissingDataError(
            f"{file}: not there; set MACLA_DATA to the folder that holds 'webshop'"
        )
    try:
        documents: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return [_dialogue(name, turns) for name, turns in documents.items()]
    except (OSError, ValueError, RecursionError, AttributeError, LookupError, TypeError) as error:
        raise DataError(f"{file}: not a file of dialogues ({str(error)[:100]})") from None


def _dialogue(name: str, turns: list[list[str]]) -> Dialogue:
    played = turns[2:]
    pages = tuple(text for who, text in played if who == "human")
    actions = []
    for who, text in played:
        if who != "human":
            if (match := _ACTION.search(text)) is None:
                raise ValueError(f"{name}: a turn without an action")
            actions.append(match[1])
    if len(pages) != len(actions) or not pages:
        raise ValueError(f"{name}: {len(pages)} pages and {len(actions)} actions")
    return Dialogue(task_number(name), pages[0].split(" [SEP] ")[2], pages, tuple(actions))


def play_again(shop: Shop, dialogue: Dialogue) -> Trajectory:
    """Return a dialogue as a trajectory, with the reward and the last page of the shop.

    Raises:
        DataError: The shop has no such task, or shows another page than was logged.
    """
    environment = WebshopEnvironment(shop)
    name = task_name(dialogue.number)
    if not dialogue.number < len(shop.goals):
        raise DataError(
            f"expert_dialogues.json: the shop has no task {name}; use its own catalogue"
        )
    limit = _LIMIT.search(dialogue.task)
    goal = replace(
        shop.goals[dialogue.number],
        text=dialogue.task,
        limit=float(limit[1]) if limit else _NO_LIMIT,
    )
    _, page = environment.reset(goal)
    pages, reward = [], 0.0
    for logged, action in zip(dialogue.pages, dialogue.actions, strict=True):
        if page != logged:
            raise DataError(
                f"expert_dialogues.json: {name} shows another page than the shop before "
                f"{action[:80]!r}; use the catalogue with which it was recorded"
            )
        pages.append(page)
        page, reward, _, _ = environment.step(action)
    return Trajectory(
        task=cleaned(dialogue.task),
        obs=tuple(cleaned(text) for text in (*pages, page)),
        acts=tuple(cleaned(action) for action in dialogue.actions),
        success=reward == 1.0,
        id=name,
        source="expert model",
        reward=reward,
    )
