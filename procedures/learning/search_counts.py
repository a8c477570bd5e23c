"""Search statistics: what kind of thing was found at what kind of place, and at what cost.

These counts are evidence, not knowledge: they go to the ledger, one row a pair of kinds.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..conditions.text_patterns import renamed
from ..planning.search_statistics import ANY, OBSTRUCTED, SEARCH, VISITS, pair
from ..words.lexicon import Lexicon
from ..words.sentence_patterns import observation_patterns
from .analysis import Episode
from .drafts import Draft
from .guards import variable_name

__all__ = ["SearchCount", "search_counts"]


@dataclass(frozen=True, slots=True)
class SearchCount:
    """One row of evidence: how often a kind was found at a kind of place, and how often not."""

    subject: str
    binding: str
    successes: float
    failures: float


def search_counts(
    episodes: Iterable[Episode], drafts: Mapping[str, Draft], lexicon: Lexicon
) -> list[SearchCount]:
    """Count finds and obstructions over all first visits of places.

    Args:
        episodes: Parsed episodes.
        drafts: Draft procedures; those with a searched variable say what is sought and how.
        lexicon: Tells kinds.

    Returns:
        Rows for the ledger in a stable order.
    """
    sought, looking, blocked_by = _search_vocabulary(drafts)
    found: Counter[tuple[str, str]] = Counter()
    visits: Counter[str] = Counter()
    finds: Counter[str] = Counter()
    obstructed: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for episode in episodes:
        contents: dict[str, set[str]] = {}
        for t, (frame, arguments) in enumerate(episode.actions):
            if frame not in looking or len(arguments) != 1:
                continue
            place = arguments[0]
            kind = lexicon.kind(place)
            names = {place: variable_name(0)}
            observation = episode.trajectory.obs[t + 1]
            if not blocked_by.isdisjoint(observation_patterns(lexicon, observation, names)):
                obstructed[kind] += 1
                continue
            seen[kind] += 1
            inside = {lexicon.kind(e) for e in episode.mentions[t + 1] if e != place}
            contents.setdefault(place, inside)
        for place, kinds in contents.items():
            kind = lexicon.kind(place)
            visits[kind] += 1
            for thing in kinds & sought:
                found[thing, kind] += 1
                finds[kind] += 1
    rows = [
        SearchCount(SEARCH, pair(thing, place), count, visits[place] - count)
        for (thing, place), count in sorted(found.items())
    ]
    for place in sorted(visits):
        chances = visits[place] * max(1, len(sought))
        rows.append(SearchCount(SEARCH, pair(ANY, place), finds[place], chances - finds[place]))
        rows.append(SearchCount(VISITS, place, visits[place], 0))
    rows.extend(
        SearchCount(OBSTRUCTED, place, obstructed[place], seen[place])
        for place in sorted(set(obstructed) | set(seen))
    )
    return rows


def _search_vocabulary(drafts: Mapping[str, Draft]) -> tuple[set[str], set[str], set[str]]:
    """Kinds that are searched for, frames that look for them, patterns that obstruct them."""
    sought: set[str] = set()
    looking: set[str] = set()
    blocked_by: set[str] = set()
    uses: dict[str, int] = defaultdict(int)
    for draft in drafts.values():
        for variable, carrier in draft.found_via.items():
            sought.update(draft.kinds[variable])
            for step in draft.steps:
                frame, used = step.signature
                if used != (carrier,) or frame == draft.final:
                    continue
                looking.add(frame)
                uses[frame] += step.support
                guard = step.guard
                if guard is not None and guard.when and guard.when.startswith("observed("):
                    pattern = json.loads(guard.when[len("observed(") : -1])
                    first = "{" + variable_name(0) + "}"
                    blocked_by.add(renamed(pattern, {variable_name(carrier): first}))
    return sought, looking, blocked_by
