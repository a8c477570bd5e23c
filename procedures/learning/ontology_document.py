"""Write a world's learned words as the document of ``ontology.yaml``."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..conditions.text_patterns import escape
from ..episodes.verbs import verb_end
from ..planning.world_model import THING
from ..words.function_words import FUNCTION_WORDS
from ..words.lexicon import Lexicon, fill_frame, slots, verb_of
from ..words.unknown_names import Names
from .abstraction import FrameOutcomes, slug
from .analysis import Episode
from .instructions import TASK, Instructions, Rule


@dataclass(slots=True)
class WorldModel:
    """A learned model of a world, besides procedures and plans.

    Attributes:
        effects: Frame → acts, moves or reveals.
        needs: Frame → argument position → operators that come first.
        places: Frame → heading of the place where it is done.
        reverse: Move → the move that leads back.
        things: Frame that moves or reveals → position → entities it was used on.
        heading: Pattern of the headings of places; empty if they have no common form.
        names: Words that stand around names in text.
        closed: (frame, position) whose entities are all known.
        instructions: Rules for reading instructions.
        failures: Answers which mean that an action did not work.
        clusters: Words that mean nearly the same, the most frequent of each cluster first.
    """

    effects: dict[str, str] = field(default_factory=dict)
    needs: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    reverse: dict[str, str] = field(default_factory=dict)
    things: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    heading: str = ""
    names: Names | None = None
    closed: set[tuple[str, int]] = field(default_factory=set)
    instructions: Instructions = field(default_factory=Instructions)
    failures: Sequence[str] = ()
    clusters: list[tuple[str, ...]] = field(default_factory=list)


def operator_names(lexicon: Lexicon, episodes: Sequence[Episode]) -> dict[str, str]:
    """Map each frame to the id of its operator; all frames of one verb are one operator."""
    uses = Counter(frame for episode in episodes for frame, _ in episode.actions)
    verb_at = verb_end([episode.trajectory for episode in episodes])
    verbs: dict[str, list[str]] = defaultdict(list)
    for frame in sorted(lexicon.frames, key=lambda f: (-uses[f], f)):
        verbs[verb_of(frame, verb_at)].append(frame)
    names: dict[str, str] = {}
    for frames in verbs.values():
        # Frames without a slot in common are different actions that share a word.
        identifier = slug(frames[0], names.values())
        names.update(dict.fromkeys(frames, identifier))
    return names


def word_counts(episodes: Sequence[Episode], lexicon: Lexicon) -> Counter[str]:
    """Count kinds by the actions on them, and the words of tasks; no function words."""
    counts: Counter[str] = Counter()
    for episode in episodes:
        for _, arguments in episode.actions:
            counts.update(lexicon.kind(argument) for argument in arguments)
        task_tokens = lexicon.chunk(episode.trajectory.task)
        counts.update(w for w in task_tokens if w in lexicon.kinds or w not in FUNCTION_WORDS)
    return Counter({w: n for w, n in counts.items() if any(map(str.isalpha, w))})


def ontology_document(
    lexicon: Lexicon,
    episodes: Sequence[Episode],
    outcomes: FrameOutcomes,
    world: WorldModel,
) -> dict[str, Any]:
    """Write entities, operators and instructions."""
    names = operator_names(lexicon, episodes)
    document: dict[str, Any] = {
        "kind": "ontology",
        "version": 1,
        "entities": {
            "shape": "kind and number" if lexicon.numbered else "phrase",
            "kinds": sorted(lexicon.kinds),
        },
        "operators": _operators(lexicon, names, outcomes, world),
    }
    if world.names is not None:
        document["entities"]["stand"] = {
            key: sorted(tokens)
            for key in ("before", "after", "inside", "words")
            if (tokens := getattr(world.names, key))
        }
    instructions = [_instruction(rule, names, world) for rule in world.instructions.rules]
    if instructions:
        document["instructions"] = instructions
    if world.failures:
        document["failures"] = list(world.failures)
    if world.clusters:
        # The first word names it; the others are a set.
        document["clusters"] = [
            {"name": name, "words": [name, *sorted(others)]}
            for name, *others in sorted(world.clusters)
        ]
    return document


def _operators(
    lexicon: Lexicon, names: Mapping[str, str], outcomes: FrameOutcomes, world: WorldModel
) -> dict[str, Any]:
    """Return id → entry of each operator, with what is known of its frames."""
    operators: dict[str, Any] = {}
    for frame, identifier in names.items():
        operator = operators.setdefault(identifier, {"frames": [], "effect": ""})
        operator["frames"].append(frame)
        operator["effect"] = operator["effect"] or world.effects.get(frame, "acts")
        if outcomes.get(frame):
            operator.setdefault("outcomes", {})[frame] = list(outcomes[frame])
        if frame in world.needs:
            operator.setdefault("needs", {})[frame] = {
                str(position): required_frames
                for position, required_frames in world.needs[frame].items()
            }
        if frame in world.things:
            operator.setdefault("things", {})[frame] = {
                str(position): entities for position, entities in world.things[frame].items()
            }
        if world.heading and world.effects.get(frame) == "moves":
            operator["heading"] = world.heading
        if frame in world.places:
            operator.setdefault("at", {})[frame] = world.places[frame]
        if world.instructions.fixed.get(frame):
            operator["fixed_text"] = world.instructions.fixed[frame]
    for move, back in world.reverse.items():
        frame = lexicon.parse(move)[0]
        if frame in names:
            operators[names[frame]].setdefault("reverse", {})[move] = back
    return dict(sorted(operators.items()))


def _instruction(rule: Rule, names: Mapping[str, str], world: WorldModel) -> dict[str, Any]:
    action = rule.action
    count = slots(action.frame)
    fixed = action.others or tuple(None for _ in range(count))
    placeholders = [
        "{" + THING + "}" if i == action.position else "*" if entity is None else escape(entity)
        for i, entity in enumerate(fixed)
    ]
    document: dict[str, Any] = {
        "source": TASK if rule.source == TASK else names[rule.source],
        "cue": rule.cue.to_pattern(THING),
        "do": fill_frame(action.frame, placeholders),
    }
    if rule.unless_word:
        phrases = [rule.unless_word, *(f"{rule.unless_word} {b}" for b in rule.between)]
        document["unless"] = " or ".join(f'ever("*{words} {{{THING}}}*")' for words in phrases)
    document["support"] = rule.support
    document["confidence"] = round(rule.confidence, 3)
    if rule.cue.word:
        document["word"] = rule.cue.word
    if rule.source in world.instructions.in_order:
        document["in_order"] = True
    if (action.frame, action.position) in world.closed:
        document["known"] = True
    return document
