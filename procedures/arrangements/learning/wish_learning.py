"""What it means that a task speaks of a value: by what was chosen against what could have been."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ...words.function_words import FUNCTION_WORDS
from ..arrangement import Form, Wish, WishedValue
from ..wishes import mentions_of, parts_of, stem
from .requirements import Choice, bits_of, choices_of
from .shapes import Traced

__all__ = ["learn_wishes"]

_SURE = 4.0
"""Bits beyond chance that a rule needs."""
_LEAST = 3
"""Tasks that speak of one of the values."""
_KEPT = 0.85
"""Share of them in which the rule was kept: a word may be said in another sense."""
_TELLS = 0.3
"""Bits beyond chance that a word needs: less says nothing, as what it asks for is usual."""
_MOST_VALUES = 80
_REPEATED = 3.0
"""Rows that a value has on average, of a column with few values."""
_NEAR = 0.7
"""Similarity from which a word of tasks may speak of a value that has another word."""
_WORD = re.compile(r"[^\W\d_]+")
_MEANINGS = ("all", "none", "some")
_OPPOSITE = {"all": "none", "none": "", "some": ""}
"""What a rule for what is said means, where no demonstration shows it, for what is denied."""


Similarity = Callable[[str, str], float]
Words = Mapping[str, tuple[str, ...]]
"""Value → words that speak of it."""
Cases = Callable[[Words], list["_Case"]]
"""Returns the tasks that speak of values by some words."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A task that speaks of a value.

    Attributes:
        value: The value.
        words: By which it does, as the task spells them.
        denied: Whether it says that it is not so.
        held: Meaning → whether that was kept.
        chance: Meaning → how probable that was without it.
    """

    value: str
    words: frozenset[str]
    denied: bool
    held: Mapping[str, bool]
    chance: Mapping[str, float]


def learn_wishes(
    traced: Sequence[Traced], forms: Sequence[Form], similarity: Similarity | None = None
) -> list[Wish]:
    """Return the columns, and slots with several tables, of which tasks speak.

    Args:
        traced: The demonstrations.
        forms: Of their slots.
        similarity: Of two words, in [-1, 1]; without it only words of the values speak of them.
    """
    choices = [choices_of(each, forms) for each in traced]
    tasks = [each.shown.task for each in traced]
    wishes: list[Wish | None] = []
    for table, column, values in _columns(traced, forms):

        def of_column(words: Words, table: str = table, column: str = column) -> list[_Case]:
            return [
                case
                for each, groups in zip(traced, choices, strict=True)
                for case in _cases_of_column(each, groups.get(table, ()), column, words)
            ]

        near = _near_words(values, tasks, similarity)
        wish = _wish(Wish("", table, column, "", "", ()), values, near, of_column)
        wishes.append(wish and _with_phrases(wish, tasks))
    for slot in dict.fromkeys(form.slot for form in forms):
        tables = [form.among for form in forms if form.slot == slot and form.among]
        if len(tables) > 1:

            def of_slot(words: Words, slot: str = slot) -> list[_Case]:
                return list(_cases_of_slot(traced, slot, words))

            values = _words_of(tables)
            near = _near_words(values, tasks, similarity)
            wish = _wish(Wish(slot, "", "", "", "", ()), values, near, of_slot)
            wishes.append(wish and _with_phrases(wish, tasks))
    return [wish for wish in wishes if wish is not None]


# ---------------------------------------------------------------------------- what may be said
def _columns(
    traced: Sequence[Traced], forms: Sequence[Form]
) -> Iterable[tuple[str, str, dict[str, tuple[str, ...]]]]:
    """Yield tables and columns with few values, and the words that speak of each."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    tables = {form.among for form in forms if form.among}
    at = {(form.among, column) for form in forms for column in form.at}
    for each in traced:
        for table in tables:
            for row in each.shown.tables.rows.get(table, ()):
                for column, value in row.fields.items():
                    if (table, column) not in at:
                        counts[table, column].update(parts_of(value))
    for (table, column), values in sorted(counts.items()):
        if len(values) <= _MOST_VALUES and values.total() >= _REPEATED * len(values):
            words = _words_of(values)
            if words:
                yield table, column, words


