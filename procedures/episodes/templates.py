"""Templates of lines: what always stands there, and slots for what varies.

``Room {1} ({2}): {3} euros`` reads a line as a fact with three fields. Templates are found by
anti-unification of the lines of demonstrations; a word is never looked up in a dictionary.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from .tokens import Tokens, has_digit, spans, tokens

__all__ = [
    "Line",
    "Template",
    "common",
    "filled",
    "literal_text",
    "mine_templates",
    "pieces",
    "readings_of",
    "recurring_forms",
    "template_text",
    "unification",
]

_ALIKE = 0.6
"""Share of the weight of two lines that they have to say alike to be of one template."""
_ALIKE_APART = 0.9
"""The same where lines that tell one thing in several ways are kept apart."""
_PHRASES = 4
"""One of so many values of a slot has to be an argument, or some, so that all are whole."""
_MOST_SPECIAL = 12
_KEYED = 0.8
"""Share of the lines of lists that keys have to name."""
_LEAST_FORMS = 6
_LEAST_FORM = 3
_FORM_SHARE = 0.1
"""Share of the episodes in which a form has to be met."""
_VALUE_SHARE = 0.2
"""The same of a value: names that are drawn from a pool recur by chance."""
_MOST_FILLERS = 3
_INNER_SIGNS = "@/-."
"""Signs that may stand within a word."""
_MOST_PARTED = 8
"""Slots of a line from which on few values do not say where a slot ends: it would take long."""
_MOST_ROUNDS = 8
"""How often what is not yet read is clustered again."""
_MOST_TOKENS = 400
"""Tokens of a line that is read; a longer one is data that no form describes."""
_LONGEST = 2000
"""Characters of a template: so many a file holds."""
_GAP = "*"
_NEVER = 1e-3
"""Weight of a word that is a value: a number, or what is used as an argument."""
_SLOT = re.compile(r"\{(\d+)\}")
_PIECE = re.compile(r"(\{\{|\}\}|\{\d+\})")
"""A doubled brace or a slot; read from the left, as three braces in a row are both."""
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an observation, and the episode and observation in which it stands."""

    text: str
    episode: int
    at: int


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
    """

    text: str
    few: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    lists: frozenset[str] = frozenset()
    special: tuple[Template, ...] = ()
    over: frozenset[str] = frozenset()
    joint: str = ""
    means: str = ""

    def items(self, value: str) -> list[str]:
        """Return the items of a list."""
        items = value.split(", ")
        if self.joint and items[-1].count(f" {self.joint} ") == 1:
            items[-1:] = items[-1].split(f" {self.joint} ")
        return items

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

        Each slot is as short as it can be; one with few values has one of these, where it can.

        Args:
            line: The line.
            capitals: Whether what always stands there has to have the same capitals.
        """
        values = self._split(line) if capitals else self._split_any(line)
        if values is None or not self.few or not capitals or len(values) > _MOST_PARTED:
            return values
        slots = zip(self.slots, values, strict=True)
        if all(value in self.few.get(slot, (value,)) for slot, value in slots):
            return values
        match = self._strict.fullmatch(line)
        return match.groups() if match else values

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
            else "(.+?)"
            for s in self.slots
        )
        first, *rest = map(re.escape, self._plain)
        return re.compile(first + "".join(g + p for g, p in zip(gaps, rest, strict=True)))


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


def mine_templates(
    lines: Iterable[Line],
    phrases: frozenset[str] = frozenset(),
    *,
    special: bool = True,
    apart: bool = False,
) -> tuple[Template, ...]:
    """Find the templates of lines, the most frequent first.

    Args:
        lines: All lines; what stands next to each other in an observation counts as like.
        phrases: What is used as an argument: its words are no part of a template, and it fills a
            slot as a whole.
        special: Whether to look for what recurs in slots.
        apart: Whether lines are of one template only if they hardly differ, wherever they stand.
    """
    every = [line for line in lines if len(tokens(line.text)) <= _MOST_TOKENS]
    templates = _Miner(every, phrases, apart=apart).templates()
    fillers = _fillers(templates, every)
    if fillers:
        templates = _Miner(every, phrases, fillers, apart=apart).templates()
    short = [
        _taken_apart(template, [values for _, values in readings], phrases)
        for template, readings in readings_of(templates, every).items()
        if len(template.text) <= _LONGEST
    ]
    return _with_special_forms(short, every, phrases) if special else tuple(short)


