"""Lines that stand under other lines: sections, records of several lines, rows below a heading.

A heading repeats within a result, and what stands between two headings belongs to the first of
them. A line under a heading has the heading's fields, and a heading has the fields of the lines
that stand under it once: so a record of several lines is one fact.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from .fact import UNREAD, Fact

__all__ = ["facts_of_outline", "field_under", "inner_field", "learn_outline"]

_LEAST_RESULTS = 2
_HEADED = 0.8
"""Share of the headings behind which something else has to stand, and of the results in which a
heading repeats."""
_INNER = re.compile(r"(\d+) of (.+)", re.DOTALL)


def field_under(kind: str, slot: str) -> str:
    """Return the name that a field of a heading has in the lines below it, and the other way."""
    return f"{slot} of {kind}"


def inner_field(name: str) -> tuple[str, str] | None:
    """Return slot and kind of a field that another line tells; None of a line's own."""
    match = _INNER.fullmatch(name)
    return (match[1], match[2]) if match else None


def learn_outline(results: Iterable[Sequence[str]]) -> dict[str, frozenset[str]]:
    """Return the kinds that are headings, with the kinds of the lines that stand under them.

    Args:
        results: For each result the kinds of its lines, in order.
    """
    number: Counter[str] = Counter()
    repeats: Counter[str] = Counter()
    occurrences: Counter[str] = Counter()
    headed: Counter[str] = Counter()
    early: dict[str, set[str]] = defaultdict(set)
    under: dict[str, set[str]] = defaultdict(set)
    for kinds in results:
        places: dict[str, list[int]] = defaultdict(list)
        for at, kind in enumerate(kinds):
            places[kind].append(at)
        for kind, own in places.items():
            number[kind] += 1
            repeats[kind] += len(own) > 1
            if len(own) > 1:
                occurrences[kind] += len(own)
                headed[kind] += sum(at + 1 < len(kinds) and kinds[at + 1] != kind for at in own)
                early[kind].update(kinds[: own[0]])
                under[kind].update(kinds[own[0] : own[-1]])
    out: dict[str, frozenset[str]] = {}
    for kind in sorted(repeats):
        members = under[kind] - {kind, UNREAD}
        if (
            "{" in kind
            and repeats[kind] >= max(_LEAST_RESULTS, _HEADED * number[kind])
            and headed[kind] >= _HEADED * occurrences[kind]
            and members
            and not members & early[kind]
        ):
            out[kind] = frozenset(members)
    return out


def facts_of_outline(
    lines: Sequence[Sequence[Fact]], over: Mapping[str, frozenset[str]]
) -> tuple[Fact, ...]:
    """Return the facts of lines, each with the fields that it has from its place.

    Args:
        lines: Facts of each line, its own first.
        over: Headings, and the kinds that stand under them.
    """
    groups: dict[int, list[int]] = {}
    heads: dict[int, list[int]] = defaultdict(list)
    current: dict[str, int] = {}
    for at, facts in enumerate(lines):
        kind = facts[0].kind
        for head, members in over.items():
            if kind == head:
                current[head] = at
                groups[at] = []
            elif kind not in members:
                current.pop(head, None)
            elif head in current:
                groups[current[head]].append(at)
                heads[at].append(current[head])
    if not groups:
        return tuple(fact for facts in lines for fact in facts)
    out: list[Fact] = []
    for at, facts in enumerate(lines):
        more: dict[str, str] = {}
        counts = Counter(lines[below][0].kind for below in groups.get(at, ()))
        once = [lines[b][0] for b in groups.get(at, ()) if counts[lines[b][0].kind] == 1]
        for other in (*(lines[head][0] for head in heads[at]), *once):
            for slot, value in other.fields.items():
                more[field_under(other.kind, slot)] = value
        out += [Fact(f.kind, {**f.fields, **more}, f.raw) if more else f for f in facts]
    return tuple(out)
