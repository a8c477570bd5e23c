"""Read instructions: which actions does a text call for, on what, in which order?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..planning.episode_memory import EpisodeMemory
from ..planning.world_model import ReadingRule, World
from ..words.clauses import clauses
from ..words.unknown_names import LONGEST_CLAUSE

__all__ = ["Call", "read_instructions", "unexplained"]

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
        position: Its position among the arguments.
    """

    frame: str
    arguments: tuple[tuple[int, str], ...]
    because: str
    unless: str | None = None
    thing: str = ""
    position: int = 0


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
    found: list[tuple[bool, int, Call]] = []
    seen: set[tuple[str, tuple[tuple[int, str], ...]]] = set()
    number = 0
    for clause in _clauses(world, memory, source):
        for call, rule in _read_clause(clause, rules, memory, world):
            number += 1
            key = (call.frame, call.arguments)
            if key in seen and not rule.in_order:
                continue
            seen.add(key)
            found.append((not rule.in_order, number, call))
    return [call for _, _, call in sorted(found, key=lambda item: item[:2])]


def unexplained(world: World, memory: EpisodeMemory, source: str) -> list[str]:
    """Return the clauses of a source that call for nothing, though they are not always there."""
    rules = [rule for rule in world.rules if rule.source == source]
    return [
        clause
        for clause in _clauses(world, memory, source)
        if not _read_clause(clause, rules, memory, world)
    ]


def _clauses(world: World, memory: EpisodeMemory, source: str) -> Iterator[str]:
    """Yield what a source said, but for the clauses that always stand there."""
    usual = world.fixed_text.get(source, frozenset())
    for text in _texts(world, memory, source):
        for clause in clauses(text):
            # What is longer is no sentence, and comparing its readings takes their square.
            if clause not in usual and len(clause) <= LONGEST_CLAUSE:
                yield clause


def _texts(world: World, memory: EpisodeMemory, source: str) -> Sequence[str]:
    if source == _TASK:
        return [memory.task]
    texts = memory.texts_of(lambda frame: world.operator(frame) == source)
    return list(dict.fromkeys(texts))


def _read_clause(
    clause: str, rules: Sequence[ReadingRule], memory: EpisodeMemory, world: World
) -> list[tuple[Call, ReadingRule]]:
    """The most specific cue of each action frame speaks, and for each thing the longest."""
    best: dict[tuple[str, int, str], tuple[tuple[bool, int, float], Call, ReadingRule]] = {}
    for rule in rules:
        for entity in _things(clause, rule, memory):
            arguments = {**rule.fixed, rule.position: entity}
            unless = rule.unless.to_text() if rule.unless is not None else None
            called = tuple(sorted(arguments.items()))
            call = Call(rule.frame, called, clause, unless, entity, rule.position)
            rank = (bool(rule.fixed), len(rule.cue.text), rule.confidence)
            key = (rule.frame, rule.position, entity)
            if key not in best or rank > best[key][0]:
                best[key] = (rank, call, rule)
    if not best:
        return []
    # A clause asks for one thing of each thing that it names: the longest cue that fits says what.
    spoken = [
        (call, rule)
        for _, call, rule in best.values()
        if all(
            len(rule.cue.text) >= len(other.cue.text)
            for _, rival, other in best.values()
            if _overlap(call.thing, rival.thing)
        )
    ]
    # What is done to one thing by means of another is one action, not two.
    direct = {world.operator(call.frame) for call, _ in spoken if call.position == 0}
    return [
        (call, rule)
        for call, rule in spoken
        if call.position == 0 or world.operator(call.frame) not in direct
    ]


def _overlap(thing: str, other: str) -> bool:
    """Whether two readings of a clause take (partly) the same words for the thing."""
    return f" {other} " in f" {thing} " or f" {thing} " in f" {other} "


def _things(clause: str, rule: ReadingRule, memory: EpisodeMemory) -> list[str]:
    """Entities that the clause, read with this cue, speaks of; new ones are taken at its word."""
    known = [e for _, _, e in memory.lexicon.mentions(clause) if rule.cue.matches(clause, e)]
    if known or rule.known:
        return list(dict.fromkeys(known))
    entity = rule.cue.entity(clause)
    if entity is None or len(entity.split()) > _LONGEST_NAME:
        return []
    if not all(part.replace("-", "").replace("'", "").isalpha() for part in entity.split()):
        return []
    return [entity]
