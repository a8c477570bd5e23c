"""Nested prints: an indented line belongs to the less indented line above it.

A line that stands once below another is a field of it, and a line is read together with all lines
above it: ``staging: > web: > ...`` has the memory of ``web`` in ``staging``, ``Team A > Ann 3`` is
one of several rows. So the owner of a value is a field beside it at any depth, in YAML, pretty
prints, outlines and trees.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .fact import UNREAD, Fact
from .lines import indented_lines
from .outlines import field_under
from .templates import ABOVE, BELOW, Line, Template, joined, literal_text
from .unification import unification

_LEAST = 2
"""Results with a line below several headings; fewer may be chance."""
_LEAST_ALONE = 2
"""Such lines that stand below no heading, from which on a single heading tells them apart."""
_NEARLY_ALL = 0.8
"""Least share of the results with a heading that is a name of its own."""
_OFTEN = 0.5
"""Least share of the results with a line below several headings."""
_ONCE = 0.9
"""Least share of the headings with exactly one such line, for it to be their field."""
_MOST_WAYS = 24
"""Most paths of headings that are spelled out; more are names, not headings."""
_DEEPEST = 12
"""Most lines above a line; deeper nests are data."""


def nested_lines(text: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return the lines of a text, each with the numbers of the lines that it belongs to."""
    result: list[tuple[str, tuple[int, ...]]] = []
    open_lines: list[tuple[int, int]] = []
    for number, (depth, line) in enumerate(indented_lines(text)):
        while open_lines and open_lines[-1][0] >= depth:
            open_lines.pop()
        result.append((line, tuple(each for _, each in open_lines)))
        open_lines.append((depth, number))
    return result


def learn_nesting(lines: Sequence[Line], kinds: Sequence[Template | None]) -> list[Template]:
    """Return the templates of headings with the lines below them, and of lines with headings.

    A line below a single heading per result is unambiguous and needs no headings, unless such lines
    stand alone as well. Headings of most results are spelled out; the general template has slots
    for them, too.

    Args:
        lines: All lines.
        kinds: Template of each line; None where none reads it.
    """
    lines_by_group: dict[tuple[Template, int], list[Line]] = defaultdict(list)
    alone = Counter(
        kind.text for line, kind in zip(lines, kinds, strict=True) if kind and not line.above
    )
    for line, kind in zip(lines, kinds, strict=True):
        if kind is None or not kind.slots or not 0 < len(line.above) <= _DEEPEST:
            continue
        if not any(ABOVE in text for text in (*line.above, kind.text)):
            lines_by_group[kind, len(line.above)].append(line)
    template_by_text: dict[str, Template] = {}
    for (kind, _), members in lines_by_group.items():
        count_by_way: dict[tuple[int, int], Counter[tuple[str, ...]]] = defaultdict(Counter)
        for line in members:
            count_by_way[line.episode, line.at][line.above] += 1
        several = sum(len(each) > 1 for each in count_by_way.values())
        if several < max(_LEAST, _OFTEN * len(count_by_way)):
            if alone[kind.text] < _LEAST_ALONE:
                continue
            kind = unification(sorted({line.text for line in members})) or kind
        numbers = [number for each in count_by_way.values() for number in each.values()]
        once = numbers.count(1) >= _ONCE * len(numbers)
        for path in _heading_paths([frozenset(each) for each in count_by_way.values()]):
            nested = _joined_template(path, None if once else kind)
            template_by_text.setdefault(nested.text, nested)
    # The template of a heading with all below it includes that of the heading alone.
    return [
        each
        for text, each in template_by_text.items()
        if f"{text}{ABOVE}{BELOW}" not in template_by_text
    ]


def _heading_paths(results: Sequence[frozenset[tuple[str, ...]]]) -> Iterator[tuple[Template, ...]]:
    """Yield the templates of the headings above lines: the general path, then each single one."""
    distinct_ways = sorted(frozenset[tuple[str, ...]]().union(*results))
    forms: list[Template | None] = []
    names: list[frozenset[str]] = []
    for n, level in enumerate(zip(*distinct_ways, strict=True)):
        counts = Counter(heading for result in results for heading in {way[n] for way in result})
        names.append(frozenset(h for h, n in counts.items() if n >= _NEARLY_ALL * len(results)))
        alone = Template(literal_text(level[0])) if len(counts) == 1 else None
        forms.append(alone or unification(sorted(counts)))
    ways: dict[tuple[Template | None, ...], None] = {tuple(forms): None}
    for way in distinct_ways:
        levels = zip(way, names, forms, strict=True)
        ways[tuple(Template(literal_text(h)) if h in n else form for h, n, form in levels)] = None
    if len(ways) <= _MOST_WAYS:
        for way_forms in ways:
            path = tuple(each for each in way_forms if each is not None)
            if len(path) == len(way_forms):
                yield path


def _joined_template(path: Sequence[Template], kind: Template | None) -> Template:
    """Return the template of headings and a line below them."""
    headings = [Template(each.text) for each in path]
    if kind is None:
        return Template(f"{joined(headings, ABOVE).text}{ABOVE}{BELOW}", nested=True)
    return replace(joined([*headings, kind], ABOVE), lists=frozenset(), nested=True)


def with_nested_facts(
    templates: Sequence[Template],
    lines: Sequence[tuple[str, tuple[int, ...]]],
    facts_by_line: Sequence[tuple[Fact, ...]],
) -> list[tuple[Fact, ...]]:
    """Return the facts of each line, with those that it has together with the lines above it.

    Two of the fitting templates count: the heaviest, which is most specific, and the lightest,
    which is most general.

    Args:
        templates: Templates of nested lines, the heaviest first.
        lines: Lines as :func:`nested_lines` returns them.
        facts_by_line: The facts of each line alone, its own first.
    """
    facts_below: dict[int, list[Fact]] = defaultdict(list)
    for (_, above), facts in zip(lines, facts_by_line, strict=True):
        if above and facts[0].kind != UNREAD:
            facts_below[above[-1]].append(facts[0])
    result: list[tuple[Fact, ...]] = []
    for number, ((line, above), facts) in enumerate(zip(lines, facts_by_line, strict=True)):
        path = (*(lines[n][0] for n in above), line)
        nested_facts = [_nested_fact(each, path, facts_below[number]) for each in templates]
        fitting = [fact for fact in nested_facts if fact is not None]
        result.append((*facts, *fitting[:1], *fitting[1:][-1:]))
    return result


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
