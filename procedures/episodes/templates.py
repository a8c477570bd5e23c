"""Templates of lines: what always stands there, and slots for what varies.

``Room {1} ({2}): {3} euros`` reads a line as a fact with three fields. Templates are found by
anti-unification of the lines of demonstrations (:mod:`.mining`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from .date_notations import NAMED_MONTHS
from .fact import Fact

__all__ = [
    "ABOVE",
    "BELOW",
    "Line",
    "Template",
    "fact_line",
    "filled",
    "literal_text",
    "pieces",
    "readings_of",
    "template_text",
]

ABOVE = " > "
"""Between a line and the one that stands below it, further in."""
BELOW = "..."
"""Stands for all that stands below a line."""
_MOST_PARTED = 8
"""Slots of a line from which on few values do not say where a slot ends: it would take long."""
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
        above: The lines to which it belongs as it stands further in, the outermost first.
    """

    text: str
    episode: int
    at: int
    above: tuple[str, ...] = ()


@dataclass(frozen=True)
class Template:
    """A line with slots.

    Attributes:
        text: With ``{1}``, ``{2}``, … for its slots; braces of the text itself are doubled.
        few: Slot → its values where these are few. They say where such a slot ends.
        lists: Slots that hold several items, parted by commas.
        special: The same with a slot filled, in part or whole, by what recurs there: a line that
            one of them reads is a fact of that kind as well.
        over: Texts of the lines that stand under this one, where it is a heading.
        joint: The word before the last item of a list; empty where all are parted by commas.
        means: Kind of the facts that lines of other words tell as well; empty where none do.
        item: How an item of a list is read; empty where there is nothing in it.
        within: A sign that parts lines: this is told of parts of a line that has it, as often as
            they are so; empty where it is told of whole lines.
        words: Slots that hold one word, where only a blank parts them from others that hold more.
        nested: Whether it reads a line with all lines above it to which it belongs, and with what
            stands below it where it ends so.
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

    def read_path(self, path: Sequence[str]) -> tuple[str, ...] | None:
        """Return the values of the slots, or None if a line with those above it is another's."""
        if len(path) != len(self._levels):
            return None
        read = [level.read(text) for level, text in zip(self._levels, path, strict=True)]
        if any(each is None for each in read):
            return None
        return tuple(value for each in read if each for value in each)

    @cached_property
    def _levels(self) -> tuple[Template, ...]:
        levels = self.text.removesuffix(ABOVE + BELOW).split(ABOVE)
        return tuple(Template(level, self._few_of(level), words=self.words) for level in levels)

    def _few_of(self, text: str) -> dict[str, tuple[str, ...]]:
        return {slot: self.few[slot] for slot in pieces(text)[1] if slot in self.few}

    def parts(self, line: str) -> list[tuple[str, ...]]:
        """Return the values of the slots, as often as parts of a line, side by side, are so."""
        cells = [cell.strip() for cell in line.split(self.within)]
        found: list[tuple[str, ...]] = []
        at = 0
        while at + len(self._columns) <= len(cells):
            read = [c.read(cell) for c, cell in zip(self._columns, cells[at:], strict=False)]
            if any(each is None for each in read):
                at += 1
                continue
            found.append(tuple(value for each in read if each for value in each))
            at += len(self._columns)
        return found

    @cached_property
    def _columns(self) -> tuple[Template, ...]:
        return tuple(Template(each) for each in self.text.split(self.within))

    def items(self, value: str) -> list[str]:
        """Return the items of a list."""
        items = value.split(", ")
        if self.joint and items[-1].count(f" {self.joint} ") == 1:
            items[-1:] = items[-1].split(f" {self.joint} ")
        elif self.joint and len(items) > 1:
            items[-1] = items[-1].removeprefix(f"{self.joint} ")
        return items

    @property
    def item_fields(self) -> tuple[str, ...]:
        """Names of the fields that an item of a list has."""
        return ("item", *Template(self.item).slots)

    def things(self, value: str) -> Iterator[dict[str, str]]:
        """Yield the fields of each item of a list: the item, and the slots that are in it."""
        form = Template(self.item)
        for item in self.items(value):
            inner = form.read(item) if self.item else None
            yield {"item": item, **dict(zip(form.slots, inner or (), strict=False))}

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """Names of the slots, in order."""
        return pieces(self.text)[1]

    @cached_property
    def weight(self) -> int:
        """Characters that always stand there; of two templates the heavier one is meant."""
        return sum(map(len, self._plain))

    def read(self, line: str, *, capitals: bool = True) -> tuple[str, ...] | None:
        """Return the values of the slots, or None if the line is another one's.

        Each slot is as short as it can be; one with few values has one of these, where it can, and
        one of one word has no blank. A date in words is never cut.

        Args:
            line: The line.
            capitals: Whether what always stands there has to have the same capitals.
        """
        whole = _with_whole_dates(line)
        if whole != line and (values := self._read(whole, capitals)) is not None:
            return tuple(value.replace(_JOINT, " ") for value in values)
        return self._read(line, capitals)

    def _read(self, line: str, capitals: bool) -> tuple[str, ...] | None:
        values = self._split(line) if capitals else self._split_any(line)
        parted = capitals and (self.few or self.words)
        if values is None or not parted or len(values) > _MOST_PARTED:
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
        """The longest text that always stands there, in whichever capitals: other lines lack it."""
        return max(self._plain, key=len).casefold()

    def _split_any(self, line: str) -> tuple[str, ...] | None:
        """Place what always stands there, in whichever capitals."""
        small = line.lower()
        values = self._small._split(small) if len(small) == len(line) else None
        if values is None:
            return None
        out: list[str] = []
        at = 0
        for plain, value in zip(self._small._plain, values, strict=False):
            at += len(plain)
            out.append(line[at : at + len(value)])
            at += len(value)
        return tuple(out)

    @cached_property
    def _small(self) -> Template:
        """The same in small letters."""
        return Template(template_text((each.lower() for each in self._plain), self.slots))

    def _split(self, line: str) -> tuple[str, ...] | None:
        """Place what always stands there, each part as early as it can be."""
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
        """What stands before, between and behind the slots."""
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
    """Return a line in which no blank stands within a date that names the month."""
    return _DATE.sub(lambda match: match[0].replace(" ", _JOINT), line)


