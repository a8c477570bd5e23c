"""Read instructions: find the actions that a text calls for, their entities and their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..planning.episode_memory import EpisodeMemory
from ..planning.world_model import ReadingRule, World
from ..words.clauses import clauses
from ..words.unknown_names import LONGEST_CLAUSE

_LONGEST_NAME = 4
"""Words; longer phrases are no names."""
_TASK = "task"


@dataclass(frozen=True, slots=True)
class Call:
    """One action that a text calls for.

    Attributes:
        frame: Frame of the action.
        arguments: Position → entity, for the known ones.
        because: The clause that calls for it.
        unless: Condition (text, over ``{thing}``) under which it is left out; it is evaluated
            when the call's turn comes, with all observations by then.
        thing: The entity of the clause.
        position: Its position among the arguments.
    """

    frame: str
    arguments: tuple[tuple[int, str], ...]
    because: str
    unless: str | None = None
    thing: str = ""
    position: int = 0


def read_instructions(world: World, memory: EpisodeMemory, source: str) -> list[Call]:
    """Apply the rules of one source to its texts in this episode.

    Args:
        world: Holds the rules.
        memory: The episode so far.
        source: ``task``, or the operator whose observations hold the text.

    Returns:
        Calls in the order of execution.
    """
    rules = [rule for rule in world.rules if rule.source == source]
    ranked_calls: list[tuple[bool, int, Call]] = []
    call_keys: set[tuple[str, tuple[tuple[int, str], ...]]] = set()
    number = 0
    for clause in _clauses(world, memory, source):
        for call, rule in _read_clause(clause, rules, memory, world):
            number += 1
            key = (call.frame, call.arguments)
            if key in call_keys and not rule.in_order:
                continue
            call_keys.add(key)
            ranked_calls.append((not rule.in_order, number, call))
    return [call for _, _, call in sorted(ranked_calls, key=lambda item: item[:2])]


def unexplained(world: World, memory: EpisodeMemory, source: str) -> list[str]:
    """Return the clauses of a source that call for no action and are no fixed text."""
    rules = [rule for rule in world.rules if rule.source == source]
    return [
        clause
        for clause in _clauses(world, memory, source)
        if not _read_clause(clause, rules, memory, world)
    ]


def _clauses(world: World, memory: EpisodeMemory, source: str) -> Iterator[str]:
    """Yield the clauses of a source without its fixed text."""
    fixed_clauses = world.fixed_text.get(source, frozenset())
    for text in _texts(world, memory, source):
        for clause in clauses(text):
            # Longer clauses are no sentences, and comparing their readings takes quadratic time.
            if clause not in fixed_clauses and len(clause) <= LONGEST_CLAUSE:
                yield clause


def _texts(world: World, memory: EpisodeMemory, source: str) -> Sequence[str]:
    if source == _TASK:
        return [memory.task]
    texts = memory.texts_of(lambda frame: world.operator(frame) == source)
    return list(dict.fromkeys(texts))


def _read_clause(
    clause: str, rules: Sequence[ReadingRule], memory: EpisodeMemory, world: World
) -> list[tuple[Call, ReadingRule]]:
    """Return the calls of a clause: the best cue per frame, and the longest cue per entity."""
    best: dict[tuple[str, int, str], tuple[tuple[bool, int, float], Call, ReadingRule]] = {}
    for rule in rules:
        for entity in _things(clause, rule, memory):
            arguments = {**rule.fixed, rule.position: entity}
            unless = rule.unless.to_text() if rule.unless is not None else None
            sorted_arguments = tuple(sorted(arguments.items()))
            call = Call(rule.frame, sorted_arguments, clause, unless, entity, rule.position)
            rank = (bool(rule.fixed), len(rule.cue.text), rule.confidence)
            key = (rule.frame, rule.position, entity)
            if key not in best or rank > best[key][0]:
                best[key] = (rank, call, rule)
    if not best:
        return []
    # A clause calls for one action on each entity that it names, that of the longest cue.
    longest_matches = [
        (call, rule)
        for _, call, rule in best.values()
        if all(
            len(rule.cue.text) >= len(other.cue.text)
            for _, rival, other in best.values()
            if _overlap(call.thing, rival.thing)
        )
    ]
    # An action on one entity by means of another is one action, not two.
    direct = {world.operator(call.frame) for call, _ in longest_matches if call.position == 0}
    return [
        (call, rule)
        for call, rule in longest_matches
        if call.position == 0 or world.operator(call.frame) not in direct
    ]


def _overlap(thing: str, other: str) -> bool:
    """Tell whether two readings of a clause take (partly) the same words for the entity."""
    return f" {other} " in f" {thing} " or f" {thing} " in f" {other} "


def _things(clause: str, rule: ReadingRule, memory: EpisodeMemory) -> list[str]:
    """Return the entities that a cue finds in a clause: known ones, else a new name."""
    known_entities = [
        e for _, _, e in memory.lexicon.mentions(clause) if rule.cue.matches(clause, e)
    ]
    if known_entities or rule.known:
        return list(dict.fromkeys(known_entities))
    entity = rule.cue.entity(clause)
    if entity is None or len(entity.split()) > _LONGEST_NAME:
        return []
    if not all(part.replace("-", "").replace("'", "").isalpha() for part in entity.split()):
        return []
    return [entity]
