"""Templates of lines: constant text, and slots for what varies.

``Room {1} ({2}): {3} euros`` reads a line as a fact with three fields. Anti-unification of the
lines of demonstrations finds templates (:mod:`.mining`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from .date_notations import NAMED_MONTHS
from .fact import Fact

ABOVE = " > "
"""Separates a line from an indented line below it."""
COMMA = ", "
"""Stands between the items of a list, unless a template says otherwise."""
BELOW = "..."
"""Stands for all lines below a line."""
_MOST_PARTED = 8
"""Most slots of a line whose ends are checked with few values; it bounds the time."""
_JOINT = "\N{NO-BREAK SPACE}"
"""Stands for a blank within a date; lines are read with plain blanks only."""
_DATE = re.compile(NAMED_MONTHS)
_SLOT = re.compile(r"\{(\d+)\}")
_PIECE = re.compile(r"(\{\{|\}\}|\{\d+\})")
"""A doubled brace or a slot; read from the left, as three braces in a row are both."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an observation, and the episode and observation in which it stands.

    Attributes:
        text: The line.
        episode: Number of the episode.
        at: Number of the observation.
        above: The less indented lines that it belongs to, the outermost first.
    """

    text: str
    episode: int
    at: int
    above: tuple[str, ...] = ()


@dataclass(frozen=True)
class Template:
    """A line with slots.

    Attributes:
        text: Text with ``{1}``, ``{2}``, … for its slots; its own braces are doubled.
        few: Slot → its values where these are few. They show where such a slot ends.
        lists: Slots that hold several items.
        special: Templates with a slot filled, in part or whole, by a recurring value: a line that
            one of them reads is a fact of that kind, too.
        over: Templates (texts) of the lines under this one, where it is a heading.
        joint: The word before the last item of a list; empty where the same stands between all.
        means: Kind of fact that it shares with its paraphrases; empty without any.
        item: Template of a list's item; empty where an item has no inner slots.
        within: A sign that separates parts of a line: the template reads each part; empty where
            it reads whole lines.
        words: Slots that hold one word, where only a blank separates them from longer ones.
        between: What stands between the items of a list.
        nested: Whether it reads a line with the lines above that it belongs to, and with the lines
            below if its text ends in ``...``.
    """

    text: str
    few: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    lists: frozenset[str] = frozenset()
    special: tuple[Template, ...] = ()
    over: frozenset[str] = frozenset()
    joint: str = ""
    means: str = ""
    item: str = ""
    within: str = ""
    words: frozenset[str] = frozenset()
    nested: bool = False
    between: str = COMMA

    def read_path(self, path: Sequence[str]) -> tuple[str, ...] | None:
        """Return the values of the slots in a line and those above it; None if it does not fit."""
        if len(path) != len(self._levels):
            return None
        values_by_level = [level.read(text) for level, text in zip(self._levels, path, strict=True)]
        if any(each is None for each in values_by_level):
            return None
        return tuple(value for each in values_by_level if each for value in each)

    @cached_property
    def _levels(self) -> tuple[Template, ...]:
        levels = self.text.removesuffix(ABOVE + BELOW).split(ABOVE)
        return tuple(Template(level, self._few_of(level), words=self.words) for level in levels)

    def _few_of(self, text: str) -> dict[str, tuple[str, ...]]:
        return {slot: self.few[slot] for slot in pieces(text)[1] if slot in self.few}

    def parts(self, line: str) -> list[tuple[str, ...]]:
        """Return the values of the slots, once for each group of adjacent parts that fits."""
        cells = [cell.strip() for cell in line.split(self.within)]
        rows: list[tuple[str, ...]] = []
        at = 0
        while at + len(self._columns) <= len(cells):
            values_by_column = [
                c.read(cell) for c, cell in zip(self._columns, cells[at:], strict=False)
            ]
            if any(each is None for each in values_by_column):
                at += 1
                continue
            rows.append(tuple(value for each in values_by_column if each for value in each))
            at += len(self._columns)
        return rows

    @cached_property
    def _columns(self) -> tuple[Template, ...]:
        return tuple(Template(each) for each in self.text.split(self.within))

    def items(self, value: str) -> list[str]:
        """Return the items of a list."""
        items = value.split(self.between)
        if self.joint and items[-1].count(f" {self.joint} ") == 1:
            items[-1:] = items[-1].split(f" {self.joint} ")
        elif self.joint and len(items) > 1:
            items[-1] = items[-1].removeprefix(f"{self.joint} ")
        return items

    @property
    def lists_anew(self) -> bool:
        """Whether other signs than commas stand between some items of its lists."""
        return bool(self.joint) or self.between != COMMA

    @property
    def item_fields(self) -> tuple[str, ...]:
        """Names of the fields of a list's item."""
        return ("item", *Template(self.item).slots)

    def things(self, value: str) -> Iterator[dict[str, str]]:
        """Yield the fields of each item of a list: the item and its inner slots."""
        form = Template(self.item)
        for item in self.items(value):
            inner = (form.read(item) or form.read(item, capitals=False)) if self.item else None
            yield {"item": item, **dict(zip(form.slots, inner or (), strict=False))}

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """Names of the slots, in order."""
        return pieces(self.text)[1]

    @cached_property
    def weight(self) -> int:
        """Number of constant characters; the heavier of two templates reads a line."""
        return sum(map(len, self._plain))

    def read(self, line: str, *, capitals: bool = True) -> tuple[str, ...] | None:
        """Return the values of the slots, or None if the line does not fit.

        Each slot is as short as possible. A slot with few values takes one of these where it can,
        and a slot of one word has no blank. A date in words is never cut.

        Args:
            line: The line.
            capitals: Whether the constant text must have the same capitals.
        """
        with_joined_dates = _with_whole_dates(line)
        if (
            with_joined_dates != line
            and (values := self._read(with_joined_dates, capitals)) is not None
        ):
            return tuple(value.replace(_JOINT, " ") for value in values)
        return self._read(line, capitals)

    def _read(self, line: str, capitals: bool) -> tuple[str, ...] | None:
        values = self._split(line) if capitals else self._split_any(line)
        is_restricted = capitals and (self.few or self.words)
        if values is None or not is_restricted or len(values) > _MOST_PARTED:
            return values
        slots = list(zip(self.slots, values, strict=True))
        if all(value in self.few.get(slot, (value,)) for slot, value in slots) and not any(
            " " in value for slot, value in slots if slot in self.words
        ):
            return values
        match = self._strict.fullmatch(line)
        return match.groups() if match else values

    @cached_property
    def sign(self) -> str:
        """The longest constant text, case-folded: lines without it do not fit."""
        return max(self._plain, key=len).casefold()

    def _split_any(self, line: str) -> tuple[str, ...] | None:
        """Match the constant text in any capitals; return the values of the slots."""
        small = line.lower()
        values = self._small._split(small) if len(small) == len(line) else None
        if values is None:
            return None
        values_as_spelled: list[str] = []
        at = 0
        for plain, value in zip(self._small._plain, values, strict=False):
            at += len(plain)
            values_as_spelled.append(line[at : at + len(value)])
            at += len(value)
        return tuple(values_as_spelled)

    @cached_property
    def _small(self) -> Template:
        """The template in small letters."""
        return Template(template_text((each.lower() for each in self._plain), self.slots))

    def _split(self, line: str) -> tuple[str, ...] | None:
        """Match each part of the constant text as early as possible; return the slots' values."""
        first, *parts = self._plain
        if not parts:
            return () if line == first else None
        if not line.startswith(first):
            return None
        values: list[str] = []
        at = len(first)
        for part in parts[:-1]:
            end = line.find(part, at + 1)
            if end < 0:
                return None
            values.append(line[at:end])
            at = end + len(part)
        end = len(line) - len(parts[-1])
        if end <= at or not line.endswith(parts[-1]):
            return None
        return (*values, line[at:end])

    @cached_property
    def _plain(self) -> tuple[str, ...]:
        """The constant text before, between and behind the slots."""
        return pieces(self.text)[0]

    @cached_property
    def _strict(self) -> re.Pattern[str]:
        gaps = (
            "(" + "|".join(map(re.escape, sorted(self.few[s], key=len, reverse=True))) + ")"
            if s in self.few
            else r"(\S+)"
            if s in self.words
            else "(.+?)"
            for s in self.slots
        )
        first, *rest = map(re.escape, self._plain)
        return re.compile(first + "".join(g + p for g, p in zip(gaps, rest, strict=True)))


