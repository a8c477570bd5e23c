"""Values that the data show to be for one use: another one in every run, and never used again.

A one-time password or a session's key has no label and no form, but it is told in the same place
of every run, differs each time, and no later call is given it. What nothing uses, nobody needs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from ..tooling.tool_episodes import ToolEpisode
from ..tooling.values import leaves, parse_result, text_of
from .randomness import RUN_OF_A_KIND

_SIGN = r"[A-Za-z0-9!#$%^&*+=_-]"
_CODE = re.compile(
    rf"(?<![\w.:/-])(?={_SIGN}{{0,63}}?\d)(?={_SIGN}{{0,63}}?[A-Za-z]){_SIGN}{{8,64}}(?![\w:/-])"
)
_LEAST_CHANGES = 0.4
"""Fewest words and numbers of a code, by signs: names have fewer."""
_LEAST_RUNS = 3
"""Fewest runs that show that a value differs in each."""
_NUMBER = re.compile(r"\d+")
_LONGEST_PLACE = 2_000
"""Characters of a line that is a place as a whole; of a longer one what stands around a code is."""
_SIGNS_AROUND = 60
"""Signs on each side of a code in a long line that make up its place."""


def single_use(episodes: Sequence[ToolEpisode]) -> frozenset[str]:
    """Return the values that are told in one place, differ in every run and are never used.

    Args:
        episodes: At least three runs, else nothing is known to be different in each.
    """
    if len(episodes) < _LEAST_RUNS:
        return frozenset()
    places: defaultdict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    used_codes: set[str] = set()
    for number, episode in enumerate(episodes):
        used_codes.update(_CODE.findall(episode.task))
        for call in episode.calls:
            for _, value in leaves(call.arguments):
                used_codes.update(_CODE.findall(text_of(value)))
            for place, value in _codes_in(call.result):
                places[call.tool, place].append((number, value))
    return frozenset(
        value
        for codes in places.values()
        if len({number for number, _ in codes}) >= _LEAST_RUNS
        and len({value for _, value in codes}) == len(codes)
        and used_codes.isdisjoint(value for _, value in codes)
        for _, value in codes
    )


def _codes_in(result: str) -> Iterator[tuple[str, str]]:
    """Yield (place, value) of the codes in a result; a place has no numbers."""
    parsed = parse_result(result)
    if isinstance(parsed, dict | list):
        for path, value in leaves(parsed):
            if isinstance(value, str) and _is_code(value):
                yield _NUMBER.sub("*", path), value
        return
    for line in str(result).splitlines():
        for match in _CODE.finditer(line):
            if _is_code(match[0]):
                around = line
                if len(line) > _LONGEST_PLACE:
                    start, end = max(0, match.start() - _SIGNS_AROUND), match.end() + _SIGNS_AROUND
                    around = line[start:end]
                yield _NUMBER.sub("*", around.replace(match[0], "\0")), match[0]


def _is_code(text: str) -> bool:
    runs = RUN_OF_A_KIND.findall(text)
    return _CODE.fullmatch(text) is not None and len(runs) >= _LEAST_CHANGES * len(text)
