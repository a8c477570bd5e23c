"""Read instructions: which actions does a text call for, on what, in which order?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .clauses import clauses
from .episode import EpisodeMemory
from .world import ReadingRule, World

__all__ = ["Call", "read_instructions"]

_LONGEST_NAME = 4
_TASK = "task"


@dataclass(frozen=True, slots=True)
class Call:
    """One action that a text calls for.

    Attributes:
        frame: Frame of the action.
        arguments: Position → entity, for those that are known.
        because: The clause that calls for it.
        unless: Condition (its text, over ``{thing}``) under which it is left out; checked again
            when its turn comes, because by then more may have been seen.
        thing: The entity that the clause speaks of.
    """

    frame: str
    arguments: tuple[tuple[int, str], ...]
    because: str
    unless: str | None = None
    thing: str = ""


def read_instructions(world: World, memory: EpisodeMemory, source: str) -> list[Call]:
    """Apply the rules of one source to what it said in this episode.

    Args:
        world: Holds the rules.
        memory: The episode so far.
        source: ``task``, or the operator whose observations hold the text.

    Returns:
        Calls in the order they should be carried out.
    """
    rules = [rule for rule in world.rules if rule.source == source]
    found: list[tuple[float, int, Call]] = []
    seen: set[tuple[str, tuple[tuple[int, str], ...]]] = set()
    number = 0
    for text in _texts(world, memory, source):
        for clause in clauses(text):
            if clause in world.fixed_text.get(source, ()):
                continue
            for call, rule in _read_clause(clause, rules, memory):
                number += 1
                key = (call.frame, call.arguments)
                if key in seen and not rule.in_order:
                    continue
                seen.add(key)
                precedence = (
                    0.0 if rule.in_order else world.order.get(world.operator(call.frame), 0.5)
                )
                found.append((precedence, number, call))
    return [call for _, _, call in sorted(found, key=lambda item: item[:2])]


def _texts(world: World, memory: EpisodeMemory, source: str) -> Sequence[str]:
    if source == _TASK:
        return [memory.task]
    texts = memory.texts_of(lambda frame: world.operator(frame) == source)
    return list(dict.fromkeys(texts))


def _read_clause(
    clause: str, rules: Sequence[ReadingRule], memory: EpisodeMemory
) -> list[tuple[Call, ReadingRule]]:
    """The most specific cue of each action frame speaks."""
    best: dict[tuple[str, int], tuple[tuple[bool, int, float], Call, ReadingRule]] = {}
    for rule in rules:
        for entity in _things(clause, rule, memory):
            arguments = {**rule.fixed, rule.position: entity}
            unless = rule.unless.to_text() if rule.unless is not None else None
            call = Call(rule.frame, tuple(sorted(arguments.items())), clause, unless, entity)
            rank = (bool(rule.fixed), len(rule.cue.text), rule.confidence)
            key = (rule.frame, rule.position)
            if key not in best or rank > best[key][0]:
                best[key] = (rank, call, rule)
    if not best:
        return []
    # One clause asks for one thing: the longest cue that fits says what.
    longest = max(len(rule.cue.text) for _, _, rule in best.values())
    return [(call, rule) for _, call, rule in best.values() if len(rule.cue.text) == longest]


def _things(clause: str, rule: ReadingRule, memory: EpisodeMemory) -> list[str]:
    """Entities that the clause, read with this cue, speaks of; new ones are taken at its word."""
    known = [e for _, _, e in memory.lexicon.mentions(clause) if rule.cue.matches(clause, e)]
    if known:
        return list(dict.fromkeys(known))
    entity = rule.cue.entity(clause)
    if entity is None or len(entity.split()) > _LONGEST_NAME:
        return []
    if not all(part.replace("-", "").replace("'", "").isalpha() for part in entity.split()):
        return []
    return [entity]
