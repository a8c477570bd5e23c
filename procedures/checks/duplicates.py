"""Two procedures for one thing: they split the evidence, and agents choose between them blindly."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..conditions.language import Condition, parse_condition
from ..files.contents import Contents
from ..files.lazy_documents import Documents, Entry
from ..model.procedure import Procedure
from ..model.semantics import Issue

THETA_DUP: Final = 0.85
"""Cosine similarity of goals from which two procedures may be duplicates (paper: 0.85)."""

_BLOCK_SIZE: Final = 512
"""Procedures that are compared with all others at once."""
_SLOT: Final = re.compile(r"\{(\w+)\}")


def duplicates(
    contents: Contents, vector: Callable[[str], NDArray[np.float32]], threshold: float = THETA_DUP
) -> Iterator[Issue]:
    """Yield a warning for each procedure that does what an earlier one does.

    Two procedures are duplicates if their goals are as similar as θ_dup asks *and* they have
    the same effect: the same postconditions, parameters renamed, or none in both. Goals alone
    would take opposites for duplicates. Plans are duplicates only if their goals are the same:
    another wording of a goal is another way in which a task is asked.

    Args:
        contents: The library's documents.
        vector: The unit vector of a text, shape ``(d,)``.
        threshold: θ_dup, in [-1, 1].
    """
    groups: dict[Any, list[_Item]] = defaultdict(list)
    for name, entry in contents.of_kind("procedure").entries.items():
        head = entry.head()
        if head.status != "retired":
            groups[_effect_in(entry, head.goal)].append(_Item(name, head.goal))
    issues = (
        each
        for items in groups.values()
        for each in _issues_of_one_effect(items, vector, threshold)
    )
    yield from sorted(issues, key=lambda issue: issue.owner)
    yield from _plans(contents.of_kind("meta"))


class _Item(NamedTuple):
    id: str
    goal: str


def _issues_of_one_effect(
    items: Sequence[_Item], vector: Callable[[str], NDArray[np.float32]], threshold: float
) -> Iterator[Issue]:
    """Yield the warnings for procedures that have one effect."""
    if len(items) < 2:
        return
    vectors = np.stack([vector(item.goal) for item in items])
    for start in range(0, len(items), _BLOCK_SIZE):
        likeness = vectors[start : start + _BLOCK_SIZE] @ vectors.T
        rows, columns = np.nonzero(np.tril(likeness >= threshold, start - 1))
        # The first that each row is like; rows come in their order, and so do columns.
        for row, column in dict(zip(rows[::-1], columns[::-1], strict=True)).items():
            other = items[int(column)]
            message = (
                f"does what {other.id!r} does ({other.goal!r}, similarity "
                f"{float(likeness[row, column]):.2f} of {threshold:g}); merge them or retire one"
            )
            yield Issue("warning", ("procedure", items[start + int(row)].id), ("goal",), message)


def _plans(metas: Documents[Any]) -> Iterator[Issue]:
    id_by_goal: dict[str, str] = {}
    for name, entry in metas.entries.items():
        head = entry.head()
        if head.status == "retired":
            continue
        goal = _with_names(head.goal.casefold(), _number_by_parameter(head.goal.casefold()))
        if goal in id_by_goal:
            message = f"has the goal of {id_by_goal[goal]!r}; a task cannot tell the two apart"
            yield Issue("warning", ("meta", name), ("goal",), message)
        id_by_goal.setdefault(goal, name)


def _number_by_parameter(goal: str) -> dict[str, str]:
    """Name parameters by their place in the goal."""
    names = dict.fromkeys(_SLOT.findall(goal))
    return {name: str(number) for number, name in enumerate(names)}


def _with_names(text: str, names: Mapping[str, str]) -> str:
    return _SLOT.sub(lambda match: f"{{{names.get(match[1], match[1])}}}", text)


def effect_of(item: Procedure) -> Any:
    """Return a procedure's effect, equal for two procedures with the same effect."""
    return _effect(item.goal, item.postconditions)


def _effect_in(entry: Entry, goal: str) -> Any:
    """Return the effect of an entry without making its document, which takes longer."""
    texts = json.loads(entry.text()).get("postconditions", ())
    return _effect(goal, map(parse_condition, texts))


def _effect(goal: str, conditions: Iterable[Condition]) -> Any:
    names = _number_by_parameter(goal)
    return frozenset(_with_names(each.to_text(), names) for each in conditions)
