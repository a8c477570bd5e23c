"""Names in running text: where in a sentence what is used later stands.

Templates read lines that are alike as a whole. In prose the names of things stand in sentences of
any shape; a mention reads them by their neighbours alone.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .lines import lines_of
from .tokens import WORD, Tokens

__all__ = [
    "NAME",
    "Context",
    "Mention",
    "context_text",
    "learn_mention",
    "read_context",
    "sentences_of",
]

NAME = "name "
"""How the kinds of facts begin that tell names."""
_ENDS = re.compile(r"(?<=[.!?]) +")
_START, _END = "^", "$"
_NAME, _BETWEEN = "{}", "..."
_LEAST = 2
_ENOUGH = 0.99
_PRECISE = 0.05
_MOST_CONTEXTS = 40
_MOST_USES = 600


@dataclass(frozen=True, slots=True)
class Context:
    """The neighbours of a name.

    Attributes:
        head: The first word of its sentence; empty: any.
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
        index: Of the argument, from 0.
        longest: Most words of a name.
        contexts: Where names stand.
    """

    operator: str
    index: int
    longest: int
    contexts: tuple[Context, ...]

    @property
    def kind(self) -> str:
        """Kind of the facts that tell the names."""
        return f"{NAME}{self.index + 1} of {self.operator}"

    def read(self, text: str) -> list[str]:
        """Return the names in a text, in order, each once."""
        by_left: dict[str, list[Context]] = defaultdict(list)
        for context in self.contexts:
            by_left[context.left[-1]].append(context)
        names: dict[str, None] = {}
        for each in sentences_of(text):
            sentence = _Sentence(each)
            for at in range(1, len(sentence.words) - 1):
                for context in by_left.get(sentence.words[at - 1], ()):
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
        ValueError: It is none.
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
    """Learn where the values of an argument stand in the texts that were told before.

    Args:
        operator: The operator.
        index: Of the argument.
        uses: Value, and the results before it was used.

    Returns:
        None where nothing tells the values.
    """
    uses = uses[:: max(1, -(-len(uses) // _MOST_USES))]
    covered: dict[Context, set[int]] = defaultdict(set)
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
                    covered[context].add(number)
    values = {value for value, _ in uses}
    covered = {context: hits for context, hits in covered.items() if len(hits) >= _LEAST}
    precision = _precision(covered, longest, list(texts), values)
    left = set(range(len(uses)))
    chosen: list[Context] = []
    while covered and len(chosen) < _MOST_CONTEXTS:
        best = max(
            covered,
            key=lambda c: (
                len(covered[c] & left) * precision[c] ** 2,
                -len(c.left),
                not c.head,
                context_text(c),
            ),
        )
        if len(covered[best] & left) < _LEAST or precision[best] < _PRECISE:
            break
        chosen.append(best)
        left -= covered[best]
        if len(left) <= (1 - _ENOUGH) * len(uses):
            break
    return Mention(operator, index, longest + 1, tuple(chosen)) if chosen else None


def _precision(
    contexts: Mapping[Context, set[int]], longest: int, texts: Sequence[str], values: set[str]
) -> dict[Context, float]:
    """Return which share of the names in each context were ever used."""
    by_left: dict[str, list[Context]] = defaultdict(list)
    for context in contexts:
        by_left[context.left[-1]].append(context)
    right: Counter[Context] = Counter()
    total: Counter[Context] = Counter()
    for text in texts:
        for each in sentences_of(text):
            sentence = _Sentence(each)
            for at in range(1, len(sentence.words) - 1):
                for context in by_left.get(sentence.words[at - 1], ()):
                    name = sentence.name(at, context, longest + 1)
                    if name is not None:
                        total[context] += 1
                        right[context] += name in values
    return {context: right[context] / (total[context] or 1) for context in contexts}
