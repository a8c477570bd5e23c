"""Learning what a task wishes when it speaks of a value: by the choices against the candidates."""

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

_SURE_BITS = 4.0
"""Bits beyond chance that a rule needs."""
_LEAST_TASKS = 3
"""Tasks that speak of one of the values."""
_KEPT_SHARE = 0.85
"""Share of them in which the rule was kept: a word may be said in another sense."""
_TELLING_BITS = 0.3
"""Bits beyond chance that a word needs: less says nothing, as what it asks for is usual."""
_MOST_VALUES = 80
"""Values of a column up to which tasks may speak of them: of more, each is too rare."""
_ROWS_PER_VALUE = 3.0
"""Rows that a value has on average, of a column with few values."""
_NEAR_SIMILARITY = 0.7
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
    traced: Sequence[Traced], forms: Sequence[Form], similarity: Similarity | None
) -> list[Wish]:
    """Return the wishes: for columns, and for slots with several tables.

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
    for demonstration in traced:
        for table in tables:
            for row in demonstration.shown.tables.rows.get(table, ()):
                for column, value in row.fields.items():
                    if (table, column) not in at:
                        counts[table, column].update(parts_of(value))
    for (table, column), values in sorted(counts.items()):
        if len(values) <= _MOST_VALUES and values.total() >= _ROWS_PER_VALUE * len(values):
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
    words_by_value = {}
    for value, each in sorted(words.items()):
        unique = tuple(sorted(word for word in each if users[stem(word)] == 1))
        if unique:
            words_by_value[value] = unique
    return words_by_value


# ---------------------------------------------------------------------------- what was done then
def _mentions_of_value(task: str, words: Sequence[str]) -> Iterable[tuple[bool, frozenset[str]]]:
    """Yield whether a value is denied, with the words of the task that speak of it."""
    stems = {stem(word) for word in words}
    mentions = mentions_of(task)
    for denied in (False, True):
        matches = frozenset(
            m.word for m in mentions if m.denied is denied and stem(m.word) in stems
        )
        if matches:
            yield denied, matches


def _cases_of_column(
    demonstration: Traced,
    groups: Sequence[Choice],
    column: str,
    values: Mapping[str, tuple[str, ...]],
) -> Iterable[_Case]:
    for value, words in values.items():
        for denied, words_said in _mentions_of_value(demonstration.shown.task, words):
            has: list[bool] = []
            none = every = 1.0
            for group in groups:
                rows = {id(chosen_row.row): chosen_row.row for chosen_row in group.chosen}
                has += [value in parts_of(row.fields.get(column, "")) for row in rows.values()]
                among = [value in parts_of(row.fields.get(column, "")) for row in group.among]
                share = (sum(among) + 0.5) / (len(among) + 1)
                none *= (1 - share) ** len(rows)
                every *= share ** len(rows)
            if has:
                kept_by_meaning = {"all": all(has), "none": not any(has), "some": any(has)}
                yield _Case(
                    value,
                    words_said,
                    denied,
                    kept_by_meaning,
                    {"all": every, "none": none, "some": 1 - none},
                )


def _cases_of_slot(
    traced: Sequence[Traced], slot: str, values: Mapping[str, tuple[str, ...]]
) -> Iterable[_Case]:
    count_by_table = Counter(
        table
        for demonstration in traced
        for table in {c.row.table for c in demonstration.chosen if c.slot == slot}
    )
    for demonstration in traced:
        tables = {
            chosen_row.row.table for chosen_row in demonstration.chosen if chosen_row.slot == slot
        }
        for value, words in values.items():
            for denied, words_said in _mentions_of_value(demonstration.shown.task, words):
                share = (count_by_table[value] + 0.5) / (len(traced) + 1)
                kept_by_meaning = {"all": tables == {value}, "none": value not in tables}
                kept_by_meaning["some"] = value in tables
                chance = {"all": share, "none": 1 - share, "some": share}
                yield _Case(value, words_said, denied, kept_by_meaning, chance)


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
    meaning = _meaning([case for case in cases if not case.denied])
    denials = [case for case in cases if case.denied]
    denied_meaning = _meaning(denials)
    if not denied_meaning and len(denials) < _LEAST_TASKS and all(c.held["none"] for c in denials):
        denied_meaning = _OPPOSITE.get(meaning, "")
    if not meaning and not denied_meaning:
        return None
    means = {False: meaning, True: denied_meaning}
    cases += cases_of(near)
    wished_values = tuple(
        WishedValue(value, trusted)
        for value, words in values.items()
        if (trusted := _trusted_words(value, words, cases, means))
    )
    return (
        replace(empty, said=meaning, denied=denied_meaning, values=wished_values)
        if wished_values
        else None
    )


def _near_words(values: Words, tasks: Iterable[str], similarity: Similarity | None) -> Words:
    """Return value → words of tasks that are near its own, and nearest to these."""
    if similarity is None:
        return {}
    task_words = {m.word for task in tasks for m in mentions_of(task)} - FUNCTION_WORDS
    own_stems = {stem(word) for words in values.values() for word in words}
    words_by_value: dict[str, list[str]] = defaultdict(list)
    for word in sorted(word for word in task_words if stem(word) not in own_stems):
        near, value = max(
            (similarity(word, each), value) for value, words in values.items() for each in words
        )
        if near >= _NEAR_SIMILARITY:
            words_by_value[value].append(word)
    return {value: tuple(words) for value, words in words_by_value.items()}


def _meaning(cases: Sequence[_Case]) -> str:
    """Return the first meaning that was kept and that chance does not explain; else ""."""
    if len(cases) < _LEAST_TASKS:
        return ""
    for meaning in _MEANINGS:
        matches = [case for case in cases if case.held[meaning]]
        bits = sum(bits_of(case.chance[meaning]) for case in matches)
        if len(matches) >= _KEPT_SHARE * len(cases) and bits >= _SURE_BITS:
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
    kept_count_by_word: Counter[str] = Counter()
    count_by_word: Counter[str] = Counter()
    bits_by_word: dict[str, float] = defaultdict(float)
    for case in cases:
        meaning = means[case.denied] if case.value == value else ""
        for word in case.words if meaning else ():
            count_by_word[word] += 1
            kept_count_by_word[word] += case.held[meaning]
            bits_by_word[word] += bits_of(case.chance[meaning]) if case.held[meaning] else 0.0
    trusted = {
        w
        for w in count_by_word
        if kept_count_by_word[w] >= _KEPT_SHARE * count_by_word[w]
        and bits_by_word[w] >= _TELLING_BITS
    }
    said_stems = {stem(word) for word in count_by_word}
    own_words = {word for word in words if stem(word) not in said_stems}
    trusted_stems = {stem(word) for word in trusted}
    if any(stem(word) in trusted_stems for word in words):
        own_words = set()
    own_words |= {word for word in words if stem(word) in trusted_stems}
    return tuple(sorted(own_words | trusted))


def _with_phrases(wish: Wish, tasks: Iterable[str]) -> Wish:
    """Return a wish with the word that mostly followed one of its words in demonstrations.

    Before another word it may be said in another sense.
    """
    follows: dict[str, Counter[str]] = defaultdict(Counter)
    for mention in (m for task in tasks for m in mentions_of(task)):
        follows[mention.word][mention.after] += 1
    values = []
    for wished_value in wish.values:
        words = []
        for word in wished_value.words:
            afters = follows[word]
            (usual, times), *_ = afters.most_common() or [("", 0)]
            mostly = times >= max(_LEAST_TASKS, _KEPT_SHARE * afters.total())
            words.append(f"{word} {usual}" if mostly and usual else word)
        values.append(replace(wished_value, words=tuple(words)))
    return replace(wish, values=tuple(values))
