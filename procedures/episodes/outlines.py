"""Lines under headings: sections, records of several lines, rows below a heading.

A heading repeats within a result, and the lines up to the next heading belong to it. A line under a
heading has the heading's fields. A heading has the fields of the lines that stand under it once, so
a record of several lines is one fact.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from .fact import UNREAD, Fact

_LEAST_RESULTS = 2
"""Results in which a heading repeats; fewer may be chance."""
_HEADED = 0.8
"""Least share of the headings that another kind of line follows, and of the results in which a
heading repeats."""
_INNER = re.compile(r"(\d+) of (.+)", re.DOTALL)


def field_under(kind: str, slot: str) -> str:
    """Return the name of a heading's field in the lines below it, and the reverse."""
    return f"{slot} of {kind}"


def inner_field(name: str) -> tuple[str, str] | None:
    """Return slot and kind of a field of another line; None for a line's own field."""
    match = _INNER.fullmatch(name)
    return (match[1], match[2]) if match else None


def learn_outline(results: Iterable[Sequence[str]]) -> dict[str, frozenset[str]]:
    """Map each kind that is a heading to the kinds of the lines under it.

    Args:
        results: For each result the kinds of its lines, in order.
    """
    result_count: Counter[str] = Counter()
    repeat_count: Counter[str] = Counter()
    heading_count: Counter[str] = Counter()
    followed_count: Counter[str] = Counter()
    kinds_before: dict[str, set[str]] = defaultdict(set)
    kinds_under: dict[str, set[str]] = defaultdict(set)
    for kinds in results:
        positions_by_kind: dict[str, list[int]] = defaultdict(list)
        for at, kind in enumerate(kinds):
            positions_by_kind[kind].append(at)
        for kind, positions in positions_by_kind.items():
            result_count[kind] += 1
            repeat_count[kind] += len(positions) > 1
            if len(positions) > 1:
                heading_count[kind] += len(positions)
                followed_count[kind] += sum(
                    at + 1 < len(kinds) and kinds[at + 1] != kind for at in positions
                )
                kinds_before[kind].update(kinds[: positions[0]])
                kinds_under[kind].update(kinds[positions[0] : positions[-1]])
    members_by_heading: dict[str, frozenset[str]] = {}
    for kind in sorted(repeat_count):
        members = kinds_under[kind] - {kind, UNREAD}
        if (
            "{" in kind
            and repeat_count[kind] >= max(_LEAST_RESULTS, _HEADED * result_count[kind])
            and followed_count[kind] >= _HEADED * heading_count[kind]
            and members
            and not members & kinds_before[kind]
        ):
            members_by_heading[kind] = frozenset(members)
    return members_by_heading


def facts_of_outline(
    lines: Sequence[Sequence[Fact]], over: Mapping[str, frozenset[str]]
) -> tuple[Fact, ...]:
    """Return the facts of lines, each with the fields of its heading or of the lines under it.

    Args:
        lines: Facts of each line, its own first.
        over: Heading → kinds of the lines under it.
    """
    lines_under: dict[int, list[int]] = {}
    headings_of: dict[int, list[int]] = defaultdict(list)
    open_headings: dict[str, int] = {}
    for at, facts in enumerate(lines):
        kind = facts[0].kind
        for head, members in over.items():
            if kind == head:
                open_headings[head] = at
                lines_under[at] = []
            elif kind not in members:
                open_headings.pop(head, None)
            elif head in open_headings:
                lines_under[open_headings[head]].append(at)
                headings_of[at].append(open_headings[head])
    if not lines_under:
        return tuple(fact for facts in lines for fact in facts)
    facts_with_fields: list[Fact] = []
    for at, facts in enumerate(lines):
        inherited: dict[str, str] = {}
        counts = Counter(lines[below][0].kind for below in lines_under.get(at, ()))
        once = [lines[b][0] for b in lines_under.get(at, ()) if counts[lines[b][0].kind] == 1]
        for other in (*(lines[head][0] for head in headings_of[at]), *once):
            for slot, value in other.fields.items():
                inherited[field_under(other.kind, slot)] = value
        facts_with_fields += [
            Fact(f.kind, {**f.fields, **inherited}, f.raw) if inherited else f for f in facts
        ]
    return tuple(facts_with_fields)
