"""Which template is meant, by its parts and the words of the task: one log-linear model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from .name_mentions import Mentions
from .text_templates import Template

_LONGEST = 3
"""Tokens, or words, of a run: two and what joins them."""


def parts_of(template: Template) -> frozenset[str]:
    """Return runs of up to three tokens of a template, and how many slots of each level it has."""
    shape = ("^", *template.shape, "$")
    parts = {
        " ".join(shape[i : i + n])
        for n in range(1, _LONGEST + 1)
        for i in range(len(shape) - n + 1)
    }
    for level in (0, 1, 2):
        number = sum(slot.level == level for slot in template.slots)
        parts |= {f"{level}>{n}" for n in range(number)}
    return frozenset(parts - {"^", "$"})


def phrases_of(mentions: Mentions, words: frozenset[str]) -> frozenset[str]:
    """Return runs of up to three words of a task; names and values stand as signs.

    Args:
        mentions: The task, beside the names of its world.
        words: Words of several worlds; others are left open.
    """
    wording = mentions.wording
    valued: dict[int, str] = {}
    for each in wording.said:
        for i in range(each.at, each.end):
            valued[i] = "{n}" if each.kind == "number" else "{v}"
    tops = {
        i
        for name in mentions.names.tops
        for i in mentions.of[name.key].words
        if mentions.of[name.key].level == "full"
    }
    line = ["^"]
    for i, word in enumerate(wording.small):
        if i in valued:
            sign = valued[i]
        elif i in tops:
            sign = "{0}"
        elif mentions.best.get(i, 0.0) > 0.6:
            sign = "{1}"
        else:
            sign = word if word in words or not word[0].isalnum() else "_"
        if sign != line[-1] or sign not in ("{v}", "{0}", "{1}", "_"):
            line.append(sign)
    phrases = {
        " ".join(line[i : i + n]) for n in range(1, _LONGEST + 1) for i in range(len(line) - n + 1)
    }
    return frozenset(phrases | {word for word in wording.small if word in words})


@dataclass(frozen=True)
class PartModel:
    """Weights of a template's parts, by phrases of the task.

    Attributes:
        base: Part → what it adds whatever is asked.
        weights: Part → phrase → what it adds beside.
    """

    base: Mapping[str, float]
    weights: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def odds(self, phrases: Iterable[str]) -> dict[str, float]:
        """Return what each part adds for a task with these phrases."""
        odds = dict(self.base)
        for phrase in phrases:
            for part, weight in self._by_phrase.get(phrase, ()):
                odds[part] += weight
        return odds

    @cached_property
    def _by_phrase(self) -> Mapping[str, Sequence[tuple[str, float]]]:
        weights_by_phrase: dict[str, list[tuple[str, float]]] = {}
        for part, weights in self.weights.items():
            for phrase, weight in weights.items():
                weights_by_phrase.setdefault(phrase, []).append((part, weight))
        return weights_by_phrase
