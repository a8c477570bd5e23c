"""Fillings of a template, the likeliest first, by what speaks for each slot."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from .cues import Cues, Event
from .listed_names import Name
from .name_mentions import Mentions
from .task_words import Said
from .text_templates import VALUE, Slot, Template
from .text_tokens import words_of_name

_BEAM_WIDTH, _MOST_FILLINGS = 8, 6
"""Fillings that are kept from slot to slot, and of a whole template."""
_LEVELS = ("full", "part", "hint", "none")
"""How a task speaks of a name, the plainest first."""

Filler = Name | Said


@dataclass(frozen=True, slots=True)
class Filling:
    """The fillers of a template's slots, with their log-probability.

    Attributes:
        fill: Of each slot.
        names: Log-probability of the names, by what speaks for them.
        values: The same of the values.
    """

    fill: tuple[Filler, ...]
    names: float
    values: float


class Scene:
    """A task and the names of a world, before templates are filled.

    Args:
        mentions: The task beside the names.
        words: Words that count as events: of several worlds.
        cues: What speaks for fillers.
    """

    def __init__(self, mentions: Mentions, words: frozenset[str], cues: Cues) -> None:
        self.mentions = mentions
        self.words = words
        self.cues = cues
        self.wording = mentions.wording
        self._events: dict[int, tuple[Event, ...]] = {}
        self._odds: dict[tuple[object, ...], list[tuple[float, Filler]]] = {}

    @cached_property
    def values(self) -> tuple[Said, ...]:
        """Values that may be meant: those said plainly, then single words that name nothing."""
        values = self.wording.said
        covered = {i for each in values for i in range(each.at, each.end)}
        words = self.wording.small
        rest = [
            Said(self.wording.words[i], "word", i, i + 1)
            for i, word in enumerate(words)
            if i not in covered
            and word[0].isalpha()
            and word not in self.words
            and len(word) > 2
            and self.mentions.best.get(i, 0.0) < 0.9
        ]
        return (*values, *rest)

    def pool(self, slot: Slot, fillers: Sequence[Filler | None]) -> Sequence[Filler]:
        """Return what fits a slot, where others are filled."""
        if slot.level == VALUE:
            return self.values
        if slot.of is None:
            return self.mentions.names.tops
        owner = fillers[slot.of]
        return self.mentions.names.inner.get(owner.text.casefold(), ()) if owner else ()

    def position(self, filler: Filler) -> int:
        """Return at which word the task speaks of it; -1 for none."""
        return filler.at if isinstance(filler, Said) else self.mentions.of[filler.key].at

    def events(self, filler: Filler) -> tuple[Event, ...]:
        """Return what is so of a filler."""
        events = self._events.get(id(filler))
        if events is None:
            events = self._events[id(filler)] = tuple(self._own(filler))
        return events

    def _own(self, filler: Filler) -> Iterator[Event]:
        at = self.position(filler)
        small = self.wording.small
        if isinstance(filler, Said):
            yield f"kind {filler.kind}"
            behind = filler.end
        else:
            mention = self.mentions.of[filler.key]
            yield f"said {mention.level}"
            rivals = self.mentions.rivals(filler)
            if mention.score > 0:
                yield "best" if mention.score >= rivals else "less"
            if filler.level == 0:
                inner = self.mentions.names.inner.get(filler.text.casefold(), ())
                levels = [self.mentions.of[name.key].level for name in inner]
                yield f"inner {min(levels, key=_LEVELS.index, default='untold')}"
            elif mention.words and mention.words <= self.mentions.of_owner(filler):
                yield "only its owner"
            yield f"place {min(3, self.mentions.place(filler))}"
            for item in filler.beside:
                yield f"row {item}"
            for word in words_of_name(filler.text):
                if word in self.words:
                    yield f"word {word}"
            behind = max(mention.words, default=at) + 1
        if at >= 0:
            before = small[at - 1] if at else "^"
            yield f"behind {before if before in self.words or before == '^' else '?'}"
            after = small[behind] if behind < len(small) else "$"
            yield f"before {after if after in self.words or not after[0].isalnum() else '?'}"

    def odds(
        self,
        slot: Slot,
        context: str,
        pool: Sequence[Filler],
        owner: Filler | None,
    ) -> list[tuple[float, Filler]]:
        """Return what fits a slot with its log-probability, the likeliest first."""
        key = (context, slot.level, id(owner))
        odds = self._odds.get(key)
        if odds is None:
            scores = [self.cues.score(context, slot.level, self.events(filler)) for filler in pool]
            most = max(scores, default=0.0)
            log_total = most + math.log(sum(math.exp(s - most) for s in scores)) if scores else 0.0
            scored = ((s - log_total, n) for s, n in zip(scores, pool, strict=True))
            odds = sorted(scored, key=lambda each: -each[0])
            self._odds[key] = odds
        return odds

    def fillings(self, template: Template) -> list[Filling]:
        """Return the best fillings, the best first."""
        size = len(template.slots)
        beam: list[tuple[float, float, float, tuple[Filler | None, ...]]] = [
            (0.0, 0.0, 0.0, (None,) * size)
        ]
        for number in template.choosing:
            slot, context = template.slots[number], template.contexts[number]
            grown = []
            for score, names, values, fillers in beam:
                pool = self.pool(slot, fillers)
                owner = fillers[slot.of] if slot.of is not None else None
                tried_count = 0
                filler_ids = set(map(id, fillers))
                for odd, filler in self.odds(slot, context, pool, owner):
                    if id(filler) in filler_ids:
                        continue
                    tried_count += 1
                    grown.append((score + odd, names, values, fillers, filler, odd))
                    if tried_count == _BEAM_WIDTH:
                        break
            grown.sort(key=lambda each: -each[0])
            beam = [
                (
                    score,
                    names + (odd if slot.level != VALUE else 0.0),
                    values + (odd if slot.level == VALUE else 0.0),
                    (*fillers[:number], filler, *fillers[number + 1 :]),
                )
                for score, names, values, fillers, filler, odd in grown[:_BEAM_WIDTH]
            ]
        return [
            Filling(fillers, names, values)  # type: ignore[arg-type]
            for _, names, values, fillers in beam[:_MOST_FILLINGS]
        ]
