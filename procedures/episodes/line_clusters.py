"""Clusters of lines that are alike, and the template of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from .item_lists import with_lists
from .templates import Line, Template, literal_text
from .tokens import Tokens, has_digit, tokens
from .unification import Words, common, gaps_of, template_around

__all__ = ["Clusters"]

_ALIKE = 0.6
"""Share of the weight of two lines that they have to say alike to be of one template."""
_ALIKE_APART = 0.9
"""The same where lines that tell one thing in several ways are kept apart."""
_MOST_ROUNDS = 8
"""How often what is not yet read is clustered again."""
_RECURS = 2
"""Episodes in which a form that is no chance recurs."""
_GAP = "*"
_MARK = "#"
"""A number or a mark with which a line of values begins."""
_GAP_WEIGHT = 0.2
"""A value in both lines says little for their likeness."""
_NEVER = 1e-3
"""Weight of a word that is a value: a number, or what is used as an argument."""


class Clusters:
    """The lines of one template are found by likeness, then anti-unified."""

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
        episodes: dict[str, set[int]] = defaultdict(set)
        self.count: Counter[str] = Counter()
        self.episodes: dict[str, set[int]] = defaultdict(set)
        for line in lines:
            self.count[line.text] += 1
            for token in tokens(line.text):
                episodes[token].add(line.episode)
            self.episodes[line.text].add(line.episode)
        number = len({line.episode for line in lines}) or 1
        self.lines = lines
        self.weight = {
            token: _NEVER
            if has_digit(token) or token in values
            else 1.0
            if not token[0].isalnum()
            else min(1.0, 2 * len(seen) / number)
            for token, seen in episodes.items()
        }

    def templates(self) -> tuple[Template, ...]:
        """Cluster, anti-unify; what a template does not read is clustered again."""
        made: dict[str, tuple[int, Template]] = {}
        left = sorted(self.count)
        for _ in range(_MOST_ROUNDS):
            rest: list[str] = []
            for cluster in self._clusters(left):
                template = self._template(cluster)
                # Lines that differ only in their spaces have other templates.
                rest += [text for text in cluster if template.read(text) is None]
                support = sum(self.count[each] for each in cluster)
                if template.text not in made or made[template.text][0] < support:
                    made[template.text] = support, template
            if not rest:
                break
            left = rest
        ranked = [t for _, t in sorted(made.values(), key=lambda x: (-x[0], x[1].text))]
        return self._with_lists(ranked)

    def _with_lists(self, templates: Sequence[Template]) -> tuple[Template, ...]:
        """Join slots that are items of a list; templates that then read alike are one."""
        texts: dict[Template, list[str]] = defaultdict(list)
        for text in sorted(self.count):
            for template in sorted(templates, key=lambda t: (-t.weight, t.text)):
                if template.read(text) is not None:
                    texts[template].append(text)
                    break
        joined: dict[str, Template] = {}
        for template in templates:
            one = with_lists(template, texts[template])
            same = joined.get(one.text)
            if same is None or one.lists > same.lists:
                joined[one.text] = one
        return tuple(joined.values())

    # ------------------------------------------------------------------ clusters
    def _masked(self, text: str) -> Tokens:
        """Return the tokens with each run of values as one ``*``."""
        out: list[str] = []
        for token in tokens(text):
            value = self.weight[token] <= _NEVER
            if not value:
                out.append(token)
            elif not out or out[-1] != _GAP:
                out.append(_GAP)
        if out == [_GAP] and _is_marked(text):
            out = [_MARK, _GAP]
        return tuple(out)

    def _clusters(self, texts: Sequence[str]) -> list[list[str]]:
        forms: dict[Tokens, list[str]] = defaultdict(list)
        for text in texts:
            forms[self._masked(text)].append(text)
        keys = sorted(forms, key=lambda k: (-sum(self.count[t] for t in forms[k]), k))
        parent = {key: key for key in keys}

        def root(key: Tokens) -> Tokens:
            while parent[key] != key:
                parent[key] = parent[parent[key]]
                key = parent[key]
            return key

        of = {text: key for key, members in forms.items() for text in members}
        for one, other in () if self.apart else self._neighbours():
            if one in of and other in of:
                parent[root(of[other])] = root(of[one])
        heads: list[Tokens] = []
        for key in keys:
            mine = root(key)
            if mine != key and any(root(head) == mine for head in heads):
                continue
            for head in heads:
                if root(head) == mine or self._alike(head, key) < self.least:
                    continue
                if not self._are_wordings(head, key, forms):
                    parent[mine] = root(head)
                    break
            else:
                heads.append(key)
        clusters: dict[Tokens, list[str]] = defaultdict(list)
        for key in keys:
            clusters[root(key)] += forms[key]
        return list(clusters.values())

    def _are_wordings(
        self, one: Tokens, other: Tokens, forms: Mapping[Tokens, Sequence[str]]
    ) -> bool:
        """Whether two forms that recur differ in several places, and always in all at once.

        Values vary place by place; the words of two sentences only together. So one slot for each
        place would say more than is known.
        """
        if any(self._recurrence(forms[each]) < _RECURS for each in (one, other)):
            return False
        kept = common(one, other)
        parts, others = _between(one, kept), _between(other, kept)
        differing = [
            i for i, pair in enumerate(zip(parts, others, strict=True)) if pair[0] != pair[1]
        ]
        if len(differing) < 2:
            return False
        return not any(
            _joined([*parts[:i], others[i], *parts[i + 1 :]], kept) in forms
            or _joined([*others[:i], parts[i], *others[i + 1 :]], kept) in forms
            for i in differing
        )

    def _recurrence(self, texts: Iterable[str]) -> int:
        """Return in how many episodes one of some lines stands."""
        return len(set[int]().union(*(self.episodes[text] for text in texts)))

    def _neighbours(self) -> Iterable[tuple[str, str]]:
        """Lines of one observation that follow each other and have the same signs."""
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
        """Return what the lines have in common, but for those that are too different."""
        members = sorted(cluster, key=lambda t: (-self.count[t], t))
        if len(members) == 1 and not any(self.weight[t] <= _NEVER for t in tokens(members[0])):
            return Template(literal_text(members[0]))
        constant = [t for t in tokens(members[0]) if self.weight[t] > _NEVER]
        inside = [members[0]]
        least = _ALIKE / 2 * sum(map(self._weight, constant))
        for text in members[1:]:
            shared = common(tuple(constant), tokens(text))
            if sum(map(self._weight, shared)) >= least:
                constant = list(shared)
                inside.append(text)
        gaps = {text: gaps_of(text, constant) for text in inside}
        filled = {text: tuple(map(bool, each)) for text, each in gaps.items()}
        usual = Counter(filled.values()).most_common(1)[0][0]
        alike = [text for text in inside if filled[text] == usual]
        return template_around(alike, constant, [gaps[text] for text in alike], self.words)


def _between(form: Tokens, kept: Tokens) -> list[Tokens]:
    """Return what stands before, between and behind the tokens of a subsequence of a form."""
    parts: list[list[str]] = [[]]
    for token in form:
        if len(parts) <= len(kept) and token == kept[len(parts) - 1]:
            parts.append([])
        else:
            parts[-1].append(token)
    return [tuple(part) for part in parts]


def _joined(parts: Sequence[Tokens], kept: Tokens) -> Tokens:
    """Return the form with these parts; the reverse of :func:`_between`."""
    first, *rest = parts
    return sum(((token, *part) for token, part in zip(kept, rest, strict=True)), first)


def _is_marked(text: str) -> bool:
    """Whether several words begin with a number or a mark, as rows of a listing do."""
    first, *others = tokens(text)
    return bool(others) and has_digit(first)


def _signs(text: str) -> Tokens:
    """Return the signs of a line, but for commas, which part the items of a list."""
    return tuple(t for t in tokens(text) if not t[0].isalnum() and t != ",")
