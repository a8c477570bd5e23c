"""Learn operators and arguments of actions that are texts.

A word of an action is an argument if the task or an observation usually holds it before its first
use. All other words belong to the operator, wherever the verb stands.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from .templates import ANY_TEXT, Template, literal_text, pieces
from .tokens import WORD, Tokens, has_digit, is_cell, is_glued, magnitude, tokens
from .unification import unification

_HOLE = re.compile(r"\{\{|\}\}|\{\}")
_SIGNS = "/@.-"
"""Signs that may stand in a word."""
_MOST_SIGNS = 8
"""Most of them by which a told word is parted, the first ones."""
_OFTEN = 10
"""Uses of a pair of words; fewer do not show that one always follows the other."""
_MOST_SIZES = 4
"""Most numbers of phrases, the smallest, that are kept for a beginning of a run."""
_LEAST_TYPED = 3
"""Least actions that differ by words met once; then these words are typed by the agent."""
_SELDOM = 0.2
"""Greatest share of the episodes that use a word which is one of many typed ones."""
_TYPED_OFTEN = 8
"""Least actions that differ by words met more than once; then these words are typed."""
_COMMON = 0.4
"""Least share of the episodes that use an operator's letter in a script without blanks: one of
several values is rarer."""
_MANY = 20
"""Least episodes that show which words nearly all of them use."""
_MOSTLY = 0.8
"""Least share of the episodes with such a word."""
_LEAST_ALIKE = 5
"""Different actions; a word that fewer share may be there by chance."""
_NEARLY_ALWAYS = 0.97
"""Least share of a word's uses that another word follows to belong to it."""
_LEAST_SHARED_WORDS = 3
"""Words; operators that share no more are not one operator with an exchanged word, and actions
of fewer may be values alone, such as ``go north``."""
_LEAST = 3
"""Uses of an operator; the common part of fewer arguments may be chance."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """Separates operators from arguments.

    Attributes:
        fixed: Words that belong to operators.
        sizes: Words of an operator → usual number of phrases in each run of its other words.
        cuts: Signs at which an unknown word is cut, as ``/`` in ``orders/1234``.
        inner: Words of an operator → number of the one that is part of an argument there, as
            ``shelf`` is in ``search the window shelf``, though not in ``put it on shelf 4``.
        breaks: Word → score of a phrase's end after it, against going on.
        folds: Operator → common template of each of its demonstrated arguments.
    """

    fixed: frozenset[str]
    breaks: dict[str, float]
    folds: dict[str, tuple[Template, ...]] = field(default_factory=dict)
    sizes: Mapping[Tokens, tuple[int, ...]] = field(default_factory=dict)
    cuts: str = ""
    inner: Mapping[Tokens, int] = field(default_factory=dict)

    def parse(self, action: str, texts_so_far: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """Return the operator, with ``{}`` for each argument, and the arguments.

        Args:
            action: An action.
            texts_so_far: Task and observations; an argument is a phrase of them where possible.
        """
        split = self._split(action, texts_so_far)
        if not self.folds:
            return split
        # What is one phrase of some tasks may be several of others: the operator stays the same.
        return self._folded(*self._whole(action, texts_so_far)) or self._folded(*split) or split

    def _folded(
        self, operator: str, arguments: Sequence[str]
    ) -> tuple[str, tuple[str, ...]] | None:
        """Return a call with the text that arguments share in its operator; None without any."""
        folds = self.folds.get(operator, ())
        parts = [fold.read(a) for fold, a in zip(folds, arguments, strict=False)]
        inner = tuple(value for part in parts if part is not None for value in part)
        if not parts or None in parts:
            return None
        fold_texts = iter(["{}".join(map(literal_text, pieces(fold.text)[0])) for fold in folds])
        return _HOLE.sub(lambda m: next(fold_texts) if m[0] == "{}" else m[0], operator), inner

    def skeleton(self, action: str) -> Tokens:
        """Return the operator's words of an action."""
        return _operator_of(_words(action, (), self.cuts), self.fixed)

    def _split(self, action: str, texts: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        parts: list[str] = []
        arguments: list[str] = []
        end = 0
        for run, phrases in self.phrases(action, texts):
            at = 0
            for phrase in phrases:
                begin, stop = run[at].start, run[at + len(phrase) - 1].end
                at += len(phrase)
                if len(phrases) > 1 and _separates(phrase):
                    continue
                parts.append(literal_text(action[end:begin]) + "{}")
                arguments.append(action[begin:stop])
                end = stop
        return _with_joined("".join(parts) + literal_text(action[end:]), arguments)

    def _whole(self, action: str, texts: Sequence[str]) -> tuple[str, tuple[str, ...]]:
        """Return the operator and the arguments of an action, each run of words as one of them."""
        runs = list(_argument_runs(_words(action, texts, self.cuts), self.fixed, self.inner))
        spans = [(run[0].start, run[-1].end) for run in runs]
        ends = [0, *(end for _, end in spans)]
        begins = [*(begin for begin, _ in spans), len(action)]
        plain = (literal_text(action[end:begin]) for end, begin in zip(ends, begins, strict=True))
        return "{}".join(plain), tuple(action[begin:end] for begin, end in spans)

    def phrases(
        self, action: str, texts_so_far: Sequence[str]
    ) -> list[tuple[list[_Word], tuple[Tokens, ...]]]:
        """Return the runs of argument words, each with its phrases.

        A run is split into the fewest phrases of the texts, or into its usual number: two values
        that once stood side by side are still two.
        """
        words = _words(action, texts_so_far, self.cuts)
        runs = list(_argument_runs(words, self.fixed, self.inner))
        sizes = self.sizes.get(_operator_of(words, self.fixed), ())
        usual_sizes = sizes if len(sizes) == len(runs) else (0,) * len(runs)
        texts = [[word.text for word in run] for run in runs]
        return [
            (run, min(_ways(text, texts_so_far, size), key=self._cost))
            for run, text, size in zip(runs, texts, usual_sizes, strict=True)
        ]

    def _cost(self, way: Sequence[Tokens]) -> float:
        return -sum(self.breaks.get(phrase[-1], 0.0) for phrase in way[:-1])


def _with_joined(operator: str, arguments: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return a call in which adjacent arguments without text between them are one."""
    parts: list[str] = []
    joined: list[str] = []
    end, values = 0, iter(arguments)
    for match in _HOLE.finditer(operator):
        if match[0] != "{}":
            continue
        if joined and match.start() == end:
            joined[-1] += next(values)
        else:
            parts.append(operator[end : match.end()])
            joined.append(next(values))
        end = match.end()
    return "".join(parts) + operator[end:], tuple(joined)


def learn_grammar(
    episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]], *, whole: bool = False
) -> Grammar:
    """Learn the operators' words from (task, observations, actions) of episodes.

    Args:
        episodes: The episodes.
        whole: Whether unknown words are whole values: they are not cut, and a word by which alone
            two long operators differ is an argument.
    """
    told_count: Counter[str] = Counter()
    use_count: Counter[str] = Counter()
    successor_count: dict[str, Counter[str]] = defaultdict(Counter)
    cuts = "" if whole else _cuts(episodes)
    for task, observations, actions in episodes:
        known_words = set(_with_pieces(tokens(task)))
        episode_words: set[str] = set()
        for observation, action in zip(observations, actions, strict=False):
            known_words.update(_with_pieces(tokens(observation)))
            words = [word.text for word in _words(action, known_words, cuts)]
            for one, other in itertools.pairwise(words):
                successor_count[one][other] += 1
            for word in words:
                if word not in episode_words:
                    episode_words.add(word)
                    use_count[word] += 1
                    told_count[word] += word in known_words
    fixed = {w for w in use_count if not has_digit(w) and told_count[w] * 2 < use_count[w]}
    # The texts hold a letter of such a script by chance; its frequency decides instead.
    fixed |= {w for w in use_count if is_glued(w) and use_count[w] >= _COMMON * len(episodes)}
    fixed -= _typed_words(episodes, fixed, use_count, cuts)
    if len(episodes) >= _MANY:
        bare = _words_without_operator(episodes, fixed, cuts)
        fixed |= {w for w in bare if w.isalpha() and use_count[w] >= _MOSTLY * len(episodes)}
    for _ in range(3):  # a word that always follows an operator's word belongs to it
        for word in fixed & set(successor_count):
            other, count = max(successor_count[word].items(), key=lambda x: x[1], default=("", 0))
            always = count >= _NEARLY_ALWAYS * successor_count[word].total()
            if count >= _OFTEN and always and not has_digit(other) and other in successor_count:
                fixed = fixed | {other}
    fixed |= _words_of_all(episodes, fixed, cuts)
    if whole:
        fixed -= _exchanged_words(episodes, fixed)
    inner = _inner_words(episodes, fixed, cuts)
    breaks = dict(_break_scores(episodes, fixed, inner, cuts))
    grammar = Grammar(frozenset(fixed), breaks, cuts=cuts, inner=inner)
    grammar = replace(grammar, sizes=_sizes(grammar, episodes))
    arguments_by_operator: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    cell_count: dict[tuple[str, int], int] = defaultdict(int)
    for episode in episodes:
        for at, (operator, arguments) in enumerate(calls_of(grammar, *episode)):
            arguments_by_operator[operator].append(arguments)
            for index, value in enumerate(arguments):
                if any(is_cell(value, text) for text in (episode[0], *episode[1][: at + 1])):
                    cell_count[operator, index] += 1
    folds = {
        operator: _folds(
            each, [cell_count[operator, i] * 2 > len(each) for i in range(len(each[0]))]
        )
        for operator, each in arguments_by_operator.items()
        if len(each) >= _LEAST
    }
    return replace(grammar, folds={o: f for o, f in folds.items() if f})


def _with_pieces(words: Iterable[str]) -> Iterator[str]:
    """Yield words, and their parts at signs: ``kiel.example`` in ``pc1.kiel.example``."""
    for word in words:
        yield word
        ends = [at for at, sign in enumerate(word) if sign in _SIGNS][:_MOST_SIGNS]
        for begin in ends:
            yield word[begin + 1 :]
        for end in ends:
            yield word[:end]


def _sizes(
    grammar: Grammar, episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]]
) -> dict[Tokens, tuple[int, ...]]:
    """Return the usual number of phrases in each run of an operator's argument words."""
    count_by_sizes: dict[Tokens, Counter[tuple[int, ...]]] = defaultdict(Counter)
    for task, observations, actions in episodes:
        texts = [task]
        for observation, action in zip(observations, actions, strict=False):
            texts.append(observation)
            words = _words(action, texts, grammar.cuts)
            count_by_sizes[_operator_of(words, grammar.fixed)][
                tuple(len(way) for _, way in grammar.phrases(action, texts))
            ] += 1
    return {
        operator: max(each, key=lambda sizes: (each[sizes], sizes))
        for operator, each in count_by_sizes.items()
        if len(each) > 1
    }


def _folds(uses: Sequence[tuple[str, ...]], is_cell: Sequence[bool]) -> tuple[Template, ...]:
    """Return the common template of each argument of an operator; nothing if all are plain.

    A value that stands between signs in the texts (a cell) is not cut into several.
    """
    folds = tuple(_fold([use[i] for use in uses]) for i in range(len(uses[0])))
    folds = tuple(
        ANY_TEXT if cell and len(fold.slots) > 1 else fold
        for fold, cell in zip(folds, is_cell, strict=True)
    )
    return folds if any(fold != ANY_TEXT for fold in folds) else ()


def _fold(values: Sequence[str]) -> Template:
    """Return the common template of an argument's values."""
    if len(set(values)) == 1 and has_digit(values[0]):
        return ANY_TEXT
    return unification(values) or ANY_TEXT


def _words_without_operator(
    episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]], fixed: Collection[str], cuts: str
) -> set[str]:
    """Return the words of actions that have no operator's word.

    One of three or more is the operator's, though texts hold it: one that nearly all episodes use.
    """
    words_by_action = {
        action: [word.text for word in _words(action, (), cuts)]
        for _, _, actions in episodes
        for action in actions
    }
    return {
        word
        for words in words_by_action.values()
        if len(words) >= _LEAST_SHARED_WORDS and not any(each in fixed for each in words)
        for word in words
    }


