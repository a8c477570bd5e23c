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
from typing import TypeAlias

from .templates import Template, literal_text, pieces
from .tokens import WORD, Tokens, has_digit, is_cell, is_glued, magnitude, tokens
from .unification import unification

__all__ = ["Grammar", "calls_of", "learn_grammar"]

_HOLE = re.compile(r"\{\{|\}\}|\{\}")
_ALL = Template("{1}")
_SIGNS = "/@.-"
"""Signs that may stand in a word."""
_OFTEN = 10
_MOST_SIZES = 4
"""Numbers of phrases, the fewest, into which a beginning of a run is split."""
_TYPED = 3
"""Actions that differ by words met once, so that these words are typed and no operator's."""
_SELDOM = 0.2
"""Share of the episodes in which a word may be used, and still be one of many that are typed."""
_TYPED_OFTEN = 8
"""The same of words that were met more than once."""
_COMMON = 0.4
"""Share of the episodes in which a letter of a script without blanks is used, if an operator has
it: what is one of several values comes more seldom."""
_LEAST_ALIKE = 5
"""Actions that differ, from which it is no chance that all of them have a word."""
_NEARLY_ALWAYS = 0.97
_SHARED = 3
"""Words that operators share at least, so that one text with a part that is decided is shorter."""
_LEAST = 3
"""Uses of an operator from which what all its arguments share is its own."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """Tells operators from arguments.

    Attributes:
        fixed: Words that belong to operators.
        sizes: Words of an operator → how many phrases each run of its other words usually is.
        cuts: Signs at which a word that nobody said is cut, as ``/`` in ``orders/1234``.
        breaks: Word → how much rather a phrase ends behind it than goes on.
        folds: Operator → what all its demonstrated arguments have in common, for each.
    """

    fixed: frozenset[str]
    breaks: dict[str, float]
    folds: dict[str, tuple[Template, ...]] = field(default_factory=dict)
    sizes: Mapping[Tokens, tuple[int, ...]] = field(default_factory=dict)
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
        for run, way in self.phrases(action, said):
            at = 0
            for phrase in way:
                begin, stop = run[at].start, run[at + len(phrase) - 1].end
                at += len(phrase)
                if len(way) > 1 and _separates(phrase):
                    continue
                out.append(literal_text(action[end:begin]) + "{}")
                arguments.append(action[begin:stop])
                end = stop
        return _with_joined("".join(out) + literal_text(action[end:]), arguments)

    def phrases(
        self, action: str, said: Sequence[str]
    ) -> list[tuple[list[_Word], tuple[Tokens, ...]]]:
        """Return the runs of words that are no operator's, each with the phrases that it is.

        A run is the fewest phrases that were said, or as many as it usually is: two values that
        were once said together are two all the same.
        """
        words = _words(action, said, self.cuts)
        runs = list(_runs(words, self.fixed))
        sizes = self.sizes.get(tuple(word.text for word in words if word.text in self.fixed), ())
        usual = sizes if len(sizes) == len(runs) else (0,) * len(runs)
        texts = [[word.text for word in run] for run in runs]
        return [
            (run, min(_ways(text, said, size), key=self._cost))
            for run, text, size in zip(runs, texts, usual, strict=True)
        ]

    def _cost(self, way: Sequence[Tokens]) -> float:
        return -sum(self.breaks.get(phrase[-1], 0.0) for phrase in way[:-1])


def _with_joined(operator: str, arguments: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return a call in which arguments that nothing parts are one: else nobody could tell them."""
    out: list[str] = []
    joined: list[str] = []
    end, values = 0, iter(arguments)
    for match in _HOLE.finditer(operator):
        if match[0] != "{}":
            continue
        if joined and match.start() == end:
            joined[-1] += next(values)
        else:
            out.append(operator[end : match.end()])
            joined.append(next(values))
        end = match.end()
    return "".join(out) + operator[end:], tuple(joined)


