"""Templates of tasks, put together from templates of their sentences.

A sentence that some tasks have, and others lack, is optional: it may stand beside any other
sentences, although no task shows it there.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from .mentions import sentences_of
from .templates import Line, Template, pieces, template_text

_LEAST = 2
"""Least tasks with the same sentences; those of one are no wording."""


def mined_by_sentences(
    tasks: Sequence[Line], mine: Callable[[Sequence[Line]], tuple[Template, ...]]
) -> tuple[Template, ...]:
    """Return templates of tasks, the most frequent first.

    Args:
        tasks: The tasks.
        mine: Function from lines to templates.
    """
    sentences_by_task = [sentences_of(task.text) for task in tasks]
    templates = mine(
        [
            replace(task, text=sentence)
            for task, sentences in zip(tasks, sentences_by_task, strict=True)
            for sentence in sentences
        ]
    )
    count_by_wording: Counter[tuple[Template, ...]] = Counter()
    for sentences in sentences_by_task:
        readings = [
            next((each for each in templates if each.read(sentence) is not None), None)
            for sentence in sentences
        ]
        wording = tuple(each for each in readings if each is not None)
        if len(wording) == len(readings):
            count_by_wording[wording] += 1
    wordings = [each for each, count in count_by_wording.most_common() if count >= _LEAST]
    return tuple(_joined(wording) for wording in (*wordings, *_with_optional(wordings)))


def _with_optional(wordings: Sequence[tuple[Template, ...]]) -> Iterator[tuple[Template, ...]]:
    """Yield the wordings that lack an optional sentence with it, at its place in the others."""
    places: dict[Template, int] = {}  # from the end
    for wording in wordings:
        for at, sentence in enumerate(wording):
            if (*wording[:at], *wording[at + 1 :]) in wordings:
                place = at - len(wording)
                places[sentence] = max(places.get(sentence, place), place)
    bases = [wording for wording in wordings if places.keys().isdisjoint(wording)]
    for base, (sentence, place) in itertools.product(bases, places.items()):
        if not any(sentence in each and {*base} < {*each} for each in wordings):
            at = len(base) + 1 + place
            yield (*base[:at], sentence, *base[at:])


def _joined(sentences: Sequence[Template]) -> Template:
    """Return one template of several sentences; its slots are numbered in order."""
    plain = [""]
    slots: list[str] = []
    few: dict[str, tuple[str, ...]] = {}
    lists: set[str] = set()
    words: set[str] = set()
    for each in sentences:
        parts, own_slots = pieces(each.text)
        names = {slot: str(len(slots) + number) for number, slot in enumerate(own_slots, 1)}
        plain[-1] += f"{' ' if plain[-1] or slots else ''}{parts[0]}"
        plain += parts[1:]
        slots += names.values()
        few |= {names[slot]: values for slot, values in each.few.items()}
        lists |= {names[slot] for slot in each.lists}
        words |= {names[slot] for slot in each.words}
    listing = next((each for each in sentences if each.lists), sentences[0])
    return replace(
        listing,
        text=template_text(plain, slots),
        few=few,
        lists=frozenset(lists),
        words=frozenset(words),
        special=(),
    )
