"""What a soak works with: a small world of text, demonstrations of it, and logs of an agent.

Everything is drawn from a seed, so that what a command was given can be asked for afterwards.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from ...procedures.episodes.trajectories import Trajectory, write_trajectories

__all__ = ["DOMAIN", "WORLD", "Cellar", "demonstration", "write_demonstrations", "write_log"]

DOMAIN = "cellar"
"""Domain of the libraries that a soak makes."""
WORLD = "macla.evals.soak.world:Cellar"
"""The world as the command line names it."""
_THINGS = ("flask", "lamp", "rope", "ledger", "kettle", "spade")
_CHESTS = ("oak chest", "tin chest", "old crate")
_TOOLS = ("price", "stock", "weight", "owner", "colour", "maker")


class Cellar:
    """A thing lies in one of three chests, which have to be unlatched; it is to be brought up."""

    def reset(self, task: str) -> tuple[str, str]:
        """Begin; the task's text is the seed."""
        draw = Random(f"cellar/{task}")  # noqa: S311 (a simulation)
        self.thing, self.home = draw.choice(_THINGS), draw.choice(_CHESTS)
        self._open: set[str] = set()
        self._won = False
        seen = ", ".join(f"the {chest}" for chest in _CHESTS)
        return f"Bring up the {self.thing}.", f"You see {seen}."

    def admissible(self) -> list[str]:
        """Return what can be done now."""
        actions = [f"unlatch {chest}" for chest in _CHESTS]
        return actions + [f"lift {self.thing} from {self.home}"] * (self.home in self._open)

    def step(self, action: str) -> tuple[str, float, bool, dict[str, bool]]:
        """Do one action; the reward is 1 where the thing is lifted."""
        text = "Nothing stirs."
        if action == f"lift {self.thing} from {self.home}" and self.home in self._open:
            text, self._won = f"You lift the {self.thing} from the {self.home}.", True
        for chest in _CHESTS:
            if action == f"unlatch {chest}":
                self._open.add(chest)
                inside = f"the {self.thing}" if chest == self.home else "dust"
                text = f"You unlatch the {chest}. In it is {inside}."
        return text, float(self._won), self._won, {"won": self._won}


def demonstration(task: str) -> Trajectory:
    """Return how a person brings up what a task asks for."""
    world = Cellar()
    text, seen = world.reset(task)
    acts, told = list[str](), [seen]
    for chest in _CHESTS:
        acts.append(f"unlatch {chest}")
        told.append(world.step(acts[-1])[0])
        if chest == world.home:
            break
    acts.append(f"lift {world.thing} from {world.home}")
    told.append(world.step(acts[-1])[0])
    return Trajectory(task=text, obs=tuple(told), acts=tuple(acts), success=True, id=task)


def write_demonstrations(file: Path, first: int, count: int) -> list[str]:
    """Write demonstrations of the tasks from number ``first`` on; return their ids."""
    names = [f"shown{number}" for number in range(first, first + count)]
    write_trajectories(file, map(demonstration, names))
    return names


def write_log(file: Path, number: int, count: int = 3) -> list[str]:
    """Write conversations of an agent that calls a tool; return what users asked.

    Args:
        file: Where to.
        number: Of the log; says which tool is called, and with which values.
        count: Conversations in it.
    """
    tool = _TOOLS[number % len(_TOOLS)]
    asked, lines = list[str](), list[str]()
    for turn in range(count):
        item, figure = f"crate{number}x{turn}", 100 + 7 * number + turn
        asked.append(f"What is the {tool} of {item}?")
        lines.append(json.dumps({"messages": _conversation(asked[-1], tool, item, figure)}))
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return asked


def _conversation(question: str, tool: str, item: str, figure: int) -> list[dict[str, Any]]:
    function = {"name": tool, "arguments": json.dumps({"of": item})}
    call = {"id": f"call-{item}", "type": "function", "function": function}
    return [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": question},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call["id"], "content": json.dumps({tool: figure})},
        {"role": "assistant", "content": f"The {tool} of {item} is {figure}."},
    ]
