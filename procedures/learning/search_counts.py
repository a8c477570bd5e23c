"""Search statistics: which kinds of entities were found at which kinds of places.

These counts are evidence and go to the ledger, one row per pair of kinds.
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
        drafts: Draft procedures; those with a searched variable define what is searched and how.
        lexicon: Tells kinds.

    Returns:
        Rows for the ledger in a stable order.
    """
    searched_kinds, looking_frames, blocking_patterns = _search_vocabulary(drafts)
    find_count_by_pair: Counter[tuple[str, str]] = Counter()
    visit_count: Counter[str] = Counter()
    find_count: Counter[str] = Counter()
    obstruction_count: Counter[str] = Counter()
    look_count: Counter[str] = Counter()
    for episode in episodes:
        kinds_by_place: dict[str, set[str]] = {}
        for t, (frame, arguments) in enumerate(episode.actions):
            if frame not in looking_frames or len(arguments) != 1:
                continue
            place = arguments[0]
            kind = lexicon.kind(place)
            names = {place: variable_name(0)}
            observation = episode.trajectory.obs[t + 1]
            if not blocking_patterns.isdisjoint(observation_patterns(lexicon, observation, names)):
                obstruction_count[kind] += 1
                continue
            look_count[kind] += 1
            inside = {lexicon.kind(e) for e in episode.mentions[t + 1] if e != place}
            kinds_by_place.setdefault(place, inside)
        for place, kinds in kinds_by_place.items():
            kind = lexicon.kind(place)
            visit_count[kind] += 1
            for thing in kinds & searched_kinds:
                find_count_by_pair[thing, kind] += 1
                find_count[kind] += 1
    rows = [
        SearchCount(SEARCH, pair(thing, place), count, visit_count[place] - count)
        for (thing, place), count in sorted(find_count_by_pair.items())
    ]
    for place in sorted(visit_count):
        chances = visit_count[place] * max(1, len(searched_kinds))
        rows.append(
            SearchCount(SEARCH, pair(ANY, place), find_count[place], chances - find_count[place])
        )
        rows.append(SearchCount(VISITS, place, visit_count[place], 0))
    rows.extend(
        SearchCount(OBSTRUCTED, place, obstruction_count[place], look_count[place])
        for place in sorted(set(obstruction_count) | set(look_count))
    )
    return rows


def _search_vocabulary(drafts: Mapping[str, Draft]) -> tuple[set[str], set[str], set[str]]:
    """Return the searched kinds, the frames that look into places, and the blocking patterns."""
    searched_kinds: set[str] = set()
    looking_frames: set[str] = set()
    blocking_patterns: set[str] = set()
    uses: dict[str, int] = defaultdict(int)
    for draft in drafts.values():
        for variable, carrier in draft.found_via.items():
            searched_kinds.update(draft.kinds[variable])
            for step in draft.steps:
                frame, variables = step.signature
                if variables != (carrier,) or frame == draft.final:
                    continue
                looking_frames.add(frame)
                uses[frame] += step.support
                guard = step.guard
                if guard is not None and guard.when and guard.when.startswith("observed("):
                    pattern = json.loads(guard.when[len("observed(") : -1])
                    first = "{" + variable_name(0) + "}"
                    blocking_patterns.add(renamed(pattern, {variable_name(carrier): first}))
    return searched_kinds, looking_frames, blocking_patterns
