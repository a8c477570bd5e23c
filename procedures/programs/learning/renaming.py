"""Copies of demonstrations with other names: what was learned must not hang on those shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ...episodes.templates import pieces
from ...episodes.tokens import has_digit, tokens
from ...trajectories import Trajectory
from ..computing import Total
from ..conditions import Condition
from ..documents import ProgramFile
from ..sources import Choice, Computed, Constant, Source
from .lessons import Lesson

__all__ = ["renamed_copies"]

_SOUNDS = ("ol", "ra", "um", "ke", "ip", "to", "en", "su")
"""Other names begin with vowels and with consonants, for a line may differ by that."""


def renamed_copies(
    file: ProgramFile, demonstrations: Sequence[Trajectory], lessons: Sequence[Lesson]
) -> list[Trajectory]:
    """Return demonstrations in which the words of their arguments are replaced by others.

    What the program says itself stays: its constants, operators and lines.

    Args:
        file: The program.
        demonstrations: As they were shown.
        lessons: The same, as they are read.
    """
    fixed = set(_own_words(file))
    words = sorted(
        {
            word
            for lesson in lessons
            for _, arguments, _ in lesson.calls
            for value in arguments
            for word in tokens(value)
            if word[0].isalpha() and not has_digit(word) and word not in fixed
        }
    )
    if not words:
        return list(demonstrations)
    names = {word: _name(number, word) for number, word in enumerate(words)}
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, words))})(?![\w-])")

    def rewrite(text: str) -> str:
        return pattern.sub(lambda match: names[match[0]], text)

    return [
        replace(
            each,
            task=rewrite(each.task),
            obs=tuple(map(rewrite, each.obs)),
            acts=tuple(map(rewrite, each.acts)),
        )
        for each in demonstrations
    ]


def _name(number: int, like: str) -> str:
    first = _SOUNDS[number % len(_SOUNDS)]
    name = f"{first}{_SOUNDS[(number // len(_SOUNDS) + 3) % len(_SOUNDS)]}x"
    while number >= len(_SOUNDS) ** 2:
        name += _SOUNDS[number % len(_SOUNDS)]
        number //= len(_SOUNDS)
    return name.capitalize() if like[0].isupper() else name


def _own_words(file: ProgramFile) -> Iterator[str]:
    """Yield the words that a program says itself."""
    for step in file.program.steps:
        yield from tokens(step.operator.replace("{}", " "))
        yield from _values(step.sources)
        for guard in step.guards:
            for condition in guard.when:
                for value in getattr(condition, "values", ()):
                    yield from tokens(value)
    for action in file.program.places.back if file.program.places else ():
        yield from tokens(action)
    for template in (*file.lines, *file.wordings):
        for text in (template.text, *(each.text for each in template.special)):
            for part in pieces(text)[0]:
                yield from tokens(part)


def _values(sources: Iterable[Source]) -> Iterator[str]:
    for source in sources:
        if isinstance(source, Constant):
            yield from tokens(source.value)
        for condition in _conditions(source):
            for value in getattr(condition, "values", ()):
                yield from tokens(value)


def _conditions(source: Source) -> Iterator[Condition]:
    match source:
        case Choice():
            for case in source.cases:
                yield from (*case.when, *case.rule.where)
        case Computed(computations):
            for each in computations:
                yield from each.where if isinstance(each, Total) else ()
