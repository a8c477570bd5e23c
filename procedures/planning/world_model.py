"""A world's actions as the ontology describes them, compiled for play."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..conditions.language import Condition
from ..conditions.text_patterns import Pattern, normalise, renamed, unescape
from ..model.ontology import Instruction, Ontology
from ..words.clauses import Cue
from ..words.lexicon import Lexicon, fill_frame, slots
from ..words.unknown_names import Names
from .place_map import heading as place_heading

_MARK = "\0"

THING = "thing"
"""Parameter name of the entity in an instruction."""


@dataclass(frozen=True, slots=True)
class ReadingRule:
    """An instruction rule, ready to be applied.

    Attributes:
        source: ``task`` or an operator's id.
        cue: Pattern of the clause.
        frame: Frame that it calls for.
        fixed: Argument position → entity fixed by the rule.
        position: Argument position of the clause's entity.
        name: Parameter name of that entity in ``unless``.
        unless: Condition under which nothing is done.
        confidence: Share of its occurrences that demonstrations followed.
        in_order: Whether the source's clauses are followed in their order.
        known: Whether only known names are read as the entity.
    """

    source: str
    cue: Cue
    frame: str
    fixed: Mapping[int, str]
    position: int
    name: str
    unless: Condition | None
    confidence: float
    in_order: bool
    known: bool = False


@dataclass(frozen=True)
class World:
    """Effects, enabling links, places and instructions of a world.

    Attributes:
        effects: Frame → acts, moves, reveals.
        operators: Frame → operator id.
        needs: Frame → position → frames that the argument must have undergone.
        places: Frame → heading of the place where it is done.
        reverse: Move → the move that leads back.
        things: Frame that moves or reveals → position → entities it was used on.
        heading: Pattern of the headings of places, or None.
        rules: Instruction rules.
        fixed_text: Operator id → clauses that are never names.
        names: Contexts of names in text, where entities have no shape.
        failures: Answers, normalised, which mean that an action did not work.
    """

    effects: Mapping[str, str] = field(default_factory=dict)
    operators: Mapping[str, str] = field(default_factory=dict)
    needs: Mapping[str, Mapping[int, Sequence[str]]] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    reverse: Mapping[str, str] = field(default_factory=dict)
    things: Mapping[str, Mapping[int, Sequence[str]]] = field(default_factory=dict)
    heading: Pattern | None = None
    rules: Sequence[ReadingRule] = ()
    fixed_text: Mapping[str, frozenset[str]] = field(default_factory=dict)
    names: Names | None = None
    failures: frozenset[str] = frozenset()
    _sources: frozenset[str] = field(init=False, default=frozenset())

    def __post_init__(self) -> None:
        """Cache the sources of the rules."""
        object.__setattr__(self, "_sources", frozenset(rule.source for rule in self.rules))

    @property
    def has_places(self) -> bool:
        """Whether some action moves between places."""
        return "moves" in self.effects.values()

    @property
    def sources(self) -> frozenset[str]:
        """Operators whose observations hold instructions."""
        return self._sources

    def arrived(self, observation: str) -> bool | None:
        """Tell whether an observation shows a place, None where places have no common form."""
        if self.heading is not None:
            return self.heading.bind({}).matches(normalise(place_heading(observation)))
        return None

    def failed(self, observation: str) -> bool:
        """Tell whether an observation says that the action before it failed."""
        return bool(self.failures) and normalise(observation) in self.failures

    def only_acts(self, frame: str) -> bool:
        """Tell whether a frame is known neither to move nor to reveal."""
        return self.effects.get(frame) == "acts"

    def operator(self, frame: str) -> str:
        """Return a frame's operator; an unknown frame is its own."""
        return self.operators.get(frame, frame)

    @classmethod
    def from_ontology(cls, ontology: Ontology, lexicon: Lexicon) -> World:
        """Compile an ontology."""
        effects: dict[str, str] = {}
        operators: dict[str, str] = {}
        needs: dict[str, dict[int, tuple[str, ...]]] = {}
        places: dict[str, str] = {}
        fixed_text: dict[str, frozenset[str]] = {}
        reverse: dict[str, str] = {}
        things: dict[str, dict[int, tuple[str, ...]]] = {}
        heading: Pattern | None = None
        for identifier, operator in ontology.operators.items():
            for frame in operator.frames:
                effects[frame] = operator.effect
                operators[frame] = identifier
            for frame, listed in operator.extra.get("needs", {}).items():
                needs[frame] = {int(p): tuple(frames) for p, frames in listed.items()}
            for frame, listed in operator.extra.get("things", {}).items():
                things[frame] = {int(p): tuple(each) for p, each in listed.items()}
            if "heading" in operator.extra:
                heading = Pattern.parse(operator.extra["heading"])
            places.update(operator.extra.get("at", {}))
            reverse.update(operator.extra.get("reverse", {}))
            fixed_text[identifier] = frozenset(operator.extra.get("fixed_text", ()))
        rules = tuple(_rule(instruction, lexicon) for instruction in ontology.instructions)
        return cls(
            effects=effects,
            operators=operators,
            needs=needs,
            places=places,
            reverse=reverse,
            things=things,
            heading=heading,
            rules=rules,
            fixed_text=fixed_text,
            names=_names(ontology),
            failures=frozenset(map(normalise, ontology.failures)),
        )


def _names(ontology: Ontology) -> Names | None:
    contexts = ontology.entities.extra.get("stand")
    if not contexts:
        return None
    token_lists = (contexts.get(key, ()) for key in ("before", "after", "words", "inside"))
    return Names(*map(frozenset, token_lists))


def _rule(instruction: Instruction, lexicon: Lexicon) -> ReadingRule:
    """Read ``cook {thing} with oven`` as a frame with one open and one fixed argument."""
    name = next(iter(Pattern.parse(instruction.cue).names), THING)
    frame, arguments = _called_for(instruction.do, name, lexicon)
    placeholder = "{" + name + "}"
    return ReadingRule(
        source=instruction.source,
        cue=Cue.from_pattern(instruction.cue, name, instruction.extra.get("word")),
        frame=frame,
        fixed={
            i: unescape(a).lower() for i, a in enumerate(arguments) if a not in (placeholder, "*")
        },
        position=arguments.index(placeholder) if placeholder in arguments else 0,
        name=name,
        unless=instruction.unless,
        confidence=instruction.confidence,
        in_order=bool(instruction.extra.get("in_order")),
        known=bool(instruction.extra.get("known")),
    )


def _called_for(do: str, name: str, lexicon: Lexicon) -> tuple[str, tuple[str, ...]]:
    """Return the frame that an instruction's ``do`` fills, and the patterns in its slots.

    Slots are compared as text: ``{thing}`` and ``*`` may lack the shape of the world's entities.
    A ``do`` that fits no frame is a frame by itself.
    """
    best: tuple[tuple[int, int, str], str, tuple[str, ...]] | None = None
    for frame in lexicon.frames:
        marked = fill_frame(frame, [_MARK] * slots(frame))
        pieces = [re.escape(piece) for piece in marked.split(_MARK)]
        match = re.fullmatch("(.+?)".join(pieces), do, re.IGNORECASE)
        if match is None or not slots(frame):
            continue
        arguments = match.groups()
        words = sum(len(argument.split()) for argument in arguments)
        rank = (words, -len(frame), frame)
        if best is None or rank < best[0]:
            best = (rank, frame, arguments)
    if best is not None:
        return best[1], best[2]
    return renamed(do, {name: "{0}"}), ("{" + name + "}",)
