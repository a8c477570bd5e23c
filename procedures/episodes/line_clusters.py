"""Cluster similar lines, and find the template of each cluster."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from .item_lists import with_lists
from .templates import Line, Template, literal_text
from .tokens import Tokens, has_digit, tokens
from .unification import Words, common, gaps_of, template_around

_ALIKE = 0.6
"""Least shared part of the weight of two lines with one template."""
_ALIKE_APART = 0.9
"""Least shared part where paraphrases are kept apart."""
_MOST_ROUNDS = 8
"""Most rounds of clustering the lines that no template reads yet; it bounds the time."""
_RECURS = 2
"""Episodes; a form in fewer may be chance."""
_GAP = "*"
_BAR = "|"
_ITEMS = frozenset((_GAP, ","))
"""Tokens of further items of a list."""
_MARK = "#"
"""Stands for a number or mark at the beginning of a line of values."""
_MOST_KINDS = 12
"""Most lines that differ in one place; more have values there."""
_MOST_WORDS = 3
"""Most words of such a value."""
_VALUE_SHARE = 0.2
"""Most share of the episodes with one of these values."""
_GAP_WEIGHT = 0.2
"""Weight of a value in both lines, which says little for their likeness."""
_LONGEST = 40
"""Tokens of the longest form whose places are compared one by one; bounds the time."""
_NEVER = 1e-3
"""Weight of a word that is a value: a number, or a word of an argument."""


class Clusters:
    """Clusters of lines by likeness, and their templates by anti-unification."""

    def __init__(
        self,
        lines: Sequence[Line],
        phrases: frozenset[str],
        fillers: frozenset[str] = frozenset(),
        *,
        apart: bool = False,
    ) -> None:
        self.least = _ALIKE_APART if apart else _ALIKE
        self.apart = apart
        self.words = Words.of(phrases, fillers)
        values = {word for phrase in phrases for word in tokens(phrase)} | fillers
        episodes_by_token: dict[str, set[int]] = defaultdict(set)
        self.count: Counter[str] = Counter()
        self.episodes: dict[str, set[int]] = defaultdict(set)
        for line in lines:
            self.count[line.text] += 1
            for token in tokens(line.text):
                episodes_by_token[token].add(line.episode)
            self.episodes[line.text].add(line.episode)
        number = len({line.episode for line in lines}) or 1
        self.lines = lines
        self._places: defaultdict[tuple[int, Tokens], list[Tokens]] | None = None
        self.weight = {
            token: _NEVER
            if has_digit(token) or token in values
            else 1.0
            if not token[0].isalnum()
            else min(1.0, 2 * len(episode_numbers) / number)
            for token, episode_numbers in episodes_by_token.items()
        }
        rare = {t for t, e in episodes_by_token.items() if len(e) <= _VALUE_SHARE * number}
        self.weight |= dict.fromkeys(() if apart else self._names(rare), _NEVER)

    def templates(self) -> tuple[Template, ...]:
        """Return the templates of the clusters; unread lines are clustered again."""
        ranked_by_text: dict[str, tuple[int, Template]] = {}
        remaining = sorted(self.count)
        for _ in range(_MOST_ROUNDS):
            unread: list[str] = []
            for cluster in self._clusters(remaining):
                template = self._template(cluster)
                # Lines that differ only in spaces need another template.
                unread += [text for text in cluster if template.read(text) is None]
                support = sum(self.count[each] for each in cluster)
                if (
                    template.text not in ranked_by_text
                    or ranked_by_text[template.text][0] < support
                ):
                    ranked_by_text[template.text] = support, template
            if not unread:
                break
            remaining = unread
        ranked = [t for _, t in sorted(ranked_by_text.values(), key=lambda x: (-x[0], x[1].text))]
        return self._with_lists(ranked)

    def _with_lists(self, templates: Sequence[Template]) -> tuple[Template, ...]:
        """Join slots that are items of a list; merge templates that then have the same text."""
        texts_by_template: dict[Template, list[str]] = defaultdict(list)
        for text in sorted(self.count):
            for template in sorted(templates, key=lambda t: (-t.weight, t.text)):
                if template.read(text) is not None:
                    texts_by_template[template].append(text)
                    break
        template_by_text: dict[str, Template] = {}
        for template in templates:
            with_list = with_lists(template, texts_by_template[template])
            earlier = template_by_text.get(with_list.text)
            if earlier is None or with_list.lists > earlier.lists:
                template_by_text[with_list.text] = with_list
        return tuple(template_by_text.values())

    def _names(self, rare: Container[str]) -> Iterator[str]:
        """Yield words that are values: so many lines differ in them alone that none is a kind.

        Names of a pool recur, each in few episodes.
        """
        variants: dict[tuple[Tokens, Tokens], dict[Tokens, None]] = defaultdict(dict)
        for form in dict.fromkeys(map(self._masked, self.count)):
            named = [word.isalpha() and word in rare for word in form]
            for begin, end in _runs(named):
                around = form[:begin], form[end:]
                if any(_GAP in part for part in around):
                    variants[around][form[begin:end]] = None
        for names in variants.values():
            if len(names) > _MOST_KINDS:
                yield from itertools.chain.from_iterable(names)

    # ------------------------------------------------------------------ clusters
    def _masked(self, text: str) -> Tokens:
        """Return the tokens with each run of values as one ``*``."""
        masked_tokens: list[str] = []
        for token in tokens(text):
            value = self.weight[token] <= _NEVER
            if not value:
                masked_tokens.append(token)
            elif not masked_tokens or masked_tokens[-1] != _GAP:
                masked_tokens.append(_GAP)
        if masked_tokens == [_GAP] and _is_marked(text):
            masked_tokens = [_MARK, _GAP]
        return tuple(masked_tokens)

    def _clusters(self, texts: Sequence[str]) -> list[list[str]]:
        texts_by_form: dict[Tokens, list[str]] = defaultdict(list)
        for text in texts:
            texts_by_form[self._masked(text)].append(text)
        keys = sorted(
            texts_by_form, key=lambda k: (-sum(self.count[t] for t in texts_by_form[k]), k)
        )
        parent = {key: key for key in keys}

        def root(key: Tokens) -> Tokens:
            while parent[key] != key:
                parent[key] = parent[parent[key]]
                key = parent[key]
            return key

        self._places = None
        form_of_text = {text: key for key, members in texts_by_form.items() for text in members}
        for one, other in () if self.apart else self._neighbours():
            if one in form_of_text and other in form_of_text:
                parent[root(form_of_text[other])] = root(form_of_text[one])
        heads: list[Tokens] = []
        for key in keys:
            key_root = root(key)
            if key_root != key and any(root(head) == key_root for head in heads):
                continue
            for head in heads:
                if root(head) == key_root:
                    continue
                if self._alike(head, key) < self.least and not _are_records(head, key):
                    continue
                if not self._are_wordings(head, key, texts_by_form):
                    parent[key_root] = root(head)
                    break
            else:
                heads.append(key)
        clusters: dict[Tokens, list[str]] = defaultdict(list)
        for key in keys:
            clusters[root(key)] += texts_by_form[key]
        return list(clusters.values())

    def _are_wordings(
        self, one: Tokens, other: Tokens, forms: Mapping[Tokens, Sequence[str]]
    ) -> bool:
        """Tell whether two recurring forms differ in several places, and always in all at once.

        Values vary place by place, between the two or between each of them and a third; the words
        of two sentences vary only together. So a slot for each place would overgeneralise. The
        length of a list varies in any sentence.
        """
        if any(self._recurrence(forms[each]) < _RECURS for each in (one, other)):
            return False
        shared = common(one, other)
        parts, others = _parts_around(one, shared), _parts_around(other, shared)
        differing = [
            i
            for i, pair in enumerate(zip(parts, others, strict=True))
            if pair[0] != pair[1] and not all(_ITEMS.issuperset(part) for part in pair)
        ]
        if len(differing) < 2:
            return False
        crossed = any(
            _form_of([*parts[:i], others[i], *parts[i + 1 :]], shared) in forms
            or _form_of([*others[:i], parts[i], *others[i + 1 :]], shared) in forms
            for i in differing
        )
        return not crossed and not all(
            any(common(shared, form) == shared for form in self._differing_in_one(each, forms))
            for each in (one, other)
        )

    def _differing_in_one(self, form: Tokens, forms: Iterable[Tokens]) -> Iterator[Tokens]:
        """Yield the other forms that differ from one in a single token. The places are cached."""
        if self._places is None:
            self._places = defaultdict(list)
            for each in forms:
                for place in _places(each):
                    self._places[place].append(each)
        for place in _places(form):
            yield from (each for each in self._places[place] if each != form)

    def _recurrence(self, texts: Iterable[str]) -> int:
        """Return the number of episodes with one of the lines."""
        return len(set[int]().union(*(self.episodes[text] for text in texts)))

    def _neighbours(self) -> Iterable[tuple[str, str]]:
        """Yield pairs of similar adjacent lines of one observation with the same signs."""
        for one, other in zip(self.lines, self.lines[1:], strict=False):
            if (one.episode, one.at) != (other.episode, other.at) or one.text == other.text:
                continue
            if _signs(one.text) == _signs(other.text):
                shared = self._alike(self._masked(one.text), self._masked(other.text))
                if shared >= _ALIKE / 2 or len(tokens(one.text)) == len(tokens(other.text)) <= 3:
                    yield one.text, other.text

    def _alike(self, one: Tokens, other: Tokens) -> float:
        shared = sum(self._weight(token) for token in common(one, other))
        most = max(sum(map(self._weight, one)), sum(map(self._weight, other)))
        return shared / most if most else 1.0

    def _weight(self, token: str) -> float:
        return _GAP_WEIGHT if token in (_GAP, _MARK) else self.weight[token]

    # ------------------------------------------------------------------ anti-unification
    def _template(self, cluster: Sequence[str]) -> Template:
        """Return the common template of the lines, without those that are too different."""
        members = sorted(cluster, key=lambda t: (-self.count[t], t))
        if len(members) == 1 and not any(self.weight[t] <= _NEVER for t in tokens(members[0])):
            return Template(literal_text(members[0]))
        constant = [t for t in tokens(members[0]) if self.weight[t] > _NEVER]
        similar = [members[0]]
        least = _ALIKE / 2 * sum(map(self._weight, constant))
        for text in members[1:]:
            shared = common(tuple(constant), tokens(text))
            if sum(map(self._weight, shared)) >= least:
                constant = list(shared)
                similar.append(text)
        gaps = {text: gaps_of(text, constant) for text in similar}
        gap_shape = {text: tuple(map(bool, each)) for text, each in gaps.items()}
        usual = Counter(gap_shape.values()).most_common(1)[0][0]
        fitting = [text for text in similar if gap_shape[text] == usual]
        return template_around(fitting, constant, [gaps[text] for text in fitting], self.words)


def _runs(marked: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield the begin and end of each run of a few marked places."""
    for begin in range(len(marked)):
        for end in range(begin + 1, min(begin + _MOST_WORDS, len(marked)) + 1):
            if not marked[end - 1]:
                break
            yield begin, end