def _words_of_all(
    episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]], fixed: Collection[str], cuts: str
) -> set[str]:
    """Return words that all actions with the same operator's words share, though tasks hold them.

    The other words of these actions must differ; otherwise operator and arguments look the same.
    """
    words_by_operator: dict[Tokens, list[Tokens]] = defaultdict(list)
    for _, _, actions in episodes:
        for action in actions:
            words = [word.text for word in _words(action, (), cuts)]
            operator = tuple(word for word in words if word in fixed)
            words_by_operator[operator].append(tuple(w for w in words if w not in fixed))
    shared_words: set[str] = set()
    for operator, others in words_by_operator.items():
        always = set.intersection(*map(set, others))
        if operator and len({frozenset(each[1:]) for each in others}) >= _LEAST_ALIKE:
            shared_words |= {word for word in always if word.isalpha()}
    return shared_words


def _typed_words(
    episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]],
    fixed: Collection[str],
    use_count: Mapping[str, int],
    cuts: str,
) -> set[str]:
    """Return typed words: many rare ones in actions that are otherwise the same."""
    return {
        word
        for most, least in ((1, _LEAST_TYPED), (int(_SELDOM * len(episodes)), _TYPED_OFTEN))
        for words in _rare_words_by_shape(
            episodes, {w for w in fixed if use_count[w] <= most}, fixed, cuts
        )
        if len(words) >= least
        for word in words
    }


