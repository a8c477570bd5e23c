"""Learn which phrases of a world are entities and which frames its actions have.

Entities are action n-grams that occur in earlier text, at a position where several alternate. The
rest of the action is its frame. No world's pattern is built in: the trajectories show whether
entities are "words and a number", single words or long phrases.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from ..common.text import fold_space, is_number, token_spans, tokens
from ..conditions.text_patterns import escape
from ..episodes.trajectories import Trajectory
from ..episodes.verbs import split_verb, verb_end
from ..words.lexicon import Lexicon

_SAMPLE = 150
"""Episodes read for the shape of entities; more adds time and no new shape."""
_LONGEST = 5
"""Longest entity, in tokens."""
_ALWAYS = 0.95
"""Least share of a verb's actions in which a leading word follows it."""
_FILLERS = 3
"""A position is an argument if at least this many phrases alternate there."""

_Span = tuple[int, int]
_Row = tuple[tuple[str, ...], tuple[_Span, ...], str]
"""Tokens of an action, the spans of them that may be entities, and the action."""
_ARGUMENT = "\0"
"""Stands for an argument among tokens; no token is this character."""


def learn_lexicon(trajectories: Sequence[Trajectory]) -> Lexicon:
    """Learn entities and action frames.

    Args:
        trajectories: Episodes of one world; only their text is read.

    Returns:
        A lexicon whose frames cover the actions of the trajectories.
    """
    sample = spread(trajectories, _SAMPLE)
    ending_by_word: dict[str, _Ending] = {}
    verb_at = verb_end(sample)
    leading = _leading_words(sample, verb_at)
    rows = [row for trajectory in sample for row in _rows(trajectory, leading, ending_by_word)]
    connectives = leading | {word for word, ending in ending_by_word.items() if ending.joins}
    if connectives != leading:
        rows = [row for trajectory in sample for row in _rows(trajectory, connectives)]
    argument_contexts = _argument_contexts(rows, verb_at)
    fillers = Counter(
        " ".join(action[start:end])
        for action, spans, _ in rows
        for start, end in spans
        if _context(action, start, end) in argument_contexts
    )
    if _are_numbered(fillers):
        kinds = {
            kind
            for kind, _, number in (phrase.rpartition(" ") for phrase in fillers)
            if kind and is_number(number)
        }
        frameless = Lexicon(numbered=True, kinds=kinds, frames=())
        frames: Counter[str] = Counter()
        for action in {action for trajectory in trajectories for action in trajectory.acts}:
            frame, arguments = frameless.abstract(fold_space(action).lower())
            frames[frame] += 1
            kinds.update(frameless.kind(argument) for argument in arguments)
        return Lexicon(numbered=True, kinds=kinds, frames=sorted(frames))
    return _phrase_lexicon(rows, argument_contexts, trajectories)


def _leading_words(sample: Sequence[Trajectory], verb_at: int) -> frozenset[str]:
    """Return words that a verb always has before its argument, such as "to" in "go to".

    Feedback may echo them ("You go to the …"), which makes them look like part of the argument.
    """
    actions: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for trajectory in sample:
        for action in trajectory.acts:
            verb, others = split_verb(action, verb_at)
            if others:
                actions[verb].append(others)
    leading: set[str] = set()
    for uses in actions.values():
        at = 0
        while True:
            words = Counter(parts[at] for parts in uses if len(parts) > at)
            word, count = words.most_common(1)[0] if words else ("", 0)
            following = {p[at + 1] for p in uses if len(p) > at + 1 and p[at] == word}
            if count < _ALWAYS * len(uses) or len(following) < _FILLERS or is_number(word):
                break
            if all(map(is_number, following)):
                break  # the kind of numbered things: "open box 1", "open box 2"
            leading.add(word)
            at += 1
    return frozenset(leading)


def spread(items: Sequence[Trajectory], limit: int) -> list[Trajectory]:
    """Return at most ``limit`` items, evenly spread over all."""
    if len(items) <= limit:
        return list(items)
    stride = len(items) / limit
    return [items[int(i * stride)] for i in range(limit)]


def _rows(
    trajectory: Trajectory,
    connectives: frozenset[str] = frozenset(),
    ends: dict[str, _Ending] | None = None,
) -> Iterable[_Row]:
    """Yield each action's tokens with the spans that occur in text met before it.

    Args:
        trajectory: One episode.
        connectives: Words that join arguments; no span begins or ends with one.
        ends: If given, notes how each last word of a span behaves.
    """
    # The task writes arguments side by side, as an action does, so it does not show where a name
    # ends. Observed text decides first.
    task_grams: Counter[tuple[str, ...]] = Counter()
    _add_grams(task_grams, trajectory.task)
    observed_grams: Counter[tuple[str, ...]] = Counter()
    _add_grams(observed_grams, trajectory.obs[0])
    for action, observation in zip(trajectory.acts, trajectory.obs[1:], strict=True):
        parts = tokens(action)
        spans: list[_Span] = []
        i = 0
        while i < len(parts):
            j = min(len(parts), i + _LONGEST)
            while j > i and (parts[i:j] not in observed_grams or parts[j - 1] in connectives):
                j -= 1
            if j == i:
                j = _task_span_end(parts, i, task_grams, observed_grams, connectives)
            if j > i and parts[i] not in connectives:
                spans.append((i, j))
                i = j
            else:
                i += 1
        if ends is not None:
            for start, end in spans:
                if end - start > 1 and end < len(parts) and not is_number(parts[end - 1]):
                    freed = (
                        observed_grams[parts[start : end - 1]] > observed_grams[parts[start:end]]
                    )
                    ending = ends.setdefault(parts[end - 1], _Ending())
                    ending.note(" ".join(parts[start : end - 1]), parts[end], freed=freed)
        yield parts, tuple(spans), fold_space(action).lower()
        _add_grams(observed_grams, observation)


