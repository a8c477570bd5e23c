"""The rules of the learner of programs; ``scripts/program_knockouts.py`` plays them in minutes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .replacing import KnockOut, gives

__all__ = ["PROGRAMS"]

_EPISODES = "macla.procedures.episodes"
_PROGRAMS = "macla.procedures.programs"
_LEARNING = f"{_PROGRAMS}.learning"


def _first(item: Any, *_: Any, **__: Any) -> Any:
    return item


def _given_guards(features: Any, guards: Any, *_: Any) -> Any:
    return guards


def _as_mined(templates: Sequence[Any], parts: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(templates)


def _plain_lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _row(name: str, target: str, replacement: Any, about: str) -> KnockOut:
    return KnockOut(f"programs: {name}", (target,), replacement, about)


PROGRAMS: tuple[KnockOut, ...] = (
    _row(
        "lines",
        f"{_EPISODES}.lines:lines_of",
        _plain_lines,
        "wrapped lines are joined, columns parted, and dots that fill a line made alike",
    ),
    _row(
        "fillers",
        f"{_EPISODES}.templates:_fillers",
        gives(frozenset()),
        "of words that stand for each other, as articles do, one that was seen stands for all",
    ),
    _row(
        "special lines",
        f"{_EPISODES}.templates:_with_special_forms",
        _first,
        "what recurs in a slot makes a line of its own kind",
    ),
    _row(
        "lists",
        f"{_EPISODES}.templates:_with_lists",
        _first,
        "slots that are items of one list are one slot",
    ),
    _row(
        "folds",
        f"{_EPISODES}.operators:_folds",
        gives(()),
        "what all arguments of an operator say belongs to the operator",
    ),
    _row(
        "wordings",
        f"{_LEARNING}.wordings:aligned_wordings",
        _as_mined,
        "slots that play one part have one name in all wordings of a task",
    ),
    _row(
        "capitals and items",
        f"{_LEARNING}.hypotheses:_nearly",
        gives(()),
        "a field may equal a slot but for capitals, or have it among its items",
    ),
    _row(
        "rivals",
        f"{_LEARNING}.choices:_Evidence.version_space",
        gives([]),
        "where rules that fit the demonstrations as well choose otherwise, it asks",
    ),
    _row(
        "always",
        f"{_LEARNING}.choices:_Evidence.always",
        gives(()),
        "what is chosen has every relation to the task that was always there",
    ),
    _row(
        "offers",
        f"{_LEARNING}.covering:_offers",
        gives(()),
        "a step may wait until a candidate is told",
    ),
    _row(
        "limits",
        f"{_LEARNING}.features:Features._limits",
        gives(()),
        "a guard may compare a number with a round limit",
    ),
    _row(
        "told apart",
        f"{_LEARNING}.guarding:guards_against_rivals",
        _given_guards,
        "steps that commit are told apart by what was told, whatever their order",
    ),
    _row(
        "guards agree",
        f"{_LEARNING}.guarding:_others",
        gives(()),
        "before a step that commits conditions hold that parted the moments as well",
    ),
    _row(
        "known values",
        f"{_LEARNING}.learner:_telling_terms",
        gives({}),
        "a value never shown of a field by which steps are told apart stops the program",
    ),
    _row(
        "needs",
        f"{_LEARNING}.learner:_needs",
        gives(()),
        "a step that commits waits for what was done before it each time",
    ),
    _row(
        "box",
        f"{_LEARNING}.learner:_box",
        gives(()),
        "a step that commits is done only after what was told each time",
    ),
    _row(
        "searching",
        f"{_LEARNING}.learner:_searching",
        gives(False),
        "where a share of the calls is one of many candidates, there is no program",
    ),
    _row(
        "other names",
        f"{_LEARNING}.proposing:_general",
        gives(True),
        "a program has to reproduce copies with other names",
    ),
)
