"""Parameters in the making: places that values are read from, and the names they are given."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from ..model import Parameter
from .flow import Source, Sources
from .templates import match
from .values import convert, kind_of, tokenise
from .writing import written

__all__ = ["Unexplained", "Uses"]


class Unexplained(Exception):  # noqa: N818  # never leaves this package
    """A value varies, and nothing explains it."""


@dataclass(frozen=True, slots=True)
class _Use:
    """A named source; ``like`` is a value whose type it takes."""

    name: str
    source: Source
    like: Any = None


class Uses:
    """Names of the sources that arguments and answers use, each given once.

    Args:
        sources: What the episodes offer.
    """

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._uses: list[_Use] = []

    def name(self, source: Source, key: str, like: Any = None) -> str:
        """Name a source.

        Args:
            source: Where a value is read.
            key: What it is read for; its name, where the source has none of its own.
            like: An argument that it gives as a whole, so that its type counts.

        Raises:
            Unexplained: A slot of the task would be text in one place and number in another.
        """
        for number, use in enumerate(self._uses):
            if use.source != source:
                continue
            if (
                like is None
                or use.like is None
                or isinstance(like, str) == isinstance(use.like, str)
            ):
                if use.like is None:
                    self._uses[number] = replace(use, like=like)
                return use.name
            if source.hole is not None:
                raise Unexplained  # text here and number there: a goal names a slot once
        last = (source.path or "").rpartition("/")[2]
        if last and not last.isdigit() and (like is None or not key):
            key = last
        base = re.sub(r"\W+", "_", key.lower(), flags=re.ASCII).strip("_")[:30]
        if not base or not base[0].isalpha():
            base = "x"
        taken = {use.name for use in self._uses}
        name, number = base, 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        self._uses.append(_Use(name, source, like))
        return name

    def named(self) -> list[tuple[str, Source]]:
        """Return the names that were given, with what they name."""
        return [(use.name, use.source) for use in self._uses]

    def value(self, name: str, episode: int) -> Any:
        """Return what a name stands for in an episode."""
        use = next(each for each in self._uses if each.name == name)
        value = self._sources.value(use.source, episode)
        return value if use.like is None else convert(value, use.like)

    def goal(self) -> str | None:
        """Write the tasks' template; None where a hole is not used, or used in two ways."""
        task = self._sources.episodes[0].task
        tokens = tokenise(task)
        spans = match(self._sources.template, [token.text for token in tokens])
        if spans is None:
            return None
        pieces: list[tuple[int, int]] = []
        names: list[str] = []
        for hole, (start, end) in enumerate(spans):
            used = [use for use in self._uses if use.source.hole == hole]
            if not used:
                return None
            whole = [use for use in used if use.source.part is None]
            if whole:
                if len(used) > 1:
                    return None
                pieces.append((start, end))
                names.append(whole[0].name)
                continue
            at = 0
            for use in sorted(used, key=lambda each: each.source.part or (0, 0)):
                part = use.source.part or (0, 0)
                if part[0] != at:
                    return None
                pieces.append((start + part[0], start + part[1]))
                names.append(use.name)
                at = part[1]
            if at != end - start:
                return None
        return written(task, tokens, pieces, [f"{{{name}}}" for name in names])

    def parameters(self) -> dict[str, Parameter]:
        """Return each parameter with its source and the kinds of its values."""
        found: dict[str, Parameter] = {}
        for use in self._uses:
            source = use.source
            values = [self.value(use.name, i) for i in range(len(self._sources.episodes))]
            kinds = sorted({kind_of(value) for value in values})
            found[use.name] = Parameter(
                source="result" if source.hole is None else "task",
                kinds=tuple(kinds),
                step=source.step,
                path=source.path,
                pattern=source.pattern,
            )
        return found
