"""Paraphrases: lines that tell the same in other words, as people write them.

Each is a fact of its own kind, and one of the kind that all of them share.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .fact import Fact
from .templates import Template, pieces, template_text
from .tokens import magnitude

__all__ = ["SHARED", "learn_paraphrases"]

SHARED = "any wording of "
"""How the kinds begin that paraphrases share."""
_LEAST = 2
"""Results in which either of two lines has to stand first, so that their order is free."""
_OVERLAP = 0.2
"""Share of the values of a slot that another one has to have, so that both tell the same."""
_TYPED = 0.9
"""Share of the values of a slot that are of its type."""


@dataclass(slots=True)
class _Line:
    """A template, and what its slots held."""

    template: Template
    count: int = 0
    values: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def type_of(self, slot: str) -> str:
        """Return the type of what a slot holds, if it can be ordered; else nothing."""
        values = self.values[slot]
        types = Counter(size[0] for value in values if (size := magnitude(value)))
        kind, count = types.most_common(1)[0] if types else ("", 0)
        return kind if count >= _TYPED * len(values) else ""

    def likeness(self, slot: str, other: _Line, of: str) -> float:
        """Return which share of the values two slots have in common; negative: they differ."""
        if self.type_of(slot) != other.type_of(of):
            return -1.0
        mine, others = self.values[slot].keys(), other.values[of].keys()
        return len(mine & others) / max(1, min(len(mine), len(others)))


def learn_paraphrases(
    templates: Sequence[Template], results: Iterable[Sequence[Fact]]
) -> list[Template]:
    """Return the templates; those that tell the same have slots of the same names.

    Lines tell the same that stand among each other in any order, and whose slots hold the same
    values, or values of the same type.

    Args:
        templates: Of lines.
        results: For each result what its lines tell.
    """
    headed = {text for each in templates if each.over for text in (each.text, *each.over)}
    lines = {
        each.text: _Line(each)
        for each in templates
        if len(each.slots) > 1 and not each.lists and each.text not in headed
    }
    before: Counter[tuple[str, str]] = Counter()
    for result in results:
        first: dict[str, None] = {}
        for fact in result:
            if fact.kind in lines:
                line = lines[fact.kind]
                line.count += 1
                first[fact.kind] = None
                for slot, value in fact.fields.items():
                    line.values[slot][value] += 1
        before.update(itertools.combinations(first, 2))
    ranked = sorted(lines.values(), key=lambda each: (-each.count, each.template.text))
    shared: dict[str, Template] = {}
    for main in ranked:
        if main.template.text in shared:
            continue
        for other in ranked:
            pair = main.template.text, other.template.text
            if other is main or pair[1] in shared or min(before[pair], before[pair[::-1]]) < _LEAST:
                continue
            names = _aligned(main, other)
            if names:
                kind = SHARED + main.template.text
                shared[pair[0]] = replace(main.template, means=kind)
                shared[pair[1]] = _renamed(other.template, names, kind)
    return [shared.get(template.text, template) for template in templates]


def _aligned(main: _Line, other: _Line) -> dict[str, str]:
    """Return slot → slot of the main line; nothing where they do not tell the same."""
    if len(main.template.slots) != len(other.template.slots):
        return {}
    pairs = [
        (main.likeness(mine, other, slot), slot, mine)
        for slot in other.template.slots
        for mine in main.template.slots
    ]
    names: dict[str, str] = {}
    alike = 0
    for likeness, slot, mine in sorted(pairs, key=lambda pair: (-pair[0], *pair[1:])):
        if slot not in names and mine not in names.values() and likeness >= 0.0:
            names[slot] = mine
            alike += likeness >= _OVERLAP or bool(main.type_of(mine))
    # One slot may hold what never comes again, if all others are alike.
    enough = len(names) == len(main.template.slots) and alike >= max(1, len(names) - 1)
    return names if enough else {}


def _renamed(template: Template, names: Mapping[str, str], kind: str) -> Template:
    plain, slots = pieces(template.text)
    text = template_text(plain, (names[slot] for slot in slots))
    few = {names[slot]: values for slot, values in template.few.items()}
    return replace(template, text=text, few=few, means=kind)
