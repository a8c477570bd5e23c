"""Find names in running text that later calls use.

Templates read lines of the same form. In prose, names stand in sentences of any form; a mention
reads them by their neighbouring words alone.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..common.sampling import sample
from .lines import lines_of
from .tokens import WORD, Tokens

NAME = "name "
"""Prefix of the kinds of facts that hold names."""
_ENDS = re.compile(r"(?<=[.!?]) +")
_START, _END = "^", "$"
_NAME, _BETWEEN = "{}", "..."
_LEAST_USES = 2
"""Uses of a context; fewer may be chance."""
_COVERAGE = 0.99
"""Share of the uses that the contexts cover before the search for more ends."""
_LEAST_PRECISION = 0.05
"""Least share of a context's names that are ever used."""
_MOST_CONTEXTS = 40
"""Most contexts of a mention; it bounds the file."""
_MOST_USES = 600
"""Most uses that are read, evenly spread; it bounds the time."""


@dataclass(frozen=True, slots=True)
class Context:
    """The neighbours of a name.

    Attributes:
        head: The first word of its sentence; empty for any.
        left: The words before it.
        right: The word behind it.
    """

    head: str
    left: Tokens
    right: str


@dataclass(frozen=True, slots=True)
class Mention:
    """Reads names that may be an argument of an operator.

    Attributes:
        operator: The operator.
        index: Index of the argument, from 0.
        longest: Most words of a name.
        contexts: Contexts of names.
    """

    operator: str
    index: int
    longest: int
    contexts: tuple[Context, ...]

    @property
    def kind(self) -> str:
        """Kind of the facts that hold the names."""
        return f"{NAME}{self.index + 1} of {self.operator}"

    def read(self, text: str) -> list[str]:
        """Return the names in a text, in order, each once."""
        contexts_by_word: dict[str, list[Context]] = defaultdict(list)
        for context in self.contexts:
            contexts_by_word[context.left[-1]].append(context)
        names: dict[str, None] = {}
        for sentence_text in sentences_of(text):
            sentence = _Sentence(sentence_text)
            for at in range(1, len(sentence.words) - 1):
                for context in contexts_by_word.get(sentence.words[at - 1], ()):
                    name = sentence.name(at, context, self.longest)
                    if name is not None:
                        names[name] = None
                        break
        return list(names)


def context_text(context: Context) -> str:
    """Return a context as a text: ``Looking ... a {} ,``."""
    head = [context.head, _BETWEEN] if context.head else []
    return " ".join([*head, *context.left, _NAME, context.right])


def read_context(text: str) -> Context:
    """Read a context.

    Raises:
        ValueError: The text is no context.
    """
    words = text.split()
    head = words[0] if words[1:2] == [_BETWEEN] else ""
    inner = words[2:] if head else words
    if inner.count(_NAME) != 1 or inner.index(_NAME) != len(inner) - 2 or len(inner) < 3:
        raise ValueError(f"{text!r} should be words, {{}} and one word")
    return Context(head, tuple(inner[:-2]), inner[-1])


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text; a line ends one, too."""
    return [sentence for line in lines_of(text) for sentence in _ENDS.split(line)]


class _Sentence:
    """The words of a sentence, between marks of its start and end."""

    def __init__(self, line: str) -> None:
        matches = list(WORD.finditer(line))
        self.line = line
        self.spans = [(0, 0), *(match.span() for match in matches), (len(line), len(line))]
        self.words = [_START, *(match.group() for match in matches), _END]

    def name(self, at: int, context: Context, longest: int) -> str | None:
        """Return the shortest name that begins here in a context."""
        n = len(context.left)
        if tuple(self.words[max(0, at - n) : at]) != context.left:
            return None
        if context.head and self.words[1] != context.head:
            return None
        for end in range(at + 1, min(at + longest, len(self.words) - 1) + 1):
            if not self.words[end - 1][0].isalnum():
                return None
            if self.words[end] == context.right:
                return self.line[self.spans[at][0] : self.spans[end - 1][1]]
        return None

    def contexts(self, name: Tokens) -> Iterator[Context]:
        """Yield the contexts in which a name stands, the least specific first."""
        n = len(name)
        for at in range(1, len(self.words) - n):
            if tuple(self.words[at : at + n]) == name:
                right = self.words[at + n]
                for size in (1, 2):
                    left = tuple(self.words[max(0, at - size) : at])
                    yield Context("", left, right)
                    yield Context(self.words[1], left, right)


def learn_mention(
    operator: str, index: int, uses: Sequence[tuple[str, Sequence[str]]]
) -> Mention | None:
    """Learn the contexts of an argument's values in the results before their uses.

    Args:
        operator: The operator.
        index: Index of the argument.
        uses: Each value, with the results before its use.

    Returns:
        The mention; None where no context is found.
    """
    uses = sample(uses, _MOST_USES)
    uses_by_context: dict[Context, set[int]] = defaultdict(set)
    texts: dict[str, None] = {}
    longest = 0
    for number, (value, results) in enumerate(uses):
        text = next((text for text in results if value in text), None)  # introduces it
        if text is None:
            continue
        texts |= {text: None, results[-1]: None}
        name = tuple(match.group() for match in WORD.finditer(value))
        longest = max(longest, len(name))
        for sentence in sentences_of(text):
            if value in sentence:
                for context in _Sentence(sentence).contexts(name):
                    uses_by_context[context].add(number)
    values = {value for value, _ in uses}
    uses_by_context = {
        context: use_numbers
        for context, use_numbers in uses_by_context.items()
        if len(use_numbers) >= _LEAST_USES
    }
    precision = _precision_by_context(uses_by_context, longest, list(texts), values)
    uncovered = set(range(len(uses)))
    selected: list[Context] = []
    while uses_by_context and len(selected) < _MOST_CONTEXTS:
        best = max(
            uses_by_context,
            key=lambda c: (
                len(uses_by_context[c] & uncovered) * precision[c] ** 2,
                -len(c.left),
                not c.head,
                context_text(c),
            ),
        )
        if (
            len(uses_by_context[best] & uncovered) < _LEAST_USES
            or precision[best] < _LEAST_PRECISION
        ):
            break
        selected.append(best)
        uncovered -= uses_by_context[best]
        if len(uncovered) <= (1 - _COVERAGE) * len(uses):
            break
    return Mention(operator, index, longest + 1, tuple(selected)) if selected else None


def _precision_by_context(
    contexts: Mapping[Context, set[int]], longest: int, texts: Sequence[str], values: set[str]
) -> dict[Context, float]:
    """Return the share of the names in each context that were ever used."""
    contexts_by_word: dict[str, list[Context]] = defaultdict(list)
    for context in contexts:
        contexts_by_word[context.left[-1]].append(context)
    hit_count: Counter[Context] = Counter()
    name_count: Counter[Context] = Counter()
    for text in texts:
        for sentence_text in sentences_of(text):
            sentence = _Sentence(sentence_text)
            for at in range(1, len(sentence.words) - 1):
                for context in contexts_by_word.get(sentence.words[at - 1], ()):
                    name = sentence.name(at, context, longest + 1)
                    if name is not None:
                        name_count[context] += 1
                        hit_count[context] += name in values
    return {context: hit_count[context] / (name_count[context] or 1) for context in contexts}