def _exchanged_words(
    episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]], fixed: Collection[str]
) -> set[str]:
    """Return words by which alone long operators differ, each in one operator only."""
    episode_count: dict[Tokens, int] = Counter()
    for _, _, actions in episodes:
        for words in {
            tuple(w.text if w.text in fixed else "" for w in _words(a, (), "")) for a in actions
        }:
            episode_count[words] += 1
    operators = [
        operator for operator in episode_count if sum(map(bool, operator)) > _LEAST_SHARED_WORDS
    ]
    operator_count = Counter(word for operator in episode_count for word in set(operator))
    words_by_place: dict[tuple[Tokens, Tokens], set[str]] = defaultdict(set)
    for operator in operators:
        for at, word in enumerate(operator):
            if word:
                words_by_place[operator[:at], operator[at + 1 :]].add(word)
    return {
        word
        for words in words_by_place.values()
        if len(words) > 1
        for word in words
        if operator_count[word] == 1 and word.isalnum()
    }


def _rare_words_by_shape(
    episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]],
    rare: set[str],
    fixed: Collection[str],
    cuts: str,
) -> Iterable[set[str]]:
    """Return the rare words of actions that are otherwise the same, a set for each shape."""
    words_by_shape: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for _, _, actions in episodes:
        for action in actions:
            words = [word.text for word in _words(action, (), cuts)]
            shape = tuple(w if w in fixed and w not in rare else "" for w in words)
            if any(shape):
                words_by_shape[shape] |= rare & set(words)
    return words_by_shape.values()