def _taken_apart(
    template: Template, readings: Sequence[Sequence[str]], phrases: frozenset[str]
) -> Template:
    """Return a template whose slots are parted at a sign beside which an argument stands."""
    for index, slot in reversed(list(enumerate(template.slots))):
        values = {values[index] for values in readings}
        if slot in template.few or slot in template.lists or values & phrases:
            continue
        for sign in _INNER_SIGNS:
            parts = [value.split(sign) for value in values]
            used = sum(not phrases.isdisjoint(each) for each in parts)
            if all(len(each) == 2 and all(each) for each in parts) and used * 2 > len(parts) > 2:
                names = [slot, next(n for n in _numbers() if n not in template.slots)]
                template = filled(template, slot, Template(f"{{1}}{sign}{{2}}"), names)
                break
    return _numbered(template)


def _numbers() -> Iterator[str]:
    return map(str, itertools.count(1))


def _numbered(template: Template) -> Template:
    """Return a template whose slots are numbered as they stand."""
    plain, slots = pieces(template.text)
    names = {slot: str(number) for number, slot in enumerate(slots, 1)}
    if all(slot == name for slot, name in names.items()):
        return template
    few = {names[slot]: values for slot, values in template.few.items()}
    lists = frozenset(names[slot] for slot in template.lists)
    return replace(template, text=template_text(plain, names.values()), few=few, lists=lists)


def _with_special_forms(
    templates: Sequence[Template], lines: Sequence[Line], phrases: frozenset[str]
) -> tuple[Template, ...]:
    """Find what recurs in the slots: keys of a list of attributes, and forms of values."""
    out = []
    for template, readings in readings_of(templates, lines).items():
        special: list[Template] = []
        for index, slot in enumerate(template.slots):
            column = [(line, values[index]) for line, values in readings]
            out += [filled(template, slot, fill) for fill in _recurring_keys(column)]
            fills = _keys(column) or recurring_forms(column, slot, template, phrases)
            special += [_unified(filled(template, slot, fill), lines) for fill in fills]
        texts = {each.text: each for each in special}
        chosen = tuple(texts[text] for text in sorted(texts))[:_MOST_SPECIAL]
        out.append(replace(template, special=chosen))
    return tuple(out)


def _unified(template: Template, lines: Sequence[Line]) -> Template:
    """Return a template with what the values of a slot always say, such as a unit."""
    readings = [values for line in lines if (values := template.read(line.text)) is not None]
    for index, slot in reversed(list(enumerate(template.slots))):
        form = unification([values[index] for values in readings]) if readings else None
        if form is not None and form.slots and form.weight:
            template = filled(template, slot, form)
    return template


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


def _keys(column: Sequence[tuple[Line, str]]) -> list[Template]:
    """Return the values of a slot that name each line of a list, the same in all lists."""
    lists: dict[tuple[int, int], list[str]] = defaultdict(list)
    for line, value in column:
        lists[line.episode, line.at].append(value)
    if max(map(len, lists.values()), default=0) < 2:
        return []
    if any(len(set(values)) < len(values) for values in lists.values()):
        return []
    counts = Counter(value for values in lists.values() for value in values)
    keys = sorted(v for v, count in counts.items() if count * 2 >= len(lists) and not has_digit(v))
    if not keys or sum(counts[key] for key in keys) < _KEYED * counts.total():
        return []
    return [Template(literal_text(key)) for key in keys]


