"""Templates of tasks, put together from templates of their sentences.

A sentence that some tasks have, and others lack, is optional: it may stand beside any other
sentences, although no task shows it there.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from .mentions import sentences_of
from .templates import Line, Template, joined, pieces

_LEAST = 2
"""Least tasks with a sentence; what one task says is no wording."""


def mined_by_sentences(
    tasks: Sequence[Line], mine: Callable[[Sequence[Line]], tuple[Template, ...]]
) -> tuple[Template, ...]:
    """Return templates of tasks, the most frequent first.

    Empty where a sentence parts the last item of a list from the others, as too few show the list,
    and where more than a blank stands between sentences.

    Args:
        tasks: The tasks.
        mine: Function from lines to templates.
    """
    sentences_by_task = [sentences_of(task.text) for task in tasks]
    if any(" ".join(s) != task.text for s, task in zip(sentences_by_task, tasks, strict=True)):
        return ()
    templates = mine(
        [
            replace(task, text=sentence)
            for task, sentences in zip(tasks, sentences_by_task, strict=True)
            for sentence in sentences
        ]
    )
    if any(f"}} {each.joint} " in each.text for each in templates if each.joint):
        return ()
    count_by_wording: Counter[tuple[Template, ...]] = Counter()
    for sentences in sentences_by_task:
        readings = [
            next((each for each in templates if each.read(sentence) is not None), None)
            for sentence in sentences
        ]
        wording = tuple(each for each in readings if each is not None)
        if len(wording) == len(readings):
            count_by_wording[wording] += 1
    often: Counter[Template] = Counter()
    for wording, count in count_by_wording.items():
        often.update(dict.fromkeys(wording, count))
    wordings = [
        wording
        for wording, _ in count_by_wording.most_common()
        if all(often[sentence] >= _LEAST for sentence in wording)
        if sum(bool(sentence.lists) for sentence in wording) < 2  # a template has one sort of list
    ]
    return tuple(map(_joined, wordings))


def with_optional(templates: Sequence[Template]) -> tuple[Template, ...]:
    """Return templates, and those that lack an optional sentence with it, at its place in others.

    Args:
        templates: Templates of tasks, whose slots of the same part have the same name.
    """
    wordings = {tuple(sentences_of(each.text)): each for each in templates}
    optional: dict[str, tuple[int, Template]] = {}  # with its place from the end
    for wording, template in wordings.items():
        for at, sentence in enumerate(wording):
            if (*wording[:at], *wording[at + 1 :]) in wordings:
                place = at - len(wording)
                if sentence not in optional or place > optional[sentence][0]:
                    optional[sentence] = place, template
    bases = {w: each for w, each in wordings.items() if optional.keys().isdisjoint(w)}
    added: list[Template] = []
    for base, (sentence, (place, source)) in itertools.product(bases, optional.items()):
        slots = pieces(sentence)[1]
        is_new = not any(sentence in each and {*base} < {*each} for each in wordings)
        if is_new and not set(slots) & set(bases[base].slots):
            at = max(0, len(base) + 1 + place)
            few = {slot: source.few[slot] for slot in slots if slot in source.few}
            text = " ".join((*base[:at], sentence, *base[at:]))
            added.append(replace(bases[base], text=text, few={**bases[base].few, **few}))
    return (*templates, *added)


def _joined(sentences: Sequence[Template]) -> Template:
    """Return one template of several sentences, of which at most one has lists."""
    listing = next((each for each in sentences if each.lists), sentences[0])
    whole = joined(sentences, " ")
    return replace(whole, joint=listing.joint, item=listing.item, between=listing.between)
