"""The lexicon of a world: its entities and the frames of its actions.

An *entity* is a phrase of one or more words that actions take as an argument. A *frame* is an
action with its arguments replaced by ``{0}``, ``{1}``, …; its braces, stars and backslashes are
escaped, as in patterns (:mod:`.conditions.text_patterns`). In some worlds entities have a *shape*
that no other text has (words followed by a number), and the shape reveals new entities. In other
worlds entities are known phrases. Learning decides which of the two holds.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from ..common.text import CACHEABLE, REMEMBERED, first_token, fold_space, is_number, tokens
from ..conditions.text_patterns import escape, renamed, template_parameters
from .word_clusters import Clusters

ParsedAction = tuple[str, tuple[str, ...]]
"""An action as ``(frame, arguments)``."""

_SLOT = re.compile(r"\\[\\*{]|\{(\d+)\}")
"""An escaped character, or a slot and its number."""


def instantiate(frame: str, arguments: Sequence[str]) -> str:
    """Put arguments back into a frame.

    >>> instantiate("take {0} from {1}", ("mug 1", "shelf 2"))
    'take mug 1 from shelf 2'
    """
    return _SLOT.sub(
        lambda match: match[0][1] if match[1] is None else arguments[int(match[1])], frame
    )


def fill_frame(frame: str, patterns: Sequence[str]) -> str:
    """Write patterns (``{x}``, ``*``) in the slots of a frame; escapes stay.

    >>> fill_frame("take {0} from {1}", ("{x}", "*"))
    'take {x} from *'
    """
    return _SLOT.sub(lambda match: match[0] if match[1] is None else patterns[int(match[1])], frame)


def placeholders(arguments: Iterable[str], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return arguments as ``{name}``, and ``*`` for those that have no name."""
    return tuple("{" + names[a] + "}" if a in names else "*" for a in arguments)


def frame_of(template: str) -> str:
    """Return the frame of a step's template: its parameters as numbered slots.

    >>> frame_of("take {x} from {y}")
    'take {0} from {1}'
    """
    names = template_parameters(template)
    return renamed(template, {name: f"{{{i}}}" for i, name in enumerate(names)})


def slots(frame: str) -> int:
    """Count the slots of a frame (or the slots ``{0}``, ``{1}``, … that a pattern uses)."""
    return sum(match[1] is not None for match in _SLOT.finditer(frame))


def verb_of(frame: str, at: int) -> str:
    """Return the verb of a frame.

    Args:
        frame: The frame.
        at: Where verbs stand: 0 for the beginning of actions, -1 for the end.

    >>> verb_of("go to {0}", 0), verb_of("to {0} go", -1)
    ('go', 'go')
    """
    words = frame.split()
    return words[at] if words else ""


def _literals(frame: str) -> list[str]:
    """Return the text before, between and after the slots, unescaped as in actions."""
    literals = [""]
    end = 0
    for match in _SLOT.finditer(frame):
        literals[-1] += frame[end : match.start()]
        end = match.end()
        if match[1] is None:
            literals[-1] += match[0][1]
        else:
            literals.append("")
    literals[-1] += frame[end:]
    return literals


def _literal_words(frame: str) -> int:
    return len("".join(_literals(frame)).split())


def _first(text: str) -> str:
    """Return the first token; frames are looked up by it."""
    return first_token(text.lower())