def calls_of(
    grammar: Grammar, task: str, observations: Sequence[str], actions: Sequence[str]
) -> list[tuple[str, tuple[str, ...]]]:
    """Parse all actions of an episode."""
    texts = [task]
    calls = []
    for observation, action in zip(observations, actions, strict=False):
        texts.append(observation)
        calls.append(grammar.parse(action, texts))
    return calls


def _break_scores(
    episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]],
    fixed: set[str],
    inner: Mapping[Tokens, int],
    cuts: str,
) -> dict[str, float]:
    """Score for each word whether a run of argument words breaks after it (> 0) or goes on."""
    score_by_word: dict[str, float] = defaultdict(float)
    for task, observations, actions in episodes:
        texts = [task]
        for observation, action in zip(observations, actions, strict=False):
            texts.append(observation)
            for run in _argument_runs(_words(action, texts, cuts), fixed, inner):
                if len(run) < 2:
                    continue
                ways = _ways([word.text for word in run], texts)
                for way in ways:
                    for phrase in way[:-1]:
                        score_by_word[phrase[-1]] += 1 / len(ways)
                    for phrase in way:
                        for word in phrase[:-1]:
                            score_by_word[word] -= 1 / len(ways)
    return score_by_word


_Way: TypeAlias = "tuple[_Way | None, Tokens]"


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int


