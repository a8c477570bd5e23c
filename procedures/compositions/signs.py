"""Signs of a composition's weights as files write them: in words, as templates name their slots.

``where {1} =`` is written ``where {table.*} =``, and ``row 0:float`` as ``column 2 says float``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .cues import Event
from .slot_names import SAID

_FIXED = {"^": "(begin)", "$": "(end)", "_": "(other)", "x": "(made-up)"}
"""Ends of a text, words that mean nothing here, and names that a text makes up itself."""
_READ_FIXED = {written: sign for sign, written in _FIXED.items()}
_COUNTED = re.compile(r"at least (\d+) of (\S+)")
_SLOT = "{}"
"""Stands for any slot in what stands before another one."""
_EVENTS = {
    "best": "said better than others",
    "less": "said worse than others",
    "said full": "said in full",
    "said part": "said in part",
    "said hint": "hinted at",
    "said none": "not said",
    "inner full": "one of its own said in full",
    "inner part": "one of its own said in part",
    "inner hint": "one of its own hinted at",
    "inner none": "none of its own said",
    "inner untold": "its own not told",
    "only its owner": "said only by its owner's name",
    "place 0": "listed first",
    "place 1": "listed second",
    "place 2": "listed third",
    "place 3": "listed later",
}
_READ_EVENTS = {written: event for event, written in _EVENTS.items()}
_FAMILIES = (
    (re.compile(r"row (\d+):(.+)"), "column {0} says {1}"),
    (re.compile(r"word (.+)"), "called {0}"),
    (re.compile(r"kind (.+)"), "a value: {0}"),
)
_READ_FAMILIES = (
    (re.compile(r"column (\d+) says (.+)"), "row {0}:{1}"),
    (re.compile(r"called (.+)"), "word {0}"),
    (re.compile(r"a value: (.+)"), "kind {0}"),
)
_FIRST_BESIDE = 2
"""Column of what stands first beside a name, which is column 1."""
_FIRST_WORD = re.compile(r"([^\W\d_]\w* ?)?(.*)")


class Signs:
    """Writes and reads signs.

    Args:
        noun: A word for names of level 0, as templates have it.
    """

    def __init__(self, noun: str) -> None:
        slots = {"{0}": f"{{{noun}}}", "{1}": f"{{{noun}.*}}", "{v}": f"{{{SAID}}}"}
        self._signs = {**slots, "{n}": f"{{{SAID}.number}}", **_FIXED}
        self._levels = dict(zip("012", slots.values(), strict=True))
        self._read_signs, self._read_levels = _inverse(self._signs), _inverse(self._levels)

    def run(self, run: str) -> str:
        """Write a run of tokens of a template, or of words of a task."""
        level, counted, number = run.partition(">")
        if counted and level in self._levels and number.isdigit():
            return f"at least {int(number) + 1} of {self._levels[level]}"
        return _exchange_tokens(run, self._signs)

    def read_run(self, text: str) -> str:
        """Read what :meth:`run` wrote."""
        if (counted := _COUNTED.fullmatch(text)) and counted[2] in self._read_levels:
            return f"{self._read_levels[counted[2]]}>{int(counted[1]) - 1}"
        return _exchange_tokens(text, self._read_signs)

    def place(self, context: str) -> str:
        """Write where a slot stands: any slot of a level, or what stands before it."""
        if context in self._levels:
            return self._levels[context]
        word, signs = _word_and_signs(context)
        return f"behind {word}{signs.replace('_', _SLOT)}".rstrip()

    def read_place(self, text: str) -> str:
        """Read what :meth:`place` wrote."""
        if text in self._read_levels:
            return self._read_levels[text]
        word, signs = _word_and_signs(text.removeprefix("behind").removeprefix(" "))
        return word + signs.replace(_SLOT, "_")

    def event(self, event: Event) -> str:
        """Write what is so of a filler."""
        if event in _EVENTS:
            return _EVENTS[event]
        for pattern, form in _FAMILIES:
            if match := pattern.fullmatch(event):
                return form.format(*_shift_columns(match, _FIRST_BESIDE))
        side, _, word = event.partition(" ")
        return f"{side} {_FIXED['_'] if word == '?' else _FIXED.get(word, word)}"

    def read_event(self, text: str) -> Event:
        """Read what :meth:`event` wrote."""
        if text in _READ_EVENTS:
            return _READ_EVENTS[text]
        for pattern, event in _READ_FAMILIES:
            if match := pattern.fullmatch(text):
                return event.format(*_shift_columns(match, -_FIRST_BESIDE))
        side, _, word = text.partition(" ")
        return f"{side} {'?' if word == _FIXED['_'] else _READ_FIXED.get(word, word)}"


def _inverse(signs: Mapping[str, str]) -> dict[str, str]:
    return {text: sign for sign, text in signs.items()}


def _exchange_tokens(run: str, signs: Mapping[str, str]) -> str:
    return " ".join(signs.get(token, token) for token in run.split(" "))


def _word_and_signs(context: str) -> tuple[str, str]:
    """Return the word that a context begins with, and the rest."""
    match = _FIRST_WORD.fullmatch(context)
    return (match[1] or "", match[2]) if match else ("", context)


def _shift_columns(match: re.Match[str], by: int) -> list[str]:
    """Return the groups; a column is counted from another one."""
    return [str(int(each) + by) if each.isdigit() else each for each in match.groups()]