def _recurring_keys(column: Sequence[tuple[Line, str]]) -> list[Template]:
    """Return the values of a slot that name each line of a record, where records follow another.

    A record begins with the first key, and has each key once at most.
    """
    lists: dict[tuple[int, int], list[str]] = defaultdict(list)
    for line, value in column:
        lists[line.episode, line.at].append(value)
    every = list(lists.values())
    first = every[0][0] if every else ""
    keys = Counter(value for values in every for value in set(values))
    if has_digit("".join(keys)) or not 1 < len(keys) <= _MOST_SPECIAL:
        return []
    if any(values[0] != first for values in every) or min(keys.values()) * 2 < len(every):
        return []
    if sum(values.count(first) > 1 for values in every) * 2 < len(every):
        return []
    for values in every:
        record: set[str] = set()
        for value in values:
            if value == first:
                record = set()
            if value in record:
                return []
            record.add(value)
    return [Template(literal_text(key)) for key in sorted(keys)]


def recurring_forms(
    column: Sequence[tuple[Line, str]], slot: str, template: Template, phrases: frozenset[str]
) -> list[Template]:
    """Return the forms that the values of a slot have, where words recur in them.

    Args:
        column: Lines that the template reads, and what the slot holds.
        slot: The slot.
        template: Where it stands.
        phrases: What is used as an argument.
    """
    if slot in template.few or slot in template.lists:
        return []
    places = {(line.episode, line.at) for line, _ in column}
    if len(places) < len(column):
        return []  # rows of a table
    values = [Line(value, line.episode, line.at) for line, value in column]
    number = len({line.episode for line in values})
    if number < _LEAST_FORMS:
        return []
    miner = _Miner(values, phrases)
    forms = []
    for form in miner.templates():
        if form.slots == ("1",) and form.weight == 0:
            continue
        support = {line.episode for line in values if form.read(line.text) is not None}
        words = [word for part in pieces(form.text)[0] for word in tokens(part)]
        words = [word for word in words if word[0].isalpha()]
        share = _FORM_SHARE if form.slots else _VALUE_SHARE
        if words and len(support) >= max(_LEAST_FORM, share * number) < number:
            forms.append(form)
    return forms if len(forms) <= _MOST_SPECIAL else []


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
    return Template("".join(out), few, template.lists - {slot})


def _fillers(templates: Sequence[Template], lines: Sequence[Line]) -> frozenset[str]:
    """Return words that stand for each other before a slot, one of them often, as articles do.

    Where only one of them was seen, the others may stand as well.
    """
    episodes: dict[str, set[int]] = defaultdict(set)
    for line in lines:
        for token in set(tokens(line.text)):
            episodes[token].add(line.episode)
    often = len({line.episode for line in lines}) / 2
    return frozenset(
        word
        for template in templates
        for slot, words in template.few.items()
        if 1 < len(words) <= _MOST_FILLERS
        and any(len(episodes[word]) >= often for word in words)
        and f"{{{slot}}} {{" in template.text
        for word in words
    )


def unification(texts: Sequence[str]) -> Template | None:
    """Return what all texts have in common, with slots for the rest; None if they differ in form.

    Numbers and identifiers are never in common.
    """
    distinct = sorted(set(texts))
    constant: Sequence[str] = [t for t in tokens(distinct[0]) if not has_digit(t)]
    for text in distinct[1:]:
        constant = common(constant, [t for t in tokens(text) if not has_digit(t)])
    gaps = [_gaps(text, constant) for text in distinct]
    if len({tuple(map(bool, each)) for each in gaps}) > 1:
        return None
    return _template_around(distinct, constant, gaps, _Words(_spoken(distinct)))


@dataclass(frozen=True, slots=True)
class _Words:
    """Phrases that fill slots as a whole, and words that may stand for each other."""

    phrases: frozenset[str] = frozenset()
    fillers: frozenset[str] = frozenset()


def _spoken(phrases: Iterable[str]) -> frozenset[str]:
    """Return phrases as their tokens are joined: signs in them may stand close."""
    return frozenset(" ".join(tokens(phrase)) for phrase in phrases)