def _words(action: str, texts: Collection[str], cuts: str) -> list[_Word]:
    """Return the words of an action; unknown ones are cut at signs, which are words, too.

    A number, date or time is one value and is never cut.

    Args:
        action: The action.
        texts: Texts, or words, with the known words.
        cuts: The signs.
    """
    action_words: list[_Word] = []
    known_words: set[str] | None = None
    for match in WORD.finditer(action):
        word, start = match.group(), match.start()
        if magnitude(word) is not None or not any(sign in word[1:-1] for sign in cuts):
            action_words.append(_Word(word, start, match.end()))
            continue
        if known_words is None:
            known_words = {token for text in texts for token in tokens(text)}
        for part in _parts(re.split(f"([{re.escape(cuts)}])", word), known_words):
            if part:
                action_words.append(_Word(part, start, start + len(part)))
            start += len(part)
    return action_words


def _parts(pieces_of_word: Sequence[str], known_words: Collection[str]) -> Iterator[str]:
    """Yield the longest known parts of a word from its beginning, and its other pieces.

    A date or time is one part, in any notation.
    """
    at, end = 0, len(pieces_of_word)
    while at < end:
        text_by_stop = {stop: "".join(pieces_of_word[at:stop]) for stop in range(end, at, -1)}
        stops = (
            stop for stop, text in text_by_stop.items() if text in known_words or _is_time(text)
        )
        stop = next(stops, at + 1)
        yield text_by_stop[stop]
        at = stop


def _is_time(text: str) -> bool:
    size = magnitude(text)
    return size is not None and size[0] != "number"


def _cuts(episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]]) -> str:
    """Return signs that mostly stand beside a known word within an unknown one."""
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    for task, observations, actions in episodes:
        known_words = set(tokens(task))
        for observation, action in zip(observations, actions, strict=False):
            known_words.update(tokens(observation))
            for word in tokens(action):
                for sign in _SIGNS:
                    if sign in word[1:-1] and word not in known_words:
                        counts[sign][not known_words.isdisjoint(word.split(sign))] += 1
    return "".join(
        sign for sign in _SIGNS if counts[sign][True] >= max(_LEAST, counts[sign][False])
    )


def _operator_of(words: Iterable[_Word], fixed: Collection[str]) -> Tokens:
    return tuple(word.text for word in words if word.text in fixed)


