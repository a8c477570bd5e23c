"""The domain and grammar texts that generated games carry, so that both engines read them.

``domain.pddl`` and ``grammar.json`` beside this file were written for macla. They follow
the names and sentences of ALFWorld (MIT licence), so that the official engine plays a
generated game like one of its own.
"""

from __future__ import annotations

import copy
import json
from functools import lru_cache
from importlib import resources
from typing import Any

__all__ = ["domain_text", "grammar_text"]


@lru_cache(maxsize=1)
def domain_text() -> str:
    """Return the PDDL domain."""
    return resources.files(__package__).joinpath("domain.pddl").read_text(encoding="utf-8")


def grammar_text(task: str) -> str:
    """Return the grammar, in TextWorld's format, for a game with this task sentence."""
    grammar = copy.deepcopy(_grammar())
    grammar["rules"]["task"] = [{"rhs": f"Your task is to: {task}"}]
    rules = json.dumps(grammar["rules"], indent=1)
    actions = (
        f"action {name} {{\n"
        f'    template :: "{action["template"]}";\n'
        f'    feedback :: "{action["feedback"]}";\n'
        "}\n"
        for name, action in grammar["actions"].items()
    )
    return f'grammar :: """\n{rules}\n""";\n\n' + "\n".join(actions)


@lru_cache(maxsize=1)
def _grammar() -> dict[str, Any]:
    text = resources.files(__package__).joinpath("grammar.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content