class _Miner:
    """The lines of one template are found by likeness, then anti-unified."""

    def __init__(
        self,
        lines: Sequence[Line],
        phrases: frozenset[str],
        fillers: frozenset[str] = frozenset(),
        *,
        apart: bool = False,
    ) -> None:
        self.least = _ALIKE_APART if apart else _ALIKE
        self.apart = apart
        self.words = _Words(_spoken(phrases), fillers)
        values = {word for phrase in phrases for word in tokens(phrase)} | fillers
        episodes: dict[str, set[int]] = defaultdict(set)
        self.count: Counter[str] = Counter()
        for line in lines:
            self.count[line.text] += 1
            for token in tokens(line.text):
                episodes[token].add(line.episode)
        number = len({line.episode for line in lines}) or 1
        self.lines = lines
        self.weight = {
            token: _NEVER
            if has_digit(token) or token in values
            else 1.0
            if not token[0].isalnum()
            else min(1.0, 2 * len(seen) / number)
            for token, seen in episodes.items()
        }

    def templates(self) -> tuple[Template, ...]:
        """Cluster, anti-unify; what a template does not read is clustered again."""
        made: dict[str, tuple[int, Template]] = {}
        left = sorted(self.count)
        for _ in range(_MOST_ROUNDS):
            rest: list[str] = []
            for cluster in self._clusters(left):
                template = self._template(cluster)
                # Lines that differ only in their spaces have other templates.
                rest += [text for text in cluster if template.read(text) is None]
                support = sum(self.count[each] for each in cluster)
                if template.text not in made or made[template.text][0] < support:
                    made[template.text] = support, template
            if not rest:
                break
            left = rest
        ranked = [t for _, t in sorted(made.values(), key=lambda x: (-x[0], x[1].text))]
        return self._with_lists(ranked)

    def _with_lists(self, templates: Sequence[Template]) -> tuple[Template, ...]:
        """Join slots that are items of a list; templates that then read alike are one."""
        values: dict[Template, list[tuple[str, ...]]] = defaultdict(list)
        for text in sorted(self.count):
            for template in sorted(templates, key=lambda t: (-t.weight, t.text)):
                reading = template.read(text)
                if reading is not None:
                    values[template].append(reading)
                    break
        joined: dict[str, Template] = {}
        for template in templates:
            one = _with_lists(template, values[template])
            same = joined.get(one.text)
            if same is None or one.lists > same.lists:
                joined[one.text] = one
        return tuple(joined.values())

    # ------------------------------------------------------------------ clusters
    def _masked(self, text: str) -> Tokens:
        """Return the tokens with each run of values as one ``*``."""
        out: list[str] = []
        for token in tokens(text):
            value = self.weight[token] <= _NEVER
            if not value:
                out.append(token)
            elif not out or out[-1] != _GAP:
                out.append(_GAP)
        return tuple(out)

    def _clusters(self, texts: Sequence[str]) -> list[list[str]]:
        forms: dict[Tokens, list[str]] = defaultdict(list)
        for text in texts:
            forms[self._masked(text)].append(text)
        keys = sorted(forms, key=lambda k: (-sum(self.count[t] for t in forms[k]), k))
        parent = {key: key for key in keys}

        def root(key: Tokens) -> Tokens:
            while parent[key] != key:
                parent[key] = parent[parent[key]]
                key = parent[key]
            return key

        of = {text: key for key, members in forms.items() for text in members}
        for one, other in () if self.apart else self._neighbours():
            if one in of and other in of:
                parent[root(of[other])] = root(of[one])
        heads: list[Tokens] = []
        for key in keys:
            mine = root(key)
            if mine != key and any(root(head) == mine for head in heads):
                continue
            for head in heads:
                if root(head) != mine and self._alike(head, key) >= self.least:
                    parent[mine] = root(head)
                    break
            else:
                heads.append(key)
        clusters: dict[Tokens, list[str]] = defaultdict(list)
        for key in keys:
            clusters[root(key)] += forms[key]
        return list(clusters.values())

    def _neighbours(self) -> Iterable[tuple[str, str]]:
        """Lines of one observation that follow each other and have the same signs."""
        for one, other in zip(self.lines, self.lines[1:], strict=False):
            if (one.episode, one.at) != (other.episode, other.at) or one.text == other.text:
                continue
            if _signs(one.text) == _signs(other.text):
                shared = self._alike(self._masked(one.text), self._masked(other.text))
                if shared >= _ALIKE / 2 or len(tokens(one.text)) == len(tokens(other.text)) <= 3:
                    yield one.text, other.text

    def _alike(self, one: Tokens, other: Tokens) -> float:
        shared = sum(self._weight(token) for token in common(one, other))
        most = max(sum(map(self._weight, one)), sum(map(self._weight, other)))
        return shared / most if most else 1.0

    def _weight(self, token: str) -> float:
        return 0.2 if token == _GAP else self.weight[token]

    # ------------------------------------------------------------------ anti-unification
    def _template(self, cluster: Sequence[str]) -> Template:
        """Return what the lines have in common, but for those that are too different."""
        members = sorted(cluster, key=lambda t: (-self.count[t], t))
        if len(members) == 1 and not any(self.weight[t] <= _NEVER for t in tokens(members[0])):
            return Template(literal_text(members[0]))
        constant = [t for t in tokens(members[0]) if self.weight[t] > _NEVER]
        inside = [members[0]]
        least = _ALIKE / 2 * sum(map(self._weight, constant))
        for text in members[1:]:
            shared = common(tuple(constant), tokens(text))
            if sum(map(self._weight, shared)) >= least:
                constant = list(shared)
                inside.append(text)
        gaps = {text: _gaps(text, constant) for text in inside}
        filled = {text: tuple(map(bool, each)) for text, each in gaps.items()}
        usual = Counter(filled.values()).most_common(1)[0][0]
        alike = [text for text in inside if filled[text] == usual]
        return _template_around(alike, constant, [gaps[text] for text in alike], self.words)


