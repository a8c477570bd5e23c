"""Copies of demonstrations with other names, as a program must not depend on the shown ones."""

from __future__ import annotations

import itertools
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

_PARTS = frozenset((*PARTS, *(f"not {place}" for place in PARTS)))
_SOUNDS = ("ol", "ra", "um", "ke", "ip", "to", "en", "su")
"""Syllables of other names. Some begin with vowels, as a line may depend on that."""


def renamed_copies(
    file: ProgramFile, demonstrations: Sequence[Trajectory], lessons: Sequence[Lesson]
) -> list[Trajectory]:
    """Return demonstrations in which the words of their arguments are replaced by others.

    The words of the program itself stay: its constants, operators and lines.

    Args:
        file: The program.
        demonstrations: The demonstrations as texts.
        lessons: The same demonstrations as calls and facts.
    """
    program_words = set(_own_words(file))
    words = sorted(
        {
            word
            for lesson in lessons
            for _, arguments, _ in lesson.calls
            for value in arguments
            for word in tokens(value)
            if word[0].isalpha() and not has_digit(word) and word not in program_words
        }
    )
    if not words:
        return list(demonstrations)
    names = {word: _name(number, word) for number, word in enumerate(words)}
    # A program that compares parts of values needs names exchanged inside other words, too.
    part_of_word = r"\w" if _compares_parts(file) else r"[\w-]"
    pattern = re.compile(
        rf"(?<!{part_of_word})(?:{'|'.join(map(re.escape, words))})(?!{part_of_word})"
    )

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


def _name(number: int, word: str) -> str:
    first = _SOUNDS[number % len(_SOUNDS)]
    name = f"{first}{_SOUNDS[(number // len(_SOUNDS) + 3) % len(_SOUNDS)]}x"
    while number >= len(_SOUNDS) ** 2:
        name += _SOUNDS[number % len(_SOUNDS)]
        number //= len(_SOUNDS)
    return name.capitalize() if word[0].isupper() else name


def _own_words(file: ProgramFile) -> Iterator[str]:
    """Yield the words of the program itself."""
    for step in file.program.steps:
        yield from tokens(step.operator.replace("{}", " "))
        yield from _values(step.sources)
        for guard in step.guards:
            for condition in guard.when:
                yield from _words_of(condition)
    for value in itertools.chain.from_iterable(file.program.few.values()):
        yield from tokens(value)  # a class that it decides by; it asks about any other
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