def learn_grammar(
    episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]], *, whole: bool = False
) -> Grammar:
    """Learn which words are the operators' from (task, observations, actions) of episodes.

    Args:
        episodes: The episodes.
        whole: Whether a word that nobody said is no text made of parts that were: it is not cut,
            and a word by which alone two long operators differ is an argument.
    """
    said: Counter[str] = Counter()
    used: Counter[str] = Counter()
    follows: dict[str, Counter[str]] = defaultdict(Counter)
    cuts = "" if whole else _cuts(episodes)
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
    # A letter or syllable of such a script is said by chance: that it comes again tells.
    fixed |= {w for w in used if is_glued(w) and used[w] >= _COMMON * len(episodes)}
    fixed -= _typed_words(episodes, fixed, used, cuts)
    for _ in range(3):  # a word that always follows an operator's word belongs to it
        for word in fixed & set(follows):
            other, count = max(follows[word].items(), key=lambda x: x[1], default=("", 0))
            always = count >= _NEARLY_ALWAYS * follows[word].total()
            if count >= _OFTEN and always and not has_digit(other) and other in follows:
                fixed = fixed | {other}
    fixed |= _words_of_all(episodes, fixed, cuts)
    if whole:
        fixed -= _exchanged_words(episodes, fixed)
    grammar = Grammar(frozenset(fixed), dict(_breaks(episodes, fixed, cuts)), cuts=cuts)
    grammar = replace(grammar, sizes=_sizes(grammar, episodes))
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


def _sizes(
    grammar: Grammar, episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]]
) -> dict[Tokens, tuple[int, ...]]:
    """Return how many phrases the runs of each operator's other words usually are."""
    counts: dict[Tokens, Counter[tuple[int, ...]]] = defaultdict(Counter)
    for task, observations, actions in episodes:
        said = [task]
        for observation, action in zip(observations, actions, strict=False):
            said.append(observation)
            words = _words(action, said, grammar.cuts)
            operator = tuple(word.text for word in words if word.text in grammar.fixed)
            counts[operator][tuple(len(way) for _, way in grammar.phrases(action, said))] += 1
    return {
        operator: max(each, key=lambda sizes: (each[sizes], sizes))
        for operator, each in counts.items()
        if len(each) > 1
    }


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


def _words_of_all(
    episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]], fixed: Collection[str], cuts: str
) -> set[str]:
    """Return words that all actions with the same operator's words have: tasks may say them, too.

    The other words of these actions have to differ: else nothing tells an operator from arguments.
    """
    alike: dict[Tokens, list[set[str]]] = defaultdict(list)
    for _, _, actions in episodes:
        for action in actions:
            words = [word.text for word in _words(action, (), cuts)]
            own = tuple(word for word in words if word in fixed)
            # What stands before all arguments parts none of them.
            first = next((n for n, word in enumerate(words) if word not in fixed), 0)
            alike[own].append({word for word in words[first + 1 :] if word not in fixed})
    out: set[str] = set()
    for own, others in alike.items():
        always = set.intersection(*others)
        if own and len({frozenset(each) for each in others}) >= _LEAST_ALIKE:
            out |= {word for word in always if word.isalpha()}
    return out


def _typed_words(
    episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]],
    fixed: Collection[str],
    used: Mapping[str, int],
    cuts: str,
) -> set[str]:
    """Return words that are typed: many, each of them seldom, in actions that else say the same."""
    return {
        word
        for most, least in ((1, _TYPED), (int(_SELDOM * len(episodes)), _TYPED_OFTEN))
        for words in _places(episodes, {w for w in fixed if used[w] <= most}, fixed, cuts)
        if len(words) >= least
        for word in words
    }


def _exchanged_words(
    episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]], fixed: Collection[str]
) -> set[str]:
    """Return words by which alone some long operators differ, of which an episode has one."""
    found: dict[Tokens, int] = Counter()
    for _, _, actions in episodes:
        for words in {
            tuple(w.text if w.text in fixed else "" for w in _words(a, (), "")) for a in actions
        }:
            found[words] += 1
    operators = [each for each in found if sum(map(bool, each)) > _SHARED]
    elsewhere = Counter(word for each in found for word in set(each))
    places: dict[tuple[Tokens, Tokens], set[str]] = defaultdict(set)
    for each in operators:
        for at, word in enumerate(each):
            if word:
                places[each[:at], each[at + 1 :]].add(word)
    return {
        word
        for words in places.values()
        if len(words) > 1
        for word in words
        if elsewhere[word] == 1 and word.isalnum()
    }