@lru_cache(50_000)
def _with_whole_dates(line: str) -> str:
    """Return a line without blanks within dates that name the month."""
    return _DATE.sub(lambda match: match[0].replace(" ", _JOINT), line)


def pieces(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a template's text before, between and behind its slots, and the slots' names."""
    plain = [""]
    slots: list[str] = []
    for piece in _PIECE.split(text):
        if piece in ("{{", "}}"):
            plain[-1] += piece[0]
        elif match := _SLOT.fullmatch(piece):
            slots.append(match[1])
            plain.append("")
        else:
            plain[-1] += piece
    return tuple(plain), tuple(slots)


def template_text(plain: Iterable[str], slots: Iterable[str]) -> str:
    """Return the text of a template; the reverse of :func:`pieces`."""
    first, *rest = map(literal_text, plain)
    return first + "".join(f"{{{s}}}{part}" for s, part in zip(slots, rest, strict=True))


def literal_text(text: str) -> str:
    """Return a plain text as a template writes it, with doubled braces."""
    return text.replace("{", "{{").replace("}", "}}")


def fact_line(fact: Fact) -> str | None:
    """Return the line that a fact was read from; None where it is no fact of a whole line."""
    plain, slots = pieces(fact.kind)
    if any(slot not in fact.fields for slot in slots):
        return None
    values = [*(fact.fields[slot] for slot in slots), ""]
    return "".join(text + value for text, value in zip(plain, values, strict=True))


def filled(template: Template, slot: str, fill: Template, names: Sequence[str] = ()) -> Template:
    """Return a template with a slot filled; the slots are numbered anew.

    Args:
        template: The template.
        slot: The slot.
        fill: Template that fills it.
        names: New names of the fill's slots; if given, the others keep theirs.
    """
    numbers = iter(range(1, 1 + len(template.slots) + len(fill.slots)))
    inner = iter(names)
    text_parts = []
    for part in _PIECE.split(template.text):
        is_slot = part == f"{{{slot}}}"
        for piece in _PIECE.split(fill.text) if is_slot else (part,):
            if not _SLOT.fullmatch(piece):
                text_parts.append(piece)
            elif not names:
                text_parts.append(f"{{{next(numbers)}}}")
            else:
                text_parts.append(f"{{{next(inner)}}}" if is_slot else piece)
    if not names:
        return Template("".join(text_parts))
    few = {other: values for other, values in template.few.items() if other != slot}
    words = template.words - {slot}
    return Template("".join(text_parts), few, template.lists - {slot}, words=words)


def joined(templates: Sequence[Template], between: str) -> Template:
    """Return one template of several, its slots numbered in order.

    Args:
        templates: The templates.
        between: Text that stands between them.
    """
    numbers = map(str, itertools.count(1))
    texts: list[str] = []
    few: dict[str, tuple[str, ...]] = {}
    lists: set[str] = set()
    words: set[str] = set()
    for each in templates:
        plain, slots = pieces(each.text)
        names = {slot: next(numbers) for slot in slots}
        texts.append(template_text(plain, names.values()))
        few |= {names[slot]: values for slot, values in each.few.items()}
        lists |= {names[slot] for slot in each.lists}
        words |= {names[slot] for slot in each.words}
    return Template(between.join(texts), few, frozenset(lists), words=frozenset(words))


def renumbered(template: Template) -> Template:
    """Return a template with its slots numbered in order."""
    plain, slots = pieces(template.text)
    names = {slot: str(number) for number, slot in enumerate(slots, 1)}
    if all(slot == name for slot, name in names.items()):
        return template
    few = {names[slot]: values for slot, values in template.few.items()}
    lists = frozenset(names[slot] for slot in template.lists)
    words = frozenset(names[slot] for slot in template.words)
    text = template_text(plain, names.values())
    return replace(template, text=text, few=few, lists=lists, words=words)


ANY_TEXT = Template("{1}")
"""The template that reads any text, as one slot."""


def readings_of(
    templates: Sequence[Template], lines: Iterable[Line]
) -> dict[Template, list[tuple[Line, tuple[str, ...]]]]:
    """Return for each template its lines with their values; the heaviest template has a line."""
    readings: dict[Template, list[tuple[Line, tuple[str, ...]]]] = {t: [] for t in templates}
    ranked = sorted(templates, key=lambda t: (-t.weight, t.text))
    for line in lines:
        for template in ranked:
            values = template.read(line.text)
            if values is not None:
                readings[template].append((line, values))
                break
    return readings
