"""Wishes of a task: the values of tables that it asks for or refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from .arrangement import Wish

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|[.,;:!?]")
_NON = re.compile(r"\bnon-[\w-]+", re.IGNORECASE)
_CLAUSE = frozenset((".", ",", ";", ":", "!", "?", "and", "but", "so"))
"""Words and signs at which a denial ends."""
_DENYING = frozenset(
    ("no", "not", "never", "neither", "nor", "cannot", "without", "avoid", "avoiding")
)
_PARTS = re.compile(r"\s*(?:,|&|;)\s*")
_SHORTEST = 3
"""Letters that a stem has at least."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A word of a text.

    Attributes:
        word: In small letters.
        denied: Whether it is denied where it stands.
        after: The next word; empty where a sign follows.
    """

    word: str
    denied: bool
    after: str = ""


@dataclass(frozen=True, slots=True)
class Wished:
    """A value that a task speaks of, and what that means.

    Attributes:
        value: The value.
        means: ``all``, ``none`` or ``some``.
        firm: Whether the task spells it as it was shown; else in another form of the word, or
            before another word than in demonstrations.
    """

    value: str
    means: str
    firm: bool


def parts_of(value: str) -> tuple[str, ...]:
    """Return the items that a value lists."""
    return tuple(part for part in _PARTS.split(value) if part)


@lru_cache(10_000)
def stem(word: str) -> str:
    """Return a word of English without its endings."""
    word = word.lower()
    for ending, instead in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word[: -len(ending)] + instead
            break
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST else word


@lru_cache(4_096)
def mentions_of(text: str) -> tuple[Mention, ...]:
    """Return the words of a text, in small letters."""
    mentions: list[Mention] = []
    denied = False
    compounds = [match.span() for match in _NON.finditer(text)]
    matches = list(_WORD.finditer(text))
    follows = [match[0].lower() for match in matches[1:]] + [""]
    for match, after in zip(matches, follows, strict=True):
        word = match[0].lower()
        if word in _CLAUSE:
            denied = False
        elif word in _DENYING or word.endswith("n't"):
            denied = True
        else:
            inside = any(start <= match.start() < end for start, end in compounds)
            mentions.append(Mention(word, denied or inside, after if after[:1].isalpha() else ""))
    return tuple(mentions)


def wished(wish: Wish, text: str) -> Iterator[Wished]:
    """Yield the values that a task speaks of; what means nothing is left out."""
    mentions = mentions_of(text)
    for wished_value in wish.values:
        phrases = [phrase.partition(" ") for phrase in wished_value.words]
        stems = {stem(word) for word, _, _ in phrases}
        for denied, means in ((False, wish.said), (True, wish.denied)):
            spoken = [m for m in mentions if m.denied is denied and stem(m.word) in stems]
            firm = any(
                mention.word == word and (not after or stem(mention.after) == stem(after))
                for mention in spoken
                for word, _, after in phrases
            )
            if spoken and means:
                yield Wished(wished_value.value, means, firm)