def _places(
    episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]],
    seldom: set[str],
    fixed: Collection[str],
    cuts: str,
) -> Iterable[set[str]]:
    """Return the seldom words that stand in the same place of actions that else say the same."""
    shapes: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for _, _, actions in episodes:
        for action in actions:
            words = [word.text for word in _words(action, (), cuts)]
            kept = tuple(w if w in fixed and w not in seldom else "" for w in words)
            if any(kept):
                shapes[kept] |= seldom & set(words)
    return shapes.values()


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


_Way: TypeAlias = "tuple[_Way | None, Tokens]"


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int


def _words(action: str, said: Collection[str], cuts: str) -> list[_Word]:
    """Return the words of an action; those that nobody said are cut at signs, with the signs.

    A number, date or time is one value, and never cut.

    Args:
        action: The action.
        said: Texts, or words, in which a whole word is looked for.
        cuts: The signs.
    """
    out: list[_Word] = []
    seen: set[str] | None = None
    for match in WORD.finditer(action):
        word, start = match.group(), match.start()
        if magnitude(word) is not None or not any(sign in word[1:-1] for sign in cuts):
            out.append(_Word(word, start, match.end()))
            continue
        if seen is None:
            seen = {token for text in said for token in tokens(text)}
        for part in _parts(re.split(f"([{re.escape(cuts)}])", word), seen):
            if part:
                out.append(_Word(part, start, start + len(part)))
            start += len(part)
    return out


def _parts(pieces_of_word: Sequence[str], seen: Collection[str]) -> Iterator[str]:
    """Yield the longest parts of a word that were said, from its beginning, and what is left.

    A date or time is one part, in whichever notation it was said.
    """
    at, end = 0, len(pieces_of_word)
    while at < end:
        joined = {stop: "".join(pieces_of_word[at:stop]) for stop in range(end, at, -1)}
        whole = (stop for stop, text in joined.items() if text in seen or _is_time(text))
        stop = next(whole, at + 1)
        yield joined[stop]
        at = stop


def _is_time(text: str) -> bool:
    size = magnitude(text)
    return size is not None and size[0] != "number"


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


def _ways(words: Sequence[str], said: Sequence[str], size: int = 0) -> list[tuple[Tokens, ...]]:
    """Return the splits of a run into phrases that were said in one of the texts.

    Args:
        words: The run.
        said: The texts.
        size: How many phrases, if it can be split so; else, and if 0, the fewest.
    """
    # A way is a pair of the way before its last phrase and that phrase; the empty one is None.
    ways: list[dict[int, list[_Way | None]]] = [{0: [None]}]
    for i in range(1, len(words) + 1):
        options: dict[int, list[_Way | None]] = defaultdict(list)
        for j in range(_first_said(words, i, said), i):
            phrase = tuple(words[j:i])
            for number, each in ways[j].items():
                options[number + 1] += [(way, phrase) for way in each]
        kept = sorted(options)[:_MOST_SIZES]
        ways.append({number: options[number][:8] for number in {*kept, size} & options.keys()})
    return [*map(_phrases_of, ways[-1].get(size) or ways[-1][min(ways[-1])])]


def _first_said(words: Sequence[str], end: int, said: Sequence[str]) -> int:
    """Return where the longest phrase begins that was said, or is one word, and ends at a place.

    Of a phrase that was said each part was.
    """
    start = end - 1
    while start > 0 and any(_stands(tuple(words[start - 1 : end]), tokens(text)) for text in said):
        start -= 1
    return start


def _phrases_of(way: _Way | None) -> tuple[Tokens, ...]:
    phrases: list[Tokens] = []
    while way is not None:
        way, phrase = way
        phrases.append(phrase)
    return tuple(reversed(phrases))


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
