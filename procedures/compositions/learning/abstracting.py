"""Abstracting texts to templates: listed names and values of the task become slots."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...episodes.templates import literal_text
from ...episodes.tokens import occurs
from ...episodes.trajectories import Trajectory
from ..listed_names import LookUp, Name, Names, names_told
from ..task_words import Wording
from ..text_templates import VALUE, Slot, Template
from ..text_tokens import Token, text_tokens

_VARIED, _SEVERAL, _SELDOM = 5, 2, 0.1
"""Words behind which texts make up their own have at least so many others behind them, in more
worlds than so many, and those are told no more often than so."""
_EDGE = re.compile(r"^(\W*)(.*?)(\W*)$", re.DOTALL)


@dataclass(frozen=True)
class Composed:
    """A demonstration that composes a text.

    Attributes:
        shown: The demonstration.
        world: Number of the world in which it was shown; demonstrations of one were told the same.
        text: The text that its end follows.
        result: What the text brought.
        template: The text with slots.
        fill: What stands in the slots: names, or values.
    """

    shown: Trajectory
    world: int
    text: str
    result: str
    template: Template
    fill: tuple[Name | str, ...]

    @property
    def wording(self) -> Wording:
        """The task."""
        return Wording(self.shown.task)


@dataclass(frozen=True)
class Material:
    """The demonstrations of a composition, read for learning.

    Attributes:
        look_ups: Actions that list names.
        worlds: Names of each world, as far as demonstrations were told them.
        composed: The demonstrations.
        ends: Actions that end all of them.
    """

    look_ups: tuple[LookUp, ...]
    worlds: tuple[Names, ...]
    composed: tuple[Composed, ...]
    ends: tuple[str, ...]


def gather(demonstrations: Sequence[Trajectory], look_ups: Sequence[LookUp]) -> Material:
    """Read demonstrations as composed texts."""
    ends = _ends(demonstrations)
    worlds, world_numbers = _worlds(demonstrations, look_ups)
    texts: list[tuple[Trajectory, int, str, str]] = []
    for demonstration, world in zip(demonstrations, world_numbers, strict=True):
        at = len(demonstration.acts) - len(ends) - 1
        looks = at >= 0 and any(each.about(demonstration.acts[at]) is not None for each in look_ups)
        if at >= 0 and not looks and world is not None:
            texts.append((demonstration, world, demonstration.acts[at], demonstration.obs[at + 1]))
    free = _naming_words(
        [(worlds[world], text, _told_before(shown, text)) for shown, world, text, _ in texts]
    )
    constants = _constants([(world, text) for _, world, text, _ in texts])
    levels = _levels([(worlds[world], text) for _, world, text, _ in texts])
    composed = []
    for demonstration, world, text, result in texts:
        template_and_fill = _abstract(
            text, Wording(demonstration.task), worlds[world], constants, levels, free
        )
        if template_and_fill is not None:
            composed.append(Composed(demonstration, world, text, result, *template_and_fill))
    return Material(tuple(look_ups), tuple(worlds), tuple(composed), ends)


def _ends(demonstrations: Sequence[Trajectory]) -> tuple[str, ...]:
    """Return the actions with which all demonstrations end."""
    reversed_ends: list[str] = []
    while True:
        if any(len(each.acts) <= len(reversed_ends) + 1 for each in demonstrations):
            return tuple(reversed(reversed_ends))
        last = {each.acts[-1 - len(reversed_ends)] for each in demonstrations}
        if len(last) != 1:
            return tuple(reversed(reversed_ends))
        reversed_ends.append(last.pop())


def _worlds(
    demonstrations: Sequence[Trajectory], look_ups: Sequence[LookUp]
) -> tuple[list[Names], list[int | None]]:
    """Return the names of each world, and in which world each demonstration was shown.

    Where the first look-up was not made, it is the world of which most words were used.
    """
    names_by_demonstration = [
        names_told(look_ups, zip(each.acts, each.obs[1:], strict=True)) for each in demonstrations
    ]
    worlds: dict[frozenset[str], Names] = {}
    for names in names_by_demonstration:
        if names.tops:
            key = frozenset(name.text.casefold() for name in names.tops)
            worlds[key] = worlds.get(key, Names()).merged(names)
    order = list(worlds)
    world_numbers: list[int | None] = []
    for number, names in enumerate(names_by_demonstration):
        key = frozenset(name.text.casefold() for name in names.tops)
        if key in worlds:
            world_numbers.append(order.index(key))
            continue
        words = Counter(
            token.text.casefold() for a in demonstrations[number].acts for token in text_tokens(a)
        )
        words.update(owner for owner in names.inner for _ in range(3))
        fits = [sum(n for w, n in words.items() if w in worlds[key].by_text) for key in order]
        best = max(range(len(order)), key=fits.__getitem__, default=None)
        world_numbers.append(best if best is not None and fits[best] > 1 else None)
        if world_numbers[-1] is not None:
            key = order[world_numbers[-1]]
            if set(names.inner) <= set(key):
                worlds[key] = worlds[key].merged(Names((), names.inner))
    return [worlds[key] for key in order], world_numbers


def _constants(texts: Sequence[tuple[int, str]]) -> Mapping[str, str]:
    """Return the words that texts of several worlds have, as they are mostly spelled.

    Such a word is no name of one world.
    """
    worlds: dict[str, set[int]] = defaultdict(set)
    spelled: dict[str, Counter[str]] = defaultdict(Counter)
    for world, text in texts:
        for token in text_tokens(text):
            if token.is_word:
                worlds[token.text.casefold()].add(world)
                spelled[token.text.casefold()][token.text] += 1
    return {
        word: max(spelled[word], key=lambda each: (spelled[word][each], each))
        for word, where in worlds.items()
        if len(where) > 1
    }


def _told_before(demonstration: Trajectory, text: str) -> frozenset[str]:
    """Return the words of a text, in small letters, that a result told before it."""
    at = max(n for n, act in enumerate(demonstration.acts) if act == text)
    results = demonstration.obs[: at + 1]
    words = {token.text for token in text_tokens(text) if token.is_word}
    return frozenset(w.casefold() for w in words if any(occurs(w, each) for each in results))


def _naming_words(texts: Sequence[tuple[Names, str, frozenset[str]]]) -> frozenset[str]:
    """Return the words behind which texts make up names, such as SQL's ``AS``.

    Args:
        texts: For each text the names of its world, and its words that were told before.
    """
    told_count_by_word: Counter[str] = Counter()
    next_words_by_word: dict[str, set[str]] = defaultdict(set)
    count_by_word: Counter[str] = Counter()
    worlds_by_word: dict[str, set[int]] = defaultdict(set)
    for names, text, told in texts:
        for word, following in itertools.pairwise(text_tokens(text)):
            is_name = word.text.casefold() in names.by_text
            if word.is_word and following.is_word and following.gap and not is_name:
                key = word.text.casefold()
                count_by_word[key] += 1
                worlds_by_word[key].add(id(names))
                name = following.text.casefold()
                told_count_by_word[key] += name in names.by_text or name in told
                next_words_by_word[key].add(following.text.casefold())
    return frozenset(
        key
        for key, n in count_by_word.items()
        if len(next_words_by_word[key]) >= _VARIED
        and len(worlds_by_word[key]) > _SEVERAL
        and told_count_by_word[key] < _SELDOM * n
        and len(next_words_by_word[key]) > n / 2
    )


def _made_up_words(
    tokens: Sequence[Token], keys: Sequence[str], free: frozenset[str], alias: Mapping[str, str]
) -> dict[str, str]:
    """Return the words that a text makes up, with what stands for them."""
    stand_in_by_word: dict[str, str] = {}
    calls = {keys[p] for p in range(len(tokens)) if _is_call(tokens, p)}
    for place in range(1, len(tokens)):
        word = tokens[place].is_word and keys[place] not in calls and keys[place] not in alias
        if keys[place - 1] in free and word:
            stand_in_by_word.setdefault(keys[place], f"x{len(stand_in_by_word) + 1}")
    return stand_in_by_word


def _levels(texts: Sequence[tuple[Names, str]]) -> Mapping[str, Counter[int]]:
    """Return how often names of each level stand behind which constant, where it is clear."""
    counts_by_constant: dict[str, Counter[int]] = defaultdict(Counter)
    for names, text in texts:
        before = ""
        for token in text_tokens(text):
            name_levels = {name.level for name in names.by_text.get(token.text.casefold(), ())}
            if len(name_levels) == 1:
                counts_by_constant[before][name_levels.pop()] += 1
            if token.text != ".":
                before = token.text.casefold() if not name_levels else before
    return counts_by_constant


def _abstract(
    text: str,
    wording: Wording,
    names: Names,
    constants: Mapping[str, str],
    levels: Mapping[str, Counter[int]],
    free: frozenset[str],
) -> tuple[Template, tuple[Name | str, ...]] | None:
    """Return the template of a text and what fills it."""
    tokens = text_tokens(text)
    keys = [token.text.casefold() for token in tokens]
    tops = {name.text.casefold(): name for name in names.tops}
    stand_ins = _stand_ins(tokens, keys, tops)
    level = _token_levels(tokens, keys, names, stand_ins, levels)
    top_places = [(place, keys[place]) for place, each in enumerate(level) if each == 0]
    value_by_folded = {each.text.casefold(): each.text for each in wording.said}
    slots: list[Slot] = []
    fill: list[Name | str] = []
    numbers: dict[tuple[object, ...], int] = {}
    alias = {word: f"t{n}" for n, word in enumerate(stand_ins, 1)}
    made_up = _made_up_words(tokens, keys, free, alias)
    alias |= made_up
    level = [None if keys[p] in made_up else each for p, each in enumerate(level)]
    top_places = [(place, keys[place]) for place, each in enumerate(level) if each == 0]
    top_keys = {keys[p] for p, each in enumerate(level) if each == 0}

    def slot(key: tuple[object, ...], new_slot: Slot, value: Name | str) -> int:
        if key not in numbers:
            numbers[key] = len(slots)
            slots.append(new_slot)
            fill.append(value)
        return numbers[key]

    for _, key in top_places:
        slot((0, key), Slot(0), tops.get(key, Name(key)))
    pieces: list[str] = []
    for place, token in enumerate(tokens):
        key = keys[place]
        gap = " " if token.gap and place else ""
        if level[place] == 0:
            pieces.append(f"{gap}{{{slot((0, key), Slot(0), tops[key]) + 1}}}")
            continue
        if level[place] == 1 or (
            level[place] is None
            and token.is_word
            and key not in constants
            and key not in alias
            and not _is_call(tokens, place)
        ):
            owner = _owner(place, tokens, keys, names, top_places, stand_ins, top_keys)
            if owner is None:
                if level[place] == 1:
                    return None
                pieces.append(gap + literal_text(token.text))
                continue
            name = next((n for n in names.inner.get(owner, ()) if n.text.casefold() == key), None)
            owner_number = numbers[(0, owner)]
            number = slot((1, key, owner), Slot(1, owner_number), name or Name(token.text, owner))
            pieces.append(f"{gap}{{{number + 1}}}")
            continue
        if key in alias:
            pieces.append(gap + alias[key])
            continue
        quoted = token.quoted
        if quoted is not None:
            before, inner, after = _EDGE.match(quoted).groups()  # type: ignore[union-attr]
            spoken = _as_said(inner, wording, value_by_folded)
            if inner and spoken is not None:
                number = slot((VALUE, spoken.casefold()), Slot(VALUE), spoken)
                before, after = literal_text(before), literal_text(after)
                pieces.append(
                    f"{gap}{token.text[0]}{before}{{{number + 1}}}{after}{token.text[-1]}"
                )
                continue
        if token.is_number and token.text in value_by_folded:
            number = slot((VALUE, token.text), Slot(VALUE), token.text)
            pieces.append(f"{gap}{{{number + 1}}}")
            continue
        pieces.append(gap + literal_text(constants.get(key, token.text)))
    return Template("".join(pieces), tuple(slots)), tuple(fill)


def _is_call(tokens: Sequence[Token], place: int) -> bool:
    return place + 1 < len(tokens) and tokens[place + 1].text == "(" and not tokens[place + 1].gap


def _as_said(inner: str, wording: Wording, value_by_folded: Mapping[str, str]) -> str | None:
    """Return a value as the task says it; None where it does not."""
    if inner.casefold() in value_by_folded:
        return value_by_folded[inner.casefold()]
    at = wording.text.casefold().find(inner.casefold())
    while at >= 0:
        end = at + len(inner)
        if not wording.text[at - 1 : at].isalnum() and not wording.text[end : end + 1].isalnum():
            return wording.text[at:end]
        at = wording.text.casefold().find(inner.casefold(), at + 1)
    return None


def _stand_ins(
    tokens: Sequence[Token], keys: Sequence[str], tops: Mapping[str, Name]
) -> dict[str, str]:
    """Return the words that stand for a name behind which they are written first."""
    name_by_stand_in: dict[str, str] = {}
    for place, token in enumerate(tokens):
        if not token.is_word or keys[place] not in tops:
            continue
        for behind in (place + 1, place + 2):
            if behind >= len(tokens) or not tokens[behind].is_word or not tokens[behind].gap:
                break
            word = keys[behind]
            dotted = any(
                keys[i] == word and keys[i + 1] == "." for i in range(len(keys) - 1) if i != behind
            )
            if dotted and word not in tops:
                name_by_stand_in.setdefault(word, keys[place])
                break
    return name_by_stand_in


def _token_levels(
    tokens: Sequence[Token],
    keys: Sequence[str],
    names: Names,
    stand_ins: Mapping[str, str],
    levels: Mapping[str, Counter[int]],
) -> list[int | None]:
    token_levels: list[int | None] = []
    before = ""
    for place, token in enumerate(tokens):
        key = keys[place]
        name_levels = (
            {name.level for name in names.by_text.get(key, ())} if token.is_word else set()
        )
        dotted = place + 1 < len(tokens) and tokens[place + 1].text == "."
        behind = place > 0 and tokens[place - 1].text == "."
        if key in stand_ins or not name_levels:
            token_levels.append(None)
        elif dotted and 0 in name_levels:
            token_levels.append(0)
        elif behind and 1 in name_levels:
            token_levels.append(1)
        elif len(name_levels) == 1:
            token_levels.append(name_levels.pop())
        else:
            counts = levels.get(before, Counter())
            token_levels.append(0 if counts[0] > counts[1] else 1)
        if token.text != "." and token_levels[-1] is None and key not in stand_ins:
            before = key
    return token_levels


def _owner(
    place: int,
    tokens: Sequence[Token],
    keys: Sequence[str],
    names: Names,
    tops: Sequence[tuple[int, str]],
    stand_ins: Mapping[str, str],
    top_keys: set[str],
) -> str | None:
    """Return whose name stands at a place: what it is joined to, or the nearest that has it."""
    if place > 1 and tokens[place - 1].text == ".":
        word = stand_ins.get(keys[place - 2], keys[place - 2])
        if word in top_keys:
            return word
    owners = {n.owner for n in names.by_text.get(keys[place], ()) if n.owner}
    nearest = sorted(tops, key=lambda each: (abs(each[0] - place), -each[0]))
    fits = [key for _, key in nearest if key in owners]
    return fits[0] if fits else nearest[0][1] if nearest else None