def _task_span_end(
    parts: tuple[str, ...],
    start: int,
    task_grams: Mapping[tuple[str, ...], int],
    observed_grams: Mapping[tuple[str, ...], int],
    connectives: frozenset[str],
) -> int:
    """Return the end of a span that only the task holds, cut where observed words begin."""
    end = start
    while end < min(len(parts), start + _LONGEST) and parts[start : end + 1] in task_grams:
        if end > start and parts[end : end + 1] in observed_grams:
            break
        end += 1
    while end > start and parts[end - 1] in connectives:
        end -= 1
    return end


def _add_grams(grams: Counter[tuple[str, ...]], text: str) -> None:
    parts = tokens(text)
    count = len(parts)
    for size in range(1, _LONGEST + 1):
        grams.update({parts[i : i + size] for i in range(count - size + 1)})


class _Ending:
    """Statistics of a word as the last of spans in the middle of actions."""

    def __init__(self) -> None:
        self.before: set[str] = set()
        self.after: set[str] = set()
        self.uses = 0
        self.freed = 0

    def note(self, before: str, after: str, *, freed: bool) -> None:
        self.before.add(before)
        self.after.add(after)
        self.uses += 1
        self.freed += freed

    @property
    def joins(self) -> bool:
        """Tell whether it joins arguments: its neighbours vary, and it is often left off."""
        varied = min(len(self.before), len(self.after)) >= _FILLERS
        return varied and self.freed > 0.5 * self.uses


def _context(action: Sequence[str], start: int, end: int) -> tuple[str, str]:
    before = action[start - 1] if start else "^"
    after = action[end] if end < len(action) else "$"
    return before, after


def _argument_contexts(rows: Sequence[_Row], verb_at: int) -> set[tuple[str, str]]:
    """Return the contexts of arguments; none is at the end of an action where verbs stand."""
    fillers: dict[tuple[str, str], set[tuple[str, ...]]] = defaultdict(set)
    for action, spans, _ in rows:
        for start, end in spans:
            fillers[_context(action, start, end)].add(action[start:end])
    return {
        context
        for context, phrases in fillers.items()
        if len(phrases) >= _FILLERS and context[verb_at] not in ("^", "$")
    }


def _are_numbered(fillers: Counter[str]) -> bool:
    """Tell whether nearly all entities are a kind followed by a number."""
    total = sum(fillers.values())
    if not total:
        return False
    shaped = sum(
        count
        for phrase, count in fillers.items()
        if " " in phrase and is_number(phrase.split()[-1]) and not is_number(phrase.split()[0])
    )
    return shaped >= 0.95 * total


def _phrase_lexicon(
    rows: Sequence[_Row],
    argument_contexts: set[tuple[str, str]],
    trajectories: Sequence[Trajectory],
) -> Lexicon:
    """Return a lexicon for a world whose entities have no shape of their own."""
    counts: Counter[tuple[str, ...]] = Counter()
    spelling_count: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for action, spans, text in rows:
        arguments = [span for span in spans if _context(action, *span) in argument_contexts]
        frame = list(action)
        for start, end in reversed(arguments):
            frame[start:end] = [_ARGUMENT]
        counts[tuple(frame)] += 1
        spelling_count[tuple(frame)][_frame_of(text, arguments)] += 1
    counts = Counter({frame: count for frame, count in counts.items() if count >= _FILLERS})
    _absorb_literals(counts)
    frames = sorted(
        {
            min(spelling_count[frame].items(), key=lambda item: (-item[1], item[0]))[0]
            for frame in counts
        }
    )
    draft = Lexicon(numbered=False, kinds=(), frames=frames)
    phrases: Counter[str] = Counter()
    for text in (action for trajectory in trajectories for action in trajectory.acts):
        phrases.update(draft.parse(text)[1])
    return Lexicon(numbered=False, kinds=phrases, frames=frames)


def _frame_of(action: str, spans: Sequence[_Span]) -> str:
    """Return an action as a frame, with the world's spaces and marks between its words."""
    places = token_spans(action)
    parts: list[str] = []
    at = 0
    for slot, (start, end) in enumerate(spans):
        parts += [escape(action[at : places[start][0]]), f"{{{slot}}}"]
        at = places[end - 1][1]
    return "".join([*parts, escape(action[at:])])


def _absorb_literals(counts: Counter[tuple[str, ...]]) -> None:
    """Fold a literal variant ("go to outside") into a frame with slots that covers it."""
    patterns = {
        frame: re.compile(
            " ".join(r"(.+?)" if part == _ARGUMENT else re.escape(part) for part in frame)
        )
        for frame in counts
        if _ARGUMENT in frame
    }
    for frame in sorted(counts, key=lambda frame: (-len(frame), frame)):
        slot_count = frame.count(_ARGUMENT)
        for wider_frame, pattern in sorted(patterns.items(), key=lambda item: item[0]):
            if (
                wider_frame == frame
                or wider_frame not in counts
                or slot_count >= wider_frame.count(_ARGUMENT)
            ):
                continue
            match = pattern.fullmatch(" ".join(frame))
            limit = 4 if slot_count == 0 else 1
            if match and all(len(group.split()) <= limit for group in match.groups()):
                counts[wider_frame] += counts.pop(frame)
                break