class Lexicon:
    """Finds entities in text and reads actions as frames with arguments.

    Args:
        numbered: Whether entities have a shape: a kind followed by a number.
        kinds: Known kinds (numbered worlds) or known entity phrases (others).
        frames: Known action frames, such as ``take {0} from {1}``.
        clusters: Words that mean nearly the same.

    Attributes:
        patterns: Sentences generalised so far; see :mod:`.sentence_patterns`.
    """

    def __init__(
        self,
        *,
        numbered: bool,
        kinds: Iterable[str],
        frames: Iterable[str],
        clusters: Clusters | None = None,
    ) -> None:
        self.numbered = numbered
        self.clusters = clusters or Clusters()
        self.kinds: frozenset[str] = frozenset(kinds)
        self.frames: tuple[str, ...] = tuple(frames)
        self._parsed: dict[str, ParsedAction] = {}
        self.patterns: dict[tuple[str, tuple[tuple[str, str], ...]], str] = {}
        self._mentioned: dict[str, tuple[tuple[int, int, str], ...]] = {}
        self._entity = self._entity_pattern()
        self._literal = {frame.lower() for frame in self.frames if not slots(frame)}
        self._patterns: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
        slotted = [frame for frame in self.frames if slots(frame)]
        slotted.sort(key=lambda frame: (-_literal_words(frame), frame))
        for frame in slotted:
            first = _first(_literals(frame)[0])
            self._patterns.setdefault(first, []).append((frame, self._frame_pattern(frame)))

    def _entity_pattern(self) -> re.Pattern[str] | None:
        longest_first = sorted(self.kinds, key=lambda kind: (-len(kind), kind))
        alternatives = "|".join(re.escape(kind) for kind in longest_first)
        if self.numbered:
            multiword = "|".join(re.escape(kind) for kind in longest_first if " " in kind)
            kind = rf"(?:{multiword}|[^\W\d_][\w'\-]*)" if multiword else r"[^\W\d_][\w'\-]*"
            return re.compile(rf"(?<![\w\-]){kind} \d+(?![\w\-])", re.IGNORECASE)
        if not alternatives:
            return None
        return re.compile(rf"(?<![\w\-])(?:{alternatives})(?![\w\-])", re.IGNORECASE)

    def _frame_pattern(self, frame: str) -> re.Pattern[str]:
        slot = r"([^\W\d_][\w'\- ]*? \d+)" if self.numbered else r"(\S.*?)"
        parts = [re.escape(part) for part in _literals(frame)]
        return re.compile(slot.join(parts), re.IGNORECASE)

    def extended(self, phrases: Iterable[str]) -> Lexicon:
        """Return a lexicon that also knows these phrases (met during an episode)."""
        new = frozenset(phrases) - self.kinds
        if not new or self.numbered:
            return self
        wider = copy.copy(self)
        wider.kinds = self.kinds | new
        wider.patterns, wider._mentioned = {}, {}
        wider._entity = wider._entity_pattern()
        return wider

    # ------------------------------------------------------------------ entities
    def mentions(self, text: str) -> tuple[tuple[int, int, str], ...]:
        """Find the entities in a text as ``(start, end, entity)``, left to right."""
        spans = self._mentioned.get(text)
        if spans is None:
            if self._entity is None:
                spans = ()
            else:
                spans = tuple(
                    (match.start(), match.end(), match.group(0).lower())
                    for match in self._entity.finditer(text)
                )
            if len(text) <= CACHEABLE:
                if len(self._mentioned) > REMEMBERED:
                    self._mentioned.clear()
                self._mentioned[text] = spans
        return spans

    def entities(self, text: str) -> tuple[str, ...]:
        """Return the distinct entities of a text in order of first mention."""
        return tuple(dict.fromkeys(entity for _, _, entity in self.mentions(text)))

    def kind(self, entity: str) -> str:
        """Return an entity's kind: the entity without its number, where it has one."""
        return _kind(entity) if self.numbered else entity

    # ------------------------------------------------------------------- actions
    def parse(self, action: str) -> ParsedAction:
        """Parse an action into ``(frame, arguments)``; one that fits no frame is its own frame."""
        parsed = self._parsed.get(action)
        if parsed is None:
            parsed = self._parse(fold_space(action))
            if len(self._parsed) > REMEMBERED:
                self._parsed.clear()
            self._parsed[action] = parsed
        return parsed

    def _parse(self, action: str) -> ParsedAction:
        lowered = action.lower()
        escaped = escape(lowered)
        if escaped in self._literal:
            return escaped, ()
        best: tuple[tuple[int, int], str, tuple[str, ...]] | None = None
        by_first_word = self._patterns.get(_first(lowered), ())
        for frame, pattern in chain(by_first_word, self._patterns.get("", ())):
            match = pattern.fullmatch(lowered)
            if match is None:
                continue
            arguments = match.groups()
            literal = _literal_words(frame)
            rank = (literal, -sum(len(argument.split()) for argument in arguments))
            if best is None or rank > best[0]:
                best = (rank, frame, arguments)
        if best is not None:
            return best[1], best[2]
        if self.numbered:
            return self.abstract(lowered)
        return escaped, ()

    def abstract(self, action: str) -> ParsedAction:
        """Parse an action by its entities alone, whether or not its frame is known."""
        spans = self.mentions(action)
        pieces: list[str] = []
        arguments: list[str] = []
        end = 0
        for start, stop, entity in spans:
            pieces.append(escape(action[end:start]))
            pieces.append(f"{{{len(arguments)}}}")
            arguments.append(entity)
            end = stop
        pieces.append(escape(action[end:]))
        return "".join(pieces), tuple(arguments)

    # ------------------------------------------------------------------- phrases
    def chunk(self, text: str, extra: Iterable[str] = ()) -> tuple[str, ...]:
        """Split text into tokens, each known kind being one token."""
        phrases = self.kinds.union(extra)
        longest = max((len(kind.split()) for kind in phrases), default=1)
        parts = [token for token in tokens(text) if token[0].isalnum()]
        chunks: list[str] = []
        i = 0
        while i < len(parts):
            for size in range(min(longest, len(parts) - i), 1, -1):
                phrase = " ".join(parts[i : i + size])
                if phrase in phrases:
                    chunks.append(phrase)
                    i += size
                    break
            else:
                chunks.append(parts[i])
                i += 1
        return tuple(chunks)


@lru_cache(maxsize=REMEMBERED)
def _kind(entity: str) -> str:
    head, _, tail = entity.rpartition(" ")
    return head if head and is_number(tail) else entity