def _with_lists(template: Template, values: Sequence[tuple[str, ...]]) -> Template:
    """Return a template with one slot for each run of slots that are items of a list."""
    columns = [Counter(column) for column in zip(*values, strict=True)]
    parts, _ = pieces(template.text)
    out = [literal_text(parts[0])]
    few: dict[str, tuple[str, ...]] = {}
    lists: set[str] = set()
    number = 0
    for i, column in enumerate(columns):
        item = i > 0 and parts[i] == ", " and _of_one_kind(columns[i - 1], column)
        if item:
            out[-1] = ""
            lists.add(str(number))
            few.pop(str(number), None)
        else:
            number += 1
            out.append(f"{{{number}}}")
            if closed := template.few.get(str(i + 1)):
                few[str(number)] = closed
            if sum(", " in value for value in column) > 1:
                lists.add(str(number))
        out.append(literal_text(parts[i + 1]))
    lists_of = (columns[i] for i in range(len(columns)) if str(i + 1) in lists)
    joint = next(filter(None, map(_joint, lists_of)), "") if number == len(columns) else ""
    return Template("".join(out), few, frozenset(lists), joint=joint)


def _joint(lists: Iterable[str]) -> str:
    """Return the word that stands before the last item of nearly all lists, and of no other."""
    several = [value.split(", ") for value in lists if ", " in value]
    middle = Counter(word for *_, last in several for word in set(tokens(last)[1:-1]))
    word, count = max(middle.items(), key=lambda x: (x[1], x[0]), default=("", 0))
    early = any(word in tokens(item)[1:-1] for *items, _ in several for item in items)
    return "" if early or len(several) < 2 or count < _KEYED * len(several) else word


def _of_one_kind(one: Counter[str], other: Counter[str]) -> bool:
    """Whether the values of two slots are drawn from one set: a share of them are the same."""
    shared = len(set(one) & set(other))
    return shared > 1 and shared * 4 >= min(len(one), len(other))


def _signs(text: str) -> Tokens:
    """Return the signs of a line, but for commas, which part the items of a list."""
    return tuple(t for t in tokens(text) if not t[0].isalnum() and t != ",")