def _words_of(values: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return value → the words in it that no other value has."""
    words = {
        value: {w.lower() for w in _WORD.findall(value) if w.lower() not in FUNCTION_WORDS}
        for value in values
    }
    users = Counter(s for each in words.values() for s in {stem(word) for word in each})
    out = {}
    for value, each in sorted(words.items()):
        own = tuple(sorted(word for word in each if users[stem(word)] == 1))
        if own:
            out[value] = own
    return out


# ---------------------------------------------------------------------------- what was done then
def _said(task: str, words: Sequence[str]) -> Iterable[tuple[bool, frozenset[str]]]:
    """Yield whether a value is denied, and the words by which the task speaks of it."""
    stems = {stem(word) for word in words}
    said = mentions_of(task)
    for denied in (False, True):
        found = frozenset(m.word for m in said if m.denied is denied and stem(m.word) in stems)
        if found:
            yield denied, found


def _cases_of_column(
    each: Traced,
    groups: Sequence[Choice],
    column: str,
    values: Mapping[str, tuple[str, ...]],
) -> Iterable[_Case]:
    for value, words in values.items():
        for denied, words_said in _said(each.shown.task, words):
            has: list[bool] = []
            none = every = 1.0
            for group in groups:
                rows = {id(chosen.row): chosen.row for chosen in group.chosen}
                has += [value in parts_of(row.fields.get(column, "")) for row in rows.values()]
                among = [value in parts_of(row.fields.get(column, "")) for row in group.among]
                share = (sum(among) + 0.5) / (len(among) + 1)
                none *= (1 - share) ** len(rows)
                every *= share ** len(rows)
            if has:
                held = {"all": all(has), "none": not any(has), "some": any(has)}
                yield _Case(
                    value, words_said, denied, held, {"all": every, "none": none, "some": 1 - none}
                )


def _cases_of_slot(
    traced: Sequence[Traced], slot: str, values: Mapping[str, tuple[str, ...]]
) -> Iterable[_Case]:
    used = Counter(
        table for each in traced for table in {c.row.table for c in each.chosen if c.slot == slot}
    )
    for each in traced:
        tables = {chosen.row.table for chosen in each.chosen if chosen.slot == slot}
        for value, words in values.items():
            for denied, words_said in _said(each.shown.task, words):
                share = (used[value] + 0.5) / (len(traced) + 1)
                held = {"all": tables == {value}, "none": value not in tables}
                held["some"] = value in tables
                chance = {"all": share, "none": 1 - share, "some": share}
                yield _Case(value, words_said, denied, held, chance)


# ---------------------------------------------------------------------------- what it means
def _wish(empty: Wish, values: Words, near: Words, cases_of: Cases) -> Wish | None:
    """Return what it means that a task speaks of values; None where it means nothing.

    Args:
        empty: The column or slot.
        values: Words of the values: these say what it means.
        near: Words that are near them: these are believed where they were said so, too.
        cases_of: The tasks that speak of values.
    """
    cases = cases_of(values)
    said = _meaning([case for case in cases if not case.denied])
    shown_denied = [case for case in cases if case.denied]
    denied = _meaning(shown_denied)
    if not denied and len(shown_denied) < _LEAST and all(c.held["none"] for c in shown_denied):
        denied = _OPPOSITE.get(said, "")
    if not said and not denied:
        return None
    means = {False: said, True: denied}
    cases += cases_of(near)
    kept = tuple(
        WishedValue(value, left)
        for value, words in values.items()
        if (left := _trusted_words(value, words, cases, means))
    )
    return replace(empty, said=said, denied=denied, values=kept) if kept else None


def _near_words(values: Words, tasks: Iterable[str], similarity: Similarity | None) -> Words:
    """Return value → words of tasks that are near its own, and nearest to these."""
    if similarity is None:
        return {}
    said = {m.word for task in tasks for m in mentions_of(task)} - FUNCTION_WORDS
    own = {stem(word) for words in values.values() for word in words}
    out: dict[str, list[str]] = defaultdict(list)
    for word in sorted(word for word in said if stem(word) not in own):
        near, value = max(
            (similarity(word, each), value) for value, words in values.items() for each in words
        )
        if near >= _NEAR:
            out[value].append(word)
    return {value: tuple(words) for value, words in out.items()}


def _meaning(cases: Sequence[_Case]) -> str:
    """Return the first meaning that was kept and that chance does not explain; else ""."""
    if len(cases) < _LEAST:
        return ""
    for meaning in _MEANINGS:
        kept = [case for case in cases if case.held[meaning]]
        bits = sum(bits_of(case.chance[meaning]) for case in kept)
        if len(kept) >= _KEPT * len(cases) and bits >= _SURE:
            return meaning
    return ""


def _trusted_words(
    value: str, words: Sequence[str], cases: Sequence[_Case], means: Mapping[bool, str]
) -> tuple[str, ...]:
    """Return the words that speak of a value, as far as demonstrations say.

    A word that was said counts if the rule was kept then, and would not have been anyway. Of the
    value's own words those that never were said are left out where others were: they may have
    another sense.
    """
    kept: Counter[str] = Counter()
    of: Counter[str] = Counter()
    bits: dict[str, float] = defaultdict(float)
    for case in cases:
        meaning = means[case.denied] if case.value == value else ""
        for word in case.words if meaning else ():
            of[word] += 1
            kept[word] += case.held[meaning]
            bits[word] += bits_of(case.chance[meaning]) if case.held[meaning] else 0.0
    good = {w for w in of if kept[w] >= _KEPT * of[w] and bits[w] >= _TELLS}
    said = {stem(word) for word in of}
    own = {word for word in words if stem(word) not in said}
    shown = {stem(word) for word in good}
    if any(stem(word) in shown for word in words):
        own = set()
    own |= {word for word in words if stem(word) in shown}
    return tuple(sorted(own | good))


def _with_phrases(wish: Wish, tasks: Iterable[str]) -> Wish:
    """Return a wish with the word that mostly followed one of its words in demonstrations.

    Before another word it may be said in another sense.
    """
    follows: dict[str, Counter[str]] = defaultdict(Counter)
    for mention in (m for task in tasks for m in mentions_of(task)):
        follows[mention.word][mention.after] += 1
    values = []
    for each in wish.values:
        words = []
        for word in each.words:
            afters = follows[word]
            (usual, times), *_ = afters.most_common() or [("", 0)]
            mostly = times >= max(_LEAST, _KEPT * afters.total())
            words.append(f"{word} {usual}" if mostly and usual else word)
        values.append(replace(each, words=tuple(words)))
    return replace(wish, values=tuple(values))
