"""Conditions that tell situations apart: what guards, preconditions and variants are made of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import Any

from ..conditions.language import Not, parse_condition
from ..words.lexicon import Lexicon
from .bayes_factors import Trigger
from .cases import Case
from .suggestion import Effect, best_effect
from .view import ContextView, situation_features

__all__ = ["LASTING", "MOMENTARY", "condition_columns", "holds", "negated", "telling_condition"]

_MOST = 400
"""Most candidate conditions; those of the most cases are taken."""
MOMENTARY = ("observed", "kind", "done", "ever")
"""Words of conditions for a step: what is seen just now comes first."""
LASTING = ("kind", "done", "ever", "observed")
"""Words of conditions for a whole procedure: what is seen just now may be gone in a moment."""


def telling_condition(
    cases: Sequence[Case],
    good: Sequence[bool],
    mentioned: Iterable[str],
    lexicon: Lexicon,
    trigger: Trigger,
    order: Sequence[str] = MOMENTARY,
    without: Collection[str] = (),
) -> tuple[Effect | None, Effect | None]:
    """Find the condition that tells the good cases from the others.

    Args:
        cases: Executions, each looked at where it stopped or came to its end.
        good: Which of them are to be told from the others.
        mentioned: Parameters, one of which the condition mentions.
        lexicon: Finds entities.
        trigger: How sure one must be.
        order: Which of conditions that tell the same is taken.
        without: Conditions that are not considered, nor their opposites.

    Returns:
        The credible effect, and the best one; a text that begins with ``not`` is a negation.
    """
    columns = condition_columns(cases, tuple(mentioned), lexicon)
    both = dict(columns)
    for text in without:
        both.pop(text, None)
    for text, column in list(both.items()):
        both[negated(text)] = [not each for each in column]
    rank = partial(_rank, order)
    return best_effect(both, good, trigger, lambda text: True, rank)


def condition_columns(
    cases: Sequence[Case], mentioned: Sequence[str], lexicon: Lexicon
) -> dict[str, list[bool]]:
    """Return candidate condition → whether it holds in each case, as the loop would decide."""
    counts: dict[str, int] = {}
    for case in cases:
        for text in set(situation_features(case.context, lexicon, mentioned, case.until)):
            counts[text] = counts.get(text, 0) + 1
    texts = sorted(counts, key=lambda t: (-counts[t], _rank(MOMENTARY, t)))[:_MOST]
    views = [ContextView(case.context, lexicon, case.until) for case in cases]
    columns: dict[str, list[bool]] = {}
    for text in texts:
        condition = parse_condition(text)
        columns[text] = [
            bool(condition.evaluate(view, case.context.binding).value)
            for view, case in zip(views, cases, strict=True)
        ]
    return columns


def holds(text: str, case: Case, lexicon: Lexicon) -> bool:
    """Say whether a condition holds in a case."""
    view = ContextView(case.context, lexicon, case.until)
    return bool(parse_condition(text).evaluate(view, case.context.binding).value)


def negated(text: str) -> str:
    """Return the opposite of a condition's text."""
    condition = parse_condition(text)
    return (condition.part if isinstance(condition, Not) else Not(condition)).to_text()


def _rank(order: Sequence[str], text: str) -> Any:
    """What speaks of nothing else first; then by the word; plain before negated."""
    denied = text.startswith("not ")
    word = text.removeprefix("not ").partition("(")[0]
    number = order.index(word) if word in order else len(order)
    return ("*" in text, number, denied, len(text), text)
