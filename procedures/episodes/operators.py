"""Operators and arguments of actions that are texts.

A word of an action is an argument if it was usually said, by the task or an observation, before it
was first used; all other words are the operator's. Nothing is assumed of the verb's place.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .templates import Template, literal_text, pieces
from .tokens import WORD, Tokens, has_digit, is_cell, tokens
from .unification import unification

__all__ = ["Grammar", "calls_of", "learn_grammar"]

_HOLE = re.compile(r"\{\{|\}\}|\{\}")
_ALL = Template("{1}")
_SIGNS = "/@.-"
"""Signs that may stand in a word."""
_OFTEN = 10
_TYPED = 3
"""Actions that differ by words met once, so that these words are typed and no operator's."""
_NEARLY_ALWAYS = 0.97
_LEAST = 3
"""Uses of an operator from which what all its arguments share is its own."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """Tells operators from arguments.

    Attributes:
        fixed: Words that belong to operators.
        cuts: Signs at which a word that nobody said is cut, as ``/`` in ``orders/1234``.
        breaks: Word → how much rather a phrase ends behind it than goes on.
        folds: Operator → what all its demonstrated arguments have in common, for each.
    """

    fixed: frozenset[str]
    breaks: dict[str, float]
    folds: dict[str, tuple[Template, ...]] = field(default_factory=dict)
    cuts: str = ""

    def parse(self, action: str, said: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """Return the operator, with ``{}`` for each argument, and the arguments.

        Args:
            action: An action.
            said: Task and observations so far; an argument is a phrase of it where possible.
        """
        operator, arguments = self._split(action, said)
        folds = self.folds.get(operator, ())
        parts = [fold.read(a) for fold, a in zip(folds, arguments, strict=False)]
        inner = tuple(value for part in parts if part is not None for value in part)
        if not parts or None in parts:
            return operator, arguments
        texts = iter(["{}".join(map(literal_text, pieces(fold.text)[0])) for fold in folds])
        return _HOLE.sub(lambda m: next(texts) if m[0] == "{}" else m[0], operator), inner

    def skeleton(self, action: str) -> Tokens:
        """Return the words of an action that are its operator's."""
        words = (word.text for word in _words(action, (), self.cuts))
        return tuple(word for word in words if word in self.fixed)

    def _split(self, action: str, said: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        out: list[str] = []
        arguments: list[str] = []
        end = 0
        for run in _runs(_words(action, said, self.cuts), self.fixed):
            at = 0
            way = min(_ways([word.text for word in run], said), key=self._cost)
            for phrase in way:
                begin, stop = run[at].start, run[at + len(phrase) - 1].end
                at += len(phrase)
                if len(way) > 1 and _separates(phrase):
                    continue
                out.append(literal_text(action[end:begin]) + "{}")
                arguments.append(action[begin:stop])
                end = stop
        return "".join(out) + literal_text(action[end:]), tuple(arguments)

    def _cost(self, way: Sequence[Tokens]) -> float:
        return -sum(self.breaks.get(phrase[-1], 0.0) for phrase in way[:-1])


def learn_grammar(episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]]) -> Grammar:
    """Learn which words are the operators' from (task, observations, actions) of episodes."""
    said: Counter[str] = Counter()
    used: Counter[str] = Counter()
    follows: dict[str, Counter[str]] = defaultdict(Counter)
    cuts = _cuts(episodes)
    for task, observations, actions in episodes:
        seen = set(tokens(task))
        first: set[str] = set()
        for observation, action in zip(observations, actions, strict=False):
            seen.update(tokens(observation))
            words = [word.text for word in _words(action, seen, cuts)]
            for one, other in itertools.pairwise(words):
                follows[one][other] += 1
            for word in words:
                if word not in first:
                    first.add(word)
                    used[word] += 1
                    said[word] += word in seen
    fixed = {w for w in used if not has_digit(w) and said[w] * 2 < used[w]}
    fixed -= _typed_words(episodes, fixed, used, cuts)
    for _ in range(3):  # a word that always follows an operator's word belongs to it
        for word in fixed & set(follows):
            other, count = max(follows[word].items(), key=lambda x: x[1], default=("", 0))
            always = count >= _NEARLY_ALWAYS * follows[word].total()
            if count >= _OFTEN and always and not has_digit(other) and other in follows:
                fixed = fixed | {other}
    grammar = Grammar(frozenset(fixed), dict(_breaks(episodes, fixed, cuts)), {}, cuts)
    uses: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    cells: dict[tuple[str, int], int] = defaultdict(int)
    for episode in episodes:
        for at, (operator, arguments) in enumerate(calls_of(grammar, *episode)):
            uses[operator].append(arguments)
            for index, value in enumerate(arguments):
                if any(is_cell(value, text) for text in (episode[0], *episode[1][: at + 1])):
                    cells[operator, index] += 1
    folds = {
        operator: _folds(each, [cells[operator, i] * 2 > len(each) for i in range(len(each[0]))])
        for operator, each in uses.items()
        if len(each) >= _LEAST
    }
    return replace(grammar, folds={o: f for o, f in folds.items() if f})


