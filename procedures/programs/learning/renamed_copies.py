"""Copies of demonstrations with other names: what was learned must not hang on those shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ...episodes.templates import pieces
from ...episodes.tokens import PARTS, has_digit, tokens
from ...episodes.trajectories import Trajectory
from ..decision_tables import Tabled
from ..documents import ProgramFile
from ..program_conditions import Comparison, Condition, Literal, Total
from ..sources import Choice, Computed, Constant, Source
from ..terms import terms_of
from .lessons import Lesson

__all__ = ["renamed_copies"]

_PARTS = frozenset((*PARTS, *(f"not {place}" for place in PARTS)))
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
    # Where parts of values are compared, names are exchanged in the parts of other words, too.
    inside = r"\w" if _compares_parts(file) else r"[\w-]"
    pattern = re.compile(rf"(?<!{inside})(?:{'|'.join(map(re.escape, words))})(?!{inside})")

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


def _compares_parts(file: ProgramFile) -> bool:
    conditions = (
        condition
        for step in file.program.steps
        for each in (*map(_conditions, step.sources), *(guard.when for guard in step.guards))
        for condition in each
    )
    return any(isinstance(c, Comparison) and c.relation in _PARTS for c in conditions)


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
                yield from _words_of(condition)
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
        for table in source.tables if isinstance(source, Tabled) else ():
            for classes, value in table.rows:
                for text in (*classes, value):
                    yield from tokens(text)
        for condition in _conditions(source):
            yield from _words_of(condition)


def _words_of(condition: object) -> Iterator[str]:
    for value in getattr(condition, "values", ()):
        yield from tokens(value)
    for term in terms_of(condition):
        if isinstance(term, Literal):
            yield from tokens(term.value)


def _conditions(source: Source) -> Iterator[Condition]:
    match source:
        case Choice():
            for case in source.cases:
                yield from (*case.when, *case.rule.where)
        case Computed(computations):
            for each in computations:
                yield from each.where if isinstance(each, Total) else ()