def _are_records(one: Tokens, other: Tokens) -> bool:
    """Tell whether two lines are rows of one table: a value comes first, and one cell differs.

    A word that fills a cell behind a value is a value, however often it recurs.
    """
    if len(one) != len(other) or one[:2] != (_GAP, _BAR) or other[:2] != (_GAP, _BAR):
        return False
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    return len(pairs) == 1 and all(each[0].isalnum() for each in pairs[0])


def _parts_around(form: Tokens, shared: Tokens) -> list[Tokens]:
    """Return the parts of a form before, between and behind the tokens of a subsequence."""
    parts: list[list[str]] = [[]]
    for token in form:
        if len(parts) <= len(shared) and token == shared[len(parts) - 1]:
            parts.append([])
        else:
            parts[-1].append(token)
    return [tuple(part) for part in parts]


def _places(form: Tokens) -> Iterator[tuple[int, Tokens]]:
    """Yield each place of a form, with its other tokens; none of long forms."""
    if len(form) <= _LONGEST:
        yield from ((at, (*form[:at], *form[at + 1 :])) for at in range(len(form)))


def _form_of(parts: Sequence[Tokens], shared: Tokens) -> Tokens:
    """Return the form with these parts; the reverse of :func:`_parts_around`."""
    first, *rest = parts
    return sum(((token, *part) for token, part in zip(shared, rest, strict=True)), first)


def _is_marked(text: str) -> bool:
    """Tell whether a line of several words begins with a number, as rows of a listing do."""
    first, *others = tokens(text)
    return bool(others) and has_digit(first)


def _signs(text: str) -> Tokens:
    """Return the signs of a line, without commas, which separate the items of a list."""
    return tuple(t for t in tokens(text) if not t[0].isalnum() and t != ",")
