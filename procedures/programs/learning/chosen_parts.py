"""Parts of written texts that are chosen among several candidates, by rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..sources import ANY, Base, Choice, Written, candidates, rows
from .choices import learn_cases
from .occurrences import Occurrence, Setting, Use


def with_rules(
    texts: Iterable[Written], index: int, occurrences: Sequence[Occurrence], setting: Setting
) -> Iterator[Written]:
    """Yield texts, and behind each the same one with rules by which its parts are chosen.

    Args:
        texts: Texts, parts of which may be any candidate.
        index: Place of the argument that they give.
        occurrences: Calls whose argument they give.
        setting: Of the calls.
    """
    for text in texts:
        yield text
        rule_by_part: dict[Base, Base] = {}
        for part in text.bases:
            if isinstance(part, Choice) and part.cases == ANY:
                uses = list(_uses(part, index, occurrences))
                cases = learn_cases(uses, part.field, setting) if uses else ()
                if cases and all(case.settled for case in cases):
                    rule_by_part[part] = replace(part, cases=cases)
        if rule_by_part:
            yield text.with_bases(rule_by_part)


def _uses(part: Choice, index: int, occurrences: Sequence[Occurrence]) -> Iterator[Use]:
    """Yield the choices of a part, where the text holds one candidate alone."""
    for occurrence in occurrences:
        history, text = occurrence.history, occurrence.arguments[index]
        values = [each for each in candidates(part, history) if each in text]
        if len(values) == 1:
            yield Use(occurrence.episode, history, values[0], tuple(rows(part, history)))
