"""Readings of a task in people's own words, as candidates beside those of goal templates."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from ..procedures.planning.episode_memory import EpisodeMemory
from .context import MaclaContext
from .phases import Candidate
from .plan_progress import reading_key
from .state import MaclaState

_FREE = 0.15
"""Share of a task's word weights that it costs to be in nobody's template."""
_READINGS = 12
"""Most readings that are offered at a time."""
_SOUGHT = 0.02
"""What is left of a reading's probability when a kind that it needs was looked for in vain."""


def worded_candidates(
    state: MaclaState,
    memory: EpisodeMemory,
    nothing: float,
    templated: Sequence[Candidate],
    context: MaclaContext,
) -> list[Candidate]:
    """Add the readings of the lexicon of goals to the candidates of goal templates.

    That the task is worded freely is one more hypothesis; the lexicon divides its probability
    among readings. What was carried out in vain comes last, and a reading that needs what was
    looked for and does not exist hardly counts.

    Args:
        state: The episode.
        memory: Its memory.
        nothing: Cost of the hypothesis that no template is meant.
        templated: Candidates of goal templates.
        context: Knowledge and settings.
    """
    knowledge = context.knowledge
    if not knowledge.reader:
        return list(templated)
    things = Counter(memory.kind_of(entity) for entity in memory.initial)
    present = {memory.kind_of(entity) for entity in memory.known}
    missing = set(state["readings"]["wanted_kinds"]) - present
    refuted = state["readings"]["refuted"]
    similar = {candidate["ref"]: candidate["similarity"] for candidate in templated}
    # What sentences say for a thing is no thing's name, though it stands in a template's slot.
    named = [
        candidate
        for candidate in templated
        if not any(
            knowledge.reader.is_wording(filler) and filler not in present
            for filler in (candidate["reading"] or {"fillers": {}})["fillers"].values()
        )
    ]
    rated = []
    for reading in knowledge.reader.readings(memory.task, things, present):
        lost = sum(kind in missing for kind in reading.fillers.values())
        rated.append((reading.probability * _SOUGHT**lost, reading))
    rated.sort(key=lambda item: -item[0])
    fresh: list[Candidate] = []
    tried: list[Candidate] = []
    for probability, reading in rated:
        if len(fresh) >= _READINGS:
            break
        meta = knowledge.metas[reading.plan]
        key = reading_key(meta, reading.fillers)
        candidate: Candidate = {
            "kind": "meta",
            "ref": meta.ref,
            "similarity": similar.get(meta.ref, 0.0),
            "reading": {
                "key": key,
                "goal": knowledge.instance(meta.ref, "meta", reading.fillers),
                "fillers": dict(reading.fillers),
                "cost": round(_FREE * nothing - math.log(max(probability, 1e-30)), 6),
                "nothing": round(nothing, 6),
                "said": None,
                "template": "",
                "refuted": 0.0,
            },
        }
        (tried if key in refuted else fresh).append(candidate)
    return [*named, *(fresh or tried[:_READINGS])]
