"""Find conditions that distinguish situations, for guards, preconditions and variants."""

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

_MOST = 400
"""Most candidate conditions, those of the most cases; it bounds the time."""
MOMENTARY = ("observed", "kind", "done", "ever")
"""Order of conditions for a step: the latest observation comes first."""
LASTING = ("kind", "done", "ever", "observed")
"""Order of conditions for a whole procedure: the latest observation, soon outdated, is last."""


def telling_condition(
    cases: Sequence[Case],
    good: Sequence[bool],
    mentioned: Iterable[str],
    lexicon: Lexicon,
    trigger: Trigger,
    order: Sequence[str] = MOMENTARY,
    without: Collection[str] = (),
) -> tuple[Effect | None, Effect | None]:
    """Find the condition that best distinguishes the good cases from the others.

    Args:
        cases: Executions, each cut where it stopped or ended.
        good: Whether each of them is a good case.
        mentioned: Parameters, one of which the condition mentions.
        lexicon: Finds entities.
        trigger: When an effect is credible.
        order: Order of preference among conditions with the same split.
        without: Conditions that are not considered, nor their negations.

    Returns:
        The credible effect, and the best one; a text that begins with ``not`` is a negation.
    """
    columns = condition_columns(cases, tuple(mentioned), lexicon)
    columns_and_negations = dict(columns)
    for text in without:
        columns_and_negations.pop(text, None)
    for text, column in list(columns_and_negations.items()):
        columns_and_negations[negated(text)] = [not each for each in column]
    rank = partial(_rank, order)
    return best_effect(columns_and_negations, good, trigger, lambda text: True, rank)


def condition_columns(
    cases: Sequence[Case], mentioned: Sequence[str], lexicon: Lexicon
) -> dict[str, list[bool]]:
    """Map each candidate condition to whether it holds in each case, as the loop evaluates it."""
    case_count: dict[str, int] = {}
    for case in cases:
        for text in set(situation_features(case.context, lexicon, mentioned, case.until)):
            case_count[text] = case_count.get(text, 0) + 1
    texts = sorted(case_count, key=lambda t: (-case_count[t], _rank(MOMENTARY, t)))[:_MOST]
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
    """Tell whether a condition holds in a case."""
    view = ContextView(case.context, lexicon, case.until)
    return bool(parse_condition(text).evaluate(view, case.context.binding).value)


def negated(text: str) -> str:
    """Return the opposite of a condition's text."""
    condition = parse_condition(text)
    return (condition.part if isinstance(condition, Not) else Not(condition)).to_text()


def _rank(order: Sequence[str], text: str) -> Any:
    """Return a sort key: no wildcard first, then by the word, plain before negated."""
    denied = text.startswith("not ")
    word = text.removeprefix("not ").partition("(")[0]
    number = order.index(word) if word in order else len(order)
    return ("*" in text, number, denied, len(text), text)