def pieces(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a template's text says before, between and behind its slots, and their names."""
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
    """Return a plain text as it stands in a template: its braces are doubled."""
    return text.replace("{", "{{").replace("}", "}}")


def fact_line(fact: Fact) -> str | None:
    """Return the line that a fact was read of; None where it is no fact of a whole line."""
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
        fill: What fills it.
        names: Of the slots of what fills it: then the others keep theirs.
    """
    numbers = iter(range(1, 1 + len(template.slots) + len(fill.slots)))
    inner = iter(names)
    out = []
    for part in _PIECE.split(template.text):
        mine = part == f"{{{slot}}}"
        for piece in _PIECE.split(fill.text) if mine else (part,):
            if not _SLOT.fullmatch(piece):
                out.append(piece)
            elif not names:
                out.append(f"{{{next(numbers)}}}")
            else:
                out.append(f"{{{next(inner)}}}" if mine else piece)
    if not names:
        return Template("".join(out))
    few = {other: values for other, values in template.few.items() if other != slot}
    words = template.words - {slot}
    return Template("".join(out), few, template.lists - {slot}, words=words)


def readings_of(
    templates: Sequence[Template], lines: Iterable[Line]
) -> dict[Template, list[tuple[Line, tuple[str, ...]]]]:
    """Return for each template the lines that it reads rather than others, and their values."""
    readings: dict[Template, list[tuple[Line, tuple[str, ...]]]] = {t: [] for t in templates}
    ranked = sorted(templates, key=lambda t: (-t.weight, t.text))
    for line in lines:
        for template in ranked:
            values = template.read(line.text)
            if values is not None:
                readings[template].append((line, values))
                break
    return readings