def common(one: Sequence[str], other: Sequence[str]) -> Tokens:
    """Return a longest common subsequence.

    Rows of lengths are bits of integers (Hyyrö 2004), so that long lines take no longer than
    they have to.
    """
    width = len(other)
    places: dict[str, int] = defaultdict(int)
    for at, token in enumerate(reversed(other)):
        places[token] |= 1 << at
    full = (1 << width) - 1
    row = full
    rows = [0]  # a bit is set where one more token of ``other``, from its end, is common
    for token in reversed(one):
        both = row & places.get(token, 0)
        row = ((row + both) | (row - both)) & full
        rows.append(full ^ row)
    rows.reverse()
    out: list[str] = []
    i = j = 0
    left = rows[0].bit_count()
    while left:
        if one[i] == other[j]:
            out.append(one[i])
            i, j, left = i + 1, j + 1, left - 1
        elif (rows[i + 1] & ((1 << (width - j)) - 1)).bit_count() == left:
            i += 1
        else:
            j += 1
    return tuple(out)


def _gaps(text: str, constant: Sequence[str]) -> list[list[tuple[int, int]]]:
    """Return the spans of the tokens before, between and behind the constant ones."""
    gaps: list[list[tuple[int, int]]] = [[]]
    at = 0
    for begin, end in spans(text):
        if at < len(constant) and text[begin:end] == constant[at]:
            at += 1
            gaps.append([])
        else:
            gaps[-1].append((begin, end))
    return gaps


def _template_around(
    texts: Sequence[str],
    constant: Sequence[str],
    gaps: Sequence[Sequence[Sequence[_Span]]],
    words: _Words,
) -> Template:
    """Write the template after the first example, with slots for each gap."""
    text, places = texts[0], spans(texts[0])
    out: list[str] = []
    few: dict[str, tuple[str, ...]] = {}
    end = at = slot = 0
    for i in range(len(constant) + 1):
        width = len(gaps[0][i])
        if width:
            values = [[each[b:e] for b, e in gap[i]] for each, gap in zip(texts, gaps, strict=True)]
            for first, last, closed in _parts(values, words):
                if len(closed) == 1 and closed[0] not in words.fillers:
                    out.append(literal_text(text[end : places[at + last][1]]))
                    end = places[at + last][1]
                    continue
                slot += 1
                begin, stop = places[at + first][0], places[at + last][1]
                out.append(literal_text(text[end:begin]) + f"{{{slot}}}")
                end = stop
                if closed:
                    few[str(slot)] = closed
            at += width
        if i < len(constant):
            out.append(literal_text(text[end : places[at][1]]))
            end = places[at][1]
            at += 1
    return Template("".join(out) + literal_text(text[end:]), few)


def _parts(
    values: Sequence[Sequence[str]], words: _Words
) -> list[tuple[int, int, tuple[str, ...]]]:
    """Cut a gap into slots: first and last token in the first example, values if few.

    Numbers, and words of a small set, are slots of their own at either end of a gap, unless what
    stands there is used as one argument.
    """
    front: list[tuple[int, int, tuple[str, ...]]] = []
    back: list[tuple[int, int, tuple[str, ...]]] = []
    left = [list(each) for each in values]
    while all(len(each) > 1 for each in left) and not _whole(left, words.phrases):
        for ends, index in ((front, 0), (back, -1)):
            closed = _few([each[index] for each in left])
            if closed is not None:
                at = len(front) if index == 0 else len(values[0]) - 1 - len(back)
                ends.append((at, at, closed))
                for each in left:
                    each.pop(index)
                break
        else:
            break
    whole = _few([" ".join(each) for each in left]) if all(len(e) == 1 for e in left) else None
    middle = (len(front), len(values[0]) - 1 - len(back), whole or ())
    return [*front, middle, *reversed(back)]


def _whole(values: Sequence[Sequence[str]], phrases: frozenset[str]) -> bool:
    distinct = {" ".join(each) for each in values}
    used = len(distinct & phrases)
    return used >= _LEAST_FORM or used * _PHRASES >= len(distinct)


def _few(words: Sequence[str]) -> tuple[str, ...] | None:
    """Return the values of a token that is a slot of its own; empty for numbers; else None."""
    if all(map(has_digit, words)):
        return ()
    distinct = Counter(words)
    if len(words) >= 6 and len(distinct) <= min(6, len(words) // 3) and min(distinct.values()) > 1:
        return tuple(sorted(distinct))
    return None
