"""Templates of composed texts: constants, and slots for names and values."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..episodes.templates import pieces
from .text_tokens import text_tokens

VALUE = 2
"""Level of slots for values that are said; 0 and 1 are levels of names."""
_STAND_IN = re.compile(r"(?:t|x)\d+")
"""Words that stand for a name (t1), or that a text makes up itself (x1)."""
_DOT = (".",)
"""Stands between a name and one of its own."""
_MARKS = "'\"%"
_QUOTES = re.compile(r"['\"`%]")
_SIGNS = {0: "{0}", 1: "{1}", VALUE: "{v}"}


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot.

    Attributes:
        level: Of names that fit, or :data:`VALUE`.
        of: Number of the slot whose name has this one; None at level 0 and of values.
    """

    level: int
    of: int | None = None


@dataclass(frozen=True)
class Template:
    """A text with slots.

    Attributes:
        text: With ``{1}``, ``{2}``, … for the slots; other braces are doubled.
        slots: The slots, in the order of their numbers.
    """

    text: str
    slots: tuple[Slot, ...]

    @cached_property
    def pieces(self) -> tuple[str | int, ...]:
        """Constant texts and numbers of slots, from 0, in turn."""
        plain, slots = pieces(self.text)
        numbers = [int(slot) - 1 for slot in slots]
        turns = itertools.zip_longest(plain, numbers)
        return tuple(each for turn in turns for each in turn if each not in ("", None))

    def fill(self, texts: Sequence[str]) -> str:
        """Return the text with these in its slots."""
        return "".join(p if isinstance(p, str) else texts[p] for p in self.pieces)

    @cached_property
    def _read(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the shape and the contexts."""
        shape: list[str] = []
        contexts: dict[int, str] = {}
        last, signs = "", ""
        made_up: set[str] = set()
        tokens = self._tokens
        for place, token in enumerate(tokens):
            joined = place + 1 < len(tokens) and tokens[place + 1] == "."
            if isinstance(token, int):
                if joined:
                    continue
                contexts.setdefault(token, f"{last} {signs}".strip())
                shape.append(_SIGNS[self.slots[token].level])
                signs = "_"
            elif joined or token in _DOT:
                continue
            elif _STAND_IN.fullmatch(token):
                behind = bool(shape and last) and shape[-1] == last
                if token[0] == "x" and behind and token not in made_up:
                    made_up.add(token)
                    shape.pop()
                    last = ""
                    continue
                if token[0] == "x":
                    shape.append("x")
                    signs = "_"
            else:
                shape.append(token)
                if token[:1].isalpha():
                    last, signs = token, ""
                else:
                    signs = (signs + token)[-3:]
        for before, number in itertools.pairwise(self.pieces):
            if isinstance(number, int) and isinstance(before, str) and before[-1] in _MARKS:
                contexts[number] = contexts.get(number, "").rstrip("'") + "'"
        return tuple(shape), tuple(contexts.get(i, "") for i in range(len(self.slots)))

    @cached_property
    def _tokens(self) -> tuple[str | int, ...]:
        """Constants in small letters, without quotes, and numbers of slots."""
        tokens: list[str | int] = []
        for piece in self.pieces:
            if isinstance(piece, int):
                tokens.append(piece)
            else:
                plain = _QUOTES.sub(" ", piece)
                tokens += [token.text.lower() for token in text_tokens(plain + " x")[:-1]]
        return tuple(tokens)

    @cached_property
    def constants(self) -> frozenset[str]:
        """Its words, numbers and quoted texts, in small letters."""
        text = self.fill(["_"] * len(self.slots))
        return frozenset(
            t.text.lower() for t in text_tokens(text) if t.text[0] not in "_'" or t.text != "'_'"
        )

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Numbers of the slots, as they stand first."""
        return tuple(dict.fromkeys(piece for piece in self.pieces if isinstance(piece, int)))

    @cached_property
    def choosing(self) -> tuple[int, ...]:
        """Numbers of the slots in which they are filled: names of level 0 first."""
        return tuple(sorted(self.order, key=lambda number: self.slots[number].level > 0))

    @property
    def shape(self) -> tuple[str, ...]:
        """Its tokens, slots by their level alone, without whose name stands there."""
        return self._read[0]

    def key(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Return what a filled text says, however it names things and whose they are."""
        key = list(self.shape)
        at = 0
        tokens = self._tokens
        for place, token in enumerate(tokens):
            joined = place + 1 < len(tokens) and tokens[place + 1] == "."
            if isinstance(token, int) and not joined:
                while key[at] not in _SIGNS.values():
                    at += 1
                key[at] = texts[token].casefold()
                at += 1
        return tuple(key)

    @property
    def contexts(self) -> tuple[str, ...]:
        """For each slot, behind which word and signs it stands first."""
        return self._read[1]
