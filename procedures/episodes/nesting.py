"""Nested prints: a line that stands further in belongs to the line above that stands less far in.

What stands below a line once is a field of it, and a line is told with all those above it, as one:
``staging: > web: > ...`` has the memory of ``web`` in ``staging``, ``Team A > Ann 3`` is one of
several rows. So what a value belongs to is a field beside it, however deep it stands: YAML, pretty
prints, outlines and trees are read alike.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from .fact import UNREAD, Fact
from .lines import indented_lines
from .outlines import field_under
from .templates import ABOVE, BELOW, Line, Template, literal_text, pieces, template_text
from .unification import unification

__all__ = ["learn_nesting", "nested_lines", "with_nested_facts"]

_LEAST = 2
"""Results in which a line has to stand below several headings."""
_NEARLY_ALL = 0.8
"""Share of the results in which a heading has to stand to be a name of its own."""
_OFTEN = 0.5
"""Share of the results in which a line has to stand below several headings."""
_ONCE = 0.9
"""Share of the headings below which a line has to stand once to be a field of them."""
_MOST_WAYS = 24
"""Ways to what stands below all of which are told; more are names, and no headings."""
_DEEPEST = 12
"""Lines above a line; deeper nests are data that nobody reads."""


def nested_lines(text: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return the lines of a text, each with the numbers of those to which it belongs."""
    out: list[tuple[str, tuple[int, ...]]] = []
    open_lines: list[tuple[int, int]] = []
    for number, (depth, line) in enumerate(indented_lines(text)):
        while open_lines and open_lines[-1][0] >= depth:
            open_lines.pop()
        out.append((line, tuple(each for _, each in open_lines)))
        open_lines.append((depth, number))
    return out


def learn_nesting(lines: Sequence[Line], kinds: Sequence[Template | None]) -> list[Template]:
    """Return the templates of headings with what stands below them, and of lines with headings.

    A line that stands below one heading in a result needs nothing above it to be told apart.
    Headings that most results have are spelled out; in what is told of all ways alike they are
    slots, too.

    Args:
        lines: All lines.
        kinds: Template of each; None of a line that none reads.
    """
    groups: dict[tuple[Template, int], list[Line]] = defaultdict(list)
    for line, kind in zip(lines, kinds, strict=True):
        if kind is None or not kind.slots or not 0 < len(line.above) <= _DEEPEST:
            continue
        if not any(ABOVE in text for text in (*line.above, kind.text)):
            groups[kind, len(line.above)].append(line)
    out: dict[str, Template] = {}
    for (kind, _), members in groups.items():
        ways: dict[tuple[int, int], Counter[tuple[str, ...]]] = defaultdict(Counter)
        for line in members:
            ways[line.episode, line.at][line.above] += 1
        if sum(len(each) > 1 for each in ways.values()) < max(_LEAST, _OFTEN * len(ways)):
            continue
        numbers = [number for each in ways.values() for number in each.values()]
        once = numbers.count(1) >= _ONCE * len(numbers)
        for path in _paths([frozenset(each) for each in ways.values()]):
            nested = _joined(path, None if once else kind)
            out.setdefault(nested.text, nested)
    # What is told of a heading with all below it says all that it says alone.
    return [each for text, each in out.items() if f"{text}{ABOVE}{BELOW}" not in out]


def _paths(results: Sequence[frozenset[tuple[str, ...]]]) -> Iterator[tuple[Template, ...]]:
    """Yield the templates of headings: what stands above all lines, then each of the ways."""
    every = sorted(frozenset[tuple[str, ...]]().union(*results))
    forms: list[Template | None] = []
    names: list[frozenset[str]] = []
    for n, level in enumerate(zip(*every, strict=True)):
        counts = Counter(heading for result in results for heading in {way[n] for way in result})
        names.append(frozenset(h for h, n in counts.items() if n >= _NEARLY_ALL * len(results)))
        alone = Template(literal_text(level[0])) if len(counts) == 1 else None
        forms.append(alone or unification(sorted(counts)))
    ways: dict[tuple[Template | None, ...], None] = {tuple(forms): None}
    for way in every:
        own = zip(way, names, forms, strict=True)
        ways[tuple(Template(literal_text(h)) if h in n else form for h, n, form in own)] = None
    if len(ways) <= _MOST_WAYS:
        for known in ways:
            path = tuple(each for each in known if each is not None)
            if len(path) == len(known):
                yield path


def _joined(path: Sequence[Template], kind: Template | None) -> Template:
    """Return the template of headings, and of a line below them; slots are numbered through."""
    numbers = map(str, itertools.count(1))
    texts: list[str] = []
    names: dict[str, str] = {}
    for each in (*path, *([kind] if kind else [])):
        plain, slots = pieces(each.text)
        names = {slot: next(numbers) for slot in slots}
        texts.append(template_text(plain, names.values()))
    if kind is None:
        return Template(ABOVE.join((*texts, BELOW)), nested=True)
    few = {names[slot]: values for slot, values in kind.few.items()}
    words = frozenset(names[slot] for slot in kind.words)
    return Template(ABOVE.join(texts), few, words=words, nested=True)


def with_nested_facts(
    templates: Sequence[Template],
    lines: Sequence[tuple[str, tuple[int, ...]]],
    told: Sequence[tuple[Fact, ...]],
) -> list[tuple[Fact, ...]]:
    """Return the facts of each line, with what it tells together with those to which it belongs.

    Of the templates that read it two count: the heaviest, which names most of it, and the
    lightest, by which all ways are told alike.

    Args:
        templates: Of nested lines, the heaviest first.
        lines: As :func:`nested_lines` returns them.
        told: The facts of each line alone, its own first.
    """
    below: dict[int, list[Fact]] = defaultdict(list)
    for (_, above), facts in zip(lines, told, strict=True):
        if above and facts[0].kind != UNREAD:
            below[above[-1]].append(facts[0])
    out: list[tuple[Fact, ...]] = []
    for number, ((line, above), facts) in enumerate(zip(lines, told, strict=True)):
        path = (*(lines[n][0] for n in above), line)
        own = [_nested_fact(each, path, below[number]) for each in templates]
        nested = [fact for fact in own if fact is not None]
        out.append((*facts, *nested[:1], *nested[1:][-1:]))
    return out


def _nested_fact(template: Template, path: Sequence[str], below: Sequence[Fact]) -> Fact | None:
    values = template.read_path(path)
    if values is None:
        return None
    fields = dict(zip(template.slots, values, strict=True))
    if template.text.endswith(ABOVE + BELOW):
        counts = Counter(fact.kind for fact in below)
        once = [fact for fact in below if counts[fact.kind] == 1]
        if not once:
            return None
        fields |= {field_under(f.kind, s): value for f in once for s, value in f.fields.items()}
    return Fact(template.text, fields)
