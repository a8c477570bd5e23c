"""Goals that differ in a word which names (part of) what was acted on are one goal with a slot."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from .analysis import Episode

__all__ = ["merge_goals"]

_LEAST_WORDS = 2
"""Different words that must have stood at a place of the goal before it is a slot."""
_NAMES_SHARE = 0.8
"""Share of the episodes in which the word must name something that was acted on."""


def merge_goals(episodes: Sequence[Episode]) -> None:
    """Give goals that differ only in such a word a slot there, in place.

    "make a {0} of oak" and "make a {0} of elm", of which one cuts an oak log and the other an elm
    log, both become "make a {0} of {1}".
    """
    acted_on = {id(episode): _words_acted_on(episode) for episode in episodes}
    while True:
        by_goal: dict[str, list[Episode]] = defaultdict(list)
        for episode in episodes:
            by_goal[episode.goal].append(episode)
        families: dict[tuple[str, str], dict[str, list[Episode]]] = defaultdict(dict)
        for goal, members in by_goal.items():
            parts = goal.split(" ")
            for i, word in enumerate(parts):
                if not word.startswith("{"):
                    around = (" ".join(parts[:i]), " ".join(parts[i + 1 :]))
                    families[around][word] = members
        found = [
            (sum(map(len, words.values())), around)
            for around, words in families.items()
            if len(words) >= _LEAST_WORDS and _names(words, acted_on)
        ]
        if not found:
            return
        _, around = max(found)
        at = len(around[0].split())
        for word, members in families[around].items():
            for episode in members:
                _open_slot(episode, at, word)


def _names(words: Mapping[str, Sequence[Episode]], acted_on: Mapping[int, set[str]]) -> bool:
    """Tell whether these words name what the episodes that have them acted on."""
    total = named = 0
    for word, members in words.items():
        for episode in members:
            total += 1
            named += word in acted_on[id(episode)]
    return named >= (_NAMES_SHARE if len(words) > _LEAST_WORDS else 1.0) * total


def _words_acted_on(episode: Episode) -> set[str]:
    return {
        word
        for _, arguments in episode.actions
        for argument in arguments
        for word in argument.split()
    }


def _open_slot(episode: Episode, at: int, word: str) -> None:
    parts = episode.goal.split(" ")
    parts[at] = "\0"
    fillers = list(episode.fillers)
    order: list[str] = []
    for part in parts:
        filler = word if part == "\0" else _filler(part, fillers)
        if filler is not None and filler not in order:
            order.append(filler)
    shown = [
        f"{{{order.index(filler)}}}"
        if (filler := word if part == "\0" else _filler(part, fillers)) is not None
        else part
        for part in parts
    ]
    episode.goal = " ".join(shown)
    episode.fillers = tuple(order)


def _filler(part: str, fillers: Iterable[str]) -> str | None:
    match = re.fullmatch(r"\{(\d+)\}", part)
    return list(fillers)[int(match[1])] if match else None