def _inner_words(
    episodes: Sequence[tuple[str, Sequence[str], Sequence[str]]], fixed: Collection[str], cuts: str
) -> dict[Tokens, int]:
    """Return the words of operators that are parts of arguments: operator → number of the word.

    Without it the operator is a more frequent one, and the word always stands beside an argument as
    it was told before.
    """
    uses: dict[Tokens, list[tuple[int, int]]] = defaultdict(list)
    for number, (_, _, actions) in enumerate(episodes):
        for at, action in enumerate(actions):
            uses[_operator_of(_words(action, (), cuts), fixed)].append((number, at))

    def is_told(word: int, episode: int, at: int) -> bool:
        task, observations, actions = episodes[episode]
        phrase = _phrase_around(_words(actions[at], (), cuts), fixed, word)
        texts = (task, *observations[: at + 1])
        return len(phrase) > 1 and any(_occurs_in(phrase, tokens(text)) for text in texts)

    inner: dict[Tokens, int] = {}
    for operator, members in uses.items():
        for word in range(len(operator)):
            shorter = (*operator[:word], *operator[word + 1 :])
            if len(uses.get(shorter, ())) < max(_LEAST, 2 * len(members)):
                continue
            if all(is_told(word, *member) for member in members):
                inner[operator] = word
                break
    return inner


def _phrase_around(words: Sequence[_Word], fixed: Collection[str], number: int) -> Tokens:
    """Return an operator's word with the arguments beside it."""
    at = [n for n, word in enumerate(words) if word.text in fixed][number]
    begin, end = at, at + 1
    while begin and words[begin - 1].text not in fixed:
        begin -= 1
    while end < len(words) and words[end].text not in fixed:
        end += 1
    return tuple(word.text for word in words[begin:end])


def _argument_runs(
    words: Sequence[_Word], fixed: Collection[str], inner: Mapping[Tokens, int]
) -> Iterator[list[_Word]]:
    free = inner.get(_operator_of(words, fixed))
    run: list[_Word] = []
    number = 0
    for word in words:
        is_fixed = word.text in fixed
        if not is_fixed or number == free:
            run.append(word)
        elif run:
            yield run
            run = []
        number += is_fixed
    if run:
        yield run


def _ways(words: Sequence[str], texts: Sequence[str], size: int = 0) -> list[tuple[Tokens, ...]]:
    """Return the splits of a run into phrases of the texts.

    Args:
        words: The run.
        texts: The texts.
        size: Number of phrases if possible; otherwise, and if 0, the smallest number.
    """
    # A way is a pair: the way before its last phrase, and that phrase; the empty one is None.
    ways: list[dict[int, list[_Way | None]]] = [{0: [None]}]
    for i in range(1, len(words) + 1):
        ways_by_size: dict[int, list[_Way | None]] = defaultdict(list)
        for j in range(_longest_phrase_start(words, i, texts), i):
            phrase = tuple(words[j:i])
            for number, each in ways[j].items():
                ways_by_size[number + 1] += [(way, phrase) for way in each]
        sizes = sorted(ways_by_size)[:_MOST_SIZES]
        ways.append(
            {number: ways_by_size[number][:8] for number in {*sizes, size} & ways_by_size.keys()}
        )
    return [*map(_phrases_of, ways[-1].get(size) or ways[-1][min(ways[-1])])]


def _longest_phrase_start(words: Sequence[str], end: int, texts: Sequence[str]) -> int:
    """Return the start of the longest phrase of a text that ends at a place, or of one word.

    The search is linear, since each part of a phrase of a text is one, too.
    """
    start = end - 1
    while start > 0 and any(
        _occurs_in(tuple(words[start - 1 : end]), tokens(text)) for text in texts
    ):
        start -= 1
    return start


def _phrases_of(way: _Way | None) -> tuple[Tokens, ...]:
    phrases: list[Tokens] = []
    while way is not None:
        way, phrase = way
        phrases.append(phrase)
    return tuple(reversed(phrases))


def _separates(phrase: Tokens) -> bool:
    """Tell whether a phrase holds only signs, which separate arguments."""
    return not any(word[0].isalnum() for word in phrase)


def _occurs_in(phrase: Tokens, text: Tokens) -> bool:
    at = -1
    while True:
        try:
            at = text.index(phrase[0], at + 1)
        except ValueError:
            return False
        if text[at : at + len(phrase)] == phrase:
            return True