def _folds(uses: Sequence[tuple[str, ...]], whole: Sequence[bool]) -> tuple[Template, ...]:
    """Return what the arguments of an operator have in common; nothing if they have nothing.

    What is said as a whole, between signs, is not cut into several values.
    """
    folds = tuple(_fold([use[i] for use in uses]) for i in range(len(uses[0])))
    folds = tuple(
        _ALL if one and len(fold.slots) > 1 else fold
        for fold, one in zip(folds, whole, strict=True)
    )
    return folds if any(fold != _ALL for fold in folds) else ()


def _fold(values: Sequence[str]) -> Template:
    """Return what all values of an argument say, with slots for the rest."""
    if len(set(values)) == 1 and has_digit(values[0]):
        return _ALL
    return unification(values) or _ALL


def _typed_words(
    episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]],
    fixed: Collection[str],
    used: Mapping[str, int],
    cuts: str,
) -> set[str]:
    """Return words that were used once only, in actions that else say the same."""
    shapes: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for _, _, actions in episodes:
        for action in actions:
            words = [word.text for word in _words(action, (), cuts)]
            once = {word for word in words if word in fixed and used[word] == 1}
            kept = [w if w in fixed and used[w] > 1 else "" for w in words]
            if once and any(kept):
                shapes[tuple(kept)] |= once
    return {word for words in shapes.values() if len(words) >= _TYPED for word in words}


def calls_of(
    grammar: Grammar, task: str, observations: Sequence[str], actions: Sequence[str]
) -> list[tuple[str, tuple[str, ...]]]:
    """Parse all actions of an episode."""
    said = [task]
    out = []
    for observation, action in zip(observations, actions, strict=False):
        said.append(observation)
        out.append(grammar.parse(action, said))
    return out


def _breaks(
    episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]], fixed: set[str], cuts: str
) -> dict[str, float]:
    """After which word does a run of argument words break, rather than go on?"""
    breaks: dict[str, float] = defaultdict(float)
    for task, observations, actions in episodes:
        said = [task]
        for observation, action in zip(observations, actions, strict=False):
            said.append(observation)
            for run in _runs(_words(action, said, cuts), fixed):
                if len(run) < 2:
                    continue
                ways = _ways([word.text for word in run], said)
                for way in ways:
                    for phrase in way[:-1]:
                        breaks[phrase[-1]] += 1 / len(ways)
                    for phrase in way:
                        for word in phrase[:-1]:
                            breaks[word] -= 1 / len(ways)
    return breaks


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int


def _words(action: str, said: Collection[str], cuts: str) -> list[_Word]:
    """Return the words of an action; those that nobody said are cut at signs, with the signs.

    Args:
        action: The action.
        said: Texts, or words, in which a whole word is looked for.
        cuts: The signs.
    """
    out: list[_Word] = []
    for match in WORD.finditer(action):
        word, start = match.group(), match.start()
        inside = [sign for sign in cuts if sign in word[1:-1]]
        if not inside or any(word == text or word in tokens(text) for text in said):
            out.append(_Word(word, start, match.end()))
            continue
        for part in re.split(f"([{re.escape(cuts)}])", word):
            if part:
                out.append(_Word(part, start, start + len(part)))
            start += len(part)
    return out


def _cuts(episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]]) -> str:
    """Return signs beside which, in words that nobody said, stands what was said."""
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    for task, observations, actions in episodes:
        seen = set(tokens(task))
        for observation, action in zip(observations, actions, strict=False):
            seen.update(tokens(observation))
            for word in tokens(action):
                for sign in _SIGNS:
                    if sign in word[1:-1] and word not in seen:
                        counts[sign][not seen.isdisjoint(word.split(sign))] += 1
    return "".join(
        sign for sign in _SIGNS if counts[sign][True] >= max(_LEAST, counts[sign][False])
    )


def _runs(words: Iterable[_Word], fixed: Collection[str]) -> Iterator[list[_Word]]:
    run: list[_Word] = []
    for word in words:
        if word.text not in fixed:
            run.append(word)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _ways(words: Sequence[str], said: Sequence[str]) -> list[tuple[Tokens, ...]]:
    """Return the splits of a run into the fewest phrases that were said in one of the texts."""
    best: list[list[tuple[Tokens, ...]]] = [[()]]
    for i in range(1, len(words) + 1):
        options = [
            (*way, tuple(words[j:i]))
            for j in range(i)
            for way in best[j]
            if j == i - 1 or any(_stands(tuple(words[j:i]), tokens(text)) for text in said)
        ]
        least = min(map(len, options))
        best.append([way for way in options if len(way) == least][:8])
    return best[-1]


def _separates(phrase: Tokens) -> bool:
    """Whether a phrase is but signs: between others, or behind them, these part arguments."""
    return not any(word[0].isalnum() for word in phrase)


def _stands(phrase: Tokens, text: Tokens) -> bool:
    at = -1
    while True:
        try:
            at = text.index(phrase[0], at + 1)
        except ValueError:
            return False
        if text[at : at + len(phrase)] == phrase:
            return True
