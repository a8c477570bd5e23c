"""Paraphrases: lines that mean the same in other words, as people write them.

Each is a fact of its own kind, and a fact of the kind that all of them share.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .fact import Fact
from .templates import Template, pieces, template_text
from .tokens import magnitude

SHARED = "any wording of "
"""Prefix of the kinds that paraphrases share."""
_LEAST = 2
"""Results in each order of two lines; with fewer, their order is not free."""
_OVERLAP = 0.2
"""Least share of common values of two slots that mean the same."""
_TYPED = 0.9
"""Least share of a slot's values that have its type."""


@dataclass(slots=True)
class _Line:
    """A template, with the values of its slots."""

    template: Template
    count: int = 0
    values: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def type_of(self, slot: str) -> str:
        """Return the type of a slot's values if they are orderable, else ""."""
        values = self.values[slot]
        types = Counter(size[0] for value in values if (size := magnitude(value)))
        kind, count = types.most_common(1)[0] if types else ("", 0)
        return kind if count >= _TYPED * len(values) else ""

    def likeness(self, slot: str, other: _Line, of: str) -> float:
        """Return the share of common values of two slots; negative if their types differ."""
        if self.type_of(slot) != other.type_of(of):
            return -1.0
        values, others = self.values[slot].keys(), other.values[of].keys()
        return len(values & others) / max(1, min(len(values), len(others)))


def learn_paraphrases(
    templates: Sequence[Template], results: Iterable[Sequence[Fact]]
) -> list[Template]:
    """Return the templates; paraphrases get slots of the same names.

    Two lines are paraphrases if they stand in any order in results, and if their slots hold the
    same values or values of the same type.

    Args:
        templates: Templates of lines.
        results: For each result the facts of its lines.
    """
    outlined = {text for each in templates if each.over for text in (each.text, *each.over)}
    lines = {
        each.text: _Line(each)
        for each in templates
        if len(each.slots) > 1 and not each.lists and each.text not in outlined
    }
    order_count: Counter[tuple[str, str]] = Counter()
    for result in results:
        kinds_in_order: dict[str, None] = {}
        for fact in result:
            if fact.kind in lines:
                line = lines[fact.kind]
                line.count += 1
                kinds_in_order[fact.kind] = None
                for slot, value in fact.fields.items():
                    line.values[slot][value] += 1
        order_count.update(itertools.combinations(kinds_in_order, 2))
    ranked = sorted(lines.values(), key=lambda each: (-each.count, each.template.text))
    template_by_text: dict[str, Template] = {}
    for main in ranked:
        if main.template.text in template_by_text:
            continue
        for other in ranked:
            pair = main.template.text, other.template.text
            if (
                other is main
                or pair[1] in template_by_text
                or min(order_count[pair], order_count[pair[::-1]]) < _LEAST
            ):
                continue
            names = _match_slots(main, other)
            if names:
                kind = SHARED + main.template.text
                template_by_text[pair[0]] = replace(main.template, means=kind)
                template_by_text[pair[1]] = _as_paraphrase(other.template, names, kind)
    return [template_by_text.get(template.text, template) for template in templates]


def _match_slots(main: _Line, other: _Line) -> dict[str, str]:
    """Map each slot to a slot of the main line; empty where the lines are no paraphrases."""
    if len(main.template.slots) != len(other.template.slots):
        return {}
    pairs = [
        (main.likeness(main_slot, other, slot), slot, main_slot)
        for slot in other.template.slots
        for main_slot in main.template.slots
    ]
    main_slot_by_slot: dict[str, str] = {}
    similar_count = 0
    for likeness, slot, main_slot in sorted(pairs, key=lambda pair: (-pair[0], *pair[1:])):
        if (
            slot not in main_slot_by_slot
            and main_slot not in main_slot_by_slot.values()
            and likeness >= 0.0
        ):
            main_slot_by_slot[slot] = main_slot
            similar_count += likeness >= _OVERLAP or bool(main.type_of(main_slot))
    # One slot may hold values that never recur, if all others are similar.
    enough = len(main_slot_by_slot) == len(main.template.slots) and similar_count >= max(
        1, len(main_slot_by_slot) - 1
    )
    return main_slot_by_slot if enough else {}


def _as_paraphrase(template: Template, names: Mapping[str, str], kind: str) -> Template:
    plain, slots = pieces(template.text)
    text = template_text(plain, (names[slot] for slot in slots))
    few = {names[slot]: values for slot, values in template.few.items()}
    return replace(template, text=text, few=few, means=kind)
