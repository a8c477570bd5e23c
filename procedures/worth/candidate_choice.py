"""Choosing among candidates that are listed, opened, or known from earlier episodes.

Where candidates can be opened, each is a box with a price: to open it costs calls, and what is in
it is known afterwards. The best order is that of the index of such boxes (M. L. Weitzman, Optimal
search for the best alternative, Econometrica 1979): open the one with the greatest index until one
that is known is worth more than the index of every other. A box holds all or nothing here, so that
its index is 1 - price / chance. Nothing is opened that leaves too few calls to come back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ..episodes.fact import Fact
from ..episodes.history import History
from ..programs.program_conditions import said_between
from .reward_model import Worth
from .traits import opened_traits, sight_traits, words_in

_CALL_PRICE = 0.01
"""Price of a call, as a share of a reward of 1: ten calls cost a tenth."""
_CALLS_BACK = 2
"""Calls to open another one where one is open: back to the list, and open."""
_MOST_UNLISTED = 3
"""Candidates that are compared although they are not listed: those most like the task."""


@dataclass(frozen=True, slots=True)
class Known:
    """A candidate with its traits.

    Attributes:
        name: What it is opened, or taken, by.
        sight: Traits as it is listed.
        opened: Traits with its own result; None where that is not known.
        calls: How many calls end the episode once it is open: one for each need that it has, and
            the last; where its result is not known, for each need.
    """

    name: str
    sight: Mapping[str, float]
    opened: Mapping[str, float] | None
    calls: int = 1

    def worth(self, worth: Worth) -> float:
        """Return the reward that is expected of it."""
        if self.opened is not None and worth.opened is not None:
            return worth.opened.of(self.opened)
        return worth.sight.of(self.sight)


@dataclass(frozen=True, slots=True)
class Opened:
    """A candidate that was opened in this episode.

    Attributes:
        name: Of the candidate.
        at: Number of the result that opened it.
        told: Texts of that result.
    """

    name: str
    at: int
    told: tuple[str, ...]


def preferred(worth: Worth, facts: Sequence[Fact], key: str, history: History) -> list[Fact]:
    """Return candidates, the best choice first, the others by their worth.

    The first is opened, opened again, or kept where it is open.

    Args:
        worth: What they are worth.
        facts: The candidates, as they are listed.
        key: Field that names one.
        history: The episode.
    """
    if not facts:
        return []
    candidates = known_candidates(worth, facts, key, history)
    order = sorted(range(len(facts)), key=lambda n: -candidates[n].worth(worth))
    best = _best_place(worth, (facts[0].kind, key), candidates, order, history)
    return [facts[best], *(facts[n] for n in order if n != best)]


def recalled(
    worth: Worth,
    facts: Sequence[Fact],
    key: str,
    history: History,
    fits: Callable[[Fact], bool],
) -> Fact | None:
    """Return the line of the best candidate if it is not listed; None if it is, or none is known.

    Earlier episodes told what is in it. It is listed once its line is asked for, so that opening it
    takes a call more. What was asked for in vain is not meant again, and nothing is where
    candidates are tried out.

    Args:
        worth: What candidates are worth.
        facts: The candidates that are listed; at least one.
        key: Field that names one.
        history: The episode.
        fits: Whether one may be meant.
    """
    experience = history.experience
    if experience is None or experience.trial is not None or worth.opened is None:
        return None
    names = {fact.fields.get(key) for fact in facts}
    arguments_used = {argument for call in history.calls for argument in call.arguments}
    near = experience.like(facts[0].kind, asked_by(worth, history), len(names) + _MOST_UNLISTED)
    others = [
        fact
        for fact in near
        if fact.fields.get(key) not in names
        and line_text(fact, key) not in arguments_used
        and fits(fact)
    ][:_MOST_UNLISTED]
    if not others:
        return None
    candidates = known_candidates(worth, facts, key, history)
    # One by one: what is listed is compared with no more than one that is not.
    unlisted = [known_candidates(worth, [*facts, other], key, history)[-1] for other in others]
    candidates += [replace(one, calls=one.calls + 1) for one in unlisted]
    order = sorted(range(len(candidates)), key=lambda n: -candidates[n].worth(worth))
    best = _best_place(worth, (facts[0].kind, key), candidates, order, history)
    if best < len(facts) or not _is_affordable(history, candidates[best].calls + 1):
        return None
    return others[best - len(facts)]


def line_text(fact: Fact, key: str) -> str:
    """Return the field of a line that says most: what a candidate is asked for by."""
    texts = (text for name, text in fact.fields.items() if name != key)
    return max(texts, key=lambda text: len(words_in(text)), default="")


def is_open(worth: Worth, kind: str, key: str, name: str, history: History) -> bool:
    """Whether a candidate is open now: it was opened last, and no list was shown since."""
    candidate = _open_candidate(worth, kind, key, history)
    return candidate is not None and candidate.name == name


def opened(worth: Worth, kind: str, key: str, history: History) -> list[Opened]:
    """Return what was opened in an episode, in order.

    Args:
        worth: Says by what candidates are opened.
        kind: Of the facts that list them.
        key: Field that names one.
        history: The episode.
    """
    if not worth.opens:
        return []
    listed = {fact.fields.get(key) for fact in history.all(kind)}
    openings = []
    for at, call in enumerate(history.calls, 1):
        name = call.arguments[0] if call.operator == worth.opens and call.arguments else None
        result = history.results[at]
        if name in listed and not any(fact.kind == kind for fact in result):
            values = (text for fact in result for text in fact.fields.values())
            own_texts = dict.fromkeys(text for text in values if text != history.task)
            openings.append(Opened(str(name), at, tuple(own_texts)))
    return openings


def known_candidates(
    worth: Worth, facts: Sequence[Fact], key: str, history: History
) -> list[Known]:
    """Return what is known of candidates, in their order."""
    weight_by_word = asked_by(worth, history)
    experience, kind = history.experience, facts[0].kind
    sights = sight_traits(
        weight_by_word, facts, key, experience.taken(history.task) if experience else {}
    )
    if not worth.opens:
        return [
            Known(fact.fields.get(key, ""), sight, None)
            for fact, sight in zip(facts, sights, strict=True)
        ]
    needs = needs_of(worth, history.task)
    texts_by_name: dict[str, Sequence[str]] = {}
    for candidate in opened(worth, kind, key, history):
        # A later result may tell what was done with it.
        texts_by_name.setdefault(candidate.name, candidate.told)
    candidates = []
    for fact, sight in zip(facts, sights, strict=True):
        name = fact.fields.get(key, "")
        texts: Collection[str] | None = texts_by_name.get(name)
        if texts is None and experience is not None:
            texts = experience.told(kind, name)
        traits, calls = None, len(needs) + 1
        if texts is not None:
            further_texts = experience.further(kind, name) if experience is not None else ()
            traits = opened_traits(sight, weight_by_word, needs, fact, texts, further_texts)
            calls = len({text.casefold() for text in texts}.intersection(needs)) + 1
        candidates.append(Known(name, sight, traits, calls))
    return candidates


def asked_by(worth: Worth, history: History) -> dict[str, float]:
    """Return the words of a task that tell candidates apart, with their weights."""
    words = sorted(words_in(history.task).difference(worth.ignore))
    experience = history.experience
    return {word: 1.0 if experience is None else experience.weight(word) for word in words}


def needs_of(worth: Worth, task: str) -> list[str]:
    """Return what a task says between the signs, in small letters."""
    return said_between(task, *worth.between) if worth.between[0] else []


def _best_place(
    worth: Worth,
    kind_and_key: tuple[str, str],
    candidates: Sequence[Known],
    order: Sequence[int],
    history: History,
) -> int:
    """Return the place of the candidate to open or keep."""
    trial = history.experience.trial if history.experience is not None else None
    # Squared, so that the early ones are tried more often: these are what is mostly taken.
    trial_place = int(trial**2 * len(candidates)) if trial is not None and trial < 1 else None
    if worth.opened is None or not worth.opens:
        return order[0] if trial_place is None else trial_place
    current = _open_candidate(worth, *kind_and_key, history)
    current_place = next(
        (n for n, each in enumerate(candidates) if current and each.name == current.name), None
    )
    best = next((n for n in order if candidates[n].opened is not None), None)
    target = trial_place if trial_place is not None else best
    away = _CALLS_BACK if current is not None else 1
    unknown = next((n for n in order if candidates[n].opened is None), None)
    if unknown is not None:
        chance, price = candidates[unknown].worth(worth), _CALL_PRICE * away
        least = -1.0 if target is None or trial is not None else candidates[target].worth(worth)
        calls_there = away + candidates[unknown].calls
        calls_with_return = (
            calls_there if target is None else away + _CALLS_BACK + candidates[target].calls
        )
        if chance - price > least * chance and _is_affordable(
            history, max(calls_there, calls_with_return)
        ):
            return unknown
        # Without a way back the unknown one has to do.
        if trial is None and chance > least and _is_affordable(history, calls_there):
            return unknown
    if target is None:
        return order[0]
    if current_place is not None and current_place != target:
        return (
            target
            if _is_affordable(history, _CALLS_BACK + candidates[target].calls)
            else current_place
        )
    return target


def _is_affordable(history: History, calls: int) -> bool:
    return history.left is None or calls <= history.left


def _open_candidate(worth: Worth, kind: str, key: str, history: History) -> Opened | None:
    """Return what is open; None where a list is shown."""
    last = max(history.kinds.get(kind, -1), 0)
    return next((e for e in reversed(opened(worth, kind, key, history)) if e.at > last), None)
