"""Attempts whose things the preconditions allow, and the variant of a procedure for them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from ..procedures.model.procedure import Procedure
from ..procedures.planning.binding_search import (
    Attempt,
    Request,
    SearchMemory,
    binding_key,
    next_attempt,
)
from ..procedures.planning.episode_memory import EpisodeMemory
from .knowledge import Knowledge

_MOST_REFUSED = 20
"""Bindings that preconditions may refuse before a procedure is refused as a whole."""


def suited(
    procedure: Procedure,
    request: Request,
    memory: EpisodeMemory,
    search: SearchMemory,
    knowledge: Knowledge,
) -> tuple[Attempt | None, Procedure, str | None]:
    """Choose an attempt whose things the preconditions allow, and the variant for them.

    Returns:
        The attempt, what it runs, and, without an attempt, why things were refused, if they were.
    """
    refused: str | None = None
    for _ in range(_MOST_REFUSED):
        attempt = next_attempt(procedure, request, memory, search, knowledge.evidence)
        if attempt is None or attempt.purpose != "run":
            return attempt, procedure, refused
        special, own = specialised(procedure, attempt, request, memory, knowledge)
        because = _refusal(special, own.binding, request.bound, memory)
        if because is None:
            return own, special, None
        refused = because
        tried = request.tried | {binding_key(attempt.binding)}
        request = dataclasses.replace(request, tried=tried)
    return None, procedure, refused


def _refusal(
    procedure: Procedure,
    binding: Mapping[str, str],
    bound: Mapping[str, str],
    memory: EpisodeMemory,
) -> str | None:
    """Say why preconditions refuse things that were chosen, or None."""
    chosen = binding.keys() - bound.keys()
    for condition in procedure.preconditions:
        if chosen & condition.parameters():
            verdict = condition.evaluate(memory, binding)
            if verdict.value is False:
                return verdict.because
    return None


def specialised(
    procedure: Procedure,
    attempt: Attempt,
    request: Request,
    memory: EpisodeMemory,
    knowledge: Knowledge,
) -> tuple[Procedure, Attempt]:
    """Return the variant that is for the things of an attempt, if there is one, and its attempt."""
    special = knowledge.variant(procedure, attempt.binding, memory)
    if special is None:
        return procedure, attempt
    own = Request(attempt.binding, {}, taken=request.taken)
    again = next_attempt(special, own, memory, SearchMemory(), knowledge.evidence)
    if again is None or again.purpose != "run":
        return procedure, attempt
    return special, dataclasses.replace(again, route=attempt.route)
