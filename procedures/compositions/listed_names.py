"""Names that look-ups list: the vocabulary of one world, as far as it was told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..common.text import fold_space
from .listings import rows_of

BLANK = "{}"
_BESIDE = re.compile(r"[a-z_]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LookUp:
    """An action that lists names.

    Attributes:
        do: The action; with ``{}`` where it asks about one of the names of the first look-up.
        level: 0, or 1 if it asks about a name.
    """

    do: str

    @property
    def level(self) -> int:
        """0, or 1 if it asks about a name."""
        return int(BLANK in self.do)

    def about(self, action: str) -> str | None:
        """Return the name that an action asks about; empty at level 0, None of other actions."""
        before, blank, after = self.do.casefold().partition(BLANK)
        text = fold_space(action).rstrip("; ")
        if not blank:
            return "" if text.casefold() == before else None
        end = len(text) - len(after)
        if end <= len(before) or text[: len(before)].casefold() != before:
            return None
        name = text[len(before) : end].strip("`")
        return name if text[end:].casefold() == after and re.fullmatch(r"[\w$]+", name) else None


@dataclass(frozen=True, slots=True)
class Name:
    """A name that was listed.

    Attributes:
        text: As it was told.
        owner: The name that was asked about, in small letters; empty at level 0.
        beside: Words of the items that stand beside it.
    """

    text: str
    owner: str = ""
    beside: tuple[str, ...] = ()

    @property
    def level(self) -> int:
        """0 for names that the first look-up lists, 1 for those listed about one."""
        return int(bool(self.owner))

    @property
    def key(self) -> tuple[str, str]:
        """As it is compared."""
        return self.text.casefold(), self.owner


@dataclass(frozen=True)
class Names:
    """All names that were told of one world.

    Attributes:
        tops: Names of level 0.
        inner: Owner, in small letters → its names.
    """

    tops: tuple[Name, ...] = ()
    inner: Mapping[str, tuple[Name, ...]] = field(default_factory=dict)

    @cached_property
    def all(self) -> tuple[Name, ...]:
        """All names."""
        return (*self.tops, *(name for names in self.inner.values() for name in names))

    @cached_property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """As they are compared."""
        return tuple(name.key for name in self.all)

    @cached_property
    def by_text(self) -> Mapping[str, tuple[Name, ...]]:
        """Text in small letters → names that are written so."""
        names_by_text: dict[str, list[Name]] = {}
        for name in self.all:
            names_by_text.setdefault(name.text.casefold(), []).append(name)
        return {text: tuple(names) for text, names in names_by_text.items()}

    def merged(self, other: Names) -> Names:
        """Return the names of both; of names in both those with more beside them."""
        tops = {name.key: name for name in (*self.tops, *other.tops)}
        inner: dict[str, dict[tuple[str, str], Name]] = {}
        for owner, names in (*self.inner.items(), *other.inner.items()):
            name_by_key = inner.setdefault(owner, {})
            for name in names:
                if name.key not in name_by_key or len(name_by_key[name.key].beside) < len(
                    name.beside
                ):
                    name_by_key[name.key] = name
        return Names(
            tuple(tops.values()),
            {owner: tuple(name_by_key.values()) for owner, name_by_key in inner.items()},
        )


def names_told(look_ups: Sequence[LookUp], calls: Iterable[tuple[str, str]]) -> Names:
    """Return the names that calls told.

    Args:
        look_ups: What lists names.
        calls: Actions and what they told.
    """
    names = Names()
    for action, result in calls:
        for look_up in look_ups:
            owner = look_up.about(action)
            if owner is None:
                continue
            rows = rows_of(result)
            listed = tuple(Name(row[0], owner.casefold(), _beside(row[1:])) for row in rows if row)
            if look_up.level == 0:
                names = names.merged(Names(listed))
            elif listed:
                names = names.merged(Names((), {owner.casefold(): listed}))
            break
    return names


def _beside(items: Sequence[str]) -> tuple[str, ...]:
    """Return the first word of each item, with its place."""
    words = []
    for place, item in enumerate(items):
        match = _BESIDE.match(item)
        if match:
            words.append(f"{place}:{match[0].lower()}")
    return tuple(words)
